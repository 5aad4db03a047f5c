package simplify

import (
	"loom/compiler/dfg"
	"loom/compiler/diag"
	"loom/compiler/ir"
)

// clearDead removes operations that contribute to no result and no memory, cycles of them
// too.
func clearDead(s *state, _ *diag.List) {
	live := dfg.Contributing(s.body)
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
