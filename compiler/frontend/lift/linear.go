package lift

import (
	"loom/compiler/analysis/linear"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// sum is a distance in bytes, or a subscript. Addresses wrap around at 64 bits, and so do
// the sums: here it does not matter whether they are exact.
type (
	sum  = linear.Sum[atom]
	term = linear.Term[atom]
)

// atom is a value of a sum. The value is an integer, read with or without sign, or a
// pointer that is chosen at run time: then it counts units. Where div is set, the value is a
// multiple of it and the quotient is meant.
type atom struct {
	v        *ir.Value
	unsigned bool
	div      int64 // 0 for 1
}

// plus is l + k*m.
func plus(l, m sum, k int64) sum {
	l, _ = l.Plus(m, k)
	return l
}

// one is the sum of one atom.
func one(a atom) sum { return sum{Terms: []term{{Sym: a, Coef: 1}}} }

// maxDepth bounds the depth of nested sums.
const maxDepth = 32

// sumOf reads a subscript as a sum. Only what is computed in 64 bits, as addresses
// are, is decomposed: there sums of multiples are exact.
func sumOf(v *ir.Value) sum { return sumIn(v, 0) }

func sumIn(v *ir.Value, depth int) sum {
	whole := one(atom{v: v})
	op := v.Def
	if op == nil || depth > maxDepth {
		return whole
	}
	if c, ok := constInt(v); ok {
		return sum{C: c}
	}
	switch op.Name {
	case opname.LLVMSExt, opname.LLVMZExt:
		if _, ok := constInt(op.Operand(0)); ok || !ir.IsInt(op.Operand(0).Type) {
			return whole
		}
		// A value that is known not to be negative may be read with or without sign.
		unsigned := op.Name == opname.LLVMZExt && op.Attr("nonNeg") == nil
		return one(atom{v: op.Operand(0), unsigned: unsigned})
	}
	if v.Type != ir.Type(ir.I64) {
		return whole
	}
	switch op.Name {
	case opname.LLVMFreeze:
		return sumIn(op.Operand(0), depth+1)
	case opname.LLVMAdd:
		return plus(sumIn(op.Operand(0), depth+1), sumIn(op.Operand(1), depth+1), 1)
	case opname.LLVMSub:
		return plus(sumIn(op.Operand(0), depth+1), sumIn(op.Operand(1), depth+1), -1)
	case opname.LLVMMul:
		if k, ok := constInt(op.Operand(1)); ok {
			return plus(sum{}, sumIn(op.Operand(0), depth+1), k)
		}
	case opname.LLVMShl:
		if k, ok := constInt(op.Operand(1)); ok && k >= 0 && k < 32 {
			return plus(sum{}, sumIn(op.Operand(0), depth+1), 1<<k)
		}
	case opname.LLVMOr:
		if k, ok := constInt(op.Operand(1)); ok && op.Attr("isDisjoint") != nil {
			return plus(sumIn(op.Operand(0), depth+1), sum{C: k}, 1)
		}
	}
	return whole
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
