package verilator

import (
	"fmt"
	"sort"

	"loom/compiler/arch"
	"loom/sim/cycle"
)

// request is an access that the bus accepted, as the harness tells it: the number
// of the external memory and of its port, 0 for loads and 1 for stores.
type request struct {
	memory, port int
	addr, data   uint64
}

// memories numbers the external memories of a fabric.
type memories map[*arch.Component]int

// externals are the external memories in the order of the generated top level's
// ports.
func externals(f *arch.Fabric) memories {
	m := memories{}
	for _, c := range f.Comps {
		if c.Kind == arch.ExtMemory {
			m[c] = len(m)
		}
	}
	return m
}

// request translates what the cycle simulator tells; a store's data is as wide as
// an element in memory.
func (m memories) request(a cycle.Access) request {
	r := request{memory: m[a.Comp], addr: a.Addr}
	if a.Store {
		r.port, r.data = 1, a.Data&mask(a.Comp.Mem.ElemWidth)
	}
	return r
}

// hashRequests folds the requests of a cycle into its hash, in the order of memories
// and ports, as the harness does.
func hashRequests(h uint64, list []request) uint64 {
	sort.Slice(list, func(i, j int) bool {
		a, b := list[i], list[j]
		return a.memory < b.memory || a.memory == b.memory && a.port < b.port
	})
	for _, r := range list {
		h = mix(mix(h, 0x100+2*uint64(r.memory)+uint64(r.port)), r.addr)
		if r.port == 1 {
			h = mix(h, r.data)
		}
	}
	return h
}

// RequestDiff is a port of an external memory at which hardware and cycle simulator
// make different requests; nil stands for none.
type RequestDiff struct {
	Memory          *arch.Component
	Store           bool
	Expected, Found *RequestState
}

// RequestState is a request at the bus. Addr is in bytes; Data belongs to stores.
type RequestState struct{ Addr, Data uint64 }

// String tells the difference.
func (d RequestDiff) String() string {
	what := "load"
	if d.Store {
		what = "store"
	}
	text := func(s *RequestState) string {
		switch {
		case s == nil:
			return "no request"
		case d.Store:
			return fmt.Sprintf("0x%x to address 0x%x", s.Data, s.Addr)
		}
		return fmt.Sprintf("address 0x%x", s.Addr)
	}
	return fmt.Sprintf("%s request of '%s': expected %s, found %s", what, d.Memory.Name, text(d.Expected), text(d.Found))
}

// compareRequests adds the differences at the bus. They decide the place when all
// channels agree: otherwise what the memory was told is wrong already.
func (m *Mismatch) compareRequests(f *arch.Fabric, expected []request, found [][4]uint64) {
	byPort := func(list []request) map[[2]int]*RequestState {
		out := map[[2]int]*RequestState{}
		for _, r := range list {
			out[[2]int{r.memory, r.port}] = &RequestState{r.addr, r.data}
		}
		return out
	}
	var hardware []request
	for _, r := range found {
		hardware = append(hardware, request{int(r[0]), int(r[1]), r[2], r[3]})
	}
	want, got := byPort(expected), byPort(hardware)
	k := 0
	for _, c := range f.Comps {
		if c.Kind != arch.ExtMemory {
			continue
		}
		for port := range 2 {
			w, g := want[[2]int{k, port}], got[[2]int{k, port}]
			if (w == nil) == (g == nil) && (w == nil || *w == *g) {
				continue
			}
			m.Requests = append(m.Requests, RequestDiff{c, port == 1, w, g})
		}
		k++
	}
	if len(m.Channels) == 0 && len(m.Requests) > 0 {
		m.Place = m.Requests[0].Memory
		m.PlaceName = placeName(m.Place)
	}
}
