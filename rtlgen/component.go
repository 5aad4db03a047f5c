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
	case arch.TemporalSwitch:
		b.temporalSwitch(s, c, stem, cfg)
	case arch.AddTag, arch.DelTag, arch.MapTag:
		b.tagOperation(s, c, stem, cfg)
	case arch.LoadLane:
		b.loadLane(s, c, stem, cfg)
	case arch.StoreLane:
		b.storeLane(s, c, stem, cfg)
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

// crossbar connects what spatial and temporal switches have in common. All ports of
// the module have the widest payload of the switch; the outputs leave it as one
// vector. It returns the connectivity parameters and the ports of the channels.
func (b *coreBuilder) crossbar(s *section, c *arch.Component, stem string, connect [][]bool, tag int) (params, ports []conn, routes int) {
	payload := 0
	for _, p := range append(append([]arch.Port(nil), c.In...), c.Out...) {
		payload = max(payload, p.Width)
	}
	width, total := payload+tag, len(c.Out)*(payload+tag)
	var ins, outs []net
	for _, p := range c.In {
		ins = append(ins, b.inputNet(s, stem, p, payload))
	}
	s.declare(total, stem+"_outputs")
	for o, p := range c.Out {
		n := b.outputNet(s, stem, p, p.Width)
		s.assign(n.data, fit(stem+"_outputs", o*width, payload, n.width, tag, total))
		b.spare(stem+"_outputs", o*width, payload, n.width, total)
		outs = append(outs, n)
	}
	inValid, inReady, inData := vectors(ins)
	outValid, outReady, _ := vectors(outs)

	var table strings.Builder
	for o := len(c.Out) - 1; o >= 0; o-- {
		for i := len(c.In) - 1; i >= 0; i-- {
			if connect[o][i] {
				routes++
				table.WriteByte('1')
			} else {
				table.WriteByte('0')
			}
		}
	}
	params = []conn{{"W", fmt.Sprint(width)}, {"N_IN", fmt.Sprint(len(c.In))}, {"N_OUT", fmt.Sprint(len(c.Out))},
		{"CONNECT", fmt.Sprintf("%d'b%s", len(c.In)*len(c.Out), table.String())}, {"N_ROUTES", fmt.Sprint(routes)}}
	ports = []conn{{"in_valid", inValid}, {"in_ready", inReady}, {"in_data", inData},
		{"out_valid", outValid}, {"out_ready", outReady}, {"out_data", stem + "_outputs"}}
	return params, ports, routes
}

// whole is all bits of a component's slice.
func (b *coreBuilder) whole(c *arch.Component, cfg string) string {
	sl := b.g.layout.SliceFor(c)
	return selectBits(cfg, 0, sl.Bits, sl.WordCount*config.WordBits)
}

func (b *coreBuilder) spatialSwitch(s *section, c *arch.Component, stem, cfg string) {
	params, ports, routes := b.crossbar(s, c, stem, c.Switch.Connect, 0)
	total := b.g.layout.SliceFor(c).WordCount * config.WordBits
	ports = append(append(clocked(), conn{"cfg_route", selectBits(cfg, 0, routes, total)},
		conn{"cfg_discard", selectBits(cfg, routes, len(c.In), total)}), ports...)
	s.instantiate(instance{Module: "loom_switch", Name: "u_" + stem, Params: params,
		Ports: append(ports, b.statusPorts(s, stem, true, true)...)})
}

// temporalSwitch hands the slice over as it is: the module reads valid, tag and
// routes of each slot in the order of the configuration image.
func (b *coreBuilder) temporalSwitch(s *section, c *arch.Component, stem, cfg string) {
	params, ports, _ := b.crossbar(s, c, stem, c.Temporal.Connect, c.Temporal.TagWidth)
	params = append(params, conn{"TW", fmt.Sprint(c.Temporal.TagWidth)}, conn{"NUM_SLOT", fmt.Sprint(c.Temporal.Slots)})
	ports = append(append(clocked(), conn{"cfg_slot", b.whole(c, cfg)}), ports...)
	s.instantiate(instance{Module: "loom_temporal_sw", Name: "u_" + stem, Params: params,
		Ports: append(ports, b.statusPorts(s, stem, true, true)...)})
}

func (b *coreBuilder) fifo(s *section, c *arch.Component, stem, cfg string) {
	width := c.In[0].Width
	bits := width + c.In[0].TagWidth
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
		Params: []conn{{"W", fmt.Sprint(bits)}, {"DEPTH", fmt.Sprint(c.FIFO.Depth)}},
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
