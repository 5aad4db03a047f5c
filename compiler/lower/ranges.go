package lower

import (
	"math"

	"loom/compiler/ir"
)

// ranges knows an interval for every integer of the structured function: what
// constants, masks, remainders, casts, minima and comparisons say, what the
// branches and loops around a place say, and what the rounds of a loop do to
// its iter_args (by widening, so that the analysis ends).
//
// The intervals are those of the function as it was analysed. A rewriting that
// keeps the meaning of every value keeps them right; values made later are
// evaluated when they are asked for.
type ranges struct {
	indexWidth int
	// known is the interval of each value where it is defined.
	known map[*ir.Value]interval
	// here are the facts of the branches and loops around the current place;
	// trail undoes them, innermost last.
	here  map[*ir.Value]interval
	trail []fact

	// The state of the analysis: how often each loop-carried value has grown,
	// the round, and whether anything changed in it.
	grown   map[*ir.Value]int
	round   int
	changed bool
	// deviate is the rule that a test breaks, see deviation.
	deviate deviation
	// narrowing rounds evaluate loop-carried values anew instead of letting
	// them grow.
	narrowing bool
}

// fact is the entry of here that a fact replaced.
type fact struct {
	value *ir.Value
	old   interval
	had   bool
}

const (
	// growths is how often a loop-carried value grows step by step before its
	// moving bounds jump, rounds how many rounds there are before everything
	// that still moves is given up.
	growths = 3
	settled = 24
	// derivations bounds how far a fact about a value is carried to the values
	// it was cast from or to, and how deep a value made later is evaluated.
	derivations = 4
)

// ranges analyses the function as it stands.
func (s *state) ranges() *ranges {
	r := &ranges{
		indexWidth: s.opts.IndexWidth,
		deviate:    s.opts.deviate,
		known:      map[*ir.Value]interval{}, here: map[*ir.Value]interval{}, grown: map[*ir.Value]int{},
	}
	body := s.fn.Regions[0].Entry()
	for r.changed = true; r.changed; r.round++ {
		if r.round > 2*settled {
			r.known = map[*ir.Value]interval{} // never seen; knowing nothing is safe
			return r
		}
		r.changed = false
		r.block(body)
	}
	// From above: what a round computes from too large intervals still holds all
	// values, and is often smaller than where widening jumped to.
	r.narrowing = true
	for range 2 {
		r.block(body)
	}
	return r
}

// width returns the width of an integer value; ok is false for other types.
func (r *ranges) width(v *ir.Value) (int, bool) {
	if !ir.IsInt(v.Type) {
		return 0, false
	}
	w, ok := ir.BitWidth(v.Type, r.indexWidth)
	return w, ok && w >= 1 && w <= 64
}

// signedRange returns signed bounds of v at the place of an operation, nil for
// the place where v is defined.
func (r *ranges) signedRange(v *ir.Value, at *ir.Operation) (lo, hi int64) {
	i := r.at(v, at)
	return i.lo, i.hi
}

// at returns the interval of v at the place of an operation: what holds of v
// itself and what the branches and loops around the place add.
func (r *ranges) at(v *ir.Value, at *ir.Operation) interval {
	if at == nil {
		return r.of(v)
	}
	var i interval
	r.place(at, func() { i = r.of(v) })
	return i
}

// place calls f under the facts that hold where op stands.
func (r *ranges) place(op *ir.Operation, f func()) {
	b := op.Block()
	if b == nil || b.ParentOp() == nil {
		f()
		return
	}
	parent := b.ParentOp()
	r.place(parent, func() {
		for i, q := range parent.Regions {
			if q == b.Parent {
				r.enter(parent, i, f)
				return
			}
		}
		f()
	})
}

// enter calls f under the facts that hold in region i of op, on top of the
// present ones.
func (r *ranges) enter(op *ir.Operation, i int, f func()) {
	mark := len(r.trail)
	switch op.Name {
	case "scf.if":
		r.assume(op.Operand(0), i == 0, derivations)
	case "scf.for":
		// The body runs only where lb < ub, or whatever the loop asks.
		_, cond := loopKind(op)
		if p, ok := contPredicate(cond); ok && op.Attr("unsignedCmp") == nil {
			r.compared(p, op.Operand(0), op.Operand(1), derivations)
		}
	case "scf.while":
		if i == 1 {
			if t := op.Regions[0].Entry().Terminator(); t != nil && t.Name == "scf.condition" {
				r.assume(t.Operand(0), true, derivations)
			}
		}
	}
	f()
	r.undo(mark)
}

// contPredicate is the predicate of arith.cmpi that a continuation test of
// dataflow.stream asks (spec-dataflow, "cont_cond").
func contPredicate(cond string) (int64, bool) {
	switch cond {
	case "<":
		return predSlt, true
	case "<=":
		return predSle, true
	case ">":
		return predSgt, true
	case ">=":
		return predSge, true
	case "!=":
		return predNe, true
	}
	return 0, false
}

// of returns the interval of v under the present facts.
func (r *ranges) of(v *ir.Value) interval { return r.eval(v, derivations) }

func (r *ranges) eval(v *ir.Value, depth int) interval {
	w, ok := r.width(v)
	if !ok {
		return interval{math.MinInt64, math.MaxInt64, 0, math.MaxUint64}
	}
	if c, ok := v.ConstantInt(); ok {
		return exactly(c, w)
	}
	if i, ok := r.here[v]; ok {
		return i
	}
	if i, ok := r.known[v]; ok {
		return i
	}
	if v.Def != nil && depth > 0 {
		return r.compute(v.Def, w, depth-1)
	}
	return anything(w)
}

// maxCarried bounds to how many users a fact is carried.
const maxCarried = 32

// learn adds a fact about v, which is seen from the current place, and carries it to
// what v was cast from and to, and to what is computed from v and a constant.
func (r *ranges) learn(v *ir.Value, i interval, depth int) {
	next, ok := r.carry(v, i, depth)
	if !ok || depth == 0 || v.Def == nil {
		return
	}
	signs, ok := castKind(v.Def)
	if !ok {
		return
	}
	w, _ := r.width(v)
	x := v.Def.Operand(0)
	from, ok := r.width(x)
	if !ok || from > w {
		return // the bits cut off are unknown
	}
	// A widened number has the bounds of the number before, in its reading.
	all := anything(from)
	if signs {
		all.lo, all.hi = max(all.lo, next.lo), min(all.hi, next.hi)
	} else {
		all.ulo, all.uhi = max(all.ulo, next.ulo), min(all.uhi, next.uhi)
	}
	if !all.empty() {
		r.learn(x, all.tightened(from), depth-1)
	}
}

// carry adds a fact about v and carries it to what is cast and computed from v; it
// returns what is known of v now, and whether that is new. Nothing leads back from there:
// a value that another branch computes from v is known under the facts of that branch,
// and says nothing of v elsewhere.
func (r *ranges) carry(v *ir.Value, i interval, depth int) (next interval, ok bool) {
	w, ok := r.width(v)
	if !ok || v.IsConstant() {
		return interval{}, false
	}
	old, had := r.here[v]
	now := r.of(v)
	next, ok = now.meet(i, w)
	if !ok || next == now {
		return interval{}, false // nothing new, or a place that is never reached
	}
	r.trail = append(r.trail, fact{v, old, had})
	r.here[v] = next
	if depth == 0 {
		return next, true
	}
	for n, u := range v.Uses() {
		if n == maxCarried {
			break
		}
		if signs, ok := castKind(u.Op); ok {
			if to, ok := r.width(u.Op.Result(0)); ok {
				r.carry(u.Op.Result(0), castInterval(next, w, to, signs), depth-1)
			}
		} else if r.derives(u) {
			r.carry(u.Op.Result(0), r.compute(u.Op, w, 0), depth-1)
		}
	}
	return next, true
}

// derives reports whether a use computes from a number and a constant.
func (r *ranges) derives(u ir.Use) bool {
	switch u.Op.Name {
	case "arith.addi", "arith.subi", "arith.muli", "arith.divsi", "arith.divui", "arith.shrsi", "arith.shrui", "arith.andi":
		return u.Op.Operand(1 - u.Index).IsConstant()
	}
	return false
}

// castKind tells whether op changes the width of an integer, and whether it
// extends by the sign.
func castKind(op *ir.Operation) (signExtend, ok bool) {
	switch op.Name {
	case "arith.extsi", "arith.index_cast":
		return true, true
	case "arith.extui", "arith.index_castui", "arith.trunci":
		return false, true
	}
	return false, false
}

// assume adds what follows from a condition that holds or does not.
func (r *ranges) assume(cond *ir.Value, holds bool, depth int) {
	if depth == 0 {
		return
	}
	c := int64(0)
	if holds {
		c = -1
	}
	r.learn(cond, exactly(c, 1), 0)
	op := cond.Def
	if op == nil {
		return
	}
	switch op.Name {
	case "arith.cmpi":
		p, ok := op.IntAttr("predicate")
		if !ok || p < predEq || p > predUge {
			return
		}
		if !holds {
			p = negatedPred(p)
		}
		r.compared(p, op.Operand(0), op.Operand(1), depth)
	case "arith.andi":
		if holds {
			r.assume(op.Operand(0), true, depth-1)
			r.assume(op.Operand(1), true, depth-1)
		}
	case "arith.ori":
		if !holds {
			r.assume(op.Operand(0), false, depth-1)
			r.assume(op.Operand(1), false, depth-1)
		}
	case "arith.xori":
		for i := range 2 {
			if k, ok := op.Operand(1 - i).ConstantInt(); ok {
				r.assume(op.Operand(i), holds != (k != 0), depth-1)
			}
		}
	}
}

// compared adds what "x p y" says about both numbers.
func (r *ranges) compared(p int64, x, y *ir.Value, depth int) {
	w, ok := r.width(x)
	if !ok {
		return
	}
	for range 2 {
		if i, ok := restrictBy(p, r.of(x), r.of(y), w); ok {
			r.learn(x, i, depth-1)
		}
		x, y, p = y, x, swappedPred(p)
	}
}

// block evaluates the operations of a block in order.
func (r *ranges) block(b *ir.Block) {
	for _, op := range b.Ops {
		switch op.Name {
		case "scf.for":
			r.loop(op)
		case "scf.while":
			r.while(op)
		default:
			for i, q := range op.Regions {
				if inner := q.Entry(); inner != nil {
					r.enter(op, i, func() { r.block(inner) })
				}
			}
			if op.Name == "scf.if" {
				r.branch(op)
				continue
			}
			if op.NumResults() == 1 {
				if w, ok := r.width(op.Result(0)); ok {
					r.known[op.Result(0)] = r.compute(op, w, 0)
				}
			}
		}
	}
}

// grow lets a loop-carried value hold one more interval.
func (r *ranges) grow(v *ir.Value, i interval) {
	w, ok := r.width(v)
	if !ok {
		return
	}
	old, had := r.known[v]
	if r.narrowing || !had {
		r.known[v] = i
		r.changed = r.changed || !had
		return
	}
	if i.within(old) {
		return
	}
	next := old.join(i)
	r.grown[v]++
	switch n := r.grown[v]; {
	case r.round > settled || n > 2*growths:
		next = anything(w)
	case n > growths:
		next = next.widened(old, w)
	}
	r.known[v] = next
	r.changed = true
}

// carried sets the loop-carried values args from where they come in. The values
// of a round are those its end had last time.
func (r *ranges) carried(args, inits, next []*ir.Value, end func(f func())) {
	for i, a := range args {
		if _, ok := r.width(a); !ok {
			continue
		}
		from := r.of(inits[i])
		if _, had := r.known[a]; r.narrowing || had {
			end(func() { from = from.join(r.of(next[i])) })
		}
		r.grow(a, from)
	}
}

func (r *ranges) loop(op *ir.Operation) {
	body := op.Regions[0].Entry()
	yield := body.Terminator()
	r.enter(op, 0, func() {
		if w, ok := r.width(body.Args[0]); ok {
			r.known[body.Args[0]] = r.induction(op, w)
		}
	})
	r.carried(body.Args[1:], op.Operands()[3:], yield.Operands(), func(f func()) { r.enter(op, 0, f) })
	r.enter(op, 0, func() { r.block(body) })
	for i, v := range op.Results() {
		w, ok := r.width(v)
		if !ok {
			continue
		}
		r.enter(op, 0, func() {
			if next := r.of(yield.Operand(i)); !next.within(r.known[body.Args[1+i]]) && !r.narrowing {
				r.changed = true
			}
		})
		// The last round's value, or the first one's.
		out := r.of(op.Operand(3 + i))
		r.enter(op, 0, func() { out = out.join(r.of(yield.Operand(i))) })
		if out.empty() {
			out = anything(w)
		}
		r.known[v] = out
	}
}

// induction is the interval of the induction variable, under the facts of the
// body: it passed the loop's test, and between its start and there it did not
// wrap where the test leaves room for one more step.
func (r *ranges) induction(op *ir.Operation, w int) interval {
	lb, ub, step := r.of(op.Operand(0)), r.of(op.Operand(1)), r.of(op.Operand(2))
	stepOp, cond := loopKind(op)
	v := anything(w)
	if op.Attr("unsignedCmp") != nil {
		return v
	}
	if p, ok := contPredicate(cond); ok {
		if i, ok := restrictBy(p, v, ub, w); ok {
			v = i
		}
	}
	all := anything(w)
	low, high := all.lo, all.hi
	switch {
	case stepOp == "+=" && step.lo > 0 && cond != "!=":
		// The last value that passes the test plus one step must fit.
		if top, ok := addSigned(v.hi, step.hi); ok && top <= all.hi && (cond == "<" || cond == "<=") {
			low = lb.lo
		}
	case stepOp == "-=" && step.lo > 0 && cond != "!=":
		if bottom, ok := subSigned(v.lo, step.hi); ok && bottom >= all.lo && (cond == ">" || cond == ">=") {
			high = lb.hi
		}
	case (stepOp == ">>=" || stepOp == "/=") && lb.lo >= 0 && step.lo > 0:
		low, high = 0, lb.hi
	}
	if r.deviate == rangesShort && low < v.hi {
		v.hi--
	}
	if i, ok := v.meet(between(low, high, w), w); ok {
		return i
	}
	return v
}

func (r *ranges) while(op *ir.Operation) {
	before, after := op.Regions[0].Entry(), op.Regions[1].Entry()
	cond, yield := before.Terminator(), after.Terminator()
	r.carried(before.Args, op.Operands(), yield.Operands(), func(f func()) { r.enter(op, 1, f) })
	r.enter(op, 0, func() { r.block(before) })
	passed := cond.Operands()[1:]
	r.enter(op, 1, func() {
		for i, a := range after.Args {
			if _, ok := r.width(a); ok {
				r.known[a] = r.of(passed[i])
			}
		}
		r.block(after)
		for i, a := range before.Args {
			if _, ok := r.width(a); ok && !r.narrowing && !r.of(yield.Operand(i)).within(r.known[a]) {
				r.changed = true
			}
		}
	})
	mark := len(r.trail)
	r.assume(cond.Operand(0), false, derivations)
	for i, v := range op.Results() {
		if _, ok := r.width(v); ok {
			r.known[v] = r.of(passed[i])
		}
	}
	r.undo(mark)
}

// undo takes back the facts learnt since a mark.
func (r *ranges) undo(mark int) {
	for len(r.trail) > mark {
		u := r.trail[len(r.trail)-1]
		r.trail = r.trail[:len(r.trail)-1]
		if u.had {
			r.here[u.value] = u.old
		} else {
			delete(r.here, u.value)
		}
	}
}

// branch sets the results of an scf.if from what its branches yield.
func (r *ranges) branch(op *ir.Operation) {
	c := r.of(op.Operand(0))
	for i, v := range op.Results() {
		w, ok := r.width(v)
		if !ok {
			continue
		}
		var out interval
		some := false
		for side, q := range op.Regions {
			b := q.Entry()
			if b == nil || side == 0 && c.uhi == 0 || side == 1 && c.ulo == 1 {
				continue
			}
			r.enter(op, side, func() {
				y := r.of(b.Terminator().Operand(i))
				if some {
					y = y.join(out)
				}
				out, some = y, true
			})
		}
		if !some {
			out = anything(w)
		}
		r.known[v] = out
	}
}

// compute evaluates a pure operation on the intervals of its operands.
func (r *ranges) compute(op *ir.Operation, w, depth int) interval {
	in := func(i int) interval { return r.eval(op.Operand(i), depth) }
	same := op.NumOperands() == 2 && op.Operand(0) == op.Operand(1)
	switch op.Name {
	case "arith.addi":
		return addIntervals(in(0), in(1), w)
	case "arith.subi":
		if same {
			return exactly(0, w)
		}
		return subIntervals(in(0), in(1), w)
	case "arith.muli":
		return mulIntervals(in(0), in(1), w)
	case "arith.divsi":
		return divIntervalsS(in(0), in(1), w)
	case "arith.remsi":
		return remIntervalsS(in(0), in(1), w)
	case "arith.divui":
		return divIntervalsU(in(0), in(1), w)
	case "arith.remui":
		return remIntervalsU(in(0), in(1), w)
	case "arith.andi":
		return andIntervals(in(0), in(1), w)
	case "arith.ori":
		return orIntervals(in(0), in(1), w)
	case "arith.xori":
		return xorIntervals(in(0), in(1), w)
	case "arith.shli":
		return shlIntervals(in(0), in(1), w)
	case "arith.shrui":
		return shrIntervalsU(in(0), in(1), w)
	case "arith.shrsi":
		return shrIntervalsS(in(0), in(1), w)
	case "arith.minsi":
		a, b := in(0), in(1)
		return between(min(a.lo, b.lo), min(a.hi, b.hi), w)
	case "arith.maxsi":
		a, b := in(0), in(1)
		return between(max(a.lo, b.lo), max(a.hi, b.hi), w)
	case "arith.minui":
		a, b := in(0), in(1)
		return betweenU(min(a.ulo, b.ulo), min(a.uhi, b.uhi), w)
	case "arith.maxui":
		a, b := in(0), in(1)
		return betweenU(max(a.ulo, b.ulo), max(a.uhi, b.uhi), w)
	case "arith.extsi", "arith.extui", "arith.trunci", "arith.index_cast", "arith.index_castui":
		if from, ok := r.width(op.Operand(0)); ok {
			signs, _ := castKind(op)
			return castInterval(in(0), from, w, signs)
		}
	case "arith.cmpi":
		if p, ok := op.IntAttr("predicate"); ok && p >= predEq && p <= predUge {
			if result, known := decideCmp(p, in(0), in(1)); known {
				if result {
					return exactly(-1, w)
				}
				return exactly(0, w)
			}
		}
	case "arith.select":
		return r.selected(op, depth)
	case "math.absi":
		a := in(0)
		if a.lo > minSigned(w) {
			lo, hi := max(a.lo, -a.hi, 0), max(a.hi, -a.lo)
			return between(lo, hi, w)
		}
	case "math.ctpop", "math.ctlz", "math.cttz":
		return betweenU(0, uint64(w), w)
	case "memref.dim":
		return between(0, maxSigned(w), w)
	}
	return anything(w)
}

// selected joins both operands of a select, each under its condition.
func (r *ranges) selected(op *ir.Operation, depth int) interval {
	c := r.eval(op.Operand(0), depth)
	side := func(i int, holds bool) interval {
		mark := len(r.trail)
		r.assume(op.Operand(0), holds, 2)
		v := r.eval(op.Operand(i), depth)
		r.undo(mark)
		return v
	}
	switch {
	case c.ulo == 1:
		return side(1, true)
	case c.uhi == 0:
		return side(2, false)
	}
	return side(1, true).join(side(2, false))
}
