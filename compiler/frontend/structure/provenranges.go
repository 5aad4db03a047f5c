package structure

import (
	"math"

	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
)

// depthOfProofs bounds how far a value is followed.
const depthOfProofs = 6

// of is the range of an integer.
func (p *prover) of(v *ir.Value, depth int) interval {
	full := rangeOf(v.Type)
	w := widthOf(v.Type)
	exact := interval{smallest(w), largest(w)}
	if k, ok := v.ConstantInt(); ok {
		if k < exact.lo || k > exact.hi {
			return full
		}
		return interval{k, k}
	}
	if depth == 0 || !ir.IsInt(v.Type) || v.Type == ir.Type(ir.I1) {
		return full
	}
	r := full
	if v.Def != nil {
		r = p.ofOperation(v.Def, exact, depth-1)
		if r.lo < exact.lo || r.hi > exact.hi || r == exact {
			r = full
		}
	}
	for _, f := range p.facts {
		switch v {
		case f.x:
			r = p.tighten(r, f.pred, f.y, depth-1)
		case f.y:
			r = p.tighten(r, f.pred.Swapped(), f.x, depth-1)
		}
	}
	if r.lo > r.hi {
		return full // a place that is never reached
	}
	return r
}

// tighten is the range of what compares so with y.
func (p *prover) tighten(r interval, pred arith.IntPredicate, y *ir.Value, depth int) interval {
	if depth < 0 {
		return r
	}
	b := p.of(y, depth)
	switch pred {
	case arith.Eq:
		r.lo, r.hi = max(r.lo, b.lo), min(r.hi, b.hi)
	case arith.Ne:
		if b.lo == b.hi && b.lo == r.lo && r.lo < r.hi {
			r.lo++
		}
		if b.lo == b.hi && b.lo == r.hi && r.lo < r.hi {
			r.hi--
		}
	case arith.Slt:
		if b.hi > math.MinInt64 {
			r.hi = min(r.hi, b.hi-1)
		}
	case arith.Sle:
		r.hi = min(r.hi, b.hi)
	case arith.Sgt:
		if b.lo < math.MaxInt64 {
			r.lo = max(r.lo, b.lo+1)
		}
	case arith.Sge:
		r.lo = max(r.lo, b.lo)
	case arith.Ult:
		if b.lo >= 0 {
			r.lo, r.hi = max(r.lo, 0), min(r.hi, b.hi-1)
		}
	case arith.Ule:
		if b.lo >= 0 {
			r.lo, r.hi = max(r.lo, 0), min(r.hi, b.hi)
		}
	}
	return r
}

// ofOperation is the range of an operation's result.
func (p *prover) ofOperation(op *ir.Operation, full interval, depth int) interval {
	arg := func(i int) interval { return p.of(op.Operand(i), depth) }
	switch op.Name {
	case "arith.extsi", "arith.index_cast":
		if widthOf(op.Operand(0).Type) <= widthOf(op.Result(0).Type) {
			return arg(0)
		}
		return inside(arg(0), full)
	case "arith.trunci":
		return inside(arg(0), full)
	case "arith.extui", "arith.index_castui":
		from := widthOf(op.Operand(0).Type)
		if a := arg(0); a.lo >= 0 && from <= widthOf(op.Result(0).Type) {
			return a
		}
		if from < widthOf(op.Result(0).Type) {
			return interval{0, math.MaxInt64 >> (63 - from)}
		}
	case "arith.addi":
		a, b := arg(0), arg(1)
		lo, ok1 := sum(a.lo, b.lo)
		hi, ok2 := sum(a.hi, b.hi)
		if ok1 && ok2 {
			return inside(interval{lo, hi}, full)
		}
	case "arith.subi":
		a, b := arg(0), arg(1)
		if b.lo >= 0 && p.below(op.Operand(1), op.Operand(0)) {
			// Both are positive, and the difference as well.
			return interval{1, a.hi}
		}
		if b.lo == math.MinInt64 {
			return full
		}
		lo, ok1 := sum(a.lo, -b.hi)
		hi, ok2 := sum(a.hi, -b.lo)
		if ok1 && ok2 {
			return inside(interval{lo, hi}, full)
		}
	case "arith.andi":
		for i := range 2 {
			if a := arg(i); a.lo >= 0 {
				return interval{0, a.hi}
			}
		}
	case "arith.divui":
		if a := arg(0); a.lo >= 0 {
			if k, ok := op.Operand(1).ConstantInt(); ok && k > 0 {
				return interval{a.lo / k, a.hi / k}
			}
			return interval{0, a.hi}
		}
	case "arith.shrui":
		if a := arg(0); a.lo >= 0 {
			if k, ok := op.Operand(1).ConstantInt(); ok && k >= 0 && k < int64(widthOf(op.Result(0).Type)) {
				return interval{a.lo >> k, a.hi >> k}
			}
		}
		if k, ok := op.Operand(1).ConstantInt(); ok && k > 0 && k < int64(widthOf(op.Result(0).Type)) {
			return interval{0, largest(widthOf(op.Result(0).Type)) >> (k - 1)}
		}
	case "arith.shrsi":
		if k, ok := op.Operand(1).ConstantInt(); ok && k >= 0 && k < 64 {
			a := arg(0)
			return interval{a.lo >> k, a.hi >> k}
		}
	case "arith.remui":
		if b := arg(1); b.lo > 0 {
			return interval{0, b.hi - 1}
		}
	case "arith.maxsi":
		a, b := arg(0), arg(1)
		return interval{max(a.lo, b.lo), max(a.hi, b.hi)}
	case "arith.minsi":
		a, b := arg(0), arg(1)
		return interval{min(a.lo, b.lo), min(a.hi, b.hi)}
	case "arith.minui":
		a, b := arg(0), arg(1)
		if a.lo >= 0 && b.lo >= 0 {
			return interval{min(a.lo, b.lo), min(a.hi, b.hi)}
		}
		if a.lo >= 0 {
			return interval{0, a.hi}
		}
		if b.lo >= 0 {
			return interval{0, b.hi}
		}
	case "arith.maxui":
		a, b := arg(0), arg(1)
		if a.lo >= 0 && b.lo >= 0 {
			return interval{max(a.lo, b.lo), max(a.hi, b.hi)}
		}
	case "arith.select":
		a, b := arg(1), arg(2)
		return interval{min(a.lo, b.lo), max(a.hi, b.hi)}
	}
	return full
}

// below reports whether a fact says that x is less than y.
func (p *prover) below(x, y *ir.Value) bool {
	for _, f := range p.facts {
		if f.pred == arith.Slt && sameValue(f.x, x) && sameValue(f.y, y) || f.pred == arith.Sgt && sameValue(f.y, x) && sameValue(f.x, y) {
			return true
		}
	}
	return false
}

func sum(a, b int64) (int64, bool) {
	s := a + b
	return s, (s > a) == (b > 0)
}
