package loom

import (
	"fmt"

	"loom/compiler/frontend"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/lower"
	"loom/sim/inputs"
	"loom/sim/token"
	"loom/sim/vector"
)

// The limits of the runs that measure what the order of overlapping pointers costs: they
// take some tenths of a second. Larger functions get no figures.
const (
	overlapOps   = 1500
	overlapSteps = 1_000_000
)

// overlapCost adds to the remark on pointers that may overlap what keeping their accesses in
// order costs: the cycles of a timed run on small random inputs, beside those of the function
// lowered as if they did not overlap. Where the runs cannot be made the remark stays as it is.
func (o *CompileOptions) overlapCost(res *frontend.Result) {
	if countOps(res.Module) > overlapOps {
		return
	}
	defer o.doing("cost of pointers that may overlap")()
	plain := *o
	plain.Fabric = nil
	graph := func(module *ir.Operation) *ir.Operation {
		fn, err := lower.Function(module, "")
		if err != nil {
			return nil
		}
		l, err := lower.Lower(module, plain.lowering(fn.SymName()))
		if err != nil {
			return nil
		}
		return l.Func
	}
	module, err := res.Apart()
	if err != nil {
		return
	}
	ordered, apart := graph(res.Module), graph(module)
	if ordered == nil || apart == nil {
		return
	}
	in, err := inputs.Random(ordered, inputs.Options{Seed: trialSeed, Size: DefaultSize, IndexWidth: o.IndexWidth, MaxSteps: overlapSteps, SearchSteps: overlapSteps})
	if err != nil {
		return
	}
	run := func(graph *ir.Operation) (*vector.Outcome, bool) {
		p, err := token.Compile(graph, o.IndexWidth)
		if err != nil {
			return nil, false
		}
		out, _, err := p.RunTimed(in.Inputs, token.TimedOptions{Model: latency.Model{IndexWidth: o.IndexWidth}, MaxSteps: overlapSteps})
		return out, err == nil && out.Status == vector.Done
	}
	a, aDone := run(ordered)
	b, bDone := run(apart)
	// Inputs on which the results differ do overlap.
	if !aDone || !bDone || len(vector.Diff(a, b)) > 0 {
		return
	}
	cost := fmt.Sprintf("; %d cycles in a timed run on small random inputs, %d if no pointers overlap", a.Cycles, b.Cycles)
	if a.Cycles <= b.Cycles {
		cost = fmt.Sprintf("; that costs no cycles in a timed run on small random inputs (%d)", a.Cycles)
	}
	res.Overlaps[0].Message += cost
}
