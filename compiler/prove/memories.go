package prove

import (
	"fmt"

	"loom/compiler/arch"
)

// tables reads the address tables of the memories, and what the host does with them.
func (r *hardware) tables() {
	owned := map[int]bool{} // contents, by number
	for _, c := range r.f.Comps {
		if c.Mem == nil {
			continue
		}
		regions := r.img.Settings[c.ID].Regions
		for k, reg := range regions {
			if !reg.Valid {
				continue
			}
			a := &array{id: len(r.regions), argument: -1, external: c.External(), component: c.ID, elements: c.Mem.Elements,
				elemBits: width(c.Mem.Type.Elem, r.f.IndexWidth), what: fmt.Sprintf("region %d of memory '%s'", k, c.Name)}
			at := place{c.ID, k}
			r.regions[at] = a
			bytes := uint64(c.Mem.ElemBytes())
			a.first = int64(reg.Offset / bytes)
			arg, bound := r.host.arguments[at]
			table, constant := r.host.tables[at]
			switch {
			case a.external && reg.Offset != 0:
				r.fault(nil, c.Pos, "", "%s begins %d bytes behind the address that the host sets", a.what, reg.Offset)
			case a.external && bound:
				a.argument = arg
			case a.external && constant:
				if table.elemBits != c.Mem.ElemWidth {
					r.fault(nil, c.Pos, "", "%s has elements of %d bits, the host has the table '%s' in %d", a.what, c.Mem.ElemWidth, table.name, table.elemBits)
				}
				a.data = table.data
			case a.external:
				r.fault(nil, c.Pos, "", "%s is valid, and the host sets no address for it", a.what)
			case reg.Offset%bytes != 0:
				r.fault(nil, c.Pos, "", "%s begins within an element, at byte %d", a.what, reg.Offset)
			}
			for n, w := range r.host.contents {
				if !a.external && w.comp == c.ID && w.first == a.first && !owned[n] {
					owned[n], a.data = true, w.data
					break
				}
			}
			if c.Mem.TagWidth > 0 && reg.StartTag >= reg.EndTag {
				r.fault(nil, c.Pos, "", "%s has no tags: from %d up to %d", a.what, reg.StartTag, reg.EndTag)
			}
			for o, other := range regions[:k] {
				if other.Valid && (c.Mem.TagWidth == 0 || other.StartTag < reg.EndTag && reg.StartTag < other.EndTag) {
					r.fault(nil, c.Pos, "", "regions %d and %d of memory '%s' overlap: hardware refuses that", o, k, c.Name)
				}
			}
		}
	}
	for n, w := range r.host.contents {
		if !owned[n] {
			c := r.f.Comps[w.comp]
			r.fault(nil, c.Pos, "", "the host writes '%s' to memory '%s' from element %d on, where no valid region begins", w.name, c.Name, w.first)
		}
	}
	for _, c := range r.f.Comps {
		for k := 0; c.Mem != nil && k < c.Mem.NumRegion; k++ {
			at := place{c.ID, k}
			if _, bound := r.host.arguments[at]; (bound || r.host.tables[at].data != nil) && r.regions[at] == nil {
				r.fault(nil, c.Pos, "", "the host sets the address of region %d of memory '%s', which is not valid", k, c.Name)
			}
		}
	}
}

// regionOf is the array behind a tag of a memory: that of the first valid region that
// holds the tag.
func (r *hardware) regionOf(c *arch.Component, tag uint64) *array {
	for k, reg := range r.img.Settings[c.ID].Regions {
		if reg.Valid && (c.Mem.TagWidth == 0 || reg.StartTag <= tag && tag < reg.EndTag) {
			a := r.regions[place{c.ID, k}]
			r.served[a] = true
			return a
		}
	}
	return nil
}

// accesses writes down the loads and stores whose requests have been found to arrive, and
// follows their responses, which may be the address of another; it reports whether there
// were new ones.
func (r *hardware) accesses() bool {
	found := false
	for _, c := range r.f.Comps {
		m := c.Mem
		switch {
		case c.Kind == arch.LoadLane:
			found = r.load(c, arch.LoadAddr, arch.LoadData, arch.LoadDone) || found
		case c.Kind == arch.StoreLane:
			found = r.store(c, arch.StoreAddr, arch.StoreData, arch.StoreDone) || found
		case m != nil && m.TagWidth == 0:
			if m.LdAddr >= 0 {
				found = r.load(c, m.LdAddr, m.LdData, m.LdDone) || found
			}
			if m.StAddr >= 0 {
				found = r.store(c, m.StAddr, m.StData, m.StDone) || found
			}
		}
	}
	return found
}

// fresh reports whether tokens arrive at one of the ports, for the first time.
func (r *hardware) fresh(c *arch.Component, ports ...int) bool {
	key, fed := terminal{c.ID, -1 - ports[0]}, false
	for _, p := range ports {
		fed = fed || r.feeds[terminal{c.ID, p}] != nil
	}
	if !fed || r.used[key] {
		return false
	}
	r.used[key] = true
	return true
}

// site is where an access reaches its memory.
type site struct {
	mem *array
	// bits that pass between lane and memory
	addr, data int
}

// load writes down the load at a lane or an untagged memory.
func (r *hardware) load(c *arch.Component, addr, data, done int) bool {
	if !r.fresh(c, addr) {
		return false
	}
	before := len(r.faults)
	s := r.site(c, c.In[addr].Width, c.Out[data].Width)
	n := r.access(c, loadPort, s, "load", before, 1, s.data, 0)
	n.addressBits = c.In[addr].Width
	n.in[0].width = s.addr
	r.wait(n.in[0], terminal{c.ID, addr})
	r.leave(n.out[0], c.Out[data].Width, c.Out[data].Chan, fmt.Sprintf("output '%s' of '%s'", c.Out[data].Name, c.Name))
	r.leave(n.out[1], c.Out[done].Width, c.Out[done].Chan, fmt.Sprintf("output '%s' of '%s'", c.Out[done].Name, c.Name))
	return true
}

// store writes down the store at a lane or an untagged memory.
func (r *hardware) store(c *arch.Component, addr, data, done int) bool {
	if !r.fresh(c, addr, data) {
		return false
	}
	before := len(r.faults)
	s := r.site(c, c.In[addr].Width, c.In[data].Width)
	n := r.access(c, storePort, s, "store", before, 2, 0)
	n.addressBits = c.In[addr].Width
	n.in[0].width, n.in[1].width = s.addr, s.data
	r.wait(n.in[0], terminal{c.ID, addr})
	r.wait(n.in[1], terminal{c.ID, data})
	r.leave(n.out[0], c.Out[done].Width, c.Out[done].Chan, fmt.Sprintf("output '%s' of '%s'", c.Out[done].Name, c.Name))
	return true
}

// site is where the access at a component reaches its array.
func (r *hardware) site(c *arch.Component, addr, data int) site {
	s := site{addr: addr, data: data}
	if c.Mem != nil {
		s.mem = r.regionOf(c, 0)
		return s
	}
	return r.bridge(c, s)
}

// access adds an access; the faults noted since before are of its tokens.
func (r *hardware) access(c *arch.Component, op string, s site, what string, before, operands int, results ...int) *node {
	n := r.add(&node{op: op, mem: s.mem, pos: c.Pos, order: c.ID, what: "the " + what, place: fmt.Sprintf("%s '%s'", c.Kind, c.Name)}, operands, results...)
	for i := range r.faults[before:] {
		r.faults[before+i].of = n
	}
	if s.mem == nil && len(r.faults) == before {
		r.fault(n, c.Pos, n.place, "the %s at %s reaches no valid region of a memory", what, n.place)
	}
	return n
}

// bridge follows the requests of a lane to its memory and the responses back.
func (r *hardware) bridge(lane *arch.Component, s site) site {
	tag := r.img.Settings[lane.ID].Tag
	load := lane.Kind == arch.LoadLane
	name := "lane '" + lane.Name + "'"
	to, ok := r.tags.only(arch.Endpoint{Comp: lane, Port: arch.LoadReq}, tag, "the addresses of "+name)
	if !ok {
		return s
	}
	mem := to.at.Comp
	m := mem.Mem
	bad := func(format string, args ...any) site {
		r.fault(nil, lane.Pos, "", format, args...)
		s.mem = nil
		return s
	}
	addr, count := -1, 0
	if m != nil && m.TagWidth > 0 {
		addr, count = m.StAddr, m.StCount
		if load {
			addr, count = m.LdAddr, m.LdCount
		}
	}
	if addr < 0 || to.at.Port != addr {
		return bad("the addresses of %s (tag %d) arrive at %s", name, tag, portName(to.at))
	}
	if to.tag >= uint64(count) {
		return bad("the addresses of %s have tag %d at memory '%s', which has %d ports", name, to.tag, mem.Name, count)
	}
	mine := claim{mem.ID, !load, to.tag}
	if other, taken := r.claimed[mine]; taken {
		return bad("%s and %s have the same tag %d at memory '%s'", other, name, to.tag, mem.Name)
	}
	r.claimed[mine] = name
	s.addr = min(s.addr, to.width)
	// The ports of the responses, and for stores that of the data.
	type way struct {
		what     string
		from, to arch.Endpoint
		tag      uint64
	}
	ways := []way{
		{"data", arch.Endpoint{Comp: lane, Port: arch.StoreReqData}, arch.Endpoint{Comp: mem, Port: m.StData}, tag},
		{"done tokens", arch.Endpoint{Comp: mem, Port: m.StDone}, arch.Endpoint{Comp: lane, Port: arch.StoreDoneRsp}, to.tag},
	}
	if load {
		ways = []way{
			{"data", arch.Endpoint{Comp: mem, Port: m.LdData}, arch.Endpoint{Comp: lane, Port: arch.LoadRsp}, to.tag},
			{"done tokens", arch.Endpoint{Comp: mem, Port: m.LdDone}, arch.Endpoint{Comp: lane, Port: arch.LoadDoneRsp}, to.tag},
		}
	}
	for _, w := range ways {
		what := "the " + w.what + " of " + name
		end, ok := r.tags.only(w.from, w.tag, what)
		switch {
		case !ok:
			s.mem = nil
			return s
		case end.at != w.to:
			return bad("%s (tag %d) arrive at %s, must arrive at %s", what, w.tag, portName(end.at), portName(w.to))
		case w.from.Comp == lane && end.tag != to.tag:
			return bad("%s arrive with tag %d, the addresses with tag %d", what, end.tag, to.tag)
		case w.what == "data":
			s.data = min(s.data, end.width)
		}
	}
	if s.mem = r.regionOf(mem, to.tag); s.mem == nil {
		return bad("tag %d of %s lies in no valid region of memory '%s'", to.tag, name, mem.Name)
	}
	return s
}

// portName names an input port.
func portName(e arch.Endpoint) string {
	if e.Comp == nil {
		return "the boundary"
	}
	if e.Port < 0 || e.Port >= len(e.Comp.In) {
		return fmt.Sprintf("'%s'", e.Comp.Name)
	}
	return fmt.Sprintf("input '%s' of '%s'", e.Comp.In[e.Port].Name, e.Comp.Name)
}
