package throughput

import (
	"loom/compiler/arch"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/mapping"
	"loom/compiler/opname"
	"loom/compiler/recurrence"
	"loom/internal/cycleratio"
)

// event is when the tokens of a channel are offered or taken, or when a part of a unit works.
type event struct {
	// loop is that in each of whose iterations the event takes place, -1 for none.
	loop int
	// conditional is set where it takes place in some iterations only: on a side of a branch.
	conditional bool
	// channel is the arch.Channel ID, -1 for events inside of units; taken is set for the
	// event of a transfer.
	channel int
	taken   bool
	value   *ir.Value
}

// link is a channel of the graph, between two units: its tokens are offered and then taken.
type link struct{ offered, taken int }

// none is a link that is not there: of a result that nothing reads.
var none = link{-1, -1}

// terminal is an operand or a result of an operation, by its index in the body.
type terminal struct{ op, port int }

// wire is a channel of the fabric: an output of a component or a boundary input.
type wire struct {
	comp, boundary string
	out            int
}

// unit is a function unit at work; queue are the places behind each of its results, in front of
// the output of the PE.
type unit struct {
	fu    *arch.FunctionUnit
	ops   []int
	queue int
	// shared names the iterative hardware that the PE has together with others, "" where it has its own.
	shared string
	// temporal is the temporal PE that the unit is an instruction of, nil for others.
	temporal *arch.Component
	// cycles is how many cycles more than one an execution takes there.
	cycles int
}

type graph struct {
	fn    *ir.Operation
	ops   []*ir.Operation
	index map[*ir.Operation]int
	nest  *recurrence.Nest
	f     *arch.Fabric
	m     *mapping.Mapping
	model latency.Model
	// slow is set where accesses wait for one of every other lane at their port, and units whose time
	// depends on the operands take the longest: each load behind an interlock meets the store before it.
	slow bool
	// fetched is set where no load finds anything in a read cache.
	fetched bool

	events  []event
	edges   []cycleratio.Edge
	room    []bool // by edge: it waits for places, not for tokens
	options map[int]int

	comps    map[string]*arch.Component
	bypassed map[string]bool
	unit     []*unit
	accesses []*access
	// byOperand finds the access of a memory's operand.
	byOperand map[terminal]*access
	// ways are the registers on the way to an operand; internal marks those that are read
	// from another operation of the unit.
	ways     map[terminal]int
	internal map[terminal]bool
	// stays are the operands of instructions that come from the same temporal PE.
	stays map[terminal]bool
	// leaves are the outputs of temporal PEs whose links are there.
	leaves map[wire]bool
	// entries are what inputs of temporal PEs give, by their links.
	entries map[link]link
	// in and out are the links of operands and results.
	in, out map[terminal]link
	cond    map[*ir.Value]bool
}

// build makes the graph of a mapping.
func build(fn *ir.Operation, nest *recurrence.Nest, f *arch.Fabric, m *mapping.Mapping, memory int64, slow, fetched bool) *graph {
	g := &graph{fn: fn, ops: fn.Regions[0].Entry().Ops, index: map[*ir.Operation]int{}, nest: nest, f: f, m: m,
		model: latency.Model{Memory: latency.Fixed(memory), IndexWidth: f.IndexWidth}, slow: slow, fetched: fetched,
		options: map[int]int{}, comps: map[string]*arch.Component{}, bypassed: map[string]bool{},
		byOperand: map[terminal]*access{}, ways: map[terminal]int{}, leaves: map[wire]bool{}, entries: map[link]link{}, stays: map[terminal]bool{}, internal: map[terminal]bool{},
		in: map[terminal]link{}, out: map[terminal]link{}, cond: map[*ir.Value]bool{}}
	for i, op := range g.ops {
		g.index[op] = i
	}
	for _, c := range f.Comps {
		g.comps[c.Name] = c
	}
	for _, x := range m.FIFOs {
		g.bypassed[x.Comp] = x.Bypassed
	}
	g.unit = make([]*unit, len(g.ops))
	for _, grp := range m.Groups {
		if c := g.comps[grp.Comp]; c != nil && c.TPE != nil && grp.Opcode < len(c.TPE.FUs) {
			u := &unit{fu: c.TPE.FUs[grp.Opcode], ops: grp.Ops, temporal: c, cycles: c.TPE.Steps[grp.Opcode].Cycles}
			for _, i := range grp.Ops {
				g.unit[i] = u
			}
		}
		if c := g.comps[grp.Comp]; c != nil && c.PE != nil && grp.Opcode < len(c.PE.FUs) {
			u := &unit{fu: c.PE.FUs[grp.Opcode], ops: grp.Ops, queue: c.PE.ResultFIFO}
			if hw := c.PE.IterativeOf(grp.Opcode); hw != nil && c.SharedUnits != "" {
				u.shared = c.SharedUnits + " " + hw.Key
			}
			for _, i := range grp.Ops {
				g.unit[i] = u
			}
		}
	}
	g.findAccesses()
	g.route()
	done := map[*unit]bool{}
	for i := range g.ops {
		if u := g.unit[i]; u != nil && !done[u] {
			done[u] = true
			g.queues(u)
			g.units(u)
		}
	}
	for _, a := range g.accesses {
		g.access(a)
	}
	return g
}

// event adds an event of the iterations that v belongs to.
func (g *graph) event(v *ir.Value, channel int, taken bool) int {
	g.events = append(g.events, event{g.nest.Home(v), g.conditional(v), channel, taken, v})
	return len(g.events) - 1
}

// after: the event to comes at least that many cycles after from, of the token so many
// iterations before.
func (g *graph) after(to, from, cycles, tokens int) { g.edge(to, from, cycles, tokens, 0, false) }

// place is after for what waits for a place, not for a token.
func (g *graph) place(to, from, cycles, tokens int) { g.edge(to, from, cycles, tokens, 0, true) }

func (g *graph) edge(to, from, cycles, tokens, option int, room bool) {
	if to < 0 || from < 0 {
		return
	}
	g.edges = append(g.edges, cycleratio.Edge{From: from, To: to, Latency: cycles, Tokens: tokens, Option: option})
	g.room = append(g.room, room)
}

// link adds a channel that carries v.
func (g *graph) link(v *ir.Value, channel int) link {
	l := link{g.event(v, channel, false), g.event(v, channel, true)}
	g.after(l.taken, l.offered, 0, 0)
	return l
}

// conditional reports whether a value has a token in some iterations of its loop only.
func (g *graph) conditional(v *ir.Value) bool {
	if v == nil || v.Def == nil {
		return false
	}
	if c, ok := g.cond[v]; ok {
		return c
	}
	g.cond[v] = false // for graphs that go in circles
	op := v.Def
	home := g.nest.Home(v)
	any := func(operands ...int) bool {
		for _, i := range operands {
			if i < op.NumOperands() && g.nest.Home(op.Operand(i)) == home && g.conditional(op.Operand(i)) {
				return true
			}
		}
		return false
	}
	c := false
	switch op.Name {
	case opname.DataflowStream, opname.DataflowGate, opname.DataflowCarry, opname.DataflowInvariant:
	case opname.HandshakeCondBr:
		// The false side of a split at the boundary leaves the loop.
		if _, _, boundary := g.nest.PerIteration(op); !boundary {
			c = true
		} else if v.Index == 0 {
			c = any(1)
		}
	case opname.HandshakeMux, opname.DataflowInterlock:
		c = any(0)
	case opname.HandshakeMemory, opname.HandshakeExtmemory:
		if a := g.accessOf(v); a != nil {
			c = any(a.addr)
		}
	case opname.HandshakeLoad:
		c = any(0)
	default:
		all := make([]int, op.NumOperands())
		for i := range all {
			all[i] = i
		}
		c = any(all...)
	}
	g.cond[v] = c
	return c
}

// channel is the arch.Channel ID of a wire, -1 for none.
func (g *graph) channel(w wire) int {
	var ch *arch.Channel
	switch c := g.comps[w.comp]; {
	case c != nil && w.out < len(c.Out):
		ch = c.Out[w.out].Chan
	case c == nil && w.boundary != "":
		for _, b := range g.f.Inputs {
			if b.Name == w.boundary {
				ch = b.Chan
			}
		}
	}
	if ch == nil {
		return -1
	}
	return ch.ID
}

// value is the value at a terminal of the mapping.
func (g *graph) value(t mapping.Terminal) *ir.Value {
	if t.Op < 0 {
		return g.fn.Regions[0].Entry().Args[t.Port]
	}
	return g.ops[t.Op].Result(t.Port)
}

// route makes the links of all edges: a tree of channels per value, joined by FIFOs and by
// switches, which offer a token to all takers at once and let it go when all have it.
func (g *graph) route() {
	links := map[wire]link{}
	joined := map[[2]wire]bool{}
	g.instructions()
	for _, e := range g.m.Edges {
		at := terminal{e.Dst.Op, e.Dst.Port}
		g.ways[at] = e.Latency
		if e.Kind == mapping.TemporalReg {
			g.in[at] = g.link(g.value(e.Src), -1)
			g.operand(g.out[terminal{e.Src.Op, e.Src.Port}], g.in[at], at)
			g.stays[at] = true
			continue
		}
		if e.Kind != mapping.Routed || len(e.Steps) == 0 {
			g.internal[at] = true
			continue
		}
		v := g.value(e.Src)
		var last wire
		for i, s := range e.Steps[:len(e.Steps)-1] {
			w := wire{s.Comp, s.Boundary, s.Out}
			if _, known := links[w]; !known {
				links[w] = g.link(v, g.channel(w))
			}
			switch {
			case i == 0 && g.temporal(e.Src.Op) != nil:
				g.ways[at]++
				if !g.leaves[w] {
					g.leaves[w] = true
					g.output(g.out[terminal{e.Src.Op, e.Src.Port}], links[w])
				}
			case i == 0:
				g.out[terminal{e.Src.Op, e.Src.Port}] = links[w]
			case !joined[[2]wire{last, w}]:
				joined[[2]wire{last, w}] = true
				if c := g.comps[s.Comp]; c != nil && c.Buffer() > 0 && !g.bypassed[s.Comp] {
					g.fifo(links[last], links[w], c.Buffer())
				} else {
					g.fork([]link{links[last]}, links[w])
				}
			}
			last = w
		}
		g.in[at] = links[last]
		if g.temporal(e.Dst.Op) != nil {
			g.in[at] = g.link(v, -1)
			g.input(v, links[last], g.in[at], at)
			continue
		}
		if c := g.comps[e.Steps[len(e.Steps)-1].Comp]; c != nil && c.PE != nil && c.PE.OperandFIFO > 0 {
			g.in[at] = g.link(v, -1)
			g.fifo(links[last], g.in[at], c.PE.OperandFIFO)
		}
	}
}

// fifo is loom_fifo with so many places.
func (g *graph) fifo(in, out link, places int) {
	g.after(out.offered, in.taken, 1, 0)
	g.place(out.offered, out.taken, 1, 1)
	if places == 1 {
		g.place(in.taken, out.taken, 0, 1)
	} else {
		g.place(in.taken, out.taken, 1, places)
	}
}

// fork is a unit without state: it offers when all inputs do, and lets them go when every
// output has the token.
func (g *graph) fork(ins []link, outs ...link) {
	for _, in := range ins {
		for _, other := range ins {
			g.after(in.taken, other.offered, 0, 0)
		}
		for _, out := range outs {
			g.after(out.offered, in.offered, 0, 0)
			g.place(in.taken, out.taken, 0, 0)
		}
	}
}
