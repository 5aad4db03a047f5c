package lower

import (
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

// hoistInvariant moves cheap pure operations out of loops that do not change
// their operands, where fewer or as many values enter the loop then: instead of
// one dataflow.invariant per operand the loop needs one for the result. Constants
// stay: each region fires its own (token discipline), so they count as defined
// everywhere. Requires counted loops that run at least once, so that nothing is
// computed in vain; the before-region of a while always does.
func hoistInvariant(s *state, _ *diag.List) {
	// Inner loops first: what leaves an inner loop may leave the outer one too.
	rewrite.Blocks(s.fn, func(b *ir.Block) {
		rewrite.Rebuild(b, func(op *ir.Operation, emit func(*ir.Operation)) {
			if op.Name == opname.SCFFor || op.Name == opname.SCFWhile {
				for _, r := range op.Regions {
					hoistFrom(op, r.Entry(), emit)
				}
			}
			emit(op)
		})
	})
}

func hoistFrom(loop *ir.Operation, body *ir.Block, emit func(*ir.Operation)) {
	outside := func(v *ir.Value) bool { return v.IsConstant() || rewrite.Outside(v, loop) }
	constants := map[*ir.Value]*ir.Value{}
	rewrite.Rebuild(body, func(op *ir.Operation, keep func(*ir.Operation)) {
		if !cheap(op) || op.IsConstant() {
			keep(op)
			return
		}
		saved := false
		for _, v := range op.Operands() {
			if !outside(v) {
				keep(op)
				return
			}
			saved = saved || !v.IsConstant() && onlyInside(v, loop, op)
		}
		// A multiplication waits in no loop; a comparison may decide for all
		// iterations and take its branch along.
		if !saved && op.Name != opname.ArithMulI && op.Name != opname.ArithCmpI {
			keep(op)
			return
		}
		for i, v := range op.Operands() {
			if !v.IsConstant() || rewrite.Outside(v, loop) {
				continue
			}
			c := constants[v]
			if c == nil {
				o := v.Def.Clone(map[*ir.Value]*ir.Value{})
				emit(o)
				c = o.Result(0)
				constants[v] = c
			}
			op.SetOperand(i, c)
		}
		emit(op)
	})
}

// onlyInside reports whether op is the only reader of v inside a loop.
func onlyInside(v *ir.Value, loop, op *ir.Operation) bool {
	for _, u := range v.Uses() {
		if u.Op != op && loop != u.Op && loop.IsAncestorOf(u.Op) {
			return false
		}
	}
	return true
}
