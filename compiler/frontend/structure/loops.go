package structure

import (
	"slices"

	"loom/compiler/ir"
)

// collapse replaces every loop of a region, which is a strongly connected part of
// it, by one node, and does the same inside. A loop gets one entry, by a
// multiplexer where there are several; all back edges and exits lead to one
// node behind its body, with a flag for whether it goes on and, where there are
// several exits, an integer that selects one.
func (g *graph) collapse(r *region) {
	for _, part := range components(r) {
		g.collapseLoop(r, part)
	}
}

// components lists the strongly connected parts of a region that are loops
// (Tarjan), in the order of their first nodes.
func components(r *region) [][]*node {
	for _, n := range r.nodes {
		n.visited = unseen
	}
	inside := map[*node]bool{}
	for _, n := range r.nodes {
		inside[n] = true
	}
	type frame struct {
		n    *node
		next int
	}
	var parts [][]*node
	var open []*node
	clock := 0
	for _, root := range r.nodes {
		if root.visited != unseen {
			continue
		}
		stack := []frame{{n: root}}
		for len(stack) > 0 {
			f := &stack[len(stack)-1]
			n := f.n
			if n.visited == unseen {
				n.visited = active
				clock++
				n.order, n.low = clock, clock
				open = append(open, n)
			}
			if f.next > 0 {
				if c := n.succs[f.next-1].to; inside[c] && c.visited == active {
					n.low = min(n.low, c.low)
				}
			}
			if f.next < len(n.succs) {
				c := n.succs[f.next].to
				f.next++
				if inside[c] && c.visited == unseen {
					stack = append(stack, frame{n: c})
				} else if inside[c] && c.visited == active {
					n.low = min(n.low, c.order)
				}
				continue
			}
			stack = stack[:len(stack)-1]
			if n.low != n.order {
				continue
			}
			var part []*node
			for {
				c := open[len(open)-1]
				open = open[:len(open)-1]
				c.visited = finished
				part = append(part, c)
				if c == n {
					break
				}
			}
			if len(part) > 1 || leadsTo(n, n) {
				slices.SortFunc(part, func(a, b *node) int { return a.num - b.num })
				parts = append(parts, part)
			}
		}
	}
	slices.SortFunc(parts, func(a, b []*node) int { return a[0].num - b[0].num })
	return parts
}

func leadsTo(a, b *node) bool {
	return slices.ContainsFunc(a.succs, func(e *edge) bool { return e.to == b })
}

// collapseLoop makes one node of the nodes of a loop.
func (g *graph) collapseLoop(r *region, part []*node) {
	inside := map[*node]bool{}
	for _, n := range part {
		inside[n] = true
	}
	entries := part[:0:0]
	for _, n := range part {
		if slices.ContainsFunc(n.preds, func(e *edge) bool { return !inside[e.from] }) {
			entries = append(entries, n)
		}
	}
	header := entries[0]
	if len(entries) > 1 {
		var in []*edge
		for _, n := range entries {
			in = append(in, n.preds...)
		}
		if deviate == entryForgotten {
			in[len(in)-1].retarget(entries[0])
		}
		header = g.multiplex(in, "entry")
		part = append(part, header)
		inside[header] = true
	}
	l := &loop{region: region{entry: header, exit: g.newNode(header.pos), nodes: part}, again: variable(ir.I1, "again")}
	whole := g.newNode(header.pos)
	whole.loop = l

	var exits, backs []*edge
	var targets []*node
	for _, n := range part {
		for _, e := range n.succs {
			switch {
			case !inside[e.to]:
				exits = append(exits, e)
				if !slices.Contains(targets, e.to) {
					targets = append(targets, e.to)
				}
			case e.to == header:
				backs = append(backs, e)
			}
		}
	}
	if len(exits) == 0 {
		g.errs.Errorf(whole.pos, "this loop never ends").
			WithHelp("a kernel must return: give the loop a condition or a break")
		// Any value will do: it is unused.
		connect(whole, r.exit, whole.pos)
	}
	whole.pos = backs[0].pos
	in := append([]*edge(nil), header.preds...)
	l.heads = g.handOver(in, backs)
	for _, e := range in {
		if !inside[e.from] {
			e.retarget(whole)
		}
	}
	for _, e := range backs {
		l.accel = l.accel || e.accel
		if e.accel {
			whole.pos = e.pos
		}
		e.retarget(l.region.exit)
		e.assign(l.again, g.integer(1, ir.I1))
	}
	var which *ir.Value
	if len(targets) > 1 {
		which = g.selector(len(targets), "exit")
		whole.on, whole.dense = which, true
	}
	for _, e := range exits {
		to := e.to
		e.retarget(l.region.exit)
		e.assign(l.again, g.integer(0, ir.I1))
		if which != nil {
			e.assign(which, g.choice(slices.Index(targets, to), which))
		}
	}
	for _, t := range targets {
		connect(whole, t, whole.pos)
	}
	kept := r.nodes[:0:0]
	for _, n := range r.nodes {
		if !inside[n] {
			kept = append(kept, n)
		}
	}
	r.nodes = append(kept, whole)
	g.collapse(&l.region)
}

// handOver lets every edge into a loop assign variables of their own for what the
// next iteration starts with. An exit of the loop leaves them undefined, so that
// nothing is computed for an iteration that does not run.
func (g *graph) handOver(in, backs []*edge) []move {
	var heads []move
	of := map[*ir.Value]bool{}
	for _, e := range backs {
		for _, group := range e.copies {
			for _, m := range group {
				if m.from != nil && !of[m.to] {
					of[m.to] = true
					heads = append(heads, move{m.to, variable(m.to.Type, m.to.Name)})
				}
			}
		}
	}
	if len(heads) == 0 {
		return nil
	}
	for i, e := range in {
		if i == 0 && deviate == headsForgotten {
			continue
		}
		over := make([]move, len(heads))
		for i, m := range heads {
			over[i] = move{m.from, m.to}
		}
		e.copies = append(e.copies[:len(e.copies):len(e.copies)], over, undefined(heads, false))
	}
	return heads
}

// undefined is a group of copies that leaves the targets, or the sources, of moves
// undefined.
func undefined(moves []move, sources bool) []move {
	out := make([]move, len(moves))
	for i, m := range moves {
		out[i].to = m.to
		if sources {
			out[i].to = m.from
		}
	}
	return out
}

// selector is a variable that chooses among n edges: a flag for two, else an integer.
func (g *graph) selector(n int, name string) *ir.Value {
	if n == 2 {
		return variable(ir.I1, name)
	}
	return variable(ir.Index, name)
}

// choice is the constant by which a selector chooses edge i. A flag is true for
// the first edge, as conditions are.
func (g *graph) choice(i int, on *ir.Value) *ir.Value {
	if on.Type == ir.Type(ir.I1) {
		return g.integer(int64(1-i), ir.I1)
	}
	return g.integer(int64(i), ir.Index)
}

// multiplex routes edges to several nodes through one new node, which leads on to
// the target of each.
func (g *graph) multiplex(in []*edge, name string) *node {
	var targets []*node
	for _, e := range in {
		if !slices.Contains(targets, e.to) {
			targets = append(targets, e.to)
		}
	}
	m := g.newNode(targets[0].pos)
	m.on, m.dense = g.selector(len(targets), name), true
	for _, e := range append([]*edge(nil), in...) {
		e.assign(m.on, g.choice(slices.Index(targets, e.to), m.on))
		e.retarget(m)
	}
	for _, t := range targets {
		connect(m, t, m.pos)
	}
	return m
}
