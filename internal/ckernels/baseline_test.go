package ckernels

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"loom/compiler/arch/shipped"
	"loom/compiler/choice"
	"loom/compiler/config"
	"loom/compiler/cost"
	"loom/compiler/mapping"
	"loom/internal/testkit"
)

// figures are those of a fabric: its area, its clock, and the cycles of the kernels that map on it.
type figures struct {
	Name   string           `json:"name"`
	LUTs   int              `json:"luts"`
	Cycles map[string]int64 `json:"cycles"` // on baselineInputs
	mhz    float64
	fits   map[string]choice.Fit
}

// period is that of the clock in ns.
func (f figures) period() float64 { return 1000 / f.mhz }

// areaTime is LUTs × ns of a run.
func (f figures) areaTime(cycles int64) float64 {
	return float64(f.LUTs) * float64(cycles) * f.period()
}

// figuresOf are the figures of a shipped fabric as it is, with LUTs that are measured, or else estimated.
func figuresOf(t *testing.T, name string, rows []quality) figures {
	on := figures{Name: name, LUTs: shipped.Area[name].LUTs, Cycles: map[string]int64{}, mhz: shipped.MHz[name], fits: map[string]choice.Fit{}}
	if on.LUTs == 0 {
		f := testkit.Fabric(t, name)
		on.LUTs = cost.Fabric(f, config.NewLayout(f)).Total.LUTs
	}
	for _, q := range rows {
		if q.why == "" {
			on.Cycles[q.kernel], on.fits[q.kernel] = q.baseline, q.fit
		}
	}
	return on
}

// baseline is an earlier state of the shipped fabrics: what the page of that commit says.
type baseline struct {
	Commit  string    `json:"commit"`
	MHz     float64   `json:"mhz"`
	Fabrics []figures `json:"fabrics"`
}

func readBaseline(t *testing.T) *baseline {
	text, err := os.ReadFile("testdata/baseline.json")
	if err != nil {
		t.Fatal(err)
	}
	b := &baseline{}
	if err := json.Unmarshal(text, b); err != nil {
		t.Fatal(err)
	}
	for i := range b.Fabrics {
		b.Fabrics[i].mhz = b.MHz
	}
	return b
}

// compare is the part of the page that holds the fabrics against the baseline; all tells that they are
// all of the shipped ones, so that the one that auto takes is among them.
func (b *baseline) compare(now []figures, all bool) string {
	var out strings.Builder
	fmt.Fprintf(&out, `
## Against the baseline

The shipped fabrics at commit %s (`+"`internal/ckernels/testdata/baseline.json`"+`; %g MHz), of the kernels that map before and now. Ratios
are now by before, those of kernels geometric means; less is better. Cycles are those on the inputs of that page, of one element most of them. "auto" has each kernel on the fabric that
`+"`--arch auto`"+` takes: the one with the least area × time by its intervals, before the one with the fewest LUTs.

| fabric | mapped before | now | both | LUTs | cycles | time | LUT × time |
|---|---|---|---|---|---|---|---|
`, b.Commit, b.MHz)
	line := func(name string, before, now map[string]figures) {
		fmt.Fprintf(&out, "| %s | %d | %d |%s\n", name, len(before), len(now), ratios(before, now))
	}
	for _, f := range now {
		for _, old := range b.Fabrics {
			if old.Name == f.Name {
				line(f.Name, onSmallest(old), onSmallest(f))
			}
		}
	}
	if all {
		line("auto", onSmallest(b.Fabrics...), chosen(now...))
	}
	return out.String()
}

// onSmallest are the fabrics with the fewest LUTs on which the kernels map, by kernel.
func onSmallest(fabrics ...figures) map[string]figures {
	out := map[string]figures{}
	for _, f := range fabrics {
		for k := range f.Cycles {
			if best, ok := out[k]; !ok || f.LUTs < best.LUTs {
				out[k] = f
			}
		}
	}
	return out
}

// chosen are the fabrics that auto takes, by kernel, of some in the order of their area.
func chosen(fabrics ...figures) map[string]figures {
	out, searches := map[string]figures{}, map[string]*choice.Search{}
	for _, f := range fabrics {
		size := choice.Fabric{LUTs: f.LUTs, MHz: f.mhz}
		for k := range f.Cycles {
			if searches[k] == nil {
				searches[k] = new(choice.Search)
			}
			if s := searches[k]; s.Worth(size) && s.Add(size, f.fits[k]) {
				out[k] = f
			}
		}
	}
	return out
}

// ratios are the cells of a line for the kernels that have a fabric before and now.
func ratios(before, now map[string]figures) string {
	var luts, cycles, times, areaTimes []float64
	for _, k := range slices.Sorted(maps.Keys(now)) { // in order, as sums depend on it
		is := now[k]
		was, ok := before[k]
		if !ok {
			continue
		}
		c := float64(is.Cycles[k]) / float64(was.Cycles[k])
		luts = append(luts, float64(is.LUTs)/float64(was.LUTs))
		cycles = append(cycles, c)
		times = append(times, c*is.period()/was.period())
		areaTimes = append(areaTimes, is.areaTime(is.Cycles[k])/was.areaTime(was.Cycles[k]))
	}
	if len(luts) == 0 {
		return " 0 | | | | |"
	}
	return fmt.Sprintf(" %d | %.2f | %.2f | %.2f | %.2f |", len(luts), geometricMean(luts), geometricMean(cycles), geometricMean(times), geometricMean(areaTimes))
}

// with are the figures with what counts of the mappings.
func with(f figures, fits map[string]choice.Fit) figures {
	f.fits = fits
	return f
}

func geometricMean(of []float64) float64 {
	sum := 0.0
	for _, x := range of {
		sum += math.Log(x)
	}
	return math.Exp(sum / float64(len(of)))
}

// TestBaseline: ratios are those of the kernels that map before and now, each on the smallest fabric
// that has it, now on the one that auto takes; the file of the baseline names the shipped fabrics.
func TestBaseline(t *testing.T) {
	b := readBaseline(t)
	for _, f := range b.Fabrics {
		if _, ok := shipped.Text(f.Name); !ok || f.LUTs == 0 || len(f.Cycles) == 0 {
			t.Errorf("%s: %d LUTs, %d kernels", f.Name, f.LUTs, len(f.Cycles))
		}
	}
	for _, name := range shipped.Names() {
		if shipped.MHz[name] == 0 {
			t.Errorf("%s has no clock", name)
		}
	}
	small := figures{Name: "small", LUTs: 100, mhz: 10, Cycles: map[string]int64{"a": 40}}
	large := figures{Name: "large", LUTs: 400, mhz: 10, Cycles: map[string]int64{"a": 20, "b": 80, "gone": 1}}
	old := &baseline{Commit: "0", MHz: 10, Fabrics: []figures{small, large}}
	nowSmall := figures{Name: "small", LUTs: 60, mhz: 20, Cycles: map[string]int64{"a": 20, "b": 80, "new": 7}}
	nowLarge := figures{Name: "large", LUTs: 400, mhz: 20, Cycles: map[string]int64{"a": 20, "b": 20, "new": 7}}
	for _, c := range []struct {
		now  []figures
		all  bool
		want []string
	}{
		{[]figures{nowSmall, nowLarge}, true, []string{
			"| small | 1 | 3 | 1 | 0.60 | 0.50 | 0.25 | 0.15 |", // a: 60/100 of the LUTs, 20/40 of the cycles, half the period
			"| large | 3 | 3 | 2 | 1.00 | 0.50 | 0.25 | 0.25 |", // √(1 · 1/4) of the cycles
			"| auto | 3 | 3 | 2 | 0.30 | 0.71 | 0.35 | 0.11 |",  // a on small as before, b on small instead of large: √(0.6 · 0.15), √(1/2 · 1)
		}},
		{[]figures{with(nowSmall, map[string]choice.Fit{"a": {Interval: 2, Bound: 2}, "b": {Interval: 8, Bound: 1, Temporal: true}}),
			with(nowLarge, map[string]choice.Fit{"a": {Interval: 1, Bound: 1}, "b": {Interval: 1, Bound: 1}})}, true, []string{
			"| small | 1 | 3 | 1 | 0.60 | 0.50 | 0.25 | 0.15 |",
			"| large | 3 | 3 | 2 | 1.00 | 0.50 | 0.25 | 0.25 |",
			"| auto | 3 | 3 | 2 | 0.77 | 0.35 | 0.18 | 0.14 |", // a as before, b on large: √(0.6 · 1), √(1/2 · 1/4)
		}},
		{[]figures{nowLarge}, false, []string{"| large | 3 | 3 | 2 | 1.00 | 0.50 | 0.25 | 0.25 |"}},
		{[]figures{{Name: "small", LUTs: 50, mhz: 20}}, false, []string{"| small | 1 | 0 | 0 | | | | |"}},
	} {
		var got []string
		for line := range strings.Lines(old.compare(c.now, c.all)) {
			if strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "| fabric ") {
				got = append(got, strings.TrimSpace(line))
			}
		}
		if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
	// 60 LUTs × 20 cycles × 50 ns are 60 LUT × µs, an interval of 3 at 20 MHz is 150 ns.
	q := quality{kernel: "a", pes: 2, cycles: 20, interval: mapping.Ratio{Cycles: 3, Tokens: 1}, bound: mapping.Ratio{Cycles: 1, Tokens: 1}}
	if got, want := q.row(nowSmall), "| `a` | 2 | 20 | 3 | 1 | 150 | 60 |\n"; got != want {
		t.Errorf("got %s want %s", got, want)
	}
	q2 := quality{kernel: "b", pes: 2, cycles: 80, seconds: 1, interval: mapping.Ratio{Cycles: 21, Tokens: 20}, bound: mapping.Ratio{Cycles: 1, Tokens: 1}}
	// √(60 · 240) is 120; √(3 · 1.05) is 1.77, and of the two the second is within 5 %.
	if got, want := total(nowSmall, []quality{q, q2, {why: "none"}}), "| small | 60 | 20 | 2 | 1 | 100 | 2.0 | 120 | 1.77 | 1 of 2 | 1.00 | 1.0 |\n"; got != want {
		t.Errorf("got %s want %s", got, want)
	}
	// A fabric that no kernel fits, and one whose kernels have no loop, have no ratio.
	for _, c := range []struct {
		rows []quality
		want string
	}{
		{[]quality{{why: "none"}}, "| small | 60 | 20 | 0 | 1 | | | | | | | |\n"},
		{[]quality{{pes: 2, cycles: 80}}, "| small | 60 | 20 | 1 | 0 | 80 | 2.0 | 240 | | 0 of 0 | 0.00 | 0.0 |\n"},
	} {
		if got := total(nowSmall, c.rows); got != c.want {
			t.Errorf("got %s want %s", got, c.want)
		}
	}
}
