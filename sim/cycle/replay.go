package cycle

import (
	"fmt"

	"loom/compiler/circuit"
	"loom/sim/vector"
)

// Drive is what the surroundings of a direct circuit drive at one of its ports in a cycle: Bit is
// the valid of what goes in or the ready of what comes out, Data goes with a valid.
type Drive struct {
	Bit  bool
	Data uint64
}

// Driven is a port at which the surroundings of a direct circuit drive something: the channel with
// that stem; Ready where it is the ready of a channel that leaves the circuit, else it is valid and
// data of one that enters it.
type Driven struct {
	Stem  string
	Ready bool
	Width int // bits of data, 0 for none
}

// DrivenPorts are the ports at which the surroundings of a circuit drive something, in the order of
// a recording: inputs, outputs, then of each access to an array outside request and response.
func DrivenPorts(c *circuit.Circuit) []Driven {
	var out []Driven
	for _, p := range c.Inputs {
		out = append(out, Driven{p.Name, false, p.Width})
	}
	for _, p := range c.Outputs {
		out = append(out, Driven{p.Name, true, 0})
	}
	for _, a := range c.Arrays {
		if !a.External() {
			continue
		}
		for _, u := range a.Loads {
			out = append(out, Driven{u.Access + "_req", true, 0}, Driven{u.Access + "_rsp", false, a.Width})
		}
		for _, u := range a.Stores {
			out = append(out, Driven{u.Access + "_req", true, 0}, Driven{u.Access + "_rsp", false, 0})
		}
	}
	return out
}

// NewReplay builds the simulator of a direct circuit whose surroundings are a recording: next fills
// what they drive in the next cycle, in the order of DrivenPorts, and is false at the end. Only
// Options.Trace has a meaning.
func NewReplay(c *circuit.Circuit, in *vector.Inputs, next func([]Drive) bool, opts Options) (*Replay, error) {
	r := &Replay{next: next, drives: make([]Drive, len(DrivenPorts(c)))}
	s, err := newDirect(c, in, opts, r.drives)
	r.Sim = s
	return r, err
}

// Replay is a run of a direct circuit in recorded surroundings.
type Replay struct {
	*Sim
	next   func([]Drive) bool
	drives []Drive
}

// Run simulates all recorded cycles and reports whether the circuit has come to rest behind them: it
// holds nothing, but for what waits for a value that is held for a run. leftover names units that do.
func (r *Replay) Run() (leftover []string, err error) {
	if r.ran {
		return nil, fmt.Errorf("cycle: a simulator runs once")
	}
	r.ran = true
	for r.next(r.drives) {
		r.settle()
		r.observe()
		r.edge()
		for _, m := range r.effects {
			m.effect(&r.engine)
		}
		if r.errCode != 0 {
			return r.failed().Detail, nil
		}
	}
	if r.holds {
		return nil, nil
	}
	for _, u := range r.units {
		if !u.idle() {
			leftover = append(leftover, u.base().what)
		}
	}
	return leftover, nil
}

// replaySource drives valid and data of a channel that enters the circuit.
type replaySource struct {
	node
	drive *Drive
}

func (s *replaySource) forward(e *engine)                  { e.drive(s.out[0], s.drive.Bit, s.drive.Data) }
func (s *replaySource) backward(*engine)                   {}
func (s *replaySource) clock(*engine) wake                 { return 0 }
func (s *replaySource) idle() bool                         { return true }
func (s *replaySource) needs(_ *engine, buf []wire) []wire { return buf }

// replaySink drives ready of a channel that leaves it.
type replaySink struct {
	node
	drive *Drive
}

func (s *replaySink) forward(*engine)                    {}
func (s *replaySink) backward(e *engine)                 { e.accept(s.in[0], s.drive.Bit) }
func (s *replaySink) clock(*engine) wake                 { return 0 }
func (s *replaySink) idle() bool                         { return true }
func (s *replaySink) needs(_ *engine, buf []wire) []wire { return append(buf, s.in[0]) }

// replayed makes the surroundings of a circuit from a recording.
func (d *direct) replayed(drives []Drive) {
	at := 0
	next := func() *Drive { at++; return &drives[at-1] }
	source := func(out int32, what string) {
		d.add(&replaySource{node{what: what, out: []int32{out}, regFwd: true, regBwd: true}, next()})
	}
	sink := func(in wire, what string) {
		d.add(&replaySink{node{what: what, in: []wire{in}, regFwd: true, regBwd: true}, next()})
	}
	for i, p := range d.c.Inputs {
		out := d.inNets[i]
		if p.Channel != nil {
			out = d.before[p.Channel.ID]
		}
		source(out, "input '"+p.Name+"'")
	}
	for _, p := range d.c.Outputs {
		sink(wire{d.after[p.Channel.ID], mask(p.Width)}, "output '"+p.Name+"'")
	}
	for _, a := range d.c.Arrays {
		if !a.External() {
			continue
		}
		for _, u := range accesses(a) {
			n := d.ends(u)
			sink(n.in[0], n.what)
			source(n.out[0], n.what)
		}
	}
}

// accesses are the loads of an array, then its stores.
func accesses(a *circuit.Array) []*circuit.Unit {
	return append(append([]*circuit.Unit(nil), a.Loads...), a.Stores...)
}
