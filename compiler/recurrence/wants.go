package recurrence

import (
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// Wants returns when the operations of a loop without others inside want the tokens of one iteration, by
// operand, in cycles from the start of that iteration: in the schedule of one iteration every interval
// cycles in which everything starts as early as it can, but a load as late as all that reads
// its data and done token allow, as those wait in the memory's own places. Operands that have no token of
// the loop are left out. nil where the interval is below the loop's bound.
func Wants(fn *ir.Operation, nest *Nest, clock Clock, l, interval int) map[ir.Use]int {
	b := newBuilder(fn, nest, clock)
	g := b.g
	inside := make([]bool, len(g.nodes))
	for v, n := range b.from {
		if nest.home(v) == l {
			inside[n] = true
		}
	}
	type edge struct {
		arc
		use ir.Use
		// gap is what lies between the results of from and those of to: the latency of to, less
		// the interval for each token on the way.
		gap int
	}
	var edges []edge
	out := make([][]int, len(g.nodes))
	for use, to := range b.to {
		v := use.Op.Operand(use.Index)
		if v == nil || nest.home(v) != l {
			continue
		}
		from, ok := b.from[v]
		if !ok || !inside[from] {
			continue
		}
		a := b.arcOf(from, to, use.Op, use.Index)
		t, ok := a.tokens(l)
		if !ok && a.role != leave {
			continue
		}
		out[from] = append(out[from], len(edges))
		edges = append(edges, edge{a, use, a.latency - t*interval})
	}
	made := make([]int, len(g.nodes))
	for range len(g.nodes) + 1 {
		changed := false
		for _, e := range edges {
			if inside[e.to] && made[e.from]+e.gap > made[e.to] {
				made[e.to], changed = made[e.from]+e.gap, true
			}
		}
		if !changed {
			break
		}
	}
	for _, e := range edges {
		if inside[e.to] && made[e.from]+e.gap > made[e.to] {
			return nil // a cycle longer than the interval
		}
	}
	// spare is by how much what reads the results of a node leaves them waiting.
	var spare func(n int) int
	spare = func(n int) int {
		least := -1
		for _, k := range out[n] {
			e := edges[k]
			s := 0
			switch {
			case !inside[e.to]:
			case g.nodes[e.to].part == "response":
				s = made[e.to] - made[e.from] - e.gap + spare(e.to)
			default:
				s = made[e.to] - made[e.from] - e.gap
			}
			if least < 0 || s < least {
				least = s
			}
		}
		return max(least, 0)
	}
	wants := map[ir.Use]int{}
	for _, e := range edges {
		w := made[e.to] - e.latency
		if !inside[e.to] {
			w = made[e.from]
		}
		if t, ok := e.tokens(l); ok {
			w += t * interval
		}
		if n := g.nodes[e.to]; n.part == "request" {
			for _, k := range out[e.to] {
				if x := edges[k]; g.nodes[x.to].op.Name == opname.HandshakeExtmemory {
					w += spare(x.to)
				}
			}
		}
		wants[e.use] = w
	}
	return wants
}
