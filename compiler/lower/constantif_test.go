package lower_test

import (
	"os"
	"testing"

	"loom/compiler/lower"
	"loom/compiler/mlir"
)

// TestConstantCondition: a condition that turns out to be always true still chooses between the
// two sides that the program has. A random program, kept as it was found.
func TestConstantCondition(t *testing.T) {
	const path = "testdata/constant_condition.mlir"
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, order := range []string{"serial", "pipelined"} {
		mod, err := mlir.ParseAndVerify(path, string(src))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := lower.Lower(mod, lower.Options{MemoryOrder: order}); err != nil {
			t.Errorf("%s: %v", order, err)
		}
	}
}
