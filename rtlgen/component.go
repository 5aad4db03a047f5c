package rtlgen

import (
	"fmt"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/config"
)

// component adds one component of the fabric to the top module.
func (b *coreBuilder) component(c *arch.Component) {
	stem := b.g.ports.comp[c.ID]
	s := &section{Comment: []string{fmt.Sprintf("%s %s", c.Kind, c.Name)}}
	cfg := b.slice(s, c)
	switch c.Kind {
	case arch.SpatialSwitch:
		b.spatialSwitch(s, c, stem, cfg)
	case arch.FIFO:
		b.fifo(s, c, stem, cfg)
	case arch.SpatialPE:
		b.spatialPE(s, c, stem, cfg)
	case arch.Memory:
		b.memory(s, c, stem, cfg)
	case arch.ExtMemory:
		b.extMemory(s, c, stem, cfg)
	}
	b.view.Sections = append(b.view.Sections, s)
}

func clocked() []conn { return []conn{{"clk", "clk"}, {"rst", "dp_rst"}} }

// statusPorts declares and connects idle and, where the module has them, errors.
func (b *coreBuilder) statusPorts(s *section, stem string, idle, errors bool) []conn {
	var ports []conn
	if errors {
		s.declare(1, stem+"_err_valid")
		s.declare(16, stem+"_err_code")
		b.errValid, b.errCode = append(b.errValid, stem+"_err_valid"), append(b.errCode, stem+"_err_code")
		ports = append(ports, conn{"err_valid", stem + "_err_valid"}, conn{"err_code", stem + "_err_code"})
	}
	if idle {
		s.declare(1, stem+"_idle")
		b.idle = append(b.idle, stem+"_idle")
		ports = append(ports, conn{"idle", stem + "_idle"})
	}
	return ports
}

// spatialSwitch: all ports of the module are as wide as the widest of the switch.
func (b *coreBuilder) spatialSwitch(s *section, c *arch.Component, stem, cfg string) {
	width := 1
	for _, ports := range [][]arch.Port{c.In, c.Out} {
		for _, p := range ports {
			width = max(width, p.Width)
		}
	}
	var ins, outs []net
	for _, p := range c.In {
		ins = append(ins, b.inputNet(s, stem, p, width))
	}
	// The outputs leave the module as one vector.
	s.declare(len(c.Out)*width, stem+"_out_data")
	for o, p := range c.Out {
		n := b.outputNet(s, stem, p, p.Width)
		s.assign(n.data, selectBits(stem+"_out_data", o*width, n.width, len(c.Out)*width))
		b.spare(stem+"_out_data", o*width, width, n.width, len(c.Out)*width)
		outs = append(outs, n)
	}
	inValid, inReady, inData := vectors(ins)
	outValid, outReady, _ := vectors(outs)

	routes, table := 0, strings.Builder{}
	for o := len(c.Out) - 1; o >= 0; o-- {
		for i := len(c.In) - 1; i >= 0; i-- {
			if c.Switch.Connect[o][i] {
				routes++
				table.WriteByte('1')
			} else {
				table.WriteByte('0')
			}
		}
	}
	sl := b.g.layout.SliceFor(c)
	ports := append(clocked(),
		conn{"cfg_route", selectBits(cfg, 0, routes, sl.WordCount*32)},
		conn{"cfg_discard", selectBits(cfg, routes, len(c.In), sl.WordCount*32)},
		conn{"in_valid", inValid}, conn{"in_ready", inReady}, conn{"in_data", inData},
		conn{"out_valid", outValid}, conn{"out_ready", outReady}, conn{"out_data", stem + "_out_data"})
	s.instantiate(instance{
		Module: "loom_switch", Name: "u_" + stem,
		Params: []conn{{"W", fmt.Sprint(width)}, {"N_IN", fmt.Sprint(len(c.In))}, {"N_OUT", fmt.Sprint(len(c.Out))},
			{"CONNECT", fmt.Sprintf("%d'b%s", len(c.In)*len(c.Out), table.String())}, {"N_ROUTES", fmt.Sprint(routes)}},
		Ports: append(ports, b.statusPorts(s, stem, true, true)...),
	})
}

// spare notes the bits of one lane of a vector above those that are used.
func (b *coreBuilder) spare(name string, at, width, used, total int) {
	if width > used {
		b.unused = append(b.unused, selectBits(name, at+used, width-used, total))
	}
}

func (b *coreBuilder) fifo(s *section, c *arch.Component, stem, cfg string) {
	width := c.In[0].Width
	in := b.inputNet(s, stem, c.In[0], width)
	out := b.outputNet(s, stem, c.Out[0], width)
	module, ports := "loom_fifo", clocked()
	if c.FIFO.Bypassable {
		module = "loom_fifo_bypass"
		ports = append(ports, conn{"cfg_bypassed", selectBits(cfg, b.g.layout.SliceFor(c).FIFO.Bit, 1, 32)})
	}
	ports = append(append(ports, chanPorts("in", in)...), chanPorts("out", out)...)
	s.instantiate(instance{
		Module: module, Name: "u_" + stem,
		Params: []conn{{"W", fmt.Sprint(width)}, {"DEPTH", fmt.Sprint(c.FIFO.Depth)}},
		Ports:  append(ports, b.statusPorts(s, stem, true, false)...),
	})
}

func (b *coreBuilder) spatialPE(s *section, c *arch.Component, stem, cfg string) {
	m := b.g.pe(c)
	var ports []conn
	if m.clocked {
		ports = append(ports, conn{"clk", "clk"})
	}
	if m.clocked || m.errors {
		ports = append(ports, conn{"rst", "dp_rst"})
	}
	ports = append(ports, conn{"cfg", selectBits(cfg, 0, m.cfgBits, b.g.layout.SliceFor(c).WordCount*32)})
	for i, p := range c.In {
		ports = append(ports, chanPorts(m.in[i], b.inputNet(s, stem, p, p.Width))...)
	}
	for o, p := range c.Out {
		ports = append(ports, chanPorts(m.out[o], b.outputNet(s, stem, p, p.Width))...)
	}
	s.instantiate(instance{
		Module: m.name, Name: "u_" + stem,
		Ports: append(ports, b.statusPorts(s, stem, m.clocked, m.errors)...),
	})
}

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
	params = []conn{{"AW", fmt.Sprint(aw)}, {"DW", fmt.Sprint(m.ElemWidth)}, {"LD", fmt.Sprint(m.LdCount)},
		{"ST", fmt.Sprint(m.StCount)}, {"LSQ_DEPTH", fmt.Sprint(max(m.LSQDepth, 1))}, {"NUM_REGION", fmt.Sprint(m.NumRegion)}}
	ports = append(clocked(), conn{"cfg_region", b.regions(c, cfg)})

	in := func(port string, k, width int) {
		if k < 0 {
			name := b.names.name(stem + "_" + port + "_none")
			s.declare(1, name)
			b.unused = append(b.unused, name)
			ports = append(ports, conn{port + "_valid", "1'b0"}, conn{port + "_ready", name},
				conn{port + "_data", fmt.Sprintf("%d'd0", width)})
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
				s.declare(width, name+"_data")
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
	in("ldaddr", m.LdAddr, aw)
	out("lddata", m.LdData, m.ElemWidth, true)
	out("lddone", m.LdDone, 1, false)
	in("staddr", m.StAddr, aw)
	in("stdata", m.StData, m.ElemWidth)
	out("stdone", m.StDone, 1, false)
	return params, ports
}

// regions packs the address table as the module reads it: valid and offset per
// entry. The layout spends no offset bits on a memory of a single byte, the
// module always has one.
func (b *coreBuilder) regions(c *arch.Component, cfg string) string {
	sl := b.g.layout.SliceFor(c)
	total := sl.WordCount * config.WordBits
	if sl.Regions[0].Offset.Width > 0 {
		return selectBits(cfg, 0, sl.Bits, total)
	}
	var entries []string
	for _, r := range sl.Regions {
		entries = append(entries, selectBits(cfg, r.Valid, 1, total), "1'b0")
	}
	return concat(entries)
}

func (b *coreBuilder) memory(s *section, c *arch.Component, stem, cfg string) {
	params, ports := b.memoryUnit(s, c, stem, cfg)
	params = append(params, conn{"DEPTH", fmt.Sprint(c.Mem.Elements)})
	index := 1
	if c.Mem.Elements > 2 {
		index = config.ChoiceBits(int(c.Mem.Elements))
	}
	host := b.names.name(stem + "_host_rdata")
	s.declare(c.Mem.ElemWidth, host)
	b.unused = append(b.unused, host)
	ports = append(ports, conn{"host_en", "1'b0"}, conn{"host_we", "1'b0"}, conn{"host_addr", fmt.Sprintf("%d'd0", index)},
		conn{"host_wdata", fmt.Sprintf("%d'd0", c.Mem.ElemWidth)}, conn{"host_rdata", host})
	s.instantiate(instance{Module: "loom_memory", Name: "u_" + stem, Params: params,
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
	s.instantiate(instance{Module: "loom_extmemory", Name: "u_" + stem, Params: params,
		Ports: append(ports, b.statusPorts(s, stem, true, true)...)})
}
