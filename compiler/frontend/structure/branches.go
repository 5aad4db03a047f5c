package structure

import (
	"slices"

	"loom/compiler/diag"
	"loom/compiler/ir"
)

// stmt is one statement of structured code.
type stmt struct {
	pos diag.Pos
	// One of these:
	block  *ir.Block // the operations of a block
	copies []move    // made at once
	arms   [][]*stmt // a branch
	body   []*stmt   // a loop: the body, at least once, while again holds after it
	// after is the rest of the body, for a loop that is tested in between: body,
	// and while again holds, after and body once more.
	after []*stmt

	on     *ir.Value // what a branch chooses by
	values [][]int64 // of arms[1:], for a switch
	dense  bool      // on is the index of the arm
	tests  bool      // a loop with a test in between
	negate bool      // again ends such a loop
	again  *ir.Value
	accel  bool
	chosen *stmt // the switch with one case that tests a loop
	// handed are the variables that one iteration assigns for the next.
	handed []*ir.Value

	facts
}

// sequence makes structured code of what is executed from n until stop. The
// region has no cycles.
func (g *graph) sequence(r *region, n, stop *node) []*stmt {
	var out []*stmt
	for n != stop {
		switch {
		case n.block != nil:
			out = append(out, &stmt{block: n.block, pos: n.pos})
		case n.loop != nil:
			out = append(out, g.loopStmt(n))
		}
		if len(n.succs) == 1 {
			out = appendCopies(out, n.succs[0])
			n = n.succs[0].to
			continue
		}
		branch, next := g.branch(r, n, stop)
		out = append(out, branch)
		n = next
	}
	return out
}

func appendCopies(out []*stmt, e *edge) []*stmt {
	for _, c := range e.copies {
		out = append(out, &stmt{copies: c, pos: e.pos})
	}
	return out
}

// structured makes structured code of a region: its cycles become loops first.
func (g *graph) structured(r *region) []*stmt {
	dominators(r)
	return g.sequence(r, r.entry, r.exit)
}

func (g *graph) loopStmt(n *node) *stmt {
	l := n.loop
	s := &stmt{pos: n.pos, again: l.again, accel: l.accel}
	if len(l.heads) > 0 {
		s.body = []*stmt{{copies: l.heads, pos: n.pos}, {copies: undefined(l.heads, true), pos: n.pos}}
	}
	for _, m := range l.heads {
		s.handed = append(s.handed, m.from)
	}
	s.body = append(s.body, g.structured(&l.region)...)
	return s
}

// branch makes structured code of a node with several successors. Each arm holds
// what is reached by one successor only; where the arms lead on to several
// nodes, a multiplexer behind the branch leads there.
func (g *graph) branch(r *region, n, stop *node) (s *stmt, next *node) {
	own := make([]bool, len(n.succs))
	var out []*edge
	deep := false
	for i, e := range n.succs {
		own[i] = e.to != stop && len(e.to.preds) == 1
		if own[i] {
			out = leaving(e.to, out, &deep)
		} else {
			out = append(out, e)
		}
	}
	next = out[0].to
	if slices.ContainsFunc(out, func(e *edge) bool { return e.to != next }) {
		m := g.multiplex(out, "path")
		m.pos = n.pos
		m.idom = n
		r.nodes = append(r.nodes, m)
		kept := n.children[:0:0]
		for _, c := range n.children {
			if slices.ContainsFunc(n.succs, func(e *edge) bool { return e.to == c && c != m }) && len(c.preds) == 1 && c.preds[0].from == n {
				kept = append(kept, c)
				continue
			}
			c.idom = m
			m.children = append(m.children, c)
		}
		n.children = append(kept, m)
		next = m
		if deep {
			dominators(r)
		}
	}
	s = &stmt{pos: n.pos, on: n.on, values: n.values, dense: n.dense}
	for i, e := range n.succs {
		arm := appendCopies(nil, e)
		if own[i] {
			arm = append(arm, g.sequence(r, e.to, next)...)
		}
		s.arms = append(s.arms, arm)
	}
	return s, next
}

// maxNesting is how deep an arm may nest branches. What is deeper is cut off and
// reached through a multiplexer behind the branch, so that code of any length can be
// printed and read.
const maxNesting = 90

// leaving appends the edges that lead out of what n dominates, as far as it is not
// nested too deep.
func leaving(n *node, out []*edge, deep *bool) []*edge {
	type visit struct {
		n     *node
		depth int
	}
	work := []visit{{n, 0}}
	inside := map[*node]bool{n: true}
	var all []*node
	for len(work) > 0 {
		d := work[len(work)-1]
		work = work[:len(work)-1]
		all = append(all, d.n)
		for _, c := range d.n.children {
			depth := d.depth
			if len(d.n.succs) > 1 && len(c.preds) == 1 && c.preds[0].from == d.n {
				depth++
			}
			if depth > maxNesting {
				*deep = true
				continue
			}
			inside[c] = true
			work = append(work, visit{c, depth})
		}
	}
	slices.SortFunc(all, func(a, b *node) int { return a.num - b.num })
	for _, d := range all {
		for _, e := range d.succs {
			if !inside[e.to] {
				out = append(out, e)
			}
		}
	}
	return out
}

// dominators makes the dominator tree of a region without cycles.
func dominators(r *region) {
	order := topological(r)
	for _, n := range order {
		n.idom, n.children = nil, nil
	}
	for _, n := range order[1:] {
		var d *node
		for _, e := range n.preds {
			p := e.from
			if d == nil {
				d = p
				continue
			}
			for d != p {
				for d.order > p.order {
					d = d.idom
				}
				for p.order > d.order {
					p = p.idom
				}
			}
		}
		n.idom = d
		d.children = append(d.children, n)
	}
}

// topological lists the nodes of a region so that every edge leads forwards, and
// numbers them so.
func topological(r *region) []*node {
	for _, n := range r.nodes {
		n.visited = unseen
	}
	r.exit.visited = finished
	type frame struct {
		n    *node
		next int
	}
	var post []*node
	stack := []frame{{n: r.entry}}
	r.entry.visited = active
	for len(stack) > 0 {
		f := &stack[len(stack)-1]
		if f.next < len(f.n.succs) {
			c := f.n.succs[f.next].to
			f.next++
			if c.visited == unseen {
				c.visited = active
				stack = append(stack, frame{n: c})
			}
			continue
		}
		f.n.visited = finished
		post = append(post, f.n)
		stack = stack[:len(stack)-1]
	}
	slices.Reverse(post)
	for i, n := range post {
		n.order = i
	}
	return post
}
