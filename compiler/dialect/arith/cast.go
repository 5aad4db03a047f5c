package arith

import (
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// IntCast reports whether op changes the width of an integer, and whether it extends by
// the sign.
func IntCast(op *ir.Operation) (signExtend, ok bool) {
	switch op.Name {
	case opname.ArithExtSI, opname.ArithIndexCast:
		return true, true
	case opname.ArithExtUI, opname.ArithIndexCastUI, opname.ArithTruncI:
		return false, true
	}
	return false, false
}
