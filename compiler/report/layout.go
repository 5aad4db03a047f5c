package report

import (
	"cmp"
	"slices"
)

// Sizes of the layout. Widths are in characters of a label; the page scales them.
const (
	nodePadding = 3.0 // inside of a node, beside its label
	nodeGap     = 2.0 // between nodes
	wireWidth   = 0.6 // of an edge that passes a layer
	layerHeight = 5.0 // of a layer, for the shape of the drawing alone
	// A drawing is best when it has the shape of its pane.
	paneShape = 0.72 // width / height
	sweeps    = 24   // over the layers, to order them
	// Larger layers are ordered without counting crossings.
	maxCounted = 400
)

// place is a node, or a wire: an edge that passes a layer. The wires of one value share
// their places.
type place struct {
	node     int // -1 for wires
	layer    int
	w, x     float64
	up, down []int // places in the layers above and below
}

// diagram is a graph while it is laid out.
type diagram struct {
	g      *drawnGraph
	places []place
	rows   [][]int
	// via are the wires of each edge, from the layer of its source on.
	via [][]int
}

// arrange assigns layers and positions. port tells edges from different results of
// a node apart. Each width of layers that is tried gives another shape; the one that
// fills the pane with the largest labels is taken.
func (g *drawnGraph) arrange(port func(drawnEdge) int) {
	out := make([][]int, len(g.Nodes))
	for i, e := range g.Edges {
		out[e.From] = append(out[e.From], i)
	}
	g.breakCycles(out)
	ideal := g.tighten(g.layers(out))
	best, scale := []int(nil), 0.0
	for width := 2; width <= 12; width++ {
		layer := g.fill(ideal, width)
		w, h := g.extent(layer)
		if s := min(paneShape/w, 1/h); s > scale {
			best, scale = layer, s
		}
	}
	d := newDiagram(g, best, port)
	d.order()
	d.position()
	d.finish()
}

// extent estimates the size of a drawing.
func (g *drawnGraph) extent(layer []int) (w, h float64) {
	rows := map[int]float64{}
	for v, l := range layer {
		rows[l] += g.Nodes[v].W + nodePadding + nodeGap
		h = max(h, float64(l+1)*layerHeight)
	}
	for _, e := range g.Edges {
		for l := min(layer[e.From], layer[e.To]) + 1; l < max(layer[e.From], layer[e.To]); l++ {
			rows[l] += wireWidth
		}
	}
	for _, r := range rows {
		w = max(w, r)
	}
	return w, h
}

// breakCycles marks the edges that close a cycle in a depth-first walk.
func (g *drawnGraph) breakCycles(out [][]int) {
	state := make([]int, len(g.Nodes)) // 0 new, 1 open, 2 closed
	type frame struct{ node, next int }
	for root := range g.Nodes {
		if state[root] != 0 {
			continue
		}
		state[root] = 1
		stack := []frame{{root, 0}}
		for len(stack) > 0 {
			f := &stack[len(stack)-1]
			if f.next == len(out[f.node]) {
				state[f.node] = 2
				stack = stack[:len(stack)-1]
				continue
			}
			e := &g.Edges[out[f.node][f.next]]
			f.next++
			switch state[e.To] {
			case 0:
				state[e.To] = 1
				stack = append(stack, frame{e.To, 0})
			case 1:
				e.Back = true
			}
		}
	}
}

// layers is the longest path to every node over the edges that are not back.
func (g *drawnGraph) layers(out [][]int) []int {
	layer := make([]int, len(g.Nodes))
	indeg := make([]int, len(g.Nodes))
	for _, e := range g.Edges {
		if !e.Back {
			indeg[e.To]++
		}
	}
	var queue []int
	for v := range g.Nodes {
		if indeg[v] == 0 {
			queue = append(queue, v)
		}
	}
	for i := 0; i < len(queue); i++ {
		v := queue[i]
		for _, k := range out[v] {
			e := g.Edges[k]
			if e.Back {
				continue
			}
			layer[e.To] = max(layer[e.To], layer[v]+1)
			if indeg[e.To]--; indeg[e.To] == 0 {
				queue = append(queue, e.To)
			}
		}
	}
	return layer
}

// tighten moves nodes down to what reads them, as constants and arguments, where that
// makes edges shorter in all.
func (g *drawnGraph) tighten(layer []int) []int {
	order := make([]int, len(layer))
	for v := range order {
		order[v] = v
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(layer[b], layer[a]) })
	for _, v := range order {
		lowest, ins, outs := -1, 0, 0
		for _, e := range g.Edges {
			switch {
			case e.Back || e.From == e.To:
			case e.To == v:
				ins++
			case e.From == v:
				outs++
				if lowest < 0 || layer[e.To]-1 < lowest {
					lowest = layer[e.To] - 1
				}
			}
		}
		if lowest > layer[v] && outs >= ins {
			layer[v] = lowest
		}
	}
	return layer
}

// fill gives every node a layer not above its ideal one, with at most so many nodes in
// a layer.
func (g *drawnGraph) fill(ideal []int, width int) []int {
	order := make([]int, len(ideal))
	for v := range order {
		order[v] = v
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(ideal[a], ideal[b]) })
	into := make([][]int, len(ideal))
	for _, e := range g.Edges {
		if !e.Back && e.From != e.To {
			into[e.To] = append(into[e.To], e.From)
		}
	}
	// By ideal layer, every node follows what it reads: so one pass does.
	layer := make([]int, len(ideal))
	count := map[int]int{}
	for _, v := range order {
		at := ideal[v]
		for _, u := range into[v] {
			at = max(at, layer[u]+1)
		}
		for count[at] >= width {
			at++
		}
		layer[v] = at
		count[at]++
	}
	// Layers that stay empty are left out.
	number := map[int]int{}
	for l, n := 0, 0; n < len(count); l++ {
		if count[l] > 0 {
			number[l] = n
			n++
		}
	}
	for v := range layer {
		layer[v] = number[layer[v]]
	}
	return layer
}

// newDiagram makes the places of nodes and wires. An edge against the layers leaves its
// source to the side, in the source's layer, and comes to its sink from above.
func newDiagram(g *drawnGraph, layer []int, port func(drawnEdge) int) *diagram {
	d := &diagram{g: g, via: make([][]int, len(g.Edges))}
	add := func(p place) int {
		for len(d.rows) <= p.layer {
			d.rows = append(d.rows, nil)
		}
		d.places = append(d.places, p)
		d.rows[p.layer] = append(d.rows[p.layer], len(d.places)-1)
		return len(d.places) - 1
	}
	for v := range g.Nodes {
		add(place{node: v, layer: layer[v], w: g.Nodes[v].W + nodePadding})
	}
	join := func(upper, lower int) {
		d.places[upper].down = append(d.places[upper].down, lower)
		d.places[lower].up = append(d.places[lower].up, upper)
	}
	shared := map[[3]int]int{} // of a value: {source, port, layer}
	for i := range g.Edges {
		e := &g.Edges[i]
		from, to := layer[e.From], layer[e.To]
		e.Back = from >= to // the same, but for layers that moved
		wire := func(l int) (at int, made bool) {
			key := [3]int{e.From, port(*e), l}
			at, old := shared[key]
			if !old {
				at = add(place{node: -1, layer: l, w: wireWidth})
				shared[key] = at
			}
			d.via[i] = append(d.via[i], at)
			return at, !old
		}
		last, made := e.From, false
		if !e.Back {
			for l := from + 1; l < to; l++ {
				at, new := wire(l)
				if new {
					join(last, at)
				}
				last = at
			}
			join(last, e.To)
			continue
		}
		for l := from; l >= to; l-- {
			at := 0
			if at, made = wire(l); made && l < from {
				join(at, last)
			}
			last = at
		}
	}
	return d
}

// order sorts the layers by the middle of their neighbours, above and below in turn,
// and keeps the order with the fewest crossings.
func (d *diagram) order() {
	best, fewest := d.copyRows(), d.crossings()
	for sweep := range sweeps {
		for k := range d.rows {
			row := d.rows[k]
			if sweep%2 == 1 {
				row = d.rows[len(d.rows)-1-k]
			}
			d.sortRow(row, sweep%2 == 0)
		}
		if n := d.crossings(); n < fewest {
			best, fewest = d.copyRows(), n
		}
	}
	d.rows = best
}

// sortRow orders a layer by the neighbours above, or below.
func (d *diagram) sortRow(row []int, above bool) {
	index := map[int]float64{}
	for k := range d.rows {
		for i, v := range d.rows[k] {
			index[v] = (float64(i) + 0.5) / float64(len(d.rows[k]))
		}
	}
	want := map[int]float64{}
	for _, v := range row {
		near := d.places[v].down
		if above {
			near = d.places[v].up
		}
		want[v] = index[v]
		if len(near) > 0 {
			sum := 0.0
			for _, u := range near {
				sum += index[u]
			}
			want[v] = sum / float64(len(near))
		}
	}
	slices.SortStableFunc(row, func(a, b int) int { return cmp.Compare(want[a], want[b]) })
}

func (d *diagram) copyRows() [][]int {
	out := make([][]int, len(d.rows))
	for i, r := range d.rows {
		out[i] = slices.Clone(r)
	}
	return out
}

// crossings counts the pairs of joined places that cross.
func (d *diagram) crossings() int {
	index := make([]int, len(d.places))
	for _, row := range d.rows {
		for i, v := range row {
			index[v] = i
		}
	}
	n := 0
	for _, row := range d.rows {
		var ends [][2]int
		for i, v := range row {
			for _, u := range d.places[v].down {
				ends = append(ends, [2]int{i, index[u]})
			}
		}
		if len(ends) > maxCounted {
			continue
		}
		for i, a := range ends {
			for _, b := range ends[:i] {
				if (a[0]-b[0])*(a[1]-b[1]) < 0 {
					n++
				}
			}
		}
	}
	return n
}

// position moves places toward the middle of their neighbours as far as their row
// allows.
func (d *diagram) position() {
	for _, row := range d.rows {
		x := 0.0
		for _, v := range row {
			d.places[v].x = x + d.places[v].w/2
			x += d.places[v].w + nodeGap
		}
		for _, v := range row {
			d.places[v].x -= x / 2
		}
	}
	for sweep := range 2 * sweeps {
		for k := range d.rows {
			row := d.rows[k]
			if sweep%2 == 1 {
				row = d.rows[len(d.rows)-1-k]
			}
			d.settle(row)
		}
	}
}

// gap is the distance that the middles of two places side by side keep.
func (d *diagram) gap(a, b int) float64 {
	g := nodeGap
	if d.places[a].node < 0 || d.places[b].node < 0 {
		g = nodeGap / 2
	}
	return (d.places[a].w+d.places[b].w)/2 + g
}

// settle puts every place of a row where its neighbours pull it, with the least sum of
// squares for those that would overlap: they are pooled and moved as one.
func (d *diagram) settle(row []int) {
	type pool struct {
		sum, weight, x float64
		n              int
	}
	var pools []pool
	shift := make([]float64, len(row)) // the least distance from the first place
	for i, v := range row {
		if i > 0 {
			shift[i] = shift[i-1] + d.gap(row[i-1], v)
		}
		p := &d.places[v]
		sum, weight := 0.01*p.x, 0.01
		for _, near := range [][]int{p.up, p.down} {
			for _, u := range near {
				w := 1.0
				if p.node < 0 && d.places[u].node < 0 {
					w = 16 // wires are straight
				}
				sum, weight = sum+w*d.places[u].x, weight+w
			}
		}
		q := pool{sum: sum - weight*shift[i], weight: weight, n: 1}
		q.x = q.sum / q.weight
		for len(pools) > 0 && pools[len(pools)-1].x > q.x {
			o := pools[len(pools)-1]
			pools = pools[:len(pools)-1]
			q = pool{sum: q.sum + o.sum, weight: q.weight + o.weight, n: q.n + o.n}
			q.x = q.sum / q.weight
		}
		pools = append(pools, q)
	}
	i := 0
	for _, q := range pools {
		for range q.n {
			d.places[row[i]].x = q.x + shift[i]
			i++
		}
	}
}

// finish writes the positions into the graph, from zero on.
func (d *diagram) finish() {
	left, right := 0.0, 0.0
	for i, p := range d.places {
		if i == 0 {
			left, right = p.x-p.w/2, p.x+p.w/2
		}
		left, right = min(left, p.x-p.w/2), max(right, p.x+p.w/2)
	}
	round := func(x float64) float64 { return float64(int64((x-left)*100+0.5)) / 100 }
	d.g.Width, d.g.Layers = round(right), len(d.rows)
	for _, p := range d.places {
		if p.node >= 0 {
			n := &d.g.Nodes[p.node]
			n.X, n.W, n.Layer = round(p.x), p.w, p.layer
		}
	}
	for i, via := range d.via {
		for _, v := range via {
			p := d.places[v]
			d.g.Edges[i].Via = append(d.g.Edges[i].Via, [2]float64{round(p.x), float64(p.layer)})
		}
	}
}
