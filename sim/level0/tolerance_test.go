package level0

import (
	"testing"

	_ "loom/compiler/dialect/all"
	"loom/compiler/mlir"
	"loom/sim/vector"
)

// TestTolerance: only functions with a library's own rounding need room, and NaN.
func TestTolerance(t *testing.T) {
	for op, want := range map[string]vector.Tolerance{
		"math.sqrt": {}, "math.floor": {}, "math.absf": {}, "arith.negf": {},
		"math.exp": vector.Libraries, "math.sin": vector.Libraries, "math.log": vector.Libraries,
	} {
		mod, err := mlir.ParseAndVerify("k.mlir", "func.func @f(%x: f32) -> f32 {\n  %y = "+op+" %x : f32\n  return %y : f32\n}")
		if err != nil {
			t.Fatal(err)
		}
		want.NaN = true
		if got := Tolerance(mod); got != want {
			t.Errorf("%s: %v", op, got)
		}
	}
}

func TestToleranceOfIntegers(t *testing.T) {
	mod, err := mlir.ParseAndVerify("k.mlir", "func.func @f(%x: i32) -> i32 {\n  %y = arith.addi %x, %x : i32\n  return %y : i32\n}")
	if err != nil {
		t.Fatal(err)
	}
	if got := Tolerance(mod); got != (vector.Tolerance{}) {
		t.Errorf("%v", got)
	}
}
