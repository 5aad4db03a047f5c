package verilator_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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

// tableFirst is the element of the on-chip memory at which the table begins.
const tableFirst = 4

// shared is a fabric whose one external memory serves two arrays of 16 bits through
// four lanes and a bus of busWidth bits, beside an on-chip memory that the host
// fills. It is configured to run
//
//	for i in 0..bound { x[i], y[i], t[i] = x[i]+y[i], x[i]+t[i], y[i] }
//
// where nothing but the fabric's own order keeps an element's load before its store.
func shared(t testing.TB, busWidth int) (verilator.Options, *arch.Component) {
	t.Helper()
	b := fabrictest.New("shared", 64)
	i1, i16, index, none := ir.Type(ir.I1), ir.Type(ir.I16), ir.Type(ir.Index), ir.Type(ir.None)
	wide, word := ir.Type(ir.Bits(64)), ir.Type(ir.Bits(16))
	in, out, connect := fabrictest.In, fabrictest.Out, b.Connect

	start, step, bound, ctrl := b.Input("start", index), b.Input("step", index), b.Input("bound", index), b.Input("ctrl", none)
	done := b.Output("done", none)
	stream := b.PE("stream", "pe_stream", []ir.Type{wide, wide, wide}, []ir.Type{wide, i1},
		b.Single("stream", "dataflow.stream", -1, -1, []ir.Type{index, index, index}, index, i1))
	filter := b.PE("filter", "pe_filter", []ir.Type{i1, wide}, []ir.Type{wide, wide},
		b.Single("cond_br", "handshake.cond_br", 0, 1, []ir.Type{i1, index}, index, index))
	adder := func(name string) *arch.Component {
		return b.PE(name, "pe_add", []ir.Type{word, word}, []ir.Type{word},
			b.Single("addi", "arith.addi", 1, 1, []ir.Type{i16, i16}, i16))
	}
	addX, addY := adder("add_x"), adder("add_y")
	same := func(t ir.Type, n int) []ir.Type {
		var out []ir.Type
		for range n {
			out = append(out, t)
		}
		return out
	}
	fan := b.Switch("fan", same(wide, 1), same(wide, 6))
	fanX, fanY := b.Switch("fan_x", same(word, 1), same(word, 2)), b.Switch("fan_y", same(word, 1), same(word, 2))
	ext := b.Ported("ext", i16, 0, 2, 2)
	ext.Mem.BusWidth, ext.Mem.NumRegion = busWidth, 2
	table := b.Memory("table", i16, 40, true, true)
	table.Mem.Private = false
	br := b.Bridge(ext, 6)
	queue := func(name string, t ir.Type, src arch.Endpoint) arch.Endpoint {
		q := b.FIFO(name, t, 8, false)
		connect(src, in(q, 0))
		return out(q, 0)
	}

	connect(start, in(stream, 0))
	connect(step, in(stream, 1))
	connect(bound, in(stream, 2))
	connect(out(stream, 1), in(filter, 0))
	connect(out(stream, 0), in(filter, 1))
	connect(out(filter, 0), in(fan, 0))
	b.Unused(out(filter, 1))
	connect(out(fan, 0), br.Loads[0].Addr)
	connect(out(fan, 1), br.Loads[1].Addr)
	connect(out(fan, 2), in(table, table.Mem.LdAddr))
	connect(queue("q_x", wide, out(fan, 3)), br.Stores[0].Addr)
	connect(queue("q_y", wide, out(fan, 4)), br.Stores[1].Addr)
	connect(queue("q_t", wide, out(fan, 5)), in(table, table.Mem.StAddr))
	connect(br.Loads[0].Data, in(fanX, 0))
	connect(br.Loads[1].Data, in(fanY, 0))
	connect(out(fanX, 0), in(addX, 0))
	connect(out(fanY, 0), in(addX, 1))
	connect(out(fanX, 1), in(addY, 0))
	connect(out(table, table.Mem.LdData), in(addY, 1))
	connect(out(addX, 0), br.Stores[0].Data)
	connect(out(addY, 0), br.Stores[1].Data)
	connect(queue("q_old", word, out(fanY, 1)), in(table, table.Mem.StData))
	for _, a := range []arch.Endpoint{br.Loads[0].Done, br.Loads[1].Done, br.Stores[0].Done, br.Stores[1].Done,
		out(table, table.Mem.LdDone), out(table, table.Mem.StDone)} {
		b.Unused(a)
	}
	connect(ctrl, done)

	layout := config.NewLayout(b.F)
	img := config.New(layout)
	for _, sw := range []*arch.Component{fan, fanX, fanY} {
		for o := range sw.Out {
			img.Settings[sw.ID].Switch.Route[o] = 0
		}
	}
	for _, c := range []*arch.Component{stream, filter, addX, addY} {
		s := config.DisabledPE(c.PE)
		s.Enable = true
		for k := range c.In {
			s.In[k] = config.Selector{Sel: k}
		}
		for k := range c.Out {
			s.Out[k] = config.Selector{Sel: k}
		}
		if c == stream {
			s.Fields = []uint64{1}
		}
		img.Settings[c.ID].PE = s
	}
	br.Configure(img, 0)
	img.Settings[ext.ID].Regions = []config.Region{{Valid: true, EndTag: 1}, {Valid: true, StartTag: 1, EndTag: 2}}
	img.Settings[table.ID].Regions[0] = config.Region{Valid: true, Offset: 2 * tableFirst}

	memref := ir.MemRef([]int64{ir.Dynamic}, i16)
	binding := &mapping.Binding{Kernel: "shared", Start: 3, Done: 0, Args: []mapping.ArgBinding{
		{Name: "start", Type: index, Input: 0, Mem: -1}, {Name: "step", Type: index, Input: 1, Mem: -1},
		{Name: "bound", Type: index, Input: 2, Mem: -1},
		{Name: "x", Type: memref, Input: -1, Mem: ext.ID}, {Name: "y", Type: memref, Input: -1, Mem: ext.ID, Region: 1},
	}, Contents: []mapping.Contents{{Name: "t", Mem: table.ID, First: tableFirst, Elem: i16}}}
	rtl, err := rtlgen.Generate(b.F, layout, rtlgen.Meta{InputName: "shared", ToolVersion: "test"})
	if err != nil {
		t.Fatal(err)
	}
	return verilator.Options{RTL: rtl, Fabric: b.F, Image: img, Binding: binding, LockStep: true, CacheDir: toolstest.Cache(t)}, table
}

// load gives the program arrays and a table of n elements and returns what the
// table holds in the end.
func load(o *verilator.Options, n int) []uint64 {
	in, want := &vector.Inputs{}, &vector.Outcome{Status: vector.Done}
	for i, v := range []uint64{0, 1, uint64(n)} {
		in.Args = append(in.Args, vector.Arg{Name: o.Binding.Args[i].Name, Type: ir.Index, Scalar: v})
	}
	array := func(f func(i uint64) uint64) []uint64 {
		data := make([]uint64, n)
		for i := range data {
			data[i] = f(uint64(i)) & 0xffff
		}
		return data
	}
	x := array(func(i uint64) uint64 { return 0x1111*i + 7 })
	y := array(func(i uint64) uint64 { return 0xfedc - 513*i })
	t := array(func(i uint64) uint64 { return i*i*i + 0xa500 })
	for k, data := range [][]uint64{x, y} {
		bind := o.Binding.Args[3+k]
		in.Args = append(in.Args, vector.Arg{Name: bind.Name, Type: bind.Type,
			Mem: &vector.Memory{Name: bind.Name, Elem: ir.I16, Shape: []int64{int64(n)}, Data: data}})
	}
	for k, data := range [][]uint64{array(func(i uint64) uint64 { return x[i] + y[i] }), array(func(i uint64) uint64 { return x[i] + t[i] })} {
		m := *in.Args[3+k].Mem
		m.Data = data
		want.Memories = append(want.Memories, &m)
	}
	b := *o.Binding
	b.Contents = append([]mapping.Contents(nil), b.Contents...)
	b.Contents[0].Data = t
	o.Binding, o.Inputs, o.Expected = &b, in, want
	final := make([]uint64, 40)
	copy(final[tableFirst:], y)
	return final
}

// reorders reports whether responses to loads come in another order than the loads
// reach the bus.
func reorders(t *testing.T, o verilator.Options) bool {
	t.Helper()
	var waiting []cycle.BusTransfer
	found := false
	s, err := cycle.New(o.Fabric, o.Image, o.Binding, o.Inputs, cycle.Options{Latency: o.Latency, StallPercent: o.Stall,
		StallSeed: o.StallSeed, Bus: func(x cycle.BusTransfer) {
			switch {
			case x.Channel == cycle.AR:
				waiting = append(waiting, x)
			case x.Channel == cycle.R:
				for i, w := range waiting {
					if w.ID == x.ID {
						found = found || i > 0
						waiting = append(waiting[:i:i], waiting[i+1:]...)
						break
					}
				}
			}
		}})
	if err == nil {
		_, err = s.Run()
	}
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestShared runs lanes that share an external memory, and an on-chip memory filled
// by the host, under several environments and on buses of several widths.
func TestShared(t *testing.T) {
	widths := []int{1024}
	if soak.Factor() > 0 {
		widths = append(widths, 16, 32, 64, 128, 256, 512)
	}
	for _, bus := range widths {
		base, table := shared(t, bus)
		for _, p := range []struct {
			latency  latency.Profile
			stall, n int
			reorders bool
		}{
			{latency.Profile{}, 0, 32, false}, {latency.Profile{Min: 1, Max: 1}, 0, 1, false}, {latency.Profile{Min: 1, Max: 1}, 50, 0, false},
			{latency.Profile{Min: 1, Max: 40, Seed: 7}, 30, 32, true}, {latency.Profile{Min: 2, Max: 90, Seed: 1}, 90, 20, true},
		} {
			o := base
			final := load(&o, p.n)
			o.Latency, o.Stall, o.StallSeed = p.latency, p.stall, 11
			rep := run(t, o)
			got := rep.Outcome
			if got.Status != vector.Done {
				t.Fatalf("bus %d, %+v: %s\n%s", bus, p, got.Status, strings.Join(got.Detail, "\n"))
			}
			if d := cmp.Diff([]vector.OnChip{{Comp: table.Name, Elems: final}}, got.OnChip); d != "" {
				t.Errorf("bus %d, %+v: table (-want +got)\n%s", bus, p, d)
			}
			if got := reorders(t, o); got != p.reorders {
				t.Errorf("bus %d, %+v: responses to loads out of order: %v", bus, p, got)
			}
		}
		for seed := range uint64(soak.Scale(8, 100)) {
			o := base
			load(&o, int(seed*7%33))
			o.Latency = latency.Profile{Min: 1 + int64(seed%4), Max: 4 + int64(seed*11%60), Seed: seed}
			if seed%3 == 2 {
				var err error
				if o.Latency, err = latency.ParseDRAM(fmt.Sprintf("ddr4-2400,mhz=%d,transactions=%d", 50+seed*17%400, 1+seed%20)); err != nil {
					t.Fatal(err)
				}
			}
			o.Stall, o.StallSeed = int(seed*29%96), seed
			if got := run(t, o).Outcome; got.Status != vector.Done {
				t.Fatalf("bus %d, seed %d: %s\n%s", bus, seed, got.Status, strings.Join(got.Detail, "\n"))
			}
		}
	}
}

// TestSharedErrors: wrong tables, tags and addresses raise their codes, and what the
// memories hold when they do is what the cycle simulator has.
func TestSharedErrors(t *testing.T) {
	base, table := shared(t, 1024)
	load(&base, 20)
	base.Expected = nil
	find := func(name string) int {
		for _, c := range base.Fabric.Comps {
			if c.Name == name {
				return c.ID
			}
		}
		t.Fatal(name)
		return 0
	}
	ext := find("ext")
	regions := func(r ...config.Region) func([]config.Setting) {
		return func(s []config.Setting) { s[ext].Regions = r }
	}
	for _, c := range []struct {
		name   string
		change func([]config.Setting)
		bound  uint64
		code   int
	}{
		{"beyond the array", nil, 25, 513},
		{"beyond the table", func(s []config.Setting) { s[table.ID].Regions[0].Offset = 2 * 30 }, 20, 512},
		{"tag without a region", regions(config.Region{Valid: true, EndTag: 1}, config.Region{}), 20, 265},
		{"tag in two regions", regions(config.Region{Valid: true, EndTag: 2}, config.Region{Valid: true, StartTag: 1, EndTag: 2}), 20, 14},
		{"empty region", regions(config.Region{Valid: true, EndTag: 2}, config.Region{Valid: true, StartTag: 2, EndTag: 2}), 20, 15},
		{"tag without a port", func(s []config.Setting) {
			s[find("ext_ld1")].Tag = 3
			s[find("ext_ldaddr_sw")].Slots[1].Tag = 3
		}, 20, 260},
		{"tag without a slot", func(s []config.Setting) { s[find("ext_lddata_sw")].Slots[1].Valid = false }, 20, 257},
	} {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			o := base
			img := &config.Image{Layout: base.Image.Layout, Settings: slices.Clone(base.Image.Settings)}
			for i := range img.Settings {
				img.Settings[i].Regions = slices.Clone(img.Settings[i].Regions)
				img.Settings[i].Slots = slices.Clone(img.Settings[i].Slots)
			}
			if c.change != nil {
				c.change(img.Settings)
			}
			in := *base.Inputs
			in.Args = slices.Clone(in.Args)
			in.Args[2].Scalar = c.bound
			o.Image, o.Inputs = img, &in
			o.Latency, o.Stall, o.StallSeed = latency.Profile{Min: 1, Max: 12, Seed: 5}, 20, 2
			got := run(t, o).Outcome
			if got.Status != vector.Error || got.ErrorCode != c.code {
				t.Errorf("%s, code %d, want an error of code %d\n%s", got.Status, got.ErrorCode, c.code, strings.Join(got.Detail, "\n"))
			}
		})
	}
}
