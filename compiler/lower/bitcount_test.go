package lower

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/sim/token"
	"loom/sim/vector"
)

// TestBitCounts: what a target has no unit for is written with shifts and sums, and
// gives the same on every number of 8 bits and on extreme and random ones of other
// widths.
func TestBitCounts(t *testing.T) {
	forms := map[string]string{
		"math.absi": "math.absi %a : T", "math.ctpop": "math.ctpop %a : T", "math.ctlz": "math.ctlz %a : T",
		"math.cttz": "math.cttz %a : T", "llvm.intr.bitreverse": "llvm.intr.bitreverse(%a) : (T) -> T",
	}
	lacks := func(op *ir.Operation) bool { return forms[op.Name] == "" }
	rng := rand.New(rand.NewPCG(1, 2))
	for name, form := range forms {
		for _, width := range []int{1, 5, 8, 16, 17, 32, 64} {
			ty := ir.Int(width)
			m := parse(t, strings.ReplaceAll(fmt.Sprintf("func.func @f(%%a: T) -> T {\n  %%r = %s\n  return %%r : T\n}\n", form), "T", ty.String()))
			res, err := Lower(m, Options{Executes: lacks})
			if err != nil {
				t.Fatal(err)
			}
			res.Func.Walk(func(op *ir.Operation) bool {
				if !lacks(op) {
					t.Errorf("%s is still there at %d bits", name, width)
				}
				return true
			})
			values := []uint64{0, 1, 2, 1 << (width - 1), 1<<(width-1) - 1, 1<<width - 1}
			for range 20 {
				values = append(values, rng.Uint64())
			}
			if width <= 8 {
				for v := range uint64(1) << width {
					values = append(values, v)
				}
			}
			for _, v := range values {
				in := &vector.Inputs{Args: []vector.Arg{{Name: "a", Type: ty, Scalar: v & (1<<width - 1)}}}
				want, err := interp.Run(m.Regions[0].Entry().Ops[0], in, interp.Options{})
				if err != nil {
					t.Fatal(err)
				}
				got, err := token.Run(res.Func, in, token.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if d := vector.Diff(want, got); len(d) > 0 {
					t.Fatalf("%s of %#x at %d bits: %v", name, v, width, d)
				}
			}
		}
	}
}
