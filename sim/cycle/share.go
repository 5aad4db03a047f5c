package cycle

import (
	"loom/compiler/circuit"
	"loom/compiler/diag"
	"loom/compiler/num"
)

// sharedUnit is loom_share and the multiplier or iterative unit behind it: the operands of every
// client in turn, a result for each. The unit never waits, as every request has taken a slot for
// its result.
type sharedUnit struct {
	node
	clients []sharedClient
	// alone: takes a request at a time, as a divider does; else one in every cycle.
	alone bool
	// latency is the cycles from a request to its result, without those of an operation whose time depends on its
	// operands.
	latency int

	next  int // the client that is looked at first
	stage []sharedToken
}

// sharedClient is what the unit knows of a client: used counts its requests and results. A client that is not
// in use has no operands.
type sharedClient struct {
	in      []wire
	out     int32
	form    num.Form
	cycles  int                   // of the operation, beside the unit's latency
	times   func(a, b uint64) int // its cycles where they depend on the operands, in place of cycles
	credits int
	bypass  bool
	used    int
	results queue
}

// sharedToken is a request in the unit: its result is there when left is 0.
type sharedToken struct {
	client, left int
	result       uint64
}

// response is the request whose result comes in this cycle, nil for none.
func (s *sharedUnit) response() *sharedToken {
	if len(s.stage) > 0 && s.stage[0].left == 0 {
		return &s.stage[0]
	}
	return nil
}

// asks reports whether a client has operands and a credit.
func (s *sharedUnit) asks(e *engine, k int) bool {
	c := &s.clients[k]
	if len(c.in) == 0 || c.used >= c.credits {
		return false
	}
	for _, w := range c.in {
		if !e.valid(w) {
			return false
		}
	}
	return true
}

// chosen is the client whose request is offered to the unit, -1 for none.
func (s *sharedUnit) chosen(e *engine) int {
	for i := range s.clients {
		if k := (s.next + i) % len(s.clients); s.asks(e, k) {
			return k
		}
	}
	return -1
}

// open reports whether the unit takes a request.
func (s *sharedUnit) open() bool { return !s.alone || len(s.stage) == 0 || s.stage[0].left == 0 }

func (s *sharedUnit) forward(e *engine) {
	now := s.response()
	for k := range s.clients {
		switch c := &s.clients[k]; {
		case len(c.in) == 0:
		case !c.results.empty():
			e.drive(c.out, true, c.results.peek())
		case c.bypass && now != nil && now.client == k:
			e.drive(c.out, true, now.result)
		default:
			e.drive(c.out, false, 0)
		}
	}
}

func (s *sharedUnit) backward(e *engine) {
	chosen := s.chosen(e)
	if chosen >= 0 {
		e.attend(s.id) // the turn passes on though the unit may not take the request
	}
	for k := range s.clients {
		taken := k == chosen && s.open()
		for _, w := range s.clients[k].in {
			e.accept(w, taken)
		}
	}
}

func (s *sharedUnit) clock(e *engine) wake {
	chosen, open := s.chosen(e), s.open()
	for k := range s.clients {
		if c := &s.clients[k]; len(c.in) > 0 && e.moved(c.out) {
			c.used--
			if !c.results.empty() {
				c.results.pop()
			} else {
				s.stage[0].left = -1 // it has passed by the slots
			}
		}
	}
	if now := s.response(); now != nil {
		s.clients[now.client].results.push(now.result)
		now.left = -1
	}
	if len(s.stage) > 0 && s.stage[0].left < 0 {
		s.stage = append(s.stage[:0], s.stage[1:]...)
	}
	for i := range s.stage {
		s.stage[i].left--
	}
	if chosen >= 0 {
		s.next = chosen
		if open {
			c := &s.clients[chosen]
			c.used++
			s.stage = append(s.stage, c.request(e, chosen, s.latency-1))
			s.next = (chosen + 1) % len(s.clients)
		}
	}
	if len(s.stage) > 0 {
		return dirty | tick
	}
	return dirty
}

// request is what client k asks for, of a unit that takes so many cycles more than the operation.
func (c *sharedClient) request(e *engine, k, more int) sharedToken {
	a := e.val(c.in[0])
	if len(c.in) == 1 {
		return sharedToken{k, more + c.cycles, c.form.Unary(a)}
	}
	b := e.val(c.in[1])
	cycles := c.cycles
	if c.times != nil {
		cycles = c.times(a, b)
	}
	return sharedToken{k, more + cycles, c.form.Binary(a, b)}
}

func (s *sharedUnit) idle() bool {
	for k := range s.clients {
		if s.clients[k].used > 0 {
			return false
		}
	}
	return true
}

// needs are the operands that a client with one of them waits for; where no client has any, all.
func (s *sharedUnit) needs(e *engine, buf []wire) []wire {
	before := len(buf)
	for k := range s.clients {
		in := s.clients[k].in
		for _, w := range in {
			if e.valid(w) != e.valid(in[0]) {
				buf = append(buf, in...)
				break
			}
		}
	}
	if len(buf) == before && s.idle() {
		buf = append(buf, s.in...)
	}
	return buf
}

// share makes a shared unit of a direct circuit.
func (d *direct) share(x *circuit.Share) {
	s := &sharedUnit{latency: x.Latency(), alone: x.Divider()}
	s.comp, s.what, s.regFwd, s.regBwd = d.component(x.Name), "the shared unit '"+x.Name+"'", true, true
	for _, c := range x.Clients {
		f, err := num.Resolve(c.Unit.Op, d.c.IndexWidth)
		if err != nil {
			d.errs.Add(diag.FromError(err).All[0])
			return
		}
		n := d.node(c.Unit)
		s.in, s.out = append(s.in, n.in...), append(s.out, n.out...)
		s.clients = append(s.clients, sharedClient{in: n.in, out: n.out[0], form: f, credits: c.Credits, bypass: c.Bypass, results: newQueue(c.Credits)})
	}
	d.add(s)
}
