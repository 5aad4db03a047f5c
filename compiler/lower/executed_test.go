package lower

import (
	"fmt"
	"testing"

	"loom/compiler/ir"
	"loom/compiler/opname"
)

// TestExecutedFloats: minima, maxima and roundings of floats stay what they are on a target that has units for them, and no other one.
func TestExecutedFloats(t *testing.T) {
	binary := []string{opname.ArithMinimumF, opname.ArithMaximumF, opname.ArithMinNumF, opname.ArithMaxNumF, opname.MathCopysign}
	unary := []string{opname.MathCeil, opname.MathTrunc, opname.MathRound, opname.MathRoundeven}
	for i, name := range append(binary, unary...) {
		operands := "%a, %b"
		if i >= len(binary) {
			operands = "%a"
		}
		program := fmt.Sprintf("func.func @f(%%a: f32, %%b: f32) -> f32 {\n  %%x = %s %s : f32\n  return %%x : f32\n}", name, operands)
		has := func(executes func(*ir.Operation) bool) bool {
			res, err := Lower(parse(t, program), Options{Executes: executes})
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			found := false
			res.Func.Walk(func(op *ir.Operation) bool {
				found = found || op.Name == name
				return true
			})
			return found
		}
		if !has(func(*ir.Operation) bool { return true }) {
			t.Errorf("%s is spelled out though there is a unit for it", name)
		}
		if has(func(op *ir.Operation) bool { return op.Name != name }) || has(nil) {
			t.Errorf("%s stays though there is no unit for it", name)
		}
	}
}
