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
	name    string
	in, out []string // stems of the channel ports
	cfgBits int
	clocked bool
	errors  bool
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

// peSelector is an operand or result slot: its configuration signals, the signal
// that says for each PE port that the slot is connected to it, and its net.
type peSelector struct {
	sel, discard, disconnect string
	selBits                  int
	at                       []string
	net                      net
	width                    int
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
	b.mod.name = g.moduleNames.name(g.stem + "_" + c.Def)
	b.build()
	g.peMods[c.Def] = b.mod
	file := b.mod.name + ".sv"
	g.emit(file, "module.sv.tmpl", b.view)
	return b.mod
}

func (b *peBuilder) build() {
	c := b.comp
	for _, p := range c.In {
		b.mod.in = append(b.mod.in, b.names.name(p.Name))
	}
	for _, p := range c.Out {
		b.mod.out = append(b.mod.out, b.names.name(p.Name))
	}
	b.mod.cfgBits = b.slice.Bits

	b.view = &moduleView{
		Header: b.g.header(fmt.Sprintf("%s: spatial PE '%s' of fabric '%s'.", b.mod.name, c.Def, b.g.fabric.Name), "//"),
		Name:   b.mod.name,
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
		b.mod.clocked = b.mod.clocked || body.clocked
		b.mod.errors = b.mod.errors || len(body.errValid) > 0
		b.unused = append(b.unused, body.unused...)
	}
	b.view.Sections = append(b.view.Sections, s)
}

// operandSlot is the input selector of operand k: the PE input it is connected to,
// its valid and its data.
func (b *peBuilder) operandSlot(k int) *section {
	slot := &b.in[k]
	stem := b.names.name(fmt.Sprintf("operand%d", k))
	slot.net = net{valid: stem + "_valid", ready: stem + "_ready", data: stem + "_data"}
	for _, u := range b.units {
		if k < len(u.in) && !u.in[k].none {
			slot.width = max(slot.width, u.in[k].width)
		}
	}
	s := &section{Comment: []string{fmt.Sprintf("Operand %d of the selected unit.", k)}}
	var valid []string
	for i, p := range b.comp.In {
		name := b.names.name(fmt.Sprintf("%s_from_%s", stem, p.Name))
		slot.at = append(slot.at, name)
		s.declare(1, name)
		s.assign(name, b.picks(*slot, i, b.enable))
		valid = append(valid, name+" & "+b.mod.in[i]+"_valid")
	}
	s.declare(1, slot.net.valid, slot.net.ready)
	s.assign(slot.net.valid, "~"+slot.discard+" & ("+anyOf(valid)+")")
	if slot.width > 0 {
		s.declare(slot.width, slot.net.data)
		m := muxView{Target: slot.net.data, Select: slot.sel, Default: fmt.Sprintf("%d'd0", slot.width)}
		for i, p := range b.comp.In {
			m.Arms = append(m.Arms, muxArm{number(slot.selBits, i), b.fitted(s, b.mod.in[i]+"_data", p.Width, slot.width)})
		}
		s.mux(m)
	}
	return s
}

// fitted is resize with a name for selected bits: Icarus takes no part selects in
// combinational processes.
func (b *peBuilder) fitted(s *section, signal string, from, to int) string {
	if to >= from {
		return resize(signal, from, to)
	}
	name := b.names.name(fmt.Sprintf("%s_low%d", strings.TrimSuffix(signal, "_data"), to))
	s.declare(to, name)
	s.assign(name, resize(signal, from, to))
	return name
}

// picks is the condition under which a selector names port i of those it
// chooses from.
func (b *peBuilder) picks(s peSelector, i int, gate string) string {
	terms := []string{"~" + s.disconnect}
	if gate != "" {
		terms = append([]string{gate}, terms...)
	}
	if s.sel != "" {
		terms = append(terms, fmt.Sprintf("(%s == %s)", s.sel, number(s.selBits, i)))
	}
	return allOf(terms)
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

// operandReady releases the PE inputs: through the operand slots from the
// selected unit, or at once where a slot discards.
func (b *peBuilder) operandReady() {
	s := &section{Comment: []string{"A PE input is released by the operand that takes it."}}
	for k := range b.in {
		var terms []string
		for _, u := range b.units {
			if k < len(u.in) {
				terms = append(terms, u.on+" & "+u.in[k].ready)
			}
		}
		s.assign(b.in[k].net.ready, anyOf(terms))
	}
	for i := range b.comp.In {
		var terms []string
		for k := range b.in {
			terms = append(terms, fmt.Sprintf("%s & (%s | %s)", b.in[k].at[i], b.in[k].discard, b.in[k].net.ready))
		}
		s.assign(b.mod.in[i]+"_ready", anyOf(terms))
	}
	if len(s.Assigns) > 0 {
		b.view.Sections = append(b.view.Sections, s)
	}
}

// resultSlot is the output selector of result k.
func (b *peBuilder) resultSlot(k int) {
	slot := &b.out[k]
	stem := b.names.name(fmt.Sprintf("result%d", k))
	slot.net = net{valid: stem + "_valid", ready: stem + "_ready", data: stem + "_data"}
	s := &section{Comment: []string{fmt.Sprintf("Result %d of the selected unit.", k)}}
	s.declare(1, slot.net.valid, slot.net.ready)
	var valid []string
	for _, u := range b.units {
		if k >= len(u.out) {
			continue
		}
		if !u.out[k].none {
			slot.width = max(slot.width, u.out[k].width)
		}
		valid = append(valid, u.on+" & "+u.out[k].valid)
		s.assign(u.out[k].ready, u.on+" & "+slot.net.ready)
	}
	s.assign(slot.net.valid, anyOf(valid))

	ready := []string{"~" + slot.disconnect + " & " + slot.discard}
	for o, p := range b.comp.Out {
		name := b.names.name(fmt.Sprintf("%s_to_%s", stem, p.Name))
		slot.at = append(slot.at, name)
		s.declare(1, name)
		s.assign(name, b.picks(*slot, o, "~"+slot.discard))
		ready = append(ready, name+" & "+b.mod.out[o]+"_ready")
	}
	s.assign(slot.net.ready, anyOf(ready))

	if slot.width > 0 {
		s.declare(slot.width, slot.net.data)
		m := muxView{Target: slot.net.data, Select: b.opcode, Default: fmt.Sprintf("%d'd0", slot.width)}
		for n, u := range b.units {
			if k < len(u.out) && !u.out[k].none {
				m.Arms = append(m.Arms, muxArm{number(b.slice.PE.Opcode.Width, n),
					resize(u.out[k].data, u.out[k].width, slot.width)})
			}
		}
		s.mux(m)
	}
	b.view.Sections = append(b.view.Sections, s)
}

// output drives PE output o from the result slot that is connected to it.
func (b *peBuilder) output(o int) {
	s := &section{}
	stem, width := b.mod.out[o], b.comp.Out[o].Width
	var valid []string
	data, dataSlots := fmt.Sprintf("%d'd0", width), 0
	for k := len(b.out) - 1; k >= 0; k-- {
		slot := b.out[k]
		valid = append([]string{slot.at[o] + " & " + slot.net.valid}, valid...)
		value := fmt.Sprintf("%d'd0", width)
		if slot.width > 0 {
			value = resize(slot.net.data, slot.width, width)
		}
		if dataSlots == 0 {
			data = value
		} else {
			data = fmt.Sprintf("%s ? %s : %s", slot.at[o], value, data)
		}
		dataSlots++
	}
	s.assign(stem+"_valid", anyOf(valid))
	s.assign(stem+"_data", data)
	b.view.Sections = append(b.view.Sections, s)
}

// status collects idle and errors of the units.
func (b *peBuilder) status() {
	s := &section{Comment: []string{"Status."}}
	if b.mod.clocked {
		var terms []string
		for _, u := range b.units {
			terms = append(terms, u.idle...)
		}
		s.assign("idle", allOf(terms))
	}
	if b.mod.errors {
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
		b.leftover(b.mod.in[i]+"_data", p.Width, used)
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
	if b.mod.clocked || b.mod.errors {
		if b.mod.clocked {
			add("", "input", 1, "clk")
		}
		add("", "input", 1, "rst")
	}
	add("configuration slice", "input", max(b.mod.cfgBits, 1), "cfg")
	for i, p := range b.comp.In {
		add("", "input", 1, b.mod.in[i]+"_valid")
		add("", "output", 1, b.mod.in[i]+"_ready")
		add("", "input", p.Width, b.mod.in[i]+"_data")
	}
	for o, p := range b.comp.Out {
		add("", "output", 1, b.mod.out[o]+"_valid")
		add("", "input", 1, b.mod.out[o]+"_ready")
		add("", "output", p.Width, b.mod.out[o]+"_data")
	}
	if b.mod.clocked {
		add("", "output", 1, "idle")
	}
	if b.mod.errors {
		add("", "output", 1, "err_valid")
		add("", "output", 16, "err_code")
	}
	b.view.Ports = ports
}
