package latency

import "testing"

// TestParseDRAM reads memories and writes them again, and refuses others.
func TestParseDRAM(t *testing.T) {
	for in, want := range map[string]string{
		"ddr4-2400":                                "ddr4-2400",
		"ddr4-2400,mhz=200":                        "ddr4-2400",
		"lpddr4-3200,mhz=100,transactions=8":       "lpddr4-3200,mhz=100,transactions=8",
		"ddr3-1600,interconnect=0,mhz=50":          "ddr3-1600,mhz=50,interconnect=0",
		"ddr4-2400,transactions=1,interconnect=12": "ddr4-2400,transactions=1,interconnect=12",
	} {
		p, err := Parse(in)
		if err != nil || p.String() != want || !p.Dynamic() || p.Check() != nil {
			t.Errorf("%s: %v, %v", in, p, err)
			continue
		}
		if again, err := Parse(p.String()); err != nil || again != p {
			t.Errorf("%s is read as %+v, %+v was written", p, again, p)
		}
		if p.Min < 1 || p.Cycles() <= int(p.Min) || p.Max <= int64(p.Cycles()) {
			t.Errorf("%s: %d to %d cycles, usually %d", in, p.Min, p.Max, p.Cycles())
		}
	}
	for _, in := range []string{"ddr5-4800", "ddr4-2400,", "ddr4-2400,mhz", "ddr4-2400,mhz=0", "ddr4-2400,mhz=x", "ddr4-2400,mhz=3000", "ddr4-2400,mhz=100,mhz=100",
		"ddr4-2400,transactions=0", "ddr4-2400,interconnect=-1", "ddr4-2400,banks=3"} {
		if p, err := ParseDRAM(in); err == nil {
			t.Errorf("%q was read as %v", in, p)
		}
	}
}
