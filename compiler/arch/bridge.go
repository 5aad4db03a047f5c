package arch

import "loom/compiler/opname"

// This file finds the sites where the accesses of a kernel can attach to the
// memories of a fabric. A memory without tags is such a site itself: its load
// ports take one load, its store ports one store. A tagged memory is reached
// through a bridge: lanes, each the site of one access, and temporal switches
// that merge their requests and split the responses.
//
// Source: design page "The Fabric dialect", "Memories" and "Architecture files".

// Bridge is a memory with the accesses that can attach to it.
type Bridge struct {
	// Mem is the memory.
	Mem *Component
	// Loads and Stores are the sites of accesses, in component order.
	Loads, Stores []Access
	// MaxLoads and MaxStores are how many loads and stores can be in use at the
	// same time, whatever lanes they are at: at most as many as there are, and not
	// more than the temporal switches on the path have slots for.
	MaxLoads, MaxStores int
}

// Access is a site where one load or one store attaches to a memory.
type Access struct {
	// Comp is the load or store lane, or on untagged memories the memory itself.
	Comp  *Component
	Store bool
	// Addr is the input of Comp that takes addresses, Done its output of done
	// tokens. Data is the output that gives the data of a load, or the input that
	// takes that of a store.
	Addr, Data, Done int
	// Unit is the PE with fixed ports whose load or store unit belongs to this access: its address leads to
	// Comp and nowhere else. Nil where units anywhere on the fabric use the access.
	Unit *Component
	// Paths lead from the lane to the memory and back, by PathAddr, PathData and
	// PathDone. An untagged memory has none.
	Paths []Path
}

// The paths of a lane: of requests (load) or store addresses, of data (load: from
// the memory, store: to it), and of done tokens.
const (
	PathAddr = iota
	PathData
	PathDone
)

// Path leads from a lane to its memory or back.
type Path struct {
	// Hops are the temporal switches on the path, the first one passed first.
	Hops []Hop
	// Latency is the number of registers in the FIFOs on the path.
	Latency int
	// Width is the number of payload bits that get through.
	Width int
}

// Hop is the passage of a temporal switch.
type Hop struct {
	Switch  *Component
	In, Out int
}

// Bridges lists the memories of f in component order, with the sites where accesses
// attach.
//
// A lane counts only where all of its paths exist: it must reach the memory and
// the memory must reach it, through FIFOs and temporal switches alone and with
// tags of one width; behind a FIFO a store lane must not have more stores in flight
// than the memory has slots per tag, or it could block the others. A lane that reaches
// several memories counts for the first. Lanes whose tokens would share an input
// of a temporal switch with those of another memory, loads with stores or
// addresses with data are left out, because tags distinguish only tokens of one kind
// and one memory. Bare tag operations make no lane: accesses that reserve no slots
// can block each other.
func Bridges(f *Fabric) []Bridge {
	t := &bridgeTracer{owner: map[hopInput]stream{}, users: map[*Component]map[family]int{}}
	var out []Bridge
	for _, c := range f.Comps {
		if c.Mem != nil {
			out = append(out, Bridge{Mem: c})
		}
	}
	for i := range out {
		b := &out[i]
		if b.Mem.Mem.TagWidth == 0 {
			b.untagged()
			continue
		}
		b.Loads = t.lanes(f, b.Mem, LoadLane)
		b.Stores = t.lanes(f, b.Mem, StoreLane)
	}
	// Only now it is known how many share the slots of a switch.
	for i := range out {
		b := &out[i]
		b.MaxLoads, b.MaxStores = t.limit(b.Loads), t.limit(b.Stores)
		for _, list := range [][]Access{b.Loads, b.Stores} {
			for k := range list {
				list[k].Unit = list[k].unit()
			}
		}
	}
	return out
}

// unit finds the PE with fixed ports that drives the address of an access, and for a store its data. That of a load
// takes its data.
func (a *Access) unit() *Component {
	pe := driver(a.Comp.In[a.Addr].Chan)
	if pe == nil {
		return nil
	}
	u := pe.PE.accessUnit()
	if u == nil || (u.Op.Name == opname.HandshakeStore) != a.Store ||
		a.Store && driver(a.Comp.In[a.Data].Chan) != pe ||
		!a.Store && driver(pe.In[u.Operands[accessData].Arg].Chan) != a.Comp {
		return nil
	}
	return pe
}

// driver is what drives a channel, before any FIFOs; nil for the boundary.
func driver(ch *Channel) *Component {
	for ch != nil && ch.Src.Comp != nil {
		c := ch.Src.Comp
		if c.Buffer() == 0 || len(c.In) == 0 {
			return c
		}
		ch = c.In[0].Chan
	}
	return nil
}

// untagged sets the ports of a memory without tags.
func (b *Bridge) untagged() {
	c, m := b.Mem, b.Mem.Mem
	if hasPort(c.In, m.LdAddr) && hasPort(c.Out, m.LdData) && hasPort(c.Out, m.LdDone) {
		b.Loads = []Access{{Comp: c, Addr: m.LdAddr, Data: m.LdData, Done: m.LdDone}}
	}
	if hasPort(c.In, m.StAddr) && hasPort(c.In, m.StData) && hasPort(c.Out, m.StDone) {
		b.Stores = []Access{{Comp: c, Store: true, Addr: m.StAddr, Data: m.StData, Done: m.StDone}}
	}
}

func hasPort(ports []Port, k int) bool { return k >= 0 && k < len(ports) }

// family is one kind of access to one memory: each has a tag of its own.
type family struct {
	mem   *Component
	store bool
}

// stream are the tokens of one family and one kind, which tags distinguish.
type stream struct {
	family
	path int
}

// hopInput is an input of a temporal switch.
type hopInput struct {
	sw *Component
	in int
}

// bridgeTracer stores which lanes and streams use the temporal switches.
type bridgeTracer struct {
	owner map[hopInput]stream
	users map[*Component]map[family]int // lanes that pass a switch
}

// lanes finds the lanes of one kind at a memory. Those that reach several memories
// do so through one input of a switch, which is the first memory's.
func (t *bridgeTracer) lanes(f *Fabric, mem *Component, kind Kind) []Access {
	fam := family{mem, kind == StoreLane}
	m := mem.Mem
	// The ends of the paths: lane port and memory port of each, and whether it
	// leads to the memory.
	type end struct {
		lane, mem int
		request   bool
	}
	ends := [3]end{{LoadReq, m.LdAddr, true}, {LoadRsp, m.LdData, false}, {LoadDoneRsp, m.LdDone, false}}
	a := Access{Addr: LoadAddr, Data: LoadData, Done: LoadDone}
	if fam.store {
		ends = [3]end{{StoreReqAddr, m.StAddr, true}, {StoreReqData, m.StData, true}, {StoreDoneRsp, m.StDone, false}}
		a = Access{Store: true, Addr: StoreAddr, Data: StoreData, Done: StoreDone}
	}
	var responses [3]map[Endpoint]Path // from the memory
	for k, e := range ends {
		if !e.request {
			responses[k] = reach(mem, e.mem)
		}
	}
	var out []Access
next:
	for _, c := range f.Comps {
		if c.Kind != kind || c.Lane == nil || c.Lane.TagWidth != m.TagWidth || len(c.In) < 3 || len(c.Out) < 3 {
			continue
		}
		if fam.store && !MayStore(c, mem) {
			continue
		}
		paths := make([]Path, len(ends))
		for k, e := range ends {
			var ok bool
			if e.request {
				paths[k], ok = reach(c, e.lane)[Endpoint{mem, e.mem}]
			} else {
				paths[k], ok = responses[k][Endpoint{c, e.lane}]
			}
			if !ok {
				continue next
			}
		}
		if !t.claim(paths, fam) {
			continue
		}
		lane := a
		lane.Comp, lane.Paths = c, paths
		out = append(out, lane)
	}
	return out
}

// MayStore reports whether the stores that a lane has in flight cannot block those of other lanes
// at the memory: where a FIFO stands on the way of its addresses or data they must not be more
// than a queue of the memory holds. Without one the lane begins a store when the memory has both
// halves of the last, so a queue that is full holds a complete store.
func MayStore(lane, mem *Component) bool {
	if lane.Lane.LSQDepth <= mem.Mem.LSQDepth {
		return true
	}
	return reach(lane, StoreReqAddr)[Endpoint{mem, mem.Mem.StAddr}].Latency == 0 &&
		reach(lane, StoreReqData)[Endpoint{mem, mem.Mem.StData}].Latency == 0
}

// claim takes the switches of a lane's paths and reports whether it could: it takes
// none if one of their inputs belongs to other tokens.
func (t *bridgeTracer) claim(paths []Path, fam family) bool {
	mine := map[hopInput]stream{}
	for k, p := range paths {
		for _, h := range p.Hops {
			in, me := hopInput{h.Switch, h.In}, stream{fam, k}
			for _, owner := range []map[hopInput]stream{t.owner, mine} {
				if o, used := owner[in]; used && o != me {
					return false
				}
			}
			mine[in] = me
		}
	}
	passed := map[*Component]bool{}
	for in, me := range mine {
		t.owner[in] = me
		passed[in.sw] = true
	}
	for sw := range passed {
		if t.users[sw] == nil {
			t.users[sw] = map[family]int{}
		}
		t.users[sw][fam]++
	}
	return true
}

// limit is the number of accesses that can be in use at the same time, at
// whatever lanes: each takes a slot in every switch it passes. Where a switch has
// fewer slots than lanes, the families that use it share them evenly.
func (t *bridgeTracer) limit(accesses []Access) int {
	n := len(accesses)
	for _, a := range accesses {
		for _, p := range a.Paths {
			for _, h := range p.Hops {
				lanes := 0
				for _, k := range t.users[h.Switch] {
					lanes += k
				}
				if slots := h.Switch.Temporal.Slots; lanes > slots {
					n = min(n, slots/len(t.users[h.Switch]))
				}
			}
		}
	}
	return n
}

// reach follows a tagged output through FIFOs and temporal switches and returns
// the inputs of other components it leads to, each with a shortest path.
func reach(c *Component, out int) map[Endpoint]Path {
	found := map[Endpoint]Path{}
	if !hasPort(c.Out, out) || c.Out[out].Chan == nil || c.Out[out].TagWidth == 0 {
		return found
	}
	tag := c.Out[out].TagWidth
	type state struct {
		ch *Channel
		p  Path
	}
	seen := map[*Channel]bool{c.Out[out].Chan: true}
	queue := []state{{c.Out[out].Chan, Path{Width: c.Out[out].Width}}}
	push := func(port Port, p Path) {
		if port.Chan != nil && !seen[port.Chan] {
			seen[port.Chan] = true
			p.Width = min(p.Width, port.Width)
			queue = append(queue, state{port.Chan, p})
		}
	}
	for i := 0; i < len(queue); i++ {
		ch, p := queue[i].ch, queue[i].p
		d := ch.Dst.Comp
		if d == nil || !hasPort(d.In, ch.Dst.Port) || d.In[ch.Dst.Port].TagWidth != tag {
			continue
		}
		p.Width = min(p.Width, ch.Width, d.In[ch.Dst.Port].Width)
		switch {
		case d.Buffer() > 0 && len(d.Out) == 1:
			p.Latency++
			push(d.Out[0], p)
		case d.Temporal != nil:
			for o, row := range d.Temporal.Connect {
				if o < len(d.Out) && ch.Dst.Port < len(row) && row[ch.Dst.Port] {
					next := p
					next.Hops = append(p.Hops[:len(p.Hops):len(p.Hops)], Hop{d, ch.Dst.Port, o})
					push(d.Out[o], next)
				}
			}
		default:
			if _, known := found[ch.Dst]; !known {
				found[ch.Dst] = p
			}
		}
	}
	return found
}
