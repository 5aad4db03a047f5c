package prove

import (
	"fmt"

	"loom/compiler/arch"
	"loom/compiler/config"
)

// tagNet follows tokens with tags between lanes and memories.
type tagNet struct {
	r *hardware
	// slots and entries are those of temporal switches and map_tags that hardware accepts.
	used map[tagRoute]bool
}

// tagRoute is a route of a slot, or with out -1 an entry of a map_tag.
type tagRoute struct{ comp, slot, out, in int }

// tagEnd is where tagged tokens end, the tag they have there and the bits left of them.
type tagEnd struct {
	at    arch.Endpoint
	tag   uint64
	width int
}

// newTagNet checks the tables of temporal switches and map_tags as hardware does before a
// run.
func newTagNet(r *hardware) *tagNet {
	for _, c := range r.f.Comps {
		s := r.img.Settings[c.ID]
		for k, slot := range s.Slots {
			if !slot.Valid {
				continue
			}
			for j, other := range s.Slots[:k] {
				if other.Valid && other.Tag == slot.Tag {
					r.fault(nil, c.Pos, "", "slots %d and %d of temporal switch '%s' have the same tag %d: hardware refuses that", j, k, c.Name, slot.Tag)
				}
			}
			from := map[int]bool{}
			for _, route := range slot.Routes {
				if from[route[0]] {
					r.fault(nil, c.Pos, "", "slot %d of temporal switch '%s' sends several inputs to output %d: hardware refuses that", k, c.Name, route[0])
				}
				from[route[0]] = true
			}
		}
		for k, e := range s.Entries {
			for j, other := range s.Entries[:k] {
				if e.Valid && other.Valid && other.Src == e.Src {
					r.fault(nil, c.Pos, "", "entries %d and %d of map_tag '%s' have the same tag %d: hardware refuses that", j, k, c.Name, e.Src)
				}
			}
		}
	}
	return &tagNet{r: r, used: map[tagRoute]bool{}}
}

// only is the one end of the tokens that leave at a port with a tag; ok is false, and a
// fault noted, where they get lost or are copied.
func (t *tagNet) only(from arch.Endpoint, tag uint64, what string) (end tagEnd, ok bool) {
	if from.Port < 0 || from.Port >= len(from.Comp.Out) || from.Comp.Out[from.Port].Chan == nil {
		t.r.fault(nil, from.Comp.Pos, "", "%s have no port at '%s'", what, from.Comp.Name)
		return end, false
	}
	port := from.Comp.Out[from.Port]
	all := t.along(port.Chan, tag, port.Width, what, 0)
	switch {
	case len(all) == 0:
		return end, false
	case len(all) > 1:
		t.r.fault(nil, from.Comp.Pos, "", "%s (tag %d) go to several places: %s and %s", what, tag, portName(all[0].at), portName(all[1].at))
		return end, false
	}
	return all[0], true
}

func (t *tagNet) along(ch *arch.Channel, tag uint64, bits int, what string, depth int) []tagEnd {
	lost := func(c *arch.Component, format string, args ...any) []tagEnd {
		t.r.fault(nil, c.Pos, "", "%s (tag %d) get stuck at %s '%s', %s", what, tag, c.Kind, c.Name, fmt.Sprintf(format, args...))
		return nil
	}
	for {
		c := ch.Dst.Comp
		if c == nil || depth > len(t.r.f.Channels) {
			t.r.fault(nil, ch.Src.Comp.Pos, "", "%s (tag %d) get lost at channel '%s'", what, tag, ch.Name)
			return nil
		}
		depth++
		tag &= mask(ch.TagWidth)
		bits = min(bits, ch.Width, c.In[ch.Dst.Port].Width)
		var next *arch.Channel
		switch {
		case queue(c):
			next, bits = c.Out[0].Chan, min(bits, c.Out[0].Width)
		case c.Kind == arch.MapTag && len(c.Out) == 1:
			k := entry(t.r.img.Settings[c.ID].Entries, tag)
			if k < 0 {
				return lost(c, "which has no entry for their tag")
			}
			t.used[tagRoute{c.ID, k, -1, -1}] = true
			tag = t.r.img.Settings[c.ID].Entries[k].Dst
			next, bits = c.Out[0].Chan, min(bits, c.Out[0].Width)
		case c.Kind == arch.TemporalSwitch:
			return t.branch(c, ch.Dst.Port, tag, bits, what, depth, lost)
		default:
			return []tagEnd{{ch.Dst, tag, bits}}
		}
		if next == nil {
			return lost(c, "whose output is not connected")
		}
		ch = next
	}
}

func entry(entries []config.TagEntry, tag uint64) int {
	for k, e := range entries {
		if e.Valid && e.Src == tag {
			return k
		}
	}
	return -1
}

func (t *tagNet) branch(c *arch.Component, in int, tag uint64, bits int, what string, depth int, lost func(*arch.Component, string, ...any) []tagEnd) []tagEnd {
	for k, s := range t.r.img.Settings[c.ID].Slots {
		if !s.Valid || s.Tag != tag {
			continue
		}
		var out []tagEnd
		routed := false
		for _, route := range s.Routes {
			if route[1] != in {
				continue
			}
			routed, t.used[tagRoute{c.ID, k, route[0], in}] = true, true
			port := c.Out[route[0]]
			if port.Chan == nil {
				lost(c, "whose output %d is not connected", route[0])
				continue
			}
			out = append(out, t.along(port.Chan, tag, min(bits, port.Width), what, depth)...)
		}
		if !routed {
			return lost(c, "whose slot %d does not route input %d", k, in)
		}
		return out
	}
	return lost(c, "which has no slot for their tag")
}

// idle reports valid slots and entries, and routes of slots, that no token takes.
func (t *tagNet) idle() {
	for _, c := range t.r.f.Comps {
		s := t.r.img.Settings[c.ID]
		for k, slot := range s.Slots {
			if slot.Valid && len(slot.Routes) == 0 {
				t.r.fault(nil, c.Pos, "", "slot %d of temporal switch '%s' (tag %d) is valid and routes nothing", k, c.Name, slot.Tag)
			}
			for _, route := range slot.Routes {
				if slot.Valid && !t.used[tagRoute{c.ID, k, route[0], route[1]}] {
					t.r.fault(nil, c.Pos, "", "slot %d of temporal switch '%s' (tag %d) sends input %d to output %d, where no token arrives",
						k, c.Name, slot.Tag, route[1], route[0])
				}
			}
		}
		for k, e := range s.Entries {
			if e.Valid && !t.used[tagRoute{c.ID, k, -1, -1}] {
				t.r.fault(nil, c.Pos, "", "entry %d of map_tag '%s' (tag %d) is valid and no token has its tag", k, c.Name, e.Src)
			}
		}
	}
}
