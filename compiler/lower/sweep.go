package lower

import (
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

// sweep removes operations that contribute to no result and no memory. Cycles
// of dead operations (an unused carried value) go as well.
func sweep(s *state, _ *diag.List) {
	live := map[*ir.Operation]bool{}
	var work []*ir.Operation
	mark := func(op *ir.Operation) {
		if op != nil && !live[op] {
			live[op] = true
			work = append(work, op)
		}
	}
	for _, op := range s.body.Ops {
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
	rewrite.Rebuild(s.body, func(op *ir.Operation, emit func(*ir.Operation)) {
		if live[op] {
			emit(op)
		} else {
			op.SetOperands(nil)
		}
	})
}
