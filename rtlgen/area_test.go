package rtlgen_test

import (
	"cmp"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"loom/compiler/arch/shipped"
	"loom/internal/synth"
	"loom/internal/testkit"
	"loom/internal/tools/toolstest"
	"loom/rtlgen"
)

// TestShippedArea measures the fabric that LOOM_AREA names, the smallest in the soak
// campaign, and compares it with the table of loom fabrics: a minute for mesh6x6, on an idle
// processor.
func TestShippedArea(t *testing.T) {
	name := os.Getenv("LOOM_AREA")
	if name == "" {
		name = shipped.Names()[0]
		if !soak() {
			t.Skip("set LOOM_AREA=NAME, or LOOM_SOAK=1 for the smallest")
		}
	}
	toolstest.Need(t, "yosys")
	p := apart(t, generate(t, testkit.Fabric(t, name)))
	sum, count := map[string]int{}, map[string]int{}
	for _, part := range p.Parts {
		sum[part.Name] += part.Count * part.Cells.LUT
		count[part.Name] += part.Count
	}
	for _, name := range slices.SortedFunc(maps.Keys(sum), func(a, b string) int { return cmp.Or(sum[b]-sum[a], strings.Compare(a, b)) }) {
		t.Logf("%7d LUTs %5d × %s", sum[name], count[name], name)
	}
	t.Logf("%7d LUTs around them", p.Top.LUT)
	t.Logf("%s: %d LUTs, %d flip-flops", name, p.Total.LUT, p.Total.FF)
	want := shipped.Area[name]
	if off := p.Total.LUT - want.LUTs; max(off, -off) > want.LUTs/20 {
		t.Errorf("%s has %d LUTs, the table %d", name, p.Total.LUT, want.LUTs)
	}
}

// apart synthesises a design with the components of the fabric apart.
func apart(t *testing.T, out *rtlgen.Output) *synth.Parts {
	t.Helper()
	p, err := synth.XilinxApart(t.Context(), synth.Design{Dir: write(t, out), Top: out.Top, Files: out.Sources}, synth.FabricParts)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
