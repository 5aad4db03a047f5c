package lower

import (
	"math"
	"slices"

	"loom/compiler/diag"
	"loom/compiler/dialect/dataflow"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

// This file makes one value of the parts of a sum. --reassociate (package reassociate) writes a loop that carries n
// values in turn and combines them behind it: right on every target, but each value takes a carry and a branch and the
// combination n - 1 operations. Where the target has a unit that keeps the parts itself (dataflow.accumulate), the loop
// carries one value again, and the operation that makes the next one is marked with the number of parts
// (partsAttr): "dataflow" makes the unit of it. Nothing but this operation and the end of the loop reads that value.
//
// Guarantees: the value behind the loop is the same; where the loop has no iteration, but for the payload of a NaN.

// partsAttr marks the operation of a sum in parts with their number.
const partsAttr = "loom.parts"

// foldParts finds the sums of all loops.
func foldParts(s *state, _ *diag.List) {
	if s.opts.Parts == nil {
		return
	}
	var loops []*ir.Operation
	s.fn.Walk(func(op *ir.Operation) bool {
		if op.Name == opname.SCFFor {
			loops = append(loops, op)
		}
		return true
	})
	found := false
	for _, loop := range loops {
		found = s.foldLoop(loop) || found
	}
	if found {
		rewrite.DropDead(s.fn, removable) // the parts but one, and their combination
	}
}

// sumParts is a sum in parts: of the carried values of a loop, those that are its parts in turn, the operation that
// makes a part, and the combination of all behind the loop.
type sumParts struct {
	carried []int
	op      *ir.Operation
	result  *ir.Value
}

// foldLoop makes one value of the parts of each sum of a loop and reports whether there was one.
func (s *state) foldLoop(loop *ir.Operation) (found bool) {
	body := loop.Regions[0].Entry()
	yield := body.Terminator()
	for i := range loop.Results() {
		x, ok := partsOf(loop, i)
		if !ok || !s.opts.Parts(Accumulation(x.op.Name, x.result.Type, len(x.carried))) {
			continue
		}
		x.op.SetAttr(partsAttr, ir.IntAttr(int64(len(x.carried)), ir.I64))
		yield.SetOperand(i, x.op.Result(0))
		for _, k := range x.carried[1:] {
			yield.SetOperand(k, body.Args[1+k]) // a value that nothing reads
		}
		x.result.ReplaceAllUsesWith(loop.Result(i))
		found = true
	}
	return found
}

// Accumulation is the operation of a unit for a sum in n parts of a type, in no graph. op is the name of the operation
// that makes a part.
func Accumulation(op string, t ir.Type, n int) *ir.Operation {
	b := (&ir.Region{}).AddBlock()
	arg := func(t ir.Type) *ir.Value { return b.AddArg(t, "", diag.Pos{}) }
	a := ir.NewOp(opname.DataflowAccumulate, diag.Pos{}, []*ir.Value{arg(ir.I1), arg(t), arg(t)}, []ir.Type{t})
	setParts(a, op, n)
	return a
}

// setParts sets the attributes of a dataflow.accumulate.
func setParts(a *ir.Operation, op string, n int) {
	a.SetAttr("operation", ir.StrAttr(dataflow.AccumulateOp(op)))
	a.SetAttr("parts", ir.IntAttr(int64(n), ir.I64))
}

// onlyUse is the one use of a value.
func onlyUse(v *ir.Value) (ir.Use, bool) {
	if len(v.Uses()) != 1 {
		return ir.Use{}, false
	}
	return v.Uses()[0], true
}

// partsOf finds the sum whose part with the next turn is carried value i of a loop.
func partsOf(loop *ir.Operation, i int) (x sumParts, ok bool) {
	body := loop.Regions[0].Entry()
	yield := body.Terminator()
	u, ok := onlyUse(body.Args[1+i])
	if !ok || u.Op == yield || u.Op.Block() != body || dataflow.AccumulateOp(u.Op.Name) == "" || u.Op.Name == opname.ArithSubF && u.Index != 0 {
		return x, false
	}
	x.op = u.Op
	// From the value that the operation makes to the one whose turn is next, each takes the place of the one before it.
	v := x.op.Result(0)
	for {
		u, ok := onlyUse(v)
		if !ok || u.Op != yield {
			return x, false
		}
		x.carried = append(x.carried, u.Index)
		if u.Index == i {
			break
		}
		v = body.Args[1+u.Index]
		if !isNeutral(loop.Operand(3+u.Index), x.op.Name) || len(x.carried) > dataflow.MaxParts {
			return x, false
		}
	}
	slices.Reverse(x.carried)
	if len(x.carried) < 2 {
		return x, false
	}
	// The queue behind the loop.
	var queue []*ir.Value
	for _, k := range x.carried {
		queue = append(queue, loop.Result(k))
	}
	for len(queue) > 1 {
		a, ok1 := onlyUse(queue[0])
		b, ok2 := onlyUse(queue[1])
		if !ok1 || !ok2 || a.Op != b.Op || a.Op.Name != dataflow.Combining(x.op.Name) || a.Op.Block() != loop.Block() {
			return x, false
		}
		queue = append(queue[2:], a.Op.Result(0))
	}
	x.result = queue[0]
	return x, true
}

// isNeutral reports whether a value is what parts but the first begin with.
func isNeutral(v *ir.Value, op string) bool {
	if v.Def == nil || v.Def.Name != opname.ArithConstant {
		return false
	}
	f, ok := v.Def.Attr("value").(*ir.FloatAttr)
	return ok && math.Float64bits(f.Value) == math.Float64bits(dataflow.Neutral(op))
}
