package lower

import (
	"loom/compiler/diag"
	"loom/compiler/ir"
)

// maxConverted is how many operations both branches of a converted scf.if may
// have together. Beyond it the work done in vain outweighs the branch.
const maxConverted = 8

// ifConvert turns an scf.if whose branches only compute, and compute little,
// into arith.select (design page "SCF to DFG", section "Legalization"). Before:
// if %c {a} else {b}. After: a; b; select %c. Divisions stay: they take many
// cycles.
func ifConvert(s *state, _ *diag.List) {
	if s.opts.keepBranches {
		return
	}
	blocks(s.fn, func(b *ir.Block) {
		rebuild(b, func(op *ir.Operation, emit func(*ir.Operation)) {
			if op.Name != "scf.if" || !convertible(op) {
				emit(op)
				return
			}
			var yields [2][]*ir.Value
			for i, r := range op.Regions {
				for _, o := range r.Entry().Ops {
					if o.Name == "scf.yield" {
						yields[i] = append(yields[i], o.Operands()...)
						o.SetOperands(nil)
						continue
					}
					emit(o)
				}
			}
			cond := op.Operand(0)
			for i, r := range op.Results() {
				t, e := yields[0][i], yields[1][i]
				if t == e {
					r.ReplaceAllUsesWith(t)
					continue
				}
				sel := ir.NewOp("arith.select", op.Pos, []*ir.Value{cond, t, e}, []ir.Type{r.Type})
				sel.Result(0).Name = r.Name
				emit(sel)
				r.ReplaceAllUsesWith(sel.Result(0))
			}
			op.SetOperands(nil)
		})
	})
}

// convertible reports whether both branches exist, yield something and are
// cheap to compute in vain.
func convertible(op *ir.Operation) bool {
	if op.NumResults() == 0 || len(op.Regions) != 2 || op.Regions[1].Entry() == nil {
		return false
	}
	n := 0
	for _, r := range op.Regions {
		for _, o := range r.Entry().Ops {
			if o.Name == "scf.yield" {
				continue
			}
			if !cheap(o) {
				return false
			}
			if !isConstantOp(o) {
				n++
			}
		}
	}
	return n <= maxConverted
}

func isConstantOp(o *ir.Operation) bool { return o.Name == "arith.constant" }

// cheap reports whether an operation is pure, total and done in a few cycles.
func cheap(o *ir.Operation) bool {
	if len(o.Regions) > 0 || !isPure(o) {
		return false
	}
	switch o.Name {
	case "arith.divsi", "arith.divui", "arith.remsi", "arith.remui", "arith.divf",
		"math.sqrt", "math.exp", "math.log2", "math.sin", "math.cos":
		return false
	}
	return true
}

// isPure reports whether an operation only computes on numbers.
func isPure(o *ir.Operation) bool {
	switch o.Dialect() {
	case "arith", "math":
		return true
	}
	return o.Name == "llvm.intr.bitreverse"
}
