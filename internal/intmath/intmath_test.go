package intmath

import (
	"math"
	"math/big"
	"testing"
)

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

// TestChecked compares with arithmetic that has no limits.
func TestChecked(t *testing.T) {
	numbers := []int64{math.MinInt64, math.MinInt64 + 1, -1 << 32, -3, -2, -1, 0, 1, 2, 3, 1 << 31, 1 << 32, math.MaxInt64 - 1, math.MaxInt64}
	for _, a := range numbers {
		for _, b := range numbers {
			x, y := big.NewInt(a), big.NewInt(b)
			for _, c := range []struct {
				name  string
				want  *big.Int
				exact func(a, b int64) (int64, bool)
				near  func(a, b int64) int64
			}{
				{"+", new(big.Int).Add(x, y), Add, AddSaturated},
				{"-", new(big.Int).Sub(x, y), Sub, SubSaturated},
				{"*", new(big.Int).Mul(x, y), Mul, MulSaturated},
			} {
				got, ok := c.exact(a, b)
				if ok != c.want.IsInt64() || ok && got != c.want.Int64() {
					t.Errorf("%d %s %d: %d, %v, want %v", a, c.name, b, got, ok, c.want)
				}
				near := int64(math.MaxInt64)
				if c.want.IsInt64() {
					near = c.want.Int64()
				} else if c.want.Sign() < 0 {
					near = math.MinInt64
				}
				if got := c.near(a, b); got != near {
					t.Errorf("%d %s %d saturated: %d, want %d", a, c.name, b, got, near)
				}
			}
			if b > 0 {
				if q, m := new(big.Int).DivMod(x, y, new(big.Int)); FloorDiv(a, b) != q.Int64() ||
					CeilDiv(a, b) != q.Int64()+int64(m.Sign()) {
					t.Errorf("%d / %d: %d and %d", a, b, FloorDiv(a, b), CeilDiv(a, b))
				}
			}
		}
	}
}
