package lower

import (
	"fmt"
	"testing"

	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
	"loom/internal/randprog"
)

// twoTrips has loops of two iterations around each other and beside one that counts to n; what they carry depends on the counters.
const twoTrips = `func.func @k(%%x: memref<8xi32>, %%n: index) -> (i32, i32) {
  %%lb = arith.constant %d : index
  %%ub = arith.constant %d : index
  %%step = arith.constant %d : index
  %%c0 = arith.constant 0 : index
  %%c1 = arith.constant 1 : index
  %%c2 = arith.constant 2 : index
  %%mask = arith.constant 3 : index
  %%zero = arith.constant 0 : i32
  %%three = arith.constant 3 : i32
  %%r:2 = scf.for %%i = %%lb to %%ub step %%step iter_args(%%s = %%zero, %%p = %%three) -> (i32, i32) {
    %%k = arith.index_cast %%i : index to i32
    %%q = scf.for %%j = %%c0 to %%c2 step %%c1 iter_args(%%t = %%s) -> (i32) {
      %%at = arith.addi %%j, %%c2 : index
      %%v = memref.load %%x[%%at] : memref<8xi32>
      %%w = arith.muli %%t, %%p : i32
      %%y = arith.addi %%w, %%v : i32
      %%z = arith.addi %%y, %%k : i32
      memref.store %%z, %%x[%%j] : memref<8xi32>
      scf.yield %%z : i32
    }
    scf.yield %%q, %%s : i32, i32
  }
  %%m = arith.andi %%n, %%mask : index
  %%u = scf.for %%i = %%c0 to %%m step %%c1 iter_args(%%t = %%r#0) -> (i32) {
    %%v = memref.load %%x[%%i] : memref<8xi32>
    %%w = arith.muli %%t, %%v : i32
    scf.yield %%w : i32
  }
  return %%u, %%r#1 : i32, i32
}
`

// TestFlags: where streams are few, loops of two iterations take none, the outer ones first, and compute the same; others keep theirs.
func TestFlags(t *testing.T) {
	for _, c := range []struct {
		lb, ub, step int64
		units, want  int // streams that there are, and are used
	}{
		{0, 2, 1, 3, 3}, {0, 2, 1, 2, 2}, {0, 2, 1, 1, 1}, {0, 2, 1, 0, 1},
		{3, 10, 4, 0, 1}, {3, 11, 4, 0, 1}, {3, 12, 4, 0, 2}, {3, 7, 4, 0, 1}, {-5, 3, 6, 1, 1},
	} {
		m, err := mlir.ParseAndVerify("two.mlir", fmt.Sprintf(twoTrips, c.lb, c.ub, c.step))
		if err != nil {
			t.Fatal(err)
		}
		fn := randprog.Function(m)
		opts := Options{IndexWidth: 32, MemoryOrder: "pipelined", Units: func(*ir.Operation) int { return c.units }}
		res, err := Lower(m, opts)
		if err != nil {
			t.Fatal(err)
		}
		streams := 0
		for _, op := range res.Func.Regions[0].Entry().Ops {
			if op.Name == opname.DataflowStream {
				streams++
			}
		}
		if streams != c.want {
			t.Errorf("%+v: %d streams", c, streams)
		}
		again := opts
		again.deviate = flagsAgain
		noticed := false
		for seed := range uint64(6) {
			in := randprog.Inputs(m, seed)
			if d, err := disagreement(fn, in, seed, opts); err != nil || d != "" {
				t.Fatalf("%+v: %v %s", c, err, d)
			}
			d, err := disagreement(fn, in, seed, again)
			noticed = noticed || err == nil && d != ""
		}
		if noticed != (c.units < 3) {
			t.Errorf("%+v: the second iteration with the first's counter is noticed: %v", c, noticed)
		}
	}
}
