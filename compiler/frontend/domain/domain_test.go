package domain

import (
	"strings"
	"testing"

	_ "loom/compiler/dialect/all"

	"loom/compiler/diag"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/internal/randprog"
	"loom/internal/soak"
	"loom/internal/testkit"
	"loom/sim/vector"
)

func parse(t *testing.T, text string) (*ir.Operation, *ir.Operation) {
	t.Helper()
	m, err := mlir.ParseAndVerify("t.mlir", text)
	if err != nil {
		t.Fatal(err)
	}
	return m, testkit.Function(m)
}

// TestRandomLoops outlines every loop of random programs and compares what is left,
// which calls the loop, with the whole program.
func TestRandomLoops(t *testing.T) {
	programs, outlined, refused := soak.Scale(250, 6000), 0, 0
	for i := range programs {
		opts := randprog.Options{Locals: i%2 == 0}
		if i%3 > 0 {
			opts.Use, opts.MaxOps = randprog.Everything, 80
		}
		m := randprog.Generate(uint64(i)+7_000_000, opts)
		fn := randprog.Function(m)
		before := mlir.Print(m, mlir.Options{})
		for _, l := range Loops(fn) {
			d, err := Outline(m, fn, l.Number)
			if (err != nil) != (l.Why != "") {
				t.Fatalf("seed %d, loop %d: %v, but listed as %q", i, l.Number, err, l.Why)
			}
			if err != nil {
				refused++
				continue
			}
			var errs diag.List
			if ir.Verify(d.Module, &errs); errs.HasErrors() {
				t.Fatalf("seed %d, loop %d: %v\n%s\n%s", i, l.Number, errs.Err(), before, mlir.Print(d.Module, mlir.Options{}))
			}
			outlined++
			for k := range uint64(2) {
				in := randprog.Inputs(m, k)
				want, err := interp.Run(fn, in, interp.Options{})
				if err != nil {
					t.Fatal(err)
				}
				got, err := interp.Run(d.Host, in, interp.Options{})
				if err != nil {
					t.Fatalf("seed %d, loop %d: %v", i, l.Number, err)
				}
				if diff := vector.Diff(want, got); diff != nil {
					t.Fatalf("seed %d, loop %d: %v\n%s\n%s", i, l.Number, diff, before, mlir.Print(d.Module, mlir.Options{}))
				}
			}
		}
		if after := mlir.Print(m, mlir.Options{}); after != before {
			t.Fatalf("seed %d: the module has changed", i)
		}
	}
	t.Logf("%d loops outlined, %d refused", outlined, refused)
	if outlined < programs {
		t.Errorf("only %d loops of %d programs were outlined", outlined, programs)
	}
}

// locals has arrays of every kind around loops.
const locals = `
memref.global "private" constant @table : memref<4xi32> = dense<[1, 2, 3, 4]>
memref.global "private" @state : memref<1xi32> = dense<0>
func.func @f(%x: memref<?xi32>, %y: memref<?xi32>, %n: index, %a: i32) -> (i32, i32) attributes {loom.may_alias = [[0, 1]]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0 : i32
  %own = memref.alloca() : memref<8xi32>
  %shared = memref.alloca() : memref<8xi32>
  %t = memref.get_global @table : memref<4xi32>
  memref.store %a, %shared[%c0] : memref<8xi32>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %x[%i] : memref<?xi32>
    memref.store %v, %own[%c0] : memref<8xi32>
    %w = memref.load %own[%c0] : memref<8xi32>
    %u = memref.load %shared[%c0] : memref<8xi32>
    %s = arith.addi %w, %u : i32
    memref.store %s, %y[%i] : memref<?xi32>
  }
  %r:2 = scf.for %j = %c0 to %c4 step %c1 iter_args(%p = %zero, %q = %a) -> (i32, i32) {
    %e = memref.load %t[%j] : memref<4xi32>
    %p2 = arith.addi %p, %e : i32
    %st = memref.get_global @state : memref<1xi32>
    %old = memref.load %st[%c0] : memref<1xi32>
    %new = arith.addi %old, %p2 : i32
    memref.store %new, %st[%c0] : memref<1xi32>
    %k:1 = scf.for %m = %c0 to %j step %c1 iter_args(%b = %q) -> (i32) {
      %st2 = memref.get_global @state : memref<1xi32>
      %old2 = memref.load %st2[%c0] : memref<1xi32>
      %b2 = arith.addi %b, %old2 : i32
      scf.yield %b2 : i32
    }
    scf.yield %p2, %k#0 : i32, i32
  } {loom.accel}
  return %r#0, %r#1 : i32, i32
}
`

func TestParameters(t *testing.T) {
	m, fn := parse(t, locals)
	for n, want := range []string{
		// The array that only the loop uses has moved inside, the other one is
		// passed, as what was stored there counts; x and y may overlap.
		`func.func @f_loop0(%x: memref<?xi32>, %y: memref<?xi32>, %n: index, %shared: memref<8xi32>) attributes {loom.may_alias = [array<i64: 0, 1>]} {`,
		// Constant tables are made anew, and so is a variable that only this loop
		// touches, once. All results are used.
		`func.func @f_loop1(%a: i32) -> (i32, i32) {`,
		// The variable keeps its value from run to run of the inner loop.
		`func.func @f_loop2(%j: index, %q: i32, %st2: memref<1xi32>) -> i32 {`,
	} {
		d, err := Outline(m, fn, n)
		if err != nil {
			t.Fatal(err)
		}
		text := mlir.Print(d.Kernel, mlir.Options{})
		if first, _, _ := strings.Cut(text, "\n"); first != want {
			t.Errorf("loop %d: %s\nwant    %s\n%s", n, first, want, text)
		}
		if has := strings.Contains(mlir.Print(d.Host, mlir.Options{}), "%own = "); has == (n == 0) {
			t.Errorf("loop %d: the host has the local array: %v", n, has)
		}
	}
}

func TestLoops(t *testing.T) {
	_, fn := parse(t, locals)
	var got []string
	for _, l := range Loops(fn) {
		mark := ""
		if l.Accel {
			mark = " accel"
		}
		got = append(got, l.Place+" "+l.Describe()+mark)
	}
	want := []string{
		"t.mlir:13:3 for, reads own shared x, writes own y",
		"t.mlir:21:10 for, runs 4 times, reads state table, writes state accel",
		"t.mlir:28:12 for, in loop 1, reads state",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestErrors(t *testing.T) {
	m, fn := parse(t, locals)
	_, err := Outline(m, fn, 3)
	if err == nil || !strings.Contains(err.Error(), "has no loop 3") {
		t.Errorf("%v", err)
	}
	if d := diag.FromError(err).All[0]; len(d.Notes) != 3 || d.Notes[1].Pos.Line != 21 {
		t.Errorf("the loops are not listed: %v", d.Notes)
	}
	m, fn = parse(t, `func.func @g(%x: memref<4xi32>, %y: memref<4xi32>, %c: i1, %n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.select %c, %x, %y : memref<4xi32>
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %z[%i] : memref<4xi32>
    memref.store %v, %x[%i] : memref<4xi32>
  }
  %last = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (memref<4xi32>) {
    scf.yield %a : memref<4xi32>
  }
  %r = memref.load %last[%c0] : memref<4xi32>
  return %r : i32
}`)
	for n, want := range []string{"chosen at run time", "yields a memory"} {
		if _, err := Outline(m, fn, n); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("loop %d: %v, want %q", n, err, want)
		}
	}
}

// TestStateStaysWhereItIs has memories that keep something from one run of a loop to the
// next, or from one loop to another: none of them may move into a kernel.
func TestStateStaysWhereItIs(t *testing.T) {
	m, fn := parse(t, `
memref.global "private" @counter : memref<1xi32> = dense<5>
func.func @f(%y: memref<12xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1 : i32
  %zero = arith.constant 0 : i32
  %kept = memref.alloca() : memref<1xi32>
  %seen = memref.alloca() : memref<4xi32>
  %window = memref.subview %seen[1] [2] [1] : memref<4xi32> to memref<2xi32, strided<[1], offset: 1>>
  memref.store %zero, %window[%c1] : memref<2xi32, strided<[1], offset: 1>>
  scf.for %i = %c0 to %c3 step %c1 {
    %first = arith.cmpi eq, %i, %c0 : index
    scf.for %j = %c0 to %c3 step %c1 {
      %old = memref.load %kept[%c0] : memref<1xi32>
      %base = arith.select %first, %zero, %old : i32
      %new = arith.addi %base, %one : i32
      memref.store %new, %kept[%c0] : memref<1xi32>
      %g = memref.get_global @counter : memref<1xi32>
      %a = memref.load %g[%c0] : memref<1xi32>
      %b = arith.addi %a, %new : i32
      memref.store %b, %g[%c0] : memref<1xi32>
      memref.store %b, %y[%i] : memref<12xi32>
      %c2 = arith.constant 2 : index
      %s = memref.load %seen[%c2] : memref<4xi32>
      %s2 = arith.addi %s, %new : i32
      memref.store %s2, %seen[%c2] : memref<4xi32>
    }
  }
  scf.for %i = %c0 to %c3 step %c1 {
    %g = memref.get_global @counter : memref<1xi32>
    %a = memref.load %g[%c0] : memref<1xi32>
    %b = arith.addi %a, %a : i32
    memref.store %b, %g[%c0] : memref<1xi32>
    %c4 = arith.constant 4 : index
    memref.store %b, %y[%c4] : memref<12xi32>
  }
  %s = memref.load %window[%c1] : memref<2xi32, strided<[1], offset: 1>>
  %c5 = arith.constant 5 : index
  memref.store %s, %y[%c5] : memref<12xi32>
  return
}`)
	in := &vector.Inputs{Args: []vector.Arg{{Name: "y", Mem: &vector.Memory{Name: "y", Elem: ir.I32, Shape: []int64{12}, Data: make([]uint64, 12)}}}}
	want, err := interp.Run(fn, in, interp.Options{})
	if err != nil || want.Status != vector.Done {
		t.Fatal(err, want)
	}
	for n := range 3 {
		d, err := Outline(m, fn, n)
		if err != nil {
			t.Fatal(err)
		}
		// In hardware a kernel's own memory begins anew with every launch, which a
		// call does, too.
		got, err := interp.Run(d.Host, in, interp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := vector.Diff(want, got); diff != nil {
			t.Errorf("loop %d: %v\n%s", n, diff, mlir.Print(d.Module, mlir.Options{}))
		}
		for _, g := range opsIn(d.Kernel, "memref.get_global") {
			t.Errorf("loop %d has the global for its own: %s", n, g)
		}
	}
}

func opsIn(op *ir.Operation, name string) []string {
	var out []string
	op.Walk(func(o *ir.Operation) bool {
		if o.Name == name {
			out = append(out, o.Pos.String())
		}
		return true
	})
	return out
}
