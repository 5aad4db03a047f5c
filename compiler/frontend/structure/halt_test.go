package structure

import (
	"strings"
	"testing"

	"loom/compiler/diag"
	"loom/compiler/mlir"
	"loom/compiler/pass"
)

// TestUnprovenFirstTest: a loop whose test at its end is understood, but whose first
// test never runs, stays as it is, and is left behind once.
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
	if err := Run(m, &diag.List{}, pass.Options{Verify: true}); err != nil {
		t.Fatal(err)
	}
}

// TestEndless: a loop without an exit is taken never to be reached, even with stores in it.
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
	if err := Run(m, notes, pass.Options{Verify: true}); err != nil {
		t.Fatal(err)
	}
	if len(notes.All) != 1 || notes.All[0].Pos.Line != 6 {
		t.Errorf("one remark about line 6 is expected:\n%s", diag.Render(notes, nil))
	}
	if text := mlir.Print(m, mlir.Options{}); strings.Contains(text, "scf.") {
		t.Errorf("the loop is still there:\n%s", text)
	}
}

// TestTruthsOfRounds: a constant that one round of cleaning has made and dropped is made
// again by the next.
func TestTruthsOfRounds(t *testing.T) {
	structured(t, `func.func @f(%x: memref<8xi32>) -> i32 {
  %0 = arith.constant 0 : index
  %1 = arith.constant 0 : i32
  %2 = arith.constant true
  %3 = arith.constant 1 : index
  %4 = memref.load %x[%0] : memref<8xi32>
  %5 = arith.cmpi ne, %4, %1 : i32
  cf.cond_br %5, ^bb3(%2 : i1), ^bb1
^bb1:
  %6 = memref.load %x[%3] : memref<8xi32>
  %7 = arith.cmpi eq, %6, %1 : i32
  %8 = arith.ori %5, %7 : i1
  %9 = arith.xori %7, %2 : i1
  cf.cond_br %8, ^bb3(%9 : i1), ^bb2
^bb2:
  %10 = memref.load %x[%3] : memref<8xi32>
  %11 = arith.cmpi ne, %10, %1 : i32
  cf.br ^bb3(%11 : i1)
^bb3(%a: i1):
  %12 = arith.extui %a : i1 to i32
  return %12 : i32
}
`)
}

// TestSunkInOrder: values that are computed behind a loop come after those they are made of.
func TestSunkInOrder(t *testing.T) {
	out := structured(t, `func.func @f(%x: memref<8xi32>, %n: i32) -> i32 {
  %0 = arith.constant 0 : i32
  %1 = arith.constant 1 : i8
  %2 = arith.constant 0 : i8
  %3 = arith.constant 0 : index
  cf.br ^bb1(%2 : i8)
^bb1(%i: i8):
  %4 = arith.addi %i, %1 : i8
  %5 = arith.index_cast %4 : i8 to index
  %6 = arith.extsi %4 : i8 to i32
  %7 = arith.cmpi ugt, %n, %6 : i32
  cf.cond_br %7, ^bb2, ^bb3(%6, %7 : i32, i1)
^bb2:
  %8 = memref.load %x[%5] : memref<8xi32>
  %9 = arith.cmpi eq, %8, %0 : i32
  cf.cond_br %9, ^bb1(%4 : i8), ^bb4(%7 : i1)
^bb3(%a: i32, %b: i1):
  memref.store %a, %x[%3] : memref<8xi32>
  cf.br ^bb4(%b : i1)
^bb4(%c: i1):
  %10 = arith.extui %c : i1 to i32
  return %10 : i32
}
`)
	if !strings.Contains(out, "scf.while") {
		t.Errorf("there is no loop:\n%s", out)
	}
}

// structured returns what becomes of a function, as text that must verify.
func structured(t *testing.T, text string) string {
	t.Helper()
	m, err := mlir.ParseAndVerify("f.mlir", text)
	if err != nil {
		t.Fatal(err)
	}
	if err := Run(m, &diag.List{}, pass.Options{Verify: true}); err != nil {
		t.Fatal(err)
	}
	out := mlir.Print(m, mlir.Options{})
	if _, err := mlir.ParseAndVerify("f.scf.mlir", out); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	return out
}
