package cycle

import (
	"loom/compiler/dialect/dataflow"
	"loom/compiler/ir"
	"loom/compiler/num"
)

// accumulateParts is loom_float_accumulate: inputs d, a, x; output what is summed up. Its parts are a ring of
// registers that moves with every iteration; behind the last one the ring moves by itself and the parts are combined.
type accumulateParts struct {
	node
	form, join num.Form
	neutral    uint64
	ring       []uint64 // the first register first; the last one holds the part that is next in turn
	here       []bool   // registers with a value
	started    bool     // an iteration has taken the initial value
	joining    bool
	step       int    // of the combination
	held       uint64 // the first of a pair
	pair       bool   // there is one
	left       int    // combinations to come
}

func newAccumulateParts(n node, op *ir.Operation) (*accumulateParts, error) {
	n.regFwd, n.regBwd = true, true
	a := &accumulateParts{node: n, ring: make([]uint64, dataflow.Parts(op)), here: make([]bool, dataflow.Parts(op))}
	step, t := dataflow.Step(op), op.Result(0).Type
	var err error
	if a.form, err = num.Resolve(step, 64); err != nil {
		return nil, err
	}
	if a.join, err = num.Resolve(dataflow.Join(op), 64); err != nil {
		return nil, err
	}
	a.neutral, err = num.ConstantBits(&ir.FloatAttr{Value: dataflow.Neutral(step.Name), Type: t}, t, 64)
	a.left = len(a.ring) - 1
	return a, err
}

func (a *accumulateParts) last() int { return len(a.ring) - 1 }

// due reports whether there is a condition, with the initial value where that is due.
func (a *accumulateParts) due(e *engine) bool {
	return e.valid(a.in[0]) && (a.started || e.valid(a.in[1]))
}

func (a *accumulateParts) fires(e *engine) bool {
	return !a.joining && a.due(e) && e.val(a.in[0]) != 0 && e.valid(a.in[2])
}

// begins reports whether the combination begins.
func (a *accumulateParts) begins(e *engine) bool {
	return !a.joining && a.due(e) && e.val(a.in[0]) == 0
}

// done reports whether the result is in the last register.
func (a *accumulateParts) done() bool {
	return a.joining && a.left == 0 && a.step >= len(a.ring) && a.here[a.last()]
}

// first is the first operand of the operation.
func (a *accumulateParts) first(e *engine) uint64 {
	switch {
	case !a.started && !a.joining:
		return e.val(a.in[1])
	case a.here[a.last()]:
		return a.ring[a.last()]
	}
	return a.neutral
}

func (a *accumulateParts) forward(e *engine) { e.drive(a.out[0], a.done(), a.ring[a.last()]) }

func (a *accumulateParts) backward(e *engine) {
	fire, begin := a.fires(e), a.begins(e)
	e.accept(a.in[0], fire || begin)
	e.accept(a.in[1], !a.started && (fire || begin))
	e.accept(a.in[2], fire)
}

// advance moves the ring by one register.
func (a *accumulateParts) advance(v uint64, here bool) {
	copy(a.ring[1:], a.ring)
	copy(a.here[1:], a.here)
	a.ring[0], a.here[0] = v, here
}

func (a *accumulateParts) clock(e *engine) wake {
	switch {
	case e.moved(a.out[0]):
		clear(a.here)
		a.started, a.joining, a.step, a.left = false, false, 0, len(a.ring)-1
		return dirty
	case a.fires(e):
		a.advance(a.form.Binary(a.first(e), e.val(a.in[2])), true)
		a.started = true
		return dirty
	case a.begins(e), a.joining && !a.done():
		v, made := a.first(e), uint64(0)
		arrives := a.step < len(a.ring) || a.here[a.last()] // every part has its turn, what was made of them where it is
		combines := arrives && a.pair
		switch {
		case combines:
			made = a.join.Binary(a.held, v)
			a.left--
		case arrives:
			a.held = v
		}
		a.pair = a.pair != arrives
		a.advance(made, combines)
		a.joining = true
		a.step++
		return dirty | tick
	}
	return 0
}

func (a *accumulateParts) idle() bool { return !a.started && !a.joining }

func (a *accumulateParts) needs(e *engine, buf []wire) []wire {
	if a.joining {
		return buf
	}
	buf = append(buf, a.in[0])
	if !a.started {
		buf = append(buf, a.in[1])
	}
	if !e.valid(a.in[0]) || e.val(a.in[0]) != 0 {
		buf = append(buf, a.in[2])
	}
	return buf
}
