package loom_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"loom"
	"loom/compiler/latency"
	"loom/internal/tools/toolstest"
)

// benchKernels are what make bench-memory measures.
var benchKernels = []struct {
	name, does, source, args string
	elements                 int // iterations of the innermost loop
}{
	{"vecadd", "c[i] = a[i] + b[i]",
		`void vecadd(const int *restrict a, const int *restrict b, int *restrict c, int n) { for (int i = 0; i < n; i++) c[i] = a[i] + b[i]; }`,
		`"a": {"random": 4096, "seed": 1}, "b": {"random": 4096, "seed": 2}, "c": {"zeros": 4096}, "n": 4096`, 4096},
	{"dot", "s += a[i] * b[i]",
		`int dot(const int *restrict a, const int *restrict b, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i] * b[i]; return s; }`,
		`"a": {"random": 4096, "seed": 1}, "b": {"random": 4096, "seed": 2}, "n": 4096`, 4096},
	{"fir", "five taps in registers",
		`void fir(const int *restrict x, int *restrict y, int n) { int p = 0, q = 0, r = 0, s = 0; for (int i = 0; i < n; i++) { int v = x[i]; y[i] = 3 * v - 5 * p + 7 * q - 5 * r + 3 * s; s = r; r = q; q = p; p = v; } }`,
		`"x": {"random": 4096, "seed": 1}, "y": {"zeros": 4096}, "n": 4096`, 4096},
	{"matvec", "rows of 64",
		`void matvec(const int *restrict a, const int *restrict x, int *restrict y) { for (int i = 0; i < 64; i++) { int s = 0; for (int j = 0; j < 64; j++) s += a[i * 64 + j] * x[j]; y[i] = s; } }`,
		`"a": {"random": 4096, "seed": 1}, "x": {"random": 64, "seed": 2}, "y": {"zeros": 64}`, 4096},
	{"transpose", "b[j][i] = a[i][j], 64 x 64: stores 256 bytes apart",
		`void transpose(const int *restrict a, int *restrict b) { for (int i = 0; i < 64; i++) for (int j = 0; j < 64; j++) b[j * 64 + i] = a[i * 64 + j]; }`,
		`"a": {"random": 4096, "seed": 1}, "b": {"zeros": 4096}`, 4096},
	{"gather", "y[i] = x[k[i]], as in spmv",
		`void gather(const int *restrict k, const int *restrict x, int *restrict y, int n) { for (int i = 0; i < n; i++) y[i] = x[k[i]]; }`,
		`"k": {"random": 2048, "seed": 1, "min": 0, "max": 8191}, "x": {"random": 8192, "seed": 2}, "y": {"zeros": 2048}, "n": 2048`, 2048},
	{"histogram", "h[x[i]]++: each waits for the one before",
		`void histogram(const int *restrict x, int *restrict h, int n) { for (int i = 0; i < n; i++) h[x[i]]++; }`,
		`"x": {"random": 512, "seed": 1, "min": 0, "max": 63}, "h": {"zeros": 64}, "n": 512`, 512},
}

// benchMemories are the models of memory.
var benchMemories = []string{"fixed:4", "fixed:100", "ddr4-2400,mhz=100", "ddr4-2400", "ddr4-2400,mhz=300", "lpddr4-3200", "ddr3-1600"}

// benchShares is what kernels reach at least of the limit of a DRAM with bursts, on fabrics and as circuits: those
// whose accesses follow each other, and one that strides.
var benchShares = map[string]float64{"vecadd": 0.90, "dot": 0.90, "fir": 0.90, "matvec": 0.90, "transpose": 0.50}

// benchCycles is what an iteration of those whose accesses follow each other takes at most with a memory of a
// fixed latency, with bursts and without.
const benchCycles = 1.15

// withBursts adds bursts to the external memories of an architecture.
func withBursts(text string) string {
	return regexp.MustCompile(`(?m)^(    )outstanding: .*$`).ReplaceAllString(text, "$0\n${1}burst: 16")
}

// onOneMaster adds bursts to the external memories of an architecture, and one AXI4 master of some bits that they share.
func onOneMaster(text string, width int) string {
	return regexp.MustCompile(`(?m)^(    )outstanding: .*$`).ReplaceAllString(text, fmt.Sprintf("$0\n${1}burst: 16\n${1}axi_master: ddr\n${1}axi_data_width: %d", width))
}

const benchHead = `# Memory at the speed of DRAM

Cycles per iteration of the innermost loop for models of
memory ([sim/README.md](../sim/README.md), "DRAM"; sixteen transactions under way at a port and direction, 200 MHz where nothing
else is said). The first figure is without bursts, the second with; then follow GB/s with bursts and their share of the
limit: the run with a memory that answers in one cycle, or that in which the data bus of the memory is never idle, whichever takes
longer. ` + "`make bench-memory`" + ` writes this page, and fails where a stream is below 90 % of the limit or transpose below 50 %.

`

const benchFabrics = `## Fabrics

On mesh12x12, by the cycle simulator that is in lock-step with the RTL, mapped for each memory; with bursts: ` + "`burst: 16`" + ` for its
external memories ([architecture.md](architecture.md)).

`

const benchCircuits = `## Direct circuits

The RTL under Verilator; the two circuits of a kernel, ` + "`--ports axi4-each`" + ` and ` + "`--ports axi4-each,burst=16`" + `, are sized for a
memory of 128 cycles and run with all memories ([direct.md](direct.md), "Ports"). The one-cycle memory of the limit is that of the
circuit without bursts.

`

const benchCached = `## Read caches

On mesh12x12 as above, whose external memories have read caches of 256 elements (` + "`cache: 256`" + `, [architecture.md](architecture.md)) or none. First how often
an element that the kernel loads is read from memory, without a cache and with; then cycles per iteration of the innermost loop: without either, with bursts, with
caches, with both.

`

const benchCachedCircuits = `## Read caches of direct circuits

The RTL under Verilator, as above: ` + "`--ports axi4-each`" + ` with ` + "`burst=1`" + ` and 16, without and with ` + "`cache=256`" + `, sized for a memory of 128 cycles.
How often an element that the kernel loads is read from memory, without a cache and with; then cycles per iteration of the innermost loop: without either,
with bursts, with caches, with both.

`

const benchWide = `## Wide buses

The RTL under Verilator, all arrays on one master: ` + "`--ports axi4,burst=16`" + `, whose beats are elements, and with ` + "`width=64`" + `, 128 and 256 bits, sized for a memory of
128 cycles. Cycles per iteration of the innermost loop.

`

const benchShared = `## A fabric on one AXI4 master

On mesh12x12 as above, all of whose external memories share one AXI4 master of 32, 64, 128 and 256 bits (` + "`axi_master`, `axi_data_width`, `burst: 16`" + `).
Cycles per iteration of the innermost loop.

`

// cacheKernels are those that load elements more than once.
var cacheKernels = []struct {
	name, does, source, args string
	elements, stores         int // iterations of the innermost loop, and stores
}{
	{"jacobi", "a stencil of five points, rows of 64",
		`void jacobi(const int *restrict a, int *restrict b) { for (int i = 1; i < 63; i++) for (int j = 1; j < 63; j++) b[i * 64 + j] = a[i * 64 + j] + a[(i - 1) * 64 + j] + a[(i + 1) * 64 + j] + a[i * 64 + j - 1] + a[i * 64 + j + 1]; }`,
		`"a": {"random": 4096, "seed": 1}, "b": {"zeros": 4096}`, 62 * 62, 62 * 62},
	{"conv", "9 taps in a loop",
		`void conv(const int *restrict x, const int *restrict w, int *restrict y, int n) { for (int i = 0; i < n; i++) { int s = 0; for (int k = 0; k < 9; k++) s += x[i + k] * w[k]; y[i] = s; } }`,
		`"x": {"random": 520, "seed": 1}, "w": {"random": 9, "seed": 2}, "y": {"zeros": 512}, "n": 512`, 512 * 9, 512},
	{"matvec", "rows of 64",
		`void matvec(const int *restrict a, const int *restrict x, int *restrict y) { for (int i = 0; i < 64; i++) { int s = 0; for (int j = 0; j < 64; j++) s += a[i * 64 + j] * x[j]; y[i] = s; } }`,
		`"a": {"random": 4096, "seed": 1}, "x": {"random": 64, "seed": 2}, "y": {"zeros": 64}`, 4096, 64},
	{"gather", "y[i] = x[k[i]] in 128 elements",
		`void gather(const int *restrict k, const int *restrict x, int *restrict y, int n) { for (int i = 0; i < n; i++) y[i] = x[k[i]]; }`,
		`"k": {"random": 2048, "seed": 1, "min": 0, "max": 127}, "x": {"random": 128, "seed": 2}, "y": {"zeros": 2048}, "n": 2048`, 2048, 2048},
}

// cacheMemories are the models of memory that they are measured with.
var cacheMemories = []string{"fixed:4", "fixed:100", "ddr4-2400"}

// TestBenchMemoryCache measures kernels with read caches and without, and writes their part of docs/dram.md.
func TestBenchMemoryCache(t *testing.T) {
	if os.Getenv("LOOM_BENCH_MEMORY") == "" {
		t.Skip("make bench-memory runs it")
	}
	plain, err := loom.ReadFabric("mesh12x12")
	if err != nil {
		t.Fatal(err)
	}
	type kind struct{ bursts, cached bool }
	kinds := []kind{{false, false}, {true, false}, {false, true}, {true, true}}
	fabrics := map[kind]*loom.Fabric{}
	for _, k := range kinds {
		text := plain.Text
		if k.bursts {
			text = withBursts(text)
		}
		if k.cached {
			text = withCache(text, 256)
		}
		if fabrics[k], err = loom.LoadFabric(loom.Source{Name: "mesh12x12.yaml", Text: text}, loom.Watch{}); err != nil {
			t.Fatal(err)
		}
	}
	var page strings.Builder
	page.WriteString(benchColumns("reads per element", cacheMemories))
	for _, b := range cacheKernels {
		cells, mean := "", map[kind]float64{}
		for _, memory := range cacheMemories {
			profile, err := latency.Parse(memory)
			if err != nil {
				t.Fatal(err)
			}
			var per []string
			for _, k := range kinds {
				run := benchRun(t, b.name, b.source, b.args, fabrics[k], profile)
				per = append(per, fmt.Sprintf("%.2f", float64(run.Outcome.Cycles)/float64(b.elements)))
				if memory == cacheMemories[0] {
					seen, _ := reads(t, mapped(t, b.source, fabrics[k]), b.args, profile, 0)
					sum := 0
					for _, n := range seen {
						sum += n
					}
					mean[k] = float64(sum) / float64(len(seen))
				}
			}
			cells += " " + strings.Join(per, ", ") + " |"
		}
		fmt.Fprintf(&page, "| %s | %s | %.2f, %.2f |%s\n", b.name, b.does, mean[kinds[0]], mean[kinds[2]], cells)
		if b.name == "jacobi" && mean[kinds[2]] != 1 {
			t.Errorf("%s reads an element %.3f times", b.name, mean[kinds[2]])
		}
		t.Logf("%s done", b.name)
	}
	benchUpdate(t, benchCached, page.String())
}

// TestBenchMemoryCacheDirect measures them as circuits behind AXI4, and writes their part.
func TestBenchMemoryCacheDirect(t *testing.T) {
	if os.Getenv("LOOM_BENCH_MEMORY") == "" {
		t.Skip("make bench-memory runs it")
	}
	toolstest.Need(t, "verilator")
	plain, err := loom.ReadFabric("mesh12x12")
	if err != nil {
		t.Fatal(err)
	}
	fabric, err := loom.LoadFabric(loom.Source{Name: "mesh12x12.yaml", Text: plain.Text}, loom.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	kinds := []string{"axi4-each,burst=1", "axi4-each,burst=16", "axi4-each,burst=1,cache=256", "axi4-each,burst=16,cache=256"}
	var page strings.Builder
	page.WriteString(benchColumns("reads per element", cacheMemories))
	for _, b := range cacheKernels {
		circuits, mean := map[string]*loom.Direct{}, map[string]float64{}
		for _, ports := range kinds {
			circuits[ports] = benchCircuit(t, b.name, b.source, ports, latency.Fixed(128))
		}
		seen, _ := reads(t, mapped(t, b.source, fabric), b.args, latency.Fixed(4), 0)
		cells := ""
		for _, memory := range cacheMemories {
			profile, err := latency.Parse(memory)
			if err != nil {
				t.Fatal(err)
			}
			var per []string
			for _, ports := range kinds {
				run := benchCosim(t, circuits[ports], b.args, profile)
				per = append(per, fmt.Sprintf("%.2f", float64(run.Outcome.Cycles)/float64(b.elements)))
				if run.Traffic != nil {
					mean[ports] = (float64(run.Traffic.Bytes)/4 - float64(b.stores)) / float64(len(seen))
				}
			}
			cells += " " + strings.Join(per, ", ") + " |"
		}
		fmt.Fprintf(&page, "| %s | %s | %.2f, %.2f |%s\n", b.name, b.does, mean[kinds[0]], mean[kinds[2]], cells)
		if n := mean[kinds[2]]; n != 1 || mean[kinds[3]] != n {
			t.Errorf("%s reads an element %.3f times, with bursts %.3f times", b.name, n, mean[kinds[3]])
		}
		t.Logf("%s done", b.name)
	}
	benchUpdate(t, benchCachedCircuits, page.String())
}

// wideMemories are the models of memory that wide buses are measured with.
var wideMemories = []string{"fixed:4", "fixed:100", "ddr4-2400"}

// wideCycles is what an iteration of a kernel that streams takes at most on a wide bus.
const wideCycles = 1.1

// wideTable measures kernels with buses of several kinds, the first of them narrow, and returns rows for docs/dram.md.
func wideTable(t *testing.T, kinds []string, run func(kernel, kind int, memory latency.Profile) *loom.Run) string {
	t.Helper()
	var page strings.Builder
	page.WriteString(benchColumns("", wideMemories))
	for i, b := range benchKernels {
		cells := ""
		for _, memory := range wideMemories {
			profile, err := latency.Parse(memory)
			if err != nil {
				t.Fatal(err)
			}
			var per []string
			for k, kind := range kinds {
				n := float64(run(i, k, profile).Outcome.Cycles) / float64(b.elements)
				per = append(per, fmt.Sprintf("%.2f", n))
				if k > 0 && benchShares[b.name] >= 0.90 && n > wideCycles {
					t.Errorf("%s takes %.2f cycles per element with %s and a memory of %s, more than %.2f", b.name, n, kind, memory, wideCycles)
				}
			}
			cells += " " + strings.Join(per, ", ") + " |"
		}
		fmt.Fprintf(&page, "| %s | %s |%s\n", b.name, b.does, cells)
		t.Logf("%s done", b.name)
	}
	return page.String()
}

// TestBenchMemoryWide measures kernels as circuits whose arrays share one master, and writes their part.
func TestBenchMemoryWide(t *testing.T) {
	if os.Getenv("LOOM_BENCH_MEMORY") == "" {
		t.Skip("make bench-memory runs it")
	}
	toolstest.Need(t, "verilator")
	kinds := []string{"axi4,burst=16", "axi4,burst=16,width=64", "axi4,burst=16,width=128", "axi4,burst=16,width=256"}
	made := map[string]*loom.Direct{}
	benchUpdate(t, benchWide, wideTable(t, kinds, func(kernel, kind int, memory latency.Profile) *loom.Run {
		b, ports := benchKernels[kernel], kinds[kind]
		if made[b.name+ports] == nil {
			made[b.name+ports] = benchCircuit(t, b.name, b.source, ports, latency.Fixed(128))
		}
		return benchCosim(t, made[b.name+ports], b.args, memory)
	}))
}

// TestBenchMemoryShared measures kernels on a fabric whose memories share one master, and writes their part.
func TestBenchMemoryShared(t *testing.T) {
	if os.Getenv("LOOM_BENCH_MEMORY") == "" {
		t.Skip("make bench-memory runs it")
	}
	plain, err := loom.ReadFabric("mesh12x12")
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	var fabrics []*loom.Fabric
	for _, width := range []int{32, 64, 128, 256} {
		kinds = append(kinds, fmt.Sprintf("a master of %d bits", width))
		f, err := loom.LoadFabric(loom.Source{Name: "mesh12x12.yaml", Text: onOneMaster(plain.Text, width)}, loom.Watch{})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(f.Arch.Masters()); n != 1 {
			t.Fatalf("the fabric has %d masters", n)
		}
		fabrics = append(fabrics, f)
	}
	benchUpdate(t, benchShared, wideTable(t, kinds, func(kernel, kind int, memory latency.Profile) *loom.Run {
		b := benchKernels[kernel]
		return benchRun(t, b.name, b.source, b.args, fabrics[kind], memory)
	}))
}

// benchTable measures kernels with models of memory and returns rows for docs/dram.md. run runs one with
// bursts or without.
func benchTable(t *testing.T, run func(kernel int, memory latency.Profile, bursts bool) *loom.Run) string {
	t.Helper()
	var page strings.Builder
	page.WriteString(benchColumns("", benchMemories))
	for k, b := range benchKernels {
		fmt.Fprintf(&page, "| %s | %s |", b.name, b.does)
		ideal := run(k, latency.Fixed(1), false).Outcome.Cycles
		for _, memory := range benchMemories {
			profile, err := latency.Parse(memory)
			if err != nil {
				t.Fatal(err)
			}
			single, burst := run(k, profile, false), run(k, profile, true)
			per := func(r *loom.Run) float64 { return float64(r.Outcome.Cycles) / float64(b.elements) }
			fmt.Fprintf(&page, " %.2f, %.2f", per(single), per(burst))
			if d := burst.Traffic; d != nil {
				share := max(float64(ideal), float64(d.Busy)/float64(profile.DRAM.Cycle())) / float64(burst.Outcome.Cycles)
				fmt.Fprintf(&page, "; %.2f, %.0f %%", d.GBs, 100*share)
				if share < benchShares[b.name] {
					t.Errorf("%s reaches %.0f %% of the limit of %s, less than %.0f %%", b.name, 100*share, memory, 100*benchShares[b.name])
				}
			} else if benchShares[b.name] > 0 && max(per(single), per(burst)) > benchCycles {
				t.Errorf("%s takes %.2f and with bursts %.2f cycles per element with a memory of %s, more than %.2f", b.name, per(single), per(burst), memory, benchCycles)
			}
			page.WriteString(" |")
		}
		page.WriteString("\n")
		t.Logf("%s done", b.name)
	}
	return page.String()
}

// benchColumns is the head of a table: a kernel, what it does, a column more if it has a title, and one for each memory.
func benchColumns(more string, memories []string) string {
	columns := []string{"kernel", ""}
	if more != "" {
		columns = append(columns, more)
	}
	columns = append(columns, memories...)
	return "| " + strings.ReplaceAll(strings.Join(columns, " | "), "  ", " ") + " |\n|" + strings.Repeat("---|", len(columns)) + "\n"
}

// benchUpdate prints a section of docs/dram.md and writes it with LOOM_UPDATE, other sections stay as they are.
func benchUpdate(t *testing.T, head, table string) {
	t.Helper()
	fmt.Print(table)
	if os.Getenv("LOOM_UPDATE") == "" {
		return
	}
	const path = "docs/dram.md"
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	page := benchHead
	for i, section := range []string{benchFabrics, benchCached, benchShared, benchCircuits, benchCachedCircuits, benchWide} {
		text := section + table
		if section != head {
			title, _, _ := strings.Cut(section, "\n")
			_, text, _ = strings.Cut(string(old), title+"\n")
			text, _, _ = strings.Cut(title+"\n"+text, "\n## ")
			text = strings.TrimRight(text, "\n") + "\n"
		}
		if i > 0 {
			page += "\n"
		}
		page += text
	}
	if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestBenchMemory measures kernels on a fabric with models of memory, and writes their part of docs/dram.md with
// LOOM_UPDATE.
func TestBenchMemory(t *testing.T) {
	if os.Getenv("LOOM_BENCH_MEMORY") == "" {
		t.Skip("make bench-memory runs it")
	}
	plain, err := loom.ReadFabric("mesh12x12")
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(withBursts(plain.Text), "burst: "); n == 0 {
		t.Fatal("no external memory of mesh12x12 was given bursts")
	}
	fabrics := map[bool]*loom.Fabric{}
	for bursts, text := range map[bool]string{false: plain.Text, true: withBursts(plain.Text)} {
		if fabrics[bursts], err = loom.LoadFabric(loom.Source{Name: "mesh12x12.yaml", Text: text}, loom.Watch{}); err != nil {
			t.Fatal(err)
		}
	}
	benchUpdate(t, benchFabrics, benchTable(t, func(k int, memory latency.Profile, bursts bool) *loom.Run {
		b := benchKernels[k]
		return benchRun(t, b.name, b.source, b.args, fabrics[bursts], memory)
	}))
}

// TestBurstsWaitForCounters: a store takes longer at a memory with bursts, longer still where others of its burst follow, and what the loop
// counts waits for it: fir has more of it on the way than its queues hold, with a memory of 4 cycles already, and so gets a counter of its
// own; vecadd is mapped so that they hold it.
func TestBurstsWaitForCounters(t *testing.T) {
	plain, err := loom.ReadFabric("mesh12x12")
	if err != nil {
		t.Fatal(err)
	}
	f, err := loom.LoadFabric(loom.Source{Name: "mesh12x12.yaml", Text: withBursts(plain.Text)}, loom.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range benchKernels {
		if b.name != "fir" && b.name != "vecadd" {
			continue
		}
		if n := float64(benchRun(t, b.name, b.source, b.args, f, latency.Fixed(4)).Outcome.Cycles) / float64(b.elements); n > benchCycles {
			t.Errorf("%s takes %.2f cycles per element, more than %.2f", b.name, n, benchCycles)
		}
	}
}

// TestOneMaster: on a fabric whose memories share an AXI4 master two loads take two cycles where a beat is an element, as predicted, and
// one where it is two, with counters of their own for what waits for the beats.
func TestOneMaster(t *testing.T) {
	plain, err := loom.ReadFabric("mesh12x12")
	if err != nil {
		t.Fatal(err)
	}
	b := benchKernels[0] // vecadd
	for width, want := range map[int]float64{32: 2, 64: 1} {
		f, err := loom.LoadFabric(loom.Source{Name: "mesh12x12.yaml", Text: onOneMaster(plain.Text, width)}, loom.Watch{})
		if err != nil {
			t.Fatal(err)
		}
		m, run := benchMapped(t, b.name, b.source, b.args, f, latency.Fixed(4))
		if n := float64(run.Outcome.Cycles) / float64(b.elements); n < want || n > want*wideCycles {
			t.Errorf("%s takes %.2f cycles per element on %d bits, expected %.0f", b.name, n, width, want)
		}
		if l := m.Data.Timing.Loops[0]; l.II.Float() != want {
			t.Errorf("%s is predicted to take %d/%d cycles on %d bits, expected %.0f", b.name, l.II.Cycles, l.II.Tokens, width, want)
		}
	}
}

// TestBenchMemoryDirect measures the same kernels as circuits behind AXI4, and writes their part.
func TestBenchMemoryDirect(t *testing.T) {
	if os.Getenv("LOOM_BENCH_MEMORY") == "" {
		t.Skip("make bench-memory runs it")
	}
	toolstest.Need(t, "verilator")
	type key struct {
		kernel int
		bursts bool
	}
	circuits := map[key]*loom.Direct{}
	benchUpdate(t, benchCircuits, benchTable(t, func(k int, memory latency.Profile, bursts bool) *loom.Run {
		b := benchKernels[k]
		d := circuits[key{k, bursts}]
		if d == nil {
			d = benchCircuit(t, b.name, b.source, "axi4-each"+map[bool]string{true: ",burst=16"}[bursts], latency.Fixed(128))
			circuits[key{k, bursts}] = d
		}
		return benchCosim(t, d, b.args, memory)
	}))
}

// TestDRAMDirect: a circuit with bursts that is made for a DRAM reaches 90 % of the limit.
func TestDRAMDirect(t *testing.T) {
	toolstest.Need(t, "verilator")
	memory, err := latency.Parse("ddr4-2400")
	if err != nil {
		t.Fatal(err)
	}
	b := benchKernels[0]
	d := benchCircuit(t, b.name, b.source, "axi4-each", memory)
	run := benchCosim(t, d, b.args, memory)
	// 4096 cycles, an element each, are the limit at 200 MHz.
	if share := float64(b.elements) / float64(run.Outcome.Cycles); share < benchShares[b.name] {
		t.Errorf("%s takes %d cycles for %d elements", b.name, run.Outcome.Cycles, b.elements)
	}
	switch r := run.Traffic; {
	case r == nil:
		t.Error("the run says nothing of its memory")
	case r.Requests > 3*4096/8 || r.Bytes != 3*4*4096:
		t.Errorf("no bursts: %s", r)
	}
	if len(run.Loops) != 1 || run.Loops[0].Iterations != 4096 || run.Loops[0].II > 1.1 {
		t.Errorf("loops: %+v", run.Loops)
	}
}

// benchCircuit makes a circuit for a memory.
func benchCircuit(t *testing.T, name, text, ports string, memory latency.Profile) *loom.Direct {
	t.Helper()
	d, err := loom.BuildDirect(directKernel(t, name, text), loom.DirectOptions{Ports: ports, Memory: memory})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// directKernel compiles a C function for a direct circuit.
func directKernel(t *testing.T, name, text string) *loom.Kernel {
	t.Helper()
	file := filepath.Join(t.TempDir(), name+".c")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	k, err := loom.Compile(t.Context(), source(t, file), loom.CompileOptions{Direct: true, IndexWidth: loom.DefaultDirectIndexWidth})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// benchCosim runs a circuit under Verilator.
func benchCosim(t *testing.T, d *loom.Direct, args string, memory latency.Profile) *loom.Run {
	t.Helper()
	in, err := d.Kernel.ReadInputs(loom.Source{Name: "in.json", Text: `{"args": {` + args + `}}`}, loom.InputOptions{})
	if err != nil {
		t.Fatal(err)
	}
	run, err := loom.CosimulateDirect(t.Context(), d, in, loom.CosimulateOptions{Environment: loom.Environment{Latency: memory, MaxCycles: 10_000_000}})
	if err != nil {
		t.Fatal(err)
	}
	if run.Outcome.Status != "done" {
		t.Fatalf("%s: %s %v", d.Kernel.Name, run.Outcome.Status, run.Outcome.Detail)
	}
	return run
}

// benchRun maps a kernel for a memory and simulates it by the cycle.
func benchRun(t *testing.T, name, text, args string, f *loom.Fabric, memory latency.Profile) *loom.Run {
	t.Helper()
	_, run := benchMapped(t, name, text, args, f, memory)
	return run
}

// benchMapped is benchRun with the mapping.
func benchMapped(t *testing.T, name, text, args string, f *loom.Fabric, memory latency.Profile) (*loom.Mapping, *loom.Run) {
	t.Helper()
	file := filepath.Join(t.TempDir(), name+".c")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	k, err := loom.Compile(t.Context(), source(t, file), loom.CompileOptions{Fabric: f})
	if err != nil {
		t.Fatal(err)
	}
	in, err := k.ReadInputs(loom.Source{Name: name + ".json", Text: `{"args": {` + args + `}}`}, loom.InputOptions{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := loom.Map(context.Background(), k, f, loom.MapOptions{Jobs: 1, Budget: time.Minute, Latency: memory})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	run, err := m.RunCycles(in, loom.Environment{Latency: memory, MaxCycles: 10_000_000}, false)
	if err != nil {
		t.Fatal(err)
	}
	if run.Outcome.Status != "done" {
		t.Fatalf("%s: %s", name, run.Outcome.Status)
	}
	return m, run
}
