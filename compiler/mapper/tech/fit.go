package tech

import (
	"fmt"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/ir"
)

// This file decides which memories can hold which arrays, and which sites can host
// which access: one array and one access at a time. The allocator decides what fits
// together.

// arrayFits reports for every array and memory whether the memory can hold it when
// it holds nothing else.
func (t *Tech) arrayFits() [][]bool {
	out := make([][]bool, len(t.Arrays))
	for i, a := range t.Arrays {
		for m := range t.Memories {
			out[i] = append(out[i], len(t.misfit(&t.Memories[m], a)) == 0)
		}
	}
	return out
}

// misfit lists why a memory cannot hold an array even alone: nothing when it can,
// one reason when it is of the wrong kind, else all that it lacks. The sites of
// the accesses are checked by accessFits.
func (t *Tech) misfit(b *arch.Bridge, a *Array) []string {
	c := b.Mem
	have, ok1 := 0, false
	if c.Mem.Type != nil {
		have, ok1 = ir.BitWidth(c.Mem.Type.Elem, t.IndexWidth)
	}
	need, ok2 := ir.BitWidth(a.Type.Elem, t.IndexWidth)
	switch {
	case a.Arg >= 0 && !c.External():
		return []string{"it is on chip, the kernel's memory is an argument"}
	case a.Arg < 0 && !a.Constant() && !c.OnChip():
		return []string{"it is external, the kernel's memory is local"}
	case c.Mem.Type == nil || c.Mem.NumRegion < 1:
		return []string{"it has no region"}
	case !ok1 || !ok2 || have < need || have > need && !a.Constant():
		return []string{fmt.Sprintf("its elements are %s", c.Mem.Type.Elem)}
	case a.Init && c.OnChip() && c.Mem.Private:
		return []string{"it is private, and the host must load the contents of the kernel's memory"}
	}
	var has, why []string
	s := t.supply(b)
	port := portWord(c)
	if int(s.loads) < len(a.Loads) {
		has = append(has, diag.Plural(int(s.loads), "load "+port))
	}
	if int(s.stores) < len(a.Stores) {
		has = append(has, diag.Plural(int(s.stores), "store "+port))
	}
	if has != nil {
		why = append(why, "it has "+strings.Join(has, " and "))
	}
	if c.OnChip() && a.Elements > c.Mem.Elements {
		why = append(why, fmt.Sprintf("it holds %s", diag.Plural(int(c.Mem.Elements), "element")))
	}
	if has == nil && a.Span() > int(s.tags) {
		why = append(why, fmt.Sprintf("a range of its %d-bit tags covers %s", c.Mem.TagWidth, diag.Plural(int(s.tags), "port")))
	}
	if why == nil && !t.hosts(b, a) {
		for _, id := range append(append([]int(nil), a.Loads...), a.Stores...) {
			for _, list := range [][]arch.Access{b.Loads, b.Stores} {
				for k := range list {
					if w := t.accessFits(&Site{Access: &list[k], Comp: list[k].Comp}, t.Nodes[id]); w != "" && list[k].Store == t.Nodes[id].Store {
						return []string{w}
					}
				}
			}
		}
	}
	return why
}

// supply is what a memory offers: sites of loads and stores that can be in use
// together, tags that ranges can name, regions and bytes.
type supply struct{ loads, stores, tags, regions, bytes int64 }

// plus is s with so many times another supply.
func (s supply) plus(x supply, times int64) supply {
	return supply{s.loads + times*x.loads, s.stores + times*x.stores, s.tags + times*x.tags, s.regions + times*x.regions, s.bytes + times*x.bytes}
}

func (t *Tech) supply(b *arch.Bridge) supply {
	m := b.Mem.Mem
	s := supply{loads: int64(min(b.MaxLoads, m.LdCount)), stores: int64(min(b.MaxStores, m.StCount)),
		tags: nameable(m), regions: int64(m.NumRegion), bytes: m.Elements * int64(m.ElemBytes())}
	if m.TagWidth == 0 {
		s.tags, s.regions = 1, min(s.regions, 1) // all tokens meet the first region
	}
	return s
}

// nameable is the number of tags from 0 on that half-open ranges can cover: the
// end of a range is a tag too.
func nameable(m *arch.MemorySpec) int64 {
	return min(int64(1)<<min(m.TagWidth, 30)-1, int64(max(m.LdCount, m.StCount)))
}

// hosts reports whether a memory has sites for all accesses of an array.
func (t *Tech) hosts(b *arch.Bridge, a *Array) bool {
	for _, kind := range []struct {
		nodes []int
		at    []arch.Access
	}{{a.Loads, b.Loads}, {a.Stores, b.Stores}} {
		cand := make([][]int, len(kind.nodes))
		for i, id := range kind.nodes {
			for k := range kind.at {
				if t.accessFits(&Site{Access: &kind.at[k], Comp: kind.at[k].Comp}, t.Nodes[id]) == "" {
					cand[i] = append(cand[i], k)
				}
			}
		}
		if !assignable(cand, len(kind.at)) {
			return false
		}
	}
	return true
}

// assignable reports whether all of several items get one of their candidates,
// integers below n, each candidate once.
func assignable(cand [][]int, n int) bool {
	m := &matching{site: fill(len(cand)), node: fill(n)}
	for i := range cand {
		if !m.augment(i, make([]bool, n), func(i int) []int { return cand[i] }) {
			return false
		}
	}
	return true
}

// accessFits reports why a site cannot host an access, "" when it can: ports and
// paths must be connected and wide enough, and what nothing reads must arrive
// where it can be dropped.
func (t *Tech) accessFits(site *Site, nd *Node) string {
	a, c := site.Access, site.Comp
	at := ""
	if c.Mem == nil {
		at = fmt.Sprintf(" of %s '%s'", c.Kind, c.Name)
	}
	path := func(k int) int { // bits that get to the memory or back
		if k < len(a.Paths) {
			return a.Paths[k].Width
		}
		return 1 << 30
	}
	in := func(port, k, through int) string {
		p := c.In[port]
		switch {
		case p.Chan == nil:
			return fmt.Sprintf("input %s%s is not connected", p.Name, at)
		case min(p.Width, through) < t.ownWidth(nd, k), p.Chan.Width < t.inWidth(nd, k):
			return fmt.Sprintf("input %s%s is too narrow", p.Name, at)
		}
		return ""
	}
	out := func(port, k, through int) string {
		p := c.Out[port]
		w := t.outWidth(nd, k)
		switch {
		case w > 0 && p.Chan == nil:
			return fmt.Sprintf("output %s%s is not connected", p.Name, at)
		case w > 0 && min(p.Width, p.Chan.Width, through) < w:
			return fmt.Sprintf("output %s%s is too narrow", p.Name, at)
		case w == 0 && !droppable(p.Chan):
			return fmt.Sprintf("nothing reads output %s%s, and no switch follows to drop its tokens", p.Name, at)
		}
		return ""
	}
	none := 1 << 30 // done tokens carry no bits
	var why []string
	why = append(why, in(a.Addr, InAddr, path(arch.PathAddr)))
	addr := nd.Ins[InAddr]
	if c.In[a.Addr].Width > Width(t.Ops[addr.Op].Operand(addr.Port).Type, t.IndexWidth) {
		// A wider address port would read bits that nothing defines.
		why = append(why, fmt.Sprintf("input %s%s is wider than the kernel's addresses", c.In[a.Addr].Name, at))
	}
	if nd.Store {
		why = append(why, in(a.Data, InData, path(arch.PathData)), out(a.Done, 0, none))
	} else {
		why = append(why, out(a.Data, LoadData, path(arch.PathData)), out(a.Done, LoadDone, none))
	}
	if t.UnitOf != nil {
		_, w := t.unitFits(site, nd)
		why = append(why, w)
	}
	for _, w := range why {
		if w != "" {
			return w
		}
	}
	return ""
}

// droppable reports whether tokens in a channel arrive at a switch, or nowhere.
func droppable(ch *arch.Channel) bool {
	for range 1 << 16 {
		if ch == nil || ch.Dst.Comp == nil {
			return ch == nil || ch.Dst.Port < 0
		}
		switch c := ch.Dst.Comp; {
		case c.Circuit() != nil:
			return true
		case c.Buffer() == 0 || len(c.Out) == 0:
			return false
		default:
			ch = c.Out[0].Chan
		}
	}
	return false
}

// portWord names a memory's sites of accesses.
func portWord(c *arch.Component) string {
	if c.Mem.TagWidth > 0 {
		return "lane"
	}
	return "port"
}
