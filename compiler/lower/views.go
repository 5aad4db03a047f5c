package lower

import (
	"slices"
	"strings"

	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
	"loom/compiler/sizes"
)

// viewsMemory reports whether an operation names a part of a memory, or all of it in
// another shape, without being a memory of its own. Its first operand is the
// memref it views, its first result the view.
func viewsMemory(op *ir.Operation) bool {
	switch op.Name {
	case opname.MemRefCast, opname.MemRefMemorySpaceCast, opname.MemRefSubview, opname.MemRefReinterpretCast, opname.MemRefCollapseShape,
		opname.MemRefExpandShape, opname.MemRefTranspose, opname.MemRefView, opname.MemRefExtractStridedMetadata:
		return true
	}
	return false
}

// rootOf strips the views off a memref value (spec-dataflow-memory, "grouped by
// root memref"). The root is a parameter, an allocation or, once per global, a
// memref.get_global.
func rootOf(v *ir.Value) *ir.Value {
	for v.Def != nil && viewsMemory(v.Def) && v.Index == 0 {
		v = v.Def.Operand(0)
	}
	return v
}

// amount is an integer known at compile time (v nil) or an SSA value.
type amount struct {
	v *ir.Value
	n int64
}

func fixed(n int64) amount { return amount{n: n} }

// of is the amount of a value: its integer if it is constant.
func amountOf(v *ir.Value) amount {
	if n, ok := v.ConstantInt(); ok {
		return fixed(n)
	}
	return amount{v: v}
}

// is reports whether the amount is the integer n.
func (a amount) is(n int64) bool { return a.v == nil && a.n == n }

// value is the amount as an index.
func (a amount) value(m rewrite.Maker) *ir.Value {
	if a.v != nil {
		return a.v
	}
	return m.Integer(a.n, ir.Index)
}

// extent is a size; known is false where it cannot be determined.
type extent struct {
	amount
	known bool
}

func knownExtent(a amount) extent { return extent{a, true} }

// product emits a multiplication where it is not decided yet.
func product(m rewrite.Maker, a, b extent) extent {
	switch {
	case a.known && a.is(1) || b.known && b.is(0):
		return b
	case b.known && b.is(1) || a.known && a.is(0):
		return a
	case !a.known || !b.known:
		return extent{}
	case a.v == nil && b.v == nil:
		return knownExtent(fixed(a.n * b.n))
	}
	return knownExtent(amount{v: m.Op(opname.ArithMulI, ir.Index, a.amount.value(m), b.amount.value(m))})
}

// sum emits an addition where it is not decided yet.
func sum(m rewrite.Maker, a, b extent) extent {
	switch {
	case a.known && a.is(0):
		return b
	case b.known && b.is(0):
		return a
	case !a.known || !b.known:
		return extent{}
	case a.v == nil && b.v == nil:
		return knownExtent(fixed(a.n + b.n))
	}
	return knownExtent(amount{v: m.Op(opname.ArithAddI, ir.Index, a.amount.value(m), b.amount.value(m))})
}

// layout is where the elements of a memref lie in the memory below it: element
// (i, j, …) at offset + i*stride[0] + j*stride[1] + …
//
// Offset and strides may be unknown as well: those of a memory whose inner sizes
// are unknown.
type layout struct {
	offset       extent
	size, stride []extent
}

// mixed reads a list of static integers in which ir.Dynamic stands for the next
// of the values.
func mixed(static []int64, dynamic []*ir.Value) []extent {
	out := make([]extent, len(static))
	for i, n := range static {
		if n == ir.Dynamic {
			out[i] = knownExtent(amountOf(dynamic[0]))
			dynamic = dynamic[1:]
		} else {
			out[i] = knownExtent(fixed(n))
		}
	}
	return out
}

// sizeOf is the size of dimension d of a memref as far as the types and the
// views between it and its root determine it, without any arithmetic.
func sizeOf(v *ir.Value, d int) (size amount, known bool) {
	for {
		m, ok := v.Type.(*ir.MemRefType)
		if !ok || d >= len(m.Shape) {
			return amount{}, false
		}
		if m.Shape[d] != ir.Dynamic {
			return fixed(m.Shape[d]), true
		}
		if size := sizes.Param(v, d); size != nil {
			return amountOf(size), true
		}
		if v.Def == nil || v.Index != 0 {
			return amount{}, false
		}
		// The dynamic dimension d is the one that the next operand names.
		dynamic := func(operands []*ir.Value, shape []int64) (amount, bool) {
			n := 0
			for _, s := range shape[:d] {
				if s == ir.Dynamic {
					n++
				}
			}
			if n >= len(operands) {
				return amount{}, false
			}
			return amountOf(operands[n]), true
		}
		switch v.Def.Name {
		case opname.MemRefAlloc, opname.MemRefAlloca:
			return dynamic(segments(v.Def, 2)[0], m.Shape)
		case opname.MemRefCast, opname.MemRefMemorySpaceCast:
			v = v.Def.Operand(0)
		case opname.MemRefTranspose:
			order := permutation(v.Def)
			if d >= len(order) {
				return amount{}, false
			}
			v, d = v.Def.Operand(0), order[d]
		case opname.MemRefSubview, opname.MemRefReinterpretCast:
			// Dimensions that are dropped have the static size 1.
			return dynamic(segments(v.Def, 4)[2], m.Shape)
		case opname.MemRefExpandShape:
			return dynamic(v.Def.Operands()[1:], m.Shape)
		case opname.MemRefView:
			return dynamic(v.Def.Operands()[2:], m.Shape)
		default:
			return amount{}, false
		}
	}
}

// rootLayout is the layout of a parameter, an allocation or a global by its
// type.
func rootLayout(m *ir.MemRefType) *layout {
	l := &layout{offset: knownExtent(fixed(0))}
	for _, d := range m.Shape {
		l.size = append(l.size, extent{fixed(d), d != ir.Dynamic})
	}
	if m.Layout != nil {
		l.offset = extent{fixed(m.Layout.Offset), m.Layout.Offset != ir.Dynamic}
		for _, s := range m.Layout.Strides {
			l.stride = append(l.stride, extent{fixed(s), s != ir.Dynamic})
		}
		return l
	}
	l.stride = make([]extent, len(m.Shape))
	step := knownExtent(fixed(1))
	for d := len(m.Shape) - 1; d >= 0; d-- {
		l.stride[d] = step
		step = extent{fixed(step.n * l.size[d].n), step.known && l.size[d].known}
	}
	return l
}

// allocLayout is the layout of an allocation: row-major, of sizes that its operands
// give where the type does not.
func allocLayout(m rewrite.Maker, op *ir.Operation, t *ir.MemRefType) *layout {
	l := rootLayout(t)
	if dynamic := segments(op, 2)[0]; len(dynamic) > 0 {
		l.size = mixed(t.Shape, dynamic)
		l.pack(m)
	}
	return l
}

// parameterLayout is the layout of a parameter, whose dynamic sizes may be parameters too.
func parameterLayout(m rewrite.Maker, v *ir.Value, t *ir.MemRefType) *layout {
	l := rootLayout(t)
	found := false
	for d := range l.size {
		if size := sizes.Param(v, d); size != nil && t.Layout == nil {
			l.size[d], found = knownExtent(amountOf(size)), true
		}
	}
	if found {
		l.pack(m)
	}
	return l
}

// pack makes the strides those of row-major elements.
func (l *layout) pack(m rewrite.Maker) {
	step := knownExtent(fixed(1))
	for d := len(l.size) - 1; d >= 0; d-- {
		l.stride[d] = step
		if d > 0 {
			step = product(m, step, l.size[d])
		}
	}
}

// viewLayout is the layout of the view that op makes of a memref with layout
// from. The arithmetic it needs is emitted where the view is made.
func viewLayout(s *state, m rewrite.Maker, op *ir.Operation, from *layout) *layout {
	to, _ := op.Result(0).Type.(*ir.MemRefType)
	l := &layout{offset: from.offset}
	switch op.Name {
	case opname.MemRefSubview:
		groups := segments(op, 4)
		offset, size, step := mixed(static(op, "static_offsets"), groups[1]), mixed(static(op, "static_sizes"), groups[2]), mixed(static(op, "static_strides"), groups[3])
		for d := range offset {
			if s.opts.deviate != offsetLost {
				l.offset = sum(m, l.offset, product(m, offset[d], from.stride[d]))
			}
		}
		kept := keptDims(static(op, "static_sizes"), to.Shape)
		for d := range offset {
			if !kept[d] {
				continue
			}
			stride := from.stride[d]
			if s.opts.deviate != strideLost {
				stride = product(m, step[d], stride)
			}
			l.size, l.stride = append(l.size, size[d]), append(l.stride, stride)
		}
	case opname.MemRefReinterpretCast:
		groups := segments(op, 4)
		l.offset = mixed(static(op, "static_offsets"), groups[1])[0]
		l.size, l.stride = mixed(static(op, "static_sizes"), groups[2]), mixed(static(op, "static_strides"), groups[3])
	case opname.MemRefCollapseShape:
		for _, g := range reassociation(op)[:len(to.Shape)] {
			size, stride := knownExtent(fixed(1)), knownExtent(fixed(1))
			for k := len(g) - 1; k >= 0; k-- {
				d := g[k]
				// The step of the group is that of its innermost dimension with
				// more than one element; the verifier has seen to it that the
				// others continue it.
				if size.known && size.is(1) {
					stride = from.stride[d]
				}
				size = product(m, size, from.size[d])
			}
			l.size, l.stride = append(l.size, size), append(l.stride, stride)
		}
	case opname.MemRefExpandShape:
		shape := static(op, "static_output_shape")
		if shape == nil {
			shape = to.Shape
		}
		sizes := mixed(shape, op.Operands()[1:])
		l.size, l.stride = sizes, make([]extent, len(sizes))
		groups := reassociation(op)[:len(from.size)]
		for i, g := range groups {
			stride := from.stride[i]
			for k := len(g) - 1; k >= 0; k-- {
				d := g[k]
				l.stride[d] = stride
				stride = product(m, stride, sizes[d])
			}
		}
		if len(groups) == 0 {
			// Of rank 0 to ones: no index but 0 is possible.
			for d := range l.stride {
				l.stride[d] = knownExtent(fixed(1))
			}
		}
	case opname.MemRefTranspose:
		for _, d := range permutation(op) {
			l.size, l.stride = append(l.size, from.size[d]), append(l.stride, from.stride[d])
		}
	case opname.MemRefView:
		// Bytes as bytes, row-major from a shift on.
		inner := rootLayout(to)
		l.offset = sum(m, l.offset, product(m, knownExtent(amountOf(op.Operand(1))), from.stride[0]))
		dynamic := op.Operands()[2:]
		stride := from.stride[0]
		l.size, l.stride = inner.size, make([]extent, len(inner.size))
		for d := range l.size {
			if !l.size[d].known {
				l.size[d] = knownExtent(amountOf(dynamic[0]))
				dynamic = dynamic[1:]
			}
		}
		for d := len(l.size) - 1; d >= 0; d-- {
			l.stride[d] = stride
			stride = product(m, stride, l.size[d])
		}
	case opname.MemRefExtractStridedMetadata:
		l.offset = knownExtent(fixed(0)) // the base buffer is the whole memory
	default:
		// A cast adds to what is known of the sizes.
		l.size, l.stride = slices.Clone(from.size), from.stride
	}
	if to != nil {
		for d, n := range to.Shape {
			if n != ir.Dynamic && d < len(l.size) {
				l.size[d] = knownExtent(fixed(n))
			}
		}
	}
	return l
}

// keptDims returns which dimensions of a subview stay: those whose sizes the result
// type lists. Which of several units goes makes no difference, their only index
// is 0.
func keptDims(sizes, shape []int64) []bool {
	kept := make([]bool, len(sizes))
	k := 0
	for d, s := range sizes {
		if k < len(shape) && shape[k] == s {
			kept[d] = true
			k++
		}
	}
	return kept
}

// reassociation reads [[0, 1], [2]]. Without dimensions on the smaller side the
// verifier leaves the attribute alone: its groups mean nothing then.
func reassociation(op *ir.Operation) [][]int {
	var out [][]int
	a, _ := op.Attr("reassociation").(*ir.ArrayAttr)
	if a == nil {
		return nil
	}
	for _, e := range a.Elems {
		var group []int
		if g, ok := e.(*ir.ArrayAttr); ok {
			for _, d := range g.Elems {
				if n, ok := d.(*ir.IntegerAttr); ok {
					group = append(group, int(n.Value))
				}
			}
		}
		out = append(out, group)
	}
	return out
}

// permutation reads affine_map<(i, j) -> (j, i)> as [1, 0]: dimension d of the
// result is dimension order[d] of the source.
func permutation(op *ir.Operation) (order []int) {
	a := op.Attr("permutation")
	if a == nil {
		return nil
	}
	from, to, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(a.String(), "affine_map<"), ">"), "->")
	names := func(s string) []string {
		return strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("(), \t\n", r) })
	}
	dims := names(from)
	for _, n := range names(to) {
		order = append(order, slices.Index(dims, n))
	}
	return order
}
