package verilator_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"loom/compiler/config"
	"loom/compiler/latency"
	"loom/internal/tools/toolstest"
	"loom/rtlgen"
	"loom/sim/cycle"
	"loom/sim/memmap"
	"loom/sim/vector"
	"loom/verilator"
)

// changed is a run on the same fabric with other external memories.
func changed(t testing.TB, o verilator.Options, burst int, bounds bool) verilator.Options {
	t.Helper()
	for _, c := range o.Fabric.ExternalMemories() {
		c.Mem.Burst, c.Mem.Bounds = burst, bounds
	}
	layout := config.NewLayout(o.Fabric)
	o.Image = &config.Image{Layout: layout, Settings: o.Image.Settings}
	rtl, err := rtlgen.Generate(o.Fabric, layout, rtlgen.Meta{InputName: o.Fabric.Name, ToolVersion: "test"})
	if err != nil {
		t.Fatal(err)
	}
	o.RTL = rtl
	return o
}

// resized gives an array of the inputs another number of elements.
func resized(in *vector.Inputs, arg, elements int) *vector.Inputs {
	out := *in
	out.Args = slices.Clone(in.Args)
	m := *in.Args[arg].Mem
	m.Data = slices.Clone(m.Data[:elements])
	m.Shape = []int64{int64(elements)}
	out.Args[arg].Mem = &m
	return &out
}

// strays runs a kernel on the cycle simulator and returns what its buses are asked for outside of every array, with
// bursts as a whole. The run ends with a code.
func strays(t *testing.T, o verilator.Options, code int) (list []string) {
	t.Helper()
	regions, err := memmap.Assign(o.Inputs, o.Binding, o.Fabric.IndexWidth)
	if err != nil {
		t.Fatal(err)
	}
	sim, err := cycle.New(o.Fabric, o.Image, o.Binding, o.Inputs, cycle.Options{Latency: o.Latency, StallPercent: o.Stall, StallSeed: o.StallSeed,
		Bus: func(x cycle.BusTransfer) {
			if x.Channel != cycle.AR && x.Channel != cycle.AW {
				return
			}
			bytes := (x.Len + 1) * x.Comp.Mem.ElemBytes()
			if !slices.ContainsFunc(regions, func(r memmap.Region) bool { return r.Contains(x.Addr, bytes) }) {
				list = append(list, fmt.Sprintf("cycle %d: %s of %d bytes from 0x%x", x.Cycle, x.Channel, bytes, x.Addr))
			}
		}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := sim.Run()
	if err != nil {
		t.Fatal(err)
	}
	if got.ErrorCode != code {
		t.Errorf("the cycle simulator ends with %s, code %d, want %d", got.Status, got.ErrorCode, code)
	}
	return list
}

// TestBounds: with bounds, and with bursts as well, a run that is right takes the cycles that it takes without,
// and one that leaves an array ends with 515, in lock-step with the cycle simulator, whose bus sees no request
// outside.
func TestBounds(t *testing.T) {
	toolstest.Need(t, "verilator", "g++")
	slow := latency.Profile{Min: 1, Max: 20, Seed: 3}
	for _, burst := range []int{1, 8} {
		plain, _ := loop(t)
		plain = changed(t, plain, burst, false)
		plain.Latency = slow
		want := run(t, plain).Outcome
		o, _ := loop(t)
		o = changed(t, o, burst, true)
		o.Latency = slow
		if got := run(t, o).Outcome; got.Status != vector.Done || got.Cycles != want.Cycles {
			t.Errorf("burst %d: %s after %d cycles, without bounds %d\n%s", burst, got.Status, got.Cycles, want.Cycles, strings.Join(got.Detail, "\n"))
		}
		for _, c := range []struct {
			name   string
			inputs *vector.Inputs
			start  uint64
			stall  int
		}{
			{"a load behind its array", resized(loopInputs(12), 4, 11), 0, 0},
			{"a store behind its array", resized(loopInputs(12), 5, 11), 0, 30},
			{"loads behind their array, many", resized(loopInputs(40), 4, 33), 0, 0},
			{"stores behind their array, many", resized(loopInputs(40), 5, 33), 0, 0},
			{"no array", resized(loopInputs(12), 4, 0), 0, 0},
			{"in front of the arrays", loopInputs(12), 0xfffffffe, 0},
		} {
			o := o
			o.Expected, o.Inputs, o.Stall, o.StallSeed = nil, c.inputs, c.stall, 9
			o.Inputs.Args[0].Scalar = c.start
			if c.start != 0 {
				o.Inputs.Args[2].Scalar = 0xffffffff // one iteration, of an unsigned index
			}
			got := run(t, o).Outcome
			if list := strays(t, o, 515); len(list) > 0 {
				t.Errorf("burst %d, %s: %s", burst, c.name, list[0])
			}
			if got.Status != vector.Error || got.ErrorCode != 515 {
				t.Errorf("burst %d, %s: %s, code %d\n%s", burst, c.name, got.Status, got.ErrorCode, strings.Join(got.Detail, "\n"))
			}
		}

		s, _ := shared(t, 64)
		load(&s, 20)
		s.Expected = nil
		s = changed(t, s, burst, true)
		s.Latency = slow
		if got := run(t, s).Outcome; got.Status != vector.Done {
			t.Errorf("burst %d, shared: %s, code %d\n%s", burst, got.Status, got.ErrorCode, strings.Join(got.Detail, "\n"))
		}
		for arg, name := range map[int]string{3: "the first", 4: "the second"} {
			load(&s, 20)
			s.Expected, s.Inputs = nil, resized(s.Inputs, arg, 18)
			if got := run(t, s).Outcome; got.Status != vector.Error || got.ErrorCode != 515 {
				t.Errorf("burst %d, behind %s array of a shared memory: %s, code %d\n%s", burst, name, got.Status, got.ErrorCode, strings.Join(got.Detail, "\n"))
			}
		}
	}
}
