package structure

import (
	"testing"

	"loom/compiler/dialect/arith"
)

// Each comparison of floats has its opposite, which differs also for NaN.
func TestNegatedFloatPred(t *testing.T) {
	opposite := map[string]string{
		"false": "true", "oeq": "une", "ogt": "ule", "oge": "ult", "olt": "uge", "ole": "ugt", "one": "ueq", "ord": "uno",
	}
	for a, b := range opposite {
		opposite[b] = a
	}
	for p, name := range arith.FloatPredicates {
		if got := arith.FloatPredicates[negatedFloatPred(int64(p))]; got != opposite[name] {
			t.Errorf("the opposite of %s is %s, not %s", name, opposite[name], got)
		}
	}
}
