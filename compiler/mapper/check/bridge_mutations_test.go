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

// Indices of the memories in the mapping of maptest.Arrays.
const (
	memA = iota
	memB
	memC
	memTable
	memBuffer
	memSmall
)

// edit changes a mapping or its fabric.
type edit struct {
	*mapping.Mapping
	f *arch.Fabric
}

// checked judges a mapping of fn: it is legal if want is empty, else the error contains it.
func (e edit) checked(t *testing.T, fn *ir.Operation, want string) {
	t.Helper()
	e.LayoutHash = mapping.HashText(config.NewLayout(e.f).Hash)
	err := check.Mapping(fn, e.f, e.Mapping)
	if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
		t.Errorf("error %v does not contain %q", err, want)
	}
}

func (e edit) comp(name string) *arch.Component {
	for _, c := range e.f.Comps {
		if c.Name == name {
			return c
		}
	}
	panic("no component " + name)
}

func (e edit) slots(name string) *[]mapping.Slot {
	for i := range e.TemporalSwitches {
		if e.TemporalSwitches[i].Comp == name {
			return &e.TemporalSwitches[i].Slots
		}
	}
	panic("no setting of " + name)
}

// slot is the slot of a switch with a tag.
func (e edit) slot(name string, tag uint64) *mapping.Slot {
	slots := *e.slots(name)
	for i := range slots {
		if slots[i].Tag == tag {
			return &slots[i]
		}
	}
	panic("no slot")
}

func (e edit) tag(lane string) *mapping.Tag {
	for i := range e.Tags {
		if e.Tags[i].Comp == lane {
			return &e.Tags[i]
		}
	}
	panic("no tag of " + lane)
}

func (e edit) access(mem, k int) *mapping.Access { return &e.Memories[mem].Accesses[k] }

// retag gives an access another tag everywhere.
func (e edit) retag(mem, k int, tag uint64, switches ...string) {
	a := e.access(mem, k)
	for _, s := range switches {
		e.slot(s, a.Tag).Tag = tag
	}
	e.tag(a.Comp).Tag = tag
	a.Tag = tag
}

// bridgeMutations break each rule of accesses, lanes, tags, regions and slots
// once, with the checker's message.
var bridgeMutations = []struct {
	name   string
	mutate func(e edit)
	want   string
}{
	{"access not bound", func(e edit) { m := &e.Memories[memA]; m.Accesses = m.Accesses[:2] },
		"store 0 of memory operation 23 is not bound"},
	{"access bound twice", func(e edit) { m := &e.Memories[memB]; m.Accesses = append(m.Accesses, m.Accesses[0]) },
		"load 0 of memory operation 24 is bound twice"},
	{"access that is none", func(e edit) { e.access(memA, 1).Index = 2 }, "the kernel has no load 2 of memory operation 23"},
	{"access of no kind", func(e edit) { e.access(memA, 1).Kind = "swap" }, "the kernel has no swap 1"},
	{"one lane for two accesses", func(e edit) { e.access(memA, 1).Comp = e.access(memA, 0).Comp },
		"component 'dram_load0' hosts both load 0 of memory operation 23 and load 1"},
	{"load at a store lane", func(e edit) { e.access(memB, 0).Comp = "dram_store0" }, "is bound to 'dram_store0', which is no load lane"},
	{"access at a PE", func(e edit) { e.access(memB, 0).Comp = "pe_0" }, "is bound to 'pe_0', which is no load lane"},
	{"access at the tagged memory itself", func(e edit) { e.access(memB, 0).Comp = "dram" }, "is bound to 'dram', which is no load lane"},
	{"access nowhere", func(e edit) { e.access(memB, 0).Comp = "x" }, "which the fabric does not have"},
	{"lanes of two memories exchanged", func(e edit) {
		a, s := e.access(memA, 1), e.access(memSmall, 0)
		swap(&e.tag(a.Comp).Comp, &e.tag(s.Comp).Comp)
		swap(&a.Comp, &s.Comp)
	}, "the addresses of lane 'one_load0' (tag 0) arrive at input 'ldaddr' of 'one', must arrive at input 'ldaddr' of 'dram'"},
	{"lanes of one array exchanged", func(e edit) {
		swap(&e.access(memA, 0).Comp, &e.access(memA, 1).Comp)
		swap(&e.access(memA, 0).Tag, &e.access(memA, 1).Tag)
	}, "does not end where the operand is read"},
	{"lane without a tag", func(e edit) { e.Tags = e.Tags[1:] }, "is given no tag"},
	{"lane with another tag", func(e edit) { e.Tags[0].Tag = 0 },
		"lane 'dram_load0' gives tag 0, load 0 of memory operation 23 has tag 1"},
	{"lane with two tags", func(e edit) { e.Tags = append(e.Tags, e.Tags[0]) }, "lane 'dram_load0' is given two tags"},
	{"tag of an idle lane", func(e edit) { e.Tags = append(e.Tags, mapping.Tag{Comp: "hidden_load0"}) },
		"lane 'hidden_load0' is given a tag although no access uses it"},
	{"tag of a memory", func(e edit) { e.Tags = append(e.Tags, mapping.Tag{Comp: "dram"}) }, "'dram' is given a tag and is no lane"},
	{"two accesses with one tag", func(e edit) {
		e.retag(memA, 0, 0, "dram_ldaddr", "dram_lddata", "dram_lddone")
	}, "two loads of memory operation 23 have tag 0"},
	{"tag beyond the ports", func(e edit) {
		e.retag(memTable, 0, 5, "pad_ldaddr", "pad_lddata", "pad_lddone")
		e.Regions[memTable].EndTag = 6
	}, "has tag 5, memory 'pad' has 4 load ports"},
	{"tag outside of its region", func(e edit) { e.Regions[memA].EndTag = 1 },
		"load 0 of memory operation 23 has tag 1, region 1 of 'dram' holds the tags from 0 up to 1"},
	{"tag that the path cannot carry", func(e edit) { e.comp("dram_ldaddr").Out[0].Chan.TagWidth = 1 },
		"tag 2 of the addresses of lane 'dram_load1' does not fit the 1 tag bits of channel"},
	{"tag that the response's path cannot carry", func(e edit) { e.comp("pad").Out[1].Chan.TagWidth = 1 },
		"tag 2 of the done tokens of lane 'pad_load0' does not fit the 1 tag bits of channel"},
	{"address that the path cannot carry", func(e edit) { e.comp("dram_ldaddr").In[1].Width = 32 },
		"the addresses of lane 'dram_load1' need 64 bits, their path has 32"},
	{"data that the path cannot carry", func(e edit) { e.comp("pad_lddata").Out[3].Width = 16 },
		"the data of lane 'pad_load3' need 32 bits, their path has 16"},
	{"addresses wider than the kernel's", func(e edit) { e.comp("pad_load0").In[0].Width = 65 },
		"load 0 of memory operation 26 at 'pad_load0': its addresses are wider than the kernel's"},
	{"regions that share tags", func(e edit) { e.Regions[memB].StartTag = 1 }, "regions 1 and 0 of 'dram' share tags"},
	{"region without tags", func(e edit) { e.Regions[memB].StartTag = 3 }, "region 0 of 'dram' is empty: tags 3 to 3"},
	{"region beyond the tag width", func(e edit) { e.Regions[memB].EndTag = 8 },
		"region 0 of 'dram' ends at tag 8, which does not fit 3 tag bits"},
	{"region beyond the table", func(e edit) {
		e.Memories[memA].Region, e.Regions[memA].Region, e.Args[0].Region = 3, 3, 3
	}, "it has no such region"},
	{"two arrays in a region", func(e edit) { e.Memories[memB].Region, e.Args[1].Region = 1, 1 },
		"region 1 of 'dram' serves both memory operation 23 and 24"},
	{"region missing", func(e edit) { e.Regions = e.Regions[1:] }, "memory 'dram' has no valid region for memory operation 23"},
	{"region twice", func(e edit) { e.Regions = append(e.Regions, e.Regions[0]) }, "region 1 of 'dram' is set twice"},
	{"region for nothing", func(e edit) {
		e.Regions = append(e.Regions, mapping.Region{Comp: "dram", Region: 2, StartTag: 3, EndTag: 4})
	}, "region 2 of 'dram' is set for no memory of the kernel"},
	{"tags on a memory without", func(e edit) { e.Regions[memC].EndTag = 1 }, "region 0 of 'port' must have no tags"},
	{"access with a tag at a memory without", func(e edit) { e.access(memC, 0).Tag = 1 }, "must be at 'port' without a tag"},
	{"arrays that share elements", func(e edit) {
		e.Memories[memBuffer].First, e.Regions[memBuffer].Offset = 23, 92
	}, "memory operations 26 and 27 share elements of 'pad'"},
	{"array beyond the capacity", func(e edit) {
		e.Memories[memBuffer].First, e.Regions[memBuffer].Offset = 25, 100
	}, "it is too small"},
	{"array before the memory", func(e edit) { e.Memories[memBuffer].First = -1 }, "its first element is negative"},
	{"offset inside an element", func(e edit) { e.Regions[memBuffer].Offset = 97 },
		"region 0 of 'pad' must have offset 96, where element 24 begins, has 97"},
	{"offset of another element", func(e edit) { e.Memories[memBuffer].First = 0 },
		"region 0 of 'pad' must have offset 0, where element 0 begins, has 96"},
	{"argument with a first element", func(e edit) { e.Memories[memB].First = 1 }, "only the host knows"},
	{"elements of another width", func(e edit) { e.comp("pad").Mem.Type = ir.MemRef([]int64{32}, ir.I16) }, "the element widths differ"},
	{"contents in a private memory", func(e edit) { e.comp("pad").Mem.Private = true },
		"it starts with contents, which the host cannot write into a private memory"},
	{"stores in flight beyond the queue", func(e edit) { e.comp("dram_store1").Lane.LSQDepth = 5 },
		"lane 'dram_store1' keeps up to 5 stores in flight, memory 'dram' behind a FIFO queues only 4"},

	{"slots with one tag", func(e edit) {
		s := e.slots("dram_lddata")
		*s = append(*s, (*s)[0])
	}, "slot 3 (tag 1) of temporal switch 'dram_lddata' has the tag of slot 0"},
	{"slot with two inputs to one output", func(e edit) {
		s := e.slot("dram_ldaddr", 1)
		s.Routes = append(s.Routes, mapping.Route{0, 3})
	}, "sends inputs 0 and 3 to output 0"},
	{"slot with a route twice", func(e edit) {
		s := e.slot("dram_ldaddr", 1)
		s.Routes = append(s.Routes, s.Routes[0])
	}, "lists a route twice"},
	{"slot with a port that is none", func(e edit) { e.slot("dram_ldaddr", 1).Routes[0][1] = 4 },
		"sends input 4 to output 0, which are not connected"},
	{"slot with a connection that is none", func(e edit) { e.comp("dram_ldaddr").Temporal.Connect[0][0] = false },
		"sends input 0 to output 0, which are not connected"},
	{"slot with a tag too wide", func(e edit) { e.slot("dram_ldaddr", 1).Tag = 9 }, "has a tag beyond its 3 tag bits"},
	{"slots too many", func(e edit) { e.comp("dram_ldaddr").Temporal.Slots = 2 },
		"temporal switch 'dram_ldaddr' has 2 slots, the mapping fills 3"},
	{"slot missing", func(e edit) { s := e.slots("pad_lddone"); *s = (*s)[1:] },
		"temporal switch 'pad_lddone' has no slot for tag 2 of the done tokens of lane 'pad_load0'"},
	{"slot for another input", func(e edit) { e.slot("pad_ldaddr", 2).Routes[0][1] = 2 },
		"does not route input 0, where the addresses of lane 'pad_load0' arrive"},
	{"slot for nothing", func(e edit) {
		s := e.slots("dram_ldaddr")
		*s = append(*s, mapping.Slot{Tag: 7, Routes: []mapping.Route{{0, 3}}})
	}, "slot 3 (tag 7) of temporal switch 'dram_ldaddr' sends input 3 to output 0 for no access"},
	{"slot without routes", func(e edit) {
		s := e.slots("dram_ldaddr")
		*s = append(*s, mapping.Slot{Tag: 7})
	}, "routes nothing"},
	{"response to another lane", func(e edit) { swap(&e.slot("pad_lddata", 2).Routes, &e.slot("pad_lddata", 3).Routes) },
		"the data of lane 'pad_load0' (tag 2) arrive at input 'rsp' of 'pad_load1', must arrive at input 'rsp' of 'pad_load0'"},
	{"response to two lanes", func(e edit) {
		s := e.slot("pad_stdone", 1)
		s.Routes = append(s.Routes, mapping.Route{1, 0})
	}, "the done tokens of lane 'pad_store0' (tag 1) arrive at input 'done_rsp' of 'pad_store1'"},
	{"response into nothing", func(e edit) { e.comp("pad_stdone").Out[0].Chan = nil },
		"leave temporal switch 'pad_stdone' at output 0, which is not connected"},
	{"setting of no temporal switch", func(e edit) { e.TemporalSwitches[0].Comp = "sw" }, "the setting of 'sw' is no temporal switch's"},
	{"temporal switch set twice", func(e edit) { e.TemporalSwitches = append(e.TemporalSwitches, e.TemporalSwitches[0]) }, "is set twice"},
	{"setting of an idle switch", func(e edit) {
		e.TemporalSwitches = append(e.TemporalSwitches, mapping.TemporalSwitch{Comp: "hidden_ldaddr",
			Slots: []mapping.Slot{{Routes: []mapping.Route{{0, 0}}}}})
	}, "temporal switch 'hidden_ldaddr' sends input 0 to output 0 for no access"},

	{"unread responses not dropped", func(e edit) { e.Switches[0].Discard = e.Switches[0].Discard[1:] },
		"gets tokens that nothing reads and does not drop them"},
	{"edge to another port of the lane", func(e edit) {
		for i := range e.Edges {
			if steps := e.Edges[i].Steps; steps[len(steps)-1].Comp == "pad_store0" {
				steps[len(steps)-1].In = 1 - steps[len(steps)-1].In
			}
		}
	}, "does not end where the operand is read"},
	{"edge from another port of the lane", func(e edit) {
		for i := range e.Edges {
			if steps := e.Edges[i].Steps; steps[0].Comp == "dram_load0" && steps[0].Out == arch.LoadData {
				steps[0].Out = arch.LoadDone
			}
		}
	}, "does not start where"},
}

// edited is a fresh mapping of maptest.Arrays with a change.
func edited(mutate func(e edit)) (*ir.Operation, edit) {
	fn, f, m := maptest.Arrays()
	e := edit{m, f}
	mutate(e)
	// A change of the fabric is one that the mapping knows of.
	m.LayoutHash = mapping.HashText(config.NewLayout(f).Hash)
	return fn, e
}

func TestBridgeMutations(t *testing.T) {
	for _, c := range bridgeMutations {
		t.Run(c.name, func(t *testing.T) {
			fn, e := edited(c.mutate)
			err := check.Mapping(fn, e.f, e.Mapping)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v does not contain %q", err, c.want)
			}
		})
	}
}

// TestStoreLaneBuffer forks a value at the switch before a store lane, which takes
// address and data together: without a buffer of its own the other branch waits.
func TestStoreLaneBuffer(t *testing.T) {
	fn := maptest.Kernel(`handshake.func @f(%k: i32, %i: index, %start: none) -> (i32, none) {
  %m:1 = memory[ld = 0, st = 1] (%k, %i) {id = 0 : i32, lsq = false} : memref<4xi32>, (i32, index) -> none
  return %k, %m#0 : i32, none
}`)
	for _, direct := range []bool{false, true} {
		f := maptest.Fabric("f", 0, 3, 2, maptest.Bridge{Name: "one", Elem: ir.I32, Elements: 8, Stores: 1, TagWidth: 1, Direct: direct})
		m := maptest.Map(fn, f, maptest.Place{Op: 0, Comp: "one", Stores: []maptest.Lane{{}}, End: 1})
		err := check.Mapping(fn, f, m)
		if !direct && err != nil {
			t.Error(err)
		}
		if direct && (err == nil || !strings.Contains(err.Error(), "between the last fork and store lane 'one_store0'") ||
			strings.Count(err.Error(), "error:") != 1) {
			t.Errorf("without a FIFO at the lane: %v", err)
		}
	}
}
