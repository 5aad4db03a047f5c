package cost_test

import (
	"strings"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/arch/build"
	"loom/compiler/arch/shipped"
	"loom/compiler/config"
	"loom/compiler/cost"

	_ "loom/compiler/dialect/all"
)

// TestSharedUnits compares four PEs of divisions, roots and remainders of float6x6 on a mesh of 2 x 2, apart and in one
// group, with what Yosys 0.23 made of <adg>_core (synth_xilinx -flatten -noiopad): 8881 and 7341 LUTs, 3678 and 3019
// flip-flops.
func TestSharedUnits(t *testing.T) {
	text, _ := shipped.Text("float6x6")
	head, _, _ := strings.Cut(text, "\npattern:")
	head = strings.NewReplacer("rows: 6", "rows: 2", "columns: 6", "columns: 2", "- count: 6", "- count: 1", "inputs: 10", "inputs: 4").Replace(head)
	estimate := func(share string) cost.Cells {
		m, err := build.Build("x.yaml", []byte(strings.Replace(head, "fdi: {", "fdi: {"+share, 1)+"\npattern:\n  - [fdi]\n"))
		if err != nil {
			t.Fatal(err)
		}
		f, err := arch.FromModule(m, "")
		if err != nil {
			t.Fatal(err)
		}
		return cost.Fabric(f, config.NewLayout(f)).Total
	}
	near := func(what string, got, want, percent int) {
		t.Helper()
		if d := max(got-want, want-got); 100*d > percent*want {
			t.Errorf("%s: %d are estimated, %d were measured", what, got, want)
		}
	}
	apart, together := estimate(""), estimate("share: 4, ")
	near("LUTs apart", apart.LUTs, 8881, 10)
	near("LUTs together", together.LUTs, 7341, 10)
	near("LUTs saved", apart.LUTs-together.LUTs, 8881-7341, 20)
	near("flip-flops saved", apart.FFs-together.FFs, 3678-3019, 20)
}
