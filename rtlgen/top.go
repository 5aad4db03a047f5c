package rtlgen

import (
	"fmt"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/config"
)

// boundaryNames are the port stems of the top module.
type boundaryNames struct {
	in, out []string
	comp    map[int]string // instance name by component ID; prefix of memory ports
}

// topBuilder makes the top module.
type topBuilder struct {
	g      *generator
	f      *arch.Fabric
	names  *scope
	view   *moduleView
	unused []string

	idle     []string
	errValid []string
	errCode  []string
}

// topReserved are the names of the top module's own ports and signals.
var topReserved = []string{"clk", "rst", "cfg_valid", "cfg_ready", "cfg_data", "cfg_last", "error_valid", "error_code",
	"idle", "running", "run", "dp_rst", "cfg_shift", "cfg_word", "unused_bits", "loader_err_valid", "loader_err_code"}

// top emits the PE modules and the top module.
func (g *generator) top() {
	f := g.fabric
	g.peMods = map[string]*peModule{}
	g.moduleNames = newScope()
	name := g.moduleNames.name(g.topName())
	b := &topBuilder{g: g, f: f, names: newScope(topReserved...)}

	g.ports.comp = map[int]string{}
	for _, p := range f.Inputs {
		g.ports.in = append(g.ports.in, b.names.name(p.Name))
	}
	for _, p := range f.Outputs {
		g.ports.out = append(g.ports.out, b.names.name(p.Name))
	}
	for _, c := range f.Comps {
		g.ports.comp[c.ID] = b.names.name(c.Name)
		if c.Kind == arch.ExtMemory {
			for _, p := range memoryPorts(c) {
				b.names.used[g.ports.comp[c.ID]+"_"+p.Name] = true
			}
		}
	}
	for _, ch := range f.Channels {
		g.chans = append(g.chans, b.names.name(ch.Name))
	}

	b.view = &moduleView{
		Header: g.header(fmt.Sprintf("%s: fabric '%s'.", name, f.Name), "//"),
		Name:   name,
		Comment: []string{"",
			"cfg_* takes the configuration image, one 32-bit word per cycle; a complete image sets",
			"running. Every channel is valid, ready, data. Each external memory has a request and",
			"response port; responses are always taken.",
		},
	}
	b.portList()
	b.configuration()
	b.boundary()
	for _, c := range f.Comps {
		b.component(c)
	}
	b.status()
	if len(b.unused) > 0 {
		b.view.Sections = append(b.view.Sections, unusedSection(b.unused))
	}
	g.emit(name+".sv", "module.sv.tmpl", b.view)
}

// memoryPort is one port of the request and response interface; width 0 stands
// for the width of an element.
type memoryPort struct {
	Dir, Name string
	Width     int
	load      bool
}

// extMemoryBus are the bus ports of loom_extmemory.
var extMemoryBus = []memoryPort{
	{"output", "ld_req_valid", 1, true}, {"input", "ld_req_ready", 1, true}, {"output", "ld_req_addr", 64, true},
	{"input", "ld_rsp_valid", 1, true}, {"input", "ld_rsp_data", 0, true}, {"input", "ld_rsp_err", 1, true},
	{"output", "st_req_valid", 1, false}, {"input", "st_req_ready", 1, false}, {"output", "st_req_addr", 64, false},
	{"output", "st_req_data", 0, false}, {"input", "st_rsp_valid", 1, false}, {"input", "st_rsp_err", 1, false},
}

// memoryPorts lists the ports of an extmemory at the top: those of the groups it
// has, and a ready for each kind of response, which is always high.
func memoryPorts(c *arch.Component) []memoryPort {
	var ports []memoryPort
	for _, p := range extMemoryBus {
		if p.load && c.Mem.LdCount == 0 || !p.load && c.Mem.StCount == 0 {
			continue
		}
		if p.Width == 0 {
			p.Width = c.Mem.ElemWidth
		}
		ports = append(ports, p)
		switch p.Name {
		case "ld_rsp_valid":
			ports = append(ports, memoryPort{"output", "ld_rsp_ready", 1, true})
		case "st_rsp_valid":
			ports = append(ports, memoryPort{"output", "st_rsp_ready", 1, false})
		}
	}
	return ports
}

func (b *topBuilder) portList() {
	var ports []portDecl
	group := ""
	add := func(dir string, width int, name string) {
		ports = append(ports, portDecl{group, dir, rangeOf(width), name})
		group = ""
	}
	add("input", 1, "clk")
	add("input", 1, "rst")
	group = "configuration image"
	add("input", 1, "cfg_valid")
	add("output", 1, "cfg_ready")
	add("input", 32, "cfg_data")
	add("input", 1, "cfg_last")
	for i, p := range b.f.Inputs {
		group = fmt.Sprintf("boundary input %d: %s", i, p.Type)
		stem := b.g.ports.in[i]
		add("input", 1, stem+"_valid")
		add("output", 1, stem+"_ready")
		add("input", p.Width, stem+"_data")
	}
	for i, p := range b.f.Outputs {
		group = fmt.Sprintf("boundary output %d: %s", i, p.Type)
		stem := b.g.ports.out[i]
		add("output", 1, stem+"_valid")
		add("input", 1, stem+"_ready")
		add("output", p.Width, stem+"_data")
	}
	for _, c := range b.f.Comps {
		if c.Kind != arch.ExtMemory {
			continue
		}
		group = fmt.Sprintf("external memory %s: %s", c.Name, c.Mem.Type)
		for _, p := range memoryPorts(c) {
			add(p.Dir, p.Width, b.g.ports.comp[c.ID]+"_"+p.Name)
		}
	}
	group = "status"
	add("output", 1, "running")
	add("output", 1, "idle")
	add("output", 1, "error_valid")
	add("output", 16, "error_code")
	b.view.Ports = ports
}

// configuration adds the loader and the datapath's reset.
func (b *topBuilder) configuration() {
	s := &section{Comment: []string{"Configuration: the loader holds the datapath in reset until the image is complete.",
		"Words enter the chain at the last slice and move towards the first."}}
	s.declare(1, "run", "dp_rst", "cfg_shift")
	s.declare(32, "cfg_word")
	s.declare(1, "loader_err_valid")
	s.declare(16, "loader_err_code")
	words := b.g.layout.WordCount
	s.instantiate(instance{
		Module: "loom_cfg_loader", Name: "u_loader", Params: []conn{{"WORDS", fmt.Sprint(max(words, 1))}},
		Ports: []conn{{"clk", "clk"}, {"rst", "rst"}, {"cfg_valid", "cfg_valid"}, {"cfg_ready", "cfg_ready"},
			{"cfg_data", "cfg_data"}, {"cfg_last", "cfg_last"}, {"shift", "cfg_shift"}, {"word", "cfg_word"},
			{"run", "run"}, {"err_valid", "loader_err_valid"}, {"err_code", "loader_err_code"}},
	})
	s.assign("dp_rst", "rst | ~run")
	s.assign("running", "run")
	b.errValid, b.errCode = append(b.errValid, "loader_err_valid"), append(b.errCode, "loader_err_code")
	b.view.Sections = append(b.view.Sections, s)
	// The words between the slices, declared before any of them is connected.
	for i := range b.g.layout.Slices {
		s.declare(config.WordBits, b.cfgName(b.g.layout.Slices[i].Comp)+"_out")
	}
	if len(b.g.layout.Slices) == 0 {
		b.unused = append(b.unused, "cfg_shift", "cfg_word")
	}
}

// cfgName is the signal that holds a component's slice.
func (b *topBuilder) cfgName(c *arch.Component) string { return b.g.ports.comp[c.ID] + "_cfg" }

// slice adds the part of the configuration chain that belongs to a component and
// returns the expression of its bits, "" where it has none.
func (b *topBuilder) slice(s *section, c *arch.Component) string {
	i := b.g.layout.SliceOf[c.ID]
	if i < 0 {
		return ""
	}
	sl := &b.g.layout.Slices[i]
	name := b.cfgName(c)
	from := "cfg_word"
	if i+1 < len(b.g.layout.Slices) {
		from = b.cfgName(b.g.layout.Slices[i+1].Comp) + "_out"
	}
	s.declare(sl.WordCount*config.WordBits, name)
	s.instantiate(instance{
		Module: "loom_cfg_slice", Name: "u_" + name, Params: []conn{{"WORDS", fmt.Sprint(sl.WordCount)}},
		Ports: []conn{{"clk", "clk"}, {"shift", "cfg_shift"}, {"in_word", from}, {"out_word", name + "_out"}, {"cfg", name}},
	})
	if total := sl.WordCount * config.WordBits; sl.Bits < total {
		b.unused = append(b.unused, selectBits(name, sl.Bits, total-sl.Bits, total))
	}
	if i == 0 {
		b.unused = append(b.unused, name+"_out")
	}
	return name
}

// chanNet is the net of a channel.
func (b *topBuilder) chanNet(ch *arch.Channel) net {
	stem := b.g.chans[ch.ID]
	return net{valid: stem + "_valid", ready: stem + "_ready", data: stem + "_data", width: ch.Width}
}

// boundary declares the channels and connects those that meet the boundary.
func (b *topBuilder) boundary() {
	s := &section{Comment: []string{"Channels, each named after its source."}}
	for _, ch := range b.f.Channels {
		declareNet(s, b.chanNet(ch))
	}
	b.view.Sections = append(b.view.Sections, s)

	s = &section{Comment: []string{"Boundary."}}
	for i, p := range b.f.Inputs {
		stem := b.g.ports.in[i]
		if p.Chan == nil {
			s.assign(stem+"_ready", "1'b1")
			b.unused = append(b.unused, stem+"_valid", stem+"_data")
			continue
		}
		n := b.chanNet(p.Chan)
		s.assign(n.valid, stem+"_valid")
		s.assign(n.data, resize(stem+"_data", p.Width, n.width))
		s.assign(stem+"_ready", n.ready)
		b.leftover(stem+"_data", p.Width, n.width)
	}
	for i, p := range b.f.Outputs {
		stem := b.g.ports.out[i]
		if p.Chan == nil {
			s.assign(stem+"_valid", "1'b0")
			s.assign(stem+"_data", fmt.Sprintf("%d'd0", p.Width))
			b.unused = append(b.unused, stem+"_ready")
			continue
		}
		n := b.chanNet(p.Chan)
		s.assign(stem+"_valid", n.valid)
		s.assign(stem+"_data", resize(n.data, n.width, p.Width))
		s.assign(n.ready, stem+"_ready")
		b.leftover(n.data, n.width, p.Width)
	}
	for _, ch := range b.f.Channels {
		if ch.Dst.Comp == nil && ch.Dst.Port < 0 {
			n := b.chanNet(ch)
			s.assign(n.ready, "1'b1")
			b.unused = append(b.unused, n.valid, n.data)
		}
	}
	if len(s.Assigns) > 0 {
		b.view.Sections = append(b.view.Sections, s)
	}
}

func (b *topBuilder) leftover(name string, width, used int) {
	if width > used {
		b.unused = append(b.unused, selectBits(name, used, width-used, width))
	}
}

// inputNet is what arrives at an input port, fitted to a width; nothing ever
// arrives at an unconnected one.
func (b *topBuilder) inputNet(s *section, stem string, p arch.Port, width int) net {
	if p.Chan == nil {
		open := b.names.name(stem + "_" + p.Name + "_open")
		s.declare(1, open+"_ready")
		b.unused = append(b.unused, open+"_ready")
		return net{valid: "1'b0", ready: open + "_ready", data: fmt.Sprintf("%d'd0", width), width: width}
	}
	n := b.chanNet(p.Chan)
	b.leftover(n.data, n.width, width)
	n.data, n.width = resize(n.data, n.width, width), width
	return n
}

// outputNet is where an output port of some width delivers; an unconnected one is
// always ready.
func (b *topBuilder) outputNet(s *section, stem string, p arch.Port, width int) net {
	if p.Chan == nil {
		open := b.names.name(stem + "_" + p.Name + "_open")
		s.declare(1, open+"_valid")
		s.declare(width, open+"_data")
		b.unused = append(b.unused, open+"_valid", open+"_data")
		return net{valid: open + "_valid", ready: "1'b1", data: open + "_data", width: width}
	}
	n := b.chanNet(p.Chan)
	if n.width == width {
		return n
	}
	// A port that drives more bits than the channel has: the low ones count.
	wide := b.names.name(stem + "_" + p.Name + "_wide")
	s.declare(width, wide)
	s.assign(n.data, resize(wide, width, n.width))
	b.leftover(wide, width, n.width)
	return net{valid: n.valid, ready: n.ready, data: wide, width: width}
}

// status collects idle and errors.
func (b *topBuilder) status() {
	s := &section{Comment: []string{"Status: idle while no component holds a token; the first error is kept."}}
	s.instantiate(instance{
		Module: "loom_error_collect", Name: "u_errors", Params: []conn{{"N", fmt.Sprint(len(b.errValid))}},
		Ports: []conn{{"clk", "clk"}, {"rst", "rst"}, {"err_valid", wrapped(b.errValid)},
			{"err_code", wrapped(b.errCode)}, {"error_valid", "error_valid"}, {"error_code", "error_code"}},
	})
	if len(b.idle) == 0 {
		s.assign("idle", "1'b1")
	} else {
		s.assign("idle", "&"+wrapped(b.idle))
	}
	b.view.Sections = append(b.view.Sections, s)
}

// wrapped is concat over several lines.
func wrapped(elems []string) string {
	if len(elems) <= 4 {
		if len(elems) == 1 {
			return "{" + elems[0] + "}"
		}
		return concat(elems)
	}
	var lines []string
	for i := len(elems); i > 0; i -= 4 {
		var line []string
		for k := i - 1; k >= max(i-4, 0); k-- {
			line = append(line, elems[k])
		}
		lines = append(lines, strings.Join(line, ", "))
	}
	return "{\n          " + strings.Join(lines, ",\n          ") + "}"
}
