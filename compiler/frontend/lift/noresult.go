package lift

import (
	"slices"

	"loom/compiler/cabi"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// noResult removes the result of a function that never returns a defined
// value: C before 1999 has no other form for a function without a result, and
// there is nothing to compare. The description keeps the declared type.
func (r *lifter) noResult() {
	p := r.sig.result
	if p == nil || p.class != cabi.Scalar {
		return
	}
	var returns []*ir.Operation
	for _, b := range r.order {
		if t := b.Terminator(); t.Name == opname.LLVMReturn {
			if slices.ContainsFunc(t.Operands(), func(v *ir.Value) bool { return !undefined(v) }) {
				return
			}
			returns = append(returns, t)
		}
	}
	for _, t := range returns {
		t.SetOperands(nil)
	}
	p.fields = nil
	if len(returns) > 0 {
		r.notes.Remarkf(r.position(diag.Pos{}), "%s is declared with a result of type %s, but returns nothing that is defined: the kernel has no result",
			ir.QuoteString(r.sig.name), p.spelling).
			WithHelp("declare it void, or return a value")
	}
}

// undefined reports whether a value may be anything.
func undefined(v *ir.Value) bool {
	if v.Def == nil {
		return false
	}
	switch v.Def.Name {
	case opname.LLVMMlirUndef, opname.LLVMMlirPoison, opname.UBPoison:
		return true
	case opname.LLVMFreeze:
		return undefined(v.Def.Operand(0))
	}
	return false
}
