package arith

import "loom/compiler/ir"

// IntCast reports whether op changes the width of an integer, and whether it extends by
// the sign.
func IntCast(op *ir.Operation) (signExtend, ok bool) {
	switch op.Name {
	case "arith.extsi", "arith.index_cast":
		return true, true
	case "arith.extui", "arith.index_castui", "arith.trunci":
		return false, true
	}
	return false, false
}
