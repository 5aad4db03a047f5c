package interp_test

import (
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
	if want := "[8 9] 0 true; [0 9] 1 true; [1 9] 2 true"; strings.Join(got, "; ") != want {
		t.Errorf("%s, want %s", strings.Join(got, "; "), want)
	}
}
