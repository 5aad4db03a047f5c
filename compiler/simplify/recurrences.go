package simplify

import (
	"slices"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/recurrence"
)

// splitRecurrences carries values twice that accumulators can carry, but for other readers of what an iteration begins with:
//
//	%n = dataflow.carry %more, %init, %next            %n = dataflow.carry %more, %init, %next
//	%n_in, %n_out = cond_br %more, %n                  %n_in, %n_out = cond_br %more, %n
//	%next = arith.addi %n_in, %x                =>     %next = arith.addi %n_in, %x
//	store … [%n_in]                                    %c = dataflow.carry %more, %init, %next
//	                                                   %c_in, %c_out = cond_br %more, %c
//	                                                   store … [%c_in]
//
// An accumulator is one unit for the first three and has no value of its register to give. What it computes it gives in every iteration,
// and the copy makes of that what the next iteration begins with, on no recurrence. So where three units took the cycles from one to the next and back, an iteration
// takes one, or those of the operation. In units it is the same, an accumulator and a loop head for a loop head and an operation.
//
// An accumulator that gives what an iteration begins with has no next value to give: others compute that once more, on no recurrence either.
//
// Innermost loops have it; others wait for theirs.
func splitRecurrences(s *state, _ *diag.List) {
	f := s.opts.Fabric
	if f == nil || !f.MoreUnits || f.Accumulates == nil {
		return
	}
	nest := recurrence.FindLoops(s.fn)
	inner := innermost(nest)
	for _, carry := range append([]*ir.Operation(nil), s.body.Ops...) {
		if l, _, _, ok := nest.Condition(carry); carry.Name != opname.DataflowCarry || !ok || !inner[l] {
			continue
		}
		branch, next, left := accumulated(carry)
		if branch == nil {
			continue
		}
		others := slices.DeleteFunc(slices.Clone(branch.Result(0).Uses()), func(u ir.Use) bool { return u.Op == next })
		if !f.Accumulates(next, left, false) {
			s.computeTwice(carry, next, left)
			continue
		}
		if len(others) == 0 {
			continue
		}
		again := carry.Clone(map[*ir.Value]*ir.Value{})
		value := branch.Clone(map[*ir.Value]*ir.Value{carry.Result(0): again.Result(0)})
		s.body.InsertBefore(carry, again)
		s.body.InsertBefore(carry, value)
		begins := value.Result(0)
		if s.opts.deviate == splitEarly {
			begins = next.Result(0)
		}
		for _, u := range others {
			u.Op.SetOperand(u.Index, begins)
		}
	}
}

// computeTwice computes the next value of a carry once more for its other readers, if an accumulator then takes the first.
func (s *state) computeTwice(carry, next *ir.Operation, left int) {
	others := slices.DeleteFunc(slices.Clone(next.Result(0).Uses()), func(u ir.Use) bool { return u.Op == carry })
	if len(others) == 0 || !s.opts.Fabric.Accumulates(next, left, true) {
		return
	}
	again := next.Clone(map[*ir.Value]*ir.Value{})
	s.body.InsertBefore(next, again)
	if s.opts.deviate == splitInitial {
		again.SetOperand(left, carry.Operand(1))
	}
	for _, u := range others {
		u.Op.SetOperand(u.Index, again.Result(0))
	}
}

// innermost says of each loop whether none is inside.
func innermost(nest *recurrence.Nest) []bool {
	inner := slices.Repeat([]bool{true}, len(nest.Loops))
	for _, l := range nest.Loops {
		if l.Parent >= 0 {
			inner[l.Parent] = false
		}
	}
	return inner
}

// accumulated are the branch and the operation, with the carried value as operand left, that have the form of an accumulator with a
// carry, nil where there is none.
func accumulated(carry *ir.Operation) (branch, next *ir.Operation, left int) {
	uses := carry.Result(0).Uses()
	next = carry.Operand(2).Def
	if len(uses) != 1 || next == nil || next.NumOperands() != 2 {
		return nil, nil, 0
	}
	branch = uses[0].Op
	if branch.Name != opname.HandshakeCondBr || branch.Operand(1) != carry.Result(0) || branch.Operand(0) != carry.Operand(0) {
		return nil, nil, 0
	}
	if next.Operand(0) != branch.Result(0) {
		left = 1
	}
	if next.Operand(left) != branch.Result(0) || next.Operand(1-left) == branch.Result(0) {
		return nil, nil, 0
	}
	return branch, next, left
}
