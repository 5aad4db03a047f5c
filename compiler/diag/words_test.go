package diag

import "testing"

func TestPlural(t *testing.T) {
	for _, c := range []struct {
		n          int
		noun, want string
	}{{1, "switch", "1 switch"}, {2, "switch", "2 switches"}, {0, "memory", "0 memories"}, {2, "array", "2 arrays"}, {3, "PE", "3 PEs"}} {
		if got := Plural(c.n, c.noun); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}
