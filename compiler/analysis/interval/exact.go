package interval

import "loom/internal/intmath"

// The arithmetic of integers that are known to fit the width: a bound outside of it is one
// that no value reaches. So it is with the expressions of affine maps, where a result that
// does not fit is an error of the program.

// Clipped is the interval of an integer between bounds that fits the width.
func Clipped(lo, hi int64, w int) Interval {
	return Between(min(max(lo, MinSigned(w)), MaxSigned(w)), max(min(hi, MaxSigned(w)), MinSigned(w)), w)
}

// ExactAdd is the interval of a sum that fits.
func ExactAdd(a, b Interval, w int) Interval {
	return Clipped(intmath.AddSaturated(a.Lo, b.Lo), intmath.AddSaturated(a.Hi, b.Hi), w)
}

// ExactSub is the interval of a difference that fits.
func ExactSub(a, b Interval, w int) Interval {
	return Clipped(intmath.SubSaturated(a.Lo, b.Hi), intmath.SubSaturated(a.Hi, b.Lo), w)
}

// ExactMul is the interval of a product that fits.
func ExactMul(a, b Interval, w int) Interval {
	lo, hi := corners(a, b, intmath.MulSaturated)
	return Clipped(lo, hi, w)
}

// FloorDiv is the interval of a quotient rounded down, by a divisor that is positive.
func FloorDiv(a, b Interval, w int) Interval {
	lo, hi := corners(a, positive(b), intmath.FloorDiv)
	return Between(lo, hi, w)
}

// CeilDiv is the interval of a quotient rounded up, by a divisor that is positive.
func CeilDiv(a, b Interval, w int) Interval {
	lo, hi := corners(a, positive(b), intmath.CeilDiv)
	return Between(lo, hi, w)
}

// Mod is the interval of what FloorDiv leaves.
func Mod(a, b Interval, w int) Interval {
	b = positive(b)
	switch {
	case a.Lo < 0:
		return Between(0, b.Hi-1, w)
	case a.Hi < b.Lo:
		return a
	}
	return Between(0, min(a.Hi, b.Hi-1), w)
}

// positive is the part of an interval above zero; other divisors are errors.
func positive(b Interval) Interval {
	b.Lo = max(b.Lo, 1)
	b.Hi = max(b.Hi, b.Lo)
	return b
}

// corners are the least and the greatest result for the ends of two intervals.
func corners(a, b Interval, f func(x, y int64) int64) (lo, hi int64) {
	p, q, r, s := f(a.Lo, b.Lo), f(a.Lo, b.Hi), f(a.Hi, b.Lo), f(a.Hi, b.Hi)
	return min(p, q, r, s), max(p, q, r, s)
}
