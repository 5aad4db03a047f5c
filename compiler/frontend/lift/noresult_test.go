package lift_test

import (
	"strings"
	"testing"

	"loom/compiler/cabi"
	"loom/compiler/diag"
	"loom/compiler/frontend/lift"
)

// TestNoResult: what never returns anything defined becomes a kernel without a result,
// at every level of optimisation, and a remark at its line reports it. The description
// keeps the declared type. Where one path returns a value the result stays.
func TestNoResult(t *testing.T) {
	t.Parallel()
	file := temporary(t, "none.c", `int never(int *a, int n) { for (int i = 0; i < n; i++) a[i] *= 3; }
float unset(int *a, int n) { float r; a[0] = n; return r; }
int both(int *a, int n) { int r; a[0] = n; if (n > 3) return r; a[1] = n; }
int one(int *a, int n) { for (int i = 0; i < n; i++) if (a[i] == 5) return i; }
int zero(int *a, int n) { a[0] = n; return 0; }
void none(int *a, int n) { a[0] = n; }
`)
	for _, level := range []string{"0", "1", "2"} {
		l := lowerSource(t, file, level)
		for line, c := range []struct {
			name, result string
			none         bool
		}{{"never", "int", true}, {"unset", "float", true}, {"both", "int", true}, {"one", "int", false}, {"zero", "int", false}, {"none", "", true}} {
			notes := &diag.List{}
			module, err := l.lift(c.name, lift.Options{AssumeNoAlias: true}, notes)
			if err != nil {
				t.Fatalf("%s/O%s: %v", c.name, level, err)
			}
			fn := function(module)
			abi, _ := cabi.Of(fn)
			switch {
			case c.result == "":
				if abi.Result != nil {
					t.Errorf("%s/O%s: a result is described", c.name, level)
				}
			case abi.Result == nil || abi.Result.Type != c.result || abi.Result.Class != cabi.Scalar || abi.Result.Size != 4 || len(abi.Result.Pieces) == 0 != c.none:
				t.Errorf("%s/O%s: the description is %+v", c.name, level, abi.Result)
			}
			if got := len(fn.Regions[0].Blocks[len(fn.Regions[0].Blocks)-1].Terminator().Operands()) == 0; got != c.none {
				t.Errorf("%s/O%s: no result: %v, want %v", c.name, level, got, c.none)
			}
			remarked := len(notes.All) == 1 && strings.Contains(notes.All[0].Message, "returns nothing that is defined") && notes.All[0].Pos.Line == line+1
			if want := c.none && c.result != ""; remarked != want || !want && len(notes.All) > 0 {
				t.Errorf("%s/O%s: %v", c.name, level, notes.All)
			}
		}
	}
}
