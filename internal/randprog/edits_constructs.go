package randprog

import (
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// Edits of the constructs of Options.Use: each takes one away or makes one of
// the common constructs of it.

// eraseSymbol removes a helper function or global that nothing names.
func eraseSymbol(op *ir.Operation, _ int) bool {
	name := op.SymName()
	if name == "" || isProgram(op) || op.Block() == nil {
		return false
	}
	named := false
	moduleOf(op).Walk(func(o *ir.Operation) bool {
		for _, a := range o.Attrs {
			if ref, ok := a.Value.(*ir.SymbolRefAttr); ok && ref.Root == name {
				named = true
			}
		}
		return true
	})
	if named {
		return false
	}
	op.Erase()
	return true
}

// inlineCall puts the body of the callee instead of a call.
func inlineCall(op *ir.Operation, _ int) bool {
	ref, ok := op.Attr("callee").(*ir.SymbolRefAttr)
	if op.Name != opname.FuncCall || !ok {
		return false
	}
	var callee *ir.Operation
	moduleOf(op).Walk(func(o *ir.Operation) bool {
		if o.Name == opname.FuncFunc && o.SymName() == ref.Root {
			callee = o
		}
		return callee == nil
	})
	if callee == nil {
		return false
	}
	body := callee.Regions[0].Entry()
	m := map[*ir.Value]*ir.Value{}
	for i, a := range body.Args {
		m[a] = op.Operand(i)
	}
	var results []*ir.Value
	for _, o := range body.Ops {
		if o.Name == opname.FuncReturn {
			for _, v := range o.Operands() {
				results = append(results, m[v])
			}
			break
		}
		op.Block().InsertBefore(op, o.Clone(m))
	}
	substitute(op.Results(), results)
	op.Erase()
	return true
}

// unwrapParallel puts the first iteration instead of an scf.parallel or
// scf.forall; a reduction becomes what it combines.
func unwrapParallel(op *ir.Operation, _ int) bool {
	var lower []*ir.Value
	b := (*ir.Block)(nil)
	switch op.Name {
	case opname.SCFParallel:
		b = op.Regions[0].Entry()
		lower = append(lower, op.Operands()[:len(b.Args)]...)
	case opname.SCFForall:
		b = op.Regions[0].Entry()
		list, ok := op.Attr("staticLowerBound").(*ir.DenseArrayAttr)
		if !ok {
			return false
		}
		next := 0
		for _, n := range list.Values {
			if n == ir.Dynamic {
				lower = append(lower, op.Operand(next))
				next++
			} else {
				lower = append(lower, constantBefore(op, ir.Index, n))
			}
		}
	default:
		return false
	}
	substitute(b.Args, lower)
	substitute(op.Results(), splice(op, b, 0))
	op.Erase()
	return true
}

// dropCase removes one case of an scf.index_switch.
func dropCase(op *ir.Operation, variant int) bool {
	a, ok := op.Attr("cases").(*ir.DenseArrayAttr)
	if op.Name != opname.SCFIndexSwitch || !ok || variant >= len(a.Values) {
		return false
	}
	for _, b := range op.Regions[variant+1].Blocks {
		for len(b.Ops) > 0 {
			b.Ops[len(b.Ops)-1].Erase()
		}
	}
	op.Regions = without(op.Regions, variant+1)
	op.SetAttr("cases", &ir.DenseArrayAttr{Elem: a.Elem, Values: without(a.Values, variant)})
	return true
}

// dropReduction removes one unused result of an scf.parallel.
func dropReduction(op *ir.Operation, variant int) bool {
	if op.Name != opname.SCFParallel || variant >= op.NumResults() || op.Result(variant).HasUses() {
		return false
	}
	dims := len(op.Regions[0].Entry().Args)
	reduce := op.Regions[0].Entry().Terminator()
	for _, b := range reduce.Regions[variant].Blocks {
		for len(b.Ops) > 0 {
			b.Ops[len(b.Ops)-1].Erase()
		}
	}
	reduce.Regions = without(reduce.Regions, variant)
	dropOperand(reduce, variant)
	segments(op, dims, dims, dims, op.NumResults()-1)
	rebuild(op, without(op.Operands(), 3*dims+variant), variant)
	return true
}

// bypassView lets the accesses of a view go to what it is a view of, where they
// have as many subscripts there.
func bypassView(op *ir.Operation, _ int) bool {
	if !movable(op) || op.NumResults() != 1 || op.NumOperands() == 0 {
		return false
	}
	from, ok := op.Operand(0).Type.(*ir.MemRefType)
	to, okTo := op.Result(0).Type.(*ir.MemRefType)
	if !ok || !okTo || len(from.Shape) != len(to.Shape) {
		return false
	}
	for _, u := range op.Result(0).Uses() {
		if u.Op.Name != opname.MemRefLoad && u.Op.Name != opname.MemRefStore {
			return false
		}
	}
	op.Result(0).ReplaceAllUsesWith(op.Operand(0))
	op.Erase()
	return true
}

// unwrapAffineFor puts the first iteration instead of an affine.for.
func unwrapAffineFor(op *ir.Operation, _ int) bool {
	if op.Name != opname.AffineFor {
		return false
	}
	sizes := op.Attr("operandSegmentSizes").(*ir.DenseArrayAttr).Values
	low := ir.NewOp(opname.AffineMax, op.Pos, append([]*ir.Value(nil), op.Operands()[:sizes[0]]...), []ir.Type{ir.Index})
	low.SetAttr("map", op.Attr("lowerBoundMap"))
	op.Block().InsertBefore(op, low)
	b := op.Regions[0].Entry()
	substitute(b.Args, append(low.Results(), op.Operands()[sizes[0]+sizes[1]:]...))
	substitute(op.Results(), splice(op, b, 0))
	op.Erase()
	return true
}

// simplifyMap makes the subscripts of an affine access 0, or the bounds of an
// affine loop 0 and 2.
func simplifyMap(op *ir.Operation, _ int) bool {
	constants := func(vs ...int64) ir.Attr {
		m := &ir.AffineMap{}
		for _, v := range vs {
			m.Results = append(m.Results, ir.AffineConst(v))
		}
		return &ir.AffineMapAttr{Map: m}
	}
	switch op.Name {
	case opname.AffineLoad, opname.AffineStore:
		mem := 0
		if op.Name == opname.AffineStore {
			mem = 1
		}
		if op.NumOperands() == mem+1 {
			return false
		}
		op.SetOperands(append([]*ir.Value(nil), op.Operands()[:mem+1]...))
		op.SetAttr("map", constants(make([]int64, len(op.Operand(mem).Type.(*ir.MemRefType).Shape))...))
		return true
	case opname.AffineFor:
		sizes := op.Attr("operandSegmentSizes").(*ir.DenseArrayAttr).Values
		if sizes[0]+sizes[1] == 0 {
			return false
		}
		op.SetOperands(append([]*ir.Value(nil), op.Operands()[sizes[0]+sizes[1]:]...))
		segments(op, 0, 0, int(sizes[2]))
		op.SetAttr("lowerBoundMap", constants(0))
		op.SetAttr("upperBoundMap", constants(2))
		return true
	}
	return false
}
