package mapper

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"loom/compiler/arch"
	"loom/compiler/latency"
	"loom/compiler/mapper/tech"
	"loom/compiler/mapper/timing"
	"loom/compiler/mapping"
	"loom/compiler/recurrence"
	"loom/compiler/throughput"
)

// siteLatency is the number of cycles from an input of a node at a site to its
// outputs (rtl/README.md): the pipeline of a datapath unit, one cycle for a
// stream to start, one in the queue of a result, the path through a memory.
func (m *mapper) siteLatency(id, in, site int) int {
	nd := m.Nodes[id]
	switch nd.Kind {
	case tech.Access:
		return m.accessLatency(site, in)
	case tech.Unit:
		return int(m.unitLatency[id][site])
	}
	return 0
}

// unitLatencies are those of siteLatency for all units and the sites that they may take.
func (m *mapper) unitLatencies() [][]int16 {
	at := make([][]int16, len(m.Nodes))
	for id, nd := range m.Nodes {
		if nd.Kind != tech.Unit {
			continue
		}
		at[id] = make([]int16, len(m.Sites))
		for _, site := range m.Cand[id] {
			at[id][site] = int16(min(m.latencyOf(id, site), math.MaxInt16))
		}
	}
	return at
}

// latencyOf is siteLatency for a unit.
func (m *mapper) latencyOf(id, site int) int {
	nd, c := m.Nodes[id], m.Sites[site].Comp
	if c.TPE != nil {
		return latency.TemporalInstruction + c.TPE.Steps[m.Candidate(id, site).Opcode].Cycles
	}
	fu := c.PE.FUs[m.Candidate(id, site).Opcode]
	l := fu.Latency
	for _, op := range nd.Ops {
		if !fu.Inside() {
			l = max(l, latency.Unit(m.Ops[op], m.Fabric.IndexWidth))
		}
	}
	if m.sharedUnit(id, site) != "" {
		l += latency.SharedUnit
	}
	if c.PE.ResultFIFO > 0 {
		l++
	}
	return l
}

// sharedUnit names the iterative hardware that a node at a site has together with other PEs, "" where it has none.
func (m *mapper) sharedUnit(id, site int) string {
	c := m.Sites[site].Comp
	if m.Nodes[id].Kind != tech.Unit || c == nil || c.SharedUnits == "" {
		return ""
	}
	if key := m.hardware[c.PE][m.Candidate(id, site).Opcode]; key != "" {
		return c.SharedUnits + " " + key
	}
	return ""
}

// turns is for how many cycles hardware that several nodes share is busy in an iteration of every loop.
func (m *mapper) turns(site []int) []int {
	type use struct {
		loop     int
		hardware string
	}
	busy := map[use]int{}
	out := make([]int, len(m.timing.Loops))
	for id, nd := range m.Nodes {
		l := m.timing.Home[id]
		if l < 0 {
			continue
		}
		if c := m.Sites[site[id]].Comp; nd.Kind == tech.Unit && c.TPE != nil {
			at := use{l, "temporal PE " + c.Name}
			busy[at] += 1 + c.TPE.Steps[m.Candidate(id, site[id]).Opcode].Cycles
			out[l] = max(out[l], busy[at], latency.TemporalPace)
			continue
		}
		if hw := m.sharedUnit(id, site[id]); hw != "" {
			at := use{l, hw}
			busy[at] += latency.Unit(m.Ops[nd.Ops[0]], m.Fabric.IndexWidth) + 1
			out[l] = max(out[l], busy[at])
		}
	}
	return out
}

// accessLatency is the number of cycles from input in of an access at a site to
// its data and done tokens: the port's, those of the FIFOs between lane and memory,
// and the lane's register for responses.
func (m *mapper) accessLatency(site, in int) int {
	s := &m.Sites[site]
	mem := m.Memories[s.Mem].Mem
	cache := latency.NoCache
	if mem.Mem.Cache > 0 {
		cache = latency.Miss
	}
	x := latency.Access{External: mem.External(), Store: s.Access.Store, Burst: mem.Mem.Bursts(), Cache: cache}
	if master := m.masters[mem]; master != nil {
		x.Shared, x.Wide = master.Shared, master.Wide(mem)
	}
	l := m.opts.Latency.Port(x)
	p := s.Access.Paths
	if len(p) == 0 {
		return l
	}
	there, back := p[arch.PathAddr].Latency, p[arch.PathDone].Latency
	switch {
	case !s.Access.Store:
		back = max(back, p[arch.PathData].Latency)
	case in == tech.InData:
		there = p[arch.PathData].Latency
	}
	return l + there + back + latency.Response
}

// laneBound is the least number of cycles between accesses through a site. A lane
// reserves a slot for each response, which stays taken until the cycle after its
// token has left; without a lane there is no such bound.
func (m *mapper) laneBound(site int) mapping.Ratio {
	s := &m.Sites[site]
	if s.Comp.Lane == nil {
		return mapping.Ratio{Tokens: 1} // an untagged memory reserves no slots
	}
	there := m.accessLatency(site, tech.InAddr)
	r := mapping.Ratio{Cycles: there + 1, Tokens: max(s.Comp.Lane.Slots, 1)}
	if s.Access.Store {
		// A store is in flight until its done token has come, a cycle before it leaves.
		there = max(there, m.accessLatency(site, tech.InData))
		r.Cycles = there + 1
		if q := (mapping.Ratio{Cycles: there, Tokens: max(s.Comp.Lane.LSQDepth, 1)}); above(q, r) {
			r = q
		}
	}
	return r
}

// memoryBound is the largest laneBound of a memory's sites.
func (m *mapper) memoryBound(mem int) mapping.Ratio {
	most := mapping.Ratio{Tokens: 1}
	for s := range m.Sites {
		if m.Sites[s].Mem == mem {
			if b := m.laneBound(s); above(b, most) {
				most = b
			}
		}
	}
	return most
}

// above reports whether a is the larger ratio.
func above(a, b mapping.Ratio) bool { return a.Cycles*b.Tokens > b.Cycles*a.Tokens }

// accesses returns the bounds of every loop from its memory accesses for a
// placement: how many of them share a port at most, and the largest bound of a
// lane.
func (m *mapper) accesses(site []int) (ports []int, lanes []mapping.Ratio) {
	type port struct {
		loop, mem int
		store     bool
	}
	shared := map[port]int{}
	ports = make([]int, len(m.timing.Loops))
	lanes = make([]mapping.Ratio, len(m.timing.Loops))
	for l := range lanes {
		lanes[l] = mapping.Ratio{Tokens: 1}
	}
	for id, nd := range m.Nodes {
		l := m.timing.Access[id]
		if l < 0 {
			continue
		}
		p := port{l, m.Sites[site[id]].Mem, nd.Store}
		shared[p]++
		ports[l] = max(ports[l], shared[p])
		if b := m.laneBound(site[id]); above(b, lanes[l]) {
			lanes[l] = b
		}
	}
	return ports, lanes
}

// wires are the registers on the way to every sink of every net.
func (m *mapper) wires(a *attempt) [][]int {
	wires := make([][]int, len(m.Nets))
	for _, net := range m.Nets {
		leaves := m.leaves(net, a.site)
		for k, s := range net.Sinks {
			l := 0
			if leaves[k] != inside {
				for _, t := range a.trees[net.ID].Path(leaves[k]) {
					l += m.graph.Tracks[t].Latency
				}
				if c := m.Sites[a.site[s.Node]].Comp; c != nil && c.TPE != nil {
					l += inputTime
				}
			}
			wires[net.ID] = append(wires[net.ID], l)
		}
	}
	return wires
}

// bounds computes the recurrence bounds of a routed attempt.
func (m *mapper) bounds(a *attempt) []timing.Bound {
	wires := m.wires(a)
	return m.timing.Bounds(func(arc timing.Arc) int { return m.routed(a, wires, arc) })
}

// routed is the number of cycles of an arc of a routed attempt with these wires: to the sink, and to the outputs of the node there.
func (m *mapper) routed(a *attempt, wires [][]int, arc timing.Arc) int {
	s := m.Nets[arc.From].Sinks[arc.Sink]
	return wires[arc.From][arc.Sink] + m.siteLatency(s.Node, s.Port, a.site[s.Node])
}

// cost rates a routed attempt: hundredths of cycles that a run takes, then the tracks in use.
type cost struct{ time, wire int }

func (c cost) less(d cost) bool {
	return cmp.Or(cmp.Compare(c.time, d.time), cmp.Compare(c.wire, d.wire)) < 0
}

// trips is how many iterations loops count for: what is inside of others is worth more.
const trips = 16

// iterations is how often an iteration of a loop counts, by the number of loops around it.
func iterations(depth int) int {
	n := trips
	for range min(depth, 5) {
		n *= trips
	}
	return n
}

// rate computes the cost of a routed attempt by its recurrences, and whether one limits it.
func (m *mapper) rate(a *attempt) cost {
	wires := m.wires(a)
	delay := func(arc timing.Arc) int { return m.routed(a, wires, arc) }
	c := cost{time: 100 * m.timing.Depth(delay)}
	a.improvable = false
	ports, lanes := m.accesses(a.site)
	turns := m.turns(a.site)
	for _, b := range m.timing.Bounds(delay) {
		// In hundredths of a cycle: ratios are fractions.
		recurrence := 100 * b.Cycles / b.Tokens
		others := max(100, 100*ports[b.Loop], 100*turns[b.Loop], 100*lanes[b.Loop].Cycles/lanes[b.Loop].Tokens)
		c.time += iterations(m.timing.Loops[b.Loop].Depth) * max(recurrence, others)
		a.improvable = a.improvable || b.Innermost && recurrence > others
	}
	for _, t := range a.trees {
		c.wire += t.Tracks()
	}
	return c
}

// time rates an attempt by all that limits its loops on the fabric, also the places of queues, of which rate knows nothing. Of a loop
// whose iterations take several ways it is the mean of the fastest and the slowest, where both are known.
func (m *mapper) time(a *attempt) {
	mp, err := m.emit(a)
	if err != nil {
		return // finish reports it
	}
	wires := m.wires(a)
	a.cost.time = 100 * m.timing.Depth(func(arc timing.Arc) int { return m.routed(a, wires, arc) })
	a.improvable = false
	depth := map[int]int{}
	for _, l := range m.timing.Loops {
		depth[l.Root.Op] = l.Depth
	}
	for _, l := range mp.Timing.Loops {
		ii := l.II.Float()
		a.improvable = a.improvable || l.Innermost && ii > max(1, float64(l.Memory), float64(l.Unit), l.Lane.Float())
		if l.Most.Tokens > 0 {
			ii = (ii + l.Most.Float()) / 2
		}
		a.cost.time += iterations(depth[l.Op]) * int(math.Round(100*ii))
	}
}

// timing fills in the timing of every loop.
func (e *emitter) timing() {
	memory := e.opts.Latency.Memory.Usual()
	e.mp.Timing = mapping.Timing{ExtMemoryLatency: memory.Cycles(), LatencyProfile: memory.String(), Loops: []mapping.Loop{}}
	byOp := map[int]timing.Bound{}
	for _, b := range e.bounds(e.a) {
		byOp[e.mapper.timing.Loops[b.Loop].Root.Op] = b
	}
	_, lanes := e.accesses(e.a.site)
	turns := e.turns(e.a.site)
	nest := recurrence.FindLoops(e.Fn)
	var fetched []mapping.Ratio
	if slices.ContainsFunc(e.mp.Regions, func(r mapping.Region) bool { return r.Cached }) {
		fetched = throughput.Fetched(e.Fn, nest, e.Fabric, e.mp, memory)
	}
	for i, p := range throughput.Loops(e.Fn, nest, e.Fabric, e.mp, memory) {
		l := mapping.Loop{Op: -1, Innermost: p.Innermost, Cycle: []int{}, Recurrence: p.Recurrence, Memory: p.Ports, Unit: 1, II: p.Least, Most: p.Most}
		l.Cycle = append(l.Cycle, p.Cycle...)
		if def := nest.Loops[i].Raw.Def; def != nil {
			l.Op = e.Index[def]
			l.Pos, l.Label = def.Pos, e.mp.Ops[l.Op].Label
		}
		if fetched != nil && fetched[i] != p.Least {
			l.Fetched = fetched[i]
		}
		b := byOp[l.Op]
		for _, id := range b.Nodes {
			if e.Nodes[id].Kind == tech.Unit && e.comp(id).PE != nil {
				fu := e.comp(id).PE.FUs[e.mp.Groups[e.groupOf[id]].Opcode]
				l.Unit = max(l.Unit, fu.Interval)
			}
		}
		l.Unit = max(l.Unit, turns[b.Loop], p.Unit)
		l.Lane = lanes[b.Loop]
		e.mp.Timing.Loops = append(e.mp.Timing.Loops, l)
	}
}

// counts reports whether a unit takes a PE, and not a unit at a memory.
func (m *mapper) counts(node int, site []int) bool { return m.Sites[site[node]].Comp.GeneralPE() }

// utilization counts what is in use.
func (e *emitter) utilization() {
	u := &e.mp.Utilization
	u.Classes = []mapping.ClassUse{}
	offered := map[string]int{}
	for _, c := range e.Fabric.Comps {
		switch {
		case c.Units() != nil:
			if c.GeneralPE() {
				u.PEs.Total++
			}
			seen := map[string]bool{}
			for _, fu := range c.Units() {
				for _, op := range fu.Ops {
					if !seen[op.Op.Name] {
						seen[op.Op.Name] = true
						offered[op.Op.Name]++
					}
				}
			}
		case c.Mem != nil:
			u.Memories.Total++
		case c.Lane != nil:
			u.Lanes.Total++
		case c.Circuit() != nil:
			for _, p := range c.Out {
				if p.Chan != nil {
					u.Links.Total++
				}
			}
		}
	}
	used := map[string]int{}
	busy := map[*arch.Component]bool{} // temporal PEs execute several
	for _, nd := range e.Nodes {
		if nd.Kind == tech.Unit {
			if c := e.comp(nd.ID); c.GeneralPE() && !busy[c] {
				busy[c] = true
				u.PEs.Used++
			}
			for _, i := range nd.Ops {
				used[e.Ops[i].Name]++
			}
		}
	}
	u.Lanes.Used = len(e.mp.Tags)
	for _, arrays := range e.contents() {
		if len(arrays) > 0 {
			u.Memories.Used++
		}
	}
	var names []string
	for name := range offered {
		names = append(names, name)
	}
	for name := range used {
		if offered[name] == 0 {
			names = append(names, name) // executed by a unit of another name
		}
	}
	sort.Strings(names)
	for _, name := range names {
		u.Classes = append(u.Classes, mapping.ClassUse{Class: name, Use: mapping.Use{Used: used[name], Total: offered[name]}})
	}
	for _, s := range e.mp.Switches {
		u.Links.Used += len(s.Routes)
	}
	u.WireLength = u.Links.Used
	for _, ed := range e.mp.Edges {
		u.RegisterHops += ed.Latency
	}
}
