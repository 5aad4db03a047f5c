package recurrence

// edge is an arc in the analysis of one loop: the head's latency and the tokens.
type edge struct {
	from, to, latency, tokens int
	arc                       int32
	comp                      int // the strongly connected component
}

// problem is the search for the largest ratio of latency to tokens over the
// cycles of a set of edges.
type problem struct {
	nodes int
	edges []edge
}

// heaviest finds a cycle of the largest ratio, nil when there is no cycle. A
// cycle whose tokens are not positive stops the search and is returned: the graph
// cannot go round it.
//
// It starts with any cycle and searches, by Bellman and Ford's method, for one of a
// larger ratio until there is none; the ratios are compared as integers.
func (p *problem) heaviest() (cycle []edge) {
	cycles, tokens := -1, 1
	for {
		next := p.above(cycles, tokens)
		if next == nil {
			return cycle
		}
		cycle = next
		cycles, tokens = weigh(cycle)
		if tokens <= 0 {
			return cycle
		}
	}
}

// weigh sums latencies and tokens.
func weigh(cycle []edge) (cycles, tokens int) {
	for _, e := range cycle {
		cycles += e.latency
		tokens += e.tokens
	}
	return cycles, tokens
}

// above finds a cycle with latency·tokens - token·cycles > 0, one of a ratio
// above cycles/tokens.
func (p *problem) above(cycles, tokens int) []edge {
	dist := make([]int64, p.nodes)
	pred := make([]int32, p.nodes)
	for i := range pred {
		pred[i] = -1
	}
	for round := 1; ; round++ {
		changed := false
		for i, e := range p.edges {
			if d := dist[e.from] + e.weight(cycles, tokens); d > dist[e.to] {
				dist[e.to], pred[e.to] = d, int32(i)
				changed = true
			}
		}
		if !changed {
			return nil
		}
		// A cycle among the predecessors is one of positive weight; it is there
		// after as many rounds as nodes at the latest, mostly much sooner.
		if round&7 == 0 || round > p.nodes {
			if c := p.closed(pred); c != nil {
				return c
			}
		}
	}
}

func (e edge) weight(cycles, tokens int) int64 {
	return int64(e.latency)*int64(tokens) - int64(e.tokens)*int64(cycles)
}

// closed finds a cycle among the predecessors.
func (p *problem) closed(pred []int32) []edge {
	mark := make([]int32, p.nodes)
	for v := range p.nodes {
		at := v
		for mark[at] == 0 && pred[at] >= 0 {
			mark[at] = int32(v + 1)
			at = p.edges[pred[at]].from
		}
		if mark[at] != int32(v+1) || pred[at] < 0 {
			continue
		}
		var cycle []edge
		for w := at; ; {
			e := p.edges[pred[w]]
			cycle = append(cycle, e)
			if w = e.from; w == at {
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

// longest is the greatest sum of weights of a path from each node's start to the
// node, for edges without a cycle of positive weight; unreached nodes are absent.
func (p *problem) longest(start, cycles, tokens int) map[int]int64 {
	out := make([][]int32, p.nodes)
	for i, e := range p.edges {
		out[e.from] = append(out[e.from], int32(i))
	}
	dist := map[int]int64{start: 0}
	work := []int{start}
	queued := map[int]bool{start: true}
	for len(work) > 0 {
		v := work[0]
		work = work[1:]
		queued[v] = false
		for _, i := range out[v] {
			e := p.edges[i]
			d := dist[v] + e.weight(cycles, tokens)
			if old, ok := dist[e.to]; !ok || d > old {
				dist[e.to] = d
				if !queued[e.to] {
					queued[e.to] = true
					work = append(work, e.to)
				}
			}
		}
	}
	return dist
}

// components numbers the strongly connected components of a graph given by the
// edges out of each node (Tarjan's method, without recursion).
func components(nodes int, out [][]edge) []int {
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
				w := out[f.v][f.next].to
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
