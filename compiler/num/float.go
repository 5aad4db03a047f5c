package num

import (
	"math"

	"loom/compiler/opname"
)

// unaryFloat defines an operation on one float whose result is rounded.
func unaryFloat(f func(a float64) float64, names ...string) {
	define(1, 1, func(b *build) Form {
		t := b.float(b.out(0), "type")
		if b.float(b.in(0), "operand") != t {
			b.fail("'%s' needs operand and result of one type", b.op.Name)
		}
		return Form{Unary: func(a uint64) uint64 { return t.encode(f(t.decode(a))) }}
	}, names...)
}

// binaryFloat defines an operation on two floats whose result is rounded.
func binaryFloat(f func(a, b float64) float64, names ...string) {
	define(2, 1, func(b *build) Form {
		t := b.floats()
		return Form{Binary: func(x, y uint64) uint64 { return t.encode(f(t.decode(x), t.decode(y))) }}
	}, names...)
}

// floats returns the format that all operands and results share.
func (b *build) floats() *format {
	t := b.float(b.out(0), "type")
	for _, v := range b.op.Operands() {
		if b.float(v.Type, "operand") != t {
			b.fail("'%s' needs operands and result of one type", b.op.Name)
		}
	}
	return t
}

// The conversions around every product and sum keep a Go compiler from fusing
// them on machines with such instructions.
func init() {
	binaryFloat(func(a, b float64) float64 { return float64(a + b) }, opname.ArithAddF)
	binaryFloat(func(a, b float64) float64 { return float64(a - b) }, opname.ArithSubF)
	binaryFloat(func(a, b float64) float64 { return float64(a * b) }, opname.ArithMulF)
	binaryFloat(func(a, b float64) float64 { return float64(a / b) }, opname.ArithDivF)
	binaryFloat(math.Mod, opname.ArithRemF)
	binaryFloat(minimum, opname.ArithMinimumF)
	binaryFloat(maximum, opname.ArithMaximumF)
	binaryFloat(ignoreNaN(minimum), opname.ArithMinNumF)
	binaryFloat(ignoreNaN(maximum), opname.ArithMaxNumF)
	binaryFloat(math.Pow, opname.MathPowF)
	binaryFloat(math.Atan2, opname.MathAtan2)

	unaryFloat(math.Sqrt, opname.MathSqrt)
	unaryFloat(math.Floor, opname.MathFloor)
	unaryFloat(math.Ceil, opname.MathCeil)
	unaryFloat(math.Trunc, opname.MathTrunc)
	unaryFloat(math.Round, opname.MathRound)
	unaryFloat(math.RoundToEven, opname.MathRoundeven)
	// The functions below are Go's, computed in float64 and rounded: in f64 their last
	// bit need not be the correctly rounded one.
	unaryFloat(func(a float64) float64 { return 1 / math.Sqrt(a) }, opname.MathRsqrt)
	unaryFloat(math.Cbrt, opname.MathCbrt)
	unaryFloat(math.Exp2, opname.MathExp2)
	unaryFloat(math.Expm1, opname.MathExpm1)
	unaryFloat(math.Log, opname.MathLog)
	unaryFloat(math.Log10, opname.MathLog10)
	unaryFloat(math.Log1p, opname.MathLog1p)
	unaryFloat(math.Tan, opname.MathTan)
	unaryFloat(math.Asin, opname.MathAsin)
	unaryFloat(math.Acos, opname.MathAcos)
	unaryFloat(math.Atan, opname.MathAtan)
	unaryFloat(math.Sinh, opname.MathSinh)
	unaryFloat(math.Cosh, opname.MathCosh)
	unaryFloat(math.Tanh, opname.MathTanh)
	unaryFloat(math.Asinh, opname.MathAsinh)
	unaryFloat(math.Acosh, opname.MathAcosh)
	unaryFloat(math.Atanh, opname.MathAtanh)
	unaryFloat(math.Erf, opname.MathErf)

	// These are function units: in every format what the hardware computes (elementary.go).
	elementaryFloat(elementaryExp, opname.MathExp)
	elementaryFloat(elementaryLog2, opname.MathLog2)
	elementaryFloat(elementarySin, opname.MathSin)
	elementaryFloat(elementaryCos, opname.MathCos)

	// Sign operations move bits only.
	define(1, 1, func(b *build) Form {
		s := b.floats().signBit()
		return Form{Unary: func(a uint64) uint64 { return a ^ s }}
	}, opname.ArithNegF)
	define(1, 1, func(b *build) Form {
		s := b.floats().signBit()
		return Form{Unary: func(a uint64) uint64 { return a &^ s }}
	}, opname.MathAbsF)
	define(2, 1, func(b *build) Form {
		s := b.floats().signBit()
		return Form{Binary: func(a, x uint64) uint64 { return a&^s | x&s }}
	}, opname.MathCopysign)

	define(3, 1, func(b *build) Form {
		t := b.floats()
		return Form{Ternary: func(x, y, z uint64) uint64 {
			return t.fusedMultiplyAdd(t.decode(x), t.decode(y), t.decode(z))
		}}
	}, opname.MathFMA)

	define(2, 1, func(b *build) Form {
		t := b.float(b.out(0), "type")
		if b.float(b.in(0), "base") != t {
			b.fail("'%s' needs base and result of one type", b.op.Name)
		}
		w := b.intWidth(b.in(1), "exponent")
		return Form{Binary: func(x, n uint64) uint64 {
			return t.encode(math.Pow(t.decode(x), float64(sext(n, w))))
		}}
	}, opname.MathFPowI)
}

// Go's built-in functions propagate NaN and order the zeros; math.Min and
// math.Max would let an infinity win over NaN.
func minimum(a, b float64) float64 { return min(a, b) }
func maximum(a, b float64) float64 { return max(a, b) }

// ignoreNaN makes a minimum or maximum return the number where one operand is a
// number and the other NaN.
func ignoreNaN(f func(a, b float64) float64) func(a, b float64) float64 {
	return func(a, b float64) float64 {
		switch {
		case a != a:
			return b
		case b != b:
			return a
		}
		return f(a, b)
	}
}
