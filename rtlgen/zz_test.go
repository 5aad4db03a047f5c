package rtlgen_test

import (
	"cmp"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/arch/build"
)

func TestZZ(t *testing.T) {
	text, _ := os.ReadFile(os.Getenv("ZZ"))
	m, err := build.Build("x.yaml", text)
	if err != nil {
		t.Fatal(err)
	}
	f, err := arch.FromModule(m, "")
	if err != nil {
		t.Fatal(err)
	}
	p := apart(t, generate(t, f))
	sum, count := map[string]int{}, map[string]int{}
	for _, part := range p.Parts {
		sum[part.Name] += part.Count * part.Cells.LUT
		count[part.Name] += part.Count
	}
	for _, name := range slices.SortedFunc(maps.Keys(sum), func(a, b string) int { return cmp.Or(sum[b]-sum[a], strings.Compare(a, b)) }) {
		t.Logf("%7d LUTs %5d × %s", sum[name], count[name], name)
	}
	t.Logf("%d LUTs, %d flip-flops", p.Total.LUT, p.Total.FF)
}
