package inputs

import (
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// fixed reports whether the loops of a graph run as often on all inputs: no value that
// decides about them comes from a parameter or a memory.
func fixed(fn *ir.Operation) bool {
	var work []*ir.Value
	seen := map[*ir.Value]bool{}
	push := func(v *ir.Value) {
		if v != nil && !seen[v] {
			seen[v] = true
			work = append(work, v)
		}
	}
	for _, op := range fn.Regions[0].Entry().Ops {
		switch op.Name {
		case opname.DataflowStream:
			for _, v := range op.Operands() {
				push(v)
			}
		case opname.DataflowCarry, opname.DataflowInvariant, opname.DataflowAccumulate:
			push(op.Operand(0))
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if v.Type == ir.Type(ir.None) {
			continue // a control token carries no value
		}
		if v.Def == nil || v.Def.Name == opname.HandshakeLoad {
			return false
		}
		for _, o := range v.Def.Operands() {
			push(o)
		}
	}
	return true
}
