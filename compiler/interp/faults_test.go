package interp_test

import (
	"fmt"
	"strings"
	"testing"

	"loom/compiler/diag"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/num"
	"loom/sim/vector"
)

// Faults during a run are outcomes with a position.
func TestFaultsAreOutcomes(t *testing.T) {
	for _, c := range []struct {
		name   string
		body   string
		status vector.Status
		code   int
		want   string
	}{
		{"load", "%v = memref.load %x[%n] : memref<?xi32>", vector.Error, 512,
			"f.mlir:3:6: load out of bounds: index [4] in memory %x of shape [4]"},
		{"negative", "%c = arith.constant -1 : index\nmemref.store %a, %x[%c] : memref<?xi32>", vector.Error, 512,
			"f.mlir:4:1: store out of bounds: index [-1] in memory %x of shape [4]"},
		{"matrix", "%m = memref.alloca(%n) : memref<2x?xi32>\n%v = memref.load %m[%n, %n] : memref<2x?xi32>", vector.Error, 512,
			"f.mlir:4:6: load out of bounds: index [4, 4] in memory %m of shape [2, 4]"},
		{"window", "%w = memref.subview %x[2] [%n] [1] : memref<?xi32> to memref<?xi32, strided<[1], offset: 2>>", vector.Error, 512,
			"f.mlir:3:6: the window with offsets [2], sizes [4] and strides [1] does not lie in memory of shape [4]"},
		{"reinterpret", "%w = memref.reinterpret_cast %x to offset: [0], sizes: [3], strides: [2] : memref<?xi32> to memref<3xi32, strided<[2]>>",
			vector.Error, 512, "f.mlir:3:6: the window at offset [0] with sizes [3] and strides [2] does not lie in its memory of 4 elements"},
		{"bytes", "%b = memref.alloca() : memref<8xi8>\n%w = memref.view %b[%n][%n] : memref<8xi8> to memref<?x2xi8>", vector.Error, 512,
			"f.mlir:4:6: the view of shape [4, 2] from byte 4 on does not lie in memory of shape [8]"},
		{"unsigned step", "%c = arith.constant 0 : index\nscf.for unsigned %i = %c to %n step %c {\n}", vector.Error, 259,
			"f.mlir:4:1: the loop starts with a step of 0, which is not positive"},
		{"freed", "%m = memref.alloc(%n) : memref<?xi32>\nmemref.dealloc %m : memref<?xi32>\n%c = arith.constant 1 : index\n%v = memref.load %m[%c] : memref<?xi32>",
			vector.Error, 512, "f.mlir:6:6: load of memory %m that has been freed"},
		{"freed twice", "%m = memref.alloc(%n) : memref<?xi32>\nmemref.dealloc %m : memref<?xi32>\nmemref.dealloc %m : memref<?xi32>",
			vector.Error, 0, "f.mlir:5:1: memory is freed twice"},
		{"huge", "%c = arith.constant 1000000000 : index\n%m = memref.alloc(%c) : memref<?xi32>", vector.Error, 0,
			"f.mlir:4:6: memory of shape [1000000000] is too large"},
		{"negative extent", "%c = arith.constant -1 : index\n%m = memref.alloc(%c) : memref<?xi32>", vector.Error, 0,
			"f.mlir:4:6: memory of negative extent: shape [-1]"},
		{"cast", "%m = memref.cast %x : memref<?xi32> to memref<3xi32>", vector.Error, 0,
			"f.mlir:3:6: cast of memory of shape [4] to another shape"},
		{"copy", "%m = memref.alloc() : memref<3xi32>\n%d = memref.cast %m : memref<3xi32> to memref<?xi32>\nmemref.copy %x, %d : memref<?xi32> to memref<?xi32>",
			vector.Error, 0, "f.mlir:5:1: copy of shape [4] to shape [3]"},
		{"step", "%c = arith.constant 0 : index\nscf.for %i = %c to %n step %c {\n}", vector.Error, 259,
			"f.mlir:4:1: the loop starts with a step of 0, which is not positive"},
		{"step of no loop", "%c = arith.constant 0 : index\nscf.for %i = %n to %c step %c {\n}", vector.Done, 0, ""},
		{"endless", "scf.while : () -> () {\n%t = arith.constant true\nscf.condition(%t)\n} do {\nscf.yield\n}", vector.Budget, 0,
			"the limit of 10000 steps is reached here"},
		{"endless for", "%c = arith.constant 0 : index\n%h = arith.constant 1000000000000 : index\n%s = arith.constant 1 : index\nscf.for %i = %c to %h step %s {\n}",
			vector.Budget, 0, "the limit of 10000 steps is reached here"},
		{"endless branch", "cf.br ^a\n^a:\ncf.br ^a\n^b:", vector.Budget, 0, "the limit of 10000 steps is reached here"},
		{"recursion", "func.call @f(%n, %a, %x) : (index, i32, memref<?xi32>) -> ()", vector.Error, 0,
			"f.mlir:3:1: calls are nested more than 1000 deep"},
		{"assert", "%c = arith.constant false\ncf.assert %c, \"no\"", vector.Error, 0, "f.mlir:4:1: assertion failed: no"},
		{"dimension", "%d = memref.dim %x, %n : memref<?xi32>", vector.Error, 0, "f.mlir:3:6: dimension 4 of memory of shape [4]"},
	} {
		text := "\nfunc.func @f(%n: index, %a: i32, %x: memref<?xi32>) {\n" + c.body + "\nreturn\n}\n"
		fn := parse(t, "f.mlir", text)
		in := inputs(t, fn, `{"args": {"n": 4, "a": 1, "x": [1, 2, 3, 4]}}`)
		out, err := interp.Run(fn, in, interp.Options{MaxSteps: 10000})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if out.Status != c.status || out.ErrorCode != c.code || !strings.Contains(strings.Join(out.Detail, "\n"), c.want) {
			t.Errorf("%s: %s %d %q, want %s %d %q", c.name, out.Status, out.ErrorCode, out.Detail, c.status, c.code, c.want)
		}
	}
}

// A fault inside calls reports the call stack.
func TestFaultInCall(t *testing.T) {
	fn := parse(t, "f.mlir", `
func.func @f(%x: memref<2xi32>) {
  func.call @g(%x) : (memref<2xi32>) -> ()
  return
}
func.func @g(%y: memref<2xi32>) {
  %c = arith.constant 2 : index
  %v = memref.load %y[%c] : memref<2xi32>
  return
}`)
	out, err := interp.Run(fn, inputs(t, fn, `{"args": {"x": [1, 2]}}`), interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := "f.mlir:8:8: load out of bounds: index [2] in memory %y of shape [2]|f.mlir:3:3: called here"
	if got := strings.Join(out.Detail, "|"); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// An operation that cannot be executed is an error at its position, not a panic, also
// in IR that has not been verified.
func TestCompileErrors(t *testing.T) {
	mem := ir.MemRef([]int64{2}, ir.I32)
	pos := diag.Pos{File: "f.mlir", Line: 7, Col: 3}
	build := func(fill func(b *ir.Block, x *ir.Value, m *ir.Value)) *ir.Operation {
		fn := ir.NewOp("func.func", pos, nil, nil)
		fn.SetAttr("sym_name", ir.StrAttr("f"))
		fn.SetAttr("function_type", &ir.TypeAttr{Type: ir.Func([]ir.Type{ir.I32, mem}, nil)})
		b := fn.AddRegion().AddBlock()
		x, m := b.AddArg(ir.I32, "x", pos), b.AddArg(mem, "m", pos)
		fill(b, x, m)
		b.Append(ir.NewOp("func.return", pos, nil, nil))
		return fn
	}
	op := func(name string, operands []*ir.Value, results ...ir.Type) *ir.Operation {
		return ir.NewOp(name, pos, operands, results)
	}
	names := []string{"scf.for", "scf.while", "scf.if", "scf.index_switch", "scf.execute_region", "scf.parallel", "scf.forall",
		"memref.load", "memref.store", "memref.alloc", "memref.alloca", "memref.dealloc", "memref.dim", "memref.rank", "memref.copy",
		"memref.get_global", "memref.cast", "memref.subview", "memref.reinterpret_cast", "memref.collapse_shape", "memref.expand_shape",
		"memref.extract_strided_metadata", "memref.atomic_rmw", "memref.alloca_scope", "func.call", "cf.assert", "cf.br", "cf.cond_br",
		"cf.switch", "scf.yield", "arith.addi", "arith.constant", "arith.select", "handshake.join", "no.such"}
	for _, name := range names {
		for n := range 5 {
			for regions := range 3 {
				for results := range 3 {
					fn := build(func(b *ir.Block, x, m *ir.Value) {
						o := op(name, nil)
						for i := range n {
							o.AddOperand([]*ir.Value{x, m}[(i+results)%2])
						}
						for range regions {
							o.AddRegion().AddBlock().Append(op("scf.yield", nil))
						}
						for i := range results {
							o.AddResult([]ir.Type{ir.I32, mem}[(i+n)%2])
						}
						b.Append(o)
					})
					// Some combinations are legal; none may panic.
					_, err := interp.Compile(fn, interp.Options{})
					if err == nil {
						continue
					}
					for _, d := range diag.FromError(err).All {
						if !d.Pos.IsValid() {
							t.Errorf("%s with %d operands: %v has no position", name, n, d)
						}
					}
				}
			}
		}
	}
	for want, fn := range map[string]*ir.Operation{
		"'no.such' cannot be executed": build(func(b *ir.Block, x, _ *ir.Value) { b.Append(op("no.such", nil)) }),
		"operand #1 of 'arith.addi' is not defined before its use": build(func(b *ir.Block, x, _ *ir.Value) {
			b.Append(op("arith.addi", []*ir.Value{x, op("arith.constant", nil, ir.I32).Result(0)}, ir.I32))
		}),
		"is no function": op("scf.for", nil),
		"function @f has no body": func() *ir.Operation {
			f := build(func(*ir.Block, *ir.Value, *ir.Value) {})
			f.Regions[0].Blocks = nil
			return f
		}(),
		"values of type vector<4xi32> c": build(func(b *ir.Block, x, _ *ir.Value) {
			b.Append(op("ub.poison", nil, ir.Shaped("vector", []int64{4}, ir.I32)))
		}),
	} {
		_, err := interp.Compile(fn, interp.Options{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func TestBadArguments(t *testing.T) {
	fn := parse(t, "f.mlir", "func.func @f(%a: i32, %x: memref<2xi32>) {\nreturn\n}")
	mem := func(shape []int64, n int) *vector.Memory {
		return &vector.Memory{Elem: ir.I32, Shape: shape, Data: make([]uint64, n)}
	}
	for _, args := range [][]vector.Arg{
		{},
		{{Scalar: 1}, {Scalar: 1}},
		{{Mem: mem([]int64{2}, 2)}, {Mem: mem([]int64{2}, 2)}},
		{{}, {Mem: mem([]int64{3}, 3)}},
		{{}, {Mem: mem([]int64{2}, 3)}},
		{{}, {Mem: mem([]int64{2, 1}, 2)}},
		{{}, {Mem: &vector.Memory{Elem: ir.I8, Shape: []int64{2}, Data: make([]uint64, 2)}}},
	} {
		if _, err := interp.Run(fn, &vector.Inputs{Args: args}, interp.Options{}); err == nil {
			t.Errorf("%v is accepted", args)
		}
	}
}

// The operations that the interpreter computes itself have the results of package num.
func TestCommonOperations(t *testing.T) {
	for _, name := range []string{"addi", "subi", "muli"} {
		for _, ty := range []string{"i1", "i8", "i13", "i32", "i64", "index"} {
			fn := parse(t, "f.mlir", fmt.Sprintf("func.func @f(%%a: %s, %%b: %s) -> %s {\n%%r = arith.%s %%a, %%b : %s\nreturn %%r : %s\n}", ty, ty, ty, name, ty, ty))
			op := fn.Regions[0].Entry().Ops[0]
			for _, width := range []int{32, 64} {
				for _, v := range [][]uint64{{3, 5}, {1<<63 + 7, 1<<62 + 9}, {^uint64(0), ^uint64(0)}, {0, 1}} {
					out, err := interp.Run(fn, &vector.Inputs{Args: []vector.Arg{{Scalar: v[0]}, {Scalar: v[1]}}}, interp.Options{IndexWidth: width})
					if err != nil {
						t.Fatal(err)
					}
					want, err := num.Eval(op, v, width)
					if err != nil || out.Results[0].Bits != want[0] {
						t.Errorf("%s %s (%#x): %#x, want %#x, %v", name, ty, v, out.Results[0].Bits, want, err)
					}
				}
			}
		}
	}
}

// BenchmarkMatmul measures operations per second on a triple loop.
func BenchmarkMatmul(b *testing.B) {
	fn := parse(b, "f.mlir", `
func.func @matmul(%a: memref<32x32xi32>, %b: memref<32x32xi32>, %c: memref<32x32xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 32 : index
  %z = arith.constant 0 : i32
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %s = scf.for %k = %c0 to %n step %c1 iter_args(%t = %z) -> (i32) {
        %x = memref.load %a[%i, %k] : memref<32x32xi32>
        %y = memref.load %b[%k, %j] : memref<32x32xi32>
        %p = arith.muli %x, %y : i32
        %q = arith.addi %t, %p : i32
        scf.yield %q : i32
      }
      memref.store %s, %c[%i, %j] : memref<32x32xi32>
    }
  }
  return
}`)
	sig, _ := vector.SignatureOf(fn)
	in, err := vector.Random(sig, 1, 32, 64)
	if err != nil {
		b.Fatal(err)
	}
	p, err := interp.Compile(fn, interp.Options{})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := p.Run(in); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*32*32*32*5/b.Elapsed().Seconds()/1e6, "Mops/s")
}
