package inputs_test

import (
	"testing"

	"loom/sim/inputs"
)

// TestRoles: what each parameter is for.
func TestRoles(t *testing.T) {
	want := map[string][]string{
		"gather":                                   {"", "address", "", "address bound"},
		"a local table":                            {"address", "address bound"},
		"rows of a sparse matrix":                  {"address bound start", "address", "", "", "address bound"},
		"rows whose ends are loaded again":         {"address bound start", "", "", "address bound"},
		"a linked list":                            {"address ended linked", "", "address"},
		"roots of sets":                            {"address ended linked", "address"},
		"the end of a text":                        {"ended"},
		"greatest common divisor, division, shift": {"counted", "counted divisor", "divisor", "amount", "integral"},
		"Collatz":                                  {"counted"},
		"a window before each element":             {"", "", "address bound", "address start"},
	}
	seen := 0
	for _, k := range kernels {
		roles, ok := want[k.name]
		if !ok {
			continue
		}
		seen++
		fn := graph(t, k.text, k.types...)
		for i, r := range roles {
			if got := inputs.RolesOf(fn, i); got != r {
				t.Errorf("%s: parameter %d is %q, want %q", k.name, i, got, r)
			}
		}
	}
	if seen != len(want) {
		t.Errorf("%d of %d kernels", seen, len(want))
	}
}
