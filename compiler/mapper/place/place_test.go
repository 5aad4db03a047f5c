package place_test

import (
	"slices"
	"testing"

	"loom/compiler/mapper/place"
)

// line is a problem whose best solution is known: a chain of nodes on a line of
// sites.
func line(nodes, sites int) *place.Problem {
	p := &place.Problem{Sites: sites, Dist: place.NewDistances(sites)}
	all := make([]int, sites)
	for i := range all {
		all[i] = i
	}
	for a := range sites {
		for b := range sites {
			p.Dist.Set(a, b, int32(max(a-b, b-a)))
		}
	}
	for n := range nodes {
		p.Cand = append(p.Cand, all)
		if n > 0 {
			p.Nets = append(p.Nets, place.Net{Src: n - 1, Sinks: []int{n}})
		}
	}
	return p
}

// table are distances as rows of a matrix, from the first site and so on.
func table(rows ...[]int32) *place.Distances {
	d := place.NewDistances(len(rows))
	for a, row := range rows {
		for b, hops := range row {
			d.Set(a, b, hops)
		}
	}
	return d
}

func length(p *place.Problem, site []int) int {
	sum := 0
	for _, n := range p.Nets {
		sum += p.Dist.At(site[n.Src], site[n.Sinks[0]])
	}
	return sum
}

func TestAnneal(t *testing.T) {
	p := line(12, 16)
	init := make([]int, 12)
	for i := range init {
		init[i] = i * 5 % 16
	}
	before := slices.Clone(init)
	opts := place.Options{Seed: 3, Moves: 200, Cooling: 90}
	got := place.Anneal(p, init, opts)
	if !slices.Equal(init, before) {
		t.Error("the initial placement was changed")
	}
	used := map[int]bool{}
	for _, s := range got {
		if used[s] {
			t.Errorf("site %d twice", s)
		}
		used[s] = true
	}
	if l := length(p, got); l > 14 {
		t.Errorf("length %d, the best is 11, the start was %d", l, length(p, init))
	}
	if !slices.Equal(got, place.Anneal(p, init, opts)) {
		t.Error("the same arguments give another placement")
	}
}

// TestCandidates: nodes stay on their sites even when neighbours pull.
func TestCandidates(t *testing.T) {
	p := line(6, 12)
	p.Cand[0], p.Cand[5] = []int{0}, []int{9, 11}
	got := place.Anneal(p, []int{0, 1, 2, 3, 4, 11}, place.Options{Moves: 100, Cooling: 85})
	if got[0] != 0 || got[5] != 9 {
		t.Errorf("placement %v", got)
	}
}

// TestWeights: what is critical ends up close together.
func TestWeights(t *testing.T) {
	// Node 0 in the middle talks to four others; only one fits next to it on
	// each side.
	p := line(1, 9)
	for n := 1; n < 5; n++ {
		p.Cand = append(p.Cand, p.Cand[0])
	}
	p.Nets = []place.Net{{Src: 0, Sinks: []int{1, 2, 3, 4}}}
	weigh := func([]int) [][]int64 { return [][]int64{{0, 0, 500, 500}} }
	got := place.Anneal(p, []int{4, 3, 5, 0, 8}, place.Options{Moves: 300, Cooling: 90, Weigh: weigh})
	for _, n := range []int{3, 4} {
		if d := p.Dist.At(got[0], got[n]); d != 1 {
			t.Errorf("critical node %d is %d sites away: %v", n, d, got)
		}
	}
}

func TestStop(t *testing.T) {
	calls := 0
	place.Anneal(line(8, 8), []int{0, 1, 2, 3, 4, 5, 6, 7}, place.Options{Moves: 10, Cooling: 99, Stop: func() bool { calls++; return calls > 2 }})
	if calls != 3 {
		t.Errorf("called %d times", calls)
	}
}

// TestBays: nodes that start in one bay stay together, in bays that can take them,
// and find the best one.
func TestBays(t *testing.T) {
	// A line of 16 sites with bays of three at 0, 4, 8 and 12. Node 0 is fixed at
	// the far end and talks to all others; nodes 1 and 2 start in the first bay,
	// node 3 in the second.
	p := line(1, 16)
	p.Bay = make([]int, 16)
	var all []int
	for s := range p.Bay {
		p.Bay[s] = -1
		if s%4 < 3 {
			p.Bay[s] = s / 4
			all = append(all, s)
		}
	}
	p.Cand = [][]int{{15}, all, all, all}
	p.Nets = []place.Net{{Src: 0, Sinks: []int{1}}, {Src: 0, Sinks: []int{2}}, {Src: 0, Sinks: []int{3}}}
	init := []int{15, 0, 1, 5}
	for _, c := range []struct {
		name string
		fits func(crew, bay int) bool
		want [4]int // bay of each node
	}{
		{"anywhere", func(int, int) bool { return true }, [4]int{-1, 3, 3, 2}},
		{"the pair does not fit the last bay", func(crew, bay int) bool { return crew != 0 || bay != 3 }, [4]int{-1, 2, 2, 3}},
		{"no bay moves", func(crew, bay int) bool { return crew == bay }, [4]int{-1, 0, 0, 1}},
	} {
		p.Fits = c.fits
		for seed := range uint64(5) {
			got := place.Anneal(p, init, place.Options{Seed: seed, Moves: 200, Cooling: 90})
			used := map[int]bool{}
			for n, s := range got {
				if used[s] || p.Bay[s] != c.want[n] {
					t.Errorf("%s: placement %v", c.name, got)
					break
				}
				used[s] = true
			}
		}
	}
	// Sites that not all nodes may take: the one that only takes the first bay's
	// and the last bay's second site leaves the others the rest.
	p.Cand[2] = []int{1, 13}
	p.Fits = func(int, int) bool { return true }
	got := place.Anneal(p, init, place.Options{Moves: 200, Cooling: 90})
	if got[2] != 13 || got[1] != 14 {
		t.Errorf("placement %v", got)
	}
}

// TestFollow: a node that follows another one goes to the site tied to its, whatever moves the other: a move, an exchange,
// or that of a whole bay; and its nets draw the other one.
func TestFollow(t *testing.T) {
	// Sites 0, 4, 8 and 12 and those beside them, 1, 5, 9 and 13, are tied; the first two belong to one bay, the others to
	// another. Nodes 1 and 3 follow 0 and 2. Node 4, at the end, talks to 1 alone.
	p := line(1, 16)
	p.Bay, p.Tied = make([]int, 16), make([]int, 16)
	for s := range p.Bay {
		p.Bay[s], p.Tied[s] = -1, -1
	}
	var at, tied []int
	for k := range 4 {
		at, tied = append(at, 4*k), append(tied, 4*k+1)
		p.Bay[4*k], p.Tied[4*k] = k/2, 4*k+1
	}
	p.Cand = [][]int{at, tied, at, tied, {15}}
	p.Follow = []int{1, -1, 3, -1, -1}
	p.Nets = []place.Net{{Src: 4, Sinks: []int{1}}, {Src: 0, Sinks: []int{1}}, {Src: 2, Sinks: []int{3}}}
	for _, fits := range []bool{true, false} {
		p.Fits = func(crew, bay int) bool { return fits || crew == bay }
		for seed := range uint64(5) {
			got := place.Anneal(p, []int{0, 1, 4, 5, 15}, place.Options{Seed: seed, Moves: 200, Cooling: 90})
			want := 12
			if !fits {
				want = 4
			}
			if got[0] != want || got[1] != p.Tied[got[0]] || got[3] != p.Tied[got[2]] || got[0] == got[2] {
				t.Errorf("bays exchange %v: placement %v", fits, got)
			}
		}
	}
}

// TestPorts: where a reader has fixed ports, what counts is the distance to the port that it reads at.
func TestPorts(t *testing.T) {
	near := table([]int32{0, 1, 1}, []int32{1, 0, 3}, []int32{1, 3, 0})
	far := table([]int32{0, 1, place.Unreachable}, []int32{1, 0, 2}, []int32{0, 0, 0})
	for port, want := range []int{0, 1} {
		p := &place.Problem{Sites: 3, Cand: [][]int{{0, 1}, {2}}, Nets: []place.Net{{Src: 0, Sinks: []int{1}, Ports: []int{port}}},
			Dist: near, PortDist: []*place.Distances{near, far}}
		for seed := range uint64(5) {
			if got := place.Anneal(p, []int{1 - want, 2}, place.Options{Seed: seed, Moves: 50, Cooling: 90}); got[0] != want {
				t.Errorf("port %d: placement %v, want the source at site %d", port, got, want)
			}
		}
	}
}

// TestWideDistances: what is near for a token need not be for a word, at any port and at a fixed one.
func TestWideDistances(t *testing.T) {
	near := table([]int32{0, 1, 1}, []int32{1, 0, 3}, []int32{1, 3, 0})
	wide := table([]int32{0, 1, 3}, []int32{1, 0, 1}, []int32{3, 1, 0})
	for _, ports := range [][]int{nil, {0}} {
		for _, word := range []bool{false, true} {
			p := &place.Problem{Sites: 3, Cand: [][]int{{0, 1}, {2}}, Nets: []place.Net{{Src: 0, Sinks: []int{1}, Ports: ports, Wide: word}},
				Dist: near, WideDist: wide, PortDist: []*place.Distances{near}, WidePortDist: []*place.Distances{wide}}
			want := 0
			if word {
				want = 1
			}
			if got := place.Anneal(p, []int{1 - want, 2}, place.Options{Seed: 1, Moves: 50, Cooling: 90}); got[0] != want {
				t.Errorf("ports %v, a word: %v: placement %v, want the source at site %d", ports, word, got, want)
			}
		}
	}
}

// TestRefine: a refinement keeps what is good and improves what is near.
func TestRefine(t *testing.T) {
	p := line(12, 16)
	best := make([]int, 12)
	for i := range best {
		best[i] = i + 2
	}
	near := slices.Clone(best)
	near[3], near[4], near[8], near[9] = near[4], near[3], near[9], near[8]
	for seed := range uint64(5) {
		for _, init := range [][]int{best, near} {
			got := place.Anneal(p, init, place.Options{Seed: seed, Moves: 100, Cooling: 90, Refine: true})
			if was, is := length(p, init), length(p, got); is > 11+(was-11)/2 {
				t.Errorf("seed %d: %v of length %d became %v, of length %d", seed, init, was, got, is)
			}
		}
	}
}
