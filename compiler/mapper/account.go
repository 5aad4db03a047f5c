package mapper

import (
	"cmp"
	"sort"

	"loom/compiler/arch"
	"loom/compiler/mapper/tech"
	"loom/compiler/mapper/timing"
	"loom/compiler/mapping"
)

// extMemoryLatency is the latency of an external memory that the report assumes:
// cycles from a request to its answer, the default profile of the simulators.
const extMemoryLatency = 4

// siteLatency is the number of cycles from an input of a node at a site to its
// outputs (rtl/README.md): the pipeline of a datapath unit, one cycle for a
// stream to start, the path through a memory.
func (m *mapper) siteLatency(id, in, site int) int {
	nd := m.Nodes[id]
	switch nd.Kind {
	case tech.Memory:
		p, err := tech.MemPortsOf(m.Ops[nd.Ops[0]])
		if err != nil {
			return 0
		}
		family, _ := p.Family(false, in)
		switch {
		case m.Sites[site].Comp.Kind == arch.Memory:
			return 2
		case family == "ldaddr":
			return extMemoryLatency + 1
		}
		return extMemoryLatency + 2
	case tech.Unit:
		fu := m.Sites[site].Comp.PE.FUs[m.Candidate(id, site).Opcode]
		if fu.Latency > 0 {
			return fu.Latency
		}
		if m.Ops[nd.Ops[0]].Name == "dataflow.stream" {
			return 1
		}
	}
	return 0
}

// bounds computes the recurrence bounds of a routed attempt.
func (m *mapper) bounds(a *attempt) []timing.Bound {
	latency := make([][]int, len(m.Nets))
	for _, net := range m.Nets {
		for k := range net.Sinks {
			l := 0
			for _, t := range a.trees[net.ID].Path(k) {
				l += m.graph.Tracks[t].Latency
			}
			latency[net.ID] = append(latency[net.ID], l)
		}
	}
	return m.timing.Bounds(func(arc timing.Arc) int {
		s := m.Nets[arc.From].Sinks[arc.Sink]
		return latency[arc.From][arc.Sink] + m.siteLatency(s.Node, s.Port, a.site[s.Node])
	})
}

// cost rates a routed attempt: cycles per iteration of the innermost loops, then
// of the others, then the tracks in use.
type cost struct{ inner, outer, wire int }

func (c cost) less(d cost) bool {
	return cmp.Or(cmp.Compare(c.inner, d.inner), cmp.Compare(c.outer, d.outer), cmp.Compare(c.wire, d.wire)) < 0
}

func (m *mapper) rate(a *attempt) cost {
	var c cost
	for _, b := range m.bounds(a) {
		// In hundredths of a cycle: ratios are fractions.
		if b.Innermost {
			c.inner += 100 * b.Cycles / b.Tokens
		} else {
			c.outer += 100 * b.Cycles / b.Tokens
		}
	}
	for _, t := range a.trees {
		c.wire += len(t.Parent)
	}
	return c
}

// timing fills in the timing of every loop.
func (e *emitter) timing() {
	e.mp.Timing = mapping.Timing{ExtMemoryLatency: extMemoryLatency, Loops: []mapping.Loop{}}
	bounds := e.bounds(e.a)
	for _, b := range bounds {
		root := e.mapper.timing.Loops[b.Loop].Root
		l := mapping.Loop{Op: root.Op, Innermost: b.Innermost, Cycle: []int{},
			Recurrence: mapping.Ratio{Cycles: b.Cycles, Tokens: b.Tokens}, Unit: 1}
		l.Cycle = append(l.Cycle, b.Ops...)
		if root.Op >= 0 {
			l.Pos = e.Ops[root.Op].Pos
			l.Label = e.mp.Ops[root.Op].Label
		}
		for _, id := range b.Nodes {
			switch nd := e.Nodes[id]; nd.Kind {
			case tech.Memory:
				l.Memory = max(l.Memory, 1)
			case tech.Unit:
				fu := e.comp(id).PE.FUs[e.mp.Groups[e.groupOf[id]].Opcode]
				l.Unit = max(l.Unit, fu.Interval)
			}
		}
		l.II = mapping.Ratio{Cycles: max(l.Unit, l.Memory), Tokens: 1}
		if b.Cycles > l.II.Cycles*b.Tokens {
			l.II = l.Recurrence
		}
		e.mp.Timing.Loops = append(e.mp.Timing.Loops, l)
	}
}

// utilization counts what is in use.
func (e *emitter) utilization() {
	u := &e.mp.Utilization
	u.Classes = []mapping.ClassUse{}
	offered := map[string]int{}
	for _, c := range e.Fabric.Comps {
		switch c.Kind {
		case arch.SpatialPE:
			u.PEs.Total++
			seen := map[string]bool{}
			for _, fu := range c.PE.FUs {
				for _, op := range fu.Ops {
					if !seen[op.Op.Name] {
						seen[op.Op.Name] = true
						offered[op.Op.Name]++
					}
				}
			}
		case arch.Memory, arch.ExtMemory:
			u.Memories.Total++
		case arch.SpatialSwitch:
			for _, p := range c.Out {
				if p.Chan != nil {
					u.Links.Total++
				}
			}
		}
	}
	used := map[string]int{}
	for _, nd := range e.Nodes {
		switch nd.Kind {
		case tech.Unit:
			u.PEs.Used++
			for _, i := range nd.Ops {
				used[e.Ops[i].Name]++
			}
		case tech.Memory:
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
