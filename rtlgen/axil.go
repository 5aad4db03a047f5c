package rtlgen

import (
	"fmt"
	"strings"

	"loom/compiler/arch"
)

// axilPorts is the AXI4-Lite slave of loom_axil_host in port order.
var axilPorts = []modulePort{
	{"input", "s_axil_awvalid", 1}, {"output", "s_axil_awready", 1}, {"input", "s_axil_awaddr", 12},
	{"input", "s_axil_wvalid", 1}, {"output", "s_axil_wready", 1}, {"input", "s_axil_wdata", 32},
	{"input", "s_axil_wstrb", 4}, {"output", "s_axil_bvalid", 1}, {"input", "s_axil_bready", 1},
	{"output", "s_axil_bresp", 2}, {"input", "s_axil_arvalid", 1}, {"output", "s_axil_arready", 1},
	{"input", "s_axil_araddr", 12}, {"output", "s_axil_rvalid", 1}, {"input", "s_axil_rready", 1},
	{"output", "s_axil_rdata", 32}, {"output", "s_axil_rresp", 2},
}

// maxHostPorts is how many boundary channels each way the register file of
// loom_axil_host holds, hostWidth the widest of them.
const (
	maxHostPorts = 128
	hostWidth    = 64
)

// axilTop emits <adg>_top: the fabric behind the AXI4-Lite register file. The
// AXI4 ports pass through; host ports of memories become the window of the register
// file. Fabrics with more boundary
// channels than the register file holds, or wider ones, are used through
// <adg>_fabric alone.
func (g *generator) axilTop() {
	f := g.fabric
	if len(f.Inputs) == 0 || len(f.Outputs) == 0 || len(f.Inputs) > maxHostPorts || len(f.Outputs) > maxHostPorts {
		return
	}
	for _, b := range append(append([]*arch.Boundary(nil), f.Inputs...), f.Outputs...) {
		if b.Width > hostWidth {
			return
		}
	}
	name := g.moduleNames.name(g.stem + "_top")
	view := &moduleView{
		Header: g.header(fmt.Sprintf("%s: fabric '%s' behind an AXI4-Lite register file.", name, f.Name), "//"),
		Name:   name,
		Comment: []string{"", "The register map is docs/registers.md; loom_accel.c drives it. The AXI4 ports are those",
			"of the fabric."},
	}
	fab := instance{Module: g.fabricName(), Name: "u_fabric"}
	wire := func(port, signal string) { fab.Ports = append(fab.Ports, conn{port, signal}) }
	port := func(p modulePort, name string) {
		view.Ports = append(view.Ports, portDecl{Dir: p.Dir, Range: rangeOf(p.Width), Name: name})
	}
	port(modulePort{Dir: "input", Width: 1}, "clk")
	port(modulePort{Dir: "input", Width: 1}, "rst")
	for _, p := range axilPorts {
		port(p, p.Name)
	}
	s := &section{}
	s.declare(1, "fabric_rst", "cfg_valid", "cfg_ready", "cfg_last", "running", "idle", "error_valid")
	s.declare(32, "cfg_data")
	s.declare(16, "error_code")
	s.declare(len(f.Inputs), "in_valid", "in_ready")
	s.declare(len(f.Inputs)*hostWidth, "in_data")
	s.declare(len(f.Outputs), "out_valid", "out_ready")
	s.declare(len(f.Outputs)*hostWidth, "out_data")
	wire("clk", "clk")
	wire("rst", "rst")
	wire("soft_rst", "fabric_rst")
	for _, p := range []string{"cfg_valid", "cfg_ready", "cfg_data", "cfg_last"} {
		wire(p, p)
	}
	var unused []string
	for i, b := range f.Inputs {
		stem := g.ports.in[i]
		wire(stem+"_valid", element("in_valid", i, len(f.Inputs)))
		wire(stem+"_ready", element("in_ready", i, len(f.Inputs)))
		wire(stem+"_data", fmt.Sprintf("in_data[%d +: %d]", i*hostWidth, b.Width))
		if b.Width < hostWidth {
			unused = append(unused, fmt.Sprintf("in_data[%d +: %d]", i*hostWidth+b.Width, hostWidth-b.Width))
		}
	}
	for i, b := range f.Outputs {
		stem := g.ports.out[i]
		wire(stem+"_valid", element("out_valid", i, len(f.Outputs)))
		wire(stem+"_ready", element("out_ready", i, len(f.Outputs)))
		wire(stem+"_data", fmt.Sprintf("out_data[%d +: %d]", i*hostWidth, b.Width))
		if b.Width < hostWidth {
			s.assign(fmt.Sprintf("out_data[%d +: %d]", i*hostWidth+b.Width, hostWidth-b.Width), "'0")
		}
	}
	var memory portList
	g.addBusPorts(&memory)
	view.Ports = append(view.Ports, memory.ports...)
	for _, p := range memory.ports {
		wire(p.Name, p.Name)
	}
	unused = append(unused, g.hostWindow(s, wire)...)
	for _, p := range statusOutputs {
		wire(p.Name, p.Name)
	}
	regs := instance{Module: "loom_axil_host", Name: "u_host", Params: []conn{
		{"N_IN", fmt.Sprint(len(f.Inputs))}, {"N_OUT", fmt.Sprint(len(f.Outputs))},
		{"N_MEM", fmt.Sprint(len(f.HostMemories()))}, {"MEM_ELEMENTS", memElements(f.HostMemories())},
		{"LAYOUT_HASH", fmt.Sprintf("64'h%016x", g.layout.Hash)}}}
	for _, p := range []string{"clk", "rst"} {
		regs.Ports = append(regs.Ports, conn{p, p})
	}
	for _, p := range axilPorts {
		regs.Ports = append(regs.Ports, conn{p.Name, p.Name})
	}
	for _, p := range strings.Fields("fabric_rst cfg_valid cfg_ready cfg_data cfg_last in_valid in_ready in_data " +
		"out_valid out_ready out_data mem_en mem_we mem_addr mem_wdata mem_rdata running idle error_valid error_code") {
		regs.Ports = append(regs.Ports, conn{p, p})
	}
	s.instantiate(regs)
	s.instantiate(fab)
	view.Sections = append(view.Sections, s)
	if len(unused) > 0 {
		view.Sections = append(view.Sections, unusedSection(unused))
	}
	g.emit(name+".sv", "module.sv.tmpl", view)
}

// memElements is the parameter MEM_ELEMENTS: the elements of each memory in 32 bits,
// memory 0 lowest.
func memElements(mems []*arch.Component) string {
	words := []string{}
	for _, c := range mems {
		words = append(words, fmt.Sprintf("32'd%d", c.Mem.Elements))
	}
	if len(words) == 0 {
		return "32'd0"
	}
	return "{" + strings.Trim(concat(words), "{}") + "}"
}

// hostWindow connects the host ports of the fabric's memories to the register file
// and returns the bits that no memory takes.
func (g *generator) hostWindow(s *section, wire func(port, signal string)) (unused []string) {
	mems := g.fabric.HostMemories()
	n := max(len(mems), 1)
	s.declare(n, "mem_en")
	s.declare(1, "mem_we")
	s.declare(32, "mem_addr")
	s.declare(hostWidth, "mem_wdata")
	s.declare(n*hostWidth, "mem_rdata")
	addr, data := 0, 0
	for i, c := range mems {
		p, width := g.hostPrefix(c), c.Mem.ElemWidth
		addr, data = max(addr, elementBits(c.Mem)), max(data, width)
		wire(p+"_en", element("mem_en", i, n))
		wire(p+"_we", "mem_we")
		wire(p+"_addr", selectBits("mem_addr", 0, elementBits(c.Mem), 32))
		wire(p+"_wdata", selectBits("mem_wdata", 0, width, hostWidth))
		wire(p+"_rdata", fmt.Sprintf("mem_rdata[%d +: %d]", i*hostWidth, width))
		if width < hostWidth {
			s.assign(fmt.Sprintf("mem_rdata[%d +: %d]", i*hostWidth+width, hostWidth-width), "'0")
		}
	}
	if len(mems) == 0 {
		s.assign("mem_rdata", "'0")
		unused = append(unused, "mem_en", "mem_we")
	}
	for _, v := range []struct {
		name        string
		used, width int
	}{{"mem_addr", addr, 32}, {"mem_wdata", data, hostWidth}} {
		if v.used < v.width {
			unused = append(unused, selectBits(v.name, v.used, v.width-v.used, v.width))
		}
	}
	return unused
}

// element is bit i of a vector of n bits, which for n = 1 has no range.
func element(vector string, i, n int) string {
	if n == 1 {
		return vector
	}
	return fmt.Sprintf("%s[%d]", vector, i)
}
