package token

import (
	"loom/compiler/ir"
	"loom/sim/vector"
)

// Observation looks at single streams of a run, and feeds parameters more than
// one token: for graphs that show one operation by itself (spec-dataflow,
// "Visualization and Simulation Contract").
type Observation struct {
	// Feed are the further tokens of parameters, by position; the control token
	// is the last parameter. The first token is the input's.
	Feed map[int][]uint64
	// Each is called for every token that an operation emits, in order per value.
	// Values without uses are included.
	Each func(v *ir.Value, bits uint64)
}

// Observe is Run with an observer.
func (p *Program) Observe(in *vector.Inputs, opts Options, o Observation) (*vector.Outcome, error) {
	m, err := p.start(in, opts)
	if err != nil {
		return nil, err
	}
	for i, chans := range p.sources {
		for _, bits := range o.Feed[i] {
			m.preset(chans, bits)
		}
	}
	m.observe = o.Each
	m.loop()
	return m.outcome(), nil
}

// report passes a firing's tokens to the observer.
func (m *machine) report(id int32, outs uint64) {
	a := &m.p.actors[id]
	if a.kind == kBufferIn {
		return // its result is no value of the graph
	}
	for r := range a.out {
		if outs>>r&1 != 0 {
			m.observe(a.result(r), m.carries(id, r))
		}
	}
}

// result is the value behind an actor's local result: a load is two actors, a
// memory one per port (compile.go).
func (a *actor) result(local int) *ir.Value {
	switch a.kind {
	case kLoadAddress:
		return a.op.Result(1)
	case kPortLoad, kPortStore:
		ld, _ := a.op.IntAttr("ldCount")
		st, _ := a.op.IntAttr("stCount")
		first := a.op.NumOperands() - int(2*st+ld)
		if a.kind == kPortStore {
			return a.op.Result(int(ld) + (a.operand[0]-first)/2)
		}
		port := a.operand[0] - first - int(2*st)
		if local == 0 {
			return a.op.Result(port)
		}
		return a.op.Result(int(ld+st) + port)
	}
	return a.op.Result(local)
}
