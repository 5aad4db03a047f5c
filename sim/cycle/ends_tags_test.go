package cycle

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/ir"
	"loom/compiler/mapping"
	"loom/sim/vector"
)

// endCase is a fabric with the end of its run.
type endCase struct {
	name   string
	build  func(b *fab)
	opts   Options
	status vector.Status
	code   int
	cycles int64
	detail []string
}

// tag puts a tag of two bits on a token.
func (b *fab) tag(name string, t ir.Type, tag uint64, src end) end {
	c := b.comp(arch.AddTag, name, types(t), types(ir.Tagged(t, 2)))
	b.set(c).Tag = tag
	b.connect(c, []end{src})
	return out(c, 0)
}

// untag ends a tagged channel in an unused one without tag.
func (b *fab) untag(t ir.Type, src end) {
	c := b.comp(arch.DelTag, src.Comp.Name+"_end", types(ir.Tagged(t, 2)), types(t))
	b.connect(c, []end{src})
	b.unused(out(c, 0))
}

// temporal adds a fully connected temporal switch.
func (b *fab) temporal(name string, t ir.Type, outs int, slots []config.Slot, srcs ...end) *arch.Component {
	var in, res []ir.Type
	for range srcs {
		in = append(in, ir.Tagged(t, 2))
	}
	spec := &arch.TemporalSpec{Slots: len(slots), TagWidth: 2}
	for range outs {
		res = append(res, ir.Tagged(t, 2))
		row := make([]bool, len(srcs))
		for i := range row {
			row[i] = true
		}
		spec.Connect = append(spec.Connect, row)
	}
	c := b.comp(arch.TemporalSwitch, name, in, res)
	c.Temporal = spec
	b.set(c).Slots = slots
	b.connect(c, srcs)
	return c
}

// ported adds an on-chip memory of eight i32 with two load and two store ports, of which one
// region serves the tags 0 and 1.
func (b *fab) ported(name string, srcs ...end) *arch.Component {
	idx, i32, none := ir.Tagged(ir.Index, 2), ir.Tagged(ir.I32, 2), ir.Tagged(ir.None, 2)
	c := b.comp(arch.Memory, name, types(idx, idx, i32), types(i32, none, none))
	c.Mem = &arch.MemorySpec{LdCount: 2, StCount: 2, LSQDepth: 2, NumRegion: 2, TagWidth: 2, ElemWidth: 32, Elements: 8,
		LdAddr: 0, StAddr: 1, StData: 2, LdData: 0, LdDone: 1, StDone: 2}
	b.set(c).Regions = []config.Region{{Valid: true, EndTag: 2}, {}}
	b.connect(c, srcs)
	for o, t := range types(ir.I32, ir.None, ir.None) {
		b.untag(t, out(c, o))
	}
	return c
}

func slot(tag uint64, routes ...[2]int) config.Slot {
	return config.Slot{Valid: true, Tag: tag, Routes: routes}
}

// temporalEnd is a run that a token with tag 1 ends at a temporal switch.
func temporalEnd(name string, code int, symbol string, slots ...config.Slot) endCase {
	return endCase{name: name, status: vector.Error, code: code, cycles: 1,
		build: func(b *fab) {
			a := b.tag("t", ir.I32, 1, b.arg("a", ir.I32, 7))
			c := b.temporal("merge", ir.I32, 1, slots, a, b.tag("u", ir.I32, 2, b.arg("b", ir.I32, 8)))
			b.untag(ir.I32, out(c, 0))
			b.done(b.start())
		},
		detail: []string{"cycle 0: temporal_sw 'merge' raises code " + symbol},
	}
}

// loadEnd is a run that a load ends.
func loadEnd(name string, tag, index uint64, code int, cycles int64, detail string, regions ...config.Region) endCase {
	return endCase{name: name, status: vector.Error, code: code, cycles: cycles,
		build: func(b *fab) {
			m := b.ported("ram", b.tag("t", ir.Index, tag, b.arg("i", ir.Index, index)))
			if regions != nil {
				b.set(m).Regions = regions
			}
			b.done(b.start())
		},
		detail: []string{detail},
	}
}

var taggedEnds = []endCase{
	temporalEnd("tag in no slot", 257, "257, RT_TEMPORAL_SW_NO_MATCH", slot(2, [2]int{0, 1}), config.Slot{Tag: 1}),
	temporalEnd("slot without the input", 263, "263, RT_TEMPORAL_SW_UNROUTED_INPUT", slot(2, [2]int{0, 1}), slot(1, [2]int{0, 1})),
	temporalEnd("two inputs to one output", 4, "4, CFG_TEMPORAL_SW_ROUTE_SAME_TAG_INPUTS_TO_SAME_OUTPUT", slot(1, [2]int{0, 0}, [2]int{0, 1}), slot(1)),
	temporalEnd("tag in two slots", 5, "5, CFG_TEMPORAL_SW_DUP_TAG", slot(1, [2]int{0, 0}), slot(1, [2]int{0, 0})),
	{
		name: "tag in no entry", status: vector.Error, code: 258, cycles: 1,
		build: func(b *fab) {
			c := b.comp(arch.MapTag, "m", types(ir.Tagged(ir.I32, 2)), types(ir.Tagged(ir.I32, 2)))
			b.set(c).Entries = []config.TagEntry{{Valid: true, Src: 2}, {Src: 1}}
			b.connect(c, []end{b.tag("t", ir.I32, 1, b.arg("a", ir.I32, 7))})
			b.untag(ir.I32, out(c, 0))
			b.done(b.start())
		},
		detail: []string{"cycle 0: map_tag 'm' raises code 258, RT_MAP_TAG_NO_MATCH"},
	},
	{
		name: "tag in two entries", status: vector.Error, code: 9, cycles: 1,
		build: func(b *fab) {
			c := b.comp(arch.MapTag, "m", types(ir.Tagged(ir.I32, 2)), types(ir.Tagged(ir.I32, 2)))
			b.set(c).Entries = []config.TagEntry{{Valid: true, Src: 2}, {Valid: true, Src: 2, Dst: 3}}
			b.untag(ir.I32, out(c, 0))
			b.done(b.start())
		},
		detail: []string{"cycle 0: map_tag 'm' raises code 9, CFG_MAP_TAG_DUP_TAG"},
	},
	loadEnd("tag beyond the ports", 2, 0, 260, 1, "cycle 0: memory 'ram' raises code 260, RT_MEMORY_TAG_OOB"),
	loadEnd("tag without a region", 1, 0, 264, 1, "cycle 0: memory 'ram' raises code 264, RT_MEMORY_NO_MATCH", config.Region{Valid: true, EndTag: 1}),
	loadEnd("index beyond the capacity", 1, 8, 512, 1, "cycle 0: memory 'ram' raises code 512, RT_MEMORY_ADDR_OOB"),
	loadEnd("regions overlap", 1, 8, 12, 1, "cycle 0: memory 'ram' raises code 12, CFG_MEMORY_OVERLAP_TAG_REGION",
		config.Region{Valid: true, EndTag: 2}, config.Region{Valid: true, StartTag: 1, EndTag: 3}),
	loadEnd("region without tags", 1, 8, 13, 1, "cycle 0: memory 'ram' raises code 13, CFG_MEMORY_EMPTY_TAG_RANGE",
		config.Region{Valid: true, EndTag: 2}, config.Region{Valid: true, StartTag: 1, EndTag: 1}),
	{
		name: "address of one tag, data of the other", status: vector.Error, code: 261, cycles: arch.DefaultDeadlockTimeout + 1,
		build: func(b *fab) {
			b.ported("ram", later, b.tag("t", ir.Index, 0, b.arg("i", ir.Index, 3)), b.tag("u", ir.I32, 1, b.arg("v", ir.I32, 4)))
			b.done(b.start())
		},
		detail: []string{
			"cycle 65535: memory 'ram' raises code 261, RT_MEMORY_STORE_DEADLOCK",
			"blocked chain:",
			"  memory 'ram' waits for a token from add_tag 't' on 'c2'",
			"  add_tag 't' waits for a token from input 'i' on 'c0'",
			"tokens:",
			"  memory 'ram' is not empty: 0 loads and 0 stores in work, 1 store addresses with tag 0 that wait for data, " +
				"1 store data with tag 1 that wait for an address",
		},
	},
	{
		name: "lane whose memory does not respond", status: vector.Deadlock, cycles: 2,
		build: func(b *fab) {
			idx, i32, none := ir.Tagged(ir.Index, 2), ir.Tagged(ir.I32, 2), ir.Tagged(ir.None, 2)
			c := b.comp(arch.LoadLane, "lane", types(ir.Index, i32, none), types(idx, ir.I32, ir.None))
			c.Lane = &arch.LaneSpec{TagWidth: 2, Slots: 2}
			b.set(c).Tag = 3
			b.connect(c, []end{b.arg("i", ir.Index, 5)})
			b.untag(ir.Index, out(c, 0))
			b.result("r", ir.I32, out(c, 1))
			b.unused(out(c, 2))
			b.done(b.start())
		},
		detail: []string{
			"result 'r' at output 'r' was not delivered",
			"blocked chain:",
			"  output 'r' waits for a token from load_lane 'lane' (tag 3) on 'c3'",
			"  load_lane 'lane' (tag 3) waits for a token from nothing at its input 0",
			"tokens:",
			"  load_lane 'lane' (tag 3) is not empty: 1 datum awaited, 0 here, 1 done token awaited, 0 here",
		},
	},
	{
		name: "address that waits for its data", status: vector.Deadlock, cycles: 2,
		build: func(b *fab) {
			c := b.comp(arch.StoreLane, "lane", types(ir.Index, ir.I32, ir.Tagged(ir.None, 2)),
				types(ir.Tagged(ir.Index, 2), ir.Tagged(ir.I32, 2), ir.None))
			c.Lane = &arch.LaneSpec{TagWidth: 2, Slots: 2, LSQDepth: 2}
			b.set(c).Tag = 2
			b.connect(c, []end{b.arg("i", ir.Index, 5)})
			b.untag(ir.Index, out(c, 0))
			b.untag(ir.I32, out(c, 1))
			b.unused(out(c, 2))
			b.done(b.start())
		},
		detail: []string{
			"all results were delivered, but the hardware is not empty",
			"blocked chain:",
			"  store_lane 'lane' (tag 2) waits for a token from nothing at its input 1, while token 0x5 waits on 'c0'",
			"tokens:",
			"  token 0x5 on 'c0', from input 'i' to store_lane 'lane' (tag 2)",
		},
	},
}

// A token that leaves a temporal switch with its tag is shown with it, and what a
// switch delivers to two outputs waits for both.
func TestTagsInReports(t *testing.T) {
	b := newFab(t)
	a := b.tag("t", ir.I32, 3, b.arg("a", ir.I32, 7))
	c := b.temporal("copy", ir.I32, 2, []config.Slot{slot(3, [2]int{0, 0}, [2]int{1, 0})}, a)
	full := b.comp(arch.FIFO, "full", types(ir.Tagged(ir.I32, 2)), types(ir.Tagged(ir.I32, 2)))
	full.FIFO = &arch.FIFOSpec{Depth: 2}
	b.link(out(c, 0), end{Comp: full, Port: 0})
	b.untag(ir.I32, out(full, 0))
	p := b.op("arith.addi", types(ir.I32, ir.I32), types(ir.I32), nil)
	d := b.comp(arch.DelTag, "d", types(ir.Tagged(ir.I32, 2)), types(ir.I32))
	b.link(out(c, 1), end{Comp: d, Port: 0})
	b.link(out(d, 0), end{Comp: p, Port: 0})
	b.unused(out(p, 0))
	b.done(b.start())
	o := b.run(Options{})
	text := strings.Join(o.Detail, "\n")
	for _, want := range []string{
		"token 0x7 with tag 3 on 'c1', from add_tag 't' to temporal_sw 'copy'",
		"token 0x7 with tag 3 on 'c5', from temporal_sw 'copy' to del_tag 'd'",
		"token 0x7 on 'c6', from del_tag 'd' to PE 'pe4' arith.addi",
		"temporal_sw 'copy' is not empty: a token was taken at some of its outputs only",
	} {
		if o.Status != vector.Deadlock || !strings.Contains(text, want) {
			t.Errorf("%s, %q is missing in\n%s", o.Status, want, text)
		}
	}
}

// Contents are in the memory when the run begins, and what it holds at the end is
// part of the outcome; private memories stay hidden.
func TestContents(t *testing.T) {
	build := func() (*fab, *arch.Component) {
		b := newFab(t)
		c := b.comp(arch.Memory, "table", types(ir.Index, ir.Index, ir.I16), types(ir.I16, ir.None, ir.None))
		c.Mem = &arch.MemorySpec{LdCount: 1, StCount: 1, LSQDepth: 1, NumRegion: 1, ElemWidth: 16, Elements: 6,
			LdAddr: 0, StAddr: 1, StData: 2, LdData: 0, LdDone: 1, StDone: 2}
		b.set(c).Regions = []config.Region{{Valid: true}}
		hidden := b.comp(arch.Memory, "hidden", types(ir.Index), types(ir.I16, ir.None))
		hidden.Mem = &arch.MemorySpec{LdCount: 1, NumRegion: 1, ElemWidth: 16, Elements: 6, Private: true,
			LdAddr: 0, StAddr: -1, StData: -1, LdData: 0, LdDone: 1, StDone: -1}
		b.connect(c, []end{b.arg("i", ir.Index, 3), b.arg("k", ir.Index, 1), b.arg("v", ir.I16, 0xabc)})
		b.result("r", ir.I16, out(c, 0))
		b.done(out(c, 2))
		b.unused(out(c, 1))
		b.unused(b.start())
		b.bd.Contents = []mapping.Contents{
			{Name: "low", Mem: c.ID, Elem: ir.I16, Data: []uint64{0x1_0005, 6}},
			{Name: "high", Mem: c.ID, First: 3, Elem: ir.I16, Data: []uint64{7, 8, 9}},
		}
		return b, c
	}
	b, _ := build()
	o := b.run(Options{})
	want := []vector.OnChip{{Comp: "table", Elems: []uint64{5, 0xabc, 0, 7, 8, 9}}}
	if d := cmp.Diff(want, o.OnChip); o.Status != vector.Done || o.Results[0].Bits != 7 || d != "" {
		t.Errorf("%s %+v\n%s", o.Status, o.Results, d)
	}
	for _, c := range []struct {
		change func(b *fab, x *mapping.Contents, m *arch.MemorySpec)
		want   string
	}{
		{func(_ *fab, x *mapping.Contents, _ *arch.MemorySpec) { x.Mem = 9 }, "the contents of 'high' of kernel 'k' belong to component 9, which is no on-chip memory"},
		{func(_ *fab, _ *mapping.Contents, m *arch.MemorySpec) { m.Private = true }, "memory 'table' is private: the host cannot write the contents of"},
		{func(_ *fab, x *mapping.Contents, _ *arch.MemorySpec) { x.First = 4 }, "the 3 elements of 'high' of kernel 'k' do not fit memory 'table' of 6 elements from element 4 on"},
		{func(_ *fab, x *mapping.Contents, _ *arch.MemorySpec) { x.First = -1 }, "from element -1 on"},
		{func(_ *fab, x *mapping.Contents, _ *arch.MemorySpec) { x.First = 1 << 62 }, "do not fit memory 'table'"},
	} {
		b, m := build()
		c.change(b, &b.bd.Contents[1], m.Mem)
		if _, err := New(b.f, b.im, b.bd, b.in, Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
}

// A temporal switch stays with the input it offers until the token is taken, then
// goes on to the next one.
func TestTemporalSwitchTurns(t *testing.T) {
	c := &arch.Component{Kind: arch.TemporalSwitch, Name: "t",
		In: []arch.Port{port("in0", 8, 2), port("in1", 8, 2), port("in2", 8, 2)}, Out: []arch.Port{port("out0", 8, 2)},
		Temporal: &arch.TemporalSpec{Connect: [][]bool{{true, true, true}}, Slots: 1, TagWidth: 2}}
	b, err := NewBench(c, config.Setting{Slots: []config.Slot{slot(1, [2]int{0, 0}, [2]int{0, 1}, [2]int{0, 2})}}, 32)
	if err != nil {
		t.Fatal(err)
	}
	// A cycle without tokens comes first: then nothing but the offer itself has the
	// switch clocked.
	if out := b.Step(&BenchIn{In: make([]Token, 3), Ready: []bool{false}}); out.Out[0].Valid {
		t.Error("a token out of nothing")
	}
	for k, s := range []struct {
		offers [3]bool
		ready  bool
		want   uint64 // the input that is offered
	}{
		{[3]bool{false, true, false}, false, 1},
		{[3]bool{true, true, true}, false, 1},
		{[3]bool{true, true, true}, true, 1},
		{[3]bool{true, true, true}, true, 2},
		{[3]bool{true, true, true}, false, 0},
		{[3]bool{true, true, true}, true, 0},
		{[3]bool{true, false, false}, true, 0},
	} {
		in := &BenchIn{In: make([]Token, 3), Ready: []bool{s.ready}}
		for i, offers := range s.offers {
			in.In[i] = Token{Valid: offers, Data: uint64(i), Tag: 1}
		}
		out := b.Step(in)
		if d := cmp.Diff(Token{Valid: true, Data: s.want, Tag: 1}, out.Out[0]); d != "" {
			t.Errorf("cycle %d: -want +got:\n%s", k, d)
		}
		for i := range s.offers {
			if s.offers[i] && out.Ready[i] != (s.ready && uint64(i) == s.want) {
				t.Errorf("cycle %d: input %d has ready %t", k, i, out.Ready[i])
			}
		}
	}
}
