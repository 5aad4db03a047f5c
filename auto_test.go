package loom_test

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"loom"
	"loom/compiler/latency"
	"loom/internal/tools/toolstest"
)

// auto maps a kernel onto the fabric that MapAuto takes, and returns the fabrics that were tried, in order.
func auto(t *testing.T, file string, opts loom.MapOptions) (*loom.Mapping, []string) {
	t.Helper()
	k, err := loom.Compile(t.Context(), source(t, file), loom.CompileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var tried []string
	opts.Progress = func(doing string) {
		if name, ok := strings.CutPrefix(doing, "trying "); ok {
			tried = append(tried, name)
		}
	}
	_, m, err := loom.MapAuto(t.Context(), k, opts)
	if err != nil {
		t.Fatal(err)
	}
	return m, tried
}

// TestAutoTakesLeastAreaTime: a kernel whose loop is slow in temporal PEs goes to a larger fabric, with the
// reason; one whose loop is as fast as it can be remains on the smallest, and no other is tried.
func TestAutoTakesLeastAreaTime(t *testing.T) {
	toolstest.Need(t, "clang-19", "mlir-translate-19")
	for _, c := range []struct {
		file, fabric, smallest, why string
		tried                       []string
	}{
		{"testdata/kernels/direct/matrix.c", "mesh6x6", "temporal4x4",
			"temporal4x4 would do with 0.81 of the LUTs, but is expected to take 7.08 times as long", []string{"mesh6x6"}},
		{"testdata/kernels/matvec.mlir", "mesh6x6", "temporal4x4",
			"temporal4x4 would do with 0.81 of the LUTs, but is expected to take 4.04 times as long", []string{"mesh6x6"}},
		{"testdata/kernels/vecadd.mlir", "mesh4x4", "mesh4x4", "", nil},
		// Far from the bound of its graph, but in spatial PEs, which others have as well.
		{"testdata/kernels/histogram.mlir", "mesh4x4", "mesh4x4", "", nil},
		// Others that take it have more area than the time they would save.
		{"testdata/kernels/crc.mlir", "temporal4x4", "temporal4x4", "", []string{"mesh6x6", "float6x6", "mixed6x6"}},
		// Its inner loop takes an iteration per cycle where operations do not share PEs.
		{"testdata/kernels/c/sieve.c", "temporal6x6", "temporal4x4",
			"temporal4x4 would do with 0.526 of the LUTs, but is expected to take 6.36 times as long",
			[]string{"mesh6x6", "float6x6", "mixed6x6", "temporal6x6"}},
	} {
		m, tried := auto(t, c.file, loom.MapOptions{Jobs: 1})
		how := m.Choice
		if m.Fabric.Name != c.fabric || how.Fabric != c.fabric || how.Smallest != c.smallest || how.String() != c.why || how.Stopped {
			t.Errorf("%s on %s: %#v, %q", c.file, m.Fabric.Name, how, how)
		}
		first := slices.Index(loom.ShippedFabrics(), c.smallest) + 1
		if want := slices.Concat(loom.ShippedFabrics()[:first], how.Tried); !slices.Equal(tried, want) {
			t.Errorf("%s: tried %v, but says %v", c.file, tried, want)
		}
		if !slices.Equal(how.Tried, c.tried) {
			t.Errorf("%s: tried %v, want %v", c.file, how.Tried, c.tried)
		}
	}
}

// TestAutoIsDeterministic: the choice depends neither on the number of jobs nor on a budget that suffices.
func TestAutoIsDeterministic(t *testing.T) {
	const file = "testdata/kernels/matvec.mlir"
	want, _ := auto(t, file, loom.MapOptions{Jobs: 1})
	for _, opts := range []loom.MapOptions{{Jobs: 1}, {Jobs: 3, Budget: 10 * time.Minute}} {
		got, _ := auto(t, file, opts)
		if !reflect.DeepEqual(got.Choice, want.Choice) || !bytes.Equal(got.Data.JSON(), want.Data.JSON()) {
			t.Errorf("%+v: %#v, before %#v; the mapping is another one, or its choice", opts, got.Choice, want.Choice)
		}
	}
}

// TestAutoIsAsByName: the mapping is the one that the fabric's name gives, near memory and far from it.
func TestAutoIsAsByName(t *testing.T) {
	for _, cycles := range []int64{4, 100} {
		opts := loom.MapOptions{Jobs: 1, Latency: latency.Fixed(cycles)}
		got, _ := auto(t, "testdata/kernels/vecadd.mlir", opts)
		k, err := loom.Compile(t.Context(), source(t, "testdata/kernels/vecadd.mlir"), loom.CompileOptions{Fabric: got.Fabric})
		if err != nil {
			t.Fatal(err)
		}
		want, err := loom.Map(t.Context(), k, got.Fabric, opts)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got.Data.JSON(), want.Data.JSON()) {
			t.Errorf("memory of %d cycles: %v cycles per iteration, by name %v", cycles, got.Data.Timing.Interval(), want.Data.Timing.Interval())
		}
	}
}

// TestAutoEnds: where the budget ends during the search for a better fabric, the best so far is taken; where
// the context does, none is.
func TestAutoEnds(t *testing.T) {
	k, err := loom.Compile(t.Context(), source(t, "testdata/kernels/matvec.mlir"), loom.CompileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	// A budget in which the smallest fabric is mapped on this machine, whatever else it does.
	start := time.Now()
	if _, _, err := loom.MapAuto(t.Context(), k, loom.MapOptions{Jobs: 1}); err != nil {
		t.Fatal(err)
	}
	budget := 3*time.Second + 4*time.Since(start)
	start = time.Now()
	opts := loom.MapOptions{Jobs: 1, Budget: budget}
	opts.Progress = func(doing string) {
		if doing == "trying mesh6x6" {
			time.Sleep(time.Until(start.Add(budget + 10*time.Millisecond)))
		}
	}
	_, m, err := loom.MapAuto(t.Context(), k, opts)
	if err != nil {
		t.Fatal(err)
	}
	if how := m.Choice; m.Fabric.Name != "temporal4x4" || how.Fabric != "temporal4x4" || !how.Stopped || how.String() != "" {
		t.Errorf("after the end of the budget: %s, %#v", m.Fabric.Name, how)
	}

	ctx, cancel := context.WithCancel(t.Context())
	opts = loom.MapOptions{Jobs: 1}
	opts.Progress = func(doing string) {
		if doing == "trying mesh6x6" {
			cancel()
		}
	}
	if _, m, err := loom.MapAuto(ctx, k, opts); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context: %v, %v", m, err)
	}
}

// TestFabricsInOrderOfArea: MapAuto relies on the order, also that of areas which are estimated.
func TestFabricsInOrderOfArea(t *testing.T) {
	last := 0
	for _, name := range loom.ShippedFabrics() {
		luts := shippedFabric(t, name).Facts().LUTs
		if luts < last {
			t.Errorf("%s has %d LUTs and stands behind a fabric of %d", name, luts, last)
		}
		last = luts
	}
}
