package mapper

import (
	"slices"

	"loom/compiler/mapper/place"
	"loom/compiler/mapper/tech"
	"loom/compiler/mapping"
)

// placement states the placement problem. What may move to
// another memory depends on the allocation of each attempt.
func (m *mapper) placement() *place.Problem {
	p := m.tables.problem
	p.Cand = m.Cand
	p.Follow = m.UnitOf
	if p.Cluster != nil {
		for _, nd := range m.Nodes {
			p.Words = append(p.Words, m.Constants(nd))
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
	return &p
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
					c += 16 * int64(min(m.problem.Dist.At(s, at), m.problem.Dist.At(at, s)))
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
