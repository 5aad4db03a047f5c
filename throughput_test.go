package loom_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
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
			src, err := loom.ReadFabric(r.fabric)
			if err != nil {
				t.Fatal(err)
			}
			if f, err = loom.LoadFabric(src, loom.Watch{}); err != nil {
				t.Fatal(err)
			}
			fabrics[r.fabric] = f
		}
		k, err := loom.Compile(t.Context(), source(t, r.file), loom.CompileOptions{Fabric: f})
		if err != nil {
			t.Fatal(err)
		}
		m, err := loom.Map(context.Background(), k, f, loom.MapOptions{Jobs: 1, Budget: time.Minute})
		if err != nil {
			if soak.Factor() == 0 {
				t.Fatal(err)
			}
			continue // does not fit
		}
		in, err := k.RandomInputs(loom.InputOptions{Seed: 1, Size: 400})
		if err != nil {
			t.Fatal(err)
		}
		for _, cycles := range []int64{1, 4, 9, 20} {
			run, err := m.RunCycles(in, loom.Environment{Latency: latency.Fixed(cycles), MaxCycles: 300_000}, true)
			if err != nil {
				t.Fatal(err)
			}
			for _, l := range run.Loops {
				t.Logf("%s on %s, memory of %d cycles: loop %s, line %d: %s measured, %s predicted", filepath.Base(r.file), r.fabric, cycles, l.Name, l.Line, l.Measured(), l.Predicted())
				if contradicts(&l) {
					t.Errorf("%s on %s, memory of %d cycles: loop %s, line %d: %s measured, %s predicted: %+v", r.file, r.fabric, cycles, l.Name, l.Line, l.Measured(), l.Predicted(), l)
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
	}
	return exact, fractions, ranges
}
