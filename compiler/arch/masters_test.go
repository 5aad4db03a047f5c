package arch_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/arch"
)

// TestMasters: memories that name a master share it, in component order, on a bus as wide as the widest of them; the others have one each.
func TestMasters(t *testing.T) {
	memory := func(name, master string, elem, bus, burst, outstanding int) *arch.Component {
		return &arch.Component{Name: name, Kind: arch.ExtMemory,
			Mem: &arch.MemorySpec{ElemWidth: elem, BusWidth: bus, Burst: burst, Outstanding: outstanding, Master: master}}
	}
	f := &arch.Fabric{Comps: []*arch.Component{
		memory("a", "", 32, 64, 16, 0),
		memory("b", "ddr", 32, 0, 16, 40),
		memory("c", "hbm", 8, 64, 0, 0),
		memory("d", "ddr", 16, 128, 4, 0),
		memory("e", "ddr", 64, 0, 0, 0),
		{Name: "spm", Kind: arch.Memory, Mem: &arch.MemorySpec{ElemWidth: 32}},
	}}
	type master struct {
		Name                      string
		Shared                    bool
		Memories, Wide            []string
		Width, Burst, Outstanding int
	}
	var got []master
	for _, m := range f.Masters() {
		x := master{Name: m.Name, Shared: m.Shared, Width: m.Width, Burst: m.Burst(), Outstanding: m.Outstanding()}
		for _, c := range m.Memories {
			x.Memories = append(x.Memories, c.Name)
			if m.Wide(c) {
				x.Wide = append(x.Wide, c.Name)
			}
		}
		got = append(got, x)
	}
	want := []master{
		{"a", false, []string{"a"}, nil, 64, 16, 16}, // a bus of its own has a beat for each element
		{"ddr", true, []string{"b", "d", "e"}, []string{"b"}, 128, 16, 72},
		{"hbm", true, []string{"c"}, nil, 64, 1, 16},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("masters (-want +got):\n%s", d)
	}
	of := f.MasterOf()
	if len(of) != 5 || of[f.Comps[3]].Name != "ddr" || of[f.Comps[0]].Name != "a" {
		t.Errorf("masters of memories: %v", of)
	}
}
