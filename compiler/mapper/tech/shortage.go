package tech

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/diag"
)

// This file explains why the arrays of a kernel cannot be allocated.

// reportArrays reports the arrays that no memory can hold, and of the others the
// sets that compete for too little.
func (t *Tech) reportArrays(errs *diag.List) (lacks []Lack) {
	if t.alloc.possible() {
		return nil
	}
	alone := false
	var divided []*Array // what several memories could serve if there were no other arrays
	report := func(a *Array) {
		t.explainArray(a, errs)
		lacks = append(lacks, Lack{Kind: LackMemory, Arrays: []*Array{a}})
	}
	for i, fits := range t.alloc.fits {
		switch a := t.Arrays[i]; {
		case slices.Contains(fits, true):
		case t.servable(a):
			alone = true
			divided = append(divided, a)
		default:
			alone = true
			report(a)
		}
	}
	for _, arrays := range t.rivals() {
		// Without the arrays that fit nowhere the others may have an allocation.
		if alone && t.alloc.find(arrays) != nil {
			continue
		}
		if t.alloc.find(arrays) == nil {
			t.explainRivals(arrays, errs)
			l := Lack{Kind: LackRoom}
			for _, a := range arrays {
				l.Arrays = append(l.Arrays, t.Arrays[a])
			}
			lacks = append(lacks, l)
		}
	}
	if lacks == nil {
		for _, a := range divided {
			report(a)
		}
	}
	return lacks
}

// needText states what an array needs.
func needText(a *Array) string {
	what := fmt.Sprintf("extmemory of %s", a.Type.Elem)
	if a.Arg < 0 {
		what = fmt.Sprintf("memory of %s of %s", diag.Plural(int(a.Elements), "element"), a.Type.Elem)
	}
	return fmt.Sprintf("%s with %s and %s", what, diag.Plural(len(a.Loads), "load"), diag.Plural(len(a.Stores), "store"))
}

// explainArray reports per memory of the fabric why it cannot hold an array.
func (t *Tech) explainArray(a *Array, errs *diag.List) {
	n, all := t.together(a)
	several := a.Divisible() && n > 1
	var d *diag.Diagnostic
	switch {
	case t.servable(a):
		d = errs.Errorf(t.Ops[a.Op].Pos, "no memory of fabric '%s' can serve %s, and no division among several leaves room for the kernel's other memories: it needs %s",
			t.Fabric.Name, a.Name, needText(a))
	case several:
		d = errs.Errorf(t.Ops[a.Op].Pos, "the memories of fabric '%s' cannot serve %s, not even several together: it needs %s, they have %s and %s in all",
			t.Fabric.Name, a.Name, needText(a), diag.Plural(int(all.loads), "load port"), diag.Plural(int(all.stores), "store port"))
	default:
		d = errs.Errorf(t.Ops[a.Op].Pos, "no memory of fabric '%s' can serve %s: it needs %s", t.Fabric.Name, a.Name, needText(a))
	}
	t.noteMemories(d, a)
	if !a.Divisible() && n > 1 && covers(all, a) {
		d.WithNote(diag.Pos{}, "several of them have enough together, but an array on the chip that the kernel writes stays at one memory")
	}
	tagged := false
	for i := range t.Memories {
		tagged = tagged || t.Memories[i].Mem.Mem.TagWidth > 0
	}
	switch {
	case a.Init:
		if a.Constant() {
			d.WithHelp("the fabric needs an extmemory of %s with %s, or a non-private %s", a.Type.Elem, diag.Plural(len(a.Loads), "load"), needText(a))
			break
		}
		d.WithHelp("the fabric needs a non-private %s; or pass the array as a memref argument", needText(a))
	case several:
		d.WithHelp("the fabric needs an %s, or more memories of these kinds: several may serve one argument", needText(a))
	case !tagged && (len(a.Loads) > 1 || len(a.Stores) > 1):
		d.WithHelp("untagged memories have at most one load and one store port; the kernel has %s and %s on this memory: "+
			"use a fabric whose memories have bridges with as many lanes, or keep one of each, for example by reusing the loaded value",
			diag.Plural(len(a.Loads), "load"), diag.Plural(len(a.Stores), "store"))
	default:
		article := "an"
		if a.Arg < 0 {
			article = "a"
		}
		d.WithHelp("the fabric needs %s %s", article, needText(a))
	}
}

// together counts the memories that are of the right kind for an array, and the loads and
// stores that they can serve in all.
func (t *Tech) together(a *Array) (n int, all supply) {
	mems := t.suitable(a)
	return len(mems), t.total(mems)
}

// servable reports whether several memories together have enough for an array, were it the only
// one.
func (t *Tech) servable(a *Array) bool {
	n, all := t.together(a)
	return a.Divisible() && n > 1 && covers(all, a)
}

// covers reports whether there are enough loads and stores for an array.
func covers(s supply, a *Array) bool {
	return int(s.loads) >= len(a.Loads) && int(s.stores) >= len(a.Stores)
}

// noteMemories reports why each memory of the fabric does not fit an array, those
// with the same location in the source and the same reason together.
func (t *Tech) noteMemories(d *diag.Diagnostic, a *Array) {
	type group struct {
		first *arch.Component
		why   string
		more  int
	}
	var groups []*group
next:
	for m := range t.Memories {
		c := t.Memories[m].Mem
		why := strings.Join(t.misfit(&t.Memories[m], a), "; ")
		for _, g := range groups {
			if g.first.Pos == c.Pos && g.first.Kind == c.Kind && g.why == why {
				g.more++
				continue next
			}
		}
		groups = append(groups, &group{first: c, why: why})
	}
	for _, g := range groups {
		like := ""
		if g.more > 0 {
			like = fmt.Sprintf(" and %d like it", g.more)
		}
		d.WithNote(g.first.Pos, "%s '%s'%s: %s", g.first.Kind, g.first.Name, like, g.why)
	}
	if len(groups) == 0 {
		d.WithNote(diag.Pos{}, "the fabric has no memory at all")
	}
}

// rivals groups the arrays that some memory can hold: two are in one group when
// they compete for a memory, directly or through others.
func (t *Tech) rivals() [][]int {
	group := identity(len(t.Arrays))
	var root func(a int) int
	root = func(a int) int {
		if group[a] != a {
			group[a] = root(group[a])
		}
		return group[a]
	}
	for m := range t.Memories {
		last := -1
		for a := range t.Arrays {
			if t.alloc.fits[a][m] {
				if last >= 0 {
					group[root(a)] = root(last)
				}
				last = a
			}
		}
	}
	by := map[int][]int{}
	for _, a := range t.alloc.order {
		for _, ok := range t.alloc.fits[a] {
			if ok {
				by[root(a)] = append(by[root(a)], a)
				break
			}
		}
	}
	var out [][]int
	for _, g := range by {
		out = append(out, g)
	}
	sort.Slice(out, func(i, j int) bool { return minimum(out[i]) < minimum(out[j]) })
	return out
}

func minimum(s []int) int {
	m := s[0]
	for _, v := range s {
		m = min(m, v)
	}
	return m
}

// resource is something that arrays need and memories have.
type resource struct {
	name string
	of   func(s *supply) *int64
}

// all are the resources, in the order in which they are named.
func resources(port string) []resource {
	return []resource{
		{"load " + port, func(s *supply) *int64 { return &s.loads }},
		{"store " + port, func(s *supply) *int64 { return &s.stores }},
		{"region", func(s *supply) *int64 { return &s.regions }},
		{"byte", func(s *supply) *int64 { return &s.bytes }},
		{"tag", func(s *supply) *int64 { return &s.tags }},
	}
}

// needs is what an array takes from a memory. A table that an external memory could hold
// needs no bytes of the fabric.
func (t *Tech) needs(a *Array) supply {
	s := supply{loads: int64(len(a.Loads)), stores: int64(len(a.Stores)), regions: 1, tags: int64(a.Span()),
		bytes: a.Elements * int64(max(Width(a.Type.Elem, t.IndexWidth), 8)/8)}
	for m, fits := range t.alloc.fits[a.ID] {
		if fits && a.Constant() && t.Memories[m].Mem.External() {
			s.bytes = 0
		}
	}
	return s
}

// explainRivals states what a set of arrays that fit one by one lacks together: what
// is short in total, or else of what more at every memory would do.
func (t *Tech) explainRivals(arrays []int, errs *diag.List) {
	var have, need supply
	var mems []int
	port, tagged := "port", false
	for m := range t.Memories {
		for _, a := range arrays {
			if t.alloc.fits[a][m] {
				mems = append(mems, m)
				break
			}
		}
	}
	for _, m := range mems {
		s := t.supply(&t.Memories[m])
		for _, r := range resources("") {
			*r.of(&have) += *r.of(&s)
		}
		if t.Memories[m].Mem.Mem.TagWidth > 0 {
			port, tagged = "lane", true
		}
	}
	sorted := append([]int(nil), arrays...)
	sort.Ints(sorted)
	for _, a := range sorted {
		s := t.needs(t.Arrays[a])
		for _, r := range resources("") {
			*r.of(&need) += *r.of(&s)
		}
	}
	first := t.Arrays[sorted[0]]
	at := t.Ops[first.Op].Pos
	if !tagged && len(arrays) > len(mems) {
		d := errs.Errorf(at, "fabric '%s' is too small: the kernel needs %s of %d-bit elements, the fabric has %d (%d short)",
			t.Fabric.Name, diag.Plural(len(arrays), "memory"), Width(first.Type.Elem, t.IndexWidth), len(mems), len(arrays)-len(mems))
		t.noteNeeds(d, sorted)
		d.WithHelp("add at least %s of these kinds, or one with several regions and a bridge, or choose a larger fabric",
			diag.Plural(len(arrays)-len(mems), "memory"))
		return
	}
	var short, more []string
	for _, r := range resources(port) {
		n, h := *r.of(&need), *r.of(&have)
		if r.name == "tag" && (!tagged || len(short) > 0) {
			continue // tags are as many as lanes at least
		}
		if n > h {
			short = append(short, fmt.Sprintf("%s needed, %d there (%d short)", diag.Plural(int(n), r.name), h, n-h))
			more = append(more, diag.Plural(int(n-h), r.name))
		}
	}
	what := fmt.Sprintf("the memories of fabric '%s' cannot hold %s of %d-bit elements together",
		t.Fabric.Name, diag.Plural(len(arrays), "array"), Width(first.Type.Elem, t.IndexWidth))
	if len(short) > 0 {
		d := errs.Errorf(at, "%s: %s", what, strings.Join(short, ", "))
		t.noteNeeds(d, sorted)
		t.noteSupplies(d, mems)
		if would := t.relaxed(arrays, need, port); len(would) > 0 {
			d.WithHelp("it would do if every memory had more: %s", strings.Join(would, ", or "))
		} else {
			d.WithHelp("the fabric needs at least %s more for such elements", strings.Join(more, ", "))
		}
		return
	}
	d := errs.Errorf(at, "%s: there is enough in total, but no allocation was found that gives every array all it needs at one memory", what)
	t.noteNeeds(d, sorted)
	t.noteSupplies(d, mems)
	if would := t.relaxed(arrays, need, port); len(would) > 0 {
		d.WithHelp("it would do if every memory had more: %s", strings.Join(would, ", or "))
	} else {
		d.WithHelp("add a memory of the same kind")
	}
}

// relaxed lists, for each resource, by how much every memory must have more of it at
// least for an allocation to exist; where no single resource helps, by how much of
// several.
func (t *Tech) relaxed(arrays []int, need supply, port string) []string {
	rs := resources(port)
	most := 0
	for _, r := range rs {
		most = max(most, int(min(*r.of(&need), 1<<30)))
	}
	// least is the smallest amount of each of some resources that helps, 0 for none.
	least := func(which ...resource) int {
		helps := func(n int) bool {
			t.alloc.extra = supply{}
			for _, r := range which {
				*r.of(&t.alloc.extra) = int64(n)
			}
			defer func() { t.alloc.extra = supply{} }()
			return t.alloc.find(arrays) != nil
		}
		if !helps(most) {
			return 0
		}
		return 1 + sort.Search(most-1, func(i int) bool { return helps(i + 1) })
	}
	var out []string
	for _, r := range rs {
		if n := least(r); n > 0 {
			out = append(out, diag.Plural(n, r.name))
		}
	}
	for k := 2; k <= 3 && out == nil; k++ {
		if n := least(rs[:k]...); n > 0 {
			var all []string
			for _, r := range rs[:k] {
				all = append(all, diag.Plural(n, r.name))
			}
			out = []string{strings.Join(all, " and ")}
		}
	}
	return out
}

// noteNeeds states what each array needs, at its location in the source.
func (t *Tech) noteNeeds(d *diag.Diagnostic, arrays []int) {
	const most = 12
	for i, id := range arrays {
		if i == most {
			d.WithNote(diag.Pos{}, "… and %d more", len(arrays)-most)
			return
		}
		a := t.Arrays[id]
		d.WithNote(t.Ops[a.Op].Pos, "%s needs %s", a.Name, t.amounts(t.needs(a), a.Arg < 0, "", false))
	}
}

// noteSupplies states what each memory has, those that are alike together.
func (t *Tech) noteSupplies(d *diag.Diagnostic, mems []int) {
	alike := map[int]int{} // memories of a kind that are not reported yet
	for _, m := range mems {
		alike[t.alloc.like[m]]++
	}
	for _, m := range mems {
		n := alike[t.alloc.like[m]]
		if n == 0 {
			continue
		}
		alike[t.alloc.like[m]] = 0
		c, like, verb := t.Memories[m].Mem, "", "has"
		if n > 1 {
			like, verb = fmt.Sprintf(" and %d like it", n-1), "each have"
		}
		d.WithNote(c.Pos, "%s '%s'%s %s %s", c.Kind, c.Name, like, verb,
			t.amounts(t.supply(&t.Memories[m]), c.OnChip(), " "+portWord(c), c.Mem.TagWidth > 0))
	}
}

// amounts spells a supply.
func (t *Tech) amounts(s supply, bytes bool, port string, tags bool) string {
	l := []string{diag.Plural(int(s.loads), "load"+port), diag.Plural(int(s.stores), "store"+port), diag.Plural(int(s.regions), "region")}
	if bytes {
		l = append(l, diag.Plural(int(s.bytes), "byte"))
	}
	if tags {
		l = append(l, diag.Plural(int(s.tags), "tag")+" in ranges")
	}
	return strings.Join(l, ", ")
}
