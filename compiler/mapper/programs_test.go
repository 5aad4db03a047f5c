package mapper_test

import (
	"strings"
	"testing"

	"loom/compiler/diag"
	"loom/compiler/latency"
	"loom/compiler/lower"
	"loom/compiler/mapper"
	"loom/compiler/mlir"
	"loom/internal/randprog"
	"loom/internal/soak"
	"loom/sim/cycle"
	"loom/sim/token"
	"loom/sim/vector"
)

// quick is enough effort for tests that want many mappings.
var quick = mapper.Effort{Attempts: 8, Candidates: 1, Moves: 30, Cooling: 85, Iterations: 60}

// TestRandomPrograms maps random structured programs and runs them by the cycle,
// with slow memory and a stalling environment: a mapping must keep the graph's
// liveness and meaning. More of them under make soak.
func TestRandomPrograms(t *testing.T) {
	n := soak.Scale(10, 400)
	f := bridged(t, "mesh12x12", `extmemories:
  - {count: 3, element: i32, loads: 6, stores: 5, regions: 3}
memories:
  - {count: 2, element: i32, elements: 64, loads: 5, stores: 6, regions: 3, private: false}
`)
	mapped, ops, lanes := 0, 0, 0
	for seed := uint64(0); mapped < n && seed < uint64(20*n); seed++ {
		opts := randprog.Small()
		opts.MaxOps = 15 + int(seed%5)*12
		opts.SingleAccess = seed%3 == 0
		module := randprog.Generate(seed, opts)
		order := []string{"serial", "pipelined"}[seed%2]
		low, err := lower.Lower(module, lower.Options{IndexWidth: f.IndexWidth, MaxJoinFanin: &f.MaxJoinFanin, StreamOps: f.StreamOps, MemoryOrder: order})
		if err != nil {
			t.Fatal(err)
		}
		res, err := mapper.Map(low.Func, f, mapper.Options{Seed: seed, Effort: quick})
		if err != nil {
			if l := diag.FromError(err); l.All[0].Severity == diag.Internal || strings.Contains(err.Error(), "illegal") {
				t.Errorf("program %d: %v", seed, err)
			}
			t.Logf("program %d does not fit: %.150s", seed, err)
			continue
		}
		mapped++
		ops += res.Mapping.Utilization.PEs.Used
		lanes += len(res.Mapping.Tags)
		in := randprog.Inputs(module, seed)
		want, err := token.Run(low.Func, in, token.Options{Capacity: 1, IndexWidth: f.IndexWidth})
		if err != nil {
			t.Fatal(err)
		}
		for _, env := range []cycle.Options{{}, {Latency: latency.Profile{Min: 1, Max: 30, Seed: seed}, StallPercent: 40, StallSeed: seed}} {
			sim, err := cycle.New(f, res.Image, res.Binding, in, env)
			if err != nil {
				t.Fatal(err)
			}
			got, err := sim.Run()
			if err != nil {
				t.Fatal(err)
			}
			if d := vector.Diff(want, got); len(d) > 0 {
				t.Errorf("program %d: %s, %v\n%v\n%s", seed, got.Status, d, got.Detail, mlir.Print(low.Func, mlir.Options{}))
			}
		}
	}
	t.Logf("%d programs with %d units and %d lanes", mapped, ops, lanes)
	if mapped < n || lanes < n {
		t.Errorf("%d of %d programs fit, with %d lanes", mapped, n, lanes)
	}
}
