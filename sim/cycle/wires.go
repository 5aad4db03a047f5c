package cycle

// wires is a fork without memory (circuit.Wiring): all readers take its token in the same cycle, some
// of them, registers that are always ready, because it is offered to them only then.
type wires struct {
	node
	decides int // the reader whose ready the producer sees
	late    []bool
}

func (f *wires) forward(e *engine) {
	v, d := e.valid(f.in[0]), e.val(f.in[0])
	for i, o := range f.out {
		if !f.late[i] {
			e.drive(o, v, d)
		}
	}
}

func (f *wires) backward(e *engine) {
	ready := e.nets[f.out[f.decides]].ready
	e.accept(f.in[0], ready)
	for i, o := range f.out {
		if f.late[i] {
			e.drive(o, ready && e.valid(f.in[0]), e.val(f.in[0]))
		}
	}
}

func (f *wires) clock(e *engine) wake {
	for _, o := range f.out {
		if e.moved(o) != e.moved(f.in[0].net) {
			panic("cycle: the readers of " + f.what + " do not take its token in the same cycle")
		}
	}
	return 0
}

func (f *wires) idle() bool                         { return true }
func (f *wires) needs(_ *engine, buf []wire) []wire { return append(buf, f.in[0]) }

// together passes a token on, and takes those that nothing reads in the same cycle.
type together struct{ node }

func (t *together) forward(e *engine) { e.drive(t.out[0], e.valid(t.in[0]), e.val(t.in[0])) }

func (t *together) backward(e *engine) {
	for _, w := range t.in {
		e.accept(w, e.nets[t.out[0]].ready)
	}
}

func (t *together) clock(*engine) wake                 { return 0 }
func (t *together) idle() bool                         { return true }
func (t *together) needs(_ *engine, buf []wire) []wire { return buf }
