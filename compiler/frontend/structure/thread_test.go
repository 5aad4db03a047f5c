package structure

import (
	"testing"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/pass"
)

// TestLoopsThatBeginWithLoops: the block that begins the outer loop does nothing, and
// still the two loops are two.
func TestLoopsThatBeginWithLoops(t *testing.T) {
	m, err := mlir.ParseAndVerify("k.mlir", `
func.func @sums(%x: memref<?xi32>, %y: memref<?xi32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  cf.br ^outer(%c0 : i32)
^outer(%i: i32):
  cf.br ^inner(%c0, %c0 : i32, i32)
^inner(%j: i32, %s: i32):
  %p = arith.addi %i, %j : i32
  %k = arith.index_cast %p : i32 to index
  %v = memref.load %x[%k] : memref<?xi32>
  %t = arith.addi %s, %v : i32
  %j1 = arith.addi %j, %c1 : i32
  %done = arith.cmpi eq, %j1, %c3 : i32
  cf.cond_br %done, ^store, ^inner(%j1, %t : i32, i32)
^store:
  %at = arith.index_cast %i : i32 to index
  memref.store %t, %y[%at] : memref<?xi32>
  %i1 = arith.addi %i, %c1 : i32
  %more = arith.cmpi ne, %i1, %n : i32
  cf.cond_br %more, ^outer(%i1 : i32), ^end
^end:
  return
}`)
	if err != nil {
		t.Fatal(err)
	}
	if err := Run(m, &diag.List{}, pass.Options{Verify: true}); err != nil {
		t.Fatal(err)
	}
	loops, nested := 0, 0
	m.Walk(func(op *ir.Operation) bool {
		if op.Name == "scf.for" || op.Name == "scf.while" {
			loops++
			for o := op.ParentOp(); o != nil; o = o.ParentOp() {
				if o.Name == "scf.for" || o.Name == "scf.while" {
					nested++
				}
			}
		}
		return true
	})
	if loops != 2 || nested != 1 {
		t.Errorf("%d loops, %d of them nested:\n%s", loops, nested, mlir.Print(m, mlir.Options{}))
	}
}
