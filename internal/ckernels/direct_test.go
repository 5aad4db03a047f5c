package ckernels

import (
	"strings"
	"testing"

	"loom/compiler/circuit"
	"loom/compiler/latency"
	"loom/compiler/simplify"
	"loom/internal/tools"
	"loom/sim/cycle"
)

// TestDirect runs every kernel as a direct circuit in the cycle simulator, on all its inputs,
// with a memory as the circuit is sized for and with a slow, stalling one. Kernels with
// operations that the RTL library does not have are named by what they lack.
func TestDirect(t *testing.T) {
	needTools(t, tools.CC)
	ran, shared := 0, 0
	for i, k := range load(t) {
		t.Run(k.name, func(t *testing.T) {
			module := k.mustCompile(t).Module
			g := graph(t, module, "pipelined")
			if len(g.Regions[0].Entry().Ops) > 250 && !soaking() {
				t.Skip("a large circuit: set LOOM_SOAK=1")
			}
			small, err := simplify.Run(g, simplify.Options{IndexWidth: indexWidth})
			if err != nil {
				t.Fatal(render(err))
			}
			c, err := circuit.Build(small, circuit.Options{IndexWidth: indexWidth, Latency: latency.Default, Clock: circuit.DefaultClock})
			if err != nil {
				if !strings.Contains(err.Error(), "no hardware computes") {
					t.Fatal(render(err))
				}
				t.Skip(render(err))
			}
			ran++
			var own *circuit.Circuit // with a unit for each operation
			if len(c.Shares) > 0 && (i%3 == 0 || soaking()) {
				shared++
				if own, err = circuit.Build(small, circuit.Options{IndexWidth: indexWidth, Latency: latency.Default, NoShare: true}); err != nil {
					t.Fatal(render(err))
				}
			}
			for n, r := range k.inputs(t, g) {
				want := meaning(t, function(t, module), r.in)
				env := cycle.Options{MaxCycles: runCycles}
				if n%2 == 1 {
					env.Latency, env.StallPercent, env.StallSeed = latency.Profile{Min: 1, Max: 40, Seed: 7}, 30, uint64(n)
				}
				s, err := cycle.NewDirect(c, r.in, env)
				if err != nil {
					t.Fatal(render(err))
				}
				got, err := s.Run()
				if err != nil {
					t.Fatal(render(err))
				}
				agree(t, r, "direct circuit", want, got)
				if own == nil || n%2 == 1 {
					continue
				}
				if s, err = cycle.NewDirect(own, r.in, env); err != nil {
					t.Fatal(render(err))
				}
				alone, err := s.Run()
				if err != nil {
					t.Fatal(render(err))
				}
				// A shared unit has longer paths, so that a register for the clock target may stand elsewhere.
				if got.Cycles > alone.Cycles+alone.Cycles/100+4 {
					t.Errorf("%d cycles with shared units, %d with units of their own:\n%s", got.Cycles, alone.Cycles, c)
				}
			}
		})
	}
	t.Logf("%d kernels are direct circuits, %d with shared units", ran, shared)
}
