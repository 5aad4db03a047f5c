package structure

import (
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// carried are the variables that a loop assigns and that a later iteration reads:
// the loop-carried values. All others are defined on every path to where they are
// read, and no such path passes the beginning of an iteration: in a loop with
// several entries it would pass one of them, by which one gets there without the
// definition.
func (e *emitter) carried(s *stmt) []int {
	handed := e.vs.empty()
	for _, v := range s.handed {
		e.vs.read(handed, v)
	}
	handed.intersect(s.reads)
	return members(handed)
}

func members(s set) (out []int) {
	s.each(func(i int) { out = append(out, i) })
	return out
}

// loop emits a loop that is tested at its end: an scf.while whose second region
// only passes the values on.
func (e *emitter) loop(s *stmt, into *ir.Block) {
	iter := e.carried(s)
	op, before := e.startLoop(s, iter)
	mark := len(e.log)
	for k, i := range iter {
		e.set(i, before.Args[k])
	}
	e.list(s.body, before)
	passed := make([]*ir.Value, len(iter))
	where := map[*ir.Value]int{}
	for k, i := range iter {
		passed[k] = e.value(i)
		where[passed[k]] = k
	}
	results := map[int]int{}
	out := s.out.clone()
	out.intersect(s.may)
	for _, i := range members(out) {
		v := e.value(i)
		k, ok := where[v]
		if !ok {
			k = len(passed)
			where[v] = k
			passed = append(passed, v)
		}
		results[i] = k
	}
	cond := e.get(s.again)
	e.undo(mark)
	after := e.endBefore(op, before, cond, passed)
	after.Append(newOp(opname.SCFYield, s.pos, after.Args[:len(iter)]))
	into.Append(op)
	e.takeResults(op, out, results)
}

// startLoop makes the operation with the values that it carries.
func (e *emitter) startLoop(s *stmt, iter []int) (*ir.Operation, *ir.Block) {
	inits := make([]*ir.Value, len(iter))
	for k, i := range iter {
		inits[k] = e.value(i)
	}
	op := newOp(opname.SCFWhile, s.pos, inits)
	if s.accel {
		op.SetAttr(accelAttr, &ir.UnitAttr{})
	}
	before := op.AddRegion().AddBlock()
	for _, i := range iter {
		before.AddArg(e.vs.list[i].Type, e.vs.list[i].Name, s.pos)
	}
	return op, before
}

// endBefore ends the first region of a loop and makes the second.
func (e *emitter) endBefore(op *ir.Operation, before *ir.Block, cond *ir.Value, passed []*ir.Value) *ir.Block {
	before.Append(newOp(opname.SCFCondition, op.Pos, append([]*ir.Value{cond}, passed...)))
	after := op.AddRegion().AddBlock()
	for _, v := range passed {
		op.AddResult(v.Type).Name = v.Name
		after.AddArg(v.Type, v.Name, op.Pos)
	}
	return after
}

func (e *emitter) takeResults(op *ir.Operation, out set, results map[int]int) {
	for _, i := range members(out) {
		e.set(i, op.Result(results[i]))
	}
}

// tested emits a loop that is tested between two parts of its body.
func (e *emitter) tested(s *stmt, into *ir.Block) {
	iter := e.carried(s)
	op, before := e.startLoop(s, iter)
	mark := len(e.log)
	for k, i := range iter {
		e.set(i, before.Args[k])
	}
	e.list(s.body, before)
	// What the loop has made so far and a later operation reads is passed on.
	needed := s.out.clone()
	needed.unite(s.armReads[1])
	needed.unite(s.reads) // what the next iteration finds unchanged
	changed := e.vs.empty()
	for _, c := range e.log[mark:] {
		changed.add(c.variable)
	}
	needed.intersect(changed)
	var passed []*ir.Value
	where := map[*ir.Value]int{}
	at := map[int]int{}
	for _, i := range members(needed) {
		v := e.value(i)
		k, ok := where[v]
		if !ok {
			k = len(passed)
			where[v] = k
			passed = append(passed, v)
		}
		at[i] = k
	}
	cond := e.get(s.again)
	if s.chosen != nil {
		cond, _ = e.selection(s.chosen, before)
		if !s.negate {
			cond = e.negated(cond, before, s.pos)
		}
	} else if s.negate {
		cond = e.negated(cond, before, s.pos)
	}
	after := e.endBefore(op, before, cond, passed)
	for _, i := range members(needed) {
		e.set(i, after.Args[at[i]])
	}
	e.list(s.after, after)
	next := make([]*ir.Value, len(iter))
	for k, i := range iter {
		next[k] = e.value(i)
	}
	after.Append(newOp(opname.SCFYield, s.pos, next))
	e.undo(mark)
	into.Append(op)
	out := s.out.clone()
	out.intersect(needed)
	e.takeResults(op, out, at)
}

// negated emits the opposite of a condition.
func (e *emitter) negated(c *ir.Value, into *ir.Block, pos diag.Pos) *ir.Value {
	return into.Append(newOp(opname.ArithXOrI, pos, []*ir.Value{c, e.g.integer(1, ir.I1)}, ir.I1)).Result(0)
}
