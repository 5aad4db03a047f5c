package arith

import "testing"

// Each comparison of floats has its opposite, which differs also for NaN.
func TestFloatPredicateNegated(t *testing.T) {
	opposite := map[string]string{
		"false": "true", "oeq": "une", "ogt": "ule", "oge": "ult", "olt": "uge", "ole": "ugt", "one": "ueq", "ord": "uno",
	}
	for a, b := range opposite {
		opposite[b] = a
	}
	for p, name := range FloatPredicates {
		if got := FloatPredicate(p).Negated().String(); got != opposite[name] {
			t.Errorf("the opposite of %s is %s, not %s", name, opposite[name], got)
		}
	}
}

// TestIntPredicate: negating and swapping twice changes nothing, negating keeps who is
// compared with sign, and names lead back to their predicates.
func TestIntPredicate(t *testing.T) {
	for p := Eq; p <= Uge; p++ {
		if p.Negated().Negated() != p || p.Swapped().Swapped() != p {
			t.Errorf("%s: negated %s, swapped %s", p, p.Negated(), p.Swapped())
		}
		if p.Negated().Unsigned() != p.Unsigned() || p.Negated().Reflexive() == p.Reflexive() || p.Swapped().Reflexive() != p.Reflexive() {
			t.Errorf("%s: negated %s, swapped %s", p, p.Negated(), p.Swapped())
		}
		if q, ok := ParseIntPredicate(p.String()); !ok || q != p {
			t.Errorf("the name %s leads to %d, %v", p, q, ok)
		}
	}
	if _, ok := ParseIntPredicate("lt"); ok {
		t.Error("lt is no predicate")
	}
}
