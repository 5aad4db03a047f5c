package config

import (
	"fmt"
	"slices"

	"loom/compiler/diag"
)

// Decode reads the words of an image back. It accepts exactly the images that
// Encode can produce, so that encoding what it returns gives the same words:
// a wrong number of words, bits set outside of every field, an opcode or a
// selector beyond its range are errors, and so are the select of a switch output
// that is closed, and a switch input that is routed and expects no tokens.
func Decode(l *Layout, words []uint32) (*Image, error) {
	var errs diag.List
	if len(words) != l.WordCount {
		errs.Errorf(diag.Pos{}, "the configuration image has %d words, fabric '%s' needs %d",
			len(words), l.Fabric.Name, l.WordCount).
			WithHelp("the image was made for another fabric, or is incomplete")
		return nil, errs.Err()
	}
	img := New(l)
	for i := range l.Slices {
		s := &l.Slices[i]
		r := reader{s: s, words: words[s.WordOffset : s.WordOffset+s.WordCount], errs: &errs}
		r.setting(&img.Settings[s.Comp.ID])
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	return img, nil
}

// reader reads the setting of one slice.
type reader struct {
	s     *Slice
	words []uint32
	errs  *diag.List
}

func (r *reader) fail(format string, args ...any) {
	c := r.s.Comp
	r.errs.Errorf(c.Pos, "configuration of %s '%s' (word %d): %s", c.Kind, c.Name, r.s.WordOffset, fmt.Sprintf(format, args...))
}

func (r *reader) get(b Bits) uint64 { return GetBits(r.words, b.Bit, b.Width) }

func (r *reader) flag(bit int) bool { return GetBits(r.words, bit, 1) != 0 }

// zero reports bits set in a range that no field uses.
func (r *reader) zero(from, to int, why string) {
	for bit := from; bit < to; bit += 64 {
		if GetBits(r.words, bit, min(64, to-bit)) != 0 {
			r.fail("bits %d to %d are not zero although %s", from, to-1, why)
			return
		}
	}
}

func (r *reader) setting(s *Setting) {
	r.zero(r.s.Bits, r.s.WordCount*WordBits, "nothing is configured there")
	switch {
	case r.s.Switch != nil:
		r.spatialSwitch(s.Switch)
	case r.s.PE != nil:
		r.pe(s.PE)
	case r.s.TPE != nil:
		r.temporalPE(s.TPE)
	case r.s.FIFO != nil:
		s.Bypassed = r.flag(r.s.FIFO.Bit)
	case r.s.Tag != nil:
		s.Tag = r.get(*r.s.Tag)
	case r.s.Slots != nil:
		for k, at := range r.s.Slots {
			s.Slots[k] = r.slot(at)
		}
	case r.s.Entries != nil:
		for k, at := range r.s.Entries {
			s.Entries[k] = TagEntry{r.flag(at.Valid), r.get(at.Src), r.get(at.Dst)}
		}
	default:
		for i, at := range r.s.Regions {
			s.Regions[i] = Region{r.flag(at.Valid), r.get(at.StartTag), r.get(at.EndTag), r.get(at.Offset), at.Cached >= 0 && r.flag(at.Cached)}
		}
	}
}

func (r *reader) slot(at SlotBits) Slot {
	s := Slot{Valid: r.flag(at.Valid), Tag: r.get(at.Tag)}
	for o, row := range at.Route {
		for i, bit := range row {
			if bit >= 0 && r.flag(bit) {
				s.Routes = append(s.Routes, [2]int{o, i})
			}
		}
	}
	return s
}

func (r *reader) spatialSwitch(s *SwitchSetting) {
	for o, at := range r.s.Switch.Out {
		if len(at.Inputs) == 0 {
			continue
		}
		switch sel := int(r.get(at.Sel)); {
		case sel >= len(at.Inputs):
			r.fail("out[%d] selects input %d of the %d that are connected to it", o, sel, len(at.Inputs))
		case r.flag(at.Enable):
			s.Route[o] = at.Inputs[sel]
		case sel != 0:
			r.fail("out[%d] selects input %d of those that are connected to it and is not enabled", o, sel)
		}
	}
	for i, bit := range r.s.Switch.Expects {
		switch on := r.flag(bit); {
		case !slices.Contains(s.Route, i):
			s.Discard[i] = on
		case !on:
			r.fail("input %d is routed and expects no tokens", i)
		}
	}
}

func (r *reader) pe(s *PESetting) {
	at := r.s.PE
	s.Enable = r.flag(at.Enable)
	s.Opcode = int(r.get(at.Opcode))
	r.selectors(at.In, s.In, len(r.s.Comp.In), "in", r.s.Comp.PE.FixedPorts)
	r.selectors(at.Out, s.Out, len(r.s.Comp.Out), "out", r.s.Comp.PE.FixedPorts)
	if s.Opcode >= max(len(at.FU), 1) {
		r.fail("opcode %d, the PE has %d function units", s.Opcode, len(at.FU))
		return
	}
	used := at.FUSpace.Bit
	s.Fields = nil
	if len(at.FU) > 0 {
		s.Fields = make([]uint64, len(at.FU[s.Opcode]))
		for n, b := range at.FU[s.Opcode] {
			s.Fields[n] = r.get(b)
			used = b.Bit + b.Width
		}
	}
	r.zero(used, at.FUSpace.Bit+at.FUSpace.Width, "the selected function unit does not use them")
}

func (r *reader) selectors(at []SelectorBits, s []Selector, ports int, name string, fixed bool) {
	for k := range at {
		s[k] = Selector{Sel: int(r.get(at[k].Sel)), Discard: r.flag(at[k].Discard), Disconnect: r.flag(at[k].Disconnect),
			Immediate: r.get(at[k].Immediate) != 0, Value: r.get(at[k].Word)}
		if fixed {
			s[k].Sel = fixedPort(k, s[k], name)
		}
		if !s[k].Immediate && s[k].Value != 0 {
			r.fail("%s[%d] has the word %#x and is no immediate", name, k, s[k].Value)
		}
		if s[k].Sel >= max(ports, 1) {
			r.fail("%s[%d] selects port %d of %d", name, k, s[k].Sel, ports)
		}
	}
}

// fixedPort is the port that selector k of a PE with fixed ports names: its own, and 0 where it names none, as with
// a choice. A result that is dropped names none.
func fixedPort(k int, s Selector, name string) int {
	if s.Disconnect || s.Discard && name == "out" {
		return 0
	}
	return k
}
