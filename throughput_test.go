package loom_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"loom"
	"loom/compiler/latency"
	"loom/internal/soak"
	"loom/internal/tools/toolstest"
	"loom/sim/trace"
)

// contradicts reports whether a settled measurement is not what was predicted.
func contradicts(l *trace.LoopStat) bool {
	const rounding = 1e-9
	switch {
	case l.II == 0 || l.Short:
		return false
	case l.II < l.Expected-rounding:
		return true
	case !l.AtLeast:
		return l.II > l.Expected+rounding
	}
	return l.AtMost > 0 && l.II > l.AtMost+rounding
}

// onFabric is a kernel and a fabric by name.
type onFabric struct{ file, fabric string }

// TestPredictedIntervals runs kernels on fabrics with memories of different speed: the intervals
// measured by the cycle simulator are those predicted, or within the limits that the prediction
// states.
func TestPredictedIntervals(t *testing.T) {
	var runs []onFabric
	for _, file := range []string{"condcopy", "dot", "histogram", "reverse", "scan", "vecadd", "matvec"} {
		runs = append(runs, onFabric{"testdata/kernels/" + file + ".mlir", "mesh6x6"})
	}
	runs = append(runs, onFabric{"testdata/kernels/stencil.mlir", "mesh8x8"})
	if exact, fractions, _ := compareIntervals(t, runs); exact < 20 || fractions < 3 {
		t.Errorf("only %d intervals are exact, %d of them fractions", exact, fractions)
	}
}

// TestPredictedIntervalsOfC is the same for kernels whose branches matter. A soak test takes
// every kernel that fits the meshes up to 8x8, or LOOM_FABRIC alone; -v prints the table.
func TestPredictedIntervalsOfC(t *testing.T) {
	toolstest.Need(t, "clang-19", "mlir-translate-19")
	runs := []onFabric{{"testdata/kernels/c/insertion_sort.c", "mesh6x6"}, {"testdata/kernels/c/max_subarray.c", "mesh8x8"}}
	if soak.Factor() > 0 {
		runs = nil
		for _, pattern := range []string{"*.mlir", "c/*.c", "c/*.cpp"} {
			files, err := filepath.Glob("testdata/kernels/" + pattern)
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range files {
				for _, fabric := range []string{"mesh4x4", "mesh6x6", "mesh8x8"} {
					if only := os.Getenv("LOOM_FABRIC"); only == "" || only == fabric {
						runs = append(runs, onFabric{file, fabric})
					}
				}
			}
		}
	}
	if _, _, ranges := compareIntervals(t, runs); ranges < 4 {
		t.Errorf("only %d intervals depend on the data", ranges)
	}
}

// compareIntervals counts the loops whose interval is predicted exactly, as a fraction, and
// between limits.
func compareIntervals(t *testing.T, runs []onFabric) (exact, fractions, ranges int) {
	fabrics := map[string]*loom.Fabric{}
	for _, r := range runs {
		f := fabrics[r.fabric]
		if f == nil {
			f = shippedFabric(t, r.fabric)
			fabrics[r.fabric] = f
		}
		e, x, between := compareOn(t, source(t, r.file), f, 1000)
		exact, fractions, ranges = exact+e, fractions+x, ranges+between
	}
	return exact, fractions, ranges
}

func shippedFabric(t *testing.T, name string) *loom.Fabric {
	t.Helper()
	src, err := loom.ReadFabric(name)
	if err != nil {
		t.Fatal(err)
	}
	f, err := loom.LoadFabric(src, loom.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// compareOn is compareIntervals for one kernel, which need not fit in the long campaign.
func compareOn(t *testing.T, src loom.Source, f *loom.Fabric, size int64) (exact, fractions, ranges int) {
	k, err := loom.Compile(t.Context(), src, loom.CompileOptions{Fabric: f})
	if err != nil {
		t.Fatal(err)
	}
	m, err := loom.Map(context.Background(), k, f, loom.MapOptions{Jobs: 1, Budget: time.Minute})
	if err != nil {
		if soak.Factor() == 0 {
			t.Fatal(err)
		}
		return 0, 0, 0
	}
	in, err := k.RandomInputs(loom.InputOptions{Seed: 1, Size: size})
	if err != nil {
		t.Fatal(err)
	}
	var envs []loom.Environment
	for _, cycles := range []int64{1, 4, 9, 20, 60} {
		envs = append(envs, loom.Environment{Latency: latency.Fixed(cycles)})
	}
	envs = append(envs, loom.Environment{Latency: latency.Profile{Min: 2, Max: 20, Seed: 7}}, loom.Environment{Stall: 30, StallSeed: 5})
	for _, env := range envs {
		env.MaxCycles = 300_000
		run, err := m.RunCycles(in, env, true)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range run.Loops {
			text := fmt.Sprintf("%s on %s, memory of %s, %d %% stalls: loop %s, line %d: %s measured, %s predicted",
				filepath.Base(src.Name), f.Name, run.MemoryLatency, env.Stall, l.Name, l.Line, l.Measured(), l.Predicted())
			if t.Log(text); contradicts(&l) {
				t.Errorf("%s: %+v", text, l)
			}
			switch {
			case l.II == 0 || l.Short:
			case l.AtMost > 0:
				ranges++
			case !l.AtLeast:
				if exact++; l.Expected != math.Trunc(l.Expected) {
					fractions++
				}
			}
		}
	}
	return exact, fractions, ranges
}

// TestPredictedIntervalsOfInterlocks: where no keys of a histogram meet while they are on their way, an iteration takes the least that is
// predicted, and where all keys are the same the most, whatever the memory takes.
func TestPredictedIntervalsOfInterlocks(t *testing.T) {
	f := shippedFabric(t, "mesh6x6")
	k, err := loom.Compile(t.Context(), source(t, "testdata/kernels/histogram.mlir"), loom.CompileOptions{Fabric: f, Interlocks: "on"})
	if err != nil || !k.Interlocks() {
		t.Fatalf("interlocks %v: %v", err == nil && k.Interlocks(), err)
	}
	m, err := loom.Map(t.Context(), k, f, loom.MapOptions{Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	const n = 1000
	for _, same := range []bool{false, true} {
		keys := make([]string, n)
		for i := range keys {
			keys[i] = "5"
			if !same {
				keys[i] = fmt.Sprint(i % 64)
			}
		}
		text := fmt.Sprintf(`{"args": {"key": [%s], "hist": {"random": 64, "seed": 1}, "n": %d}}`, strings.Join(keys, ", "), n)
		in, err := k.ReadInputs(loom.Source{Name: "keys.json", Text: text}, loom.InputOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, cycles := range []int64{1, 4, 20, 60} {
			run, err := m.RunCycles(in, loom.Environment{Latency: latency.Fixed(cycles), MaxCycles: 300_000}, true)
			if err != nil {
				t.Fatal(err)
			}
			l, want := run.Loops[0], run.Loops[0].Expected
			if same {
				want = l.AtMost
			}
			t.Logf("memory of %d cycles, equal keys %v: %s measured, %s predicted", cycles, same, l.Measured(), l.Predicted())
			if math.Abs(l.II-want) > 0.005*want {
				t.Errorf("memory of %d cycles, equal keys %v: %v cycles per iteration, not %v", cycles, same, l.II, want)
			}
		}
	}
}

// randomLoop is a loop of loads from two arrays, arithmetic of different depth and a store;
// every second one carries a value, every third has a branch with sides of different length,
// every fourth stores on one side of it only.
func randomLoop(r *rand.Rand) string {
	var b strings.Builder
	indent := "    "
	values := []string{}
	line := func(format string, args ...any) { fmt.Fprintf(&b, indent+format+"\n", args...) }
	pick := func() string { return values[max(0, len(values)-1-r.IntN(3))] }
	chain := func(name string, n int) string {
		last := pick()
		for k := range n {
			next := fmt.Sprintf("%%%s%d", name, k)
			line("%s = arith.%s %s, %s : i32", next, []string{"addi", "xori", "muli", "subi"}[r.IntN(4)], last, pick())
			last = next
		}
		values = append(values, last)
		return last
	}
	carried, branch, conditional := r.IntN(2) == 0, r.IntN(3) == 0, r.IntN(4) == 0
	head := "  scf.for %i = %zero to %n step %one {\n"
	if carried {
		head = "  %r = scf.for %i = %zero to %n step %one iter_args(%c = %init) -> (i32) {\n"
	}
	b.WriteString("func.func @loop(%a: memref<?xi32>, %b: memref<?xi32>, %out: memref<?xi32>, %init: i32, %n: index) -> i32 {\n" +
		"  %zero = arith.constant 0 : index\n  %one = arith.constant 1 : index\n" + head)
	line("%%x = memref.load %%a[%%i] : memref<?xi32>")
	values = append(values, "%x")
	if r.IntN(2) == 0 {
		line("%%y = memref.load %%b[%%i] : memref<?xi32>")
		values = append(values, "%y")
	}
	last := chain("v", r.IntN(4))
	next := ""
	if carried {
		line("%%d = arith.addi %%c, %s : i32", last)
		values = []string{"%d", last}
		next = chain("w", r.IntN(3))
		last = next
	}
	if branch || conditional {
		line("%%p = arith.cmpi sgt, %s, %%x : i32", last)
	}
	if branch {
		line("%%q = scf.if %%p -> (i32) {")
		outer := append([]string{}, values...)
		yield := chain("s", r.IntN(4))
		line("scf.yield %s : i32", yield)
		b.WriteString(indent + "} else {\n")
		values = append([]string{}, outer...)
		yield = chain("t", r.IntN(2))
		line("scf.yield %s : i32", yield)
		line("}")
		last = "%q"
		if carried && r.IntN(2) == 0 {
			next = last
		}
	}
	if conditional {
		line("scf.if %%p {")
	}
	line("memref.store %s, %%out[%%i] : memref<?xi32>", last)
	if conditional {
		line("}")
	}
	result := "%init"
	if carried {
		line("scf.yield %s : i32", next)
		result = "%r"
	}
	b.WriteString("  }\n  return " + result + " : i32\n}\n")
	return b.String()
}

// sometimes divides where a condition holds, which takes a divider for many cycles.
const sometimes = `func.func @sometimes(%a: memref<?xi32>, %b: memref<?xi32>, %limit: i32, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %x = memref.load %a[%i] : memref<?xi32>
    %p = arith.cmpi sgt, %x, %limit : i32
    %y = scf.if %p -> (i32) {
      %d = arith.divsi %x, %limit : i32
      scf.yield %d : i32
    } else {
      scf.yield %x : i32
    }
    memref.store %y, %b[%i] : memref<?xi32>
  }
  return
}
`

// TestPredictedLimits: a branch that is never taken reaches the least interval, one that is
// always taken the most. The least is not that of a unit on the side that is not taken.
func TestPredictedLimits(t *testing.T) {
	f := shippedFabric(t, "mesh6x6")
	for _, src := range []loom.Source{source(t, "testdata/kernels/condcopy.mlir"), {Name: "sometimes.mlir", Text: sometimes}} {
		// Simplified, the branch of condcopy has no slow side left.
		k, err := loom.Compile(t.Context(), src, loom.CompileOptions{Fabric: f, Simplify: "off"})
		if err != nil {
			t.Fatal(err)
		}
		m, err := loom.Map(context.Background(), k, f, loom.MapOptions{Jobs: 1})
		if err != nil {
			t.Fatal(err)
		}
		sides := false // the sides of the branch differ
		for _, cycles := range []int64{20, 60} {
			for _, taken := range []bool{false, true} {
				limit := math.MaxInt32
				if taken {
					limit = math.MinInt32
				}
				text := fmt.Sprintf(`{"args": {"a": {"random": 1000, "seed": 1}, "b": {"zeros": 1000}, "limit": %d, "n": 1000}}`, limit)
				in, err := k.ReadInputs(loom.Source{Name: "in.json", Text: text}, loom.InputOptions{})
				if err != nil {
					t.Fatal(err)
				}
				run, err := m.RunCycles(in, loom.Environment{Latency: latency.Fixed(cycles)}, true)
				if err != nil {
					t.Fatal(err)
				}
				l := run.Loops[0]
				want := l.Expected
				if taken && l.AtMost > 0 { // otherwise both sides take as long
					want = l.AtMost
				}
				sides = sides || l.Expected < l.AtMost
				if math.Abs(l.II-want) > 1e-9 {
					t.Errorf("%s, memory of %d cycles, branch taken %t: %g measured, %g to %g predicted", src.Name, cycles, taken, l.II, l.Expected, l.AtMost)
				}
			}
		}
		if !sides {
			t.Errorf("%s: no memory tells the sides of its branch apart", src.Name)
		}
	}
}

// TestPredictedTurns: a recurrence through a memory may have to wait for the turns of other
// accesses at its ports, if not in this run. Where it has a memory of its own the interval is
// exact.
func TestPredictedTurns(t *testing.T) {
	src, err := loom.ReadFabric("mesh8x8")
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok1 := strings.Cut(src.Text, "\nextmemories:\n")
	_, after, ok2 := strings.Cut(rest, "\n# On-chip memory")
	if !ok1 || !ok2 {
		t.Fatal("mesh8x8 has no external memories before those on the chip")
	}
	src.Name = "one.yaml"
	src.Text = before + "\nextmemories:\n  - {count: 1, element: i32, loads: 4, stores: 4, regions: 4, lsq_depth: 8}\n# On-chip memory" + after
	one, err := loom.LoadFabric(src, loom.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	const kernel = `func.func @turns(%a: memref<?xi32>, %h: memref<16xi32>, %out: memref<?xi32>, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %mask = arith.constant 15 : i32
  scf.for %i = %zero to %n step %one {
    %x = memref.load %a[%i] : memref<?xi32>
    %m = arith.andi %x, %mask : i32
    %at = arith.index_cast %m : i32 to index
    %old = memref.load %h[%at] : memref<16xi32>
    %new = arith.addi %old, %x : i32
    memref.store %new, %h[%at] : memref<16xi32>
    memref.store %new, %out[%i] : memref<?xi32>
  }
  return
}
`
	for _, c := range []struct {
		f      *loom.Fabric
		shared bool
	}{{shippedFabric(t, "mesh8x8"), false}, {one, true}} {
		k, err := loom.Compile(t.Context(), loom.Source{Name: "turns.mlir", Text: kernel}, loom.CompileOptions{Fabric: c.f})
		if err != nil {
			t.Fatal(err)
		}
		m, err := loom.Map(context.Background(), k, c.f, loom.MapOptions{Jobs: 1})
		if err != nil {
			t.Fatal(err)
		}
		in, err := k.RandomInputs(loom.InputOptions{Seed: 1, Size: 400})
		if err != nil {
			t.Fatal(err)
		}
		for _, cycles := range []int64{1, 4, 20} {
			run, err := m.RunCycles(in, loom.Environment{Latency: latency.Fixed(cycles)}, true)
			if err != nil {
				t.Fatal(err)
			}
			l := run.Loops[0]
			if contradicts(&l) || l.AtLeast != c.shared || l.AtLeast && l.AtMost <= l.Expected {
				t.Errorf("shared %t, memory of %d cycles: %g measured, %s predicted", c.shared, cycles, l.II, l.Predicted())
			}
		}
	}
}

// TestPredictedIntervalsOfRandomLoops is the same for random loops, whose iterations overlap
// as far as their places allow.
func TestPredictedIntervalsOfRandomLoops(t *testing.T) {
	f := shippedFabric(t, "mesh8x8")
	exact, fractions, ranges := 0, 0, 0
	for seed := range uint64(soak.Scale(8, 100)) {
		text := randomLoop(rand.New(rand.NewPCG(seed, 3)))
		e, x, between := compareOn(t, loom.Source{Name: fmt.Sprintf("random%d.mlir", seed), Text: text}, f, 800)
		exact, fractions, ranges = exact+e, fractions+x, ranges+between
		if t.Failed() {
			t.Fatal(text)
		}
	}
	if exact < 20 || fractions < 5 || ranges < 3 {
		t.Errorf("only %d intervals are exact, %d of them fractions, and %d between limits", exact, fractions, ranges)
	}
}
