package ranges

import (
	"loom/compiler/analysis/interval"
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// compute evaluates a pure operation on the intervals of its operands; w is the width of
// the result.
func (r *Ranges) compute(op *ir.Operation, w, depth int) interval.Interval {
	if op.NumResults() != 1 {
		return interval.Any(w)
	}
	t := op.Result(0).Type
	i := r.transfer(op, w, depth)
	if !r.open(t) {
		return i
	}
	// Sums, products and bits of integers, cut to any width, are what they are here if
	// that has 32 bits; what only compares integers never leaves their intervals.
	switch op.Name {
	case opname.ArithMinSI, opname.ArithMaxSI, opname.ArithMinUI, opname.ArithMaxUI, opname.ArithDivSI, opname.ArithRemSI, opname.ArithDivUI, opname.ArithRemUI,
		opname.ArithSelect, opname.ArithShRSI, opname.ArithShRUI, opname.MemRefDim:
	default:
		return r.represented(t, w, i)
	}
	if m, ok := i.Meet(r.all(t, w), w); ok {
		return m
	}
	return i
}

// transfer is compute for a width that is known.
func (r *Ranges) transfer(op *ir.Operation, w, depth int) interval.Interval {
	in := func(i int) interval.Interval { return r.eval(op.Operand(i), depth) }
	open := op.NumOperands() > 0 && r.open(op.Operand(0).Type)
	any := interval.Any(w)
	switch op.Name {
	case opname.ArithAddI:
		if k, ok := halved(op.Operand(0), op.Operand(1)); ok {
			// x + ~(x >> k) is one less than what is left of x.
			if a := in(0); a.Lo >= 0 {
				return interval.Between(a.Lo-a.Lo>>k-1, a.Hi-a.Hi>>k-1, w)
			}
		}
		return interval.Add(in(0), in(1), w)
	case opname.ArithSubI:
		return r.difference(op, in(0), in(1), w)
	case opname.ArithMulI:
		return interval.Mul(in(0), in(1), w)
	case opname.ArithDivSI:
		return interval.DivS(in(0), r.divisor(in(1)), w)
	case opname.ArithRemSI:
		return interval.RemS(in(0), r.divisor(in(1)), w)
	case opname.ArithDivUI:
		if a := in(0); !open || a.Lo >= 0 {
			return interval.DivU(a, r.divisor(in(1)), w)
		}
	case opname.ArithRemUI:
		return interval.RemU(in(0), r.divisor(in(1)), w)
	case opname.ArithAndI:
		return interval.And(in(0), in(1), w)
	case opname.ArithOrI:
		return interval.Or(in(0), in(1), w)
	case opname.ArithXOrI:
		return interval.Xor(in(0), in(1), w)
	case opname.ArithShLI, opname.ArithShRUI, opname.ArithShRSI:
		return r.shift(op, in(0), in(1), w)
	case opname.ArithMinSI:
		a, b := in(0), in(1)
		return interval.Between(min(a.Lo, b.Lo), min(a.Hi, b.Hi), w)
	case opname.ArithMaxSI:
		a, b := in(0), in(1)
		return interval.Between(max(a.Lo, b.Lo), max(a.Hi, b.Hi), w)
	case opname.ArithMinUI:
		a, b := in(0), in(1)
		return interval.BetweenU(min(a.ULo, b.ULo), min(a.UHi, b.UHi), w)
	case opname.ArithMaxUI:
		a, b := in(0), in(1)
		return interval.BetweenU(max(a.ULo, b.ULo), max(a.UHi, b.UHi), w)
	case opname.ArithExtSI, opname.ArithExtUI, opname.ArithTruncI, opname.ArithIndexCast, opname.ArithIndexCastUI:
		if from, ok := r.Width(op.Operand(0)); ok {
			signs, _ := arith.IntCast(op)
			if a := in(0); signs || !open || a.Lo >= 0 {
				return interval.Cast(a, from, w, signs)
			}
		}
	case opname.ArithCmpI:
		if p, ok := arith.PredicateOf(op); ok {
			if result, known := interval.Decide(p, in(0), in(1)); known {
				if result {
					return interval.Exactly(-1, w)
				}
				return interval.Exactly(0, w)
			}
		}
	case opname.ArithSelect:
		return r.selected(op, depth)
	case opname.MathAbsI:
		a := in(0)
		low := interval.MinSigned(w)
		if open {
			low = smallIndex.Lo
		}
		if a.Lo > low {
			lo, hi := max(a.Lo, -a.Hi, 0), max(a.Hi, -a.Lo)
			return interval.Between(lo, hi, w)
		}
	case opname.MathCtPop, opname.MathCtLZ, opname.MathCtTZ:
		return interval.BetweenU(0, uint64(w), w)
	case opname.MemRefDim:
		return interval.Between(0, interval.MaxSigned(w), w)
	}
	return any
}

// difference is a - b, not negative where the facts imply that b is at most a.
func (r *Ranges) difference(op *ir.Operation, a, b interval.Interval, w int) interval.Interval {
	x, y := op.Operand(0), op.Operand(1)
	if x == y {
		return interval.Exactly(0, w)
	}
	d := interval.Sub(a, b, w)
	if b.Lo < 0 {
		return d // it might wrap
	}
	least := int64(-1)
	for _, q := range r.relations {
		for range 2 {
			if r.sameValue(q.x, x) && r.sameValue(q.y, y) {
				switch o := r.read(q, false); {
				case o&^orderGreater == 0:
					least = max(least, 1)
				case o&orderLess == 0:
					least = max(least, 0)
				}
			}
			q = relation{q.p.Swapped(), q.y, q.x}
		}
	}
	if least < 0 {
		return d
	}
	if m, ok := d.Meet(interval.Between(least, max(a.Hi, least), w), w); ok {
		return m
	}
	return d
}

// divisor is the interval of a divisor.
func (r *Ranges) divisor(b interval.Interval) interval.Interval {
	if r.opts.NoDivisionByZero && b.UHi > 0 {
		b.ULo = max(b.ULo, 1)
		if b.Lo == 0 {
			b.Lo = 1
		}
	}
	return b
}

// shift is the interval of a shift. The bits that a shift of an index moves out, and the
// amount that it allows, depend on its width.
func (r *Ranges) shift(op *ir.Operation, a, b interval.Interval, w int) interval.Interval {
	if open := r.open(op.Result(0).Type); open && (b.UHi >= 32 || op.Name == opname.ArithShRUI && a.Lo < 0) {
		return interval.Any(w)
	}
	switch op.Name {
	case opname.ArithShLI:
		return interval.Shl(a, b, w)
	case opname.ArithShRUI:
		return interval.ShrU(a, b, w)
	}
	return interval.ShrS(a, b, w)
}

// halved reports whether y is the complement of x shifted to the right by k.
func halved(x, y *ir.Value) (k int64, ok bool) {
	if y.Def == nil || y.Def.Name != opname.ArithXOrI {
		return 0, false
	}
	shift := y.Def.Operand(0).Def
	if c, ok := y.Def.Operand(1).ConstantInt(); !ok || c != -1 || shift == nil ||
		shift.Name != opname.ArithShRUI && shift.Name != opname.ArithShRSI || shift.Operand(0) != x {
		return 0, false
	}
	k, ok = shift.Operand(1).ConstantInt()
	w, isInt := ir.BitWidth(x.Type, 32)
	return k, ok && isInt && k >= 0 && k < int64(w) && k < 63
}

// selected joins both operands of a select, each under its condition.
func (r *Ranges) selected(op *ir.Operation, depth int) interval.Interval {
	c := r.eval(op.Operand(0), depth)
	side := func(i int, holds bool) interval.Interval {
		if r.near && depth < proofDepth-2 {
			return r.eval(op.Operand(i), depth) // or choices of choices would take for ever
		}
		m := r.mark()
		r.assume(op.Operand(0), holds, 2)
		v := r.eval(op.Operand(i), depth)
		r.undo(m)
		return v
	}
	switch {
	case c.ULo == 1:
		return side(1, true)
	case c.UHi == 0:
		return side(2, false)
	}
	return side(1, true).Join(side(2, false))
}
