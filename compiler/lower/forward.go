package lower

import (
	"slices"

	"loom/compiler/analysis/linear"
	"loom/compiler/analysis/loops"
	"loom/compiler/analysis/ranges"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

// maxForward is the largest distance in iterations over which a stored value is carried.
const maxForward = 4

// forwardStores hands a value that one iteration of a counted loop stores to the iteration that
// loads it again, so that the recurrence does not pass through memory:
//
//	for i = lb to ub { y = load x[i - 1]; … store z, x[i] }
//
// becomes, where the loop runs at all,
//
//	before = load x[lb - 1]
//	for i = lb to ub iter_args(y = before) { … store z, x[i]; yield z }
//
// A load d iterations behind the store gets the value through d carried values, which start
// with what memory holds at the d elements in front of the first one stored. All of these lie
// between elements that the first iteration accesses anyway.
//
// The store must run in each iteration and be the only one in the loop that may touch its
// memory, and both subscripts must be linear in a counter that does not wrap.
func forwardStores(s *state, _ *diag.List) {
	if !s.opts.Forward {
		return
	}
	for forwardOne(s) {
	}
}

// forwardOne forwards the value of one store, and reports whether there was one.
func forwardOne(s *state) bool {
	r := s.ranges()
	x := linear.New(r, s.opts.IndexWidth)
	all := structuredAccesses(s.fn)
	var found *forward
	s.fn.Walk(func(op *ir.Operation) bool {
		if found == nil && op.Name == opname.SCFFor {
			found = s.findForward(x, op, all[op])
		}
		return found == nil
	})
	if found == nil {
		return false
	}
	if s.opts.deviate != forwardUnguarded {
		found.guard(r)
	}
	first := int64(1)
	if s.opts.deviate == forwardStart {
		first = 0
	}
	found.rewrite(first)
	return true
}

// forward is an access of a loop with the loads of later iterations that get its value: a store, or a load (reuse.go).
type forward struct {
	loop *ir.Operation
	by   int64 // the step of the loop
	pos  diag.Pos
	// value is what the access stores or loads, subscripts where in base, and moves how far each of these goes in an iteration.
	value, base *ir.Value
	subscripts  []*ir.Value
	moves       []int64
	// loads are those of later iterations, distance those between.
	loads    []*ir.Operation
	distance []int
}

// findForward finds a store of a loop with loads to forward to, nil for none.
func (s *state) findForward(x *linear.Forms, loop *ir.Operation, accesses []*ir.Operation) *forward {
	counter := steadyCounter(x, loop)
	if counter == nil || fences(loop) {
		return nil
	}
	body := loop.Regions[0].Entry()
	for _, st := range accesses {
		if st.Name != opname.MemRefStore || st.Block() != body || !rewrite.Outside(st.Operand(1), loop) {
			continue
		}
		base, to := locate(x, st.Operand(1), st.Operands()[2:])
		if !rewrite.Outside(base, loop) || !s.onlyStore(st, accesses) {
			continue
		}
		f := &forward{loop: loop, by: counter.Course.By, pos: st.Pos, value: st.Operand(0), base: st.Operand(1), subscripts: st.Operands()[2:]}
		for _, ld := range accesses {
			if ld.Name != opname.MemRefLoad || ld.Block() != body || ld.Result(0).Type != st.Operand(0).Type {
				continue
			}
			b, from := locate(x, ld.Operand(0), ld.Operands()[1:])
			if d, ok := s.iterationsBehind(from, to, counter, f.by, loop); b == base && ok && d > 0 && d <= maxForward {
				f.loads, f.distance = append(f.loads, ld), append(f.distance, d)
			}
		}
		if len(f.loads) > 0 && s.pays(f) && f.movable() && s.steady(f, x, counter) {
			return f
		}
	}
	return nil
}

// pays reports whether no more loads stand in front of the loop then than there are less in it, where the pass recent can do without these: a
// fabric has few ports of a memory.
func (s *state) pays(f *forward) bool {
	return s.opts.RecentStores == 0 || slices.Max(f.distance) <= len(f.loads)
}

// onlyStore reports whether no other access of a loop may change what a store writes.
func (s *state) onlyStore(st *ir.Operation, accesses []*ir.Operation) bool {
	root := rootOf(st.Operand(1))
	for _, op := range accesses {
		if op == st || op.Name == opname.MemRefLoad {
			continue
		}
		for _, m := range memoryOperands(op) {
			if r := rootOf(m); (r == root || s.overlap(r, root)) && s.opts.deviate != forwardPast {
				return false
			}
		}
	}
	return true
}

// iterationsBehind is the number of iterations after which the subscripts of a load are those of a
// store, or another load; not ok if that is never, or not the same number for all of them.
func (s *state) iterationsBehind(load, store []linear.Form, counter *linear.Symbol, by int64, loop *ir.Operation) (n int, ok bool) {
	d := int64(0)
	moves := false
	for k := range store {
		if k >= len(load) {
			return 0, false
		}
		coefficient := int64(0)
		for _, t := range store[k].Terms {
			if t.Sym == counter {
				coefficient = t.Coef
			} else if !t.Sym.InvariantIn(loop) && s.opts.deviate != forwardMoving {
				return 0, false
			}
		}
		// store(i - d·by) = load(i): what is between them is d·by times the coefficient.
		gap, ok := store[k].Plus(load[k], -1)
		if !ok || len(gap.Terms) > 0 {
			return 0, false
		}
		if coefficient == 0 {
			if gap.C != 0 {
				return 0, false
			}
			continue
		}
		const limit = 1 << 40
		if coefficient > limit || coefficient < -limit || by > 1<<20 || by < -1<<20 {
			return 0, false
		}
		step := coefficient * by
		if gap.C%step != 0 || moves && gap.C/step != d {
			return 0, false
		}
		d, moves = gap.C/step, true
	}
	const far = 1 << 20
	return int(d), moves && len(load) == len(store) && d > -far && d < far
}

// steady finds how far the subscripts move, and reports whether that is the same in every iteration.
func (s *state) steady(f *forward, x *linear.Forms, counter *linear.Symbol) bool {
	for _, v := range f.subscripts {
		moves := int64(0)
		for _, t := range x.Of(v).Terms {
			const limit = 1 << 40
			switch {
			case t.Sym != counter:
				if !t.Sym.InvariantIn(f.loop) && s.opts.deviate != forwardMoving {
					return false
				}
			case t.Coef > limit || t.Coef < -limit || f.by > 1<<20 || f.by < -1<<20:
				return false
			default:
				moves = t.Coef * f.by
			}
		}
		f.moves = append(f.moves, moves)
	}
	return true
}

// movable reports whether the subscripts can be computed in front of the loop.
func (f *forward) movable() bool {
	ok := true
	var visit func(v *ir.Value)
	visit = func(v *ir.Value) {
		switch {
		case rewrite.Outside(v, f.loop) || v == f.counter():
		case v.Def == nil || v.Def.Block() != f.loop.Regions[0].Entry() || !isPure(v.Def) || len(v.Def.Regions) > 0:
			ok = false
		default:
			for _, w := range v.Def.Operands() {
				visit(w)
			}
		}
	}
	for _, v := range f.subscripts {
		visit(v)
	}
	return ok
}

func (f *forward) counter() *ir.Value { return f.loop.Regions[0].Entry().Args[0] }

// guard puts a branch around the loop unless it is proven to run: what is loaded in front of it
// must not be where the loop would not.
func (f *forward) guard(r *ranges.Ranges) {
	if runsWhereItStands(r, f.loop) {
		return
	}
	rewrite.Rebuild(f.loop.Block(), func(op *ir.Operation, emit func(*ir.Operation)) {
		if op == f.loop {
			guard(op, emit)
		} else {
			emit(op)
		}
	})
}

// runsWhereItStands proves that a loop iterates, given the branches and loops around it.
func runsWhereItStands(r *ranges.Ranges, loop *ir.Operation) bool {
	_, cond := loops.Kind(loop)
	p, ok := loops.Test(cond)
	return ok && r.ProvesAt(loop, p, loop.Operand(0), loop.Operand(1))
}

// rewrite makes the loads in front of the loop and carries the values; first is the distance of
// the nearest element loaded.
func (f *forward) rewrite(first int64) {
	most := 0
	for _, d := range f.distance {
		most = max(most, d)
	}
	block := f.loop.Block()
	m := rewrite.Maker{Pos: f.pos, Emit: func(op *ir.Operation) { block.InsertBefore(f.loop, op) }}
	var inits []*ir.Value
	// Of the first iteration's subscripts, as those of a counter in front of its first value may be cast to something else.
	copied := copier(f.loop, map[*ir.Value]*ir.Value{f.counter(): f.loop.Operand(0)})
	for k := range int64(most) {
		operands := []*ir.Value{f.base}
		for i, v := range f.subscripts {
			at := copied(v)
			if by := (first + k) * f.moves[i]; by != 0 {
				at = m.Op(opname.ArithSubI, at.Type, at, m.Integer(by, at.Type))
			}
			operands = append(operands, at)
		}
		inits = append(inits, m.Op(opname.MemRefLoad, f.value.Type, operands...))
	}
	carried := f.carry(inits)
	for i, ld := range f.loads {
		v := f.value
		if d := f.distance[i]; d > 0 {
			v = carried[d-1]
		}
		ld.Result(0).ReplaceAllUsesWith(v)
		ld.Erase()
	}
}

// copier computes values of a loop in front of it, with copies of the operations that they follow from.
func copier(loop *ir.Operation, copies map[*ir.Value]*ir.Value) func(*ir.Value) *ir.Value {
	var copied func(v *ir.Value) *ir.Value
	copied = func(v *ir.Value) *ir.Value {
		if w := copies[v]; w != nil {
			return w
		}
		if rewrite.Outside(v, loop) {
			return v
		}
		operands := make([]*ir.Value, v.Def.NumOperands())
		for i, w := range v.Def.Operands() {
			operands[i] = copied(w)
		}
		c := v.Def.Clone(map[*ir.Value]*ir.Value{})
		c.SetOperands(operands)
		loop.Block().InsertBefore(loop, c)
		for i, r := range v.Def.Results() {
			copies[r] = c.Result(i)
		}
		return copies[v]
	}
	return copied
}

// carry gives the loop carried values: the first is the value of the access, each other the one
// before it.
func (f *forward) carry(inits []*ir.Value) (carried []*ir.Value) {
	next := f.value
	for _, init := range inits {
		next = addCarried(f.loop, init, next)
		next.Name = "forwarded"
		carried = append(carried, next)
	}
	return carried
}
