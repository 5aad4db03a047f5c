package lower

import (
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

// Counting and turning bits, and absolute values, for targets without a unit for them
// (Options.Executes): words whose parts are summed up or exchanged all at once (Warren,
// "Hacker's Delight", chapters 5 and 7). Values are those of package num: of 0 all bits
// are leading and trailing zeros, and the smallest integer is its own absolute value.
func init() {
	for name, f := range map[string]func(m rewrite.Maker, v *ir.Value) *ir.Value{
		opname.MathAbsI: absolute, opname.MathCtPop: countOnes, opname.MathCtTZ: trailingZeros, opname.MathCtLZ: leadingZeros,
		opname.LLVMIntrBitreverse: reverseBits,
	} {
		rewriters[name] = func(s *state, op *ir.Operation, m rewrite.Maker) bool {
			if _, ok := op.Result(0).Type.(*ir.IntegerType); !ok || s.opts.Executes == nil || s.opts.Executes(op) {
				return false
			}
			replace(op, []*ir.Value{f(m, op.Operand(0))})
			return true
		}
	}
}

func absolute(m rewrite.Maker, v *ir.Value) *ir.Value {
	return m.Op(opname.ArithMaxSI, v.Type, v, m.Op(opname.ArithSubI, v.Type, m.Integer(0, v.Type), v))
}

// trailingZeros counts the ones below the lowest one of v.
func trailingZeros(m rewrite.Maker, v *ir.Value) *ir.Value {
	t := v.Type
	below := m.Op(opname.ArithAndI, t, complement(m, v), m.Op(opname.ArithSubI, t, v, m.Integer(1, t)))
	return countOnes(m, below)
}

// leadingZeros sets all bits below the highest one and counts the zeros left.
func leadingZeros(m rewrite.Maker, v *ir.Value) *ir.Value {
	t := v.Type.(*ir.IntegerType)
	for n := 1; n < t.Width; n *= 2 {
		v = m.Op(opname.ArithOrI, t, v, m.Op(opname.ArithShRUI, t, v, m.Integer(int64(n), t)))
	}
	return countOnes(m, complement(m, v))
}

func complement(m rewrite.Maker, v *ir.Value) *ir.Value {
	return m.Op(opname.ArithXOrI, v.Type, v, m.Integer(-1, v.Type))
}

// inWord extends v by zeros to 8, 16, 32 or 64 bits.
func inWord(m rewrite.Maker, v *ir.Value) (*ir.Value, *ir.IntegerType) {
	t := v.Type.(*ir.IntegerType)
	for _, w := range words {
		switch {
		case t.Width == w.Width:
			return v, w
		case t.Width < w.Width:
			return m.Op(opname.ArithExtUI, w, v), w
		}
	}
	return v, t
}

// outOfWord truncates to a type.
func outOfWord(m rewrite.Maker, v *ir.Value, t ir.Type) *ir.Value {
	if v.Type == t {
		return v
	}
	return m.Op(opname.ArithTruncI, t, v)
}

// everyOther is a word with n ones, n zeros, and so on from the lowest bit.
func everyOther(m rewrite.Maker, n int, t *ir.IntegerType) *ir.Value {
	var v uint64
	for i := range 64 {
		if i/n%2 == 0 {
			v |= 1 << i
		}
	}
	return m.Integer(int64(v<<(64-t.Width))>>(64-t.Width), t)
}

func countOnes(m rewrite.Maker, v *ir.Value) *ir.Value {
	from := v.Type
	x, t := inWord(m, v)
	by := func(v *ir.Value, n int64) *ir.Value { return m.Op(opname.ArithShRUI, t, v, m.Integer(n, t)) }
	// Sums of two bits, of four, of eight.
	x = m.Op(opname.ArithSubI, t, x, m.Op(opname.ArithAndI, t, by(x, 1), everyOther(m, 1, t)))
	pairs := everyOther(m, 2, t)
	x = m.Op(opname.ArithAddI, t, m.Op(opname.ArithAndI, t, x, pairs), m.Op(opname.ArithAndI, t, by(x, 2), pairs))
	x = m.Op(opname.ArithAndI, t, m.Op(opname.ArithAddI, t, x, by(x, 4)), everyOther(m, 4, t))
	if t.Width > 8 {
		// The product has the sum of all bytes in its highest.
		ones := uint64(0x0101010101010101) >> (64 - t.Width)
		x = by(m.Op(opname.ArithMulI, t, x, m.Integer(int64(ones), t)), int64(t.Width-8))
	}
	return outOfWord(m, x, from)
}

func reverseBits(m rewrite.Maker, v *ir.Value) *ir.Value {
	from := v.Type.(*ir.IntegerType)
	x, t := inWord(m, v)
	for n := 1; n < t.Width; n *= 2 {
		mask, by := everyOther(m, n, t), m.Integer(int64(n), t)
		up := m.Op(opname.ArithShLI, t, m.Op(opname.ArithAndI, t, x, mask), by)
		x = m.Op(opname.ArithOrI, t, up, m.Op(opname.ArithAndI, t, m.Op(opname.ArithShRUI, t, x, by), mask))
	}
	if t.Width > from.Width {
		x = m.Op(opname.ArithShRUI, t, x, m.Integer(int64(t.Width-from.Width), t))
	}
	return outOfWord(m, x, from)
}
