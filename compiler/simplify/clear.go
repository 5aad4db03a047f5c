package simplify

import (
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// clearDead removes operations that contribute to no result and no memory, cycles of them
// too.
func clearDead(s *state, _ *diag.List) {
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
			mark(v.Def)
		}
	}
	for _, op := range s.body.Ops {
		if !live[op] {
			op.SetOperands(nil)
		}
	}
	s.erase(func(op *ir.Operation) bool { return !live[op] })
	for k, v := range s.held {
		if !live[v.Def] {
			delete(s.held, k)
		}
	}
}
