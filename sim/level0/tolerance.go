package level0

import (
	"strings"

	"loom/compiler/cabi"
	"loom/compiler/frontend/reassociate"
	"loom/compiler/ir"
	"loom/sim/vector"
)

// exact are the operations of the dialect math whose result is defined to the last bit.
var exact = map[string]bool{
	"absf": true, "absi": true, "ceil": true, "copysign": true, "ctlz": true, "ctpop": true, "cttz": true, "floor": true, "fma": true,
	"ipowi": true, "round": true, "roundeven": true, "sqrt": true, "trunc": true,
}

// Tolerance is how far the native run of a kernel may differ from the others: nothing,
// unless the kernel calls functions of a library with a rounding of its own, adds up in another order
// (package reassociate), or computes with floats, where the sign of NaN may differ.
func Tolerance(kernel *ir.Operation) vector.Tolerance {
	var tol vector.Tolerance
	floats := false
	kernel.Walk(func(op *ir.Operation) bool {
		if f, ok := cabi.Of(op); ok && f.Approximate || op.Attr(reassociate.Attr) != nil {
			tol = vector.Libraries
		}
		if name, ok := strings.CutPrefix(op.Name, "math."); ok && !exact[name] {
			tol = vector.Libraries
		}
		if op.Dialect() == "math" || op.Dialect() == "arith" {
			floats = floats || op.NumResults() > 0 && ir.IsFloat(op.Result(0).Type)
		}
		return true
	})
	tol.NaN = floats
	return tol
}
