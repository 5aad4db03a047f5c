package intmath

import "math"

// Add is a + b; ok is false where that does not fit 64 bits.
func Add(a, b int64) (sum int64, ok bool) {
	sum = a + b
	return sum, (sum > a) == (b > 0)
}

// Sub is a - b; ok is false where that does not fit 64 bits.
func Sub(a, b int64) (difference int64, ok bool) {
	difference = a - b
	return difference, (difference < a) == (b > 0)
}

// Mul is a * b; ok is false where that does not fit 64 bits.
func Mul(a, b int64) (product int64, ok bool) {
	if a == 0 || b == 0 {
		return 0, true
	}
	product = a * b
	return product, product/b == a && !(a == -1 && b == math.MinInt64) && !(b == -1 && a == math.MinInt64)
}

// AddSaturated, SubSaturated and MulSaturated stay at the limit where the result does not
// fit 64 bits.

// AddSaturated is a + b.
func AddSaturated(a, b int64) int64 {
	if sum, ok := Add(a, b); ok {
		return sum
	}
	return limit(a > 0)
}

// SubSaturated is a - b.
func SubSaturated(a, b int64) int64 {
	if difference, ok := Sub(a, b); ok {
		return difference
	}
	return limit(b < 0)
}

// MulSaturated is a * b.
func MulSaturated(a, b int64) int64 {
	if product, ok := Mul(a, b); ok {
		return product
	}
	return limit((a < 0) == (b < 0))
}

// limit is the largest or the smallest int64.
func limit(largest bool) int64 {
	if largest {
		return math.MaxInt64
	}
	return math.MinInt64
}

// FloorDiv is a / b rounded down, for b > 0.
func FloorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// CeilDiv is a / b rounded up, for b > 0.
func CeilDiv(a, b int64) int64 {
	q := a / b
	if a%b > 0 {
		q++
	}
	return q
}
