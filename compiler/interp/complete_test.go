package interp_test

import (
	"slices"
	"testing"

	"loom/compiler/interp"
	"loom/compiler/ir"
)

// Every registered operation of the dialects the interpreter runs has a meaning
// here; what has none is listed with the reason.
func TestEveryOperationHasAMeaning(t *testing.T) {
	without := map[string]string{
		"func.func":          "is entered, not executed",
		"func.constant":      "function values are not supported: indirect calls are errors",
		"func.call_indirect": "indirect calls are errors",
		"memref.global":      "is read by memref.get_global",
		"memref.extract_aligned_pointer_as_index": "memory has no addresses here",
	}
	dialects := []string{"arith", "index", "math", "func", "scf", "affine", "memref", "cf", "ub"}
	for _, d := range ir.Definitions() {
		dialect := (&ir.Operation{Name: d.Name}).Dialect()
		if !slices.Contains(dialects, dialect) {
			continue
		}
		reason, listed := without[d.Name]
		if ok := interp.Supported(d.Name); ok == listed {
			t.Errorf("%s: supported %v, listed as without meaning: %q", d.Name, ok, reason)
		}
	}
}
