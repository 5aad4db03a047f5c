package loom

import (
	"fmt"

	"loom/compiler/circt"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/sim/token"
	"loom/sim/vector"
)

// elsewhere makes Given and Graph of a graph that CIRCT wrote (package circt).
func (k *Kernel) elsewhere(w *Watch) error {
	clone := func() (module, fn *ir.Operation) {
		module = k.GraphModule.Clone(map[*ir.Value]*ir.Value{})
		return module, withSymbol(opsNamed(module, opname.HandshakeFunc), k.Graph.SymName())
	}
	module, fn := clone()
	if err := circt.Flatten(fn); err != nil {
		return err
	}
	var found diag.List
	circt.Verify(fn, &found)
	if found.HasErrors() {
		return &found
	}
	// The simulator finds what fires without end.
	if _, err := token.Compile(fn, k.IndexWidth); err != nil {
		return err
	}
	w.warn(found.All...)
	k.Given, k.GraphModule = fn, module
	k.GraphModule, k.Graph = clone()
	for _, other := range opsNamed(k.GraphModule, opname.HandshakeFunc) {
		if other != k.Graph {
			other.Erase() // its instances are inlined
		}
	}
	return circt.Simplify(k.Graph, k.IndexWidth)
}

// notOnFabrics is the error for a graph from elsewhere that keeps operations without a place on
// a fabric, or breaks the rules of graphs that have one.
func (k *Kernel) notOnFabrics() error {
	var errs diag.List
	for _, op := range k.Graph.Regions[0].Entry().Ops {
		if why := circt.Missing(op); why != "" {
			errs.Errorf(op.Pos, "no fabric executes '%s': %s", op.Name, why).
				WithHelp("loom sim runs the graph; a kernel in C or in structured MLIR is lowered to operations that fabrics have")
		}
	}
	if errs.HasErrors() {
		return &errs
	}
	return k.Free
}

// runGiven runs a graph from elsewhere with unbounded channels, looks for merges whose order
// is open, and runs it in other orders and with its own buffers. A graph that makes tokens
// without end where nothing bounds it runs with its own buffers alone.
func (k *Kernel) runGiven(in *Inputs, opts TokenOptions) (*vector.Outcome, error) {
	limits := token.Options{IndexWidth: k.IndexWidth, MaxSteps: steps(opts.MaxCycles, countOps(k.Given))}
	p, err := token.Compile(k.Given, k.IndexWidth)
	if err != nil {
		return nil, err
	}
	own := circt.Buffered(k.Given) && circt.Unbuffered(k.Given) == nil
	out, _, err := p.Run(in.Kernel, limits)
	if err == nil && own && out.Status == vector.Budget && out.Detail[0] == token.Restless {
		own, limits.OwnBuffers = false, true
		out, _, err = p.Run(in.Kernel, limits)
	}
	if err != nil || out.Status == vector.Budget {
		return out, err
	}
	if err := nondeterministic(p, in.Kernel, limits, out); err != nil || !own || out.Status != vector.Done {
		return out, err
	}
	limits.OwnBuffers = true
	bounded, _, err := p.Run(in.Kernel, limits)
	if err != nil {
		return nil, err
	}
	switch d := vector.Diff(out, bounded); {
	case bounded.Status != vector.Done:
		bounded.Detail = append([]string{"with the buffers of the graph; with unbounded channels the run ends"}, bounded.Detail...)
		return bounded, nil
	case len(d) > 0:
		bounded.Status, bounded.Detail = vector.Mismatch, append([]string{"with the buffers of the graph, compared with unbounded channels"}, d...)
		return bounded, nil
	}
	return out, nil
}

// nondeterministic sets the status of an outcome whose graph leaves an order open that changes
// results: of tokens at a merge, or of accesses to a memory.
func nondeterministic(p *token.Program, in *vector.Inputs, opts token.Options, out *vector.Outcome) error {
	race, err := p.FindRace(in, opts)
	if err != nil {
		return err
	}
	if race == nil && out.Status != vector.Done {
		return nil
	}
	opts.MemDelay = 8
	other, err := p.Orders(in, opts, out)
	if err != nil || race == nil && other == nil {
		return err
	}
	var why []string
	if race != nil {
		why = append(why, race.String())
	} else {
		why = append(why, "accesses to a memory are not ordered: another order gives another result")
	}
	if other != nil {
		for _, d := range vector.Diff(out, other) {
			why = append(why, "in another order: "+d)
		}
	} else {
		why = append(why, fmt.Sprintf("the %d other orders that were tried end alike", token.OrdersTried))
	}
	out.Status, out.Detail = vector.Nondeterministic, append(why, out.Detail...)
	return nil
}
