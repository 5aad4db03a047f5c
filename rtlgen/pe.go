package rtlgen

import (
	"fmt"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/config"
)

// peModule is the generated module of a PE definition and what its instances
// must connect.
type peModule struct {
	Name            string
	In, Out         []string // stems of the channel ports
	Clocked, Errors bool     // it has clk and idle, err_valid and err_code
	cfgBits         int
}

// peBuilder makes the module of one PE definition.
type peBuilder struct {
	g      *generator
	comp   *arch.Component // the first component with this definition
	slice  *config.Slice
	mod    *peModule
	names  *scope
	view   *moduleView
	units  []*unitBody
	unused []string

	enable string
	opcode string
	in     []peSelector // one per operand slot
	out    []peSelector // one per result slot
}

// pe returns the module of a component's definition, made once per definition.
func (g *generator) pe(c *arch.Component) *peModule {
	if m := g.peMods[c.Def]; m != nil {
		return m
	}
	b := &peBuilder{
		g: g, comp: c, slice: g.layout.SliceFor(c), mod: &peModule{},
		names: newScope("clk", "rst", "cfg", "idle", "err_valid", "err_code", "unused_bits"),
	}
	b.mod.Name = g.moduleNames.name(g.stem + "_" + c.Def)
	b.build()
	g.peMods[c.Def] = b.mod
	file := b.mod.Name + ".sv"
	g.emit(file, "module.sv.tmpl", b.view)
	return b.mod
}

func (b *peBuilder) build() {
	c := b.comp
	for _, p := range c.In {
		b.mod.In = append(b.mod.In, b.names.name(p.Name))
	}
	for _, p := range c.Out {
		b.mod.Out = append(b.mod.Out, b.names.name(p.Name))
	}
	b.mod.cfgBits = b.slice.Bits

	b.view = &moduleView{
		Title:  fmt.Sprintf("%s: spatial PE '%s' of fabric '%s'.", b.mod.Name, c.Def, b.g.fabric.Name),
		Header: b.g.header(),
		Name:   b.mod.Name,
	}
	b.configuration()
	var slots []*section
	for k := range b.in {
		slots = append(slots, b.operandSlot(k))
	}
	b.view.Sections = append(b.view.Sections, slots...)
	for k := range b.units {
		b.unitSections(k)
	}
	b.operandReady()
	for k := range b.out {
		b.resultSlot(k)
	}
	for o := range c.Out {
		b.output(o)
	}
	b.status()
	if len(b.unused) > 0 {
		b.view.Sections = append(b.view.Sections, unusedSection(b.unused))
	}
	b.portList()
	b.view.Comment = b.comment()
}

// comment tells what the PE holds.
func (b *peBuilder) comment() []string {
	lines := []string{"", "At most one function unit is active, chosen by the opcode:"}
	for k, u := range b.comp.PE.FUs {
		var ops []string
		for _, op := range u.Ops {
			ops = append(ops, op.Op.Name)
		}
		timing := fmt.Sprintf("latency %d, interval %d", u.Latency, u.Interval)
		if u.Latency < 0 {
			timing = "state machine"
		}
		lines = append(lines, fmt.Sprintf("  %d  %s: %s (%s)", k, u.Name, strings.Join(ops, ", "), timing))
	}
	return append(lines,
		"Operand selectors connect a unit's operands to PE inputs, result selectors its results",
		"to PE outputs; they neither merge nor broadcast. Discard takes and drops tokens,",
		"disconnect leaves the port alone.")
}

// configuration names the fields of the slice.
func (b *peBuilder) configuration() {
	s := &section{Comment: []string{"Configuration fields."}}
	at, total := b.slice.PE, b.slice.Bits
	field := func(name string, f config.Bits) string {
		n := b.names.name("cfg_" + name)
		s.declare(f.Width, n)
		s.assign(n, selectBits("cfg", f.Bit, f.Width, total))
		return n
	}
	b.enable = field("enable", config.Bits{Bit: at.Enable, Width: 1})
	if at.Opcode.Width > 0 {
		b.opcode = field("opcode", at.Opcode)
	}
	selectors := func(name string, bitsAt []config.SelectorBits) (out []peSelector) {
		for k, sel := range bitsAt {
			stem := fmt.Sprintf("%s%d", name, k)
			p := peSelector{selBits: sel.Sel.Width}
			if p.selBits > 0 {
				p.sel = field(stem+"_sel", sel.Sel)
			}
			p.discard = field(stem+"_discard", config.Bits{Bit: sel.Discard, Width: 1})
			p.disconnect = field(stem+"_disconnect", config.Bits{Bit: sel.Disconnect, Width: 1})
			out = append(out, p)
		}
		return out
	}
	b.in, b.out = selectors("in", at.In), selectors("out", at.Out)

	for k, u := range b.comp.PE.FUs {
		var names []string
		for n, f := range u.Fields(b.g.fabric.IndexWidth) {
			name := u.Name + "_" + f.Name
			if n > 0 {
				name = fmt.Sprintf("%s_%d", name, n)
			}
			names = append(names, field(name, at.FU[k][n]))
		}
		body := buildBody(u, b.g.fabric.IndexWidth, b.names, names)
		body.on = b.names.name(body.name + "_on")
		s.declare(1, body.on)
		on := b.enable
		if b.opcode != "" {
			on += fmt.Sprintf(" & (%s == %s)", b.opcode, number(at.Opcode.Width, k))
		}
		s.assign(body.on, on)
		b.units = append(b.units, body)
		b.mod.Clocked = b.mod.Clocked || body.clocked
		b.mod.Errors = b.mod.Errors || len(body.errValid) > 0
		b.unused = append(b.unused, body.unused...)
	}
	b.view.Sections = append(b.view.Sections, s)
}

// unitSections connects unit k to the operand slots and adds its body.
func (b *peBuilder) unitSections(k int) {
	u := b.units[k]
	s := &section{Comment: []string{fmt.Sprintf("Function unit %d: %s.", k, b.comp.PE.FUs[k].Name)}}
	for i, n := range u.in {
		declareNet(s, n)
		s.assign(n.valid, u.on+" & "+b.in[i].net.valid)
		if !n.none {
			s.assign(n.data, resize(b.in[i].net.data, b.in[i].width, n.width))
		}
	}
	b.view.Sections = append(b.view.Sections, s)
	b.view.Sections = append(b.view.Sections, u.sections...)
}

// status collects idle and errors of the units.
func (b *peBuilder) status() {
	s := &section{Comment: []string{"Status."}}
	if b.mod.Clocked {
		var terms []string
		for _, u := range b.units {
			terms = append(terms, u.idle...)
		}
		s.assign("idle", allOf(terms))
	}
	if b.mod.Errors {
		// The fields of all units share bits: only those of the selected one mean
		// anything. Its faults all carry the same code.
		var valid []string
		code := "16'd0"
		for k := len(b.units) - 1; k >= 0; k-- {
			u := b.units[k]
			if len(u.errValid) == 0 {
				continue
			}
			valid = append([]string{u.on + " & (" + anyOf(u.errValid) + ")"}, valid...)
			code = fmt.Sprintf("%s ? %s : %s", u.on, u.errCode[0], code)
			b.unused = append(b.unused, u.errCode[1:]...)
		}
		s.assign("err_valid", "~rst & ("+anyOf(valid)+")")
		s.assign("err_code", code)
	}
	if len(s.Assigns) > 0 {
		b.view.Sections = append(b.view.Sections, s)
	}
	for i, p := range b.comp.In {
		used := 0
		for _, slot := range b.in {
			used = max(used, min(slot.width, p.Width))
		}
		b.leftover(b.mod.In[i]+"_data", p.Width, used)
	}
	for _, slot := range b.out {
		used := 0
		for _, p := range b.comp.Out {
			used = max(used, min(slot.width, p.Width))
		}
		b.leftover(slot.net.data, slot.width, used)
	}
}

// leftover notes the bits of a signal above those that are used.
func (b *peBuilder) leftover(name string, width, used int) {
	if width > used {
		b.unused = append(b.unused, selectBits(name, used, width-used, width))
	}
}

func (b *peBuilder) portList() {
	var ports []portDecl
	add := func(group, dir string, width int, name string) {
		ports = append(ports, portDecl{group, dir, rangeOf(width), name})
	}
	if b.mod.Clocked || b.mod.Errors {
		if b.mod.Clocked {
			add("", "input", 1, "clk")
		}
		add("", "input", 1, "rst")
	}
	add("configuration slice", "input", max(b.mod.cfgBits, 1), "cfg")
	for i, p := range b.comp.In {
		add("", "input", 1, b.mod.In[i]+"_valid")
		add("", "output", 1, b.mod.In[i]+"_ready")
		add("", "input", p.Width, b.mod.In[i]+"_data")
	}
	for o, p := range b.comp.Out {
		add("", "output", 1, b.mod.Out[o]+"_valid")
		add("", "input", 1, b.mod.Out[o]+"_ready")
		add("", "output", p.Width, b.mod.Out[o]+"_data")
	}
	if b.mod.Clocked {
		add("", "output", 1, "idle")
	}
	if b.mod.Errors {
		add("", "output", 1, "err_valid")
		add("", "output", 16, "err_code")
	}
	b.view.Ports = ports
}
