package lower

import (
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
	"loom/sim/vector"
)

// linearise turns every access into one with a single index on its root memref,
// replaces memref.dim by the known size, and removes views and
// deallocations. Before: load %view[%i, %j] of a view of a view. After: load
// %root[%k] of a one-dimensional root, or load %flat[%k] with
// %flat = collapse_shape %root otherwise; no other operation uses memrefs. A
// parameter with a strided layout becomes its one-dimensional storage.
//
// The arithmetic of a view (the offset of a window chosen at run time) is done
// once, where the view is made; that of an access at the access.
//
// Addresses are sums of index times stride, the parts that change least first,
// so that what is invariant in an inner loop can be hoisted.
func linearise(s *state, errs *diag.List) {
	l := &lineariser{s: s, errs: errs, flats: map[*ir.Value]*ir.Value{}, layouts: map[*ir.Value]*layout{}}
	entry := s.fn.Regions[0].Entry()
	first := entry.Ops[0]
	for _, a := range entry.Args {
		if m, ok := a.Type.(*ir.MemRefType); ok {
			if s.opts.deviate == layoutIgnored {
				m = ir.MemRef(m.Shape, m.Elem)
			}
			l.layouts[a] = parameterLayout(rewrite.Maker{Pos: first.Pos, Emit: func(op *ir.Operation) { entry.InsertBefore(first, op) }}, a, m)
		}
	}
	l.block(entry)
	if errs.HasErrors() {
		return
	}
	l.dropViews(entry)
	l.insertFlats()
	l.storage(entry)
}

type lineariser struct {
	s       *state
	errs    *diag.List
	layouts map[*ir.Value]*layout
	flats   map[*ir.Value]*ir.Value // root -> its one-dimensional view
	order   []*ir.Value             // roots with a view, in order of first use
}

// block rewrites a block from its beginning, so that a view is known before its
// users.
func (l *lineariser) block(b *ir.Block) {
	rewrite.Rebuild(b, func(op *ir.Operation, emit func(*ir.Operation)) {
		m := rewrite.Maker{Pos: op.Pos, Emit: emit}
		switch op.Name {
		case opname.MemRefLoad:
			if l.access(op, 0, m) && l.tableEntry(op, m) {
				rewrite.Drop(op)
				return
			}
		case opname.MemRefStore:
			l.access(op, 1, m)
		case opname.MemRefAlloc, opname.MemRefAlloca:
			if t, ok := op.Result(0).Type.(*ir.MemRefType); ok {
				l.layouts[op.Result(0)] = allocLayout(m, op, t)
			}
		case opname.MemRefGetGlobal:
			if t, ok := op.Result(0).Type.(*ir.MemRefType); ok {
				l.layouts[op.Result(0)] = rootLayout(t)
			}
		case opname.MemRefDim:
			if l.dim(op, m) {
				return
			}
		case opname.MemRefRank:
			if t, ok := op.Operand(0).Type.(*ir.MemRefType); ok {
				op.Result(0).ReplaceAllUsesWith(m.Integer(int64(len(t.Shape)), ir.Index))
				rewrite.Drop(op)
				return
			}
		case opname.MemRefDealloc, opname.MemRefAssumeAlignment:
			// On-chip memory lives as long as the circuit.
			rewrite.Drop(op)
			return
		default:
			if viewsMemory(op) {
				l.view(op, m)
			}
		}
		emit(op)
		for _, r := range op.Regions {
			for _, inner := range r.Blocks {
				l.block(inner)
			}
		}
	})
}

// view records the layout of a view.
func (l *lineariser) view(op *ir.Operation, m rewrite.Maker) {
	from := l.layouts[op.Operand(0)]
	if from == nil {
		return // reported at the memref's definition
	}
	l.layouts[op.Result(0)] = viewLayout(l.s, m, op, from)
	if op.Name != opname.MemRefExtractStridedMetadata {
		return
	}
	// The values: offset, sizes, strides.
	numbers := append(append([]extent{from.offset}, from.size...), from.stride...)
	for i, n := range numbers {
		r := op.Result(1 + i)
		switch {
		case !r.HasUses():
		case !n.known:
			l.unknown(op, op.Operand(0), "the layout of memref %s is not known to the hardware")
			return
		default:
			r.ReplaceAllUsesWith(n.amount.value(m))
		}
	}
}

// unknown reports that the layout of a memref is unknown; format takes its
// name.
func (l *lineariser) unknown(op *ir.Operation, mem *ir.Value, format string) {
	root := rootOf(mem)
	l.errs.Errorf(op.Pos, format, memName(root)).
		WithNote(root.Pos(), "the memref has type %s", root.Type).
		WithHelp("make every dimension but the first static, for example memref<?x16xi32>, or pass a one-dimensional memref and give it sizes with memref.reinterpret_cast")
}

// access gives a load or store one index; at is the operand that holds the
// memref, the indices follow it. False where it cannot.
func (l *lineariser) access(op *ir.Operation, at int, m rewrite.Maker) bool {
	mem := op.Operand(at)
	lay := l.layouts[mem]
	if lay == nil {
		return false
	}
	addr := lay.offset
	for d, index := range op.Operands()[at+1:] {
		if lay.size[d].known && lay.size[d].is(1) {
			continue // the only index is 0
		}
		if !lay.stride[d].known {
			inner := d + 1
			for inner < len(lay.size)-1 && lay.size[inner].known {
				inner++
			}
			l.unknown(op, mem, "the size of dimension "+itoa(min(inner, len(lay.size)-1))+" of memref %s is unknown, so its elements cannot be addressed")
			return false
		}
		addr = sum(m, addr, product(m, knownExtent(amountOf(index)), lay.stride[d]))
	}
	if !addr.known {
		l.unknown(op, mem, "the layout of memref %s is unknown, so its elements cannot be addressed")
		return false
	}
	root := rootOf(mem)
	if t := root.Type.(*ir.MemRefType); len(vector.StorageType(t).Shape) != 1 {
		root = l.flat(root)
	}
	op.SetOperands(append(append([]*ir.Value(nil), op.Operands()[:at]...), root, addr.amount.value(m)))
	return true
}

// tableEntry replaces a load from a constant global at a constant address by the
// element: unrolled code then reads its coefficients without a memory.
func (l *lineariser) tableEntry(load *ir.Operation, m rewrite.Maker) bool {
	addr, ok := load.Operand(1).ConstantInt()
	g := globalOf(l.s, rootOf(load.Operand(0)))
	if !ok || g == nil || g.Attr("constant") == nil {
		return false
	}
	init, ok := g.Attr("initial_value").(*ir.DenseElementsAttr)
	n, static := load.Operand(0).Type.(*ir.MemRefType).NumElements()
	if !ok || !static || addr < 0 || addr >= n || len(init.Values) == 0 {
		return false
	}
	element := init.Values[0]
	if !init.Splat {
		element = init.Values[addr]
	}
	t := load.Result(0).Type
	var v *ir.Value
	switch e := element.(type) {
	case *ir.IntegerAttr:
		v = m.Integer(e.Value, t)
	case *ir.FloatAttr:
		c := ir.NewOp(opname.ArithConstant, load.Pos, nil, []ir.Type{t})
		c.SetAttr("value", &ir.FloatAttr{Value: e.Value, Text: e.Text, Type: t})
		m.Emit(c)
		v = c.Result(0)
	default:
		return false
	}
	v.Name = load.Result(0).Name
	load.Result(0).ReplaceAllUsesWith(v)
	return true
}

// dim replaces memref.dim by the size; false after reporting why it cannot.
func (l *lineariser) dim(op *ir.Operation, m rewrite.Maker) bool {
	mem := op.Operand(0)
	t, _ := mem.Type.(*ir.MemRefType)
	d, ok := op.Operand(1).ConstantInt()
	lay := l.layouts[mem]
	switch {
	case lay == nil || t == nil:
		return false
	case !ok:
		l.errs.Errorf(op.Pos, "memref.dim of a dimension chosen at run time").WithHelp("use a constant dimension")
		return false
	case d < 0 || int(d) >= len(t.Shape):
		l.errs.Errorf(op.Pos, "memref.dim of dimension %d of %s, which has %d", d, t, len(t.Shape))
		return false
	case !lay.size[d].known:
		root := rootOf(mem)
		l.errs.Errorf(op.Pos, "the size of dimension %d of memref %s is not known to the hardware", d, memName(root)).
			WithNote(root.Pos(), "the memref has type %s", root.Type).
			WithHelp("pass the size as an index argument")
		return false
	}
	op.Result(0).ReplaceAllUsesWith(lay.size[d].amount.value(m))
	rewrite.Drop(op)
	return true
}

// dropViews removes the views, the last first: they are unused now.
func (l *lineariser) dropViews(b *ir.Block) {
	gone := map[*ir.Operation]bool{}
	for i := len(b.Ops) - 1; i >= 0; i-- {
		op := b.Ops[i]
		for _, r := range op.Regions {
			for _, inner := range r.Blocks {
				l.dropViews(inner)
			}
		}
		if viewsMemory(op) {
			rewrite.Drop(op)
			gone[op] = true
		}
	}
	if len(gone) == 0 {
		return
	}
	rewrite.Rebuild(b, func(op *ir.Operation, emit func(*ir.Operation)) {
		if !gone[op] {
			emit(op)
		}
	})
}

// storage gives parameters with a strided layout the type of their storage, in
// which the addresses count (package vector, StorageType).
func (l *lineariser) storage(entry *ir.Block) {
	attr, _ := l.s.fn.Attr("function_type").(*ir.TypeAttr)
	ft := attr.Type.(*ir.FunctionType)
	inputs := append([]ir.Type(nil), ft.Inputs...)
	for i, a := range entry.Args {
		m, ok := a.Type.(*ir.MemRefType)
		if !ok {
			continue
		}
		a.Type = vector.StorageType(m)
		inputs[i] = a.Type
	}
	l.s.fn.SetAttr("function_type", &ir.TypeAttr{Type: ir.Func(inputs, ft.Results)})
}

// flat returns the one-dimensional view of a root memref.
func (l *lineariser) flat(root *ir.Value) *ir.Value {
	if v := l.flats[root]; v != nil {
		return v
	}
	m := root.Type.(*ir.MemRefType)
	n, static := m.NumElements()
	if !static {
		n = ir.Dynamic
	}
	name := opname.MemRefCollapseShape
	var all []ir.Attr
	for d := range m.Shape {
		all = append(all, ir.IntAttr(int64(d), ir.I64))
	}
	reassociation := &ir.ArrayAttr{Elems: []ir.Attr{&ir.ArrayAttr{Elems: all}}}
	if len(m.Shape) == 0 {
		name = opname.MemRefExpandShape
		reassociation = &ir.ArrayAttr{}
	}
	op := ir.NewOp(name, root.Pos(), []*ir.Value{root}, []ir.Type{ir.MemRefOf([]int64{n}, m.Elem, nil, "", m.Space)})
	op.SetAttr("reassociation", reassociation)
	if len(m.Shape) == 0 {
		op.SetAttr("static_output_shape", &ir.DenseArrayAttr{Elem: ir.I64, Values: []int64{1}})
	}
	op.Result(0).Name = root.Name
	l.flats[root] = op.Result(0)
	l.order = append(l.order, root)
	return op.Result(0)
}

// insertFlats puts the views behind their roots once no block is being rebuilt.
func (l *lineariser) insertFlats() {
	byBlock := map[*ir.Block][]*ir.Value{}
	var order []*ir.Block
	for _, root := range l.order {
		b := root.Block
		if root.Def != nil {
			b = root.Def.Block()
		}
		if byBlock[b] == nil {
			order = append(order, b)
		}
		byBlock[b] = append(byBlock[b], root)
	}
	for _, b := range order {
		at := map[*ir.Operation][]*ir.Operation{}
		var first []*ir.Operation
		for _, root := range byBlock[b] {
			view := l.flats[root].Def
			if root.Def == nil {
				first = append(first, view)
			} else {
				at[root.Def] = append(at[root.Def], view)
			}
		}
		old := b.Ops
		b.Ops = nil
		for _, v := range first {
			b.Append(v)
		}
		for _, op := range old {
			b.Append(op)
			for _, v := range at[op] {
				b.Append(v)
			}
		}
	}
}

func memName(root *ir.Value) string {
	if root.Name != "" {
		return "%" + root.Name
	}
	if root.Def == nil {
		return "argument #" + itoa(root.Index)
	}
	return "allocated here"
}
