package prove

import (
	"loom/compiler/cabi"
	"loom/compiler/dialect/handshake"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// caches notes what cached regions could make of the kernel: a load that finds in a read cache what a
// store has changed in memory, at another memory or past the cache, or what is older than a fence; and a load
// that has overtaken a store, and leaves there what the store has dropped.
// Without either a load through a cache has the value that it has without.
func (r *hardware) caches(fn *ir.Operation) {
	args := fn.Regions[0].Entry().Args
	overlaps, err := cabi.ReadOverlaps(fn, args)
	var fence *ir.Operation
	overtaken := map[int]bool{} // arguments
	for _, op := range fn.Regions[0].Entry().Ops {
		if op.Attr(handshake.FenceAttr) != nil {
			fence = op
		}
		if op.Attr(handshake.OvertakenAttr) != nil && op.Name == opname.HandshakeExtmemory {
			overtaken[op.Operand(0).Index] = true
		}
	}
	stored := map[*array]bool{}
	for _, n := range r.nodes {
		if n.op == storePort && n.mem != nil {
			stored[n.mem] = true
		}
	}
	for _, c := range r.f.Comps {
		for k, reg := range r.img.Settings[c.ID].Regions {
			if !reg.Cached {
				continue
			}
			a := r.regions[place{c.ID, k}]
			switch {
			case a == nil:
				r.fault(nil, c.Pos, "", "region %d of memory '%s' is cached and not valid", k, c.Name)
				continue
			case overtaken[a.argument]:
				r.fault(nil, c.Pos, "", "%s is cached, and loads that overtake stores could leave there what memory no longer holds", a.what)
				continue
			case fence != nil:
				r.fault(nil, c.Pos, "", "%s is cached, and loads behind a fence have to read from memory", a.what)
			case err != nil:
				r.fault(nil, c.Pos, "", "%s is cached, and what it overlaps with is not known: %v", a.what, err)
				continue
			}
			for _, o := range r.f.Comps {
				for j, other := range r.img.Settings[o.ID].Regions {
					b := r.regions[place{o.ID, j}]
					same := b == a || b != nil && a.argument >= 0 && b.argument >= 0 && overlaps.May(a.argument, b.argument)
					if stored[b] && same && (o != c || !other.Cached) {
						r.fault(nil, c.Pos, "", "%s is cached, and what is stored to %s does not reach its cache", a.what, b.what)
					}
				}
			}
		}
	}
}
