package lower

import "loom/compiler/ir"

// dropDead removes what contributes to no store and no returned value: pure
// operations, loads, loops and branches, and the results, operands and carried
// values of loops and branches of which only a part is needed. A carried value
// that only computes itself goes as well. It reports whether anything went.
//
// Loops are assumed to end: one without a store that nobody reads is removed.
func dropDead(fn *ir.Operation) bool {
	l := &liveness{ops: map[*ir.Operation]bool{}, values: map[*ir.Value]bool{}}
	fn.Walk(func(op *ir.Operation) bool {
		if op != fn && !removable(op) {
			l.keep(op)
			for _, v := range op.Operands() {
				l.need(v)
			}
		}
		return true
	})
	for len(l.work) > 0 {
		v := l.work[len(l.work)-1]
		l.work = l.work[:len(l.work)-1]
		l.reach(v)
	}
	return l.sweep(fn)
}

// removable reports whether an operation matters only through its results.
func removable(op *ir.Operation) bool {
	switch op.Name {
	case "scf.if", "scf.for", "scf.while", "scf.yield", "scf.condition",
		"memref.load", "memref.alloc", "memref.alloca", "memref.get_global", "memref.dim":
		return true
	}
	return isPure(op) && len(op.Regions) == 0 || viewsMemory(op)
}

type liveness struct {
	ops    map[*ir.Operation]bool
	values map[*ir.Value]bool
	work   []*ir.Value
}

func (l *liveness) need(v *ir.Value) {
	if !l.values[v] {
		l.values[v] = true
		l.work = append(l.work, v)
	}
}

// keep keeps an operation and what is around it, with what steers these.
func (l *liveness) keep(op *ir.Operation) {
	for ; op != nil && !l.ops[op]; op = op.ParentOp() {
		l.ops[op] = true
		switch op.Name {
		case "scf.if":
			l.need(op.Operand(0))
		case "scf.for":
			for _, v := range op.Operands()[:3] {
				l.need(v)
			}
		case "scf.while":
			l.need(op.Regions[0].Entry().Terminator().Operand(0))
		}
	}
}

// reach follows a needed value to what it is made of.
func (l *liveness) reach(v *ir.Value) {
	op := v.Def
	if op == nil {
		op = v.Block.ParentOp()
		if op == nil {
			return
		}
		l.keep(op)
		switch op.Name {
		case "scf.for":
			if v.Index > 0 {
				l.carried(op, v.Index-1)
			}
		case "scf.while":
			before, after := op.Regions[0].Entry(), op.Regions[1].Entry()
			if v.Block == before {
				l.need(op.Operand(v.Index))
				l.need(after.Terminator().Operand(v.Index))
			} else {
				l.need(before.Terminator().Operand(1 + v.Index))
			}
		}
		return
	}
	l.keep(op)
	switch op.Name {
	case "scf.if":
		for _, r := range op.Regions {
			l.need(r.Entry().Terminator().Operand(v.Index))
		}
	case "scf.for":
		l.carried(op, v.Index)
	case "scf.while":
		l.need(op.Regions[0].Entry().Terminator().Operand(1 + v.Index))
	default:
		for _, o := range op.Operands() {
			l.need(o)
		}
	}
}

func (l *liveness) carried(op *ir.Operation, i int) {
	body := op.Regions[0].Entry()
	l.need(op.Operand(3 + i))
	l.need(body.Args[1+i])
	l.need(body.Terminator().Operand(i))
	l.need(op.Result(i))
}

// sweep removes everything that is not kept from op.
func (l *liveness) sweep(op *ir.Operation) bool {
	changed := false
	for _, r := range op.Regions {
		for _, b := range r.Blocks {
			rebuild(b, func(o *ir.Operation, emit func(*ir.Operation)) {
				switch {
				case o.Name == "scf.yield" || o.Name == "scf.condition":
				case !l.ops[o]:
					drop(o)
					changed = true
					return
				case len(o.Regions) > 0:
					n := l.part(o)
					changed = l.sweep(n) || n != o || changed
					o = n
				}
				emit(o)
			})
		}
	}
	return changed
}

// part returns op without the results and carried values that are not needed.
func (l *liveness) part(op *ir.Operation) *ir.Operation {
	results := make([]bool, op.NumResults())
	all := true
	for i, v := range op.Results() {
		results[i] = l.values[v]
		all = all && results[i]
	}
	switch op.Name {
	case "scf.if", "scf.for":
		if all {
			return op
		}
		return keepResults(op, results)
	case "scf.while":
		before, after := op.Regions[0].Entry(), op.Regions[1].Entry()
		operands := make([]bool, op.NumOperands())
		for i, a := range before.Args {
			operands[i] = l.values[a]
			all = all && operands[i]
		}
		for i, a := range after.Args {
			results[i] = results[i] || l.values[a]
		}
		all = true
		for _, k := range append(append([]bool(nil), results...), operands...) {
			all = all && k
		}
		if all {
			return op
		}
		return keepWhile(op, operands, results)
	}
	return op
}

// keepWhile rebuilds an scf.while with a part of its operands and results.
func keepWhile(op *ir.Operation, operands, results []bool) *ir.Operation {
	before, after := op.Regions[0].Entry(), op.Regions[1].Entry()
	cond, yield := before.Terminator(), after.Terminator()
	var types []ir.Type
	for i, k := range results {
		if k {
			types = append(types, op.Result(i).Type)
		}
	}
	n := ir.NewOp(op.Name, op.Pos, chosen(op.Operands(), operands), types)
	n.Attrs, n.Loc = op.Attrs, op.Loc
	yield.SetOperands(chosen(yield.Operands(), operands))
	cond.SetOperands(append([]*ir.Value{cond.Operand(0)}, chosen(cond.Operands()[1:], results)...))
	before.Args, after.Args = chosen(before.Args, operands), chosen(after.Args, results)
	for _, b := range []*ir.Block{before, after} {
		for i, a := range b.Args {
			a.Index = i
		}
	}
	for i := range op.Regions {
		moveRegion(op, i, n)
	}
	for i, r := range chosen(op.Results(), results) {
		n.Result(i).Name = r.Name
		r.ReplaceAllUsesWith(n.Result(i))
	}
	op.SetOperands(nil)
	return n
}

func chosen(vs []*ir.Value, keep []bool) []*ir.Value {
	var out []*ir.Value
	for i, v := range vs {
		if keep[i] {
			out = append(out, v)
		}
	}
	return out
}
