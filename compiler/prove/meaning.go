package prove

import (
	"fmt"

	"loom/compiler/ir"
	"loom/compiler/opname"
)

// meaning is the name under which operations that compute the same are compared: casts of
// an index to a wider type extend it.
func meaning(name string) string {
	switch name {
	case opname.ArithIndexCast:
		return opname.ArithExtSI
	case opname.ArithIndexCastUI:
		return opname.ArithExtUI
	}
	return name
}

// symmetric reports whether the operands of an operation may stand in any order.
func symmetric(op *ir.Operation) bool {
	return op.Name == opname.HandshakeJoin || op.NumOperands() == 2 && op.Def().Has(ir.Commutative)
}

// attributes spells the attributes that give an operation of the kernel its meaning.
// Those of the fabric are read from the image where it has a field for them.
func attributes(op *ir.Operation) []string {
	var out []string
	switch op.Name {
	case opname.ArithCmpI, opname.ArithCmpF:
		if v, ok := op.IntAttr("predicate"); ok {
			out = append(out, fmt.Sprintf("predicate=%d", v))
		}
	case opname.DataflowAccumulate:
		parts, _ := op.IntAttr("parts")
		out = append(out, "operation="+op.StrAttr("operation"), fmt.Sprintf("parts=%d", parts))
	case opname.DataflowStream:
		out = append(out, "step_op="+op.StrAttr("step_op"), "cont_cond="+op.StrAttr("cont_cond"))
	}
	return out
}

// contConds are the conditions of a stream by the bit that stands for them in the
// configuration, which is one-hot (design page "Configuration image").
var contConds = []string{"<", "<=", ">", ">=", "!="}

// configured spells a configuration field as attributes does; width is the field's.
func configured(name string, v uint64) string {
	if name == "cont_cond" {
		for bit, text := range contConds {
			if v == 1<<bit {
				return "cont_cond=" + text
			}
		}
		return fmt.Sprintf("cont_cond=%#b", v)
	}
	return fmt.Sprintf("%s=%d", name, v)
}

// reach states which bits of a result depend on which bits of the operands, and so how wide
// a unit may be beyond the operation.
type reach int

const (
	// exact: a unit of another width computes something else.
	exact reach = iota
	// low: the low bits of the results depend on nothing but the low bits of the operands.
	low
	// extension: the operand is exact, of the result only the low bits count.
	extension
	// steering: the data operands and results are passed on; conditions are exact.
	steering
)

var reaches = map[string]reach{
	opname.ArithAddI: low, opname.ArithSubI: low, opname.ArithMulI: low,
	opname.ArithAndI: low, opname.ArithOrI: low, opname.ArithXOrI: low,
	opname.ArithExtSI: extension, opname.ArithExtUI: extension,
	opname.ArithSelect: steering, opname.HandshakeMux: steering, opname.HandshakeCondBr: steering,
	opname.HandshakeConstant: steering, opname.HandshakeJoin: steering,
	opname.HandshakeLoad: steering, opname.HandshakeStore: steering,
	opname.DataflowCarry: steering, opname.DataflowInvariant: steering, opname.DataflowGate: steering,
}

// conditions are the operands and results of steering operations that are looked at.
func condition(op string, k int, isResult bool) bool {
	switch op {
	case opname.ArithSelect, opname.HandshakeMux, opname.HandshakeCondBr, opname.DataflowCarry, opname.DataflowInvariant:
		return k == 0 && !isResult
	case opname.DataflowGate:
		return k == 1
	}
	return false
}

// sameMeaning reports why the operation sw of the kernel is not what the unit operation hw
// computes, "" if it is. Names and fields have been compared.
func sameMeaning(hw, sw *ir.Operation, indexWidth int) string {
	r := reaches[meaning(sw.Name)]
	if sw.Name == opname.HandshakeJoin {
		return "" // of tokens: the operands in use have been counted
	}
	check := func(what string, isResult bool, hv, sv []*ir.Value) string {
		for k := range sv {
			h, ok1 := ir.BitWidth(hv[k].Type, indexWidth)
			s, ok2 := ir.BitWidth(sv[k].Type, indexWidth)
			must := r == exact || r == extension && !isResult || condition(sw.Name, k, isResult)
			if !ok1 || !ok2 || h < s || must && h != s {
				return fmt.Sprintf("%s %d has %d bits there, %d in the kernel", what, k, h, s)
			}
			if r != steering && ir.IsFloat(hv[k].Type) != ir.IsFloat(sv[k].Type) ||
				r == exact && ir.IsFloat(sv[k].Type) && hv[k].Type != sv[k].Type {
				return fmt.Sprintf("%s %d has type %s there, %s in the kernel", what, k, hv[k].Type, sv[k].Type)
			}
		}
		return ""
	}
	if hw.NumOperands() != sw.NumOperands() || hw.NumResults() != sw.NumResults() {
		return fmt.Sprintf("it has %d operands and %d results there, %d and %d in the kernel",
			hw.NumOperands(), hw.NumResults(), sw.NumOperands(), sw.NumResults())
	}
	if why := check("operand", false, hw.Operands(), sw.Operands()); why != "" {
		return why
	}
	return check("result", true, hw.Results(), sw.Results())
}
