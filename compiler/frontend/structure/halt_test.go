package structure

import (
	"strings"
	"testing"

	"loom/compiler/diag"
	"loom/compiler/mlir"
)

// TestUnprovenFirstTest: a loop whose test at its end is understood, but whose first
// test nobody has asked, stays as it is, and is left behind once.
func TestUnprovenFirstTest(t *testing.T) {
	const text = `func.func @f(%x: memref<?xi32>, %start: i32) {
  %one = arith.constant 1 : i32
  %end = arith.constant 10 : i32
  cf.br ^loop(%start : i32)
^loop(%i: i32):
  %k = arith.index_cast %i : i32 to index
  memref.store %i, %x[%k] : memref<?xi32>
  %next = arith.addi %i, %one : i32
  %more = arith.cmpi slt, %i, %end : i32
  cf.cond_br %more, ^loop(%next : i32), ^done
^done:
  return
}
`
	m, err := mlir.ParseAndVerify("f.mlir", text)
	if err != nil {
		t.Fatal(err)
	}
	if err := Run(m, &diag.List{}); err != nil {
		t.Fatal(err)
	}
}

// TestEndless: a loop without a way out is where nothing gets, whatever it does.
func TestEndless(t *testing.T) {
	m, err := mlir.ParseAndVerify("f.mlir", `func.func @f(%x: memref<?xi32>, %c: i1, %p: i32) -> i32 {
  cf.cond_br %c, ^idle, ^done
^idle:
  %0 = arith.constant 0 : index
  memref.store %p, %x[%0] : memref<?xi32>
  cf.br ^idle
^done:
  return %p : i32
}
`)
	if err != nil {
		t.Fatal(err)
	}
	notes := &diag.List{}
	if err := Run(m, notes); err != nil {
		t.Fatal(err)
	}
	if len(notes.All) != 1 || notes.All[0].Pos.Line != 6 {
		t.Errorf("one remark about line 6 is expected:\n%s", diag.Render(notes, nil))
	}
	if text := mlir.Print(m, mlir.Options{}); strings.Contains(text, "scf.") {
		t.Errorf("the loop is still there:\n%s", text)
	}
}
