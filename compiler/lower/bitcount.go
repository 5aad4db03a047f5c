package lower

import (
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// Counting and turning bits, and absolute values, for targets without a unit for them
// (Options.Executes): words whose parts are summed up or exchanged all at once (Warren,
// "Hacker's Delight", chapters 5 and 7). Values are those of package num: of 0 all bits
// are leading and trailing zeros, and the smallest number is its own absolute value.
func init() {
	for name, f := range map[string]func(m maker, v *ir.Value) *ir.Value{
		opname.MathAbsI: absolute, opname.MathCtPop: countOnes, opname.MathCtTZ: trailingZeros, opname.MathCtLZ: leadingZeros,
		opname.LLVMIntrBitreverse: reverseBits,
	} {
		rewriters[name] = func(s *state, op *ir.Operation, m maker) bool {
			if _, ok := op.Result(0).Type.(*ir.IntegerType); !ok || s.opts.Executes == nil || s.opts.Executes(op) {
				return false
			}
			replace(op, []*ir.Value{f(m, op.Operand(0))})
			return true
		}
	}
}

func absolute(m maker, v *ir.Value) *ir.Value {
	return m.op(opname.ArithMaxSI, v.Type, v, m.op(opname.ArithSubI, v.Type, m.integer(0, v.Type), v))
}

// trailingZeros counts the ones below the lowest one of v.
func trailingZeros(m maker, v *ir.Value) *ir.Value {
	t := v.Type
	below := m.op(opname.ArithAndI, t, complement(m, v), m.op(opname.ArithSubI, t, v, m.integer(1, t)))
	return countOnes(m, below)
}

// leadingZeros fills all places below the highest one and counts what is left.
func leadingZeros(m maker, v *ir.Value) *ir.Value {
	t := v.Type.(*ir.IntegerType)
	for n := 1; n < t.Width; n *= 2 {
		v = m.op(opname.ArithOrI, t, v, m.op(opname.ArithShRUI, t, v, m.integer(int64(n), t)))
	}
	return countOnes(m, complement(m, v))
}

func complement(m maker, v *ir.Value) *ir.Value {
	return m.op(opname.ArithXOrI, v.Type, v, m.integer(-1, v.Type))
}

// inWord extends v by zeros to 8, 16, 32 or 64 bits.
func inWord(m maker, v *ir.Value) (*ir.Value, *ir.IntegerType) {
	t := v.Type.(*ir.IntegerType)
	for _, w := range words {
		switch {
		case t.Width == w.Width:
			return v, w
		case t.Width < w.Width:
			return m.op(opname.ArithExtUI, w, v), w
		}
	}
	return v, t
}

// outOfWord truncates to a type.
func outOfWord(m maker, v *ir.Value, t ir.Type) *ir.Value {
	if v.Type == t {
		return v
	}
	return m.op(opname.ArithTruncI, t, v)
}

// everyOther is a word with n ones, n zeros, and so on from the lowest bit.
func everyOther(m maker, n int, t *ir.IntegerType) *ir.Value {
	var v uint64
	for i := range 64 {
		if i/n%2 == 0 {
			v |= 1 << i
		}
	}
	return m.integer(int64(v<<(64-t.Width))>>(64-t.Width), t)
}

func countOnes(m maker, v *ir.Value) *ir.Value {
	from := v.Type
	x, t := inWord(m, v)
	by := func(v *ir.Value, n int64) *ir.Value { return m.op(opname.ArithShRUI, t, v, m.integer(n, t)) }
	// Sums of two bits, of four, of eight.
	x = m.op(opname.ArithSubI, t, x, m.op(opname.ArithAndI, t, by(x, 1), everyOther(m, 1, t)))
	pairs := everyOther(m, 2, t)
	x = m.op(opname.ArithAddI, t, m.op(opname.ArithAndI, t, x, pairs), m.op(opname.ArithAndI, t, by(x, 2), pairs))
	x = m.op(opname.ArithAndI, t, m.op(opname.ArithAddI, t, x, by(x, 4)), everyOther(m, 4, t))
	if t.Width > 8 {
		// The product has the sum of all bytes in its highest.
		ones := uint64(0x0101010101010101) >> (64 - t.Width)
		x = by(m.op(opname.ArithMulI, t, x, m.integer(int64(ones), t)), int64(t.Width-8))
	}
	return outOfWord(m, x, from)
}

func reverseBits(m maker, v *ir.Value) *ir.Value {
	from := v.Type.(*ir.IntegerType)
	x, t := inWord(m, v)
	for n := 1; n < t.Width; n *= 2 {
		mask, by := everyOther(m, n, t), m.integer(int64(n), t)
		up := m.op(opname.ArithShLI, t, m.op(opname.ArithAndI, t, x, mask), by)
		x = m.op(opname.ArithOrI, t, up, m.op(opname.ArithAndI, t, m.op(opname.ArithShRUI, t, x, by), mask))
	}
	if t.Width > from.Width {
		x = m.op(opname.ArithShRUI, t, x, m.integer(int64(t.Width-from.Width), t))
	}
	return outOfWord(m, x, from)
}
