package mapping_test

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/ir"
	"loom/compiler/lower"
	"loom/compiler/mapper"
	"loom/compiler/mapping"
	"loom/internal/maptest"
	"loom/internal/testkit"
)

func comp(f *arch.Fabric, name string) *arch.Component {
	for _, c := range f.Comps {
		if c.Name == name {
			return c
		}
	}
	panic("no component " + name)
}

// TestRoundTrip writes a mapping with arrays and bridges and reads it back.
func TestRoundTrip(t *testing.T) {
	_, f, m := maptest.Arrays()
	text := m.JSON()
	back, err := mapping.Read("m.json", text)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(m, back, cmpopts.EquateEmpty()); d != "" {
		t.Error(d)
	}
	if string(back.JSON()) != string(text) {
		t.Error("what was read is written in other words")
	}
	a, err := m.Image(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := back.Image(f)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(a.Encode(), b.Encode()); d != "" {
		t.Errorf("the image of what was read differs:\n%s", d)
	}
	for _, c := range []struct{ old, new, want string }{
		{`"tag": 1`, `"tag": -1`, "cannot hold a value"},
		{`"tag": 1`, `"tag": 1.5`, "cannot hold a value"},
		{`"tag": 1`, `"tug": 1`, `unknown field "tug"`},
		{`"slots": [`, `"slots": 1, "x": [`, `"temporal_switches.slots" cannot hold a value`},
		{`"first_element": 8`, `"first_element": 9223372036854775808`, `cannot hold a value`},
		{`"accesses": [`, `"accesses": [1, `, `cannot hold a value`},
	} {
		bad := strings.Replace(string(text), c.old, c.new, 1)
		_, err := mapping.Read("m.json", []byte(bad))
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "m.json:") {
			t.Errorf("%s: error %v does not contain %q at a position", c.new, err, c.want)
		}
	}
}

// TestImage checks the settings of bridges in the image, through its bits.
func TestImage(t *testing.T) {
	_, f, m := maptest.Arrays()
	img, err := m.Image(f)
	if err != nil {
		t.Fatal(err)
	}
	back, err := config.Decode(img.Layout, img.Encode())
	if err != nil {
		t.Fatal(err)
	}
	set := func(name string) config.Setting { return back.Settings[comp(f, name).ID] }
	for lane, tag := range map[string]uint64{"dram_load0": 1, "dram_load1": 2, "dram_load2": 0, "dram_load3": 0, "dram_store1": 1,
		"pad_load0": 2, "pad_load1": 3, "pad_store0": 1, "one_load0": 0} {
		if have := set(lane).Tag; have != tag {
			t.Errorf("lane '%s' has tag %d, want %d", lane, have, tag)
		}
	}
	if d := cmp.Diff([]config.Slot{{Valid: true, Tag: 1, Routes: [][2]int{{0, 0}}}, {Valid: true, Tag: 0, Routes: [][2]int{{0, 2}}},
		{Valid: true, Tag: 2, Routes: [][2]int{{0, 1}}}, {}}, set("dram_ldaddr").Slots); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]config.Slot{{Valid: true, Tag: 0, Routes: [][2]int{{1, 0}}}, {Valid: true, Tag: 1, Routes: [][2]int{{0, 0}}}},
		set("pad_stdone").Slots); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]config.Region{{Valid: true, EndTag: 2, Offset: 96}, {}, {Valid: true, StartTag: 2, EndTag: 4, Offset: 32}, {}},
		set("pad").Regions); d != "" {
		t.Error(d)
	}
}

// TestImageErrors checks that settings that the fabric does not have are refused by
// name.
func TestImageErrors(t *testing.T) {
	for _, c := range []struct {
		name   string
		damage func(m *mapping.Mapping)
		want   string
	}{
		{"another fabric", func(m *mapping.Mapping) { m.LayoutHash = strings.Repeat("0", 16) },
			"made for another fabric: layout hash 0000000000000000"},
		{"unknown switch", func(m *mapping.Mapping) { m.TemporalSwitches[0].Comp = "x" },
			"configures 'x', which fabric 'round' does not have"},
		{"two inputs to an output", func(m *mapping.Mapping) {
			r := m.Switches[0].Routes[0]
			m.Switches[0].Routes = append(m.Switches[0].Routes, mapping.Route{r[0], r[1] + 1})
		}, "switch 'sw' routes inputs "},
		{"output that is none", func(m *mapping.Mapping) { m.Switches[0].Routes[0][0] = 999 }, "switch 'sw' has no route from input"},
		{"no temporal switch", func(m *mapping.Mapping) { m.TemporalSwitches[0].Comp = "dram" },
			"configures 'dram' as temporal_sw, in fabric 'round' it is a extmemory"},
		{"too many slots", func(m *mapping.Mapping) {
			s := &m.TemporalSwitches[0]
			s.Slots = append(s.Slots, s.Slots...)
		}, "temporal switch 'dram_ldaddr' has 4 slots, the mapping needs 6"},
		{"route that is none", func(m *mapping.Mapping) { m.TemporalSwitches[0].Slots[1].Routes[0][1] = 7 },
			"temporal_sw 'dram_ldaddr': slot[1] sends input 7 to output 0: they are not connected"},
		{"negative route", func(m *mapping.Mapping) { m.TemporalSwitches[0].Slots[1].Routes[0][0] = -1 }, "sends input 2 to output -1"},
		{"slot tag too wide", func(m *mapping.Mapping) { m.TemporalSwitches[0].Slots[1].Tag = 8 },
			"slot[1].tag is 8, which does not fit 3 bits"},
		{"unknown lane", func(m *mapping.Mapping) { m.Tags[0].Comp = "x" }, "configures 'x', which"},
		{"no lane", func(m *mapping.Mapping) { m.Tags[0].Comp = "sw" },
			"configures 'sw' as load_lane, in fabric 'round' it is a spatial_sw"},
		{"lane tag too wide", func(m *mapping.Mapping) { m.Tags[0].Tag = 8 },
			"load_lane 'dram_load0': tag is 8, which does not fit 3 bits"},
		{"region that is none", func(m *mapping.Mapping) { m.Regions[0].Region = 3 }, "memory 'dram' has no region 3"},
		{"region of no memory", func(m *mapping.Mapping) { m.Regions[0].Comp = "dram_load0" }, "configures 'dram_load0' as extmemory"},
		{"region tag too wide", func(m *mapping.Mapping) { m.Regions[0].EndTag = 8 }, "region[1].end_tag is 8, which does not fit 3 bits"},
		{"offset beyond the memory", func(m *mapping.Mapping) { m.Regions[3].Offset = 128 },
			"region[2].addr_offset is 128, which does not fit 7 bits"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, f, m := maptest.Arrays()
			c.damage(m)
			if _, err := m.Image(f); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v does not contain %q", err, c.want)
			}
		})
	}
}

// TestBind binds a kernel with arrays: arguments at their memory and region, initial
// contents at their elements.
func TestBind(t *testing.T) {
	fn, f, m := maptest.Arrays()
	b, err := m.Bind(fn, f)
	if err != nil {
		t.Fatal(err)
	}
	mem := ir.Type(ir.MemRef([]int64{ir.Dynamic}, ir.I32))
	dram, port, pad := comp(f, "dram").ID, comp(f, "port").ID, comp(f, "pad").ID
	if d := cmp.Diff([]mapping.ArgBinding{
		{Name: "a", Type: mem, Input: -1, Mem: dram, Region: 1}, {Name: "b", Type: mem, Input: -1, Mem: dram, Region: 0},
		{Name: "c", Type: mem, Input: -1, Mem: port}, {Name: "k", Type: ir.I32, Input: 0, Mem: -1},
	}, b.Args, cmp.Comparer(func(a, b ir.Type) bool { return a == b })); d != "" {
		t.Error(d)
	}
	if b.Start != 1 || b.Done != 2 || len(b.Results) != 2 || b.Results[1].Output != 1 {
		t.Errorf("start %d, done %d, results %v", b.Start, b.Done, b.Results)
	}
	want := mapping.Contents{Name: "memory_26", Op: maptest.ArraysTable, Mem: pad, First: 8, Elem: ir.I32}
	for i := range 16 {
		want.Data = append(want.Data, uint64(100+i))
	}
	if d := cmp.Diff([]mapping.Contents{want}, b.Contents, cmp.Comparer(func(a, b ir.Type) bool { return a == b })); d != "" {
		t.Error(d)
	}
}

// TestContents spells initial contents as bit patterns.
func TestContents(t *testing.T) {
	for _, c := range []struct {
		elem ir.Type
		init string
		want []uint64
	}{
		{ir.I32, "dense<[1, -1, 2147483647]> : tensor<3xi32>", []uint64{1, 0xffffffff, 0x7fffffff}},
		{ir.I32, "dense<-2> : tensor<3xi32>", []uint64{0xfffffffe, 0xfffffffe, 0xfffffffe}},
		{ir.I8, "dense<[-128, 127, 255]> : tensor<3xi8>", []uint64{0x80, 0x7f, 0xff}},
		{ir.I1, "dense<[true, false, true]> : tensor<3xi1>", []uint64{1, 0, 1}},
		{ir.I64, "dense<-1> : tensor<3xi64>", []uint64{math.MaxUint64, math.MaxUint64, math.MaxUint64}},
		{ir.F32, "dense<[1.0, -0.0, 0x7F800000]> : tensor<3xf32>", []uint64{0x3f800000, 0x80000000, 0x7f800000}},
		{ir.F32, "dense<1.5> : tensor<3xf32>", []uint64{0x3fc00000, 0x3fc00000, 0x3fc00000}},
		{ir.F64, "dense<[1.0, 0.1, -2.0]> : tensor<3xf64>", []uint64{0x3ff0000000000000, 0x3fb999999999999a, 0xc000000000000000}},
		{ir.F16, "dense<[1.0, 65504.0, -0.5]> : tensor<3xf16>", []uint64{0x3c00, 0x7bff, 0xb800}},
	} {
		fn, f, m := rom(c.elem, c.init)
		b, err := m.Bind(fn, f)
		if err != nil {
			t.Errorf("%s: %v", c.init, err)
			continue
		}
		if len(b.Contents) != 1 || b.Contents[0].First != 5 || b.Contents[0].Elem != c.elem {
			t.Errorf("%s: %+v", c.init, b.Contents)
			continue
		}
		if d := cmp.Diff(c.want, b.Contents[0].Data); d != "" {
			t.Errorf("%s: %s", c.init, d)
		}
	}
}

// rom is a kernel that reads one element of a table of three, which begins at
// element 5 of a memory of 8.
func rom(elem ir.Type, init string) (*ir.Operation, *arch.Fabric, *mapping.Mapping) {
	e := elem.String()
	fn := maptest.Kernel(`handshake.func @f(%i: index, %start: none) -> (` + e + `, none) {
  %m:2 = memory[ld = 1, st = 0] (%i) {id = 0 : i32, loom.init = ` + init + `, lsq = false} : memref<3x` + e + `>, (index) -> (` + e + `, none)
  return %m#0, %m#1 : ` + e + `, none
}`)
	f := maptest.Fabric("f", 0, 2, 2, maptest.Bridge{Name: "rom", Elem: elem, Elements: 8, Loads: 1})
	return fn, f, maptest.Map(fn, f, maptest.Place{Op: 0, Comp: "rom", First: 5})
}

// TestBindErrors checks that what kernel and fabric do not have is refused by name.
func TestBindErrors(t *testing.T) {
	for _, c := range []struct {
		name   string
		damage func(fn *ir.Operation, f *arch.Fabric, m *mapping.Mapping)
		want   string
	}{
		{"arguments", func(_ *ir.Operation, _ *arch.Fabric, m *mapping.Mapping) { m.Args = m.Args[1:] },
			"binds 3 arguments and 2 results, kernel 'arrays' has 4 and 2"},
		{"results", func(_ *ir.Operation, _ *arch.Fabric, m *mapping.Mapping) { m.Results = nil }, "binds 4 arguments and 0 results"},
		{"input", func(_ *ir.Operation, _ *arch.Fabric, m *mapping.Mapping) { m.Args[3].Port = "x" },
			"boundary input 'x', which fabric 'round' does not have"},
		{"output", func(_ *ir.Operation, _ *arch.Fabric, m *mapping.Mapping) { m.Done.Port = "x" }, "boundary output 'x'"},
		{"argument's memory", func(_ *ir.Operation, _ *arch.Fabric, m *mapping.Mapping) { m.Args[0].Comp = "pe_0" }, "memory 'pe_0'"},
		{"memory", func(_ *ir.Operation, _ *arch.Fabric, m *mapping.Mapping) { m.Memories[3].Comp = "x" },
			"memory 'x', which fabric 'round' does not have"},
		{"operation beyond the end", func(_ *ir.Operation, _ *arch.Fabric, m *mapping.Mapping) { m.Memories[3].Op = 30 },
			"places operation 30 as a memory, kernel 'arrays' has 30 operations"},
		{"operation before the start", func(_ *ir.Operation, _ *arch.Fabric, m *mapping.Mapping) { m.Memories[3].Op = -1 },
			"places operation -1 as a memory"},
		{"contents of an argument", func(fn *ir.Operation, _ *arch.Fabric, _ *mapping.Mapping) {
			ops := fn.Regions[0].Entry().Ops
			ops[maptest.ArraysA].SetAttr("loom.init", ops[maptest.ArraysTable].Attr("loom.init"))
		}, "attribute 'loom.init' belongs to a handshake.memory"},
		{"contents of another type", func(fn *ir.Operation, _ *arch.Fabric, _ *mapping.Mapping) {
			ops := fn.Regions[0].Entry().Ops
			ops[maptest.ArraysSmall].SetAttr("loom.init", ops[maptest.ArraysTable].Attr("loom.init"))
		}, "expected dense elements of type tensor<4xi32>"},
		{"contents outside of the chip", func(_ *ir.Operation, _ *arch.Fabric, m *mapping.Mapping) { m.Memories[3].Comp = "dram" },
			"on extmemory 'dram', which is not on chip"},
		{"a table on the chip", func(_ *ir.Operation, _ *arch.Fabric, m *mapping.Mapping) { m.Memories[3].Table = true },
			"places a table in external memory on 'pad', which is on chip"},
		{"a table that the kernel writes", func(fn *ir.Operation, _ *arch.Fabric, m *mapping.Mapping) {
			op := fn.Regions[0].Entry().Ops[maptest.ArraysSmall]
			op.SetAttr("loom.init", &ir.DenseElementsAttr{Values: []ir.Attr{ir.IntAttr(1, ir.I32)}, Splat: true, Type: ir.Shaped("tensor", []int64{4}, ir.I32)})
			m.Memories[5].Comp, m.Memories[5].Table = "dram", true
		}, "places a table that the kernel writes on extmemory 'dram'"},
		{"a table in a region that is none", func(_ *ir.Operation, _ *arch.Fabric, m *mapping.Mapping) {
			m.Memories[3].Comp, m.Memories[3].Table, m.Memories[3].Region = "dram", true, 3
		}, "places a constant table in region 3 of 'dram', which has 3"},
		{"contents out of reach", func(_ *ir.Operation, f *arch.Fabric, _ *mapping.Mapping) { comp(f, "pad").Mem.Private = true },
			"on 'pad', which is private"},
		{"contents beyond the memory", func(_ *ir.Operation, _ *arch.Fabric, m *mapping.Mapping) { m.Memories[3].First = 17 },
			"places 16 elements from element 17 on in 'pad', which has 32"},
		{"contents before the memory", func(_ *ir.Operation, _ *arch.Fabric, m *mapping.Mapping) { m.Memories[3].First = -1 },
			"places 16 elements from element -1 on"},
		{"contents larger than the memory", func(_ *ir.Operation, f *arch.Fabric, m *mapping.Mapping) {
			comp(f, "pad").Mem.Elements, m.Memories[3].First = 15, 0
		}, "places 16 elements from element 0 on in 'pad', which has 15"},
	} {
		t.Run(c.name, func(t *testing.T) {
			fn, f, m := maptest.Arrays()
			c.damage(fn, f, m)
			if _, err := m.Bind(fn, f); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v does not contain %q", err, c.want)
			}
		})
	}
}

// TestMemoryNames: contents are called as the program calls their memory.
func TestMemoryNames(t *testing.T) {
	f := testkit.Fabric(t, "mesh8x8")
	res, err := lower.Lower(testkit.Kernel(t, "crc"), lower.Options{IndexWidth: f.IndexWidth, MaxJoinFanin: &f.MaxJoinFanin, StreamOps: f.StreamOps})
	if err != nil {
		t.Fatal(err)
	}
	m, err := mapper.Map(res.Func, f, mapper.Options{Effort: mapper.Effort{Attempts: 4, Candidates: 1, Moves: 20, Cooling: 80, Iterations: 60}})
	if err != nil {
		t.Fatal(err)
	}
	if c := m.Binding.Contents; len(c) != 1 || c[0].Name != "table" || len(c[0].Data) != 16 || c[0].Data[1] != 0x1DB71064 {
		t.Errorf("contents %v", c)
	}
}
