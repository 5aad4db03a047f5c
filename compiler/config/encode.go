package config

import (
	"encoding/binary"
	"fmt"
	"slices"

	"loom/compiler/diag"
)

// New returns the image with everything off: no routes, no discards, FIFOs not
// bypassed, no valid region, every PE disabled.
func New(l *Layout) *Image {
	img := &Image{Layout: l, Settings: make([]Setting, len(l.Fabric.Comps))}
	for i := range l.Slices {
		at := &l.Slices[i]
		s := &img.Settings[at.Comp.ID]
		if at.Switch != nil {
			s.Switch = &SwitchSetting{Route: make([]int, len(at.Switch.Out)), Discard: make([]bool, len(at.Switch.Expects))}
			for o := range s.Switch.Route {
				s.Switch.Route[o] = -1
			}
		}
		if at.PE != nil {
			s.PE = DisabledPE(at.Comp.PE)
		}
		if at.TPE != nil {
			s.TPE = &TPESetting{Instructions: make([]Instruction, len(at.TPE.Instructions)), Outputs: make([]int, len(at.TPE.Outputs)),
				Constants: make([]uint64, len(at.TPE.Constants))}
			for o := range s.TPE.Outputs {
				s.TPE.Outputs[o] = -1
			}
		}
		s.Regions = append(s.Regions, make([]Region, len(at.Regions))...)
		s.Slots = append(s.Slots, make([]Slot, len(at.Slots))...)
		s.Entries = append(s.Entries, make([]TagEntry, len(at.Entries))...)
	}
	return img
}

// Check reports whether the image can be encoded: settings of the right shape,
// routes only where the switch is connected, values that fit their fields.
func (img *Image) Check() error {
	var errs diag.List
	if len(img.Settings) != len(img.Layout.Fabric.Comps) {
		errs.Errorf(diag.Pos{}, "the configuration has %d settings for %d components",
			len(img.Settings), len(img.Layout.Fabric.Comps))
		return errs.Err()
	}
	for i := range img.Layout.Slices {
		w := writer{s: &img.Layout.Slices[i], errs: &errs}
		w.setting(&img.Settings[w.s.Comp.ID])
	}
	return errs.Err()
}

// Encode returns the words of the image. The image must pass Check: an image
// that does not is a fault of the code that made it, and Encode panics.
func (img *Image) Encode() []uint32 {
	var errs diag.List
	words := make([]uint32, img.Layout.WordCount)
	for i := range img.Layout.Slices {
		s := &img.Layout.Slices[i]
		w := writer{s: s, words: words[s.WordOffset : s.WordOffset+s.WordCount], errs: &errs}
		w.setting(&img.Settings[s.Comp.ID])
	}
	if err := errs.Err(); err != nil {
		panic("config: encoding an image that does not fit its fabric: " + err.Error())
	}
	return words
}

// Bytes returns the contents of config.bin: the words in little-endian order.
func Bytes(words []uint32) []byte {
	out := make([]byte, 0, 4*len(words))
	for _, w := range words {
		out = binary.LittleEndian.AppendUint32(out, w)
	}
	return out
}

// PutBits stores the low width bits of value at the given bit of words.
func PutBits(words []uint32, bit, width int, value uint64) {
	for n := 0; n < width; {
		word, shift := (bit+n)/WordBits, (bit+n)%WordBits
		take := min(width-n, WordBits-shift)
		mask := uint32(uint64(1)<<take - 1)
		words[word] = words[word]&^(mask<<shift) | uint32(value>>n)&mask<<shift
		n += take
	}
}

// GetBits reads width bits (at most 64) at the given bit of words.
func GetBits(words []uint32, bit, width int) uint64 {
	var v uint64
	for n := 0; n < width; {
		word, shift := (bit+n)/WordBits, (bit+n)%WordBits
		take := min(width-n, WordBits-shift)
		v |= uint64(words[word]>>shift) & (uint64(1)<<take - 1) << n
		n += take
	}
	return v
}

// writer checks the setting of one slice and, when words is not nil, stores it.
type writer struct {
	s     *Slice
	words []uint32
	errs  *diag.List
}

func (w *writer) fail(format string, args ...any) {
	c := w.s.Comp
	w.errs.Errorf(c.Pos, "%s '%s': %s", c.Kind, c.Name, fmt.Sprintf(format, args...))
}

func (w *writer) put(b Bits, value uint64, what string, args ...any) {
	if b.Width < 64 && value>>b.Width != 0 {
		w.fail("%s is %d, which does not fit %d bits", fmt.Sprintf(what, args...), value, b.Width)
		return
	}
	if w.words != nil {
		PutBits(w.words, b.Bit, b.Width, value)
	}
}

func (w *writer) flag(bit int, on bool) {
	if on && w.words != nil {
		PutBits(w.words, bit, 1, 1)
	}
}

func (w *writer) setting(s *Setting) {
	switch {
	case w.s.Switch != nil:
		if s.Switch == nil {
			w.fail("has no switch setting")
			return
		}
		w.spatialSwitch(s.Switch)
	case w.s.PE != nil:
		if s.PE == nil {
			w.fail("has no PE setting")
			return
		}
		w.pe(s.PE)
	case w.s.TPE != nil:
		if s.TPE == nil {
			w.fail("has no setting of a temporal PE")
			return
		}
		w.temporalPE(s.TPE)
	case w.s.FIFO != nil:
		w.flag(w.s.FIFO.Bit, s.Bypassed)
	case w.s.Tag != nil:
		w.put(*w.s.Tag, s.Tag, "tag")
	case w.s.Slots != nil:
		w.slots(s.Slots)
	case w.s.Entries != nil:
		w.entries(s.Entries)
	default:
		w.regions(s.Regions)
	}
}

func (w *writer) spatialSwitch(s *SwitchSetting) {
	at := w.s.Switch
	if len(s.Route) != len(at.Out) || len(s.Discard) != len(at.Expects) {
		w.fail("the setting has %d outputs and %d inputs, the switch %d and %d",
			len(s.Route), len(s.Discard), len(at.Out), len(at.Expects))
		return
	}
	for o, i := range s.Route {
		if i < 0 {
			continue // closed: enable and select are zero
		}
		sel := slices.Index(at.Out[o].Inputs, i)
		if sel < 0 {
			w.fail("output %d cannot take input %d: they are not connected", o, i)
			continue
		}
		w.flag(at.Out[o].Enable, true)
		w.put(at.Out[o].Sel, uint64(sel), "out[%d].sel", o)
	}
	for i, on := range s.Discard {
		w.flag(at.Expects[i], on || slices.Contains(s.Route, i))
	}
}

func (w *writer) pe(s *PESetting) {
	at := w.s.PE
	if s.Opcode < 0 || s.Opcode >= max(len(at.FU), 1) {
		w.fail("opcode %d, the PE has %d function units", s.Opcode, len(at.FU))
		return
	}
	w.flag(at.Enable, s.Enable)
	w.put(at.Opcode, uint64(s.Opcode), "opcode")
	w.selectors(at.In, s.In, len(w.s.Comp.In), "in", w.s.Comp.PE.FixedPorts)
	w.selectors(at.Out, s.Out, len(w.s.Comp.Out), "out", w.s.Comp.PE.FixedPorts)
	if len(at.FU) == 0 {
		return
	}
	own := at.FU[s.Opcode]
	if len(s.Fields) != len(own) {
		w.fail("%d field values for function unit '%s', which has %d fields",
			len(s.Fields), w.s.Comp.PE.FUs[s.Opcode].Name, len(own))
		return
	}
	for n, v := range s.Fields {
		w.put(own[n], v, "field %d of function unit '%s'", n, w.s.Comp.PE.FUs[s.Opcode].Name)
	}
}

func (w *writer) selectors(at []SelectorBits, s []Selector, ports int, name string, fixed bool) {
	if len(s) != len(at) {
		w.fail("%d '%s' selectors, the PE has %d", len(s), name, len(at))
		return
	}
	for k, sel := range s {
		if sel.Sel < 0 || sel.Sel >= max(ports, 1) {
			w.fail("%s[%d] selects port %d of %d", name, k, sel.Sel, ports)
			continue
		}
		if !fixed {
			w.put(at[k].Sel, uint64(sel.Sel), "%s[%d].sel", name, k)
		} else if sel.Sel != fixedPort(k, sel, name) {
			w.fail("%s[%d] selects port %d, the ports of the PE are fixed", name, k, sel.Sel)
			continue
		}
		w.flag(at[k].Discard, sel.Discard)
		w.flag(at[k].Disconnect, sel.Disconnect)
		if sel.Immediate && at[k].Immediate.Width == 0 {
			w.fail("%s[%d] has no immediate", name, k)
			continue
		}
		if !sel.Immediate && sel.Value != 0 {
			w.fail("%s[%d] has the word %#x and is no immediate", name, k, sel.Value)
			continue
		}
		if sel.Immediate {
			w.flag(at[k].Immediate.Bit, true)
		}
		w.put(at[k].Word, sel.Value, "%s[%d].word", name, k)
	}
}

func (w *writer) regions(s []Region) {
	if len(s) != len(w.s.Regions) {
		w.fail("%d regions, the memory has %d", len(s), len(w.s.Regions))
		return
	}
	for r, reg := range s {
		at := w.s.Regions[r]
		w.flag(at.Valid, reg.Valid)
		w.put(at.StartTag, reg.StartTag, "region[%d].start_tag", r)
		w.put(at.EndTag, reg.EndTag, "region[%d].end_tag", r)
		w.put(at.Offset, reg.Offset, "region[%d].addr_offset", r)
		switch {
		case at.Cached >= 0:
			w.flag(at.Cached, reg.Cached)
		case reg.Cached:
			w.fail("region[%d] is cached, the memory has no read cache", r)
		}
	}
}

func (w *writer) slots(s []Slot) {
	if len(s) != len(w.s.Slots) {
		w.fail("%d slots, the switch has %d", len(s), len(w.s.Slots))
		return
	}
	for k, slot := range s {
		at := w.s.Slots[k]
		w.flag(at.Valid, slot.Valid)
		w.put(at.Tag, slot.Tag, "slot[%d].tag", k)
		for _, r := range slot.Routes {
			o, i := r[0], r[1]
			if o < 0 || o >= len(at.Route) || i < 0 || i >= len(at.Route[o]) || at.Route[o][i] < 0 {
				w.fail("slot[%d] sends input %d to output %d: they are not connected", k, i, o)
				continue
			}
			w.flag(at.Route[o][i], true)
		}
	}
}

func (w *writer) entries(s []TagEntry) {
	if len(s) != len(w.s.Entries) {
		w.fail("%d entries, the table has %d", len(s), len(w.s.Entries))
		return
	}
	for k, e := range s {
		at := w.s.Entries[k]
		w.flag(at.Valid, e.Valid)
		w.put(at.Src, e.Src, "entry[%d].src_tag", k)
		w.put(at.Dst, e.Dst, "entry[%d].dst_tag", k)
	}
}
