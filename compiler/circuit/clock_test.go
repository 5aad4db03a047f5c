package circuit_test

import (
	"path/filepath"
	"strings"
	"testing"

	"loom/compiler/circuit"
	"loom/compiler/latency"
	"loom/internal/testkit"
)

// TestParseClock: what a target is spelled as comes back, and what is none is refused.
func TestParseClock(t *testing.T) {
	for text, want := range map[string]circuit.Clock{
		"100": {MHz: 100}, "62.5MHz": {MHz: 62.5}, "8levels": {Levels: 8}, "none": {},
	} {
		got, err := circuit.ParseClock(text)
		if err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
		if again, err := circuit.ParseClock(got.String()); err != nil || again != got {
			t.Errorf("%s is spelled %s, which is %+v, %v", text, got, again, err)
		}
	}
	for _, text := range []string{"", "0", "-1", "fast", "0levels", "-3levels", "1.5levels", "NaN", "Inf", "1e9", "10ns"} {
		if c, err := circuit.ParseClock(text); err == nil {
			t.Errorf("%q is %+v", text, c)
		}
	}
}

// TestClock: every kernel reaches a target or says what keeps it from it, no innermost loop
// gets slower, and no buffer is there for a target that is met without.
func TestClock(t *testing.T) {
	files, err := filepath.Glob(testkit.Testdata(t, "kernels", "*.mlir"))
	if err != nil || len(files) == 0 {
		t.Fatal("no kernels", err)
	}
	met := 0
	for _, path := range files {
		name := strings.TrimSuffix(filepath.Base(path), ".mlir")
		low := graph(t, name)
		at := func(clock circuit.Clock) (*circuit.Circuit, []circuit.LoopTiming) {
			t.Helper()
			o := circuit.Options{IndexWidth: 32, Latency: latency.Fixed(4), Clock: clock}
			c, err := circuit.Build(low, o)
			if err != nil {
				t.Fatal(name, err)
			}
			return c, circuit.Timing(c, o)
		}
		free, loops := at(circuit.Clock{})
		slow, _ := at(circuit.Clock{MHz: 1})
		if free.String() != slow.String() {
			t.Errorf("%s: 1 MHz changes the circuit:\n%s%s", name, free, slow)
		}
		for _, clock := range []circuit.Clock{circuit.DefaultClock, {MHz: 150}, {Levels: 5}} {
			c, cut := at(clock)
			e := c.Estimate
			limit := 1000 / clock.MHz
			if clock.Levels > 0 {
				limit = float64(clock.Levels)
			}
			if (e.Delay > limit+1e-9) != (e.Missed != "") || len(e.Path) == 0 {
				t.Errorf("%s for %s: %s, missed: %q, path %v", name, clock, e, e.Missed, e.Path)
			}
			if e.Missed == "" {
				met++
			}
			if e.Delay > slow.Estimate.Delay+1e-9 && clock.Levels == 0 {
				t.Errorf("%s for %s: %s, without it %s", name, clock, e, slow.Estimate)
			}
			for i, l := range loops {
				most := l.Interval
				if !l.Inner {
					most += l.Interval / 16
				}
				if cut[i].Interval > most {
					t.Errorf("%s for %s: loop %s takes %d cycles, %d without", name, clock, l.Name, cut[i].Interval, l.Interval)
				}
			}
		}
	}
	if met < len(files) {
		t.Errorf("%d targets are met", met)
	}
}
