package structure

import (
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/num"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

// simpler replaces a pure operation whose value is known, or is that of another.
func (c *cleaner) simpler(op *ir.Operation, emit func(*ir.Operation)) bool {
	if op.NumResults() != 1 || !op.Is(ir.Pure) || len(op.Regions) > 0 || op.Is(ir.ConstantLike) {
		return false
	}
	v := c.folded(op, emit)
	if v == nil {
		v = c.same(op, maker(op.Pos, emit))
	}
	if v == nil {
		return false
	}
	replaceValue(op.Result(0), v)
	op.SetOperands(nil)
	return true
}

// folded computes an operation on constants. The value of an index must not
// depend on its width.
func (c *cleaner) folded(op *ir.Operation, emit func(*ir.Operation)) *ir.Value {
	if op.NumOperands() == 0 || !ir.IsInt(op.Result(0).Type) || !num.Supported(op.Name) {
		return nil
	}
	width := 64
	values := make([]uint64, op.NumOperands())
	for i, v := range op.Operands() {
		k, ok := v.ConstantInt()
		if !ok || !ir.IsInt(v.Type) {
			return nil
		}
		values[i] = num.Truncate(uint64(k), v.Type, width)
	}
	switch op.Name {
	case opname.ArithDivSI, opname.ArithDivUI, opname.ArithRemSI, opname.ArithRemUI, opname.ArithCeilDivSI, opname.ArithCeilDivUI, opname.ArithFloorDivSI:
		if values[1] == 0 {
			return nil
		}
	}
	got, err := num.Eval(op, values, width)
	if err != nil {
		return nil
	}
	t := op.Result(0).Type
	n := num.SignExtend(got[0], t, width)
	if usesIndex(op) {
		small := make([]uint64, len(values))
		for i, v := range op.Operands() {
			k, _ := v.ConstantInt()
			small[i] = num.Truncate(uint64(k), v.Type, 32)
		}
		narrow, err := num.Eval(op, small, 32)
		if err != nil || num.SignExtend(narrow[0], t, 32) != n {
			return nil
		}
	}
	k := newConstant(op.Pos, n, t)
	emit(k)
	return k.Result(0)
}

func usesIndex(op *ir.Operation) bool {
	if op.Result(0).Type == ir.Type(ir.Index) {
		return true
	}
	for _, v := range op.Operands() {
		if v.Type == ir.Type(ir.Index) {
			return true
		}
	}
	return false
}

// same finds a value that an operation merely repeats.
func (c *cleaner) same(op *ir.Operation, m rewrite.Maker) *ir.Value {
	switch op.Name {
	case opname.ArithSelect:
		cond, a, b := op.Operand(0), op.Operand(1), op.Operand(2)
		switch {
		case a == b || isTrue(cond) || isPoison(b):
			return a
		case isFalse(cond) || isPoison(a):
			return b
		case a.Type == ir.Type(ir.I1):
			return c.logic(cond, a, b, m)
		}
	case opname.ArithAndI, opname.ArithOrI, opname.ArithXOrI:
		if v := absorbed(op, m); v != nil {
			return v
		}
		return c.bits(op, m)
	case opname.ArithAddI, opname.ArithSubI, opname.ArithMulI:
		if v := op.PassedOn(); v != nil {
			return v
		}
	case opname.ArithIndexCast, opname.ArithIndexCastUI:
		// There and back: the index is at least as wide as 32 bits.
		d := op.Operand(0).Def
		if d == nil || d.Name != op.Name || d.Operand(0).Type != op.Result(0).Type {
			return nil
		}
		if t, ok := op.Result(0).Type.(*ir.IntegerType); ok && t.Width <= 32 {
			return d.Operand(0)
		}
	case opname.ArithCmpI:
		if v := c.compareChoice(op, m); v != nil {
			return v
		}
		if op.Operand(0) == op.Operand(1) {
			p, _ := arith.PredicateOf(op)
			return c.truth(p.Reflexive())
		}
	}
	return nil
}

// logic is a selection between flags as one operation on flags, nil where it
// takes more than one.
func (c *cleaner) logic(cond, a, b *ir.Value, m rewrite.Maker) *ir.Value {
	switch {
	case isTrue(a) && isFalse(b):
		return cond
	case isFalse(a) && isTrue(b):
		return not(m, cond)
	case isFalse(b):
		return m.Op(opname.ArithAndI, ir.I1, cond, a)
	case isTrue(a):
		return m.Op(opname.ArithOrI, ir.I1, cond, b)
	case isFalse(a):
		return m.Op(opname.ArithAndI, ir.I1, not(m, cond), b)
	case isTrue(b):
		return m.Op(opname.ArithOrI, ir.I1, not(m, cond), a)
	}
	return nil
}

// compareChoice folds a comparison of a selection among constants with a constant into
// the selection's conditions.
func (c *cleaner) compareChoice(op *ir.Operation, m rewrite.Maker) *ir.Value {
	p, _ := arith.PredicateOf(op)
	k, ok := op.Operand(1).ConstantInt()
	choice := op.Operand(0).Def
	if !ok || p > arith.Ne || !choosesConstants(op.Operand(0), 3) || choice.Name != opname.ArithSelect {
		return nil
	}
	var is func(v *ir.Value) *ir.Value
	is = func(v *ir.Value) *ir.Value {
		if x, ok := v.ConstantInt(); ok {
			return c.truth((x == k) == (p == arith.Eq))
		}
		a, b := is(v.Def.Operand(1)), is(v.Def.Operand(2))
		if a == b {
			return a
		}
		if w := c.logic(v.Def.Operand(0), a, b, m); w != nil {
			return w
		}
		return m.Op(opname.ArithSelect, ir.I1, v.Def.Operand(0), a, b)
	}
	return is(op.Operand(0))
}

// choosesConstants reports whether a value is a constant or a selection between
// such values, up to a depth.
func choosesConstants(v *ir.Value, depth int) bool {
	if _, ok := v.ConstantInt(); ok {
		return true
	}
	return depth > 0 && v.Def != nil && v.Def.Name == opname.ArithSelect &&
		choosesConstants(v.Def.Operand(1), depth-1) && choosesConstants(v.Def.Operand(2), depth-1)
}

// opposites reports whether one condition holds exactly where the other does not.
func opposites(a, b *ir.Value) bool {
	x, y := a.Def, b.Def
	if x == nil || y == nil {
		return false
	}
	p, okX := arith.PredicateOf(x)
	q, okY := arith.PredicateOf(y)
	if okX && okY {
		return p == q.Negated() && x.Operand(0).Equals(y.Operand(0)) && x.Operand(1).Equals(y.Operand(1))
	}
	return x.Name == opname.ArithXOrI && isTrue(x.Operand(1)) && x.Operand(0) == b ||
		y.Name == opname.ArithXOrI && isTrue(y.Operand(1)) && y.Operand(0) == a
}

// absorbed simplifies x | (!x & y) to x | y, and x & (!x | y) to x & y.
func absorbed(op *ir.Operation, m rewrite.Maker) *ir.Value {
	inner := map[string]string{opname.ArithOrI: opname.ArithAndI, opname.ArithAndI: opname.ArithOrI}[op.Name]
	if op.Result(0).Type != ir.Type(ir.I1) || inner == "" {
		return nil
	}
	for i := range 2 {
		x, d := op.Operand(i), op.Operand(1-i).Def
		if d == nil || d.Name != inner {
			continue
		}
		for k := range 2 {
			if opposites(x, d.Operand(k)) {
				return m.Op(op.Name, ir.I1, x, d.Operand(1-k))
			}
		}
	}
	return nil
}

// bits simplifies operations on bits.
func (c *cleaner) bits(op *ir.Operation, m rewrite.Maker) *ir.Value {
	a, b := op.Operand(0), op.Operand(1)
	if _, ok := a.ConstantInt(); ok {
		a, b = b, a
	}
	k, constant := b.ConstantInt()
	if a.Type == ir.Type(ir.I1) && k != 0 {
		k = -1
	}
	switch {
	case op.Name == opname.ArithXOrI && a == b:
		return nil
	case a == b:
		return a
	case !constant:
		return nil
	case k == 0 && op.Name == opname.ArithAndI, k == -1 && op.Name == opname.ArithOrI:
		return b
	case k == 0, k == -1 && op.Name == opname.ArithAndI:
		return a
	case op.Name == opname.ArithXOrI && a.Type == ir.Type(ir.I1) && a.Def != nil:
		switch a.Def.Name {
		case opname.ArithCmpI, opname.ArithCmpF:
			return not(m, a)
		case opname.ArithXOrI:
			if isTrue(a.Def.Operand(1)) {
				return a.Def.Operand(0)
			}
		}
	}
	return nil
}
