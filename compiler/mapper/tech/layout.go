package tech

import (
	"fmt"
	"slices"
)

// This file lays out the arrays that one memory holds.

// Slot is the part of a memory that holds one array.
type Slot struct {
	Array int
	// Start and End are the half-open range of tags, 0 on untagged memories: the
	// array's loads have the tags from Start on, and so have its stores.
	Start, End int
	Region     int
	// First is the index of the array's first element on chip.
	First int64
}

// Contents lists the arrays of every memory for an allocation, ascending.
func (t *Tech) Contents(mem []int) [][]int {
	out := make([][]int, len(t.Memories))
	for a, m := range mem {
		out[m] = append(out[m], a)
	}
	return out
}

// Holds reports whether a memory can hold the arrays together.
func (t *Tech) Holds(mem int, arrays []int) bool {
	if len(arrays) == 0 {
		return true
	}
	for _, a := range arrays {
		if !t.alloc.fits[a][mem] {
			return false
		}
	}
	if _, short := t.layout(mem, arrays, t.alloc.extra); short != "" {
		return false
	}
	return t.alloc.extra != supply{} || t.hostAll(mem, arrays)
}

// hostAll reports whether the accesses of several arrays get sites of their own.
func (t *Tech) hostAll(mem int, arrays []int) bool {
	if len(arrays) == 1 {
		return true // the fit of a single array has been checked
	}
	for _, store := range []bool{false, true} {
		var cand [][]int
		sites := 0
		all := true
		for _, a := range arrays {
			nodes := t.Arrays[a].Loads
			if store {
				nodes = t.Arrays[a].Stores
			}
			for _, id := range nodes {
				var c []int
				for _, s := range t.Cand[id] {
					if t.Sites[s].Mem == mem {
						c = append(c, s)
					}
				}
				cand = append(cand, c)
			}
		}
		sites = len(t.Memories[mem].Loads)
		if store {
			sites = len(t.Memories[mem].Stores)
		}
		for _, c := range cand {
			all = all && len(c) == sites
		}
		if !all && !assignable(cand, len(t.Sites)) {
			return false
		}
	}
	return true
}

// Layout lays arrays out on a memory that holds them: ranges of tags, regions in
// the order of the tags, on chip one after the other.
func (t *Tech) Layout(mem int, arrays []int) []Slot {
	slots, _ := t.layout(mem, arrays, supply{})
	return slots
}

// layout is Layout on a memory that has extra beyond what it has. It returns the
// name of what is short instead when that is impossible.
//
// Ranges of tags are packed without gaps. Each must start early enough that its
// loads and stores have tags below the numbers of ports and that its end is a tag:
// a latest end for each. By the rule of the earliest deadline first, an order in
// which all meet theirs exists only if this one does.
func (t *Tech) layout(mem int, arrays []int, extra supply) (slots []Slot, short string) {
	b := &t.Memories[mem]
	m := b.Mem.Mem
	have := t.supply(b)
	var need supply
	for _, a := range arrays {
		n := t.needs(t.Arrays[a])
		need.loads, need.stores, need.regions = need.loads+n.loads, need.stores+n.stores, need.regions+n.regions
		need.bytes += t.Arrays[a].Elements * int64(m.ElemBytes())
	}
	switch {
	case need.loads > have.loads+extra.loads:
		return nil, "load"
	case need.stores > have.stores+extra.stores:
		return nil, "store"
	case need.regions > have.regions+extra.regions:
		return nil, "region"
	case b.Mem.OnChip() && need.bytes > have.bytes+extra.bytes:
		return nil, "byte"
	}
	latest := func(a int) int { // the last tag at which the range may end
		x := t.Arrays[a]
		end := 1<<min(m.TagWidth, 30) - 1 + int(extra.tags+extra.loads+extra.stores) // more ports come with wider tags
		if n := len(x.Loads); n > 0 {
			end = min(end, m.LdCount+int(extra.loads)-n+x.Span())
		}
		if n := len(x.Stores); n > 0 {
			end = min(end, m.StCount+int(extra.stores)-n+x.Span())
		}
		return end
	}
	order := slices.Clone(arrays)
	slices.SortFunc(order, func(a, b int) int {
		if c := latest(a) - latest(b); c != 0 {
			return c
		}
		return a - b
	})
	tag, first := 0, int64(0)
	for r, a := range order {
		s := Slot{Array: a, Region: r, First: first}
		if m.TagWidth > 0 {
			s.Start, s.End = tag, tag+t.Arrays[a].Span()
			if s.End > latest(a) {
				return nil, "tag"
			}
			tag = s.End
		}
		if b.Mem.OnChip() {
			first += t.Arrays[a].Elements
		} else {
			s.First = 0
		}
		slots = append(slots, s)
	}
	return slots, ""
}

// Describe states in words where the arrays of an allocation lie.
func (t *Tech) Describe(mem []int) string {
	text := ""
	for m, arrays := range t.Contents(mem) {
		for k, a := range arrays {
			switch {
			case k > 0:
				text += ", "
			case text != "":
				text += "; "
			}
			text += t.ArrayName(a)
		}
		if len(arrays) > 0 {
			text += fmt.Sprintf(" on '%s'", t.Memories[m].Mem.Name)
		}
	}
	return text
}

// ArrayName names an array briefly: the argument, or the name of its first result.
func (t *Tech) ArrayName(a int) string {
	x := t.Arrays[a]
	if x.Arg >= 0 {
		return "'" + ArgName(t.Fn, x.Arg) + "'"
	}
	return OpLabel(t.Ops[x.Op])
}
