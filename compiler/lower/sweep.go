package lower

import (
	"loom/compiler/dfg"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/rewrite"
)

// sweep removes operations that contribute to no result and no memory. Cycles
// of dead operations (an unused carried value) go as well.
func sweep(s *state, _ *diag.List) {
	live := dfg.Contributing(s.body)
	rewrite.Rebuild(s.body, func(op *ir.Operation, emit func(*ir.Operation)) {
		if live[op] {
			emit(op)
		} else {
			op.SetOperands(nil)
		}
	})
}
