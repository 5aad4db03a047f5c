package structure

import (
	"fmt"
	"math"
	"testing"

	"loom/compiler/diag"
	_ "loom/compiler/dialect/all" // operations of all dialects
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/pass"
	"loom/sim/vector"
)

// TestNegatedComparisons: a branch around statements keeps its meaning for every
// predicate and for numbers that compare with nothing.
func TestNegatedComparisons(t *testing.T) {
	predicates := []string{"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"}
	values := []float64{-1, 0, 2, math.Inf(1), math.NaN()}
	for _, p := range predicates {
		text := fmt.Sprintf(`func.func @f(%%a: f64, %%b: f64, %%m: memref<1xi32>) {
  %%z = arith.constant 0 : index
  %%one = arith.constant 1 : i32
  %%c = arith.cmpf %s, %%a, %%b : f64
  cf.cond_br %%c, ^end, ^do
^do:
  memref.store %%one, %%m[%%z] : memref<1xi32>
  cf.br ^end
^end:
  return
}`, p)
		before, err := mlir.ParseAndVerify("f.mlir", text)
		if err != nil {
			t.Fatal(err)
		}
		after := before.Clone(map[*ir.Value]*ir.Value{})
		if err := Run(after, &diag.List{}, pass.Options{Verify: true}); err != nil {
			t.Fatal(err)
		}
		for _, a := range values {
			for _, b := range values {
				in := &vector.Inputs{Args: []vector.Arg{
					{Name: "a", Type: ir.F64, Scalar: math.Float64bits(a)}, {Name: "b", Type: ir.F64, Scalar: math.Float64bits(b)},
					{Name: "m", Mem: &vector.Memory{Name: "m", Elem: ir.I32, Shape: []int64{1}, Data: []uint64{0}}},
				}}
				var out []*vector.Outcome
				for _, m := range []*ir.Operation{before, after} {
					o, err := interp.Run(firstFunction(m), in, interp.Options{})
					if err != nil {
						t.Fatal(err)
					}
					out = append(out, o)
				}
				if d := vector.Diff(out[0], out[1]); d != nil {
					t.Errorf("cmpf %s on %v and %v: %v\n%s", p, a, b, d, mlir.Print(after, mlir.Options{}))
				}
			}
		}
	}
}

func firstFunction(m *ir.Operation) *ir.Operation {
	var fn *ir.Operation
	m.Walk(func(op *ir.Operation) bool {
		if op.Name == "func.func" {
			fn = op
		}
		return fn == nil
	})
	return fn
}
