package lower

import "math"

// indexRange bounds what an index can be in a program without errors, where no
// value of an affine map wraps around. (An interval of interval.go holds for all
// programs.)
type indexRange struct{ lo, hi int64 }

// Sums, differences and products that stay at the limit where they do not fit 64
// bits.

func addSaturated(a, b int64) int64 {
	v := a + b
	switch {
	case a > 0 && b > 0 && v < 0:
		return math.MaxInt64
	case a < 0 && b < 0 && v >= 0:
		return math.MinInt64
	}
	return v
}

func subSaturated(a, b int64) int64 {
	v := a - b
	switch {
	case a >= 0 && b < 0 && v < 0:
		return math.MaxInt64
	case a < 0 && b > 0 && v >= 0:
		return math.MinInt64
	}
	return v
}

func mulSaturated(a, b int64) int64 {
	if a == 0 || b == 0 {
		return 0
	}
	v := a * b
	if v/b == a && !(a == -1 && b == math.MinInt64) && !(b == -1 && a == math.MinInt64) {
		return v
	}
	if (a < 0) == (b < 0) {
		return math.MaxInt64
	}
	return math.MinInt64
}

func mulRange(a, b indexRange) (lo, hi int64) {
	lo, hi = math.MaxInt64, math.MinInt64
	for _, p := range [2]int64{a.lo, a.hi} {
		for _, q := range [2]int64{b.lo, b.hi} {
			v := mulSaturated(p, q)
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	return lo, hi
}

// floorDiv is a / b rounded down, for b > 0.
func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// floorDivRange and ceilDivRange bound quotients by divisors that are positive:
// others are errors.
func floorDivRange(a, b indexRange) (lo, hi int64) {
	if b.lo == b.hi && b.lo > 0 {
		return floorDiv(a.lo, b.lo), floorDiv(a.hi, b.lo)
	}
	return min(a.lo, 0), max(a.hi, -1)
}

func ceilDivRange(a, b indexRange) (lo, hi int64) {
	if b.lo == b.hi && b.lo > 0 {
		return ceilDiv(a.lo, b.lo), ceilDiv(a.hi, b.lo)
	}
	return min(a.lo, 0), max(a.hi, 0)
}

// ceilDiv is a / b rounded up, for b > 0.
func ceilDiv(a, b int64) int64 {
	q := a / b
	if a%b > 0 {
		q++
	}
	return q
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
