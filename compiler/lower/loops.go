package lower

import "loom/compiler/ir"

// A counted loop is an scf.for. Between the pass "streams" and the dataflow
// graph it may carry these attributes, which name the step operator and the
// continuation test of its dataflow.stream (spec-dataflow, "step_op",
// "cont_cond"); without them the loop is a plain one: "+=" and "<".
const (
	stepOpAttr   = "loom.step_op"
	contCondAttr = "loom.cont_cond"
	// mayWrapAttr marks a counted loop of which nothing proves that the induction
	// variable stays between its bounds.
	mayWrapAttr = "loom.may_wrap"
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
	return step == "+=" && cond == "<" && loop.Attr(mayWrapAttr) == nil
}

// stepOps is the operation behind each step operator of a stream.
var stepOps = map[string]string{
	"+=": "arith.addi", "-=": "arith.subi", "*=": "arith.muli", "/=": "arith.divsi",
	"<<=": "arith.shli", ">>=": "arith.shrsi",
}
