package cycle

// fork is loom_fork, one input of a loom_switch with several takers, and the
// fan-out of a value inside a function unit: every output is offered
// independently, the input is released when all have taken it.
type fork struct {
	node
	taken offer
}

func (f *fork) forward(e *engine) {
	v, d := e.valid(f.in[0]), e.val(f.in[0])
	for i, o := range f.out {
		e.drive(o, v && f.taken.wants(i), d)
	}
}

func (f *fork) backward(e *engine) { e.accept(f.in[0], f.taken.complete(e, f.out)) }

func (f *fork) clock(e *engine) wake {
	if !e.valid(f.in[0]) {
		return 0
	}
	old := f.taken
	f.taken, _ = f.taken.advance(e, f.out)
	return changed(old != f.taken)
}

func (f *fork) idle() bool { return f.taken == 0 }

func (f *fork) needs(_ *engine, buf []wire) []wire { return append(buf, f.in[0]) }

// unrouted is a switch input with neither route nor discard: a token there is
// consumed and reported.
type unrouted struct{ node }

func (u *unrouted) forward(*engine)    {}
func (u *unrouted) backward(e *engine) { e.accept(u.in[0], true) }

func (u *unrouted) clock(e *engine) wake {
	if e.valid(u.in[0]) {
		e.raise(CodeSwitchUnrouted, &u.node)
	}
	return 0
}

func (u *unrouted) idle() bool                         { return true }
func (u *unrouted) needs(_ *engine, buf []wire) []wire { return buf }

// misconfigured is a configuration error: it stands as long as the design runs.
type misconfigured struct {
	node
	code int
}

func (m *misconfigured) forward(*engine)                    {}
func (m *misconfigured) backward(*engine)                   {}
func (m *misconfigured) clock(e *engine) wake               { e.raise(m.code, &m.node); return tick }
func (m *misconfigured) idle() bool                         { return true }
func (m *misconfigured) needs(_ *engine, buf []wire) []wire { return buf }
