package randprog

import (
	"slices"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// derive makes a view of m known in s.
func (g *generator) derive(s *scope, m *memory, v *ir.Value, shape, strides []int64, offset int64) {
	s.memories = append(s.memories, &memory{value: v, elem: m.elem, shape: shape, strides: strides, offset: offset,
		total: m.total, readOnly: m.readOnly})
}

// rowMajor reports whether the type of m has no layout and only static extents.
func (m *memory) rowMajor() bool {
	t := m.value.Type.(*ir.MemRefType)
	_, static := t.NumElements()
	return t.Layout == nil && t.Map == "" && static
}

// layout is the offset and strides in the type of m; ok is false where a stride is
// dynamic.
func (m *memory) layout() (offset int64, strides []int64, ok bool) {
	t := m.value.Type.(*ir.MemRefType)
	if t.Layout != nil {
		offset, strides = t.Layout.Offset, t.Layout.Strides
	} else {
		strides = m.strides
		for d := 1; d < len(t.Shape); d++ {
			if t.Shape[d] == ir.Dynamic {
				return 0, nil, false
			}
		}
	}
	for _, n := range strides {
		if n == ir.Dynamic {
			return 0, nil, false
		}
	}
	return offset, strides, true
}

// stridedParameter makes a parameter whose elements lie apart in their memory.
func (g *generator) stridedParameter(s *scope, name string, elem ir.Type, shape []int64) ir.Type {
	layout := &ir.StridedLayout{Offset: g.r.Int64N(3), Strides: make([]int64, len(shape))}
	step := 1 + g.r.Int64N(2)
	last := layout.Offset
	for d := len(shape) - 1; d >= 0; d-- {
		layout.Strides[d] = step
		last += (shape[d] - 1) * step
		step = step*shape[d] + g.r.Int64N(2)
	}
	t := ir.MemRefOf(shape, elem, layout, "", "")
	v := s.block.AddArg(t, name, diag.Pos{})
	s.memories = append(s.memories, &memory{value: v, elem: elem, shape: shape, strides: layout.Strides, offset: layout.Offset, total: last + 1})
	return t
}

// view emits an operation that makes another view of a memory.
func (g *generator) view(s *scope) {
	all := s.visibleMemories()
	if len(all) == 0 || g.opts.SingleAccess {
		g.compute(s)
		return
	}
	m := all[g.r.IntN(len(all))]
	kinds := []func(*scope, *memory) bool{g.subview, g.castView, g.collapse, g.collapse, g.expand, g.reinterpret, g.transpose, g.dim, g.copy, g.carried}
	first := g.r.IntN(len(kinds))
	for k := range kinds {
		before := len(s.memories)
		if kinds[(first+k)%len(kinds)](s, m) {
			if len(s.memories) > before && g.chance(60) {
				g.touch(s, s.memories[len(s.memories)-1])
			}
			return
		}
	}
}

// touch emits an access to m.
func (g *generator) touch(s *scope, m *memory) {
	if m.readOnly || g.chance(50) {
		g.loadFrom(s, m)
	} else {
		g.storeTo(s, m, g.need(s, m.elem))
	}
}

// offsetAttrs sets the lists of subview and reinterpret_cast.
func offsetAttrs(op *ir.Operation, offsets, sizes, strides []int64) {
	for k, name := range []string{"static_offsets", "static_sizes", "static_strides"} {
		op.SetAttr(name, &ir.DenseArrayAttr{Elem: ir.I64, Values: [][]int64{offsets, sizes, strides}[k]})
	}
}

// subview takes a window out of a memory, with constant or computed offsets; a
// row or column of a matrix may lose its other dimension.
func (g *generator) subview(s *scope, m *memory) bool {
	base, known, ok := m.layout()
	if !ok || len(m.shape) == 0 {
		return false
	}
	var offsets, sizes, steps, shape, strides, typed []int64
	var computed []*ir.Value
	at, declared := m.offset, base
	reduce := g.chance(50)
	for d, n := range m.shape {
		size := 1 + g.r.Int64N(n)
		step := int64(1)
		if size > 1 && (size-1)*2 < n && g.chance(40) {
			step = 2
		}
		room := n - 1 - (size-1)*step
		o := g.r.Int64N(room + 1)
		if room > 0 && g.chance(50) {
			limit := int64(1)
			for 2*limit+1 <= room {
				limit = 2*limit + 1
			}
			computed = append(computed, g.binary(s, opname.ArithAndI, g.need(s, ir.Index), g.constant(s, ir.Index, limit)))
			o, at, declared = ir.Dynamic, ir.Dynamic, ir.Dynamic
		} else {
			if at != ir.Dynamic {
				at += o * m.strides[d]
			}
			if declared != ir.Dynamic {
				declared += o * known[d]
			}
		}
		offsets, sizes, steps = append(offsets, o), append(sizes, size), append(steps, step)
		if size == 1 && reduce && len(m.shape) > 1 && !(len(shape) == 0 && d == len(m.shape)-1) {
			continue
		}
		shape, strides, typed = append(shape, size), append(strides, step*m.strides[d]), append(typed, step*known[d])
	}
	t := ir.MemRefOf(shape, m.elem, &ir.StridedLayout{Offset: declared, Strides: typed}, "", "")
	op := g.emitMemory(s, opname.MemRefSubview, append([]*ir.Value{m.value}, computed...), t)
	segments(op, 1, len(computed), 0, 0)
	offsetAttrs(op, offsets, sizes, steps)
	g.derive(s, m, op.Result(0), shape, strides, at)
	return true
}

// castView forgets static knowledge: extents, or the layout.
func (g *generator) castView(s *scope, m *memory) bool {
	t := m.value.Type.(*ir.MemRefType)
	if len(t.Shape) == 0 {
		return false
	}
	shape := append([]int64(nil), t.Shape...)
	layout := t.Layout
	if g.chance(30) {
		layout = &ir.StridedLayout{Offset: ir.Dynamic}
		for range shape {
			layout.Strides = append(layout.Strides, ir.Dynamic)
		}
	} else {
		if layout == nil && len(shape) > 1 {
			// Strides follow from the inner extents; only the first may go.
			shape[0] = ir.Dynamic
		} else {
			shape[g.r.IntN(len(shape))] = ir.Dynamic
		}
	}
	to := ir.MemRefOf(shape, m.elem, layout, "", "")
	if to == m.value.Type {
		return false
	}
	op := g.emitMemory(s, opname.MemRefCast, []*ir.Value{m.value}, to)
	g.derive(s, m, op.Result(0), m.shape, m.strides, m.offset)
	return true
}

// groups is a reassociation attribute of groups of these sizes.
func groups(op *ir.Operation, sizes ...int) {
	outer := &ir.ArrayAttr{}
	next := int64(0)
	for _, n := range sizes {
		inner := &ir.ArrayAttr{}
		for range n {
			inner.Elems = append(inner.Elems, ir.IntAttr(next, ir.I64))
			next++
		}
		outer.Elems = append(outer.Elems, inner)
	}
	op.SetAttr("reassociation", outer)
}

// collapse merges dimensions of a row-major memory.
func (g *generator) collapse(s *scope, m *memory) bool {
	rank := len(m.shape)
	if rank < 2 || !m.rowMajor() {
		return false
	}
	var shape, strides []int64
	sizes := []int{rank}
	if rank == 3 && g.chance(50) {
		sizes = []int{1, 2}
	}
	next := 0
	for _, n := range sizes {
		extent := int64(1)
		for range n {
			extent *= m.shape[next]
			next++
		}
		shape, strides = append(shape, extent), append(strides, m.strides[next-1])
	}
	op := g.emitMemory(s, opname.MemRefCollapseShape, []*ir.Value{m.value}, ir.MemRef(shape, m.elem))
	groups(op, sizes...)
	g.derive(s, m, op.Result(0), shape, strides, m.offset)
	return true
}

// expand splits the only dimension of a row-major memory.
func (g *generator) expand(s *scope, m *memory) bool {
	if len(m.shape) != 1 || !m.rowMajor() || m.shape[0]%2 != 0 {
		return false
	}
	shape := []int64{2, m.shape[0] / 2}
	strides := []int64{shape[1] * m.strides[0], m.strides[0]}
	op := g.emitMemory(s, opname.MemRefExpandShape, []*ir.Value{m.value}, ir.MemRef(shape, m.elem))
	groups(op, 2)
	op.SetAttr("static_output_shape", &ir.DenseArrayAttr{Elem: ir.I64, Values: shape})
	g.derive(s, m, op.Result(0), shape, strides, m.offset)
	return true
}

// reinterpret lays a window with an offset, sizes and strides of its own over
// the whole memory below m.
func (g *generator) reinterpret(s *scope, m *memory) bool {
	if m.total < 2 {
		return false
	}
	size := 1 + g.r.Int64N(min(m.total, 4))
	step := int64(1)
	if (size-1)*2 < m.total && g.chance(50) {
		step = 2
	}
	shape, strides := []int64{size}, []int64{step}
	if size == 4 && g.chance(50) {
		shape, strides = []int64{2, 2}, []int64{2 * step, step}
		if g.chance(40) {
			strides = []int64{step, 2 * step}
		}
	}
	room := m.total - 1 - (size-1)*step
	offset := g.r.Int64N(room + 1)
	operands, counts := []*ir.Value{m.value}, []int{1, 0, 0, 0}
	if room > 0 && g.chance(40) {
		limit := int64(1)
		for 2*limit+1 <= room {
			limit = 2*limit + 1
		}
		operands = append(operands, g.binary(s, opname.ArithAndI, g.need(s, ir.Index), g.constant(s, ir.Index, limit)))
		counts[1], offset = 1, ir.Dynamic
	}
	t := ir.MemRefOf(shape, m.elem, &ir.StridedLayout{Offset: offset, Strides: strides}, "", "")
	op := g.emitMemory(s, opname.MemRefReinterpretCast, operands, t)
	segments(op, counts...)
	offsetAttrs(op, []int64{offset}, shape, strides)
	g.derive(s, m, op.Result(0), shape, strides, offset)
	return true
}

// transpose exchanges the dimensions of a matrix.
func (g *generator) transpose(s *scope, m *memory) bool {
	offset, known, ok := m.layout()
	t := m.value.Type.(*ir.MemRefType)
	if !ok || len(m.shape) != 2 {
		return false
	}
	to := ir.MemRefOf([]int64{t.Shape[1], t.Shape[0]}, m.elem, &ir.StridedLayout{Offset: offset, Strides: []int64{known[1], known[0]}}, "", "")
	op := g.emitMemory(s, opname.MemRefTranspose, []*ir.Value{m.value}, to)
	op.SetAttr("permutation", &ir.AffineMapAttr{Map: &ir.AffineMap{Dims: 2, Results: []*ir.AffineExpr{ir.AffineDimExpr(1), ir.AffineDimExpr(0)}}})
	g.derive(s, m, op.Result(0), []int64{m.shape[1], m.shape[0]}, []int64{m.strides[1], m.strides[0]}, m.offset)
	return true
}

// carried hands a memory through a loop or branch that passes it on unchanged.
func (g *generator) carried(s *scope, m *memory) bool {
	if s.depth >= g.opts.MaxDepth || s.trips >= 50 {
		return false
	}
	t := m.value.Type
	var op *ir.Operation
	if g.chance(60) {
		bounds := []*ir.Value{g.bound(s, ir.Index, true), g.bound(s, ir.Index, false), g.constant(s, ir.Index, 1)}
		op = ir.NewOp(opname.SCFFor, diag.Pos{}, append(bounds, m.value), []ir.Type{t})
		inner := g.enter(s, op.AddRegion(), []ir.Type{ir.Index}, 3)
		g.counted(inner.block.Args[0], bounds[0], bounds[1])
		arg := *m
		arg.value = inner.block.AddArg(t, "", diag.Pos{})
		inner.memories = append(inner.memories, &arg)
		g.accesses(inner, &arg, []*memory{m})
		g.terminate(inner, opname.SCFYield, []*ir.Value{arg.value})
	} else {
		op = ir.NewOp(opname.SCFIf, diag.Pos{}, []*ir.Value{g.need(s, ir.I1)}, []ir.Type{t})
		for range 2 {
			inner := g.enter(s, op.AddRegion(), nil, 1)
			g.statements(inner, g.r.IntN(3))
			g.terminate(inner, opname.SCFYield, []*ir.Value{m.value})
		}
	}
	s.block.Append(op)
	g.ops++
	g.derive(s, m, op.Result(0), m.shape, m.strides, m.offset)
	return true
}

// copy emits memref.copy to m from a memory of its shape, which may be a view of
// the same.
func (g *generator) copy(s *scope, m *memory) bool {
	if m.readOnly || g.opts.NoUndefined && !m.rowMajor() {
		return false
	}
	if _, static := m.value.Type.(*ir.MemRefType).NumElements(); !static {
		return false
	}
	var fit []*memory
	for _, o := range s.visibleMemories() {
		t := o.value.Type.(*ir.MemRefType)
		_, static := t.NumElements()
		if o != m && o.elem == m.elem && static && slices.Equal(o.shape, m.shape) && (o.rowMajor() || !g.opts.NoUndefined) {
			fit = append(fit, o)
		}
	}
	if len(fit) == 0 || g.chance(30) {
		return g.shift(s, m)
	}
	from := fit[g.r.IntN(len(fit))]
	s.block.Append(ir.NewOp(opname.MemRefCopy, diag.Pos{}, []*ir.Value{from.value, m.value}, nil))
	g.ops++
	return true
}

// shift copies all elements of a memory but one to the positions beside them.
func (g *generator) shift(s *scope, m *memory) bool {
	offset, known, ok := m.layout()
	if !ok || g.opts.NoUndefined || len(m.shape) != 1 || m.shape[0] < 3 {
		return false
	}
	var parts []*ir.Value
	for o := range int64(2) {
		at := offset
		if at != ir.Dynamic {
			at += o * known[0]
		}
		n := m.shape[0] - 1
		t := ir.MemRefOf([]int64{n}, m.elem, &ir.StridedLayout{Offset: at, Strides: known}, "", "")
		op := g.emitMemory(s, opname.MemRefSubview, []*ir.Value{m.value}, t)
		segments(op, 1, 0, 0, 0)
		offsetAttrs(op, []int64{o}, []int64{n}, []int64{1})
		parts = append(parts, op.Result(0))
	}
	if g.chance(50) {
		parts[0], parts[1] = parts[1], parts[0]
	}
	s.block.Append(ir.NewOp(opname.MemRefCopy, diag.Pos{}, parts, nil))
	g.ops++
	return true
}

// dim emits memref.dim for a static extent.
func (g *generator) dim(s *scope, m *memory) bool {
	t := m.value.Type.(*ir.MemRefType)
	if len(t.Shape) == 0 {
		return false
	}
	d := g.r.IntN(len(t.Shape))
	if t.Shape[d] == ir.Dynamic {
		return false
	}
	op := g.emit(s, opname.MemRefDim, []*ir.Value{m.value, g.constant(s, ir.Index, int64(d))}, ir.Index)
	g.spans[op.Result(0)] = span{t.Shape[d], t.Shape[d]}
	return true
}
