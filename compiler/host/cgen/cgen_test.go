package cgen_test

import (
	"strings"
	"testing"

	_ "loom/compiler/dialect/all"

	"loom/compiler/host/cgen"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/num"
	"loom/internal/randprog"
	"loom/internal/soak"
	"loom/internal/testkit"
	"loom/internal/tools/toolstest"
	"loom/sim/vector"
)

// host are the constructs that the front end yields.
const host = randprog.Switches | randprog.ExecuteRegions | randprog.WhileShapes | randprog.CountedWhiles | randprog.LoopTypes |
	randprog.UnsignedLoops | randprog.Sweeps | randprog.Calls | randprog.Buffers | randprog.Globals | randprog.Floats | randprog.Fences

// TestRandomProgramsAsC compares random programs, written as C and compiled, with the
// interpreter, at both index widths, with the values that package num gives to what C
// leaves undefined; clang's sanitizer finds nothing undefined in the C.
func TestRandomProgramsAsC(t *testing.T) {
	gcc := toolstest.Path(t, "gcc")
	programs := soak.Scale(70, 3000)
	for _, width := range []int{32, 64} {
		b := &batch{width: width}
		type expected struct {
			seed uint64
			m    *ir.Operation
			in   *vector.Inputs
			out  *vector.Outcome
		}
		var want []expected
		skipped := 0
		for i := range programs {
			seed := uint64(i) + uint64(width)*1_000_000
			opts := randprog.Options{Extended: i%2 == 0, Locals: i%3 == 0, IndexWidth: width}
			if i%3 == 1 {
				opts.Use, opts.MaxOps = host, 80
			}
			if i%9 == 1 {
				opts.Use |= randprog.Views | randprog.Shapes | randprog.Parallels
			}
			m := randprog.Generate(seed, opts)
			fn := randprog.Function(m)
			id, err := b.add(m, fn)
			if err != nil {
				if opts.Use&^host == 0 || strings.Contains(err.Error(), "no C form here") {
					t.Fatalf("seed %d: %v\n%s", seed, err, mlir.Print(m, mlir.Options{}))
				}
				skipped++
				continue
			}
			p, err := interp.Compile(fn, interp.Options{IndexWidth: width})
			if err != nil {
				t.Fatal(err)
			}
			for k := range uint64(3) {
				in := randprog.Inputs(m, k)
				out, err := p.Run(in)
				if err != nil || out.Status != vector.Done {
					t.Fatalf("seed %d: %v %v", seed, err, out)
				}
				b.run(id, in)
				want = append(want, expected{seed, m, in, out})
			}
		}
		got := b.execute(t, gcc, "-std=c99", "-O0", "-fsanitize=undefined", "-fno-sanitize-recover=undefined")
		bad := 0
		for i, e := range want {
			if d := vector.Diff(quiet(e.out), quiet(got[i])); d != nil {
				t.Errorf("index width %d, seed %d (want is the interpreter): %v\n%s\n%s\n%s", width, e.seed, d, e.in.JSON(), mlir.Print(e.m, mlir.Options{}), b.units[b.runs[i].program])
				if bad++; bad == 2 {
					t.FailNow()
				}
			}
		}
		t.Logf("index width %d: %d runs agree, %d of %d programs have no C form", width, len(want), skipped, programs)
		if skipped > programs/3 {
			t.Errorf("only %d of %d programs became C", programs-skipped, programs)
		}
	}
}

// quiet makes every NaN the same: which one an operation yields differs.
func quiet(o *vector.Outcome) *vector.Outcome {
	one := func(bits uint64, t ir.Type) uint64 {
		if x, ok := num.DecodeFloat(bits, t); ir.IsFloat(t) && ok && x != x {
			return 0x7fc00000
		}
		return bits
	}
	for i := range o.Results {
		o.Results[i].Bits = one(o.Results[i].Bits, o.Results[i].Type)
	}
	for _, m := range o.Memories {
		for i := range m.Data {
			m.Data[i] = one(m.Data[i], m.Elem)
		}
	}
	return o
}

// TestKernelsAsC does the same with the shipped kernels, as C17 and as C++.
func TestKernelsAsC(t *testing.T) {
	for _, c := range []struct{ cc, std string }{{"gcc", "-std=c17"}, {"g++", "-std=c++17"}, {"clang-19", "-std=c99"}} {
		b := &batch{width: 32}
		var want []*vector.Outcome
		cc := toolstest.Path(t, c.cc)
		for _, name := range []string{"condcopy", "crc", "dot", "gcd", "histogram", "matvec", "oddeven", "reverse", "scan", "stencil", "vecadd"} {
			m := testkit.Kernel(t, name)
			fn := testkit.Function(m)
			id, err := b.add(m, fn)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			sig, err := vector.SignatureOf(fn)
			if err != nil {
				t.Fatal(err)
			}
			for seed := range uint64(3) {
				in, err := vector.Random(sig, seed, 7, 32)
				if err != nil {
					t.Fatal(err)
				}
				out, err := interp.Run(fn, in, interp.Options{IndexWidth: 32})
				if err != nil {
					t.Fatal(err)
				}
				if out.Status != vector.Done {
					continue
				}
				b.run(id, in)
				want = append(want, out)
			}
		}
		got := b.execute(t, cc, c.std, "-O1")
		for i, w := range want {
			if d := vector.Diff(w, got[i]); d != nil {
				t.Errorf("%s: run %d of %s: %v", c.cc, i, b.sigs[b.runs[i].program].Name, d)
			}
		}
		if len(want) < 20 {
			t.Errorf("only %d runs", len(want))
		}
	}
}

// TestEveryOperationHasC writes one function per pure operation of package num.
func TestEveryOperationHasC(t *testing.T) {
	known := map[string]bool{}
	for _, n := range cgen.Operations() {
		known[n] = true
	}
	for _, n := range num.Names() {
		if !known[n] {
			t.Errorf("%s has no C form", n)
		}
	}
}

// TestOverlappingCopy: all elements of a window are read before one is written.
func TestOverlappingCopy(t *testing.T) {
	m, err := mlir.ParseAndVerify("c.mlir", `func.func @shift(%x: memref<6xi32>) {
  %a = memref.subview %x[0] [5] [1] : memref<6xi32> to memref<5xi32, strided<[1]>>
  %b = memref.subview %x[1] [5] [1] : memref<6xi32> to memref<5xi32, strided<[1], offset: 1>>
  memref.copy %a, %b : memref<5xi32, strided<[1]>> to memref<5xi32, strided<[1], offset: 1>>
  return
}`)
	if err != nil {
		t.Fatal(err)
	}
	fn := testkit.Function(m)
	b := &batch{width: 32}
	id, err := b.add(m, fn)
	if err != nil {
		t.Fatal(err)
	}
	in := &vector.Inputs{Args: []vector.Arg{{Name: "x", Type: fn.Regions[0].Entry().Args[0].Type, Mem: &vector.Memory{Name: "x", Elem: ir.I32, Shape: []int64{6}, Data: []uint64{1, 2, 3, 4, 5, 6}}}}}
	want, err := interp.Run(fn, in, interp.Options{IndexWidth: 32})
	if err != nil {
		t.Fatal(err)
	}
	b.run(id, in)
	if d := vector.Diff(want, b.execute(t, toolstest.Path(t, "gcc"), "-std=c99")[0]); d != nil {
		t.Error(d)
	}
}
