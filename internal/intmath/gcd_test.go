package intmath

import "testing"

func TestGCD(t *testing.T) {
	for _, c := range [][3]int64{{0, 0, 0}, {0, 5, 5}, {-4, 0, 4}, {12, 18, 6}, {-12, 18, 6}, {12, -18, 6}, {7, 1 << 40, 1}} {
		if got := GCD(c[0], c[1]); got != c[2] {
			t.Errorf("of %d and %d: %d, want %d", c[0], c[1], got, c[2])
		}
	}
	if got := GCD(uint64(1)<<63, 3<<62); got != 1<<62 {
		t.Errorf("of large numbers: %d", got)
	}
}
