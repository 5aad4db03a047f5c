package mapper

import (
	"slices"

	"loom/compiler/analysis/reuse"
	"loom/compiler/cabi"
	"loom/compiler/dialect/handshake"
	"loom/compiler/mapper/tech"
)

// cached decides which arrays go through the read cache of their memory (mem, by array): those of
// which some element may be loaded more than once, where the cache sees every store that may change
// them. Loads behind a fence read from memory again, so a kernel with one has none. A load that overtakes a store to its element could
// leave in the cache what the store has dropped.
func (e *emitter) cached(mem []int) []bool {
	out := make([]bool, len(e.Arrays))
	for _, op := range e.Fn.Regions[0].Entry().Ops {
		if op.Attr(handshake.FenceAttr) != nil {
			return out
		}
	}
	args := e.Fn.Regions[0].Entry().Args
	overlaps, err := cabi.ReadOverlaps(e.Fn, args)
	if err != nil {
		return out
	}
	may := func(a, b *tech.Array) bool {
		return a == b || a.Op == b.Op || a.Arg >= 0 && b.Arg >= 0 && overlaps.May(a.Arg, b.Arg)
	}
	allowed := make([]bool, len(e.Arrays))
	for i := range e.Arrays {
		c := e.Memories[mem[i]].Mem
		allowed[i] = c.External() && c.Mem.Cache > 0 && e.Fn.Regions[0].Entry().Ops[e.Arrays[i].Op].Attr(handshake.OvertakenAttr) == nil
	}
	// The stores of an array that may be changed here are cached, too: they drop what is in the cache.
	for changed := true; changed; {
		changed = false
		for i, a := range e.Arrays {
			for k, b := range e.Arrays {
				if allowed[i] && len(b.Stores) > 0 && may(a, b) && (mem[k] != mem[i] || !allowed[k]) {
					allowed[i], changed = false, true
				}
			}
		}
	}
	r := reuse.New(e.Fn)
	var due []int
	for i, a := range e.Arrays {
		if allowed[i] && e.reused(r, a) {
			out[i] = true
			due = append(due, i)
		}
	}
	for len(due) > 0 {
		i := due[0]
		due = due[1:]
		for k, b := range e.Arrays {
			if !out[k] && len(b.Stores) > 0 && may(e.Arrays[i], b) {
				out[k] = true
				due = append(due, k)
			}
		}
	}
	return out
}

// reused reports whether the loads of an array at one memory may load an element twice: two of them,
// or one that comes back to it.
func (e *emitter) reused(r *reuse.Addresses, a *tech.Array) bool {
	return len(a.Loads) > 1 || slices.ContainsFunc(a.Loads, func(id int) bool {
		port := e.Nodes[id].Ins[tech.InAddr]
		return r.Again(e.Fn.Regions[0].Entry().Ops[port.Op].Operand(port.Port))
	})
}
