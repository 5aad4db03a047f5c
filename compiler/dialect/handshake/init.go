package handshake

import (
	"fmt"

	"loom/compiler/dialect/internal/opkit"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// InitAttr is the discardable attribute of a handshake.memory that holds what the
// memory contains when the graph starts: dense elements of type tensor<N x T> for
// a memory of type memref<N x T>. A memory without it starts with anything. The
// contents are those of a run: a memory with store ports must be given them again
// before the next.
const InitAttr = "loom.init"

// Init returns the initial contents of a memory, one attribute per element or a
// single one for all; nil without the attribute. The error describes what is wrong
// with it.
func Init(op *ir.Operation) ([]ir.Attr, error) {
	a := op.Attr(InitAttr)
	if a == nil {
		return nil, nil
	}
	t, _ := op.Attr("memRefType").(*ir.TypeAttr)
	if op.Name != opname.HandshakeMemory || t == nil {
		return nil, fmt.Errorf("attribute '%s' belongs to a handshake.memory with a memRefType", InitAttr)
	}
	m, ok := t.Type.(*ir.MemRefType)
	if !ok {
		return nil, fmt.Errorf("attribute '%s' belongs to a memory, not to %s", InitAttr, t)
	}
	want := ir.Shaped("tensor", m.Shape, m.Elem)
	init, ok := a.(*ir.DenseElementsAttr)
	if !ok || init.Type != ir.Type(want) {
		return nil, fmt.Errorf("attribute '%s' is %s, expected dense elements of type %s", InitAttr, clip(a.String()), want)
	}
	n, static := m.NumElements()
	if count := int64(len(init.Values)); !static || init.Splat && count != 1 || !init.Splat && count != n {
		return nil, fmt.Errorf("attribute '%s' has %s for %s", InitAttr, opkit.Plural(len(init.Values), "element"), m)
	}
	for i, v := range init.Values {
		switch v.(type) {
		case *ir.IntegerAttr:
			ok = ir.IsInt(m.Elem)
		case *ir.FloatAttr:
			ok = ir.IsFloat(m.Elem)
		default:
			ok = false
		}
		if !ok {
			return nil, fmt.Errorf("element %d of attribute '%s' is %s, expected a value of type %s", i, InitAttr, v, m.Elem)
		}
	}
	return init.Values, nil
}

// clip shortens a text for a message.
func clip(s string) string {
	if len(s) > 60 {
		return s[:60] + "…"
	}
	return s
}
