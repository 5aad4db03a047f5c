package lower

import (
	"math"

	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/internal/intmath"
)

// indexRange bounds what an index can be in a program without errors, where no
// value of an affine map wraps around. (An interval of package ranges holds for all
// programs.)
type indexRange struct{ lo, hi int64 }

// all is every index of the width that is computed with.
func (x *affineExprs) all() indexRange {
	shift := 64 - x.s.opts.IndexWidth
	return indexRange{math.MinInt64 >> shift, math.MaxInt64 >> shift}
}

// clip is an indexRange within what an index holds.
func (x *affineExprs) clip(lo, hi int64) indexRange {
	a := x.all()
	return indexRange{max(lo, a.lo), min(hi, a.hi)}
}

// rangeOf is what is known about an operand.
func (x *affineExprs) rangeOf(v *ir.Value) indexRange {
	if r, ok := x.ranges[v]; ok {
		return r
	}
	if c, ok := v.ConstantInt(); ok {
		return indexRange{c, c}
	}
	if v.Def != nil && v.Def.Name == opname.MemRefDim {
		return indexRange{0, x.all().hi}
	}
	return x.all()
}

// inductionRanges notes what the bounds of an affine loop imply for its induction
// variables.
func (x *affineExprs) inductionRanges(op *ir.Operation) {
	bound := func(es []*ir.AffineExpr, in affineOperands, upper bool) (out int64) {
		for i, e := range es {
			r := x.exprRange(e, in)
			switch {
			case upper && (i == 0 || r.hi < out):
				out = r.hi
			case !upper && (i == 0 || r.lo > out):
				out = r.lo
			}
		}
		return out
	}
	note := func(iv *ir.Value, lo, hi int64) {
		if hi > x.all().lo {
			hi--
		}
		x.ranges[iv] = indexRange{lo, max(lo, hi)}
	}
	switch op.Name {
	case opname.AffineFor:
		g := segments(op, 3)
		lower, upper := mapAttr(op, "lowerBoundMap"), mapAttr(op, "upperBoundMap")
		note(op.Regions[0].Entry().Args[0], bound(lower.Results, operandsOf(lower.Dims, g[0]), false),
			bound(upper.Results, operandsOf(upper.Dims, g[1]), true))
	case opname.AffineParallel:
		split := mapAttr(op, "lowerBoundsMap").Dims + mapAttr(op, "lowerBoundsMap").Symbols
		ivs := op.Regions[0].Entry().Args
		lows := make([]int64, len(ivs))
		x.parallelBounds(op, "lowerBounds", op.Operands()[:split], func(d int, es []*ir.AffineExpr, in affineOperands) {
			lows[d] = bound(es, in, false)
		})
		x.parallelBounds(op, "upperBounds", op.Operands()[split:], func(d int, es []*ir.AffineExpr, in affineOperands) {
			note(ivs[d], lows[d], bound(es, in, true))
		})
	}
}

// exprRange bounds an expression without computing it.
func (x *affineExprs) exprRange(e *ir.AffineExpr, in affineOperands) indexRange {
	switch e.Kind {
	case ir.AffineConstant:
		return indexRange{e.Value, e.Value}
	case ir.AffineDim, ir.AffineSymbol:
		return x.rangeOf(in.of(e))
	}
	a, b := x.exprRange(e.LHS, in), x.exprRange(e.RHS, in)
	switch e.Kind {
	case ir.AffineAdd:
		return x.clip(intmath.AddSaturated(a.lo, b.lo), intmath.AddSaturated(a.hi, b.hi))
	case ir.AffineMul:
		return x.clip(mulRange(a, b))
	case ir.AffineFloorDiv:
		return x.clip(floorDivRange(a, b))
	case ir.AffineCeilDiv:
		return x.clip(ceilDivRange(a, b))
	}
	return modRange(a, b)
}

// Sums, differences and products that stay at the limit where they do not fit 64
// bits.

func mulRange(a, b indexRange) (lo, hi int64) {
	lo, hi = math.MaxInt64, math.MinInt64
	for _, p := range [2]int64{a.lo, a.hi} {
		for _, q := range [2]int64{b.lo, b.hi} {
			v := intmath.MulSaturated(p, q)
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	return lo, hi
}

// floorDivRange and ceilDivRange bound quotients by divisors that are positive:
// others are errors.
func floorDivRange(a, b indexRange) (lo, hi int64) {
	if b.lo == b.hi && b.lo > 0 {
		return intmath.FloorDiv(a.lo, b.lo), intmath.FloorDiv(a.hi, b.lo)
	}
	return min(a.lo, 0), max(a.hi, -1)
}

func ceilDivRange(a, b indexRange) (lo, hi int64) {
	if b.lo == b.hi && b.lo > 0 {
		return intmath.CeilDiv(a.lo, b.lo), intmath.CeilDiv(a.hi, b.lo)
	}
	return min(a.lo, 0), max(a.hi, 0)
}

func modRange(a, b indexRange) indexRange {
	r := indexRange{0, max(b.hi-1, 0)}
	if b.hi == math.MinInt64 {
		r.hi = 0
	}
	if a.lo >= 0 {
		r.hi = min(r.hi, a.hi)
	}
	return r
}
