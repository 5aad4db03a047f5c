package check

import (
	"fmt"

	"loom/compiler/arch"
	"loom/compiler/config"
)

// tagNet follows tokens with tags through the FIFOs, temporal switches and
// map_tags between lanes and memories, as the settings send them.
type tagNet struct {
	f *arch.Fabric
	// slots and entries are the settings by component.
	slots   map[int][]config.Slot
	entries map[int][]config.TagEntry
	// used collects the routes that tokens take.
	used map[slotRoute]bool
	fail func(format string, args ...any)
}

// slotRoute is a route of a slot of a temporal switch.
type slotRoute struct{ comp, slot, out, in int }

// tagSink is where tokens end: an input port, the tag they have there, and the
// number of data bits that are left of them.
type tagSink struct {
	at    arch.Endpoint
	tag   uint64
	width int
}

// follow lists the sinks of the tokens that leave at a port with a tag. Where
// they get lost it reports why; what names them.
func (n *tagNet) follow(from arch.Endpoint, tag uint64, what string) []tagSink {
	if from.Port < 0 || from.Port >= len(from.Comp.Out) {
		n.fail("%s '%s' has no port for %s", from.Comp.Kind, from.Comp.Name, what)
		return nil
	}
	port := from.Comp.Out[from.Port]
	if port.Chan == nil || port.Chan.Dst.Comp == nil {
		n.fail("%s leave at output '%s' of '%s', which is not connected", what, port.Name, from.Comp.Name)
		return nil
	}
	return n.along(port.Chan, tag, port.Width, what, 0)
}

func (n *tagNet) along(ch *arch.Channel, tag uint64, width int, what string, depth int) []tagSink {
	for {
		if depth++; depth > len(n.f.Channels) {
			n.fail("%s run in circles at channel '%s'", what, ch.Name)
			return nil
		}
		if ch.TagWidth < 64 && tag>>ch.TagWidth != 0 {
			n.fail("tag %d of %s does not fit the %d tag bits of channel '%s'", tag, what, ch.TagWidth, ch.Name)
			return nil
		}
		x := ch.Dst.Comp
		if x == nil {
			n.fail("%s leave the fabric at channel '%s'", what, ch.Name)
			return nil
		}
		width = min(width, ch.Width, x.In[ch.Dst.Port].Width)
		_, delays := queue(x)
		switch {
		case delays:
		case x.Kind == arch.MapTag:
			to, ok := mapTag(n.entries[x.ID], tag)
			if !ok {
				n.fail("map_tag '%s' has no entry for tag %d of %s", x.Name, tag, what)
				return nil
			}
			tag = to
		case x.Kind == arch.TemporalSwitch:
			return n.branch(x, ch.Dst.Port, tag, width, what, depth)
		default:
			return []tagSink{{ch.Dst, tag, width}}
		}
		width = min(width, x.Out[0].Width)
		next := x.Out[0].Chan
		if next == nil {
			n.fail("%s end at %s '%s', whose output is not connected", what, x.Kind, x.Name)
			return nil
		}
		ch = next
	}
}

// mapTag is what a map_tag makes of a tag.
func mapTag(entries []config.TagEntry, tag uint64) (uint64, bool) {
	for _, e := range entries {
		if e.Valid && e.Src == tag {
			return e.Dst, true
		}
	}
	return 0, false
}

// branch takes tokens through a temporal switch: the first slot with their tag
// decides.
func (n *tagNet) branch(x *arch.Component, in int, tag uint64, width int, what string, depth int) []tagSink {
	for k, s := range n.slots[x.ID] {
		if !s.Valid || s.Tag != tag {
			continue
		}
		var out []tagSink
		routed := false
		for _, r := range s.Routes {
			if r[1] != in {
				continue
			}
			routed = true
			n.used[slotRoute{x.ID, k, r[0], r[1]}] = true
			next := x.Out[r[0]].Chan
			if next == nil {
				n.fail("%s leave temporal switch '%s' at output %d, which is not connected", what, x.Name, r[0])
				continue
			}
			out = append(out, n.along(next, tag, min(width, x.Out[r[0]].Width), what, depth)...)
		}
		if !routed {
			n.fail("slot %d (tag %d) of temporal switch '%s' does not route input %d, where %s arrive", k, tag, x.Name, in, what)
		}
		return out
	}
	n.fail("temporal switch '%s' has no slot for tag %d of %s", x.Name, tag, what)
	return nil
}

// slot checks one slot of a temporal switch by itself and against those before
// it.
func (n *tagNet) slot(x *arch.Component, k int, s config.Slot, before []config.Slot) bool {
	ok := true
	bad := func(format string, args ...any) {
		n.fail("slot %d (tag %d) of temporal switch '%s' %s", k, s.Tag, x.Name, fmt.Sprintf(format, args...))
		ok = false
	}
	if x.Temporal.TagWidth < 64 && s.Tag>>x.Temporal.TagWidth != 0 {
		bad("has a tag beyond its %d tag bits", x.Temporal.TagWidth)
	}
	for j, other := range before {
		if other.Valid && other.Tag == s.Tag {
			bad("has the tag of slot %d", j)
		}
	}
	input := map[int]int{}
	for _, r := range s.Routes {
		o, i := r[0], r[1]
		if o < 0 || o >= len(x.Out) || i < 0 || i >= len(x.In) || !x.Temporal.Connect[o][i] {
			bad("sends input %d to output %d, which are not connected", i, o)
			continue
		}
		if other, taken := input[o]; taken {
			bad("sends inputs %d and %d to output %d", other, i, o)
		}
		input[o] = i
	}
	return ok
}

// unused reports the routes of valid slots that no token takes.
func (n *tagNet) unused() {
	for _, x := range n.f.Comps {
		for k, s := range n.slots[x.ID] {
			if !s.Valid {
				continue
			}
			if len(s.Routes) == 0 {
				n.fail("slot %d (tag %d) of temporal switch '%s' routes nothing", k, s.Tag, x.Name)
			}
			for _, r := range s.Routes {
				if !n.used[slotRoute{x.ID, k, r[0], r[1]}] {
					n.fail("slot %d (tag %d) of temporal switch '%s' sends input %d to output %d for no access", k, s.Tag, x.Name, r[1], r[0])
				}
			}
		}
	}
}
