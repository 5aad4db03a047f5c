package rtlgen

import (
	"fmt"

	"loom/compiler/arch"
)

// fabricBuilder makes <adg>_fabric: the core with a loom_axi_master for every
// external memory.
type fabricBuilder struct {
	g      *generator
	names  *scope
	view   *moduleView
	core   instance
	unused []string
	idle   []string
}

// busFabric emits <adg>_fabric.
func (g *generator) busFabric(names *scope) {
	name := g.moduleNames.name(g.fabricName())
	b := &fabricBuilder{g: g, names: names, core: instance{Module: g.coreName(), Name: CoreInstance}}
	b.view = &moduleView{
		Header: g.header(fmt.Sprintf("%s: fabric '%s' with its AXI4 ports.", name, g.fabric.Name), "//"),
		Name:   name,
		Comment: []string{"",
			"The core, and an AXI4 master for each external memory with the channels that it uses.",
			"soft_rst resets all but the buses: what is under way there ends as it must, and the",
			"answers are dropped."},
	}
	b.portList()
	b.instances()
	if len(b.unused) > 0 {
		b.view.Sections = append(b.view.Sections, unusedSection(b.unused))
	}
	g.emit(name+".sv", "module.sv.tmpl", b.view)
}

func (b *fabricBuilder) portList() {
	var l portList
	l.add("input", 1, "clk", "rst", "soft_rst")
	b.g.addBoundary(&l)
	b.g.addBusPorts(&l)
	b.g.addHostPorts(&l)
	l.group("status")
	for _, p := range statusOutputs {
		l.add(p.Dir, p.Width, p.Name)
	}
	b.view.Ports = l.ports
}

// addBusPorts declares the AXI4 ports of the fabric.
func (g *generator) addBusPorts(l *portList) {
	for _, c := range external(g.fabric) {
		l.group("external memory %s: %s", c.Name, c.Mem.Type)
		for _, p := range g.busPorts(c) {
			l.add(p.Dir, p.Width, p.Name)
		}
	}
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

// wire connects a port of the core to a signal.
func (b *fabricBuilder) wire(port, signal string) {
	b.core.Ports = append(b.core.Ports, conn{port, signal})
}

func (b *fabricBuilder) instances() {
	head := &section{}
	head.declare(1, "core_rst", "core_idle")
	head.assign("core_rst", "rst | soft_rst")
	b.wire("clk", "clk")
	b.wire("rst", "core_rst")
	for _, p := range b.g.boundaryPorts() {
		b.wire(p.Name, p.Name)
	}
	b.idle = []string{"core_idle"}
	var masters []*section
	for _, c := range external(b.g.fabric) {
		masters = append(masters, b.master(c))
	}
	for _, c := range b.g.fabric.HostMemories() {
		for _, p := range b.g.hostPorts(c) {
			b.wire(p.Name, p.Name)
		}
	}
	for _, p := range statusOutputs {
		if p.Name == "idle" {
			b.wire("idle", "core_idle")
			continue
		}
		b.wire(p.Name, p.Name)
	}
	s := &section{Comment: []string{"The core."}}
	s.instantiate(b.core)
	b.view.Sections = append(append(append(b.view.Sections, head), masters...), s)
	status := &section{Comment: []string{"Idle: no token in the core, nothing under way on a bus."}}
	status.assign("idle", allOf(b.idle))
	b.view.Sections = append(b.view.Sections, status)
}

// master makes the AXI4 side of an external memory and connects its core side.
func (b *fabricBuilder) master(c *arch.Component) *section {
	stem, m := b.g.ports.comp[c.ID], c.Mem
	s := &section{Comment: []string{fmt.Sprintf("External memory %s: its requests on AXI4.", c.Name)}}
	for _, p := range corePorts(m) {
		name := stem + "_" + p.Name
		s.declare(p.Width, name)
		b.wire(name, name)
		if p.Name == "ld_rsp_ready" || p.Name == "st_rsp_ready" {
			b.unused = append(b.unused, name) // always high
		}
	}
	// absent is a signal for an output that nothing reads.
	absent := func(port string, width int) string {
		none := b.names.name(stem + "_" + port + "_none")
		s.declare(width, none)
		b.unused = append(b.unused, none)
		return none
	}
	idle := b.names.name(stem + "_bus")
	s.declare(1, idle+"_idle")
	b.idle = append(b.idle, idle+"_idle")
	ports := []conn{{"clk", "clk"}, {"rst", "rst"}, {"clear", "core_rst | ~running"}}
	for _, p := range requestPorts {
		width, name := p.Width, stem+"_"+p.Name
		switch {
		case p.tag:
			width = idBits(m)
		case width == 0:
			width = m.ElemWidth
		}
		switch {
		case has(m, p.load) && (!p.tag || m.TagWidth > 0):
			ports = append(ports, conn{p.Name, name})
		case p.Dir == "output": // of the memory: the master takes it
			ports = append(ports, conn{p.Name, fmt.Sprintf("%d'd0", width)})
		default:
			ports = append(ports, conn{p.Name, absent(p.Name, width)})
		}
	}
	ports = append(ports, conn{"idle", idle + "_idle"})
	for _, p := range axiPorts(m) {
		switch {
		case has(m, p.load):
			ports = append(ports, conn{"m_axi_" + p.Name, b.g.axiPrefix(c) + "_" + p.Name})
		case p.Dir == "input":
			ports = append(ports, conn{"m_axi_" + p.Name, fmt.Sprintf("%d'd0", p.Width)})
		default:
			ports = append(ports, conn{"m_axi_" + p.Name, absent(p.Name, p.Width)})
		}
	}
	s.instantiate(instance{
		Module: "loom_axi_master", Name: "u_" + b.names.name(stem+"_axi"),
		Params: []conn{{"DW", fmt.Sprint(m.ElemWidth)}, {"TW", fmt.Sprint(m.TagWidth)},
			{"BUS_AW", fmt.Sprint(addressBits)}, {"BUS_DW", fmt.Sprint(busWidth(m))}},
		Ports: ports,
	})
	return s
}
