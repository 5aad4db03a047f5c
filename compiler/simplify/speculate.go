package simplify

import (
	"slices"

	"loom/compiler/diag"
	"loom/compiler/dialect/dataflow"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/recurrence"
)

// speculate computes what a loop carries on before it is known whether the loop goes on:
//
//	%x = dataflow.carry %more, %init, %next        %x = dataflow.carry %more, %init, %next
//	%more = arith.cmpi ne, %x, %zero               %more = arith.cmpi ne, %x, %zero
//	%x_in, %x_out = cond_br %more, %x        =>    %early = arith.shrui %x, %one
//	%next = arith.shrui %x_in, %one                %next, %none = cond_br %more, %early
//
// Where the condition depends on what is carried, an iteration waits for it and then for the operation; now it waits for the longer of both.
// The operation is computed once in vain, when the loop ends. It may not trap, touch memory or take a unit for more than a cycle.
//
// Branches of what is read are replaced by branches of what is computed. Where these are more, the fabric has to have room for them
// (Fabric.MoreUnits), and the loop has to be an innermost one; so it has to be where operations take turns (Fabric.Temporal).
// A branch that is one unit with its carry stays: it waits for no operation.
func speculate(s *state, _ *diag.List) {
	if s.opts.Fabric == nil {
		return
	}
	nest := recurrence.FindLoops(s.fn)
	inner := innermost(nest)
	seen := map[*ir.Value]bool{}
	for _, carry := range append([]*ir.Operation(nil), s.body.Ops...) {
		l, _, _, ok := nest.Condition(carry)
		if carry.Name != opname.DataflowCarry || !ok {
			continue
		}
		more := carry.Operand(0)
		if seen[more] || !late(more) {
			continue
		}
		seen[more] = true
		for _, early := range s.speculative(more) {
			if free := s.branchesMore(more, early) <= 0 && !s.opts.Fabric.Temporal; free || s.opts.Fabric.MoreUnits && inner[l] {
				s.computeAhead(more, early)
			}
		}
	}
	clearDead(s, nil)
}

// late reports whether the condition of a loop depends on what the loop carries.
func late(more *ir.Value) bool {
	seen := map[*ir.Operation]bool{}
	var visit func(v *ir.Value) bool
	visit = func(v *ir.Value) bool {
		op := v.Def
		if op == nil || seen[op] {
			return false
		}
		seen[op] = true
		if op.Name == opname.DataflowCarry {
			return op.Operand(0) == more
		}
		for _, o := range op.Operands() {
			if visit(o) {
				return true
			}
		}
		return false
	}
	return visit(more)
}

// computesAnyhow reports whether an operation may be computed for operands that it would not have had: it has a result for any, and starts in
// every cycle.
func computesAnyhow(op *ir.Operation) bool {
	switch op.Name {
	case opname.ArithShLI, opname.ArithShRSI, opname.ArithShRUI, opname.ArithMulI:
		return true
	}
	return isCheap(op) || isExtreme(op)
}

// speculative are the operations on ways from branches by a condition to what its loop carries on, in groups that share no branch and no value.
func (s *state) speculative(more *ir.Value) [][]*ir.Operation {
	may := map[*ir.Operation]bool{}
	for changed := true; changed; {
		changed = false
		for _, op := range s.body.Ops {
			if !may[op] && op.NumResults() == 1 && computesAnyhow(op) && s.readsAhead(op, more, may) {
				may[op], changed = true, true
			}
		}
	}
	used := map[*ir.Operation]bool{}
	var back func(v *ir.Value)
	back = func(v *ir.Value) {
		op := v.Def
		if op == nil || used[op] || op.Name == opname.DataflowCarry && op.Operand(0) == more {
			return
		}
		used[op] = true
		for _, o := range op.Operands() {
			back(o)
		}
	}
	for _, op := range s.body.Ops {
		if op.Name == opname.DataflowCarry && op.Operand(0) == more {
			back(op.Operand(2))
		}
	}
	// Groups are the classes of what is read and computed.
	class := map[*ir.Operation]*ir.Operation{}
	var root func(op *ir.Operation) *ir.Operation
	root = func(op *ir.Operation) *ir.Operation {
		if class[op] == nil || class[op] == op {
			return op
		}
		return root(class[op])
	}
	var members []*ir.Operation
	for _, op := range s.body.Ops {
		if !may[op] || !used[op] {
			continue
		}
		members = append(members, op)
		for _, v := range op.Operands() {
			if !dataflow.IsHeld(v) {
				class[root(v.Def)] = root(op)
			}
		}
	}
	var groups [][]*ir.Operation
	place := map[*ir.Operation]int{}
	for _, op := range members {
		r := root(op)
		if _, ok := place[r]; !ok {
			place[r] = len(groups)
			groups = append(groups, nil)
		}
		groups[place[r]] = append(groups[place[r]], op)
	}
	// Casts alone are wires, which nothing waits for.
	return slices.DeleteFunc(groups, func(group []*ir.Operation) bool { return !slices.ContainsFunc(group, computes) })
}

// computes reports whether an operation is more than a cast.
func computes(op *ir.Operation) bool {
	switch op.Name {
	case opname.ArithExtSI, opname.ArithExtUI, opname.ArithTruncI, opname.ArithIndexCast, opname.ArithIndexCastUI:
		return false
	}
	return true
}

// readsAhead reports whether all that changes among the operands of an operation is led into the iterations of a loop by its condition, or computed of that.
func (s *state) readsAhead(op *ir.Operation, more *ir.Value, may map[*ir.Operation]bool) bool {
	changes := false
	for _, v := range op.Operands() {
		if dataflow.IsHeld(v) {
			continue
		}
		changes = true
		br := v.Def
		if br == nil {
			return false
		}
		if may[br] {
			continue
		}
		if br.Name != opname.HandshakeCondBr || br.Operand(0) != more || v.Index != 0 || isHead(br) && len(br.Operand(1).Uses()) == 1 {
			return false
		}
	}
	return changes
}

// branchesMore is how many more branches there are if a group is computed ahead.
func (s *state) branchesMore(more *ir.Value, group []*ir.Operation) int {
	in := map[*ir.Operation]bool{}
	for _, op := range group {
		in[op] = true
	}
	outside := func(v *ir.Value) bool {
		for _, u := range v.Uses() {
			if !in[u.Op] {
				return true
			}
		}
		return false
	}
	n := 0
	gone := map[*ir.Operation]bool{}
	for _, op := range group {
		if outside(op.Result(0)) {
			n++
		}
		for _, v := range op.Operands() {
			if br := v.Def; !dataflow.IsHeld(v) && !in[br] && !gone[br] && !br.Result(1).HasUses() && !outside(v) {
				gone[br] = true
				n--
			}
		}
	}
	return n
}

// computeAhead moves a group in front of the branches of what it reads.
func (s *state) computeAhead(more *ir.Value, group []*ir.Operation) {
	early := map[*ir.Value]*ir.Value{}
	clones := make([]*ir.Operation, len(group))
	for i, op := range group {
		clones[i] = op.Clone(map[*ir.Value]*ir.Value{})
		s.body.InsertBefore(op, clones[i])
		early[op.Result(0)] = clones[i].Result(0)
	}
	for i, op := range group {
		for k, v := range op.Operands() {
			switch {
			case dataflow.IsHeld(v):
			case early[v] != nil:
				clones[i].SetOperand(k, early[v])
			default:
				clones[i].SetOperand(k, v.Def.Operand(1))
			}
		}
	}
	side := 0
	if s.opts.deviate == speculateOther {
		side = 1
	}
	for _, op := range group {
		br := s.split(op, more, early[op.Result(0)])
		op.Result(0).ReplaceAllUsesWith(br.Result(side))
	}
}
