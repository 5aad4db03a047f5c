package interp

import (
	"loom/compiler/ir"
	"loom/compiler/num"
	"loom/compiler/opname"
)

func init() {
	handlers[opname.MemRefCast] = (*compiler).cast
	handlers[opname.MemRefMemorySpaceCast] = (*compiler).cast
	handlers[opname.MemRefSubview] = (*compiler).subview
	handlers[opname.MemRefReinterpretCast] = (*compiler).reinterpret
	handlers[opname.MemRefCollapseShape] = func(c *compiler, op *ir.Operation) instr { return c.reshape(op, true) }
	handlers[opname.MemRefExpandShape] = func(c *compiler, op *ir.Operation) instr { return c.reshape(op, false) }
	handlers[opname.MemRefTranspose] = (*compiler).transpose
	handlers[opname.MemRefView] = (*compiler).byteView
	handlers[opname.MemRefExtractStridedMetadata] = (*compiler).metadata
}

// resultShape is the declared shape of result 0, nil where it is no memref.
func resultShape(op *ir.Operation) []int64 {
	if op.NumResults() > 0 {
		if t, ok := op.Result(0).Type.(*ir.MemRefType); ok {
			return append([]int64{}, t.Shape...)
		}
	}
	return nil
}

// agrees reports whether a shape has the declared static extents.
func agrees(shape, declared []int64) bool {
	if len(shape) != len(declared) {
		return false
	}
	for i, d := range declared {
		if d != ir.Dynamic && d != shape[i] {
			return false
		}
	}
	return true
}

func (c *compiler) cast(op *ir.Operation) instr {
	if !c.counts(op, 1, 1, 0) {
		return nil
	}
	from, to, pos, declared := c.useKind(op, 0, viewKind), c.result(op, 0, viewKind), op.Pos, resultShape(op)
	return func(fr *frame) *fault {
		if !agrees(fr.m[from].shape, declared) {
			return faultf(pos, 0, "cast of memory of shape %s to another shape", shapeText(fr.m[from].shape))
		}
		fr.m[to] = fr.m[from]
		return nil
	}
}

// staticList reads one of the static_… attributes.
func staticList(op *ir.Operation, name string) []int64 {
	if a, ok := op.Attr(name).(*ir.DenseArrayAttr); ok {
		return append([]int64{}, a.Values...)
	}
	return nil
}

// subview compiles memref.subview: source, offsets, sizes, strides, each list
// split into a static attribute and operands.
func (c *compiler) subview(op *ir.Operation) instr {
	if !c.counts(op, -1, 1, 0) {
		return nil
	}
	seg, ok := c.segments(op, 4)
	if !ok {
		return nil
	}
	src, dst, pos := c.useKind(op, 0, viewKind), c.result(op, 0, viewKind), op.Pos
	offsets := c.extents(op, staticList(op, "static_offsets"), seg[1][0], seg[1][1])
	sizes := c.extents(op, staticList(op, "static_sizes"), seg[2][0], seg[2][1])
	strides := c.extents(op, staticList(op, "static_strides"), seg[3][0], seg[3][1])
	declared := resultShape(op)
	kept := keptUnits(sizes.static, declared)
	return func(fr *frame) *fault {
		v := &fr.m[src]
		off, size, step := offsets.get(fr), sizes.get(fr), strides.get(fr)
		if len(off) != len(v.shape) || len(size) != len(off) || len(step) != len(off) {
			return faultf(pos, 0, "a window of %d dimensions on memory of shape %s", len(off), shapeText(v.shape))
		}
		out := view{buf: v.buf, offset: v.offset}
		for i := range off {
			// The first and the last element of a window that is not empty must
			// lie in the dimension.
			last := off[i]
			if size[i] > 0 && size[i] <= v.shape[i] {
				last += (size[i] - 1) * clamp(step[i])
			}
			if size[i] < 0 || size[i] > v.shape[i] || size[i] > 0 && (off[i] < 0 || off[i] >= v.shape[i] || last < 0 || last >= v.shape[i]) {
				return faultf(pos, CodeOutOfBounds, "the window with offsets %s, sizes %s and strides %s does not lie in memory of shape %s",
					shapeText(off), shapeText(size), shapeText(step), shapeText(v.shape))
			}
			if size[i] > 0 {
				out.offset += off[i] * v.strides[i]
			}
			if kept[i] {
				out.shape, out.strides = append(out.shape, size[i]), append(out.strides, clamp(step[i])*v.strides[i])
			}
		}
		if !agrees(out.shape, declared) {
			return faultf(pos, 0, "the window has shape %s, which is not that of its type", shapeText(size))
		}
		fr.m[dst] = out
		return nil
	}
}

// clamp limits a stride so that computations with it do not overflow; a stride larger
// than any memory is out of bounds either way.
func clamp(step int64) int64 {
	const limit = 1 << 30
	return max(-limit, min(step, limit))
}

// keptUnits returns, for each dimension of a window, whether its type has it: a
// rank-reducing subview leaves out dimensions of the static size 1, never one whose
// dynamic size is 1 in this run. Which of several adjacent ones is left out makes no
// difference.
func keptUnits(static, declared []int64) []bool {
	kept := make([]bool, len(static))
	at := 0
	for i, d := range static {
		if kept[i] = at < len(declared) && declared[at] == d; kept[i] {
			at++
		}
	}
	return kept
}

// reinterpret compiles memref.reinterpret_cast, checked against the buffer.
func (c *compiler) reinterpret(op *ir.Operation) instr {
	if !c.counts(op, -1, 1, 0) {
		return nil
	}
	seg, ok := c.segments(op, 4)
	if !ok {
		return nil
	}
	src, dst, pos := c.useKind(op, 0, viewKind), c.result(op, 0, viewKind), op.Pos
	offsets := c.extents(op, staticList(op, "static_offsets"), seg[1][0], seg[1][1])
	sizes := c.extents(op, staticList(op, "static_sizes"), seg[2][0], seg[2][1])
	strides := c.extents(op, staticList(op, "static_strides"), seg[3][0], seg[3][1])
	declared := resultShape(op)
	return func(fr *frame) *fault {
		off, size, step := offsets.get(fr), sizes.get(fr), strides.get(fr)
		v := view{buf: fr.m[src].buf, shape: size, strides: step}
		total := int64(1)
		bad := len(off) != 1 || len(size) != len(step) || !agrees(size, declared)
		for i := range size {
			bad = bad || size[i] < 0 || size[i] > int64(len(v.buf.data)) && size[i] > 0
			if !bad {
				step[i] = clamp(step[i])
				total *= max(size[i], 1)
				bad = total > 1<<32
			}
		}
		if !bad {
			v.offset = off[0]
			bad = off[0] < 0 || off[0] > int64(len(v.buf.data)) || !v.fits()
		}
		if bad {
			return faultf(pos, CodeOutOfBounds, "the window at offset %s with sizes %s and strides %s does not lie in its memory of %d elements",
				shapeText(off), shapeText(size), shapeText(step), len(v.buf.data))
		}
		fr.m[dst] = v
		return nil
	}
}

// reshape compiles memref.collapse_shape and memref.expand_shape by their
// reassociation: group g of the larger shape is dimension g of the smaller one.
func (c *compiler) reshape(op *ir.Operation, collapse bool) instr {
	if !c.counts(op, -1, 1, 0) {
		return nil
	}
	groups, ok := reassociation(op)
	declared := resultShape(op)
	if !ok || declared == nil {
		c.errorf(op.Pos, "'%s' has a bad attribute reassociation", op.Name)
		return nil
	}
	src, pos := c.useKind(op, 0, viewKind), op.Pos
	var sizes extents
	if !collapse {
		static := staticList(op, "static_output_shape")
		if static == nil {
			static = declared
		}
		sizes = c.extents(op, static, 1, op.NumOperands())
	}
	dst := c.result(op, 0, viewKind)
	return func(fr *frame) *fault {
		v := &fr.m[src]
		out := view{buf: v.buf, offset: v.offset}
		if collapse {
			next := 0
			for _, g := range groups {
				extent, stride := int64(1), int64(1)
				for k := range g {
					d := next + len(g) - 1 - k
					if d >= len(v.shape) {
						return faultf(pos, 0, "the reassociation does not fit shape %s", shapeText(v.shape))
					}
					switch {
					case extent == 1:
						stride = v.strides[d]
					case v.shape[d] > 1 && v.strides[d] != stride*extent:
						return faultf(pos, 0, "dimensions of shape %s with strides %s are not contiguous", shapeText(v.shape), shapeText(v.strides))
					}
					extent *= v.shape[d]
				}
				next += len(g)
				out.shape, out.strides = append(out.shape, extent), append(out.strides, stride)
			}
		} else {
			out.shape = sizes.get(fr)
			out.strides = make([]int64, len(out.shape))
			next := 0
			for i, g := range groups {
				extent := int64(1)
				for k := range g {
					d := next + len(g) - 1 - k
					if i >= len(v.shape) || d >= len(out.shape) || out.shape[d] < 0 || out.shape[d] > 1<<31 || extent > 1<<31 {
						return faultf(pos, 0, "shape %s does not fit shape %s", shapeText(out.shape), shapeText(v.shape))
					}
					out.strides[d] = v.strides[i] * extent
					extent *= out.shape[d]
				}
				next += len(g)
				if extent != v.shape[i] {
					return faultf(pos, 0, "shape %s does not fit shape %s", shapeText(out.shape), shapeText(v.shape))
				}
			}
		}
		if !agrees(out.shape, declared) || !out.fits() {
			return faultf(pos, 0, "the new shape %s is not that of the type", shapeText(out.shape))
		}
		fr.m[dst] = out
		return nil
	}
}

// reassociation reads [[0, 1], [2]]; groups must count up without gaps.
func reassociation(op *ir.Operation) (groups [][]int64, ok bool) {
	a, ok := op.Attr("reassociation").(*ir.ArrayAttr)
	if !ok {
		return nil, false
	}
	next := int64(0)
	for _, e := range a.Elems {
		g, ok := e.(*ir.ArrayAttr)
		if !ok {
			return nil, false
		}
		var group []int64
		for _, d := range g.Elems {
			n, ok := d.(*ir.IntegerAttr)
			if !ok || n.Value != next {
				return nil, false
			}
			group = append(group, next)
			next++
		}
		groups = append(groups, group)
	}
	return groups, true
}

// transpose compiles memref.transpose: result dimension i is the source dimension
// that the permutation map, (d0, d1) -> (d1, d0), has as its result i.
func (c *compiler) transpose(op *ir.Operation) instr {
	if !c.counts(op, 1, 1, 0) {
		return nil
	}
	declared := resultShape(op)
	order, ok := permutation(op.Attr("permutation"), len(declared))
	if !ok {
		c.errorf(op.Pos, "'%s' needs a permutation of %d dimensions", op.Name, len(declared))
		c.freshResults(op)
		return nil
	}
	src, dst, pos := c.useKind(op, 0, viewKind), c.result(op, 0, viewKind), op.Pos
	return func(fr *frame) *fault {
		v := &fr.m[src]
		if len(v.shape) != len(order) {
			return faultf(pos, 0, "a permutation of %d dimensions on memory of shape %s", len(order), shapeText(v.shape))
		}
		out := view{buf: v.buf, offset: v.offset}
		for _, d := range order {
			out.shape, out.strides = append(out.shape, v.shape[d]), append(out.strides, v.strides[d])
		}
		if !agrees(out.shape, declared) {
			return faultf(pos, 0, "the new shape %s is not that of the type", shapeText(out.shape))
		}
		fr.m[dst] = out
		return nil
	}
}

// byteView compiles memref.view where it shows bytes as bytes: row-major from a
// shift on. Elements of other types lie across several of the memory's.
func (c *compiler) byteView(op *ir.Operation) instr {
	if !c.counts(op, -1, 1, 0) {
		return nil
	}
	from, ok := op.Operand(0).Type.(*ir.MemRefType)
	to, ok2 := op.Result(0).Type.(*ir.MemRefType)
	if !ok || !ok2 || from.Elem != to.Elem || op.NumOperands() < 2 {
		c.errorf(op.Pos, "'%s' cannot read bytes as elements of another type", op.Name).
			WithHelp("use a memref of the elements")
		c.freshResults(op)
		return nil
	}
	src, shift := c.useKind(op, 0, viewKind), c.useKind(op, 1, scalarKind)
	sizes := c.extents(op, to.Shape, 2, op.NumOperands())
	dst, pos := c.result(op, 0, viewKind), op.Pos
	return func(fr *frame) *fault {
		v := &fr.m[src]
		shape := sizes.get(fr)
		start := int64(fr.v[shift]<<sizes.shift) >> sizes.shift
		n, bad := int64(1), len(v.shape) != 1 || start < 0 || start > v.shape[0]
		for _, d := range shape {
			bad = bad || d < 0 || d > v.shape[0] && d > 0
			if !bad {
				n *= max(d, 1)
				bad = n > 1<<32
			}
		}
		if !bad {
			out := contiguous(nil, shape)
			out.buf, out.offset = v.buf, v.offset+start*v.strides[0]
			for d := range out.strides {
				out.strides[d] *= v.strides[0]
			}
			if bad = out.size() > 0 && start+out.size() > v.shape[0]; !bad {
				fr.m[dst] = out
				return nil
			}
		}
		return faultf(pos, CodeOutOfBounds, "the view of shape %s from byte %d on does not lie in memory of shape %s", shapeText(shape), start, shapeText(v.shape))
	}
}

// permutation reads affine_map<(d0, d1) -> (d1, d0)> as [1, 0].
func permutation(a ir.Attr, rank int) (order []int, ok bool) {
	m, isMap := a.(*ir.AffineMapAttr)
	if !isMap || m.Map.Dims != rank || m.Map.Symbols != 0 || len(m.Map.Results) != rank {
		return nil, false
	}
	taken := make([]bool, rank)
	for _, e := range m.Map.Results {
		if e.Kind != ir.AffineDim || taken[e.Value] {
			return nil, false
		}
		taken[e.Value] = true
		order = append(order, int(e.Value))
	}
	return order, true
}

// metadata compiles memref.extract_strided_metadata: the whole buffer, the
// offset, the sizes and the strides.
func (c *compiler) metadata(op *ir.Operation) instr {
	if op.NumOperands() != 1 || op.NumResults() < 2 || op.NumResults()%2 != 0 {
		c.errorf(op.Pos, "'%s' is malformed", op.Name)
		return nil
	}
	src, base, offset, pos := c.useKind(op, 0, viewKind), c.result(op, 0, viewKind), c.result(op, 1, scalarKind), op.Pos
	var metadata []int
	for i := 2; i < op.NumResults(); i++ {
		metadata = append(metadata, c.result(op, i, scalarKind))
	}
	w := c.indexWidth()
	return func(fr *frame) *fault {
		v := fr.m[src]
		if len(metadata) != 2*len(v.shape) {
			return faultf(pos, 0, "memory of shape %s has other metadata", shapeText(v.shape))
		}
		fr.m[base] = view{buf: v.buf, shape: []int64{}, strides: []int64{}}
		fr.v[offset] = num.Truncate(uint64(v.offset), ir.Index, w)
		for i := range v.shape {
			fr.v[metadata[i]] = num.Truncate(uint64(v.shape[i]), ir.Index, w)
			fr.v[metadata[len(v.shape)+i]] = num.Truncate(uint64(v.strides[i]), ir.Index, w)
		}
		return nil
	}
}
