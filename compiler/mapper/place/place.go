// Package place assigns nodes to sites by simulated annealing. It knows neither
// operations nor fabrics: only which sites each node may take, which nodes talk
// to which, and how far sites are apart.
//
// Source: design page "Mapper", stage 2.
package place

import "math"

// Problem is a placement problem.
type Problem struct {
	Sites int
	// Cand[node] are the sites a node may take, ascending.
	Cand [][]int
	Nets []Net
	// Dist[a][b] is the distance from a node at site a to a reader at site b,
	// Spread[a][b] an estimate of the extra wire to reach b when the net already
	// reaches a.
	Dist [][]int32
}

// Net connects a source with its readers.
type Net struct {
	Src int
	// Sinks and their weights: 16 is an ordinary one, more a reader on a
	// recurrence whose distance costs cycles per iteration.
	Sinks   []int
	Weights []int64
}

// Options are the annealer's parameters.
type Options struct {
	Seed uint64
	// Moves is how many moves are tried per node and temperature.
	Moves int
	// Cooling is the temperature factor in percent per step.
	Cooling int
	// Stop ends early when it returns true.
	Stop func() bool
}

type annealer struct {
	p      *Problem
	rng    *RNG
	site   []int // node -> site
	node   []int // site -> node, -1
	netsOf [][]int
	cost   []int64 // per net
	isCand [][]bool
	mark   []int
	epoch  int
	touch  []int
	saved  []int64
}

// wireWeight is the weight of one hop of wire, in the units of Net.Weights.
const wireWeight = 16

// Cost is the estimate the annealer minimises, for tests and reports.
func Cost(p *Problem, site []int) int64 {
	a := newAnnealer(p, site, 0)
	return a.total()
}

func newAnnealer(p *Problem, init []int, seed uint64) *annealer {
	a := &annealer{p: p, rng: NewRNG(seed), site: append([]int(nil), init...), node: make([]int, p.Sites),
		netsOf: make([][]int, len(p.Cand)), cost: make([]int64, len(p.Nets)), mark: make([]int, len(p.Nets))}
	for s := range a.node {
		a.node[s] = -1
	}
	for n, s := range a.site {
		a.node[s] = n
	}
	a.isCand = make([][]bool, len(p.Cand))
	for n, cs := range p.Cand {
		a.isCand[n] = make([]bool, p.Sites)
		for _, s := range cs {
			a.isCand[n][s] = true
		}
	}
	for i, net := range p.Nets {
		a.add(net.Src, i)
		for _, s := range net.Sinks {
			a.add(s, i)
		}
		a.cost[i] = a.netCost(i)
	}
	return a
}

func (a *annealer) add(node, net int) {
	l := a.netsOf[node]
	if len(l) == 0 || l[len(l)-1] != net {
		a.netsOf[node] = append(l, net)
	}
}

func (a *annealer) total() int64 {
	var t int64
	for _, c := range a.cost {
		t += c
	}
	return t
}

// netCost estimates a net: the delay to each reader by its weight, plus the wire
// of a tree that reaches reader after reader from the nearest place it has.
func (a *annealer) netCost(i int) int64 {
	net := &a.p.Nets[i]
	src := a.site[net.Src]
	row := a.p.Dist[src]
	var wire, delay int64
	for k, s := range net.Sinks {
		at := a.site[s]
		d := int64(row[at])
		delay += d * net.Weights[k]
		best := d
		for _, e := range net.Sinks[:k] {
			// Branching off costs at least one hop.
			best = min(best, max(int64(a.p.Dist[a.site[e]][at])-1, 1))
		}
		wire += best
	}
	return delay + wire*wireWeight
}

// Anneal improves an assignment and returns the best one found. Effort is
// counted in moves: the result depends on the arguments alone.
func Anneal(p *Problem, init []int, opts Options) []int {
	a := newAnnealer(p, init, opts.Seed)
	var movable []int
	for n, cs := range p.Cand {
		if len(cs) > 1 {
			movable = append(movable, n)
		}
	}
	if len(movable) == 0 || len(p.Nets) == 0 {
		return a.site
	}
	moves := opts.Moves * len(movable)
	// The first temperature follows from the spread of random moves.
	var sum, count float64
	for range min(4*len(movable), 400) {
		if d, ok := a.try(movable, math.MaxFloat64); ok {
			sum += math.Abs(float64(d))
			count++
		}
	}
	temp := 1.0
	if count > 0 {
		temp = max(2*sum/count, 1)
	}
	best, bestCost := append([]int(nil), a.site...), a.total()
	for idle := 0; idle < 6 && temp > 0.5; {
		if opts.Stop != nil && opts.Stop() {
			break
		}
		accepted := 0
		for range moves {
			if d, ok := a.try(movable, temp); ok && d != 0 {
				accepted++
			}
		}
		if c := a.total(); c < bestCost {
			bestCost, idle = c, 0
			copy(best, a.site)
		} else if accepted*50 < moves {
			idle++
		}
		temp = float64(temp*float64(opts.Cooling)) / 100
	}
	// Greedy finish from the best.
	b := newAnnealer(p, best, opts.Seed+1)
	for range 2 * moves {
		b.try(movable, 0)
	}
	return b.site
}

// try makes one random move or swap and keeps it by Metropolis' rule.
func (a *annealer) try(movable []int, temp float64) (delta int64, kept bool) {
	n := movable[a.rng.Intn(len(movable))]
	cs := a.p.Cand[n]
	to := cs[a.rng.Intn(len(cs))]
	from := a.site[n]
	if to == from {
		return 0, false
	}
	m := a.node[to]
	if m >= 0 && !a.isCand[m][from] {
		return 0, false
	}
	a.epoch++
	a.touch = a.touch[:0]
	for _, i := range a.netsOf[n] {
		if a.mark[i] != a.epoch {
			a.mark[i] = a.epoch
			a.touch = append(a.touch, i)
		}
	}
	a.site[n], a.node[to], a.node[from] = to, n, m
	if m >= 0 {
		a.site[m] = from
		for _, i := range a.netsOf[m] {
			if a.mark[i] != a.epoch {
				a.mark[i] = a.epoch
				a.touch = append(a.touch, i)
			}
		}
	}
	a.saved = a.saved[:0]
	for _, i := range a.touch {
		a.saved = append(a.saved, a.cost[i])
		c := a.netCost(i)
		delta += c - a.cost[i]
		a.cost[i] = c
	}
	if delta <= 0 || temp > 0 && a.rng.Float() < math.Exp(float64(-delta)/temp) {
		return delta, true
	}
	for k, i := range a.touch {
		a.cost[i] = a.saved[k]
	}
	a.site[n], a.node[from], a.node[to] = from, n, m
	if m >= 0 {
		a.site[m] = to
	}
	return 0, false
}
