package verilator_test

import (
	"slices"
	"strings"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/mapping"
	"loom/internal/fabrictest"
	"loom/internal/soak"
	"loom/internal/tools/toolstest"
	"loom/rtlgen"
	"loom/sim/cycle"
	"loom/sim/vector"
	"loom/verilator"
)

// TestBridges sends one access through every lane of a fabric with every kind of
// shared memory, external ones that are only read or only written and of every
// element width among them, and a token through tags that widen and narrow.
func TestBridges(t *testing.T) {
	f, bridges := fabrictest.Bridges(57)
	layout := config.NewLayout(f)
	rtl, err := rtlgen.Generate(f, layout, rtlgen.Meta{InputName: "bridges", ToolVersion: "test"})
	if err != nil {
		t.Fatal(err)
	}
	comp := func(name string) *arch.Component {
		return f.Comps[slices.IndexFunc(f.Comps, func(c *arch.Component) bool { return c.Name == name })]
	}
	img := config.New(layout)
	for _, br := range bridges {
		br.Configure(img, 0)
	}
	set := func(name string) *config.Setting { return &img.Settings[comp(name).ID] }
	set("rom").Regions[0].Valid = true
	set("count").Tag, set("add").Tag = 1, 2
	set("sw").Slots[0] = config.Slot{Valid: true, Tag: 1, Routes: [][2]int{{1, 2}}}
	set("sw").Slots[3] = config.Slot{Valid: true, Tag: 2, Routes: [][2]int{{0, 0}, {2, 0}}}
	set("map").Entries[1] = config.TagEntry{Valid: true, Src: 2, Dst: 1}

	b := &mapping.Binding{Kernel: "bridges", Start: -1, Done: -1}
	in := &vector.Inputs{}
	memories := 0
	for _, c := range f.Comps {
		if c.Kind != arch.ExtMemory {
			continue
		}
		typ := ir.MemRef([]int64{ir.Dynamic}, c.Mem.Type.Elem)
		m := &vector.Memory{Name: c.Name, Elem: typ.Elem, Shape: []int64{16}}
		for i := range uint64(16) {
			m.Data = append(m.Data, i*0x1234567+uint64(c.ID))
		}
		b.Args = append(b.Args, mapping.ArgBinding{Name: c.Name, Type: typ, Input: -1, Mem: c.ID})
		in.Args = append(in.Args, vector.Arg{Name: c.Name, Type: typ, Mem: m})
		memories++
	}
	for i, p := range f.Inputs {
		if p.Name == "token" {
			b.Start = i
			continue
		}
		b.Args = append(b.Args, mapping.ArgBinding{Name: p.Name, Type: p.Type, Input: i, Mem: -1})
		in.Args = append(in.Args, vector.Arg{Name: p.Name, Type: p.Type})
	}
	for i, p := range f.Outputs {
		typ := p.Type
		switch {
		case p.Name == "gone":
			b.Done = i
			continue
		case typ == ir.Type(ir.None):
			typ = ir.I1
		}
		b.Results = append(b.Results, mapping.ResultBinding{Name: p.Name, Type: typ, Output: i})
	}
	ram := comp("ram")
	b.Contents = []mapping.Contents{{Name: "head", Mem: ram.ID, Elem: ir.I32, Data: []uint64{11, 22, 33, 44}},
		{Name: "tail", Mem: ram.ID, First: 98, Elem: ir.I32, Data: []uint64{7, 0xffffffff}},
		{Name: "table", Mem: comp("rom").ID, Elem: ir.I16, Data: []uint64{0x8000, 1, 2}}}
	if memories < 3 || b.Start < 0 || b.Done < 0 {
		t.Fatalf("%d external memories, start %d, done %d: the fabric has changed", memories, b.Start, b.Done)
	}
	for seed := range uint64(soak.Scale(6, 60)) {
		for k := range in.Args {
			a := &in.Args[k]
			if a.Mem == nil {
				a.Scalar = cycle.Roll(seed, 1, uint64(k)) % 3
				if strings.HasPrefix(a.Name, "byte") { // a memory of one element
					a.Scalar = 0
				}
				if strings.HasSuffix(a.Name, "_value") {
					a.Scalar = cycle.Roll(seed, 2, uint64(k))
				}
			}
		}
		rep := run(t, verilator.Options{RTL: rtl, Fabric: f, Image: img, Binding: b, Inputs: in, LockStep: true, CacheDir: toolstest.Cache(t),
			Latency: latency.Profile{Min: 1, Max: 1 + int64(seed)*5, Seed: seed}, Stall: int(seed) * 13 % 90, StallSeed: seed})
		got := rep.Outcome
		if got.Status != vector.Done {
			t.Fatalf("seed %d: %s\n%s", seed, got.Status, strings.Join(got.Detail, "\n"))
		}
		if tail := got.OnChip[0].Elems[98:]; !slices.Equal(tail, []uint64{7, 0xffffffff}) {
			t.Errorf("seed %d: the last elements of %s are %v", seed, got.OnChip[0].Comp, tail)
		}
	}
}
