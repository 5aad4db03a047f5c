package interp_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	_ "loom/compiler/dialect/all"

	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/internal/testkit"
	"loom/sim/vector"
)

// A watch gets the arguments of every call as they were before it, also windows on memory.
func TestWatch(t *testing.T) {
	m, err := mlir.ParseAndVerify("w.mlir", `
func.func @f(%x: memref<4xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %w = memref.subview %x[1] [2] [1] : memref<4xi32> to memref<2xi32, strided<[1], offset: 1>>
  scf.for %i = %c0 to %n step %c1 {
    func.call @g(%w, %i) : (memref<2xi32, strided<[1], offset: 1>>, index) -> ()
  }
  return
}
func.func private @g(%y: memref<2xi32, strided<[1], offset: 1>>, %k: index) {
  %v = arith.index_cast %k : index to i32
  %c0 = arith.constant 0 : index
  memref.store %v, %y[%c0] : memref<2xi32, strided<[1], offset: 1>>
  return
}`)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	in := &vector.Inputs{Args: []vector.Arg{
		{Name: "x", Mem: &vector.Memory{Name: "x", Elem: ir.I32, Shape: []int64{4}, Data: []uint64{7, 8, 9, 10}}},
		{Name: "n", Scalar: 3}}}
	_, err = interp.Run(testkit.Function(m), in, interp.Options{Watch: &interp.Watch{Function: "g", Called: func(in *vector.Inputs, steps int64) {
		got = append(got, fmt.Sprint(in.Args[0].Mem.Data, in.Args[1].Scalar, steps > 0))
	}}})
	if err != nil {
		t.Fatal(err)
	}
	if want := "[7 8 9] 0 true; [7 0 9] 1 true; [7 1 9] 2 true"; strings.Join(got, "; ") != want {
		t.Errorf("%s, want %s", strings.Join(got, "; "), want)
	}
}

// nested calls @g in a loop and adds what it returns; @g adds k to every element of y.
const nested = `
func.func @f(%x: memref<4xi32>, %n: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %s = scf.for %i = %c0 to %n step %c1 iter_args(%t = %zero) -> (i32) {
    %r = func.call @g(%x, %i) : (memref<4xi32>, index) -> i32
    %u = arith.addi %t, %r : i32
    scf.yield %u : i32
  }
  return %s : i32
}
func.func private @g(%y: memref<4xi32>, %k: index) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %v = arith.index_cast %k : index to i32
  scf.for %i = %c0 to %c4 step %c1 {
    %o = memref.load %y[%i] : memref<4xi32>
    %p = arith.addi %o, %v : i32
    memref.store %p, %y[%i] : memref<4xi32>
  }
  %r = memref.load %y[%c0] : memref<4xi32>
  return %r : i32
}`

func nestedInputs() *vector.Inputs {
	return &vector.Inputs{Args: []vector.Arg{
		{Name: "x", Mem: &vector.Memory{Name: "x", Elem: ir.I32, Shape: []int64{4}, Data: []uint64{7, 8, 9, 10}}}, {Name: "n", Scalar: 3}}}
}

// TestReplace: what takes the place of a function gets its arguments, and its results and
// memories go on in the caller; its failure is the run's.
func TestReplace(t *testing.T) {
	m, err := mlir.ParseAndVerify("w.mlir", nested)
	if err != nil {
		t.Fatal(err)
	}
	f, g := testkit.Function(m), m.Regions[0].Entry().Ops[1]
	want, err := interp.Run(f, nestedInputs(), interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	replace := func(in *vector.Inputs) (*vector.Outcome, error) {
		calls++
		return interp.Run(g, in, interp.Options{})
	}
	run := func(replace func(in *vector.Inputs) (*vector.Outcome, error)) (*vector.Outcome, error) {
		return interp.Run(f, nestedInputs(), interp.Options{Watch: &interp.Watch{Function: "g", Replace: replace}})
	}
	got, err := run(replace)
	if err != nil || calls != 3 {
		t.Fatal(err, calls)
	}
	if d := vector.Diff(want, got); len(d) > 0 || got.Status != vector.Done {
		t.Errorf("%s %q", got.Status, d)
	}
	for name, fault := range map[string]func(*vector.Outcome){
		"a wrong result":      func(o *vector.Outcome) { o.Results[0].Bits++ },
		"a wrong element":     func(o *vector.Outcome) { o.Memories[0].Data[3] ^= 1 },
		"a status":            func(o *vector.Outcome) { o.Status = vector.Deadlock },
		"a result is missing": func(o *vector.Outcome) { o.Results = nil },
		"a memory is missing": func(o *vector.Outcome) { o.Memories = nil },
	} {
		calls = 0
		got, err := run(func(in *vector.Inputs) (*vector.Outcome, error) {
			out, err := replace(in)
			if calls == 2 {
				fault(out)
			}
			return out, err
		})
		if missing := strings.Contains(name, "missing"); missing != (err != nil) {
			t.Errorf("%s: %v", name, err)
		} else if !missing && got.Status == vector.Done && len(vector.Diff(want, got)) == 0 {
			t.Errorf("%s is not seen", name)
		}
		if name == "a status" && (got.Status != vector.Deadlock || calls != 2) {
			t.Errorf("%s after %d calls", got.Status, calls)
		}
	}
	if _, err := run(func(*vector.Inputs) (*vector.Outcome, error) { return nil, errors.New("no device") }); err == nil || err.Error() != "no device" {
		t.Errorf("%v", err)
	}
}

// TestOverlap: arguments that are one memory are one memory for what takes the call's place.
func TestOverlap(t *testing.T) {
	m, err := mlir.ParseAndVerify("w.mlir", `
func.func @f(%x: memref<4xi32>) {
  func.call @g(%x, %x) : (memref<4xi32>, memref<4xi32>) -> ()
  return
}
func.func private @g(%y: memref<4xi32>, %z: memref<4xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %five = arith.constant 5 : i32
  memref.store %five, %y[%c0] : memref<4xi32>
  %v = memref.load %z[%c0] : memref<4xi32>
  memref.store %v, %z[%c1] : memref<4xi32>
  return
}`)
	if err != nil {
		t.Fatal(err)
	}
	in := &vector.Inputs{Args: nestedInputs().Args[:1]}
	got, err := interp.Run(testkit.Function(m), in, interp.Options{Watch: &interp.Watch{Function: "g", Replace: func(in *vector.Inputs) (*vector.Outcome, error) {
		return interp.Run(m.Regions[0].Entry().Ops[1], in, interp.Options{})
	}}})
	if err != nil || fmt.Sprint(got.Memories[0].Data) != "[5 5 9 10]" {
		t.Errorf("%v %v", err, got)
	}
}

// TestProfile: the work of a loop is that of its body and of what it calls, and the work of
// the calls of a function that does what the loop did is that of the loop.
func TestProfile(t *testing.T) {
	m, err := mlir.ParseAndVerify("w.mlir", nested)
	if err != nil {
		t.Fatal(err)
	}
	var p interp.Profile
	called := int64(0)
	_, err = interp.Run(testkit.Function(m), nestedInputs(), interp.Options{Profile: &p,
		Watch: &interp.Watch{Function: "g", Called: func(_ *vector.Inputs, work int64) { called += work }}})
	if err != nil {
		t.Fatal(err)
	}
	work := map[string]int64{}
	for op, n := range p.Loops {
		work[op.Pos.String()] = n
	}
	// The loop of @g runs three times: itself and 4 x (load, add, store); a call of @g is that
	// loop, a cast and a load.
	if work["w.mlir:18:3"] != 3*(1+4*3) || called != 3*(1+4*3+2) || work["w.mlir:6:8"] != 1+called+3 || p.Work != work["w.mlir:6:8"] {
		t.Errorf("%v, calls %d, all %d", work, called, p.Work)
	}
}
