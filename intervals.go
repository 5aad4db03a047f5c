package loom

import (
	"loom/compiler/latency"
	"loom/compiler/recurrence"
	"loom/sim/token"
	"loom/sim/vector"
)

// Bounds returns the loops of the graph and for each the lower bound of its initiation
// interval that the recurrences set, without a fabric, for an external memory with the
// given latency.
func (k *Kernel) Bounds(memory latency.Profile) (*recurrence.Nest, []recurrence.Bound) {
	nest := recurrence.FindLoops(k.Graph)
	return nest, recurrence.Bounds(k.Graph, nest, k.model(memory), nil)
}

// RunTimed runs the graph in the token simulator with a clock and measures the initiation
// intervals that the graph reaches without a fabric, for comparison with Bounds. Of the
// environment it uses MaxCycles and the mean of Latency.
func (k *Kernel) RunTimed(in *Inputs, env Environment) (*vector.Outcome, *token.Timing, error) {
	if err := env.Check(); err != nil {
		return nil, nil, err
	}
	p, err := token.Compile(k.Graph, k.IndexWidth)
	if err != nil {
		return nil, nil, err
	}
	return p.RunTimed(in.Kernel, token.TimedOptions{Model: k.model(env.Latency), MaxSteps: steps(env.MaxCycles, countOps(k.Graph))})
}

func (k *Kernel) model(memory latency.Profile) latency.Model {
	return latency.Model{Memory: memory, IndexWidth: k.IndexWidth}
}
