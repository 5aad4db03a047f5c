package loom

import (
	"loom/compiler/latency"
	"loom/compiler/recurrence"
	"loom/sim/token"
	"loom/sim/vector"
)

// Bounds are the initiation intervals that the recurrences of each loop of the graph
// allow, before any fabric, with an external memory of that profile.
func (k *Kernel) Bounds(memory latency.Profile) (*recurrence.Nest, []recurrence.Bound) {
	nest := recurrence.FindLoops(k.Graph)
	return nest, recurrence.Bounds(k.Graph, nest, k.model(memory), nil)
}

// RunTimed runs the graph in the token simulator with a clock: what intervals the graph
// itself reaches, beside the bounds. Of the environment Latency, at its mean, and
// MaxCycles count.
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
