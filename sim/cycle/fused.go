package cycle

import "loom/compiler/num"

// loopHead is loom_loop: inputs d, a, b; outputs body and out. With the condition it takes the
// value due, the initial one or what came round, and sends it to the body or out.
type loopHead struct {
	node
	started bool // the initial value has gone to the body
}

// value is the input that is due.
func (l *loopHead) value() wire {
	if l.started {
		return l.in[2]
	}
	return l.in[1]
}

func (l *loopHead) forward(e *engine) {
	both, more := e.valid(l.in[0]) && e.valid(l.value()), e.val(l.in[0]) != 0
	e.drive(l.out[0], both && more, e.val(l.value()))
	e.drive(l.out[1], both && !more, e.val(l.value()))
}

func (l *loopHead) fire(e *engine) bool { return e.moved(l.out[0]) || e.moved(l.out[1]) }

func (l *loopHead) backward(e *engine) {
	fire := l.fire(e)
	e.accept(l.in[0], fire)
	e.accept(l.in[1], fire && !l.started)
	e.accept(l.in[2], fire && l.started)
}

func (l *loopHead) clock(e *engine) wake {
	started := l.started
	if l.fire(e) {
		l.started = e.val(l.in[0]) != 0
	}
	return changed(started != l.started)
}

func (l *loopHead) idle() bool { return !l.started }

func (l *loopHead) needs(_ *engine, buf []wire) []wire { return append(buf, l.in[0], l.value()) }

// accumulate is loom_accumulate and the operation around it: inputs d, a, x; outputs the next value
// and out. With a true condition the next value is offered and kept, with a false one the value leaves.
type accumulate struct {
	node
	form    num.Form
	right   bool // the value is operand 1
	before  bool // an iteration gives the value that it begins with, not the one that it ends with
	started bool
	value   uint64
}

func (a *accumulate) due(e *engine) bool { return e.valid(a.in[0]) && (a.started || e.valid(a.in[1])) }

// now is the present value, next what the operation makes of it.
func (a *accumulate) now(e *engine) uint64 {
	if a.started {
		return a.value
	}
	return e.val(a.in[1])
}

func (a *accumulate) next(e *engine) uint64 {
	if a.right {
		return a.form.Binary(e.val(a.in[2]), a.now(e))
	}
	return a.form.Binary(a.now(e), e.val(a.in[2]))
}

func (a *accumulate) forward(e *engine) {
	due, more := a.due(e), e.val(a.in[0]) != 0
	gives := a.now(e)
	if !a.before {
		gives = a.next(e)
	}
	e.drive(a.out[0], due && more && e.valid(a.in[2]), gives)
	e.drive(a.out[1], due && !more, a.now(e))
}

func (a *accumulate) backward(e *engine) {
	fire := e.moved(a.out[0]) || e.moved(a.out[1])
	e.accept(a.in[0], fire)
	e.accept(a.in[1], fire && !a.started)
	e.accept(a.in[2], e.moved(a.out[0]))
}

func (a *accumulate) clock(e *engine) wake {
	switch {
	case e.moved(a.out[0]):
		a.started, a.value = true, a.next(e)
		return dirty
	case e.moved(a.out[1]):
		a.started = false
		return dirty
	}
	return 0
}

func (a *accumulate) idle() bool { return !a.started }

func (a *accumulate) needs(e *engine, buf []wire) []wire {
	buf = append(buf, a.in[0])
	if !a.started {
		buf = append(buf, a.in[1])
	}
	if !e.valid(a.in[0]) || e.val(a.in[0]) != 0 {
		buf = append(buf, a.in[2])
	}
	return buf
}

// accumulatePiped is loom_accumulate_piped and the operation around it: an iteration every latency
// cycles, whose value is offered when it has passed the registers of the operation.
type accumulatePiped struct {
	accumulate
	latency int
	wait    int  // cycles until the value is in the last register
	taken   bool // it has been taken there
}

// present reports whether there is a value in the last register.
func (a *accumulatePiped) present() bool { return a.started && a.wait == 0 }

func (a *accumulatePiped) forward(e *engine) {
	e.drive(a.out[0], a.present() && !a.taken, a.value)
	leaves := a.due(e) && e.val(a.in[0]) == 0 && (!a.started || a.taken)
	e.drive(a.out[1], leaves, a.now(e))
}

// fires reports whether an iteration begins.
func (a *accumulatePiped) fires(e *engine) bool {
	return a.due(e) && e.val(a.in[0]) != 0 && e.valid(a.in[2]) &&
		(!a.started || a.present() && (a.taken || e.nets[a.out[0]].ready))
}

func (a *accumulatePiped) backward(e *engine) {
	fire, leave := a.fires(e), e.moved(a.out[1])
	e.accept(a.in[0], fire || leave)
	e.accept(a.in[1], (fire || leave) && !a.started)
	e.accept(a.in[2], fire)
}

func (a *accumulatePiped) clock(e *engine) wake {
	switch {
	case a.fires(e):
		a.value = a.next(e)
		a.started, a.taken, a.wait = true, false, a.latency-1
		return dirty | tick
	case e.moved(a.out[1]):
		a.started, a.taken = false, false
		return dirty
	case a.wait > 0:
		a.wait--
		return dirty | tick
	case e.moved(a.out[0]):
		a.taken = true
		return dirty
	}
	return 0
}
