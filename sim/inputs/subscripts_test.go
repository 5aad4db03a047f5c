package inputs_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"loom/compiler/interp"
	"loom/compiler/mlir"
	"loom/internal/testkit"
	"loom/sim/inputs"
	"loom/sim/vector"
)

// loop is a kernel whose body runs for i from 0 to 7; k0, k1, … are constants, and p, q
// and r elements i of the arrays ps, qs and rs, as index.
func loop(params, body string) string {
	text := "func.func @f(%ps: memref<?xi32>, %qs: memref<?xi32>, %rs: memref<?xi32>, " + params + ") -> i32 {\n%none = arith.constant 0 : i32\n"
	for k := range 9 {
		text += fmt.Sprintf("%%k%d = arith.constant %d : index\n", k, k)
	}
	text += "%sum = scf.for %i = %k0 to %k8 step %k1 iter_args(%acc = %none) -> (i32) {\n"
	for _, p := range []string{"p", "q", "r"} {
		if !strings.Contains(body, "%"+p) {
			continue // the graph would not have it
		}
		text += fmt.Sprintf("%%%[1]s32 = memref.load %%%[1]ss[%%i] : memref<?xi32>\n%%%[1]s = arith.index_cast %%%[1]s32 : i32 to index\n", p)
	}
	return text + body + "%next = arith.addi %acc, %v : i32\nscf.yield %next : i32\n}\nreturn %sum : i32\n}\n"
}

// TestSubscripts: every subscript stays inside its own dimension, which the graph does
// not know any more, and all of the dimension is used.
func TestSubscripts(t *testing.T) {
	for _, c := range []struct {
		name, text string
		// least and most are what p, q and r come to at the size 40, together; 0 for
		// anything.
		least, most [3]int64
	}{
		{"inner", loop("%a: memref<?x20xi32>", "%v = memref.load %a[%k1, %p] : memref<?x20xi32>\n"), [3]int64{}, [3]int64{19}},
		{"all", loop("%a: memref<?x5x6xi32>", "%v = memref.load %a[%p, %q, %r] : memref<?x5x6xi32>\n"), [3]int64{}, [3]int64{0, 4, 5}},
		{"fixed", loop("%a: memref<4x5x6xi32>", "%v = memref.load %a[%p, %q, %r] : memref<4x5x6xi32>\n"), [3]int64{}, [3]int64{3, 4, 5}},
		{"behind a constant", loop("%a: memref<?x20xi32>", "%s = arith.addi %p, %k7 : index\n%v = memref.load %a[%q, %s] : memref<?x20xi32>\n"), [3]int64{}, [3]int64{12}},
		{"before a constant", loop("%a: memref<?x20xi32>", "%s = arith.subi %p, %k3 : index\n%v = memref.load %a[%q, %s] : memref<?x20xi32>\n"), [3]int64{3}, [3]int64{22}},
		{"before the first element", loop("%a: memref<?xi32>", "%s = arith.subi %p, %k3 : index\n%v = memref.load %a[%s] : memref<?xi32>\n"), [3]int64{3}, [3]int64{39}},
		{"times a constant", loop("%a: memref<?x20xi32>", "%s = arith.muli %p, %k3 : index\n%v = memref.load %a[%q, %s] : memref<?x20xi32>\n"), [3]int64{}, [3]int64{6}},
		{"shifted", loop("%a: memref<?x32xi32>", "%s = arith.shli %p, %k2 : index\n%u = arith.ori %s, %k3 : index\n%v = memref.load %a[%q, %u] : memref<?x32xi32>\n"), [3]int64{}, [3]int64{7}},
		{"with a loop", loop("%a: memref<?x20xi32>", "%s = arith.addi %p, %i : index\n%v = memref.load %a[%q, %s] : memref<?x20xi32>\n"), [3]int64{}, [3]int64{12}},
		{"with a mask", loop("%a: memref<?x20xi32>", "%m = arith.andi %q, %k3 : index\n%s = arith.addi %p, %m : index\n%v = memref.load %a[%r, %s] : memref<?x20xi32>\n"), [3]int64{}, [3]int64{16}},
		{"shared", loop("%a: memref<?x20xi32>", "%s = arith.addi %p, %q : index\n%v = memref.load %a[%r, %s] : memref<?x20xi32>\n"), [3]int64{}, [3]int64{9, 9}},
		{"shared in a row of numbers", loop("%a: memref<9xi32>", "%s = arith.addi %p, %q : index\n%v = memref.load %a[%s] : memref<9xi32>\n"), [3]int64{}, [3]int64{4, 4}},
		{"of windows", loop("%a: memref<?x20xi32>", "%m = arith.remui %i, %k3 : index\n%s = arith.addi %p, %m : index\n%u = arith.subi %s, %k1 : index\n%v = memref.load %a[%q, %u] : memref<?x20xi32>\n"), [3]int64{1}, [3]int64{18}},
		{"a dimension of one element", loop("%a: memref<?x1x6xi32>", "%v = memref.load %a[%p, %k0, %q] : memref<?x1x6xi32>\n"), [3]int64{}, [3]int64{39, 5}},
		{"rows by hand", loop("%a: memref<20xi32>", "%s = arith.muli %p, %k4 : index\n%u = arith.addi %s, %q : index\n%w = arith.addi %u, %k2 : index\n%v = memref.load %a[%w] : memref<20xi32>\n"), [3]int64{}, [3]int64{3, 3}},
		{"by hand", loop("%a: memref<?xi32>", "%c = arith.constant 20 : index\n%s = arith.muli %p, %c : index\n%u = arith.addi %s, %q : index\n%v = memref.load %a[%u] : memref<?xi32>\n"), [3]int64{}, [3]int64{39, 39}},
		{"a bound", `func.func @f(%a: memref<?x5xi32>, %n: index, %m: index) -> i32 {
  %none = arith.constant 0 : i32
  %k0 = arith.constant 0 : index
  %k1 = arith.constant 1 : index
  %sum = scf.for %i = %k0 to %n step %k1 iter_args(%acc = %none) -> (i32) {
    %row = scf.for %j = %k0 to %m step %k1 iter_args(%part = %acc) -> (i32) {
      %v = memref.load %a[%i, %j] : memref<?x5xi32>
      %next = arith.addi %part, %v : i32
      scf.yield %next : i32
    }
    scf.yield %row : i32
  }
  return %sum : i32
}`, [3]int64{}, [3]int64{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			fn := graph(t, c.text)
			mod, err := mlir.ParseAndVerify("k.mlir", c.text)
			if err != nil {
				t.Fatal(err)
			}
			least, most := [3]int64{math.MaxInt64, math.MaxInt64, math.MaxInt64}, [3]int64{}
			for seed := range uint64(32) {
				size := []int64{40, 1, 7, 40}[seed%4]
				in := random(t, fn, seed, size)
				out, err := interp.Run(testkit.Function(mod), in, interp.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if out.Status != vector.Done {
					t.Fatalf("seed %d, size %d: %s %v\n%s", seed, size, out.Status, out.Detail, in.JSON())
				}
				for i := range 3 {
					if m := in.Args[i].Mem; m != nil && size == 40 && len(in.Args) == 4 {
						for _, v := range m.Data[:8] {
							least[i], most[i] = min(least[i], int64(v)), max(most[i], int64(v))
						}
					}
				}
			}
			for i := range 3 {
				if c.most[i] != 0 && (least[i] != c.least[i] || most[i] != c.most[i]) {
					t.Errorf("array %d holds %d to %d, want %d to %d", i, least[i], most[i], c.least[i], c.most[i])
				}
			}
		})
	}
}

// TestFloatsInIntegers: an integer whose bits are taken as a float holds an ordinary one,
// in the half that is taken.
func TestFloatsInIntegers(t *testing.T) {
	ordinary := func(bits uint64) bool {
		f := float64(math.Float32frombits(uint32(bits)))
		return f == 0 || math.Abs(f) < 1000 && math.Abs(f) > 1e-6
	}
	for _, c := range []struct {
		name, elem, body, roles string
		ok                      func(bits uint64) bool
	}{
		{"float", "i32", "%w = arith.bitcast %v : i32 to f32\n", "real", ordinary},
		{"double", "i64", "%w64 = arith.bitcast %v : i64 to f64\n%w = arith.truncf %w64 : f64 to f32\n", "real",
			func(bits uint64) bool { return math.Abs(math.Float64frombits(bits)) < 1000 }},
		{"lower half", "i64", "%l = arith.trunci %v : i64 to i32\n%w = arith.bitcast %l : i32 to f32\n", "realLow",
			func(bits uint64) bool { return ordinary(bits&math.MaxUint32) && bits>>32 < 100 }},
		{"upper half", "i64", "%c = arith.constant 32 : i64\n%h = arith.shrui %v, %c : i64\n%l = arith.trunci %h : i64 to i32\n%w = arith.bitcast %l : i32 to f32\n", "realHigh",
			func(bits uint64) bool { return ordinary(bits>>32) && bits&math.MaxUint32 < 100 }},
		{"widened", "i32", "%e = arith.extui %v : i32 to i64\n%l = arith.trunci %e : i64 to i32\n%w = arith.bitcast %l : i32 to f32\n", "real", ordinary},
	} {
		text := fmt.Sprintf(`func.func @f(%%x: memref<?x%[1]s>, %%y: memref<?xf32>) {
  %%k0 = arith.constant 0 : index
  %%k1 = arith.constant 1 : index
  %%k8 = arith.constant 8 : index
  scf.for %%i = %%k0 to %%k8 step %%k1 {
    %%v = memref.load %%x[%%i] : memref<?x%[1]s>
    %[2]smemref.store %%w, %%y[%%i] : memref<?xf32>
  }
  return
}`, c.elem, c.body)
		fn := graph(t, text)
		if got := inputs.RolesOf(fn, 0); got != c.roles {
			t.Errorf("%s: role %q, want %q", c.name, got, c.roles)
		}
		different := map[uint64]bool{}
		for seed := range uint64(8) {
			for k, v := range random(t, fn, seed, 16).Args[0].Mem.Data {
				if different[v] = true; !c.ok(v) {
					t.Errorf("%s, seed %d: element %d is %#x", c.name, seed, k, v)
				}
			}
		}
		if len(different) < 64 {
			t.Errorf("%s: only %d different elements", c.name, len(different))
		}
	}
}

// TestElements: what one element decides does not make all the others small, and upper
// bytes of a subscript are zero.
func TestElements(t *testing.T) {
	fn := graph(t, `func.func @f(%s: memref<?xi8>) -> i8 {
  %k0 = arith.constant 0 : index
  %k1 = arith.constant 1 : index
  %k4 = arith.constant 4 : index
  %k5 = arith.constant 5 : index
  %zero = arith.constant 0 : i8
  %eight = arith.constant 8 : i32
  %low = memref.load %s[%k4] : memref<?xi8>
  %high = memref.load %s[%k5] : memref<?xi8>
  %l = arith.extui %low : i8 to i32
  %h = arith.extui %high : i8 to i32
  %up = arith.shli %h, %eight : i32
  %n = arith.ori %l, %up : i32
  %end = arith.index_cast %n : i32 to index
  %sum = scf.for %i = %k0 to %end step %k1 iter_args(%acc = %zero) -> (i8) {
    %v = memref.load %s[%i] : memref<?xi8>
    %next = arith.addi %acc, %v : i8
    scf.yield %next : i8
  }
  memref.store %low, %s[%k4] : memref<?xi8>
  return %sum : i8
}`, "struct st *")
	var lows, others []uint64
	for seed := range uint64(16) {
		data := random(t, fn, seed, 10).Args[0].Mem.Data
		if len(data) != 10 {
			t.Fatalf("seed %d: %d elements", seed, len(data))
		}
		lows = append(lows, data[4])
		if others = append(others, data[:4]...); data[5] != 0 {
			t.Errorf("seed %d: the upper byte is %d", seed, data[5])
		}
	}
	if slices.Max(lows) > 10 || slices.Max(lows) < 4 {
		t.Errorf("the lower bytes are %v", lows)
	}
	if slices.Max(others) < 128 {
		t.Errorf("the other bytes are %v", others)
	}
	// A table whose elements are also used at positions that are not constant stays together.
	fn = graph(t, gather)
	if got := inputs.RolesOf(fn, 1); got != "address" {
		t.Errorf("role %q", got)
	}
}
