package mapper

import (
	"slices"

	"loom/compiler/arch"
	"loom/compiler/latency"
	"loom/compiler/mapper/place"
	"loom/compiler/mapper/tech"
	"loom/compiler/mapping"
)

// placement states the placement problem: distances in tracks. What may move to
// another memory depends on the allocation of each attempt.
func (m *mapper) placement() *place.Problem {
	p := &place.Problem{Sites: len(m.Sites), Cand: m.Cand}
	for _, s := range m.Sites {
		p.Bay = append(p.Bay, s.Mem)
	}
	if m.UnitOf != nil {
		p.Follow = m.UnitOf
		for _, s := range m.Sites {
			p.Tied = append(p.Tied, s.Unit)
		}
	}
	m.clusters(p)
	matrix := func() [][]int32 {
		d := make([][]int32, len(m.Sites))
		for a := range d {
			d[a] = make([]int32, len(m.Sites))
		}
		return d
	}
	fill := func(rows [][]int32, b int, tracks []int, bits int) {
		dist := m.graph.DistOf(tracks, bits)
		for a := range m.Sites {
			d := int32(place.Unreachable)
			for _, t := range m.outs[a] {
				d = min(d, dist[t])
			}
			if p.Cluster != nil && p.Cluster[b] >= 0 {
				d += inputTime
				if p.Cluster[a] == p.Cluster[b] {
					d = 0
				}
			}
			rows[a][b] = d
		}
	}
	p.Dist, p.WideDist = matrix(), matrix()
	fixed := func(s tech.Site) bool { return s.Comp != nil && s.Comp.PE != nil && s.Comp.PE.FixedPorts }
	for _, site := range m.Sites {
		for fixed(site) && len(p.PortDist) < len(site.Comp.In) {
			p.PortDist, p.WidePortDist = append(p.PortDist, matrix()), append(p.WidePortDist, matrix())
		}
	}
	for b, site := range m.Sites {
		if m.expired() {
			break // search reports it
		}
		fill(p.Dist, b, m.ins[b], 1)
		fill(p.WideDist, b, m.ins[b], 2)
		if !fixed(site) {
			continue
		}
		for port := range site.Comp.In {
			fill(p.PortDist[port], b, m.ports(m.graph.To(site.Comp, port)), 1)
			fill(p.WidePortDist[port], b, m.ports(m.graph.To(site.Comp, port)), 2)
		}
	}
	for _, net := range m.Nets {
		n := place.Net{Src: net.Src.Node, Wide: net.Width > 1}
		for _, s := range net.Sinks {
			n.Sinks = append(n.Sinks, s.Node)
			if m.Follows[s.Node] {
				// The candidates of such a node differ in their PE, not in its ports.
				n.Ports = append(n.Ports, m.How[s.Node][0].In[s.Port])
			} else {
				n.Ports = append(n.Ports, -1)
			}
		}
		p.Nets = append(p.Nets, n)
	}
	return p
}

// inputTime is the number of cycles from an input of a temporal PE to the operands that read it: those to the execution, and that.
const inputTime = latency.TemporalInput + 1

// clusters are the temporal PEs, whose instructions have their ports and constants together.
func (m *mapper) clusters(p *place.Problem) {
	of := map[*arch.Component]int{}
	for s, site := range m.Sites {
		if site.Comp == nil || site.Comp.TPE == nil {
			continue
		}
		if p.Cluster == nil {
			p.Cluster = make([]int, len(m.Sites))
			for i := range p.Cluster {
				p.Cluster[i] = -1
			}
			for _, nd := range m.Nodes {
				p.Words = append(p.Words, m.Constants(nd))
			}
		}
		c, known := of[site.Comp]
		if !known {
			c = len(p.Limits)
			of[site.Comp] = c
			l := place.Limits{Words: site.Comp.TPE.Constants}
			count := func(ports []arch.Port, words, tokens *int) {
				for _, x := range ports {
					switch {
					case x.Chan == nil:
					case x.Width > 1:
						*words++
					default:
						*tokens++
					}
				}
			}
			count(site.Comp.In, &l.Ins, &l.TokenIns)
			count(site.Comp.Out, &l.Outs, &l.TokenOuts)
			p.Limits = append(p.Limits, l)
		}
		p.Cluster[s] = c
	}
}

// exchanges returns a predicate for the annealer: whether memory bay can take what is
// allocated to memory crew. It must hold the arrays, its lanes must not bound
// loops more than the other's, and what is on the chip stays there.
func (m *mapper) exchanges(mem []int) func(crew, bay int) bool {
	contents := m.Contents(mem)
	fits := make([][]bool, len(contents))
	bound := make([]mapping.Ratio, len(contents))
	for b := range bound {
		bound[b] = m.memoryBound(b)
	}
	for c, arrays := range contents {
		if len(arrays) == 0 {
			continue
		}
		for b := range contents {
			leaves := m.Memories[c].Mem.OnChip() && !m.Memories[b].Mem.OnChip()
			fits[c] = append(fits[c], !leaves && !above(bound[b], bound[c]) && m.Holds(b, arrays))
		}
	}
	return func(crew, bay int) bool { return fits[crew][bay] }
}

// initial places nodes breadth-first from the memories and the boundary, each on
// the free site nearest to its placed neighbours; accesses at the memories that
// their arrays are allocated to.
func (m *mapper) initial(seed uint64, mem []int) []int {
	rng := place.NewRNG(seed ^ 0x5bd1e995)
	neighbours := make([][]int, len(m.Nodes))
	for _, net := range m.Nets {
		for _, s := range net.Sinks {
			neighbours[net.Src.Node] = append(neighbours[net.Src.Node], s.Node)
			neighbours[s.Node] = append(neighbours[s.Node], net.Src.Node)
		}
	}
	seen := make([]bool, len(m.Nodes))
	var order []int
	push := func(n int) {
		if !seen[n] {
			seen[n] = true
			order = append(order, n)
		}
	}
	for _, kind := range []tech.Kind{tech.Access, tech.ArgIn, tech.ResOut, tech.Unit} {
		for id, nd := range m.Nodes {
			if nd.Kind == kind {
				push(id)
			}
		}
		if kind == tech.Access {
			for i := 0; i < len(order); i++ {
				for _, n := range neighbours[order[i]] {
					push(n)
				}
			}
		}
	}
	cand := slices.Clone(m.Cand)
	access := map[int]int{} // of a load or store that goes with it
	for id, unit := range m.UnitOf {
		if unit >= 0 {
			access[unit] = id
		}
	}
	for id, nd := range m.Nodes {
		if nd.Kind == tech.Access {
			cand[id] = slices.DeleteFunc(slices.Clone(m.Cand[id]), func(s int) bool { return m.Sites[s].Mem != mem[nd.Array] })
		}
	}
	order = slices.DeleteFunc(order, func(n int) bool { _, follows := access[n]; return follows })
	site := m.Assign(order, cand, func(node int, site []int) []int {
		sites := slices.Clone(cand[node])
		cost := make(map[int]int64, len(sites))
		for _, s := range sites {
			c := int64(rng.Intn(16))
			for _, nb := range neighbours[node] {
				if a, follows := access[nb]; follows {
					nb = a
				}
				if at := site[nb]; at >= 0 {
					c += 16 * int64(min(m.problem.Dist[s][at], m.problem.Dist[at][s]))
				}
			}
			cost[s] = c
		}
		sortBy(sites, func(s int) int64 { return cost[s] })
		return sites
	})
	for unit, id := range access {
		site[unit] = m.Sites[site[id]].Unit
	}
	return site
}
