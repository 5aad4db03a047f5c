package lower

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/dfg"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/internal/randprog"
	"loom/sim/vector"
)

var update = flag.Bool("update", os.Getenv("LOOM_UPDATE") != "", "rewrite the golden files")

const kernelDir = "../../testdata/kernels"

// kernels reads every shipped kernel.
func kernels(tb testing.TB) map[string]*ir.Operation {
	tb.Helper()
	files, err := filepath.Glob(filepath.Join(kernelDir, "*.mlir"))
	if err != nil || len(files) == 0 {
		tb.Fatalf("no kernels in %s: %v", kernelDir, err)
	}
	out := map[string]*ir.Operation{}
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			tb.Fatal(err)
		}
		m, err := mlir.ParseAndVerify(filepath.Base(f), string(src))
		if err != nil {
			tb.Fatal(err)
		}
		out[strings.TrimSuffix(filepath.Base(f), ".mlir")] = m
	}
	return out
}

// checkGolden compares text with a file in testdata, or rewrites it.
func checkGolden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got; rewrite with -update):\n%s", path, diff)
	}
}

// TestKernelGraphs pins the graphs of the shipped kernels. Their text parses
// again, verifies and prints the same.
func TestKernelGraphs(t *testing.T) {
	for name, m := range kernels(t) {
		for _, order := range []string{"serial", "pipelined"} {
			t.Run(name+"/"+order, func(t *testing.T) {
				res, err := Lower(m, Options{MemoryOrder: order})
				if err != nil {
					t.Fatal(err)
				}
				text := mlir.Print(res.Module, mlir.Options{})
				checkGolden(t, name+"."+order+".dfg.mlir", text)
				again, err := mlir.ParseAndVerify("again", text)
				if err != nil {
					t.Fatalf("the printed graph does not parse: %v\n%s", err, text)
				}
				errs := &diag.List{}
				dfg.Verify(again.Regions[0].Entry().Ops[0], errs)
				if len(errs.All) > 0 {
					t.Errorf("the printed graph does not verify: %v", errs)
				}
				if diff := cmp.Diff(text, mlir.Print(again, mlir.Options{})); diff != "" {
					t.Errorf("printing again differs:\n%s", diff)
				}
			})
		}
	}
}

// TestKernelSizes guards the quality of results: every operation costs a unit.
func TestKernelSizes(t *testing.T) {
	want := map[string][2]int{ // serial, pipelined
		"vecadd": {23, 21}, "dot": {25, 24}, "condcopy": {25, 24}, "matvec": {53, 47}, "gcd": {8, 8}, "scan": {22, 21},
		"histogram": {25, 24}, "reverse": {22, 21},
		"stencil": {41, 38}, "crc": {40, 39}, "oddeven": {39, 40},
	}
	for name, m := range kernels(t) {
		for i, order := range []string{"serial", "pipelined"} {
			res, err := Lower(m, Options{MemoryOrder: order})
			if err != nil {
				t.Fatal(err)
			}
			budget, listed := want[name]
			if !listed {
				t.Errorf("%s has no budget", name)
			} else if n := dfg.Stats(res.Func).Operations; n > budget[i] {
				t.Errorf("%s takes %d operations in %s order, %d were enough", name, n, order, budget[i])
			}
		}
	}
}

// TestKernels runs every kernel at levels 1 and 2, from empty to full loops.
func TestKernels(t *testing.T) {
	for name, m := range kernels(t) {
		fn := randprog.Function(m)
		sig, err := vector.SignatureOf(fn)
		if err != nil {
			t.Fatal(err)
		}
		for _, order := range []string{"serial", "pipelined"} {
			for _, size := range []int64{0, 1, 2, 5, 16} {
				for seed := range uint64(6) {
					in, err := vector.Random(sig, seed, size, 64)
					if err != nil {
						t.Fatal(err)
					}
					if d, err := disagreement(fn, in, seed, Options{MemoryOrder: order}); err != nil || d != "" {
						t.Errorf("%s, %s, size %d, seed %d: %v %s", name, order, size, seed, err, d)
					}
				}
			}
		}
	}
}

// TestDeterministic: the same input gives the same bytes, and Lower leaves its
// input alone.
func TestDeterministic(t *testing.T) {
	for seed := range uint64(50) {
		m := randprog.Generate(seed, variety(seed))
		before := mlir.Print(m, mlir.Options{})
		var first string
		for range 3 {
			res, err := Lower(m, Options{})
			if err != nil {
				t.Fatal(err)
			}
			text := mlir.Print(res.Module, mlir.Options{})
			if first == "" {
				first = text
			}
			if text != first {
				t.Fatalf("seed %d: two graphs of one program:\n%s", seed, cmp.Diff(first, text))
			}
		}
		if diff := cmp.Diff(before, mlir.Print(m, mlir.Options{})); diff != "" {
			t.Fatalf("seed %d: the input was changed:\n%s", seed, diff)
		}
	}
}

// TestPositions: every operation of a graph knows the line it comes from, and
// results are named after the source.
func TestPositions(t *testing.T) {
	res, err := Lower(kernels(t)["dot"], Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, op := range res.Func.Regions[0].Entry().Ops {
		if op.Pos.File != "dot.mlir" || op.Pos.Line == 0 {
			t.Errorf("'%s' has position %v", op.Name, op.Pos)
		}
		switch op.Name {
		case "handshake.load", "arith.muli", "arith.addi", "dataflow.carry":
			got = append(got, fmt.Sprintf("%d %s %%%s", op.Pos.Line, op.Name, op.Result(0).Name))
		}
	}
	want := []string{
		"6 dataflow.carry %sum",
		"7 handshake.load %x",
		"8 handshake.load %y",
		"9 arith.muli %product",
		"10 arith.addi %next",
		"6 dataflow.carry %a_order",
		"6 dataflow.carry %b_order",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
