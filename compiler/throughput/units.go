package throughput

import (
	"loom/compiler/arch"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/opname"
	"loom/compiler/units"
)

// inputs are the links of the routed operands of a unit, outputs those of its routed results.
func (g *graph) inputs(u *unit) (ins []link) {
	for _, i := range u.ops {
		for k := range g.ops[i].NumOperands() {
			if l, ok := g.in[terminal{i, k}]; ok {
				ins = append(ins, l)
			}
		}
	}
	return ins
}

func (g *graph) outputs(u *unit) (outs []link) {
	for _, i := range u.ops {
		for k := range g.ops[i].NumResults() {
			if l, ok := g.out[terminal{i, k}]; ok {
				outs = append(outs, l)
			}
		}
	}
	return outs
}

// queues puts the queue of each result that is routed between the unit and the output.
func (g *graph) queues(u *unit) {
	if u.queue == 0 {
		return
	}
	for _, i := range u.ops {
		for k, v := range g.ops[i].Results() {
			if out, ok := g.out[terminal{i, k}]; ok {
				in := g.link(v, -1)
				g.fifo(in, out, u.queue)
				g.out[terminal{i, k}] = in
			}
		}
	}
}

// units adds the rules of a function unit.
func (g *graph) units(u *unit) {
	if x := u.fu.Fused(); x != nil {
		g.machine(u, x)
		return
	}
	i := u.ops[0]
	op := g.ops[i]
	if row := u.fu.Row(u.fu.Ops[0]); row.Op != "" && row.Class == units.Datapath {
		g.datapath(u)
		return
	}
	in := func(k int) link {
		if l, ok := g.in[terminal{i, k}]; ok {
			return l
		}
		return none
	}
	outs := make([]link, op.NumResults())
	for k := range outs {
		outs[k] = none
		if l, ok := g.out[terminal{i, k}]; ok {
			outs[k] = l
			if extra := u.fu.Latency - u.fu.NetworkLatency(g.f.IndexWidth); extra > 0 {
				outs[k] = g.link(op.Result(k), -1)
				g.stages(outs[k], l, extra)
			}
		}
	}
	ins := g.inputs(u)
	switch op.Name {
	case opname.HandshakeMux:
		g.mux(i, in, outs[0])
	case opname.HandshakeLoad:
		g.fork([]link{in(0), in(2)}, outs[1])
		g.fork([]link{in(1)}, outs[0])
	case opname.DataflowCarry:
		// One condition after each token; the token it demands is offered with it.
		d, b, o := in(0), in(2), outs[0]
		g.after(d.taken, o.taken, 1, 0)
		g.after(o.offered, d.taken, 0, 1)
		g.after(o.offered, b.offered, 0, 1)
		g.place(b.taken, o.taken, 0, -1)
	case opname.DataflowAccumulate:
		// The parts are in a ring of registers: an element per cycle. What leaves is none of the loop's.
		fire := g.event(op.Operand(2), -1, false)
		for _, x := range []link{in(0), in(2)} {
			g.after(fire, x.offered, 0, 0)
			g.after(x.taken, fire, 0, 0)
		}
		g.place(fire, fire, 1, 1)
	case opname.DataflowInvariant:
		d, o := in(0), outs[0]
		g.after(o.offered, d.offered, 0, 1)
		g.after(o.offered, o.taken, 1, 1)
		g.place(d.taken, o.taken, 0, -1)
	case opname.DataflowGate:
		// The k-th condition it gives is the one after the k-th value.
		value, cond := outs[0], outs[1]
		g.fork([]link{in(0), in(1)}, value)
		for _, x := range []link{in(0), in(1)} {
			g.after(cond.offered, x.offered, 0, -1)
			g.place(x.taken, cond.taken, 0, 1)
		}
	case opname.DataflowInterlock:
		a, s, d, o := in(0), in(1), in(2), outs[0]
		g.fork([]link{a}, o)
		g.after(o.offered, s.taken, 0, 1)
		g.place(s.taken, o.taken, 1, 0)
		g.after(d.taken, s.taken, 1, 0)
		g.place(s.taken, d.taken, 1, units.InterlockDepth)
		if g.slow {
			g.after(o.offered, d.taken, 1, 1) // each load meets the store before it
		}
	case opname.DataflowStream:
		done := g.event(op.Result(1), -1, false)
		for _, o := range outs {
			g.after(done, o.taken, 0, 0)
			g.after(o.offered, done, 1, 1)
		}
	default:
		if units.Is(op.Name, units.Iterative) {
			cycles := g.cycles(op)
			fire := g.fires(i, ins)
			if u.shared != "" {
				// The next request comes to its register with the result, and needs a credit, which is back in
				// the cycle after a result has left.
				g.after(outs[0].offered, fire, cycles+latency.SharedUnit, 0)
				g.place(fire, fire, cycles+1, 1)
				g.place(fire, outs[0].taken, 1, latency.SharedCredits)
				return
			}
			g.after(outs[0].offered, fire, cycles, 0)
			g.place(fire, outs[0].taken, 0, 1)
			g.place(fire, fire, cycles, 1)
			return
		}
		g.fork(ins, outs...)
	}
}

// cycles is what an iterative operation takes.
func (g *graph) cycles(op *ir.Operation) int {
	if g.slow {
		row, _ := units.Lookup(op.Name)
		return row.Longest(op, g.f.IndexWidth)
	}
	return latency.Unit(op, g.f.IndexWidth)
}

// sharers are the units that use shared hardware, which all of them wait for in turn.
func (g *graph) sharers(hardware string) (out []*unit) {
	for i := range g.ops {
		if u := g.unit[i]; u != nil && u.shared == hardware && u.ops[0] == i {
			out = append(out, u)
		}
	}
	return out
}

// turns is how many cycles hardware that several units share is busy in every iteration of a loop.
func (g *graph) turns(l int) int {
	busy := map[string]int{}
	most := g.busy(l)
	for i, op := range g.ops {
		u := g.unit[i]
		if u == nil || u.shared == "" || u.ops[0] != i || g.nest.Home(op.Result(0)) != l || g.conditional(op.Result(0)) {
			continue
		}
		busy[u.shared] += g.cycles(op) + 1
		most = max(most, busy[u.shared])
	}
	return most
}

// longest is the most cycles that a unit takes for an operation of every iteration of a loop before it takes the next one.
func (g *graph) longest(l int) int {
	most := 1
	for i, op := range g.ops {
		u := g.unit[i]
		if u == nil || u.ops[0] != i || !units.Is(op.Name, units.Iterative) || g.nest.Home(op.Result(0)) != l || g.conditional(op.Result(0)) {
			continue
		}
		if u.fu.Row(u.fu.Ops[0]).Class != units.Datapath { // a pipelined one starts in every cycle
			most = max(most, g.cycles(op))
		}
	}
	return most
}

// waits reports whether a unit of a loop may have to wait for another one that uses the same hardware.
func (g *graph) waits(l int) bool {
	for i, op := range g.ops {
		u := g.unit[i]
		if u != nil && u.temporal != nil && op.NumResults() > 0 && g.nest.Home(op.Result(0)) == l {
			return true
		}
		if u != nil && u.shared != "" && g.nest.Home(op.Result(0)) == l && len(g.sharers(u.shared)) > 1 {
			return true
		}
	}
	return false
}

// fires is the event in which a unit takes all of its inputs.
func (g *graph) fires(i int, ins []link) int {
	fire := g.event(g.ops[i].Result(0), -1, false)
	for _, in := range ins {
		g.after(fire, in.offered, 0, 0)
		g.after(in.taken, fire, 0, 0)
	}
	return fire
}

// datapath is a unit of arithmetic: a join, so many stages, and results that are offered
// independently.
func (g *graph) datapath(u *unit) {
	ins, outs := g.inputs(u), g.outputs(u)
	n := max(u.fu.Latency, 0)
	if u.temporal != nil {
		g.fork(ins, outs...)
		for _, o := range outs {
			for _, in := range ins {
				g.after(o.offered, in.offered, u.cycles, 0)
			}
			g.place(o.taken, o.taken, 2+u.cycles, 1)
		}
		return
	}
	if n == 0 && u.fu.Interval <= 1 {
		g.fork(ins, outs...)
		return
	}
	last := u.ops[len(u.ops)-1]
	stage := g.fires(last, ins)
	g.place(stage, stage, max(u.fu.Interval, 1), 1)
	if n == 0 {
		for _, o := range outs {
			g.after(o.offered, stage, 0, 0)
			g.place(stage, o.taken, 0, 0)
		}
		return
	}
	for range n - 1 {
		next := g.event(g.ops[last].Result(0), -1, false)
		g.after(next, stage, 1, 0)
		g.place(stage, next, 0, 1)
		stage = next
	}
	for _, o := range outs {
		g.after(o.offered, stage, 1, 0)
		g.place(stage, o.taken, 0, 1)
	}
}

// stages are so many registers behind a result.
func (g *graph) stages(in, out link, n int) {
	for range n - 1 {
		next := link{g.copyEvent(in.offered), g.copyEvent(in.taken)}
		g.after(next.taken, next.offered, 0, 0)
		g.fifo(in, next, 1)
		in = next
	}
	g.fifo(in, out, 1)
}

// copyEvent adds an event of the same iterations.
func (g *graph) copyEvent(k int) int {
	g.events = append(g.events, g.events[k])
	return len(g.events) - 1
}

// mux waits for its selector and the selected input: of the least interval any, of the
// largest all.
func (g *graph) mux(i int, in func(int) link, out link) {
	op := g.ops[i]
	sel := in(0)
	g.fork([]link{sel}, out)
	for k := 1; k < op.NumOperands(); k++ {
		x := in(k)
		g.edge(out.offered, x.offered, 0, 0, k, false)
		g.after(x.taken, sel.offered, 0, 0)
		g.place(x.taken, out.taken, 0, 0)
	}
	if out.offered >= 0 {
		g.options[out.offered] = op.NumOperands() - 1
	}
}

// machine adds the rules of a unit of several operations that is one state machine.
func (g *graph) machine(u *unit, x *arch.Fused) {
	input := func(b, k int) link { // of body operation b
		if l, ok := g.in[terminal{u.ops[b], k}]; ok {
			return l
		}
		return none
	}
	outs := make([]link, len(u.fu.Yield))
	for k, y := range u.fu.Yield {
		outs[k] = none
		if l, ok := g.out[terminal{u.ops[y.Op], y.Result}]; ok {
			outs[k] = l
		}
	}
	switch x.Kind {
	case arch.FusedCounter:
		done := g.event(g.ops[u.ops[x.Stream]].Result(1), -1, false)
		for _, o := range outs {
			g.after(done, o.taken, 0, 0)
			g.after(o.offered, done, 1, 1)
		}
	case arch.FusedLoop:
		// The next value is that of the iteration after.
		d, b := input(x.Carry, 0), input(x.Carry, 2)
		g.fork([]link{d}, outs...)
		g.after(outs[0].offered, b.offered, 0, 1)
		g.after(d.taken, b.offered, 0, 1)
		g.place(b.taken, outs[0].taken, 0, -1)
		g.place(b.taken, d.offered, 0, -1)
	case arch.FusedAccumulate, arch.FusedPresent:
		// The recurrence is a register in the unit: an element per cycle.
		compute := u.fu.Ops[x.Compute]
		element := none
		for k := range compute.Operands {
			if l := input(x.Compute, k); l != none {
				element = l
			}
		}
		fire := g.fires(u.ops[x.Compute], []link{input(x.Carry, 0), element})
		piped := u.fu.Piped(x, g.f.IndexWidth)
		g.place(fire, fire, max(piped, 1), 1)
		for _, o := range outs {
			g.after(o.offered, fire, piped, 0)
			g.place(fire, o.taken, 0, min(piped, 1))
		}
	}
}
