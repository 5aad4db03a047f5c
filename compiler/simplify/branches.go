package simplify

import (
	"fmt"

	"loom/compiler/diag"
	"loom/compiler/dialect/dataflow"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// mergeBranches leads one value into a region where several are led there to compute that one, and
// leads each value there once:
//
//	%x_1, %x_0 = cond_br %c, %x                    %s = arith.addi %x, %y
//	%y_1, %y_0 = cond_br %c, %y              =>    %s_1, %s_0 = cond_br %c, %s
//	%s = arith.addi %x_1, %y_1
//
//	%y = arith.index_cast %x                       %x_1, %x_0 = cond_br %c, %x
//	%x_1, %x_0 = cond_br %c, %x              =>    %y_1 = arith.index_cast %x_1
//	%y_1, %y_0 = cond_br %c, %y
//
// On a fabric each branch is a unit. Operations are computed in vain then where the condition does
// not hold: those whose result is there in the same cycle for any operands. Branches behind a carry
// or a stream of the same condition stay: they are one unit with it.
func mergeBranches(s *state, _ *diag.List) {
	if s.opts.Fabric == nil {
		return
	}
	for changed := true; changed; {
		changed = s.shareBranches()
		for _, op := range append([]*ir.Operation(nil), s.body.Ops...) {
			if s.delays(op) {
				changed = true
				clearDead(s, nil)
			}
		}
	}
}

// shareBranches leads two casts of one value by one branch or invariant, and reports whether there were
// two.
func (s *state) shareBranches() bool {
	first := map[string]*ir.Operation{}
	number := map[*ir.Value]int{}
	id := func(v *ir.Value) int {
		if number[v] == 0 {
			number[v] = len(number) + 1
		}
		return number[v]
	}
	for _, op := range append([]*ir.Operation(nil), s.body.Ops...) {
		if op.Name != opname.HandshakeCondBr && op.Name != opname.DataflowInvariant {
			continue
		}
		v := op.Operand(1)
		key := fmt.Sprintf("%s %d %d", op.Name, id(op.Operand(0)), id(s.uncast(v)))
		other := first[key]
		if other == nil {
			first[key] = op
			continue
		}
		// The value itself and not a cast of it goes by the branch that stays.
		base := s.uncast(v)
		to := other
		if w := other.Operand(1); w != base {
			to = ir.NewOp(other.Name, other.Pos, []*ir.Value{other.Operand(0), base}, types(base.Type, other.NumResults()))
			to.Result(0).Name = other.Result(0).Name
			s.body.InsertBefore(other, to)
			for i := range other.Results() {
				s.recast(other.Result(i), w, base, to, i)
			}
		}
		for i := range op.Results() {
			s.recast(op.Result(i), v, base, to, i)
		}
		clearDead(s, nil)
		return true
	}
	return false
}

// types are n times a type.
func types(t ir.Type, n int) []ir.Type {
	out := make([]ir.Type, n)
	for i := range out {
		out[i] = t
	}
	return out
}

// recast replaces r, result i of a branch of v, by casts as between base and v of the same result of a
// branch that leads base, or will.
func (s *state) recast(r, v, base *ir.Value, to *ir.Operation, i int) {
	if !r.HasUses() {
		return
	}
	var casts []*ir.Operation
	for w := v; w != base; w = w.Def.Operand(0) {
		casts = append(casts, w.Def)
	}
	from := to.Result(i)
	at := r.Def
	for k := len(casts) - 1; k >= 0; k-- {
		c := casts[k].Clone(map[*ir.Value]*ir.Value{})
		c.SetOperand(0, from)
		s.body.InsertBefore(at, c)
		from = c.Result(0)
	}
	r.ReplaceAllUsesWith(from)
}

// uncast is a value in front of casts to another type of the same width, which are wires.
func (s *state) uncast(v *ir.Value) *ir.Value {
	for v.Def != nil {
		switch v.Def.Name {
		case opname.ArithIndexCast, opname.ArithIndexCastUI, opname.ArithExtSI, opname.ArithExtUI, opname.ArithTruncI:
		default:
			return v
		}
		w := v.Def.Operand(0)
		from, okFrom := ir.BitWidth(w.Type, s.opts.IndexWidth)
		to, okTo := ir.BitWidth(v.Type, s.opts.IndexWidth)
		if !okFrom || !okTo || from != to || dataflow.IsHeld(w) {
			return v
		}
		v = w
	}
	return v
}

// delays computes an operation in front of the branches of its operands if that saves branches, and
// reports whether it did.
func (s *state) delays(op *ir.Operation) bool {
	if !isCheap(op) && !isExtreme(op) || op.NumResults() != 1 {
		return false
	}
	var cond *ir.Value
	side, saved := 0, 0
	counted := map[*ir.Operation]bool{}
	for _, v := range op.Operands() {
		if dataflow.IsHeld(v) {
			continue
		}
		br := v.Def
		if br == nil || br.Name != opname.HandshakeCondBr || dataflow.IsHeld(br.Operand(1)) {
			return false
		}
		if cond == nil {
			cond, side = br.Operand(0), v.Index
		}
		if br.Operand(0) != cond || v.Index != side {
			return false
		}
		if counted[br] {
			continue
		}
		counted[br] = true
		if isHead(br) {
			return false
		}
		if !br.Result(1-v.Index).HasUses() && onlyReader(v, op) {
			saved++
		}
	}
	if saved < 2 {
		return false
	}
	early := op.Clone(map[*ir.Value]*ir.Value{})
	for i, v := range op.Operands() {
		if !dataflow.IsHeld(v) {
			early.SetOperand(i, v.Def.Operand(1))
		}
	}
	s.body.InsertBefore(op, early)
	br := s.split(op, cond, early.Result(0))
	if s.opts.deviate == delayOther {
		side = 1 - side
	}
	op.Result(0).ReplaceAllUsesWith(br.Result(side))
	return true
}

// isHead reports whether a branch is one unit with what it splits.
func isHead(br *ir.Operation) bool {
	from := br.Operand(1).Def
	if from == nil {
		return false
	}
	return from.Name == opname.DataflowCarry && from.Operand(0) == br.Operand(0) ||
		from.Name == opname.DataflowStream && from.Result(1) == br.Operand(0)
}

func onlyReader(v *ir.Value, op *ir.Operation) bool {
	for _, u := range v.Uses() {
		if u.Op != op {
			return false
		}
	}
	return true
}

// isExtreme reports whether an operation is a minimum or maximum of integers.
func isExtreme(op *ir.Operation) bool {
	switch op.Name {
	case opname.ArithMaxSI, opname.ArithMaxUI, opname.ArithMinSI, opname.ArithMinUI:
		return true
	}
	return false
}
