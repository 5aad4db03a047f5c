package verilator

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/arch"
	"loom/rtlgen/fabrictest"
)

// TestRequestHash: the order in which requests are told does not count, everything
// about them does, but for the data of a load.
func TestRequestHash(t *testing.T) {
	list := []request{{0, 0, 64, 0}, {0, 1, 68, 7}, {1, 0, 64, 0}}
	h := hashRequests(1, slices.Clone(list))
	turned := slices.Clone(list)
	slices.Reverse(turned)
	if got := hashRequests(1, turned); got != h {
		t.Errorf("hash %x of the same requests in another order, %x before", got, h)
	}
	for i := range list {
		for k, change := range []func(*request){
			func(r *request) { r.memory += 2 },
			func(r *request) { r.addr++ },
			func(r *request) { r.data++ },
		} {
			other := slices.Clone(list)
			change(&other[i])
			if same := hashRequests(1, other) == h; same != (k == 2 && list[i].port == 0) {
				t.Errorf("request %d, change %d: same hash %v", i, k, same)
			}
		}
	}
	if hashRequests(1, nil) != 1 || hashRequests(1, list[:2]) == h {
		t.Error("a missing request does not change the hash")
	}
}

// TestRequestPlace: requests decide the place only where the channels agree.
func TestRequestPlace(t *testing.T) {
	f := fabrictest.Loop().Fabric
	index := map[string]uint64{}
	for c, k := range externals(f) {
		index[c.Name] = uint64(k)
	}
	if len(index) != 2 || index["x"] != 0 || index["y"] != 1 {
		t.Fatalf("external memories %v", index)
	}
	load := request{memory: 0, addr: 64}
	m := &Mismatch{Cycle: 5, PlaceName: "unknown place"}
	m.compareRequests(f, []request{load, {1, 1, 32, 9}}, [][4]uint64{{0, 0, 64, 0}, {1, 1, 32, 8}})
	if want := "cycle 5, extmemory 'y': store request of 'y': expected 0x9 to address 0x20, found 0x8 to address 0x20"; m.String() != want {
		t.Errorf("%s\nwant %s", m, want)
	}
	m = &Mismatch{Cycle: 5}
	m.compareRequests(f, []request{load}, nil)
	if want := []string{"cycle 5, extmemory 'x': load request of 'x': expected address 0x40, found no request"}; !cmp.Equal(m.Lines(), want) {
		t.Errorf("%q, want %q", m.Lines(), want)
	}
	pe := f.Comps[0]
	m = &Mismatch{Cycle: 5, Place: pe, PlaceName: "here", Channels: []ChannelDiff{{Channel: &arch.Channel{Name: "c", Width: 1}}}}
	m.compareRequests(f, nil, [][4]uint64{{0, 0, 4, 0}})
	if lines := m.Lines(); m.Place != pe || len(lines) != 2 || lines[1] != "load request of 'x': expected no request, found address 0x4" {
		t.Errorf("place %v, %q", m.Place.Name, lines)
	}
	m = &Mismatch{Cycle: 5}
	m.compareRequests(f, []request{load}, [][4]uint64{{0, 0, 64, 0}})
	if m.Place != nil || m.Requests != nil {
		t.Errorf("equal requests differ: %v", m.Requests)
	}
}
