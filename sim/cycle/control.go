package cycle

// The handshake units: combinational, without state except which of several
// results were taken.

// join is loom_join: it fires when every input in the mask holds a token. An
// empty mask never fires. Its inputs are those in the mask only; the others are
// never taken.
type join struct{ node }

func (j *join) forward(e *engine) { e.drive(j.out[0], j.ready(e), 0) }

func (j *join) ready(e *engine) bool {
	for _, w := range j.in {
		if !e.valid(w) {
			return false
		}
	}
	return len(j.in) > 0
}

func (j *join) backward(e *engine) {
	fire := j.ready(e) && e.nets[j.out[0]].ready
	for _, w := range j.in {
		e.accept(w, fire)
	}
}

func (j *join) clock(*engine) wake                 { return 0 }
func (j *join) idle() bool                         { return true }
func (j *join) needs(_ *engine, buf []wire) []wire { return append(buf, j.in...) }

// mux is loom_mux: in[0] selects, only the selected input is consumed with it.
// A selector beyond the last input selects the last.
type mux struct{ node }

func (m *mux) selected(e *engine) wire {
	k := len(m.in) - 2
	if s := e.val(m.in[0]); s < uint64(k) {
		k = int(s)
	}
	return m.in[1+k]
}

func (m *mux) forward(e *engine) {
	w := m.selected(e)
	e.drive(m.out[0], e.valid(m.in[0]) && e.valid(w), e.val(w))
}

func (m *mux) backward(e *engine) {
	fire := e.moved(m.out[0])
	sel := m.selected(e)
	for i, w := range m.in {
		e.accept(w, fire && (i == 0 || w.net == sel.net))
	}
}

func (m *mux) clock(*engine) wake { return 0 }
func (m *mux) idle() bool         { return true }

func (m *mux) needs(e *engine, buf []wire) []wire {
	buf = append(buf, m.in[0])
	if e.valid(m.in[0]) {
		buf = append(buf, m.selected(e))
	}
	return buf
}

// condBr is loom_cond_br: cond, data to true or false.
type condBr struct{ node }

func (c *condBr) forward(e *engine) {
	fire, cond, d := e.valid(c.in[0]) && e.valid(c.in[1]), e.val(c.in[0]) != 0, e.val(c.in[1])
	e.drive(c.out[0], fire && cond, d)
	e.drive(c.out[1], fire && !cond, d)
}

func (c *condBr) backward(e *engine) {
	fire := e.moved(c.out[0]) || e.moved(c.out[1])
	e.accept(c.in[0], fire)
	e.accept(c.in[1], fire)
}

func (c *condBr) clock(*engine) wake                 { return 0 }
func (c *condBr) idle() bool                         { return true }
func (c *condBr) needs(_ *engine, buf []wire) []wire { return append(buf, c.in...) }

// constant is loom_constant: each control token becomes the configured value.
type constant struct {
	node
	value uint64
}

func (c *constant) forward(e *engine)                  { e.drive(c.out[0], e.valid(c.in[0]), c.value) }
func (c *constant) backward(e *engine)                 { e.accept(c.in[0], e.nets[c.out[0]].ready) }
func (c *constant) clock(*engine) wake                 { return 0 }
func (c *constant) idle() bool                         { return true }
func (c *constant) needs(_ *engine, buf []wire) []wire { return append(buf, c.in[0]) }

// loadAddr is the request path of loom_load: address and control joined to the
// memory address. The data path is a wire.
type loadAddr struct{ node }

func (l *loadAddr) forward(e *engine) {
	e.drive(l.out[0], e.valid(l.in[0]) && e.valid(l.in[1]), e.val(l.in[0]))
}

func (l *loadAddr) backward(e *engine) {
	fire := e.moved(l.out[0])
	e.accept(l.in[0], fire)
	e.accept(l.in[1], fire)
}

func (l *loadAddr) clock(*engine) wake                 { return 0 }
func (l *loadAddr) idle() bool                         { return true }
func (l *loadAddr) needs(_ *engine, buf []wire) []wire { return append(buf, l.in...) }

// store is loom_store: address, data and control joined; data (out[0]) and
// address (out[1]) offered independently to the memory.
type store struct {
	node
	taken offer
}

func (s *store) firing(e *engine) bool {
	return e.valid(s.in[0]) && e.valid(s.in[1]) && e.valid(s.in[2])
}

func (s *store) forward(e *engine) {
	f := s.firing(e)
	e.drive(s.out[0], f && s.taken.wants(0), e.val(s.in[1]))
	e.drive(s.out[1], f && s.taken.wants(1), e.val(s.in[0]))
}

func (s *store) backward(e *engine) {
	fire := s.firing(e) && s.taken.complete(e, s.out)
	for _, w := range s.in {
		e.accept(w, fire)
	}
}

func (s *store) clock(e *engine) wake {
	if !s.firing(e) {
		return 0
	}
	old := s.taken
	s.taken, _ = s.taken.advance(e, s.out)
	return changed(old != s.taken)
}

func (s *store) idle() bool                         { return s.taken == 0 }
func (s *store) needs(_ *engine, buf []wire) []wire { return append(buf, s.in...) }
