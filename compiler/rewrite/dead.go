package rewrite

import (
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// DropDead removes dead code from a function: operations, results of loops and branches,
// and loop-carried values that no operation with an effect depends on. removable reports
// whether an operation has no effect beside its results and the operations in its regions;
// of a removable operation of scf only the dead results and carried values may be removed.
// It reports whether anything was removed.
//
// Loops are assumed to terminate: one without effects and without used results is removed.
func DropDead(fn *ir.Operation, removable func(*ir.Operation) bool) bool {
	n := &needs{ops: map[*ir.Operation]bool{}, values: map[*ir.Value]bool{}}
	fn.Walk(func(op *ir.Operation) bool {
		if op != fn && !removable(op) {
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

// needs holds the live operations and values found so far.
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

// keep marks an operation and all operations around it as live, with the values that
// control the latter.
func (n *needs) keep(op *ir.Operation) {
	for ; op != nil && !n.ops[op]; op = op.ParentOp() {
		n.ops[op] = true
		switch op.Name {
		case opname.SCFIf, opname.SCFIndexSwitch:
			n.need(op.Operand(0))
		case opname.SCFFor:
			for _, v := range op.Operands()[:3] {
				n.need(v)
			}
		case opname.SCFWhile:
			n.need(op.Regions[0].Entry().Terminator().Operand(0))
		}
	}
}

// reach marks as live what a live value is computed from.
func (n *needs) reach(v *ir.Value) {
	if v.Def == nil {
		n.reachArgument(v)
		return
	}
	op := v.Def
	n.keep(op)
	switch op.Name {
	case opname.SCFIf, opname.SCFIndexSwitch:
		for _, r := range op.Regions {
			n.need(r.Entry().Terminator().Operand(v.Index))
		}
	case opname.SCFFor:
		n.need(op.Operand(3 + v.Index))
		n.need(op.Regions[0].Entry().Terminator().Operand(v.Index))
		n.need(op.Regions[0].Entry().Args[1+v.Index])
	case opname.SCFWhile:
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
	case opname.SCFFor:
		if v.Index > 0 {
			n.need(op.Result(v.Index - 1))
		}
	case opname.SCFWhile:
		before, after := op.Regions[0].Entry(), op.Regions[1].Entry()
		if v.Block == before {
			n.need(op.Operand(v.Index))
			n.need(after.Terminator().Operand(v.Index))
		} else {
			n.need(before.Terminator().Operand(1 + v.Index))
		}
	}
}

// sweep removes from op what is not live and reports whether anything was removed.
func (n *needs) sweep(op *ir.Operation) bool {
	changed := false
	for _, r := range op.Regions {
		for _, b := range r.Blocks {
			Rebuild(b, func(o *ir.Operation, emit func(*ir.Operation)) {
				switch {
				case o.Name == opname.SCFYield || o.Name == opname.SCFCondition:
				case !n.ops[o]:
					Drop(o)
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

// part returns op without the results and carried values that are not live.
func (n *needs) part(op *ir.Operation) *ir.Operation {
	keep := make([]bool, op.NumResults())
	all := true
	for i, v := range op.Results() {
		keep[i] = n.values[v]
		if op.Name == opname.SCFWhile {
			keep[i] = keep[i] || n.values[op.Regions[1].Entry().Args[i]]
		}
		all = all && keep[i]
	}
	switch op.Name {
	case opname.SCFIf, opname.SCFIndexSwitch:
		if all {
			return op
		}
		for _, r := range op.Regions {
			t := r.Entry().Terminator()
			t.SetOperands(keepOf(t.Operands(), keep))
		}
		return withResults(op, append([]*ir.Value(nil), op.Operands()...), keep)
	case opname.SCFFor:
		if all {
			return op
		}
		body := op.Regions[0].Entry()
		body.Terminator().SetOperands(keepOf(body.Terminator().Operands(), keep))
		keepArgs(body, append([]bool{true}, keep...))
		operands := append([]*ir.Value(nil), op.Operands()[:3]...)
		return withResults(op, append(operands, keepOf(op.Operands()[3:], keep)...), keep)
	case opname.SCFWhile:
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

// keepOf returns the values that are kept.
func keepOf(vs []*ir.Value, keep []bool) []*ir.Value {
	var out []*ir.Value
	for i, v := range vs {
		if keep[i] {
			out = append(out, v)
		}
	}
	return out
}

// keepArgs removes the arguments of a block that are not kept; they have no uses.
func keepArgs(b *ir.Block, keep []bool) {
	b.Args = keepOf(b.Args, keep)
	for i, a := range b.Args {
		a.Index = i
	}
}

// withResults makes an operation like op with some of its results and the given
// operands; the regions move over.
func withResults(op *ir.Operation, operands []*ir.Value, keep []bool) *ir.Operation {
	var types []ir.Type
	for i, r := range op.Results() {
		if keep[i] {
			types = append(types, r.Type)
		}
	}
	n := ir.NewOp(op.Name, op.Pos, operands, types)
	n.Attrs, n.Loc = op.Attrs, op.Loc
	for i, r := range keepOf(op.Results(), keep) {
		n.Result(i).Name = r.Name
		r.ReplaceAllUsesWith(n.Result(i))
	}
	n.Regions = op.Regions
	for _, r := range n.Regions {
		r.Parent = n
	}
	op.Regions = nil
	op.SetOperands(nil)
	return n
}
