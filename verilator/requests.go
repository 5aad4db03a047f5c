package verilator

import (
	"fmt"
	"slices"
	"sort"

	"loom/compiler/arch"
	"loom/sim/cycle"
)

// request is what one AXI channel of a master transfers in a
// cycle, as the harness reports it. Address and ID belong to AR and AW; the words of the
// data bus, the lowest first, and the strobes to W.
type request struct {
	Bus     int              `json:"memory"` // number of the master, in the order of the generated top level's ports
	Channel cycle.BusChannel `json:"channel"`
	Addr    uint64           `json:"addr"`
	ID      uint16           `json:"id"`
	Strobe  [2]uint64        `json:"strobe"`
	Data    []uint64         `json:"data"`
	Len     uint64           `json:"len"`  // further elements of a burst, of AR and AW
	Last    bool             `json:"last"` // of W: the last element of a burst
}

// equal reports whether two requests are the same.
func (r *request) equal(o *request) bool {
	if r.Channel == cycle.W {
		return r.Strobe == o.Strobe && r.Last == o.Last && slices.Equal(r.Data, o.Data)
	}
	return r.Addr == o.Addr && r.ID == o.ID && r.Len == o.Len
}

// String spells what the channel carries.
func (r *request) String() string {
	if r == nil {
		return "no transfer"
	}
	if r.Channel != cycle.W {
		s := fmt.Sprintf("address 0x%x with ID %d", r.Addr, r.ID)
		if r.Len > 0 {
			s += fmt.Sprintf(" and %d elements", r.Len+1)
		}
		return s
	}
	return fmt.Sprintf("%s with strobes %s", hexadecimal(r.Data), hexadecimal(r.Strobe[:]))
}

// hexadecimal spells a value of several words, the lowest first.
func hexadecimal(words []uint64) string {
	n := len(words)
	for n > 1 && words[n-1] == 0 {
		n--
	}
	text := "0x0"
	if n > 0 {
		text = fmt.Sprintf("0x%x", words[n-1])
	}
	for i := n - 2; i >= 0; i-- {
		text += fmt.Sprintf("%016x", words[i])
	}
	return text
}

// requestOf translates a transfer of the cycle simulator: on the bus of one memory an element stands on
// every lane.
func requestOf(t cycle.BusTransfer) request {
	r := request{Bus: t.Bus, Channel: t.Channel}
	if t.Channel != cycle.W {
		r.Addr, r.ID, r.Len = t.Addr, t.ID, uint64(t.Len)
		return r
	}
	r.Strobe, r.Last = t.Strobe, t.Last
	if t.Word != nil {
		r.Data = t.Word
		return r
	}
	word, width := t.Data, t.Comp.Mem.ElemWidth
	bus := max(width, t.Comp.Mem.BusWidth)
	for ; width < min(bus, 64); width *= 2 {
		word |= word << width
	}
	for range max(bus/64, 1) {
		r.Data = append(r.Data, word)
	}
	return r
}

// hashRequests folds the requests of a cycle into its hash, in the order of masters
// and channels, as the harness does.
func hashRequests(h uint64, list []request) uint64 {
	sort.Slice(list, func(i, j int) bool {
		a, b := &list[i], &list[j]
		return a.Bus < b.Bus || a.Bus == b.Bus && a.Channel < b.Channel
	})
	for i := range list {
		r := &list[i]
		h = mix(h, 0x100+4*uint64(r.Bus)+uint64(r.Channel))
		if r.Channel != cycle.W {
			h = mix(mix(mix(h, r.Addr), uint64(r.ID)), r.Len)
			continue
		}
		last := uint64(0)
		if r.Last {
			last = 1
		}
		h = mix(mix(mix(h, r.Strobe[0]), r.Strobe[1]), last)
		for _, word := range r.Data {
			h = mix(h, word)
		}
	}
	return h
}

// RequestDiff is an AXI channel of a master on which hardware and cycle
// simulator transfer different things.
type RequestDiff struct {
	Master          *arch.Master
	Channel         cycle.BusChannel
	Expected, Found string // what is transferred, in words
}

// String reports the difference.
func (d RequestDiff) String() string {
	return fmt.Sprintf("AXI channel %s of '%s': expected %s, found %s", d.Channel, d.Master.Name, d.Expected, d.Found)
}

// compareRequests adds the differences at the bus. They decide the origin when all
// channels agree: otherwise the memory's input is wrong already.
func (m *Mismatch) compareRequests(f *arch.Fabric, expected, found []request) {
	type port struct {
		bus     int
		channel cycle.BusChannel
	}
	byPort := func(list []request) map[port]*request {
		out := map[port]*request{}
		for i := range list {
			out[port{list[i].Bus, list[i].Channel}] = &list[i]
		}
		return out
	}
	want, got := byPort(expected), byPort(found)
	for k, c := range f.Masters() {
		for _, channel := range []cycle.BusChannel{cycle.AR, cycle.AW, cycle.W} {
			w, g := want[port{k, channel}], got[port{k, channel}]
			if w == nil && g == nil || w != nil && g != nil && w.equal(g) {
				continue
			}
			m.Requests = append(m.Requests, RequestDiff{c, channel, w.String(), g.String()})
		}
	}
	if len(m.Channels) == 0 && len(m.Rules) == 0 && len(m.Requests) > 0 {
		m.Origin = m.Requests[0].Master.Memories[0]
		m.OriginName = componentName(m.Origin)
	}
}
