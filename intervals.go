package loom

import (
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/mapping"
	"loom/compiler/recurrence"
	"loom/compiler/throughput"
	"loom/sim/token"
	"loom/sim/trace"
	"loom/sim/vector"
)

// Bounds returns the loops of the graph and for each the lower bound of its initiation
// interval that the recurrences set, without a fabric, for an external memory with the
// given latency.
func (k *Kernel) Bounds(memory latency.Profile) (*recurrence.Nest, []recurrence.Bound) {
	nest := recurrence.FindLoops(k.Graph)
	return nest, recurrence.Bounds(k.Graph, nest, recurrence.Graph(k.model(memory)), nil)
}

// Bounds returns the loops of the mapped graph and their bounds as Kernel.Bounds does, but for
// operations that share a function unit, which take the cycles of one.
func (m *Mapping) Bounds(memory latency.Profile) (*recurrence.Nest, []recurrence.Bound) {
	k := m.Kernel
	nest := recurrence.FindLoops(k.Graph)
	return nest, recurrence.Bounds(k.Graph, nest, recurrence.Mapped(k.model(memory), m.Data.Inner(k.Graph)), nil)
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

// loops returns the loops of the graph with the intervals predicted for an environment and
// the channels of the fabric on which they are measured.
func (m *Mapping) loops(env Environment) []trace.Loop {
	nest := recurrence.FindLoops(m.Kernel.Graph)
	out := make([]trace.Loop, len(nest.Loops))
	ops := m.Kernel.Graph.Regions[0].Entry().Ops
	index := make(map[*ir.Operation]int, len(ops))
	for i, op := range ops {
		index[op] = i
	}
	predicted := throughput.Loops(m.Kernel.Graph, nest, m.Fabric.Arch, m.Data, env.Latency)
	for i, l := range nest.Loops {
		op := -1
		if l.Raw.Def != nil {
			op = index[l.Raw.Def]
		}
		out[i].LoopStat = trace.LoopStat{Op: op, Name: l.Name, File: l.Pos.File, Line: l.Pos.Line, Depth: l.Depth}
		p := &predicted[i]
		if env.Stall > 0 || m.bursts() {
			p.Most = mapping.Ratio{} // the bus holds back at random, or accesses wait for others
		}
		out[i].Expected, out[i].AtLeast = p.Least.Float(), p.Most != p.Least || env.Latency.Min != env.Latency.Max
		out[i].Places = p.Least.Tokens
		if out[i].Period, out[i].Slack = p.Period, p.Slack; p.Limiting != nil {
			out[i].Limit = &trace.Limit{Channel: p.Limiting.ID, Extra: p.Limiting.Extra}
		}
		if out[i].AtLeast && p.Most.Tokens > 0 {
			out[i].AtMost = p.Most.Float()
		}
	}
	type input struct {
		comp string
		port int
	}
	channels := map[input]int{}
	for _, c := range m.Fabric.Arch.Channels {
		if c.Dst.Comp != nil {
			channels[input{c.Dst.Comp.Name, c.Dst.Port}] = c.ID
		}
	}
	for _, e := range m.Data.Edges {
		if e.Dst.Op < 0 || e.Dst.Op >= len(ops) || len(e.Steps) == 0 {
			continue
		}
		loop, operand, raw, ok := nest.Condition(ops[e.Dst.Op])
		last := e.Steps[len(e.Steps)-1]
		channel, routed := channels[input{last.Comp, last.In}]
		if ok && operand == e.Dst.Port && routed {
			out[loop].Meters = append(out[loop].Meters, trace.Meter{Channel: channel, Raw: raw})
		}
	}
	return out
}

func (k *Kernel) model(memory latency.Profile) latency.Model {
	return latency.Model{Memory: memory, IndexWidth: k.IndexWidth}
}

// bursts reports whether the fabric has external memories whose accesses may share transactions, and so wait for
// each other.
func (m *Mapping) bursts() bool {
	for _, c := range m.Fabric.Arch.ExternalMemories() {
		if c.Mem.Bursts() > 1 {
			return true
		}
	}
	return false
}
