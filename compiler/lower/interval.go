package lower

import (
	"fmt"
	"math"
	"math/bits"
)

// An interval is what is known of an integer of 1 to 64 bits: bounds of the
// number read as signed, and bounds of the same bits read as unsigned. Both
// hold; neither is empty.
type interval struct {
	lo, hi   int64
	ulo, uhi uint64
}

// String shows the bounds, for failing tests.
func (v interval) String() string {
	return fmt.Sprintf("[%d, %d] u[%d, %d]", v.lo, v.hi, v.ulo, v.uhi)
}

func widthMask(w int) uint64       { return ^uint64(0) >> (64 - w) }
func minSigned(w int) int64        { return math.MinInt64 >> (64 - w) }
func maxSigned(w int) int64        { return math.MaxInt64 >> (64 - w) }
func signed(v uint64, w int) int64 { return int64(v<<(64-w)) >> (64 - w) }

// anything is the interval of a number of which only the width is known.
func anything(w int) interval {
	return interval{minSigned(w), maxSigned(w), 0, widthMask(w)}
}

// exactly is the interval of one number, given as bits or sign-extended.
func exactly(c int64, w int) interval {
	u := uint64(c) & widthMask(w)
	s := signed(u, w)
	return interval{s, s, u, u}
}

// between makes an interval of signed bounds; bounds outside the width give
// anything: the number has wrapped.
func between(lo, hi int64, w int) interval {
	v := anything(w)
	if lo > hi || lo < v.lo || hi > v.hi {
		return v
	}
	v.lo, v.hi = lo, hi
	return v.tightened(w)
}

// betweenU makes an interval of unsigned bounds.
func betweenU(lo, hi uint64, w int) interval {
	v := anything(w)
	if lo > hi || hi > v.uhi {
		return v
	}
	v.ulo, v.uhi = lo, hi
	return v.tightened(w)
}

// tightened carries what one reading says over to the other, where the sign is
// known.
func (v interval) tightened(w int) interval {
	m := widthMask(w)
	for range 2 {
		switch {
		case v.lo >= 0:
			v.ulo, v.uhi = max(v.ulo, uint64(v.lo)), min(v.uhi, uint64(v.hi))
		case v.hi < 0:
			v.ulo, v.uhi = max(v.ulo, uint64(v.lo)&m), min(v.uhi, uint64(v.hi)&m)
		}
		switch top := uint64(maxSigned(w)); {
		case v.uhi <= top:
			v.lo, v.hi = max(v.lo, int64(v.ulo)), min(v.hi, int64(v.uhi))
		case v.ulo > top:
			v.lo, v.hi = max(v.lo, signed(v.ulo, w)), min(v.hi, signed(v.uhi, w))
		}
	}
	return v
}

func (v interval) empty() bool { return v.lo > v.hi || v.ulo > v.uhi }

// constant returns the only number the interval holds.
func (v interval) constant() (int64, bool) { return v.lo, v.lo == v.hi }

// meet is what both say; ok is false where they exclude each other.
func (v interval) meet(o interval, w int) (r interval, ok bool) {
	r = interval{max(v.lo, o.lo), min(v.hi, o.hi), max(v.ulo, o.ulo), min(v.uhi, o.uhi)}
	if r.empty() {
		return v, false
	}
	if r = r.tightened(w); r.empty() {
		return v, false
	}
	return r, true
}

// join is what holds of a number that is in one or the other.
func (v interval) join(o interval) interval {
	return interval{min(v.lo, o.lo), max(v.hi, o.hi), min(v.ulo, o.ulo), max(v.uhi, o.uhi)}
}

// within reports whether v says at least as much as o.
func (v interval) within(o interval) bool {
	return v.lo >= o.lo && v.hi <= o.hi && v.ulo >= o.ulo && v.uhi <= o.uhi
}

// widened lets the bounds that still move jump to zero or to the end of the
// width, so that the analysis of a loop ends.
func (v interval) widened(old interval, w int) interval {
	all := anything(w)
	if v.lo < old.lo {
		if v.lo >= 0 {
			v.lo = 0
		} else {
			v.lo = all.lo
		}
	}
	if v.hi > old.hi {
		if v.hi <= 0 {
			v.hi = 0
		} else {
			v.hi = all.hi
		}
	}
	if v.ulo < old.ulo {
		v.ulo = 0
	}
	if v.uhi > old.uhi {
		v.uhi = all.uhi
		if v.hi == all.hi && v.lo >= 0 {
			v.uhi = uint64(all.hi)
		}
	}
	return v
}

// The arithmetic below follows package num: results wrap at the width, so a
// bound that leaves the width makes that reading unknown.

func addIntervals(a, b interval, w int) interval {
	v := anything(w)
	lo, ok1 := addSigned(a.lo, b.lo)
	hi, ok2 := addSigned(a.hi, b.hi)
	if ok1 && ok2 && lo >= v.lo && hi <= v.hi {
		v.lo, v.hi = lo, hi
	}
	if hi, carry := bits.Add64(a.uhi, b.uhi, 0); carry == 0 && hi <= v.uhi {
		v.ulo, v.uhi = a.ulo+b.ulo, hi
	}
	return v.tightened(w)
}

func subIntervals(a, b interval, w int) interval {
	v := anything(w)
	lo, ok1 := subSigned(a.lo, b.hi)
	hi, ok2 := subSigned(a.hi, b.lo)
	if ok1 && ok2 && lo >= v.lo && hi <= v.hi {
		v.lo, v.hi = lo, hi
	}
	if a.ulo >= b.uhi {
		v.ulo, v.uhi = a.ulo-b.uhi, a.uhi-b.ulo
	}
	return v.tightened(w)
}

func mulIntervals(a, b interval, w int) interval {
	v := anything(w)
	lo, hi, fits := int64(math.MaxInt64), int64(math.MinInt64), true
	for _, x := range []int64{a.lo, a.hi} {
		for _, y := range []int64{b.lo, b.hi} {
			p, ok := mulSigned(x, y)
			fits = fits && ok
			lo, hi = min(lo, p), max(hi, p)
		}
	}
	if fits && lo >= v.lo && hi <= v.hi {
		v.lo, v.hi = lo, hi
	}
	if over, p := bits.Mul64(a.uhi, b.uhi); over == 0 && p <= v.uhi {
		v.ulo, v.uhi = a.ulo*b.ulo, p
	}
	return v.tightened(w)
}

func addSigned(a, b int64) (int64, bool) {
	c := a + b
	return c, (c > a) == (b > 0)
}

func subSigned(a, b int64) (int64, bool) {
	c := a - b
	return c, (c < a) == (b > 0)
}

func mulSigned(a, b int64) (int64, bool) {
	if a == 0 || b == 0 {
		return 0, true
	}
	c := a * b
	return c, c/b == a && !(a == -1 && b == math.MinInt64) && !(b == -1 && a == math.MinInt64)
}

// divIntervalsS is divsi: rounded towards zero. A divisor that may be zero or
// negative leaves the quotient unknown.
func divIntervalsS(a, b interval, w int) interval {
	if b.lo <= 0 {
		return anything(w)
	}
	lo, hi := int64(math.MaxInt64), int64(math.MinInt64)
	for _, x := range []int64{a.lo, a.hi} {
		for _, y := range []int64{b.lo, b.hi} {
			lo, hi = min(lo, x/y), max(hi, x/y)
		}
	}
	return between(lo, hi, w)
}

// remIntervalsS is remsi: the sign of the dividend, and the dividend itself for
// the divisor zero.
func remIntervalsS(a, b interval, w int) interval {
	lo, hi := min(a.lo, 0), max(a.hi, 0)
	if b.lo > 0 {
		lo, hi = max(lo, -(b.hi-1)), min(hi, b.hi-1)
		if a.lo >= 0 && a.hi < b.lo {
			return a
		}
	}
	return between(lo, hi, w)
}

func divIntervalsU(a, b interval, w int) interval {
	if b.ulo == 0 {
		return anything(w)
	}
	return betweenU(a.ulo/b.uhi, a.uhi/b.ulo, w)
}

func remIntervalsU(a, b interval, w int) interval {
	switch {
	case a.uhi < b.ulo:
		return a
	case b.ulo > 0:
		return betweenU(0, min(a.uhi, b.uhi-1), w)
	}
	return betweenU(0, a.uhi, w)
}

// ones is the largest number with the same highest bit.
func ones(v uint64) uint64 {
	if v == 0 {
		return 0
	}
	return ^uint64(0) >> bits.LeadingZeros64(v)
}

func andIntervals(a, b interval, w int) interval {
	v := betweenU(0, min(a.uhi, b.uhi), w)
	if a.hi < 0 && b.hi < 0 {
		v.hi = min(v.hi, a.hi, b.hi)
	}
	return v.tightened(w)
}

func orIntervals(a, b interval, w int) interval {
	v := betweenU(max(a.ulo, b.ulo), ones(a.uhi|b.uhi), w)
	if a.hi < 0 || b.hi < 0 {
		v.hi = min(v.hi, -1)
	}
	return v.tightened(w)
}

func xorIntervals(a, b interval, w int) interval {
	v := betweenU(0, ones(a.uhi|b.uhi), w)
	switch {
	case a.hi < 0 && b.lo >= 0, a.lo >= 0 && b.hi < 0:
		v.hi = min(v.hi, -1)
	case a.hi < 0 && b.hi < 0:
		v.lo = max(v.lo, 0)
	}
	return v.tightened(w)
}

func shlIntervals(a, b interval, w int) interval {
	if b.uhi >= uint64(w) || bits.Len64(a.uhi)+int(b.uhi) > w {
		return anything(w)
	}
	return betweenU(a.ulo<<b.ulo, a.uhi<<b.uhi, w)
}

func shrIntervalsU(a, b interval, w int) interval {
	return betweenU(a.ulo>>b.uhi, a.uhi>>b.ulo, w)
}

func shrIntervalsS(a, b interval, w int) interval {
	near, far := b.ulo, b.uhi
	lo, hi := a.lo>>near, a.hi>>near
	if a.lo >= 0 {
		lo = a.lo >> far
	}
	if a.hi < 0 {
		hi = a.hi >> far
	}
	return between(lo, hi, w)
}

// castInterval is the interval after a change of width: sign extension or zero
// extension, or a cut.
func castInterval(a interval, from, to int, signExtend bool) interval {
	switch {
	case to >= from && signExtend:
		return between(a.lo, a.hi, to)
	case to >= from:
		return betweenU(a.ulo, a.uhi, to)
	}
	v := anything(to)
	if a.lo >= v.lo && a.hi <= v.hi {
		v.lo, v.hi = a.lo, a.hi
	}
	if a.uhi <= v.uhi {
		v.ulo, v.uhi = a.ulo, a.uhi
	}
	return v.tightened(to)
}

// The predicates of arith.cmpi by their number.
const (
	predEq = iota
	predNe
	predSlt
	predSle
	predSgt
	predSge
	predUlt
	predUle
	predUgt
	predUge
)

// negatedPred is the predicate that holds exactly where p does not; swappedPred is the
// predicate for exchanged operands.
func negatedPred(p int64) int64 {
	return [...]int64{predNe, predEq, predSge, predSgt, predSle, predSlt, predUge, predUgt, predUle, predUlt}[p]
}

func swappedPred(p int64) int64 {
	return [...]int64{predEq, predNe, predSgt, predSge, predSlt, predSle, predUgt, predUge, predUlt, predUle}[p]
}

// decideCmp compares two numbers of which the intervals are known.
func decideCmp(p int64, a, b interval) (result, known bool) {
	order := func(always, never bool) (bool, bool) { return always, always || never }
	switch p {
	case predEq, predNe:
		ca, okA := a.constant()
		cb, okB := b.constant()
		switch {
		case okA && okB && ca == cb:
			return p == predEq, true
		case a.hi < b.lo || b.hi < a.lo || a.uhi < b.ulo || b.uhi < a.ulo:
			return p == predNe, true
		}
		return false, false
	case predSlt:
		return order(a.hi < b.lo, a.lo >= b.hi)
	case predSle:
		return order(a.hi <= b.lo, a.lo > b.hi)
	case predUlt:
		return order(a.uhi < b.ulo, a.ulo >= b.uhi)
	case predUle:
		return order(a.uhi <= b.ulo, a.ulo > b.uhi)
	}
	return decideCmp(swappedPred(p), b, a)
}

// restrictBy is what "a p b" says of a when b lies in an interval; ok is false
// where no a fits.
func restrictBy(p int64, a, b interval, w int) (interval, bool) {
	all := anything(w)
	o := all
	switch p {
	case predEq:
		o = b
	case predNe:
		if c, ok := b.constant(); ok {
			r := a
			if r.lo == c {
				r.lo++
			}
			if r.hi == c {
				r.hi--
			}
			if u := uint64(c) & all.uhi; true {
				if r.ulo == u {
					r.ulo++
				}
				if r.uhi == u {
					r.uhi--
				}
			}
			if a.lo == a.hi && a.lo == c {
				return a, false
			}
			return a.meet(r, w)
		}
	case predSlt:
		if b.hi == all.lo {
			return a, false
		}
		o.hi = b.hi - 1
	case predSle:
		o.hi = b.hi
	case predSgt:
		if b.lo == all.hi {
			return a, false
		}
		o.lo = b.lo + 1
	case predSge:
		o.lo = b.lo
	case predUlt:
		if b.uhi == 0 {
			return a, false
		}
		o.uhi = b.uhi - 1
	case predUle:
		o.uhi = b.uhi
	case predUgt:
		if b.ulo == all.uhi {
			return a, false
		}
		o.ulo = b.ulo + 1
	case predUge:
		o.ulo = b.ulo
	}
	return a.meet(o, w)
}
