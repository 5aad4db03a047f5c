package build

import (
	"fmt"
	"math/bits"

	"gopkg.in/yaml.v3"

	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/ir"
)

// memory is one memory or external memory. With several load or store ports it is
// tagged and has a lane per port; without, its ports hang on the switches themselves.
type memory struct {
	name          string
	pos           diag.Pos
	external      bool
	typ           *ir.MemRefType
	loads, stores int
	lsqDepth      int // 0 without stores
	laneDepth     int
	regions       int
	busWidth      int    // of an external memory's AXI port; 0 for that of the element
	outstanding   int    // loads, and as many stores, in flight of an external memory
	burst         int    // elements that share a transaction of an external memory at most
	cache         int    // elements of an external memory's read cache, 0 for none
	bounds        bool   // whether the regions of an external memory have sizes
	master        string // name of the AXI4 master that an external memory shares, "" for one of its own
	private       bool
	// units are the load and the store unit that stand at each port of the memory, nil where PEs have them.
	units *accessUnits
}

// tagWidth is the width of the memory's tags, 0 where it has none. It is one value
// wider than the ports need: address regions end one above the last tag they
// serve, and that end must be a tag too.
func (m *memory) tagWidth() int {
	if m.loads <= 1 && m.stores <= 1 {
		return 0
	}
	return bits.Len(uint(max(m.loads, m.stores)))
}

// defaultCapacity is the size in bytes of an on-chip memory whose file gives none
// (spec-fabric-mem.md, "Static vs Dynamic Shapes").
const defaultCapacity = 4096

// defaultRegions bounds the address table of a tagged memory whose file gives no
// size: a region per port up to this number.
const defaultRegions = 8

func (r *reader) memories(a *architecture, n *yaml.Node, external bool) {
	list, prefix := "memories", "spm"
	known := []string{"name", "count", "element", "loads", "stores", "lane_depth", "lsq_depth", "regions", "elements", "private"}
	if external {
		list, prefix = "extmemories", "mem"
		known = append(known[:len(known)-2], "axi_data_width", "axi_master", "outstanding", "burst", "bounds", "cache")
	}
	what := "an entry of '" + list + "'"
	taken := map[string]bool{}
	for _, m := range a.memories {
		taken[m.name] = true // names of one list are numbered through
	}
	numbers := map[string]int{}
	for _, e := range r.list(n, "'"+list+"'") {
		o := r.object(e, what, known...)
		if !o.require("element") {
			continue
		}
		name := prefix
		if o.has("name") {
			name = r.identifier(o.at("name"), "'name' of "+what)
		}
		m := r.memory(a, o, external)
		if m == nil {
			continue
		}
		m.pos = r.pos(deref(e))
		for range o.integer("count", 1, 0, maxMemories) {
			one := *m
			one.name = fmt.Sprintf("%s_%d", name, numbers[name])
			numbers[name]++
			if taken[one.name] {
				r.errorf(deref(e), "there are two memories called '%s'", one.name).WithHelp("give them different names with 'name'")
				break
			}
			if len(a.memories) == maxMemories {
				r.errorf(deref(e), "more than %d memories", maxMemories)
				return
			}
			a.memories = append(a.memories, &one)
		}
	}
}

// memory reads one entry, nil when there is no telling what it means.
func (r *reader) memory(a *architecture, o *object, external bool) *memory {
	// A memory's element is not bound by the channels: the check below is.
	u := unitReader{reader: r, width: a.width, indexWidth: a.indexWidth}
	elem := u.typ(o.at("element"), o.text("element", ""))
	if elem == nil {
		return nil
	}
	elemBits, ok := arch.ElementBits(elem)
	if !ok {
		r.errorf(deref(o.at("element")), "%s cannot be a memory element", elem).
			WithHelp("elements are powers of two of 8 to 64 bits, or i1")
		return nil
	}
	m := &memory{external: external, private: o.boolean("private", true),
		loads: o.integer("loads", 1, 0, maxLanes), stores: o.integer("stores", 1, 0, maxLanes)}
	if m.loads == 0 && m.stores == 0 {
		r.errorf(deref(o.at("stores")), "%s has neither loads nor stores", o.name).WithHelp("one of 'loads' and 'stores' must be at least 1")
	}
	shape := []int64{ir.Dynamic}
	if !external {
		shape[0] = int64(o.integer("elements", defaultCapacity*8/elemBits, 1, maxElements))
	}
	m.typ = ir.MemRef(shape, elem)
	if m.stores > 0 {
		m.lsqDepth = o.integer("lsq_depth", 4, 1, maxFIFO)
	} else if o.has("lsq_depth") {
		r.errorf(deref(o.at("lsq_depth")), "a memory without stores has no store queue").WithHelp("leave 'lsq_depth' out")
	}
	m.laneDepth = o.integer("lane_depth", arch.LaneDepth, 1, maxFIFO)
	regions := 1
	if m.tagWidth() > 0 {
		regions = min(max(m.loads, m.stores), defaultRegions)
	} else if o.has("lane_depth") {
		r.errorf(deref(o.at("lane_depth")), "only a memory with several loads or stores has lanes").
			WithHelp("raise 'loads' or 'stores', or leave 'lane_depth' out")
	}
	m.regions = o.integer("regions", regions, 1, 64)
	m.outstanding = o.integer("outstanding", arch.DefaultOutstanding, arch.MinOutstanding, arch.MaxOutstanding)
	m.burst = r.power(o, "burst", max(a.axi.burst, 1), 1, arch.MaxBurst)
	m.bounds = o.boolean("bounds", false)
	m.cache = o.integer("cache", 0, 0, arch.MaxCache)
	switch {
	case m.cache == 0:
	case m.cache < arch.MinCache || m.cache&(m.cache-1) != 0:
		r.errorf(deref(o.at("cache")), "'cache' of %s must be a power of two from %d to %d, found %d", o.name, arch.MinCache, arch.MaxCache, m.cache).
			WithHelp("a stencil needs room for the elements between its first load of one and its last: of two dimensions two rows and some more; 0 is no cache")
	case m.loads == 0:
		r.errorf(deref(o.at("cache")), "a memory without loads has no use for a read cache").WithHelp("leave 'cache' out")
	}
	if external {
		if m.master = a.axi.master; o.has("axi_master") {
			m.master = r.master(o, "axi_master")
		}
		if w := a.axi.dataWidth; w >= elemBits || o.has("axi_data_width") {
			m.busWidth = r.power(o, "axi_data_width", w, elemBits, arch.MaxAXIDataWidth)
		}
	}
	return m
}

// group is a port family of memories and what belongs to it: its lanes and the
// switches between them and the memory.
type group struct {
	lanes int
	// lane is the letter pair of the lanes' names, kind their operation.
	lane, kind string
	// sends and receives name the memory's ports for what the lanes send and receive,
	// in the order of the lane's.
	sends, receives []string
}

// groups are the port families that the memory has, in the order of
// spec-fabric-mem.md.
func (m *memory) groups() []group {
	var out []group
	if m.loads > 0 {
		out = append(out, group{m.loads, "ld", "load_lane", []string{"ldaddr"}, []string{"lddata", "lddone"}})
	}
	if m.stores > 0 {
		out = append(out, group{m.stores, "st", "store_lane", []string{"staddr", "stdata"}, []string{"stdone"}})
	}
	return out
}

func (m *memory) laneName(g group, i int) string { return fmt.Sprintf("%s_%s%d", m.name, g.lane, i) }

// switchName names the switch that merges or splits the traffic of one port of
// the memory.
func (m *memory) switchName(port string) string {
	if port == "ldaddr" {
		port = "ldreq" // "ldaddr" would read as the address of the port, before the lanes
	}
	return m.name + "_" + port
}

// position is what a memory, one of its lanes or a unit at its ports connects to one crossing of the
// perimeter: one input and one output, nil for none.
type position struct{ in, out *end }

// end is a port at the perimeter: its owner, which of the owner's ports it is, and whether it is one of tokens, as
// those of done tokens are. Of a memory with access units, unit is set.
type end struct {
	owner       string
	index       int
	token, unit bool
}

// positions lists what the memory connects to the perimeter, in the order along
// it. Ports that are used together stand at neighbouring switches.
func (m *memory) positions() []position {
	if m.units != nil {
		return m.unitPositions()
	}
	word := func(owner string, k int) *end { return &end{owner: owner, index: k} }
	done := func(owner string, k int) *end { return &end{owner: owner, index: k, token: true} }
	var out []position
	if m.tagWidth() == 0 {
		ins := 0
		var outs []string
		for _, g := range m.groups() {
			ins += len(g.sends)
			outs = append(outs, g.receives...)
		}
		for k := range max(ins, len(outs)) {
			var p position
			if k < ins {
				p.in = word(m.name, k)
			}
			if k < len(outs) {
				p.out = word(m.name, k)
				p.out.token = outs[k] == "lddone" || outs[k] == "stdone"
			}
			out = append(out, p)
		}
		return out
	}
	for _, g := range m.groups() {
		for i := range g.lanes {
			name := m.laneName(g, i)
			// A load lane takes an address and gives data and done, a store lane takes
			// address and data and gives done.
			if g.lane == "ld" {
				out = append(out, position{word(name, 0), word(name, 0)}, position{nil, done(name, 1)})
			} else {
				out = append(out, position{word(name, 0), nil}, position{word(name, 1), done(name, 0)})
			}
		}
	}
	return out
}

// taps are the switch ports that the ports of one memory or lane are connected to,
// by number: in those that it reads from, out those that it writes to.
type taps struct {
	mem     *memory
	in, out []tap
}

// tap is one port of a switch: an output of it among taps.in, an input among
// taps.out.
type tap struct {
	sw *netSwitch
	at int
}

// memories gives each memory its own stretch of the perimeter, in proportion to
// its ports, and spreads them over the switches of that stretch.
func (n *network) memories() {
	ring := n.edge
	total := 0
	for _, mem := range n.a.memories {
		total += len(mem.positions())
	}
	before := 0
	for _, mem := range n.a.memories {
		positions := mem.positions()
		first := before * len(ring) / total
		before += len(positions)
		stretch := max(before*len(ring)/total-first, 1)
		for k, p := range positions {
			at := first + k%stretch
			if mem.tagWidth() > 0 && len(positions) > stretch {
				at = first + k*stretch/len(positions) // keeps the ports of a lane together
			}
			n.tap(ring[at%len(ring)], mem, p)
		}
	}
}

// tap connects one position to a switch.
func (n *network) tap(s *netSwitch, mem *memory, p position) {
	at := func(e *end) (*taps, *netSwitch, port) {
		t := n.taps[e.owner]
		if t == nil {
			t = &taps{mem: mem}
			n.taps[e.owner] = t
		}
		q := port{owner: e.owner, kind: memPort, index: e.index, access: !e.token}
		if e.unit {
			q.kind = unitPort
		}
		if e.token {
			return t, s.tokens, q
		}
		return t, s, q
	}
	if p.in != nil {
		t, s, q := at(p.in)
		t.in = append(t.in, tap{s, len(s.out)})
		s.out = append(s.out, q)
	}
	if p.out != nil {
		t, s, q := at(p.out)
		t.out = append(t.out, tap{s, len(s.in)})
		s.in = append(s.in, q)
	}
}
