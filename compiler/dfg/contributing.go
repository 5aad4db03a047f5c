package dfg

import (
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// Contributing finds the operations of a graph that results or memories depend on. Cycles of
// operations that nothing else reads (an unused carried value) are not among them.
func Contributing(body *ir.Block) map[*ir.Operation]bool {
	live := map[*ir.Operation]bool{}
	var work []*ir.Operation
	mark := func(op *ir.Operation) {
		if op != nil && !live[op] {
			live[op] = true
			work = append(work, op)
		}
	}
	for _, op := range body.Ops {
		switch op.Name {
		case opname.HandshakeReturn, opname.HandshakeMemory, opname.HandshakeExtmemory:
			mark(op)
		}
	}
	for len(work) > 0 {
		op := work[len(work)-1]
		work = work[:len(work)-1]
		for _, v := range op.Operands() {
			if v != nil {
				mark(v.Def)
			}
		}
	}
	return live
}
