package interp_test

import (
	"strings"
	"testing"

	"loom/compiler/interp"
	"loom/sim/vector"
)

// TestCheckUndefined: elements of fresh memory have no value until they are
// written, through whatever view; copies pass their absence on.
func TestCheckUndefined(t *testing.T) {
	const head = "%m = memref.alloca() : memref<4xi32>\n%c1 = arith.constant 1 : index\n%c2 = arith.constant 2 : index\n"
	for _, c := range []struct{ name, body, want string }{
		{"written", "memref.store %a, %m[%c1] : memref<4xi32>\n%v = memref.load %m[%c1] : memref<4xi32>", ""},
		{"not written", "memref.store %a, %m[%c2] : memref<4xi32>\n%v = memref.load %m[%c1] : memref<4xi32>",
			"f.mlir:7:6: load of an undefined element: nothing has written index [1] of memory %m since its allocation"},
		{"several dimensions", "%e = memref.expand_shape %m [[0, 1]] output_shape [2, 2] : memref<4xi32> into memref<2x2xi32>\nmemref.store %a, %m[%c2] : memref<4xi32>\n%v = memref.load %e[%c1, %c1] : memref<2x2xi32>",
			"f.mlir:8:6: load of an undefined element: nothing has written index [1, 1] of memory %e since its allocation"},
		{"through a view", "%w = memref.subview %m[1] [2] [1] : memref<4xi32> to memref<2xi32, strided<[1], offset: 1>>\nmemref.store %a, %w[%c1] : memref<2xi32, strided<[1], offset: 1>>\n%v = memref.load %m[%c2] : memref<4xi32>", ""},
		{"update", "%v = memref.atomic_rmw addi %a, %m[%c1] : (i32, memref<4xi32>) -> i32",
			"f.mlir:6:6: update of an undefined element"},
		{"assignment", "%v = memref.atomic_rmw assign %a, %m[%c1] : (i32, memref<4xi32>) -> i32\n%w = memref.load %m[%c1] : memref<4xi32>", ""},
		{"copied between buffers", "%n2 = memref.alloca() : memref<4xi32>\nmemref.store %a, %m[%c1] : memref<4xi32>\nmemref.copy %m, %n2 : memref<4xi32> to memref<4xi32>\n%v = memref.load %n2[%c1] : memref<4xi32>", ""},
		{"copied, then read", "%n2 = memref.alloca() : memref<4xi32>\nmemref.store %a, %m[%c1] : memref<4xi32>\nmemref.copy %m, %n2 : memref<4xi32> to memref<4xi32>\n%v = memref.load %n2[%c2] : memref<4xi32>",
			"f.mlir:9:6: load of an undefined element: nothing has written index [2] of memory %n2"},
		{"copied to the caller", "%d = memref.cast %m : memref<4xi32> to memref<?xi32>\nmemref.copy %d, %x : memref<?xi32> to memref<?xi32>",
			"f.mlir:7:1: copy of an undefined element"},
		{"again in a loop", "%c0 = arith.constant 0 : index\nscf.for %i = %c0 to %c2 step %c1 {\n%b = memref.alloca() : memref<2xi32>\n%first = arith.cmpi eq, %i, %c0 : index\nscf.if %first {\nmemref.store %a, %b[%c1] : memref<2xi32>\n}\n%v = memref.load %b[%c1] : memref<2xi32>\n}",
			"f.mlir:13:6: load of an undefined element: nothing has written index [1] of memory %b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			fn := parse(t, "f.mlir", "\nfunc.func @f(%n: index, %a: i32, %x: memref<?xi32>) {\n"+head+c.body+"\nreturn\n}\n")
			in := inputs(t, fn, `{"args": {"n": 4, "a": 7, "x": [1, 2, 3, 4]}}`)
			for _, check := range []bool{false, true} {
				out, err := interp.Run(fn, in, interp.Options{CheckUndefined: check})
				if err != nil {
					t.Fatal(err)
				}
				detail := strings.Join(out.Detail, "\n")
				if !check || c.want == "" {
					if out.Status != vector.Done {
						t.Errorf("checking %v: %s %s", check, out.Status, detail)
					}
				} else if out.Status != vector.Error || !strings.HasPrefix(detail, c.want) {
					t.Errorf("%s %q, want %q", out.Status, detail, c.want)
				}
			}
		})
	}
}

// TestFill: fresh memory holds Options.Fill, all of it or that of Options.Only, to which
// checks can be restricted as well.
func TestFill(t *testing.T) {
	fn := parse(t, "f.mlir", `
func.func @f() -> (i8, f32, i8) {
  %zero = arith.constant 0 : index
  %a = memref.alloca() : memref<2xi8>
  %b = memref.alloc() : memref<2xf32>
  %c = memref.alloca() : memref<1xi8>
  %x = memref.load %a[%zero] : memref<2xi8>
  %y = memref.load %b[%zero] : memref<2xf32>
  memref.store %x, %c[%zero] : memref<1xi8>
  %z = memref.load %c[%zero] : memref<1xi8>
  memref.dealloc %b : memref<2xf32>
  return %x, %y, %z : i8, f32, i8
}`)
	ops := fn.Regions[0].Entry().Ops
	const fill = 0x1122334455667788
	for _, c := range []struct {
		name    string
		only    int // its operation, 0 for all
		x, y, z uint64
		check   string
	}{
		{"all", 0, 0x88, 0x55667788, 0x88, "f.mlir:7:8: load of an undefined element"},
		{"one", 1, 0x88, 0, 0x88, "f.mlir:7:8: load of an undefined element"},
		{"another", 2, 0, 0x55667788, 0, "f.mlir:8:8: load of an undefined element"},
		{"one that is written first", 3, 0, 0, 0, ""},
	} {
		opts := interp.Options{Fill: fill}
		if c.only > 0 {
			opts.Only = ops[c.only]
		}
		out, err := interp.Run(fn, &vector.Inputs{}, opts)
		if err != nil {
			t.Fatal(err)
		}
		if r := out.Results; r[0].Bits != c.x || r[1].Bits != c.y || r[2].Bits != c.z {
			t.Errorf("%s: %v", c.name, r)
		}
		opts.CheckUndefined = true
		if out, err = interp.Run(fn, &vector.Inputs{}, opts); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(out.Detail, ""); !strings.HasPrefix(got, c.check) || (got == "") != (c.check == "") {
			t.Errorf("%s: %q, want %q", c.name, got, c.check)
		}
	}
}

// TestUnsignedLoop: the bounds of a loop may be compared without sign.
func TestUnsignedLoop(t *testing.T) {
	fn := parse(t, "f.mlir", `
func.func @f(%lb: i8, %ub: i8, %step: i8) -> (i8, i8) {
  %zero = arith.constant 0 : i8
  %one = arith.constant 1 : i8
  %r:2 = scf.for unsigned %i = %lb to %ub step %step iter_args(%n = %zero, %last = %zero) -> (i8, i8) : i8 {
    %m = arith.addi %n, %one : i8
    scf.yield %m, %i : i8, i8
  }
  return %r#0, %r#1 : i8, i8
}`)
	for _, c := range []struct{ lb, ub, step, count, last uint64 }{
		{0, 10, 3, 4, 9},
		{120, 140, 5, 4, 135},
		{0, 250, 50, 5, 200},
		{200, 100, 1, 0, 0},
		{1, 150, 200, 1, 1},
	} {
		in := &vector.Inputs{Args: []vector.Arg{{Name: "lb", Type: fn.Regions[0].Entry().Args[0].Type, Scalar: c.lb},
			{Name: "ub", Scalar: c.ub}, {Name: "step", Scalar: c.step}}}
		out, err := interp.Run(fn, in, interp.Options{MaxSteps: 10_000})
		if err != nil {
			t.Fatal(err)
		}
		if out.Status != vector.Done || out.Results[0].Bits != c.count || out.Results[1].Bits != c.last {
			t.Errorf("%+v: %s %v", c, out.Status, out.Results)
		}
	}
}
