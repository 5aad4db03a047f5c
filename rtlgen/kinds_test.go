package rtlgen

import (
	"testing"

	"loom/compiler/arch"
)

// TestKinds: the generator has every component kind, and nothing else. A kind without
// a template fails where fabrictest.Everything is generated.
func TestKinds(t *testing.T) {
	for _, k := range arch.Kinds() {
		if kinds[k].connect == nil {
			t.Errorf("the generator does not know component kind '%s'", k)
		}
	}
	if len(kinds) != len(arch.Kinds()) {
		t.Errorf("%d entries for %d component kinds", len(kinds), len(arch.Kinds()))
	}
}
