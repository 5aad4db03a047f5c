package rtlgen

import (
	"fmt"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/config"
)

// boundaryNames are the port stems of core and fabric.
type boundaryNames struct {
	in, out []string
	comp    map[int]string // instance name by component ID; prefix of memory ports
}

// coreBuilder makes the core: the fabric without its buses.
type coreBuilder struct {
	g      *generator
	f      *arch.Fabric
	names  *scope
	view   *moduleView
	unused []string

	idle     []string
	errValid []string
	errCode  []string
}

// coreReserved are the names that core and fabric use for themselves.
var coreReserved = []string{"clk", "rst", "soft_rst", "core_rst", "core_idle",
	"cfg_valid", "cfg_ready", "cfg_data", "cfg_last", "error_valid", "error_code",
	"idle", "running", "run", "dp_rst", "cfg_shift", "cfg_word", "unused_bits", "loader_err_valid", "loader_err_code"}

// core emits the PE modules and <adg>_core.
func (g *generator) core() {
	f := g.fabric
	g.peMods = map[string]*peModule{}
	name := g.coreName()
	b := &coreBuilder{g: g, f: f, names: newScope(coreReserved...)}

	g.ports.comp = map[int]string{}
	for _, p := range f.Inputs {
		g.ports.in = append(g.ports.in, b.names.name(p.Name))
	}
	for _, p := range f.Outputs {
		g.ports.out = append(g.ports.out, b.names.name(p.Name))
	}
	for _, c := range f.Comps {
		g.ports.comp[c.ID] = b.names.name(c.Name)
		switch {
		case c.Kind == arch.ExtMemory:
			for _, p := range corePorts(c.Mem) {
				b.names.used[g.ports.comp[c.ID]+"_"+p.Name] = true
			}
		case c.Kind == arch.Memory && !c.Mem.Private:
			for _, p := range g.hostPorts(c) {
				b.names.used[p.Name] = true
			}
		}
	}
	for _, ch := range f.Channels {
		g.chans = append(g.chans, b.names.name(ch.Name))
	}

	b.view = &moduleView{
		Title:  fmt.Sprintf("%s: fabric '%s' without its buses.", name, f.Name),
		Header: g.header(),
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

func (b *coreBuilder) portList() {
	var l portList
	l.add("input", 1, "clk", "rst")
	b.g.addBoundary(&l)
	for _, c := range external(b.f) {
		l.group("external memory %s: %s", c.Name, c.Mem.Type)
		for _, p := range corePorts(c.Mem) {
			l.add(p.Dir, p.Width, b.g.ports.comp[c.ID]+"_"+p.Name)
		}
	}
	b.g.addHostPorts(&l)
	l.group("status")
	for _, p := range statusOutputs {
		l.add(p.Dir, p.Width, p.Name)
	}
	b.view.Ports = l.ports
}

// configuration adds the loader and the datapath's reset.
func (b *coreBuilder) configuration() {
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
func (b *coreBuilder) cfgName(c *arch.Component) string { return b.g.ports.comp[c.ID] + "_cfg" }

// slice adds the part of the configuration chain that belongs to a component and
// returns the expression of its bits, "" where it has none.
func (b *coreBuilder) slice(s *section, c *arch.Component) string {
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
func (b *coreBuilder) chanNet(ch *arch.Channel) net {
	stem := b.g.chans[ch.ID]
	return net{valid: stem + "_valid", ready: stem + "_ready", data: stem + "_data", width: ch.Width, tag: ch.TagWidth}
}

// boundary declares the channels and connects those that meet the boundary.
func (b *coreBuilder) boundary() {
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
		b.spare(stem+"_data", 0, p.Width, n.width, p.Width)
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
		b.spare(n.data, 0, n.width, p.Width, n.width)
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

// inputNet is what arrives at an input port, its payload cut to that of the port and
// fitted to a width; nothing ever arrives at an unconnected one.
func (b *coreBuilder) inputNet(s *section, stem string, p arch.Port, width int) net {
	if p.Chan == nil {
		open := b.names.name(stem + "_" + p.Name + "_open")
		s.declare(1, open+"_ready")
		b.unused = append(b.unused, open+"_ready")
		return net{valid: "1'b0", ready: open + "_ready", data: fmt.Sprintf("%d'd0", width+p.TagWidth), width: width, tag: p.TagWidth}
	}
	n := b.chanNet(p.Chan)
	keep := min(n.width, p.Width, width)
	b.spare(n.data, 0, n.width, keep, n.bits())
	n.data, n.width = fitLow(n.data, 0, n.width, keep, width, n.tag, n.bits()), width
	return n
}

// outputNet is where an output port with a payload of some width delivers; an
// unconnected one is always ready.
func (b *coreBuilder) outputNet(s *section, stem string, p arch.Port, width int) net {
	if p.Chan == nil {
		open := b.names.name(stem + "_" + p.Name + "_open")
		s.declare(1, open+"_valid")
		s.declare(width+p.TagWidth, open+"_data")
		b.unused = append(b.unused, open+"_valid", open+"_data")
		return net{valid: open + "_valid", ready: "1'b1", data: open + "_data", width: width, tag: p.TagWidth}
	}
	n := b.chanNet(p.Chan)
	if n.width == width {
		return n
	}
	// A port that drives more bits than the channel has: the low ones count.
	wide := b.names.name(stem + "_" + p.Name + "_wide")
	s.declare(width+n.tag, wide)
	s.assign(n.data, fit(wide, 0, width, n.width, n.tag, width+n.tag))
	b.spare(wide, 0, width, n.width, width+n.tag)
	return net{valid: n.valid, ready: n.ready, data: wide, width: width, tag: n.tag}
}

// spare notes the bits of the payload at a position of a vector above those that
// are used.
func (b *coreBuilder) spare(name string, at, width, used, total int) {
	if width > used {
		b.unused = append(b.unused, selectBits(name, at+used, width-used, total))
	}
}

// status collects idle and errors.
func (b *coreBuilder) status() {
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
