package token_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/lower"
	"loom/compiler/mlir"
	"loom/compiler/recurrence"
	"loom/internal/randprog"
	"loom/internal/soak"
	"loom/internal/testkit"
	"loom/sim/token"
	"loom/sim/vector"
)

// shipped are the names of the kernels in testdata.
func shipped(tb testing.TB) []string {
	tb.Helper()
	files, err := filepath.Glob(testkit.Testdata(tb, "kernels", "*.mlir"))
	if err != nil || len(files) == 0 {
		tb.Fatal("no kernels", err)
	}
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(filepath.Base(f), ".mlir"))
	}
	return names
}

// fullInputs are random inputs whose loops run over all of the memories.
func fullInputs(tb testing.TB, fn *ir.Operation) *vector.Inputs {
	tb.Helper()
	sig, err := vector.SignatureOf(fn)
	if err != nil {
		tb.Fatal(err)
	}
	const size = 60
	in, err := vector.Random(sig, 1, size, 64)
	if err != nil {
		tb.Fatal(err)
	}
	full := uint64(size)
	for _, a := range in.Args {
		if a.Mem != nil {
			for _, d := range a.Mem.Shape {
				full = min(full, uint64(d))
			}
		}
	}
	for i := range in.Args {
		if in.Args[i].Type == ir.Type(ir.Index) {
			in.Args[i].Scalar = full
		}
	}
	return in
}

func graphOf(tb testing.TB, module *ir.Operation, order string) *token.Program {
	tb.Helper()
	res, err := lower.Lower(module, lower.Options{MemoryOrder: order})
	if err != nil {
		tb.Fatalf("%v\nin %s order:\n%s", err, order, mlir.Print(module, mlir.Options{}))
	}
	p, err := token.Compile(res.Func, 0)
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// measure times a shipped kernel.
func measure(tb testing.TB, name, order string, m latency.Model) *token.Timing {
	tb.Helper()
	module := testkit.Kernel(tb, name)
	p := graphOf(tb, module, order)
	out, timing, err := p.RunTimed(fullInputs(tb, testkit.Function(module)), token.TimedOptions{Model: m})
	if err != nil {
		tb.Fatal(err)
	}
	if out.Status != vector.Done || timing.Cycles < 0 {
		tb.Fatalf("%s: %s: %v", name, out.Status, out.Detail)
	}
	return timing
}

// path is the limiting cycle as the kinds of its operations.
func path(b recurrence.Bound) string {
	var kinds []string
	for _, s := range b.Path {
		_, kind, _ := strings.Cut(s.Op.Name, ".")
		kinds = append(kinds, strings.TrimSpace(kind+" "+s.Part))
	}
	return strings.Join(kinds, " ")
}

// TestKernelIntervals pins what the graphs of the known kernels allow with
// relaxed memory order, for two memory latencies: a streaming loop runs at one
// iteration per cycle at any memory latency, a sum at the length of its
// accumulation cycle, a recurrence through memory at the latency of that path.
func TestKernelIntervals(t *testing.T) {
	const accumulate = "carry cond_br addi"
	const roundTrip = "carry load request extmemory load load response addi store extmemory store cond_br"
	for _, c := range []struct {
		kernel string
		// base and trips: the interval is base + trips times the memory's latency.
		base, trips int
		path        string
	}{
		{"vecadd", 1, 0, ""},
		{"condcopy", 1, 0, ""},
		{"reverse", 1, 0, ""},
		{"dot", 3, 0, accumulate},
		{"matvec", 3, 0, accumulate},
		{"gcd", 4 + 33, 0, "carry cmpi cond_br remui"},
		{"scan", 3, 2, roundTrip},
		{"histogram", 3, 2, roundTrip},
	} {
		for _, cycles := range []int{1, latency.Default.Cycles(), 25} {
			timing := measure(t, c.kernel, "pipelined", latency.Model{Memory: latency.Fixed(int64(cycles))})
			l := &timing.Loops[len(timing.Loops)-1] // the innermost
			want := c.base + c.trips*cycles
			if l.Bound.String() != fmt.Sprint(want) || l.Cycles != int64(want)*l.Spent || l.Spent == 0 {
				t.Errorf("%s, memory latency %d: %d cycles in %d iterations, bound %v, want %d",
					c.kernel, cycles, l.Cycles, l.Spent, l.Bound, want)
			}
			if got := path(l.Bound); got != c.path {
				t.Errorf("%s, memory latency %d: limited by %q, want %q", c.kernel, cycles, got, c.path)
			}
		}
	}
}

// TestKernelsReachTheirBounds: with channels without bound nothing but its
// recurrences and the loops inside holds a loop back. Memory is slow enough that the
// cycle through it is longer than either side of a branch.
func TestKernelsReachTheirBounds(t *testing.T) {
	for _, name := range shipped(t) {
		for _, order := range []string{"serial", "pipelined"} {
			timing := measure(t, name, order, latency.Model{Memory: latency.Fixed(8)})
			for i := range timing.Loops {
				l := &timing.Loops[i]
				// The bound counts inner loops at their mean length: where the lengths
				// alternate, a loop around them stays a little above.
				near := l.Inner >= 0 && l.Cycles*int64(l.Bound.Tokens)*50 <= l.Spent*int64(l.Bound.Cycles)*51
				if l.Spent == 0 || !l.Reached() && !near {
					t.Errorf("%s, %s: loop at line %d: %d cycles in %d iterations, bound %v by %s",
						name, order, l.Pos.Line, l.Cycles, l.Spent, l.Bound, l.Bound.PathString())
				}
			}
		}
	}
}

// timedDiffers runs a graph with and without a clock and reports a difference.
func timedDiffers(p *token.Program, in *vector.Inputs, m latency.Model) (string, *token.Timing, error) {
	const steps = 3_000_000
	want, _, err := p.Run(in, token.Options{MaxSteps: steps})
	if err != nil {
		return "", nil, err
	}
	got, timing, err := p.RunTimed(in, token.TimedOptions{Model: m, MaxSteps: steps})
	if err != nil {
		return "", nil, err
	}
	got.Cycles = 0
	return strings.Join(vector.Diff(want, got), "\n"), timing, nil
}

// TestTimedPrograms: on random programs the clock changes no result, and no loop
// is faster than its bound.
func TestTimedPrograms(t *testing.T) {
	usual := 300
	if testing.Short() {
		usual = 30
	}
	loops, reached := 0, 0
	for seed := range uint64(soak.Scale(usual, 20*usual)) {
		module := randprog.Generate(seed, randprog.Options{Locals: seed%3 == 1, MaxOps: 20 + int(seed%4)*25})
		in := randprog.Inputs(module, seed)
		order := []string{"serial", "pipelined"}[seed%2]
		m := latency.Model{Memory: latency.Fixed(1 + int64(seed%11))}
		d, timing, err := timedDiffers(graphOf(t, module, order), in, m)
		if err != nil || d != "" {
			t.Fatalf("seed %d, %s: %v %s", seed, order, err, d)
		}
		for i := range timing.Loops {
			l := &timing.Loops[i]
			if l.Spent == 0 {
				continue
			}
			if l.Inner < 0 {
				loops++
				if l.Reached() {
					reached++
				}
			}
			// A recurrence of several tokens makes whole rounds only.
			rounds := l.Spent / int64(l.Bound.Tokens)
			if l.Bound.Stuck || l.Cycles < max(rounds*int64(l.Bound.Cycles), l.Spent) {
				t.Errorf("seed %d, %s: loop at %v: %d cycles in %d iterations, bound %v by %s",
					seed, order, l.Pos, l.Cycles, l.Spent, l.Bound, l.Bound.PathString())
			}
		}
	}
	t.Logf("%d innermost loops, %d at their bounds", loops, reached)
	if 10*loops < usual || 2*reached < loops {
		t.Error("the property holds of too few loops")
	}
}

const documentHead = `# Initiation intervals of the shipped kernels

What the dataflow graphs allow by themselves, before any fabric: cycles from the start of an iteration to
the start of the next. Generated by ` + "`LOOM_UPDATE=1 go test ./sim/token -run IntervalsDocument`" + `.

**The clock.** An operation takes the cycles of its unit (none if it is combinational, one in the multiplier, its
width and one in the divider) and one for the register on the path to the next. Constants take none, nor do casts
that cut, extend or rename bits, nor wiring: forks, ` + "`handshake.join`" + `, and ` + "`handshake.load`" + ` and ` + "`handshake.store`" + `,
which pass their operands to a memory port and its response on. A port of an external memory responds %s
after a request (` + "`--latency`" + `), one of an on-chip memory after %d, data and done token alike, and accepts one each
cycle. ` + "`cond_br` and `mux`" + ` choose, so they count. An operation fires at most once per cycle, a divider too; channels
hold any number of tokens. The mapper's expected intervals (map.txt) rest on the same model (` + "`compiler/latency`" + `)
and add
the registers on every link of the fabric and the number of tokens that its FIFOs, units and memories hold (` + "`compiler/throughput`" + `).

**Interval** is measured by the timed token simulator (` + "`loom sim --dfg F --timed`" + `) in the second half of
the loop's longest run, where the loop is slowest: at its state machines, or at the splits of its boundary.

**Bound** is computed from the graph (` + "`compiler/recurrence`" + `): the largest ratio of latency to tokens over the
cycles of the graph within the loop, and one cycle at least. Of a branch it counts the side that makes the
loop fastest; one that the run never took is left out. A loop inside counts with all of its iterations,
at its own bound, in the latency of the state machine that starts it. Where the loops inside need longer than
any cycle of the loop around them, though no iteration waits for the one before, they are the bound and are
named. ` + "`loom compile K --intervals`" + ` computes the same without a run: then a loop inside counts one test.

**On a mapping** (` + "`" + `Mapping.Bounds` + "`" + ` of the API, [qor.md](qor.md)) operations that share a function unit take the cycles of one. A
loop head is a carry and its branch, a reduction these two and an addition in one unit with one register: counted
apart they are a cycle of two or three, and the mapping would beat its bound. So of each group of map.json the first operation
counts, in the order of the unit's body, and the others are as wiring. A cycle that passes a unit beside its first
operation counts nothing for it, and the bound is a lower one all the same. The table below is of graphs, whose operations all count.

**A sum in parts** (` + "`dataflow.accumulate`" + `, [lowering.md](lowering.md#sums-in-parts)) is on no cycle of its loop: its parts never leave it, and only
its result goes on. In a loop around it counts the cycles in which it combines the parts, 3, 7, 11, 16 or 21 for 2 to 6 of them.

**An interlock** (` + "`dataflow.interlock`, [lowering.md](lowering.md)" + `) knows the store of the iteration before when it lets a load pass, which is a token
on that way, and if no subscripts meet it waits for the done token of the store 17 iterations before. Where all meet, a loop takes as long as without: on a mapping
"most" counts that.

The number after an operation is its latency where that is not one cycle.

| kernel | order | loop | iterations | interval | bound | limiting cycle |
|---|---|---|---|---|---|---|
`

// TestIntervalsDocument keeps docs/intervals.md what the kernels do.
func TestIntervalsDocument(t *testing.T) {
	var b bytes.Buffer
	fmt.Fprintf(&b, documentHead, latency.Default.Describe(), latency.OnChip)
	for _, name := range shipped(t) {
		for _, order := range []string{"serial", "pipelined"} {
			timing := measure(t, name, order, latency.Model{})
			for i := range timing.Loops {
				l := &timing.Loops[i]
				bound, limit := limitOf(timing, l)
				fmt.Fprintf(&b, "| %s | %s | %%%s | %d | %s | %s | %s |\n",
					name, order, l.Name, l.Iterations, ratio(l.Cycles, l.Spent), bound, limit)
			}
		}
	}
	file := filepath.Join(filepath.Dir(testkit.Testdata(t)), "docs", "intervals.md")
	if os.Getenv("LOOM_UPDATE") != "" {
		if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("docs/intervals.md is out of date: run LOOM_UPDATE=1 go test ./sim/token -run IntervalsDocument (-want +got):\n%s", diff)
	}
}

// limitOf is what holds a loop back, and how much.
func limitOf(timing *token.Timing, l *token.LoopTiming) (bound, limit string) {
	if c, n := l.Least(); c*int64(l.Bound.Tokens) != int64(l.Bound.Cycles)*n {
		return ratio(c, n), fmt.Sprintf("the loop %%%s inside", timing.Loops[l.Inner].Name)
	}
	return l.Bound.String(), l.Bound.PathString()
}

func ratio(c, n int64) string {
	switch {
	case n == 0:
		return "-"
	case c%n == 0:
		return fmt.Sprint(c / n)
	}
	return fmt.Sprintf("%.2f", float64(c)/float64(n))
}

// BenchmarkIntervals prints interval, bound and limiting cycle of every loop of
// the shipped kernels, and how fast the timed mode is.
func BenchmarkIntervals(b *testing.B) {
	for _, name := range shipped(b) {
		b.Run(name, func(b *testing.B) {
			module := testkit.Kernel(b, name)
			p := graphOf(b, module, "pipelined")
			in := fullInputs(b, testkit.Function(module))
			var timing *token.Timing
			for b.Loop() {
				var err error
				if _, timing, err = p.RunTimed(in, token.TimedOptions{}); err != nil {
					b.Fatal(err)
				}
			}
			inner := slices.MaxFunc(timing.Loops, func(x, y token.LoopTiming) int { return x.Depth - y.Depth })
			b.ReportMetric(inner.Interval(), "interval")
			b.ReportMetric(float64(inner.Bound.Cycles)/float64(inner.Bound.Tokens), "bound")
			for i := range timing.Loops {
				l := &timing.Loops[i]
				bound, limit := limitOf(timing, l)
				b.Logf("loop %%%s: interval %s, bound %s: %s", l.Name, ratio(l.Cycles, l.Spent), bound, limit)
			}
		})
	}
}
