package lower

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPassDocument keeps the pass table of docs/lowering.md equal to the passes.
func TestPassDocument(t *testing.T) {
	const (
		path  = "../../docs/lowering.md"
		begin = "<!-- passes -->\n"
		end   = "<!-- /passes -->"
	)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(text), begin)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no section for the passes", path)
	}
	var b strings.Builder
	b.WriteString(head + begin + "| pass | why |\n|---|---|\n")
	for _, p := range passes().Passes {
		fmt.Fprintf(&b, "| `%s` | %s |\n", p.Name, p.Reason)
	}
	b.WriteString(end + tail)
	if os.Getenv("LOOM_UPDATE") != "" {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(text), b.String()); diff != "" {
		t.Errorf("%s is out of date, run LOOM_UPDATE=1 go test ./compiler/lower -run PassDocument (-have +want):\n%s", path, diff)
	}
}
