package mapper_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/lower"
	"loom/compiler/mapper"
	"loom/compiler/mapping"
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
	ops, lanes := 0, 0
	mapped := runRandom(t, f, n, func(seed uint64) *ir.Operation {
		opts := randprog.Small()
		opts.MaxOps = 15 + int(seed%5)*12
		opts.SingleAccess = seed%3 == 0
		return randprog.Generate(seed, opts)
	}, func(m *mapping.Mapping) {
		ops += m.Utilization.PEs.Used
		lanes += len(m.Tags)
	})
	t.Logf("%d programs with %d units and %d lanes", mapped, ops, lanes)
	if mapped < n || lanes < n {
		t.Errorf("%d of %d programs fit, with %d lanes", mapped, n, lanes)
	}
}

// TestRandomDivisions is TestRandomPrograms for programs that read and write few elements of one
// array in many places, so that several memories with one load and one store port each serve
// it: what one has written another reads. More of them under make soak.
func TestRandomDivisions(t *testing.T) {
	n := soak.Scale(12, 400)
	f := bridged(t, "mesh8x8", "extmemories:\n  - {count: 6, element: i32}\n")
	memories := 0
	mapped := runRandom(t, f, n, func(seed uint64) *ir.Operation { return exchanges(t, seed) },
		func(m *mapping.Mapping) { memories += writtenBySeveral(m) })
	t.Logf("%d programs, %d memories of arrays that several serve", mapped, memories)
	if mapped < n || memories < 2*n {
		t.Errorf("%d of %d programs fit, with %d memories of arrays that several serve", mapped, n, memories)
	}
}

// exchanges is a random loop of assignments between elements of one array that are often the
// same, in one iteration and in others, some of them under a condition.
func exchanges(t *testing.T, seed uint64) *ir.Operation {
	r := rand.New(rand.NewPCG(seed, 0))
	b := &strings.Builder{}
	b.WriteString(`func.func @prog(%x: memref<16xi32>, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %odd = arith.constant 1 : i32
  scf.for %i = %zero to %n step %one {
`)
	for k := range 2 + r.IntN(3) {
		at := func(name string) {
			if r.IntN(2) == 0 {
				fmt.Fprintf(b, "    %%%s%d = affine.apply affine_map<(i) -> (i + %d)>(%%i)\n", name, k, r.IntN(4))
			} else {
				fmt.Fprintf(b, "    %%%[1]ss%[2]d = affine.apply affine_map<(i) -> (i * %[3]d + %[4]d)>(%%i)\n    %%%[1]s%[2]d = arith.andi %%%[1]ss%[2]d, %%three : index\n",
					name, k, 1+r.IntN(3), r.IntN(4))
			}
		}
		at("from")
		at("to")
		fmt.Fprintf(b, "    %%v%[1]d = memref.load %%x[%%from%[1]d] : memref<16xi32>\n    %%w%[1]d = arith.addi %%v%[1]d, %%odd : i32\n", k)
		store := fmt.Sprintf("memref.store %%w%[1]d, %%x[%%to%[1]d] : memref<16xi32>", k)
		if r.IntN(3) == 0 {
			store = fmt.Sprintf("%%c%[1]d = arith.trunci %%v%[1]d : i32 to i1\n    scf.if %%c%[1]d {\n      %[2]s\n    }", k, store)
		}
		fmt.Fprintf(b, "    %s\n", store)
	}
	b.WriteString("  }\n  return\n}\n")
	m, err := mlir.ParseAndVerify("exchanges.mlir", b.String())
	if err != nil {
		t.Fatal(err, b)
	}
	return m
}

// writtenBySeveral counts the memories of the arrays with a store that several serve.
func writtenBySeveral(m *mapping.Mapping) (n int) {
	places, stores := map[int]int{}, map[int]bool{}
	for _, mem := range m.Memories {
		places[mem.Op]++
		for _, a := range mem.Accesses {
			stores[mem.Op] = stores[mem.Op] || a.Kind == mapping.Store
		}
	}
	for op, k := range places {
		if stores[op] && k > 1 {
			n += k
		}
	}
	return n
}

// runRandom maps n random programs that fit a fabric, shows each mapping to saw, and runs it by
// the cycle. It returns how many there were.
func runRandom(t *testing.T, f *arch.Fabric, n int, program func(seed uint64) *ir.Operation, saw func(m *mapping.Mapping)) (mapped int) {
	t.Helper()
	for seed := uint64(0); mapped < n && seed < uint64(20*n); seed++ {
		module := program(seed)
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
		saw(res.Mapping)
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
	return mapped
}
