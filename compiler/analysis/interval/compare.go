package interval

import "loom/compiler/dialect/arith"

// Decide compares two integers of which the intervals are known.
func Decide(p arith.IntPredicate, a, b Interval) (result, known bool) {
	order := func(always, never bool) (bool, bool) { return always, always || never }
	switch p {
	case arith.Eq, arith.Ne:
		ca, okA := a.Constant()
		cb, okB := b.Constant()
		switch {
		case okA && okB && ca == cb:
			return p == arith.Eq, true
		case a.Hi < b.Lo || b.Hi < a.Lo || a.UHi < b.ULo || b.UHi < a.ULo:
			return p == arith.Ne, true
		}
		return false, false
	case arith.Slt:
		return order(a.Hi < b.Lo, a.Lo >= b.Hi)
	case arith.Sle:
		return order(a.Hi <= b.Lo, a.Lo > b.Hi)
	case arith.Ult:
		return order(a.UHi < b.ULo, a.ULo >= b.UHi)
	case arith.Ule:
		return order(a.UHi <= b.ULo, a.ULo > b.UHi)
	}
	return Decide(p.Swapped(), b, a)
}

// Restrict is the interval that "a p b" implies for a when b lies in an interval; ok is false
// where no a fits.
func Restrict(p arith.IntPredicate, a, b Interval, w int) (Interval, bool) {
	all := Any(w)
	o := all
	switch p {
	case arith.Eq:
		o = b
	case arith.Ne:
		if c, ok := b.Constant(); ok {
			r := a
			if r.Lo == c {
				r.Lo++
			}
			if r.Hi == c {
				r.Hi--
			}
			if u := uint64(c) & all.UHi; true {
				if r.ULo == u {
					r.ULo++
				}
				if r.UHi == u {
					r.UHi--
				}
			}
			if a.Lo == a.Hi && a.Lo == c {
				return a, false
			}
			return a.Meet(r, w)
		}
	case arith.Slt:
		if b.Hi == all.Lo {
			return a, false
		}
		o.Hi = b.Hi - 1
	case arith.Sle:
		o.Hi = b.Hi
	case arith.Sgt:
		if b.Lo == all.Hi {
			return a, false
		}
		o.Lo = b.Lo + 1
	case arith.Sge:
		o.Lo = b.Lo
	case arith.Ult:
		if b.UHi == 0 {
			return a, false
		}
		o.UHi = b.UHi - 1
	case arith.Ule:
		o.UHi = b.UHi
	case arith.Ugt:
		if b.ULo == all.UHi {
			return a, false
		}
		o.ULo = b.ULo + 1
	case arith.Uge:
		o.ULo = b.ULo
	}
	return a.Meet(o, w)
}
