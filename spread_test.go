package loom_test

import (
	"testing"

	"loom"
	"loom/sim/vector"
)

// TestSpread: the three loads of a stencil go to three memories where there are so many, and an iteration takes a cycle; to the one
// whose read cache they share where they have one. The result is that of the graph.
func TestSpread(t *testing.T) {
	plain, err := loom.ReadFabric("mesh8x8")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, text string
		interval   float64
		memories   int
	}{
		{"without caches", plain.Text, 1, 6},
		{"with caches", withCache(plain.Text, 64), 3, 4},
	} {
		f, err := loom.LoadFabric(loom.Source{Name: "mesh8x8.yaml", Text: c.text}, loom.Watch{})
		if err != nil {
			t.Fatal(err)
		}
		k, err := loom.Compile(t.Context(), source(t, "testdata/kernels/stencil.mlir"), loom.CompileOptions{Fabric: f})
		if err != nil {
			t.Fatal(err)
		}
		m, err := loom.Map(t.Context(), k, f, loom.MapOptions{})
		if err != nil {
			t.Fatal(err)
		}
		used := map[string]bool{}
		for _, x := range m.Data.Memories {
			used[x.Comp] = true
		}
		if n := m.Data.Timing.Interval(); n != c.interval || len(used) != c.memories {
			t.Errorf("%s: %g cycles per iteration with memories %v, want %g with %d", c.name, n, used, c.interval, c.memories)
		}
		in, err := k.RandomInputs(loom.InputOptions{Seed: 1, Size: 100})
		if err != nil {
			t.Fatal(err)
		}
		run, err := m.RunCycles(in, loom.Environment{}, false)
		if err != nil {
			t.Fatal(err)
		}
		want, err := k.RunTokens(in, loom.TokenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range vector.Diff(want, run.Outcome) {
			t.Errorf("%s: %s", c.name, line)
		}
	}
}
