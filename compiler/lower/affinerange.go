package lower

import (
	"loom/compiler/analysis/interval"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// The intervals of affine expressions are those of a program without errors, where no value
// of a map wraps around. (Package ranges, which does not know the affine dialect, finds
// intervals that hold in all programs.)

// width is the number of bits of an index.
func (x *affineExprs) width() int { return x.s.opts.IndexWidth }

// all is every index of the width that is computed with.
func (x *affineExprs) all() interval.Interval { return interval.Any(x.width()) }

// within is an interval of the width that is computed with.
func (x *affineExprs) within(lo, hi int64) interval.Interval {
	return interval.Clipped(lo, hi, x.width())
}

// exactly is the interval of a constant. One that does not fit an index is reported where
// it is emitted.
func (x *affineExprs) exactly(c int64) interval.Interval { return x.within(c, c) }

// rangeOf is what is known about an operand.
func (x *affineExprs) rangeOf(v *ir.Value) interval.Interval {
	if r, ok := x.ranges[v]; ok {
		return r
	}
	if c, ok := v.ConstantInt(); ok {
		return x.exactly(c)
	}
	if v.Def != nil && v.Def.Name == opname.MemRefDim {
		return x.within(0, x.all().Hi)
	}
	return x.all()
}

// inductionRanges notes what the bounds of an affine loop imply for its induction
// variables.
func (x *affineExprs) inductionRanges(op *ir.Operation) {
	// The greatest of several lower bounds counts, and the least of several upper ones.
	greatest := func(es []*ir.AffineExpr, in affineOperands) int64 {
		lo := x.all().Lo
		for _, e := range es {
			lo = max(lo, x.exprRange(e, in).Lo)
		}
		return lo
	}
	least := func(es []*ir.AffineExpr, in affineOperands) int64 {
		hi := x.all().Hi
		for _, e := range es {
			hi = min(hi, x.exprRange(e, in).Hi)
		}
		return hi
	}
	note := func(iv *ir.Value, lo, end int64) {
		if end > x.all().Lo {
			end--
		}
		x.ranges[iv] = x.within(lo, max(lo, end))
	}
	switch op.Name {
	case opname.AffineFor:
		g := segments(op, 3)
		lower, upper := mapAttr(op, "lowerBoundMap"), mapAttr(op, "upperBoundMap")
		note(op.Regions[0].Entry().Args[0], greatest(lower.Results, operandsOf(lower.Dims, g[0])),
			least(upper.Results, operandsOf(upper.Dims, g[1])))
	case opname.AffineParallel:
		split := mapAttr(op, "lowerBoundsMap").Dims + mapAttr(op, "lowerBoundsMap").Symbols
		ivs := op.Regions[0].Entry().Args
		lows := make([]int64, len(ivs))
		x.parallelBounds(op, "lowerBounds", op.Operands()[:split], func(d int, es []*ir.AffineExpr, in affineOperands) {
			lows[d] = greatest(es, in)
		})
		x.parallelBounds(op, "upperBounds", op.Operands()[split:], func(d int, es []*ir.AffineExpr, in affineOperands) {
			note(ivs[d], lows[d], least(es, in))
		})
	}
}

// exprRange bounds an expression without computing it.
func (x *affineExprs) exprRange(e *ir.AffineExpr, in affineOperands) interval.Interval {
	switch e.Kind {
	case ir.AffineConstant:
		return x.exactly(e.Value)
	case ir.AffineDim, ir.AffineSymbol:
		return x.rangeOf(in.of(e))
	}
	return affineIntervals[e.Kind](x.exprRange(e.LHS, in), x.exprRange(e.RHS, in), x.width())
}

var affineIntervals = map[ir.AffineKind]func(a, b interval.Interval, w int) interval.Interval{
	ir.AffineAdd: interval.ExactAdd, ir.AffineMul: interval.ExactMul,
	ir.AffineFloorDiv: interval.FloorDiv, ir.AffineCeilDiv: interval.CeilDiv, ir.AffineMod: interval.Mod,
}
