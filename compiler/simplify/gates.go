package simplify

import (
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// openGates makes branches of gates of which only the value is read:
//
//	%i, %next = dataflow.gate %i_raw, %more    =>    %i, %last = cond_br %more, %i_raw
func openGates(s *state, _ *diag.List) {
	for _, op := range append([]*ir.Operation(nil), s.body.Ops...) {
		if op.Name != opname.DataflowGate || op.Result(1).HasUses() {
			continue
		}
		v := op.Operand(0)
		br := ir.NewOp(opname.HandshakeCondBr, op.Pos, []*ir.Value{op.Operand(1), v}, []ir.Type{v.Type, v.Type})
		br.Result(0).Name = op.Result(0).Name
		s.body.InsertBefore(op, br)
		op.Result(0).ReplaceAllUsesWith(br.Result(0))
		op.SetOperands(nil)
		s.erase(func(o *ir.Operation) bool { return o == op })
	}
}
