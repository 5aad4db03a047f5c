package lower

import (
	"loom/compiler/analysis/linear"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

// An element is named by a memory, or a view that is not looked through, and one
// subscript per dimension. Within their bounds different subscripts in one
// dimension name different elements.
//
// locate expresses the indices of an access to a view as subscripts of what lies
// below it, as far as that is a matter of affine arithmetic: casts, windows
// (memref.subview), exchanged dimensions, and another layout put over a
// one-dimensional memory.
func locate(x *linear.Forms, m *ir.Value, indices []*ir.Value) (base *ir.Value, subs []linear.Form) {
	for _, v := range indices {
		subs = append(subs, x.Of(v))
	}
	for m.Def != nil && viewsMemory(m.Def) && m.Index == 0 {
		op := m.Def
		var below []linear.Form
		ok := true
		switch op.Name {
		case opname.MemRefCast, opname.MemRefMemorySpaceCast:
			below = subs
		case opname.MemRefSubview:
			below, ok = window(x, op, subs)
		case opname.MemRefTranspose:
			below, ok = exchanged(op, subs)
		case opname.MemRefReinterpretCast:
			below, ok = reinterpreted(x, op, subs)
		default:
			ok = false
		}
		if !ok {
			break
		}
		m, subs = op.Operand(0), below
	}
	return m, subs
}

// amounts are static integers and operands as forms.
func amounts(x *linear.Forms, static []int64, dynamic []*ir.Value) []linear.Form {
	out := make([]linear.Form, len(static))
	for i, n := range static {
		if n != ir.Dynamic {
			out[i] = linear.Form{C: n}
		} else if len(dynamic) > 0 {
			out[i] = x.Of(dynamic[0])
			dynamic = dynamic[1:]
		}
	}
	return out
}

// scaled is base + step*f for a step that is a known integer other than zero.
func scaled(base, f, step linear.Form) (linear.Form, bool) {
	if len(step.Terms) > 0 || step.C == 0 {
		return linear.Form{}, false
	}
	out, ok := base.Plus(f, step.C)
	return out, ok && len(out.Terms) <= 2*linear.MaxTerms
}

// window is memref.subview: dimension d of the source has offset + stride*index,
// the offset alone where the view has dropped the dimension.
func window(x *linear.Forms, op *ir.Operation, subs []linear.Form) ([]linear.Form, bool) {
	to, ok := op.Result(0).Type.(*ir.MemRefType)
	if !ok {
		return nil, false
	}
	groups := segments(op, 4)
	out := amounts(x, static(op, "static_offsets"), groups[1])
	steps := amounts(x, static(op, "static_strides"), groups[3])
	kept := keptDims(static(op, "static_sizes"), to.Shape)
	if len(steps) != len(out) || len(kept) != len(out) {
		return nil, false
	}
	for d := range out {
		if !kept[d] {
			continue
		}
		if len(subs) == 0 {
			return nil, false
		}
		if out[d], ok = scaled(out[d], subs[0], steps[d]); !ok {
			return nil, false
		}
		subs = subs[1:]
	}
	return out, len(subs) == 0
}

// exchanged is memref.transpose.
func exchanged(op *ir.Operation, subs []linear.Form) ([]linear.Form, bool) {
	order := permutation(op)
	if len(order) != len(subs) {
		return nil, false
	}
	out := make([]linear.Form, len(subs))
	for i, d := range order {
		if d < 0 || d >= len(out) {
			return nil, false
		}
		out[d] = subs[i]
	}
	return out, true
}

// reinterpreted is memref.reinterpret_cast of a whole one-dimensional memory: the
// layout maps an index to its element.
func reinterpreted(x *linear.Forms, op *ir.Operation, subs []linear.Form) ([]linear.Form, bool) {
	source := op.Operand(0)
	for source.Def != nil && source.Def.Name == opname.MemRefCast {
		source = source.Def.Operand(0)
	}
	t, ok := source.Type.(*ir.MemRefType)
	if !ok || len(t.Shape) != 1 || source.Def != nil && viewsMemory(source.Def) || !plainLayout(t) {
		return nil, false
	}
	groups := segments(op, 4)
	offsets := amounts(x, static(op, "static_offsets"), groups[1])
	steps := amounts(x, static(op, "static_strides"), groups[3])
	if len(offsets) != 1 || len(steps) != len(subs) {
		return nil, false
	}
	at := offsets[0]
	for d, f := range subs {
		// A dimension of stride zero contributes nothing to the element's position.
		if len(steps[d].Terms) == 0 && steps[d].C == 0 {
			continue
		}
		if at, ok = scaled(at, f, steps[d]); !ok {
			return nil, false
		}
	}
	return []linear.Form{at}, true
}

// plainLayout reports whether different subscripts of a memref name different
// elements because it lies in row-major order.
func plainLayout(t *ir.MemRefType) bool {
	return t.Map == "" && (t.Layout == nil || identityLayout(t))
}

// distinct reports whether a memref, which locate has not looked through, is the
// same in all iterations of a loop and has an element of its own for each index.
func distinct(m *ir.Value, loop *ir.Operation) bool {
	for m.Def != nil && viewsMemory(m.Def) && m.Index == 0 {
		switch m.Def.Name {
		case opname.MemRefCast, opname.MemRefMemorySpaceCast, opname.MemRefCollapseShape, opname.MemRefExpandShape:
		default:
			return false
		}
		if !rewrite.Outside(m, loop) {
			return false
		}
		m = m.Def.Operand(0)
	}
	t, ok := m.Type.(*ir.MemRefType)
	return ok && plainLayout(t)
}
