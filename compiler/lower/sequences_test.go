package lower

import (
	"testing"

	"loom/compiler/mlir"
)

// TestSequences: the verdicts are on what the graph is made of: flat addresses, loops
// recognised, loads that are gone not counted; and memory with another name is never in order.
func TestSequences(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"rows of a matrix", `
func.func @f(%m: memref<?x4xi32>, %n: index) -> i32 {
  %z = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (i32) {
    %row = scf.for %j = %c0 to %c4 step %c1 iter_args(%t = %s) -> (i32) {
      %v = memref.load %m[%i, %j] : memref<?x4xi32>
      %u = arith.addi %t, %v : i32
      scf.yield %u : i32
    }
    scf.yield %row : i32
  }
  return %sum : i32
}`, ""},
		{"twice the same load", `
func.func @f(%m: memref<?xi32>, %n: index) -> i32 {
  %z = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %z) -> (i32) {
    %v = memref.load %m[%i] : memref<?xi32>
    %w = memref.load %m[%i] : memref<?xi32>
    %x = arith.muli %v, %w : i32
    %u = arith.addi %s, %x : i32
    scf.yield %u : i32
  }
  return %sum : i32
}`, ""},
		{"a pointer that a while loop moves", `
func.func @f(%m: memref<?xi32>, %n: index) {
  %z = arith.constant 0 : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %end = scf.while (%i = %c0) : (index) -> index {
    %more = arith.cmpi slt, %i, %n : index
    scf.condition(%more) %i : index
  } do {
  ^bb0(%i: index):
    memref.store %z, %m[%i] : memref<?xi32>
    %next = arith.addi %i, %c1 : index
    scf.yield %next : index
  }
  return
}`, ""},
		{"another name", `
func.func @f(%m: memref<?xi32>, %o: memref<?xi32>, %n: index) attributes {loom.may_alias = [[0, 1]]} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %v = memref.load %m[%i] : memref<?xi32>
    memref.store %v, %o[%i] : memref<?xi32>
  }
  return
}`, "may touch elements of 'o', too, which may overlap: declare one of them restrict, or give --assume-no-alias"},
	} {
		m, err := mlir.ParseAndVerify(c.name, c.text)
		if err != nil {
			t.Fatal(err)
		}
		res, err := Lower(m, Options{IndexWidth: 32, MemoryOrder: "pipelined", Sequences: true})
		if err != nil {
			t.Fatal(err)
		}
		if v := res.Sequences[0]; v.InOrder != (c.want == "") || v.Why != c.want {
			t.Errorf("%s: %v, %q; want %q", c.name, v.InOrder, v.Why, c.want)
		}
	}
}
