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

// axiPort is a port of loom_axi_master, load telling the read channels from the
// write channels.
type axiPort struct {
	modulePort
	load bool
}

// addressBits is the width of addresses on the bus.
const addressBits = 64

// idBits is the width of the AXI IDs of an external memory: its tags, at least one
// bit.
func idBits(m *arch.MemorySpec) int { return max(m.TagWidth, 1) }

// busWidth is the width of the AXI data of an external memory; fabrics made by hand
// may leave it open.
func busWidth(m *arch.MemorySpec) int { return max(m.ElemWidth, m.BusWidth) }

// axiPorts lists the AXI4 ports of loom_axi_master without the prefix m_axi_.
func axiPorts(m *arch.MemorySpec) []axiPort {
	var ports []axiPort
	add := func(load bool, dir string, width int, name string) {
		ports = append(ports, axiPort{modulePort{dir, name, width}, load})
	}
	address := func(load bool, p string) {
		add(load, "output", 1, p+"valid")
		add(load, "input", 1, p+"ready")
		add(load, "output", idBits(m), p+"id")
		add(load, "output", addressBits, p+"addr")
		for _, f := range []struct {
			name  string
			width int
		}{{"len", 8}, {"size", 3}, {"burst", 2}, {"lock", 1}, {"cache", 4}, {"prot", 3}} {
			add(load, "output", f.width, p+f.name)
		}
	}
	bus := busWidth(m)
	address(false, "aw")
	add(false, "output", 1, "wvalid")
	add(false, "input", 1, "wready")
	add(false, "output", bus, "wdata")
	add(false, "output", bus/8, "wstrb")
	add(false, "output", 1, "wlast")
	add(false, "input", 1, "bvalid")
	add(false, "output", 1, "bready")
	add(false, "input", idBits(m), "bid")
	add(false, "input", 2, "bresp")
	address(true, "ar")
	add(true, "input", 1, "rvalid")
	add(true, "output", 1, "rready")
	add(true, "input", idBits(m), "rid")
	add(true, "input", bus, "rdata")
	add(true, "input", 2, "rresp")
	add(true, "input", 1, "rlast")
	return ports
}

// busPorts lists the AXI4 ports of an external memory at the fabric, with their
// full names: the channels of the groups it has.
func (g *generator) busPorts(c *arch.Component) []modulePort {
	var ports []modulePort
	for _, p := range axiPorts(c.Mem) {
		if has(c.Mem, p.load) {
			p.Name = g.axiPrefix(c) + "_" + p.Name
			ports = append(ports, p.modulePort)
		}
	}
	return ports
}

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
