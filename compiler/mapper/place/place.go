// Package place assigns nodes to sites by simulated annealing. Its input
// is neither operations nor fabrics: only the sites each node may take, the nets that
// connect nodes, and the distances between sites.
//
// Source: design page "Mapper", stage 2.
package place

import (
	"math"
	"slices"
)

// Problem is a placement problem.
type Problem struct {
	Sites int
	// Cand[node] are the sites a node may take, ascending.
	Cand [][]int
	Nets []Net
	// Dist are the distances from a node to a reader; WideDist those of wide nets, nil where all have the same.
	Dist, WideDist *Distances
	// PortDist[port] are the distances to an input port of the reader, for readers whose ports are fixed, and
	// WidePortDist those of wide nets.
	PortDist, WidePortDist []*Distances
	// Bay[site] is the bay that a site belongs to, -1 for none; nil means that
	// there are no bays. Nodes that start in one bay stay together: they move within
	// it, or all of them to another one, whose nodes take their sites.
	Bay []int
	// Fits reports whether the nodes that started in bay crew may move to bay; it
	// must not be nil where there are bays.
	Fits func(crew, bay int) bool
	// Follow[node] is the node that goes where node goes, -1 for none: to the site Tied[site], which belongs to the
	// site of node. No other node may take such a site. Nil where there are none.
	Follow, Tied []int
	// Cluster[site] is the cluster that a site belongs to, -1 for none, nil where there are none: sites that share
	// what Limits[cluster] has. A placement that needs more costs.
	Cluster []int
	Limits  []Limits
	// Words[node] are words that a node needs of a cluster.
	Words [][]uint64
}

// Limits are what the sites of a cluster have together: inputs and outputs for nets to and from the outside, a net once
// however many of its readers are inside, those that carry words and others; and places for different words of
// nodes.
type Limits struct{ Ins, TokenIns, Outs, TokenOuts, Words int }

// Net connects a source with its readers.
type Net struct {
	Src   int
	Sinks []int
	// Ports are the input ports of the sinks, -1 for any; nil: any of all.
	Ports []int
	// Wide is set for nets that only inputs and outputs of words can carry.
	Wide bool
}

// Between is the distance from site a to site b, where sink k of a net reads.
func (p *Problem) Between(net *Net, k, a, b int) int { return p.distances(net, k).At(a, b) }

// distances are those to sink k of a net.
func (p *Problem) distances(net *Net, k int) *Distances {
	dist, ports := p.Dist, p.PortDist
	if net.Wide && p.WideDist != nil {
		dist, ports = p.WideDist, p.WidePortDist
	}
	if net.Ports != nil && net.Ports[k] >= 0 {
		return ports[net.Ports[k]]
	}
	return dist
}

// Options are the annealer's parameters.
type Options struct {
	Seed uint64
	// Moves is how many moves are tried per node and temperature.
	Moves int
	// Cooling is the temperature factor in percent per step.
	Cooling int
	// Refine improves an assignment that is good already: the first temperature is a fraction of what it would be, and
	// nodes move to where they have neighbours.
	Refine bool
	// Stop ends early when it returns true.
	Stop func() bool
	// Weigh, when set, gives the weights of the sinks of every net for a
	// placement, in units of 1/16 of a hop of wire: what a hop on the path to that
	// sink costs in time. It is called again at every temperature, because
	// recurrences become critical or cease to be as nodes move.
	Weigh func(site []int) [][]int64
}

type annealer struct {
	p      *Problem
	near   []int32
	rng    *RNG
	site   []int // node -> site
	node   []int // site -> node, -1
	netsOf [][]int
	cost   []int64 // per net
	nets   []wires
	isCand [][]bool
	// peers are the nodes that share a net with a node.
	peers [][]int
	// window is how many of the nearest sites a directed move considers.
	window int
	mark   []int
	epoch  int
	touch  []int
	saved  []int64
	// sitesIn[bay] are the sites of a bay, crew[bay] the bay where the nodes in it
	// started, -1 when it is empty; moves is scratch space.
	sitesIn [][]int
	crew    []int
	moves   []move
	// excess[cluster] is how much more than there is the nodes of a cluster need.
	clusters [][]int // sites by cluster
	excess   []int
	changed  []int // clusters
	before   []int // their excess
	words    []uint64
	netMark  []int
	netEpoch int
}

// move takes a node from one site to another.
type move struct{ node, from, to int }

// wires are a net as its cost is computed.
type wires struct {
	src   int
	sinks []wire
}

// wire is a sink of a net: its weight, and the distances to it as Distances has them.
type wire struct {
	node   int
	weight int64
	into   []int16
}

// wireWeight is the weight of one hop of wire, in the units of Net.Weights.
const wireWeight = 16

// reweigh computes new weights and all costs.
func (a *annealer) reweigh(weigh func([]int) [][]int64) {
	if weigh == nil {
		return
	}
	for i, row := range weigh(a.site) {
		for k, w := range row {
			a.nets[i].sinks[k].weight = w
		}
	}
	for i := range a.cost {
		a.cost[i] = a.netCost(i)
	}
}

func newAnnealer(p *Problem, init []int, seed uint64) *annealer {
	a := &annealer{p: p, near: p.Dist.nearest(), rng: NewRNG(seed), site: append([]int(nil), init...), node: make([]int, p.Sites),
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
	a.peers = make([][]int, len(p.Cand))
	a.nets = make([]wires, len(p.Nets))
	for i, net := range p.Nets {
		a.add(net.Src, i)
		a.nets[i].src = net.Src
		for k, s := range net.Sinks {
			a.nets[i].sinks = append(a.nets[i].sinks, wire{node: s, into: p.distances(&net, k).into})
			a.add(s, i)
			a.peers[net.Src] = append(a.peers[net.Src], s)
			a.peers[s] = append(a.peers[s], net.Src)
		}
		a.cost[i] = a.netCost(i)
	}
	for n, f := range p.Follow {
		if f >= 0 {
			a.peers[n] = slices.DeleteFunc(append(a.peers[n], a.peers[f]...), func(x int) bool { return x == n || x == f })
		}
	}
	a.window = p.Sites
	a.findBays()
	a.findClusters()
	return a
}

// target picks where to move a node: any of its sites, or (mostly) one near a
// node that it talks to.
func (a *annealer) target(n int) int {
	cs := a.p.Cand[n]
	peers := a.peers[n]
	if len(peers) == 0 || a.rng.Intn(4) == 0 {
		return cs[a.rng.Intn(len(cs))]
	}
	peer := a.site[peers[a.rng.Intn(len(peers))]]
	to := int(a.near[peer*a.p.Sites+a.rng.Intn(min(a.window, a.p.Sites))])
	if !a.isCand[n][to] {
		return -1
	}
	return to
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
	for _, x := range a.excess {
		t += int64(x) * excessCost
	}
	return t
}

// netCost estimates a net: the delay to each reader by its weight, plus the wire
// of a tree that reaches reader after reader from its nearest site.
func (a *annealer) netCost(i int) int64 {
	net := &a.nets[i]
	src := a.site[net.src]
	var total, delay int64
	for k := range net.sinks {
		sink := &net.sinks[k]
		at := a.site[sink.node] * a.p.Sites
		from := sink.into[at : at+a.p.Sites]
		d := from[src]
		delay += int64(d) * sink.weight
		best := d
		for e := range net.sinks[:k] {
			// Branching off costs at least one hop.
			best = min(best, max(from[a.site[net.sinks[e].node]]-1, 1))
		}
		total += int64(best)
	}
	return delay + total*wireWeight
}

// refineCooler divides the first temperature of a refinement; nearby is how many of the nearest sites directed moves
// consider in the end.
const (
	refineCooler = 8
	nearby       = 24
)

// Anneal improves an assignment. Effort is
// counted in moves: the result depends on the arguments alone.
func Anneal(p *Problem, init []int, opts Options) []int {
	a := newAnnealer(p, init, opts.Seed)
	var movable []int
	follows := make([]bool, len(p.Cand))
	for _, f := range p.Follow {
		if f >= 0 {
			follows[f] = true
		}
	}
	for n, cs := range p.Cand {
		if len(cs) > 1 && !follows[n] {
			movable = append(movable, n)
		}
	}
	if len(movable) == 0 || len(p.Nets) == 0 {
		return a.site
	}
	moves := opts.Moves * len(movable)
	a.reweigh(opts.Weigh)
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
		temp = max(sum/count, 1)
	}
	if opts.Refine {
		a = newAnnealer(p, init, opts.Seed) // as it was before these moves
		temp = max(temp/refineCooler, 1)
		a.window = nearby
	}
	for idle := 0; idle < 4 && temp > 0.5; {
		if opts.Stop != nil && opts.Stop() {
			break
		}
		a.reweigh(opts.Weigh)
		before, accepted := a.total(), 0
		for range moves {
			if d, ok := a.try(movable, temp); ok && d != 0 {
				accepted++
			}
		}
		if accepted*50 < moves && a.total() >= before {
			idle++
		}
		temp = float64(temp*float64(opts.Cooling)) / 100
		a.window = max(a.window*9/10, nearby)
	}
	a.reweigh(opts.Weigh)
	for range 2 * moves {
		a.try(movable, 0)
	}
	return a.site
}

// hopeless is how many temperatures a move may cost to be kept by chance: once in a thousand million.
const hopeless = 20

// try makes one random move or swap and keeps it by Metropolis' rule.
func (a *annealer) try(movable []int, temp float64) (delta int64, kept bool) {
	n := movable[a.rng.Intn(len(movable))]
	to := a.target(n)
	from := a.site[n]
	if to < 0 || to == from {
		return 0, false
	}
	if c := a.p.Cluster; c != nil && c[to] >= 0 && c[to] == c[from] {
		return 0, false // the sites of a cluster are alike
	}
	a.moves = a.moves[:0]
	if a.p.Bay != nil && a.p.Bay[to] >= 0 && a.p.Bay[to] != a.p.Bay[from] {
		if !a.exchange(a.p.Bay[from], a.p.Bay[to]) {
			return 0, false
		}
	} else {
		m := a.node[to]
		if m >= 0 && !a.isCand[m][from] {
			return 0, false
		}
		a.moves = append(a.moves, move{n, from, to})
		if m >= 0 {
			a.moves = append(a.moves, move{m, to, from})
		}
	}
	a.tie()
	a.apply()
	// What is left to count gets as cheap as nothing at best. Where not even that would keep the move, the rest is not counted.
	a.change()
	var left int64
	for _, c := range a.changed {
		left += int64(a.excess[c]) * excessCost
	}
	for _, i := range a.touch {
		left += a.cost[i]
	}
	bound := func() bool { return delta > left && float64(delta-left) >= hopeless*temp }
	a.saved, a.before = a.saved[:0], a.before[:0]
	for _, i := range a.touch {
		if bound() {
			break
		}
		before, now := a.cost[i], a.netCost(i)
		a.saved, a.cost[i] = append(a.saved, before), now
		delta += now - before
		left -= before
	}
	for _, c := range a.changed {
		if bound() {
			break
		}
		before, now := a.excess[c], a.exceeds(c)
		a.before, a.excess[c] = append(a.before, before), now
		delta += int64(now-before) * excessCost
		left -= int64(before) * excessCost
	}
	if !bound() && (delta <= 0 || a.rng.Float() < math.Exp(float64(-delta)/temp)) {
		a.follow()
		return delta, true
	}
	for k, cost := range a.saved {
		a.cost[a.touch[k]] = cost
	}
	for k, excess := range a.before {
		a.excess[a.changed[k]] = excess
	}
	a.revert()
	return 0, false
}

// tie adds the moves of the nodes that follow.
func (a *annealer) tie() {
	if a.p.Follow == nil {
		return
	}
	for _, m := range a.moves {
		if f := a.p.Follow[m.node]; f >= 0 {
			a.moves = append(a.moves, move{f, a.p.Tied[m.from], a.p.Tied[m.to]})
		}
	}
}

// apply makes the moves and lists the nets they touch.
func (a *annealer) apply() {
	a.epoch++
	a.touch = a.touch[:0]
	for _, m := range a.moves {
		a.node[m.from] = -1
	}
	for _, m := range a.moves {
		a.site[m.node], a.node[m.to] = m.to, m.node
		for _, i := range a.netsOf[m.node] {
			if a.mark[i] != a.epoch {
				a.mark[i] = a.epoch
				a.touch = append(a.touch, i)
			}
		}
	}
}

// revert takes the moves back.
func (a *annealer) revert() {
	for _, m := range a.moves {
		a.node[m.to] = -1
	}
	for _, m := range a.moves {
		a.site[m.node], a.node[m.from] = m.from, m.node
	}
}
