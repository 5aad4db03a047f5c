package randc

import (
	"strings"
	"testing"
)

// TestShrink: what is left still fulfils the predicate, well-formed and small.
func TestShrink(t *testing.T) {
	shrunk := 0
	for seed := uint64(0); seed < 80; seed++ {
		p := Generate(seed, "p_")
		text := p.Text()
		if !strings.Contains(text, "switch (") {
			continue
		}
		small := Shrink(p, 5000, func(q *Program) bool { return strings.Contains(q.Text(), "switch (") })
		if err := small.Check(); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		if n := strings.Count(small.Text(), "\n"); n > 16 {
			t.Errorf("seed %d: %d lines are left of %d:\n%s", seed, n, strings.Count(text, "\n"), small.Text())
		}
		if p.Text() != text {
			t.Errorf("seed %d: the program itself has changed", seed)
		}
		shrunk++
	}
	if shrunk < 10 {
		t.Errorf("only %d programs have a switch", shrunk)
	}
}

// TestDeterministic: a seed names a program for good, and its inputs.
func TestDeterministic(t *testing.T) {
	for seed := uint64(0); seed < 20; seed++ {
		a, b := Generate(seed, "a_"), Generate(seed, "a_")
		if a.Text() != b.Text() || a.Clone().Text() != a.Text() {
			t.Errorf("seed %d gives different programs", seed)
		}
	}
}
