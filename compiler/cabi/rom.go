package cabi

import (
	"fmt"

	"loom/compiler/ir"
)

// ROM is the name of a function attribute: an array of the positions of memref parameters
// that nobody writes during a run, neither the function through them nor anything
// else. They overlap with no parameter that is written. func.func and handshake.func carry
// it alike.
const ROM = "loom.rom"

// ReadROM reports for each parameter whether ROM names it. The error describes what is
// wrong with the attribute; it depends on the types of the parameters.
func ReadROM(fn *ir.Operation, params []*ir.Value) ([]bool, error) {
	out := make([]bool, len(params))
	a := fn.Attr(ROM)
	if a == nil {
		return out, nil
	}
	list, ok := positions(a)
	if !ok {
		return out, fmt.Errorf("%s must be an array of parameter positions", ROM)
	}
	for _, p := range list {
		if p < 0 || p >= int64(len(params)) {
			return out, fmt.Errorf("%s names parameter %d of %d", ROM, p, len(params))
		}
		if _, mem := params[p].Type.(*ir.MemRefType); !mem {
			return out, fmt.Errorf("%s names parameter %d, which is no memref", ROM, p)
		}
		out[p] = true
	}
	return out, nil
}

// SetROM writes ROM; no positions remove it.
func SetROM(fn *ir.Operation, list []int) {
	if len(list) == 0 {
		fn.SetAttr(ROM, nil)
		return
	}
	a := &ir.DenseArrayAttr{Elem: ir.I64}
	for _, p := range list {
		a.Values = append(a.Values, int64(p))
	}
	fn.SetAttr(ROM, a)
}
