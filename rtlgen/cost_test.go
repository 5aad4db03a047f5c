package rtlgen_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"loom/compiler/arch"
	"loom/compiler/arch/build"
	"loom/compiler/arch/shipped"
	"loom/compiler/config"
	"loom/compiler/cost"
	"loom/internal/synth"
	"loom/internal/testkit"
	"loom/internal/tools/toolstest"
)

// sample is one piece of hardware: its features, what it takes, and how often it occurs.
type sample struct {
	class    cost.Class
	features cost.Features
	cells    cost.Cells
	count    int
}

// measurement is a synthesised fabric.
type measurement struct {
	fabric  *arch.Fabric
	layout  *config.Layout
	total   cost.Cells
	samples []sample
}

// cellsOf are the cells that the estimates are about.
func cellsOf(c synth.Cells) cost.Cells { return cost.Cells{LUTs: c.LUT, FFs: c.FF} }

// synthesise measures a fabric, each component flattened for itself.
func synthesise(t *testing.T, f *arch.Fabric) *measurement {
	t.Helper()
	out := generate(t, f)
	p := apart(t, out)
	m := &measurement{fabric: f, layout: config.NewLayout(f), total: cellsOf(p.Total)}
	seen := map[string]int{}
	for _, c := range f.Comps {
		module, ok := p.Instances["u_"+c.Name]
		if !ok {
			t.Logf("%s has no module of its own", c.Name)
			continue
		}
		if k, ok := seen[module]; ok {
			m.samples[k].count++
			continue
		}
		seen[module] = len(m.samples)
		fitted, measured := cellsOf(p.Parts[module].All), cost.Measured(c)
		fitted.Add(cost.Cells{LUTs: -measured.LUTs, FFs: -measured.FFs})
		m.samples = append(m.samples, sample{cost.ClassOf(c), cost.FeaturesOf(c), fitted, 1})
	}
	m.samples = append(m.samples, sample{cost.Glue, cost.GlueOf(f), cellsOf(p.Top), 1})
	return m
}

// randomFabric is a small fabric with random parameters and PEs.
func randomFabric(t *testing.T, seed uint64) *arch.Fabric {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	pick := func(from ...string) string { return from[r.IntN(len(from))] }
	width := 32
	if r.IntN(4) == 0 {
		width = 64
	}
	word := fmt.Sprintf("i%d", width)
	groups := map[string][]string{
		"arith":   {"addi: " + word, "subi: " + word, "cmpi: " + word, "select: " + word},
		"logic":   {"andi: " + word, "ori: " + word, "xori: " + word},
		"shift":   {"shli: " + word, "shrsi: " + word, "shrui: " + word},
		"order":   {"maxsi: " + word, "minsi: " + word, "maxui: " + word, "minui: " + word},
		"casts":   {"extsi: i8 -> " + word, "extui: i1 -> " + word, "trunci: " + word + " -> i16"},
		"words":   {"cond_br: " + word, "mux: " + word, "carry: " + word, "invariant: " + word, "gate: " + word, "constant: " + word},
		"reduce":  {"accumulate: {ops: [addi, xori, maxsi], type: " + word + "}"},
		"extreme": {"accumulate: {ops: [maxsi, minui], type: " + word + ", yields: present}"},
		"loops":   {"loop: " + word},
		"token":   {"cond_br: i1", "mux: i1", "carry: i1", "invariant: i1", "gate: i1"},
	}
	if r.IntN(2) == 0 { // as the shipped fabrics have them
		for _, g := range []string{"shift", "order"} {
			for i, unit := range groups[g] {
				name, _, _ := strings.Cut(unit, ":")
				groups[g][i] = fmt.Sprintf("%s: {type: %s, latency: 1}", name, word)
			}
		}
	}
	names := slices.Sorted(maps.Keys(groups))
	var b strings.Builder
	fmt.Fprintf(&b, "name: random%d\nwidth: %d\ntopology: {kind: mesh, rows: 2, columns: 3, tracks: %d, token_tracks: %d, fan_in: %s, link_fifo: %s, token_link_fifo: %s, input_fifo: %s, pe_inputs: %s, pe_outputs: %s, pe_token_inputs: %s, pe_token_outputs: %s, operand_fifo: %s, result_fifo: %s, access_units: %v}\n",
		seed, width, 1+r.IntN(2), r.IntN(2), pick("0", "4", "6"), pick("2", "4", "4"), pick("2", "4", "8"), pick("2", "8", "16", "32"),
		pick("3", "4"), pick("2", "3", "4"), pick("3", "4"), pick("2", "3", "4"), pick("0", "16", "32"), pick("0", "2", "4"), seed%2 == 0)
	immediates := []string{"", ", immediates: [1]", ", immediates: [0, 1, 2]"}
	fmt.Fprintf(&b, "boundary: {inputs: %d, outputs: %d}\n", 2+r.IntN(6), 2+r.IntN(3))
	fmt.Fprintf(&b, "extmemories: [{element: i32, count: %d, lsq_depth: %s}, {element: %s, loads: %d, stores: %d, lane_depth: %s}]\n",
		1+r.IntN(2), pick("2", "4", "8"), pick("i8", "i16", "i32"), 2+r.IntN(2), 1+r.IntN(3), pick("4", "8"))
	fmt.Fprintf(&b, "memories: [{element: i32, elements: %s}, {element: i16, elements: 256, loads: %d, stores: %d}]\n", pick("256", "1024"), 2+r.IntN(2), 1+r.IntN(2))
	b.WriteString("function_units:\n")
	for _, g := range names {
		fmt.Fprintf(&b, "  %s: [{%s}]\n", g, strings.Join(groups[g], "}, {"))
	}
	b.WriteString("pes:\n")
	var pattern []string
	for k := range 6 {
		var units []string
		for _, g := range names {
			if r.IntN(2) == 0 {
				units = append(units, g)
			}
		}
		switch r.IntN(6) {
		case 0:
			units = append(units, fmt.Sprintf("{muli: %s}", word))
		case 1:
			units = append(units, fmt.Sprintf("{%s: %s}", pick("divsi", "divui", "remsi", "remui"), word))
		case 2:
			units = append(units, pick("{stream: index}", "{counter: index}"))
		}
		if seed%2 != 0 && (k == 0 || r.IntN(6) == 0) { // others have them at the memories
			units = append(units, "{load: i32}", "{store: i32}")
		}
		units = append(units, fmt.Sprintf("{join: %d}", 2+r.IntN(2)))
		list := immediates[r.IntN(len(immediates))]
		if !strings.Contains(strings.Join(units, " "), "arith") {
			list = "" // some unit must read the operands that have words
		}
		fmt.Fprintf(&b, "  p%d: {units: [%s]%s}\n", k, strings.Join(units, ", "), list)
		pattern = append(pattern, fmt.Sprintf("p%d", k))
	}
	fmt.Fprintf(&b, "pattern:\n  - [%s]\n  - [%s]\n", strings.Join(pattern[:3], ", "), strings.Join(pattern[3:], ", "))
	m, err := build.Build("random.yaml", []byte(b.String()))
	if err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	f, err := arch.FromModule(m, "")
	if err != nil {
		t.Fatalf("%v\n%s", err, b.String())
	}
	return f
}

// fit finds the weights of a class, by least squares of the deviations, each divided by the square
// root of what is measured. Relative deviations alone would estimate too little in all: half of what
// is measured deviates by a half, twice as much by one. A little of the weights themselves is added to
// what is to be small, so that features that always occur together share their cost.
func fit(t *testing.T, samples []sample) cost.Weights {
	names := map[string]float64{} // with the largest value
	for _, s := range samples {
		for name, v := range s.features {
			names[name] = math.Max(names[name], v)
		}
	}
	list := slices.Sorted(maps.Keys(names))
	w := cost.Weights{}
	solve := func(of func(cost.Cells) int) []float64 {
		rows := len(samples) + len(list)
		a, b := mat.NewDense(rows, len(list), nil), mat.NewVecDense(rows, nil)
		for i, s := range samples {
			weight := math.Sqrt(float64(s.count) / float64(max(of(s.cells), 20)))
			for j, name := range list {
				a.Set(i, j, s.features[name]*weight)
			}
			b.SetVec(i, float64(of(s.cells))*weight)
		}
		for j, name := range list {
			a.Set(len(samples)+j, j, 1e-3*math.Max(names[name], 1))
		}
		var x mat.VecDense
		if err := x.SolveVec(a, b); err != nil {
			t.Fatal(err)
		}
		return x.RawVector().Data
	}
	luts, ffs := solve(func(c cost.Cells) int { return c.LUTs }), solve(func(c cost.Cells) int { return c.FFs })
	for j, name := range list {
		w[name] = cost.Weight{LUTs: math.Round(luts[j]*1000) / 1000, FFs: math.Round(ffs[j]*1000) / 1000}
	}
	return w
}

// TestCost holds the estimates of package cost against synthesis: of fabrics whose random
// parameters were not among those fitted, and of the smallest shipped ones. LOOM_COST=1 runs it, with
// LOOM_UPDATE=1 it fits the weights anew.
func TestCost(t *testing.T) {
	toolstest.Need(t, "yosys")
	if os.Getenv("LOOM_COST") == "" && !soak() {
		t.Skip("set LOOM_COST=1; it takes some minutes")
	}
	update := os.Getenv("LOOM_UPDATE") != ""
	var tests []*measurement
	for seed := range uint64(2) {
		tests = append(tests, synthesise(t, randomFabric(t, seed)))
	}
	var fitted []*measurement
	for _, name := range []string{"mesh4x4", "mesh6x6"} {
		if _, ok := shipped.Text(name); ok {
			fitted = append(fitted, synthesise(t, testkit.Fabric(t, name)))
		}
	}
	if update {
		all := fitted
		for seed := range uint64(8) {
			all = append(all, synthesise(t, randomFabric(t, 100+seed)))
		}
		by := map[cost.Class][]sample{}
		for _, m := range all {
			for _, s := range m.samples {
				by[s.class] = append(by[s.class], s)
			}
		}
		weights := map[cost.Class]cost.Weights{}
		for class, samples := range by {
			weights[class] = fit(t, samples)
		}
		if err := os.WriteFile("../compiler/cost/table.go", []byte(cost.Source(weights)), 0o644); err != nil {
			t.Fatal(err)
		}
		cost.Use(weights)
	}
	for _, m := range append(tests, fitted...) {
		compare(t, m)
	}
}

// costSlack is the share by which an estimate of a whole fabric may be off.
const costSlack = 0.10

func compare(t *testing.T, m *measurement) {
	t.Helper()
	e := cost.Fabric(m.fabric, m.layout)
	want := map[cost.Class]int{}
	for _, s := range m.samples {
		want[s.class] += s.count * s.cells.LUTs
	}
	var parts []string
	for _, class := range cost.Classes() {
		parts = append(parts, fmt.Sprintf("%s %d of %d", class, e.By[class].LUTs, want[class]))
	}
	t.Logf("%s: %d LUTs measured, %d estimated, %d flip-flops measured, %d estimated (estimated of measured LUTs: %s)", m.fabric.Name, m.total.LUTs, e.Total.LUTs, m.total.FFs, e.Total.FFs, strings.Join(parts, ", "))
	for _, v := range []struct {
		what          string
		got, measured int
	}{{"LUTs", e.Total.LUTs, m.total.LUTs}, {"flip-flops", e.Total.FFs, m.total.FFs}} {
		if math.Abs(float64(v.got-v.measured)) > costSlack*float64(v.measured) {
			t.Errorf("%s: %d %s estimated, %d measured", m.fabric.Name, v.got, v.what, v.measured)
		}
	}
}
