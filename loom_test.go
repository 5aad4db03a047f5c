package loom_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"loom"
	"loom/compiler/diag"
	"loom/compiler/latency"
	"loom/internal/tools/toolstest"
	"loom/sim/vector"
)

// small is as small a fabric as poke allows: most of the time of a co-simulation goes
// into compiling the model.
var small = loom.Source{Name: "small.yaml", Text: `
name: small
width: 32
topology: {kind: mesh, rows: 2, columns: 3, tracks: 1, link_fifo: 2, input_fifo: 2}
boundary: {inputs: 4, outputs: 3}
extmemories: [{count: 2, element: i32, lsq_depth: 2}]
pes:
  all: {units: [{load: i32}, {store: i32}, {addi: i32}, {join: 3}]}
pattern: [[all]]
`}

var poke = loom.Source{Name: "poke.mlir", Text: `
func.func @poke(%a: memref<?xi32>, %b: memref<?xi32>, %i: index, %v: i32) -> i32 {
  %old = memref.load %a[%i] : memref<?xi32>
  %new = arith.addi %old, %v : i32
  memref.store %new, %b[%i] : memref<?xi32>
  return %new : i32
}
`}

// poked is poke on the small fabric.
func poked(t *testing.T) (*loom.Fabric, *loom.Mapping) {
	t.Helper()
	f, err := loom.LoadFabric(small, loom.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	k, err := loom.Compile(t.Context(), poke, loom.CompileOptions{Fabric: f})
	if err != nil {
		t.Fatal(err)
	}
	m, err := loom.Map(t.Context(), k, f, loom.MapOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return f, m
}

func TestCosimulate(t *testing.T) {
	toolstest.Need(t, "verilator", "c++")
	t.Setenv("LOOM_CACHE", toolstest.Cache(t))
	f, m := poked(t)
	in, err := m.Kernel.ReadInputs(loom.Source{Name: "in.json", Text: `{"args": {"a": [1, 2], "b": [0, 0], "i": 1, "v": 3}}`}, loom.InputOptions{})
	if err != nil {
		t.Fatal(err)
	}
	rtl, err := loom.Generate(f)
	if err != nil {
		t.Fatal(err)
	}
	if err := loom.PrepareCosimulation(t.Context(), m.Kernel, false, loom.Watch{}); err != nil {
		t.Fatal(err)
	}
	var outside []bool
	run, err := loom.Cosimulate(t.Context(), m, rtl, in, loom.CosimulateOptions{
		Watch:       loom.Watch{External: func(working bool) { outside = append(outside, working) }},
		Environment: loom.Environment{Latency: latency.Profile{Min: 1, Max: 40, Seed: 7}, Stall: 30},
	})
	if err != nil {
		t.Fatal(err)
	}
	if run.Failed != "" || len(run.Levels) != 5 || run.Outcome.Results[0].Bits != 5 || run.Trace == nil {
		t.Errorf("%+v, %+v", run.Levels, run.Outcome)
	}
	if !slices.Equal(outside, []bool{true, false}) {
		t.Errorf("external programs: %v", outside)
	}
	files, err := run.Artifacts(m)
	if err != nil || len(files.Files) != 4 || !slices.Equal(files.Stale, []string{"poke.small.fst"}) {
		t.Errorf("%d artifacts, stale %q, %v", len(files.Files), files.Stale, err)
	}
}

// TestWatch: a stage reports its activities, their ends, and warnings.
func TestWatch(t *testing.T) {
	var reported []string
	var found diag.List
	w := loom.Watch{Progress: func(s string) { reported = append(reported, s) }, Warn: func(d *diag.Diagnostic) { found.Add(d) }}
	f, err := loom.LoadFabric(small, w)
	if err != nil {
		t.Fatal(err)
	}
	k, err := loom.Compile(t.Context(), poke, loom.CompileOptions{Watch: w, Fabric: f})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := loom.Map(t.Context(), k, f, loom.MapOptions{Watch: w}); err != nil {
		t.Fatal(err)
	}
	if text := strings.Join(reported, "|"); !strings.HasPrefix(text, "choosing the domain||mapping|mapping: technology") || !strings.HasSuffix(text, "|trial run of the mapping|") {
		t.Errorf("%s", text)
	}
	if len(found.All) > 0 {
		t.Error(found.Error())
	}
}

// TestCanceled: every stage returns the error of a canceled context.
func TestCanceled(t *testing.T) {
	f, m := poked(t)
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := loom.Map(ended, m.Kernel, f, loom.MapOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Map: %v", err)
	}
	in, err := m.Kernel.RandomInputs(loom.InputOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := loom.Simulate(ended, m.Kernel, in, loom.SimulateOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Simulate: %v", err)
	}
}

// TestErrors: an invalid option is an OptionError, an invalid input a diag.List, and a run
// that is not done no error.
func TestErrors(t *testing.T) {
	f, m := poked(t)
	var option *loom.OptionError
	for _, err := range []error{
		second(loom.Compile(t.Context(), poke, loom.CompileOptions{Domain: "moon"})),
		second(loom.Compile(t.Context(), poke, loom.CompileOptions{DumpAfter: "nothing"})),
		second(m.Kernel.RandomInputs(loom.InputOptions{Size: -1})),
		second(m.RunCycles(&loom.Inputs{}, loom.Environment{Stall: 96}, false)),
		second(m.RunCycles(&loom.Inputs{}, loom.Environment{Latency: latency.Profile{Min: 2, Max: 1}}, false)),
	} {
		if !errors.As(err, &option) {
			t.Errorf("%v", err)
		}
	}
	wide := poke
	wide.Text = strings.ReplaceAll(strings.ReplaceAll(wide.Text, "addi", "muli"), "i32", "i64")
	k, err := loom.Compile(t.Context(), wide, loom.CompileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var list *diag.List
	if _, err := loom.Map(t.Context(), k, f, loom.MapOptions{}); !errors.As(err, &list) {
		t.Errorf("%v", err)
	}
	in, err := m.Kernel.ReadInputs(loom.Source{Name: "in.json", Text: `{"args": {"a": [1], "b": [0], "i": 7, "v": 3}}`}, loom.InputOptions{})
	if err != nil {
		t.Fatal(err)
	}
	run, err := loom.Simulate(t.Context(), m.Kernel, in, loom.SimulateOptions{})
	if err != nil || run.Failed != "interpreter" || run.Outcome.Status != vector.Error {
		t.Errorf("%+v, %v", run, err)
	}
}

func second[T any](_ T, err error) error { return err }

// TestWriteIsWhole: a set that cannot be written leaves the directory as it was.
func TestWriteIsWhole(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "out")
	a := loom.Artifacts{Files: []loom.File{{Name: "good", Data: []byte("1")}, {Name: "../bad", Data: []byte("2")}}}
	if _, err := a.Write(dir); err == nil {
		t.Error("an artifact outside of the directory was written")
	}
	if _, err := os.Stat(filepath.Dir(dir)); err == nil {
		t.Error("half a set is left")
	}
	a.Files[1].Name = "rtl/good"
	if names, err := a.Write(dir); err != nil || !slices.Equal(names, []string{"good", "rtl/good"}) {
		t.Errorf("%q, %v", names, err)
	}
	mine := filepath.Join(dir, "good")
	if err := os.WriteFile(mine, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Write(dir, mine); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(mine); string(text) != "mine" {
		t.Errorf("a file that was read holds %q now", text)
	}
}

// TestJoinsFitTheFabric: a graph made for no fabric, or read from a file, gets trees for the
// joins that are wider than the fabric's, and a mapping finds them again; a fabric without
// joins refuses the kernel before mapping.
func TestJoinsFitTheFabric(t *testing.T) {
	narrow := small
	narrow.Text = strings.Replace(small.Text, "join: 3", "join: 2", 1)
	f, err := loom.LoadFabric(narrow, loom.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	sums := loom.Source{Name: "sums.mlir", Text: `
func.func @sums(%a: memref<?xi32>, %b: memref<?xi32>, %i: index) {
  %x = memref.load %a[%i] : memref<?xi32>
  %y = arith.addi %x, %x : i32
  memref.store %y, %b[%i] : memref<?xi32>
  return
}
`}
	made, err := loom.Compile(t.Context(), sums, loom.CompileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	files, err := made.Artifacts(loom.GraphText{})
	if err != nil {
		t.Fatal(err)
	}
	// A join of three tokens, one of them the graph's start.
	text := string(files.Files[len(files.Files)-1].Data)
	wide := strings.Replace(text, " : none, none\n", ", %start : none, none, none\n", 1)
	if wide == text {
		t.Fatalf("no join of two in\n%s", text)
	}
	k, err := loom.LoadGraph(loom.Source{Name: "sums.dfg.mlir", Text: wide}, loom.CompileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	before := k.Stats()
	var remarks diag.List
	m, err := loom.Map(t.Context(), k, f, loom.MapOptions{Watch: loom.Watch{Warn: func(d *diag.Diagnostic) { remarks.Add(d) }}})
	if err != nil {
		t.Fatal(err)
	}
	if len(remarks.All) != 1 || !strings.Contains(remarks.Error(), "trees of joins") {
		t.Errorf("remarks: %s", remarks.Error())
	}
	if after := m.Kernel.Stats(); k.Stats().Operations != before.Operations || after.Operations != before.Operations+1 {
		t.Errorf("%d operations, %d on the fabric, %d before", k.Stats().Operations, after.Operations, before.Operations)
	}
	again, err := loom.LoadMapping(loom.Source{Name: "map.json", Text: string(m.Data.JSON())}, k, f)
	if err != nil {
		t.Fatal(err)
	}
	in, err := again.Kernel.ReadInputs(loom.Source{Name: "in.json", Text: `{"args": {"a": [1, 2], "b": [0, 0], "i": 1}}`}, loom.InputOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if run, err := again.RunCycles(in, loom.Environment{}, false); err != nil || run.Outcome.Status != vector.Done {
		t.Errorf("%+v, %v", run, err)
	}

	// A graph for the fabric itself is legal when it is read.
	here, err := loom.LoadGraph(loom.Source{Name: "sums.dfg.mlir", Text: wide}, loom.CompileOptions{Fabric: f})
	if err != nil || here.Stats().Operations != before.Operations+1 {
		t.Errorf("%v, %v", here, err)
	}
	// Its own limit holds, too.
	limited := strings.Replace(wide, "attributes {", "attributes {loom.adg_max_join_fanin = 2 : i64, ", 1)
	here, err = loom.LoadGraph(loom.Source{Name: "sums.dfg.mlir", Text: limited}, loom.CompileOptions{})
	if err != nil || here.Stats().Operations != before.Operations+1 {
		t.Errorf("%v, %v", here, err)
	}

	none := small
	none.Text = strings.Replace(small.Text, ", {join: 3}", "", 1)
	f, err = loom.LoadFabric(none, loom.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	for what, err := range map[string]error{
		"compile":   second(loom.Compile(t.Context(), sums, loom.CompileOptions{Fabric: f, Domain: "function"})),
		"map":       second(loom.Map(t.Context(), k, f, loom.MapOptions{})),
		"loadgraph": second(loom.LoadGraph(loom.Source{Name: "sums.dfg.mlir", Text: wide}, loom.CompileOptions{Fabric: f})),
	} {
		if err == nil || !strings.Contains(err.Error(), "tokens must be joined here, but the hardware has no joins") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// TestDeadlockTimeout: the key of an architecture file reaches fabric and RTL.
func TestDeadlockTimeout(t *testing.T) {
	impatient := small
	impatient.Text += "deadlock_timeout: 7\n"
	f, err := loom.LoadFabric(impatient, loom.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range f.Arch.Comps {
		if c.Mem != nil && c.Mem.Timeout() != 7 {
			t.Errorf("%s waits for %d cycles", c.Name, c.Mem.Timeout())
		}
	}
	rtl, err := loom.Generate(f)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, x := range rtl.Artifacts().Files {
		n += strings.Count(string(x.Data), ".DEADLOCK_TIMEOUT(7)")
	}
	if n != 2 {
		t.Errorf("%d of 2 memories have the timeout", n)
	}
}

// TestBoundsHoldOnFabrics: bound and expected interval use one latency model, so no mapping
// has an expected interval below the bound of its graph, for any memory latency.
func TestBoundsHoldOnFabrics(t *testing.T) {
	description, err := loom.ReadFabric("mesh8x8")
	if err != nil {
		t.Fatal(err)
	}
	f, err := loom.LoadFabric(description, loom.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("testdata/kernels/*.mlir")
	if err != nil || len(files) == 0 {
		t.Fatal("no kernels", err)
	}
	memories := []latency.Profile{{}, latency.Fixed(20), {Min: 1, Max: 40, Seed: 7}}
	compared := 0
	for i, file := range files {
		src, err := loom.ReadSource(file)
		if err != nil {
			t.Fatal(err)
		}
		k, err := loom.Compile(t.Context(), src, loom.CompileOptions{Fabric: f})
		if err != nil {
			t.Fatal(err)
		}
		memory := memories[i%len(memories)]
		m, err := loom.Map(t.Context(), k, f, loom.MapOptions{Latency: memory})
		if err != nil {
			t.Logf("%s: %v", file, err) // does not fit
			continue
		}
		nest, bounds := m.Bounds(memory)
		body := m.Kernel.Graph.Regions[0].Entry().Ops
		for l, b := range bounds {
			for _, promise := range m.Data.Timing.Loops {
				if promise.Op < 0 || body[promise.Op] != nest.Loops[l].Raw.Def {
					continue
				}
				compared++
				if slowest := promise.Most; memory.Min != memory.Max && slowest.Tokens > 0 {
					promise.II = slowest // the graph's bound is for the mean
				}
				if promise.II.Cycles*b.Tokens < b.Cycles*promise.II.Tokens {
					t.Errorf("%s, memory %v: loop %%%s is promised every %d/%d cycles, the graph allows %v by %s",
						file, memory, nest.Loops[l].Name, promise.II.Cycles, promise.II.Tokens, b, b.PathString())
				}
			}
		}
	}
	if compared < len(files)/2 {
		t.Errorf("%d loops of %d kernels compared: too few", compared, len(files))
	}
}

// TestNoFitForHugeGraphs: for a graph that no grid of reasonable size holds, the search ends by
// itself, not with its time: it enlarges no architecture.
func TestNoFitForHugeGraphs(t *testing.T) {
	var body strings.Builder
	for i := range 500 {
		fmt.Fprintf(&body, "  %%v%d = arith.muli %%v%d, %%v0 : i32\n", i+1, i)
	}
	k, err := loom.Compile(context.Background(), loom.Source{Name: "huge.mlir",
		Text: "func.func @huge(%v0: i32) -> i32 {\n" + body.String() + "  return %v500 : i32\n}\n"}, loom.CompileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	f, err := loom.LoadFabric(small, loom.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	if fit := k.FindFit(context.Background(), f, loom.MapOptions{Budget: 5 * time.Minute}); fit.Stopped || fit.Fabric != "" || len(fit.Changes) > 0 {
		t.Errorf("%+v", fit)
	}
}

// TestOuterLoopsPromiseALeast: the promise of a loop around another is a least, also where
// no recurrence of it passes through the inner loop, as in matvec, whose rows are independent.
func TestOuterLoopsPromiseALeast(t *testing.T) {
	f, err := loom.LoadFabric(source(t, "compiler/arch/shipped/mesh8x8.yaml"), loom.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	k, err := loom.Compile(context.Background(), source(t, "testdata/kernels/matvec.mlir"), loom.CompileOptions{Fabric: f})
	if err != nil {
		t.Fatal(err)
	}
	m, err := loom.Map(context.Background(), k, f, loom.MapOptions{})
	if err != nil {
		t.Fatal(err)
	}
	in, err := k.RandomInputs(loom.InputOptions{Seed: 1, Size: 16})
	if err != nil {
		t.Fatal(err)
	}
	run, err := m.RunCycles(in, loom.Environment{}, true)
	if err != nil {
		t.Fatal(err)
	}
	for i, atLeast := range []bool{true, false} {
		l := run.Loops[i]
		if l.AtLeast != atLeast || m.Data.Timing.Loops[i].Innermost == atLeast {
			t.Errorf("loop %s: at least %v, innermost %v", l.Name, l.AtLeast, m.Data.Timing.Loops[i].Innermost)
		}
		if l.II < l.Expected {
			t.Errorf("loop %s: %g cycles per iteration, %g promised", l.Name, l.II, l.Expected)
		}
	}
}

// TestMeasuredIntervals: the intervals that the mapping promises are those that a run has,
// where the loop is slowest: not where its stream counts ahead into the buffers.
func TestMeasuredIntervals(t *testing.T) {
	f, err := loom.LoadFabric(source(t, "compiler/arch/shipped/mesh6x6.yaml"), loom.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	for _, kernel := range []string{"vecadd", "dot", "histogram", "scan", "gcd"} {
		k, err := loom.Compile(context.Background(), source(t, "testdata/kernels/"+kernel+".mlir"), loom.CompileOptions{Fabric: f})
		if err != nil {
			t.Fatal(err)
		}
		for _, memory := range []latency.Profile{latency.Fixed(4), latency.Fixed(9)} {
			if kernel == "vecadd" && memory != latency.Fixed(4) {
				continue // more than the buffers beside the loads hold
			}
			m, err := loom.Map(context.Background(), k, f, loom.MapOptions{Latency: memory})
			if err != nil {
				t.Fatal(err)
			}
			in, err := k.RandomInputs(loom.InputOptions{Seed: 1, Size: 256})
			if err != nil {
				t.Fatal(err)
			}
			run, err := m.RunCycles(in, loom.Environment{Latency: memory}, true)
			if err != nil {
				t.Fatal(err)
			}
			if len(run.Loops) != 1 || run.MemoryLatency != memory.Describe() {
				t.Fatalf("%s: %d loops, memory %q", kernel, len(run.Loops), run.MemoryLatency)
			}
			_, timed, err := k.RunTimed(in, loom.Environment{Latency: memory})
			if err != nil {
				t.Fatal(err)
			}
			if l, want := run.Loops[0], timed.Loops[0]; l.Iterations != want.Iterations || l.Activations != want.Activations {
				t.Errorf("%s: %d iterations in %d activations, the graph alone has %d in %d", kernel, l.Iterations, l.Activations, want.Iterations, want.Activations)
			}
			if l := run.Loops[0]; l.Iterations < 2 || l.II == 0 || l.II != l.Expected {
				t.Errorf("%s, %s: %g cycles per iteration, %g expected: %+v", kernel, memory, l.II, l.Expected, l)
			}
		}
	}
}

// TestTemporalIntervals: what instructions of temporal PEs promise is a bound that no run is below, and not far from what a run has.
func TestTemporalIntervals(t *testing.T) {
	f, err := loom.LoadFabric(source(t, "compiler/arch/shipped/temporal4x4.yaml"), loom.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	instructions := 0
	for _, kernel := range []string{"histogram", "scan", "crc"} {
		k, err := loom.Compile(context.Background(), source(t, "testdata/kernels/"+kernel+".mlir"), loom.CompileOptions{Fabric: f})
		if err != nil {
			t.Fatal(err)
		}
		for _, memory := range []latency.Profile{latency.Fixed(1), latency.Fixed(4), latency.Fixed(20)} {
			m, err := loom.Map(context.Background(), k, f, loom.MapOptions{Latency: memory})
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range m.Data.TemporalPEs {
				instructions += len(p.Instructions)
			}
			in, err := k.RandomInputs(loom.InputOptions{Seed: 1, Size: 256})
			if err != nil {
				t.Fatal(err)
			}
			run, err := m.RunCycles(in, loom.Environment{Latency: memory}, true)
			if err != nil {
				t.Fatal(err)
			}
			l := run.Loops[0]
			t.Logf("%s, %s: %g cycles per iteration, at least %g", kernel, memory, l.II, l.Expected)
			if l.Iterations < 2 || l.II < l.Expected || l.II > 1.5*l.Expected {
				t.Errorf("%s, %s: %g cycles per iteration, at least %g promised", kernel, memory, l.II, l.Expected)
			}
		}
	}
	if instructions < 20 {
		t.Errorf("only %d instructions", instructions)
	}
}

func source(t *testing.T, file string) loom.Source {
	t.Helper()
	src, err := loom.ReadSource(file)
	if err != nil {
		t.Fatal(err)
	}
	return src
}
