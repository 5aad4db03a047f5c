package structure

import (
	"fmt"
	"strings"

	"loom/compiler/ir"
	"loom/compiler/opname"
)

// nameConstants gives constants the names that MLIR's users know: c1_i32, c1 for an
// index, true, cst for the others.
func nameConstants(fn *ir.Operation) {
	for _, op := range fn.Regions[0].Entry().Ops {
		if op.Name != opname.ArithConstant {
			continue
		}
		r := op.Result(0)
		k, ok := r.ConstantInt()
		switch {
		case !ok:
			r.Name = "cst"
		case r.Type == ir.Type(ir.I1):
			r.Name = fmt.Sprint(k != 0)
		default:
			r.Name = "c" + strings.Replace(fmt.Sprint(k), "-", "m", 1)
			if r.Type != ir.Type(ir.Index) {
				r.Name += "_" + r.Type.String()
			}
		}
	}
}
