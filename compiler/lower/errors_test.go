package lower

import (
	"strings"
	"testing"

	"loom/compiler/diag"
	"loom/compiler/mlir"
)

// TestErrors: everything that cannot be lowered is reported with its position,
// all of it at once, with a help line.
func TestErrors(t *testing.T) {
	for _, c := range []struct {
		name, src string
		opts      Options
		want      []string // substrings of the rendered findings, in order
	}{
		{name: "no function", src: `module {}`,
			want: []string{"the input has no function with a body"}},
		{name: "several functions", src: `
func.func @f() { return }
func.func @g() { return }
`, want: []string{"several functions: @f, @g", "k.mlir:2:1: note: @f is defined here", "--function NAME"}},
		{name: "unknown function", src: `func.func @f() { return }`, opts: Options{Function: "g"},
			want: []string{"there is no function @g", "the input has @f"}},
		{name: "declaration", src: `func.func private @f()`, opts: Options{Function: "f"},
			want: []string{"k.mlir:1:1: error: function @f is only declared here"}},
		{name: "recursion", src: `
func.func @f(%a: i32) -> i32 {
  %r = call @g(%a) : (i32) -> i32
  return %r : i32
}
func.func @g(%a: i32) -> i32 {
  %r = call @f(%a) : (i32) -> i32
  return %r : i32
}
`, opts: Options{Function: "f"},
			want: []string{"k.mlir:7:8: error: function @f calls itself", "note: through @g", "write the recursion as a loop"}},
		{name: "external call", src: `
func.func private @ext(i32) -> i32
func.func @f(%a: i32) -> i32 {
  %r = call @ext(%a) : (i32) -> i32
  return %r : i32
}
`, want: []string{"k.mlir:4:8: error: the called function @ext has no body here", "k.mlir:2:1: note: declared here"}},
		{name: "unsupported operations, all at once", src: `
func.func @f(%m: memref<?xf32>, %i: index, %a: f32) -> f32 {
  %q = "memref.extract_aligned_pointer_as_index"(%m) : (memref<?xf32>) -> index
  %s = math.powf %a, %a : f32
  %p = "memref.extract_aligned_pointer_as_index"(%m) : (memref<?xf32>) -> index
  %z = arith.constant 0 : index
  %d = memref.dim %m, %z : memref<?xf32>
  return %s : f32
}
`, want: []string{
			"k.mlir:3:8: error: 'memref.extract_aligned_pointer_as_index' cannot be lowered", "there is no pointer to take",
			"k.mlir:5:8: error: 'memref.extract_aligned_pointer_as_index' cannot be lowered"}},
		{name: "global that is only declared, in a called function", src: `
memref.global "private" constant @t : memref<2xi32>
func.func private @g(%i: index) -> i32 {
  %t = memref.get_global @t : memref<2xi32>
  %v = memref.load %t[%i] : memref<2xi32>
  return %v : i32
}
func.func @f(%i: index) -> i32 {
  %r = call @g(%i) : (index) -> i32
  return %r : i32
}
`, want: []string{"k.mlir:4:8: error: global @t is only declared here", "k.mlir:2:1: note: the declaration is here", "give it an initial value"}},
		{name: "global that others see", src: `
memref.global @t : memref<2xi32> = dense<[3, 1]>
func.func @f(%i: index, %v: i32) {
  %t = memref.get_global @t : memref<2xi32>
  memref.store %v, %t[%i] : memref<2xi32>
  return
}
`, want: []string{"k.mlir:4:8: error: global @t can be changed and seen from outside", "make it private or constant"}},
		{name: "store to a constant", src: `
memref.global "private" constant @t : memref<2xi32> = dense<[3, 1]>
func.func @f(%i: index, %v: i32) {
  %t = memref.get_global @t : memref<2xi32>
  %w = memref.cast %t : memref<2xi32> to memref<?xi32>
  memref.store %v, %w[%i] : memref<?xi32>
  return
}
`, want: []string{"k.mlir:6:3: error: this stores to @t, which is constant", "k.mlir:2:1: note: the global is defined here"}},
		{name: "elements no memory holds", src: `
memref.global "private" constant @t : memref<2xi24> = dense<[3, 1]>
func.func @f(%i: index) -> i24 {
  %t = memref.get_global @t : memref<2xi24>
  %v = memref.load %t[%i] : memref<2xi24>
  return %v : i24
}
`, want: []string{"k.mlir:2:1: error: global @t has elements of type i24, which no memory holds"}},
		{name: "region with branches", src: `
func.func @f(%c: i1, %a: i32) -> i32 {
  %r = scf.execute_region -> i32 {
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    scf.yield %a : i32
  ^bb2:
    scf.yield %a : i32
  }
  return %r : i32
}
`, want: []string{"k.mlir:3:8: error: 'scf.execute_region' cannot be lowered", "--lift-cf-to-scf"}},
		{name: "shared outputs", src: `
func.func @f(%n: index, %t: tensor<4xf32>) -> index {
  %r = scf.forall (%i) in (%n) shared_outs(%o = %t) -> (tensor<4xf32>) {
    scf.forall.in_parallel {
    }
  }
  return %n : index
}
`, want: []string{"k.mlir:2:25: error: parameter t has type tensor<4xf32>, which no channel carries",
			"k.mlir:3:8: error: 'scf.forall' cannot be lowered", "bufferise first"}},
		{name: "steps of parallel loops", src: `
func.func @f(%n: index, %m: memref<4xindex>) {
  scf.forall (%i) = (0) to (%n) step (-2) {
    memref.store %i, %m[%i] : memref<4xindex>
  }
  return
}
`, want: []string{"k.mlir:3:3: error: the step of this loop is -2, it must be positive"}},
		{name: "copy of unknown size", src: `
func.func @f(%m: memref<?xi32>, %n: memref<?xi32>) {
  memref.copy %m, %n : memref<?xi32> to memref<?xi32>
  return
}
`, want: []string{"k.mlir:3:3: error: the size of dimension 0 of memref %n is not known to the hardware"}},
		{name: "copy inside a memory of unknown size", src: `
func.func @f(%m: memref<?xi32>, %n: index) {
  %w = memref.subview %m[1] [%n] [1] : memref<?xi32> to memref<?xi32, strided<[1], offset: 1>>
  memref.copy %m, %w : memref<?xi32> to memref<?xi32, strided<[1], offset: 1>>
  return
}
`, want: []string{"k.mlir:4:3: error: 'memref.copy' cannot be lowered", "the shape must be static"}},
		{name: "bytes as words", src: `
func.func @f(%m: memref<64xi8>, %i: index) -> i32 {
  %w = memref.view %m[%i][] : memref<64xi8> to memref<4xi32>
  %v = memref.load %w[%i] : memref<4xi32>
  return %v : i32
}
`, want: []string{"k.mlir:3:8: error: the view reads elements of type i8 as i32", "make the memory one of i32"}},
		{name: "layout known at run time", src: `
func.func @f(%m: memref<4x4xi32, strided<[?, 1], offset: ?>>, %n: memref<4xi32, strided<[-1]>>, %i: index) -> i32 {
  %v = memref.load %m[%i, %i] : memref<4x4xi32, strided<[?, 1], offset: ?>>
  return %v : i32
}
`, want: []string{"k.mlir:2:14: error: parameter m has a layout that is only known at run time", "memref.reinterpret_cast",
			"k.mlir:2:63: error: parameter n has elements in front of its beginning", "increase the offset to at least 3"}},
		{name: "layout as a map", src: `
func.func @f(%m: memref<4x4xi32, affine_map<(d0, d1) -> (d1, d0)>>) {
  return
}
`, want: []string{"k.mlir:2:14: error: parameter m has the layout of memref", "strided<"}},
		{name: "unranked", src: `
func.func @f(%m: memref<4xi32>) {
  %u = memref.cast %m : memref<4xi32> to memref<*xi32>
  return
}
`, want: []string{"k.mlir:3:8: error: a memref of unknown rank cannot be addressed"}},
		{name: "unstructured", src: `
func.func @f() {
  cf.br ^bb1
^bb1:
  return
}
`, want: []string{"k.mlir:2:1: error: function @f has 2 blocks", "--lift-cf-to-scf"}},
		{name: "size of a dynamic dimension", src: `
func.func @f(%m: memref<?xi32>) -> index {
  %z = arith.constant 0 : index
  %d = memref.dim %m, %z : memref<?xi32>
  return %d : index
}
`, want: []string{"k.mlir:4:8: error: the size of dimension 0 of memref %m is not known to the hardware", "pass the size as an index argument"}},
		{name: "dynamic inner dimension", src: `
func.func @f(%m: memref<?x?xi32>, %i: index) -> i32 {
  %v = memref.load %m[%i, %i] : memref<?x?xi32>
  return %v : i32
}
`, want: []string{"k.mlir:3:8: error: the size of dimension 1 of memref %m is unknown", "memref<?x16xi32>"}},
		{name: "memref chosen at run time", src: `
func.func @f(%m: memref<?xi32>, %n: memref<?xi32>, %c: i1, %i: index) -> i32 {
  %p = arith.select %c, %m, %n : memref<?xi32>
  %v = memref.load %p[%i] : memref<?xi32>
  return %v : i32
}
`, want: []string{"k.mlir:3:8: error: 'arith.select' chooses a memref at run time"}},
		{name: "memrefs that loops carry", src: `
func.func @f(%m: memref<4xi32>, %n: memref<4xi32>, %c: i1, %i: index) {
  scf.while (%p = %m) : (memref<4xi32>) -> () {
    %v = memref.load %p[%i] : memref<4xi32>
    scf.condition(%c)
  } do {
    scf.yield %n : memref<4xi32>
  }
  %r:2 = scf.for %j = %i to %i step %i iter_args(%p = %m, %q = %n) -> (memref<4xi32>, memref<4xi32>) {
    scf.yield %q, %p : memref<4xi32>, memref<4xi32>
  }
  return
}
`, want: []string{"k.mlir:3:3: error: operand #0 of the loop is a memref", "carry an index", "k.mlir:9:10: error: 'scf.for' chooses a memref at run time"}},
		{name: "returned memref", src: `
func.func @f(%m: memref<?xi32>) -> memref<?xi32> {
  return %m : memref<?xi32>
}
`, want: []string{"k.mlir:3:3: error: result #0 is a memref"}},
		{name: "odd types", src: `
func.func @f(%a: vector<4xi32>, %m: memref<4xi24>) {
  return
}
`, want: []string{"parameter a has type vector<4xi32>, which no channel carries", "parameter m has elements of type i24, which no memory holds"}},
		{name: "step", src: `
func.func @f(%m: memref<4xindex>) {
  %z = arith.constant 0 : index
  %n = arith.constant 4 : index
  scf.for %i = %z to %n step %z {
    memref.store %i, %m[%i] : memref<4xindex>
  }
  return
}
`, want: []string{"k.mlir:5:3: error: the step of this loop is 0, it must be positive", "k.mlir:3:8: note: the step is defined here"}},
		{name: "constant too large", src: `
func.func @f() -> index {
  %c = arith.constant 4294967296 : index
  return %c : index
}
`, opts: Options{IndexWidth: 32}, want: []string{"k.mlir:3:8: error: the constant 4294967296 does not fit an index of 32 bits"}},
		{name: "join wider than the hardware", src: `
func.func @f(%m: memref<4xi32>, %n: memref<4xi32>, %i: index, %a: i32) {
  memref.store %a, %m[%i] : memref<4xi32>
  memref.store %a, %n[%i] : memref<4xi32>
  return
}
`, opts: Options{MaxJoinFanin: new(int)},
			want: []string{"k.mlir:5:3: error: 2 tokens must be joined here, but the hardware has no joins", "whose join units take two inputs"}},
		{name: "memory order", src: `func.func @f() { return }`, opts: Options{MemoryOrder: "sideways"},
			want: []string{`unknown memory order "sideways"`, "serial and pipelined"}},
		{name: "pass to dump", src: `func.func @f() { return }`, opts: Options{DumpAfter: "magic"},
			want: []string{`there is no pass named "magic"`, "select, inline"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := mlir.Parse("k.mlir", c.src)
			if err != nil {
				t.Fatal(err)
			}
			_, err = Lower(m, c.opts)
			if err == nil {
				t.Fatal("lowered without complaint")
			}
			text := diag.Render(diag.FromError(err), nil)
			rest := text
			for _, w := range c.want {
				i := strings.Index(rest, w)
				if i < 0 {
					t.Fatalf("no %q (in this order) in:\n%s", w, text)
				}
				rest = rest[i+len(w):]
			}
			if strings.Contains(text, "internal") {
				t.Errorf("an input fault is reported as an internal one:\n%s", text)
			}
		})
	}
}
