package rtlgen_test

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"loom/compiler/arch/shipped"
	"loom/internal/recorded"
	"loom/internal/synth"
	"loom/internal/testkit"
	"loom/internal/tools/toolstest"
	"loom/rtlgen"
)

// measured lists what was measured by synthesis (TestShippedArea) and by placement and routing (TestFmax), and the Verilog that it
// was measured of.
var measured = recorded.In("testdata/measured.txt")

// TestShippedArea measures the fabric that LOOM_AREA names, the smallest in the soak
// campaign, and compares it with the table of loom fabrics: a minute for mesh6x6, on an idle
// processor. With LOOM_AREA=all (make area) it measures all fabrics of the table whose Verilog has changed since.
func TestShippedArea(t *testing.T) {
	name := os.Getenv("LOOM_AREA")
	switch {
	case name == "all":
		for _, name := range shipped.Names() {
			if _, ok := shipped.Area[name]; ok {
				t.Run(name, func(t *testing.T) { shippedArea(t, name, true) })
			}
		}
		return
	case name == "" && !soak():
		t.Skip("set LOOM_AREA=NAME, or LOOM_SOAK=1 for the smallest")
	case name == "":
		name = shipped.Names()[0]
	}
	shippedArea(t, name, false)
}

// shippedArea measures a fabric, with changed only if its Verilog has changed since it was measured last.
func shippedArea(t *testing.T, name string, changed bool) {
	toolstest.Need(t, "yosys")
	out := generate(t, testkit.Fabric(t, name))
	want := shipped.Area[name]
	texts := []string{recorded.Version(t, "yosys", versionOf["yosys"]), strings.Join(synth.FabricParts, " "), fmt.Sprint(want)}
	for _, file := range out.Sources {
		texts = append(texts, recorded.Code(out.Files[file]))
	}
	list, hash := "area of "+name, recorded.Text(texts...)
	if changed && measured.Has(t, list, hash) {
		t.Skip("its Verilog is what was measured")
	}
	p := apart(t, out)
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
	if off := p.Total.LUT - want.LUTs; max(off, -off) > want.LUTs/20 {
		t.Errorf("%s has %d LUTs, the table (compiler/arch/shipped/area.go) %d", name, p.Total.LUT, want.LUTs)
		return
	}
	measured.Add(t, list, hash)
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
