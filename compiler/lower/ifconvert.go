package lower

import (
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
	"loom/compiler/units"
)

// A branch costs an operation for each value that enters it and one for each that
// leaves it, the select only the latter, so converting always makes the graph
// smaller. What it costs is time, where a loop waits for the longer side in every
// iteration, and work in vain. Hence the limits: maxConverted operations in both
// branches together, and maxDelay units of time on the longest path (an addition
// takes one, a multiplication multiplyDelay).
const (
	maxConverted  = 16
	maxDelay      = 8
	multiplyDelay = 3
)

// ifConvert turns an scf.if whose branches only compute, and compute little,
// into arith.select (design page "SCF to DFG", section "Legalization"). Before:
// if %c {a} else {b}. After: a; b; select %c. Divisions stay: they take many
// cycles. Loads stay: their address is only known to be good where the condition
// holds. Of a branch that must stay, the results that both sides only choose
// among outer values become selects. Inner branches come first, so that a nest of
// cheap ones goes as a whole.
func ifConvert(s *state, _ *diag.List) {
	if s.opts.keepBranches {
		return
	}
	rewrite.Blocks(s.fn, func(b *ir.Block) {
		rewrite.Rebuild(b, func(op *ir.Operation, emit func(*ir.Operation)) {
			switch {
			case op.Name != opname.SCFIf || op.NumResults() == 0 || len(op.Regions) != 2 || op.Regions[1].Entry() == nil:
				emit(op)
			case convertible(op, s.opts.deviate):
				convert(op, emit)
			default:
				chooseOuter(op, emit)
				emit(op)
			}
		})
	})
}

// convert emits both branches and the selects of their results.
func convert(op *ir.Operation, emit func(*ir.Operation)) {
	var yields [2][]*ir.Value
	for i, r := range op.Regions {
		for _, o := range r.Entry().Ops {
			if o.Name == opname.SCFYield {
				yields[i] = append(yields[i], o.Operands()...)
				o.SetOperands(nil)
				continue
			}
			emit(o)
		}
	}
	for i, r := range op.Results() {
		t, e := yields[0][i], yields[1][i]
		if t == e {
			r.ReplaceAllUsesWith(t)
			continue
		}
		sel := rewrite.Maker{Pos: op.Pos, Emit: emit}.Op(opname.ArithSelect, r.Type, op.Operand(0), t, e)
		sel.Name = r.Name
		r.ReplaceAllUsesWith(sel)
	}
	op.SetOperands(nil)
}

// chooseOuter makes selects of the results that are outer values on both sides.
// The dead results go with the next simplification.
func chooseOuter(op *ir.Operation, emit func(*ir.Operation)) {
	m := rewrite.Maker{Pos: op.Pos, Emit: emit}
	for i, r := range op.Results() {
		t, e := op.Regions[0].Entry().Terminator().Operand(i), op.Regions[1].Entry().Terminator().Operand(i)
		if !r.HasUses() || !rewrite.Outside(t, op) || !rewrite.Outside(e, op) {
			continue
		}
		sel := m.Op(opname.ArithSelect, r.Type, op.Operand(0), t, e)
		sel.Name = r.Name
		r.ReplaceAllUsesWith(sel)
	}
}

// convertible reports whether both branches are cheap to compute in vain.
func convertible(op *ir.Operation, deviate deviation) bool {
	n := 0
	delay := map[*ir.Value]int{}
	for _, r := range op.Regions {
		for _, o := range r.Entry().Ops {
			if o.Name == opname.SCFYield || o.IsConstant() {
				continue
			}
			if !cheap(o) && !(deviate == convertLoads && o.Name == opname.MemRefLoad) &&
				!(deviate == convertStore && o.Name == opname.MemRefStore) {
				return false
			}
			n++
			d := 0
			for _, v := range o.Operands() {
				d = max(d, delay[v])
			}
			d += delayOf(o)
			if d > maxDelay {
				return false
			}
			for _, v := range o.Results() {
				delay[v] = d
			}
		}
	}
	return n <= maxConverted
}

// delayOf is roughly how long an operation takes, in additions.
func delayOf(o *ir.Operation) int {
	return map[units.Effort]int{units.Light: 1, units.Heavy: multiplyDelay}[units.EffortOf(o.Name)]
}

// cheap reports whether an operation is pure, total and done in a few cycles.
func cheap(o *ir.Operation) bool {
	return len(o.Regions) == 0 && isPure(o) && units.EffortOf(o.Name) < units.Slow
}

// isPure reports whether an operation only computes on scalars.
func isPure(o *ir.Operation) bool {
	switch o.Dialect() {
	case "arith", "math":
		return true
	}
	return o.Name == opname.LLVMIntrBitreverse
}
