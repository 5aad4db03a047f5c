package simplify

import (
	"slices"

	"loom/compiler/dfg"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// dropCompletions drops done tokens of loads whose data the return waits for anyway, because a
// result or a store depends on it:
//
//	%done = join %a_loaded_1, %b_loaded_1, %c_stored_1    =>    %c_stored_1
//
// Only tokens that lead nowhere but to the return are dropped; what orders accesses stays. A
// return that would wait for nothing waits for the results.
//
// A load's data may be waited for only because it decides which way a done token goes. So the
// tokens of all loads whose data is waited for are dropped, and where the return does not wait
// for an access then, it is done again with fewer of them.
func dropCompletions(s *state, _ *diag.List) {
	if s.again {
		return
	}
	var keep []int // of the loads in the order of the graph
	for {
		var dropped []int
		done, missing := s.try(func() { dropped = drop(s, keep) })
		if done || len(dropped) == 0 {
			return
		}
		before := len(keep)
		for _, i := range missing {
			if slices.Contains(dropped, i) {
				keep = append(keep, i)
			}
		}
		if len(keep) == before { // a store, which was waited for through loads
			keep = append(keep, dropped...)
		}
	}
}

// drop drops what can go if the done tokens of some loads stay, and returns the loads whose done
// tokens went.
func drop(s *state, keep []int) (dropped []int) {
	counts := dfg.CountsOf(s.fn)
	c := &completions{state: s, free: map[*ir.Value]bool{}, ends: map[*ir.Value]bool{}}
	awaited := counts.Awaited()
	for i, ld := range accessOps(s.body, opname.HandshakeLoad) {
		switch {
		case slices.Contains(keep, i):
			delete(awaited, ld.Result(0))
		case awaited[ld.Result(0)]:
			dropped = append(dropped, i)
		}
	}
	c.find(awaited, activationsOf(s))
	for _, op := range append([]*ir.Operation(nil), s.body.Ops...) {
		if op.Name == opname.HandshakeMux && c.ends[op.Result(0)] && !c.free[op.Result(0)] {
			for side := 1; side <= 2; side++ {
				if c.free[op.Operand(side)] {
					op.SetOperand(side, s.hold(&root{value: s.start}, s.start))
				}
			}
		}
		if op.Name != opname.HandshakeJoin || !c.ends[op.Result(0)] || isFence(op) {
			continue
		}
		var rest []*ir.Value
		for _, t := range op.Operands() {
			if !c.free[t] {
				rest = append(rest, t)
			}
		}
		switch {
		case len(rest) == 0: // dropped where it is read, or all that there is
		case len(rest) == 1 && rest[0].Type == ir.Type(ir.None):
			op.Result(0).ReplaceAllUsesWith(rest[0])
		case len(rest) < op.NumOperands():
			op.SetOperands(rest)
		}
	}
	ret := s.body.Terminator()
	last := ret.NumOperands() - 1
	if t := ret.Operand(last); c.free[t] && last > 0 {
		if done := s.joined(ret, ret.Operands()[:last]); done != nil {
			ret.SetOperand(last, done)
		}
	} else if c.free[t] {
		ret.SetOperand(last, s.start)
	}
	return dropped
}

// joined is a token that comes when all values of the return have, by joins that are as wide as the hardware's;
// nil where the hardware has none of two inputs.
func (s *state) joined(ret *ir.Operation, values []*ir.Value) *ir.Value {
	limit := dfg.JoinLimit(s.fn)
	all := append([]*ir.Value(nil), values...)
	if len(all) > limit && limit < 2 {
		return nil
	}
	join := func(some []*ir.Value) *ir.Value {
		j := ir.NewOp(opname.HandshakeJoin, ret.Pos, append([]*ir.Value(nil), some...), []ir.Type{ir.None})
		j.Result(0).Name = "done"
		return s.insert(j)
	}
	for len(all) > limit {
		all = append(all[limit:], join(all[:limit]))
	}
	return join(all)
}

type completions struct {
	*state
	// free are the control tokens that the return need not wait for: it waits for something
	// that comes later.
	free map[*ir.Value]bool
	// ends are those that lead to nothing but the return.
	ends map[*ir.Value]bool
}

// find computes the greatest sets: a token around a loop is in one if nothing says no.
func (c *completions) find(awaited, activations map[*ir.Value]bool) {
	accesses := accessesOf(c.body)
	var tokens []*ir.Value
	for _, op := range c.body.Ops {
		for _, r := range op.Results() {
			if r.Type == ir.Type(ir.None) {
				tokens = append(tokens, r)
				c.free[r], c.ends[r] = true, true
			}
		}
	}
	c.free[c.start] = true
	isFree := func(t *ir.Value) bool {
		op := t.Def
		if a := accesses[t]; a != nil {
			return a.Name == opname.HandshakeLoad && (awaited[a.Result(0)] || c.opts.deviate == completionLost)
		}
		switch op.Name {
		case opname.HandshakeCondBr, opname.DataflowInvariant:
			return c.free[op.Operand(1)]
		case opname.HandshakeMux, opname.DataflowCarry:
			return c.free[op.Operand(1)] && c.free[op.Operand(2)]
		case opname.HandshakeJoin:
			if isFence(op) {
				return false
			}
			for _, w := range op.Operands() {
				if w.Type == ir.Type(ir.None) && !c.free[w] {
					return false
				}
			}
			return true
		}
		return activations[t]
	}
	leadsToEnd := func(t *ir.Value) bool {
		for _, u := range t.Uses() {
			switch u.Op.Name {
			case opname.HandshakeReturn:
			case opname.HandshakeJoin, opname.HandshakeCondBr, opname.HandshakeMux, opname.DataflowCarry, opname.DataflowInvariant:
				for _, r := range u.Op.Results() {
					if !c.ends[r] || isFence(u.Op) {
						return false
					}
				}
			default:
				return false
			}
		}
		return true
	}
	for changed := true; changed; {
		changed = false
		for _, t := range tokens {
			if c.free[t] && !isFree(t) {
				delete(c.free, t)
				changed = true
			}
			if c.ends[t] && !leadsToEnd(t) {
				delete(c.ends, t)
				changed = true
			}
		}
	}
}
