package build

import (
	"fmt"

	"loom/compiler/arch"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// A bridge is what stands between the network and a tagged memory: a lane per load
// and store port, and around the memory temporal switches that merge what the
// lanes send and split the memory's responses. Where a port family has one lane
// it is wired to the memory directly.

// memories makes the memories with their lanes, switches and FIFOs, and returns
// the memrefs of those whose contents the host can access.
func (e *emitter) memories(memArgs map[string]*ir.Value) (exported []*ir.Value) {
	for _, mem := range e.n.a.memories {
		var op *ir.Operation
		if mem.tagWidth() == 0 {
			op = e.untagged(mem, memArgs[mem.name])
		} else {
			op = e.bridge(mem, memArgs[mem.name])
		}
		if mem.exported() {
			exported = append(exported, op.Result(0))
		}
	}
	return exported
}

// exported reports whether the host can access the contents of the memory.
func (m *memory) exported() bool { return !m.external && !m.private }

// untagged makes a memory whose ports hang on the switches themselves.
func (e *emitter) untagged(mem *memory, arg *ir.Value) *ir.Operation {
	if mem.units != nil {
		return e.withUnits(mem, arg)
	}
	at := e.beside(e.n.taps[mem.name], 1, 0)
	var names []string
	for _, g := range mem.groups() {
		for _, p := range g.sends {
			names = append(names, mem.name+"_"+p+"_q")
		}
	}
	op := e.memory(mem, arg, e.queues(mem.name, names, at), at)
	e.drive(mem.name, op.Results()[b2i(mem.exported()):])
	return op
}

// withUnits makes a memory without lanes and the units at its ports.
func (e *emitter) withUnits(mem *memory, arg *ir.Value) *ir.Operation {
	var requests []*ir.Value
	var load *ir.Operation
	for _, g := range mem.groups() {
		u := e.accessUnit(mem, g, 0)
		requests = append(requests, g.requests(u)...)
		if g.lane == "ld" {
			load = u
		}
	}
	op := e.memory(mem, arg, requests, e.beside(e.n.taps[mem.name], 2, 0))
	results := op.Results()[b2i(mem.exported()):]
	if load != nil {
		loaded(load, results[0])
		results = results[1:]
	}
	e.drive(mem.name, results)
	return op
}

// queues makes the FIFOs in front of a memory or lane and returns what they give.
func (e *emitter) queues(owner string, names []string, at ir.Attr) []*ir.Value {
	var out []*ir.Value
	for k, t := range e.n.taps[owner].in {
		out = append(out, e.fifo(names[k], e.n.a.inputFIFO, e.swOps[t.sw].Result(t.at), at))
	}
	return out
}

// drive connects the outputs of a memory or lane to the switches.
func (e *emitter) drive(owner string, results []*ir.Value) {
	for k, t := range e.n.taps[owner].out {
		e.swIns[t.sw][t.at] = results[k]
	}
}

// memory makes the instance of a memory, and its definition unless an equal one
// exists. Operands are those of the ports; they may still be nil.
func (e *emitter) memory(mem *memory, arg *ir.Value, operands []*ir.Value, at ir.Attr) *ir.Operation {
	tagged := func(t ir.Type) ir.Type {
		if w := mem.tagWidth(); w > 0 {
			return ir.Tagged(t, w)
		}
		return t
	}
	var ins, outs []ir.Type
	if mem.exported() {
		outs = append(outs, mem.typ)
	}
	if mem.loads > 0 {
		ins, outs = append(ins, tagged(ir.Index)), append(outs, tagged(mem.typ.Elem), tagged(ir.None))
	}
	if mem.stores > 0 {
		ins, outs = append(ins, tagged(ir.Index), tagged(mem.typ.Elem)), append(outs, tagged(ir.None))
	}
	kind := "memory"
	if mem.external {
		kind = "extmemory"
	}
	key := fmt.Sprint(kind, mem.typ, mem.loads, mem.stores, mem.lsqDepth, mem.regions, mem.private, mem.busWidth, mem.outstanding, mem.burst, mem.bounds, mem.cache, mem.master)
	def := e.shared(key, "fabric."+kind, mem.name, mem, ins, outs, func(d *ir.Operation) {
		d.SetAttr(arch.AttrMemRef, &ir.TypeAttr{Type: mem.typ})
		d.SetAttr(arch.AttrLdCount, ir.IntAttr(int64(mem.loads), ir.I64))
		d.SetAttr(arch.AttrStCount, ir.IntAttr(int64(mem.stores), ir.I64))
		d.SetAttr(arch.AttrLSQDepth, ir.IntAttr(int64(mem.lsqDepth), ir.I64))
		if mem.regions != 1 {
			d.SetAttr(arch.AttrNumRegion, ir.IntAttr(int64(mem.regions), ir.I64))
		}
		if mem.exported() {
			d.SetAttr(arch.AttrPrivate, ir.BoolAttr(false))
		}
		if mem.busWidth > 0 {
			d.SetAttr(arch.AttrAXIDataWidth, ir.IntAttr(int64(mem.busWidth), ir.I64))
		}
		if mem.external && mem.outstanding != arch.DefaultOutstanding {
			d.SetAttr(arch.AttrOutstanding, ir.IntAttr(int64(mem.outstanding), ir.I64))
		}
		if mem.external && mem.burst > 1 {
			d.SetAttr(arch.AttrBurst, ir.IntAttr(int64(mem.burst), ir.I64))
		}
		if mem.external && mem.bounds {
			d.SetAttr(arch.AttrBounds, ir.BoolAttr(true))
		}
		if mem.external && mem.cache > 0 {
			d.SetAttr(arch.AttrCache, ir.IntAttr(int64(mem.cache), ir.I64))
		}
		if mem.master != "" {
			d.SetAttr(arch.AttrAXIMaster, &ir.StringAttr{Value: mem.master})
		}
	})
	if mem.external {
		operands = append([]*ir.Value{arg}, operands...)
	}
	return e.instance(mem.name, def, operands, outs, at, mem.pos)
}

// shared returns the name of the definition with the given key; one that does not
// exist yet is made, and called after its first instance.
func (e *emitter) shared(key, op, first string, mem *memory, ins, outs []ir.Type, params func(*ir.Operation)) string {
	key = op + " " + key
	def := e.defs[key]
	if def == "" {
		def = op[len("fabric."):] + "_like_" + first
		e.defs[key] = def
		params(e.define(op, def, mem.pos, ins, outs))
	}
	return def
}

// bridge makes a tagged memory with its lanes and switches. Instances stand in
// the order lanes with their FIFOs, merging switches, memory, splitting switches.
func (e *emitter) bridge(mem *memory, arg *ir.Value) *ir.Operation {
	groups := mem.groups()
	lanes := map[string][]*ir.Operation{} // by the letters of their group
	depth := map[*netSwitch]int{}         // how many lanes are drawn outside of a switch
	deepest := 0
	var middle *taps
	all := 0
	for _, g := range groups {
		for i := range g.lanes {
			t := e.n.taps[mem.laneName(g, i)]
			if mem.units != nil {
				t = e.n.taps[mem.unitName(g, i)]
			}
			if all == (mem.loads+mem.stores)/2 {
				middle = t
			}
			all++
			depth[t.in[0].sw]++
			deepest = max(deepest, depth[t.in[0].sw])
			lanes[g.lane] = append(lanes[g.lane], e.lane(mem, g, i, e.beside(t, depth[t.in[0].sw], 0)))
		}
	}
	// The memory stands beyond the lanes, the switches of the loads on its one side,
	// those of the stores on its other.
	var requests []*ir.Value
	for _, g := range groups {
		for k, p := range g.sends {
			requests = append(requests, e.merge(mem, p, column(lanes[g.lane], k), e.beside(middle, deepest+1+k, g.side())))
		}
	}
	op := e.memory(mem, arg, requests, e.beside(middle, deepest+2, 0))
	responses := op.Results()[b2i(mem.exported()):]
	for _, g := range groups {
		// A lane's inputs: what comes from the switches, then the responses.
		back := make([][]*ir.Value, g.lanes)
		for k, p := range g.receives {
			at := e.beside(middle, deepest+1+len(g.sends)+k, g.side())
			for i, v := range e.split(mem, p, responses[k], g.lanes, at) {
				back[i] = append(back[i], v)
			}
		}
		responses = responses[len(g.receives):]
		for i, lane := range lanes[g.lane] {
			own := lane.Operands()[:lane.NumOperands()-len(g.receives)]
			lane.SetOperands(append(append([]*ir.Value(nil), own...), back[i]...))
		}
	}
	return op
}

// side is where the switches of a group are drawn, seen from the memory.
func (g group) side() int {
	if g.lane == "ld" {
		return -1
	}
	return 1
}

// column is one result of every lane.
func column(lanes []*ir.Operation, result int) []*ir.Value {
	var out []*ir.Value
	for _, l := range lanes {
		out = append(out, l.Result(result))
	}
	return out
}

// lane makes one lane with its FIFOs; its inputs from the memory are filled in later.
func (e *emitter) lane(mem *memory, g group, i int, at ir.Attr) *ir.Operation {
	name, w := mem.laneName(g, i), mem.tagWidth()
	elem := mem.typ.Elem
	ins := []ir.Type{ir.Index, ir.Tagged(elem, w), ir.Tagged(ir.None, w)}
	outs := []ir.Type{ir.Tagged(ir.Index, w), elem, ir.None}
	queues := []string{name + "_addr_q"}
	if g.lane == "st" {
		ins = []ir.Type{ir.Index, elem, ir.Tagged(ir.None, w)}
		outs = []ir.Type{ir.Tagged(ir.Index, w), ir.Tagged(elem, w), ir.None}
		queues = append(queues, name+"_data_q")
	}
	key := fmt.Sprint(elem, w, mem.laneDepth)
	def := e.shared(key, "fabric."+g.kind, name, mem, ins, outs, func(d *ir.Operation) {
		if g.lane == "st" {
			// No FIFO stands between lane and memory: all stores that have a place may be in flight.
			d.SetAttr(arch.AttrLSQDepth, ir.IntAttr(int64(mem.laneDepth), ir.I64))
		}
		d.SetAttr(arch.AttrDepth, ir.IntAttr(int64(mem.laneDepth), ir.I64))
	})
	var unit *ir.Operation
	var operands []*ir.Value
	if mem.units != nil {
		unit = e.accessUnit(mem, g, i)
		operands = g.requests(unit)
	} else {
		operands = e.queues(name, queues, at)
	}
	for len(operands) < len(ins) {
		operands = append(operands, nil)
	}
	op := e.instance(name, def, operands, outs, at, mem.pos)
	results := op.Results()[len(g.sends):]
	if unit != nil && g.lane == "ld" {
		loaded(unit, results[0])
		results = results[1:]
	}
	e.drive(name, results)
	return op
}

// merge connects what the lanes send with one port of the memory.
func (e *emitter) merge(mem *memory, port string, from []*ir.Value, at ir.Attr) *ir.Value {
	if len(from) == 1 {
		return from[0]
	}
	t := from[0].Type
	def := e.temporal(mem, port, t, len(from), 1)
	return e.instance(mem.switchName(port), def, from, []ir.Type{t}, at, mem.pos).Result(0)
}

// split connects what one port of the memory sends with the lanes.
func (e *emitter) split(mem *memory, port string, from *ir.Value, lanes int, at ir.Attr) []*ir.Value {
	if lanes == 1 {
		return []*ir.Value{from}
	}
	def := e.temporal(mem, port, from.Type, 1, lanes)
	return e.instance(mem.switchName(port), def, []*ir.Value{from}, repeat(from.Type, lanes), at, mem.pos).Results()
}

// temporal is the definition of a temporal switch with a slot per lane.
func (e *emitter) temporal(mem *memory, port string, t ir.Type, nin, nout int) string {
	return e.shared(fmt.Sprint(t, nin, nout), opname.FabricTemporalSw, mem.switchName(port), mem, repeat(t, nin), repeat(t, nout),
		func(d *ir.Operation) { d.SetAttr(arch.AttrRouteTable, ir.IntAttr(int64(max(nin, nout)), ir.I64)) })
}

// beside is a point outside of the grid: some steps beyond the edge at the first
// switch that a memory or lane is connected to, and some along the edge, clockwise.
func (e *emitter) beside(t *taps, beyond, along int) ir.Attr {
	var s *netSwitch
	if len(t.in) > 0 {
		s = t.in[0].sw
	} else {
		s = t.out[0].sw
	}
	dx, dy := s.outward.step()
	return loc(s.x+beyond*dx-along*dy, s.y+beyond*dy+along*dx)
}
