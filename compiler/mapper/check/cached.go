package check

import (
	"fmt"

	"loom/compiler/arch"
	"loom/compiler/cabi"
	"loom/compiler/dialect/handshake"
	"loom/compiler/mapping"
)

// cacheUse is a memory operation at a region, as the read cache of the memory sees it.
type cacheUse struct {
	op     int
	mem    *arch.Component
	region int
	stores bool // some of its stores are made here
	cached bool
}

// stale reports why a cached region could give a load what memory no longer holds, "" when none can:
// a cache is told of the stores to its own memory's cached regions only, and a load behind a fence
// reads from memory.
func (g *graph) stale(uses []cacheUse) (op int, why string) {
	overlaps, err := cabi.ReadOverlaps(g.fn, g.args)
	fence := -1
	for i, o := range g.ops {
		if o.Attr(handshake.FenceAttr) != nil {
			fence = i
		}
	}
	for _, u := range uses {
		place := fmt.Sprintf("region %d of memory '%s'", u.region, u.mem.Name)
		switch {
		case !u.cached:
			continue
		case !isExternal(u.mem) || u.mem.Mem.Cache == 0:
			return u.op, place + " is cached, the memory has no read cache"
		case g.ops[u.op].Attr(handshake.OvertakenAttr) != nil:
			return u.op, place + " is cached, and loads that overtake stores could leave there what memory no longer holds"
		case fence >= 0:
			return u.op, fmt.Sprintf("%s is cached, and loads behind the fence, operation %d, read from memory again", place, fence)
		case err != nil:
			return u.op, fmt.Sprintf("%s is cached, and it is not known what it overlaps with: %v", place, err)
		}
		for _, o := range uses {
			if !o.stores || !g.sameBytes(overlaps, u.op, o.op) || o.mem == u.mem && o.cached {
				continue
			}
			return u.op, fmt.Sprintf("%s is cached, and operation %d is stored to at region %d of memory '%s', of which its cache is not told", place, o.op, o.region, o.mem.Name)
		}
	}
	return -1, ""
}

// sameBytes reports whether two memory operations may be in the same bytes of memory.
func (g *graph) sameBytes(overlaps *cabi.Overlaps, i, k int) bool {
	if i == k {
		return true
	}
	argument := func(op int) int {
		if _, _, first, _, ok := g.memShape(op); ok && first == 1 {
			return g.ops[op].Operand(0).Index
		}
		return -1
	}
	a, b := argument(i), argument(k)
	return a >= 0 && b >= 0 && overlaps.May(a, b)
}

// caches checks what a mapping caches.
func (c *checker) caches() {
	var uses []cacheUse
	for _, m := range c.m.Memories {
		u := cacheUse{op: m.Op, mem: c.comps[m.Comp], region: m.Region}
		for _, a := range m.Accesses {
			u.stores = u.stores || a.Kind == mapping.Store
		}
		for _, r := range c.m.Regions {
			u.cached = u.cached || r.Comp == m.Comp && r.Region == m.Region && r.Cached
		}
		uses = append(uses, u)
	}
	if op, why := c.g.stale(uses); why != "" {
		c.fail(op, "%s", why)
	}
}

// caches checks what an image caches, when all accesses have been found.
func (t *tracer) caches() {
	var uses []cacheUse
	for _, mem := range t.f.Comps {
		for r, reg := range t.img.Settings[mem.ID].Regions {
			op, ok := t.opAt[mem][r]
			if !ok {
				if reg.Cached {
					t.fail("region %d of memory '%s' is cached and serves nothing", r, mem.Name)
				}
				continue
			}
			u := cacheUse{op: op, mem: mem, region: r, cached: reg.Cached}
			for a, at := range t.siteOf {
				m, region, ok := t.memoryAt(at)
				u.stores = u.stores || a.op == op && a.kind == mapping.Store && ok && m == mem && region == r
			}
			uses = append(uses, u)
		}
	}
	if op, why := t.g.stale(uses); why != "" {
		t.fail("memory operation %d: %s", op, why)
	}
}
