package lower

import (
	"slices"

	"loom/compiler/analysis/dependence"
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
// There must be one store, behind all loads; both may be in branches, but not in different ones of one scf.if. Then the store waits for the loads of its own iteration, and as tokens pass ports, joins and merges
// in the order of the iterations, for those of earlier ones.
func recentStores(s *state, _ *diag.List) {
	s.recent = map[*ir.Value]*ir.Value{}
	if s.opts.RecentStores == 0 || s.opts.MemoryOrder != "pipelined" {
		return
	}
	all := accessesInLoops(s.fn, opname.SCFFor, opname.SCFWhile)
	s.fn.Walk(func(loop *ir.Operation) bool {
		for _, st := range all[loop] {
			if loads := s.overtaking(loop, st, all[loop]); len(loads) > 0 {
				s.recent[s.keepRecent(loop, st, loads)] = rootOf(st.Operand(1))
			}
		}
		return true
	})
}

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

// keepRecent makes the loop carry what it stored last, and its loads take that where the subscripts are equal. It returns the
// subscript that is carried from the last iteration.
func (s *state) keepRecent(loop, st *ir.Operation, loads []*ir.Operation) *ir.Value {
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
	var subscripts, values []*ir.Value
	for range s.opts.RecentStores {
		a, v := addCarried(loop, never, nextAt), addCarried(loop, nothing.Result(0), next)
		a.Name, v.Name = "stored_at", "stored"
		subscripts, values = append(subscripts, a), append(values, v)
		nextAt, next = a, v
	}
	for _, ld := range loads {
		if s.opts.deviate == recentUncompared {
			continue
		}
		block := ld.Block()
		behind := block.Ops[slices.Index(block.Ops, ld)+1]
		m := rewrite.Maker{Pos: ld.Pos, Emit: func(op *ir.Operation) { block.InsertBefore(behind, op) }}
		is := func(k int) *ir.Value { return m.CmpI(arith.Eq, ld.Operand(1), subscripts[k]) }
		choose := func(hit, a, b *ir.Value) *ir.Value { return m.Op(opname.ArithSelect, value.Type, hit, a, b) }
		uses := slices.Clone(ld.Result(0).Uses())
		y := ld.Result(0)
		// Of equal ones the last counts. What the last iteration has stored passes one choice, what
		// memory gives two, however many there are: both are in recurrences.
		if n := len(values) - 1; n > 0 {
			recent, found := values[n], is(n)
			for k := n - 1; k > 0; k-- {
				hit := is(k)
				recent, found = choose(hit, values[k], recent), m.Op(opname.ArithOrI, ir.I1, hit, found)
			}
			y = choose(found, recent, y)
		}
		if hit := is(0); s.opts.deviate == recentOldest && len(values) > 1 {
			y = choose(y.Def.Operand(0), y, choose(hit, values[0], y))
		} else {
			y = choose(hit, values[0], y)
		}
		for _, u := range uses {
			u.Op.SetOperand(u.Index, y)
		}
	}
	return subscripts[0]
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
