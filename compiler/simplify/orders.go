package simplify

import (
	"loom/compiler/dfg"
	"loom/compiler/diag"
	"loom/compiler/dialect/dataflow"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// dropOrders lets accesses start without waiting for those before them where nothing needs the
// order:
//
//   - a load whose control comes from loads only, if no access waits for it: loads need no
//     order among each other;
//   - a store whose control comes from loads only, each of which its data or address comes from:
//     it cannot be sooner than their data.
//
// A control comes from an access if its done token, or that of an access that waits for it, is
// on the way.
func dropOrders(s *state, _ *diag.List) {
	if s.again {
		return
	}
	accesses := accessesOf(s.body)
	// Stores first: one may be ordered behind a load through another load.
	for _, op := range accessOps(s.body, opname.HandshakeStore) {
		s.dropOrder(op, accesses)
	}
	for _, op := range accessOps(s.body, opname.HandshakeLoad) {
		passes := false // an order on
		for _, name := range []string{opname.HandshakeStore, opname.HandshakeLoad} {
			for _, other := range accessOps(s.body, name) {
				before := map[*ir.Operation]bool{}
				behind(other.Operand(access(other)), accesses, before, map[*ir.Value]bool{})
				passes = passes || other != op && before[op]
			}
		}
		if !passes {
			s.dropOrder(op, accesses)
		}
	}
}

// accessOps are the loads or the stores of a graph.
func accessOps(body *ir.Block, name string) []*ir.Operation {
	var out []*ir.Operation
	for _, op := range body.Ops {
		if op.Name == name {
			out = append(out, op)
		}
	}
	return out
}

// dropOrder drops the control of an access if nothing needs the order.
func (s *state) dropOrder(op *ir.Operation, accesses map[*ir.Value]*ir.Operation) {
	control := access(op)
	before := map[*ir.Operation]bool{}
	behind(op.Operand(control), accesses, before, map[*ir.Value]bool{})
	if len(before) == 0 || isHeldAll(op) {
		return
	}
	have := map[*ir.Operation]bool{}
	if op.Name == opname.HandshakeStore {
		surely(op.Operand(0), accesses, have, map[*ir.Value]bool{})
		surely(op.Operand(1), accesses, have, map[*ir.Value]bool{})
	}
	for a := range before {
		if a.Name != opname.HandshakeLoad || op.Name == opname.HandshakeStore && !have[a] && s.opts.deviate != orderLost {
			return
		}
	}
	was, fenced := op.Operand(control), s.fenced(accesses)
	op.SetOperand(control, s.hold(&root{value: s.start}, s.start))
	if loads, stores := s.missing(); len(loads)+stores > 0 || s.fenced(accesses) < fenced {
		op.SetOperand(control, was) // it also leads completions to the return or to a fence
	}
}

// fenced is how many accesses the fences wait for, counted at each of them.
func (s *state) fenced(accesses map[*ir.Value]*ir.Operation) int {
	n := 0
	for _, op := range s.body.Ops {
		if isFence(op) {
			before := map[*ir.Operation]bool{}
			for _, v := range op.Operands() {
				behind(v, accesses, before, map[*ir.Value]bool{})
			}
			n += len(before)
		}
	}
	return n
}

// missing returns the accesses that the return does not wait for: loads by their number in the
// order of the graph, and how many stores.
func (s *state) missing() (loads []int, stores int) {
	counts := dfg.CountsOf(s.fn)
	awaited := counts.Awaited()
	for i, op := range accessOps(s.body, opname.HandshakeLoad) {
		if !awaited[counts.Done(op)] && !awaited[op.Result(0)] {
			loads = append(loads, i)
		}
	}
	for _, op := range accessOps(s.body, opname.HandshakeStore) {
		if !awaited[counts.Done(op)] {
			stores++
		}
	}
	return loads, stores
}

// isHeldAll reports whether an access has nothing but its control that says how often it runs.
func isHeldAll(op *ir.Operation) bool {
	for i, v := range op.Operands() {
		if i != access(op) && (op.Name == opname.HandshakeStore || i == 0) && !dataflow.IsHeld(v) {
			return false
		}
	}
	return true
}

// behind collects the accesses that a control token comes from.
func behind(t *ir.Value, accesses map[*ir.Value]*ir.Operation, into map[*ir.Operation]bool, seen map[*ir.Value]bool) {
	if t.Type != ir.Type(ir.None) || t.Def == nil || seen[t] {
		return
	}
	seen[t] = true
	op := t.Def
	if a := accesses[t]; a != nil {
		into[a] = true
		behind(a.Operand(access(a)), accesses, into, seen)
		return
	}
	if isFence(op) {
		into[op] = true
	}
	for _, v := range op.Operands() {
		behind(v, accesses, into, seen)
	}
}

// surely collects the accesses whose data is there before a value is, in the same iteration or
// in one before it.
func surely(v *ir.Value, accesses map[*ir.Value]*ir.Operation, into map[*ir.Operation]bool, seen map[*ir.Value]bool) {
	if v.Def == nil || seen[v] {
		return
	}
	seen[v] = true
	op := v.Def
	operands := op.Operands()
	if a := accesses[v]; a != nil {
		if a.Name != opname.HandshakeLoad {
			return
		}
		into[a] = true
		operands = a.Operands()[:1] // its control may go
	}
	switch op.Name {
	case opname.HandshakeMux: // one of the others
		operands = operands[:1]
	case opname.DataflowCarry, opname.DataflowInvariant: // starts with its initial value
		operands = operands[1:2]
	case opname.DataflowInterlock: // the first one waits for no store
		operands = operands[:1]
	}
	for _, w := range operands {
		surely(w, accesses, into, seen)
	}
}
