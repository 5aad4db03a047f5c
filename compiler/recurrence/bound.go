package recurrence

import (
	"fmt"
	"slices"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/opname"
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
func Bounds(fn *ir.Operation, nest *Nest, m latency.Model, seen *Seen) []Bound {
	g := build(fn, nest, m)
	g.crossing = make([]int, len(g.nodes))
	if seen != nil {
		g.untaken = seen.Untaken
	}
	out := make([]Bound, len(nest.Loops))
	for _, l := range innermostFirst(nest) {
		edges := g.cyclic(l)
		out[l] = g.bound(l, edges)
		out[l].Gated = out[l].gated(nest.Loops[l].Raw)
		if seen != nil {
			g.cross(nest, l, edges, seen.Trips[l])
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
func (g *graph) cross(nest *Nest, l int, edges []edge, trips int64) {
	if trips < 1 {
		return
	}
	parts := map[int][]edge{}
	of := map[int]int{}
	limiting := map[int][]edge{}
	for _, e := range edges {
		parts[e.comp] = append(parts[e.comp], e)
		of[e.from] = e.comp
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
		comp, ok := of[v]
		if !ok {
			continue
		}
		if _, ok := limiting[comp]; !ok {
			limiting[comp] = g.fastest(parts[comp])
		}
		if c, t := weigh(limiting[comp]); onCycle(limiting[comp], v) && t > 0 && c > t {
			g.crossing[v] = max(iterations/t*c, iterations)
		}
	}
}

// maxIterations keeps latencies far from the limits of integers.
const maxIterations = 1 << 24

func onCycle(cycle []edge, v int) bool {
	return slices.ContainsFunc(cycle, func(e edge) bool { return e.from == v })
}

// bound analyses one loop.
func (g *graph) bound(l int, edges []edge) Bound {
	b := Bound{Loop: l, Cycles: 1, Tokens: 1}
	cycle := g.fastest(edges)
	if cycle == nil {
		return b
	}
	c, t := weigh(cycle)
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
		if g.arcs[e.arc].role == back || g.arcs[e.arc].role == level {
			at = i
			break
		}
	}
	start := 0 // of the loop inside that the path goes through
	for i := range cycle {
		e := cycle[(at+i)%len(cycle)]
		n := &g.nodes[e.to]
		b.Path = append(b.Path, Step{Op: n.op, Part: n.part, Latency: e.latency})
		switch g.arcs[e.arc].role {
		case enter:
			start = i
		case leave:
			b.Path[i].Latency = n.latency
			b.Path[start].Latency += e.latency - n.latency
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

// cyclic returns the edges of loop l that lie on cycles.
func (g *graph) cyclic(l int) []edge {
	out := make([][]edge, len(g.nodes))
	for v, arcs := range g.out {
		for _, i := range arcs {
			a := g.arcs[i]
			t, ok := a.tokens(l)
			if !ok {
				continue
			}
			e := edge{from: v, to: a.to, latency: g.nodes[a.to].latency, tokens: t, arc: i}
			switch a.role {
			case enter:
				e.latency += g.crossing[a.to]
			case leave:
				e.latency += g.crossing[v]
			}
			out[v] = append(out[v], e)
		}
	}
	comp := components(len(g.nodes), out)
	var edges []edge
	for _, es := range out {
		for _, e := range es {
			if comp[e.from] == comp[e.to] {
				e.comp = comp[e.from]
				edges = append(edges, e)
			}
		}
	}
	return edges
}

// problem is the search over some edges, with the nodes numbered anew; the
// result's edges carry arcs, which identify the nodes.
func (g *graph) problem(edges []edge) (p problem, id map[int]int) {
	id = map[int]int{}
	number := func(v int) int {
		n, ok := id[v]
		if !ok {
			n = len(id)
			id[v] = n
		}
		return n
	}
	for _, e := range edges {
		e.from, e.to = number(e.from), number(e.to)
		p.edges = append(p.edges, e)
	}
	p.nodes = len(id)
	return p, id
}

// fastest finds the limiting cycle when every mux takes the data input that
// makes it smallest, by improving the choice: as long as, seen from the limiting
// cycle, a mux has an input that comes sooner than the one it takes, it takes
// that one.
func (g *graph) fastest(edges []edge) []edge {
	choice := map[int]int{} // mux -> data input that it takes
	inputs := map[int][3]bool{}
	fixed := map[int]bool{} // muxes that take it always
	for _, e := range edges {
		if n := g.nodes[e.to]; n.mux {
			in := inputs[e.to]
			in[min(g.arcs[e.arc].data, 2)] = true
			inputs[e.to] = in
		}
	}
	for v, in := range inputs {
		// An input that lies on no cycle comes soonest.
		op := g.nodes[v].op
		switch no1, no2 := g.untaken[ir.Use{Op: op, Index: 1}], g.untaken[ir.Use{Op: op, Index: 2}]; {
		case no1 != no2:
			fixed[v] = true
			choice[v] = 1
			if no1 {
				choice[v] = 2
			}
		case in[1] && !in[2]:
			choice[v] = 2
		default:
			choice[v] = 1
		}
	}
	for range 4*len(choice) + 8 {
		p, id := g.problem(g.chosen(edges, choice))
		cycle := p.heaviest()
		if cycle == nil {
			return nil
		}
		c, t := weigh(cycle)
		if t <= 0 {
			return g.named(cycle)
		}
		dist := p.longest(cycle[0].from, c, t)
		better := false
		arrival := map[int][3]int64{}
		reached := map[int][3]bool{}
		for _, e := range edges {
			d := g.arcs[e.arc].data
			if d == 0 || !g.nodes[e.to].mux {
				continue
			}
			if n, known := id[e.from]; known {
				if x, ok := dist[n]; ok {
					a, r := arrival[e.to], reached[e.to]
					w := x + e.weight(c, t)
					if !r[d] || w > a[d] {
						a[d] = w
					}
					r[d] = true
					arrival[e.to], reached[e.to] = a, r
				}
			}
		}
		for v, r := range reached {
			now, other := choice[v], 3-choice[v]
			if !fixed[v] && r[now] && (!r[other] || arrival[v][other] < arrival[v][now]) {
				choice[v], better = other, true
			}
		}
		if !better {
			return g.named(cycle)
		}
	}
	// The choice did not settle. Without the data inputs of muxes the bound is
	// smaller, and still a bound.
	p, _ := g.problem(g.chosen(edges, nil))
	return g.named(p.heaviest())
}

// chosen leaves the edges into muxes that the choice takes; nil takes none of
// the data inputs.
func (g *graph) chosen(edges []edge, choice map[int]int) []edge {
	var out []edge
	for _, e := range edges {
		if d := g.arcs[e.arc].data; d == 0 || choice[e.to] == d {
			out = append(out, e)
		}
	}
	return out
}

// named gives the edges of a cycle their nodes back.
func (g *graph) named(cycle []edge) []edge {
	for i := range cycle {
		a := g.arcs[cycle[i].arc]
		cycle[i].from, cycle[i].to = a.from, a.to
	}
	return cycle
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
