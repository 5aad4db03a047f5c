package route

import (
	"container/heap"
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
	// mine marks the tracks of the tree under construction with its number.
	mine []int32
	net  int32
}

// Route routes all nets so that no track carries two of them. The order of nets
// and all costs are integers: the result depends on the arguments alone.
func Route(g *Graph, nets []Net, opts Options) ([]*Tree, *Failure) {
	r := &router{g: g, nets: nets, trees: make([]*Tree, len(nets)), occ: make([]int32, len(g.Tracks)),
		hist: make([]int64, len(g.Tracks)), stamp: make([]int32, len(g.Tracks)),
		best: make([]int64, len(g.Tracks)), from: make([]int, len(g.Tracks)), mine: make([]int32, len(g.Tracks)), pres: 8}
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
		r.occ[t]--
	}
	r.trees[n] = nil
}

// cost is the price of a track at the present congestion.
func (r *router) cost(t int) int64 {
	c := unit + r.hist[t]
	return c + c*int64(r.occ[t])*r.pres/16
}

// delay is the price of a track's time.
func (r *router) delay(t int) int64 {
	return unit + unit*int64(r.g.Tracks[t].Latency)
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
				r.occ[t]--
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
			arrive[t] = r.delay(t)
			if p := tree.Parent[t]; p >= 0 {
				arrive[t] += arrive[p]
			}
			members = append(members, t)
			r.mine[t] = r.net
			r.occ[t]++
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
	crit := sink.Crit
	push := func(t, from int, g int64) {
		if r.stamp[t] == r.now && r.best[t] <= g {
			return
		}
		h := int64(sink.Dist[t])
		if h >= int64(Far) {
			return
		}
		r.stamp[t], r.best[t], r.from[t] = r.now, g, from
		heap.Push(&r.pq, item{f: g + h*unit, g: g, t: t})
	}
	fit := r.g.fitting(net.Width)
	price := func(t int) int64 {
		p := ((256-crit)*r.cost(t) + crit*max(r.delay(t), r.cost(t)/4)) / 256
		if r.g.Tracks[t].Width > fit {
			p *= wide
		}
		return p
	}
	if len(members) == 0 {
		for _, t := range net.Sources {
			if r.g.Tracks[t].Width >= net.Width && net.reachesAll(t) {
				push(t, -1, price(t))
			}
		}
	} else {
		// Continue from any track of the tree: switches fork.
		for _, m := range members {
			for _, t := range r.g.Next[m] {
				if r.mine[t] != r.net && r.g.Tracks[t].Width >= net.Width {
					push(t, m, crit*arrive[m]/256+price(t))
				}
			}
		}
	}
	for len(r.pq) > 0 {
		it := heap.Pop(&r.pq).(item)
		if it.g != r.best[it.t] || r.stamp[it.t] != r.now {
			continue
		}
		if sink.Dist[it.t] == 0 {
			return it.t
		}
		for _, t := range r.g.Next[it.t] {
			if r.mine[t] != r.net && r.g.Tracks[t].Width >= net.Width {
				push(t, it.t, it.g+price(t))
			}
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

// queue is a heap by estimate, then track number: equal costs have one order.
type queue []item

func (q queue) Len() int { return len(q) }
func (q queue) Less(i, j int) bool {
	if q[i].f != q[j].f {
		return q[i].f < q[j].f
	}
	if q[i].g != q[j].g {
		return q[i].g > q[j].g
	}
	return q[i].t < q[j].t
}
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)   { *q = append(*q, x.(item)) }
func (q *queue) Pop() any {
	old := *q
	it := old[len(old)-1]
	*q = old[:len(old)-1]
	return it
}
