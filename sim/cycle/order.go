package cycle

import (
	"slices"
	"strings"

	"loom/compiler/diag"
)

// finish gives every net its ends, orders the units and hands all over to the
// simulator.
func (b *builder) finish(s *Sim) error {
	for id, u := range b.units {
		n := u.base()
		for _, o := range n.out {
			b.nets[o].src = int32(id)
		}
		for _, w := range n.in {
			nt := &b.nets[w.net]
			if nt.dst >= 0 && nt.dst != int32(id) {
				other := b.units[nt.dst].base()
				return diag.New(b.f.Pos, "one token of %s would go to both %s and %s", b.units[max(nt.src, 0)].base().what, other.what, n.what).
					WithHelp("only switches fan out; two selectors of a PE must not name the same port")
			}
			nt.dst = int32(id)
		}
	}
	fwd, loop := b.order(func(n *net) (int32, int32, bool) {
		return n.src, n.dst, n.src >= 0 && n.dst >= 0 && !b.units[n.dst].base().regFwd
	})
	if loop != nil {
		return b.loopError("valid", loop)
	}
	bwd, loop := b.order(func(n *net) (int32, int32, bool) {
		return n.dst, n.src, n.src >= 0 && n.dst >= 0 && !n.fixed && !b.units[n.src].base().regBwd && !b.early(n)
	})
	if loop != nil {
		return b.loopError("ready", loop)
	}
	// Units are numbered in forward order from here on.
	number := make([]int32, len(b.units))
	for pos, id := range fwd {
		number[id] = int32(pos)
		s.units = append(s.units, b.units[id])
		b.units[id].base().id = int32(pos)
	}
	s.border = make([]int32, len(b.units))
	for pos, id := range bwd {
		s.border[number[id]] = int32(pos)
		s.bunits = append(s.bunits, b.units[id])
	}
	for _, u := range s.units {
		var c *readCache
		switch m := u.(type) {
		case *extMemory:
			c = m.cache
		case *taggedExtMemory:
			c = m.cache
		}
		if c != nil {
			s.caches = append(s.caches, c)
		}
	}
	slices.SortFunc(s.caches, func(x, y *readCache) int { return x.comp.ID - y.comp.ID })
	for i := range b.nets {
		n := &b.nets[i]
		n.ready = n.dst < 0 && !b.blocked[i]
		if n.dst >= 0 {
			n.dst = number[n.dst]
			if !s.units[n.dst].base().regFwd {
				n.fwd = n.dst
			}
		}
		if n.src >= 0 {
			n.src = number[n.src]
			if !s.units[n.src].base().regBwd {
				n.bwd = n.src
			}
		}
	}
	s.nets = b.nets
	s.chans, s.cells = b.chans, b.cells
	s.sources, s.sinks, s.masters = b.sources, b.sinks, b.masters
	n := len(s.units)
	s.fdirty, s.bdirty, s.ticking, s.clk = newBitset(n), newBitset(n), newBitset(n), newBitset(n)
	s.offered, s.moving = newBitset(len(s.nets)), newBitset(len(s.nets))
	for i, u := range s.units {
		s.fdirty.set(int32(i))
		s.ticking.set(int32(i))
		switch u.(type) {
		case *source, *sink, *extMemory, *taggedExtMemory, *loadPort, *storePort:
			if b.env.stallPercent > 0 {
				s.awake = append(s.awake, int32(i))
			}
		case *replaySource, *replaySink:
			s.awake = append(s.awake, int32(i))
		}
	}
	return nil
}

// early reports whether ready of a net is known before the backward sweep.
func (b *builder) early(n *net) bool {
	u, ok := b.units[n.dst].(interface{ early() []wire })
	return ok && slices.ContainsFunc(u.early(), func(w wire) bool { return n == &b.nets[w.net] })
}

// order sorts the units so that every edge goes forward, earlier units first
// where the edges leave a choice. loop is a cycle of units if there is one.
func (b *builder) order(edge func(*net) (from, to int32, ok bool)) (order, loop []int32) {
	succ := make([][]int32, len(b.units))
	preds := make([]int, len(b.units))
	for i := range b.nets {
		if from, to, ok := edge(&b.nets[i]); ok {
			succ[from] = append(succ[from], to)
			preds[to]++
		}
	}
	for i := range b.units {
		if preds[i] == 0 {
			order = append(order, int32(i))
		}
	}
	for at := 0; at < len(order); at++ {
		for _, t := range succ[order[at]] {
			if preds[t]--; preds[t] == 0 {
				order = append(order, t)
			}
		}
	}
	if len(order) == len(b.units) {
		return order, nil
	}
	// Every remaining unit has a remaining predecessor; walk back until one
	// repeats.
	pred := make([]int32, len(b.units))
	for i := range b.nets {
		if from, to, ok := edge(&b.nets[i]); ok && preds[from] > 0 && preds[to] > 0 {
			pred[to] = from
		}
	}
	var at int32
	for preds[at] == 0 {
		at++
	}
	seen := map[int32]bool{}
	for !seen[at] {
		seen[at] = true
		at = pred[at]
	}
	for start := at; ; {
		loop = append([]int32{at}, loop...)
		if at = pred[at]; at == start {
			return nil, loop
		}
	}
}

func (b *builder) loopError(what string, loop []int32) error {
	var names []string
	for _, id := range loop {
		names = append(names, b.units[id].base().what)
	}
	return diag.New(b.f.Pos, "%s runs in a combinational loop through %s", what, strings.Join(names, " → ")).
		WithSymbol("CPL_MODULE_COMBINATIONAL_LOOP").
		WithHelp("put a FIFO that registers this direction into the loop: depth 2 or more registers both")
}
