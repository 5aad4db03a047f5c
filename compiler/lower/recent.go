package lower

import (
	"slices"

	"loom/compiler/analysis/dependence"
	"loom/compiler/analysis/linear"
	"loom/compiler/analysis/loops"
	"loom/compiler/diag"
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

// recentStores lets the loads of a loop overtake the stores of its last iterations:
//
//	for i { y = load h[f(i)]; … store z, h[g(i)] }
//
// whose iterations may meet, becomes, for one iteration,
//
//	for i iter_args(a = never, v = 0) {
//	  m = load h[f(i)]
//	  y = f(i) == a ? v : m
//	  … store z, h[g(i)]
//	  yield g(i), z
//	}
//
// and orderMemory lets the load wait for the stores up to the last iteration but one only. What the
// iteration in between has stored is in registers, with its subscript; what memory holds at that subscript may be
// old or new, as it is not used. So a recurrence through memory has the time of two iterations, with n
// registers that of n+1. LSQs of processors forward stores by the same comparison.
//
// The loop counts, or has all accesses to the memory where it computes its condition, as loops that test last have.
// What an iteration stores is not compared with loads of elements that it never is: of w[i] and w[i - 8] with n below 8, none. Where that is so
// for all loads, the loop carries nothing but the order.
//
// There must be one store, behind all loads; both may be in branches, but not in different ones of one scf.if. Then the store waits for the loads of its own iteration, and as tokens pass ports, joins and merges
// in the order of the iterations, for those of earlier ones.
func recentStores(s *state, _ *diag.List) {
	if s.opts.RecentStores == 0 || s.opts.MemoryOrder != "pipelined" {
		return
	}
	all := accessesInLoops(s.fn, opname.SCFFor, opname.SCFWhile)
	s.fn.Walk(func(loop *ir.Operation) bool {
		for _, st := range all[loop] {
			if loads := s.overtaking(loop, st, all[loop]); len(loads) > 0 {
				s.recent = append(s.recent, recent{s.keepRecent(loop, st, loads), rootOf(st.Operand(1))})
			}
		}
		return true
	})
}

// recent is a loop whose loads of a memory overtake stores: known by one of its arguments, which it has as long as no pass makes it anew.
type recent struct{ argument, root *ir.Value }

// overtaking are the loads of a loop that may overtake a store of earlier iterations once they look at what was
// stored last. There are none where the accesses have another form, or wait for no other iteration anyway.
func (s *state) overtaking(loop, st *ir.Operation, accesses []*ir.Operation) (loads []*ir.Operation) {
	if st.Name != opname.MemRefStore || fences(loop) {
		return nil
	}
	root, stored := rootOf(st.Operand(1)), false
	for _, op := range accesses {
		meets := false
		for _, m := range memoryOperands(op) {
			meets = meets || s.leader(rootOf(m)) == s.leader(root)
		}
		if !meets {
			continue
		}
		at := op
		for ; at.ParentOp() != loop; at = at.ParentOp() {
			if at.ParentOp().Name != opname.SCFIf {
				return nil
			}
		}
		if at.Block() != loop.Regions[0].Entry() {
			return nil
		}
		switch {
		case op == st:
			stored = true
		case op.Name != opname.MemRefLoad || op.Operand(0) != st.Operand(1):
			return nil
		case stored && s.opts.deviate != recentBehind, !dependence.InTurn(op, st) && s.opts.deviate != recentBranches:
			return nil
		default:
			loads = append(loads, op)
		}
	}
	if s.dependenceFree(loop, st) {
		return nil
	}
	return loads
}

// match is in which iterations before one of its own, 1 to RecentStores, a load may find that a store of its loop wrote its element.
type match struct {
	after []int
	// always is set where the store of after[0] iterations ago, the only one, wrote that element, if there was such an iteration.
	always bool
}

// matchOf compares the subscripts of a load and a store. If they are apart by a constant, and move by one in each iteration, they are the same after
// one number of iterations or never.
func (s *state) matchOf(x *linear.Forms, loop, ld, st *ir.Operation) (m match) {
	gap, moves, steady := s.steadyGap(x, loop, ld, st)
	unused := 64 - s.opts.IndexWidth
	for k := 1; k <= s.opts.RecentStores; k++ {
		apart := steady && (uint64(gap)-uint64(k)*uint64(moves))<<unused != 0
		if s.opts.deviate == recentApart {
			apart = k > 1
		}
		if !apart {
			m.after = append(m.after, k)
		}
	}
	m.always = steady && len(m.after) == 1 && st.Block() == loop.Regions[0].Entry()
	return m
}

// steadyGap is how far the subscript of a store is above that of a load, modulo the width of an index, and how far both move in an iteration of a counted
// loop, where that is the same for all.
func (s *state) steadyGap(x *linear.Forms, loop, ld, st *ir.Operation) (gap, moves int64, ok bool) {
	counter := steadyCounter(x, loop)
	if counter == nil {
		return 0, 0, false
	}
	load, store := x.Of(ld.Operand(1)), x.Of(st.Operand(2))
	for _, t := range store.Terms {
		if t.Sym == counter {
			moves = t.Coef * counter.Course.By
		} else if !t.Sym.InvariantIn(loop) {
			return 0, 0, false
		}
	}
	between, ok := store.Plus(load, -1)
	return between.C, moves, ok && len(between.Terms) == 0
}

// steadyCounter is the counter of a loop that moves by one number in each iteration and does not wrap, nil for others.
func steadyCounter(x *linear.Forms, loop *ir.Operation) *linear.Symbol {
	if loop.Name != opname.SCFFor || loop.Attr(loops.UnsignedAttr) != nil {
		return nil
	}
	counter := x.Counter(loop)
	if counter.Course == nil || counter.Course.By == 0 || counter.Course.Wraps {
		return nil
	}
	return counter
}

// keepRecent makes the loop carry what it stored last, as far as loads may meet it, and its loads take that where the subscripts are equal. It returns
// an argument of the loop: the value that is carried from the last iteration, or the first one where none is.
func (s *state) keepRecent(loop, st *ir.Operation, loads []*ir.Operation) *ir.Value {
	x := linear.New(s.ranges(), s.opts.IndexWidth)
	met := map[*ir.Operation]match{}
	compared, kept := 0, 0 // the iterations of which the loop carries the subscript, and the value
	for _, ld := range loads {
		m := s.matchOf(x, loop, ld, st)
		if met[ld] = m; len(m.after) == 0 {
			continue
		}
		kept = max(kept, slices.Max(m.after))
		if !m.always {
			compared = max(compared, slices.Max(m.after))
		}
	}
	if kept == 0 {
		return loop.Regions[0].Entry().Args[0]
	}
	value, at := st.Operand(0), st.Operand(2)
	before := rewrite.Maker{Pos: st.Pos, Emit: func(op *ir.Operation) { loop.Block().InsertBefore(loop, op) }}
	least := int64(-1) << (s.opts.IndexWidth - 1)
	if s.opts.deviate == recentStart {
		least = 0
	}
	never := before.Integer(least, ir.Index)
	nothing := zeroOf(st, value.Type)
	before.Emit(nothing)
	// Without a store the subscript is none, so the value may be any.
	top := outermost(loop, st)
	nextAt, next := at, value
	if s.opts.deviate != recentSkipped || !rewrite.Outside(at, top) {
		nextAt = leaveBranches(loop, st, at, never)
	}
	if top != st && !rewrite.Outside(value, top) {
		next = leaveBranches(loop, st, value, nothing.Result(0))
	}
	var subscripts, values []*ir.Value // of the last iteration, the one before it, …
	for k := range kept {
		next = addCarried(loop, nothing.Result(0), next)
		next.Name = "stored"
		if values = append(values, next); k < compared {
			nextAt = addCarried(loop, never, nextAt)
			nextAt.Name = "stored_at"
			subscripts = append(subscripts, nextAt)
		}
	}
	for _, ld := range loads {
		after := met[ld].after
		if len(after) == 0 || s.opts.deviate == recentUncompared {
			continue
		}
		block := ld.Block()
		behind := block.Ops[slices.Index(block.Ops, ld)+1]
		m := rewrite.Maker{Pos: ld.Pos, Emit: func(op *ir.Operation) { block.InsertBefore(behind, op) }}
		is := func(k int) *ir.Value {
			if met[ld].always {
				return s.behind(m, loop, x.Counter(loop).Course.By, k)
			}
			return m.CmpI(arith.Eq, ld.Operand(1), subscripts[k-1])
		}
		choose := func(hit, a, b *ir.Value) *ir.Value { return m.Op(opname.ArithSelect, value.Type, hit, a, b) }
		uses := slices.Clone(ld.Result(0).Uses())
		y := ld.Result(0)
		// Of equal ones the last counts. What the last of them has stored passes one choice, what
		// memory gives two, however many there are: both are in recurrences.
		if n := len(after) - 1; n > 0 {
			stored, found := values[after[n]-1], is(after[n])
			for k := n - 1; k > 0; k-- {
				hit := is(after[k])
				stored, found = choose(hit, values[after[k]-1], stored), m.Op(opname.ArithOrI, ir.I1, hit, found)
			}
			y = choose(found, stored, y)
		}
		if hit := is(after[0]); s.opts.deviate == recentOldest && len(after) > 1 {
			y = choose(y.Def.Operand(0), y, choose(hit, values[after[0]-1], y))
		} else {
			y = choose(hit, values[after[0]-1], y)
		}
		for _, u := range uses {
			u.Op.SetOperand(u.Index, y)
		}
	}
	return values[0]
}

// behind makes the condition that a counted loop, whose counter moves by a number, has more than k iterations behind it where it stands.
func (s *state) behind(m rewrite.Maker, loop *ir.Operation, by int64, k int) *ir.Value {
	if s.opts.deviate == recentEarly {
		k--
	}
	body := loop.Regions[0].Entry()
	from, to := loop.Operand(0), body.Args[0]
	if by < 0 {
		from, to, by = to, from, -by
	}
	return m.CmpI(arith.Uge, m.Op(opname.ArithSubI, to.Type, to, from), m.Integer(int64(k)*by, to.Type))
}

// outermost is the operation of a loop's body that holds another one, or is it.
func outermost(loop, op *ir.Operation) *ir.Operation {
	for op.ParentOp() != loop {
		op = op.ParentOp()
	}
	return op
}

// leaveBranches returns what v, which is known at an operation in branches of a loop's body, is behind these, and
// other where they do not run.
func leaveBranches(loop, at *ir.Operation, v, other *ir.Value) *ir.Value {
	for b := at.Block(); b.ParentOp() != loop; b = b.ParentOp().Block() {
		branch := b.ParentOp()
		if len(branch.Regions) == 1 {
			branch.AddRegion()
		}
		for _, r := range branch.Regions {
			if r.Entry() == nil {
				r.AddBlock().Append(ir.NewOp(opname.SCFYield, branch.Pos, nil, nil))
			}
			if r.Entry() == b {
				r.Entry().Terminator().AddOperand(v)
			} else {
				r.Entry().Terminator().AddOperand(other)
			}
		}
		v = branch.AddResult(v.Type)
	}
	return v
}
