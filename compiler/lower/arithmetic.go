package lower

import (
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

// Operations that not every target has a unit for, written as operations that some
// do, with exactly the values that package num defines, division by zero and
// NaN included (arith's own expansions leave both open).
func init() {
	rewriters[opname.ArithCeilDivUI] = ceilDivUnsigned
	rewriters[opname.ArithCeilDivSI] = func(s *state, op *ir.Operation, m rewrite.Maker) bool { return roundedDivision(s, op, m, true) }
	rewriters[opname.ArithFloorDivSI] = func(s *state, op *ir.Operation, m rewrite.Maker) bool { return roundedDivision(s, op, m, false) }
	rewriters[opname.ArithAddUIExtended] = addExtended
	rewriters[opname.ArithMulUIExtended] = func(s *state, op *ir.Operation, m rewrite.Maker) bool { return multiplyExtended(s, op, m, false) }
	rewriters[opname.ArithMulSIExtended] = func(s *state, op *ir.Operation, m rewrite.Maker) bool { return multiplyExtended(s, op, m, true) }
	rewriters[opname.ArithMinimumF] = unlessExecuted(func(_ *state, op *ir.Operation, m rewrite.Maker) bool { return floatExtreme(op, m, true, true) })
	rewriters[opname.ArithMaximumF] = unlessExecuted(func(_ *state, op *ir.Operation, m rewrite.Maker) bool { return floatExtreme(op, m, false, true) })
	rewriters[opname.ArithMinNumF] = unlessExecuted(func(_ *state, op *ir.Operation, m rewrite.Maker) bool { return floatExtreme(op, m, true, false) })
	rewriters[opname.ArithMaxNumF] = unlessExecuted(func(_ *state, op *ir.Operation, m rewrite.Maker) bool { return floatExtreme(op, m, false, false) })
}

// inexact is whether a / b leaves a remainder; never for b = 0, so that division
// by zero keeps the value of the plain division. A product costs less than a
// second division.
func inexact(s *state, m rewrite.Maker, a, b, quotient *ir.Value) *ir.Value {
	t := a.Type
	product := m.Op(opname.ArithMulI, t, quotient, b)
	differs := m.CmpI(arith.Ne, product, a)
	if s.opts.deviate == zeroCorrected {
		return differs
	}
	valid := m.CmpI(arith.Ne, b, m.Integer(0, t))
	return m.Op(opname.ArithAndI, ir.I1, differs, valid)
}

// ceilDivUnsigned is a / b + (a % b != 0).
func ceilDivUnsigned(s *state, op *ir.Operation, m rewrite.Maker) bool {
	a, b, t := op.Operand(0), op.Operand(1), op.Result(0).Type
	if !ir.IsInt(t) {
		return false
	}
	q := m.Op(opname.ArithDivUI, t, a, b)
	up := m.Op(opname.ArithSelect, t, inexact(s, m, a, b, q), m.Integer(1, t), m.Integer(0, t))
	replace(op, []*ir.Value{m.Op(opname.ArithAddI, t, q, up)})
	return true
}

// roundedDivision is a / b toward zero, corrected by one where there is a
// remainder and the exact quotient lies on the other side: above for equal signs
// (up), below for different ones.
func roundedDivision(s *state, op *ir.Operation, m rewrite.Maker, up bool) bool {
	a, b, t := op.Operand(0), op.Operand(1), op.Result(0).Type
	if !ir.IsInt(t) {
		return false
	}
	zero := m.Integer(0, t)
	q := m.Op(opname.ArithDivSI, t, a, b)
	// The sign of a xor b is that of the exact quotient.
	below := m.CmpI(arith.Slt, m.Op(opname.ArithXOrI, t, a, b), zero)
	by := int64(-1)
	if up {
		by = 1
		below = m.Op(opname.ArithXOrI, ir.I1, below, m.Integer(-1, ir.I1))
	}
	wrong := m.Op(opname.ArithAndI, ir.I1, inexact(s, m, a, b, q), below)
	replace(op, []*ir.Value{m.Op(opname.ArithAddI, t, q, m.Op(opname.ArithSelect, t, wrong, m.Integer(by, t), zero))})
	return true
}

// addExtended gives the sum and whether it wrapped: it is below its operands
// then.
func addExtended(_ *state, op *ir.Operation, m rewrite.Maker) bool {
	t := op.Result(0).Type
	if !ir.IsInt(t) {
		return false
	}
	sum := m.Op(opname.ArithAddI, t, op.Operand(0), op.Operand(1))
	replace(op, []*ir.Value{sum, m.CmpI(arith.Ult, sum, op.Operand(0))})
	return true
}

// multiplyExtended gives both halves of a product: through a type of twice the
// width where there is one, by the halves of the operands beyond 32 bits.
func multiplyExtended(s *state, op *ir.Operation, m rewrite.Maker, signed bool) bool {
	t := op.Result(0).Type
	width, ok := ir.BitWidth(t, s.opts.IndexWidth)
	if !ir.IsInt(t) || !ok || width > 64 {
		return false
	}
	a, b := op.Operand(0), op.Operand(1)
	extend, fromIndex, toIndex := opname.ArithExtUI, opname.ArithIndexCastUI, opname.ArithIndexCastUI
	if signed {
		extend, fromIndex = opname.ArithExtSI, opname.ArithIndexCast
	}
	wide := func(v *ir.Value, to int) *ir.Value {
		switch {
		case v.Type == ir.Type(ir.Index):
			return m.Op(fromIndex, ir.Int(to), v)
		case width == to:
			return v
		}
		return m.Op(extend, ir.Int(to), v)
	}
	narrow := func(v *ir.Value, from int) *ir.Value {
		switch {
		case t == ir.Type(ir.Index):
			return m.Op(toIndex, t, v)
		case width == from:
			return v
		}
		return m.Op(opname.ArithTruncI, t, v)
	}
	if width <= 32 {
		d := ir.Int(2 * width)
		product := m.Op(opname.ArithMulI, d, wide(a, 2*width), wide(b, 2*width))
		high := m.Op(opname.ArithShRUI, d, product, m.Integer(int64(width), d))
		replace(op, []*ir.Value{narrow(product, 2*width), narrow(high, 2*width)})
		return true
	}
	low, high := multiply64(m, wide(a, 64), wide(b, 64), signed && s.opts.deviate != productSigned)
	l64 := ir.Int(64)
	if width < 64 {
		// The upper half of 2*width bits lies across the two words.
		high = m.Op(opname.ArithOrI, l64,
			m.Op(opname.ArithShLI, l64, high, m.Integer(int64(64-width), l64)),
			m.Op(opname.ArithShRUI, l64, low, m.Integer(int64(width), l64)))
	}
	replace(op, []*ir.Value{narrow(low, 64), narrow(high, 64)})
	return true
}

// multiply64 is the schoolbook product of two 64-bit integers by halves of 32
// bits; no sum in it exceeds 64 bits.
func multiply64(m rewrite.Maker, a, b *ir.Value, signed bool) (low, high *ir.Value) {
	t := ir.Int(64)
	n32, mask := m.Integer(32, t), m.Integer(1<<32-1, t)
	halves := func(v *ir.Value) (lo, hi *ir.Value) {
		return m.Op(opname.ArithAndI, t, v, mask), m.Op(opname.ArithShRUI, t, v, n32)
	}
	mul := func(x, y *ir.Value) *ir.Value { return m.Op(opname.ArithMulI, t, x, y) }
	add := func(x, y *ir.Value) *ir.Value { return m.Op(opname.ArithAddI, t, x, y) }
	al, ah := halves(a)
	bl, bh := halves(b)
	cross := add(mul(ah, bl), m.Op(opname.ArithShRUI, t, mul(al, bl), n32))
	crossLow, crossHigh := halves(cross)
	other := add(mul(al, bh), crossLow)
	high = add(add(mul(ah, bh), crossHigh), m.Op(opname.ArithShRUI, t, other, n32))
	if signed {
		// The unsigned product of a negative factor is too large by the other
		// factor times 2^64.
		zero := m.Integer(0, t)
		correct := func(x, y *ir.Value) {
			negative := m.CmpI(arith.Slt, x, zero)
			high = m.Op(opname.ArithSubI, t, high, m.Op(opname.ArithSelect, t, negative, y, zero))
		}
		correct(a, b)
		correct(b, a)
	}
	return mul(a, b), high
}

// floatExtreme is minimum or maximum with -0 below +0: equal values differ at
// most in the sign, which the minimum has if one operand has it and the maximum
// if both have it. A NaN operand makes the result the quiet NaN (propagate), or
// the other operand.
func floatExtreme(op *ir.Operation, m rewrite.Maker, minimum, propagate bool) bool {
	a, b, t := op.Operand(0), op.Operand(1), op.Result(0).Type
	quiet, known := map[string]int64{"f16": 0x7e00, "bf16": 0x7fc0, "f32": 0x7fc00000, "f64": 0x7ff8000000000000}[t.String()]
	if !known {
		return false
	}
	width, _ := ir.BitWidth(t, 64)
	word := ir.Int(width)
	first, second, join := a, b, opname.ArithOrI
	if !minimum {
		first, second, join = b, a, opname.ArithAndI
	}
	raw := func(v *ir.Value) *ir.Value { return m.Op(opname.ArithBitcast, word, v) }
	equal := m.Op(opname.ArithBitcast, t, m.Op(join, word, raw(a), raw(b)))
	takeA := m.CmpF(arith.Olt, first, second)
	takeB := m.CmpF(arith.Olt, second, first)
	value := m.Op(opname.ArithSelect, t, takeA, a, m.Op(opname.ArithSelect, t, takeB, b, equal))
	nan := m.Op(opname.ArithBitcast, t, m.Integer(quiet, word))
	isNaN := func(x, y *ir.Value) *ir.Value { return m.CmpF(arith.Uno, x, y) }
	if propagate {
		value = m.Op(opname.ArithSelect, t, isNaN(a, b), nan, value)
	} else {
		value = m.Op(opname.ArithSelect, t, isNaN(b, b), a, value)
		value = m.Op(opname.ArithSelect, t, isNaN(a, a), m.Op(opname.ArithSelect, t, isNaN(b, b), nan, b), value)
	}
	replace(op, []*ir.Value{value})
	return true
}
