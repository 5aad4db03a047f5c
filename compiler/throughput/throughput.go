package throughput

import (
	"slices"

	"loom/compiler/arch"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/mapping"
	"loom/compiler/opname"
	"loom/compiler/recurrence"
	"loom/compiler/units"
	"loom/internal/cycleratio"
	"loom/internal/intmath"
)

// Interval is what is known of the initiation interval of a loop.
type Interval struct {
	// Least is the interval that no run is faster than, in cycles per iteration.
	Least mapping.Ratio
	// Most is the interval that a long run reaches whatever its data are; no Tokens where none
	// is known. Equal to Least it is the interval.
	Most mapping.Ratio
	// Recurrence is the largest ratio of cycles to tokens over the recurrences of the graph,
	// 0/1 without one, and Cycle its operations, as indices into the body: a lower bound with
	// any number of places.
	Recurrence mapping.Ratio
	Cycle      []int
	// Ports is the number of accesses of an iteration that share a port of a memory.
	Ports int
	// Unit is how many cycles a function unit takes from one iteration to the next, wherever it is.
	Unit int
	// Innermost is set where no loop is inside.
	Innermost bool
	// Period is the number of iterations after which the times between iterations repeat in a
	// long run: a measurement of whole periods finds the interval, one of fewer iterations
	// whether they come at the beginning or at the end of a burst.
	Period int
	// Slack is by how many cycles a part of a run may take longer than Most because the part
	// before it was faster: a round of the cycle that limits Most, and a response of the memory;
	// 0 where iterations do not differ.
	Slack int
	// Limiting is a channel on the limiting cycle, nil where none has a token in every
	// iteration. Periods that are measured there are never shorter than Least, however short the
	// run is.
	Limiting *Channel
}

// Channel is a channel of the fabric.
type Channel struct {
	ID int // of arch.Channel
	// Extra is the number of its tokens per start of the loop less the number of iterations.
	Extra int
}

// Loops predicts the intervals of the loops of a graph, in the order of the nest, for a
// mapping onto a fabric and an external memory. A memory of varying latency gives the least
// for its smallest and the most for its largest.
// A load of a cached array is one that hits for the least.
func Loops(fn *ir.Operation, nest *recurrence.Nest, f *arch.Fabric, m *mapping.Mapping, memory latency.Profile) []Interval {
	return loops(fn, nest, f, m, memory, false)
}

// Fetched are the least intervals of a mapping if no load of a cached array finds anything in its cache: what
// makes the fabric wait for memory makes it wait for each miss.
func Fetched(fn *ir.Operation, nest *recurrence.Nest, f *arch.Fabric, m *mapping.Mapping, memory latency.Profile) []mapping.Ratio {
	var out []mapping.Ratio
	for _, i := range loops(fn, nest, f, m, memory, true) {
		out = append(out, i.Least)
	}
	return out
}

func loops(fn *ir.Operation, nest *recurrence.Nest, f *arch.Fabric, m *mapping.Mapping, memory latency.Profile, fetched bool) []Interval {
	memory = memory.OrDefault()
	quick, slow := build(fn, nest, f, m, memory.Min, false, fetched), build(fn, nest, f, m, memory.Max, true, fetched)
	out := make([]Interval, len(nest.Loops))
	encloses := make([]bool, len(nest.Loops))
	for _, l := range nest.Loops {
		if l.Parent >= 0 {
			encloses[l.Parent] = true
		}
	}
	for l, b := range recurrence.Bounds(fn, nest, quick.clock, nil) {
		i := &out[l]
		i.Innermost = !encloses[l]
		i.Ports, i.Unit = quick.ports(l), quick.longest(l)
		i.Recurrence = mapping.Ratio{Tokens: 1}
		if !b.Stuck && len(b.Path) > 0 {
			i.Recurrence = mapping.Ratio{Cycles: b.Cycles, Tokens: b.Tokens}
			for _, s := range b.Path {
				if at := quick.index[s.Op]; !slices.Contains(i.Cycle, at) {
					i.Cycle = append(i.Cycle, at)
				}
			}
		}
		i.Least = mapping.Ratio{Cycles: max(i.Ports, quick.turns(l), i.Unit), Tokens: 1}
		raise(&i.Least, i.Recurrence)
		for _, r := range append(quick.served(l), quick.mastered(l)...) {
			raise(&i.Least, r)
		}
		if !i.Innermost {
			continue
		}
		r, cycle := quick.rate(l, true)
		raise(&i.Least, r)
		_, i.Period = cycleratio.Weigh(cycle)
		i.Period = max(i.Period, 1)
		i.Limiting = quick.limiting(cycle)
		if most, cycle := slow.rate(l, false); most.Tokens > 0 && !slow.open(l) && !slow.waits(l) && !slow.inOrder(memory.Min != memory.Max) {
			i.Most = most
			raise(&i.Most, i.Least)
			c, t := cycleratio.Weigh(cycle)
			if memory.Min != memory.Max || slow.varies(l) {
				i.Slack = c + int(memory.Max)
			}
			if t > 0 {
				i.Period *= t / intmath.GCD(i.Period, t)
			}
		}
	}
	return out
}

// raise makes r at least s.
func raise(r *mapping.Ratio, s mapping.Ratio) {
	if s.Cycles*r.Tokens > r.Cycles*s.Tokens {
		*r = s
	}
}

// ratio is that of a cycle, in lowest terms; no tokens for a cycle that never goes round.
func ratio(cycle []cycleratio.Edge) mapping.Ratio {
	if cycle == nil {
		return mapping.Ratio{Cycles: 1, Tokens: 1} // one token per cycle and channel
	}
	c, t := cycleratio.Weigh(cycle)
	if t <= 0 {
		return mapping.Ratio{}
	}
	if c <= t {
		return mapping.Ratio{Cycles: 1, Tokens: 1}
	}
	d := intmath.GCD(c, t)
	return mapping.Ratio{Cycles: c / d, Tokens: t / d}
}

// rate is the interval of a loop without others inside: with least the fastest it can be,
// otherwise the slowest.
func (g *graph) rate(l int, least bool) (mapping.Ratio, []cycleratio.Edge) {
	p := cycleratio.Graph{Nodes: len(g.events)}
	if least {
		p.Options = g.options
	}
	for k, e := range g.edges {
		from, to := &g.events[e.From], &g.events[e.To]
		if from.loop != l || to.loop != l {
			continue
		}
		if least && g.room[k] && (from.conditional || to.conditional) {
			continue // not in every iteration
		}
		e.ID = int32(k)
		p.Edges = append(p.Edges, e)
	}
	p.Edges, _ = p.Cyclic()
	find := p.Heaviest
	if least {
		find = p.Fastest
	}
	cycle := find()
	return ratio(cycle), cycle
}

// varies reports whether iterations of a loop differ: by branches, by turns at a memory, or by a unit whose
// time depends on its operands, as an interlock's does.
func (g *graph) varies(l int) bool {
	for _, op := range g.ops {
		if u, _ := units.Lookup(op.Name); (u.Most != nil || op.Name == opname.DataflowInterlock) && g.nest.Home(op.Result(0)) == l {
			return true
		}
	}
	return slices.ContainsFunc(g.events, func(e event) bool { return e.loop == l && e.conditional }) ||
		slices.ContainsFunc(g.accesses, func(a *access) bool { return a.users > 1 && g.loopOf(a) == l })
}

// limiting is a channel on a cycle that has a token in every iteration.
func (g *graph) limiting(cycle []cycleratio.Edge) *Channel {
	for _, e := range cycle {
		if ev := &g.events[e.To]; ev.taken && ev.channel >= 0 && !ev.conditional {
			return &Channel{ev.channel, g.extra(ev.value, map[*ir.Value]bool{})}
		}
	}
	return nil
}

// extra is the number of tokens of a value per start of its loop, less the number of
// iterations.
func (g *graph) extra(v *ir.Value, seen map[*ir.Value]bool) int {
	loop := g.nest.Home(v)
	if loop < 0 || seen[v] {
		return 0
	}
	seen[v] = true
	if v == g.nest.Loops[loop].Raw {
		return 1
	}
	op := v.Def
	switch op.Name {
	case opname.DataflowStream:
		return 1
	case opname.DataflowGate:
		return g.extra(op.Operand(1), seen) - 1
	case opname.DataflowCarry, opname.DataflowInvariant:
		return g.extra(op.Operand(0), seen)
	case opname.HandshakeCondBr:
		return g.extra(op.Operand(0), seen) - 1
	case opname.HandshakeMemory, opname.HandshakeExtmemory:
		if a := g.accessOf(v); a != nil {
			return g.extra(op.Operand(a.addr), seen)
		}
		return 0
	}
	for _, x := range op.Operands() {
		if g.nest.Home(x) == loop && !g.conditional(x) {
			return g.extra(x, seen)
		}
	}
	return 0
}

// clock is the recurrence.Clock of the mapped graph: the registers on the way of an operand
// and the cycles in the unit.
func (g *graph) clock(op *ir.Operation, operand int) int {
	at := g.index[op]
	return g.ways[terminal{at, operand}] + g.inside(op, operand)
}

// inside is what an operation takes from an operand to its results. Where a unit executes
// several operations, the first takes the cycles of all.
func (g *graph) inside(op *ir.Operation, operand int) int {
	at := g.index[op]
	if a := g.byOperand[terminal{at, operand}]; a != nil {
		return a.latency(g.model, operand == a.data)
	}
	u := g.unit[at]
	if u == nil || g.internal[terminal{at, operand}] {
		return 0
	}
	if _, led := g.ways[terminal{at, operand}]; !led {
		return 0 // the data of a load that goes past its unit
	}
	if u.temporal != nil {
		switch {
		case op != g.ops[u.ops[0]]:
			return 0 // the first operation of a unit counts
		case g.stays[terminal{at, operand}]:
			return instructionTime(op, operand) + u.cycles
		}
		return latency.TemporalInput + instructionTime(op, operand) + u.cycles
	}
	l := u.fu.Latency
	if !u.fu.Inside() {
		l = max(l, latency.Unit(op, g.f.IndexWidth))
	}
	if u.shared != "" {
		l += latency.SharedUnit
	}
	if u.queue > 0 {
		l++
	}
	return l
}
