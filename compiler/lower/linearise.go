package lower

import (
	"strconv"

	"loom/compiler/diag"
	"loom/compiler/ir"
)

func itoa(i int) string { return strconv.Itoa(i) }

// linearise turns every access into one with a single index on a view of its
// root memref, replaces memref.dim by what it is known to be, and removes casts
// and deallocations. Before: load %m[%i, %j] through any casts. After: load
// %root[%k] of a one-dimensional root, or load %flat[%k] with
// %flat = collapse_shape %root otherwise; nothing else mentions memrefs.
func linearise(s *state, errs *diag.List) {
	l := &lineariser{s: s, errs: errs, flats: map[*ir.Value]*ir.Value{}}
	blocks(s.fn, l.block)
	l.insertFlats()
}

type lineariser struct {
	s     *state
	errs  *diag.List
	flats map[*ir.Value]*ir.Value // root -> its one-dimensional view
	order []*ir.Value             // roots with a view, in order of first use
}

// rootOf strips the views off a memref value (spec-dataflow-memory, "grouped by
// root memref").
func rootOf(v *ir.Value) *ir.Value {
	for v.Def != nil {
		switch v.Def.Name {
		case "memref.cast", "memref.collapse_shape", "memref.expand_shape":
			v = v.Def.Operand(0)
		default:
			return v
		}
	}
	return v
}

// extent is the size of dimension d of a memref as far as any type between the
// access and the root tells it.
func extent(v *ir.Value, d int) int64 {
	for {
		if m, ok := v.Type.(*ir.MemRefType); ok && d < len(m.Shape) && m.Shape[d] != ir.Dynamic {
			return m.Shape[d]
		}
		if v.Def == nil || v.Def.Name != "memref.cast" {
			return ir.Dynamic
		}
		v = v.Def.Operand(0)
	}
}

func (l *lineariser) block(b *ir.Block) {
	rebuild(b, func(op *ir.Operation, emit func(*ir.Operation)) {
		switch op.Name {
		case "memref.load":
			l.access(op, 0, emit)
		case "memref.store":
			l.access(op, 1, emit)
		case "memref.dim":
			l.dim(op, emit)
			return
		case "memref.dealloc":
			// On-chip memory lives as long as the circuit.
			drop(op)
			return
		}
		emit(op)
	})
	// Casts go last: their users in this block have been rewritten, those in
	// nested blocks before that.
	rebuild(b, func(op *ir.Operation, emit func(*ir.Operation)) {
		if op.Name == "memref.cast" {
			op.Result(0).ReplaceAllUsesWith(op.Operand(0))
			drop(op)
			return
		}
		emit(op)
	})
}

// access gives a load or store one index; m is the operand that holds the
// memref, the indices follow it.
func (l *lineariser) access(op *ir.Operation, m int, emit func(*ir.Operation)) {
	mem := op.Operand(m)
	root := rootOf(mem)
	indices := append([]*ir.Value(nil), op.Operands()[m+1:]...)
	rank := len(indices)
	add := func(name string, a, b *ir.Value) *ir.Value {
		o := ir.NewOp(name, op.Pos, []*ir.Value{a, b}, []ir.Type{ir.Index})
		emit(o)
		return o.Result(0)
	}
	constant := func(v int64) *ir.Value {
		c := newConstant(op, v, ir.Index)
		emit(c)
		return c.Result(0)
	}
	var addr *ir.Value
	for d, index := range indices {
		if addr == nil {
			addr = index
			continue
		}
		n := extent(mem, d)
		if n == ir.Dynamic {
			l.errs.Errorf(op.Pos, "the size of dimension %d of memref %s is unknown, so its elements cannot be addressed", d, memName(root)).
				WithNote(root.Pos(), "the memref has type %s", root.Type).
				WithHelp("make every dimension but the first static, for example memref<?x16xi32>, or pass a one-dimensional memref and compute the index")
			return
		}
		if n != 1 {
			addr = add("arith.muli", addr, constant(n))
		}
		addr = add("arith.addi", addr, index)
	}
	if addr == nil {
		addr = constant(0)
	}
	rm := root.Type.(*ir.MemRefType)
	base := root
	if len(rm.Shape) != 1 || rank != 1 {
		base = l.flat(root)
	}
	operands := append(append([]*ir.Value(nil), op.Operands()[:m]...), base, addr)
	op.SetOperands(operands)
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
	name := "memref.collapse_shape"
	var all []ir.Attr
	for d := range m.Shape {
		all = append(all, ir.IntAttr(int64(d), ir.I64))
	}
	reassociation := &ir.ArrayAttr{Elems: []ir.Attr{&ir.ArrayAttr{Elems: all}}}
	if len(m.Shape) == 0 {
		name = "memref.expand_shape"
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

// dim replaces memref.dim by a constant or reports that the size is unknown.
func (l *lineariser) dim(op *ir.Operation, emit func(*ir.Operation)) {
	mem := op.Operand(0)
	m, _ := mem.Type.(*ir.MemRefType)
	d, ok := constantOf(op.Operand(1))
	if !ok || m == nil {
		l.errs.Errorf(op.Pos, "memref.dim of a dimension chosen at run time").WithHelp("use a constant dimension")
		emit(op)
		return
	}
	if d < 0 || int(d) >= len(m.Shape) {
		l.errs.Errorf(op.Pos, "memref.dim of dimension %d of %s, which has %d", d, m, len(m.Shape))
		emit(op)
		return
	}
	n := extent(mem, int(d))
	if n == ir.Dynamic {
		l.errs.Errorf(op.Pos, "the size of dimension %d of memref %s is not known to the hardware", d, memName(rootOf(mem))).
			WithNote(rootOf(mem).Pos(), "the memref has type %s", rootOf(mem).Type).
			WithHelp("pass the size as an index argument")
		emit(op)
		return
	}
	c := newConstant(op, n, ir.Index)
	emit(c)
	op.Result(0).ReplaceAllUsesWith(c.Result(0))
	drop(op)
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
