package circuit

import (
	"slices"

	"loom/compiler/dialect/dataflow"
	"loom/compiler/ir"
	"loom/compiler/num"
	"loom/compiler/opname"
)

// A compiler makes
//
//	if (c) x -= y;     into     x = x - (c ? y : 0)
//
// which is small: the choice is an AND in front of the carry chain. But the chain waits for c. Computed as
//
//	x = c ? x - y : x
//
// it goes on beside what c is computed from, and costs a multiplexer. Where the clock target is missed and
// the longest path runs through the choice and then through the operation the circuit is built that way, if
// it becomes faster.

// neutral lists the operations with a neutral element, with whether only their second operand has it and
// whether it is all ones instead of zero.
var neutral = map[string]struct{ second, ones bool }{
	opname.ArithAddI: {}, opname.ArithOrI: {}, opname.ArithXOrI: {},
	opname.ArithSubI: {second: true},
	opname.ArithAndI: {ones: true},
}

// choice is an operation one operand of which is a choice between a value and the neutral element.
type choice struct {
	op      *ir.Operation
	operand int // the choice
	neutral int // the operand of the choice: 1 for true, 2 for false
}

// choiceOf finds the choice in front of an operation whose result nothing else reads.
func choiceOf(op *ir.Operation, indexWidth int) (choice, bool) {
	n, ok := neutral[op.Name]
	if !ok {
		return choice{}, false
	}
	for i, v := range op.Operands() {
		s := v.Def
		if s == nil || s.Name != opname.ArithSelect || len(v.Uses()) != 1 || i == 0 && n.second {
			continue
		}
		for k := 1; k <= 2; k++ {
			of := s.Operand(k)
			if !constant(of) {
				continue
			}
			value, err := num.ConstantBits(of.Def.Attr("value"), of.Type, indexWidth)
			w, _ := ir.BitWidth(of.Type, indexWidth)
			want := uint64(0)
			if n.ones {
				want = ^uint64(0) >> (64 - w)
			}
			if err == nil && value == want && (token(op.Operand(1-i)) || token(s.Operand(3-k))) {
				return choice{op, i, k}, true
			}
		}
	}
	return choice{}, false
}

// token reports whether a value says when what reads it fires.
func token(v *ir.Value) bool { return !constant(v) && !dataflow.IsHeld(v) }

// later makes the choice behind the operation.
func (x choice) later() {
	op, s := x.op, x.op.Operand(x.operand).Def
	result, other := op.Result(0), op.Operand(1-x.operand)
	op.SetOperand(x.operand, s.Operand(3-x.neutral))
	chosen := ir.NewOp(s.Name, op.Pos, []*ir.Value{s.Operand(0), other, other}, []ir.Type{result.Type})
	result.ReplaceAllUsesWith(chosen.Result(0))
	chosen.SetOperand(3-x.neutral, result)
	chosen.Result(0).Name, result.Name = result.Name, s.Result(0).Name
	block := op.Block()
	block.InsertBefore(op, chosen)
	op.Unlink()
	block.InsertBefore(chosen, op)
	s.Erase()
}

// allLater is a copy of a graph with all choices made later.
func allLater(fn *ir.Operation, indexWidth int) *ir.Operation {
	fn = fn.Clone(map[*ir.Value]*ir.Value{})
	for _, op := range slices.Clone(fn.Regions[0].Entry().Ops) {
		if x, ok := choiceOf(op, indexWidth); ok {
			x.later()
		}
	}
	return fn
}

// deferred looks for a faster circuit than one that misses its clock target, with choices made later.
func deferred(fn *ir.Operation, c *Circuit, o Options) (*Circuit, error) {
	best := c
	var names []string
	for c.Estimate != nil && c.Estimate.Missed != "" {
		x, name, ok := c.choice()
		if !ok {
			break
		}
		copied := map[*ir.Value]*ir.Value{}
		fn = fn.Clone(copied)
		x.op = copied[x.op.Result(0)].Def
		x.later()
		next, err := build(fn, o)
		if err != nil {
			return nil, err
		}
		if next.Estimate.Delay > c.Estimate.Delay {
			break
		}
		c, names = next, append(names, name)
		c.Estimate.Later = slices.Clone(names)
		if c.Estimate.Delay*near <= best.Estimate.Delay {
			best = c
		}
	}
	return best, nil
}

// choice finds a choice on the longest path right in front of its operation, and what it is called.
func (c *Circuit) choice() (x choice, name string, ok bool) {
	path := c.Estimate.Path
	for _, u := range c.Units {
		if u.Kind != Compute {
			continue
		}
		x, ok := choiceOf(u.Op, c.IndexWidth)
		if !ok {
			continue
		}
		s := slices.IndexFunc(c.Units, func(s *Unit) bool { return s.Op == u.Op.Operand(x.operand).Def })
		if s < 0 {
			continue
		}
		for i := 1; i < len(path); i++ {
			if path[i-1] == c.Units[s].Name && path[i] == u.Name {
				return x, c.Units[s].Name, true
			}
		}
	}
	return choice{}, "", false
}
