package lower

import (
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/rewrite"
)

// guardLoops makes every scf.for run at least once (design page "SCF to DFG",
// "Settled: zero-trip scf.for"). A loop whose trip count may be zero becomes
//
//	if (lb < ub) { for … } else { yield inits }
//
// with the comparison the loop itself asks first. Where intervals, an enclosing
// branch or an enclosing loop already prove that it holds, nothing is added.
// Guarantees: every scf.for that is reached iterates. Guards of loops that follow
// each other with the same bounds become one branch when "tidy" merges branches
// of one condition.
func guardLoops(s *state, _ *diag.List) {
	if s.opts.deviate == noGuard {
		return
	}
	r := s.ranges()
	// Outer loops first: the guard of an outer loop proves inner ones.
	var visit func(b *ir.Block)
	visit = func(b *ir.Block) {
		rewrite.Rebuild(b, func(op *ir.Operation, emit func(*ir.Operation)) {
			if op.Name == "scf.for" && !r.runs(op) {
				guard(op, emit)
			} else {
				emit(op)
			}
			for i, q := range op.Regions {
				for _, inner := range q.Blocks {
					r.enter(op, i, func() { visit(inner) })
				}
			}
		})
	}
	visit(s.fn.Regions[0].Entry())
}

// guard emits the comparison and the branch around a loop.
func guard(loop *ir.Operation, emit func(*ir.Operation)) {
	// The guard asks what the loop's own first test asks.
	_, cond := loopKind(loop)
	p, _ := contPredicate(cond)
	runs := maker{at: loop, emit: emit}.compare("arith.cmpi", p, loop.Operand(0), loop.Operand(1))
	runs.Name = "runs"
	wrap(loop, runs, emit)
}

// runs proves that a counted loop iterates when it is reached.
func (r *ranges) runs(loop *ir.Operation) bool {
	_, cond := loopKind(loop)
	p, ok := contPredicate(cond)
	return ok && r.order(loop, loop.Operand(0), loop.Operand(1))&^ordersOf(p) == 0
}

// An order says how two signed numbers may lie: any of less, equal and greater
// that is not excluded.
type order uint8

const (
	orderLess order = 1 << iota
	orderEqual
	orderGreater

	anyOrder = orderLess | orderEqual | orderGreater
)

// ordersOf returns the orders in which a signed predicate holds.
func ordersOf(p int64) order {
	switch p {
	case predEq:
		return orderEqual
	case predNe:
		return orderLess | orderGreater
	case predSlt:
		return orderLess
	case predSle:
		return orderLess | orderEqual
	case predSgt:
		return orderGreater
	case predSge:
		return orderGreater | orderEqual
	}
	return anyOrder
}

// turned is the order of the numbers exchanged.
func (o order) turned() order {
	t := o & orderEqual
	if o&orderLess != 0 {
		t |= orderGreater
	}
	if o&orderGreater != 0 {
		t |= orderLess
	}
	return t
}

// order returns how x and y may lie to each other at the place of an operation,
// of which the facts are those present: by their intervals, by the conditions of
// the branches around it, and by the tests of the loops around it.
func (r *ranges) order(at *ir.Operation, x, y *ir.Value) order {
	o := anyOrder
	if r.sameNumber(x, y) {
		return orderEqual
	}
	a, b := r.of(x), r.of(y)
	if a.hi < b.lo {
		o &^= orderEqual | orderGreater
	}
	if a.hi <= b.lo {
		o &^= orderGreater
	}
	if a.lo > b.hi {
		o &^= orderEqual | orderLess
	}
	if a.lo >= b.hi {
		o &^= orderLess
	}
	o &= r.offset(x, y) & r.offset(y, x).turned()
	r.around(at, func(p int64, c, d *ir.Value) {
		f := r.signedOrder(p, c, d)
		for range 2 {
			o &= r.follows(f, c, d, x, y)
			c, d, f = d, c, f.turned()
		}
	})
	if o == 0 {
		return anyOrder // a place that is never reached
	}
	return o
}

// offset is the order of x and y where one is the other plus a constant without
// wrapping.
func (r *ranges) offset(x, y *ir.Value) order {
	d := y.Def
	if d == nil || d.Name != "arith.addi" || d.Operand(0) != x {
		return anyOrder
	}
	c, ok := d.Operand(1).ConstantInt()
	w, isInt := r.width(x)
	if !ok || !isInt {
		return anyOrder
	}
	a := r.of(x)
	if top, ok := addSigned(a.hi, c); c > 0 && ok && top <= maxSigned(w) {
		return orderLess
	}
	if low, ok := addSigned(a.lo, c); c < 0 && ok && low >= minSigned(w) {
		return orderGreater
	}
	return anyOrder
}

// signedOrder turns a comparison that holds into an order of signed numbers. The
// unsigned predicates say the same where both numbers have one sign.
func (r *ranges) signedOrder(p int64, x, y *ir.Value) order {
	if p < predUlt {
		return ordersOf(p)
	}
	a, b := r.of(x), r.of(y)
	if a.lo >= 0 && b.lo >= 0 || a.hi < 0 && b.hi < 0 {
		return ordersOf(p - predUlt + predSlt)
	}
	if p == predUlt || p == predUgt {
		return orderLess | orderGreater
	}
	return anyOrder
}

// follows is what "c f d" says about x and y.
func (r *ranges) follows(f order, c, d, x, y *ir.Value) order {
	if r.sameNumber(c, x) && r.sameNumber(d, y) {
		if f == orderLess|orderEqual && r.deviate == guardsAtMost {
			return orderLess
		}
		return f
	}
	if f&orderGreater != 0 {
		return anyOrder
	}
	// x <= c <= d <= y.
	if r.atMost(x, c) && r.atMost(d, y) {
		if f == orderLess {
			return orderLess
		}
		return orderLess | orderEqual
	}
	return anyOrder
}

// atMost proves a <= b from identity or intervals.
func (r *ranges) atMost(a, b *ir.Value) bool {
	return r.sameNumber(a, b) || r.of(a).hi <= r.of(b).lo
}

// sameNumber reports whether two values are the same signed number, whatever
// their widths.
func (r *ranges) sameNumber(a, b *ir.Value) bool {
	a, b = r.origin(a), r.origin(b)
	if a == b {
		return true
	}
	x, okX := a.ConstantInt()
	y, okY := b.ConstantInt()
	return okX && okY && x == y
}

// origin follows a value through extensions that keep the signed number, and from
// an argument of a while's after-region to what the before-region passes.
func (r *ranges) origin(v *ir.Value) *ir.Value {
	for range 8 {
		if v.Def == nil {
			op := v.Block.ParentOp()
			if op == nil || op.Name != "scf.while" || v.Block != op.Regions[1].Entry() {
				return v
			}
			v = op.Regions[0].Entry().Terminator().Operand(1 + v.Index)
			continue
		}
		signs, cast := castKind(v.Def)
		if !cast {
			return v
		}
		x := v.Def.Operand(0)
		from, ok1 := r.width(x)
		to, ok2 := r.width(v)
		if !ok1 || !ok2 || from > to || !signs && from < to && r.of(x).lo < 0 {
			return v
		}
		v = x
	}
	return v
}

// around calls f with the comparisons that hold at the place of an operation: the
// conditions of the branches it stands in, the test of a while in whose
// after-region it stands, the tests of counted loops.
func (r *ranges) around(at *ir.Operation, f func(p int64, x, y *ir.Value)) {
	for b := at.Block(); b != nil && b.ParentOp() != nil; b = b.ParentOp().Block() {
		op := b.ParentOp()
		switch op.Name {
		case "scf.if":
			comparisons(op.Operand(0), op.Regions[0] == b.Parent, derivations, f)
		case "scf.while":
			if op.Regions[1] == b.Parent {
				comparisons(op.Regions[0].Entry().Terminator().Operand(0), true, derivations, f)
			}
		case "scf.for":
			_, cond := loopKind(op)
			p, ok := contPredicate(cond)
			if !ok || op.Attr(unsignedAttr) != nil {
				continue
			}
			lb, ub, iv := op.Operand(0), op.Operand(1), op.Regions[0].Entry().Args[0]
			f(p, lb, ub)
			f(p, iv, ub)
			if r.climbs(op) {
				f(predSge, iv, lb)
			}
		}
	}
}

// climbs reports whether the induction variable of a plain loop never wraps, and
// so never falls below where it began.
func (r *ranges) climbs(loop *ir.Operation) bool {
	w, ok := r.width(loop.Operand(0))
	if !ok || !isPlain(loop) {
		return false
	}
	step := r.of(loop.Operand(2))
	top, ok := addSigned(r.of(loop.Operand(1)).hi-1, step.hi)
	return step.lo > 0 && ok && top <= maxSigned(w)
}

// comparisons calls f with what follows from a condition that holds or does not.
func comparisons(cond *ir.Value, holds bool, depth int, f func(p int64, x, y *ir.Value)) {
	op := cond.Def
	if op == nil || depth == 0 {
		return
	}
	switch {
	case op.Name == "arith.cmpi":
		p, ok := op.IntAttr("predicate")
		if !ok || p < predEq || p > predUge {
			return
		}
		if !holds {
			p = negatedPred(p)
		}
		f(p, op.Operand(0), op.Operand(1))
	case op.Name == "arith.andi" && holds, op.Name == "arith.ori" && !holds:
		comparisons(op.Operand(0), holds, depth-1, f)
		comparisons(op.Operand(1), holds, depth-1, f)
	case op.Name == "arith.xori":
		if k, ok := op.Operand(1).ConstantInt(); ok {
			comparisons(op.Operand(0), holds != (k != 0), depth-1, f)
		}
	}
}

// ordered decides a signed comparison by the order of its operands.
func (z *simplifier) ordered(op *ir.Operation, p int64) (result, known bool) {
	o := z.ranges.order(op, op.Operand(0), op.Operand(1))
	return o&^ordersOf(p) == 0, o&^ordersOf(p) == 0 || o&ordersOf(p) == 0
}

// same reports whether two values are always equal: identical or equal
// constants of one type.
func same(a, b *ir.Value) bool {
	if a == b {
		return true
	}
	x, okX := a.ConstantInt()
	y, okY := b.ConstantInt()
	return okX && okY && x == y && a.Type == b.Type
}
