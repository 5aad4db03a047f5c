package dfg

import (
	"loom/compiler/diag"
	"loom/compiler/dialect/dataflow"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// The rate of a value is how many tokens it carries, expressed by the region it
// belongs to (design page "SCF to DFG", "The token discipline": a value that
// belongs to a region carries exactly one token per activation). Every operation
// demands equal rates of some of its values and changes the rate of others by one
// rule; solving these equations over the whole graph finds raw control used
// where gated control belongs, live-ins that are not gated, and merges of
// branches that do not belong together, without running anything.
//
// A loop is named by its raw condition: the will-continue result of a stream, or
// the condition of a while, which is what steers a carry or invariant without
// being a stream's or a gate's.

// rateKind describes how a rate relates to its condition.
type rateKind uint8

const (
	rateEntry rateKind = iota // once per start of the graph
	rateThen                  // activations in which the condition holds
	rateElse                  // … does not hold
	rateRaw                   // N+1 per activation of the loop
	rateBody                  // N per activation
	rateAgain                 // N-1 per activation: what after_cond lets continue
)

// rate is a known rate.
type rate struct {
	kind rateKind
	of   *ir.Value // the condition, or the raw condition of the loop
}

// class is a set of values of one rate, as a union-find node.
type class struct {
	up    *class
	rate  rate
	known bool
	// from is where the rate became known, for messages.
	from *ir.Operation
}

func (c *class) root() *class {
	for c.up != nil {
		if c.up.up != nil {
			c.up = c.up.up
		}
		c = c.up
	}
	return c
}

// rates solves the equations of all operations and reports contradictions. It
// needs operations of the right shape.
func (v *verifier) rates() *solver {
	s := &solver{
		v: v, byValue: map[*ir.Value]*class{}, fixed: map[rate]*class{},
		parents: map[*ir.Value]*class{}, loops: map[*ir.Value]bool{},
	}
	for _, op := range v.body.Ops {
		s.loop(op)
	}
	for _, a := range v.body.Args {
		if _, mem := a.Type.(*ir.MemRefType); !mem {
			s.is(nil, a, rate{kind: rateEntry})
		}
	}
	for _, op := range v.body.Ops {
		s.op(op)
	}
	return s
}

type solver struct {
	v       *verifier
	byValue map[*ir.Value]*class
	fixed   map[rate]*class
	// parents are the rates of the regions around loops, by raw condition.
	parents map[*ir.Value]*class
	// loops are the values that are raw conditions.
	loops map[*ir.Value]bool
}

func (s *solver) of(w *ir.Value) *class {
	c := s.byValue[w]
	if c == nil {
		c = &class{}
		s.byValue[w] = c
	}
	return c.root()
}

func (s *solver) known(r rate) *class {
	c := s.fixed[r]
	if c == nil {
		c = &class{rate: r, known: true}
		s.fixed[r] = c
	}
	return c.root()
}

func (s *solver) parent(loop *ir.Value) *class {
	c := s.parents[loop]
	if c == nil {
		c = &class{}
		s.parents[loop] = c
	}
	return c.root()
}

// is states that w has a known rate.
func (s *solver) is(at *ir.Operation, w *ir.Value, r rate) { s.unify(at, w, s.known(r)) }

// same states that values have one rate.
func (s *solver) same(at *ir.Operation, ws ...*ir.Value) {
	var first *ir.Value
	for _, w := range ws {
		switch {
		case dataflow.IsHeld(w): // goes with any
		case first == nil:
			first = w
		default:
			s.unify(at, w, s.of(first))
		}
	}
}

func (s *solver) unify(at *ir.Operation, w *ir.Value, b *class) {
	if dataflow.IsHeld(w) {
		return
	}
	a := s.of(w)
	b = b.root()
	if a == b {
		return
	}
	if a.known && b.known {
		s.conflict(at, w, a.rate, b.rate)
		return
	}
	if b.known {
		a, b = b, a
	}
	b.up = a
	if a.from == nil {
		a.from = at
	}
}

// loop adds the raw condition that op makes or is steered by.
func (s *solver) loop(op *ir.Operation) {
	switch op.Name {
	case opname.DataflowStream:
		s.loops[op.Result(1)] = true
	case opname.DataflowGate:
		s.loops[op.Operand(1)] = true
	case opname.DataflowCarry, opname.DataflowInvariant, opname.DataflowAccumulate:
		if _, gated := gatedLoop(op.Operand(0)); !gated {
			s.loops[op.Operand(0)] = true
		}
	}
}

// gatedLoop returns the raw condition behind an after_cond.
func gatedLoop(c *ir.Value) (*ir.Value, bool) {
	if c.Def != nil && c.Def.Name == opname.DataflowGate && c.Index == 1 {
		return c.Def.Operand(1), true
	}
	return nil, false
}

// op states the equations of one operation.
func (s *solver) op(op *ir.Operation) {
	in, out := op.Operands(), op.Results()
	switch op.Name {
	case opname.DataflowHold:
		s.is(op, in[0], rate{kind: rateEntry})
	case opname.HandshakeReturn:
		for _, w := range in {
			s.is(op, w, rate{kind: rateEntry})
		}
	case opname.HandshakeCondBr:
		s.same(op, in[0], in[1])
		if on, ok := in[0].ConstantInt(); ok && on != 0 && onlyPasses(in[0]) {
			s.same(op, in[0], out[0]) // a value that waits for a token: every one passes
			break
		}
		yes, no, all := s.sides(op, in[0])
		if all != nil {
			s.unify(op, in[1], all)
		}
		s.unify(op, out[0], yes)
		s.unify(op, out[1], no)
	case opname.HandshakeMux:
		s.same(op, in[0], out[0])
		yes, no, all := s.sides(op, in[0])
		if all != nil {
			s.unify(op, in[0], all)
		}
		s.unify(op, in[1], no)
		s.unify(op, in[2], yes)
	case opname.DataflowStream:
		loop := out[1]
		for _, w := range in {
			s.unify(op, w, s.parent(loop))
		}
		s.is(op, out[0], rate{rateRaw, loop})
		s.is(op, out[1], rate{rateRaw, loop})
	case opname.DataflowGate:
		loop := in[1]
		s.is(op, in[0], rate{rateRaw, loop})
		s.is(op, in[1], rate{rateRaw, loop})
		s.is(op, out[0], rate{rateBody, loop})
		s.is(op, out[1], rate{rateBody, loop})
	case opname.DataflowCarry:
		loop, kind, feedback := in[0], rateRaw, rateBody
		if raw, gated := gatedLoop(in[0]); gated {
			loop, kind, feedback = raw, rateBody, rateAgain
		}
		s.is(op, in[0], rate{kind, loop})
		s.unify(op, in[1], s.parent(loop))
		s.is(op, in[2], rate{feedback, loop})
		s.is(op, out[0], rate{kind, loop})
	case opname.DataflowAccumulate:
		loop := in[0]
		s.is(op, in[0], rate{rateRaw, loop})
		s.unify(op, in[1], s.parent(loop))
		s.is(op, in[2], rate{rateBody, loop})
		s.unify(op, out[0], s.parent(loop))
	case opname.DataflowInvariant:
		loop, kind := in[0], rateRaw
		if raw, gated := gatedLoop(in[0]); gated {
			loop, kind = raw, rateBody
		}
		s.is(op, in[0], rate{kind, loop})
		s.unify(op, in[1], s.parent(loop))
		s.is(op, out[0], rate{kind, loop})
	case opname.DataflowInterlock:
		s.same(op, in[0], in[1], out[0]) // done tokens are of the iterations that store
	case opname.HandshakeMemory, opname.HandshakeExtmemory:
		p, _ := portsOf(op)
		for i := range p.Stores {
			s.same(op, in[p.StoreAddr(i)], in[p.StoreData(i)], out[p.StoreDone(i)])
		}
		for i := range p.Loads {
			s.same(op, in[p.LoadAddr(i)], out[p.LoadData(i)], out[p.LoadDone(i)])
		}
	default:
		s.same(op, append(append([]*ir.Value(nil), in...), out...)...)
	}
}

// sides are the rates where a condition holds and where it does not, and for
// loop conditions the rate of the condition itself. For the raw condition of a
// loop "it holds" is the body and "it does not" the end of the activation.
func (s *solver) sides(op *ir.Operation, cond *ir.Value) (yes, no, all *class) {
	if loop, gated := gatedLoop(cond); gated {
		return s.known(rate{rateAgain, loop}), s.parent(loop), s.known(rate{rateBody, loop})
	}
	if s.loops[cond] {
		return s.known(rate{rateBody, cond}), s.parent(cond), s.known(rate{rateRaw, cond})
	}
	return s.known(rate{rateThen, cond}), s.known(rate{rateElse, cond}), nil
}

// conflict reports two rates for one value.
func (s *solver) conflict(at *ir.Operation, w *ir.Value, a, b rate) {
	pos := w.Pos()
	name := "a parameter"
	if at != nil {
		pos = at.Pos
		name = "'" + at.Name + "'"
	}
	d := diag.New(pos, "the token counts at %s do not agree: %%%s carries %s where %s is needed", name, valueName(w), a, b)
	if isLoop(a.kind) && isLoop(b.kind) && a.of == b.of {
		d.WithHelp("raw control has N+1 tokens per activation, gated control N: body-local operations must use the gated condition (dataflow.gate), boundaries of the loop the raw one")
	} else {
		d.WithHelp("a value enters a branch through handshake.cond_br, a loop through dataflow.invariant, and leaves through handshake.mux or the false side of the loop's split")
		if isBranch(a.kind) && isBranch(b.kind) && a.of != b.of {
			// Two conditions may be equal without being one value.
			d.Severity = diag.Warning
		}
	}
	if w.Def != nil && w.Def.Pos != pos {
		d.WithNote(w.Def.Pos, "%%%s is defined here by '%s'", valueName(w), w.Def.Name)
	}
	s.v.errs.Add(d)
}

func isLoop(k rateKind) bool   { return k == rateRaw || k == rateBody || k == rateAgain }
func isBranch(k rateKind) bool { return k == rateThen || k == rateElse }

// String describes a rate in words.
func (r rate) String() string {
	at := ""
	if r.of != nil {
		at = " at " + r.of.Pos().String()
	}
	switch r.kind {
	case rateThen:
		return "one token where the condition" + at + " holds"
	case rateElse:
		return "one token where the condition" + at + " does not hold"
	case rateRaw:
		return "one token per test of the loop" + at + " (N+1)"
	case rateBody:
		return "one token per iteration of the loop" + at + " (N)"
	case rateAgain:
		return "one token per repetition of the loop" + at + " (N-1)"
	}
	return "one token per start of the graph"
}

func valueName(w *ir.Value) string {
	if w.Name != "" {
		return w.Name
	}
	if w.Def != nil && w.Index > 0 && w.Def.Result(0).Name != "" {
		return w.Def.Result(0).Name + "#" + itoa(w.Index)
	}
	return itoa(w.Index)
}
