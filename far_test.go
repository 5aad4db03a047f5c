package loom_test

import (
	"context"
	"testing"
	"time"

	"loom"
	"loom/compiler/latency"
	"loom/compiler/opname"
)

// TestFarMemory: loops that wait for nothing but memory take a cycle per iteration with memory that
// responds after 100 and 128 cycles, as predicted; and a mapping with counters of its own can be read again
// with the kernel's graph.
func TestFarMemory(t *testing.T) {
	f := shippedFabric(t, "mesh6x6")
	for _, kernel := range []string{"vecadd", "dot", "reverse"} {
		k, err := loom.Compile(t.Context(), source(t, "testdata/kernels/"+kernel+".mlir"), loom.CompileOptions{Fabric: f})
		if err != nil {
			t.Fatal(err)
		}
		in, err := k.RandomInputs(loom.InputOptions{Seed: 1, Size: 1000})
		if err != nil {
			t.Fatal(err)
		}
		for _, cycles := range []int64{4, 100, 128} {
			m, err := loom.Map(context.Background(), k, f, loom.MapOptions{Jobs: 1, Budget: time.Minute, Latency: latency.Fixed(cycles)})
			if err != nil {
				t.Fatal(err)
			}
			if (m.Data.Decoupled != nil) != (cycles > 4) {
				t.Errorf("%s, memory of %d cycles: counters of their own: %+v", kernel, cycles, m.Data.Decoupled)
			}
			again, err := loom.LoadMapping(loom.Source{Name: "map.json", Text: string(m.Data.JSON())}, k, f)
			if err != nil {
				t.Fatalf("%s, memory of %d cycles: %v", kernel, cycles, err)
			}
			for _, m := range []*loom.Mapping{m, again} {
				run, err := m.RunCycles(in, loom.Environment{Latency: latency.Fixed(cycles), MaxCycles: 100_000}, true)
				if err != nil {
					t.Fatal(err)
				}
				for _, l := range run.Loops {
					if l.II != 1 || contradicts(&l) {
						t.Errorf("%s, memory of %d cycles: %s cycles per iteration, %s predicted", kernel, cycles, l.Measured(), l.Predicted())
					}
				}
			}
		}
	}
	// The graph given stays the kernel's.
	k, err := loom.Compile(t.Context(), source(t, "testdata/kernels/vecadd.mlir"), loom.CompileOptions{Fabric: f})
	if err != nil {
		t.Fatal(err)
	}
	streams := func() (n int) {
		for _, op := range k.Graph.Regions[0].Entry().Ops {
			if op.Name == opname.DataflowStream {
				n++
			}
		}
		return n
	}
	if _, err := loom.Map(context.Background(), k, f, loom.MapOptions{Jobs: 1, Latency: latency.Fixed(100)}); err != nil || streams() != 1 {
		t.Errorf("%v, %d counters in the kernel's graph", err, streams())
	}
}
