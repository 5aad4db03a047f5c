package lift

import (
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// load lifts a load.
func (e *emitter) load(op *ir.Operation) {
	a := e.accessOf(op)
	if a == nil {
		return
	}
	v := e.perRoot(a, func(o *root) *ir.Value { return e.read(a, o) })
	e.set(op.Result(0), v)
}

// store lifts a store.
func (e *emitter) store(op *ir.Operation) {
	a := e.accessOf(op)
	if a == nil {
		return
	}
	v := e.value(op.Operand(0))
	e.perRoot(a, func(o *root) *ir.Value { e.write(a, o, v); return nil })
}

func (e *emitter) accessOf(op *ir.Operation) *access { return e.byOp[op] }

// perRoot does an access on the root that the pointer points into. With several roots
// the program branches by the selector.
func (e *emitter) perRoot(a *access, do func(o *root) *ir.Value) *ir.Value {
	var roots []*root
	for _, o := range a.ptr.roots {
		if o.kind != nullRoot {
			roots = append(roots, o)
		}
	}
	if len(roots) == 1 {
		return do(roots[0])
	}
	sel := e.selector(a.ptr)
	last := e.region.AddBlock()
	var out *ir.Value
	if !a.store {
		out = last.AddArg(a.typ, "", e.pos)
	}
	for i, o := range roots {
		var other *ir.Block
		if i < len(roots)-1 {
			is := e.isRoot(sel, o)
			this := e.region.AddBlock()
			other = e.region.AddBlock()
			e.condBr(is, this, nil, other, nil)
			e.start(this)
		}
		var args []*ir.Value
		if v := do(o); v != nil {
			args = append(args, v)
		}
		e.br(last, args)
		if other != nil {
			e.start(other)
		}
	}
	e.start(last)
	return out
}

// subscript are the indices of an element of a piece.
func (e *emitter) subscript(a *access, o *root, from int64) []*ir.Value {
	l := o.layout
	switch {
	case l.flat:
		return []*ir.Value{e.sum(plus(a.ptr.lin, sum{C: from}, 1), l.unit)}
	case l.dims:
		strides := o.strides()
		by, _ := e.r.subscriptsOf(a.addr, o, 0).spread(strides)
		var out []*ir.Value
		for d, at := range by {
			out = append(out, e.sum(at, strides[d]))
		}
		return out
	}
	at := a.ptr.lin
	if k, in := l.arrays[a]; in {
		p := l.pieces[k]
		return []*ir.Value{e.sum(plus(at, sum{C: from - p.offset}, 1), p.stride)}
	}
	at.C -= residue(a, l.record)
	return []*ir.Value{e.sum(at, l.record)}
}

// unitsOf lists the elements that an access is made of: piece, byte in the access.
func (e *emitter) unitsOf(a *access, o *root) (pieces []*piece, at []int64) {
	l := o.layout
	if l.flat {
		for k := int64(0); k < a.size; k += l.unit {
			pieces, at = append(pieces, l.pieces[0]), append(at, k)
		}
		return pieces, at
	}
	if i, in := l.arrays[a]; in {
		for k := int64(0); k < a.size; k += l.pieces[i].size {
			pieces, at = append(pieces, l.pieces[i]), append(at, k)
		}
		return pieces, at
	}
	begin := residue(a, l.record)
	first, n := within(l.parts, span{begin, begin + a.size})
	for i := first; i < first+n; i++ {
		pieces, at = append(pieces, l.pieces[i]), append(at, l.parts[i].from-begin)
	}
	return pieces, at
}

// inArray reports whether the elements that an access is made of are behind each other in one memref.
func (l *layout) inArray(a *access) bool {
	_, in := l.arrays[a]
	return l.flat || in
}

// read loads a value of the access's type.
func (e *emitter) read(a *access, o *root) *ir.Value {
	pieces, at := e.unitsOf(a, o)
	var parts []bits
	for i, p := range pieces {
		if p == nil {
			continue // padding reads as zero
		}
		from := int64(0)
		if o.layout.inArray(a) {
			from = at[i]
		}
		v := e.raw(opname.MemRefLoad, append([]*ir.Value{e.memref(p)}, e.subscript(a, o, from)...), p.elem).Result(0)
		if len(pieces) == 1 {
			return e.fit(v, a.typ)
		}
		w, _ := ir.BitWidth(p.elem, 64)
		parts = append(parts, bits{int(at[i]) * 8, e.bitcast(v, ir.Int(w))})
	}
	whole := ir.Int(int(a.size) * 8)
	return e.fit(e.assemble(parts, whole.Width, whole), a.typ)
}

// write stores a value.
func (e *emitter) write(a *access, o *root, v *ir.Value) {
	pieces, at := e.unitsOf(a, o)
	whole := ir.Int(int(a.size) * 8)
	for i, p := range pieces {
		if p == nil {
			continue
		}
		from := int64(0)
		if o.layout.inArray(a) {
			from = at[i]
		}
		x := v
		if len(pieces) > 1 {
			x = e.extract(e.fit(v, whole), int(at[i])*8, p)
		}
		x = e.fit(x, p.elem)
		e.raw(opname.MemRefStore, append([]*ir.Value{x, e.memref(p)}, e.subscript(a, o, from)...))
	}
}

// extract is the part of a scalar that is stored to a piece.
func (e *emitter) extract(v *ir.Value, at int, p *piece) *ir.Value {
	w, _ := ir.BitWidth(p.elem, 64)
	t := ir.Int(w)
	if q, ok := e.parts(v); ok {
		if out, ok := e.shiftParts(q, -at, w, t); ok {
			return out
		}
	}
	v = e.binary(opname.ArithShRUI, v, e.integer(int64(at), v.Type))
	return e.op(opname.ArithTruncI, t, v)
}

// fit reads the bits of a scalar as a type that may be narrower or wider.
func (e *emitter) fit(v *ir.Value, t ir.Type) *ir.Value {
	if v.Type == t {
		return v
	}
	from, _ := ir.BitWidth(v.Type, 64)
	to, _ := ir.BitWidth(t, 64)
	if from == to {
		return e.bitcast(v, t)
	}
	v = e.bitcast(v, ir.Int(from))
	if from < to {
		if n, ok := v.ConstantInt(); ok {
			return e.bitcast(e.integer(int64(uint64(n)&(1<<from-1)), ir.Int(to)), t)
		}
		return e.bitcast(e.op(opname.ArithExtUI, ir.Int(to), v), t)
	}
	if v.Def != nil && v.Def.Name == opname.ArithExtUI && v.Def.Operand(0).Type == t {
		return v.Def.Operand(0)
	}
	return e.bitcast(e.op(opname.ArithTruncI, ir.Int(to), v), t)
}

// memref is the value of a piece.
func (e *emitter) memref(p *piece) *ir.Value { return p.value }

// selector is the number of the root that a pointer points into.
func (e *emitter) selector(p *pointer) *ir.Value {
	if p.sel != nil {
		return e.sels[p.sel]
	}
	return e.index(int64(p.roots[0].index))
}

// isRoot tests whether a selector names a root, once where the selector is made.
func (e *emitter) isRoot(sel *ir.Value, o *root) *ir.Value {
	if _, ok := sel.ConstantInt(); ok {
		return e.compare(arith.Eq, sel, e.index(int64(o.index)))
	}
	key := chosen{sel, o}
	if v := e.isOf[key]; v != nil {
		return v
	}
	c := ir.NewOp(opname.ArithCmpI, e.r.position(sel.Pos()), []*ir.Value{sel, e.index(int64(o.index))}, []ir.Type{ir.I1})
	arith.SetPredicate(c, arith.Eq)
	e.behind(sel, c)
	e.isOf[key] = c.Result(0)
	return c.Result(0)
}
