// Package cycleratio finds the cycle of a graph with the largest ratio of latency to tokens:
// what limits the rate of a marked graph, in which firing k of an edge's head comes at least
// Latency cycles after firing k - Tokens of its tail.
//
// The head of edges with options needs one of them only (a multiplexer its selected input).
// Fastest then finds the ratio for the heads' best choices: whatever they choose from firing
// to firing, the graph is not faster, since the rate of such a system is that of the best
// choice that is always the same (duality theorem of min-max functions).
package cycleratio

import "math"

// Edge leads from a node to one that waits for it.
type Edge struct {
	From, To, Latency, Tokens int
	// Option numbers, from 1, the edges of which the head needs one; 0 is an edge that it
	// needs in any case. Several edges may have one number.
	Option int
	// ID is the caller's.
	ID int32
}

// Graph is a set of edges.
type Graph struct {
	Nodes int
	Edges []Edge
	// Options are how many options a head has, where that is more than the edges show: an
	// option without an edge never makes it wait.
	Options map[int]int
	// Always are options that a head always takes.
	Always map[int]int
}

// Fastest is the limiting cycle when every head with options takes the one that makes it
// smallest, nil where there is no cycle. Its tokens are not positive where the graph cannot
// run. It improves the choice: as long as, seen from the limiting cycle, a head has an option
// that comes sooner than the one it takes, it takes that one.
func (g *Graph) Fastest() []Edge {
	choice := g.firstChoice()
	for range 4*len(choice) + 8 {
		chosen := g.chosen(choice)
		cycle := chosen.Heaviest()
		if cycle == nil {
			return nil
		}
		c, t := Weigh(cycle)
		if t <= 0 || !g.improve(choice, chosen.longest(cycle[0].From, c, t), c, t) {
			return cycle
		}
	}
	// The choice did not settle. Without the options the ratio is smaller, and still a bound.
	return g.chosen(nil).Heaviest()
}

// firstChoice lets every head take an option that lies on no cycle, if there is one: it
// comes soonest.
func (g *Graph) firstChoice() map[int]int {
	has := map[int]map[int]bool{}
	for _, e := range g.Edges {
		if e.Option > 0 {
			if has[e.To] == nil {
				has[e.To] = map[int]bool{}
			}
			has[e.To][e.Option] = true
		}
	}
	choice := map[int]int{}
	for v, options := range has {
		choice[v] = 1
		for choice[v] <= g.Options[v] && options[choice[v]] {
			choice[v]++
		}
		if choice[v] > g.Options[v] {
			choice[v] = 1
		}
		if always, ok := g.Always[v]; ok {
			choice[v] = always
		}
	}
	return choice
}

// improve lets heads take options that come sooner, for the times at which the nodes of the
// limiting cycle and what depends on them fire.
func (g *Graph) improve(choice map[int]int, at []int64, cycles, tokens int) (better bool) {
	arrival := map[int]map[int]int64{}
	for _, e := range g.Edges {
		if e.Option == 0 {
			continue
		}
		x := at[e.From]
		if x == unreached {
			continue
		}
		if arrival[e.To] == nil {
			arrival[e.To] = map[int]int64{}
		}
		if old, ok := arrival[e.To][e.Option]; !ok || x+e.weight(cycles, tokens) > old {
			arrival[e.To][e.Option] = x + e.weight(cycles, tokens)
		}
	}
	for v, times := range arrival {
		now, waits := times[choice[v]]
		if _, always := g.Always[v]; always || !waits {
			continue
		}
		for option := 1; option <= g.Options[v]; option++ {
			if t, reached := times[option]; !reached || t < now {
				choice[v], better = option, true
				if now = t; !reached {
					break
				}
			}
		}
	}
	return better
}

// chosen leaves the edges that heads need in any case and those of the options that they
// take; nil takes no option.
func (g *Graph) chosen(choice map[int]int) *Graph {
	out := &Graph{Nodes: g.Nodes}
	for _, e := range g.Edges {
		if e.Option == 0 || choice[e.To] == e.Option {
			out.Edges = append(out.Edges, e)
		}
	}
	return out
}

// Cyclic returns the edges that lie on cycles; all those of one strongly connected component
// have its number in component.
func (g *Graph) Cyclic() (edges []Edge, component []int) {
	out := make([][]Edge, g.Nodes)
	for _, e := range g.Edges {
		out[e.From] = append(out[e.From], e)
	}
	component = components(g.Nodes, out)
	for _, es := range out {
		for _, e := range es {
			if component[e.From] == component[e.To] {
				edges = append(edges, e)
			}
		}
	}
	return edges, component
}

// Heaviest finds a cycle of the largest ratio, nil when there is no cycle. A
// cycle whose tokens are not positive stops the search and is returned: the graph
// cannot go round it.
//
// It starts with any cycle and searches, by Bellman and Ford's method, for one of a
// larger ratio until there is none; the ratios are compared as integers.
func (g *Graph) Heaviest() (cycle []Edge) {
	cycles, tokens := -1, 1
	for {
		next := g.above(cycles, tokens)
		if next == nil {
			return cycle
		}
		cycle = next
		cycles, tokens = Weigh(cycle)
		if tokens <= 0 {
			return cycle
		}
	}
}

// Weigh sums latencies and tokens.
func Weigh(cycle []Edge) (cycles, tokens int) {
	for _, e := range cycle {
		cycles += e.Latency
		tokens += e.Tokens
	}
	return cycles, tokens
}

// above finds a cycle with latency·tokens - token·cycles > 0, one of a ratio
// above cycles/tokens.
func (g *Graph) above(cycles, tokens int) []Edge {
	dist := make([]int64, g.Nodes)
	pred := make([]int32, g.Nodes)
	for i := range pred {
		pred[i] = -1
	}
	for round := 1; ; round++ {
		changed := false
		for i := range g.Edges {
			e := &g.Edges[i]
			if d := dist[e.From] + e.weight(cycles, tokens); d > dist[e.To] {
				dist[e.To], pred[e.To] = d, int32(i)
				changed = true
			}
		}
		if !changed {
			return nil
		}
		// A cycle among the predecessors is one of positive weight; it is there
		// after as many rounds as nodes at the latest, mostly much sooner.
		if round&7 == 0 || round > g.Nodes {
			if c := g.closed(pred); c != nil {
				return c
			}
		}
	}
}

func (e *Edge) weight(cycles, tokens int) int64 {
	return int64(e.Latency)*int64(tokens) - int64(e.Tokens)*int64(cycles)
}

// closed finds a cycle among the predecessors.
func (g *Graph) closed(pred []int32) []Edge {
	mark := make([]int32, g.Nodes)
	for v := range g.Nodes {
		at := v
		for mark[at] == 0 && pred[at] >= 0 {
			mark[at] = int32(v + 1)
			at = g.Edges[pred[at]].From
		}
		if mark[at] != int32(v+1) || pred[at] < 0 {
			continue
		}
		var cycle []Edge
		for w := at; ; {
			e := g.Edges[pred[w]]
			cycle = append(cycle, e)
			if w = e.From; w == at {
				break
			}
		}
		for i, j := 0, len(cycle)-1; i < j; i, j = i+1, j-1 {
			cycle[i], cycle[j] = cycle[j], cycle[i]
		}
		return cycle
	}
	return nil
}

// unreached stands for the sum of a node that no path leads to.
const unreached = math.MinInt64

// longest is the greatest sum of weights of a path from start to every node, for edges without a cycle of
// positive weight.
func (g *Graph) longest(start, cycles, tokens int) []int64 {
	out := make([][]int32, g.Nodes)
	for i, e := range g.Edges {
		out[e.From] = append(out[e.From], int32(i))
	}
	dist := make([]int64, g.Nodes)
	for v := range dist {
		dist[v] = unreached
	}
	dist[start] = 0
	work := []int{start}
	queued := make([]bool, g.Nodes)
	for len(work) > 0 {
		v := work[0]
		work = work[1:]
		queued[v] = false
		for _, i := range out[v] {
			e := &g.Edges[i]
			if d := dist[v] + e.weight(cycles, tokens); d > dist[e.To] {
				dist[e.To] = d
				if !queued[e.To] {
					queued[e.To] = true
					work = append(work, e.To)
				}
			}
		}
	}
	return dist
}

// components numbers the strongly connected components of a graph given by the
// edges out of each node (Tarjan's method, without recursion).
func components(nodes int, out [][]Edge) []int {
	comp, index, low := make([]int, nodes), make([]int, nodes), make([]int, nodes)
	for i := range comp {
		comp[i], index[i] = -1, -1
	}
	type frame struct{ v, next int }
	var stack []int
	var calls []frame
	seen, count := 0, 0
	enter := func(v int) {
		index[v], low[v] = seen, seen
		seen++
		stack = append(stack, v)
		calls = append(calls, frame{v, 0})
	}
	for root := range nodes {
		if index[root] >= 0 {
			continue
		}
		enter(root)
		for len(calls) > 0 {
			f := &calls[len(calls)-1]
			if f.next < len(out[f.v]) {
				w := out[f.v][f.next].To
				f.next++
				if index[w] < 0 {
					enter(w)
				} else if comp[w] < 0 {
					low[f.v] = min(low[f.v], index[w])
				}
				continue
			}
			v := f.v
			calls = calls[:len(calls)-1]
			if len(calls) > 0 {
				u := calls[len(calls)-1].v
				low[u] = min(low[u], low[v])
			}
			if low[v] == index[v] {
				for {
					w := stack[len(stack)-1]
					stack = stack[:len(stack)-1]
					comp[w] = count
					if w == v {
						break
					}
				}
				count++
			}
		}
	}
	return comp
}
