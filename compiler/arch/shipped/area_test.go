package shipped_test

import (
	"math"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/arch/shipped"
	"loom/internal/testkit"
)

// The LUTs of modules, as means over mesh4x4, mesh6x6 and mesh8x8.
var (
	templates = map[string]float64{"pe_alu": 1105, "pe_mem": 710, "pe_str": 1030, "pe_ctl": 696, "pe_tok": 134, "pe_mul": 730, "pe_div": 1440}
	kinds     = map[arch.Kind]float64{arch.ExtMemory: 233, arch.Memory: 142, arch.TemporalSwitch: 84, arch.LoadLane: 30, arch.StoreLane: 23}
)

const (
	route  = 4.6       // of a switch, without data: an input that an output can take
	slot   = 3.0       // of a FIFO of two slots, beside its bits
	deep   = 14.0      // a FIFO in LUT RAM, which counts as memory
	errors = 40.0      // per component: its part of the error collector
	tagged = 680 - 233 // what an external memory with several ports has more
)

// estimate is the sum of the modules of a fabric of 32 bits.
func estimate(f *arch.Fabric) float64 {
	sum := 0.0
	for _, c := range f.Comps {
		sum += kinds[c.Kind]
		if c.FIFO == nil {
			sum += errors
		}
		switch {
		case c.PE != nil:
			sum += templates[c.Def]
		case c.FIFO != nil && c.FIFO.Depth > 2:
			sum += deep
		case c.FIFO != nil:
			sum += slot + float64(c.In[0].Bits())
		case c.Kind == arch.ExtMemory && c.Mem.TagWidth > 0:
			sum += tagged
		case c.Switch != nil:
			for _, row := range c.Switch.Connect {
				inputs := 0
				for _, reached := range row {
					if reached {
						inputs++
					}
				}
				// Multiplexers of four (loom_choose).
				sum += route*float64(inputs) + float64(c.In[0].Bits()*((inputs+1)/3))
			}
		}
	}
	return sum
}

// TestEstimates: the sum of the modules is within 4 % of what was measured, and is the
// figure of the fabrics that were not.
func TestEstimates(t *testing.T) {
	for _, name := range shipped.Names() {
		f, want := testkit.Fabric(t, name), shipped.Area[name]
		if f.IndexWidth != 32 {
			continue // its modules are others
		}
		got := estimate(f)
		within := 0.04
		if want.Estimated {
			within = 0.01
		}
		if math.Abs(got-float64(want.LUTs)) > within*float64(want.LUTs) {
			t.Errorf("%s: %.0f LUTs by its modules, the table has %d", name, got, want.LUTs)
		}
	}
}
