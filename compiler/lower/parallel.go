package lower

import (
	"slices"

	"loom/compiler/ir"
	"loom/compiler/opname"
)

func init() {
	rewriters[opname.SCFParallel] = parallelLoops
	rewriters[opname.SCFForall] = forallLoops
}

// parallelLoops writes scf.parallel as nested scf.for, the last dimension
// innermost. MLIR leaves the order of iterations and of reductions open; this is
// the interpreter's: row-major, each value combined with what came before it. A
// dimension without iterations leaves the initial values, as nested loops do.
func parallelLoops(s *state, op *ir.Operation, m maker) bool {
	groups := segments(op, 4)
	block := op.Regions[0].Entry()
	var bounds []bound
	for d, iv := range block.Args {
		bounds = append(bounds, bound{groups[0][d], groups[1][d], groups[2][d], iv.Name})
	}
	if s.opts.deviate == nestReversed {
		slices.Reverse(bounds)
	}
	results := m.nest(bounds, groups[3], func(in maker, ivs, carried []*ir.Value) []*ir.Value {
		if s.opts.deviate == nestReversed {
			ivs = slices.Clone(ivs)
			slices.Reverse(ivs)
		}
		for d, iv := range block.Args {
			iv.ReplaceAllUsesWith(ivs[d])
		}
		reduce := block.Terminator()
		values := splice(block, in)
		next := make([]*ir.Value, len(carried))
		for i, r := range reduce.Regions {
			combine := r.Entry()
			first, second := carried[i], values[i]
			if s.opts.deviate == reductionSwapped {
				first, second = second, first
			}
			combine.Args[0].ReplaceAllUsesWith(first)
			combine.Args[1].ReplaceAllUsesWith(second)
			next[i] = splice(combine, in)[0]
		}
		return next
	})
	replace(op, results)
	return true
}

// forallLoops writes scf.forall without shared outputs as nested scf.for.
func forallLoops(s *state, op *ir.Operation, m maker) bool {
	groups := segments(op, 4)
	block := op.Regions[0].Entry()
	end := block.Terminator()
	if len(groups[3]) > 0 || op.NumResults() > 0 || len(end.Regions) > 0 && end.Regions[0].Entry() != nil && len(end.Regions[0].Entry().Ops) > 0 {
		return false
	}
	list := func(name string, dynamic []*ir.Value) []*ir.Value {
		var out []*ir.Value
		for _, v := range static(op, name) {
			if v != ir.Dynamic {
				out = append(out, m.integer(v, ir.Index))
				continue
			}
			out = append(out, dynamic[0])
			dynamic = dynamic[1:]
		}
		return out
	}
	lower, upper, step := list("staticLowerBound", groups[0]), list("staticUpperBound", groups[1]), list("staticStep", groups[2])
	var bounds []bound
	for d, iv := range block.Args {
		bounds = append(bounds, bound{lower[d], upper[d], step[d], iv.Name})
	}
	m.nest(bounds, nil, func(in maker, ivs, _ []*ir.Value) []*ir.Value {
		for d, iv := range block.Args {
			iv.ReplaceAllUsesWith(ivs[d])
		}
		splice(block, in)
		return nil
	})
	return true
}
