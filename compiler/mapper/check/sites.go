package check

import (
	"slices"

	"loom/compiler/arch"
	"loom/compiler/ir"
	"loom/compiler/mapping"
	"loom/compiler/opname"
)

// site is a component that serves accesses of a kind: a lane, or a memory without
// tags.
type site struct {
	comp *arch.Component
	kind mapping.AccessKind
}

// laneSite is what the settings connect a lane to: a memory, the tag that its
// requests have there, and the region that serves them.
type laneSite struct {
	mem    *arch.Component
	tag    uint64
	region int
}

// bridge follows the tokens of a lane to its memory and back and reports whether
// all of them arrive. The result of the first time stays.
func (t *tracer) bridge(lane *arch.Component) bool {
	if ls, done := t.lanes[lane]; done {
		return ls.mem != nil
	}
	t.lanes[lane] = laneSite{}
	before := len(t.errs.All)
	tag := t.img.Settings[lane.ID].Tag
	// Requests leave at output 0 of both kinds of lanes.
	first := t.net.follow(arch.Endpoint{Comp: lane, Port: arch.LoadReq}, tag, "the addresses of lane '"+lane.Name+"'")
	if len(first) == 0 {
		return false
	}
	// A map_tag may give the memory another tag than the lane.
	mem, there := first[0].at.Comp, first[0].tag
	if mem.Mem == nil || mem.Mem.TagWidth == 0 {
		t.fail("the addresses of lane '%s' (tag %d) arrive at %s, which is no port of a tagged memory", lane.Name, tag, portName(first[0].at))
		return false
	}
	for _, w := range bridgePaths(lane, mem) {
		what := "the " + w.what + " of lane '" + lane.Name + "'"
		response := w.from.Comp == mem
		leave := tag
		if response {
			leave = there
		}
		for _, s := range t.net.follow(w.from, leave, what) {
			switch {
			case s.at != w.to:
				t.fail("%s (tag %d) arrive at %s, must arrive at %s", what, leave, portName(s.at), portName(w.to))
			case !response && s.tag != there:
				t.fail("%s arrive with tag %d, the addresses with tag %d", what, s.tag, there)
			}
		}
	}
	kind, _ := laneKind(lane)
	if n := portCount(mem.Mem, kind); there >= uint64(n) {
		t.fail("lane '%s' gives tag %d, memory '%s' has %d %s ports", lane.Name, there, mem.Name, n, kind)
	}
	// The responses to another lane with this tag would come here as well.
	region := t.regionOf(mem, there)
	if region < 0 {
		t.fail("tag %d of lane '%s' lies in no valid region of memory '%s'", there, lane.Name, mem.Name)
	}
	if len(t.errs.All) > before {
		return false
	}
	t.lanes[lane] = laneSite{mem, there, region}
	return true
}

// regionOf is the entry of a memory's address table that serves a tag: the first
// valid one that holds it, on memories without tags the first valid one; -1 when
// there is none.
func (t *tracer) regionOf(mem *arch.Component, tag uint64) int {
	for r, reg := range t.img.Settings[mem.ID].Regions {
		if reg.Valid && (mem.Mem.TagWidth == 0 || reg.StartTag <= tag && tag < reg.EndTag) {
			return r
		}
	}
	return -1
}

// tables checks what hardware checks of address tables before a run.
func (t *tracer) tables() {
	for _, c := range t.f.Comps {
		if c.Mem == nil {
			continue
		}
		regions := t.img.Settings[c.ID].Regions
		for r, reg := range regions {
			if !reg.Valid {
				continue
			}
			if c.Mem.TagWidth > 0 && reg.StartTag >= reg.EndTag {
				t.fail("region %d of memory '%s' is empty: tags %d to %d", r, c.Name, reg.StartTag, reg.EndTag)
			}
			for o, other := range regions[:r] {
				if other.Valid && (c.Mem.TagWidth == 0 || other.StartTag < reg.EndTag && reg.StartTag < other.EndTag) {
					t.fail("regions %d and %d of memory '%s' overlap", o, r, c.Name)
				}
			}
		}
	}
}

// memoryAt is the memory and the region behind a site; ok is false where no
// requests arrive.
func (t *tracer) memoryAt(c *arch.Component) (mem *arch.Component, region int, ok bool) {
	if ls, lane := t.lanes[c]; lane {
		return ls.mem, ls.region, ls.mem != nil
	}
	if c.Mem == nil || c.Mem.TagWidth > 0 {
		return nil, 0, false
	}
	region = t.regionOf(c, 0)
	return c, region, region >= 0
}

// unifyAccess places an access at a site, its memory behind it, and compares what
// feeds it.
func (t *tracer) unifyAccess(a access, c *arch.Component, then func() bool) bool {
	if at, done := t.siteOf[a]; done {
		return at == c && then()
	}
	if kind, lane := laneKind(c); lane && kind != a.kind {
		return false
	}
	mem, region, ok := t.memoryAt(c)
	key := site{c, a.kind}
	if _, taken := t.accessAt[key]; taken || !ok {
		return false
	}
	mark := len(t.trail)
	if op, taken := t.opAt[mem][region]; !taken {
		_, elsewhere := t.peOf[a.op]
		if elsewhere && !t.g.divisible(a.op) || !t.holds(a.op, mem, region) {
			return false
		}
		t.bind(a.op, mem, region)
	} else if op != a.op {
		return false
	}
	t.siteOf[a], t.accessAt[key] = c, a
	t.trail = append(t.trail, func() {
		delete(t.siteOf, a)
		delete(t.accessAt, key)
	})
	operands := t.g.operands(a)
	if inTurn(len(operands), func(k int, then func() bool) bool {
		_, family := t.g.accessOf(a.op, false, operands[k].Port)
		return t.sink(operands[k], hwSink{c, sitePort(c, family)}, then)
	}, then) {
		return true
	}
	t.undo(mark)
	return false
}

// holds reports whether a region of a memory can hold memory operation i: of the
// right kind and element width, for an argument or a table outside the region that the
// host sets, else with elements of its own and the contents that the host writes.
func (t *tracer) holds(i int, mem *arch.Component, region int) bool {
	op := t.g.ops[i]
	_, stores, _, typ, ok := t.g.memShape(i)
	ext := op.Name == opname.HandshakeExtmemory
	table := t.g.initialized(i) && stores == 0
	if _, taken := t.opAt[mem][region]; taken || !ok || ext != isExternal(mem) && !(table && isExternal(mem)) {
		return false
	}
	hw, _ := ir.BitWidth(mem.Mem.Type.Elem, t.f.IndexWidth)
	sw, _ := ir.BitWidth(typ.Elem, t.f.IndexWidth)
	if hw != sw && !(table && hw > sw) {
		return false
	}
	if isExternal(mem) && !ext {
		return t.placed(i, typ, mem, region)
	}
	if ext {
		arg := op.Operand(0)
		return arg.Def == nil && arg.Index < len(t.b.Args) && slices.Contains(t.b.Args[arg.Index].Places(), mapping.At{Mem: mem.ID, Region: region})
	}
	mine, ok := t.elements(i, mem, region)
	if !ok || t.g.initialized(i) && (mem.Mem.Private || !t.written(mine, mem)) {
		return false
	}
	for r, other := range t.opAt[mem] {
		if theirs, _ := t.elements(other, mem, r); mine.overlaps(theirs) {
			return false
		}
	}
	return true
}

// elements is what memory operation i occupies at a region of an on-chip memory;
// ok is false when that is not inside the memory.
func (t *tracer) elements(i int, mem *arch.Component, region int) (array, bool) {
	_, _, _, typ, _ := t.g.memShape(i)
	n, static := typ.NumElements()
	offset, bytes := t.img.Settings[mem.ID].Regions[region].Offset, uint64(mem.Mem.ElemBytes())
	first := int64(offset / bytes)
	return array{i, first, n}, static && offset%bytes == 0 && first >= 0 && n <= mem.Mem.Elements && first <= mem.Mem.Elements-n
}

// written reports whether the host writes the initial contents of a memory
// operation to its elements.
func (t *tracer) written(a array, mem *arch.Component) bool {
	for _, k := range t.b.Contents {
		if k.Op == a.op && k.Mem == mem.ID && k.First == a.first && int64(len(k.Data)) == a.size {
			return true
		}
	}
	return false
}

// placed reports whether the host sets the address of memory operation i at a region, of
// a table with all its elements.
func (t *tracer) placed(i int, typ *ir.MemRefType, mem *arch.Component, region int) bool {
	n, static := typ.NumElements()
	for _, k := range t.b.Tables {
		if k.Op == i && slices.Contains(k.Places(), mapping.At{Mem: mem.ID, Region: region}) {
			return static && int64(len(k.Data)) == n && k.ElemBytes == mem.Mem.ElemBytes()
		}
	}
	return false
}

// contents checks that what the host writes before a run, and the addresses that it sets,
// belong to memories of the kernel, each once.
func (t *tracer) contents() {
	at := func(p mapping.At) int { // the memory operation at a region, -1 for none
		if p.Mem >= 0 && p.Mem < len(t.f.Comps) {
			if op, ok := t.opAt[t.f.Comps[p.Mem]][p.Region]; ok {
				return op
			}
		}
		return -1
	}
	for i := range t.b.Args {
		for _, p := range t.b.Args[i].Places() {
			if op := at(p); op < 0 || t.g.ops[op].Name != opname.HandshakeExtmemory || t.g.ops[op].Operand(0).Index != i {
				t.fail("argument '%s' is bound to region %d of component %d, where no memory of the kernel serves it", t.b.Args[i].Name, p.Region, p.Mem)
			}
		}
	}
	set := map[mapping.At]bool{}
	for _, w := range t.b.Tables {
		for _, p := range w.Places() {
			if at(p) != w.Op || !t.g.isMemory(w.Op) || !t.g.initialized(w.Op) {
				t.fail("the table '%s' is at region %d of component %d, where no memory of the kernel begins with it", w.Name, p.Region, p.Mem)
			}
			if set[p] {
				t.fail("the memory of operation %d is given a table twice", w.Op)
			}
			set[p] = true
		}
	}
	for k, w := range t.b.Contents {
		found := false
		if w.Mem >= 0 && w.Mem < len(t.f.Comps) && t.g.isMemory(w.Op) && t.g.initialized(w.Op) {
			mem := t.f.Comps[w.Mem]
			for region, op := range t.opAt[mem] {
				mine, _ := t.elements(op, mem, region)
				found = found || op == w.Op && mine.first == w.First
			}
		}
		if !found {
			t.fail("the contents '%s' are written to component %d, where no memory of the kernel begins with them", w.Name, w.Mem)
		}
		for _, o := range t.b.Contents[:k] {
			if o.Op == w.Op && o.Mem == w.Mem && o.First == w.First {
				t.fail("the memory of operation %d is given contents twice", w.Op)
			}
		}
	}
}
