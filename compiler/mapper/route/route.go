package route

import "sort"

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

// Tree is a routed net: Parent[t] is the track before t, -1 at the start.
type Tree struct {
	Parent map[int]int
	// Leaf[k] is the last track of sink k.
	Leaf []int
}

// Path returns the tracks from the source to sink k.
func (t *Tree) Path(k int) []int {
	var p []int
	for at := t.Leaf[k]; at >= 0; at = t.Parent[at] {
		p = append(p, at)
	}
	for i, j := 0, len(p)-1; i < j; i, j = i+1, j-1 {
		p[i], p[j] = p[j], p[i]
	}
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
	// search state, valid where stamp matches
	stamp []int32
	now   int32
	best  []int64
	from  []int
	pq    queue
	// of tracks, beside each other for search: width, delay, and cost at the present congestion
	width  []int32
	delays []int64
	costs  []int64
	// mine marks the tracks of the tree under construction with its number.
	mine []int32
	net  int32
}

// Route routes all nets so that no track carries two of them. The order of nets
// and all costs are integers: the result depends on the arguments alone.
func Route(g *Graph, nets []Net, opts Options) ([]*Tree, *Failure) {
	r := &router{g: g, nets: nets, trees: make([]*Tree, len(nets)), occ: make([]int32, len(g.Tracks)),
		hist: make([]int64, len(g.Tracks)), stamp: make([]int32, len(g.Tracks)),
		best: make([]int64, len(g.Tracks)), from: make([]int, len(g.Tracks)), mine: make([]int32, len(g.Tracks)), pres: 8,
		width: make([]int32, len(g.Tracks)), delays: make([]int64, len(g.Tracks)), costs: make([]int64, len(g.Tracks))}
	for i, t := range g.Tracks {
		r.width[i], r.delays[i] = int32(t.Width), unit+unit*int64(t.Latency)
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
	for t := range r.trees[n].Parent {
		if r.occ[t] > 1 {
			return true
		}
	}
	return false
}

func (r *router) rip(n int) {
	if r.trees[n] == nil {
		return
	}
	for t := range r.trees[n].Parent {
		r.occupy(t, -1)
	}
	r.trees[n] = nil
}

// occupy has so many more nets on a track, and prices it anew.
func (r *router) occupy(t int, nets int32) {
	r.occ[t] += nets
	r.costs[t] = r.cost(t)
}

// reprice prices all tracks anew after an iteration.
func (r *router) reprice() {
	for t := range r.costs {
		r.costs[t] = r.cost(t)
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
	tree := &Tree{Parent: map[int]int{}, Leaf: make([]int, len(net.Sinks))}
	var members []int // of the tree, in the order they joined: no map order
	arrive := map[int]int64{}
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
	for _, k := range order {
		leaf := r.search(net, k, members, arrive)
		if leaf < 0 {
			for _, t := range members {
				r.occupy(t, -1)
			}
			return k
		}
		tree.Leaf[k] = leaf
		var path []int
		at := leaf
		for {
			if _, in := tree.Parent[at]; in {
				break
			}
			path = append(path, at)
			tree.Parent[at] = r.from[at]
			if r.from[at] < 0 {
				break
			}
			at = r.from[at]
		}
		for i := len(path) - 1; i >= 0; i-- {
			t := path[i]
			arrive[t] = r.delays[t]
			if p := tree.Parent[t]; p >= 0 {
				arrive[t] += arrive[p]
			}
			members = append(members, t)
			r.mine[t] = r.net
			r.occupy(t, 1)
		}
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
// last track; r.from holds the predecessors on the path.
func (r *router) search(net *Net, k int, members []int, arrive map[int]int64) int {
	sink := &net.Sinks[k]
	r.now++
	r.pq = r.pq[:0]
	crit, width, fit := sink.Crit, int32(net.Width), int32(r.g.fitting(net.Width))
	// reach goes on to a track at a price of g for the way before it, if that leads to the sink and no cheaper way is known.
	reach := func(t, from int, g int64) {
		h := int64(sink.Dist[t])
		if h >= int64(Far) || r.width[t] < width || r.mine[t] == r.net {
			return
		}
		seen := r.stamp[t] == r.now
		if seen && r.best[t] <= g {
			return // a track costs something
		}
		cost := r.costs[t]
		p := ((256-crit)*cost + crit*max(r.delays[t], cost/4)) / 256
		if r.width[t] > fit {
			p *= wide
		}
		if g += p; seen && r.best[t] <= g {
			return
		}
		r.stamp[t], r.best[t], r.from[t] = r.now, g, from
		r.pq.push(item{f: g + h*unit, g: g, t: t})
	}
	if len(members) == 0 {
		for _, t := range net.Sources {
			if net.reachesAll(t) {
				reach(t, -1, 0)
			}
		}
	} else {
		// Continue from any track of the tree: switches fork.
		for _, m := range members {
			g := crit * arrive[m] / 256
			for _, t := range r.g.Next[m] {
				reach(t, m, g)
			}
		}
	}
	for len(r.pq) > 0 {
		it := r.pq.pop()
		if it.g != r.best[it.t] {
			continue
		}
		if sink.Dist[it.t] == 0 {
			return it.t
		}
		for _, t := range r.g.Next[it.t] {
			reach(t, it.t, it.g)
		}
	}
	return -1
}

func (r *router) failure() *Failure {
	users := make([][]int, len(r.g.Tracks))
	for n, tree := range r.trees {
		for t := range tree.Parent {
			users[t] = append(users[t], n)
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

type item struct {
	f, g int64
	t    int
}

// before orders items by estimate, then track number: equal costs have one order.
func (a *item) before(b *item) bool {
	if a.f != b.f {
		return a.f < b.f
	}
	if a.g != b.g {
		return a.g > b.g
	}
	return a.t < b.t
}

// queue is a heap of items, of four children each. container/heap would do: its interfaces take half of the router's time.
type queue []item

func (q *queue) push(x item) {
	h := append(*q, x)
	i := len(h) - 1
	for i > 0 {
		up := (i - 1) / 4
		if !x.before(&h[up]) {
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
		for c := down + 1; c < min(down+4, len(h)); c++ {
			if h[c].before(&h[down]) {
				down = c
			}
		}
		if !h[down].before(&x) {
			break
		}
		h[i] = h[down]
		i = down
	}
	if len(h) > 0 {
		h[i] = x
	}
	return first
}
