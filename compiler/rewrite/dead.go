package rewrite

import (
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// DropDead removes from a function what contributes to nothing that is not removable:
// operations, the results of loops and branches, and the values that loops carry only
// for themselves. removable says of an operation that it matters through its results
// alone, or through what is in its regions; where these are operations of scf, the parts
// that are not needed go. It reports whether anything went.
//
// Loops are taken to end: one without effect that nobody reads goes.
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

// reach follows a needed value to what makes it.
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

// sweep removes from op what is not needed.
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

// part returns op without the results and carried values that are not needed.
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
