package simplify

import (
	"path/filepath"
	"strings"
	"testing"

	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/lower"
	"loom/compiler/opname"
	"loom/internal/testkit"
	"loom/sim/token"
	"loom/sim/vector"
)

// circuits counts the operations of a graph that are circuits of their own: no constants, holds,
// casts, memories and joins of one.
func circuits(graph *ir.Operation) int {
	n := 0
	for _, op := range graph.Regions[0].Entry().Ops {
		switch op.Name {
		case opname.HandshakeConstant, opname.DataflowHold, opname.HandshakeReturn, opname.HandshakeExtmemory, opname.HandshakeMemory:
			continue
		case opname.HandshakeJoin:
			if op.NumOperands() == 1 {
				continue
			}
		}
		if !isCast(op) {
			n++
		}
	}
	return n
}

// TestKernels: the direct graphs of the shipped kernels are smaller, compute the same, and take
// no longer, however fast memory is, but for the start of loops that are nested.
func TestKernels(t *testing.T) {
	most := map[string]int{"vecadd": 8, "dot": 8, "matvec": 22}
	files, err := filepath.Glob(testkit.Testdata(t, "kernels", "*.mlir"))
	if err != nil || len(files) == 0 {
		t.Fatal("no kernels", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".mlir")
		low, err := lower.Lower(testkit.Kernel(t, name), lower.Options{MemoryOrder: "pipelined", IndexWidth: 32})
		if err != nil {
			t.Fatal(err)
		}
		direct, err := Run(low.Func, Options{IndexWidth: 32})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		before, after := circuits(low.Func), circuits(direct)
		t.Logf("%s: %d operations, %d before", name, after, before)
		if limit := most[name]; after > before || limit > 0 && after > limit {
			t.Errorf("%s: %d operations of %d are left, at most %d are expected", name, after, before, limit)
		}
		sameInTime(t, name, low.Func, direct)
	}
}

// TestKernelsOnFabrics: so they do simplified for a fabric.
func TestKernelsOnFabrics(t *testing.T) {
	files, err := filepath.Glob(testkit.Testdata(t, "kernels", "*.mlir"))
	if err != nil || len(files) == 0 {
		t.Fatal("no kernels", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".mlir")
		low, err := lower.Lower(testkit.Kernel(t, name), lower.Options{MemoryOrder: "pipelined", IndexWidth: 32})
		if err != nil {
			t.Fatal(err)
		}
		small, err := Run(low.Func, Options{IndexWidth: 32, Fabric: &Fabric{}})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		sameInTime(t, name, low.Func, small)
	}
}

// sameInTime reports where a simplified graph computes something else, or takes more cycles of a timed
// run, but for the start of loops that are nested.
func sameInTime(t *testing.T, name string, before, after *ir.Operation) {
	t.Helper()
	sig, err := vector.SignatureOf(before)
	if err != nil {
		t.Fatal(err)
	}
	in, err := vector.Random(sig, 1, 20, 32)
	if err != nil {
		t.Fatal(err)
	}
	for i := range in.Args {
		if in.Args[i].Mem == nil && in.Args[i].Type == ir.Type(ir.Index) {
			in.Args[i].Scalar = 16
		}
	}
	for _, cycles := range []int64{1, 4, 20} {
		var out [2]*vector.Outcome
		for k, graph := range []*ir.Operation{before, after} {
			p, err := token.Compile(graph, 32)
			if err != nil {
				t.Fatal(err)
			}
			if out[k], _, err = p.RunTimed(in, token.TimedOptions{Model: latency.Model{Memory: latency.Fixed(cycles), IndexWidth: 32}}); err != nil {
				t.Fatal(err)
			}
		}
		if diff := vector.Diff(out[0], out[1]); len(diff) > 0 || out[1].Status != out[0].Status {
			t.Errorf("%s: %s %v %v", name, out[1].Status, diff, out[1].Detail)
		}
		t.Logf("%s with memory of %d cycles: %d cycles, %d before", name, cycles, out[1].Cycles, out[0].Cycles)
		const nested = 1
		if out[1].Cycles > out[0].Cycles+nested {
			t.Errorf("%s with memory of %d cycles: %d cycles, %d before", name, cycles, out[1].Cycles, out[0].Cycles)
		}
	}
}
