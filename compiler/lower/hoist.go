package lower

import (
	"loom/compiler/diag"
	"loom/compiler/ir"
)

// hoistInvariant moves cheap pure operations out of loops that do not change
// their operands. Instead of one dataflow.invariant per operand the loop then
// needs one for the result. Constants stay: each region fires its own (token
// discipline), so they count as defined everywhere. Requires loops that run at
// least once, so that nothing is computed in vain.
func hoistInvariant(s *state, _ *diag.List) {
	// Inner loops first: what leaves an inner loop may leave the outer one too.
	blocks(s.fn, func(b *ir.Block) {
		rebuild(b, func(op *ir.Operation, emit func(*ir.Operation)) {
			if op.Name == "scf.for" {
				hoistFrom(op, emit)
			}
			emit(op)
		})
	})
}

func hoistFrom(loop *ir.Operation, emit func(*ir.Operation)) {
	body := loop.Regions[0].Entry()
	outside := func(v *ir.Value) bool { return isConstant(v) || definedOutside(v, loop) }
	constants := map[*ir.Value]*ir.Value{}
	rebuild(body, func(op *ir.Operation, keep func(*ir.Operation)) {
		if !cheap(op) || isConstantOp(op) {
			keep(op)
			return
		}
		for _, v := range op.Operands() {
			if !outside(v) {
				keep(op)
				return
			}
		}
		for i, v := range op.Operands() {
			if !isConstant(v) || definedOutside(v, loop) {
				continue
			}
			c := constants[v]
			if c == nil {
				m := map[*ir.Value]*ir.Value{}
				o := v.Def.Clone(m)
				emit(o)
				c = o.Result(0)
				constants[v] = c
			}
			op.SetOperand(i, c)
		}
		emit(op)
	})
}
