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
		{64, 0, 1, 16, Cells{LUTs: 364, FFs: 386}},
		{256, 0, 1, 16, Cells{LUTs: 450, FFs: 377}},
		{256, 2, 4, 16, Cells{LUTs: 464, FFs: 381}},
		{256, 0, 1, 160, Cells{LUTs: 527, FFs: 477}},
		{1024, 0, 1, 16, Cells{LUTs: 502, FFs: 401}},
		{2048, 0, 1, 16, Cells{LUTs: 696, FFs: 433}},
		{4096, 0, 1, 16, Cells{LUTs: 901, FFs: 497}},
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
