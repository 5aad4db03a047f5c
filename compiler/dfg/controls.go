package dfg

import (
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// conditions collects the values that are conditions of loops: those of streams and
// gates, and what steers a carry, an invariant or a gate.
func (v *verifier) conditions() {
	for _, op := range v.body.Ops {
		switch op.Name {
		case opname.DataflowStream:
			v.loops[op.Result(1)] = true
		case opname.DataflowGate:
			v.loops[op.Operand(1)], v.loops[op.Result(1)] = true, true
		case opname.DataflowCarry, opname.DataflowInvariant, opname.DataflowAccumulate:
			v.loops[op.Operand(0)] = true
		}
	}
}

// controls checks the condition operands of the loop operations by tracing them
// to their stream (spec-dataflow-compilation, "Invariants"). While loops have no
// stream; their conditions are checked by their rates.
func (v *verifier) controls() {
	streamRaw := func(c *ir.Value) bool { return c.Def != nil && c.Def.Name == opname.DataflowStream && c.Index == 1 }
	for _, op := range v.body.Ops {
		switch op.Name {
		case opname.DataflowGate:
			if _, gated := gatedLoop(op.Operand(1)); gated {
				v.errs.Errorf(op.Pos, "this gate takes a condition that is gated already").
					WithHelp("dataflow.gate takes the raw condition of a stream")
			}
		case opname.DataflowInvariant:
			if streamRaw(op.Operand(0)) && !v.direct {
				v.errs.Errorf(op.Pos, "this invariant repeats by the raw condition of a stream, which has one token too many for the loop body").
					WithNote(op.Operand(0).Pos(), "the stream is here").
					WithHelp("use the gated condition (the second result of dataflow.gate)")
			}
		case opname.DataflowAccumulate:
			if _, gated := gatedLoop(op.Operand(0)); gated {
				v.errs.Errorf(op.Pos, "a sum is steered by the gated condition, which has no token for the sum behind the loop").
					WithHelp("use the raw condition of the loop")
			}
		case opname.DataflowCarry:
			_, gated := gatedLoop(op.Operand(0))
			switch isToken := op.Result(0).Type == ir.Type(ir.None); {
			case isToken && streamRaw(op.Operand(0)) && !v.direct:
				v.errs.Errorf(op.Pos, "memory control is carried by the raw condition of a stream, which has one token too many for the loop body").
					WithNote(op.Operand(0).Pos(), "the stream is here").
					WithHelp("use the gated condition (the second result of dataflow.gate)")
			case !isToken && gated:
				v.errs.Errorf(op.Pos, "a loop-carried value is carried by the gated condition, which has no token for the loop's result").
					WithHelp("use the raw condition of the loop and split the result by it")
			}
		}
	}
}
