package level0

import (
	"testing"

	_ "loom/compiler/dialect/all"
	"loom/compiler/mlir"
	"loom/sim/vector"
)

// TestTolerance: only functions that a library rounds in its own way need room.
func TestTolerance(t *testing.T) {
	for op, want := range map[string]vector.Tolerance{
		"math.sqrt": {}, "math.floor": {}, "math.absf": {}, "arith.negf": {},
		"math.exp": vector.Libraries, "math.sin": vector.Libraries, "math.log": vector.Libraries,
	} {
		mod, err := mlir.ParseAndVerify("k.mlir", "func.func @f(%x: f32) -> f32 {\n  %y = "+op+" %x : f32\n  return %y : f32\n}")
		if err != nil {
			t.Fatal(err)
		}
		if got := Tolerance(mod); got != want {
			t.Errorf("%s: %v", op, got)
		}
	}
}
