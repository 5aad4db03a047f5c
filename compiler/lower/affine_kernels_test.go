package lower

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/internal/randprog"
	"loom/sim/vector"
)

// affineModels are the kernels of testdata/affine in Go. A model gets the
// arguments, memories as their elements, and returns what the function does.
var affineModels = map[string]func(mem [][]int32, n []int64) []int32{
	"stencil": func(mem [][]int32, _ []int64) []int32 {
		in, out := mem[0], mem[1]
		for i := 1; i < 7; i++ {
			for j := 1; j < 8; j++ {
				at := 9*i + j
				out[at] = (in[at-9] + in[at+9] + in[at-1] + in[at+1]) >> 2
			}
		}
		return nil
	},
	"triangle": func(mem [][]int32, _ []int64) []int32 {
		l, b, x := mem[0], mem[1], mem[2]
		for i := range 6 {
			x[i] = b[i]
			for j := range i {
				x[i] -= l[6*i+j] * x[j]
			}
		}
		return nil
	},
	"blockcopy": func(mem [][]int32, n []int64) []int32 {
		copy(mem[1][:max(n[0], 0)], mem[0])
		return nil
	},
	"border": func(mem [][]int32, n []int64) []int32 {
		rest := int32(0)
		for i := range 6 {
			for j := range 7 {
				switch {
				case i == 0 || i == 5 || j == 0 || j == 6:
					mem[0][7*i+j] = int32(n[0])
				case i == j:
					mem[0][7*i+j] = int32(n[1])
				default:
					rest++
				}
			}
		}
		return []int32{rest}
	},
}

// modelOutcome runs a model on the inputs of a run.
func modelOutcome(in *vector.Inputs, model func([][]int32, []int64) []int32) *vector.Outcome {
	out := &vector.Outcome{Status: vector.Done}
	var mem [][]int32
	var n []int64
	for _, a := range in.Clone().Args {
		if a.Mem == nil {
			n = append(n, int64(a.Scalar))
			continue
		}
		var data []int32
		for _, v := range a.Mem.Data {
			data = append(data, int32(v))
		}
		mem, out.Memories = append(mem, data), append(out.Memories, a.Mem)
	}
	for _, r := range model(mem, n) {
		out.Results = append(out.Results, vector.Scalar{Type: ir.I32, Bits: uint64(uint32(r))})
	}
	for i, m := range out.Memories {
		for k, v := range mem[i] {
			m.Data[k] = uint64(uint32(v))
		}
	}
	return out
}

// TestAffineKernels: kernels in affine form do what their models do, as programs
// and as graphs; what the pass makes of them is kept as golden text.
func TestAffineKernels(t *testing.T) {
	files, err := filepath.Glob("testdata/affine/*.mlir")
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, file := range files {
		name, isKernel := strings.CutSuffix(filepath.Base(file), ".mlir")
		if strings.HasSuffix(name, ".scf") || !isKernel {
			continue
		}
		model := affineModels[name]
		if model == nil {
			t.Fatalf("%s has no model", file)
		}
		ran++
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m, err := mlir.ParseAndVerify(filepath.Base(file), string(src))
		if err != nil {
			t.Fatal(err)
		}
		fn := randprog.Function(m)
		sig, err := vector.SignatureOf(fn)
		if err != nil {
			t.Fatal(err)
		}
		for _, size := range []int64{0, 1, 3, 4, 9} {
			in, err := vector.Random(sig, uint64(size), size, 64)
			if err != nil {
				t.Fatal(err)
			}
			for i, a := range in.Args {
				if a.Name == "n" {
					in.Args[i].Scalar = uint64(size)
				}
			}
			if diff := vector.Diff(modelOutcome(in, model), meaning(t, m, in, 64)); len(diff) > 0 {
				t.Errorf("%s, size %d: the interpreter: %v", name, size, diff)
			}
			for _, order := range []string{"serial", "pipelined"} {
				if d, err := disagreement(fn, in, uint64(size), Options{MemoryOrder: order}); err != nil || d != "" {
					t.Errorf("%s, %s, size %d: %v %s", name, order, size, err, d)
				}
			}
		}
		var dump bytes.Buffer
		_, err = Lower(m, Options{DumpAfter: "affine", DumpTo: &dump, Print: func(op *ir.Operation) string { return mlir.Print(op, mlir.Options{}) }})
		if err != nil {
			t.Fatal(err)
		}
		golden := "testdata/affine/" + name + ".scf.mlir"
		if *update || os.Getenv("LOOM_UPDATE") != "" {
			if err := os.WriteFile(golden, dump.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), dump.String()); diff != "" {
			t.Errorf("%s (-want +got; LOOM_UPDATE=1 rewrites):\n%s", golden, diff)
		}
	}
	if ran != len(affineModels) {
		t.Errorf("%d of %d kernels were found", ran, len(affineModels))
	}
}

// TestAffineCalls: a callee in affine form is inlined where its parameters are no
// symbols any more.
func TestAffineCalls(t *testing.T) {
	m := parse(t, `func.func private @row(%m: memref<4x5xi32>, %i: index, %n: index) -> i32 {
  %zero = arith.constant 0 : i32
  %sum = affine.for %j = 0 to min affine_map<()[s0] -> (s0, 5)>()[%n] iter_args(%s = %zero) -> (i32) {
    %v = affine.load %m[symbol(%i), %j] : memref<4x5xi32>
    %t = arith.addi %s, %v : i32
    affine.yield %t : i32
  }
  return %sum : i32
}
func.func @f(%m: memref<4x5xi32>, %out: memref<4xi32>) {
  affine.for %i = 0 to 4 {
    %n = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
    %s = func.call @row(%m, %i, %n) : (memref<4x5xi32>, index, index) -> i32
    affine.store %s, %out[%i] : memref<4xi32>
  }
  return
}`)
	fn := m.Regions[0].Entry().Ops[1]
	sig, err := vector.SignatureOf(fn)
	if err != nil {
		t.Fatal(err)
	}
	in, err := vector.Random(sig, 1, 4, 64)
	if err != nil {
		t.Fatal(err)
	}
	if d, err := disagreement(fn, in, 1, Options{Function: "f"}); err != nil || d != "" {
		t.Errorf("%v %s", err, d)
	}
}
