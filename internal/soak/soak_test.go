package soak

import (
	"testing"
	"time"
)

func TestCampaign(t *testing.T) {
	for _, c := range []struct {
		seconds, seed string
		length        time.Duration
		first         uint64
		fails         bool
	}{
		{"", "", 0, 0, false},
		{"", "7", 0, 0, false},
		{"600", "", 10 * time.Minute, 0, false},
		{"0.5", "42", time.Second / 2, 42, false},
		{"soon", "", 0, 0, true},
		{"-1", "", 0, 0, true},
		{"0", "", 0, 0, true},
		{"NaN", "", 0, 0, true},
		{"1", "-3", 0, 0, true},
	} {
		t.Setenv("LOOM_SOAK_SECONDS", c.seconds)
		t.Setenv("LOOM_SOAK_SEED", c.seed)
		length, seed, err := Campaign()
		if length != c.length || seed != c.first || (err != nil) != c.fails {
			t.Errorf("SECONDS=%q SEED=%q: %v, %d, %v", c.seconds, c.seed, length, seed, err)
		}
	}
}

func TestScale(t *testing.T) {
	for value, want := range map[string]int{"": 3, "1": 20, "4": 80, "0": 20, "x": 20} {
		t.Setenv("LOOM_SOAK", value)
		if got := Scale(3, 20); got != want {
			t.Errorf("LOOM_SOAK=%q: %d, want %d", value, got, want)
		}
	}
}
