package fabtest

import (
	"fmt"
	"math/bits"

	"loom/compiler/arch"
	"loom/compiler/ir"
)

// Memory describes a memory of a fabric. With more than one load or store, or
// with Tagged, it is tagged and reached through a bridge of as many lanes.
type Memory struct {
	// OnChip makes a fabric.memory of Elements elements, external ones have none.
	OnChip   bool
	Elements int64
	// Public memories can be loaded by the host.
	Public bool
	Elem   ir.Type // nil: i32
	// Loads and Stores are the logical ports; LoadLanes and StoreLanes the lanes
	// at a bridge (0: as many as ports, less than 0: none).
	Loads, Stores, LoadLanes, StoreLanes int
	// Regions is numRegion, TagWidth the width of the tags where it is not just
	// enough for a range that ends behind the last port; 0 for both: the default.
	Regions, TagWidth int
	Tagged            bool
	// Slots is num_route_table of the temporal switches (0: one per lane).
	Slots int
	// Queues puts a FIFO at every end of the temporal switches.
	Queues bool
	// Pairs is the number of lanes that a first row of switches merges, before
	// another one merges these (0: one switch for all).
	Pairs int
	// OneMerge lets one switch merge load requests and store addresses.
	OneMerge bool
}

// tagged is a tagged port's shape.
type tagged struct{ width, tag int }

func (t tagged) typ() ir.Type {
	if t.width == 0 {
		return ir.Tagged(ir.None, t.tag)
	}
	return ir.Tagged(ir.Bits(t.width), t.tag)
}

func (b *builder) taggedIn(c *arch.Component, t tagged) arch.Endpoint {
	c.In = append(c.In, arch.Port{Name: fmt.Sprintf("i%d", len(c.In)), Type: t.typ(), Width: t.width, TagWidth: t.tag})
	return arch.Endpoint{Comp: c, Port: len(c.In) - 1}
}

func (b *builder) taggedOut(c *arch.Component, t tagged) arch.Endpoint {
	c.Out = append(c.Out, arch.Port{Name: fmt.Sprintf("o%d", len(c.Out)), Type: t.typ(), Width: t.width, TagWidth: t.tag})
	return arch.Endpoint{Comp: c, Port: len(c.Out) - 1}
}

func (b *builder) taggedChannel(src, dst arch.Endpoint, t tagged, queue bool) {
	if queue {
		q := b.comp(arch.FIFO, fmt.Sprintf("bridge_fifo_%d", len(b.f.Comps)), dst.Comp.X, dst.Comp.Y)
		q.Def = "bridge_fifo"
		q.FIFO = &arch.FIFOSpec{Depth: b.o.Depth}
		in := b.taggedIn(q, t)
		b.taggedChannel(src, in, t, false)
		src = b.taggedOut(q, t)
	}
	b.channel(src, dst, t.width)
	b.f.Channels[len(b.f.Channels)-1].TagWidth = t.tag
}

// memory adds a memory at the switches that next names.
func (b *builder) memory(i int, m Memory, next func() *arch.Component) {
	if m.Elem == nil {
		m.Elem = ir.I32
	}
	w, _ := ir.BitWidth(m.Elem, b.f.IndexWidth)
	s := next()
	kind, shape := arch.ExtMemory, []int64{ir.Dynamic}
	if m.OnChip {
		kind, shape = arch.Memory, []int64{m.Elements}
	}
	c := b.comp(kind, fmt.Sprintf("mem_%d", i), s.X, s.Y)
	c.Def = c.Name
	c.Mem = &arch.MemorySpec{LdCount: m.Loads, StCount: m.Stores, NumRegion: max(m.Regions, 1), Private: m.OnChip && !m.Public,
		Type: ir.MemRef(shape, m.Elem), ElemWidth: max(w, 8), Elements: m.Elements, MemPort: -1,
		LdAddr: -1, StAddr: -1, StData: -1, LdData: -1, LdDone: -1, StDone: -1}
	if m.Stores > 0 {
		c.Mem.LSQDepth = 4
	}
	if !m.OnChip {
		c.Mem.MemPort = len(b.f.MemPorts)
		b.f.MemPorts = append(b.f.MemPorts, arch.MemPort{Name: fmt.Sprintf("m%d", i), Type: c.Mem.Type})
	}
	if m.Tagged || m.Loads > 1 || m.Stores > 1 {
		c.Mem.TagWidth = max(bits.Len(uint(max(m.Loads, m.Stores))), 1)
		if m.TagWidth > 0 {
			c.Mem.TagWidth = m.TagWidth
		}
		b.bridge(c, m, w, next)
		return
	}
	if m.Loads > 0 {
		c.Mem.LdAddr, c.Mem.LdData, c.Mem.LdDone = 0, 0, 1
		b.channel(b.outPort(s, b.w), b.inPort(c, 64), b.w)
		b.channel(b.outPort(c, w), b.inPort(s, b.w), w)
		b.channel(b.outPort(c, 1), b.inPort(s, b.w), 1)
	}
	if m.Stores > 0 {
		c.Mem.StAddr, c.Mem.StData, c.Mem.StDone = len(c.In), len(c.In)+1, len(c.Out)
		b.channel(b.outPort(s, b.w), b.inPort(c, 64), b.w)
		b.channel(b.outPort(s, b.w), b.inPort(c, w), b.w)
		b.channel(b.outPort(c, 1), b.inPort(s, b.w), 1)
	}
}

// bridge adds the lanes of a tagged memory and the switches between.
func (b *builder) bridge(c *arch.Component, m Memory, w int, next func() *arch.Component) {
	tw := c.Mem.TagWidth
	addr, data, done := tagged{b.f.IndexWidth, tw}, tagged{w, tw}, tagged{0, tw}
	count := func(lanes, ports int) int {
		if lanes == 0 {
			lanes = ports
		}
		return max(lanes, 0)
	}
	lanes := func(kind arch.Kind, name string, n int) []*arch.Component {
		var out []*arch.Component
		for k := range n {
			s := next()
			l := b.comp(kind, fmt.Sprintf("%s_%s%d", c.Name, name, k), s.X, s.Y)
			l.Def = c.Name + "_" + name
			l.Lane = &arch.LaneSpec{TagWidth: tw, Slots: 8}
			out = append(out, l)
			b.channel(b.outPort(s, b.w), b.inPort(l, b.f.IndexWidth), b.w)
			if kind == arch.StoreLane {
				l.Lane.LSQDepth = c.Mem.LSQDepth
				b.channel(b.outPort(s, b.w), b.inPort(l, w), b.w)
				b.taggedIn(l, done)
				b.taggedOut(l, addr)
				b.taggedOut(l, data)
			} else {
				b.taggedIn(l, data)
				b.taggedIn(l, done)
				b.taggedOut(l, addr)
				b.channel(b.outPort(l, w), b.inPort(s, b.w), w)
			}
			b.channel(b.outPort(l, 1), b.inPort(s, b.w), 1)
		}
		return out
	}
	if m.OneMerge && m.Loads > 0 && m.Stores > 0 {
		b.oneMerge(c, m, lanes, addr, data, done)
		return
	}
	if m.Loads > 0 {
		ld := lanes(arch.LoadLane, "ld", count(m.LoadLanes, m.Loads))
		c.Mem.LdAddr, c.Mem.LdData, c.Mem.LdDone = 0, 0, 1
		b.merge(m, c.Name+"_ldaddr", ends(ld, arch.LoadReq), b.taggedIn(c, addr), addr)
		b.split(m, c.Name+"_lddata", b.taggedOut(c, data), ends(ld, arch.LoadRsp), data)
		b.split(m, c.Name+"_lddone", b.taggedOut(c, done), ends(ld, arch.LoadDoneRsp), done)
	}
	if m.Stores > 0 {
		st := lanes(arch.StoreLane, "st", count(m.StoreLanes, m.Stores))
		c.Mem.StAddr, c.Mem.StData, c.Mem.StDone = len(c.In), len(c.In)+1, len(c.Out)
		b.merge(m, c.Name+"_staddr", ends(st, arch.StoreReqAddr), b.taggedIn(c, addr), addr)
		b.merge(m, c.Name+"_stdata", ends(st, arch.StoreReqData), b.taggedIn(c, data), data)
		b.split(m, c.Name+"_stdone", b.taggedOut(c, done), ends(st, arch.StoreDoneRsp), done)
	}
}

// oneMerge adds a bridge in which load requests and store addresses pass the same
// switch.
func (b *builder) oneMerge(c *arch.Component, m Memory, lanes func(arch.Kind, string, int) []*arch.Component, addr, data, done tagged) {
	ld, st := lanes(arch.LoadLane, "ld", m.Loads), lanes(arch.StoreLane, "st", m.Stores)
	c.Mem.LdAddr, c.Mem.LdData, c.Mem.LdDone, c.Mem.StAddr, c.Mem.StData, c.Mem.StDone = 0, 0, 1, 1, 2, 2
	sw := b.temporal(m, c.Name+"_addr", len(ld)+len(st), 2, len(ld)+len(st), addr)
	for k, e := range append(ends(ld, arch.LoadReq), ends(st, arch.StoreReqAddr)...) {
		b.taggedChannel(e, arch.Endpoint{Comp: sw, Port: k}, addr, m.Queues)
	}
	for o := range 2 {
		b.taggedChannel(arch.Endpoint{Comp: sw, Port: o}, b.taggedIn(c, addr), addr, m.Queues)
	}
	b.merge(m, c.Name+"_stdata", ends(st, arch.StoreReqData), b.taggedIn(c, data), data)
	b.split(m, c.Name+"_lddata", b.taggedOut(c, data), ends(ld, arch.LoadRsp), data)
	b.split(m, c.Name+"_lddone", b.taggedOut(c, done), ends(ld, arch.LoadDoneRsp), done)
	b.split(m, c.Name+"_stdone", b.taggedOut(c, done), ends(st, arch.StoreDoneRsp), done)
}

func ends(lanes []*arch.Component, port int) []arch.Endpoint {
	var out []arch.Endpoint
	for _, l := range lanes {
		out = append(out, arch.Endpoint{Comp: l, Port: port})
	}
	return out
}

// temporal adds a temporal switch with all inputs connected to all outputs.
func (b *builder) temporal(m Memory, name string, ins, outs, lanes int, t tagged) *arch.Component {
	sw := b.comp(arch.TemporalSwitch, fmt.Sprintf("%s_sw%d", name, len(b.f.Comps)), 0, 0)
	sw.Def = sw.Name
	sw.Temporal = &arch.TemporalSpec{Slots: m.Slots, TagWidth: t.tag}
	if m.Slots == 0 {
		sw.Temporal.Slots = lanes
	}
	for range ins {
		b.taggedIn(sw, t)
	}
	for range outs {
		b.taggedOut(sw, t)
		row := make([]bool, ins)
		for i := range row {
			row[i] = true
		}
		sw.Temporal.Connect = append(sw.Temporal.Connect, row)
	}
	return sw
}

// merge joins the requests of lanes; a single lane is wired directly.
func (b *builder) merge(m Memory, name string, from []arch.Endpoint, to arch.Endpoint, t tagged) {
	if m.Pairs > 0 && len(from) > m.Pairs {
		var heads []arch.Endpoint
		for i := 0; i < len(from); i += m.Pairs {
			part := from[i:min(i+m.Pairs, len(from))]
			sw := b.temporal(m, name, len(part), 1, len(part), t)
			for k, e := range part {
				b.taggedChannel(e, arch.Endpoint{Comp: sw, Port: k}, t, m.Queues)
			}
			heads = append(heads, arch.Endpoint{Comp: sw, Port: 0})
		}
		rest := m
		rest.Pairs = 0
		if m.Slots == 0 {
			rest.Slots = len(from)
		}
		b.merge(rest, name, heads, to, t)
		return
	}
	if len(from) < 2 {
		for _, e := range from {
			b.taggedChannel(e, to, t, m.Queues)
		}
		return
	}
	sw := b.temporal(m, name, len(from), 1, len(from), t)
	for k, e := range from {
		b.taggedChannel(e, arch.Endpoint{Comp: sw, Port: k}, t, m.Queues)
	}
	b.taggedChannel(arch.Endpoint{Comp: sw, Port: 0}, to, t, m.Queues)
}

// split hands the responses of a memory to its lanes.
func (b *builder) split(m Memory, name string, from arch.Endpoint, to []arch.Endpoint, t tagged) {
	switch len(to) {
	case 0:
		b.taggedChannel(from, arch.Endpoint{Port: -1}, t, false)
	case 1:
		b.taggedChannel(from, to[0], t, m.Queues)
	default:
		sw := b.temporal(m, name, 1, len(to), len(to), t)
		b.taggedChannel(from, arch.Endpoint{Comp: sw, Port: 0}, t, m.Queues)
		for k, e := range to {
			b.taggedChannel(arch.Endpoint{Comp: sw, Port: k}, e, t, m.Queues)
		}
	}
}
