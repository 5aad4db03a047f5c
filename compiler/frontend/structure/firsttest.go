package structure

import (
	"loom/compiler/analysis/interval"
	"loom/compiler/analysis/ranges"
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

// test is the condition of a loop as a comparison of what it carries: that of
// values at the head of an iteration which decides whether it runs.
type test struct {
	pred arith.IntPredicate
	// x and y are arguments of the first region or values from outside.
	x, y *ir.Value
	// next is set where the loop compares what x and y become, not what they are before their step.
	next bool
}

// at is the test with the values that the loop starts with.
func (t test) at(op *ir.Operation) (x, y *ir.Value) {
	init := func(v *ir.Value) *ir.Value {
		if v.Block == op.Regions[0].Entry() {
			return op.Operand(v.Index)
		}
		return v
	}
	return init(t.x), init(t.y)
}

// passedOn follows an argument of the second region of an scf.while to what the
// first passes.
func passedOn(op *ir.Operation, v *ir.Value) *ir.Value {
	if v.Block == op.Regions[1].Entry() && v.Def == nil {
		return op.Regions[0].Entry().Terminator().Operand(1 + v.Index)
	}
	return v
}

// nextOf is the value of argument i in the next iteration of an scf.while.
func nextOf(op *ir.Operation, i int) *ir.Value {
	return passedOn(op, op.Regions[1].Entry().Terminator().Operand(i))
}

// stepOf matches argument i of an scf.while that grows by a constant.
func stepOf(op *ir.Operation, i int) (step int64, ok bool) {
	return constantStep(nextOf(op, i), func(v *ir.Value) bool {
		return passedOn(op, v) == op.Regions[0].Entry().Args[i]
	})
}

// constantStep matches a value that is a counter plus a constant.
func constantStep(next *ir.Value, counter func(*ir.Value) bool) (int64, bool) {
	d := next.Def
	if d == nil || d.Name != opname.ArithAddI && d.Name != opname.ArithSubI {
		return 0, false
	}
	a, b := d.Operand(0), d.Operand(1)
	if d.Name == opname.ArithAddI && !counter(a) {
		a, b = b, a
	}
	s, ok := b.ConstantInt()
	if !ok || !counter(a) || s == 0 || s == interval.MinSigned(widthOf(b.Type)) {
		return 0, false
	}
	if d.Name == opname.ArithSubI {
		s = -s
	}
	return s, true
}

// meets reports whether a loop that ends where its counter is at a bound ends there by a step that the program says does not
// wrap: so it starts on the right side of it. One that tests last starts before its bound, one that tests first may be at it.
func (t test) meets(op *ir.Operation) (step int64, ok bool) {
	if t.pred != arith.Ne || !rewrite.Outside(t.y, op) {
		return 0, false
	}
	if step, ok = stepOf(op, t.x.Index); !ok {
		return 0, false
	}
	d := nextOf(op, t.x.Index).Def
	return step, d.Name == opname.ArithAddI && arith.IsNoSignedWrap(d)
}

// testedLast reports whether a loop only passes values on in its second region.
func testedLast(op *ir.Operation) bool {
	return len(op.Regions[1].Entry().Ops) == 1 && len(op.Regions[0].Entry().Ops) > 2
}

// testAtEnd reads the test of a loop that is tested at its end: a comparison of
// next values, expressed in the values they become.
func testAtEnd(op *ir.Operation) (t test, ok bool) {
	before := op.Regions[0].Entry()
	cmp := before.Terminator().Operand(0).Def
	if cmp == nil || cmp.Name != opname.ArithCmpI || cmp.Block() != before {
		return t, false
	}
	t.pred, _ = arith.PredicateOf(cmp)
	head := func(v *ir.Value) *ir.Value {
		if rewrite.Outside(v, op) {
			return v
		}
		for i, a := range before.Args {
			if nextOf(op, i) == v {
				return a
			}
		}
		return nil
	}
	t.x, t.y = head(cmp.Operand(0)), head(cmp.Operand(1))
	if t.x != nil && t.y != nil {
		t.next = true
		return t.ordered(op)
	}
	// A test of the value before its step.
	t.x, t.y = cmp.Operand(0), cmp.Operand(1)
	if t.x.Block != before {
		t.x, t.y, t.pred = t.y, t.x, t.pred.Swapped()
	}
	if t.x.Block != before || !rewrite.Outside(t.y, op) {
		return t, false
	}
	return t.stepped(op)
}

// ordered puts what the loop carries first.
func (t test) ordered(op *ir.Operation) (test, bool) {
	before := op.Regions[0].Entry()
	if t.x.Block != before {
		t.x, t.y, t.pred = t.y, t.x, t.pred.Swapped()
	}
	return t, t.x.Block == before
}

// stepped rewrites "x p c", a test of the value x before its step s, as a test
// of x + s. For an order it must be sure that no x of the loop wraps in its step:
// all of them lie beyond c + s, the bound of the new test.
func (t test) stepped(op *ir.Operation) (test, bool) {
	s, ok := stepOf(op, t.x.Index)
	if !ok {
		return t.shrunk(op)
	}
	if deviate == stepIgnored {
		return t, true
	}
	c, constant := t.y.ConstantInt()
	w := widthOf(t.y.Type)
	fits := func(v int64) bool { return v >= interval.MinSigned(w) && v <= interval.MaxSigned(w) }
	if t.pred <= arith.Ne && t.y.Type == ir.Type(ir.Index) && constant && fits(c+s) {
		t.y = newInteger(op, c+s, t.y.Type)
		return t, true
	}
	if !constant && t.pred <= arith.Ne {
		// What wraps on one side wraps on the other. A sum stays one, whose order with what is added to is known.
		y, by := t.y, s
		if d := y.Def; d != nil && d.Name == opname.ArithAddI && w <= 32 {
			if k, ok := d.Operand(1).ConstantInt(); ok && fits(k+s) {
				y, by = d.Operand(0), k+s
			}
		}
		t.y = newOp(opname.ArithAddI, op.Pos, []*ir.Value{y, newInteger(op, by, y.Type)}, y.Type).Result(0)
		return t, true
	}
	if !constant || w > 62 && w != 64 || t.y.Type == ir.Type(ir.Index) {
		return t, false
	}
	lo, hi := interval.MinSigned(w), interval.MaxSigned(w)
	if w == 64 && (c > 1<<40 || c < -1<<40 || s > 1<<40 || s < -1<<40) {
		return t, false
	}
	if t.pred >= arith.Ult {
		if w == 64 && c < 0 || w == 64 && t.pred < arith.Ugt {
			return t, false
		}
		lo = 0
		if w < 64 {
			hi = 1<<w - 1
			c &= hi
		}
	}
	switch t.pred {
	case arith.Eq, arith.Ne:
		bound := (c + s) << (64 - w) >> (64 - w)
		t.y = newInteger(op, bound, t.y.Type)
		return t, true
	case arith.Sgt, arith.Sge, arith.Ugt, arith.Uge:
		// x >= c + s, so x + s >= c + 2s.
		if s > 0 || c+s < lo || c+2*s+1 < lo || t.pred&1 == 1 && c+2*s < lo {
			return t, false
		}
	default:
		if s < 0 || c+s > hi || c+2*s > hi {
			return t, false
		}
	}
	t.y = newInteger(op, (c+s)<<(64-w)>>(64-w), t.y.Type)
	return t, true
}

// shrunk rewrites "x > d - 1" as "x / d is not 0 yet", for a loop whose values are
// divided by d or shifted.
func (t test) shrunk(op *ir.Operation) (test, bool) {
	next := nextOf(op, t.x.Index).Def
	if next == nil || next.NumOperands() != 2 || passedOn(op, next.Operand(0)) != t.x {
		return t, false
	}
	d, ok := next.Operand(1).ConstantInt()
	c, constant := t.y.ConstantInt()
	if !ok || !constant || t.x.Type == ir.Type(ir.Index) {
		return t, false
	}
	if next.Name == opname.ArithShRUI || next.Name == opname.ArithShRSI {
		if d < 1 || d > 30 || d >= int64(widthOf(t.x.Type)-1) {
			return t, false
		}
		d = 1 << d
	}
	if t.pred == arith.Uge || t.pred == arith.Sge {
		c, t.pred = c-1, t.pred-1 // arith.Ugt, arith.Sgt
	}
	switch {
	case d < 2 || c != d-1:
		return t, false
	case (next.Name == opname.ArithShRUI || next.Name == opname.ArithDivUI) && t.pred == arith.Ugt:
		t.pred = arith.Ne
	case (next.Name == opname.ArithShRSI || next.Name == opname.ArithDivSI) && t.pred == arith.Sgt:
	default:
		return t, false
	}
	t.y = newInteger(op, 0, t.x.Type)
	return t, true
}

// newInteger makes a constant that is in no block yet; insertBefore puts it in front of
// op when it is needed.
func newInteger(op *ir.Operation, value int64, t ir.Type) *ir.Value {
	return newConstant(op.Pos, value, t).Result(0)
}

func insertBefore(op *ir.Operation, v *ir.Value) *ir.Value {
	if v.Def != nil && v.Def.Block() == nil {
		for _, w := range v.Def.Operands() {
			insertBefore(op, w)
		}
		op.Block().InsertBefore(op, v.Def)
	}
	return v
}

// endless is how often no loop of a run that ends iterates. A counter of 64 bits
// that starts below it and counts by one does not reach the values with the sign
// bit, nor its bound when it counts down.
const endless = int64(1) << 62

// strengthen rewrites the test "not yet at the bound" as an order where the counter
// approaches the bound from the right side, in steps of one or in such that it meets the
// bound: it bounds the counter, and scf.for has this test.
func (t test) strengthen(op *ir.Operation, p *ranges.Ranges) test {
	s, ok := stepOf(op, t.x.Index)
	if !ok || t.pred != arith.Ne || !rewrite.Outside(t.y, op) {
		return t
	}
	init, bound := t.at(op)
	from, known := init.ConstantInt()
	to, constant := bound.ConstantInt()
	exactly := known && constant && from > -endless && to < endless && (to-from)%s == 0
	_, never := t.meets(op) // wraps
	switch {
	case s > 0 && (never || exactly && from <= to):
		t.pred = arith.Slt
	case s < 0 && (never || exactly && from >= to):
		t.pred = arith.Sgt
	case s == 1 && (p.Proves(arith.Sle, init, bound) || startsLow(p, init) || deviate == orderUnproven):
		t.pred = arith.Slt
	case s == -1 && p.Proves(arith.Sge, init, bound):
		t.pred = arith.Sgt
	}
	return t
}

// startsLow reports whether a counter is so wide, and starts so low, that it never
// reaches its largest value.
func startsLow(p *ranges.Ranges, init *ir.Value) bool {
	r := p.Of(init)
	return init.Type == ir.Type(ir.I64) && r.Lo >= 0 && r.Hi <= endless
}
