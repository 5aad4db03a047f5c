package verilator

import (
	"context"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"loom/compiler/latency"
	"loom/internal/fabrictest"
	"loom/internal/tools/toolstest"
	"loom/rtlgen"
	"loom/sim/vector"

	"loom/compiler/ir"
)

// mutateHarness replaces a text of the harness for the time of a test.
func mutateHarness(t *testing.T, file, from, to string) {
	t.Helper()
	changed := fstest.MapFS{}
	list, err := fs.ReadDir(embedded, "harness")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		text, err := fs.ReadFile(embedded, "harness/"+f.Name())
		if err != nil {
			t.Fatal(err)
		}
		if f.Name() == file {
			if !strings.Contains(string(text), from) {
				t.Fatalf("%s has no %q", file, from)
			}
			text = []byte(strings.Replace(string(text), from, to, 1))
		}
		changed["harness/"+f.Name()] = &fstest.MapFile{Data: text}
	}
	harnessHeaders = changed
	t.Cleanup(func() { harnessHeaders = embedded })
}

// TestSlaveFault: the checkers watch the memory behind the bus as well. They know
// from the numbers of responses that writes of one ID are swapped.
func TestSlaveFault(t *testing.T) {
	mutateHarness(t, "loom_axi.hpp", "if (y.id == x.id) x.due = ", "if (false) x.due = ")
	p := fabrictest.Loop()
	rtl, err := rtlgen.Generate(p.Fabric, p.Layout, rtlgen.Meta{InputName: "loop", ToolVersion: "test"})
	if err != nil {
		t.Fatal(err)
	}
	in := &vector.Inputs{}
	for i, v := range []uint64{0, 1, 40, 0} {
		in.Args = append(in.Args, vector.Arg{Type: p.Binding.Args[i].Type, Scalar: v})
	}
	for range 2 {
		in.Args = append(in.Args, vector.Arg{Type: ir.MemRef([]int64{ir.Dynamic}, ir.I32),
			Mem: &vector.Memory{Elem: ir.I32, Shape: []int64{40}, Data: make([]uint64, 40)}})
	}
	rep, err := Run(context.Background(), Options{RTL: rtl, Fabric: p.Fabric, Image: p.Image, Binding: p.Binding, Inputs: in,
		CacheDir: toolstest.Cache(t), Latency: latency.Profile{Min: 1, Max: 60, Seed: 1}})
	if err != nil {
		t.Fatal(err)
	}
	want := "AXI rule 17 of 'y' is broken by the slave: B belongs to another than the oldest write of its ID"
	if m := rep.Mismatch; rep.Outcome.Status != vector.Mismatch || m == nil || !strings.Contains(m.String(), want) {
		t.Errorf("%s: %s\nwant %s", rep.Outcome.Status, strings.Join(rep.Outcome.Detail, "\n"), want)
	}
}
