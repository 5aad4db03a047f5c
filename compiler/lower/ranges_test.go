package lower

import (
	"testing"

	"loom/compiler/analysis/ranges"
	"loom/compiler/ir"
	"loom/internal/randprog"
)

// TestFactsOfOtherBranches: what a branch knows of a value that it casts itself does not
// come back to the value elsewhere.
func TestFactsOfOtherBranches(t *testing.T) {
	m := parse(t, `
func.func @f(%n: i32, %x: memref<64xi64>) -> i32 {
  %zero = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  %four = arith.constant 4 : i32
  %at = arith.constant 0 : index
  %some = arith.cmpi sgt, %n, %zero : i32
  %last = scf.if %some -> i32 {
    %i = scf.while (%i0 = %zero) : (i32) -> i32 {
      %more = arith.cmpi slt, %i0, %n : i32
      scf.condition(%more) %i0 : i32
    } do {
    ^bb0(%i1: i32):
      %i2 = arith.addi %i1, %four : i32
      scf.yield %i2 : i32
    }
    scf.yield %i : i32
  } else {
    scf.yield %zero : i32
  }
  %few = arith.cmpi ult, %n, %two : i32
  scf.if %few {
    %wide = arith.extsi %n : i32 to i64
    memref.store %wide, %x[%at] : memref<64xi64>
  }
  return %last : i32
}`)
	fn := m.Regions[0].Entry().Ops[0]
	r := ranges.Analyse(fn, ranges.Options{IndexWidth: 64})
	fn.Walk(func(op *ir.Operation) bool {
		if op.Name == "arith.addi" {
			if i := r.At(op.Operand(0), op); i.Lo > 0 || i.Hi < 8 {
				t.Errorf("the counter is in %v", i)
			}
		}
		return true
	})
	in := randprog.Inputs(m, 1)
	in.Args[0].Scalar = 7
	if d, err := disagreement(randprog.Function(m), in, 1, Options{}); err != nil || d != "" {
		t.Errorf("%v %s", err, d)
	}
}
