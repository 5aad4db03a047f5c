package tech

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// This file allocates the arrays of a kernel to the memories of a fabric. Arrays
// on one memory have disjoint ranges of tags and a region each; on chip they lie
// side by side. The accesses of one memory share its physical ports, one request
// per cycle and kind, so arrays are spread.

// RNG gives random numbers in [0, n).
type RNG interface{ Intn(n int) int }

// allocator searches for allocations.
type allocator struct {
	t *Tech
	// fits[array][memory] states which arrays fit when alone; like[m] is the index
	// of the first memory with the same properties as m.
	fits  [][]bool
	like  []int
	order []int // arrays, the most demanding first
	base  []int // an allocation, nil when none was found
	// steps counts the arrays that searches have tried.
	steps int
	// needs are what each array takes, nil before a search.
	needs []supply
	// near[a][b] counts the pairs of accesses of arrays a and b, per physical port,
	// that one loop makes; set by Share.
	near [][][2]int
	// extra is what every memory is assumed to have beyond what it has, to report
	// what would suffice.
	extra supply
}

// searchSteps bounds the search for an allocation, in arrays tried; relaxedSteps
// that for one with more than there is.
const (
	searchSteps  = 100_000
	relaxedSteps = 5_000
)

func (t *Tech) newAllocator() {
	s := &t.alloc
	*s = allocator{t: t, fits: t.arrayFits()}
	for m := range t.Memories {
		first := m
		for o := range m {
			if s.alike(o, m) {
				first = o
				break
			}
		}
		s.like = append(s.like, first)
	}
	s.order = identity(len(t.Arrays))
	choices := func(a int) int {
		n := 0
		for _, ok := range s.fits[a] {
			if ok {
				n++
			}
		}
		return n
	}
	slices.SortStableFunc(s.order, func(a, b int) int {
		x, y := t.Arrays[a], t.Arrays[b]
		if c := choices(a) - choices(b); c != 0 {
			return c
		}
		if x.Elements != y.Elements {
			return int(min(max(y.Elements-x.Elements, -1), 1))
		}
		return len(y.Loads) + len(y.Stores) - len(x.Loads) - len(x.Stores)
	})
	s.Share(nil)
	s.base = s.find(s.order)
	if s.base != nil {
		s.improve(s.base, nil)
	}
}

// find searches for an allocation of some arrays, nil when there is none in reach.
func (s *allocator) find(arrays []int) []int {
	if mem := s.search(arrays, nil, true); mem != nil {
		return mem
	}
	return s.search(arrays, nil, false)
}

func (s *allocator) possible() bool { return s.base != nil }

// alike reports whether two memories are interchangeable.
func (s *allocator) alike(m, o int) bool {
	a, b := &s.t.Memories[m], &s.t.Memories[o]
	x, y := *a.Mem.Mem, *b.Mem.Mem
	x.MemPort, y.MemPort = 0, 0
	for i := range s.fits {
		if s.fits[i][m] != s.fits[i][o] {
			return false
		}
	}
	return a.Mem.Kind == b.Mem.Kind && x == y && a.MaxLoads == b.MaxLoads && a.MaxStores == b.MaxStores
}

// Share sets which accesses are made in one loop: loop[node] is the innermost
// loop of an access, -1 for none. Such accesses are kept on different
// ports before all others.
func (s *allocator) Share(loop []int) {
	n := len(s.t.Arrays)
	s.near = make([][][2]int, n)
	for a := range s.near {
		s.near[a] = make([][2]int, n)
		for b := range s.near[a] {
			x, y := s.t.Arrays[a], s.t.Arrays[b]
			for k, lists := range [2][2][]int{{x.Loads, y.Loads}, {x.Stores, y.Stores}} {
				for _, i := range lists[0] {
					for _, j := range lists[1] {
						if loop != nil && loop[i] >= 0 && loop[i] == loop[j] {
							s.near[a][b][k]++
						}
					}
				}
			}
		}
	}
}

// Share sets which accesses are made in one loop: loop[node] is the innermost
// loop of an access, -1 for none. Arrays whose accesses would compete
// are kept on different memories before all others.
func (t *Tech) Share(loop []int) {
	t.alloc.Share(loop)
	t.alloc.improve(t.alloc.base, nil)
}

// Allocate returns the memory of every array, an index into Memories. Different
// random numbers give different allocations where there are several of about the
// same quality.
func (t *Tech) Allocate(rng RNG) []int {
	s := &t.alloc
	mem := s.search(s.order, rng, true)
	if mem == nil {
		mem = slices.Clone(s.base)
	}
	s.improve(mem, rng)
	return mem
}

// search assigns arrays one after the other and goes back where one fits nowhere.
// spread prefers the memory with the least competition for its ports,
// otherwise the one with the least room to spare.
func (s *allocator) search(arrays []int, rng RNG, spread bool) []int {
	n := len(arrays)
	if s.needs == nil {
		s.needs = make([]supply, len(s.t.Arrays))
		for i, a := range s.t.Arrays {
			s.needs[i] = s.t.needs(a)
		}
	}
	mem := fill(len(s.t.Arrays))
	holds := make([][]int, len(s.t.Memories))
	steps, most := 0, searchSteps
	failed, kinds := map[string]bool{}, s.kinds()
	if s.extra != (supply{}) {
		most = relaxedSteps
	}
	var assign func(i int) bool
	assign = func(i int) bool {
		if i == n {
			return true
		}
		if !s.roomFor(arrays[i:], holds) {
			return false
		}
		state := s.state(i, holds, kinds)
		if failed[state] {
			return false
		}
		a := arrays[i]
		tried := map[int]bool{} // kinds of empty memories
		for _, m := range s.preference(a, holds, rng, spread) {
			if steps++; steps > most {
				return false
			}
			s.steps++
			if len(holds[m]) == 0 {
				if tried[s.like[m]] {
					continue
				}
				tried[s.like[m]] = true
			}
			holds[m] = append(holds[m], a)
			if s.t.Holds(m, holds[m]) {
				mem[a] = m
				if assign(i + 1) {
					return true
				}
			}
			holds[m] = holds[m][:len(holds[m])-1]
		}
		mem[a] = -1
		failed[state] = true
		return false
	}
	if !assign(0) {
		return nil
	}
	return mem
}

// kinds number the arrays: those that may change places have the same number.
func (s *allocator) kinds() []int {
	var kinds []int
	known := map[string]int{}
	for i, a := range s.t.Arrays {
		key := fmt.Sprint(s.fits[i], s.t.needs(a), a.Elements, a.Type.Elem, a.Constant())
		for _, id := range slices.Concat(a.Loads, a.Stores) {
			key += fmt.Sprint(s.t.Cand[id])
		}
		if _, ok := known[key]; !ok {
			known[key] = len(known)
		}
		kinds = append(kinds, known[key])
	}
	return kinds
}

// state is what the memories hold after so many arrays, whatever the places of arrays of one kind and of memories that are alike: whether the others find
// room follows from it.
func (s *allocator) state(placed int, holds [][]int, kinds []int) string {
	var contents []string
	for m, arrays := range holds {
		if len(arrays) == 0 {
			continue
		}
		in := make([]int, len(arrays))
		for i, a := range arrays {
			in[i] = kinds[a]
		}
		slices.Sort(in)
		text := strconv.AppendInt(nil, int64(s.like[m]), 10)
		for _, k := range in {
			text = strconv.AppendInt(append(text, ' '), int64(k), 10)
		}
		contents = append(contents, string(text))
	}
	slices.Sort(contents)
	return strconv.Itoa(placed) + "," + strings.Join(contents, ",")
}

// roomFor reports whether what the memories have left could be enough for some more
// arrays, were they not whole: a bound that ends hopeless searches early. On chip,
// room that is too small for the smallest array does not count.
func (s *allocator) roomFor(arrays []int, holds [][]int) bool {
	var need, left supply
	least := int64(1) << 62
	for _, a := range arrays {
		least = min(least, s.needs[a].bytes)
		need = need.plus(s.needs[a], 1)
	}
	for m := range s.t.Memories {
		free := s.free(m, holds[m])
		if free.bytes < least {
			free.bytes = 0
		}
		left = left.plus(supply{max(free.loads, 0), max(free.stores, 0), max(free.tags, 0), max(free.regions, 0), max(free.bytes, 0)}, 1)
	}
	return need.loads <= left.loads && need.stores <= left.stores && need.regions <= left.regions && need.bytes <= left.bytes
}

// free is what a memory has beside what it holds.
func (s *allocator) free(m int, holds []int) supply {
	b := s.t.supply(&s.t.Memories[m]).plus(s.extra, 1)
	for _, o := range holds {
		x := s.needs[o]
		x.bytes = s.t.Arrays[o].Elements * int64(s.t.Memories[m].Mem.Mem.ElemBytes())
		b = b.plus(x, -1)
	}
	return b
}

// preference orders the memories that can hold an array, the best one first.
func (s *allocator) preference(a int, holds [][]int, rng RNG, spread bool) []int {
	var mems []int
	cost := map[int]int{}
	for m, ok := range s.fits[a] {
		if !ok {
			continue
		}
		mems = append(mems, m)
		if spread {
			cost[m] = s.cost(m, append(slices.Clone(holds[m]), a)) - s.cost(m, holds[m])
		} else {
			b := s.free(m, holds[m])
			cost[m] = int(min(b.bytes, 1<<40) + b.loads + b.stores)
		}
	}
	if rng != nil {
		for i := len(mems) - 1; i > 0; i-- {
			j := rng.Intn(i + 1)
			mems[i], mems[j] = mems[j], mems[i]
		}
	}
	slices.SortStableFunc(mems, func(x, y int) int { return cost[x] - cost[y] })
	return mems
}

// Costs of an allocation: of a constant table in external memory, which is slower and
// needs the host's memory, of two accesses of one loop on one port, of any other
// two on one port, and of an access through a lane, which takes a cycle.
const (
	costOut  = 1_000_000
	costLoop = 1000
	costPair = 10
	costLane = 1
)

// cost rates what a memory holds.
func (s *allocator) cost(m int, arrays []int) int {
	c, loads, stores := 0, 0, 0
	for i, a := range arrays {
		x := s.t.Arrays[a]
		if x.Constant() && s.t.Memories[m].Mem.External() {
			c += costOut
		}
		c += costPair * (loads*len(x.Loads) + stores*len(x.Stores))
		loads += len(x.Loads)
		stores += len(x.Stores)
		for _, b := range arrays[:i] {
			c += costLoop * (s.near[a][b][0] + s.near[a][b][1])
		}
	}
	if s.t.Memories[m].Mem.Mem.TagWidth > 0 {
		c += costLane * (loads + stores)
	}
	return c
}

// improve moves single arrays and exchanges two as long as that helps.
func (s *allocator) improve(mem []int, rng RNG) {
	holds := s.t.Contents(mem)
	without := func(m, a int) []int {
		return slices.DeleteFunc(slices.Clone(holds[m]), func(x int) bool { return x == a })
	}
	// change puts the contents where they belong if that is legal and better.
	change := func(m, o int, inM, inO []int) bool {
		if s.cost(m, inM)+s.cost(o, inO) >= s.cost(m, holds[m])+s.cost(o, holds[o]) || !s.t.Holds(m, inM) || !s.t.Holds(o, inO) {
			return false
		}
		holds[m], holds[o] = inM, inO
		for _, a := range inM {
			mem[a] = m
		}
		for _, a := range inO {
			mem[a] = o
		}
		return true
	}
	arrays := slices.Clone(s.order)
	const rounds = 8
	for better, round := true, 0; better && round < rounds; round++ {
		better = false
		if rng != nil {
			for i := len(arrays) - 1; i > 0; i-- {
				j := rng.Intn(i + 1)
				arrays[i], arrays[j] = arrays[j], arrays[i]
			}
		}
		for _, a := range arrays {
			for o, ok := range s.fits[a] {
				if m := mem[a]; ok && o != m && change(m, o, without(m, a), append(slices.Clone(holds[o]), a)) {
					better = true
				}
			}
			for _, b := range arrays {
				m, o := mem[a], mem[b]
				if m != o && s.fits[a][o] && s.fits[b][m] && change(m, o, append(without(m, a), b), append(without(o, b), a)) {
					better = true
				}
			}
		}
	}
}
