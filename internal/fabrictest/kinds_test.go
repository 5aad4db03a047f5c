package fabrictest

import (
	"testing"

	"loom/compiler/arch"
)

// TestKinds: every component kind stands in one of the fabrics here, from which
// RTL is generated, linted, proven free of latches and simulated.
func TestKinds(t *testing.T) {
	bridges, _ := Bridges(32)
	have := map[arch.Kind]bool{}
	for _, f := range []*arch.Fabric{Everything(32), bridges} {
		for _, c := range f.Comps {
			have[c.Kind] = true
		}
	}
	for _, k := range arch.Kinds() {
		if !have[k] {
			t.Errorf("no fabric of this package has a component of kind '%s'", k)
		}
	}
}
