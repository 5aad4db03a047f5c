package tech

import (
	"loom/compiler/dialect/dataflow"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// Widths of an operation's ports fall into two kinds. At a transparent port a
// wider unit does: its low bits are right whatever the high bits hold. At an
// exact port the unit must have the declared width, for the high bits take part
// in the result (compares, shifts, divides, conditions, extensions).

// exactOperand reports whether operand i of op needs the exact width.
func exactOperand(op *ir.Operation, i int) bool {
	switch op.Name {
	case opname.HandshakeConstant, opname.HandshakeLoad, opname.HandshakeStore, opname.HandshakeJoin:
		return false
	case opname.HandshakeMux, opname.HandshakeCondBr, opname.DataflowCarry, opname.DataflowInvariant, opname.ArithSelect:
		return i == 0
	case opname.DataflowGate:
		return i == 1
	}
	return !op.Def().LowBits()
}

// exactResult reports whether result i of op needs the exact width.
func exactResult(op *ir.Operation, i int) bool {
	switch op.Name {
	case opname.HandshakeConstant, opname.HandshakeLoad, opname.HandshakeStore, opname.HandshakeJoin,
		opname.HandshakeMux, opname.HandshakeCondBr, opname.DataflowCarry, opname.DataflowInvariant, opname.ArithSelect,
		opname.ArithExtSI, opname.ArithExtUI, opname.ArithIndexCast, opname.ArithIndexCastUI:
		return false
	case opname.DataflowGate:
		return i == 1
	}
	return !op.Def().LowBits()
}

// transport operations move bits, whatever type they have.
func transport(name string) bool {
	switch name {
	case opname.HandshakeConstant, opname.HandshakeLoad, opname.HandshakeStore, opname.HandshakeJoin,
		opname.HandshakeMux, opname.HandshakeCondBr, opname.DataflowCarry, opname.DataflowInvariant, opname.DataflowGate,
		opname.ArithSelect:
		return true
	}
	return false
}

// class is the name under which operations of equal meaning are matched: a
// widening index cast is an extension.
func class(op *ir.Operation) string {
	switch op.Name {
	case opname.ArithIndexCast:
		return opname.ArithExtSI
	case opname.ArithIndexCastUI:
		return opname.ArithExtUI
	}
	return op.Name
}

// fits reports whether a unit's body operation hw can execute sw: the same
// operation, the same structural attributes, suitable widths and types.
func fits(hw, sw *ir.Operation, iw int) bool {
	if class(hw) != class(sw) {
		return false
	}
	if class(hw) != hw.Name && IsWire(hw, iw) {
		return false // a unit that narrows extends nothing
	}
	switch sw.Name {
	case opname.HandshakeJoin:
		// The mask leaves out the inputs that are not needed.
		return hw.NumOperands() >= sw.NumOperands()
	case opname.DataflowStream:
		if hw.StrAttr("step_op") != sw.StrAttr("step_op") {
			return false
		}
	case opname.DataflowAccumulate:
		if hw.StrAttr("operation") != sw.StrAttr("operation") || dataflow.Parts(hw) != dataflow.Parts(sw) {
			return false
		}
	}
	if hw.NumOperands() != sw.NumOperands() || hw.NumResults() != sw.NumResults() {
		return false
	}
	for i, v := range sw.Operands() {
		if !typeFits(hw.Operand(i).Type, v.Type, iw, exactOperand(sw, i), transport(sw.Name)) {
			return false
		}
	}
	for i, v := range sw.Results() {
		if !typeFits(hw.Result(i).Type, v.Type, iw, exactResult(sw, i), transport(sw.Name)) {
			return false
		}
	}
	return true
}

// typeFits compares the type a unit declares with the type of a value.
func typeFits(hw, sw ir.Type, iw int, exact, transport bool) bool {
	if !transport {
		hf, ok1 := hw.(*ir.FloatType)
		sf, ok2 := sw.(*ir.FloatType)
		if ok1 != ok2 || ok1 && hf.Name != sf.Name {
			return false
		}
	}
	h, ok1 := ir.BitWidth(hw, iw)
	s, ok2 := ir.BitWidth(sw, iw)
	if !ok1 || !ok2 {
		return false
	}
	if exact {
		return h == s
	}
	return h >= s
}
