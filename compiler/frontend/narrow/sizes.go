package narrow

import (
	"math"

	"loom/compiler/analysis/interval"
	"loom/compiler/analysis/ranges"
	"loom/compiler/ir"
)

var (
	// fitting are the signed integers of 32 bits: those that an index and an i32 have
	// alike. counting are the ones below them that a count or subscript may have, so
	// that the next one is fitting too. positive are those of a size that is
	// unsigned.
	fitting  = interval.Between(math.MinInt32, math.MaxInt32, 64)
	counting = interval.Between(0, math.MaxInt32-1, 64)
	positive = interval.Between(0, math.MaxInt32, 64)
)

// sizes are the ranges of a function's integers under the assumptions on counts
// and sizes (file assume.go). Ranges and assumptions depend on each other.
type sizes struct {
	flow   *flow
	broken faults
	known  *ranges.Ranges
	// assumed are counts, bounds and subscripts with what they are taken to be.
	assumed map[*ir.Value]interval.Interval
	// ids number the terms of sums, byBlock are the sums of a block.
	ids     map[*ir.Value]int
	byBlock map[*ir.Block]map[string][]*ir.Value
}

// findSizes finds assumptions and ranges of a function.
func findSizes(fn *ir.Operation, f *flow, broken faults) *sizes {
	r := &sizes{flow: f, broken: broken, assumed: map[*ir.Value]interval.Interval{}, ids: map[*ir.Value]int{},
		byBlock: map[*ir.Block]map[string][]*ir.Value{}}
	opts := ranges.Options{IndexFits: true, NoDivisionByZero: true, Assume: r.granted}
	for {
		r.known = ranges.Analyse(fn, opts)
		if !r.assume() {
			return r
		}
	}
}

// granted is what is taken for granted of v.
func (r *sizes) granted(known *ranges.Ranges, v *ir.Value) (bound interval.Interval, ok bool) {
	r.known = known // as far as it is made
	bound, ok = r.assumed[v]
	if !r.flow.carried(v) || !wide(v) && v.Type != ir.Type(ir.Index) {
		return bound, ok
	}
	if s, counts := r.counter(v); counts && ok {
		m, reached := s.Meet(bound, 64)
		return m, reached
	} else if counts {
		return s, true
	}
	return bound, ok
}

// fits reports whether an integer is known to fit a signed one of 32 bits.
func (r *sizes) fits(v *ir.Value) bool { return r.known.Known(v) && within(r.known.Of(v), fitting) }

// within reports whether all values of an interval, read with sign, are in another.
func within(i, s interval.Interval) bool { return i.Lo >= s.Lo && i.Hi <= s.Hi }

// fitsAt reports whether integers are known to fit signed ones of 32 bits at op.
func (r *sizes) fitsAt(op *ir.Operation, vs ...*ir.Value) bool {
	return r.allAt(op, vs, func(i interval.Interval) bool { return within(i, fitting) })
}

// plainAt reports whether integers are known to be non-negative and fit 32 bits at op.
func (r *sizes) plainAt(op *ir.Operation, vs ...*ir.Value) bool {
	return r.allAt(op, vs, func(i interval.Interval) bool { return i.Lo >= 0 && i.Hi <= math.MaxUint32 })
}

func (r *sizes) allAt(op *ir.Operation, vs []*ir.Value, are func(interval.Interval) bool) bool {
	for _, v := range vs {
		if !r.known.Known(v) || !are(r.known.At(v, op)) {
			return false
		}
	}
	return true
}
