package loom_test

import (
	"testing"

	"loom"
	"loom/compiler/latency"
	"loom/sim/vector"
)

// TestBusUse: every element is a cycle in which the bus moves one, and what it waits for in others is what the memory is short of: places where
// it responds later than these last, transactions that a DRAM takes, which bursts save.
func TestBusUse(t *testing.T) {
	plain, err := loom.ReadFabric("mesh6x6")
	if err != nil {
		t.Fatal(err)
	}
	ddr, err := latency.Parse("ddr4-2400")
	if err != nil {
		t.Fatal(err)
	}
	const elements = 512
	for _, c := range []struct {
		memory        latency.Profile
		text          string
		full, refused bool
	}{
		{latency.Fixed(4), plain.Text, false, false},
		{latency.Fixed(100), plain.Text, false, false},
		{latency.Fixed(250), plain.Text, true, false},
		{ddr, plain.Text, false, true},
		{ddr, withBursts(plain.Text), false, false},
	} {
		f, err := loom.LoadFabric(loom.Source{Name: "mesh6x6.yaml", Text: c.text}, loom.Watch{})
		if err != nil {
			t.Fatal(err)
		}
		k, err := loom.Compile(t.Context(), source(t, "testdata/kernels/vecadd.mlir"), loom.CompileOptions{Fabric: f})
		if err != nil {
			t.Fatal(err)
		}
		m, err := loom.Map(t.Context(), k, f, loom.MapOptions{Latency: c.memory})
		if err != nil {
			t.Fatal(err)
		}
		in, err := k.RandomInputs(loom.InputOptions{Seed: 1, Size: elements})
		if err != nil {
			t.Fatal(err)
		}
		run, err := m.RunCycles(in, loom.Environment{Latency: c.memory}, true)
		if err != nil {
			t.Fatal(err)
		}
		n, cycles := int64(0), run.Outcome.Cycles
		for _, b := range run.Buses {
			for _, u := range []*vector.BusUse{b.Loads, b.Stores} {
				if u == nil {
					continue
				}
				n++
				if u.Moved != elements || u.Cycles() > cycles {
					t.Errorf("%s: %s moved %d elements in %d of %d cycles", c.memory, b.Memory, u.Moved, u.Cycles(), cycles)
				}
				if full := u.Full*20 > cycles; full != c.full {
					t.Errorf("%s: %s: %s", c.memory, b.Memory, u.Text(cycles))
				}
				if refused := u.Refused*20 > cycles; refused && !c.refused || c.refused && b.Loads == u && !refused {
					t.Errorf("%s: %s: %s", c.memory, b.Memory, u.Text(cycles))
				}
			}
		}
		if n != 3 {
			t.Errorf("%s: %d directions of buses, want those of a, b and c", c.memory, n)
		}
	}
}
