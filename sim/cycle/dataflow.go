package cycle

import "loom/sim/trace"

// The four dataflow units (spec-dataflow) and the interlock of loads with stores: small state machines.

// carry is loom_carry: inputs d, a, b. An initial value passes from a, then one
// value from b for each true condition. The condition is taken at once, the
// value it owes may leave later.
type carry struct {
	node
	started bool // the initial value has passed
	owed    bool // a true condition was taken, its value is still due
	// overlap: the next initial value may pass in the cycle in which the loop ends.
	overlap bool
}

// ends reports whether a false condition ends the loop in this cycle.
func (c *carry) ends(e *engine) bool {
	return c.started && !c.owed && e.valid(c.in[0]) && e.val(c.in[0]) == 0
}

func (c *carry) passA(e *engine) bool { return !c.started || c.overlap && c.ends(e) }

func (c *carry) passB(e *engine) bool {
	return c.started && (c.owed || e.valid(c.in[0]) && e.val(c.in[0]) != 0)
}

// early: ready of the condition depends on the state alone, so it is set with the outputs.
func (c *carry) early() []wire { return c.in[:1] }

func (c *carry) forward(e *engine) {
	e.accept(c.in[0], c.started && !c.owed)
	if c.passA(e) {
		e.drive(c.out[0], e.valid(c.in[1]), e.val(c.in[1]))
		return
	}
	e.drive(c.out[0], c.passB(e) && e.valid(c.in[2]), e.val(c.in[2]))
}

func (c *carry) backward(e *engine) {
	o := e.nets[c.out[0]].ready
	e.accept(c.in[1], c.passA(e) && o)
	e.accept(c.in[2], c.passB(e) && o)
}

func (c *carry) clock(e *engine) wake {
	started, owed := c.started, c.owed
	switch {
	case !started:
		c.started = e.moved(c.in[1].net)
	default:
		ends := c.ends(e)
		c.owed = c.passB(e) && !e.moved(c.in[2].net)
		if ends {
			c.started = e.moved(c.in[1].net)
		}
	}
	return changed(started != c.started || owed != c.owed)
}

func (c *carry) idle() bool { return !c.started }

func (c *carry) needs(e *engine, buf []wire) []wire {
	switch {
	case !c.started:
		return append(buf, c.in[1])
	case c.passB(e):
		return append(buf, c.in[2])
	}
	return append(buf, c.in[0])
}

// invariant is loom_invariant: inputs d, a. The value passes once and is
// repeated for each true condition.
type invariant struct {
	node
	started bool
	value   uint64
}

func (v *invariant) forward(e *engine) {
	if !v.started {
		e.drive(v.out[0], e.valid(v.in[1]), e.val(v.in[1]))
		return
	}
	e.drive(v.out[0], e.valid(v.in[0]) && e.val(v.in[0]) != 0, v.value)
}

func (v *invariant) backward(e *engine) {
	o := e.nets[v.out[0]].ready
	e.accept(v.in[0], v.started && (o || !e.valid(v.in[0]) || e.val(v.in[0]) == 0))
	e.accept(v.in[1], !v.started && o)
}

func (v *invariant) clock(e *engine) wake {
	switch {
	case !v.started:
		if !e.moved(v.in[1].net) {
			return 0
		}
		v.started, v.value = true, e.val(v.in[1])
		return dirty
	case e.valid(v.in[0]) && e.val(v.in[0]) == 0:
		v.started = false
		return dirty
	}
	return 0
}

func (v *invariant) idle() bool { return !v.started }

func (v *invariant) needs(_ *engine, buf []wire) []wire {
	if v.started {
		return append(buf, v.in[0])
	}
	return append(buf, v.in[1])
}

// gate is loom_gate: inputs value, condition; outputs value, condition. It drops
// the last value and the first condition of every run of the loop.
type gate struct {
	node
	inside bool // phase NEXT: the loop body has begun
	taken  offer
}

// complete reports whether both inputs are there and every output this phase
// owes has been or is being taken.
func (g *gate) complete(e *engine) bool {
	return e.valid(g.in[0]) && e.valid(g.in[1]) &&
		(e.val(g.in[1]) == 0 || !g.taken.wants(0) || e.nets[g.out[0]].ready) &&
		(!g.inside || !g.taken.wants(1) || e.nets[g.out[1]].ready)
}

func (g *gate) forward(e *engine) {
	both, cond := e.valid(g.in[0]) && e.valid(g.in[1]), e.val(g.in[1])
	e.drive(g.out[0], both && cond != 0 && g.taken.wants(0), e.val(g.in[0]))
	e.drive(g.out[1], both && g.inside && g.taken.wants(1), cond)
}

func (g *gate) backward(e *engine) {
	fire := g.complete(e)
	e.accept(g.in[0], fire)
	e.accept(g.in[1], fire)
}

func (g *gate) clock(e *engine) wake {
	inside, taken := g.inside, g.taken
	if g.complete(e) {
		g.inside, g.taken = e.val(g.in[1]) != 0, 0
	} else {
		for i, o := range g.out {
			if e.moved(o) {
				g.taken |= 1 << i
			}
		}
	}
	return changed(inside != g.inside || taken != g.taken)
}

func (g *gate) idle() bool                         { return !g.inside && g.taken == 0 }
func (g *gate) needs(_ *engine, buf []wire) []wire { return append(buf, g.in...) }

// interlock is loom_interlock: inputs a, the subscript of an iteration's load, s, that of its store (negative for
// none), d, a done token of a store. It passes a on once no store of an earlier iteration can be to that subscript.
type interlock struct {
	node
	negative uint64 // the bit of a subscript that says that nothing is loaded, or stored
	low      uint64 // the bits that are compared
	due      bool   // the load of an iteration has passed, its store is not known yet
	kept     queue  // low bits of the subscripts of stores that are known and not done
}

func newInterlock(n node, width, depth, bits int) *interlock {
	return &interlock{node: n, negative: 1 << (width - 1), low: mask(min(bits, width)), kept: newQueue(depth)}
}

// early: ready of what says where stores go, and that they are done, depends on the state alone.
func (x *interlock) early() []wire { return x.in[1:] }

// hit reports whether a load is there to a subscript that is kept.
func (x *interlock) hit(e *engine) bool {
	a := e.val(x.in[0])
	if !e.valid(x.in[0]) || a&x.negative != 0 {
		return false
	}
	a &= x.low
	for i := range x.kept.count {
		if x.kept.at(i) == a {
			return true
		}
	}
	return false
}

func (x *interlock) forward(e *engine) {
	a, s := e.val(x.in[0]), e.val(x.in[1])
	open := x.due && !x.kept.full()
	e.accept(x.in[1], open)
	e.accept(x.in[2], !x.kept.empty())
	known := open && e.valid(x.in[1]) && ((s|a)&x.negative != 0 || (s^a)&x.low != 0)
	e.drive(x.out[0], e.valid(x.in[0]) && (!x.due || known) && !x.hit(e), a)
}

func (x *interlock) backward(e *engine) { e.accept(x.in[0], e.moved(x.out[0])) }

func (x *interlock) clock(e *engine) wake {
	loaded, known, done := e.moved(x.out[0]), e.moved(x.in[1].net), e.moved(x.in[2].net)
	if done {
		x.kept.pop()
	}
	if s := e.val(x.in[1]); known && s&x.negative == 0 {
		x.kept.push(s & x.low)
	}
	x.due = loaded || x.due && !known
	return changed(loaded || known || done)
}

func (x *interlock) idle() bool { return !x.due && x.kept.empty() }

func (x *interlock) needs(e *engine, buf []wire) []wire {
	// First of all a done token, where a load or the next store waits for it, and behind the last load.
	if x.due && x.kept.full() || x.hit(e) || !x.kept.empty() && !e.valid(x.in[0]) {
		buf = append(buf, x.in[2])
	}
	switch {
	case !x.due:
		buf = append(buf, x.in[0])
	case !x.kept.full():
		buf = append(buf, x.in[1])
	}
	return buf
}

// stepOps are the step operators of dataflow.stream in the order of STEP_OP.
var stepOps = [...]string{"+=", "-=", "*=", "/=", "<<=", ">>="}

// stream is loom_stream: inputs start, step, bound; outputs index and condition.
type stream struct {
	node
	stepOp int    // index into stepOps
	cond   uint64 // one-hot: < <= > >= !=
	width  uint   // of the index
	mask   uint64
	// counter: the index is offered with a true condition alone.
	counter bool

	active           bool
	halt             bool // the activation cannot progress: its first condition is false
	idx, step, bound uint64
	taken            offer
}

func (s *stream) sext(v uint64) int64 { return int64(v<<(64-s.width)) >> (64 - s.width) }

// cont is the condition of the pair on offer.
func (s *stream) cont() bool {
	a, b := s.sext(s.idx), s.sext(s.bound)
	c := s.cond
	return !s.halt && (c&1 != 0 && a < b || c&2 != 0 && a <= b || c&4 != 0 && a > b || c&8 != 0 && a >= b || c&16 != 0 && a != b)
}

// next is idx step_op step, cut to the width.
func (s *stream) next() uint64 {
	a, b := s.sext(s.idx), s.sext(s.step)
	var v int64
	switch s.stepOp {
	case 0:
		v = a + b
	case 1:
		v = a - b
	case 2:
		v = a * b
	case 3:
		if b == 0 {
			v = -1
		} else {
			v = a / b
		}
	case 4:
		if s.step < uint64(s.width) {
			v = a << s.step
		}
	case 5:
		v = a >> min(s.step, 63)
	}
	return uint64(v) & s.mask
}

// stuck reports whether a step cannot make progress.
func (s *stream) stuck(step uint64) bool {
	return step == 0 || step == 1 && (s.stepOp == 2 || s.stepOp == 3)
}

// offered are the results of the pair that have been taken or are not due.
func (s *stream) offered() offer {
	if s.counter && s.active && !s.cont() {
		return s.taken | 1
	}
	return s.taken
}

func (s *stream) forward(e *engine) {
	var c uint64
	if s.active && s.cont() {
		c = 1
	}
	e.drive(s.out[0], s.active && s.offered().wants(0), s.idx)
	e.drive(s.out[1], s.active && s.taken.wants(1), c)
}

// accepts reports whether the three inputs are taken in this cycle: in IDLE, or
// when the final pair leaves.
func (s *stream) accepts(e *engine) bool {
	return (!s.active || !s.cont() && s.offered().complete(e, s.out)) &&
		e.valid(s.in[0]) && e.valid(s.in[1]) && e.valid(s.in[2])
}

func (s *stream) backward(e *engine) {
	a := s.accepts(e)
	for _, w := range s.in {
		e.accept(w, a)
	}
}

func (s *stream) clock(e *engine) wake {
	accept := s.accepts(e)
	if s.active {
		var completed bool
		cont := s.cont()
		if s.taken, completed = s.offered().advance(e, s.out); completed {
			what := "last"
			if cont {
				what = "more"
			}
			e.event(trace.Event{Kind: trace.Iterate, Comp: s.comp, Channel: -1, Data: s.idx, What: what})
			if cont {
				s.idx = s.next()
			} else {
				s.active = false
			}
		}
	}
	if accept {
		s.idx, s.step, s.bound = e.val(s.in[0]), e.val(s.in[1]), e.val(s.in[2])
		s.active, s.halt = true, s.stuck(s.step)
		if s.halt {
			e.raise(CodeStreamZeroStep, &s.node)
		}
	}
	return dirty
}

func (s *stream) idle() bool { return !s.active }

func (s *stream) needs(_ *engine, buf []wire) []wire {
	if s.active {
		return buf
	}
	return append(buf, s.in...)
}
