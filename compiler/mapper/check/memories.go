package check

import (
	"fmt"
	"slices"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/ir"
	"loom/compiler/mapping"
	"loom/compiler/opname"
)

// bridgeSettings reads the settings of temporal switches and lanes, which route the
// accesses of tagged memories.
func (c *checker) bridgeSettings() {
	c.net = &tagNet{f: c.f, slots: map[int][]config.Slot{}, used: map[slotRoute]bool{},
		fail: func(format string, args ...any) { c.fail(-1, format, args...) }}
	for _, s := range c.m.TemporalSwitches {
		x := c.comps[s.Comp]
		if x == nil || x.Kind != arch.TemporalSwitch {
			c.fail(-1, "the setting of '%s' is no temporal switch's", s.Comp)
			continue
		}
		if _, twice := c.net.slots[x.ID]; twice {
			c.fail(-1, "temporal switch '%s' is set twice", s.Comp)
			continue
		}
		if len(s.Slots) > x.Temporal.Slots {
			c.fail(-1, "temporal switch '%s' has %d slots, the mapping fills %d", s.Comp, x.Temporal.Slots, len(s.Slots))
		}
		slots := []config.Slot{}
		for k, sl := range s.Slots {
			slot := config.Slot{Valid: true, Tag: sl.Tag}
			for _, r := range sl.Routes {
				if slices.Contains(slot.Routes, [2]int(r)) {
					c.fail(-1, "slot %d (tag %d) of temporal switch '%s' lists a route twice", k, sl.Tag, s.Comp)
				}
				slot.Routes = append(slot.Routes, [2]int(r))
			}
			slot.Valid = c.net.slot(x, k, slot, slots)
			slots = append(slots, slot)
		}
		c.net.slots[x.ID] = slots
	}
	for _, t := range c.m.Tags {
		x := c.comps[t.Comp]
		if x == nil || x.Lane == nil {
			c.fail(-1, "'%s' is given a tag and is no lane", t.Comp)
			continue
		}
		if _, twice := c.tagOf[x.ID]; twice {
			c.fail(-1, "lane '%s' is given two tags", t.Comp)
		}
		c.tagOf[x.ID] = t.Tag
	}
}

// memories checks that every memory of the kernel is placed on a component that can
// hold it and that every access has a port of its own.
func (c *checker) memories() {
	for k := range c.m.Memories {
		mem := &c.m.Memories[k]
		i := mem.Op
		if i < 0 || i >= len(c.g.ops) || !c.g.isMemory(i) {
			c.fail(-1, "memory entry %d names operation %d, which is no memory", k, i)
			continue
		}
		if len(c.memOf[i]) > 0 && !c.g.divisible(i) {
			c.fail(i, "memory operation %d is placed twice", i)
			continue
		}
		c.memOf[i] = append(c.memOf[i], mem)
		if why := c.memoryFits(i, mem); why != "" {
			c.fail(i, "memory operation %d on '%s': %s", i, mem.Comp, why)
			continue
		}
		if c.comps[mem.Comp].Mem.TagWidth == 0 {
			c.claim(i, mem.Comp, "memory operation "+c.g.ops[i].Name)
		}
		if first := c.memOf[i][0]; c.m.Ops[i].Comp != first.Comp {
			c.fail(i, "operation %d is listed on '%s', its memory entry on '%s'", i, c.m.Ops[i].Comp, first.Comp)
		}
		c.accesses(i, mem)
	}
	for i := range c.g.ops {
		if !c.g.isMemory(i) {
			continue
		}
		if c.memOf[i] == nil {
			c.fail(i, "memory operation %d is placed nowhere", i)
			continue
		}
		for _, a := range c.g.accesses(i) {
			if !c.served[a] {
				c.fail(i, "%s is not bound", a)
			}
		}
	}
	for _, t := range c.m.Tags {
		if x := c.comps[t.Comp]; x != nil && x.Lane != nil && c.users[x.Name] == "" {
			c.fail(-1, "lane '%s' is given a tag although no access uses it", t.Comp)
		}
	}
	if !c.errs.HasErrors() {
		c.net.unused()
	}
	c.tables()
}

// memoryFits reports why a component cannot hold memory operation i, "" when it
// can.
func (c *checker) memoryFits(i int, mem *mapping.Memory) string {
	op := c.g.ops[i]
	x := c.comps[mem.Comp]
	if !isMemory(x) {
		return "it is no memory"
	}
	_, stores, _, typ, ok := c.g.memShape(i)
	if !ok {
		return "the operation's ports make no sense"
	}
	here := map[mapping.AccessKind]int{} // of one that several memories serve some
	for _, a := range mem.Accesses {
		here[a.Kind]++
	}
	ext := op.Name == opname.HandshakeExtmemory
	table := c.g.initialized(i) && stores == 0
	if ext != isExternal(x) && !(table && isExternal(x)) {
		return "the kind of memory is wrong"
	}
	hw, _ := ir.BitWidth(x.Mem.Type.Elem, c.f.IndexWidth)
	sw, _ := ir.BitWidth(typ.Elem, c.f.IndexWidth)
	switch {
	case hw != sw && !(table && hw > sw):
		return "the element widths differ"
	case here[mapping.Load] > x.Mem.LdCount || here[mapping.Store] > x.Mem.StCount:
		return "it has too few ports"
	case mem.Region < 0 || mem.Region >= x.Mem.NumRegion:
		return "it has no such region"
	case ext && (op.Operand(0).Def != nil || mem.Arg != op.Operand(0).Index):
		return "it serves another argument"
	case !ext && mem.Arg != -1:
		return "it is no argument"
	case mem.Table != (isExternal(x) && !ext):
		return "a memory is a table if and only if the kernel's own memory is external"
	case isExternal(x) && mem.First != 0:
		return "only the host knows where the elements begin"
	case mem.First < 0:
		return "its first element is negative"
	case isOnChip(x) && x.Mem.Private && c.g.initialized(i):
		return "it starts with contents, which the host cannot write into a private memory"
	}
	if isOnChip(x) {
		if n, static := typ.NumElements(); !static || n > x.Mem.Elements || mem.First > x.Mem.Elements-n {
			return "it is too small"
		}
	}
	return ""
}

// accesses checks what the loads and stores of memory operation i are bound to.
func (c *checker) accesses(i int, mem *mapping.Memory) {
	if len(mem.Accesses) == 0 {
		c.fail(i, "memory operation %d is placed on '%s' without an access", i, mem.Comp)
	}
	want := c.g.accesses(i)
	for _, m := range mem.Accesses {
		a := access{i, m.Kind, m.Index}
		if !slices.Contains(want, a) {
			c.fail(i, "the kernel has no %s", a)
			continue
		}
		if c.served[a] {
			c.fail(i, "%s is bound twice", a)
			continue
		}
		c.served[a] = true
		if site := c.site(a, m, c.comps[mem.Comp]); site != nil {
			c.siteOf[a] = site
		}
	}
}

// site is the component that serves an access, nil when the mapping names none
// that can.
func (c *checker) site(a access, m mapping.Access, mem *arch.Component) *arch.Component {
	site := mem
	if mem.Mem.TagWidth == 0 {
		if m.Comp != mem.Name || m.Tag != 0 {
			c.fail(a.op, "%s is bound to '%s' with tag %d, must be at '%s' without a tag", a, m.Comp, m.Tag, mem.Name)
			return nil
		}
	} else {
		site = c.comps[m.Comp]
		if site == nil {
			c.fail(a.op, "%s is bound to '%s', which the fabric does not have", a, m.Comp)
			return nil
		}
		if kind, lane := laneKind(site); !lane || kind != a.kind {
			c.fail(a.op, "%s is bound to '%s', which is no %s lane", a, m.Comp, a.kind)
			return nil
		}
		c.claim(a.op, m.Comp, a.String())
		tag, given := c.tagOf[site.ID]
		switch {
		case !given:
			c.fail(a.op, "lane '%s' of %s is given no tag", m.Comp, a)
			return nil
		case tag != m.Tag:
			c.fail(a.op, "lane '%s' gives tag %d, %s has tag %d", m.Comp, tag, a, m.Tag)
			return nil
		case tag >= uint64(portCount(mem.Mem, a.kind)):
			c.fail(a.op, "%s has tag %d, memory '%s' has %d %s ports", a, tag, mem.Name, portCount(mem.Mem, a.kind), a.kind)
			return nil
		}
		if !c.bridge(a, site, mem, tag) {
			return nil
		}
	}
	// A wider address port would read undefined bits.
	family := map[mapping.AccessKind]string{mapping.Load: "ldaddr", mapping.Store: "staddr"}[a.kind]
	if p := sitePort(site, family); p < 0 || site.In[p].Width > c.g.addrWidth(a) {
		c.fail(a.op, "%s at '%s': its addresses are wider than the kernel's", a, site.Name)
		return nil
	}
	return site
}

// bridge follows the tokens of an access between its lane and the memory, in both
// directions.
func (c *checker) bridge(a access, lane, mem *arch.Component, tag uint64) bool {
	before := len(c.errs.All)
	if a.kind == mapping.Store && !arch.MayStore(lane, mem) {
		c.fail(a.op, "lane '%s' keeps up to %d stores in flight, memory '%s' behind a FIFO queues only %d",
			lane.Name, lane.Lane.LSQDepth, mem.Name, mem.Mem.LSQDepth)
	}
	c.net.fail = func(format string, args ...any) { c.fail(a.op, format, args...) }
	for _, w := range bridgePaths(lane, mem) {
		what := fmt.Sprintf("the %s of lane '%s'", w.what, lane.Name)
		need := map[string]int{"addresses": c.g.addrWidth(a), "data": c.g.dataWidth(a.op)}[w.what]
		sinks := c.net.follow(w.from, tag, what)
		for _, s := range sinks {
			switch {
			case s.at != w.to:
				c.fail(a.op, "%s (tag %d) arrive at %s, must arrive at %s", what, tag, portName(s.at), portName(w.to))
			case s.tag != tag:
				c.fail(a.op, "%s leave with tag %d and arrive with tag %d", what, tag, s.tag)
			case s.width < need:
				c.fail(a.op, "%s need %d bits, their path has %d", what, need, s.width)
			}
		}
	}
	c.net.fail = func(format string, args ...any) { c.fail(-1, format, args...) }
	return len(c.errs.All) == before
}

// portName names an input port.
func portName(e arch.Endpoint) string {
	if e.Port < 0 || e.Port >= len(e.Comp.In) {
		return fmt.Sprintf("'%s'", e.Comp.Name)
	}
	return fmt.Sprintf("input '%s' of '%s'", e.Comp.In[e.Port].Name, e.Comp.Name)
}

// tables checks the address tables: one entry per memory of the kernel, which
// holds the tags of all its accesses and no others, at elements of its own.
func (c *checker) tables() {
	type key struct {
		comp   string
		region int
	}
	serves, set := map[key]*mapping.Memory{}, map[key]mapping.Region{}
	placed := map[*arch.Component][]*mapping.Memory{}
	for k := range c.m.Memories {
		mem := &c.m.Memories[k]
		x := c.comps[mem.Comp]
		if x == nil || x.Mem == nil || !slices.Contains(c.memOf[mem.Op], mem) {
			continue
		}
		at := key{mem.Comp, mem.Region}
		if other := serves[at]; other != nil {
			c.fail(mem.Op, "region %d of '%s' serves both memory operation %d and %d", mem.Region, mem.Comp, other.Op, mem.Op)
		}
		serves[at] = mem
		c.apart(x, mem, placed[x])
		placed[x] = append(placed[x], mem)
	}
	for k, r := range c.m.Regions {
		at := key{r.Comp, r.Region}
		mem := serves[at]
		if mem == nil {
			c.fail(-1, "region %d of '%s' is set for no memory of the kernel", r.Region, r.Comp)
			continue
		}
		if _, twice := set[at]; twice {
			c.fail(mem.Op, "region %d of '%s' is set twice", r.Region, r.Comp)
		}
		set[at] = r
		c.region(r, mem)
		for _, o := range c.m.Regions[:k] {
			if o.Comp == r.Comp && o.StartTag < r.EndTag && r.StartTag < o.EndTag {
				c.fail(mem.Op, "regions %d and %d of '%s' share tags", o.Region, r.Region, r.Comp)
			}
		}
	}
	for _, mem := range c.m.Memories {
		if _, ok := set[key{mem.Comp, mem.Region}]; !ok {
			c.fail(mem.Op, "memory '%s' has no valid region for memory operation %d", mem.Comp, mem.Op)
		}
	}
}

// apart checks that the elements of an on-chip memory belong to one array.
func (c *checker) apart(x *arch.Component, mem *mapping.Memory, others []*mapping.Memory) {
	if !isOnChip(x) {
		return
	}
	extent := func(m *mapping.Memory) array {
		_, _, _, typ, _ := c.g.memShape(m.Op)
		if typ == nil {
			return array{}
		}
		n, _ := typ.NumElements()
		return array{m.Op, m.First, n}
	}
	a := extent(mem)
	for _, o := range others {
		if b := extent(o); a.overlaps(b) {
			c.fail(mem.Op, "memory operations %d and %d share elements of '%s'", b.op, a.op, mem.Comp)
		}
	}
}

// region checks an entry of an address table against the memory it serves.
func (c *checker) region(r mapping.Region, mem *mapping.Memory) {
	m := c.comps[r.Comp].Mem
	if want := uint64(mem.First) * uint64(m.ElemBytes()); uint64(r.Offset) != want {
		c.fail(mem.Op, "region %d of '%s' must have offset %d, where element %d begins, has %d",
			r.Region, r.Comp, want, mem.First, uint64(r.Offset))
	}
	switch {
	case m.TagWidth == 0:
		if r.StartTag != 0 || r.EndTag != 0 {
			c.fail(mem.Op, "region %d of '%s' must have no tags", r.Region, r.Comp)
		}
		return
	case r.StartTag >= r.EndTag:
		c.fail(mem.Op, "region %d of '%s' is empty: tags %d to %d", r.Region, r.Comp, r.StartTag, r.EndTag)
	case r.EndTag>>m.TagWidth != 0:
		c.fail(mem.Op, "region %d of '%s' ends at tag %d, which does not fit %d tag bits", r.Region, r.Comp, r.EndTag, m.TagWidth)
	}
	used := map[access]bool{}
	for _, a := range mem.Accesses {
		if a.Tag < r.StartTag || a.Tag >= r.EndTag {
			c.fail(mem.Op, "%s has tag %d, region %d of '%s' holds the tags from %d up to %d",
				access{mem.Op, a.Kind, a.Index}, a.Tag, r.Region, r.Comp, r.StartTag, r.EndTag)
		}
		// The memory could not distinguish two lanes of one tag.
		k := access{0, a.Kind, int(a.Tag)}
		if used[k] {
			c.fail(mem.Op, "two %ss of memory operation %d have tag %d", a.Kind, mem.Op, a.Tag)
		}
		used[k] = true
	}
}
