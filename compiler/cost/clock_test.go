package cost

import (
	"testing"

	"loom/compiler/arch"
	"loom/compiler/arch/build"
	"loom/compiler/arch/shipped"
	_ "loom/compiler/dialect/all"
)

func shippedFabric(t testing.TB, name string) *arch.Fabric {
	t.Helper()
	text, _ := shipped.Text(name)
	m, err := build.Build(name, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	f, err := arch.FromModule(m, "")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestMHz holds the estimate of the clock against the measured PEs of mesh6x6 and parts of fabrics (rtl/FMAX.md).
func TestMHz(t *testing.T) {
	near := func(what string, got, want float64) {
		t.Logf("%-12s %.1f MHz, measured %.0f (%+.1f %%)", what, got, want, 100*(got/want-1))
		if got < want*0.92 || got > want*1.08 {
			t.Errorf("%s: %.1f MHz, measured are %.0f", what, got, want)
		}
	}
	measured := map[string]float64{"pe_acc": 104, "pe_add": 135, "pe_alu": 114, "pe_bit": 118, "pe_cnt": 102, "pe_ctl": 125, "pe_dic": 118, "pe_div": 140,
		"pe_mua": 120, "pe_muc": 120, "pe_sta": 123, "pe_ste": 139, "pe_str": 102, "pe_tok": 138}
	for _, c := range shippedFabric(t, "mesh6x6").Comps {
		if want := measured[c.Def]; c.PE != nil && want > 0 {
			near(c.Def, 1000/period(c), want)
			delete(measured, c.Def)
		}
	}
	if len(measured) > 0 {
		t.Errorf("no PEs %v", measured)
	}
	for _, name := range []string{"mesh4x4", "mesh6x6", "wide6x6", "mesh12x12", "float6x6"} {
		near(name, MHz(shippedFabric(t, name)), shipped.MHz[name])
	}
}
