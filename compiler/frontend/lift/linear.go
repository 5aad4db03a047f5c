package lift

import (
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// term is a value times a number of bytes. The value is an integer, read with or
// without sign, or a pointer that is chosen at run time: then it counts units. Where div is
// set, the value is a multiple of it and the quotient is meant.
type term struct {
	v        *ir.Value
	unsigned bool
	div      int64 // 0 for 1
	scale    int64
}

// linear is a sum of terms and a constant.
type linear struct {
	terms []term
	c     int64
}

// plus is l + k*m.
func (l linear) plus(m linear, k int64) linear {
	out := linear{terms: append([]term(nil), l.terms...), c: l.c + k*m.c}
next:
	for _, t := range m.terms {
		for i := range out.terms {
			o := &out.terms[i]
			if o.v == t.v && o.unsigned == t.unsigned {
				if o.scale += k * t.scale; o.scale == 0 {
					out.terms = append(out.terms[:i:i], out.terms[i+1:]...)
				}
				continue next
			}
		}
		if k*t.scale != 0 {
			t.scale *= k
			out.terms = append(out.terms, t)
		}
	}
	return out
}

// times is k*l.
func (l linear) times(k int64) linear { return linear{}.plus(l, k) }

// isConst reports whether l is a constant.
func (l linear) isConst() bool { return len(l.terms) == 0 }

// maxDepth bounds the depth of nested sums.
const maxDepth = 32

// linearOf reads a subscript as a sum. Only what is computed in 64 bits, as addresses
// are, is decomposed: there sums of multiples are exact.
func linearOf(v *ir.Value) linear { return linearIn(v, 0) }

func linearIn(v *ir.Value, depth int) linear {
	atom := linear{terms: []term{{v: v, scale: 1}}}
	op := v.Def
	if op == nil || depth > maxDepth {
		return atom
	}
	if c, ok := constInt(v); ok {
		return linear{c: c}
	}
	switch op.Name {
	case opname.LLVMSExt, opname.LLVMZExt:
		if _, ok := constInt(op.Operand(0)); ok || !ir.IsInt(op.Operand(0).Type) {
			return atom
		}
		// A value that is known not to be negative may be read with or without sign.
		unsigned := op.Name == opname.LLVMZExt && op.Attr("nonNeg") == nil
		return linear{terms: []term{{v: op.Operand(0), unsigned: unsigned, scale: 1}}}
	}
	if v.Type != ir.Type(ir.I64) {
		return atom
	}
	switch op.Name {
	case opname.LLVMFreeze:
		return linearIn(op.Operand(0), depth+1)
	case opname.LLVMAdd:
		return linearIn(op.Operand(0), depth+1).plus(linearIn(op.Operand(1), depth+1), 1)
	case opname.LLVMSub:
		return linearIn(op.Operand(0), depth+1).plus(linearIn(op.Operand(1), depth+1), -1)
	case opname.LLVMMul:
		if k, ok := constInt(op.Operand(1)); ok {
			return linearIn(op.Operand(0), depth+1).times(k)
		}
	case opname.LLVMShl:
		if k, ok := constInt(op.Operand(1)); ok && k >= 0 && k < 32 {
			return linearIn(op.Operand(0), depth+1).times(1 << k)
		}
	case opname.LLVMOr:
		if k, ok := constInt(op.Operand(1)); ok && op.Attr("isDisjoint") != nil {
			return linearIn(op.Operand(0), depth+1).plus(linear{c: k}, 1)
		}
	}
	return atom
}

// constInt is the value of an integer constant, of the llvm dialect or of arith.
func constInt(v *ir.Value) (int64, bool) {
	if v.Def == nil {
		return 0, false
	}
	switch v.Def.Name {
	case opname.LLVMMlirConstant:
		return v.Def.IntAttr("value")
	case opname.LLVMMlirZero, opname.LLVMMlirUndef, opname.LLVMMlirPoison:
		_, ok := v.Type.(*ir.IntegerType)
		return 0, ok
	}
	return v.ConstantInt()
}
