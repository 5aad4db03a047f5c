package rtlgen

import (
	"fmt"

	"loom/compiler/arch"
	"loom/compiler/config"
)

// modulePort is one port of a generated module.
type modulePort struct {
	Dir, Name string
	Width     int
}

// portList collects the ports of a module. The next port added starts the group,
// if one was named.
type portList struct {
	ports []portDecl
	next  string
}

func (l *portList) group(format string, args ...any) { l.next = fmt.Sprintf(format, args...) }

func (l *portList) add(dir string, width int, names ...string) {
	for _, name := range names {
		l.ports = append(l.ports, portDecl{l.next, dir, rangeOf(width), name})
		l.next = ""
	}
}

// boundaryPorts are the ports that core and fabric have in common: configuration
// and boundary channels.
func (g *generator) boundaryPorts() []modulePort {
	ports := []modulePort{{"input", "cfg_valid", 1}, {"output", "cfg_ready", 1}, {"input", "cfg_data", 32}, {"input", "cfg_last", 1}}
	for i, p := range g.fabric.Inputs {
		stem := g.ports.in[i]
		ports = append(ports, modulePort{"input", stem + "_valid", 1}, modulePort{"output", stem + "_ready", 1},
			modulePort{"input", stem + "_data", p.Width})
	}
	for i, p := range g.fabric.Outputs {
		stem := g.ports.out[i]
		ports = append(ports, modulePort{"output", stem + "_valid", 1}, modulePort{"input", stem + "_ready", 1},
			modulePort{"output", stem + "_data", p.Width})
	}
	return ports
}

// statusOutputs are the status outputs of core and fabric.
var statusOutputs = []modulePort{{"output", "running", 1}, {"output", "idle", 1}, {"output", "error_valid", 1},
	{"output", "error_code", 16}}

// addBoundary declares the ports of boundaryPorts, group by group.
func (g *generator) addBoundary(l *portList) {
	ports := g.boundaryPorts()
	take := func(n int) {
		for _, p := range ports[:n] {
			l.add(p.Dir, p.Width, p.Name)
		}
		ports = ports[n:]
	}
	l.group("configuration image")
	take(4)
	for i, p := range g.fabric.Inputs {
		l.group("boundary input %d: %s", i, p.Type)
		take(3)
	}
	for i, p := range g.fabric.Outputs {
		l.group("boundary output %d: %s", i, p.Type)
		take(3)
	}
}

// requestPort is one port of the request and response interface of an external
// memory; width 0 stands for the width of an element, tag marks those of tagged
// memories alone.
type requestPort struct {
	modulePort
	load, tag bool
}

// requestPorts are the bus ports of loom_extmemory and loom_extmemory_tagged.
var requestPorts = []requestPort{
	{modulePort{"output", "ld_req_valid", 1}, true, false}, {modulePort{"input", "ld_req_ready", 1}, true, false},
	{modulePort{"output", "ld_req_addr", 64}, true, false}, {modulePort{"output", "ld_req_tag", 0}, true, true},
	{modulePort{"input", "ld_rsp_valid", 1}, true, false}, {modulePort{"input", "ld_rsp_data", 0}, true, false},
	{modulePort{"input", "ld_rsp_tag", 0}, true, true}, {modulePort{"input", "ld_rsp_err", 1}, true, false},
	{modulePort{"output", "st_req_valid", 1}, false, false}, {modulePort{"input", "st_req_ready", 1}, false, false},
	{modulePort{"output", "st_req_addr", 64}, false, false}, {modulePort{"output", "st_req_tag", 0}, false, true},
	{modulePort{"output", "st_req_data", 0}, false, false}, {modulePort{"input", "st_rsp_valid", 1}, false, false},
	{modulePort{"input", "st_rsp_tag", 0}, false, true}, {modulePort{"input", "st_rsp_err", 1}, false, false},
}

// requests lists the request and response ports of an external memory's module,
// without tags on untagged memories, with the widths filled in.
func requests(m *arch.MemorySpec) []requestPort {
	var out []requestPort
	for _, p := range requestPorts {
		switch {
		case p.tag && m.TagWidth == 0:
			continue
		case p.tag:
			p.Width = m.TagWidth
		case p.Width == 0:
			p.Width = m.ElemWidth
		}
		out = append(out, p)
	}
	return out
}

// has tells whether a memory has the load or the store group.
func has(m *arch.MemorySpec, load bool) bool {
	if load {
		return m.LdCount > 0
	}
	return m.StCount > 0
}

// corePorts lists the ports of an external memory at the core: those of the groups
// it has, and a ready for each kind of response, which is always high.
func corePorts(m *arch.MemorySpec) []modulePort {
	var ports []modulePort
	for _, p := range requests(m) {
		if !has(m, p.load) {
			continue
		}
		ports = append(ports, p.modulePort)
		switch p.Name {
		case "ld_rsp_valid", "st_rsp_valid":
			ports = append(ports, modulePort{"output", p.Name[:6] + "_ready", 1})
		}
	}
	return ports
}

// addressBits is the width of addresses on the bus.
const addressBits = 64

// idBits is the width of the AXI IDs of an external memory: its tags, at least one
// bit.
func idBits(m *arch.MemorySpec) int { return max(m.TagWidth, 1) }

// busWidth is the width of the AXI data of an external memory; fabrics made by hand
// may leave it open.
func busWidth(m *arch.MemorySpec) int { return max(m.ElemWidth, m.BusWidth) }

// axiPrefix starts the names of an external memory's AXI4 ports.
func (g *generator) axiPrefix(c *arch.Component) string { return "m_axi_" + g.ports.comp[c.ID] }

// hostPorts lists the host port of a memory that is not private, with full names.
func (g *generator) hostPorts(c *arch.Component) []modulePort {
	p := g.hostPrefix(c)
	return []modulePort{{"input", p + "_en", 1}, {"input", p + "_we", 1}, {"input", p + "_addr", elementBits(c.Mem)},
		{"input", p + "_wdata", c.Mem.ElemWidth}, {"output", p + "_rdata", c.Mem.ElemWidth}}
}

func (g *generator) hostPrefix(c *arch.Component) string { return "host_" + g.ports.comp[c.ID] }

// elementBits is the width of an element's number in an on-chip memory.
func elementBits(m *arch.MemorySpec) int { return max(config.ChoiceBits(int(m.Elements)), 1) }

// external lists the external memories in component order.
func external(f *arch.Fabric) []*arch.Component {
	var out []*arch.Component
	for _, c := range f.Comps {
		if c.Kind == arch.ExtMemory {
			out = append(out, c)
		}
	}
	return out
}

// addHostPorts declares the host ports of the fabric's memories.
func (g *generator) addHostPorts(l *portList) {
	for _, c := range g.fabric.HostMemories() {
		l.group("host port of memory %s: %s", c.Name, c.Mem.Type)
		for _, p := range g.hostPorts(c) {
			l.add(p.Dir, p.Width, p.Name)
		}
	}
}
