package dfg

import (
	"strings"

	"loom/compiler/ir"
	"loom/compiler/opname"
)

// Role states in words what an operation of a graph is for: the row of the token
// discipline or of the memory rules that put it there (design page "SCF to DFG";
// spec-dataflow-compilation; spec-dataflow-memory).
func Role(op *ir.Operation) string {
	token := op.NumResults() > 0 && op.Result(0).Type == ir.Type(ir.None)
	switch op.Name {
	case opname.DataflowStream:
		return "counted loop: index and raw condition, N+1 per activation"
	case opname.DataflowGate:
		return "counted loop: induction variable and gated condition of the body, N per activation"
	case opname.DataflowCarry:
		_, gated := gatedLoop(op.Operand(0))
		switch {
		case token && gated:
			return "memory order: around the body, by the gated condition"
		case token:
			return "memory order: around the loop, by the raw condition"
		}
		return "loop-carried value: initial, then fed back, by the raw condition"
	case opname.DataflowAccumulate:
		return "sum in parts: initial, then an element per iteration; the parts combined behind the loop"
	case opname.DataflowInvariant:
		what := "live-in"
		if token {
			what = "control"
		}
		if _, gated := gatedLoop(op.Operand(0)); gated {
			return what + " of a loop body: repeated by the gated condition"
		}
		return what + " of a before-region: repeated by the raw condition"
	case opname.HandshakeCondBr:
		return branchRole(op, token)
	case opname.HandshakeMux:
		if token {
			return "end of a branch: the control of the side that ran"
		}
		return "end of a branch: the value of the side that ran"
	case opname.HandshakeConstant:
		return "constant: fired by the control of its region"
	case opname.DataflowHold:
		return "held for the run: read by any region without a token of its own"
	case opname.DataflowInterlock:
		return "memory order: a load waits for stores of earlier iterations to its subscript, for no others"
	case opname.HandshakeJoin:
		return "waits for all its tokens: memory accesses are complete"
	case opname.HandshakeLoad, opname.HandshakeStore:
		return "memory access: address and data here, order by its control token"
	case opname.HandshakeExtmemory:
		return "interface of a memory argument: stores first, then loads"
	case opname.HandshakeMemory:
		return "on-chip memory: stores first, then loads"
	case opname.HandshakeReturn:
		return "results and done token"
	}
	return "computation"
}

// branchRole describes a branch's sides by what its condition is.
func branchRole(op *ir.Operation, token bool) string {
	cond := op.Operand(0)
	_, gated := gatedLoop(cond)
	switch {
	case gated:
		return "end of an iteration: true repeats, false leaves the loop"
	case cond.Def != nil && cond.Def.Name == opname.DataflowStream:
		return "boundary of a counted loop: true to the body, false is the value after the loop"
	case steersLoop(cond):
		return "boundary of a while: true to the after-region, false is the value after the loop"
	case token:
		return "branch: control to the side that runs"
	}
	return "branch: live-in to the side that runs"
}

// steersLoop reports whether a condition is the raw condition of a while.
func steersLoop(cond *ir.Value) bool {
	for _, u := range cond.Uses() {
		if u.Index == 0 && (u.Op.Name == opname.DataflowCarry || u.Op.Name == opname.DataflowInvariant || u.Op.Name == opname.DataflowAccumulate) {
			return true
		}
	}
	return false
}

// onlyPasses reports whether a condition does nothing but let tokens through branches whose other
// side nothing reads: no choice of a program, where a side that is never taken has its values,
// too.
func onlyPasses(cond *ir.Value) bool {
	for _, u := range cond.Uses() {
		if u.Op.Name != opname.HandshakeCondBr || u.Index != 0 || len(u.Op.Result(1).Uses()) > 0 {
			return false
		}
	}
	return true
}

// Path names a region with those around it, outermost first.
func (r *Region) Path() string {
	var parts []string
	for ; r != nil; r = r.Parent {
		parts = append([]string{r.Title()}, parts...)
	}
	return strings.Join(parts, " / ")
}
