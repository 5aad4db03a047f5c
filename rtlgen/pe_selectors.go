package rtlgen

import (
	"fmt"
	"strings"
)

// This file connects the function units of a PE to its ports: operand selectors in
// front, result selectors behind.

// peSelector is an operand or result slot: its configuration signals, the signal
// that says for each PE port that the slot is connected to it, and its net.
type peSelector struct {
	sel, discard, disconnect string
	selBits                  int
	at                       []string
	net                      net
	width                    int
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
		valid = append(valid, name+" & "+b.mod.In[i]+"_valid")
	}
	s.declare(1, slot.net.valid, slot.net.ready)
	s.assign(slot.net.valid, "~"+slot.discard+" & ("+anyOf(valid)+")")
	if slot.width > 0 {
		s.declare(slot.width, slot.net.data)
		m := muxView{Target: slot.net.data, Select: slot.sel, Default: fmt.Sprintf("%d'd0", slot.width)}
		for i, p := range b.comp.In {
			m.Arms = append(m.Arms, muxArm{number(slot.selBits, i), b.fitted(s, b.mod.In[i]+"_data", p.Width, slot.width)})
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
		s.assign(b.mod.In[i]+"_ready", anyOf(terms))
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
		ready = append(ready, name+" & "+b.mod.Out[o]+"_ready")
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
	stem, width := b.mod.Out[o], b.comp.Out[o].Width
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
