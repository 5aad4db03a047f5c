package cost

import (
	"testing"

	"loom/compiler/arch"
)

// TestCache holds what a read cache takes against what was measured (rtl/AREA.md).
func TestCache(t *testing.T) {
	for _, c := range []struct {
		elements, tag, regions, outstanding int
		want                                Cells
	}{
		{64, 0, 1, 16, Cells{LUTs: 406, FFs: 236}},
		{256, 0, 1, 16, Cells{LUTs: 460, FFs: 220}},
		{256, 2, 4, 16, Cells{LUTs: 440, FFs: 223}},
		{256, 0, 1, 160, Cells{LUTs: 523, FFs: 320}},
		{1024, 0, 1, 16, Cells{LUTs: 524, FFs: 220}},
		{2048, 0, 1, 16, Cells{LUTs: 659, FFs: 220}},
		{4096, 0, 1, 16, Cells{LUTs: 827, FFs: 220}},
	} {
		m := &arch.MemorySpec{LdCount: 1, StCount: 1, TagWidth: c.tag, NumRegion: c.regions, ElemWidth: 32, Outstanding: c.outstanding}
		if got := cache(m); got != (Cells{}) {
			t.Errorf("without a cache %+v", got)
		}
		m.Cache = c.elements
		got := cache(m)
		if abs(got.LUTs-c.want.LUTs) > c.want.LUTs/8 || abs(got.FFs-c.want.FFs) > c.want.FFs/8 {
			t.Errorf("%d elements, %d bits of tag, %d regions, %d in flight: %+v, measured %+v", c.elements, c.tag, c.regions, c.outstanding, got, c.want)
		}
	}
}
