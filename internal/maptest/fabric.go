// Package maptest makes fabrics of one switch with memory bridges around it, and
// mappings onto them by enumeration, for the tests of what reads mappings. No
// mapper takes part, so that a fault of one cannot hide one of the other.
package maptest

import (
	"fmt"

	"loom/compiler/arch"
	"loom/compiler/ir"
	"loom/internal/fabtest"
)

// IndexWidth is the width of index on the fabrics of this package.
const IndexWidth = 64

// Bridge describes a memory and the lanes at it. With at most one lane of each
// kind and TagWidth 0 it is a memory without tags, wired to the switch.
type Bridge struct {
	Name     string
	External bool
	Elem     ir.Type
	Elements int64 // on chip
	// Loads and Stores are the numbers of lanes and of logical ports.
	Loads, Stores int
	Regions       int
	Private       bool
	// TagWidth of a bridge, 0 without tags.
	TagWidth int
	// Queue is a FIFO between the merging switches and the memory.
	Queue bool
	// Direct leaves out the FIFOs at the inputs of lanes.
	Direct bool
}

// Fabric makes a fabric of numbered PEs, boundary inputs and outputs, and memories
// around one switch. Every PE and lane input has a FIFO of two slots.
func Fabric(name string, pes, ins, outs int, bridges ...Bridge) *arch.Fabric {
	b := &builder{f: &arch.Fabric{Name: name, IndexWidth: IndexWidth}}
	b.sw = b.comp(arch.SpatialSwitch, "sw", 2, 2)
	b.sw.Switch = &arch.SwitchSpec{}
	for i := range ins {
		b.f.Inputs = append(b.f.Inputs, &arch.Boundary{Name: fmt.Sprintf("in%d", i), Type: ir.Bits(IndexWidth), Width: IndexWidth})
		b.channel(arch.Endpoint{Port: i}, b.in(b.sw, "in", IndexWidth, 0))
	}
	for i := range outs {
		b.f.Outputs = append(b.f.Outputs, &arch.Boundary{Name: fmt.Sprintf("out%d", i), Type: ir.Bits(IndexWidth), Width: IndexWidth})
		b.channel(b.out(b.sw, "out", IndexWidth, 0), arch.Endpoint{Port: i})
	}
	var fus []*arch.FunctionUnit
	for i, u := range fabtest.IntUnits() {
		fus = append(fus, fabtest.Unit(fmt.Sprintf("u%d_%s", i, u.Name), u, IndexWidth))
	}
	for i := range pes {
		pe := b.comp(arch.SpatialPE, fmt.Sprintf("pe_%d", i), float64(i%8), float64(3+i/8))
		pe.PE = &arch.PESpec{FUs: fus}
		for range pe.PE.MaxInputs() {
			b.fromSwitch(b.in(pe, "in", IndexWidth, 0))
		}
		for range pe.PE.MaxOutputs() {
			b.toSwitch(b.out(pe, "out", IndexWidth, 0))
		}
	}
	for i, br := range bridges {
		b.bridge(br, float64(3*i), 0)
	}
	for range b.sw.Out {
		row := make([]bool, len(b.sw.In))
		for i := range row {
			row[i] = true
		}
		b.sw.Switch.Connect = append(b.sw.Switch.Connect, row)
	}
	return b.f
}

type builder struct {
	f  *arch.Fabric
	sw *arch.Component
}

func (b *builder) comp(kind arch.Kind, name string, x, y float64) *arch.Component {
	c := &arch.Component{ID: len(b.f.Comps), Name: name, Def: name, Kind: kind, X: x, Y: y, Placed: true}
	b.f.Comps = append(b.f.Comps, c)
	return c
}

func portType(w, tag int) ir.Type {
	t := ir.Type(ir.None)
	if w > 0 {
		t = ir.Bits(w)
	}
	if tag > 0 {
		return ir.Tagged(t, tag)
	}
	return t
}

func (b *builder) in(c *arch.Component, name string, w, tag int) arch.Endpoint {
	c.In = append(c.In, arch.Port{Name: name, Type: portType(w, tag), Width: w, TagWidth: tag})
	return arch.Endpoint{Comp: c, Port: len(c.In) - 1}
}

func (b *builder) out(c *arch.Component, name string, w, tag int) arch.Endpoint {
	c.Out = append(c.Out, arch.Port{Name: name, Type: portType(w, tag), Width: w, TagWidth: tag})
	return arch.Endpoint{Comp: c, Port: len(c.Out) - 1}
}

func (b *builder) channel(src, dst arch.Endpoint) {
	ch := &arch.Channel{ID: len(b.f.Channels), Src: src, Dst: dst}
	ch.Name = fmt.Sprintf("ch%d", ch.ID)
	b.f.Channels = append(b.f.Channels, ch)
	if src.Comp != nil {
		p := &src.Comp.Out[src.Port]
		ch.Width, ch.TagWidth, p.Chan = p.Width, p.TagWidth, ch
	} else {
		ch.Width, b.f.Inputs[src.Port].Chan = b.f.Inputs[src.Port].Width, ch
	}
	if dst.Comp != nil {
		dst.Comp.In[dst.Port].Chan = ch
	} else {
		b.f.Outputs[dst.Port].Chan = ch
	}
}

// fifo puts a FIFO of two slots in front of an input and returns its own input.
func (b *builder) fifo(dst arch.Endpoint, w, tag int) arch.Endpoint {
	q := b.comp(arch.FIFO, fmt.Sprintf("fifo_%s_%d", dst.Comp.Name, dst.Port), dst.Comp.X, dst.Comp.Y-0.2)
	q.FIFO = &arch.FIFOSpec{Depth: 2}
	in := b.in(q, "in", w, tag)
	b.channel(b.out(q, "out", w, tag), dst)
	return in
}

func (b *builder) fromSwitch(dst arch.Endpoint) {
	b.channel(b.out(b.sw, "out", IndexWidth, 0), b.fifo(dst, IndexWidth, 0))
}

// lane connects an input of a lane.
func (b *builder) lane(br Bridge, dst arch.Endpoint) {
	if br.Direct {
		b.channel(b.out(b.sw, "out", IndexWidth, 0), dst)
		return
	}
	b.fromSwitch(dst)
}

func (b *builder) toSwitch(src arch.Endpoint) {
	b.channel(src, b.in(b.sw, "in", IndexWidth, 0))
}

// bridge makes a memory with its lanes.
func (b *builder) bridge(br Bridge, x, y float64) {
	kind := arch.Memory
	mt := ir.MemRef([]int64{br.Elements}, br.Elem)
	if br.External {
		kind, mt = arch.ExtMemory, ir.MemRef([]int64{ir.Dynamic}, br.Elem)
	}
	w, _ := ir.BitWidth(br.Elem, IndexWidth)
	mem := b.comp(kind, br.Name, x+1, y)
	m := &arch.MemorySpec{LdCount: br.Loads, StCount: br.Stores, NumRegion: max(br.Regions, 1), TagWidth: br.TagWidth,
		Private: br.Private, Type: mt, ElemWidth: max(w, 8), MemPort: -1,
		LdAddr: -1, StAddr: -1, StData: -1, LdData: -1, LdDone: -1, StDone: -1}
	mem.Mem = m
	if br.Stores > 0 {
		m.LSQDepth = 4
	}
	if br.External {
		m.MemPort = len(b.f.MemPorts)
		b.f.MemPorts = append(b.f.MemPorts, arch.MemPort{Name: br.Name, Type: mt})
	} else {
		m.Elements = br.Elements
	}
	done := 0
	if br.TagWidth == 0 {
		done = 1
	}
	if br.Loads > 0 {
		m.LdAddr = b.in(mem, "ldaddr", IndexWidth, br.TagWidth).Port
		m.LdData, m.LdDone = b.out(mem, "lddata", w, br.TagWidth).Port, b.out(mem, "lddone", done, br.TagWidth).Port
	}
	if br.Stores > 0 {
		m.StAddr, m.StData = b.in(mem, "staddr", IndexWidth, br.TagWidth).Port, b.in(mem, "stdata", w, br.TagWidth).Port
		m.StDone = b.out(mem, "stdone", done, br.TagWidth).Port
	}
	if br.TagWidth == 0 {
		for i := range mem.In {
			b.fromSwitch(arch.Endpoint{Comp: mem, Port: i})
		}
		for o := range mem.Out {
			b.toSwitch(arch.Endpoint{Comp: mem, Port: o})
		}
		return
	}
	b.loadLanes(br, mem, w)
	b.storeLanes(br, mem, w)
}

func (b *builder) loadLanes(br Bridge, mem *arch.Component, w int) {
	var req, rsp, done []arch.Endpoint
	for i := range br.Loads {
		l := b.comp(arch.LoadLane, fmt.Sprintf("%s_load%d", br.Name, i), mem.X-1+float64(i)/4, mem.Y+1.5)
		l.Lane = &arch.LaneSpec{TagWidth: br.TagWidth, Slots: 8}
		b.lane(br, b.in(l, "addr", IndexWidth, 0))
		rsp, done = append(rsp, b.in(l, "rsp", w, br.TagWidth)), append(done, b.in(l, "done_rsp", 0, br.TagWidth))
		req = append(req, b.out(l, "req", IndexWidth, br.TagWidth))
		b.toSwitch(b.out(l, "data", w, 0))
		b.toSwitch(b.out(l, "done", 1, 0))
	}
	if br.Loads == 0 {
		return
	}
	b.merge(br, mem.Name+"_ldaddr", req, arch.Endpoint{Comp: mem, Port: mem.Mem.LdAddr})
	b.split(br, mem.Name+"_lddata", arch.Endpoint{Comp: mem, Port: mem.Mem.LdData}, rsp)
	b.split(br, mem.Name+"_lddone", arch.Endpoint{Comp: mem, Port: mem.Mem.LdDone}, done)
}

func (b *builder) storeLanes(br Bridge, mem *arch.Component, w int) {
	var addr, data, done []arch.Endpoint
	for i := range br.Stores {
		l := b.comp(arch.StoreLane, fmt.Sprintf("%s_store%d", br.Name, i), mem.X+float64(i)/4, mem.Y+1.5)
		l.Lane = &arch.LaneSpec{TagWidth: br.TagWidth, Slots: 8, LSQDepth: 4}
		b.lane(br, b.in(l, "addr", IndexWidth, 0))
		b.lane(br, b.in(l, "data", w, 0))
		done = append(done, b.in(l, "done_rsp", 0, br.TagWidth))
		addr, data = append(addr, b.out(l, "staddr", IndexWidth, br.TagWidth)), append(data, b.out(l, "stdata", w, br.TagWidth))
		b.toSwitch(b.out(l, "done", 1, 0))
	}
	if br.Stores == 0 {
		return
	}
	b.merge(br, mem.Name+"_staddr", addr, arch.Endpoint{Comp: mem, Port: mem.Mem.StAddr})
	b.merge(br, mem.Name+"_stdata", data, arch.Endpoint{Comp: mem, Port: mem.Mem.StData})
	b.split(br, mem.Name+"_stdone", arch.Endpoint{Comp: mem, Port: mem.Mem.StDone}, done)
}

// temporal makes a temporal switch with every connection.
func (b *builder) temporal(br Bridge, name string, ins, outs, w int, at arch.Endpoint) *arch.Component {
	s := b.comp(arch.TemporalSwitch, name, at.Comp.X-0.6+0.3*float64(at.Port), at.Comp.Y+0.7)
	s.Temporal = &arch.TemporalSpec{Slots: max(ins, outs), TagWidth: br.TagWidth}
	for range ins {
		b.in(s, "in", w, br.TagWidth)
	}
	for range outs {
		b.out(s, "out", w, br.TagWidth)
		row := make([]bool, ins)
		for i := range row {
			row[i] = true
		}
		s.Temporal.Connect = append(s.Temporal.Connect, row)
	}
	return s
}

func (b *builder) merge(br Bridge, name string, from []arch.Endpoint, to arch.Endpoint) {
	w := to.Comp.In[to.Port].Width
	if br.Queue {
		to = b.fifo(to, w, br.TagWidth)
	}
	if len(from) == 1 {
		b.channel(from[0], to)
		return
	}
	s := b.temporal(br, name, len(from), 1, w, to)
	for i, e := range from {
		b.channel(e, arch.Endpoint{Comp: s, Port: i})
	}
	b.channel(arch.Endpoint{Comp: s, Port: 0}, to)
}

func (b *builder) split(br Bridge, name string, from arch.Endpoint, to []arch.Endpoint) {
	if len(to) == 1 {
		b.channel(from, to[0])
		return
	}
	s := b.temporal(br, name, 1, len(to), from.Comp.Out[from.Port].Width, from)
	b.channel(from, arch.Endpoint{Comp: s, Port: 0})
	for i, e := range to {
		b.channel(arch.Endpoint{Comp: s, Port: i}, e)
	}
}
