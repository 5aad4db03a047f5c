package latency

import "testing"

func TestParse(t *testing.T) {
	for _, s := range []string{"fixed:4", "fixed:1", "random:1,40,7", "random:2,3,18446744073709551615"} {
		l, err := Parse(s)
		if err != nil || l.String() != s {
			t.Errorf("%s: %v, %v", s, l, err)
		}
	}
	for _, s := range []string{"", "fixed", "fixed:", "fixed:0", "fixed:-1", "fixed:1,2", "random:1,2", "random:3,2,1", "random:1,2,x", "random:1,2,3,4", "slow:3", "fixed:99999999999"} {
		if l, err := Parse(s); err == nil {
			t.Errorf("%q was read as %v", s, l)
		}
	}
	// A profile of one latency is spelled fixed: its seed has no effect.
	if l, err := Parse("random:5,5,3"); err != nil || l.String() != "fixed:5" {
		t.Errorf("random:5,5,3: %v %v", l, err)
	}
}

// TestCycles: what estimates assume of a profile, and how they print it.
func TestCycles(t *testing.T) {
	for _, c := range []struct {
		p      Profile
		cycles int
		text   string
	}{
		{Profile{}, 4, "4 cycles"},
		{Fixed(1), 1, "1 cycle"},
		{Profile{Min: 1, Max: 40, Seed: 7}, 21, "21 cycles, the mean of random:1,40,7"},
		{Profile{Min: 2, Max: 4, Seed: 7}, 3, "3 cycles, the mean of random:2,4,7"},
	} {
		if got := c.p.Cycles(); got != c.cycles || c.p.Describe() != c.text {
			t.Errorf("%v: %d, %q, want %d, %q", c.p, got, c.p.Describe(), c.cycles, c.text)
		}
	}
}

func TestCheck(t *testing.T) {
	for _, p := range []Profile{{Min: 0, Max: 1}, {Min: 3, Max: 2}, {Min: 1, Max: Max + 1}} {
		if p.Check() == nil {
			t.Errorf("%+v passes", p)
		}
	}
	if err := (Profile{}).Check(); err != nil {
		t.Error(err)
	}
}
