package cycle

// Units of direct circuits that only graphs from elsewhere have (package circt).

// merge is loom_merge and, with a second output for the number of the input,
// loom_control_merge: a token of the lowest input that has one. A token that was offered goes
// before one of a lower input.
type merge struct {
	node
	stalled bool
	held    int // the input of the stalled token
	taken   offer
}

// chosen is the input whose token is offered, -1 for none.
func (m *merge) chosen(e *engine) int {
	if m.stalled {
		return m.held
	}
	for k, w := range m.in {
		if e.valid(w) {
			return k
		}
	}
	return -1
}

func (m *merge) forward(e *engine) {
	k := m.chosen(e)
	v, d := k >= 0, uint64(0)
	if v {
		d = e.val(m.in[k])
	}
	e.drive(m.out[0], v && m.taken.wants(0), d)
	if len(m.out) > 1 {
		e.drive(m.out[1], v && m.taken.wants(1), uint64(max(k, 0)))
	}
}

func (m *merge) backward(e *engine) {
	k, done := m.chosen(e), m.taken.complete(e, m.out)
	if k >= 0 && !done && !m.stalled {
		e.attend(m.id) // a token that stalls is remembered, though nothing moves
	}
	for i, w := range m.in {
		e.accept(w, i == k && done)
	}
}

func (m *merge) clock(e *engine) wake {
	k := m.chosen(e)
	if k < 0 {
		return 0
	}
	stalled, taken := m.stalled, m.taken
	var done bool
	m.taken, done = m.taken.advance(e, m.out)
	m.stalled, m.held = !done, k
	return changed(stalled != m.stalled || taken != m.taken)
}

func (m *merge) idle() bool { return !m.stalled && m.taken == 0 }

func (m *merge) needs(e *engine, buf []wire) []wire {
	if m.chosen(e) < 0 {
		buf = append(buf, m.in...)
	}
	return buf
}

// primedFIFO is loom_fifo_primed: a queue that begins with words in it and is at rest when it
// has as many.
type primedFIFO struct {
	fifo
	words int
}

func newPrimedFIFO(n node, depth int, words []uint64) *primedFIFO {
	p := &primedFIFO{*newFIFO(n, depth), len(words)}
	p.regBwd = true
	for _, w := range words {
		p.q.push(w)
	}
	return p
}

func (p *primedFIFO) backward(e *engine) { e.accept(p.in[0], !p.q.full()) }
func (p *primedFIFO) idle() bool         { return p.q.count == p.words }
