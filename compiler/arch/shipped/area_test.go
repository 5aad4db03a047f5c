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
	templates = map[string]float64{"pe_alu": 2310, "pe_mem": 742, "pe_str": 962, "pe_ctl": 745, "pe_mul": 824, "pe_div": 1571}
	kinds     = map[arch.Kind]float64{arch.ExtMemory: 252, arch.Memory: 200, arch.TemporalSwitch: 84, arch.LoadLane: 53, arch.StoreLane: 25}
)

const (
	crosspoint = 21.0      // of a switch with 32-bit channels: an input that an output can take
	fifo       = 28.0 / 34 // per bit of a channel with its handshake
	errors     = 5.6       // per component: its part of the error collector
	tagged     = 731 - 252 // what an external memory with several ports has more
)

// estimate is the sum of the modules of a fabric of 32 bits.
func estimate(f *arch.Fabric) float64 {
	sum := 0.0
	for _, c := range f.Comps {
		sum += errors + kinds[c.Kind]
		switch {
		case c.PE != nil:
			sum += templates[c.Def]
		case c.Kind == arch.FIFO:
			sum += fifo * float64(c.In[0].Bits()+2)
		case c.Kind == arch.ExtMemory && c.Mem.TagWidth > 0:
			sum += tagged
		case c.Switch != nil:
			for _, row := range c.Switch.Connect {
				for _, reached := range row {
					if reached {
						sum += crosspoint
					}
				}
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
