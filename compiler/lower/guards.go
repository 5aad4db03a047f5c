package lower

import (
	"loom/compiler/analysis/loops"
	"loom/compiler/analysis/ranges"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

// guardLoops makes every scf.for run at least once (design page "SCF to DFG",
// "Settled: zero-trip scf.for"). A loop whose trip count may be zero becomes
//
//	if (lb < ub) { for … } else { yield inits }
//
// with the comparison the loop itself makes first. Where intervals, an enclosing
// branch or an enclosing loop already prove that it holds, nothing is added.
// Guarantees: every scf.for that is reached iterates. Guards of loops that follow
// each other with the same bounds become one branch when "tidy" merges branches
// of one condition.
func guardLoops(s *state, _ *diag.List) {
	if s.opts.deviate == noGuard {
		return
	}
	r := s.ranges()
	// Outer loops first: the guard of an outer loop proves inner ones.
	var visit func(b *ir.Block)
	visit = func(b *ir.Block) {
		rewrite.Rebuild(b, func(op *ir.Operation, emit func(*ir.Operation)) {
			if op.Name == opname.SCFFor && !runs(r, op) {
				guard(op, emit)
			} else {
				emit(op)
			}
			for i, q := range op.Regions {
				for _, inner := range q.Blocks {
					r.Enter(op, i, func() { visit(inner) })
				}
			}
		})
	}
	visit(s.fn.Regions[0].Entry())
}

// guard emits the comparison and the branch around a loop.
func guard(loop *ir.Operation, emit func(*ir.Operation)) {
	// The guard makes the same comparison as the loop's own first test.
	_, cond := loops.Kind(loop)
	p, _ := loops.Test(cond)
	runs := rewrite.Maker{Pos: loop.Pos, Emit: emit}.CmpI(p, loop.Operand(0), loop.Operand(1))
	runs.Name = "runs"
	wrap(loop, runs, emit)
}

// runs proves that a counted loop iterates when it is reached.
func runs(r *ranges.Ranges, loop *ir.Operation) bool {
	_, cond := loops.Kind(loop)
	p, ok := loops.Test(cond)
	return ok && r.Proves(p, loop.Operand(0), loop.Operand(1))
}
