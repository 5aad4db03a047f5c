// Package interval is arithmetic on what is known of integers: bounds of an integer read
// with sign and of the same bits read without. Results wrap at the width, as the values of
// package num do.
package interval

import (
	"fmt"
	"math"
	"math/bits"

	"loom/internal/intmath"
)

// An Interval is what is known of an integer of 1 to 64 bits: bounds of the
// integer read as signed, and bounds of the same bits read as unsigned. Both
// hold; neither is empty.
type Interval struct {
	Lo, Hi   int64
	ULo, UHi uint64
}

// String shows the bounds, for failing tests.
func (v Interval) String() string {
	return fmt.Sprintf("[%d, %d] u[%d, %d]", v.Lo, v.Hi, v.ULo, v.UHi)
}

// Mask is the largest unsigned integer of w bits.
func Mask(w int) uint64 { return ^uint64(0) >> (64 - w) }

// MinSigned is the smallest signed integer of w bits.
func MinSigned(w int) int64 { return math.MinInt64 >> (64 - w) }

// MaxSigned is the largest signed integer of w bits.
func MaxSigned(w int) int64 { return math.MaxInt64 >> (64 - w) }

// Signed reads w bits with sign.
func Signed(v uint64, w int) int64 { return int64(v<<(64-w)) >> (64 - w) }

// Any is the interval of an integer of which only the width is known.
func Any(w int) Interval {
	return Interval{MinSigned(w), MaxSigned(w), 0, Mask(w)}
}

// Exactly is the interval of one integer, given as bits or sign-extended.
func Exactly(c int64, w int) Interval {
	u := uint64(c) & Mask(w)
	s := Signed(u, w)
	return Interval{s, s, u, u}
}

// Between makes an interval of signed bounds; bounds outside the width give
// Any: the value has wrapped.
func Between(lo, hi int64, w int) Interval {
	v := Any(w)
	if lo > hi || lo < v.Lo || hi > v.Hi {
		return v
	}
	v.Lo, v.Hi = lo, hi
	return v.Tightened(w)
}

// BetweenU makes an interval of unsigned bounds.
func BetweenU(lo, hi uint64, w int) Interval {
	v := Any(w)
	if lo > hi || hi > v.UHi {
		return v
	}
	v.ULo, v.UHi = lo, hi
	return v.Tightened(w)
}

// Tightened carries the bounds of one reading over to the other, where the sign is
// known.
func (v Interval) Tightened(w int) Interval {
	m := Mask(w)
	for range 2 {
		switch {
		case v.Lo >= 0:
			v.ULo, v.UHi = max(v.ULo, uint64(v.Lo)), min(v.UHi, uint64(v.Hi))
		case v.Hi < 0:
			v.ULo, v.UHi = max(v.ULo, uint64(v.Lo)&m), min(v.UHi, uint64(v.Hi)&m)
		}
		switch top := uint64(MaxSigned(w)); {
		case v.UHi <= top:
			v.Lo, v.Hi = max(v.Lo, int64(v.ULo)), min(v.Hi, int64(v.UHi))
		case v.ULo > top:
			v.Lo, v.Hi = max(v.Lo, Signed(v.ULo, w)), min(v.Hi, Signed(v.UHi, w))
		}
	}
	return v
}

// Empty reports whether no integer lies in the interval.
func (v Interval) Empty() bool { return v.Lo > v.Hi || v.ULo > v.UHi }

// Constant returns the only integer the interval holds.
func (v Interval) Constant() (int64, bool) { return v.Lo, v.Lo == v.Hi }

// Meet is the intersection of both; ok is false where it is empty.
func (v Interval) Meet(o Interval, w int) (r Interval, ok bool) {
	r = Interval{max(v.Lo, o.Lo), min(v.Hi, o.Hi), max(v.ULo, o.ULo), min(v.UHi, o.UHi)}
	if r.Empty() {
		return v, false
	}
	if r = r.Tightened(w); r.Empty() {
		return v, false
	}
	return r, true
}

// Join is the smallest interval that contains both.
func (v Interval) Join(o Interval) Interval {
	return Interval{min(v.Lo, o.Lo), max(v.Hi, o.Hi), min(v.ULo, o.ULo), max(v.UHi, o.UHi)}
}

// Within reports whether v lies inside o.
func (v Interval) Within(o Interval) bool {
	return v.Lo >= o.Lo && v.Hi <= o.Hi && v.ULo >= o.ULo && v.UHi <= o.UHi
}

// Widened lets the bounds that still move jump, so that the analysis of a loop ends: to zero, to half of
// the width's range, then to the end of it. In half of it what a loop adds before it takes a remainder does not wrap yet:
// (x + 1) % n stays below n.
func (v Interval) Widened(old Interval, w int) Interval {
	all := Any(w)
	if v.Lo < old.Lo {
		switch {
		case v.Lo >= 0:
			v.Lo = 0
		case v.Lo >= all.Lo>>1:
			v.Lo = all.Lo >> 1
		default:
			v.Lo = all.Lo
		}
	}
	if v.Hi > old.Hi {
		switch {
		case v.Hi <= 0:
			v.Hi = 0
		case v.Hi <= all.Hi>>1:
			v.Hi = all.Hi >> 1
		default:
			v.Hi = all.Hi
		}
	}
	if v.ULo < old.ULo {
		v.ULo = 0
	}
	if v.UHi > old.UHi {
		if half := all.UHi >> 1; v.UHi <= half {
			v.UHi = half
		} else {
			v.UHi = all.UHi
		}
		if v.Lo >= 0 {
			v.UHi = min(v.UHi, uint64(v.Hi))
		}
	}
	return v
}

// The arithmetic below follows package num: results wrap at the width, so a
// bound that leaves the width makes that reading unknown.

// Add is the interval of a sum.
func Add(a, b Interval, w int) Interval {
	v := Any(w)
	lo, ok1 := intmath.Add(a.Lo, b.Lo)
	hi, ok2 := intmath.Add(a.Hi, b.Hi)
	if ok1 && ok2 && lo >= v.Lo && hi <= v.Hi {
		v.Lo, v.Hi = lo, hi
	}
	if hi, carry := bits.Add64(a.UHi, b.UHi, 0); carry == 0 && hi <= v.UHi {
		v.ULo, v.UHi = a.ULo+b.ULo, hi
	}
	return v.Tightened(w)
}

// Sub is the interval of a difference.
func Sub(a, b Interval, w int) Interval {
	v := Any(w)
	lo, ok1 := intmath.Sub(a.Lo, b.Hi)
	hi, ok2 := intmath.Sub(a.Hi, b.Lo)
	if ok1 && ok2 && lo >= v.Lo && hi <= v.Hi {
		v.Lo, v.Hi = lo, hi
	}
	if a.ULo >= b.UHi {
		v.ULo, v.UHi = a.ULo-b.UHi, a.UHi-b.ULo
	}
	return v.Tightened(w)
}

// Mul is the interval of a product.
func Mul(a, b Interval, w int) Interval {
	v := Any(w)
	fits := true
	lo, hi := corners(a, b, func(x, y int64) int64 {
		p, ok := intmath.Mul(x, y)
		fits = fits && ok
		return p
	})
	if fits && lo >= v.Lo && hi <= v.Hi {
		v.Lo, v.Hi = lo, hi
	}
	if over, p := bits.Mul64(a.UHi, b.UHi); over == 0 && p <= v.UHi {
		v.ULo, v.UHi = a.ULo*b.ULo, p
	}
	return v.Tightened(w)
}

// DivS is divsi: rounded towards zero. A divisor that may be zero or
// negative leaves the quotient unknown.
func DivS(a, b Interval, w int) Interval {
	if b.Lo <= 0 {
		return Any(w)
	}
	lo, hi := corners(a, b, func(x, y int64) int64 { return x / y })
	return Between(lo, hi, w)
}

// RemS is remsi: the sign of the dividend, and the dividend itself for
// the divisor zero.
func RemS(a, b Interval, w int) Interval {
	lo, hi := min(a.Lo, 0), max(a.Hi, 0)
	if b.Lo > 0 {
		lo, hi = max(lo, -(b.Hi-1)), min(hi, b.Hi-1)
		if a.Lo >= 0 && a.Hi < b.Lo {
			return a
		}
	}
	return Between(lo, hi, w)
}

// DivU is divui; the quotient by zero is unknown.
func DivU(a, b Interval, w int) Interval {
	if b.ULo == 0 {
		return Any(w)
	}
	return BetweenU(a.ULo/b.UHi, a.UHi/b.ULo, w)
}

// RemU is remui: the dividend itself for the divisor zero.
func RemU(a, b Interval, w int) Interval {
	switch {
	case a.UHi < b.ULo:
		return a
	case b.ULo > 0:
		return BetweenU(0, min(a.UHi, b.UHi-1), w)
	}
	return BetweenU(0, a.UHi, w)
}

// ones is the largest integer with the same highest bit.
func ones(v uint64) uint64 {
	if v == 0 {
		return 0
	}
	return ^uint64(0) >> bits.LeadingZeros64(v)
}

// And is the interval of andi.
func And(a, b Interval, w int) Interval {
	v := BetweenU(0, min(a.UHi, b.UHi), w)
	if a.Hi < 0 && b.Hi < 0 {
		v.Hi = min(v.Hi, a.Hi, b.Hi)
	}
	return v.Tightened(w)
}

// Or is the interval of ori.
func Or(a, b Interval, w int) Interval {
	v := BetweenU(max(a.ULo, b.ULo), ones(a.UHi|b.UHi), w)
	if a.Hi < 0 || b.Hi < 0 {
		v.Hi = min(v.Hi, -1)
	}
	return v.Tightened(w)
}

// Xor is the interval of xori.
func Xor(a, b Interval, w int) Interval {
	if c, ok := b.Constant(); ok && c == -1 {
		return Between(-1-a.Hi, -1-a.Lo, w)
	}
	v := BetweenU(0, ones(a.UHi|b.UHi), w)
	switch {
	case a.Hi < 0 && b.Lo >= 0, a.Lo >= 0 && b.Hi < 0:
		v.Hi = min(v.Hi, -1)
	case a.Hi < 0 && b.Hi < 0:
		v.Lo = max(v.Lo, 0)
	}
	return v.Tightened(w)
}

// Shl is the interval of shli.
func Shl(a, b Interval, w int) Interval {
	switch {
	case b.UHi >= uint64(w):
		return Any(w)
	case bits.Len64(a.UHi)+int(b.UHi) <= w:
		return BetweenU(a.ULo<<b.ULo, a.UHi<<b.UHi, w)
	case b.UHi == uint64(w)-1:
		return Any(w) // the factor has no positive form
	}
	return Mul(a, Between(1<<b.ULo, 1<<b.UHi, w), w)
}

// ShrU is the interval of shrui.
func ShrU(a, b Interval, w int) Interval {
	return BetweenU(a.ULo>>b.UHi, a.UHi>>b.ULo, w)
}

// ShrS is the interval of shrsi.
func ShrS(a, b Interval, w int) Interval {
	near, far := b.ULo, b.UHi
	lo, hi := a.Lo>>near, a.Hi>>near
	if a.Lo >= 0 {
		lo = a.Lo >> far
	}
	if a.Hi < 0 {
		hi = a.Hi >> far
	}
	return Between(lo, hi, w)
}

// Cast is the interval after a change of width: sign extension or zero
// extension, or a cut.
func Cast(a Interval, from, to int, signExtend bool) Interval {
	switch {
	case to >= from && signExtend:
		return Between(a.Lo, a.Hi, to)
	case to >= from:
		return BetweenU(a.ULo, a.UHi, to)
	}
	v := Any(to)
	if a.Lo >= v.Lo && a.Hi <= v.Hi {
		v.Lo, v.Hi = a.Lo, a.Hi
	}
	if a.UHi <= v.UHi {
		v.ULo, v.UHi = a.ULo, a.UHi
	}
	return v.Tightened(to)
}
