package inputs

import (
	"testing"

	"loom/compiler/ir"
)

// TestLeastBound: a value that bounds a loop and is a subscript, too, is large enough for
// that; where the limit forbids it, the limit counts.
func TestLeastBound(t *testing.T) {
	for _, c := range []struct{ from, below, least int64 }{{3, 0, 3}, {3, 2, 0}, {0, 0, 0}} {
		g := &generator{size: 8, typ: ir.I32, width: 32, use: use{role: bound | address, from: c.from, below: c.below}}
		seen := int64(100)
		for k := range int64(200) {
			seen = min(seen, int64(g.integer(g.draw(k), 0, 8)))
		}
		if seen != c.least {
			t.Errorf("from %d, below %d: the least is %d, want %d", c.from, c.below, seen, c.least)
		}
	}
}
