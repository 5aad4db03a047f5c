package inputs_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"loom/compiler/cabi"
	_ "loom/compiler/dialect/all"
	"loom/compiler/ir"
	"loom/compiler/lower"
	"loom/compiler/mlir"
	"loom/internal/testkit"
	"loom/sim/inputs"
	"loom/sim/token"
	"loom/sim/vector"
)

// graph lowers a function and describes each of its parameters as one of C; types are
// the C types in order.
func graph(t testing.TB, text string, types ...string) *ir.Operation {
	t.Helper()
	mod, err := mlir.ParseAndVerify("k.mlir", text)
	if err != nil {
		t.Fatal(err)
	}
	fn := testkit.Function(mod)
	c := &cabi.Function{Name: fn.SymName()}
	for i, a := range fn.Regions[0].Entry().Args {
		p := cabi.Param{Name: a.Name, Class: cabi.Scalar}
		q := cabi.Piece{Index: i}
		if i < len(types) {
			p.Type = types[i]
			p.Unsigned = strings.Contains(types[i], "unsigned")
		}
		elem := a.Type
		if mt, ok := a.Type.(*ir.MemRefType); ok {
			elem = mt.Elem
			p.Class = cabi.Pointer
		}
		w, _ := ir.BitWidth(elem, 64)
		p.Size = int64(w+7) / 8
		if p.Class == cabi.Pointer {
			q.Stride = p.Size
		}
		if name, field, ok := strings.Cut(a.Name, "."); ok && p.Class == cabi.Pointer {
			q.Field = field
			if n := len(c.Params); n > 0 && c.Params[n-1].Name == name {
				q.Offset = c.Params[n-1].Size
				c.Params[n-1].Size += p.Size
				c.Params[n-1].Pieces = append(c.Params[n-1].Pieces, q)
				continue
			}
			p.Name = name
		}
		p.Pieces = []cabi.Piece{q}
		c.Params = append(c.Params, p)
	}
	cabi.Set(fn, c)
	res, err := lower.Lower(mod, lower.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return res.Func
}

func random(t testing.TB, fn *ir.Operation, seed uint64, size int64) *vector.Inputs {
	t.Helper()
	res, err := inputs.Random(fn, inputs.Options{Seed: seed, Size: size})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Warnings.All) > 0 {
		t.Errorf("seed %d: %v", seed, res.Warnings.Err())
	}
	return res.Inputs
}

const gather = `func.func @gather(%x: memref<?xi32>, %idx: memref<?xi32>, %y: memref<?xi32>, %n: i32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %end = arith.index_cast %n : i32 to index
  scf.for %i = %zero to %end step %one {
    %k = memref.load %idx[%i] : memref<?xi32>
    %at = arith.index_cast %k : i32 to index
    %v = memref.load %x[%at] : memref<?xi32>
    memref.store %v, %y[%i] : memref<?xi32>
  }
  return
}`

// kernels are the shapes that decide about inputs.
var kernels = []struct {
	name, text string
	types      []string
	// check looks at inputs of size 12 and any seed.
	check func(in *vector.Inputs) error
}{
	{"gather", gather, nil, func(in *vector.Inputs) error {
		return all(in, "idx", func(k int, v int64) bool { return v >= 0 && v < 12 })
	}},
	{"scatter of bytes without sign", `func.func @f(%h: memref<?xi32>, %x: memref<?xi8>, %n: i32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %inc = arith.constant 1 : i32
  %end = arith.index_cast %n : i32 to index
  scf.for %i = %zero to %end step %one {
    %k = memref.load %x[%i] : memref<?xi8>
    %at = arith.index_castui %k : i8 to index
    %v = memref.load %h[%at] : memref<?xi32>
    %w = arith.addi %v, %inc : i32
    memref.store %w, %h[%at] : memref<?xi32>
  }
  return
}`, []string{"int *", "const uint8_t *"}, nil},
	{"a local table", `func.func @f(%x: memref<?xi32>, %n: i32) -> i32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %inc = arith.constant 1 : i32
  %h = memref.alloca() : memref<5xi32>
  %end = arith.index_cast %n : i32 to index
  scf.for %i = %zero to %end step %one {
    %k = memref.load %x[%i] : memref<?xi32>
    %at = arith.index_cast %k : i32 to index
    %v = memref.load %h[%at] : memref<5xi32>
    %w = arith.addi %v, %inc : i32
    memref.store %w, %h[%at] : memref<5xi32>
  }
  %r = memref.load %h[%zero] : memref<5xi32>
  return %r : i32
}`, nil, func(in *vector.Inputs) error {
		return all(in, "x", func(k int, v int64) bool { return v >= 0 && v < 5 })
	}},
	{"rows of a sparse matrix", `func.func @f(%row: memref<?xi32>, %col: memref<?xi32>, %x: memref<?xf32>, %y: memref<?xf32>, %n: i32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %nothing = arith.constant 0.0 : f32
  %end = arith.index_cast %n : i32 to index
  scf.for %i = %zero to %end step %one {
    %i1 = arith.addi %i, %one : index
    %from = memref.load %row[%i] : memref<?xi32>
    %to = memref.load %row[%i1] : memref<?xi32>
    %lo = arith.index_cast %from : i32 to index
    %hi = arith.index_cast %to : i32 to index
    %s = scf.for %j = %lo to %hi step %one iter_args(%a = %nothing) -> (f32) {
      %c = memref.load %col[%j] : memref<?xi32>
      %at = arith.index_cast %c : i32 to index
      %v = memref.load %x[%at] : memref<?xf32>
      %b = arith.addf %a, %v : f32
      scf.yield %b : f32
    }
    memref.store %s, %y[%i] : memref<?xf32>
  }
  return
}`, nil, func(in *vector.Inputs) error {
		last := int64(0)
		return all(in, "row", func(k int, v int64) bool { ok := v >= last; last = v; return ok })
	}},
	{"rows whose ends are loaded again", `func.func @f(%row: memref<?xi32>, %keys: memref<?xi8>, %count: memref<?xi32>, %n: i32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %inc = arith.constant 1 : i32
  %end = arith.index_cast %n : i32 to index
  scf.for %i = %zero to %end step %one {
    %i1 = arith.addi %i, %one : index
    %from = memref.load %row[%i] : memref<?xi32>
    scf.while (%j = %from) : (i32) -> i32 {
      %to = memref.load %row[%i1] : memref<?xi32>
      %more = arith.cmpi slt, %j, %to : i32
      scf.condition(%more) %j : i32
    } do {
    ^bb0(%j: i32):
      %at = arith.index_cast %j : i32 to index
      %k = memref.load %keys[%at] : memref<?xi8>
      %slot = arith.index_castui %k : i8 to index
      %c = memref.load %count[%slot] : memref<?xi32>
      %c1 = arith.addi %c, %inc : i32
      memref.store %c1, %count[%slot] : memref<?xi32>
      %j1 = arith.addi %j, %inc : i32
      scf.yield %j1 : i32
    }
  }
  return
}`, []string{"const int *", "const unsigned char *"}, func(in *vector.Inputs) error {
		last, large := int64(0), false
		if err := all(in, "keys", func(k int, v int64) bool { large = large || v < 0; return true }); err != nil || !large {
			return fmt.Errorf("no byte above 127: %v", err)
		}
		return all(in, "row", func(k int, v int64) bool { ok := v >= last && v <= int64(2*k+1); last = v; return ok })
	}},
	{"a linked list", `func.func @f(%next: memref<?xi32>, %val: memref<?xi32>, %head: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %r:2 = scf.while (%p = %head, %s = %zero) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi sge, %p, %zero : i32
    scf.condition(%more) %p, %s : i32, i32
  } do {
  ^bb0(%p: i32, %s: i32):
    %at = arith.index_cast %p : i32 to index
    %v = memref.load %val[%at] : memref<?xi32>
    %t = arith.addi %s, %v : i32
    %q = memref.load %next[%at] : memref<?xi32>
    scf.yield %q, %t : i32, i32
  }
  return %r#1 : i32
}`, nil, func(in *vector.Inputs) error {
		return all(in, "next", func(k int, v int64) bool { return v == -1 || v > int64(k) })
	}},
	{"roots of sets", `func.func @f(%parent: memref<?xi32>, %x: i32) -> i32 {
  %r = scf.while (%p = %x) : (i32) -> i32 {
    %at = arith.index_cast %p : i32 to index
    %q = memref.load %parent[%at] : memref<?xi32>
    %more = arith.cmpi ne, %q, %p : i32
    scf.condition(%more) %q : i32
  } do {
  ^bb0(%q: i32):
    scf.yield %q : i32
  }
  return %r : i32
}`, nil, func(in *vector.Inputs) error {
		return all(in, "parent", func(k int, v int64) bool { return v >= 0 && v <= int64(k) })
	}},
	{"the end of a text", `func.func @f(%s: memref<?xi8>) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %nul = arith.constant 0 : i8
  %r = scf.while (%i = %zero) : (i32) -> i32 {
    %at = arith.index_cast %i : i32 to index
    %c = memref.load %s[%at] : memref<?xi8>
    %more = arith.cmpi ne, %c, %nul : i8
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %j = arith.addi %i, %one : i32
    scf.yield %j : i32
  }
  return %r : i32
}`, []string{"const char *"}, func(in *vector.Inputs) error {
		return all(in, "s", func(k int, v int64) bool { return (v == 0) == (k >= 11) && (v == 0 || v >= ' ' && v <= '~') })
	}},
	{"a list that ends with -1", `func.func @f(%s: memref<?xi32>) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %end = arith.constant -1 : i32
  %r = scf.while (%i = %zero) : (i32) -> i32 {
    %at = arith.index_cast %i : i32 to index
    %c = memref.load %s[%at] : memref<?xi32>
    %more = arith.cmpi ne, %c, %end : i32
    scf.condition(%more) %i : i32
  } do {
  ^bb0(%i: i32):
    %j = arith.addi %i, %one : i32
    scf.yield %j : i32
  }
  return %r : i32
}`, nil, nil},
	{"greatest common divisor, division, shift", `func.func @f(%a: i32, %b: i32, %d: i32, %s: i32, %x: f32) -> (i32, i32) {
  %zero = arith.constant 0 : i32
  %r:2 = scf.while (%x0 = %a, %y0 = %b) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi ne, %y0, %zero : i32
    scf.condition(%more) %x0, %y0 : i32, i32
  } do {
  ^bb0(%x0: i32, %y0: i32):
    %n = arith.remsi %x0, %y0 : i32
    scf.yield %y0, %n : i32, i32
  }
  %q = arith.divsi %r#0, %d : i32
  %t = arith.shli %q, %s : i32
  %i = arith.fptosi %x : f32 to i32
  return %t, %i : i32, i32
}`, nil, nil},
	{"Collatz", `func.func @f(%a: i32) -> i32 {
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %two = arith.constant 2 : i32
  %r:2 = scf.while (%x = %a, %k = %zero) : (i32, i32) -> (i32, i32) {
    %more = arith.cmpi ne, %x, %one : i32
    scf.condition(%more) %x, %k : i32, i32
  } do {
  ^bb0(%x: i32, %k: i32):
    %odd = arith.remui %x, %two : i32
    %isodd = arith.cmpi ne, %odd, %zero : i32
    %m = arith.muli %x, %three : i32
    %up = arith.addi %m, %one : i32
    %down = arith.divui %x, %two : i32
    %y = arith.select %isodd, %up, %down : i32
    %k1 = arith.addi %k, %one : i32
    scf.yield %y, %k1 : i32, i32
  }
  return %r#1 : i32
}`, nil, nil},
	{"a window before each element", `func.func @f(%x: memref<?xi32>, %y: memref<?xi32>, %n: i32, %lag: i32) {
  %one = arith.constant 1 : index
  %end = arith.index_cast %n : i32 to index
  %w = arith.index_cast %lag : i32 to index
  scf.for %i = %w to %end step %one {
    %at = arith.subi %i, %w : index
    %v = memref.load %x[%at] : memref<?xi32>
    memref.store %v, %y[%i] : memref<?xi32>
  }
  return
}`, nil, nil},
	{"a heap that begins at one", `func.func @f(%h: memref<?xi32>, %n: i32, %k: i32) -> i32 {
  %less = arith.constant -1 : index
  %one = arith.constant 1 : i32
  %two = arith.constant 2 : i32
  %false = arith.constant false
  %top = arith.index_cast %k : i32 to index
  %top1 = arith.addi %top, %less : index
  %v = memref.load %h[%top1] : memref<?xi32>
  %half = arith.divsi %n, %two : i32
  %leaf = arith.cmpi slt, %half, %k : i32
  %at = scf.if %leaf -> index {
    scf.yield %top : index
  } else {
    %r:2 = scf.while (%i = %k) : (i32) -> (i32, index) {
      %to = arith.index_cast %i : i32 to index
      %child = arith.shli %i, %one : i32
      %from = arith.index_cast %child : i32 to index
      %from1 = arith.addi %from, %less : index
      %w = memref.load %h[%from1] : memref<?xi32>
      %found = arith.cmpi slt, %w, %v : i32
      %index, %again = scf.if %found -> (index, i1) {
        scf.yield %to, %false : index, i1
      } else {
        %to1 = arith.addi %to, %less : index
        memref.store %w, %h[%to1] : memref<?xi32>
        %more = arith.cmpi sle, %child, %half : i32
        scf.yield %from, %more : index, i1
      }
      scf.condition(%again) %child, %index : i32, index
    } do {
    ^bb0(%i: i32, %p: index):
      scf.yield %i : i32
    }
    scf.yield %r#1 : index
  }
  %at1 = arith.addi %at, %less : index
  memref.store %v, %h[%at1] : memref<?xi32>
  return %v : i32
}`, nil, nil},
	{"records and rows", `func.func @f(%p.x: memref<?xi32>, %p.y: memref<?xi32>, %m: memref<?x4xi32>, %n: i32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %end = arith.index_cast %n : i32 to index
  scf.for %i = %zero to %end step %one {
    %at = arith.addi %i, %i : index
    %v = memref.load %p.x[%at] : memref<?xi32>
    memref.store %v, %m[%at, %two] : memref<?x4xi32>
    memref.store %v, %p.y[%zero] : memref<?xi32>
  }
  return
}`, nil, func(in *vector.Inputs) error {
		x, y, m := in.Args[0].Mem, in.Args[1].Mem, in.Args[2].Mem
		if x.Shape[0] != y.Shape[0] || len(m.Shape) != 2 || m.Shape[1] != 4 || int64(len(m.Data)) != 4*m.Shape[0] || m.Shape[0] < 12 {
			return fmt.Errorf("shapes %v %v %v", x.Shape, y.Shape, m.Shape)
		}
		return nil
	}},
}

// all checks every element of a memory, with sign.
func all(in *vector.Inputs, name string, ok func(k int, v int64) bool) error {
	for _, a := range in.Args {
		if a.Name != name {
			continue
		}
		w, _ := ir.BitWidth(a.Mem.Elem, 64)
		for k, v := range a.Mem.Data {
			if s := int64(v<<(64-w)) >> (64 - w); !ok(k, s) {
				return fmt.Errorf("%s[%d] is %d: %v", name, k, s, a.Mem.Data)
			}
		}
		return nil
	}
	return fmt.Errorf("no memory %s", name)
}

// TestKernelsRun: on random inputs of any seed and size every kernel ends, inside of its
// arrays, and the same seed gives the same inputs.
func TestKernelsRun(t *testing.T) {
	for _, c := range kernels {
		t.Run(c.name, func(t *testing.T) {
			fn := graph(t, c.text, c.types...)
			different := map[string]bool{}
			for seed := range uint64(24) {
				size := []int64{12, 1, 40}[seed%3]
				in := random(t, fn, seed, size)
				if again := random(t, fn, seed, size); string(in.JSON()) != string(again.JSON()) {
					t.Fatalf("seed %d gives two inputs", seed)
				}
				different[string(in.JSON())] = true
				out, err := token.Run(fn, in, token.Options{MaxSteps: 1 << 24})
				if err != nil {
					t.Fatal(err)
				}
				if out.Status != vector.Done {
					t.Errorf("seed %d: %s %v\n%s", seed, out.Status, out.Detail, in.JSON())
				}
				if size == 12 && c.check != nil {
					if err := c.check(in); err != nil {
						t.Errorf("seed %d: %v", seed, err)
					}
				}
				for _, a := range in.Args {
					if a.Mem != nil && a.Mem.Shape[0] < size {
						t.Errorf("seed %d: %s has shape %v", seed, a.Name, a.Mem.Shape)
					}
				}
			}
			if len(different) < 12 {
				t.Errorf("only %d inputs of 24 seeds differ", len(different))
			}
		})
	}
}

// TestRefusals: what cannot be satisfied is named at its line.
func TestRefusals(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"before the array", `func.func @f(%x: memref<?xi32>) -> i32 {
  %before = arith.constant -3 : index
  %v = memref.load %x[%before] : memref<?xi32>
  return %v : i32
}`, `^k.mlir:3:\d+: error: random inputs cannot be made: on all of them the kernel accesses x\[-3\] here`},
		{"far away", `func.func @f(%x: memref<?xi32>) -> i32 {
  %far = arith.constant 1000000000 : index
  %v = memref.load %x[%far] : memref<?xi32>
  return %v : i32
}`, `^k.mlir:3:\d+: error: .* reaches as far as x\[1000000000\] here`},
		{"outside of a fixed array", `func.func @f(%x: memref<4xi32>) -> i32 {
  %k = arith.constant 4 : index
  %v = memref.load %x[%k] : memref<4xi32>
  return %v : i32
}`, `^k.mlir:3:\d+: error: .* x\[4\] here, of an array of 4`},
		{"endless", `func.func @f(%a: i32) -> i32 {
  %one = arith.constant 1 : i32
  %three = arith.constant 3 : i32
  %r = scf.while (%x = %a) : (i32) -> i32 {
    %square = arith.muli %x, %x : i32
    %more = arith.cmpi ne, %square, %three : i32
    scf.condition(%more) %x : i32
  } do {
  ^bb0(%x: i32):
    %y = arith.addi %x, %one : i32
    scf.yield %y : i32
  }
  return %r : i32
}`, `^k.mlir:1:\d+: error: .*did not end within 5000 operations`},
		{"long on all inputs", `func.func @f(%a: i32) -> i32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = arith.constant 100000 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%s = %a) -> (i32) {
    %t = arith.muli %s, %s : i32
    scf.yield %t : i32
  }
  return %r : i32
}`, `^k.mlir:1:\d+: error: the kernel does not end within 5000 operations on any inputs`},
	} {
		fn := graph(t, c.text)
		_, err := inputs.Random(fn, inputs.Options{Size: 8, MaxSteps: 5000})
		if err == nil || !regexp.MustCompile(c.want).MatchString(err.Error()) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	// A search may be cut short; a kernel that takes its time on all inputs gets it.
	for _, c := range []struct{ count, want string }{
		{"%n", "did not end within 20 operations"}, {"%fixed", ""},
	} {
		fn := graph(t, `func.func @f(%a: i32, %b: index, %x: memref<?xindex>) -> i32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %fixed = arith.constant 100 : index
  %some = memref.load %x[%zero] : memref<?xindex>
  %n = arith.ori %some, %fixed : index
  %r = scf.for %i = %zero to `+c.count+` step %one iter_args(%s = %a) -> (i32) {
    %t = scf.for %k = %zero to %fixed step %one iter_args(%u = %s) -> (i32) {
      %v = arith.muli %u, %u : i32
      scf.yield %v : i32
    }
    scf.yield %t : i32
  }
  return %r : i32
}`)
		_, err := inputs.Random(fn, inputs.Options{Size: 8, MaxSteps: 1 << 20, SearchSteps: 20})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v", c.count, err)
		}
	}
	// What C leaves open and no attempt avoids is a warning, at its line.
	fn := graph(t, `func.func @f(%a: i32, %s: f32) -> (i32, i32, i32) {
  %d = arith.subi %a, %a : i32
  %q = arith.divsi %a, %d : i32
  %forty = arith.constant 40 : i32
  %n = arith.addi %d, %forty : i32
  %t = arith.shli %a, %n : i32
  %big = arith.constant 1.0e30 : f32
  %f = arith.divf %big, %s : f32
  %i = arith.fptosi %f : f32 to i32
  return %q, %t, %i : i32, i32, i32
}`)
	res, err := inputs.Random(fn, inputs.Options{Size: 8})
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprint(res.Warnings.All)
	for _, want := range []string{"k.mlir:3:", "divide by zero", "shift 32 bits by 40", "to an integer of 32 bits"} {
		if !strings.Contains(text, want) {
			t.Errorf("%s lacks %q", text, want)
		}
	}
}

// TestScratchMemory: an array that a kernel uses as its own memory, and that must begin
// with zeros, does so when nothing else comes to an end; what is only read stays random.
func TestScratchMemory(t *testing.T) {
	fn := graph(t, `func.func @f(%x: memref<?xi32>, %scratch: memref<?xi32>) {
  %zero = arith.constant 0 : index
  %c0 = arith.constant 0 : i32
  %first = memref.load %scratch[%zero] : memref<?xi32>
  %v = memref.load %x[%zero] : memref<?xi32>
  %last = scf.while (%k = %first) : (i32) -> i32 {
    %more = arith.cmpi ne, %k, %c0 : i32
    scf.condition(%more) %k : i32
  } do {
  ^bb0(%k: i32):
    %same = arith.ori %k, %first : i32
    scf.yield %same : i32
  }
  %sum = arith.addi %v, %last : i32
  memref.store %sum, %scratch[%zero] : memref<?xi32>
  return
}`)
	for seed := range uint64(4) {
		res, err := inputs.Random(fn, inputs.Options{Seed: seed, Size: 8, MaxSteps: 20_000})
		if err != nil {
			t.Fatal(err)
		}
		if err := all(res.Inputs, "scratch", func(_ int, v int64) bool { return v == 0 }); err != nil {
			t.Error(err)
		}
		if err := all(res.Inputs, "x", func(_ int, v int64) bool { return v == 0 }); err == nil {
			t.Error("what is only read holds zeros, too")
		}
	}
}
