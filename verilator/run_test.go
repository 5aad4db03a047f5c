package verilator_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"loom/compiler/ir"
	"loom/rtlgen"
	"loom/rtlgen/fabrictest"
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

// testCache keeps models between runs of the suite, as a user's cache does.
func testCache(t testing.TB) string {
	t.Helper()
	dir, err := os.UserCacheDir()
	if err != nil {
		return t.TempDir()
	}
	return filepath.Join(dir, "loom-test")
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
		CacheDir: testCache(t), Expected: loopExpected(in)}, loopExpected(in)
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
	o, want := loop(t)
	for _, p := range []struct {
		latency cycle.Latency
		stall   int
	}{{cycle.Latency{}, 0}, {cycle.Latency{Min: 1, Max: 1}, 0}, {cycle.Latency{Min: 1, Max: 40, Seed: 7}, 30}, {cycle.Latency{Min: 2, Max: 90, Seed: 1}, 95}} {
		for _, n := range []int{12, 0, 1} {
			o := o
			o.Latency, o.Stall, o.StallSeed = p.latency, p.stall, 5
			o.Inputs = loopInputs(n)
			want = loopExpected(o.Inputs)
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

// TestFaults breaks library modules one at a time: lock-step must fail, name the
// cycle and the component that holds the broken module.
func TestFaults(t *testing.T) {
	base, _ := loop(t)
	for _, f := range []struct{ file, from, to, place string }{
		{"loom_carry.sv", "assign o_data  = started ? b_data : a_data;", "assign o_data  = started ? a_data : b_data;", "spatial_pe 'carry' (pe_loop)"},
		{"loom_op_addi.sv", "assign y = a + b", "assign y = a - b", "spatial_pe 'add' (pe_add)"},
		{"loom_cond_br.sv", "cond_valid & data_valid & cond_data", "cond_valid & data_valid & ~cond_data", "spatial_pe 'split' (pe_loop)"},
	} {
		t.Run(f.file, func(t *testing.T) {
			o := base
			rtl := *base.RTL
			rtl.Files = map[string]string{}
			for k, v := range base.RTL.Files {
				rtl.Files[k] = v
			}
			if !strings.Contains(rtl.Files[f.file], f.from) {
				t.Fatalf("%s has no %q", f.file, f.from)
			}
			rtl.Files[f.file] = strings.Replace(rtl.Files[f.file], f.from, f.to, 1)
			o.RTL = &rtl
			rep := run(t, o)
			if rep.Outcome.Status != vector.Mismatch || rep.Mismatch == nil {
				t.Fatalf("status %s", rep.Outcome.Status)
			}
			t.Log(rep.Mismatch)
			if rep.Mismatch.PlaceName != f.place {
				t.Errorf("place %q, want %q\n%s", rep.Mismatch.PlaceName, f.place, strings.Join(rep.Outcome.Detail, "\n"))
			}
			if want := fmt.Sprintf("cycle %d, %s", rep.Mismatch.Cycle, f.place); !strings.HasPrefix(rep.Outcome.Detail[0], want) {
				t.Errorf("detail %q does not start with %q", rep.Outcome.Detail[0], want)
			}
		})
	}
}
