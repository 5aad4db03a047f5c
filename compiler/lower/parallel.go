package lower

import (
	"slices"

	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

func init() {
	rewriters[opname.SCFParallel] = parallelLoops
	rewriters[opname.SCFForall] = forallLoops
}

// parallelLoops writes scf.parallel as nested scf.for, the last dimension
// innermost. MLIR leaves the order of iterations and of reductions open; this is
// the interpreter's: row-major, each value combined with what came before it. A
// dimension without iterations leaves the initial values, as nested loops do.
func parallelLoops(s *state, op *ir.Operation, m rewrite.Maker) bool {
	groups := segments(op, 4)
	block := op.Regions[0].Entry()
	var bounds []rewrite.Bound
	for d, iv := range block.Args {
		bounds = append(bounds, rewrite.Bound{Lower: groups[0][d], Upper: groups[1][d], Step: groups[2][d], Name: iv.Name})
	}
	if s.opts.deviate == nestReversed {
		slices.Reverse(bounds)
	}
	results := m.Nest(bounds, groups[3], func(in rewrite.Maker, ivs, carried []*ir.Value) []*ir.Value {
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
func forallLoops(s *state, op *ir.Operation, m rewrite.Maker) bool {
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
				out = append(out, m.Integer(v, ir.Index))
				continue
			}
			out = append(out, dynamic[0])
			dynamic = dynamic[1:]
		}
		return out
	}
	lower, upper, step := list("staticLowerBound", groups[0]), list("staticUpperBound", groups[1]), list("staticStep", groups[2])
	var bounds []rewrite.Bound
	for d, iv := range block.Args {
		bounds = append(bounds, rewrite.Bound{Lower: lower[d], Upper: upper[d], Step: step[d], Name: iv.Name})
	}
	m.Nest(bounds, nil, func(in rewrite.Maker, ivs, _ []*ir.Value) []*ir.Value {
		for d, iv := range block.Args {
			iv.ReplaceAllUsesWith(ivs[d])
		}
		splice(block, in)
		return nil
	})
	return true
}
