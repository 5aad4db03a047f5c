package throughput

import (
	"loom/compiler/analysis/reuse"
	"loom/compiler/arch"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/mapping"
	"loom/compiler/opname"
	"loom/internal/intmath"
)

// onChipSlots are the responses of a kind that an on-chip memory holds or owes (rtl/README.md).
const onChipSlots = 4

// access is a load or a store of a memory of the graph.
type access struct {
	op    *ir.Operation
	mem   *arch.Component // the memory, or the lane at it
	store bool
	// addr and data are operands, data -1 of loads; value and done results, value -1 of stores.
	addr, data, value, done int
	// site is the access of the fabric, serves the memory behind it.
	site   *arch.Access
	serves *arch.Component
	// master is the AXI4 master of an external memory, nil on chip.
	master *arch.Master
	// wide: beats of the master may have several elements; alone: its address does not go on by one element per iteration, so it waits for
	// no others to share a beat with, or a burst.
	wide, alone bool
	// cached is set where the load is of a cached region, cache is how it is taken to meet the cache.
	cached bool
	cache  latency.Cache
	// users is the number of accesses that take turns at the port, itself included.
	users int
}

// findAccesses lists the accesses of all memories with their sites.
func (g *graph) findAccesses() {
	type site struct {
		comp  string
		store bool
	}
	type place struct {
		access *arch.Access
		mem    *arch.Component
	}
	sites := map[site]place{}
	for _, b := range arch.Bridges(g.f) {
		for _, list := range [][]arch.Access{b.Loads, b.Stores} {
			for i := range list {
				sites[site{list[i].Comp.Name, list[i].Store}] = place{&list[i], b.Mem}
			}
		}
	}
	type port struct {
		mem   *arch.Component
		store bool
	}
	users := map[port]int{}
	masters := g.f.MasterOf()
	var addresses *reuse.Addresses
	for _, mem := range g.m.Memories {
		op := g.ops[mem.Op]
		ld, _ := op.IntAttr("ldCount")
		st, _ := op.IntAttr("stCount")
		first := 0
		if op.Name == opname.HandshakeExtmemory {
			first = 1
		}
		for _, x := range mem.Accesses {
			a := &access{op: op, store: x.Kind == mapping.Store, data: -1, value: -1}
			if a.store {
				a.data, a.addr = first+2*x.Index, first+2*x.Index+1
				a.done = int(ld) + x.Index
				g.byOperand[terminal{mem.Op, a.data}] = a
			} else {
				a.addr = first + 2*int(st) + x.Index
				a.value, a.done = x.Index, int(ld+st)+x.Index
			}
			g.byOperand[terminal{mem.Op, a.addr}] = a
			p := sites[site{x.Comp, a.store}]
			if p.access == nil {
				continue // the checker refuses such a mapping
			}
			a.site, a.mem, a.serves = p.access, p.access.Comp, p.mem
			a.master = masters[p.mem]
			a.wide = a.master != nil && a.master.Wide(p.mem)
			if a.alone = true; a.wide || a.store && p.mem.Mem.Bursts() > 1 {
				if addresses == nil {
					addresses = reuse.New(g.fn)
				}
				a.alone = !addresses.Follows(op.Operand(a.addr))
			}
			g.throughCache(a, mem.Region)
			users[port{a.serves, a.store}]++
			g.accesses = append(g.accesses, a)
		}
	}
	for _, a := range g.accesses {
		a.users = users[port{a.serves, a.store}]
	}
}

// throughCache sets how a load meets the cache of its memory: the fastest run finds all that is cached
// there, the slowest nothing.
func (g *graph) throughCache(a *access, region int) {
	if a.store || a.serves.Mem.Cache == 0 {
		return
	}
	for _, r := range g.m.Regions {
		a.cached = a.cached || r.Comp == a.serves.Name && r.Region == region && r.Cached
	}
	a.cache = latency.Miss
	if a.cached && !g.slow && !g.fetched {
		a.cache = latency.Hit
	}
}

// inOrder reports whether loads wait for those before them, of other lanes too, by an amount that no
// rule here has: at a memory with a cache, where some are faster than others.
func (g *graph) inOrder(varying bool) bool {
	for _, a := range g.accesses {
		if a.cached || varying && a.cache != latency.NoCache {
			return true
		}
	}
	return false
}

// accessOf is the access that a result of a memory responds to.
func (g *graph) accessOf(v *ir.Value) *access {
	for _, a := range g.accesses {
		if a.op == v.Def && (a.value == v.Index || a.done == v.Index) {
			return a
		}
	}
	return nil
}

// path is the number of registers on a path between a lane and its memory.
func (a *access) path(k int) int {
	if k >= len(a.site.Paths) {
		return 0
	}
	return a.site.Paths[k].Latency
}

// port is what the memory takes from a request to the offer of its response; of a store from
// when address and data have met.
func (a *access) port(m latency.Model) int {
	l := m.Port(a.timing())
	if a.store {
		l -= latency.StoreQueue
	}
	return l
}

// timing is what decides how long the memory takes.
func (a *access) timing() latency.Access {
	x := latency.Access{External: a.serves.External(), Store: a.store, Burst: a.serves.Mem.Bursts(), Cache: a.cache, Alone: a.alone}
	if a.master != nil {
		x.Shared, x.Wide = a.master.Shared, a.wide
	}
	return x
}

// latency is the number of cycles from the address of an access, or from the data of a store,
// to its responses.
func (a *access) latency(m latency.Model, data bool) int {
	l := m.Port(a.timing())
	if len(a.site.Paths) == 0 {
		return l
	}
	there, back := a.path(arch.PathAddr), a.path(arch.PathDone)
	switch {
	case !a.store:
		back = min(back, a.path(arch.PathData))
	case data:
		there = a.path(arch.PathData)
	}
	return l + there + back + latency.Response
}

// held are the cycles from when a memory has accepted a request until it accepts another in
// the slot of its response, if nothing holds that back, and the number of slots.
func (a *access) held(m latency.Model) (cycles, slots int) {
	if a.serves.External() {
		return a.port(m) + 1, a.serves.Mem.InFlight()
	}
	return a.port(m) + 1, onChipSlots
}

// access adds the rules of an access.
func (g *graph) access(a *access) {
	at := g.index[a.op]
	input := func(k int) link {
		if l, ok := g.in[terminal{at, k}]; ok {
			return l
		}
		return none
	}
	result := func(k int) link {
		if l, ok := g.out[terminal{at, k}]; ok {
			return l
		}
		return none
	}
	v := a.op.Operand(a.addr)
	addr, done := input(a.addr), result(a.done)
	lane := a.mem.Lane
	cycles, slots := a.held(g.model)
	turns := 0
	if g.slow {
		turns = a.users - 1
	}
	// served is when the memory accepts a load, or takes a store from its queues.
	served := g.event(v, -1, false)
	g.place(served, served, 1+turns, 1)
	g.place(served, served, cycles, slots)
	port := a.port(g.model)
	// gives adds a result that is offered some cycles after it was served.
	gives := func(out link, after int) {
		g.after(out.offered, served, after, 0)
		g.place(out.offered, out.taken, 1, 1)
		if lane == nil {
			g.place(served, out.taken, 1, slots)
		}
	}
	if !a.store {
		value := result(a.value)
		if lane == nil {
			g.after(served, addr.offered, 0, 0)
			g.after(addr.taken, served, 0, 0)
			gives(value, port)
			gives(done, port)
			return
		}
		g.after(served, addr.offered, turns+a.path(arch.PathAddr), 0)
		g.after(served, addr.taken, a.path(arch.PathAddr), 0)
		if a.path(arch.PathAddr) == 0 {
			g.place(addr.taken, served, 0, 0)
		}
		for _, r := range []struct {
			out  link
			path int
		}{{value, arch.PathData}, {done, arch.PathDone}} {
			after := port + a.path(r.path) + latency.Response
			gives(r.out, after)
			g.place(addr.taken, r.out.taken, 1, lane.Slots)
			g.place(addr.taken, served, after+1, lane.Slots)
		}
		return
	}
	data := input(a.data)
	if lane == nil {
		for _, x := range []link{addr, data} {
			g.after(served, x.taken, 1, 0)
			g.place(x.taken, served, 0, a.serves.Mem.LSQDepth)
		}
		gives(done, port)
		return
	}
	g.fork([]link{addr, data})
	both := g.event(v, -1, false)
	for _, x := range []link{addr, data} {
		g.after(both, x.offered, turns, 0)
		g.after(x.taken, both, 0, 0)
	}
	g.place(both, both, 1+turns, 1)
	g.after(served, both, 1+turns+max(a.path(arch.PathAddr), a.path(arch.PathData)), 0)
	back := port + a.path(arch.PathDone)
	gives(done, back+latency.Response)
	g.place(both, done.taken, 1, lane.Slots)
	g.place(both, served, back+latency.Response+1, lane.Slots)
	g.place(both, served, back+1, min(lane.LSQDepth, lane.Slots))
}

// loopOf is the loop in whose iterations an access is made.
func (g *graph) loopOf(a *access) int { return g.nest.Home(a.op.Operand(a.addr)) }

// accessesOf calls f for the accesses that every iteration of loop l makes.
func (g *graph) accessesOf(l int, f func(*access)) {
	for _, a := range g.accesses {
		if g.loopOf(a) == l && !g.conditional(a.op.Operand(a.addr)) {
			f(a)
		}
	}
}

// shares counts the accesses of every iteration by port.
func (g *graph) shares(l int) map[*access]int {
	count := map[*access]int{} // of a port, by its first access
	g.accessesOf(l, func(a *access) {
		for b := range count {
			if b.serves == a.serves && b.store == a.store {
				count[b]++
				return
			}
		}
		count[a]++
	})
	return count
}

// ports is the number of accesses of an iteration that share a port of a memory.
func (g *graph) ports(l int) int {
	most := 0
	for _, n := range g.shares(l) {
		most = max(most, n)
	}
	return most
}

// served are the intervals that the slots of the memories allow their ports.
func (g *graph) served(l int) (out []mapping.Ratio) {
	for a, n := range g.shares(l) {
		cycles, slots := a.held(g.model)
		out = append(out, mapping.Ratio{Cycles: n * cycles, Tokens: slots})
	}
	return out
}

// mastered are the intervals that AXI4 masters allow which memories share: a beat to read and one to write per cycle, of as many elements
// as a word has at most.
func (g *graph) mastered(l int) (out []mapping.Ratio) {
	type side struct {
		master *arch.Master
		store  bool
	}
	beats := map[side]int{} // of an iteration, in parts of a beat: as many as a word has bytes
	g.accessesOf(l, func(a *access) {
		if a.master == nil || !a.master.Shared || a.cache == latency.Hit {
			return
		}
		part := a.master.Width / 8
		if a.wide && !a.alone {
			part = a.serves.Mem.ElemBytes()
		}
		beats[side{a.master, a.store}] += part
	})
	for s, n := range beats {
		word := s.master.Width / 8
		d := intmath.GCD(n, word) // in lowest terms equal ones are the same, in any order
		out = append(out, mapping.Ratio{Cycles: n / d, Tokens: word / d})
	}
	return out
}

// open reports whether an access of a loop may wait longer for its turn than for one access of
// every other lane: where the lanes meet at several switches, or where the memory itself holds
// requests back because they could have more responses to come than it has slots.
func (g *graph) open(l int) bool {
	for _, a := range g.accesses {
		if g.loopOf(a) != l || a.users == 1 {
			continue
		}
		for _, p := range a.site.Paths {
			if len(p.Hops) > 1 || p.Latency > 0 {
				return true
			}
		}
		if cycles, slots := a.held(g.model); cycles > slots && a.users*a.mem.Lane.Slots > slots {
			return true
		}
	}
	return false
}
