package structure

import "loom/compiler/ir"

// dropDead removes what contributes to no store and no returned value, also the
// results and carried values of loops and branches that nobody needs. Loops are
// taken to end: one without effect that nobody reads goes. It reports whether
// anything went.
func dropDead(fn *ir.Operation) bool {
	n := &needs{ops: map[*ir.Operation]bool{}, values: map[*ir.Value]bool{}}
	fn.Walk(func(op *ir.Operation) bool {
		if op != fn && !onlyValues(op) {
			n.keep(op)
			for _, v := range op.Operands() {
				n.need(v)
			}
		}
		return true
	})
	for len(n.work) > 0 {
		v := n.work[len(n.work)-1]
		n.work = n.work[:len(n.work)-1]
		n.reach(v)
	}
	return n.sweep(fn)
}

// onlyValues reports whether an operation matters only through its results and
// what is in its regions.
func onlyValues(op *ir.Operation) bool {
	switch op.Name {
	case "scf.if", "scf.for", "scf.while", "scf.index_switch", "scf.yield", "scf.condition":
		return true
	case "memref.load", "memref.get_global", "memref.alloca", "memref.dim":
		return true
	}
	return op.Is(ir.Pure) && len(op.Regions) == 0
}

// needs is what is found to be needed.
type needs struct {
	ops    map[*ir.Operation]bool
	values map[*ir.Value]bool
	work   []*ir.Value
}

func (n *needs) need(v *ir.Value) {
	if !n.values[v] {
		n.values[v] = true
		n.work = append(n.work, v)
	}
}

// keep keeps an operation and all around it, with what steers those.
func (n *needs) keep(op *ir.Operation) {
	for ; op != nil && !n.ops[op]; op = op.ParentOp() {
		n.ops[op] = true
		switch op.Name {
		case "scf.if", "scf.index_switch":
			n.need(op.Operand(0))
		case "scf.for":
			for _, v := range op.Operands()[:3] {
				n.need(v)
			}
		case "scf.while":
			n.need(op.Regions[0].Entry().Terminator().Operand(0))
		}
	}
}

// reach follows a needed value to what makes it.
func (n *needs) reach(v *ir.Value) {
	if v.Def == nil {
		n.reachArgument(v)
		return
	}
	op := v.Def
	n.keep(op)
	switch op.Name {
	case "scf.if", "scf.index_switch":
		for _, r := range op.Regions {
			n.need(r.Entry().Terminator().Operand(v.Index))
		}
	case "scf.for":
		n.need(op.Operand(3 + v.Index))
		n.need(op.Regions[0].Entry().Terminator().Operand(v.Index))
		n.need(op.Regions[0].Entry().Args[1+v.Index])
	case "scf.while":
		n.need(op.Regions[0].Entry().Terminator().Operand(1 + v.Index))
	default:
		for _, o := range op.Operands() {
			n.need(o)
		}
	}
}

func (n *needs) reachArgument(v *ir.Value) {
	op := v.Block.ParentOp()
	if op == nil {
		return
	}
	n.keep(op)
	switch op.Name {
	case "scf.for":
		if v.Index > 0 {
			n.need(op.Result(v.Index - 1))
		}
	case "scf.while":
		before, after := op.Regions[0].Entry(), op.Regions[1].Entry()
		if v.Block == before {
			n.need(op.Operand(v.Index))
			n.need(after.Terminator().Operand(v.Index))
		} else {
			n.need(before.Terminator().Operand(1 + v.Index))
		}
	}
}

// sweep removes from op what is not needed.
func (n *needs) sweep(op *ir.Operation) bool {
	changed := false
	for _, r := range op.Regions {
		for _, b := range r.Blocks {
			rebuild(b, func(o *ir.Operation, emit func(*ir.Operation)) {
				switch {
				case o.Name == "scf.yield" || o.Name == "scf.condition":
				case !n.ops[o]:
					drop(o)
					changed = true
					return
				case len(o.Regions) > 0:
					part := n.part(o)
					changed = n.sweep(part) || part != o || changed
					o = part
				}
				emit(o)
			})
		}
	}
	return changed
}

// part returns op without the results and carried values that are not needed.
func (n *needs) part(op *ir.Operation) *ir.Operation {
	keep := make([]bool, op.NumResults())
	all := true
	for i, v := range op.Results() {
		keep[i] = n.values[v]
		if op.Name == "scf.while" {
			keep[i] = keep[i] || n.values[op.Regions[1].Entry().Args[i]]
		}
		all = all && keep[i]
	}
	switch op.Name {
	case "scf.if", "scf.index_switch":
		if all {
			return op
		}
		for _, r := range op.Regions {
			t := r.Entry().Terminator()
			t.SetOperands(keepOf(t.Operands(), keep))
		}
		return withResults(op, append([]*ir.Value(nil), op.Operands()...), keep)
	case "scf.for":
		if all {
			return op
		}
		body := op.Regions[0].Entry()
		body.Terminator().SetOperands(keepOf(body.Terminator().Operands(), keep))
		keepArgs(body, append([]bool{true}, keep...))
		operands := append([]*ir.Value(nil), op.Operands()[:3]...)
		return withResults(op, append(operands, keepOf(op.Operands()[3:], keep)...), keep)
	case "scf.while":
		before, after := op.Regions[0].Entry(), op.Regions[1].Entry()
		args := make([]bool, len(before.Args))
		for i, a := range before.Args {
			args[i] = n.values[a]
			all = all && args[i]
		}
		if all {
			return op
		}
		cond, yield := before.Terminator(), after.Terminator()
		cond.SetOperands(append([]*ir.Value{cond.Operand(0)}, keepOf(cond.Operands()[1:], keep)...))
		yield.SetOperands(keepOf(yield.Operands(), args))
		keepArgs(before, args)
		keepArgs(after, keep)
		return withResults(op, keepOf(op.Operands(), args), keep)
	}
	return op
}
