package ranges

import (
	"loom/compiler/analysis/interval"
	"loom/compiler/analysis/loops"
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// relation is a comparison that holds.
type relation struct {
	p    arith.IntPredicate
	x, y *ir.Value
}

// fact is the entry of here that a fact replaced.
type fact struct {
	value *ir.Value
	old   interval.Interval
	had   bool
}

// mark is the number of facts and relations at some moment, for undo.
type mark struct{ trail, relations int }

func (r *Ranges) mark() mark { return mark{len(r.trail), len(r.relations)} }

// undo takes back the facts learnt since a mark.
func (r *Ranges) undo(m mark) {
	for len(r.trail) > m.trail {
		u := r.trail[len(r.trail)-1]
		r.trail = r.trail[:len(r.trail)-1]
		if u.had {
			r.here[u.value] = u.old
		} else {
			delete(r.here, u.value)
		}
	}
	r.relations = r.relations[:m.relations]
}

// surrounding adds the facts of the branches and loops around an operation, outer ones
// first.
func (r *Ranges) surrounding(op *ir.Operation) {
	b := op.Block()
	if b == nil || b.ParentOp() == nil {
		return
	}
	parent := b.ParentOp()
	r.surrounding(parent)
	for i, q := range parent.Regions {
		if q == b.Parent {
			r.region(parent, i)
		}
	}
}

// Enter calls f under the facts that hold in region i of op, on top of the present ones.
func (r *Ranges) Enter(op *ir.Operation, i int, f func()) {
	m := r.mark()
	r.region(op, i)
	f()
	r.undo(m)
}

// region adds the facts that hold in region i of op.
func (r *Ranges) region(op *ir.Operation, i int) {
	switch op.Name {
	case opname.SCFIf:
		r.assume(op.Operand(0), i == 0, derivations)
	case opname.SCFFor:
		// The body runs only where lb < ub, or as the loop's own test decides.
		_, cond := loops.Kind(op)
		p, ok := loops.Test(cond)
		if !ok || op.Attr(loops.UnsignedAttr) != nil {
			return
		}
		lb, ub, iv := op.Operand(0), op.Operand(1), op.Regions[0].Entry().Args[0]
		r.compared(p, lb, ub, derivations)
		r.relations = append(r.relations, relation{p, iv, ub})
		if r.climbs(op) {
			r.relations = append(r.relations, relation{arith.Sge, iv, lb})
		}
	case opname.SCFWhile:
		if i == 1 {
			if t := op.Regions[0].Entry().Terminator(); t != nil && t.Name == opname.SCFCondition {
				r.assume(t.Operand(0), true, derivations)
			}
		}
	}
}

// Assume adds what follows from a condition that holds or does not, for good.
func (r *Ranges) Assume(cond *ir.Value, holds bool) { r.assume(cond, holds, derivations) }

// assume adds what follows from a condition that holds or does not.
func (r *Ranges) assume(cond *ir.Value, holds bool, depth int) {
	if depth == 0 {
		return
	}
	c := int64(0)
	if holds {
		c = -1
	}
	r.learn(cond, interval.Exactly(c, 1), 0)
	op := cond.Def
	if op == nil {
		return
	}
	switch op.Name {
	case opname.ArithCmpI:
		if p, ok := arith.PredicateOf(op); ok {
			if !holds {
				p = p.Negated()
			}
			r.compared(p, op.Operand(0), op.Operand(1), depth)
		}
	case opname.ArithAndI:
		if holds {
			r.assume(op.Operand(0), true, depth-1)
			r.assume(op.Operand(1), true, depth-1)
		}
	case opname.ArithOrI:
		if !holds {
			r.assume(op.Operand(0), false, depth-1)
			r.assume(op.Operand(1), false, depth-1)
		}
	case opname.ArithXOrI:
		for i := range 2 {
			if k, ok := op.Operand(1 - i).ConstantInt(); ok {
				r.assume(op.Operand(i), holds != (k != 0), depth-1)
			}
		}
	}
}

// compared adds what "x p y" implies for both integers.
func (r *Ranges) compared(p arith.IntPredicate, x, y *ir.Value, depth int) {
	q := relation{p, x, y}
	r.relations = append(r.relations, q)
	r.bound(q, depth)
}

// bound carries a comparison over to the intervals of both integers.
func (r *Ranges) bound(q relation, depth int) {
	w, ok := r.Width(q.x)
	if !ok {
		return
	}
	for range 2 {
		if i, ok := interval.Restrict(q.p, r.Of(q.x), r.Of(q.y), w); ok {
			r.learn(q.x, i, depth-1)
		}
		q = relation{q.p.Swapped(), q.y, q.x}
	}
}

// maxCarried bounds to how many users a fact is carried.
const maxCarried = 32

// learn adds a fact about v, which holds at the current operation, and carries it to
// what v was cast from and to, and to what is computed from v and a constant.
func (r *Ranges) learn(v *ir.Value, i interval.Interval, depth int) {
	next, ok := r.carry(v, i, depth)
	if !ok || depth <= 0 || v.Def == nil {
		return
	}
	signs, ok := arith.IntCast(v.Def)
	if !ok {
		return
	}
	x := v.Def.Operand(0)
	from, _ := r.Width(x)
	if !r.widens(v.Def) || !signs && r.open(v.Type) && from == 32 {
		return // the bits cut off are unknown, or the sign
	}
	// An extended value has the bounds of its operand, in the reading of the extension.
	all := interval.Any(from)
	if signs {
		all.Lo, all.Hi = max(all.Lo, next.Lo), min(all.Hi, next.Hi)
	} else if !r.open(x.Type) {
		all.ULo, all.UHi = max(all.ULo, next.ULo), min(all.UHi, next.UHi)
	}
	if !all.Empty() {
		r.learn(x, all.Tightened(from), depth-1)
	}
}

// carry adds a fact about v and carries it to what is cast and computed from v; it
// returns what is known of v now, and whether that is new. It derives nothing about v from there:
// a value that another branch computes from v is known under the facts of that branch,
// and implies nothing about v elsewhere.
func (r *Ranges) carry(v *ir.Value, i interval.Interval, depth int) (next interval.Interval, ok bool) {
	w, ok := r.Width(v)
	if !ok || v.IsConstant() {
		return interval.Interval{}, false
	}
	old, had := r.here[v]
	now := r.Of(v)
	next, ok = now.Meet(i, w)
	if !ok || next == now {
		return interval.Interval{}, false // nothing new, or unreachable code
	}
	r.trail = append(r.trail, fact{v, old, had})
	r.here[v] = next
	if depth <= 0 || r.near {
		return next, true
	}
	for n, u := range v.Uses() {
		if n == maxCarried {
			break
		}
		if _, ok := arith.IntCast(u.Op); ok || derives(u) {
			if to, ok := r.Width(u.Op.Result(0)); ok {
				r.carry(u.Op.Result(0), r.compute(u.Op, to, 0), depth-1)
			}
		}
	}
	return next, true
}

// derives reports whether a use computes from a value and a constant.
func derives(u ir.Use) bool {
	switch u.Op.Name {
	case opname.ArithAddI, opname.ArithSubI, opname.ArithMulI, opname.ArithDivSI, opname.ArithDivUI, opname.ArithShRSI, opname.ArithShRUI, opname.ArithAndI:
		return u.Op.Operand(1 - u.Index).IsConstant()
	}
	return false
}
