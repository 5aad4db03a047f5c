package lift

import (
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/internal/intmath"
)

// Multiples. Optimisers compute distances in bytes, such as the choice of 16
// or 32 for that of one row or another: what an integer is known to be a multiple of
// shows that it is made of whole elements.

// findFactors finds the divisors of block arguments: the largest that are
// consistent with the values that flow into them.
func (r *lifter) findFactors() {
	edges := ir.Edges(r.order)
	for changed := true; changed; {
		changed = false
		for _, b := range r.order[1:] {
			for k, a := range b.Args {
				if !ir.IsInt(a.Type) {
					continue
				}
				f := r.factors[a]
				for _, e := range edges[b] {
					f = intmath.GCD(f, r.factor(e.Passed()[k], 0))
				}
				if f != r.factors[a] {
					r.factors[a], changed = f, true
				}
			}
		}
	}
}

// factor is an integer that v is a multiple of, 0 for 0.
func (r *lifter) factor(v *ir.Value, depth int) int64 {
	if c, ok := constInt(v); ok {
		return intmath.GCD(c, 0)
	}
	if v.Def == nil {
		if f, ok := r.factors[v]; ok || v.Block != r.order[0] {
			return f
		}
		return 1
	}
	if depth > maxDepth || v.Def.NumOperands() == 0 {
		return 1
	}
	op := v.Def
	of := func(i int) int64 { return r.factor(op.Operand(i), depth+1) }
	switch op.Name {
	case opname.LLVMSelect:
		return intmath.GCD(of(1), of(2))
	case opname.LLVMFreeze:
		return of(0)
	case opname.LLVMSExt:
		return of(0)
	case opname.LLVMZExt, opname.LLVMTrunc: // a negative value becomes another
		return binaryPart(of(0))
	}
	f := int64(1)
	switch op.Name {
	case opname.LLVMAShr, opname.LLVMSDiv:
		// Without remainder, as the size of the elements in a distance of pointers.
		n, ok := constInt(op.Operand(1))
		if op.Name == opname.LLVMAShr {
			ok, n = ok && n >= 0 && n < 20, 1<<max(min(n, 20), 0)
		}
		if x := of(0); ok && n > 0 && x%n == 0 {
			return x / n
		}
		return 1
	case opname.LLVMAdd, opname.LLVMSub:
		if r.settled && r.addresses(op.Operand(0)) != 0 && r.addresses(v) == 0 {
			f := int64(0)
			l := r.addressOf(v).lin
			for _, t := range l.Terms {
				f = intmath.GCD(f, r.bytes(t))
			}
			return intmath.GCD(f, l.C)
		}
		f = intmath.GCD(of(0), of(1))
	case opname.LLVMMul:
		f = small(of(0)) * small(of(1))
	case opname.LLVMShl:
		if k, ok := constInt(op.Operand(1)); ok && k >= 0 && k < 20 {
			f = small(of(0)) << k
		}
	case opname.LLVMAnd:
		return max(binaryPart(of(0)), binaryPart(of(1)))
	case opname.LLVMOr:
		return intmath.GCD(binaryPart(of(0)), binaryPart(of(1)))
	default:
		return 1
	}
	if v.Type != ir.Type(ir.I64) {
		// A value that wraps around keeps factors of two only; addresses do not wrap.
		return binaryPart(f)
	}
	return f
}

// binaryPart is the largest power of two in n.
func binaryPart(n int64) int64 { return n & -n }

// small bounds a factor, so that products do not overflow.
func small(n int64) int64 {
	if n > 1<<20 {
		return binaryPart(n) & (1<<20 - 1)
	}
	return n
}

// factored notes the multiples of a sum's terms. Addresses that cancel each other are
// resolved.
func (r *lifter) factored(l sum) sum {
	out := sum{C: l.C}
	for _, t := range l.Terms {
		if f := small(r.factor(t.Sym.v, 0)); !isPtr(t.Sym.v) && f > 1 && t.Sym.div == 0 {
			t.Sym.div = f
			t.Coef *= f
		}
		out.Terms = append(out.Terms, t)
	}
	return r.cancelled(out)
}

// steps are the subscripts of a getelementptr, with their multiples.
func (r *lifter) steps(op *ir.Operation) ([]step, bool) {
	steps, ok := gepSteps(op)
	for i := range steps {
		steps[i].index = r.factored(steps[i].index)
	}
	return steps, ok
}

// quotient is the value of a term divided by d, which divides it.
func (e *emitter) quotient(v *ir.Value, unsigned bool, d int64, depth int) *ir.Value {
	if c, ok := constInt(v); ok {
		return e.index(c / d)
	}
	if v.Def != nil && (v.Def.Name == opname.LLVMAShr || v.Def.Name == opname.LLVMSDiv) {
		// A distance of pointers is known in bytes.
		n, _ := constInt(v.Def.Operand(1))
		if v.Def.Name == opname.LLVMAShr {
			n = 1 << (n & 63)
		}
		if l, ok := e.diffs[v.Def.Operand(0)]; ok && n > 0 && e.unitOf(l)%(n*d) == 0 {
			return e.sum(l, n*d)
		}
	}
	if v.Def != nil && v.Def.Name == opname.LLVMSelect && depth < 4 {
		return e.choose(e.value(v.Def.Operand(0)),
			e.quotient(v.Def.Operand(1), unsigned, d, depth+1), e.quotient(v.Def.Operand(2), unsigned, d, depth+1))
	}
	return e.divide(e.toIndex(e.value(v), unsigned), unsigned, d)
}

// divide divides a multiple of d by it.
func (e *emitter) divide(x *ir.Value, unsigned bool, d int64) *ir.Value {
	if d == 1 {
		return x
	}
	if d&(d-1) == 0 {
		k := int64(0)
		for 1<<k < d {
			k++
		}
		name := opname.ArithShRSI
		if unsigned {
			name = opname.ArithShRUI
		}
		return e.binary(name, x, e.index(k))
	}
	name := opname.ArithDivSI
	if unsigned {
		name = opname.ArithDivUI
	}
	return e.binary(name, x, e.index(d))
}
