package tech

import (
	"fmt"
	"slices"
	"sort"

	"loom/compiler/arch"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/recurrence"
)

// Site hosts at most one node: a PE or an instruction of a temporal one, a lane or the ports of an untagged memory, a
// boundary port.
type Site struct {
	Kind  Kind
	Comp  *arch.Component // Unit: the PE; Access: the lane or the untagged memory
	Index int             // ArgIn, ResOut: port number; Unit: the instruction of a temporal PE, 0 for others
	// Mem is the memory of an access, an index into Tech.Memories, -1 for others;
	// Access its ports and paths.
	Mem    int
	Access *arch.Access
	// Unit is the site of the load or store unit of an access, an index into the sites; -1 where it has none of its own.
	Unit int
}

// Sites lists the sites of a fabric: PEs in component order, temporal ones with their instructions, then those for the
// accesses of every memory, loads first, then boundary inputs and outputs.
func Sites(f *arch.Fabric, memories []arch.Bridge) []Site {
	var out []Site
	at := map[*arch.Component]int{}
	for _, c := range f.Comps {
		if c.PE != nil {
			at[c] = len(out)
			out = append(out, Site{Kind: Unit, Comp: c, Mem: -1, Unit: -1})
		}
		if c.TPE != nil {
			for i := range c.TPE.Instructions {
				out = append(out, Site{Kind: Unit, Comp: c, Index: i, Mem: -1, Unit: -1})
			}
		}
	}
	for m := range memories {
		for _, list := range [][]arch.Access{memories[m].Loads, memories[m].Stores} {
			for k := range list {
				s := Site{Kind: Access, Comp: list[k].Comp, Mem: m, Access: &list[k], Unit: -1}
				if u := list[k].Unit; u != nil {
					s.Unit = at[u]
				}
				out = append(out, s)
			}
		}
	}
	for i := range f.Inputs {
		out = append(out, Site{Kind: ArgIn, Index: i, Mem: -1, Unit: -1})
	}
	for i := range f.Outputs {
		out = append(out, Site{Kind: ResOut, Index: i, Mem: -1, Unit: -1})
	}
	return out
}

// Tech is the result of technology mapping: for every node the sites that can
// host it. A complete assignment of nodes to sites exists, and an allocation of
// the kernel's arrays to memories.
type Tech struct {
	*Netlist
	Fabric *arch.Fabric
	// Memories are the memories of the fabric with their sites for accesses.
	Memories []arch.Bridge
	Sites    []Site
	// Cand[node] are the possible sites in ascending order; How[node][i] states
	// how site Cand[node][i] executes a unit node. The sites of accesses are those
	// of all memories that can hold the array.
	Cand [][]int
	How  [][]Candidate
	// widths[node][port] is the number of bits the port must receive.
	widths [][]int
	alloc  allocator
	// UnitOf[node] is the node of the load or store that an access serves, where the fabric has units at its memories: it goes
	// to the unit of the site of the access. -1 for other nodes, and nil for other fabrics.
	UnitOf []int
	// Follows[node] is set for the nodes in UnitOf.
	Follows []bool
	// spread is set for Spread.
	spread bool
	// indivisible is set when dividing arrays has not found an allocation: it does not either where other nodes are covered, as that leaves the accesses.
	indivisible bool
	// pace is how many cycles an iteration of a loop takes at least whose operations may be instructions of temporal PEs.
	pace int
	nest *recurrence.Nest
	// paces are, by loop of the nest, the cycles of an iteration that the graph alone allows; 0 for loops with others inside.
	paces []int
}

// Map matches a DFG with a fabric. The error is a *Misfit that reports everything that is
// missing, or a diag.List if the graph cannot be read.
func Map(fn *ir.Operation, f *arch.Fabric) (*Tech, error) { return MapBy(fn, f, Options{}) }

// Options are ways to map a graph, each of which some kernels need.
type Options struct {
	// Spread divides arrays among several memories where that gives the accesses of a loop more ports.
	Spread bool
	// Units gives every load a unit for all that it does, also where it could be a wire.
	Units bool
}

// MapBy is Map in a way that options say.
func MapBy(fn *ir.Operation, f *arch.Fabric, opts Options) (*Tech, error) {
	t := &Tech{Fabric: f, Memories: arch.Bridges(f), spread: opts.Spread}
	t.Sites = Sites(f, t.Memories)
	// Units at memories are on the only way to these.
	passes := !opts.Units && !slices.ContainsFunc(t.Sites, func(s Site) bool { return s.Unit >= 0 || loadsIn(s.Comp) })
	paces := []int{0}
	if f.Temporal() {
		t.findPaces(fn)
		paces = temporalPaces
	}
	for {
		fold := newFolding(f)
		fold.passes = passes
		t.pace, paces = paces[0], paces[1:]
		m, err := t.fold(fn, fold)
		if m == nil || len(paces) == 0 && err != nil {
			return nil, err
		}
		if err == nil {
			return t, nil
		}
	}
}

// loadsIn reports whether a component is a temporal PE with loads, whose instructions take all of their operands.
func loadsIn(c *arch.Component) bool {
	return c != nil && c.TPE != nil && slices.ContainsFunc(c.TPE.FUs, func(fu *arch.FunctionUnit) bool {
		return slices.ContainsFunc(fu.Ops, func(o *arch.FUOp) bool { return o.Op.Name == opname.HandshakeLoad })
	})
}

// fold matches the graph with the fabric, with fewer and fewer constants as immediates. There is a matching with an
// error where the fabric lacks something.
func (t *Tech) fold(fn *ir.Operation, fold *folding) (*matching, error) {
	for {
		m, err := t.attempt(fn, fold)
		if err != nil {
			return nil, err
		}
		switch {
		case t.alloc.possible() && len(m.unmatched) == 0:
			return m, nil
		case !t.alloc.possible() || !t.unfold(m, fold):
			return m, t.report(m)
		}
	}
}

// attempt reads the graph and matches it with the fabric.
func (t *Tech) attempt(fn *ir.Operation, fold *folding) (*matching, error) {
	var err error
	if t.Netlist, err = read(fn, t.Fabric.IndexWidth, fold); err != nil {
		return nil, err
	}
	grouped := t.Covers(t.Fabric, nil)
	m := t.prepare()
	without := map[coverID]bool{}
	for len(m.unmatched) > 0 && grouped > 0 {
		// The covers took units that other nodes need: do without those that compete with
		// them; if none does, without any, so that a report names single operations.
		competing := t.competing(m)
		for _, c := range competing {
			without[c] = true
		}
		if t.Netlist, err = read(fn, t.Fabric.IndexWidth, fold); err != nil {
			return nil, err
		}
		if grouped = 0; len(competing) > 0 {
			grouped = t.Covers(t.Fabric, without)
		}
		m = t.prepare()
	}
	return m, nil
}

// competing are covers that compete with nodes without a site: of each such set the last one of
// the fewest operations.
func (t *Tech) competing(m *matching) (out []coverID) {
	for _, id := range m.unmatched {
		nodes, _ := t.hall(m, id)
		var last *Node
		for _, nd := range nodes {
			if x := t.Nodes[nd]; x.pattern != nil && (last == nil || len(x.Ops) <= len(last.Ops)) {
				last = x
			}
		}
		if last != nil {
			out = append(out, coverID{last.pattern.sig, last.Ops[last.pattern.root]})
		}
	}
	return out
}

// prepare finds what can execute what, and memories for the arrays.
func (t *Tech) prepare() *matching {
	t.enumerate()
	if t.newAllocator(); !t.alloc.possible() {
		t.divide()
	} else if t.spread {
		t.spreadArrays()
	}
	return t.match()
}

// enumerate fills Cand and How.
func (t *Tech) enumerate() {
	t.findWidths()
	t.pair()
	t.Cand, t.How = make([][]int, len(t.Nodes)), make([][]Candidate, len(t.Nodes))
	type match struct {
		c  Candidate
		ok bool
	}
	fits := t.arrayFits()
	owned := map[int]bool{} // the units of accesses
	for _, s := range t.Sites {
		if s.Unit >= 0 {
			owned[s.Unit] = true
		}
	}
	for id, nd := range t.Nodes {
		byDef := map[string]match{}
		for s, site := range t.Sites {
			if site.Kind != nd.Kind {
				continue
			}
			switch nd.Kind {
			case Unit:
				if owned[s] || t.Follows[id] {
					continue // with the accesses
				}
				m, seen := byDef[site.Comp.Def]
				if !seen || site.Comp.Def == "" {
					m.c, m.ok = t.matchNode(site.Comp, nd)
					byDef[site.Comp.Def] = m
				}
				if site.Comp.TPE != nil && (t.tooFast(nd) || t.late(nd)) {
					continue
				}
				if m.ok && t.portsSuffice(site.Comp, nd) && (site.Comp.PE == nil || !site.Comp.PE.FixedPorts || t.fixedPortsSuffice(site.Comp, nd, m.c)) {
					t.Cand[id] = append(t.Cand[id], s)
					t.How[id] = append(t.How[id], m.c)
				}
			case Access:
				if site.Access.Store != nd.Store || !fits[nd.Array][site.Mem] || t.accessFits(&site, nd) != "" {
					continue
				}
				t.Cand[id] = append(t.Cand[id], s)
				if t.UnitOf != nil {
					unit := t.UnitOf[id]
					c, _ := t.unitFits(&site, nd)
					t.Cand[unit] = append(t.Cand[unit], site.Unit)
					t.How[unit] = append(t.How[unit], c)
				}
			case ArgIn:
				if b := t.Fabric.Inputs[site.Index]; b.Chan != nil && b.Width >= t.outWidth(nd, 0) {
					t.Cand[id] = append(t.Cand[id], s)
				}
			case ResOut:
				if b := t.Fabric.Outputs[site.Index]; b.Chan != nil && b.Width >= t.inWidth(nd, 0) {
					t.Cand[id] = append(t.Cand[id], s)
				}
			}
		}
	}
	for id := range t.Nodes {
		if t.Follows[id] {
			sort.Sort(&bySite{t.Cand[id], t.How[id]})
		}
	}
}

// bySite sorts candidates by their sites.
type bySite struct {
	sites []int
	how   []Candidate
}

func (b *bySite) Len() int           { return len(b.sites) }
func (b *bySite) Less(i, j int) bool { return b.sites[i] < b.sites[j] }
func (b *bySite) Swap(i, j int) {
	b.sites[i], b.sites[j] = b.sites[j], b.sites[i]
	b.how[i], b.how[j] = b.how[j], b.how[i]
}

// addressResult is the result of handshake.load and handshake.store that goes to the memory as the address.
const addressResult = 1

// pair finds the load or store of every access, where the fabric has units at its memories.
func (t *Tech) pair() {
	t.UnitOf, t.Follows = nil, make([]bool, len(t.Nodes))
	if !slices.ContainsFunc(t.Sites, func(s Site) bool { return s.Unit >= 0 }) {
		return
	}
	t.UnitOf = fill(len(t.Nodes))
	for id, nd := range t.Nodes {
		if nd.Kind != Access || nd.InNets[InAddr] < 0 {
			continue
		}
		net := t.Nets[nd.InNets[InAddr]]
		src := t.Nodes[net.Src.Node]
		if src.Kind != Unit || net.SrcPort.Port != addressResult {
			continue
		}
		switch t.Ops[src.Ops[0]].Name {
		case opname.HandshakeLoad, opname.HandshakeStore:
			t.UnitOf[id], t.Follows[src.ID] = src.ID, true
		}
	}
}

// unitFits reports whether the unit of an access executes its load or store, "" or why not.
func (t *Tech) unitFits(site *Site, nd *Node) (Candidate, string) {
	unit := t.UnitOf[nd.ID]
	switch {
	case site.Access.Unit == nil:
		return Candidate{}, fmt.Sprintf("%s '%s' has no load or store unit, as others on this fabric have", site.Comp.Kind, site.Comp.Name)
	case unit < 0:
		return Candidate{}, "its address does not come from a handshake.load or handshake.store"
	}
	pe := site.Access.Unit
	c, ok := t.matchNode(pe, t.Nodes[unit])
	if !ok || !t.fixedPortsSuffice(pe, t.Nodes[unit], c) {
		return Candidate{}, fmt.Sprintf("its unit '%s' does not execute %s with these types", pe.Name, t.Nodes[unit].Name)
	}
	return c, ""
}

// fixedPortsSuffice checks that the ports of a unit, which are those of its PE, are connected and wide enough.
func (t *Tech) fixedPortsSuffice(pe *arch.Component, nd *Node, c Candidate) bool {
	for k := range nd.Ins {
		if m := t.Imm[nd.Ins[k]]; m != nil && m.Held {
			continue
		}
		if p := pe.In[c.In[k]]; p.Chan == nil || p.Width < t.inWidth(nd, k) {
			return false
		}
	}
	for k := range nd.Outs {
		if w := t.outWidth(nd, k); w > 0 {
			if p := pe.Out[c.Out[k]]; p.Chan == nil || min(p.Width, p.Chan.Width) < w {
				return false
			}
		}
	}
	return true
}

// Candidate returns how site executes a unit node.
func (t *Tech) Candidate(node, site int) Candidate {
	i := sort.SearchInts(t.Cand[node], site)
	return t.How[node][i]
}

// findWidths stores how many bits every port of every node must receive: a search
// among the thousands of readers of a value would be slow. All readers of a value must receive
// what the widest needs: a value leaves its PE at one port, into one network.
func (t *Tech) findWidths() {
	t.widths = make([][]int, len(t.Nodes))
	for id, nd := range t.Nodes {
		t.widths[id] = make([]int, len(nd.InNets))
		for k := range t.widths[id] {
			t.widths[id][k] = 1
		}
	}
	for _, net := range t.Nets {
		for _, s := range net.Sinks {
			if s.Node >= 0 && s.Port < len(t.widths[s.Node]) {
				t.widths[s.Node][s.Port] = net.Width
			}
		}
	}
}

// inWidth is the number of bits port k of a node must receive.
func (t *Tech) inWidth(nd *Node, k int) int { return t.widths[nd.ID][k] }

// ownWidth is the number of bits that port k of a node reads of what it receives.
func (t *Tech) ownWidth(nd *Node, k int) int {
	if nd.InNets[k] >= 0 {
		for _, s := range t.Nets[nd.InNets[k]].Sinks {
			if s.Pin == (Pin{nd.ID, k}) {
				return s.Width
			}
		}
	}
	return 1
}

// outWidth is the number of bits that leave at port k of a node, 0 when nothing
// reads it.
func (t *Tech) outWidth(nd *Node, k int) int {
	if nd.OutNets[k] < 0 {
		return 0
	}
	return t.Nets[nd.OutNets[k]].Width
}

// portsSuffice checks that a PE has enough connected ports of sufficient width.
func (t *Tech) portsSuffice(c *arch.Component, nd *Node) bool {
	if c.TPE != nil {
		return t.instructionFits(c, nd)
	}
	var need, have []int
	for k := range nd.Ins {
		if nd.InNets[k] >= 0 {
			need = append(need, t.inWidth(nd, k))
		}
	}
	for _, p := range c.In {
		if p.Chan != nil {
			have = append(have, p.Width)
		}
	}
	if !dominated(need, have) {
		return false
	}
	need, have = nil, nil
	for k := range nd.Outs {
		if w := t.outWidth(nd, k); w > 0 {
			need = append(need, w)
		}
	}
	for _, p := range c.Out {
		if p.Chan != nil {
			have = append(have, min(p.Width, p.Chan.Width))
		}
	}
	return dominated(need, have)
}

// dominated reports whether every need can get a port of its own that is at
// least as wide.
func dominated(need, have []int) bool {
	if len(need) > len(have) {
		return false
	}
	sort.Sort(sort.Reverse(sort.IntSlice(need)))
	sort.Sort(sort.Reverse(sort.IntSlice(have)))
	for i, w := range need {
		if have[i] < w {
			return false
		}
	}
	return true
}

// matching is a maximum assignment of nodes to sites.
type matching struct {
	site      []int // per node, -1
	node      []int // per site, -1
	unmatched []int
}

// match finds a maximum assignment by augmenting paths, of all nodes but the
// accesses, which go where their array is allocated, and of the units that go with them.
func (t *Tech) match() *matching {
	var order []int
	for id, nd := range t.Nodes {
		if nd.Kind != Access && !t.Follows[id] {
			order = append(order, id)
		}
	}
	return t.matchBy(order, func(node int) []int { return t.Cand[node] })
}

// Assign finds a complete assignment of nodes to their candidates cand. prefer
// returns the sites of a node, best first, given the current assignment; nodes are
// assigned in the given order and later ones displace earlier ones only where they
// must.
func (t *Tech) Assign(order []int, cand [][]int, prefer func(node int, site []int) []int) []int {
	m := &matching{}
	m.site, m.node = fill(len(t.Nodes)), fill(len(t.Sites))
	for _, nd := range order {
		m.augment(nd, make([]bool, len(t.Sites)), func(n int) []int {
			if n == nd {
				return prefer(n, m.site)
			}
			return cand[n]
		})
	}
	return m.site
}

func (t *Tech) matchBy(order []int, cand func(node int) []int) *matching {
	m := &matching{site: fill(len(t.Nodes)), node: fill(len(t.Sites))}
	for _, nd := range order {
		if !m.augment(nd, make([]bool, len(t.Sites)), cand) {
			m.unmatched = append(m.unmatched, nd)
		}
	}
	return m
}

// augment gives node a site, moving others along an alternating path.
func (m *matching) augment(node int, seen []bool, cand func(int) []int) bool {
	sites := cand(node)
	for _, s := range sites {
		if m.node[s] < 0 {
			m.node[s], m.site[node] = node, s
			return true
		}
	}
	for _, s := range sites {
		if seen[s] {
			continue
		}
		seen[s] = true
		if m.augment(m.node[s], seen, cand) {
			m.node[s], m.site[node] = node, s
			return true
		}
	}
	return false
}
