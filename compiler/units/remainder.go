package units

import mathbits "math/bits"

// leastRemainder is the least time of loom_float_rem: that of a NaN, or of a zero.
func leastRemainder(_, _ int) int { return 3 }

// mostRemainder is the longest time of loom_float_rem, of the largest number and a subnormal one with two
// bits or more: steps for all of the difference of their exponents and for all but two bits of the
// divisor, and a round of the result.
func mostRemainder(exp, frac int) int { return 1<<exp + 2*frac + 1 }

// remainderCycles is the time of loom_float_rem for operands, as its header states it: from what the steps do
// to the numbers, not step by step.
func remainderCycles(exp, frac int, a, b uint64) int {
	field := func(x uint64) (e int, significand uint64) {
		e, significand = int(x>>frac&(1<<exp-1)), x&(1<<frac-1)
		if e == 0 {
			return 1, significand
		}
		return e, significand | 1<<frac
	}
	ea, x := field(a)
	eb, y := field(b)
	most := 1<<exp - 1
	n := ea - eb
	switch {
	case ea == most, eb == most && y != 1<<frac, y == 0, x == 0:
		return 3
	case n < 0:
		return 4
	}
	s := frac + 1 - mathbits.Len64(y)
	d := y << s // as the steps subtract it
	// Nothing is left as soon as the divisor's odd part divides a's, and its even part has been shifted away.
	tx, td := mathbits.TrailingZeros64(x), mathbits.TrailingZeros64(d)
	if k := max(td-tx, 0) + 1; x>>tx%(d>>td) == 0 && k <= n+s+1 {
		return 3 + s + k
	}
	if s > 0 {
		return 4 + n + s + frac + 1
	}
	// x * 2^n modulo d is the result in units of b's last place.
	r := x % d
	for range n {
		if r <<= 1; r >= d {
			r -= d
		}
	}
	return 4 + n + min(frac+1-mathbits.Len64(r), eb-1)
}
