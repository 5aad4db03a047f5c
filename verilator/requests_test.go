package verilator

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/arch"
	"loom/internal/fabrictest"
	"loom/sim/cycle"
)

// TestRequestHash: the order in which requests are reported does not count, everything
// about them does, but for the data of a load.
func TestRequestHash(t *testing.T) {
	list := []request{{Channel: cycle.AR, Addr: 64}, {Channel: cycle.AW, Addr: 68, ID: 1},
		{Channel: cycle.W, Strobe: [2]uint64{15, 1}, Data: []uint64{7, 9}}, {Bus: 1, Channel: cycle.AR, Addr: 64, ID: 3}}
	h := hashRequests(1, slices.Clone(list))
	turned := slices.Clone(list)
	slices.Reverse(turned)
	if got := hashRequests(1, turned); got != h {
		t.Errorf("hash %x of the same requests in another order, %x before", got, h)
	}
	for i := range list {
		w := list[i].Channel == cycle.W
		for k, change := range []struct {
			f      func(*request)
			counts bool
		}{
			{func(r *request) { r.Bus += 2 }, true},
			{func(r *request) { r.Addr++ }, !w},
			{func(r *request) { r.ID++ }, !w},
			{func(r *request) { r.Strobe[0]++ }, w},
			{func(r *request) { r.Strobe[1]++ }, w},
			{func(r *request) { r.Data = append([]uint64{5}, r.Data...) }, w},
		} {
			other := slices.Clone(list)
			change.f(&other[i])
			if differs := hashRequests(1, other) != h; differs != change.counts {
				t.Errorf("request %d, change %d: another hash %v", i, k, differs)
			}
			if equal := other[i].equal(&list[i]); k > 0 && equal == change.counts {
				t.Errorf("request %d, change %d: equal %v", i, k, equal)
			}
		}
	}
	if hashRequests(1, nil) != 1 || hashRequests(1, list[:2]) == h {
		t.Error("a missing request does not change the hash")
	}
}

// TestRequestOrigin: requests decide the origin only where the channels agree.
func TestRequestOrigin(t *testing.T) {
	f := fabrictest.Loop().Fabric
	index := map[string]uint64{}
	for k, m := range f.Masters() {
		index[m.Name] = uint64(k)
	}
	if len(index) != 2 || index["x"] != 0 || index["y"] != 1 {
		t.Fatalf("external memories %v", index)
	}
	load := request{Bus: 0, Channel: cycle.AR, Addr: 64, ID: 2}
	data := func(v uint64, strobe uint64) request {
		return request{Bus: 1, Channel: cycle.W, Strobe: [2]uint64{strobe}, Data: []uint64{v}}
	}
	m := &Mismatch{Cycle: 5, OriginName: "unknown origin"}
	m.compareRequests(f, []request{load, data(9, 15)}, []request{load, data(9, 3)})
	if want := "cycle 5, extmemory 'y': AXI channel W of 'y': expected 0x9 with strobes 0xf, found 0x9 with strobes 0x3"; m.String() != want {
		t.Errorf("%s\nwant %s", m, want)
	}
	m = &Mismatch{Cycle: 5}
	m.compareRequests(f, []request{load}, nil)
	want := []string{"cycle 5, extmemory 'x': AXI channel AR of 'x': expected address 0x40 with ID 2, found no transfer"}
	if !cmp.Equal(m.Lines(), want) {
		t.Errorf("%q, want %q", m.Lines(), want)
	}
	pe := f.Comps[0]
	m = &Mismatch{Cycle: 5, Origin: pe, OriginName: "here", Channels: []ChannelDiff{{Channel: &arch.Channel{Name: "c", Width: 1}}}}
	m.compareRequests(f, nil, []request{{Channel: cycle.AW, Addr: 4}})
	second := "AXI channel AW of 'x': expected no transfer, found address 0x4 with ID 0"
	if lines := m.Lines(); m.Origin != pe || len(lines) != 2 || lines[1] != second {
		t.Errorf("origin %v, %q", m.Origin.Name, lines)
	}
	m = &Mismatch{Cycle: 5}
	m.compareRequests(f, []request{load}, []request{load})
	if m.Origin != nil || m.Requests != nil {
		t.Errorf("equal requests differ: %v", m.Requests)
	}
}

// TestRequestData: an element stands on every lane of a wide bus.
func TestRequestData(t *testing.T) {
	for _, c := range []struct {
		elem, bus int
		want      []uint64
		text      string
	}{
		{8, 0, []uint64{0xa5}, "0xa5"},
		{8, 32, []uint64{0xa5a5a5a5}, "0xa5a5a5a5"},
		{32, 64, []uint64{0xa5_000000a5}, "0xa5000000a5"},
		{64, 128, []uint64{0xa5, 0xa5}, "0xa500000000000000a5"},
		{16, 128, []uint64{0x00a500a500a500a5, 0x00a500a500a500a5}, "0xa500a500a500a500a500a500a500a5"},
	} {
		m := &arch.Component{Kind: arch.ExtMemory, Mem: &arch.MemorySpec{ElemWidth: c.elem, BusWidth: c.bus}}
		r := requestOf(cycle.BusTransfer{Comp: m, Bus: 3, Channel: cycle.W, Data: 0xa5, Strobe: [2]uint64{0, 1}})
		if r.Bus != 3 || !slices.Equal(r.Data, c.want) || r.String() != c.text+" with strobes 0x10000000000000000" {
			t.Errorf("%d on %d bits: %+v, %s", c.elem, c.bus, r, &r)
		}
	}
}
