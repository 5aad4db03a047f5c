package structure

import (
	"loom/compiler/diag"
	"loom/compiler/ir"
)

// remove deletes succs[i] of a node.
func (n *node) remove(i int) {
	e := n.succs[i]
	e.to.dropPred(e)
	n.succs = append(n.succs[:i:i], n.succs[i+1:]...)
	switch {
	case len(n.succs) < 2:
		n.on, n.values = nil, nil
	case n.values == nil:
	case i > 0:
		n.values = append(n.values[:i-1:i-1], n.values[i:]...)
	default:
		// The default is never taken: the last case replaces it.
		last := len(n.succs) - 1
		n.succs[0], n.succs[last] = n.succs[last], n.succs[0]
		n.succs = append(n.succs[:1:1], append(n.succs[len(n.succs)-1:len(n.succs):len(n.succs)], n.succs[1:last]...)...)
		n.values = n.values[:len(n.values)-1]
	}
}

// prune removes the blocks that are never reached, or that never reach the end: because
// what follows is undefined behaviour, or because they only lead into a loop that
// never ends. Compilers leave such loops where they know that they are never reached; a
// kernel that reaches one never returns. A function that has no end at all stays as it is.
func (g *graph) prune(notes *diag.List) {
	// A block without successors that does not return is never executed, and so is
	// one that leads nowhere else.
	var dead []*node
	for _, n := range g.top.nodes {
		if len(n.succs) == 0 {
			dead = append(dead, n)
		}
	}
	dead = append(dead, g.endless(notes)...)
	for len(dead) > 0 {
		n := dead[len(dead)-1]
		dead = dead[:len(dead)-1]
		for len(n.preds) > 0 {
			p := n.preds[0].from
			for i, e := range p.succs {
				if e == n.preds[0] {
					p.remove(i)
					break
				}
			}
			if len(p.succs) == 0 {
				dead = append(dead, p)
			}
		}
	}
	g.unreached()
}

// endless are the nodes from which the end cannot be reached, none where the function
// has no end at all. Notes name the loops among them.
func (g *graph) endless(notes *diag.List) (nodes []*node) {
	ends := map[*node]bool{}
	reach(ends, g.top.exit, (*node).before)
	if !ends[g.top.entry] {
		return nil
	}
	reported := map[*node]bool{}
	for _, n := range g.top.nodes {
		if ends[n] {
			continue
		}
		nodes = append(nodes, n)
		after := map[*node]bool{}
		for _, e := range n.succs {
			reach(after, e.to, (*node).next)
		}
		if after[n] && !reported[n] {
			reach(reported, n, (*node).next)
			notes.Remarkf(n.pos, "this loop never ends: nothing is taken to get there").
				WithHelp("give it an exit if that is not what you mean")
		}
	}
	return nodes
}

// reach adds what can be reached from n to seen.
func reach(seen map[*node]bool, n *node, next func(*node) []*node) {
	for work := []*node{n}; len(work) > 0; {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		if !seen[n] {
			seen[n] = true
			work = append(work, next(n)...)
		}
	}
}

// before are the nodes that lead to n.
func (n *node) before() (out []*node) {
	for _, e := range n.preds {
		out = append(out, e.from)
	}
	return out
}

// next are the nodes that n leads to.
func (n *node) next() (out []*node) {
	for _, e := range n.succs {
		out = append(out, e.to)
	}
	return out
}

// unreached drops the nodes that nothing leads to.
func (g *graph) unreached() {
	seen := map[*node]bool{g.top.entry: true}
	work := []*node{g.top.entry}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, e := range n.succs {
			if !seen[e.to] {
				seen[e.to] = true
				work = append(work, e.to)
			}
		}
	}
	var kept []*node
	for _, n := range g.top.nodes {
		if seen[n] {
			kept = append(kept, n)
			continue
		}
		for _, e := range n.succs {
			e.to.dropPred(e)
		}
		n.succs = nil
	}
	g.top.nodes = kept
}

// thread makes edges pass by blocks that do nothing but lead on. Their copies
// stay on the edges. The head of a loop that begins with another loop stays: the back
// edges of both would lead to one node, and the two would be one loop.
func (g *graph) thread() {
	heads := g.heads()
	var kept []*node
	for _, n := range g.top.nodes {
		if n.block == nil || !idle(n.block) || len(n.succs) != 1 || n.succs[0].to == n || heads[n] && heads[n.succs[0].to] {
			kept = append(kept, n)
			continue
		}
		on := n.succs[0]
		on.to.dropPred(on)
		for _, e := range append([]*edge(nil), n.preds...) {
			e.copies = append(e.copies[:len(e.copies):len(e.copies)], on.copies...)
			e.accel = e.accel || on.accel
			e.pos = on.pos
			e.retarget(on.to)
		}
	}
	g.top.nodes = kept
}

// idle reports whether a block has no operation but its terminator.
func idle(b *ir.Block) bool { return len(b.Ops) == 1 }
