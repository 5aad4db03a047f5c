package rtlgen

import (
	"fmt"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/config"
)

// memoryUnit connects what on-chip and external memories have in common: the
// table of regions and the channels of both port groups. An absent group has idle
// inputs and outputs that nothing reads.
func (b *coreBuilder) memoryUnit(s *section, c *arch.Component, stem, cfg string) (params, ports []conn) {
	m := c.Mem
	aw := 1
	for _, k := range []int{m.LdAddr, m.StAddr} {
		if k >= 0 {
			aw = max(aw, c.In[k].Width)
		}
	}
	tag, loads, stores := m.TagWidth, "LD", "ST"
	params = []conn{{"AW", fmt.Sprint(aw)}, {"DW", fmt.Sprint(m.ElemWidth)}}
	if tag > 0 {
		loads, stores = "LD_COUNT", "ST_COUNT"
		params = append(params, conn{"TW", fmt.Sprint(tag)})
	}
	params = append(params, conn{loads, fmt.Sprint(m.LdCount)}, conn{stores, fmt.Sprint(m.StCount)},
		conn{"LSQ_DEPTH", fmt.Sprint(max(m.LSQDepth, 1))}, conn{"NUM_REGION", fmt.Sprint(m.NumRegion)})
	ports = append(clocked(), conn{"cfg_region", b.regions(c, cfg)})

	in := func(port string, k, width int) {
		if k < 0 {
			name := b.names.name(stem + "_" + port + "_none")
			s.declare(1, name)
			b.unused = append(b.unused, name)
			ports = append(ports, conn{port + "_valid", "1'b0"}, conn{port + "_ready", name},
				conn{port + "_data", fmt.Sprintf("%d'd0", width+tag)})
			return
		}
		ports = append(ports, chanPorts(port, b.inputNet(s, stem, c.In[k], width))...)
	}
	out := func(port string, k, width int, data bool) {
		if k < 0 {
			name := b.names.name(stem + "_" + port + "_none")
			s.declare(1, name)
			b.unused = append(b.unused, name)
			ports = append(ports, conn{port + "_valid", name}, conn{port + "_ready", "1'b1"})
			if data {
				s.declare(width+tag, name+"_data")
				b.unused = append(b.unused, name+"_data")
				ports = append(ports, conn{port + "_data", name + "_data"})
			}
			return
		}
		n := b.outputNet(s, stem, c.Out[k], width)
		if data {
			ports = append(ports, chanPorts(port, n)...)
			return
		}
		ports = append(ports, tokenPorts(port, n)...)
		s.assign(n.data, fmt.Sprintf("%d'd0", n.width))
	}
	// The done channels of tagged memories carry the tag and nothing else.
	none := 1
	if tag > 0 {
		none = 0
	}
	in("ldaddr", m.LdAddr, aw)
	out("lddata", m.LdData, m.ElemWidth, true)
	out("lddone", m.LdDone, none, tag > 0)
	in("staddr", m.StAddr, aw)
	in("stdata", m.StData, m.ElemWidth)
	out("stdone", m.StDone, none, tag > 0)
	return params, ports
}

// regions packs the address table as the module reads it: valid, tags and offset
// per entry, which is the order of the slice. The layout spends no offset bits on a
// memory of a single byte, the module always has one.
func (b *coreBuilder) regions(c *arch.Component, cfg string) string {
	sl := b.g.layout.SliceFor(c)
	if sl.Regions[0].Offset.Width > 0 {
		return b.whole(c, cfg)
	}
	total := sl.WordCount * config.WordBits
	var entries []string
	for _, r := range sl.Regions {
		entries = append(entries, selectBits(cfg, r.Valid, 1, total))
		if r.StartTag.Width > 0 {
			entries = append(entries, selectBits(cfg, r.StartTag.Bit, r.StartTag.Width, total),
				selectBits(cfg, r.EndTag.Bit, r.EndTag.Width, total))
		}
		entries = append(entries, "1'b0")
	}
	return concat(entries)
}

// tagged is the library module of a memory: the one with tags where it has several
// logical ports.
func tagged(module string, m *arch.MemorySpec) string {
	if m.TagWidth > 0 {
		return module + "_tagged"
	}
	return module
}

func (b *coreBuilder) memory(s *section, c *arch.Component, stem, cfg string) {
	params, ports := b.memoryUnit(s, c, stem, cfg)
	params = append(params, conn{"DEPTH", fmt.Sprint(c.Mem.Elements)})
	if c.Mem.Private {
		host := b.names.name(stem + "_host_rdata")
		s.declare(c.Mem.ElemWidth, host)
		b.unused = append(b.unused, host)
		ports = append(ports, conn{"host_en", "1'b0"}, conn{"host_we", "1'b0"}, conn{"host_addr", fmt.Sprintf("%d'd0", elementBits(c.Mem))},
			conn{"host_wdata", fmt.Sprintf("%d'd0", c.Mem.ElemWidth)}, conn{"host_rdata", host})
	} else {
		params = append(params, conn{"HOST", "1"})
		for _, p := range b.g.hostPorts(c) {
			ports = append(ports, conn{"host" + strings.TrimPrefix(p.Name, b.g.hostPrefix(c)), p.Name})
		}
	}
	s.instantiate(instance{Module: tagged("loom_memory", c.Mem), Name: "u_" + stem, Params: params,
		Ports: append(ports, b.statusPorts(s, stem, true, true)...)})
}

func (b *coreBuilder) extMemory(s *section, c *arch.Component, stem, cfg string) {
	params, ports := b.memoryUnit(s, c, stem, cfg)
	// The module has all bus ports; only those of present groups leave the core.
	for _, p := range requests(c.Mem) {
		name := stem + "_" + p.Name
		switch {
		case has(c.Mem, p.load):
			ports = append(ports, conn{p.Name, name})
		case p.Dir == "input":
			ports = append(ports, conn{p.Name, fmt.Sprintf("%d'd0", p.Width)})
		default:
			none := b.names.name(name + "_none")
			s.declare(p.Width, none)
			b.unused = append(b.unused, none)
			ports = append(ports, conn{p.Name, none})
		}
	}
	if c.Mem.LdCount > 0 {
		s.assign(stem+"_ld_rsp_ready", "1'b1")
	}
	if c.Mem.StCount > 0 {
		s.assign(stem+"_st_rsp_ready", "1'b1")
	}
	s.instantiate(instance{Module: tagged("loom_extmemory", c.Mem), Name: "u_" + stem, Params: params,
		Ports: append(ports, b.statusPorts(s, stem, true, true)...)})
}
