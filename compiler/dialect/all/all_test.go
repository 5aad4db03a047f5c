package all

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/ir"
	"loom/compiler/opname"
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

// TestNames: every operation has its constant in opname, and a constant of a dialect
// that is registered as a whole names an operation of it.
func TestNames(t *testing.T) {
	const file = "../../opname/opname.go"
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{opname.LLVMIntrBitreverse: true, opname.LLVMFence: true}
	ast.Inspect(parsed, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
			name, err := strconv.Unquote(l.Value)
			if err != nil || names[name] {
				t.Errorf("%s stands twice, or is no name: %v", l.Value, err)
			}
			names[name] = true
		}
		return true
	})
	for _, d := range ir.Definitions() {
		if !names[d.Name] {
			t.Errorf("opname has no constant for %s", d.Name)
		}
		delete(names, d.Name)
	}
	for _, n := range []string{opname.MemRefGenericAtomicRmw, opname.MemRefRealloc, opname.MemRefReshape, opname.UBUnreachable} {
		delete(names, n) // known by name alone
	}
	for n := range names {
		t.Errorf("%s has a constant, but no definition", n)
	}
}
