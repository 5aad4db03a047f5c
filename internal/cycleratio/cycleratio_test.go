package cycleratio

import (
	"math/rand/v2"
	"testing"
)

// random makes edges whose cycles all hold tokens, or, with stuck set, any.
func random(r *rand.Rand, stuck bool) Graph {
	p := Graph{Nodes: 2 + r.IntN(5)}
	for range 1 + r.IntN(9) {
		e := Edge{From: r.IntN(p.Nodes), To: r.IntN(p.Nodes), Latency: r.IntN(9), Tokens: r.IntN(3)}
		if e.From >= e.To && !stuck {
			e.Tokens = max(e.Tokens, 1)
		}
		p.Edges = append(p.Edges, e)
	}
	return p
}

// simpleCycles calls f for each cycle without a repeated node.
func simpleCycles(p *Graph, f func([]Edge)) {
	var path []Edge
	on := make([]bool, p.Nodes)
	var from func(start, v int)
	from = func(start, v int) {
		on[v] = true
		for _, e := range p.Edges {
			if e.From != v || e.To < start {
				continue
			}
			path = append(path, e)
			if e.To == start {
				f(path)
			} else if !on[e.To] {
				from(start, e.To)
			}
			path = path[:len(path)-1]
		}
		on[v] = false
	}
	for v := range p.Nodes {
		from(v, v)
	}
}

// TestHeaviest compares the search with all simple cycles.
func TestHeaviest(t *testing.T) {
	for seed := range uint64(5000) {
		r := rand.New(rand.NewPCG(seed, 7))
		p := random(r, seed%4 == 0)
		cycles, tokens, stuck := -1, 1, false
		simpleCycles(&p, func(c []Edge) {
			n, k := Weigh(c)
			if k <= 0 {
				// Without latency a circle of wiring is no longer than nothing.
				stuck = true
				return
			}
			if n*tokens > cycles*k {
				cycles, tokens = n, k
			}
		})
		c := p.Heaviest()
		n, k := Weigh(c)
		switch {
		case stuck:
			if c == nil || k <= 0 {
				continue
			}
			// A token-free cycle without latency does not stop the search.
			if n*tokens < cycles*k {
				t.Fatalf("seed %d: %d/%d, want at least %d/%d", seed, n, k, cycles, tokens)
			}
		case cycles < 0 && c != nil, cycles >= 0 && (c == nil || n*tokens != cycles*k):
			t.Fatalf("seed %d: %d/%d, want %d/%d\n%v", seed, n, k, cycles, tokens, p.Edges)
		}
		for i, e := range c {
			if e.To != c[(i+1)%len(c)].From {
				t.Fatalf("seed %d: no cycle: %v", seed, c)
			}
		}
	}
}

// TestFastest compares the choice of options with all choices there are.
func TestFastest(t *testing.T) {
	chosen := 0
	for seed := range uint64(4000) {
		r := rand.New(rand.NewPCG(seed, 9))
		g := random(r, false)
		g.Options, g.Always = map[int]int{}, map[int]int{}
		var heads []int
		for v := range g.Nodes {
			if r.IntN(2) == 0 {
				heads = append(heads, v)
				if g.Options[v] = 2 + r.IntN(2); r.IntN(4) == 0 {
					g.Always[v] = 1 + r.IntN(g.Options[v])
				}
			}
		}
		for i := range g.Edges {
			g.Edges[i].Option = r.IntN(1 + g.Options[g.Edges[i].To])
		}
		best, bestTokens := 0, 0
		var try func(choice map[int]int, heads []int)
		try = func(choice map[int]int, heads []int) {
			if len(heads) > 0 {
				v := heads[0]
				for choice[v] = 1; choice[v] <= g.Options[v]; choice[v]++ {
					if always, ok := g.Always[v]; !ok || choice[v] == always {
						try(choice, heads[1:])
					}
				}
				return
			}
			n, k := 0, 1
			if c := g.chosen(choice).Heaviest(); c != nil {
				n, k = Weigh(c)
			}
			if bestTokens == 0 || n*bestTokens < best*k {
				best, bestTokens = n, k
			}
		}
		try(map[int]int{}, heads)
		n, k := 0, 1
		if c := g.Fastest(); c != nil {
			n, k = Weigh(c)
		}
		if len(heads) > 0 && best > 0 {
			chosen++
		}
		if n*bestTokens != best*k {
			t.Fatalf("seed %d: %d/%d, the best choice gives %d/%d", seed, n, k, best, bestTokens)
		}
	}
	if chosen < 500 {
		t.Errorf("only %d cases had a choice", chosen)
	}
}
