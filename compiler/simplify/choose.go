package simplify

import (
	"loom/compiler/diag"
	"loom/compiler/dialect/dataflow"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// sideOps is how many operations a side of a choice may have to be computed always.
const sideOps = 3

// choose computes both sides of a choice where they are cheap, and selects:
//
//	%x_1, %x_0 = cond_br %c, %x
//	%y_1, %y_0 = cond_br %c, %y                      %s = arith.addi %x, %y
//	%s = arith.addi %x_1, %y_1                 =>    %r = arith.select %c, %s, %x
//	%r = mux %c [%x_0, %s]
//
// The branches and the choice of a token go, and with them the handshake that depends on data. A
// side has at most sideOps operations, without state, memory or undefined results, which nothing
// else reads, on values that are held from the arguments or that come from branches by the same
// condition.
func choose(s *state, _ *diag.List) {
	for changed := true; changed; { // a choice may be in a side of another
		changed = false
		for _, op := range append([]*ir.Operation(nil), s.body.Ops...) {
			if s.chooses(op) {
				changed = true
			}
		}
	}
}

// chooses replaces a choice by a select if it can, and reports whether it did.
func (s *state) chooses(mux *ir.Operation) bool {
	if mux.Name != opname.HandshakeMux || mux.NumOperands() != 3 || mux.Result(0).Type == ir.Type(ir.None) ||
		mux.Operand(0).Type != ir.Type(ir.I1) || dataflow.IsHeld(mux.Operand(0)) {
		return false
	}
	sides := [2]side{{state: s, choice: mux.Operand(0)}, {state: s, choice: mux.Operand(0), taken: true}}
	for i := range sides {
		if !sides[i].add(mux, i+1) {
			return false
		}
	}
	sel := ir.NewOp(opname.ArithSelect, mux.Pos, []*ir.Value{mux.Operand(0), mux.Operand(2), mux.Operand(1)}, []ir.Type{mux.Result(0).Type})
	if !s.executes(sel) {
		sel.SetOperands(nil)
		return false
	}
	for _, d := range sides {
		for _, in := range d.inputs {
			in.op.SetOperand(in.operand, in.from)
		}
	}
	sel.SetOperands([]*ir.Value{mux.Operand(0), mux.Operand(2), mux.Operand(1)}) // behind the branches now
	sel.Result(0).Name = mux.Result(0).Name
	s.body.InsertBefore(mux, sel)
	mux.Result(0).ReplaceAllUsesWith(sel.Result(0))
	mux.SetOperands(nil)
	s.erase(func(o *ir.Operation) bool { return o == mux })
	return true
}

// side is what is computed for one result of a choice.
type side struct {
	*state
	choice *ir.Value
	// taken: the choice is true here.
	taken bool
	ops   int
	// inputs are the operands that are read in front of the branches in future.
	inputs []sideInput
}

type sideInput struct {
	op      *ir.Operation
	operand int
	from    *ir.Value
}

// add reports whether an operand can be computed always, and collects what it is computed from.
func (d *side) add(user *ir.Operation, operand int) bool {
	v := user.Operand(operand)
	if dataflow.IsHeld(v) {
		return isThere(v)
	}
	op := v.Def
	switch {
	case op == nil:
		return false
	case op.Name == opname.HandshakeCondBr:
		ok := op.Operand(0) == d.choice && (v.Index == 0) == d.taken || d.opts.deviate == chooseAny
		d.inputs = append(d.inputs, sideInput{user, operand, op.Operand(1)})
		return ok && !dataflow.IsHeld(op.Operand(1))
	case !isCheap(op) || len(v.Uses()) > 1 && d.opts.deviate != chooseShared:
		return false
	}
	if d.ops++; d.ops > sideOps {
		return false
	}
	for i := range op.Operands() {
		if !d.add(op, i) {
			return false
		}
	}
	return true
}

// isThere reports whether a held value comes in every run: it may come from what only one side of the
// choice computes, or from a loop behind a branch.
func isThere(v *ir.Value) bool {
	if v.Def == nil {
		return true
	}
	if v.Def.Name != opname.DataflowHold && v.Def.Name != opname.HandshakeConstant && v.Def.Dialect() != "arith" {
		return false
	}
	for _, w := range v.Def.Operands() {
		if !isThere(w) {
			return false
		}
	}
	return true
}

// isCheap reports whether computing an operation in vain costs less than not to: its result is
// there in the same cycle for any operands.
func isCheap(op *ir.Operation) bool {
	switch op.Name {
	case opname.ArithAddI, opname.ArithSubI, opname.ArithAndI, opname.ArithOrI, opname.ArithXOrI, opname.ArithCmpI, opname.ArithSelect,
		opname.ArithExtSI, opname.ArithExtUI, opname.ArithTruncI, opname.ArithIndexCast, opname.ArithIndexCastUI:
		return true
	}
	return false
}
