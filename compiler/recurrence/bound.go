package recurrence

import (
	"fmt"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/ir"
)

// Step is an operation of a limiting cycle.
type Step struct {
	Op *ir.Operation
	// Part says which part of it, where an operation has several: a load's
	// request or answer, a memory's load or store port.
	Part string
	// Latency is what it adds to the cycle.
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
	// turns once less per activation than one that the raw condition steers.
	Gated bool
	// Stuck is set when Path holds no token: the graph cannot run.
	Stuck bool
}

// Bounds computes the bound of every loop.
//
// A branch inside of a loop is taken in some iterations only. The bound is that
// of the iterations that go the fastest way, so that no run is faster: a
// handshake.mux counts as if it took, every time, the data input that makes the
// bound smallest. A cycle through one side of a branch is a bound only where the
// other side has one as long. Likewise an inner loop counts as if it ended at
// once.
func Bounds(fn *ir.Operation, nest *Nest, m Model) []Bound {
	g := build(fn, nest, m)
	out := make([]Bound, len(nest.Loops))
	for l := range nest.Loops {
		out[l] = g.bound(l)
		out[l].Gated = out[l].gated(nest.Loops[l].Raw)
	}
	return out
}

// bound analyses one loop.
func (g *graph) bound(l int) Bound {
	edges := g.cyclic(l)
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
		d := gcd(c, t)
		b.Cycles, b.Tokens = c/d, t/d
	}
	at := 0
	for i, e := range cycle {
		if g.arcs[e.arc].role == back || g.arcs[e.arc].role == level {
			at = i
			break
		}
	}
	for i := range cycle {
		n := &g.nodes[cycle[(at+i)%len(cycle)].to]
		b.Path = append(b.Path, Step{Op: n.op, Part: n.part, Latency: n.latency})
	}
	return b
}

// gated looks for a state machine of the loop on the path that the raw condition
// steers.
func (b Bound) gated(raw *ir.Value) bool {
	gated := false
	for _, s := range b.Path {
		if s.Op.Name == "dataflow.gate" || rawOf(s.Op) != raw {
			continue
		}
		if s.Op.Name == "dataflow.stream" || !isGated(s.Op.Operand(0)) {
			return false
		}
		gated = true
	}
	return gated
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// cyclic returns the edges of loop l that lie on cycles.
func (g *graph) cyclic(l int) []edge {
	out := make([][]edge, len(g.nodes))
	for v, arcs := range g.out {
		for _, i := range arcs {
			a := g.arcs[i]
			if t, ok := a.tokens(l); ok {
				out[v] = append(out[v], edge{from: v, to: a.to, latency: g.nodes[a.to].latency, tokens: t, arc: i})
			}
		}
	}
	comp := components(len(g.nodes), out)
	var edges []edge
	for _, es := range out {
		for _, e := range es {
			if comp[e.from] == comp[e.to] {
				edges = append(edges, e)
			}
		}
	}
	return edges
}

// problem is the search over some edges, with the nodes numbered anew; the
// result's edges carry arcs, which tell the nodes.
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
	for _, e := range edges {
		if n := g.nodes[e.to]; n.mux {
			in := inputs[e.to]
			in[min(g.arcs[e.arc].data, 2)] = true
			inputs[e.to] = in
		}
	}
	for v, in := range inputs {
		// An input that lies on no cycle comes soonest.
		choice[v] = 1
		if in[1] && !in[2] {
			choice[v] = 2
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
					w := x - int64(e.tokens)*int64(c)
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
			if r[now] && (!r[other] || arrival[v][other] < arrival[v][now]) {
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

// Pos is the place of the step's operation in the source.
func (s Step) Pos() diag.Pos { return s.Op.Pos }

// Value names the step's operation by its parameter (memories) or its first named
// result, "" if there is none.
func (s Step) Value() string {
	if s.Op.Name == "handshake.extmemory" && s.Op.NumOperands() > 0 && s.Op.Operand(0) != nil {
		return s.Op.Operand(0).Name
	}
	for _, r := range s.Op.Results() {
		if r.Name != "" {
			return r.Name
		}
	}
	return ""
}
