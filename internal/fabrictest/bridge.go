package fabrictest

import (
	"fmt"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/ir"
)

// TemporalSwitch adds a temporal switch between tagged types, fully connected but
// for the {output, input} pairs in cut.
func (b *Builder) TemporalSwitch(name string, in, out []ir.Type, slots int, cut ...[2]int) *arch.Component {
	return b.add(&arch.Component{Name: name, Kind: arch.TemporalSwitch, In: b.ports("in", in), Out: b.ports("out", out),
		Temporal: &arch.TemporalSpec{Connect: connectivity(len(in), len(out), cut), Slots: slots, TagWidth: arch.TagWidth(in[0])}})
}

// AddTag adds an add_tag in front of tokens of type t.
func (b *Builder) AddTag(name string, t ir.Type, width int) *arch.Component {
	return b.add(&arch.Component{Name: name, Kind: arch.AddTag, In: b.named("in", t), Out: b.named("out", ir.Tagged(t, width))})
}

// DelTag adds a del_tag, which leaves tokens of type t.
func (b *Builder) DelTag(name string, t ir.Type, width int) *arch.Component {
	return b.add(&arch.Component{Name: name, Kind: arch.DelTag, In: b.named("in", ir.Tagged(t, width)), Out: b.named("out", t)})
}

// MapTag adds a map_tag between tags of two widths.
func (b *Builder) MapTag(name string, t ir.Type, in, out, size int) *arch.Component {
	return b.add(&arch.Component{Name: name, Kind: arch.MapTag,
		In: b.named("in", ir.Tagged(t, in)), Out: b.named("out", ir.Tagged(t, out)),
		Map: &arch.MapTagSpec{TableSize: size, InTag: in, OutTag: out}})
}

// LoadLane adds a load lane.
func (b *Builder) LoadLane(name string, elem ir.Type, width, slots int) *arch.Component {
	return b.add(&arch.Component{Name: name, Kind: arch.LoadLane,
		In:   b.named("addr", ir.Index, "rsp", ir.Tagged(elem, width), "done_rsp", ir.Tagged(ir.None, width)),
		Out:  b.named("req", ir.Tagged(ir.Index, width), "data", elem, "done", ir.None),
		Lane: &arch.LaneSpec{TagWidth: width, Slots: slots}})
}

// StoreLane adds a store lane.
func (b *Builder) StoreLane(name string, elem ir.Type, width, lsqDepth, slots int) *arch.Component {
	return b.add(&arch.Component{Name: name, Kind: arch.StoreLane,
		In:   b.named("addr", ir.Index, "data", elem, "done_rsp", ir.Tagged(ir.None, width)),
		Out:  b.named("staddr", ir.Tagged(ir.Index, width), "stdata", ir.Tagged(elem, width), "done", ir.None),
		Lane: &arch.LaneSpec{TagWidth: width, LSQDepth: lsqDepth, Slots: slots}})
}

// Access is one load or store port of a bridge, on the side of the kernel: where
// addresses (and data to store) go in, where data (of loads) and done tokens come
// out.
type Access struct {
	Tag        uint64
	Addr, Data arch.Endpoint
	Done       arch.Endpoint
}

// Bridge is a memory with several ports and what stands around it.
type Bridge struct {
	Mem           *arch.Component
	Loads, Stores []Access
	// taggers are the components whose tag is that of an access: lanes, or the
	// add_tags of a bare bridge; switches are the temporal switches, with the lanes at
	// their inputs (merging) or outputs (splitting).
	taggers []tagger
	merging []*arch.Component
	split   []*arch.Component
}

type tagger struct {
	comp *arch.Component
	tag  uint64
}

// Bridge puts lanes with the given number of slots around a memory made by Ported:
// a lane per port, and temporal switches where a family has several. Lane k has tag
// k.
func (b *Builder) Bridge(mem *arch.Component, slots int) *Bridge {
	m, elem := mem.Mem, mem.Mem.Type.Elem
	br := &Bridge{Mem: mem}
	var lanes []*arch.Component
	for k := range m.LdCount {
		l := b.LoadLane(fmt.Sprintf("%s_ld%d", mem.Name, k), elem, m.TagWidth, slots)
		lanes = append(lanes, l)
		br.taggers = append(br.taggers, tagger{l, uint64(k)})
		br.Loads = append(br.Loads, Access{uint64(k), In(l, arch.LoadAddr), Out(l, arch.LoadData), Out(l, arch.LoadDone)})
	}
	if m.LdCount > 0 {
		b.merge(br, "ldaddr", ends(Out, lanes, arch.LoadReq), In(mem, m.LdAddr))
		b.split(br, "lddata", Out(mem, m.LdData), ends(In, lanes, arch.LoadRsp))
		b.split(br, "lddone", Out(mem, m.LdDone), ends(In, lanes, arch.LoadDoneRsp))
	}
	lanes = nil
	for k := range m.StCount {
		l := b.StoreLane(fmt.Sprintf("%s_st%d", mem.Name, k), elem, m.TagWidth, m.LSQDepth, slots)
		lanes = append(lanes, l)
		br.taggers = append(br.taggers, tagger{l, uint64(k)})
		br.Stores = append(br.Stores, Access{uint64(k), In(l, arch.StoreAddr), In(l, arch.StoreData), Out(l, arch.StoreDone)})
	}
	if m.StCount > 0 {
		b.merge(br, "staddr", ends(Out, lanes, arch.StoreReqAddr), In(mem, m.StAddr))
		b.merge(br, "stdata", ends(Out, lanes, arch.StoreReqData), In(mem, m.StData))
		b.split(br, "stdone", Out(mem, m.StDone), ends(In, lanes, arch.StoreDoneRsp))
	}
	return br
}

// BareBridge is Bridge without lanes: an add_tag in front of every request and a
// del_tag behind every response, with nothing that reserves slots for responses.
func (b *Builder) BareBridge(mem *arch.Component) *Bridge {
	m, elem := mem.Mem, mem.Mem.Type.Elem
	br := &Bridge{Mem: mem}
	adds := func(k int, port string, t ir.Type) *arch.Component {
		c := b.AddTag(fmt.Sprintf("%s_%s%d", mem.Name, port, k), t, m.TagWidth)
		br.taggers = append(br.taggers, tagger{c, uint64(k)})
		return c
	}
	dels := func(k int, port string, t ir.Type) *arch.Component {
		return b.DelTag(fmt.Sprintf("%s_%s%d", mem.Name, port, k), t, m.TagWidth)
	}
	var addr, data, done []*arch.Component
	for k := range m.LdCount {
		addr, data, done = append(addr, adds(k, "ldaddr", ir.Index)), append(data, dels(k, "lddata", elem)),
			append(done, dels(k, "lddone", ir.None))
		br.Loads = append(br.Loads, Access{uint64(k), In(addr[k], 0), Out(data[k], 0), Out(done[k], 0)})
	}
	if m.LdCount > 0 {
		b.merge(br, "ldaddr", ends(Out, addr, 0), In(mem, m.LdAddr))
		b.split(br, "lddata", Out(mem, m.LdData), ends(In, data, 0))
		b.split(br, "lddone", Out(mem, m.LdDone), ends(In, done, 0))
	}
	addr, data, done = nil, nil, nil
	for k := range m.StCount {
		addr, data, done = append(addr, adds(k, "staddr", ir.Index)), append(data, adds(k, "stdata", elem)),
			append(done, dels(k, "stdone", ir.None))
		br.Stores = append(br.Stores, Access{uint64(k), In(addr[k], 0), In(data[k], 0), Out(done[k], 0)})
	}
	if m.StCount > 0 {
		b.merge(br, "staddr", ends(Out, addr, 0), In(mem, m.StAddr))
		b.merge(br, "stdata", ends(Out, data, 0), In(mem, m.StData))
		b.split(br, "stdone", Out(mem, m.StDone), ends(In, done, 0))
	}
	return br
}

// ends names the same port of several components.
func ends(end func(*arch.Component, int) arch.Endpoint, comps []*arch.Component, port int) []arch.Endpoint {
	var out []arch.Endpoint
	for _, c := range comps {
		out = append(out, end(c, port))
	}
	return out
}

// merge brings several tagged outputs to one input.
func (b *Builder) merge(br *Bridge, port string, from []arch.Endpoint, to arch.Endpoint) {
	if len(from) == 1 {
		b.Connect(from[0], to)
		return
	}
	types := make([]ir.Type, len(from))
	for k := range from {
		types[k] = to.Comp.In[to.Port].Type
	}
	sw := b.TemporalSwitch(br.Mem.Name+"_"+port+"_sw", types, types[:1], len(from))
	for k, e := range from {
		b.Connect(e, In(sw, k))
	}
	b.Connect(Out(sw, 0), to)
	br.merging = append(br.merging, sw)
}

// split brings one tagged output to the inputs that its tags name.
func (b *Builder) split(br *Bridge, port string, from arch.Endpoint, to []arch.Endpoint) {
	if len(to) == 1 {
		b.Connect(from, to[0])
		return
	}
	types := make([]ir.Type, len(to))
	for k := range to {
		types[k] = from.Comp.Out[from.Port].Type
	}
	sw := b.TemporalSwitch(br.Mem.Name+"_"+port+"_sw", types[:1], types, len(to))
	b.Connect(from, In(sw, 0))
	for k, e := range to {
		b.Connect(Out(sw, k), e)
	}
	br.split = append(br.split, sw)
}

// Configure gives every access its tag, every switch a slot per access, and the
// memory one region for all tags, at the given offset in bytes.
func (br *Bridge) Configure(img *config.Image, offset uint64) {
	for _, t := range br.taggers {
		img.Settings[t.comp.ID].Tag = t.tag
	}
	for _, sw := range br.merging {
		for k := range sw.In {
			img.Settings[sw.ID].Slots[k] = config.Slot{Valid: true, Tag: uint64(k), Routes: [][2]int{{0, k}}}
		}
	}
	for _, sw := range br.split {
		for k := range sw.Out {
			img.Settings[sw.ID].Slots[k] = config.Slot{Valid: true, Tag: uint64(k), Routes: [][2]int{{k, 0}}}
		}
	}
	r := &img.Settings[br.Mem.ID].Regions[0]
	r.Valid, r.Offset = true, offset
	if br.Mem.Mem.TagWidth > 0 {
		r.EndTag = uint64(max(br.Mem.Mem.LdCount, br.Mem.Mem.StCount))
	}
}
