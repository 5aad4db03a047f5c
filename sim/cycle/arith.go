package cycle

import "loom/compiler/num"

// op is one step of a datapath program: it reads value slots and writes its
// results to the slots from dst on.
type op struct {
	form num.Form
	args [3]int32
	dst  int32
}

// datapath is a unit whose body is pure single-cycle arithmetic: it joins all
// inputs, computes, passes its register stages and offers the results
// independently. Slots hold the inputs first, then the operations' results.
type datapath struct {
	node
	prog     []op
	yield    []int32 // slot of each result
	slots    []uint64
	interval int

	// full and regs are the stages, each with one word per result; stage 0 is
	// next to the inputs.
	full  []bool
	regs  []uint64
	taken offer
	wait  int // cycles until the next acceptance
}

// present reports whether a firing may enter: all inputs are there and the
// interval is over.
func (d *datapath) present(e *engine) bool {
	if d.wait > 0 || len(d.in) == 0 {
		return false
	}
	for _, w := range d.in {
		if !e.valid(w) {
			return false
		}
	}
	return true
}

// compute runs the body on the inputs; results are then in the yield slots.
func (d *datapath) compute(e *engine) {
	s := d.slots
	for i, w := range d.in {
		s[i] = e.val(w)
	}
	for i := range d.prog {
		o := &d.prog[i]
		switch f := &o.form; {
		case f.Binary != nil:
			s[o.dst] = f.Binary(s[o.args[0]], s[o.args[1]])
		case f.Unary != nil:
			s[o.dst] = f.Unary(s[o.args[0]])
		case f.Ternary != nil:
			s[o.dst] = f.Ternary(s[o.args[0]], s[o.args[1]], s[o.args[2]])
		case f.Pair != nil:
			s[o.dst], s[o.dst+1] = f.Pair(s[o.args[0]], s[o.args[1]])
		case f.Results == 1:
			s[o.dst] = f.Const
		}
	}
}

func (d *datapath) forward(e *engine) {
	n := len(d.full)
	if n == 0 {
		p := d.present(e)
		if p {
			d.compute(e)
		}
		for i, o := range d.out {
			e.drive(o, p && d.taken.wants(i), d.slots[d.yield[i]])
		}
		return
	}
	last := d.regs[(n-1)*len(d.out):]
	for i, o := range d.out {
		e.drive(o, d.full[n-1] && d.taken.wants(i), last[i])
	}
}

// enters reports whether the first stage, or the results themselves, take a
// firing: a stage does when it is empty or passes its own on.
func (d *datapath) enters(e *engine) bool {
	for _, f := range d.full {
		if !f {
			return true
		}
	}
	return d.taken.complete(e, d.out)
}

func (d *datapath) backward(e *engine) {
	fire := d.present(e) && d.enters(e)
	for _, w := range d.in {
		e.accept(w, fire)
	}
}

func (d *datapath) clock(e *engine) (w wake) {
	fire := d.present(e) && d.enters(e)
	n, width := len(d.full), len(d.out)
	if n == 0 {
		if d.present(e) {
			old := d.taken
			d.taken, _ = d.taken.advance(e, d.out)
			w |= changed(old != d.taken)
		}
	} else {
		if d.full[n-1] {
			var completed bool
			if d.taken, completed = d.taken.advance(e, d.out); completed {
				d.full[n-1] = false
			}
		}
		// Later stages first: a stage moves on when the next one is empty or has
		// just been emptied.
		for i := n - 1; i > 0; i-- {
			if d.full[i-1] && !d.full[i] {
				copy(d.regs[i*width:(i+1)*width], d.regs[(i-1)*width:i*width])
				d.full[i-1], d.full[i] = false, true
			}
		}
		if fire {
			d.compute(e)
			for i, y := range d.yield {
				d.regs[i] = d.slots[y]
			}
			d.full[0] = true
		}
		w |= dirty
		// Tokens behind a gap move without a transfer.
		for i := range n - 1 {
			if d.full[i] && !d.full[i+1] {
				w |= tick
			}
		}
	}
	switch {
	case fire && d.interval > 1:
		d.wait = d.interval - 1
		w |= dirty | tick
	case d.wait > 0:
		if d.wait--; d.wait > 0 {
			w |= tick
		}
		w |= dirty
	}
	return w
}

func (d *datapath) idle() bool {
	for _, f := range d.full {
		if f {
			return false
		}
	}
	return d.taken == 0 && d.wait == 0
}

func (d *datapath) needs(_ *engine, buf []wire) []wire { return append(buf, d.in...) }

// iterative is a unit that works on one token at a time, such as loom_divrem: the result is offered
// steps+1 cycles after the operands were accepted, or as many as they take. The next may enter in the
// cycle in which the result leaves.
type iterative struct {
	node
	form  num.Form
	steps int
	// times are the cycles of operands, nil where these make no difference.
	times func(a, b uint64) int

	busy   int // cycles until the result is offered
	full   bool
	result uint64
}

func (d *iterative) forward(e *engine) { e.drive(d.out[0], d.full, d.result) }

func (d *iterative) accepts(e *engine) bool {
	if d.busy > 0 || d.full && !e.nets[d.out[0]].ready {
		return false
	}
	for _, w := range d.in {
		if !e.valid(w) {
			return false
		}
	}
	return true
}

func (d *iterative) backward(e *engine) {
	a := d.accepts(e)
	for _, w := range d.in {
		e.accept(w, a)
	}
}

func (d *iterative) clock(e *engine) wake {
	a := d.accepts(e)
	if e.moved(d.out[0]) {
		d.full = false
	}
	if d.busy > 0 {
		if d.busy--; d.busy == 0 {
			d.full = true
		} else {
			return tick
		}
	}
	if a {
		d.busy = d.steps
		if d.form.Unary != nil {
			d.result = d.form.Unary(e.val(d.in[0]))
		} else {
			x, y := e.val(d.in[0]), e.val(d.in[1])
			d.result = d.form.Binary(x, y)
			if d.times != nil {
				d.busy = d.times(x, y) - 1
			}
		}
		return dirty | tick
	}
	return dirty
}

func (d *iterative) idle() bool                         { return d.busy == 0 && !d.full }
func (d *iterative) needs(_ *engine, buf []wire) []wire { return append(buf, d.in...) }
