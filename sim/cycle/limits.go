package cycle

import (
	"fmt"

	"loom/compiler/arch"
)

// Limit is a cover point: a reservation of a memory or a lane, that is, places that are taken
// when a request goes out and free when its response has left. A run in which Most stays
// below Places shows nothing of what happens when they are all taken.
type Limit struct {
	Comp *arch.Component
	// What are the responses that the places are for: "load data", "load done", "store done", or
	// "stores in flight".
	What string
	// Places is the number of places, Most how many were taken at once, at most.
	Places, Most int
}

// String names the reservation and how far it was filled.
func (l Limit) String() string {
	return fmt.Sprintf("%s '%s': %d of %d places for %s", l.Comp.Kind, l.Comp.Name, l.Most, l.Places, l.What)
}

// reserving are units with reservations.
type reserving interface {
	limits(add func(what string, places, most int))
}

// limits lists the reservations of a machine's units, in component order.
func (e *engine) limits() []Limit {
	var out []Limit
	for _, u := range e.units {
		if r, ok := u.(reserving); ok {
			r.limits(func(what string, places, most int) {
				if c := u.base().comp; c != nil {
					out = append(out, Limit{c, what, places, most})
				}
			})
		}
	}
	return out
}

// Limits lists the reservations of the memories and lanes that are in use, with how far
// they were filled since the start of the run.
func (s *Sim) Limits() []Limit { return s.engine.limits() }

// Limits is that of a Sim, since the reset.
func (r *Testbench) Limits() []Limit { return r.sim.Limits() }

// of adds the reservations of a memory; what has no port is left out.
func (p *ports) of(add func(what string, places, most int), loads, loaded, stored [2]int) {
	if p.ldAddr.net >= 0 {
		add("load data", loads[0], loads[1])
		add("load done", loaded[0], loaded[1])
	}
	if p.stAddr.net >= 0 {
		add("store done", stored[0], stored[1])
	}
}

// filled are the places, and how many of them were taken at once.
func (a *responses) filled() [2]int       { return [2]int{len(a.q.buf), a.most} }
func (a *taggedResponses) filled() [2]int { return [2]int{len(a.q.buf), a.most} }

func (m *memory) limits(add func(string, int, int)) {
	m.of(add, m.loads.filled(), m.loaded.filled(), m.stored.filled())
}

func (m *taggedMemory) limits(add func(string, int, int)) {
	m.of(add, m.loads.filled(), m.loaded.filled(), m.stored.filled())
}

func (m *extMemory) limits(add func(string, int, int)) {
	m.of(add, m.loads.filled(), m.loaded.filled(), m.stored.filled())
}

func (m *taggedExtMemory) limits(add func(string, int, int)) {
	m.of(add, m.loads.filled(), m.loaded.filled(), m.stored.filled())
}

func (l *loadRequest) limits(add func(string, int, int)) {
	add("load data", l.slots, l.data.most)
	add("load done", l.slots, l.done.most)
}

func (s *storeRequest) limits(add func(string, int, int)) {
	add("store done", s.slots, s.done.most)
	add("stores in flight", s.maxFlight, s.done.mostAwaited)
}
