package num

import (
	"math"
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

// floats is the one format of all operands and results.
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
	binaryFloat(func(a, b float64) float64 { return float64(a + b) }, "arith.addf")
	binaryFloat(func(a, b float64) float64 { return float64(a - b) }, "arith.subf")
	binaryFloat(func(a, b float64) float64 { return float64(a * b) }, "arith.mulf")
	binaryFloat(func(a, b float64) float64 { return float64(a / b) }, "arith.divf")
	binaryFloat(math.Mod, "arith.remf")
	binaryFloat(minimum, "arith.minimumf")
	binaryFloat(maximum, "arith.maximumf")
	binaryFloat(ignoreNaN(minimum), "arith.minnumf")
	binaryFloat(ignoreNaN(maximum), "arith.maxnumf")
	binaryFloat(math.Pow, "math.powf")
	binaryFloat(math.Atan2, "math.atan2")

	unaryFloat(math.Sqrt, "math.sqrt")
	unaryFloat(math.Floor, "math.floor")
	unaryFloat(math.Ceil, "math.ceil")
	unaryFloat(math.Trunc, "math.trunc")
	unaryFloat(math.Round, "math.round")
	unaryFloat(math.RoundToEven, "math.roundeven")
	// The functions below are Go's, computed in float64 and rounded: their last
	// bit in f64 is not promised to be the correctly rounded one.
	unaryFloat(func(a float64) float64 { return 1 / math.Sqrt(a) }, "math.rsqrt")
	unaryFloat(math.Cbrt, "math.cbrt")
	unaryFloat(math.Exp, "math.exp")
	unaryFloat(math.Exp2, "math.exp2")
	unaryFloat(math.Expm1, "math.expm1")
	unaryFloat(math.Log, "math.log")
	unaryFloat(math.Log2, "math.log2")
	unaryFloat(math.Log10, "math.log10")
	unaryFloat(math.Log1p, "math.log1p")
	unaryFloat(math.Sin, "math.sin")
	unaryFloat(math.Cos, "math.cos")
	unaryFloat(math.Tan, "math.tan")
	unaryFloat(math.Asin, "math.asin")
	unaryFloat(math.Acos, "math.acos")
	unaryFloat(math.Atan, "math.atan")
	unaryFloat(math.Sinh, "math.sinh")
	unaryFloat(math.Cosh, "math.cosh")
	unaryFloat(math.Tanh, "math.tanh")
	unaryFloat(math.Asinh, "math.asinh")
	unaryFloat(math.Acosh, "math.acosh")
	unaryFloat(math.Atanh, "math.atanh")
	unaryFloat(math.Erf, "math.erf")

	// Sign operations move bits only.
	define(1, 1, func(b *build) Form {
		s := b.floats().signBit()
		return Form{Unary: func(a uint64) uint64 { return a ^ s }}
	}, "arith.negf")
	define(1, 1, func(b *build) Form {
		s := b.floats().signBit()
		return Form{Unary: func(a uint64) uint64 { return a &^ s }}
	}, "math.absf")
	define(2, 1, func(b *build) Form {
		s := b.floats().signBit()
		return Form{Binary: func(a, x uint64) uint64 { return a&^s | x&s }}
	}, "math.copysign")

	define(3, 1, func(b *build) Form {
		t := b.floats()
		return Form{Ternary: func(x, y, z uint64) uint64 {
			return t.fusedMultiplyAdd(t.decode(x), t.decode(y), t.decode(z))
		}}
	}, "math.fma")

	define(2, 1, func(b *build) Form {
		t := b.float(b.out(0), "type")
		if b.float(b.in(0), "base") != t {
			b.fail("'%s' needs base and result of one type", b.op.Name)
		}
		w := b.intWidth(b.in(1), "exponent")
		return Form{Binary: func(x, n uint64) uint64 {
			return t.encode(math.Pow(t.decode(x), float64(sext(n, w))))
		}}
	}, "math.fpowi")
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
