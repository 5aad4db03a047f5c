package interval

import (
	"math/rand/v2"
	"testing"

	"loom/compiler/dialect/arith"
	"loom/compiler/num"
	"loom/internal/intmath"
)

// someInterval draws an interval and a few of the integers it holds.
func someInterval(r *rand.Rand, w int) (Interval, []uint64) {
	m := Mask(w)
	x, y := r.Uint64()&m, r.Uint64()&m
	if r.IntN(2) == 0 {
		y = (x + r.Uint64N(4)) & m
	}
	var v Interval
	if r.IntN(2) == 0 {
		a, b := Signed(x, w), Signed(y, w)
		v = Between(min(a, b), max(a, b), w)
	} else {
		v = BetweenU(min(x, y), max(x, y), w)
	}
	if r.IntN(4) == 0 {
		if u, ok := v.Meet(BetweenU(r.Uint64()&m>>1, m, w), w); ok {
			v = u
		}
	}
	var in []uint64
	for n := range uint64(1) << min(w, 5) {
		if w > 5 {
			n = []uint64{v.ULo, v.UHi, uint64(v.Lo) & m, uint64(v.Hi) & m, r.Uint64() & m, 0, 1, m, m >> 1, m>>1 + 1}[n%10]
		}
		if holds(v, n, w) {
			in = append(in, n)
		}
	}
	return v, in
}

func holds(v Interval, bits uint64, w int) bool {
	s := Signed(bits, w)
	return s >= v.Lo && s <= v.Hi && bits >= v.ULo && bits <= v.UHi
}

// TestRestrict: integers that satisfy the comparison are kept, and comparisons that are
// decided are decided right.
func TestRestrict(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for range 20000 {
		w := []int{1, 2, 3, 4, 8, 64}[r.IntN(6)]
		p := arith.IntPredicate(r.IntN(10))
		a, as := someInterval(r, w)
		b, bs := someInterval(r, w)
		less := num.CompareInt(int64(p), w)
		kept, ok := Restrict(p, a, b, w)
		result, known := Decide(p, a, b)
		for _, x := range as {
			for _, y := range bs {
				yes := less(x, y) != 0
				if known && yes != result {
					t.Fatalf("i%d: predicate %d of %v and %v is taken for %v, but %d and %d give %v", w, p, a, b, result, x, y, yes)
				}
				if yes && (!ok || !holds(kept, x, w)) {
					t.Fatalf("i%d: %d fits predicate %d with %v, but %v is left (%v)", w, x, p, b, kept, ok)
				}
				if yes != (num.CompareInt(int64(p.Negated()), w)(x, y) == 0) ||
					yes != (num.CompareInt(int64(p.Swapped()), w)(y, x) != 0) {
					t.Fatalf("predicate %d is negated or swapped wrongly", p)
				}
			}
		}
	}
}

// TestExact: integers of which the result fits the width have it in the interval of the
// result, for all intervals of four bits.
func TestExact(t *testing.T) {
	const w = 4
	rules := map[string]struct {
		interval func(a, b Interval, w int) Interval
		value    func(a, b int64) int64
		positive bool
	}{
		"+":        {ExactAdd, func(a, b int64) int64 { return a + b }, false},
		"-":        {ExactSub, func(a, b int64) int64 { return a - b }, false},
		"*":        {ExactMul, func(a, b int64) int64 { return a * b }, false},
		"floordiv": {FloorDiv, intmath.FloorDiv, true},
		"ceildiv":  {CeilDiv, intmath.CeilDiv, true},
		"mod":      {Mod, func(a, b int64) int64 { return a - intmath.FloorDiv(a, b)*b }, true},
	}
	var all []Interval
	for lo := MinSigned(w); lo <= MaxSigned(w); lo++ {
		for hi := lo; hi <= MaxSigned(w); hi++ {
			all = append(all, Between(lo, hi, w))
		}
	}
	for name, rule := range rules {
		narrow := 0
		for _, a := range all {
			for _, b := range all {
				got := rule.interval(a, b, w)
				lo, hi := MaxSigned(w), MinSigned(w)
				for x := a.Lo; x <= a.Hi; x++ {
					for y := b.Lo; y <= b.Hi; y++ {
						if rule.positive && y <= 0 {
							continue
						}
						v := rule.value(x, y)
						if v < MinSigned(w) || v > MaxSigned(w) {
							continue
						}
						if !holds(got, uint64(v)&Mask(w), w) {
							t.Fatalf("%d %s %d is %d, outside %v", x, name, y, v, got)
						}
						lo, hi = min(lo, v), max(hi, v)
					}
				}
				if lo == got.Lo && hi == got.Hi {
					narrow++
				}
			}
		}
		if narrow*3 < len(all)*len(all) {
			t.Errorf("%s: only %d of %d intervals are as narrow as possible", name, narrow, len(all)*len(all))
		}
	}
}

// TestWidened: what is widened holds what it held, and however it grows it stops after a few jumps.
func TestWidened(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 20000 {
		w := []int{2, 8, 32, 64}[r.IntN(4)]
		v, _ := someInterval(r, w)
		jumps := 0
		for range 40 {
			more, _ := someInterval(r, w)
			if more.Within(v) {
				continue
			}
			grown := v.Join(more)
			next := grown.Widened(v, w)
			if !grown.Within(next) || next.Empty() {
				t.Fatalf("i%d: %v, then %v, is widened to %v", w, v, more, next)
			}
			v = next
			jumps++
		}
		if jumps > 8 {
			t.Fatalf("i%d: %d jumps", w, jumps)
		}
	}
}
