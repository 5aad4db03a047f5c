package cost

import (
	"testing"

	"loom/compiler/arch"
)

// TestMasters holds what shared masters take against what was measured (rtl/AREA.md): a port more than a master of its own with bursts,
// and the bus between several.
func TestMasters(t *testing.T) {
	fabric := func(memories, width, burst, outstanding int, master string) *arch.Fabric {
		f := &arch.Fabric{}
		for range memories {
			f.Comps = append(f.Comps, &arch.Component{Kind: arch.ExtMemory, Mem: &arch.MemorySpec{LdCount: 1, StCount: 1, ElemWidth: 32, BusWidth: width,
				Burst: burst, Outstanding: outstanding, Master: master}})
		}
		return f
	}
	if got := masters(fabric(3, 128, 16, 16, "")); got != (Cells{}) {
		t.Errorf("masters of their own take %+v more", got)
	}
	for _, c := range []struct {
		memories, width, burst, outstanding int
		want                                Cells // with bursts of its own, which it has not
	}{
		// loom_axi_port with WIDE less one without.
		{1, 64, 16, 16, Cells{LUTs: 506, FFs: 563}},
		{1, 128, 16, 16, Cells{LUTs: 590, FFs: 630}},
		{1, 256, 16, 16, Cells{LUTs: 770, FFs: 761}},
		{1, 64, 16, 160, Cells{LUTs: 690, FFs: 693}},
		{1, 128, 16, 160, Cells{LUTs: 832, FFs: 825}},
		{1, 256, 16, 160, Cells{LUTs: 1204, FFs: 1085}},
	} {
		got := masters(fabric(c.memories, c.width, c.burst, c.outstanding, "ddr"))
		got.Add(bursts)
		got.FFs -= busRegisters.FFs
		if abs(got.LUTs-c.want.LUTs) > c.want.LUTs/10 || abs(got.FFs-c.want.FFs) > c.want.FFs/10 {
			t.Errorf("%d bits, %d in flight: %+v, measured %+v", c.width, c.outstanding, got, c.want)
		}
	}
	// loom_axi_bus of as many loads as stores.
	for n, want := range map[int]int{3: 251, 6: 1224} {
		if got := masters(fabric(n, 32, 16, 16, "ddr")); abs(got.LUTs-want) > want/4 {
			t.Errorf("a bus of %d memories: %d LUTs, measured %d", n, got.LUTs, want)
		}
	}
}
