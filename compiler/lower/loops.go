package lower

import "loom/compiler/ir"

// A counted loop is an scf.for. Between the pass "streams" and the dataflow
// graph it may carry these attributes, which name the step operator and the
// continuation test of its dataflow.stream (spec-dataflow, "step_op",
// "cont_cond"); without them the loop is a plain one: "+=" and "<".
const (
	stepOpAttr   = "loom.step_op"
	contCondAttr = "loom.cont_cond"
)

// loopKind returns how a counted loop steps and when it continues.
func loopKind(loop *ir.Operation) (stepOp, contCond string) {
	stepOp, contCond = loop.StrAttr(stepOpAttr), loop.StrAttr(contCondAttr)
	if stepOp == "" {
		stepOp = "+="
	}
	if contCond == "" {
		contCond = "<"
	}
	return stepOp, contCond
}

// isPlain reports whether a counted loop counts as MLIR's scf.for does: upwards
// from lb while below ub. Only then does its induction variable lie in [lb, ub)
// and does lb < ub say whether it runs.
func isPlain(loop *ir.Operation) bool {
	step, cond := loopKind(loop)
	return step == "+=" && cond == "<"
}
