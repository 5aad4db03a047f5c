package dataflow

import (
	"math"
	"slices"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/dialect/internal/opkit"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// A dataflow.accumulate with n parts is a loop that carries n values in turn: iteration k computes part k modulo n
// from that part and its element. Part 0 begins with the initial value, all others with what is neutral. Behind the
// loop the parts are a queue, the one whose turn is next in front: two leave it, the first operand first, what is
// made of them comes last, and the one that is left at the end is the result.

// MaxParts is the largest number of parts.
const MaxParts = 64

// AccumulateOps are the operations that make a part from a part and an element (attribute "operation").
var AccumulateOps = []string{"addf", "subf", "mulf"}

// AccumulateOp is the entry of AccumulateOps for an operation by its full name, "" where there is none.
func AccumulateOp(name string) string {
	if short, ok := strings.CutPrefix(name, "arith."); ok && slices.Contains(AccumulateOps, short) {
		return short
	}
	return ""
}

// Parts is the number of parts of a dataflow.accumulate.
func Parts(op *ir.Operation) int {
	n, _ := op.IntAttr("parts")
	return int(n)
}

// Step is the operation of an iteration, of a part and an element; Join is that on two parts. They stand in no block.
func Step(op *ir.Operation) *ir.Operation { return onTwo(op, "arith."+op.StrAttr("operation")) }

// Join is described at Step.
func Join(op *ir.Operation) *ir.Operation {
	return onTwo(op, Combining("arith."+op.StrAttr("operation")))
}

func onTwo(op *ir.Operation, name string) *ir.Operation {
	t := op.Result(0).Type
	b := (&ir.Region{}).AddBlock()
	return ir.NewOp(name, op.Pos, []*ir.Value{b.AddArg(t, "", op.Pos), b.AddArg(t, "", op.Pos)}, []ir.Type{t})
}

// Combining is the operation that combines parts which an operation makes: those of a difference are added up.
func Combining(name string) string {
	if name == opname.ArithMulF {
		return opname.ArithMulF
	}
	return opname.ArithAddF
}

// Neutral is the value that parts but the first begin with: Combining it with a value gives that value.
func Neutral(name string) float64 {
	if name == opname.ArithMulF {
		return 1
	}
	return math.Copysign(0, -1)
}

func verifyAccumulate(op *ir.Operation, errs *diag.List) {
	verifyReplay(op, errs)
	if t := op.Result(0).Type; !ir.IsFloat(t) {
		opkit.Errorf(op, errs, "sums up %s, expected a float", t)
	}
	oneOf(op, errs, "operation", AccumulateOps)
	if n, ok := opkit.Attr[*ir.IntegerAttr](op, errs, "parts", "an integer"); ok {
		if v, small := op.IntAttr("parts"); !small || v < 2 || v > MaxParts {
			opkit.Errorf(op, errs, "attribute 'parts' is %s, expected 2 to %d", n, MaxParts)
		}
	}
}
