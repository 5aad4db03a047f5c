package vector_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/sim/vector"
)

func TestBusLimits(t *testing.T) {
	b := vector.Bus{Memory: "m", Loads: &vector.BusUse{Moved: 300, Full: 100, Waited: 5}, Stores: &vector.BusUse{Moved: 300, Refused: 99, Full: 99}}
	want := []string{"loads: an element in 30 % of the cycles; waits: 10 % with all places taken, 0 % for responses alone"}
	if d := cmp.Diff(want, b.Limits(1000)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string(nil), (&vector.Bus{}).Limits(0)); d != "" {
		t.Error(d)
	}
}
