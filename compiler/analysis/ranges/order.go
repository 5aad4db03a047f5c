package ranges

import (
	"loom/compiler/analysis/interval"
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/internal/intmath"
)

// An order is the set of possible relations of two integers: less, equal and greater,
// without those that are excluded.
type order uint8

const (
	orderLess order = 1 << iota
	orderEqual
	orderGreater

	anyOrder = orderLess | orderEqual | orderGreater
)

// ordersOf returns the orders in which a predicate holds, in its own reading.
func ordersOf(p arith.IntPredicate) order {
	switch p.Signed() {
	case arith.Eq:
		return orderEqual
	case arith.Ne:
		return orderLess | orderGreater
	case arith.Slt:
		return orderLess
	case arith.Sle:
		return orderLess | orderEqual
	case arith.Sgt:
		return orderGreater
	}
	return orderGreater | orderEqual
}

// swapped is the order of the integers exchanged.
func (o order) swapped() order {
	t := o & orderEqual
	if o&orderLess != 0 {
		t |= orderGreater
	}
	if o&orderGreater != 0 {
		t |= orderLess
	}
	return t
}

// Decide reports whether "x p y" holds or fails under the present facts: by the intervals
// of both, by the conditions of the branches and the tests of the loops around it.
func (r *Ranges) Decide(p arith.IntPredicate, x, y *ir.Value) (holds, known bool) {
	o := r.order(x, y, p.Unsigned())
	if p == arith.Eq || p == arith.Ne {
		if u := r.order(x, y, true); u&orderEqual == 0 {
			o &^= orderEqual
		}
	}
	want := ordersOf(p)
	return o&^want == 0, o&^want == 0 || o&want == 0
}

// Proves reports whether "x p y" is known to hold.
func (r *Ranges) Proves(p arith.IntPredicate, x, y *ir.Value) bool {
	holds, known := r.Decide(p, x, y)
	return known && holds
}

// order returns the possible relations of x and y, read as unsigned or as signed.
func (r *Ranges) order(x, y *ir.Value, unsigned bool) order {
	o := anyOrder
	if r.sameValue(x, y) {
		return orderEqual
	}
	a, b := r.Of(x), r.Of(y)
	if unsigned {
		o &= compare(a.ULo, a.UHi, b.ULo, b.UHi)
	} else {
		o &= compare(a.Lo, a.Hi, b.Lo, b.Hi) & r.offset(x, y) & r.offset(y, x).swapped()
	}
	if r.differs(x, y) || r.differs(y, x) {
		o &^= orderEqual
	}
	for _, q := range r.relations {
		f := r.read(q, unsigned)
		o &= r.follows(f, q.x, q.y, x, y, unsigned) & r.follows(f.swapped(), q.y, q.x, x, y, unsigned)
	}
	if unsigned && oneSign(a, b) {
		o &= r.order(x, y, false)
	}
	if o == 0 {
		return anyOrder // unreachable code
	}
	return o
}

// differs reports whether x is no constant that y is: what x extends, read with or without sign, is known not to be.
func (r *Ranges) differs(x, y *ir.Value) bool {
	c, ok := y.ConstantInt()
	if !ok {
		return false
	}
	narrow := r.origin(x)
	w, isInt := r.Width(narrow)
	if !isInt || narrow == x {
		return false
	}
	i := r.Of(narrow)
	return c < i.Lo || c > i.Hi || uint64(c)<<(64-w)>>(64-w) < i.ULo || uint64(c)<<(64-w)>>(64-w) > i.UHi
}

// compare is the order of two integers between bounds.
func compare[T int64 | uint64](aLo, aHi, bLo, bHi T) order {
	o := anyOrder
	if aHi < bLo {
		o &^= orderEqual | orderGreater
	}
	if aHi <= bLo {
		o &^= orderGreater
	}
	if aLo > bHi {
		o &^= orderEqual | orderLess
	}
	if aLo >= bHi {
		o &^= orderLess
	}
	return o
}

// offset is the signed order of x and y where one is the other plus a constant without
// wrapping.
func (r *Ranges) offset(x, y *ir.Value) order {
	d := y.Def
	if d == nil || d.Name != opname.ArithAddI || d.Operand(0) != x {
		return anyOrder
	}
	c, ok := d.Operand(1).ConstantInt()
	w, isInt := r.Width(x)
	if !ok || !isInt {
		return anyOrder
	}
	a := r.Of(x)
	least, most := r.limits(x.Type, w)
	if top, ok := intmath.Add(a.Hi, c); c > 0 && ok && top <= most {
		return orderLess
	}
	if low, ok := intmath.Add(a.Lo, c); c < 0 && ok && low >= least {
		return orderGreater
	}
	return anyOrder
}

// oneSign reports whether two integers have one sign: then both readings order them alike.
func oneSign(a, b interval.Interval) bool { return a.Lo >= 0 && b.Lo >= 0 || a.Hi < 0 && b.Hi < 0 }

// read is the order that a comparison that holds implies in one reading.
func (r *Ranges) read(q relation, unsigned bool) order {
	if q.p == arith.Eq || q.p == arith.Ne || q.p.Unsigned() == unsigned || oneSign(r.Of(q.x), r.Of(q.y)) {
		return ordersOf(q.p)
	}
	if o := ordersOf(q.p); o&orderEqual == 0 {
		return orderLess | orderGreater
	}
	return anyOrder
}

// follows is the order of x and y that "c f d" implies.
func (r *Ranges) follows(f order, c, d, x, y *ir.Value, unsigned bool) order {
	if r.sameValue(c, x) && r.sameValue(d, y) {
		if f == orderLess|orderEqual && r.opts.Broken == StrictOrders {
			return orderLess
		}
		return f
	}
	// c < d is c + 1 <= d.
	if f == orderLess && r.sameValue(d, y) && r.follower(x, c) || f == orderGreater && r.sameValue(c, x) && r.follower(y, d) {
		return f | orderEqual
	}
	if f&orderGreater != 0 {
		return anyOrder
	}
	// x <= c <= d <= y.
	if !unsigned && r.atMost(x, c) && r.atMost(d, y) {
		if f == orderLess {
			return orderLess
		}
		return orderLess | orderEqual
	}
	return anyOrder
}

// follower reports whether x is c + 1.
func (r *Ranges) follower(x, c *ir.Value) bool {
	d := x.Def
	if d == nil || d.Name != opname.ArithAddI || x.Type != c.Type || !r.sameValue(d.Operand(0), c) {
		return false
	}
	k, ok := d.Operand(1).ConstantInt()
	return ok && k == 1
}

// atMost proves a <= b from identity or intervals.
func (r *Ranges) atMost(a, b *ir.Value) bool {
	return r.sameValue(a, b) || r.Of(a).Hi <= r.Of(b).Lo
}

// sameValue reports whether two values are the same signed integer, in any widths.
func (r *Ranges) sameValue(a, b *ir.Value) bool {
	a, b = r.origin(a), r.origin(b)
	if a == b {
		return true
	}
	x, okX := a.ConstantInt()
	y, okY := b.ConstantInt()
	return okX && okY && x == y
}

// origin follows a value through extensions that keep the signed value, and from an
// argument of a while's after-region to what the before-region passes.
func (r *Ranges) origin(v *ir.Value) *ir.Value {
	for range 8 {
		if v.Def == nil {
			op := v.Block.ParentOp()
			if op == nil || op.Name != opname.SCFWhile || v.Block != op.Regions[1].Entry() {
				return v
			}
			v = op.Regions[0].Entry().Terminator().Operand(1 + v.Index)
			continue
		}
		signs, cast := arith.IntCast(v.Def)
		if !cast {
			return v
		}
		x := v.Def.Operand(0)
		if !r.widens(v.Def) || !signs && r.grows(v.Def) && r.Of(x).Lo < 0 {
			return v
		}
		v = x
	}
	return v
}

// widens reports whether a cast keeps all bits for every width of an index.
func (r *Ranges) widens(cast *ir.Operation) bool {
	from, ok1 := r.Width(cast.Operand(0))
	to, ok2 := r.Width(cast.Result(0))
	if r.open(cast.Result(0).Type) {
		to = 32
	}
	return ok1 && ok2 && from <= to
}

// grows reports whether a cast that keeps all bits may add some.
func (r *Ranges) grows(cast *ir.Operation) bool {
	from, to := cast.Operand(0), cast.Result(0)
	w, _ := r.Width(from)
	z, _ := r.Width(to)
	return w != z || r.open(from.Type) != r.open(to.Type)
}

// ProvesAt is Proves under the facts that hold at an operation.
func (r *Ranges) ProvesAt(at *ir.Operation, p arith.IntPredicate, x, y *ir.Value) bool {
	m := r.mark()
	r.surrounding(at)
	holds := r.Proves(p, x, y)
	r.undo(m)
	return holds
}
