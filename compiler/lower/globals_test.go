package lower

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/dfg"
	"loom/compiler/diag"
	"loom/compiler/dialect/handshake"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/sim/token"
	"loom/sim/vector"
)

var globalForms = []construction{
	{name: "constants of every type and shape", src: `
memref.global "private" constant @words : memref<2x3xi32> = dense<[[1, -2, 3], [4, 5, 6]]>
memref.global "private" constant @bits : memref<4xi1> = dense<[true, false, false, true]>
memref.global "private" constant @same : memref<5xi8> = dense<-7>
memref.global constant @wide : memref<2xi64> = dense<[9223372036854775807, -1]>
memref.global "private" constant @reals : memref<3xf32> = dense<[1.5, -0.0, 0x7FC00001]>
memref.global "private" constant @halves : memref<2xf16> = dense<[0.1, 65504.0]>
memref.global "private" constant @places : memref<3xindex> = dense<[2, 0, 1]>
memref.global "private" @one : memref<i16> = dense<77>
func.func @f(%i: index, %j: index) -> (i32, i1, i8, i64, f32, f16, index, i16) {
  %words = memref.get_global @words : memref<2x3xi32>
  %bits = memref.get_global @bits : memref<4xi1>
  %same = memref.get_global @same : memref<5xi8>
  %wide = memref.get_global @wide : memref<2xi64>
  %reals = memref.get_global @reals : memref<3xf32>
  %halves = memref.get_global @halves : memref<2xf16>
  %places = memref.get_global @places : memref<3xindex>
  %one = memref.get_global @one : memref<i16>
  %p = memref.load %places[%j] : memref<3xindex>
  %a = memref.load %words[%i, %p] : memref<2x3xi32>
  %b = memref.load %bits[%j] : memref<4xi1>
  %c = memref.load %same[%j] : memref<5xi8>
  %d = memref.load %wide[%i] : memref<2xi64>
  %e = memref.load %reals[%j] : memref<3xf32>
  %g = memref.load %halves[%i] : memref<2xf16>
  %h = memref.load %one[] : memref<i16>
  return %a, %b, %c, %d, %e, %g, %p, %h : i32, i1, i8, i64, f32, f16, index, i16
}
`, args: []string{`"i": 0, "j": 0`, `"i": 1, "j": 1`, `"i": 1, "j": 2`}},
	{name: "a global named by several operations is one memory", src: `
memref.global "private" @state : memref<4xi32> = dense<[10, 20, 30, 40]>
memref.global "private" @scratch : memref<4xi32> = uninitialized
func.func private @next(%i: index) -> i32 {
  %s = memref.get_global @state : memref<4xi32>
  %v = memref.load %s[%i] : memref<4xi32>
  %w = arith.addi %v, %v : i32
  memref.store %w, %s[%i] : memref<4xi32>
  return %v : i32
}
func.func @f(%n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant 0 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %zero) -> (i32) {
    %k = arith.andi %i, %c3 : index
    %v = func.call @next(%k) : (index) -> i32
    %s = memref.get_global @state : memref<4xi32>
    %x = memref.load %s[%c1] : memref<4xi32>
    %q = memref.get_global @scratch : memref<4xi32>
    memref.store %x, %q[%k] : memref<4xi32>
    %y = memref.load %q[%k] : memref<4xi32>
    %p = arith.addi %t, %v : i32
    %u = arith.addi %p, %y : i32
    scf.yield %u : i32
  }
  return %r : i32
}
`, args: []string{`"n": 7`, `"n": 0`}},
	{name: "a table in a branch and through a view", src: `
memref.global "private" constant @t : memref<8xi32> = dense<[1, 1, 2, 3, 5, 8, 13, 21]>
func.func @f(%n: index, %o: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %n step %c1 {
    %c = arith.cmpi ult, %i, %c2 : index
    scf.if %c {
      %t = memref.get_global @t : memref<8xi32>
      %w = memref.subview %t[%i] [2] [3] : memref<8xi32> to memref<2xi32, strided<[3], offset: ?>>
      %x = memref.load %w[%c1] : memref<2xi32, strided<[3], offset: ?>>
      memref.store %x, %o[%i] : memref<8xi32>
    }
  }
  return
}
`, args: []string{`"n": 5, "o": {"zeros": 8}`}},
}

// TestGlobals: tables, state and scratch memory with a name.
func TestGlobals(t *testing.T) {
	acceptedUpstream(t, globalForms)
	for _, c := range globalForms {
		t.Run(c.name, func(t *testing.T) { agree(t, c, Options{}) })
	}
}

// TestGlobalsAreMemories: one handshake.memory each, without store ports for a
// constant, with the contents as one dimension.
func TestGlobalsAreMemories(t *testing.T) {
	res, err := Lower(parse(t, globalForms[0].src), Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, op := range res.Func.Regions[0].Entry().Ops {
		if op.Name != "handshake.memory" {
			continue
		}
		if st, _ := op.IntAttr("stCount"); st != 0 {
			t.Errorf("a memory that nothing stores to has %d store ports", st)
		}
		got[op.Attr("memRefType").String()] = op.Attr(handshake.InitAttr).String()
	}
	want := map[string]string{
		"memref<6xi32>":   "dense<[1, -2, 3, 4, 5, 6]> : tensor<6xi32>",
		"memref<4xi1>":    "dense<[true, false, false, true]> : tensor<4xi1>",
		"memref<5xi8>":    "dense<-7> : tensor<5xi8>",
		"memref<2xi64>":   "dense<[9223372036854775807, -1]> : tensor<2xi64>",
		"memref<3xf32>":   "dense<[1.500000e+00, -0.000000e+00, 0x7FC00001]> : tensor<3xf32>",
		"memref<2xf16>":   got["memref<2xf16>"],
		"memref<3xindex>": "dense<[2, 0, 1]> : tensor<3xindex>",
		"memref<1xi16>":   "dense<77> : tensor<1xi16>",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	// The text of the graph keeps the contents.
	text := mlir.Print(res.Module, mlir.Options{})
	again := parse(t, text)
	if d := cmp.Diff(text, mlir.Print(again, mlir.Options{})); d != "" {
		t.Errorf("printed, parsed and printed (-first +second)\n%s", d)
	}
}

// TestTableEntries: elements of a constant at constant indices are constants, and
// the memory goes; those of a memory that changes are not.
func TestTableEntries(t *testing.T) {
	const src = `
memref.global "private" KIND @words : memref<2x3xi32> = dense<[[1, -2, 3], [4, 5, 6]]>
memref.global "private" KIND @bits : memref<2xi1> = dense<[true, false]>
memref.global "private" KIND @reals : memref<2xf32> = dense<[0x7FC00001, -0.0]>
memref.global "private" KIND @same : memref<4xi64> = dense<-3>
func.func @f(%a: i32) -> (i32, i32, i1, i1, f32, f32, i64) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %words = memref.get_global @words : memref<2x3xi32>
  %bits = memref.get_global @bits : memref<2xi1>
  %reals = memref.get_global @reals : memref<2xf32>
  %same = memref.get_global @same : memref<4xi64>
  %row = memref.subview %words[1, 1] [1, 2] [1, 1] : memref<2x3xi32> to memref<2xi32, strided<[1], offset: 4>>
  %v = memref.load %words[%c0, %c1] : memref<2x3xi32>
  %w = memref.load %row[%c1] : memref<2xi32, strided<[1], offset: 4>>
  %b0 = memref.load %bits[%c0] : memref<2xi1>
  %b1 = memref.load %bits[%c1] : memref<2xi1>
  %r0 = memref.load %reals[%c0] : memref<2xf32>
  %r1 = memref.load %reals[%c1] : memref<2xf32>
  %s = memref.load %same[%c2] : memref<4xi64>
  %x = arith.addi %a, %v : i32
  return %x, %w, %b0, %b1, %r0, %r1, %s : i32, i32, i1, i1, f32, f32, i64
}
`
	for kind, want := range map[string]int{"constant": 0, "": 4} {
		c := construction{src: strings.ReplaceAll(src, "KIND", kind), args: []string{`"a": 10`}}
		agree(t, c, Options{})
		if got := counts(t, c.src, Options{}, "handshake.memory"); got[0] != want {
			t.Errorf("%q: %d memories, want %d", kind, got[0], want)
		}
	}
}

// TestInitialContentsAreVerified: contents that do not fit their memory are
// found by the verifier of graphs and not run.
func TestInitialContentsAreVerified(t *testing.T) {
	const graph = `
handshake.func @f(%i: index, %start: none, ...) -> (i32, none) attributes {argNames = ["i", "start"], resNames = ["out0", "done"]} {
  %v, %a = load [%i] %d, %start : index, i32
  %d, %done = memory[ld = 1, st = 0] (%a) {id = 0 : i32, loom.init = INIT, lsq = false} : memref<4xi32>, (index) -> (i32, none)
  return %v, %done : i32, none
}
`
	for init, want := range map[string]string{
		"dense<[1, 2, 3, 4]> : tensor<4xi32>": "",
		"dense<5> : tensor<4xi32>":            "",
		"dense<[1, 2, 3]> : tensor<3xi32>":    "expected dense elements of type tensor<4xi32>",
		"dense<5> : tensor<4xi16>":            "expected dense elements of type tensor<4xi32>",
		"dense<1.5> : tensor<4xf32>":          "expected dense elements of type tensor<4xi32>",
		"5 : i32":                             "expected dense elements of type tensor<4xi32>",
	} {
		m, err := mlir.Parse("g.mlir", strings.Replace(graph, "INIT", init, 1))
		if err != nil {
			t.Fatalf("%s: %v", init, err)
		}
		errs := &diag.List{}
		dfg.Verify(m.Regions[0].Entry().Ops[0], errs)
		text := diag.Render(errs, nil)
		if want == "" && text != "" || !strings.Contains(text, want) {
			t.Errorf("%s: want %q, found\n%s", init, want, text)
		}
		if _, err := token.Compile(m.Regions[0].Entry().Ops[0], 64); (err == nil) != (want == "") {
			t.Errorf("%s: the token simulator gives %v", init, err)
		}
	}
}

var localForms = []construction{
	{name: "several buffers of several dimensions", src: `
func.func @f(%n: index, %a: memref<4x4xi32>) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i32
  %t = memref.alloc() : memref<4x4xi32>
  %u = memref.alloca() : memref<2x2x4xi32>
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c4 step %c1 {
      %v = memref.load %a[%i, %j] : memref<4x4xi32>
      memref.store %v, %t[%j, %i] : memref<4x4xi32>
      %f = memref.collapse_shape %u [[0, 1], [2]] : memref<2x2x4xi32> into memref<4x4xi32>
      memref.store %v, %f[%i, %j] : memref<4x4xi32>
    }
  }
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (i32) {
    %v = memref.load %t[%i, %c1] : memref<4x4xi32>
    %w = memref.load %u[%c1, %c1, %i] : memref<2x2x4xi32>
    %x = arith.muli %v, %w : i32
    %y = arith.addi %s, %x : i32
    memref.store %y, %t[%c1, %i] : memref<4x4xi32>
    scf.yield %y : i32
  }
  memref.copy %t, %a : memref<4x4xi32> to memref<4x4xi32>
  memref.dealloc %t : memref<4x4xi32>
  return %r : i32
}
`, args: []string{`"n": 4, "a": {"random": [4, 4]}`, `"n": 0, "a": {"random": [4, 4]}`}},
	{name: "buffers inside loops and branches", src: `
func.func @f(%n: index, %m: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %n step %c1 {
    %b = memref.alloca() : memref<4xi32>
    scf.for %j = %c0 to %c3 step %c1 {
      %v = memref.load %m[%j] : memref<8xi32>
      memref.store %v, %b[%j] : memref<4xi32>
    }
    %odd = arith.andi %i, %c1 : index
    %is = arith.cmpi ne, %odd, %c0 : index
    scf.if %is {
      %q = memref.alloc() : memref<i32>
      %x = memref.load %b[%c1] : memref<4xi32>
      memref.store %x, %q[] : memref<i32>
      %y = memref.load %q[] : memref<i32>
      %z = arith.addi %x, %y : i32
      memref.store %z, %m[%c0] : memref<8xi32>
      memref.dealloc %q : memref<i32>
    } else {
      %x = memref.load %b[%c0] : memref<4xi32>
      memref.store %x, %m[%c1] : memref<8xi32>
    }
  }
  return
}
`, args: []string{`"n": 6, "m": {"random": 8}`, `"n": 0, "m": {"random": 8}`}},
	{name: "buffers of computed size", src: `
func.func @f(%n: index, %m: index, %a: memref<?xi32>) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = memref.alloc(%n, %m) : memref<?x3x?xi32>
  %u = memref.alloca(%n) : memref<?xi32>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      %v = memref.load %a[%j] : memref<?xi32>
      memref.store %v, %t[%i, %c1, %j] : memref<?x3x?xi32>
    }
    %w = memref.load %a[%i] : memref<?xi32>
    memref.store %w, %u[%i] : memref<?xi32>
  }
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %m step %c1 {
      %v = memref.load %t[%i, %c1, %j] : memref<?x3x?xi32>
      %w = memref.load %u[%i] : memref<?xi32>
      %x = arith.addi %v, %w : i32
      memref.store %x, %a[%j] : memref<?xi32>
    }
  }
  %d0 = memref.dim %t, %c0 : memref<?x3x?xi32>
  %last = memref.dim %u, %c0 : memref<?xi32>
  return %d0, %last : index, index
}
`, args: []string{`"n": 3, "m": 5, "a": {"random": 8}`, `"n": 0, "m": 2, "a": {"random": 8}`, `"n": 1, "m": 0, "a": {"random": 8}`}},
}

// TestLocals: buffers of the kernel are memories on the chip.
func TestLocals(t *testing.T) {
	acceptedUpstream(t, localForms)
	for _, c := range localForms {
		t.Run(c.name, func(t *testing.T) { agree(t, c, Options{}) })
	}
}

// TestComputedSize: a buffer whose size the program computes gets the room that was
// requested and a warning, and an access beyond the room is an error of the run.
func TestComputedSize(t *testing.T) {
	src := `
func.func @f(%n: index, %v: i16) -> i16 {
  %c0 = arith.constant 0 : index
  %m = memref.alloc(%n) : memref<?xi16>
  memref.store %v, %m[%n] : memref<?xi16>
  %r = memref.load %m[%n] : memref<?xi16>
  return %r : i16
}`
	for _, c := range []struct {
		bytes int64
		want  string
	}{{0, "memref<2048xi16>"}, {64, "memref<32xi16>"}, {3, "memref<1xi16>"}} {
		res, err := Lower(parse(t, src), Options{MemoryBytes: c.bytes})
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, op := range res.Func.Regions[0].Entry().Ops {
			if op.Name == "handshake.memory" {
				got = op.Attr("memRefType").String()
			}
		}
		if got != c.want {
			t.Errorf("%d bytes: %s, want %s", c.bytes, got, c.want)
		}
		if text := diag.Render(res.Notes, nil); !strings.Contains(text, "k.mlir:4:8: warning: the size of this memory is not known at compile time") {
			t.Errorf("no warning on the allocation:\n%s", text)
		}
		if c.bytes != 64 {
			continue
		}
		for n, status := range map[uint64]vector.Status{31: vector.Done, 32: vector.Error} {
			in := &vector.Inputs{Args: []vector.Arg{{Name: "n", Type: ir.Index, Scalar: n}, {Name: "v", Type: ir.I16, Scalar: 7}}}
			out, err := token.Run(res.Func, in, token.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if out.Status != status {
				t.Errorf("element %d of 32: %s, want %s", n, out.Status, status)
			}
		}
	}
	if _, err := Lower(parse(t, src), Options{MemoryBytes: 1}); err == nil || !strings.Contains(err.Error(), "has no element") {
		t.Errorf("room for no element: %v", err)
	}
}

// TestFreshBuffersAreUndefined: one memory serves all iterations, so a program
// that reads before it writes is reported by the interpreter, and the lowering
// remarks on the allocation.
func TestFreshBuffersAreUndefined(t *testing.T) {
	m := parse(t, `
func.func @f(%n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (i32) {
    %b = memref.alloca() : memref<2xi32>
    %v = memref.load %b[%c1] : memref<2xi32>
    %w = arith.addi %v, %one : i32
    memref.store %w, %b[%c1] : memref<2xi32>
    scf.yield %w : i32
  }
  return %r : i32
}`)
	fn := m.Regions[0].Entry().Ops[0]
	in := &vector.Inputs{Args: []vector.Arg{{Name: "n", Type: ir.Index, Scalar: 3}}}
	out, err := interp.Run(fn, in, interp.Options{CheckUndefined: true})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"k.mlir:9:10: load of an undefined element: nothing has written index [1] of memory %b since its allocation"}
	if d := cmp.Diff(want, out.Detail); d != "" || out.Status != vector.Error {
		t.Errorf("%s (-want +got)\n%s", out.Status, d)
	}
	res, err := Lower(m, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if text := diag.Render(res.Notes, nil); !strings.Contains(text, "k.mlir:8:10: remark: one on-chip memory serves all allocations made here") {
		t.Errorf("no remark on the allocation:\n%s", text)
	}
}
