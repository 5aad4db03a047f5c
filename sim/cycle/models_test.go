package cycle

import (
	"testing"

	"loom/compiler/arch"
)

// TestModels: every component kind has a model, and there is none for anything else.
func TestModels(t *testing.T) {
	for _, k := range arch.Kinds() {
		if models[k].connect == nil {
			t.Errorf("the simulator has no model of component kind '%s'", k)
		}
	}
	if len(models) != len(arch.Kinds()) {
		t.Errorf("%d models for %d component kinds", len(models), len(arch.Kinds()))
	}
}
