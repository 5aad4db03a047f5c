package interp

import (
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/num"
	"loom/compiler/opname"
)

func init() {
	handlers[opname.MemRefLoad] = (*compiler).load
	handlers[opname.MemRefStore] = (*compiler).store
	handlers[opname.MemRefAlloc] = func(c *compiler, op *ir.Operation) instr { return c.alloc(op, false) }
	handlers[opname.MemRefAlloca] = func(c *compiler, op *ir.Operation) instr { return c.alloc(op, true) }
	handlers[opname.MemRefDealloc] = (*compiler).dealloc
	handlers[opname.MemRefDim] = (*compiler).dim
	handlers[opname.MemRefRank] = (*compiler).rank
	handlers[opname.MemRefCopy] = (*compiler).copy
	handlers[opname.MemRefGetGlobal] = (*compiler).getGlobal
	handlers[opname.MemRefAtomicRmw] = (*compiler).atomic
	// A program alone performs its accesses one after the other: a fence changes nothing.
	handlers[opname.LLVMFence] = func(*compiler, *ir.Operation) instr { return nil }
	// Alignment is an assumption for the optimizer and has no effect here.
	handlers[opname.MemRefAssumeAlignment] = func(*compiler, *ir.Operation) instr { return nil }
}

func (c *compiler) load(op *ir.Operation) instr {
	if !c.counts(op, -1, 1, 0) {
		return nil
	}
	a := c.access(op, "load", 0)
	d := c.result(op, 0, scalarKind)
	if len(a.index) == 1 {
		i := a.index[0]
		return func(fr *frame) *fault {
			v := &fr.m[a.mem]
			x := fr.v[i]
			if len(v.shape) != 1 || x >= uint64(v.shape[0]) {
				return a.fault(fr)
			}
			at := uint64(v.offset + int64(x)*v.strides[0])
			if at >= uint64(len(v.buf.data)) {
				return a.fault(fr)
			}
			if v.buf.written != nil && !v.buf.written[at] {
				return a.undefined(fr)
			}
			fr.v[d] = v.buf.data[at]
			return nil
		}
	}
	return func(fr *frame) *fault {
		at, f := a.at(fr)
		if f != nil {
			return f
		}
		b := fr.m[a.mem].buf
		if b.written != nil && !b.written[at] {
			return a.undefined(fr)
		}
		fr.v[d] = b.data[at]
		return nil
	}
}

func (c *compiler) store(op *ir.Operation) instr {
	if !c.counts(op, -1, 0, 0) {
		return nil
	}
	x := c.useKind(op, 0, scalarKind)
	a := c.access(op, "store", 1)
	return func(fr *frame) *fault {
		at, f := a.at(fr)
		if f != nil {
			return f
		}
		b := fr.m[a.mem].buf
		b.data[at] = fr.v[x]
		if b.written != nil {
			b.written[at] = true
		}
		return nil
	}
}

// atomic compiles memref.atomic_rmw; runs are sequential, so it is a load and a
// store. Its kinds are those of upstream's enumeration.
func (c *compiler) atomic(op *ir.Operation) instr {
	k, ok := op.IntAttr("kind")
	if !ok || op.NumOperands() < 2 || !c.counts(op, -1, 1, 0) {
		c.errorf(op.Pos, "'%s' is malformed", op.Name)
		return nil
	}
	if k < 0 || k >= int64(len(arith.Combinations)) {
		c.errorf(op.Pos, "'%s' of kind %d cannot be executed", op.Name, k)
		c.freshResults(op)
		return nil
	}
	combine := func(old, x uint64) uint64 { return x } // assign
	if name := arith.Combinations[k].Op; name != "" {
		t := op.Result(0).Type
		probe := ir.NewOp(name, op.Pos, []*ir.Value{{Type: t}, {Type: t}}, []ir.Type{t})
		form, err := num.Resolve(probe, c.indexWidth())
		if err != nil {
			c.errorf(op.Pos, "'%s' of kind %s does not go with %s", op.Name, name, t)
			return nil
		}
		combine = form.Binary
	}
	x := c.useKind(op, 0, scalarKind)
	a := c.access(op, "update", 1)
	d := c.result(op, 0, scalarKind)
	return func(fr *frame) *fault {
		at, f := a.at(fr)
		if f != nil {
			return f
		}
		b := fr.m[a.mem].buf
		if b.written != nil {
			if !b.written[at] && k != 2 {
				return a.undefined(fr)
			}
			b.written[at] = true
		}
		p := &b.data[at]
		old := *p
		*p = combine(old, fr.v[x])
		fr.v[d] = old
		return nil
	}
}

// extents describes a shape of static extents and operands.
type extents struct {
	static []int64
	slots  []int
	shift  uint
}

// extents reads a list in which each ir.Dynamic stands for the next of the operands
// from..to.
func (c *compiler) extents(op *ir.Operation, static []int64, from, to int) extents {
	e := extents{static: static, shift: uint(64 - c.indexWidth())}
	for i := from; i < to; i++ {
		e.slots = append(e.slots, c.useKind(op, i, scalarKind))
	}
	n := 0
	for _, d := range static {
		if d == ir.Dynamic {
			n++
		}
	}
	if n != len(e.slots) {
		c.errorf(op.Pos, "'%s' has %d dynamic extents but %d operands for them", op.Name, n, len(e.slots))
		e.static = nil
	}
	return e
}

// get evaluates the list; operands count with sign.
func (e *extents) get(fr *frame) []int64 {
	out := append([]int64(nil), e.static...)
	next := 0
	for i, d := range out {
		if d == ir.Dynamic {
			out[i] = int64(fr.v[e.slots[next]]<<e.shift) >> e.shift
			next++
		}
	}
	return out
}

func (c *compiler) alloc(op *ir.Operation, local bool) instr {
	if !c.counts(op, -1, 1, 0) {
		return nil
	}
	t, ok := op.Result(0).Type.(*ir.MemRefType)
	seg, segOK := c.segments(op, 2)
	if !ok || !segOK || kindOf(t.Elem, c.indexWidth()) != scalarKind {
		c.errorf(op.Pos, "'%s' of %s cannot be executed", op.Name, op.Result(0).Type)
		c.freshResults(op)
		return nil
	}
	shape := c.extents(op, t.Shape, seg[0][0], seg[0][1])
	d, pos := c.result(op, 0, viewKind), op.Pos
	check, fill := c.m.opts.CheckUndefined, num.Truncate(c.m.opts.Fill, t.Elem, c.indexWidth())
	if only := c.m.opts.Only; only != nil && only != op {
		check, fill = false, 0
	}
	return func(fr *frame) *fault {
		v, f := fr.st.allocate(pos, shape.get(fr))
		if f != nil {
			return f
		}
		if check {
			v.buf.written = make([]bool, v.size())
		}
		if fill != 0 {
			for i := range v.buf.data {
				v.buf.data[i] = fill
			}
		}
		if local {
			fr.local += v.size()
		}
		fr.m[d] = v
		return nil
	}
}

func (c *compiler) dealloc(op *ir.Operation) instr {
	if !c.counts(op, 1, 0, 0) {
		return nil
	}
	m, pos := c.useKind(op, 0, viewKind), op.Pos
	return func(fr *frame) *fault {
		b := fr.m[m].buf
		if b.data == nil {
			if fr.m[m].size() > 0 {
				return faultf(pos, 0, "memory is freed twice")
			}
			return nil
		}
		fr.st.live -= int64(len(b.data))
		b.data = nil
		return nil
	}
}

func (c *compiler) dim(op *ir.Operation) instr {
	if !c.counts(op, 2, 1, 0) {
		return nil
	}
	m, i, d, pos := c.useKind(op, 0, viewKind), c.useKind(op, 1, scalarKind), c.result(op, 0, scalarKind), op.Pos
	w := c.indexWidth()
	return func(fr *frame) *fault {
		shape := fr.m[m].shape
		if fr.v[i] >= uint64(len(shape)) {
			return faultf(pos, 0, "dimension %d of memory of shape %s", num.SignExtend(fr.v[i], ir.Index, w), shapeText(shape))
		}
		fr.v[d] = uint64(shape[fr.v[i]])
		return nil
	}
}

func (c *compiler) rank(op *ir.Operation) instr {
	if !c.counts(op, 1, 1, 0) {
		return nil
	}
	m, d := c.useKind(op, 0, viewKind), c.result(op, 0, scalarKind)
	return func(fr *frame) *fault { fr.v[d] = uint64(len(fr.m[m].shape)); return nil }
}

// copy goes through a buffer, so that overlapping views are copied as they were.
func (c *compiler) copy(op *ir.Operation) instr {
	if !c.counts(op, 2, 0, 0) {
		return nil
	}
	from, to, pos := c.useKind(op, 0, viewKind), c.useKind(op, 1, viewKind), op.Pos
	return func(fr *frame) *fault {
		a, b := &fr.m[from], &fr.m[to]
		if shapeText(a.shape) != shapeText(b.shape) {
			return faultf(pos, 0, "copy of shape %s to shape %s", shapeText(a.shape), shapeText(b.shape))
		}
		if !a.fits() || !b.fits() {
			return faultf(pos, CodeOutOfBounds, "copy of memory that has been freed")
		}
		fr.st.work += a.size()
		if f := fr.st.charge(a.size(), pos); f != nil {
			return f
		}
		// An element without a value is copied as one.
		data, written := make([]uint64, 0, a.size()), make([]bool, 0, a.size())
		a.each(func(at int64) {
			data = append(data, a.buf.data[at])
			written = append(written, a.buf.written == nil || a.buf.written[at])
		})
		undefined := false
		b.each(func(at int64) {
			b.buf.data[at] = data[0]
			if b.buf.written != nil {
				b.buf.written[at] = written[0]
			} else {
				undefined = undefined || !written[0]
			}
			data, written = data[1:], written[1:]
		})
		if undefined {
			return faultf(pos, 0, "copy of an undefined element: nothing has written it since the allocation of its memory")
		}
		return nil
	}
}

// getGlobal compiles memref.get_global; the memory is allocated at its first use in a run.
func (c *compiler) getGlobal(op *ir.Operation) instr {
	if !c.counts(op, 0, 1, 0) {
		return nil
	}
	d := c.result(op, 0, viewKind)
	sym, ok := op.Attr("name").(*ir.SymbolRefAttr)
	var g *ir.Operation
	if ok {
		g = findSymbol(op, sym.Root)
	}
	if g == nil || g.Name != opname.MemRefGlobal {
		c.errorf(op.Pos, "'%s' names no memref.global", op.Name)
		return nil
	}
	t, ok := op.Result(0).Type.(*ir.MemRefType)
	n, static := int64(0), false
	if ok {
		n, static = t.NumElements()
	}
	if !static || kindOf(t.Elem, c.indexWidth()) != scalarKind {
		c.errorf(op.Pos, "a global of type %s cannot be executed", op.Result(0).Type)
		return nil
	}
	var init []uint64
	switch a := g.Attr("initial_value").(type) {
	case *ir.DenseElementsAttr:
		for _, e := range a.Values {
			bits, err := num.ConstantBits(e, t.Elem, c.indexWidth())
			if err != nil {
				c.errorf(g.Pos, "initial value of %s: %v", sym, err)
				return nil
			}
			init = append(init, bits)
		}
		if !(a.Splat && len(init) == 1) && int64(len(init)) != n {
			c.errorf(g.Pos, "%s has %d initial values for %d elements", sym, len(init), n)
			return nil
		}
	case nil, *ir.UnitAttr:
	default:
		c.errorf(g.Pos, "the initial value of %s cannot be read", sym)
		return nil
	}
	id, known := c.m.globals[g]
	if !known {
		id = len(c.m.globals)
		c.m.globals[g] = id
	}
	pos, shape := op.Pos, t.Shape
	return func(fr *frame) *fault {
		v, made := fr.st.globals[id]
		if !made {
			var f *fault
			if v, f = fr.st.allocate(pos, shape); f != nil {
				return f
			}
			for i := range v.buf.data {
				if len(init) == 1 {
					v.buf.data[i] = init[0]
				} else if i < len(init) {
					v.buf.data[i] = init[i]
				}
			}
			fr.st.globals[id] = v
		}
		fr.m[d] = v
		return nil
	}
}
