package token

import (
	"loom/compiler/diag"
	"loom/compiler/latency"
	"loom/compiler/recurrence"
	"loom/sim/steady"
	"loom/sim/vector"
)

// The timed mode gives the firings of the network a clock. It shows the
// initiation interval that the graph itself allows, before any fabric:
//
//   - channels are unbounded, and a token is there when its producer's latency
//     has passed (latency.Model.Graph: one cycle and those of the unit, except
//     casts, constants and wiring, which take none, and memory);
//   - an operation fires as soon as its operands are there, and once per cycle;
//   - a change of state that delivers nothing is part of the firing that follows:
//     a stream takes its bounds with its first pair, carry and invariant read
//     their condition with the repetition or with the next activation's start;
//   - a memory port accepts one request per cycle and responds, data and done
//     token alike, after the memory's latency.
//
// The network stays one whose results do not depend on the order of firings, so a
// timed run ends like an untimed one, or there is a fault in the graph.

// TimedOptions of one timed run.
type TimedOptions struct {
	// Model gives the latencies.
	Model latency.Model
	// MaxSteps bounds the firings; 0 is DefaultMaxSteps.
	MaxSteps int64
}

// MaxMemoryLatency keeps the calendar of a timed run small.
const MaxMemoryLatency = 1 << 16

// RunTimed simulates a compiled graph with a clock and measures its loops.
func (p *Program) RunTimed(in *vector.Inputs, opts TimedOptions) (*vector.Outcome, *Timing, error) {
	if n := opts.Model.Memory.Cycles(); n < 1 || n > MaxMemoryLatency {
		return nil, nil, diag.New(p.fn.Pos, "a memory latency of %d cycles cannot be simulated", n).
			WithHelp("give 1 to %d", MaxMemoryLatency)
	}
	m, err := p.start(in, Options{MaxSteps: opts.MaxSteps})
	if err != nil {
		return nil, nil, err
	}
	m.clock = newClock(p, opts.Model)
	m.loopTimed()
	out := m.outcome()
	if m.done {
		out.Cycles = m.clock.returned
	}
	return out, m.clock.timing(p, opts.Model), nil
}

// arrival is a result that has not reached its uses yet.
type arrival struct {
	actor  int32
	result int32
	value  uint64
}

// clock is what a timed run adds to a machine.
type clock struct {
	now int64
	// latency of each actor.
	latency []int32
	// last is the cycle in which each actor fired, -1 before.
	last []int64
	// calendar holds what arrives in the cycles to come, by cycle modulo its
	// length; coming counts all of it.
	calendar [][]arrival
	coming   int
	// later are the actors to look at in the next cycle: they have fired in this.
	later []int32
	// returned is the cycle of the return, -1 before it.
	returned int64
	nest     *recurrence.Nest
	// meters measure what fires once per iteration, nil for other actors.
	meters []*meter
	// taken are the operands that each mux has taken, as a mask.
	taken []uint8
}

func newClock(p *Program, model latency.Model) *clock {
	c := &clock{
		latency: make([]int32, len(p.actors)), last: make([]int64, len(p.actors)),
		meters: make([]*meter, len(p.actors)), taken: make([]uint8, len(p.actors)), returned: -1, nest: recurrence.FindLoops(p.fn),
	}
	longest := int32(0)
	for i := range p.actors {
		c.latency[i], c.last[i] = int32(model.Graph(p.actors[i].op)), -1
		longest = max(longest, c.latency[i])
	}
	c.calendar = make([][]arrival, longest+1)
	for i := range p.actors {
		if l, raw, ok := c.nest.PerIteration(p.actors[i].op); ok {
			c.meters[i] = &meter{steady.Meter{Raw: raw}, l}
		}
	}
	return c
}

// loopTimed runs cycle by cycle until nothing can move or the budget is spent.
// Within a cycle operations without latency pass tokens on, first come, first
// served.
func (m *machine) loopTimed() {
	c := m.clock
	for {
		for m.head < len(m.work) {
			if m.stats.Firings >= m.opts.MaxSteps {
				m.budget = true
				return
			}
			id := m.next()
			m.queued[id] = false
			if c.last[id] == c.now {
				c.later = append(c.later, id)
				continue
			}
			m.try(id)
		}
		if c.coming == 0 && len(c.later) == 0 {
			return
		}
		c.now++
		if len(c.later) == 0 {
			for len(c.calendar[c.slot(0)]) == 0 {
				c.now++
			}
		}
		for _, id := range c.later {
			m.wake(id)
		}
		c.later = c.later[:0]
		slot := c.slot(0)
		for _, a := range c.calendar[slot] {
			m.arrive(a)
		}
		c.coming -= len(c.calendar[slot])
		c.calendar[slot] = c.calendar[slot][:0]
	}
}

// slot is the index in the calendar of a cycle to come.
func (c *clock) slot(in int32) int { return int((c.now + int64(in)) % int64(len(c.calendar))) }

// arrive puts a result's token on its channels.
func (m *machine) arrive(a arrival) {
	for _, ch := range m.p.actors[a.actor].out[a.result] {
		m.queues[ch].push(a.value)
		m.wake(m.p.chans[ch].to)
	}
}

// fired schedules the arrival of a firing's results.
func (c *clock) fired(m *machine, id int32, outs uint64, take uint64, next uint8) {
	a, s := &m.p.actors[id], &m.states[id]
	switch a.kind {
	case kReturn:
		c.returned = c.now
	case kMux:
		c.taken[id] |= uint8(take)
	}
	if t := c.meters[id]; t != nil {
		t.fired(a.kind, s.phase, uint8(outs), next, c.now)
	}
	if outs == 0 && a.kind != kGate {
		return // a change of state only
	}
	c.last[id] = c.now
	for r := range a.out {
		if outs>>r&1 == 0 {
			continue
		}
		if c.latency[id] == 0 {
			m.arrive(arrival{id, int32(r), m.carries(id, r)})
			continue
		}
		slot := c.slot(c.latency[id])
		c.calendar[slot] = append(c.calendar[slot], arrival{id, int32(r), m.carries(id, r)})
		c.coming++
	}
}
