package inputs

import (
	"maps"
	"slices"

	"loom/compiler/ir"
	"loom/compiler/opname"
)

// of is what is known of a parameter: of all elements of a memory, and of those that the
// kernel uses at constant positions alone, as the fields of a struct that is seen in bytes.
func (a *analysis) of(arg *ir.Value) (whole use, elements map[int64]use) {
	if u := a.uses[arg]; u != nil {
		whole = *u
	}
	elements = map[int64]use{}
	for node, u := range a.uses {
		if e, ok := node.(element); ok && e.memory == any(arg) {
			elements[e.at] = *u
		}
	}
	together := whole
	for _, at := range slices.Sorted(maps.Keys(elements)) {
		u := elements[at]
		together.merge(u)
		n := whole
		n.merge(u)
		elements[at] = n
	}
	// Where each element depends on the one before it, they belong together.
	if r := together.role; r&(ended|linked) != 0 || r&(start|bound) == start|bound {
		return together, nil
	}
	return whole, elements
}

// merge adds what is known from another use.
func (u *use) merge(n use) {
	if n.role&ended != 0 && u.role&ended == 0 {
		u.end = n.end
	}
	u.role |= n.role
	if n.below > 0 && (u.below == 0 || n.below < u.below) {
		u.below = n.below
	}
	u.from = max(u.from, n.from)
	if n.width > 0 && (u.width == 0 || n.width < u.width) {
		u.width = n.width
	}
	u.root = u.root || n.root
}

// accessed is what a load or store of a memory uses: an element, or the whole memory
// where its position is not constant.
func (a *analysis) accessed(op *ir.Operation, memory any) any {
	if at, ok := constantOf(op.Operand(0), a.indexWidth); ok {
		return element{memory, at}
	}
	return memory
}

// storesTo are the values that are stored to a memory, or to an element of it: those
// stored at its constant position, or, without any, those stored at unknown positions.
func (a *analysis) storesTo(node any) []*ir.Value {
	var out []*ir.Value
	e, single := node.(element)
	if !single {
		for _, s := range a.stores[node] {
			out = append(out, s.value)
		}
		return out
	}
	for _, at := range []any{e, e.memory} {
		for _, s := range a.stores[e.memory] {
			if s.to == at {
				out = append(out, s.value)
			}
		}
		if len(out) > 0 {
			break
		}
	}
	return out
}

// upper reports whether an operand of an or is an upper piece of a value that lies in
// memory in pieces, as a field of a struct does that is seen in bytes. Where values have
// to be small, such pieces are zero.
func (a *analysis) upper(v *ir.Value) bool {
	shift := source(v).Def
	if shift == nil || shift.Name != opname.ArithShLI {
		return false
	}
	c, ok := constantOf(shift.Operand(1), a.indexWidth)
	piece := source(shift.Operand(0)).Def
	if !ok || c < 8 || piece == nil || piece.Name != opname.HandshakeLoad {
		return false
	}
	_, ok = constantOf(piece.Operand(0), a.indexWidth)
	return ok
}

// throughCast is the roles of a cast's operand that follow from those of its result.
func (a *analysis) throughCast(op *ir.Operation, r role) role {
	const reals = real | realLow | realHigh
	if r&reals == 0 {
		return r
	}
	to, _ := ir.BitWidth(op.Result(0).Type, a.indexWidth)
	from, _ := ir.BitWidth(op.Operand(0).Type, a.indexWidth)
	out := r &^ reals
	switch {
	case from == to:
		out = r
	case from == 64 && to == 32 && r&real != 0:
		out |= realLow
	case from == 32 && to == 64 && r&realLow != 0:
		out |= real
	}
	return out
}

// memoryOf is the memory behind a load or store, and its type.
func memoryOf(op *ir.Operation) (memory any, typ *ir.MemRefType) {
	// A load gets its data from the memory; a store's address goes there.
	var m *ir.Operation
	if op.Name == opname.HandshakeLoad {
		if v := op.Operand(1); v != nil {
			m = v.Def
		}
	} else if us := op.Result(1).Uses(); len(us) > 0 {
		m = us[0].Op
	}
	switch {
	case m == nil:
		return nil, nil
	case m.Name == opname.HandshakeExtmemory && m.NumOperands() > 0:
		if t, ok := m.Operand(0).Type.(*ir.MemRefType); ok {
			return m.Operand(0), t
		}
	case m.Name == opname.HandshakeMemory:
		if t, ok := m.Attr("memRefType").(*ir.TypeAttr); ok {
			if mt, ok := t.Type.(*ir.MemRefType); ok {
				return m, mt
			}
		}
	}
	return nil, nil
}
