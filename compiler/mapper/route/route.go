package route

import (
	"math"
	"math/bits"
	"slices"
	"sort"
)

// Net is one value to route.
type Net struct {
	// Sources are the tracks the net may start on: equivalent outputs of one PE,
	// or the one fixed output of a memory or the boundary.
	Sources []int
	Width   int
	Sinks   []Sink
}

// Sink is one end of a net.
type Sink struct {
	// Targets are the tracks that end at an acceptable input.
	Targets []int
	// Dist is the distance table of the targets.
	Dist []int32
	// Crit weighs delay against congestion, 0…256: 256 takes the fastest path.
	Crit int64
}

// Tree is a routed net.
type Tree struct {
	branches []branch
	// leaf[k] is the branch that ends at sink k.
	leaf []int32
}

// branch is a track of a tree; parent is the branch before it, -1 at the start.
type branch struct {
	track, parent int32
	// arrive is the delay from the start to its end, in units.
	arrive int64
}

// Tracks is how many tracks the net takes.
func (t *Tree) Tracks() int { return len(t.branches) }

// Leaf is the last track of sink k.
func (t *Tree) Leaf(k int) int { return int(t.branches[t.leaf[k]].track) }

// Path returns the tracks from the source to sink k.
func (t *Tree) Path(k int) []int {
	var p []int
	for at := t.leaf[k]; at >= 0; at = t.branches[at].parent {
		p = append(p, int(t.branches[at].track))
	}
	slices.Reverse(p)
	return p
}

// Options are the router's parameters.
type Options struct {
	// Iterations is how often congested nets are ripped up before giving up.
	Iterations int
	// Stop, when it returns true, ends routing early without a result.
	Stop func() bool
}

// Failure reports why routing failed.
type Failure struct {
	// Overused are the tracks that more than one net wants, with the nets.
	Overused []Overuse
	// Unreachable are nets with a sink that no path leads to: {net, sink}.
	Unreachable [][2]int
	Stopped     bool
}

// Overuse is a track wanted by several nets.
type Overuse struct {
	Track int
	Nets  []int
}

// unit is the cost of one free track.
const unit = 64

// wide is how many times more a track costs if narrower ones carry the net as well: a token
// on the words' channels takes the way of a word, and all of its readers must be reached there.
const wide = 4

// growth is by how many hundredths an iteration makes congestion dearer. Of 64 attempts at kernels that are hard to route 22 end without
// congestion after a hundred iterations; with 33 it is 15, as nets do not have the time to make room for each other.
const growth = 15

type router struct {
	g     *Graph
	nets  []Net
	trees []*Tree
	occ   []int32
	hist  []int64
	pres  int64 // in 1/16
	now   int32 // number of the search
	net   int32 // number of the tree under construction
	pq    queue
	bits  int // of an item, for a track
	// state is what searches read and write of every track: half a line of a cache.
	state []state
	// in is the branch of the tree under construction that a track is, where state has its number.
	in []int32
}

// state is what a search knows of a track.
type state struct {
	best   int64  // the price of the cheapest way known, valid where stamp is the search's number
	cost   int64  // the price of the track at the present congestion
	from   int32  // the track before on that way, -1 for none
	stamp  int32  // the search that was here
	mine   int32  // the tree that the track is on
	width  uint16 // in bits
	cycles uint16 // latency
}

// delay is the price of a track that is free.
func (s *state) delay() int64 { return unit + unit*int64(s.cycles) }

// hopeless reports whether a routing with so many congested tracks after so many rounds is given up. Of 680 that came to do without
// on float12x12 none had more than 11 after 30 rounds, or than 6 after 50. Of 248 that did not, of a kernel around two crowded
// memories, 197 had more than 14 after 30 and all more than 8 later.
func hopeless(rounds, congested int) bool {
	return rounds >= 30 && congested > 14 || rounds >= 50 && congested > 8
}

// Route routes all nets so that no track carries two of them. The order of nets
// and all costs are integers: the result depends on the arguments alone.
func Route(g *Graph, nets []Net, opts Options) ([]*Tree, *Failure) {
	r := &router{g: g, nets: nets, trees: make([]*Tree, len(nets)), occ: make([]int32, len(g.Tracks)),
		hist: make([]int64, len(g.Tracks)), state: make([]state, len(g.Tracks)), in: make([]int32, len(g.Tracks)), pres: 8, bits: bits.Len(uint(len(g.Tracks)))}
	for i, t := range g.Tracks {
		r.state[i].width, r.state[i].cycles = uint16(min(t.Width, math.MaxUint16)), uint16(min(t.Latency, math.MaxUint16))
	}
	r.reprice()
	order := r.order()
	for it := range opts.Iterations {
		if opts.Stop != nil && opts.Stop() {
			return nil, &Failure{Stopped: true}
		}
		for _, n := range order {
			if r.trees[n] != nil && it > 0 && !r.congested(n) {
				continue
			}
			r.rip(n)
			if k := r.routeNet(n); k >= 0 {
				return nil, &Failure{Unreachable: [][2]int{{n, k}}}
			}
		}
		over := 0
		for t, o := range r.occ {
			if o > 1 {
				over++
				r.hist[t] += int64(o-1) * unit / 2
			}
		}
		if over == 0 {
			return r.trees, nil
		}
		if hopeless(it+1, over) {
			break
		}
		r.pres = min(r.pres+r.pres*growth/100+1, 1<<20)
		r.reprice()
	}
	return nil, r.failure()
}

// order serves critical nets first, then those with many sinks.
func (r *router) order() []int {
	order := make([]int, len(r.nets))
	crit := make([]int64, len(r.nets))
	for i := range order {
		order[i] = i
		for _, s := range r.nets[i].Sinks {
			crit[i] = max(crit[i], s.Crit)
		}
	}
	sort.SliceStable(order, func(a, b int) bool {
		x, y := order[a], order[b]
		if crit[x] != crit[y] {
			return crit[x] > crit[y]
		}
		return len(r.nets[x].Sinks) > len(r.nets[y].Sinks)
	})
	return order
}

func (r *router) congested(n int) bool {
	for _, b := range r.trees[n].branches {
		if r.occ[b.track] > 1 {
			return true
		}
	}
	return false
}

func (r *router) rip(n int) {
	if r.trees[n] == nil {
		return
	}
	r.release(r.trees[n])
	r.trees[n] = nil
}

// release takes a tree from its tracks.
func (r *router) release(tree *Tree) {
	for _, b := range tree.branches {
		r.occupy(b.track, -1)
	}
}

// occupy has so many more nets on a track, and prices it anew.
func (r *router) occupy(t, nets int32) {
	r.occ[t] += nets
	r.state[t].cost = r.cost(int(t))
}

// reprice prices all tracks anew after an iteration.
func (r *router) reprice() {
	for t := range r.state {
		r.state[t].cost = r.cost(t)
	}
}

// cost is the price of a track at the present congestion.
func (r *router) cost(t int) int64 {
	c := unit + r.hist[t]
	return c + c*int64(r.occ[t])*r.pres/16
}

// routeNet routes every sink of a net and returns a sink without any path, -1
// when all are routed. A sink that finds no path because the others took the
// start or the input it needs comes first in another try.
func (r *router) routeNet(n int) int {
	failed := -1
	for range len(r.nets[n].Sinks) + 1 {
		k := r.routeSinks(n, failed)
		if k < 0 {
			return -1
		}
		if k == failed {
			break // not even alone
		}
		failed = k
	}
	return failed
}

// routeSinks is one try at a net, with the given sink before the others.
func (r *router) routeSinks(n, first int) int {
	net := &r.nets[n]
	r.net++
	tree := &Tree{leaf: make([]int32, len(net.Sinks))}
	order := make([]int, len(net.Sinks))
	for i := range order {
		order[i] = i
	}
	near := func(k int) int32 {
		d := Far
		for _, s := range net.Sources {
			d = min(d, net.Sinks[k].Dist[s])
		}
		return d
	}
	sort.SliceStable(order, func(a, b int) bool {
		x, y := order[a], order[b]
		if (x == first) != (y == first) {
			return x == first
		}
		if net.Sinks[x].Crit != net.Sinks[y].Crit {
			return net.Sinks[x].Crit > net.Sinks[y].Crit
		}
		return near(x) < near(y)
	})
	var path []int32
	for _, k := range order {
		leaf := r.search(net, k, tree)
		if leaf < 0 {
			r.release(tree)
			return k
		}
		path = path[:0]
		for at := leaf; at >= 0 && r.state[at].mine != r.net; at = r.state[at].from {
			path = append(path, at)
		}
		for _, t := range slices.Backward(path) {
			s := &r.state[t]
			b := branch{track: t, parent: -1, arrive: s.delay()}
			if s.from >= 0 {
				b.parent = r.in[s.from]
				b.arrive += tree.branches[b.parent].arrive
			}
			s.mine, r.in[t] = r.net, int32(len(tree.branches))
			tree.branches = append(tree.branches, b)
			r.occupy(t, 1)
		}
		tree.leaf[k] = r.in[leaf]
	}
	r.trees[n] = tree
	return -1
}

// reachesAll reports whether a start leads to every sink; ending in one of
// several sinks right away would leave out the others.
func (n *Net) reachesAll(t int) bool {
	for _, s := range n.Sinks {
		if s.Dist[t] >= Far || s.Dist[t] == 0 && len(n.Sinks) > 1 {
			return false
		}
	}
	return true
}

// search finds the cheapest continuation of the tree to sink k and returns its
// last track, -1 for none; the states of tracks hold the predecessors on the path.
func (r *router) search(net *Net, k int, tree *Tree) int32 {
	sink := &net.Sinks[k]
	r.now++
	r.pq = r.pq[:0]
	crit, width, fit := sink.Crit, uint16(min(net.Width, math.MaxUint16)), r.g.fitting(net.Width)
	// reach goes on to a track at a price of g for the way before it, if that leads to the sink and no cheaper way is known.
	reach := func(t, from int32, g int64) {
		h := sink.Dist[t]
		s := &r.state[t]
		if h >= Far || s.width < width || s.mine == r.net {
			return
		}
		seen := s.stamp == r.now
		if seen && s.best <= g {
			return // a track costs something
		}
		p := ((256-crit)*s.cost + crit*max(s.delay(), s.cost/4)) / 256
		if int(s.width) > fit {
			p *= wide
		}
		if g += p; seen && s.best <= g {
			return
		}
		s.stamp, s.best, s.from = r.now, g, from
		r.pq.push(r.item(g+int64(h)*unit, h, t))
	}
	if len(tree.branches) == 0 {
		for _, t := range net.Sources {
			if net.reachesAll(t) {
				reach(int32(t), -1, 0)
			}
		}
	} else {
		// Continue from any track of the tree: switches fork.
		for _, b := range tree.branches {
			g := crit * b.arrive / 256
			for _, t := range r.g.next.of(b.track) {
				reach(t, b.track, g)
			}
		}
	}
	for len(r.pq) > 0 {
		it := r.pq.pop()
		at := int32(it & (1<<r.bits - 1))
		g, h := r.state[at].best, sink.Dist[at]
		if r.item(g+int64(h)*unit, h, at) != it {
			continue // a cheaper way came after it
		}
		if h == 0 {
			return at
		}
		for _, t := range r.g.next.of(at) {
			reach(t, at, g)
		}
	}
	return -1
}

func (r *router) failure() *Failure {
	users := make([][]int, len(r.g.Tracks))
	for n, tree := range r.trees {
		for _, b := range tree.branches {
			users[b.track] = append(users[b.track], n)
		}
	}
	f := &Failure{}
	for t, u := range users {
		if len(u) > 1 {
			f.Overused = append(f.Overused, Overuse{t, u})
		}
	}
	return f
}

// item is a track that a search may go on from, as a number: first the price of the way to its end with what is left at
// least, then how many tracks are left, then the track. Equal prices have one order.
type item uint64

// leftBits are the bits of an item for how many tracks are left. What does not fit into the bits of it, or of a price, is
// the largest that does: then what is larger is alike.
const leftBits = 6

// item states a track for the queue.
func (r *router) item(price int64, left, track int32) item {
	return item(min(price, 1<<(64-leftBits-r.bits)-1))<<(leftBits+r.bits) | item(min(left, 1<<leftBits-1))<<r.bits | item(track)
}

// queue is a heap of items, of four children each. container/heap would do: its interfaces take half of the router's time.
type queue []item

func (q *queue) push(x item) {
	h := append(*q, x)
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 4
		if x >= h[up] {
			break
		}
		h[i] = h[up]
		i = up
	}
	h[i] = x
	*q = h
}

func (q *queue) pop() item {
	h := *q
	first, x := h[0], h[len(h)-1]
	h = h[:len(h)-1]
	*q = h
	i := 0
	for {
		down := 4*i + 1
		if down >= len(h) {
			break
		}
		least := h[down]
		for c := down + 1; c < min(4*i+5, len(h)); c++ {
			if h[c] < least {
				least, down = h[c], c
			}
		}
		if least >= x {
			break
		}
		h[i] = least
		i = down
	}
	if len(h) > 0 {
		h[i] = x
	}
	return first
}
