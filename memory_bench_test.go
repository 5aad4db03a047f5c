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

// withBursts adds bursts to the external memories of an architecture.
func withBursts(text string) string {
	return regexp.MustCompile(`(?m)^(    )outstanding: .*$`).ReplaceAllString(text, "$0\n${1}burst: 16")
}

const benchHead = `# Memory at the speed of DRAM

Cycles per iteration of the innermost loop on mesh12x12, by the cycle simulator that is in lock-step with the RTL, for models of
memory ([sim/README.md](../sim/README.md), "DRAM"; sixteen transactions under way at a port and direction, 200 MHz where nothing
else is said). The first figure is without bursts, the second with ` + "`burst: 16`" + ` for its external memories
([architecture.md](architecture.md)); then follow GB/s with bursts and their share of the limit: the run with a memory that
answers in one cycle, or that in which the data bus of the memory is never idle, whichever takes longer. ` + "`make bench-memory`" + ` writes this page.

`

// TestBenchMemory measures kernels with models of memory, and writes docs/dram.md with LOOM_UPDATE.
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
	fabrics := make([]*loom.Fabric, 2)
	for i, text := range []string{plain.Text, withBursts(plain.Text)} {
		if fabrics[i], err = loom.LoadFabric(loom.Source{Name: "mesh12x12.yaml", Text: text}, loom.Watch{}); err != nil {
			t.Fatal(err)
		}
	}
	var page strings.Builder
	page.WriteString(benchHead + "| kernel | | " + strings.Join(benchMemories, " | ") + " |\n|---|---|" + strings.Repeat("---|", len(benchMemories)) + "\n")
	for _, b := range benchKernels {
		fmt.Fprintf(&page, "| %s | %s |", b.name, b.does)
		var ideal int64
		for _, memory := range benchMemories {
			profile, err := latency.Parse(memory)
			if err != nil {
				t.Fatal(err)
			}
			var cycles [2]int64
			var run *loom.Run
			for i, f := range fabrics {
				if ideal == 0 {
					ideal = benchRun(t, b.name, b.source, b.args, fabrics[0], latency.Fixed(1)).Outcome.Cycles
				}
				run = benchRun(t, b.name, b.source, b.args, f, profile)
				cycles[i] = run.Outcome.Cycles
			}
			per := func(c int64) float64 { return float64(c) / float64(b.elements) }
			fmt.Fprintf(&page, " %.2f, %.2f", per(cycles[0]), per(cycles[1]))
			if d := run.Traffic; d != nil {
				limit := max(float64(ideal), float64(d.Busy)/float64(profile.DRAM.Cycle()))
				fmt.Fprintf(&page, "; %.2f, %.0f %%", d.GBs, 100*limit/float64(cycles[1]))
			}
			page.WriteString(" |")
		}
		page.WriteString("\n")
		t.Logf("%s done", b.name)
	}
	fmt.Print(page.String()[len(benchHead):])
	if os.Getenv("LOOM_UPDATE") != "" {
		if err := os.WriteFile("docs/dram.md", []byte(page.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// benchRun maps a kernel for a memory and simulates it by the cycle.
func benchRun(t *testing.T, name, text, args string, f *loom.Fabric, memory latency.Profile) *loom.Run {
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
	return run
}
