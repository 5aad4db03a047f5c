package cost

import (
	"testing"

	"loom/compiler/arch"
)

// TestBounds holds what sizes of arrays add to an external memory against what was measured (rtl/AREA.md).
func TestBounds(t *testing.T) {
	for _, c := range []struct {
		ports, tag, regions int
		want                Cells
	}{{1, 0, 1, Cells{LUTs: 115, FFs: 2}}, {2, 2, 1, Cells{LUTs: 172, FFs: 15}}, {2, 2, 4, Cells{LUTs: 291, FFs: 15}}} {
		m := &arch.MemorySpec{LdCount: c.ports, StCount: c.ports, TagWidth: c.tag, NumRegion: c.regions, ElemWidth: 32}
		if got := bounds(m); got != (Cells{}) {
			t.Errorf("without bounds %+v", got)
		}
		m.Bounds = true
		if got := bounds(m); abs(got.LUTs-c.want.LUTs) > 5 || abs(got.FFs-c.want.FFs) > 2 {
			t.Errorf("%d ports, %d bits of tag, %d regions: %+v, measured %+v", c.ports, c.tag, c.regions, got, c.want)
		}
	}
}

func abs(n int) int { return max(n, -n) }
