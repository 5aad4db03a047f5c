package check_test

import (
	"strings"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/ir"
	"loom/compiler/mapper/check"
	"loom/compiler/mapping"
	"loom/internal/maptest"
)

// imageEdit changes a decoded configuration, the fabric or the binding.
type imageEdit struct {
	edit
	img *config.Image
	b   *mapping.Binding
}

func (e imageEdit) set(name string) *config.Setting { return &e.img.Settings[e.comp(name).ID] }

// at is the slot of a temporal switch with a tag.
func (e imageEdit) at(name string, tag uint64) *config.Slot {
	slots := e.set(name).Slots
	for i := range slots {
		if slots[i].Valid && slots[i].Tag == tag {
			return &slots[i]
		}
	}
	panic("no slot")
}

var bridgeImageMutations = []struct {
	name   string
	mutate func(e imageEdit)
	want   string
}{
	{"lane with a tag of no slot", func(e imageEdit) { e.set("dram_load0").Tag = 7 },
		"temporal switch 'dram_ldaddr' has no slot for tag 7 of the addresses of lane 'dram_load0'"},
	{"lane with the tag of another", func(e imageEdit) { e.set("dram_load0").Tag = 0 },
		"slot 1 (tag 0) of temporal switch 'dram_ldaddr' does not route input 0"},
	{"tag of no region", func(e imageEdit) { e.set("dram").Regions[1].EndTag = 1 },
		"tag 1 of lane 'dram_load0' lies in no valid region of memory 'dram'"},
	{"region that is not valid", func(e imageEdit) { e.set("pad").Regions[2].Valid = false }, "lies in no valid region of memory 'pad'"},
	{"tag beyond the ports", func(e imageEdit) {
		for _, s := range []string{"dram_staddr", "dram_stdata", "dram_stdone"} {
			e.at(s, 1).Tag = 2
		}
		e.set("dram_store1").Tag = 2
	}, "lane 'dram_store1' gives tag 2, memory 'dram' has 2 store ports"},
	{"data with another tag than the address", func(e imageEdit) { e.at("pad_stdata", 1).Tag = 2 },
		"temporal switch 'pad_stdata' has no slot for tag 1"},
	{"regions that overlap", func(e imageEdit) { e.set("dram").Regions[0].StartTag = 1 }, "regions 0 and 1 of memory 'dram' overlap"},
	{"valid regions of a memory without tags", func(e imageEdit) {
		e.comp("port").Mem.NumRegion = 2
		e.set("port").Regions = append(e.set("port").Regions, config.Region{Valid: true})
	}, "regions 0 and 1 of memory 'port' overlap"},
	{"region without tags", func(e imageEdit) {
		e.set("dram").Regions[2] = config.Region{Valid: true, StartTag: 5, EndTag: 5}
	}, "region 2 of memory 'dram' is empty"},
	{"region for nothing", func(e imageEdit) {
		e.set("dram").Regions[2] = config.Region{Valid: true, StartTag: 5, EndTag: 6}
	}, "memory 'dram' has a valid region 2 that serves no memory of the kernel"},
	{"arguments in each other's region", func(e imageEdit) {
		r := e.set("dram").Regions
		swap(&r[0], &r[1])
	}, "illegal configuration"},
	{"binding to another region", func(e imageEdit) { swap(&e.b.Args[0].Region, &e.b.Args[1].Region) }, "illegal configuration"},
	{"responses to each other's lane", func(e imageEdit) {
		swap(&e.at("pad_lddata", 2).Routes, &e.at("pad_lddata", 3).Routes)
	}, "the data of lane 'pad_load0' (tag 2) arrive at input 'rsp' of 'pad_load1', must arrive at input 'rsp' of 'pad_load0'"},
	{"responses to two lanes", func(e imageEdit) {
		s := e.at("pad_lddone", 2)
		s.Routes = append(s.Routes, [2]int{2, 0})
	}, "arrive at input 'done_rsp' of 'pad_load2'"},
	{"slots with one tag", func(e imageEdit) {
		s := e.set("dram_lddone").Slots
		s[3] = s[0]
	}, "slot 3 (tag 1) of temporal switch 'dram_lddone' has the tag of slot 0"},
	{"two inputs to an output", func(e imageEdit) {
		s := e.at("dram_ldaddr", 1)
		s.Routes = append(s.Routes, [2]int{0, 3})
	}, "sends inputs 0 and 3 to output 0"},
	{"slot for nothing", func(e imageEdit) {
		e.set("hidden_ldaddr").Slots[1] = config.Slot{Valid: true, Tag: 1, Routes: [][2]int{{0, 1}}}
	}, "slot 1 (tag 1) of temporal switch 'hidden_ldaddr' sends input 1 to output 0 for no access"},
	{"lanes of two tables exchanged", func(e imageEdit) {
		// Loads of one value at different addresses: the image is another program.
		swap(&e.set("pad_load0").Tag, &e.set("pad_load1").Tag)
		for _, s := range []string{"pad_ldaddr", "pad_lddata", "pad_lddone"} {
			swap(&e.at(s, 2).Routes, &e.at(s, 3).Routes)
		}
		swap(&e.set("pad").Regions[2].Offset, &e.set("pad").Regions[0].Offset)
	}, "illegal configuration"},
	{"array over another", func(e imageEdit) { e.set("pad").Regions[0].Offset = 64 }, "illegal configuration"},
	{"array beyond the capacity", func(e imageEdit) { e.set("pad").Regions[0].Offset = 112 }, "illegal configuration"},
	{"array between elements", func(e imageEdit) { e.set("one").Regions[0].Offset = 2 }, "illegal configuration"},
	{"contents elsewhere", func(e imageEdit) { e.b.Contents[0].First = 0 }, "illegal configuration"},
	{"contents too short", func(e imageEdit) { e.b.Contents[0].Data = e.b.Contents[0].Data[1:] }, "illegal configuration"},
	{"no contents", func(e imageEdit) { e.b.Contents = nil }, "illegal configuration"},
	{"contents of another array", func(e imageEdit) {
		k := e.b.Contents[0]
		k.Op = maptest.ArraysBuffer
		e.b.Contents = append(e.b.Contents, k)
	}, "where no memory of the kernel begins with them"},
	{"contents twice", func(e imageEdit) { e.b.Contents = append(e.b.Contents, e.b.Contents[0]) }, "is given contents twice"},
	{"contents in a private memory", func(e imageEdit) { e.comp("pad").Mem.Private = true }, "illegal configuration"},
	{"a lane that the kernel does not have", func(e imageEdit) {
		s := e.set("sw").Switch
		s.Route[e.toLane("pad_load2")] = s.Route[e.toLane("pad_load0")]
		e.set("pad_load2").Tag = 1
		for _, n := range []string{"pad_ldaddr", "pad_lddata", "pad_lddone"} {
			r := [2]int{2, 0}
			if n == "pad_ldaddr" {
				r = [2]int{0, 2}
			}
			e.set(n).Slots[3] = config.Slot{Valid: true, Tag: 1, Routes: [][2]int{r}}
		}
		for _, p := range e.comp("pad_load2").Out[1:] {
			s.Discard[p.Chan.Dst.Port] = true
		}
	}, "lane 'pad_load2' carries a load that the kernel does not contain"},
}

// toLane is the output of the switch that feeds the addresses of a lane.
func (e imageEdit) toLane(name string) int {
	return e.comp(name).In[arch.LoadAddr].Chan.Src.Comp.In[0].Chan.Src.Port
}

func TestBridgeImageMutations(t *testing.T) {
	for _, c := range bridgeImageMutations {
		t.Run(c.name, func(t *testing.T) {
			s := bridged(t)
			c.mutate(imageEdit{edit{s.res.Mapping, s.f}, s.res.Image, s.res.Binding})
			err := check.Image(s.fn, s.f, s.res.Image, s.res.Binding)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v does not contain %q", err, c.want)
			}
		})
	}
}

// TestAlikeAccesses exchanges the readers of two loads with one address: with the
// readers of their done tokens exchanged as well the lanes are merely swapped; alone
// it is a difference, unless the values are summands.
func TestAlikeAccesses(t *testing.T) {
	for _, c := range []struct {
		op            string
		values, dones bool
		same          bool
	}{
		{"subi", true, true, true}, {"subi", true, false, false}, {"subi", false, true, false},
		{"addi", true, true, true}, {"addi", true, false, true}, {"addi", false, true, true},
	} {
		fn := maptest.Kernel(`handshake.func @f(%i: index, %start: none) -> (i32, none) {
  %x, %x_addr = load [%i] %m#0, %start : index, i32
  %y, %y_addr = load [%i] %m#1, %start : index, i32
  %z = arith.` + c.op + ` %x, %y : i32
  %done = join %m#2, %m#3 : none, none
  %m:4 = memory[ld = 2, st = 0] (%x_addr, %y_addr) {id = 0 : i32, lsq = false} : memref<4xi32>, (index, index) -> (i32, i32, none, none)
  return %z, %done : i32, none
}`)
		f := maptest.Fabric("f", 4, 2, 2, maptest.Bridge{Name: "pad", Elem: ir.I32, Elements: 8, Loads: 2, TagWidth: 2})
		m := maptest.Map(fn, f, maptest.Place{Op: 4, Comp: "pad", Loads: []maptest.Lane{{}, {Number: 1, Tag: 1}}, End: 2})
		if err := check.Mapping(fn, f, m); err != nil {
			t.Fatal(err)
		}
		img, err := m.Image(f)
		if err != nil {
			t.Fatal(err)
		}
		b, err := m.Bind(fn, f)
		if err != nil {
			t.Fatal(err)
		}
		e := imageEdit{edit{m, f}, img, b}
		for op, exchange := range map[int]bool{2: c.values, 3: c.dones} {
			if pe := e.set(m.Ops[op].Comp).PE; exchange {
				swap(&pe.In[0].Sel, &pe.In[1].Sel)
			}
		}
		if err := check.Image(fn, f, img, b); (err == nil) != c.same {
			t.Errorf("%s, values exchanged %v, done tokens exchanged %v: %v", c.op, c.values, c.dones, err)
		}
	}
}

// TestMapTag puts map_tags on the paths of a lane: the image is followed through
// their tables, and a map.json, which has no tables, does not pass.
func TestMapTag(t *testing.T) {
	fn := maptest.Kernel(`handshake.func @f(%i: index, %start: none) -> (i32, none) {
  %x, %x_addr = load [%i] %m#0, %start : index, i32
  %m:2 = memory[ld = 1, st = 0] (%x_addr) {id = 0 : i32, lsq = false} : memref<4xi32>, (index) -> (i32, none)
  return %x, %m#1 : i32, none
}`)
	build := func() imageEdit {
		f := maptest.Fabric("f", 1, 2, 2, maptest.Bridge{Name: "pad", Elem: ir.I32, Elements: 8, Loads: 2, TagWidth: 2})
		e := imageEdit{edit: edit{f: f}}
		for _, ch := range []*arch.Channel{e.comp("pad_load1").Out[0].Chan, e.comp("pad").In[0].Chan} {
			spliceMapTag(f, ch)
		}
		e.Mapping = maptest.Map(fn, f, maptest.Place{Op: 1, Comp: "pad", Loads: []maptest.Lane{{Number: 1, Tag: 1}}, End: 2})
		var err error
		if e.img, err = e.Image(f); err != nil {
			t.Fatal(err)
		}
		if e.b, err = e.Bind(fn, f); err != nil {
			t.Fatal(err)
		}
		// The lane gives tag 3, the switches know it as 2, the memory as 1.
		e.set("pad_load1").Tag = 3
		e.at("pad_ldaddr", 1).Tag = 2
		e.set("map_0").Entries[1] = config.TagEntry{Valid: true, Src: 3, Dst: 2}
		e.set("map_1").Entries[0] = config.TagEntry{Valid: true, Src: 2, Dst: 1}
		return e
	}
	e := build()
	if err := check.Image(fn, e.f, e.img, e.b); err != nil {
		t.Error(err)
	}
	if err := check.Mapping(fn, e.f, e.Mapping); err == nil || !strings.Contains(err.Error(), "map_tag 'map_0' has no entry for tag 1") {
		t.Errorf("as a mapping: %v", err)
	}
	e.set("map_1").Entries[0].Valid = false
	if err := check.Image(fn, e.f, e.img, e.b); err == nil || !strings.Contains(err.Error(), "map_tag 'map_1' has no entry for tag 2") {
		t.Errorf("without an entry: %v", err)
	}
	e = build()
	e.set("map_1").Entries[0].Dst = 0 // the responses carry this tag, for which there is no slot
	if err := check.Image(fn, e.f, e.img, e.b); err == nil || !strings.Contains(err.Error(), "'pad_lddata' has no slot for tag 0") {
		t.Errorf("with another tag: %v", err)
	}
}

// TestMapTagOfStores puts a map_tag on the path of store data alone: it must leave
// them the tag of the addresses.
func TestMapTagOfStores(t *testing.T) {
	fn := maptest.Kernel(`handshake.func @f(%k: i32, %i: index, %start: none) -> (none) {
  %m:1 = memory[ld = 0, st = 1] (%k, %i) {id = 0 : i32, lsq = false} : memref<4xi32>, (i32, index) -> none
  return %m#0 : none
}`)
	f := maptest.Fabric("f", 0, 3, 1, maptest.Bridge{Name: "one", Elem: ir.I32, Elements: 8, Stores: 1, TagWidth: 1})
	e := imageEdit{edit: edit{f: f}}
	spliceMapTag(f, e.comp("one_store0").Out[arch.StoreReqData].Chan)
	m := maptest.Map(fn, f, maptest.Place{Op: 0, Comp: "one", Stores: []maptest.Lane{{}}, End: 1})
	img, err := m.Image(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := m.Bind(fn, f)
	if err != nil {
		t.Fatal(err)
	}
	e.img = img
	for to, want := range []string{"", "the data of lane 'one_store0' arrive with tag 1, the addresses with tag 0"} {
		e.set("map_0").Entries[0] = config.TagEntry{Valid: true, Dst: uint64(to)}
		err := check.Image(fn, f, img, b)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("data with tag %d: %v", to, err)
		}
	}
}

// spliceMapTag puts a map_tag into a channel.
func spliceMapTag(f *arch.Fabric, ch *arch.Channel) {
	n := 0
	for _, c := range f.Comps {
		if c.Kind == arch.MapTag {
			n++
		}
	}
	name := []string{"map_0", "map_1"}[n]
	c := &arch.Component{ID: len(f.Comps), Name: name, Def: name, Kind: arch.MapTag,
		Map: &arch.MapTagSpec{TableSize: 2, InTag: ch.TagWidth, OutTag: ch.TagWidth}}
	f.Comps = append(f.Comps, c)
	old := ch.Dst
	next := &arch.Channel{ID: len(f.Channels), Name: name + "_out", Src: arch.Endpoint{Comp: c}, Dst: old,
		Width: ch.Width, TagWidth: ch.TagWidth}
	f.Channels = append(f.Channels, next)
	port := arch.Port{Name: "in", Width: ch.Width, TagWidth: ch.TagWidth, Type: old.Comp.In[old.Port].Type, Chan: ch}
	c.In = []arch.Port{port}
	port.Name, port.Chan = "out", next
	c.Out = []arch.Port{port}
	old.Comp.In[old.Port].Chan = next
	ch.Dst = arch.Endpoint{Comp: c}
}
