package all

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/ir"
)

var update = flag.Bool("update", os.Getenv("LOOM_UPDATE") != "", "rewrite docs/operations.md")

const reference = "../../../docs/operations.md"

// TestReference: the generated operation reference is current.
func TestReference(t *testing.T) {
	want := Reference()
	if *update {
		if err := os.WriteFile(reference, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(reference)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("docs/operations.md is stale, run go generate ./compiler/dialect/all (-want +got):\n%s", diff)
	}
}

// TestDefinitions: every operation is documented by a sentence and checks
// something.
func TestDefinitions(t *testing.T) {
	for _, d := range ir.Definitions() {
		if len(d.Summary) < 5 || !strings.HasSuffix(d.Summary, ".") {
			t.Errorf("%s: summary %q is no sentence", d.Name, d.Summary)
		}
		if d.Verify == nil {
			t.Errorf("%s has no verifier", d.Name)
		}
	}
}
