package lower

import (
	"math/bits"

	"loom/compiler/analysis/interval"
	"loom/compiler/analysis/ranges"
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/num"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

// The algebra of one operation: what it is equal to and costs less. Every rule
// holds for all bit patterns as package num computes them (wrap-around, division
// by zero and shifts by the width or more included) or under intervals that the
// range analysis has proven.

// algebra returns a value equal to the result of op, or nil. New operations go
// through m. strength allows multiplications and divisions to become shifts,
// which hides from later analyses that they were multiplications.
func algebra(op *ir.Operation, r *ranges.Ranges, m rewrite.Maker, strength bool) *ir.Value {
	if op.NumResults() != 1 || op.NumOperands() == 0 {
		return nil
	}
	if v := identity(op); v != nil {
		return v
	}
	w, isInt := r.Width(op.Result(0))
	if !isInt {
		return nil
	}
	t := op.Result(0).Type
	if c, ok := r.Evaluate(op).Constant(); ok && isPure(op) && !op.IsConstant() {
		return m.Integer(c, t)
	}
	if op.NumOperands() == 1 {
		return castOf(op, r, m)
	}
	x, y := op.Operand(0), op.Operand(1)
	switch op.Name {
	case opname.ArithCmpI:
		return comparison(op, r, m)
	case opname.ArithSelect:
		return selection(op, r, m)
	}
	c, constant := y.ConstantInt()
	if _, left := x.ConstantInt(); left && !constant && op.Is(ir.Commutative) {
		return m.Op(op.Name, t, y, x)
	}
	if x == y {
		switch op.Name {
		case opname.ArithSubI, opname.ArithXOrI:
			return m.Integer(0, t)
		case opname.ArithAndI, opname.ArithOrI, opname.ArithMinSI, opname.ArithMaxSI, opname.ArithMinUI, opname.ArithMaxUI:
			return x
		}
	}
	a, b := r.Of(x), r.Of(y)
	switch op.Name {
	case opname.ArithMinSI, opname.ArithMaxSI, opname.ArithMinUI, opname.ArithMaxUI:
		p, least := arith.Sle, op.Name == opname.ArithMinSI
		if op.Name == opname.ArithMinUI || op.Name == opname.ArithMaxUI {
			p, least = arith.Ule, op.Name == opname.ArithMinUI
		}
		if less, known := interval.Decide(p, a, b); known {
			return pick(less == least, x, y)
		}
		if less, known := interval.Decide(p, b, a); known {
			return pick(less == least, y, x)
		}
	case opname.ArithRemUI:
		if a.UHi < b.ULo {
			return x
		}
	case opname.ArithRemSI:
		if a.Lo >= 0 && a.Hi < b.Lo {
			return x
		}
	}
	if !constant {
		if op.Name == opname.ArithSubI {
			// x - (x - z) and (x + z) - x.
			if d := y.Def; d != nil && d.Name == opname.ArithSubI && d.Operand(0) == x {
				return d.Operand(1)
			}
			if d := x.Def; d != nil && d.Name == opname.ArithAddI {
				if d.Operand(0) == y {
					return d.Operand(1)
				}
				if d.Operand(1) == y {
					return d.Operand(0)
				}
			}
		}
		return nil
	}
	u := uint64(c) & interval.Mask(w)
	log, power := bits.TrailingZeros64(u), bits.OnesCount64(u) == 1
	switch op.Name {
	case opname.ArithSubI:
		// One form for constants: additions. Counted loops are recognised before.
		if strength {
			return m.Op(opname.ArithAddI, t, x, m.Integer(interval.Signed(-u, w), t))
		}
	case opname.ArithMulI:
		if power && strength {
			return m.Op(opname.ArithShLI, t, x, m.Integer(int64(log), t))
		}
	case opname.ArithDivUI, opname.ArithDivSI:
		if power && strength && (op.Name == opname.ArithDivUI || c > 0 && a.Lo >= 0) {
			return m.Op(opname.ArithShRUI, t, x, m.Integer(int64(log), t))
		}
	case opname.ArithRemUI, opname.ArithRemSI:
		if power && strength && (op.Name == opname.ArithRemUI || c > 0 && a.Lo >= 0) {
			return m.Op(opname.ArithAndI, t, x, m.Integer(interval.Signed(u-1, w), t))
		}
	case opname.ArithAndI:
		// A mask that keeps every bit the value can have.
		if bits.OnesCount64(u+1) <= 1 && a.UHi <= u {
			return x
		}
	}
	return reassociated(op, m, c, w)
}

// reassociated joins the constants of two nested operations of one kind.
func reassociated(op *ir.Operation, m rewrite.Maker, c int64, w int) *ir.Value {
	d := op.Operand(0).Def
	if d == nil || d.NumOperands() != 2 {
		return nil
	}
	inner, ok := d.Operand(1).ConstantInt()
	if !ok {
		return nil
	}
	t := op.Result(0).Type
	x := d.Operand(0)
	if d.Name == op.Name {
		switch {
		case op.Is(ir.Commutative): // and associative, on integers
			k := evaluate(op.Name, uint64(inner), uint64(c), t, w)
			return m.Op(op.Name, t, x, m.Integer(interval.Signed(k, w), t))
		case op.Name == opname.ArithShLI, op.Name == opname.ArithShRUI, op.Name == opname.ArithShRSI:
			// Shifts add up; at the width or more the bits are gone.
			a, b := uint64(inner)&interval.Mask(w), uint64(c)&interval.Mask(w)
			if a >= uint64(w) || b >= uint64(w) {
				return nil
			}
			n := a + b
			if n >= uint64(w) {
				if op.Name != opname.ArithShRSI {
					return m.Integer(0, t)
				}
				n = uint64(w) - 1
			}
			return m.Op(op.Name, t, x, m.Integer(interval.Signed(n, w), t))
		}
	}
	return nil
}

// evaluate computes an operation of two integers of type t.
func evaluate(name string, a, b uint64, t ir.Type, w int) uint64 {
	block := &ir.Block{}
	op := ir.NewOp(name, (&ir.Value{}).Pos(), []*ir.Value{block.AddArg(t, "", (&ir.Value{}).Pos()), block.AddArg(t, "", (&ir.Value{}).Pos())}, []ir.Type{t})
	out, err := num.Eval(op, []uint64{a, b}, w)
	if err != nil {
		panic("lower: " + err.Error())
	}
	return out[0]
}

func pick(first bool, x, y *ir.Value) *ir.Value {
	if first {
		return x
	}
	return y
}

// narrow is the width that units are built for: below it fabrics offer few
// operations, so a rewriting does not turn wide arithmetic into narrow, nor two
// common casts into an uncommon one.
const narrow = 32

// castOf simplifies changes of width: casts of casts and casts that change
// nothing.
func castOf(op *ir.Operation, r *ranges.Ranges, m rewrite.Maker) *ir.Value {
	signs, ok := arith.IntCast(op)
	if !ok {
		return nil
	}
	x, t := op.Operand(0), op.Result(0).Type
	if x.Type == t {
		return x
	}
	d := x.Def
	if d == nil {
		return nil
	}
	inner, ok := arith.IntCast(d)
	if !ok {
		return nil
	}
	y := d.Operand(0)
	from, ok1 := r.Width(y)
	mid, ok2 := r.Width(x)
	to, ok3 := r.Width(op.Result(0))
	if !ok1 || !ok2 || !ok3 {
		return nil
	}
	if y.Type != t && (min(from, to) < narrow && max(from, to) != narrow) {
		return nil
	}
	if mid < from && to > mid {
		// Bits were cut off in between: equal only if they were redundant.
		v := r.Of(y)
		if signs && v.Lo >= interval.MinSigned(mid) && v.Hi <= interval.MaxSigned(mid) {
			return resized(y, t, from, to, true, m)
		}
		if !signs && v.UHi <= interval.Mask(mid) {
			return resized(y, t, from, to, false, m)
		}
		return nil
	}
	switch {
	case to <= from:
		return resized(y, t, from, to, true, m) // the low bits of y
	case to <= mid:
		return resized(y, t, from, to, inner, m) // from < to <= mid: less of the same extension
	case mid == from:
		return resized(y, t, from, to, signs, m)
	case signs == inner, !inner:
		// A zero-extended value is not negative: both extensions agree.
		return resized(y, t, from, to, inner, m)
	}
	return nil
}

// resized is y at another width of from bits or to bits, by the one cast there
// is between the two types.
func resized(y *ir.Value, t ir.Type, from, to int, signs bool, m rewrite.Maker) *ir.Value {
	if y.Type == t {
		return y
	}
	name := opname.ArithExtSI
	switch {
	case y.Type == ir.Type(ir.Index) || t == ir.Type(ir.Index):
		name = opname.ArithIndexCast
		if !signs {
			name = opname.ArithIndexCastUI
		}
	case to < from:
		name = opname.ArithTruncI
	case !signs:
		name = opname.ArithExtUI
	}
	return m.Op(name, t, y)
}

// comparison brings constants to the right and compares what was extended.
func comparison(op *ir.Operation, r *ranges.Ranges, m rewrite.Maker) *ir.Value {
	p, ok := arith.PredicateOf(op)
	if !ok {
		return nil
	}
	x, y := op.Operand(0), op.Operand(1)
	if x == y {
		_, reflexive := interval.Decide(p, interval.Exactly(0, 64), interval.Exactly(0, 64))
		if result, _ := interval.Decide(p, interval.Exactly(0, 64), interval.Exactly(0, 64)); reflexive {
			return m.Integer(truth(result), ir.I1)
		}
	}
	if x.IsConstant() && !y.IsConstant() {
		return m.CmpI(p.Swapped(), y, x)
	}
	c, constant := y.ConstantInt()
	// A bit compared with a constant is the bit or its inverse.
	if constant && x.Type == ir.Type(ir.I1) && (p == arith.Eq || p == arith.Ne) {
		if (c != 0) == (p == arith.Eq) {
			return x
		}
		return m.Op(opname.ArithXOrI, ir.I1, x, m.Integer(-1, ir.I1))
	}
	// An extended bit is zero where the bit is.
	if constant && c == 0 && (p == arith.Eq || p == arith.Ne) && x.Def != nil {
		if _, cast := arith.IntCast(x.Def); cast && x.Def.Operand(0).Type == ir.Type(ir.I1) {
			b := x.Def.Operand(0)
			if p == arith.Ne {
				return b
			}
			return m.Op(opname.ArithXOrI, ir.I1, b, m.Integer(-1, ir.I1))
		}
	}
	// Both sides extended alike from one type: the order is that before.
	if x.Def != nil && y.Def != nil && x.Def.Name == y.Def.Name {
		if signs, cast := arith.IntCast(x.Def); cast {
			a, b := x.Def.Operand(0), y.Def.Operand(0)
			from, ok1 := r.Width(a)
			to, ok2 := r.Width(x)
			if ok1 && ok2 && a.Type == b.Type && from <= to && from >= narrow {
				if !signs && from < to && p >= arith.Slt && p <= arith.Sge {
					p += arith.Ult - arith.Slt // zero-extended values are not negative
				}
				return m.CmpI(p, a, b)
			}
		}
	}
	return nil
}

// clamped is "x < y ? x : y-1", the least of both where y-1 does not wrap, and its like:
// how C keeps a position within an array of y elements.
func clamped(cond, x, other *ir.Value, r *ranges.Ranges, m rewrite.Maker) *ir.Value {
	if cond.Def == nil {
		return nil
	}
	p, ok := arith.PredicateOf(cond.Def)
	if !ok {
		return nil
	}
	kept := func(p arith.IntPredicate, x, limit *ir.Value) *ir.Value {
		a, b := cond.Def.Operand(0), cond.Def.Operand(1)
		if b == x {
			p, a, b = p.Swapped(), b, a
		}
		d := limit.Def
		if a != x || d == nil || d.Name != opname.ArithAddI && d.Name != opname.ArithSubI || d.Operand(0) != b {
			return nil
		}
		c, ok := d.Operand(1).ConstantInt()
		if d.Name == opname.ArithSubI {
			c = -c
		}
		w, isInt := r.Width(b)
		switch i := r.Of(b); {
		case !ok || !isInt:
		case p == arith.Slt && c == -1 && i.Lo > interval.MinSigned(w):
			return m.Op(opname.ArithMinSI, x.Type, x, limit)
		case p == arith.Sgt && c == 1 && i.Hi < interval.MaxSigned(w):
			return m.Op(opname.ArithMaxSI, x.Type, x, limit)
		}
		return nil
	}
	if v := kept(p, x, other); v != nil {
		return v
	}
	return kept(p.Negated(), other, x)
}

func truth(b bool) int64 {
	if b {
		return -1
	}
	return 0
}

// selection simplifies arith.select: of constants into casts and logic, by an
// inverted condition, of a value and its limit into minima and maxima.
func selection(op *ir.Operation, r *ranges.Ranges, m rewrite.Maker) *ir.Value {
	c, x, y := op.Operand(0), op.Operand(1), op.Operand(2)
	t := op.Result(0).Type
	if d := c.Def; d != nil && d.Name == opname.ArithXOrI {
		if k, ok := d.Operand(1).ConstantInt(); ok && k != 0 {
			return m.Op(opname.ArithSelect, t, d.Operand(0), y, x)
		}
	}
	a, okA := x.ConstantInt()
	b, okB := y.ConstantInt()
	not := func(v *ir.Value) *ir.Value { return m.Op(opname.ArithXOrI, ir.I1, v, m.Integer(-1, ir.I1)) }
	if t == ir.Type(ir.I1) {
		switch {
		case okA && okB && a != 0 && b == 0:
			return c
		case okA && okB && a == 0 && b != 0:
			return not(c)
		case okA && a != 0, x == c:
			return m.Op(opname.ArithOrI, t, c, y)
		case okB && b == 0, y == c:
			return m.Op(opname.ArithAndI, t, c, x)
		}
		return nil
	}
	// Nested selects of one condition.
	if d := x.Def; d != nil && d.Name == opname.ArithSelect && d.Operand(0) == c {
		return m.Op(opname.ArithSelect, t, c, d.Operand(1), y)
	}
	if d := y.Def; d != nil && d.Name == opname.ArithSelect && d.Operand(0) == c {
		return m.Op(opname.ArithSelect, t, c, x, d.Operand(2))
	}
	if v := clamped(c, x, y, r, m); v != nil {
		return v
	}
	if w, ok := ir.BitWidth(t, 0); !okA || !okB || !ok || w < narrow {
		return nil
	}
	switch {
	case a == 1 && b == 0:
		return m.Op(opname.ArithExtUI, t, c)
	case a == -1 && b == 0:
		return m.Op(opname.ArithExtSI, t, c)
	}
	return nil
}
