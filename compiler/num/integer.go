package num

import (
	"math/bits"

	"loom/compiler/opname"
)

// binary defines an operation on two integers of one type, made for a width.
func binary(make func(w uint) func(a, b uint64) uint64, names ...string) {
	define(2, 1, func(b *build) Form {
		w := b.intWidth(b.out(0), "type")
		if b.intWidth(b.in(0), "first operand") != w || b.intWidth(b.in(1), "second operand") != w {
			b.fail("'%s' needs operands and result of one width", b.op.Name)
		}
		return Form{Binary: make(w)}
	}, names...)
}

// wrapping adapts a function on 64-bit words whose result only needs truncation.
func wrapping(f func(a, b uint64) uint64) func(w uint) func(a, b uint64) uint64 {
	return func(w uint) func(a, b uint64) uint64 {
		m := mask(w)
		return func(a, b uint64) uint64 { return f(a, b) & m }
	}
}

// signed adapts a function on sign-extended operands.
func signed(f func(a, b int64) int64) func(w uint) func(a, b uint64) uint64 {
	return func(w uint) func(a, b uint64) uint64 {
		m, s := mask(w), 64-w
		return func(a, b uint64) uint64 {
			return uint64(f(int64(a<<s)>>s, int64(b<<s)>>s)) & m
		}
	}
}

// unary defines an operation on one integer.
func unary(make func(w uint) func(a uint64) uint64, names ...string) {
	define(1, 1, func(b *build) Form {
		w := b.intWidth(b.out(0), "type")
		if b.intWidth(b.in(0), "operand") != w {
			b.fail("'%s' needs operand and result of one width", b.op.Name)
		}
		return Form{Unary: make(w)}
	}, names...)
}

// The most frequent operations are written out, so that the closure holds the whole
// computation and calls no other function.
func init() {
	binary(func(w uint) func(a, b uint64) uint64 {
		m := mask(w)
		return func(a, b uint64) uint64 { return (a + b) & m }
	}, opname.ArithAddI, opname.IndexAdd)
	binary(func(w uint) func(a, b uint64) uint64 {
		m := mask(w)
		return func(a, b uint64) uint64 { return (a - b) & m }
	}, opname.ArithSubI, opname.IndexSub)
	binary(func(w uint) func(a, b uint64) uint64 {
		m := mask(w)
		return func(a, b uint64) uint64 { return (a * b) & m }
	}, opname.ArithMulI, opname.IndexMul)
	binary(func(uint) func(a, b uint64) uint64 {
		return func(a, b uint64) uint64 { return a & b }
	}, opname.ArithAndI, opname.IndexAnd)
	binary(func(uint) func(a, b uint64) uint64 {
		return func(a, b uint64) uint64 { return a | b }
	}, opname.ArithOrI, opname.IndexOr)
	binary(func(uint) func(a, b uint64) uint64 {
		return func(a, b uint64) uint64 { return a ^ b }
	}, opname.ArithXOrI, opname.IndexXor)

	// Go's shifts by 64 or more already give 0 or the sign; for narrower
	// operands the amount is compared with the width.
	binary(func(w uint) func(a, b uint64) uint64 {
		m, n := mask(w), uint64(w)
		return func(a, b uint64) uint64 {
			if b >= n {
				return 0
			}
			return a << b & m
		}
	}, opname.ArithShLI, opname.IndexShl)
	binary(func(uint) func(a, b uint64) uint64 {
		return func(a, b uint64) uint64 { return a >> b }
	}, opname.ArithShRUI, opname.IndexShru)
	binary(func(w uint) func(a, b uint64) uint64 {
		m, s := mask(w), 64-w
		return func(a, b uint64) uint64 { return uint64(int64(a<<s)>>s>>b) & m }
	}, opname.ArithShRSI, opname.IndexShrs)

	binary(wrapping(divU), opname.ArithDivUI, opname.IndexDivu)
	binary(wrapping(remU), opname.ArithRemUI, opname.IndexRemu)
	binary(signed(divS), opname.ArithDivSI, opname.IndexDivs)
	binary(signed(remS), opname.ArithRemSI, opname.IndexRems)
	binary(wrapping(ceilDivU), opname.ArithCeilDivUI, opname.IndexCeildivu)
	binary(signed(ceilDivS), opname.ArithCeilDivSI, opname.IndexCeildivs)
	binary(signed(floorDivS), opname.ArithFloorDivSI, opname.IndexFloordivs)

	binary(signed(func(a, b int64) int64 { return min(a, b) }), opname.ArithMinSI, opname.IndexMins)
	binary(signed(func(a, b int64) int64 { return max(a, b) }), opname.ArithMaxSI, opname.IndexMaxs)
	binary(wrapping(func(a, b uint64) uint64 { return min(a, b) }), opname.ArithMinUI, opname.IndexMinu)
	binary(wrapping(func(a, b uint64) uint64 { return max(a, b) }), opname.ArithMaxUI, opname.IndexMaxu)
	binary(signed(powS), opname.MathIPowI)

	unary(func(w uint) func(a uint64) uint64 {
		m := mask(w)
		return func(a uint64) uint64 {
			if sext(a, w) < 0 {
				return -a & m
			}
			return a
		}
	}, opname.MathAbsI)
	unary(func(uint) func(a uint64) uint64 {
		return func(a uint64) uint64 { return uint64(bits.OnesCount64(a)) }
	}, opname.MathCtPop)
	unary(func(w uint) func(a uint64) uint64 {
		s, m := 64-w, mask(w)
		return func(a uint64) uint64 { return (uint64(bits.LeadingZeros64(a)) - uint64(s)) & m }
	}, opname.MathCtLZ)
	unary(func(w uint) func(a uint64) uint64 {
		n, m := uint64(w), mask(w)
		return func(a uint64) uint64 { return min(uint64(bits.TrailingZeros64(a)), n) & m }
	}, opname.MathCtTZ)
	unary(func(w uint) func(a uint64) uint64 {
		s := 64 - w
		return func(a uint64) uint64 { return bits.Reverse64(a) >> s }
	}, opname.LLVMIntrBitreverse)

	define(2, 2, extended(func(w uint) func(a, b uint64) (uint64, uint64) {
		m := mask(w)
		return func(a, b uint64) (uint64, uint64) {
			s := (a + b) & m
			if s < a {
				return s, 1
			}
			return s, 0
		}
	}, true), opname.ArithAddUIExtended)
	define(2, 2, extended(func(w uint) func(a, b uint64) (uint64, uint64) {
		m, s := mask(w), 64-w
		return func(a, b uint64) (uint64, uint64) {
			hi, lo := bits.Mul64(a, b)
			return lo & m, (hi<<s | lo>>1>>(w-1)) & m
		}
	}, false), opname.ArithMulUIExtended)
	define(2, 2, extended(func(w uint) func(a, b uint64) (uint64, uint64) {
		m, s := mask(w), 64-w
		return func(a, b uint64) (uint64, uint64) {
			x, y := sext(a, w), sext(b, w)
			hi, lo := bits.Mul64(uint64(x), uint64(y))
			// The unsigned product with a negative factor is too large by the
			// other factor times 2^64.
			hi -= uint64(x>>63)&uint64(y) + uint64(y>>63)&uint64(x)
			return lo & m, (hi<<s | lo>>1>>(w-1)) & m
		}
	}, false), opname.ArithMulSIExtended)
}

// extended builds the operations with two results; with flag the second one is an i1.
func extended(make func(w uint) func(a, b uint64) (uint64, uint64), flag bool) builder {
	return func(b *build) Form {
		w := b.intWidth(b.in(0), "first operand")
		high := w
		if flag {
			high = 1
		}
		if b.intWidth(b.in(1), "second operand") != w || b.intWidth(b.out(0), "first result") != w ||
			b.intWidth(b.out(1), "second result") != high {
			b.fail("'%s' has operands and results of different widths", b.op.Name)
		}
		return Form{Pair: make(w)}
	}
}

func divU(a, b uint64) uint64 {
	if b == 0 {
		return ^uint64(0)
	}
	return a / b
}

func remU(a, b uint64) uint64 {
	if b == 0 {
		return a
	}
	return a % b
}

// divS relies on the truncation that follows: the most negative integer of w bits
// divided by -1 is its negation, which truncated to w bits is the integer itself. Go
// defines the 64-bit case to be the integer itself, too.
func divS(a, b int64) int64 {
	if b == 0 {
		return -1
	}
	return a / b
}

func remS(a, b int64) int64 {
	if b == 0 {
		return a
	}
	return a % b
}

func ceilDivU(a, b uint64) uint64 {
	if b == 0 {
		return ^uint64(0)
	}
	q := a / b
	if a%b != 0 {
		q++
	}
	return q
}

func ceilDivS(a, b int64) int64 {
	if b == 0 {
		return -1
	}
	q := a / b
	if a%b != 0 && (a < 0) == (b < 0) {
		q++
	}
	return q
}

func floorDivS(a, b int64) int64 {
	if b == 0 {
		return -1
	}
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

// powS is math.ipowi: a negative exponent means the reciprocal, which truncates to 0
// except for the bases 1 and -1; 0 to a negative power is 0 here.
func powS(a, n int64) int64 {
	if n < 0 {
		switch {
		case a == 1, a == -1 && n&1 == 0:
			return 1
		case a == -1:
			return -1
		}
		return 0
	}
	r := int64(1)
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			r *= a
		}
		a *= a
	}
	return r
}
