package token

import (
	"loom/compiler/ir"
	"loom/sim/vector"
)

// Exploration runs a graph on memories of unknown size, to make inputs that suit it.
type Exploration struct {
	// Grow is called when an access lies behind the end of parameter's memory: it returns
	// the memory with more elements, the old ones first, or nil, which ends the run; a
	// memory on the chip is parameter -1, and cannot grow.
	// at is the load or store, where the graph shows it.
	Grow func(param int, data []uint64, addr uint64, at *ir.Operation) []uint64
	// Watch are called with the operands of the operations of that name, each time one
	// fires.
	Watch map[string]func(op *ir.Operation, a, b uint64)
}

// Explore is Run with an exploration. A run that Grow has ended has the status error.
func (p *Program) Explore(in *vector.Inputs, opts Options, e Exploration) (*vector.Outcome, error) {
	m, err := p.watched(e).start(in, opts)
	if err != nil {
		return nil, err
	}
	m.grow = e.Grow
	m.loop()
	return m.outcome(), nil
}

// watched is the program that calls Watch for the watched operations.
func (p *Program) watched(e Exploration) *Program {
	if len(e.Watch) == 0 {
		return p
	}
	q := *p
	q.actors = append([]actor(nil), p.actors...)
	for i := range q.actors {
		a := &q.actors[i]
		watch := e.Watch[a.op.Name]
		if a.kind != kPure || watch == nil {
			continue
		}
		op := a.op
		switch {
		case a.form.Unary != nil:
			f := a.form.Unary
			a.form.Unary = func(x uint64) uint64 { watch(op, x, 0); return f(x) }
		case a.form.Binary != nil:
			f := a.form.Binary
			a.form.Binary = func(x, y uint64) uint64 { watch(op, x, y); return f(x, y) }
		}
	}
	return &q
}

// extend requests a larger memory for an access behind its end. It reports whether the
// access may go on.
func (m *machine) extend(a *actor, addr uint64) bool {
	mem := &m.p.mems[a.mem]
	if m.grow == nil || m.stop {
		return false
	}
	at := a.op
	port := a.in[0]
	if a.kind == kPortStore {
		port = a.in[1]
	}
	if from := m.p.chans[port].from; from >= 0 {
		at = m.p.actors[from].op
	}
	grown := m.grow(mem.arg, m.mems[a.mem], addr, at)
	if grown == nil || mem.arg < 0 || addr >= uint64(len(grown)) {
		m.stop = true
		return false
	}
	for j := range m.p.mems {
		if m.p.mems[j].arg == mem.arg {
			m.mems[j] = grown
		}
	}
	return true
}
