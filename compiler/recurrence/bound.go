package recurrence

import (
	"fmt"
	"slices"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/opname"
	"loom/internal/cycleratio"
	"loom/internal/intmath"
)

// Step is an operation of a limiting cycle.
type Step struct {
	Op *ir.Operation
	// Part is the part of the operation, where it has several: a load's request or
	// response, a memory's load or store port.
	Part string
	// Latency is what it adds to the cycle: of a state machine that starts a loop
	// inside of the loop, all of that loop.
	Latency int
}

// Bound is the least initiation interval of a loop: Cycles per Tokens
// iterations.
type Bound struct {
	Loop           int // in the Nest
	Cycles, Tokens int
	// Path is the limiting cycle, beginning at a state machine of the loop. It is
	// empty when nothing but "an operation fires once per cycle" limits the loop.
	Path []Step
	// Gated is set when the cycle runs under the loop's gated condition alone: it
	// is passed once less per activation than one that the raw condition steers.
	Gated bool
	// Stuck is set when Path holds no token: the graph cannot run.
	Stuck bool
}

// Seen is what a run did, as far as it matters to bounds.
type Seen struct {
	// Trips are the fewest iterations of an activation, by loop.
	Trips []int64
	// Untaken are the data inputs of muxes that were never selected.
	Untaken map[ir.Use]bool
}

// Clock is the number of cycles from when the value of an operand has been made until the
// results that depend on it are, those of the operation.
type Clock func(op *ir.Operation, operand int) int

// Graph is the clock of a graph before any fabric.
func Graph(m latency.Model) Clock {
	return func(op *ir.Operation, _ int) int { return m.Graph(op) }
}

// Mapped is the clock of a graph some of whose operations are parts of one function unit: of
// these one counts, and the others, inner, take no cycle of their own.
func Mapped(m latency.Model, inner map[*ir.Operation]bool) Clock {
	return func(op *ir.Operation, _ int) int {
		if inner[op] {
			return 0
		}
		return m.Graph(op)
	}
}

// Bounds computes the bound of every loop.
//
// A branch inside of a loop is taken in some iterations only. The bound is that
// of the iterations that take the fastest path, so that no run is faster: a
// handshake.mux counts as if it took, every time, the data input that makes the
// bound smallest. A cycle through one side of a branch is a bound only where the
// other side has one as long. A loop inside of a loop counts as if its first test
// ended it.
//
// What was seen in a run makes the bound that of such runs: sides of branches that
// were not taken are left out, and the loops inside count in full. nil is none.
func Bounds(fn *ir.Operation, nest *Nest, clock Clock, seen *Seen) []Bound {
	g := build(fn, nest, clock)
	g.crossing = make([]int, len(g.nodes))
	if seen != nil {
		g.untaken = seen.Untaken
	}
	out := make([]Bound, len(nest.Loops))
	for _, l := range innermostFirst(nest) {
		edges, component := g.cyclic(l)
		out[l] = g.bound(l, edges)
		out[l].Gated = out[l].gated(nest.Loops[l].Raw)
		if seen != nil {
			g.cross(nest, l, edges, component, seen.Trips[l])
		}
	}
	return out
}

// innermostFirst orders loops by depth, deepest first.
func innermostFirst(nest *Nest) []int {
	order := upTo(len(nest.Loops))
	slices.SortStableFunc(order, func(a, b int) int { return nest.Loops[b].Depth - nest.Loops[a].Depth })
	return order
}

// cross computes the cycles through loop l beside the latencies on the path:
// from the first iteration to the last at the state machine that starts it, and
// from the last iteration to the last test at a split by the raw condition. An iteration
// takes a cycle, and the latency of the limiting cycle at what lies on it.
func (g *graph) cross(nest *Nest, l int, edges []edge, component []int, trips int64) {
	if trips < 1 {
		return
	}
	parts := map[int][]edge{}
	limiting := map[int][]edge{}
	for _, e := range edges {
		parts[component[e.From]] = append(parts[component[e.From]], e)
	}
	for v := range g.nodes {
		op := g.nodes[v].op
		loop, raw, ok := nest.PerIteration(op)
		split := op.Name == opname.HandshakeCondBr
		if !ok || loop != l || split && !raw || op.Name == opname.DataflowGate {
			continue
		}
		iterations := int(min(trips-1, maxIterations))
		if split {
			iterations = 1
		}
		g.crossing[v] = iterations
		comp := component[v]
		if parts[comp] == nil {
			continue
		}
		if _, ok := limiting[comp]; !ok {
			limiting[comp] = g.fastest(parts[comp])
		}
		if c, t := cycleratio.Weigh(limiting[comp]); onCycle(limiting[comp], v) && t > 0 && c > t {
			g.crossing[v] = max(iterations/t*c, iterations)
		}
	}
}

// maxIterations keeps latencies far from the limits of integers.
const maxIterations = 1 << 24

func onCycle(cycle []edge, v int) bool {
	return slices.ContainsFunc(cycle, func(e edge) bool { return e.From == v })
}

// bound analyses one loop.
func (g *graph) bound(l int, edges []edge) Bound {
	b := Bound{Loop: l, Cycles: 1, Tokens: 1}
	cycle := g.fastest(edges)
	if cycle == nil {
		return b
	}
	c, t := cycleratio.Weigh(cycle)
	if t > 0 && c <= t {
		return b // once per cycle is as slow
	}
	b.Cycles, b.Tokens, b.Stuck = c, t, t <= 0
	if !b.Stuck {
		d := intmath.GCD(c, t)
		b.Cycles, b.Tokens = c/d, t/d
	}
	at := 0
	for i, e := range cycle {
		if g.arcs[e.ID].role == back || g.arcs[e.ID].role == level {
			at = i
			break
		}
	}
	start := 0 // of the loop inside that the path goes through
	for i := range cycle {
		e := cycle[(at+i)%len(cycle)]
		n := &g.nodes[e.To]
		b.Path = append(b.Path, Step{Op: n.op, Part: n.part, Latency: e.Latency})
		switch g.arcs[e.ID].role {
		case enter:
			start = i
		case leave:
			b.Path[i].Latency = g.arcs[e.ID].latency
			b.Path[start].Latency += e.Latency - g.arcs[e.ID].latency
		}
	}
	return b
}

// gated looks for a state machine of the loop on the path that the raw condition
// steers.
func (b Bound) gated(raw *ir.Value) bool {
	gated := false
	for _, s := range b.Path {
		if s.Op.Name == opname.DataflowGate || rawOf(s.Op) != raw {
			continue
		}
		if s.Op.Name == opname.DataflowStream || !isGated(s.Op.Operand(0)) {
			return false
		}
		gated = true
	}
	return gated
}

// edge is an arc in the analysis of one loop.
type edge = cycleratio.Edge

// cyclic returns the edges of loop l that lie on cycles, and the strongly connected
// component of every node.
func (g *graph) cyclic(l int) ([]edge, []int) {
	p := cycleratio.Graph{Nodes: len(g.nodes)}
	for i, a := range g.arcs {
		t, ok := a.tokens(l)
		if !ok {
			continue
		}
		e := edge{From: a.from, To: a.to, Latency: a.latency, Tokens: t, Option: a.data, ID: int32(i)}
		switch a.role {
		case enter:
			e.Latency += g.crossing[a.to]
		case leave:
			if g.nodes[a.from].op.Name != opname.DataflowAccumulate { // whose iterations are those that entered
				e.Latency += g.crossing[a.from]
			}
		}
		p.Edges = append(p.Edges, e)
	}
	return p.Cyclic()
}

// fastest finds the limiting cycle of some edges when every mux takes the data input that
// makes it smallest. An input that the run never selected is not taken.
func (g *graph) fastest(edges []edge) []edge {
	p := cycleratio.Graph{Nodes: len(g.nodes), Edges: edges, Options: map[int]int{}, Always: map[int]int{}}
	for v, n := range g.nodes {
		if !n.mux {
			continue
		}
		p.Options[v] = n.op.NumOperands() - 1
		var taken []int
		for i := 1; i < n.op.NumOperands(); i++ {
			if !g.untaken[ir.Use{Op: n.op, Index: i}] {
				taken = append(taken, i)
			}
		}
		if len(taken) == 1 {
			p.Always[v] = taken[0]
		}
	}
	return p.Fastest()
}

// String is the bound as a number: 3, or 5/2.
func (b Bound) String() string {
	switch {
	case b.Stuck:
		return "never"
	case b.Tokens == 1:
		return fmt.Sprint(b.Cycles)
	}
	return fmt.Sprintf("%d/%d", b.Cycles, b.Tokens)
}

// PathString is the limiting cycle on one line.
func (b Bound) PathString() string {
	if len(b.Path) == 0 {
		return "one firing per cycle"
	}
	var parts []string
	for _, s := range b.Path {
		parts = append(parts, s.String())
	}
	return strings.Join(parts, " -> ")
}

// Name is the operation, its part and its value: "dataflow.carry %sum",
// "handshake.extmemory load %a".
func (s Step) Name() string {
	name := s.Op.Name
	if s.Part != "" {
		name += " " + s.Part
	}
	if v := s.Value(); v != "" {
		name += " %" + v
	}
	return name
}

// String adds what the step takes, where that is not one cycle.
func (s Step) String() string {
	if s.Latency == 1 {
		return s.Name()
	}
	return fmt.Sprintf("%s (%d)", s.Name(), s.Latency)
}

// Pos is the position of the step's operation in the source.
func (s Step) Pos() diag.Pos { return s.Op.Pos }

// Value names the step's operation by its parameter (memories) or its first named
// result, "" if there is none.
func (s Step) Value() string {
	if s.Op.Name == opname.HandshakeExtmemory && s.Op.NumOperands() > 0 && s.Op.Operand(0) != nil {
		return s.Op.Operand(0).Name
	}
	for _, r := range s.Op.Results() {
		if r.Name != "" {
			return r.Name
		}
	}
	return ""
}
