package verilator_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"loom/compiler/config"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/internal/fabrictest"
	"loom/internal/tools/toolstest"
	"loom/rtlgen"
	"loom/sim/cycle"
	"loom/sim/vector"
	"loom/verilator"
)

// loopInputs are the inputs of fabrictest.Loop for an array of n elements.
func loopInputs(n int) *vector.Inputs {
	mem := func(name string, f func(int) uint64) vector.Arg {
		m := &vector.Memory{Name: name, Elem: ir.I32, Shape: []int64{int64(n)}}
		for i := range n {
			m.Data = append(m.Data, f(i))
		}
		return vector.Arg{Name: name, Type: ir.MemRef([]int64{ir.Dynamic}, ir.I32), Mem: m}
	}
	scalar := func(name string, t ir.Type, v uint64) vector.Arg { return vector.Arg{Name: name, Type: t, Scalar: v} }
	return &vector.Inputs{Args: []vector.Arg{
		scalar("start", ir.Index, 0), scalar("step", ir.Index, 1), scalar("bound", ir.Index, uint64(n)),
		scalar("init", ir.I32, 1000),
		mem("x", func(i int) uint64 { return uint64(i*i + 3) }),
		mem("y", func(int) uint64 { return 0xdead }),
	}}
}

// loopExpected is what the loop means.
func loopExpected(in *vector.Inputs) *vector.Outcome {
	x := in.Args[4].Mem
	y := *in.Args[5].Mem
	y.Data = append([]uint64(nil), x.Data...)
	s := in.Args[3].Scalar
	for _, v := range x.Data {
		s += v
	}
	return &vector.Outcome{Status: vector.Done, Results: []vector.Scalar{{Type: ir.I32, Bits: s & 0xffffffff}},
		Memories: []*vector.Memory{x, &y}}
}

func loop(t testing.TB) (verilator.Options, *vector.Outcome) {
	t.Helper()
	p := fabrictest.Loop()
	rtl, err := rtlgen.Generate(p.Fabric, p.Layout, rtlgen.Meta{InputName: "loop", ToolVersion: "test"})
	if err != nil {
		t.Fatal(err)
	}
	in := loopInputs(12)
	return verilator.Options{RTL: rtl, Fabric: p.Fabric, Image: p.Image, Binding: p.Binding, Inputs: in, LockStep: true,
		CacheDir: toolstest.Cache(t), Expected: loopExpected(in)}, loopExpected(in)
}

func run(t testing.TB, o verilator.Options) *verilator.Report {
	t.Helper()
	rep, err := verilator.Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

// TestRun runs a loop with loads and stores under several environments: results
// and memories are those of the loop, and every channel of every cycle is that of
// the cycle simulator.
func TestRun(t *testing.T) {
	o, _ := loop(t)
	for _, p := range []struct {
		latency latency.Profile
		stall   int
	}{{latency.Profile{}, 0}, {latency.Profile{Min: 1, Max: 1}, 0}, {latency.Profile{Min: 1, Max: 40, Seed: 7}, 30}, {latency.Profile{Min: 2, Max: 90, Seed: 1}, 95}} {
		for _, n := range []int{12, 0, 1} {
			o := o
			o.Latency, o.Stall, o.StallSeed = p.latency, p.stall, 5
			o.Inputs = loopInputs(n)
			want := loopExpected(o.Inputs)
			o.Expected = want
			rep := run(t, o)
			got := rep.Outcome
			if got.Status != vector.Done {
				t.Fatalf("%v: %s\n%s", p, got.Status, strings.Join(got.Detail, "\n"))
			}
			if d := cmp.Diff(want.Results, got.Results); d != "" {
				t.Errorf("%v: results (-want +got)\n%s", p, d)
			}
			if d := cmp.Diff(want.Memories, got.Memories, cmpopts.EquateEmpty()); d != "" {
				t.Errorf("%v: memories (-want +got)\n%s", p, d)
			}
			if rep.Reference == nil || rep.Reference.Cycles != got.Cycles {
				t.Errorf("%v: cycles %d, reference %+v", p, got.Cycles, rep.Reference)
			}
		}
	}
}

// mutate replaces texts of a library module, given in pairs.
func mutate(t testing.TB, o verilator.Options, file string, pairs ...string) verilator.Options {
	t.Helper()
	rtl := *o.RTL
	rtl.Files = maps.Clone(o.RTL.Files)
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(rtl.Files[file], pairs[i]) {
			t.Fatalf("%s has no %q", file, pairs[i])
		}
		rtl.Files[file] = strings.Replace(rtl.Files[file], pairs[i], pairs[i+1], 1)
	}
	o.RTL = &rtl
	return o
}

// TestFaults breaks library modules one at a time: lock-step must fail, name the
// cycle and the component that holds the broken module.
func TestFaults(t *testing.T) {
	base, _ := loop(t)
	for _, f := range []struct{ file, from, to, origin string }{
		{"loom_carry.sv", "assign o_data  = pass_a ? a_data : b_data;", "assign o_data  = pass_a ? b_data : a_data;", "spatial_pe 'carry' (pe_loop)"},
		{"loom_op_addi.sv", "assign y = a + b", "assign y = a - b", "spatial_pe 'add' (pe_add)"},
		{"loom_cond_br.sv", "cond_valid & data_valid & cond_data", "cond_valid & data_valid & ~cond_data", "spatial_pe 'split' (pe_loop)"},
		// Nothing but the bus sees this one.
		{"loom_extmemory.sv", "assign st_req_addr  = (64'(index) << SHIFT) + offset", "assign st_req_addr  = ((64'(index) << SHIFT) + offset) ^ 64'd4", "extmemory 'y'"},
	} {
		t.Run(f.file, func(t *testing.T) {
			rep := run(t, mutate(t, base, f.file, f.from, f.to))
			if rep.Outcome.Status != vector.Mismatch || rep.Mismatch == nil {
				t.Fatalf("status %s", rep.Outcome.Status)
			}
			t.Log(rep.Mismatch)
			if rep.Mismatch.OriginName != f.origin {
				t.Errorf("origin %q, want %q\n%s", rep.Mismatch.OriginName, f.origin, strings.Join(rep.Outcome.Detail, "\n"))
			}
			if want := fmt.Sprintf("cycle %d, %s", rep.Mismatch.Cycle, f.origin); !strings.HasPrefix(rep.Outcome.Detail[0], want) {
				t.Errorf("detail %q does not start with %q", rep.Outcome.Detail[0], want)
			}
		})
	}
}

// TestVerdicts: runs that do not end well get different verdicts.
func TestVerdicts(t *testing.T) {
	base, _ := loop(t)
	image := func(change func(*config.Image)) *config.Image {
		img := &config.Image{Layout: base.Image.Layout, Settings: append([]config.Setting(nil), base.Image.Settings...)}
		change(img)
		return img
	}
	find := func(name string) int {
		for _, c := range base.Fabric.Comps {
			if c.Name == name {
				return c.ID
			}
		}
		t.Fatal(name)
		return 0
	}
	for _, c := range []struct {
		name     string
		change   func(*verilator.Options)
		status   vector.Status
		code     int
		detail   string
		lockstep bool
	}{
		{"budget", func(o *verilator.Options) { o.MaxCycles = 20 }, vector.Budget, 0, "", true},
		{"deadlock", func(o *verilator.Options) {
			o.Image = image(func(img *config.Image) {
				img.Settings[find("add")].PE = config.DisabledPE(base.Fabric.Comps[find("add")].PE)
			})
		}, vector.Deadlock, 0, "a token waits on split_out0 from split.out0 to add.in0", true},
		{"deadlock without a reference", func(o *verilator.Options) {
			o.Image = image(func(img *config.Image) {
				img.Settings[find("add")].PE = config.DisabledPE(base.Fabric.Comps[find("add")].PE)
			})
		}, vector.Deadlock, 0, "result 0 did not arrive", false},
		{"hardware error", func(o *verilator.Options) { o.Inputs = loopInputs(12); o.Inputs.Args[1].Scalar = 0 },
			vector.Error, 259, "the hardware raised error 259", true},
		{"out of bounds", func(o *verilator.Options) { o.Inputs = loopInputs(12); o.Inputs.Args[2].Scalar = 5000 },
			vector.Error, 513, "the hardware raised error 513", true},
		{"wrong result", func(o *verilator.Options) { o.Inputs = loopInputs(12); o.Inputs.Args[3].Scalar = 5 },
			vector.Mismatch, 0, "result 0: reference has", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := base
			if c.status != vector.Mismatch {
				o.Expected = nil
			}
			c.change(&o)
			o.LockStep = c.lockstep
			got := run(t, o).Outcome
			if got.Status != c.status || got.ErrorCode != c.code || !strings.Contains(strings.Join(got.Detail, "\n"), c.detail) {
				t.Errorf("%s, code %d, want %s, %d\n%s", got.Status, got.ErrorCode, c.status, c.code, strings.Join(got.Detail, "\n"))
			}
			if c.status != vector.Error {
				return
			}
			// Both levels name the cycle that raises the error, not that in which it shows.
			sim, err := cycle.New(o.Fabric, o.Image, o.Binding, o.Inputs, cycle.Options{Latency: o.Latency})
			if err != nil {
				t.Fatal(err)
			}
			want, err := sim.Run()
			if err != nil {
				t.Fatal(err)
			}
			at, _, _ := strings.Cut(want.Detail[0], ":")
			if !strings.HasPrefix(at, "cycle ") || !strings.Contains(strings.Join(got.Detail, "\n"), "in "+at) || got.Cycles != want.Cycles {
				t.Errorf("%d cycles, %q; the cycle simulator has %d, %q", got.Cycles, got.Detail, want.Cycles, want.Detail)
			}
		})
	}
}

// TestOptions: what does not fit together is refused before anything is built.
func TestOptions(t *testing.T) {
	base, _ := loop(t)
	for _, c := range []struct {
		change func(*verilator.Options)
		want   string
	}{
		{func(o *verilator.Options) { o.Image = nil }, "needs RTL"},
		{func(o *verilator.Options) { o.Fabric = fabrictest.Loop().Fabric }, "does not belong to fabric"},
		{func(o *verilator.Options) { o.Stall = 100 }, "stall percentage 100"},
		{func(o *verilator.Options) { o.Latency = latency.Profile{Min: 5, Max: 4} }, "latencies from 5 to 4"},
		{func(o *verilator.Options) { o.MaxCycles = -1 }, "negative"},
		{func(o *verilator.Options) { o.Inputs = &vector.Inputs{} }, "6 arguments, the inputs 0"},
	} {
		o := base
		c.change(&o)
		if _, err := verilator.Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

// TestWave writes a waveform and a dump of the channels; the second run of the same
// design takes its model from the cache.
func TestWave(t *testing.T) {
	o, _ := loop(t)
	dir := t.TempDir()
	o.WavePath, o.WorkDir = filepath.Join(dir, "w.fst"), filepath.Join(dir, "work")
	o.ChannelDump, o.DumpFrom, o.DumpTo = filepath.Join(dir, "dump.json"), 3, 5
	var stages []string
	o.Progress = func(p verilator.Progress) { stages = append(stages, p.Stage) }
	rep := run(t, o)
	if rep.Outcome.Status != vector.Done || rep.WavePath != o.WavePath {
		t.Errorf("%s, waveform %q", rep.Outcome.Status, rep.WavePath)
	}
	if st, err := os.Stat(o.WavePath); err != nil || st.Size() < 500 {
		t.Errorf("waveform: %v, %v", st, err)
	}
	dump, err := os.ReadFile(o.ChannelDump)
	if err != nil || strings.Count(string(dump), "\n") != 3 || !strings.HasPrefix(string(dump), `{"cycle":3,`) {
		t.Errorf("dump %.100s, %v", dump, err)
	}
	if _, err := os.Stat(filepath.Join(o.WorkDir, "result.json")); err != nil {
		t.Error(err)
	}
	if !run(t, o).CacheHit {
		t.Error("the second run built the model again")
	}
	if len(stages) == 0 || stages[len(stages)-1] != "simulate" {
		t.Errorf("progress: %v", stages)
	}
}

// TestDamagedModel: a model in the cache that cannot be executed is built again.
func TestDamagedModel(t *testing.T) {
	o, want := loop(t)
	good := run(t, o).Model
	o.CacheDir = t.TempDir()
	store := filepath.Join(o.CacheDir, filepath.Base(filepath.Dir(good)))
	damaged := filepath.Join(store, filepath.Base(good))
	if err := os.MkdirAll(damaged, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(damaged, "model"), []byte("\x7fELF"), 0o755); err != nil {
		t.Fatal(err)
	}
	// The run-time library need not be compiled again.
	libraries, err := filepath.Glob(filepath.Join(filepath.Dir(good), "library-*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range libraries {
		if err := os.Symlink(l, filepath.Join(store, filepath.Base(l))); err != nil {
			t.Fatal(err)
		}
	}
	var builds []verilator.Build
	o.Building = func(b verilator.Build) { builds = append(builds, b) }
	rep := run(t, o)
	if d := cmp.Diff(want.Results, rep.Outcome.Results); d != "" {
		t.Error(d)
	}
	if len(builds) != 2 || builds[0].Took != 0 || builds[0].Estimate <= 0 || builds[1].Took <= 0 {
		t.Errorf("announced %+v, want a begin with an estimate and an end", builds)
	}
	// What is built in its place may be one for a brief run.
	if text, err := os.ReadFile(filepath.Join(damaged, "model")); rep.CacheHit || err == nil && len(text) < 100 {
		t.Errorf("model %s, from the cache: %v; want %s built again", rep.Model, rep.CacheHit, damaged)
	}
	if !run(t, o).CacheHit || len(builds) != 2 {
		t.Error("the model built again is not kept")
	}
}
