package e2e

import (
	"testing"

	"loom/compiler/config"
	"loom/sim/cycle"
)

// at replaces the k-th token of an input.
func at(input string, k int, v uint64) func(testing.TB, *stimulus) {
	return func(_ testing.TB, s *stimulus) { s.feed[input][k] = v }
}

// retag gives an access another tag.
func retag(addr string, tag uint64) func(testing.TB, *stimulus) {
	return func(t testing.TB, s *stimulus) { s.retag(t, addr, tag) }
}

// within sets the sizes of the arrays of a memory, by region.
func within(spoil func(testing.TB, *stimulus), mem string, sizes ...uint64) func(testing.TB, *stimulus) {
	return func(t testing.TB, s *stimulus) {
		if s.testbench.Sizes == nil {
			s.testbench.Sizes = map[int][]uint64{}
		}
		s.testbench.Sizes[named(t, s.fabric, mem).ID] = sizes
		spoil(t, s)
	}
}

// both spoils in two ways.
func both(a, b func(testing.TB, *stimulus)) func(testing.TB, *stimulus) {
	return func(t testing.TB, s *stimulus) {
		a(t, s)
		b(t, s)
	}
}

// region sets one entry of an address table; its offset is that of entry 0.
func region(mem string, k int, start, end uint64) func(testing.TB, *stimulus) {
	return func(t testing.TB, s *stimulus) {
		table := s.set(t, mem).Regions
		table[k] = config.Region{Valid: true, StartTag: start, EndTag: end, Offset: table[0].Offset}
	}
}

// unmapped clears the address table.
func unmapped(mem string) func(testing.TB, *stimulus) {
	return func(t testing.TB, s *stimulus) { clear(s.set(t, mem).Regions) }
}

// more adds a token to an input.
func more(input string, v uint64) func(testing.TB, *stimulus) {
	return func(_ testing.TB, s *stimulus) { s.feed[input] = append(s.feed[input], v) }
}

// streams is what the PE shows elsewhere.
var streams = []string{"pe0", "pe1"}

// compare sets the PE to its comparison.
func compare(t testing.TB, s *stimulus, predicate uint64) {
	pe := s.set(t, "pe").PE
	pe.Opcode, pe.Fields = 1, []uint64{predicate}
	pe.In[2], pe.Out[1] = config.Selector{Sel: 2, Discard: true}, config.Selector{Disconnect: true}
	delete(s.feed, "p2")
}

// wrongStream sets the continuation condition of the stream.
func wrongStream(cond uint64) func(testing.TB, *stimulus) {
	return func(t testing.TB, s *stimulus) { s.set(t, "pe").PE.Fields[0] = cond }
}

func mixedSlot(t testing.TB, s *stimulus) {
	sw := s.set(t, "exchange")
	sw.Slots[0].Routes = [][2]int{{0, 0}, {0, 1}}
}

func twoSlots(t testing.TB, s *stimulus) {
	s.set(t, "exchange").Slots[3] = config.Slot{Valid: true, Tag: 1, Routes: [][2]int{{1, 1}}}
}

func twoEntries(t testing.TB, s *stimulus) {
	s.set(t, "map").Entries[2] = config.TagEntry{Valid: true, Src: 2, Dst: 6}
}

func unrouted(t testing.TB, s *stimulus) { s.set(t, "steer").Switch.Route[1] = -1 }

// foreign gives the tokens of an input the tag of another one, whose slot does not
// route them.
func foreign(t testing.TB, s *stimulus) { s.set(t, "tag0").Tag = 1 }

func unknown(t testing.TB, s *stimulus) { s.set(t, "tag0").Tag = 3 }

func unmappedTag(t testing.TB, s *stimulus) { s.set(t, "map").Entries[0].Valid = false }

// badImage puts an image of another length in front of the right one.
func badImage(extra int) func(testing.TB, *stimulus) {
	return func(t testing.TB, s *stimulus) {
		words := s.img.Layout.WordCount + extra
		for k := range words {
			s.before = append(s.before, word{0xffffffff, k == words-1})
		}
		s.sticky = 514
	}
}

// withoutT0 is what the temporal switch delivers when the tokens of t0 are lost.
var withoutT0 = map[string][]string{"mapped": {"t2"}, "passed": {"t1", "t2"}}

// codeCases provokes every code by each of its causes.
var codeCases = []codeCase{
	{name: "nothing is wrong", spoil: func(testing.TB, *stimulus) {}},
	{name: "no route at all", code: 262, comp: "steer", spoil: func(t testing.TB, s *stimulus) { s.set(t, "steer").Switch.Route = []int{-1, -1} },
		except: []string{"steered0", "steered1"}},
	{name: "two inputs in a slot", code: 4, comp: "exchange", spoil: mixedSlot},
	{name: "a tag in two slots", code: 5, comp: "exchange", spoil: twoSlots},
	{name: "a tag in two entries", code: 9, comp: "map", spoil: twoEntries},
	{name: "no condition", code: 10, comp: "pe", spoil: wrongStream(0), except: streams},
	{name: "two conditions", code: 10, comp: "pe", spoil: wrongStream(3), except: streams},
	{name: "predicate", code: 11, comp: "pe", spoil: func(t testing.TB, s *stimulus) { compare(t, s, 12) }, except: streams},
	{name: "tagged regions overlap", code: 12, comp: "ram", spoil: region("ram", 1, 1, 3)},
	{name: "untagged regions overlap", code: 12, comp: "pad", spoil: region("pad", 1, 0, 0)},
	{name: "region ends where it starts", code: 13, comp: "ram", spoil: region("ram", 2, 2, 2)},
	{name: "region ends before it starts", code: 13, comp: "ram", spoil: region("ram", 1, 3, 1)},
	{name: "external tagged regions overlap", code: 14, comp: "dram", spoil: region("dram", 2, 0, 1)},
	{name: "external untagged regions overlap", code: 14, comp: "far", spoil: region("far", 1, 0, 0)},
	{name: "external region ends where it starts", code: 15, comp: "dram", spoil: region("dram", 1, 0, 0)},
	{name: "tag in no slot", code: 257, comp: "exchange", spoil: unknown, cross: withoutT0},
	{name: "tag in no entry", code: 258, comp: "map", spoil: unmappedTag, cross: withoutT0},
	{name: "step of zero", code: 259, comp: "pe", spoil: at("p1", 2, 0)},
	{name: "load of a port that is not there", code: 260, comp: "ram", spoil: retag("ram_ld1", 3)},
	{name: "load lane of a port that is not there", code: 260, comp: "ram", spoil: retag("ram_ld0", 2)},
	{name: "store of a port that is not there", code: 260, comp: "ram", spoil: retag("ram_st1", 2)},
	{name: "store lane of a port that is not there", code: 260, comp: "ram", spoil: retag("ram_st0", 3)},
	{name: "external load of a port that is not there", code: 260, comp: "dram", spoil: retag("dram_ld0", 2)},
	{name: "external store of a port that is not there", code: 260, comp: "dram", spoil: retag("dram_st1", 3)},
	{name: "address without data", code: 261, comp: "ram", spoil: more("ram_st1", 17), open: true},
	{name: "data without address", code: 261, comp: "ram", spoil: more("ram_st1v", 1), open: true},
	{name: "untagged address without data", code: 261, comp: "pad", spoil: more("pad_st", 7), open: true},
	{name: "external address without data", code: 261, comp: "dram", spoil: more("dram_st1", 41), open: true},
	{name: "external untagged data without address", code: 261, comp: "far", spoil: more("far_stv", 1), open: true},
	{name: "no route", code: 262, comp: "steer", spoil: unrouted, except: []string{"steered1"}},
	{name: "slot of another input", code: 263, comp: "exchange", spoil: foreign, cross: withoutT0},
	{name: "loads and stores in no region", code: 264, comp: "ram", spoil: region("ram", 0, 0, 1)},
	{name: "first access in no region", code: 264, comp: "ram", spoil: region("ram", 0, 1, 2)},
	{name: "no region at all", code: 264, comp: "pad", spoil: unmapped("pad")},
	{name: "external loads and stores in no region", code: 265, comp: "dram", spoil: region("dram", 0, 0, 1)},
	{name: "external without any region", code: 265, comp: "far", spoil: unmapped("far")},
	{name: "load beyond the end", code: 512, comp: "ram", spoil: at("ram_ld0", 4, 24)},
	{name: "load far beyond the end", code: 512, comp: "ram", spoil: at("ram_ld1", 4, 0xffffffff)},
	{name: "store beyond the end", code: 512, comp: "ram", spoil: at("ram_st1", 4, 25)},
	{name: "untagged load beyond the end", code: 512, comp: "pad", spoil: at("pad_ld", 7, 12)},
	{name: "untagged store beyond the end", code: 512, comp: "pad", spoil: at("pad_st", 7, 0x80000000)},
	{name: "bus error of a load", code: 513, comp: "dram", spoil: at("dram_ld0", 6, dramElems)},
	{name: "bus error of a bare store", code: 513, comp: "dram", spoil: at("dram_st1", 6, 0x7fffffff)},
	{name: "bus error of an untagged load", code: 513, comp: "far", spoil: at("far_ld", 3, farElems)},
	{name: "bus error of an untagged store", code: 513, comp: "far", spoil: at("far_st", 3, farElems+1)},
	{name: "load behind its array", code: 515, comp: "dram", spoil: within(at("dram_ld0", 6, dramElems), "dram", 2*dramElems, 0, 0)},
	{name: "store behind its array, into what is there", code: 515, comp: "dram", spoil: within(at("dram_st0", 5, 41), "dram", 2*40, cycle.Unlimited, 0), split: true},
	{name: "accesses behind the second of two arrays", code: 515, comp: "dram", spoil: within(at("dram_st1", 3, 55), "dram", cycle.Unlimited, 2*50, 0), split: true},
	{name: "a part of an element", code: 515, comp: "dram", spoil: within(at("dram_st1", 6, dramElems-1), "dram", 2*dramElems-1, 0, 0)},
	{name: "load in front of its array", code: 515, comp: "dram", spoil: within(at("dram_ld1", 4, 0xffffffff), "dram", 2*dramElems, 0, 0)},
	{name: "untagged load behind its array", code: 515, comp: "far", spoil: within(at("far_ld", 3, farElems), "far", 4*farElems, 0)},
	{name: "untagged store behind its array", code: 515, comp: "far", spoil: within(at("far_st", 3, farElems), "far", 4*farElems+3, 0)},
	{name: "untagged load in front of its array", code: 515, comp: "far", spoil: within(at("far_ld", 3, 0xffffffff), "far", 4*farElems, 0)},
	{name: "untagged store of a part of an element", code: 515, comp: "far", spoil: within(at("far_st", 3, farElems-1), "far", 4*farElems-1, 0)},
	{name: "no array at all", code: 515, comp: "far", spoil: within(at("far_st", 3, 20), "far", 3, 0)},
	{name: "arrays as large as what is accessed", spoil: both(within(at("far_st", 3, farElems-1), "far", 4*farElems, 0), within(at("dram_st1", 3, dramElems-1), "dram", 2*dramElems, 0, 0))},
	{name: "more than indices name", code: 513, comp: "far", spoil: within(at("far_ld", 3, 0xffffffff), "far", 1<<34, 0)},
	{name: "image too short", code: 514, spoil: badImage(-1)},
	{name: "image too long", code: 514, spoil: badImage(1)},
}

// together is a fault that shows in cycle 0.
type together struct {
	code  int
	spoil func(testing.TB, *stimulus)
}

// configFaults and trafficFaults are faults that do not exclude each other, by code.
var configFaults = []together{
	{4, mixedSlot}, {5, twoSlots}, {9, twoEntries}, {10, wrongStream(6)},
	{12, region("ram", 1, 1, 3)}, {13, region("ram", 2, 3, 3)}, {14, region("dram", 2, 0, 2)}, {15, region("dram", 1, 2, 1)},
}

var trafficFaults = []together{
	{257, unknown},
	{258, func(t testing.TB, s *stimulus) { clear(s.set(t, "map").Entries) }},
	{259, at("p1", 0, 0)},
	{260, retag("ram_st0", 2)},
	{262, unrouted},
	{263, func(t testing.TB, s *stimulus) { s.set(t, "tag1").Tag = 0 }},
	{264, region("ram", 0, 1, 2)},
	{265, unmapped("far")},
	{512, at("pad_ld", 0, 12)},
}
