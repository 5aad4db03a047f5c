// Package loops defines how a counted loop counts. A counted loop is an scf.for; between the
// recognition of streams and the dataflow graph it may carry attributes that name the
// step operator and the continuation test of its dataflow.stream (spec-dataflow,
// "step_op", "cont_cond"). Without them it is a plain one: "+=" and "<".
package loops

import (
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// The attributes of a counted loop.
const (
	StepOpAttr   = "loom.step_op"
	ContCondAttr = "loom.cont_cond"
	// MayWrapAttr marks a counted loop of which nothing proves that the induction
	// variable stays between its bounds.
	MayWrapAttr = "loom.may_wrap"
	// UnsignedAttr is MLIR's attribute of an scf.for that compares without sign.
	UnsignedAttr = "unsignedCmp"
)

// Kind returns how a counted loop steps and when it continues.
func Kind(loop *ir.Operation) (stepOp, contCond string) {
	stepOp, contCond = loop.StrAttr(StepOpAttr), loop.StrAttr(ContCondAttr)
	if stepOp == "" {
		stepOp = "+="
	}
	if contCond == "" {
		contCond = "<"
	}
	return stepOp, contCond
}

// Plain reports whether a counted loop counts as MLIR's scf.for does: upwards from its
// lower bound while below its upper bound. Only then does its induction variable lie
// between them and does lb < ub decide whether it runs.
func Plain(loop *ir.Operation) bool {
	step, cond := Kind(loop)
	return step == "+=" && cond == "<" && loop.Attr(MayWrapAttr) == nil
}

// Test is the predicate that a continuation test applies to the next value and the bound.
func Test(contCond string) (p arith.IntPredicate, ok bool) {
	switch contCond {
	case "<":
		return arith.Slt, true
	case "<=":
		return arith.Sle, true
	case ">":
		return arith.Sgt, true
	case ">=":
		return arith.Sge, true
	case "!=":
		return arith.Ne, true
	}
	return 0, false
}

// Of returns the counted loop whose induction variable v is, nil for none.
func Of(v *ir.Value) *ir.Operation {
	if v.Block == nil || v.Index != 0 {
		return nil
	}
	if op := v.Block.ParentOp(); op != nil && op.Name == opname.SCFFor {
		return op
	}
	return nil
}
