package lower

import (
	"math"

	"loom/compiler/diag"
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

// Functions of one or two floats. Those that are exact are written with operations that
// units compute, with the values package num defines, unless the target has a unit for them. The others stay as they are: the
// graph can be simulated, and a fabric needs a unit for them.
func init() {
	rewriters[opname.MathCeil] = unlessExecuted(func(_ *state, op *ir.Operation, m rewrite.Maker) bool {
		return floatUnary(op, func(x *ir.Value, w int) *ir.Value { return ceiling(m, x) })
	})
	rewriters[opname.MathTrunc] = unlessExecuted(func(_ *state, op *ir.Operation, m rewrite.Maker) bool {
		return floatUnary(op, func(x *ir.Value, w int) *ir.Value {
			negative := m.CmpF(arith.Olt, x, m.Float(0, x.Type))
			return m.Op(opname.ArithSelect, x.Type, negative, ceiling(m, x), m.Op(opname.MathFloor, x.Type, x))
		})
	})
	rewriters[opname.MathRound] = unlessExecuted(func(s *state, op *ir.Operation, m rewrite.Maker) bool {
		return floatUnary(op, func(x *ir.Value, w int) *ir.Value {
			// What floor takes from the size of x is exact; adding a half to x is not.
			t := x.Type
			size := m.Op(opname.MathAbsF, t, x)
			whole := m.Op(opname.MathFloor, t, size)
			up := m.CmpF(cmpOge, m.Op(opname.ArithSubF, t, size, whole), m.Float(0.5, t))
			if s.opts.deviate == roundedTwice {
				return signOf(m, m.Op(opname.MathFloor, t, m.Op(opname.ArithAddF, t, size, m.Float(0.5, t))), x, w)
			}
			next := m.Op(opname.ArithAddF, t, whole, m.Float(1, t))
			return signOf(m, m.Op(opname.ArithSelect, t, up, next, whole), x, w)
		})
	})
	rewriters[opname.MathRoundeven] = unlessExecuted(func(s *state, op *ir.Operation, m rewrite.Maker) bool {
		digits, known := map[string]int{"f16": 10, "bf16": 7, "f32": 23, "f64": 52}[op.Operand(0).Type.String()]
		return known && floatUnary(op, func(x *ir.Value, w int) *ir.Value {
			// Sums beyond 2^digits have no fraction: adding that much rounds to even.
			t := x.Type
			size, limit := m.Op(opname.MathAbsF, t, x), m.Float(math.Ldexp(1, digits), t)
			rounded := m.Op(opname.ArithSubF, t, m.Op(opname.ArithAddF, t, size, limit), limit)
			if s.opts.deviate != roundedLarge {
				small := m.CmpF(arith.Olt, size, limit)
				rounded = m.Op(opname.ArithSelect, t, small, rounded, size)
			}
			return signOf(m, rounded, x, w)
		})
	})
	rewriters[opname.MathCopysign] = unlessExecuted(func(_ *state, op *ir.Operation, m rewrite.Maker) bool {
		return floatUnary(op, func(x *ir.Value, w int) *ir.Value { return signOf(m, x, op.Operand(1), w) })
	})
}

// What the tests of these rules break on purpose.
const (
	roundedTwice deviation = "round adds a half, which rounds"
	roundedLarge deviation = "roundeven adds to numbers without fraction"
)

// cmpOge is the predicate oge of arith.cmpf.
const cmpOge = 3

// floatUnary replaces an operation on floats by what f makes of its first operand.
func floatUnary(op *ir.Operation, f func(x *ir.Value, width int) *ir.Value) bool {
	x := op.Operand(0)
	width, ok := ir.BitWidth(x.Type, 64)
	if !ok || !ir.IsFloat(x.Type) || x.Type.String() == "tf32" {
		return false
	}
	replace(op, []*ir.Value{f(x, width)})
	return true
}

// ceiling is the smallest whole number not less than x: -floor(-x).
func ceiling(m rewrite.Maker, x *ir.Value) *ir.Value {
	return m.Op(opname.ArithNegF, x.Type, m.Op(opname.MathFloor, x.Type, m.Op(opname.ArithNegF, x.Type, x)))
}

// signOf is size with the sign of x.
func signOf(m rewrite.Maker, size, x *ir.Value, width int) *ir.Value {
	word := ir.Int(width)
	sign := m.Integer(math.MinInt64>>(64-width), word)
	rest := m.Integer(math.MaxInt64>>(64-width), word)
	bits := func(v, mask *ir.Value) *ir.Value {
		return m.Op(opname.ArithAndI, word, m.Op(opname.ArithBitcast, word, v), mask)
	}
	return m.Op(opname.ArithBitcast, size.Type, m.Op(opname.ArithOrI, word, bits(size, rest), bits(x, sign)))
}

// onlySimulated are the operations that no unit of the fabric library computes.
var onlySimulated = map[string]bool{}

func init() {
	for _, n := range []string{
		opname.MathExp2, opname.MathExpm1, opname.MathLog, opname.MathLog10, opname.MathLog1p, opname.MathPowF, opname.MathFPowI, opname.MathIPowI,
		opname.MathTan, opname.MathAsin, opname.MathAcos, opname.MathAtan, opname.MathAtan2, opname.MathSinh, opname.MathCosh, opname.MathTanh, opname.MathAsinh,
		opname.MathAcosh, opname.MathAtanh, opname.MathCbrt, opname.MathErf, opname.MathRsqrt,
	} {
		onlySimulated[n] = true
	}
}

// instead returns what to compute such an operation from, where that is possible.
var instead = map[string]string{
	opname.MathPowF:  "exp and log2 may do",
	opname.MathLog:   "a fabric may have math.log2",
	opname.MathLog10: "a fabric may have math.log2",
	opname.MathExp2:  "a fabric may have math.exp",
	opname.MathRsqrt: "a fabric may have math.sqrt and arith.divf",
	opname.MathTan:   "a fabric may have math.sin and math.cos",
	opname.MathIPowI: "a loop may do",
}

// remarkSimulated remarks once for each of them that a graph cannot be mapped.
func remarkSimulated(op *ir.Operation, seen map[string]bool, errs *diag.List) {
	if !onlySimulated[op.Name] || seen[op.Name] {
		return
	}
	seen[op.Name] = true
	d := errs.Remarkf(op.Pos, "no function unit of LOOM's library computes '%s': the graph can be simulated, but mapped only on a fabric with a unit of its own for it", op.Name)
	if help := instead[op.Name]; help != "" {
		d.WithHelp("%s", help)
	}
}
