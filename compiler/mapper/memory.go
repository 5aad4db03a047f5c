package mapper

import (
	"cmp"
	"slices"

	"loom/compiler/arch"
	"loom/compiler/mapper/tech"
	"loom/compiler/mapping"
)

// inTrack is the track at port k of an access that is at a site.
func (m *mapper) inTrack(site, k int) int {
	s := &m.Sites[site]
	if k == tech.InData {
		return m.graph.To(s.Comp, s.Access.Data)
	}
	return m.graph.To(s.Comp, s.Access.Addr)
}

// outTrack is the track at result k of an access that is at a site.
func (m *mapper) outTrack(site, k int) int {
	s := &m.Sites[site]
	if !s.Access.Store && k == tech.LoadData {
		return m.graph.From(s.Comp, s.Access.Data)
	}
	return m.graph.From(s.Comp, s.Access.Done)
}

// homes lists the memory of every array in a placement: where its accesses are.
func (m *mapper) homes(site []int) []int {
	mem := make([]int, len(m.Arrays))
	for i, a := range m.Arrays {
		if len(a.Loads) > 0 {
			mem[i] = m.Sites[site[a.Loads[0]]].Mem
		} else {
			mem[i] = m.Sites[site[a.Stores[0]]].Mem
		}
	}
	return mem
}

// contents lists the arrays of every memory.
func (e *emitter) contents() [][]int { return e.Contents(e.homes(e.a.site)) }

// memories writes down where the arrays are: regions, tags, and the settings of
// the bridges on the path.
func (e *emitter) memories() {
	slots := map[*arch.Component]map[uint64][]mapping.Route{}
	cached := e.cached(e.homes(e.a.site))
	for m, arrays := range e.contents() {
		c := e.Memories[m].Mem
		for _, s := range e.Layout(m, arrays) {
			a := e.Arrays[s.Array]
			mem := mapping.Memory{Op: a.Op, Comp: c.Name, Region: s.Region, Arg: a.Arg, Table: a.Arg < 0 && c.External(), First: s.First, Accesses: []mapping.Access{}}
			for _, kind := range []struct {
				kind  mapping.AccessKind
				nodes []int
			}{{mapping.Load, a.Loads}, {mapping.Store, a.Stores}} {
				for k, id := range kind.nodes {
					tag := uint64(s.Start + k)
					site := &e.Sites[e.a.site[id]]
					mem.Accesses = append(mem.Accesses, mapping.Access{Kind: kind.kind, Index: e.Nodes[id].Index, Comp: site.Comp.Name, Tag: tag})
					e.lane(site, tag, slots)
				}
			}
			e.mp.Memories = append(e.mp.Memories, mem)
			e.mp.Regions = append(e.mp.Regions, mapping.Region{Comp: c.Name, Region: s.Region, StartTag: uint64(s.Start),
				EndTag: uint64(s.End), Offset: mapping.Hex(s.First * int64(c.Mem.ElemBytes())), Cached: cached[s.Array]})
		}
	}
	slices.SortFunc(e.mp.Memories, func(a, b mapping.Memory) int {
		x, y := a.Accesses[0], b.Accesses[0]
		return cmp.Or(cmp.Compare(a.Op, b.Op), cmp.Compare(x.Kind, y.Kind), cmp.Compare(x.Index, y.Index))
	})
	e.bridges(slots)
}

// lane adds the tag of an access at a lane to the slots of the temporal switches on
// its paths.
func (e *emitter) lane(site *tech.Site, tag uint64, slots map[*arch.Component]map[uint64][]mapping.Route) {
	if site.Comp.Lane == nil {
		return
	}
	e.mp.Tags = append(e.mp.Tags, mapping.Tag{Comp: site.Comp.Name, Tag: tag})
	for _, p := range site.Access.Paths {
		for _, h := range p.Hops {
			if slots[h.Switch] == nil {
				slots[h.Switch] = map[uint64][]mapping.Route{}
			}
			slots[h.Switch][tag] = append(slots[h.Switch][tag], mapping.Route{h.Out, h.In})
		}
	}
}

// bridges writes the settings of lanes and temporal switches in component order.
func (e *emitter) bridges(slots map[*arch.Component]map[uint64][]mapping.Route) {
	id := map[string]int{}
	for _, c := range e.Fabric.Comps {
		id[c.Name] = c.ID
		tags := make([]uint64, 0, len(slots[c]))
		for tag := range slots[c] {
			tags = append(tags, tag)
		}
		if len(tags) == 0 {
			continue
		}
		slices.Sort(tags)
		sw := mapping.TemporalSwitch{Comp: c.Name}
		for _, tag := range tags {
			routes := slots[c][tag]
			slices.SortFunc(routes, func(a, b mapping.Route) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
			sw.Slots = append(sw.Slots, mapping.Slot{Tag: tag, Routes: slices.Compact(routes)})
		}
		e.mp.TemporalSwitches = append(e.mp.TemporalSwitches, sw)
	}
	slices.SortFunc(e.mp.Tags, func(a, b mapping.Tag) int { return cmp.Compare(id[a.Comp], id[b.Comp]) })
}
