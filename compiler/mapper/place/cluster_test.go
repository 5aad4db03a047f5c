package place

import "testing"

// clustered is a random problem on a row of sites, the first of which belong to clusters of four.
func clustered(seed uint64, limits Limits) (*Problem, []int) {
	r := NewRNG(seed)
	const sites, clusters, nodes = 40, 4, 24
	p := &Problem{Sites: sites, Cluster: make([]int, sites), Dist: NewDistances(sites)}
	for range clusters {
		p.Limits = append(p.Limits, limits)
	}
	all := make([]int, sites)
	for s := range sites {
		all[s] = s
		if p.Cluster[s] = s / 4; p.Cluster[s] >= clusters {
			p.Cluster[s] = -1
		}
		for b := range sites {
			if p.Cluster[s] < 0 || s/4 != b/4 {
				p.Dist.Set(s, b, int32(max(s-b, b-s)))
			}
		}
	}
	init := make([]int, nodes)
	for n := range nodes {
		p.Cand = append(p.Cand, all)
		var words []uint64
		if r.Intn(3) == 0 {
			words = []uint64{uint64(r.Intn(5))}
		}
		p.Words = append(p.Words, words)
		init[n] = n // clusters are full at first
		net := Net{Src: n, Wide: r.Intn(2) == 0}
		for range 1 + r.Intn(3) {
			net.Sinks = append(net.Sinks, r.Intn(nodes))
		}
		p.Nets = append(p.Nets, net)
	}
	return p, init
}

// TestClusterCosts: what moves change of the excess of clusters is what a count from scratch finds.
func TestClusterCosts(t *testing.T) {
	for seed := range uint64(20) {
		p, init := clustered(seed, Limits{Ins: 1, TokenIns: 1, Outs: 1, TokenOuts: 1, Words: 1})
		a := newAnnealer(p, init, seed)
		movable := make([]int, len(init))
		for n := range movable {
			movable[n] = n
		}
		kept := 0
		for range 2000 {
			before := a.total()
			delta, ok := a.try(movable, 500)
			if ok {
				kept++
			} else {
				delta = 0
			}
			if a.total()-before != delta {
				t.Fatalf("seed %d: a move of %d changes the costs by %d", seed, delta, a.total()-before)
			}
		}
		for c := range a.excess {
			if x := a.exceeds(c); x != a.excess[c] {
				t.Errorf("seed %d: cluster %d has an excess of %d, counted %d", seed, c, a.excess[c], x)
			}
		}
		if kept < 100 {
			t.Errorf("seed %d: only %d moves", seed, kept)
		}
	}
}

// TestClusterLimits: a placement keeps the limits of clusters where it can, and gives way to nothing else for it.
func TestClusterLimits(t *testing.T) {
	used := 0
	for seed := range uint64(20) {
		p, init := clustered(seed, Limits{Ins: 2, TokenIns: 1, Outs: 1, TokenOuts: 1, Words: 1})
		site := Anneal(p, init, Options{Seed: seed, Moves: 60, Cooling: 85})
		a := newAnnealer(p, site, seed)
		for c, x := range a.excess {
			if x > 0 {
				t.Errorf("seed %d: cluster %d needs %d more than there is", seed, c, x)
			}
			for _, s := range a.clusters[c] {
				if a.node[s] >= 0 {
					used++
				}
			}
		}
	}
	if used < 40 {
		t.Errorf("only %d nodes in clusters", used)
	}
}

// TestClusterCount counts by example: nets of words and of tokens, in and out, a net once, and words of nodes.
func TestClusterCount(t *testing.T) {
	// Nodes 0 to 3 are in the cluster, 4 and 5 outside.
	p := &Problem{Sites: 6, Dist: NewDistances(6), Cluster: []int{0, 0, 0, 0, -1, -1}, Limits: []Limits{{}},
		Cand: make([][]int, 6), Words: [][]uint64{{7}, {7}, {8}, nil, {9}, nil},
		Nets: []Net{
			{Src: 4, Sinks: []int{0, 1}, Wide: true},    // in, once
			{Src: 5, Sinks: []int{2, 4}},                // in, a token
			{Src: 0, Sinks: []int{1, 2}, Wide: true},    // inside
			{Src: 1, Sinks: []int{3, 4, 5}, Wide: true}, // out, once
			{Src: 2, Sinks: []int{5}},                   // out, a token
			{Src: 4, Sinks: []int{5}, Wide: true},       // outside
		}}
	for _, c := range []struct {
		l    Limits
		want int
	}{
		{Limits{}, 6},
		{Limits{Ins: 1, Outs: 1, Words: 2}, 2},
		{Limits{Ins: 2, Outs: 1, Words: 2}, 1}, // a token at an input of words
		{Limits{TokenIns: 2, TokenOuts: 2}, 4}, // no word at one of tokens
		{Limits{1, 1, 1, 1, 2}, 0},
		{Limits{1, 1, 1, 1, 1}, 1},
	} {
		p.Limits[0] = c.l
		if got := newAnnealer(p, []int{0, 1, 2, 3, 4, 5}, 1).excess[0]; got != c.want {
			t.Errorf("%+v: %d too many, want %d", c.l, got, c.want)
		}
	}
}
