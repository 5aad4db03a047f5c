package mapper_test

import (
	"bytes"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/ir"
	"loom/compiler/lower"
	"loom/compiler/mapper"
	"loom/compiler/mapping"
	"loom/compiler/mlir"
	"loom/internal/testkit"
	"loom/sim/cycle"
	"loom/sim/token"
	"loom/sim/vector"
)

// kernel lowers a kernel for a fabric with the given memory order.
func kernel(t testing.TB, name, order string, f *arch.Fabric) *ir.Operation {
	t.Helper()
	res, err := lower.Lower(testkit.Kernel(t, name), lower.Options{IndexWidth: f.IndexWidth, MaxJoinFanin: &f.MaxJoinFanin, StreamOps: f.StreamOps, MemoryOrder: order})
	if err != nil {
		t.Fatal(err)
	}
	return res.Func
}

// simulate runs a mapped kernel on random inputs, by the cycle and by tokens, and
// compares.
func simulate(t testing.TB, fn *ir.Operation, f *arch.Fabric, res *mapper.Result, size int64) *vector.Outcome {
	t.Helper()
	sig, err := vector.SignatureOf(fn)
	if err != nil {
		t.Fatal(err)
	}
	in, err := vector.Random(sig, 1, size, f.IndexWidth)
	if err != nil {
		t.Fatal(err)
	}
	want, err := token.Run(fn, in, token.Options{Capacity: 1, IndexWidth: f.IndexWidth})
	if err != nil {
		t.Fatal(err)
	}
	sim, err := cycle.New(f, res.Image, res.Binding, in, cycle.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := sim.Run()
	if err != nil {
		t.Fatal(err)
	}
	if d := vector.Diff(want, got); len(d) > 0 {
		t.Errorf("status %s, differences: %v\n%v", got.Status, d, got.Detail)
	}
	return got
}

// TestKernels maps the shipped kernels onto the smallest shipped mesh that fits
// and runs them by the cycle. The bounds are the quality of results to keep: the
// expected cycles per iteration of the innermost loop, and the registers on all
// edges together.
func TestKernels(t *testing.T) {
	for _, c := range []struct {
		kernel, order, mesh string
		ii, registers       int
		exact               bool // the loop runs at the expected rate, no branches or inner loops
	}{
		{"vecadd", "serial", "mesh6x6", 13, 145, true},
		{"dot", "serial", "mesh6x6", 12, 145, true},
		{"condcopy", "serial", "mesh6x6", 12, 165, false},
		{"matvec", "serial", "mesh8x8", 12, 430, false},
		{"gcd", "serial", "mesh4x4", 43, 40, false},
		{"scan", "serial", "mesh6x6", 24, 120, true},
		{"vecadd", "pipelined", "mesh6x6", 1, 115, true},
		{"dot", "pipelined", "mesh6x6", 1, 100, false},
		{"matvec", "pipelined", "mesh8x8", 1, 265, false},
		{"stencil", "serial", "mesh8x8", 29, 320, true},
		{"oddeven", "serial", "mesh8x8", 46, 260, false},
		{"crc", "serial", "mesh8x8", 35, 260, true},
		{"stencil", "pipelined", "mesh8x8", 1, 240, true},
		{"oddeven", "pipelined", "mesh8x8", 1, 240, false},
		{"crc", "pipelined", "mesh8x8", 36, 225, true},
	} {
		t.Run(c.kernel+"/"+c.order, func(t *testing.T) {
			f := testkit.Fabric(t, c.mesh)
			fn := kernel(t, c.kernel, c.order, f)
			res, err := mapper.Map(fn, f, mapper.Options{Jobs: 2})
			if err != nil {
				t.Fatal(err)
			}
			ii := 0
			for _, l := range res.Mapping.Timing.Loops {
				if l.Innermost {
					ii = max(ii, (l.II.Cycles+l.II.Tokens-1)/l.II.Tokens)
				}
			}
			u := res.Mapping.Utilization
			few := int64(8)
			if c.exact {
				few = 128 // queues have 32 places: what fills them first is faster than the loop
			}
			a, b := simulate(t, fn, f, res, few), simulate(t, fn, f, res, 2*few)
			t.Logf("II %d, %d registers, %d of %d PEs, %d and %d cycles", ii, u.RegisterHops, u.PEs.Used, u.PEs.Total, a.Cycles, b.Cycles)
			if ii > c.ii || u.RegisterHops > c.registers {
				t.Errorf("II %d and %d registers, expected at most %d and %d", ii, u.RegisterHops, c.ii, c.registers)
			}
			// Rounded up, as the interval is, but for what the runs differ in at their ends.
			if measured := (b.Cycles - a.Cycles + few - 1 - few/16) / few; c.exact && measured != int64(ii) {
				t.Errorf("%d cycles per iteration measured, %d expected", measured, ii)
			}
		})
	}
}

// TestOnChipMemory maps a kernel with a memory of its own.
func TestOnChipMemory(t *testing.T) {
	const text = `func.func @buffer(%a: memref<?xi32>, %b: memref<?xi32>, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %last = arith.subi %n, %one : index
  %t = memref.alloca() : memref<64xi32>
  scf.for %i = %zero to %n step %one {
    %x = memref.load %a[%i] : memref<?xi32>
    memref.store %x, %t[%i] : memref<64xi32>
  }
  scf.for %i = %zero to %n step %one {
    %j = arith.subi %last, %i : index
    %x = memref.load %t[%j] : memref<64xi32>
    memref.store %x, %b[%i] : memref<?xi32>
  }
  return
}`
	f := testkit.Fabric(t, "mesh8x8")
	mod, err := mlir.ParseAndVerify("buffer.mlir", text)
	if err != nil {
		t.Fatal(err)
	}
	low, err := lower.Lower(mod, lower.Options{IndexWidth: f.IndexWidth, MaxJoinFanin: &f.MaxJoinFanin, StreamOps: f.StreamOps})
	if err != nil {
		t.Fatal(err)
	}
	res, err := mapper.Map(low.Func, f, mapper.Options{Effort: quick})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Mapping.Memories) != 3 {
		t.Errorf("%d memories", len(res.Mapping.Memories))
	}
	if out := simulate(t, low.Func, f, res, 12); out.Status != vector.Done {
		t.Errorf("%s: %v", out.Status, out.Detail)
	}
}

// bridged is a shipped mesh with other memories: the sections extmemories and
// memories of an architecture file.
func bridged(t testing.TB, mesh, sections string) *arch.Fabric {
	t.Helper()
	file, text := mesh+".yaml", testkit.Architecture(t, mesh)
	before, rest, ok1 := bytes.Cut(text, []byte("\nextmemories:\n"))
	_, after, ok2 := bytes.Cut(rest, []byte("\nfunction_units:\n"))
	if !ok1 || !ok2 {
		t.Fatalf("%s has no section extmemories followed by function_units", file)
	}
	return testkit.FabricOf(t, file, []byte(string(before)+"\n"+sections+"function_units:\n"+string(after)))
}

// TestMemoryBounds measures what limits a loop without recurrences: vecadd has two
// loads and a store per iteration.
func TestMemoryBounds(t *testing.T) {
	const deep = ", lsq_depth: 16, lane_depth: 32"
	for _, c := range []struct {
		name, memories string
		ports          int
		ii             mapping.Ratio
	}{
		{"untagged", "{count: 6, element: i32}", 1, mapping.Ratio{Cycles: 1, Tokens: 1}},
		{"loads apart", "{count: 3, element: i32, loads: 2, stores: 2}", 1, mapping.Ratio{Cycles: 9, Tokens: 8}},
		{"stores in flight", "{count: 3, element: i32, loads: 2, stores: 2" + deep + "}", 1, mapping.Ratio{Cycles: 1, Tokens: 1}},
		{"loads on one port", "{count: 1, element: i32, loads: 3, stores: 3" + deep + "}", 2, mapping.Ratio{Cycles: 2, Tokens: 1}},
		{"few slots", "{count: 3, element: i32, loads: 2, stores: 2, lsq_depth: 16, lane_depth: 2}", 1, mapping.Ratio{Cycles: 9, Tokens: 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := bridged(t, "mesh6x6", "extmemories: ["+c.memories+"]\n")
			fn := kernel(t, "vecadd", "pipelined", f)
			res, err := mapper.Map(fn, f, mapper.Options{Jobs: 2})
			if err != nil {
				t.Fatal(err)
			}
			l := res.Mapping.Timing.Loops[0]
			a, b := simulate(t, fn, f, res, 64), simulate(t, fn, f, res, 128)
			measured := float64(b.Cycles-a.Cycles) / 64
			t.Logf("recurrence %v, ports %d, II %v, measured %.3f", l.Recurrence, l.Memory, l.II, measured)
			if l.Memory != c.ports || l.II != c.ii {
				t.Errorf("%d accesses share a port, II %v; expected %d and %v", l.Memory, l.II, c.ports, c.ii)
			}
			if want := float64(l.II.Cycles) / float64(l.II.Tokens); measured < want*0.98 || measured > want*1.05 {
				t.Errorf("%.3f cycles per iteration measured, %.3f expected", measured, want)
			}
		})
	}
}
