package verilator_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/internal/fabrictest"
	"loom/internal/tools/toolstest"
	"loom/rtlgen"
	"loom/sim/cycle"
	"loom/sim/vector"
	"loom/verilator"
)

// TestUnits streams tokens through every function unit of one generated PE, with
// random wiring, discarded and held results and memories that push back: every
// channel must be what the cycle simulator predicts, in every cycle, however the
// run ends.
func TestUnits(t *testing.T) {
	widths := []int{32}
	if os.Getenv("LOOM_SOAK") != "" {
		widths = append(widths, 64, 40)
	}
	for _, indexWidth := range widths {
		b := fabrictest.NewBench(indexWidth)
		rtl, err := rtlgen.Generate(b.Fabric, b.Layout, rtlgen.Meta{InputName: "bench", ToolVersion: "test"})
		if err != nil {
			t.Fatal(err)
		}
		for op, u := range b.PE.PE.FUs {
			t.Run(fmt.Sprintf("%s_%d", u.Name, indexWidth), func(t *testing.T) {
				delivered := 0
				for seed := range uint64(3) {
					in := &vector.Inputs{}
					for i, v := range []uint64{uint64(op) * 0x1234567 % 1000, 1 + seed, 60} {
						in.Args = append(in.Args, vector.Arg{Name: b.Binding.Args[i].Name, Type: ir.Index, Scalar: v % 70})
					}
					in.Args[0].Scalar %= 8
					for range 3 {
						in.Args = append(in.Args, vector.Arg{Type: ir.MemRef([]int64{ir.Dynamic}, ir.I32),
							Mem: &vector.Memory{Elem: ir.I32, Shape: []int64{64}, Data: make([]uint64, 64)}})
					}
					o := verilator.Options{RTL: rtl, Fabric: b.Fabric, Image: b.Configure(op, seed), Binding: b.Binding, Inputs: in,
						LockStep: true, CacheDir: toolstest.Cache(t), Latency: latency.Profile{Min: 1, Max: 9, Seed: seed},
						Stall: int(seed) * 35, StallSeed: seed, MaxCycles: 3000}
					delivered += tokens(t, o, b.PE)
					rep := run(t, o)
					if rep.Mismatch != nil || rep.Outcome.Status == vector.Mismatch {
						t.Errorf("seed %d, setting %+v: %s\n%s", seed, o.Image.Settings[b.PE.ID].PE, rep.Outcome.Status,
							strings.Join(rep.Outcome.Detail, "\n"))
					}
				}
				if delivered == 0 {
					t.Error("no token came out of the unit: the test shows nothing")
				}
			})
		}
	}
}

// tokens counts what a PE delivers in a run.
func tokens(t *testing.T, o verilator.Options, pe *arch.Component) int {
	t.Helper()
	n := 0
	sim, err := cycle.New(o.Fabric, o.Image, o.Binding, o.Inputs, cycle.Options{Latency: o.Latency, StallPercent: o.Stall,
		StallSeed: o.StallSeed, MaxCycles: o.MaxCycles, Trace: func(_ int64, ch []cycle.ChannelState) {
			for _, p := range pe.Out {
				if s := ch[p.Chan.ID]; s.Valid && s.Ready {
					n++
				}
			}
		}})
	if err == nil {
		_, err = sim.Run()
	}
	if err != nil {
		t.Fatal(err)
	}
	return n
}
