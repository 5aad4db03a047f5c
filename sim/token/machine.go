package token

import (
	"loom/compiler/ir"
	"loom/sim/vector"
)

// machine is the changing part of a run.
type machine struct {
	p    *Program
	opts Options

	queues []queue
	states []actorState
	mems   [][]uint64

	// work holds the actors that may be able to fire, each once.
	work   []int32
	head   int
	queued []bool
	rng    uint64
	timers timers
	idle   int64

	returned []uint64
	done     bool
	outMems  []*vector.Memory
	stats    Stats
	budget   bool
	fault    int      // first hardware error code
	faults   []string // what raised errors, in order
	late     string   // a memory access after the done token
	observe  func(v *ir.Value, bits uint64)
	// grow is Exploration.Grow; stop: it has ended the run.
	grow func(param int, data []uint64, addr uint64, at *ir.Operation) []uint64
	stop bool
	// hold is an actor that fires only when nothing else can, -1 for none; held: it may be
	// able to. race is the first time that a merge could have taken a token from either of
	// two operands.
	hold int32
	held bool
	race *Race
	// resting is what the graph holds when it is not started, nil for nothing.
	resting *contents
	// restless: it did not come to rest after reset.
	restless bool

	// clock is set in timed runs only.
	clock *clock
}

// actorState is what an actor remembers.
type actorState struct {
	phase uint8
	// pending is set while a firing waits for some of its uses to take their
	// token.
	pending bool
	// next is the phase after the pending firing, take the operands it releases.
	next    uint8
	take    uint64
	waiting []int32 // channels that have not taken their token
	// taking counts the wires whose consumer has not let go of the token on them.
	taking int
	val    [2]uint64
	// Registers: invariant (a), stream (a next, b step, c bound).
	a, b, c uint64
	// Of a sum in parts: the parts, the one whose turn is next in front.
	parts []uint64
	// Of an interlock: the subscripts of stores that are known and not done.
	kept queue
	// ready is the step at which a memory port may serve its request, 0 for no
	// request seen.
	ready int64
}

// queue is a channel's tokens.
type queue struct {
	buf  []uint64
	head int
	n    int
	held bool // the token stays
}

func (q *queue) front() uint64 { return q.buf[q.head] }

func (q *queue) pop() {
	if q.held {
		return
	}
	q.head++
	if q.head == len(q.buf) {
		q.head = 0
	}
	q.n--
}

// has reports whether a word is in the queue.
func (q *queue) has(v uint64) bool {
	for i := range q.n {
		if q.buf[(q.head+i)%len(q.buf)] == v {
			return true
		}
	}
	return false
}

func (q *queue) push(v uint64) {
	if q.n == len(q.buf) {
		grown := make([]uint64, max(2*len(q.buf), 2))
		for i := range q.n {
			grown[i] = q.buf[(q.head+i)%len(q.buf)]
		}
		q.buf, q.head = grown, 0
	}
	i := q.head + q.n
	if i >= len(q.buf) {
		i -= len(q.buf)
	}
	q.buf[i] = v
	q.n++
}

func newMachine(p *Program, opts Options) *machine {
	if opts.MaxSteps <= 0 {
		opts.MaxSteps = DefaultMaxSteps
	}
	m := &machine{
		p: p, opts: opts,
		queues: make([]queue, len(p.chans)),
		states: make([]actorState, len(p.actors)),
		mems:   make([][]uint64, len(p.mems)),
		queued: make([]bool, len(p.actors)),
		rng:    opts.Seed,
		hold:   opts.hold - 1,
	}
	// One allocation for all small queues.
	const small = 2
	buf := make([]uint64, small*len(p.chans))
	for i := range m.queues {
		m.queues[i].buf = buf[small*i : small*i+small : small*i+small]
		m.queues[i].held = p.chans[i].held
		if p.chans[i].endless {
			m.queues[i].push(p.chans[i].constant)
			m.queues[i].held = true
		}
	}
	return m
}

// random is the splitmix64 generator.
func (m *machine) random() uint64 {
	m.rng += 0x9e3779b97f4a7c15
	z := m.rng
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// preset puts an argument's token on its channels before the run.
func (m *machine) preset(chans []int32, v uint64) {
	for _, c := range chans {
		m.queues[c].push(v)
		m.wake(m.p.chans[c].to)
	}
}

func (m *machine) wake(a int32) {
	if a == m.hold && a >= 0 {
		m.held = true
	} else if a >= 0 && !m.queued[a] {
		m.queued[a] = true
		m.work = append(m.work, a)
	}
}

// next takes an actor off the work list.
func (m *machine) next() int32 {
	if m.opts.Seed != 0 {
		n := len(m.work)
		i := int(m.random() % uint64(n))
		a := m.work[i]
		m.work[i] = m.work[n-1]
		m.work = m.work[:n-1]
		return a
	}
	a := m.work[m.head]
	m.head++
	if m.head == len(m.work) {
		m.work, m.head = m.work[:0], 0
	} else if m.head > 1024 && 2*m.head > len(m.work) {
		m.work = m.work[:copy(m.work, m.work[m.head:])]
		m.head = 0
	}
	return a
}

// loop fires until nothing can move or the budget is spent.
func (m *machine) loop() {
	if m.restless {
		return
	}
	for m.stats.Firings < m.opts.MaxSteps {
		if m.stop {
			return
		}
		if m.head == len(m.work) {
			if len(m.timers) == 0 && m.held {
				m.held = false
				if !m.states[m.hold].pending {
					m.try(m.hold)
				}
				continue
			}
			if len(m.timers) == 0 {
				return
			}
			// Only slow memory is left: the clock jumps to its next response.
			if at := m.timers[0].at; m.now() < at {
				m.idle += at - m.now()
			}
		}
		for len(m.timers) > 0 && m.timers[0].at <= m.now() {
			m.wake(m.timers.pop().actor)
		}
		id := m.next()
		m.queued[id] = false
		if s := &m.states[id]; s.pending {
			if m.p.actors[id].kind == kInterlock {
				m.takeDone(id)
			}
			if len(s.waiting) > 0 {
				m.deliver(id)
			}
		} else {
			m.try(id)
		}
	}
	m.budget = true
}

// now is the clock of the memory adversary: firings plus idle time.
func (m *machine) now() int64 { return m.stats.Firings + m.idle }

// fire ends a firing: outs is the mask of results that carry a token (their
// values in val), take the mask of operands to release, next the following
// phase. Uses that have room take their token at once; the rest keep the firing
// pending.
func (m *machine) fire(id int32, outs uint64, take uint64, next uint8) {
	m.stats.Firings++
	a, s := &m.p.actors[id], &m.states[id]
	if m.observe != nil {
		m.report(id, outs)
	}
	if m.clock != nil {
		m.clock.fired(m, id, outs, take, next)
		m.release(id, take, next)
		return
	}
	full := false
	for r := range a.out {
		if outs>>r&1 == 0 {
			continue
		}
		for _, c := range a.out[r] {
			switch {
			case m.wire(c):
				s.taking++ // until the consumer lets go of it
			case m.full(c):
				s.waiting = append(s.waiting, c)
				full = true
				continue
			}
			m.queues[c].push(m.carries(id, r))
			m.wake(m.p.chans[c].to)
		}
	}
	if full || s.taking > 0 {
		s.pending, s.next, s.take = true, next, take
		return
	}
	m.release(id, take, next)
}

// deliver offers a pending firing's tokens again.
func (m *machine) deliver(id int32) {
	s := &m.states[id]
	left := s.waiting[:0]
	for _, c := range s.waiting {
		if m.full(c) {
			left = append(left, c)
			continue
		}
		m.queues[c].push(m.carries(id, m.p.chans[c].result))
		m.wake(m.p.chans[c].to)
	}
	s.waiting = left
	if len(left) == 0 && s.taking == 0 {
		s.pending = false
		m.release(id, s.take, s.next)
	}
}

// release lets go of a firing's inputs and looks for the next firing.
func (m *machine) release(id int32, take uint64, next uint8) {
	a, s := &m.p.actors[id], &m.states[id]
	s.phase = next
	if take == takeAll {
		for _, c := range a.in {
			m.letGo(c)
		}
	} else {
		for i := 0; take>>i != 0; i++ {
			if take>>i&1 != 0 {
				m.letGo(a.in[i])
			}
		}
	}
	m.wake(id)
}

// letGo takes a token off a channel. On a wire its producer held it until now.
func (m *machine) letGo(c int32) {
	m.queues[c].pop()
	from := m.p.chans[c].from
	if from >= 0 && m.wire(c) {
		s := &m.states[from]
		if s.taking--; s.taking == 0 && len(s.waiting) == 0 {
			s.pending = false
			m.release(from, s.take, s.next)
		}
		return
	}
	m.wake(from)
}

// wire reports whether a channel has no storage: where the graph runs with its own
// buffers alone. What takes the results takes each by itself.
func (m *machine) wire(c int32) bool {
	return m.opts.OwnBuffers && m.p.chans[c].slots == 0 && m.p.chans[c].to != m.p.ret
}

// full reports whether a channel has no room.
func (m *machine) full(c int32) bool {
	limit := m.opts.Capacity
	if slots := m.p.chans[c].slots; slots > 0 && (limit > 0 || m.opts.OwnBuffers) {
		limit = slots
	}
	return limit > 0 && m.queues[c].n >= limit
}

// takeAll releases every operand.
const takeAll = ^uint64(0)

// timer wakes a memory port.
type timer struct {
	at    int64
	actor int32
}

// timers is a heap, earliest first; equal times by actor, so that runs repeat.
type timers []timer

func (t timers) less(i, j int) bool {
	return t[i].at < t[j].at || t[i].at == t[j].at && t[i].actor < t[j].actor
}

func (t *timers) add(x timer) {
	h := append(*t, x)
	for i := len(h) - 1; i > 0 && h.less(i, (i-1)/2); i = (i - 1) / 2 {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
	}
	*t = h
}

func (t *timers) pop() timer {
	h := *t
	x := h[0]
	h[0] = h[len(h)-1]
	h = h[:len(h)-1]
	for i := 0; ; {
		least := i
		for c := 2*i + 1; c <= 2*i+2 && c < len(h); c++ {
			if h.less(c, least) {
				least = c
			}
		}
		if least == i {
			break
		}
		h[i], h[least] = h[least], h[i]
		i = least
	}
	*t = h
	return x
}
