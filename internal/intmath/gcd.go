// Package intmath is integer arithmetic that the standard library lacks.
package intmath

// GCD is the greatest common divisor, not negative; that of 0 and b is b's magnitude.
func GCD[T ~int | ~int64 | ~uint64](a, b T) T {
	for b != 0 {
		a, b = b, a%b
	}
	if a < 0 {
		return -a
	}
	return a
}
