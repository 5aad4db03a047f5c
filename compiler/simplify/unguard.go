package simplify

import (
	"loom/compiler/analysis/loops"
	"loom/compiler/dfg"
	"loom/compiler/diag"
	"loom/compiler/dialect/arith"
	"loom/compiler/dialect/dataflow"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// removeGuards removes the branch around loops that decides whether they run at all, where
// the loops make the same comparison themselves:
//
//	%runs = arith.cmpi sgt, %n, %zero
//	%s_0, %s_1 = cond_br %runs, %s
//	… stream(0, 1, %n), carry(%more, %s_0, …)        =>    … carry(%more, %s, …)
//	%sum_1 = cond_br %more, %sum: the false side           %sum_1
//	%r = mux %runs [%s_1, %sum_1]
//
// A stream whose start does not pass its test emits one false condition. What enters the body
// by the gated condition, which such a stream does not have, enters by the raw one: the values
// of an invariant, a carried control token and the last completion
//
//	invariant %after, %v                         =>    true side of cond_br %more, (invariant %more, %v)
//	false side of cond_br %after, %done          =>    false side of cond_br %more, (carry %more, %t, %done)
//
// with %t a token of the region around. The guard goes if its side that runs holds nothing but
// such loops and cheap operations, if every value behind it is the same whether the guard or the
// loop skips the iterations, and if more operations go than come.
func removeGuards(s *state, _ *diag.List) {
	if s.again {
		return
	}
	kept := 0 // guards that stay
	for {
		counts := dfg.CountsOf(s.fn)
		activations := activationsOf(s)
		copies := &holder{state: s, counts: counts, roots: map[*ir.Value]*root{}, activations: activations, asks: true}
		var found *guard
		skip := kept
		for _, op := range s.body.Ops {
			if op.Name != opname.ArithCmpI {
				continue
			}
			g := &guard{state: s, counts: counts, activations: activations, cmp: op, cond: op.Result(0), initial: map[*ir.Operation]*ir.Value{}, copies: copies}
			if !g.find() {
				continue
			}
			if skip == 0 {
				found = g
				break
			}
			skip--
		}
		if found == nil {
			return
		}
		if done, _ := s.try(found.remove); !done {
			kept++ // its condition was all that a load's data was for
		}
	}
}

// guard is a comparison that decides whether loops run.
type guard struct {
	*state
	counts      *dfg.Counts
	activations map[*ir.Value]bool
	cmp         *ir.Operation
	cond        *ir.Value

	splits, merges []*ir.Operation
	streams        []*ir.Operation
	// initial are the tokens with which the completions of the loops start, by their splits: those
	// that leave when the loop runs zero times.
	initial map[*ir.Operation]*ir.Value
	copies  *holder
}

// find reports whether the guard can go.
func (g *guard) find() bool {
	for _, u := range g.cond.Uses() {
		switch {
		case u.Op.Name == opname.HandshakeCondBr && u.Index == 0 && u.Op.Operand(1) != g.cond:
			g.splits = append(g.splits, u.Op)
		case u.Op.Name == opname.HandshakeMux && u.Index == 0:
			g.merges = append(g.merges, u.Op)
		default:
			return false
		}
	}
	for _, op := range g.body.Ops {
		if op.Name == opname.DataflowStream && g.counts.Around(op.Result(1)) == (dfg.Site{Kind: dfg.IfTrue, Cond: g.cond}) {
			if !g.same(op) {
				return false
			}
			g.streams = append(g.streams, op)
		}
	}
	if len(g.streams) == 0 {
		return false
	}
	cost := 0
	for _, op := range g.body.Ops {
		inside, ok := g.allowed(op)
		if !ok {
			return false
		}
		if inside && op.Name == opname.DataflowInvariant && g.gated(op.Operand(0)) != nil && !g.activations[op.Result(0)] {
			cost++
		}
	}
	for _, m := range g.merges {
		if !g.agrees(m.Operand(2), m.Operand(1)) {
			return false
		}
		if g.completion(m.Operand(2)) {
			cost++
		}
	}
	return cost <= 1+len(g.splits)+len(g.merges)
}

// side reports whether a value has a token where the guard's condition is kind.
func (g *guard) side(v *ir.Value, kind dfg.SiteKind) bool {
	return g.counts.Site(v) == dfg.Site{Kind: kind, Cond: g.cond}
}

// gated returns the guarded stream whose gated condition c is, nil for none.
func (g *guard) gated(c *ir.Value) *ir.Operation {
	if c.Def == nil || c.Def.Name != opname.DataflowGate || c.Index != 1 {
		return nil
	}
	return g.streamOf(c.Def.Operand(1))
}

// streamOf returns the guarded stream whose raw condition c is, nil for none.
func (g *guard) streamOf(c *ir.Value) *ir.Operation {
	for _, s := range g.streams {
		if s.Result(1) == c {
			return s
		}
	}
	return nil
}

// same reports whether a stream's first test is the guard's comparison.
func (g *guard) same(stream *ir.Operation) bool {
	p, ok := arith.PredicateOf(g.cmp)
	test, known := loops.Test(stream.StrAttr("cont_cond"))
	if !ok || !known {
		return false
	}
	start, bound := stream.Operand(0), stream.Operand(2)
	a, b := g.cmp.Operand(0), g.cmp.Operand(1)
	if g.opts.deviate == guardUnequal {
		return true
	}
	return p == test && g.equal(a, start) && g.equal(b, bound) ||
		p == test.Swapped() && g.equal(a, bound) && g.equal(b, start)
}

// equal reports whether two values are the same, each in its region.
func (g *guard) equal(a, b *ir.Value) bool {
	a, b = g.bare(a), g.bare(b)
	if a == b || g.activations[a] && g.activations[b] {
		return true
	}
	x, y := g.copies.root(a), g.copies.root(b)
	return x != nil && y != nil && *x == *y
}

// bare is a value without the guard's split, and without its hold.
func (g *guard) bare(v *ir.Value) *ir.Value {
	for v.Def != nil && (v.Def.Name == opname.HandshakeCondBr && v.Def.Operand(0) == g.cond || v.Def.Name == opname.DataflowHold) {
		v = v.Def.Operand(v.Def.NumOperands() - 1)
	}
	return v
}

// allowed reports whether an operation belongs to the guarded side, and whether the guard may go
// with an operation like that.
func (g *guard) allowed(op *ir.Operation) (inside, ok bool) {
	for i, v := range op.Operands() {
		switch {
		case g.side(v, dfg.IfFalse):
			// Of the side that skips the loops, merges take what was split.
			if !(op.Name == opname.HandshakeMux && op.Operand(0) == g.cond && i == 1) &&
				!(op.Name == opname.HandshakeConstant && g.side(op.Result(0), dfg.IfFalse)) {
				return false, false
			}
		case g.side(v, dfg.IfTrue):
			inside = true
			switch op.Name {
			case opname.HandshakeJoin:
				if isFence(op) {
					return true, false
				}
			case opname.DataflowStream, opname.HandshakeConstant:
			case opname.DataflowCarry, opname.DataflowInvariant, opname.DataflowAccumulate:
				if steer := op.Operand(0); i != 1 || g.streamOf(steer) == nil && g.gated(steer) == nil {
					return true, false // of a loop that computes its condition
				}
			case opname.HandshakeMux:
				if op.Operand(0) != g.cond {
					return true, false
				}
			default:
				if !computesOnce(op) {
					return true, false
				}
			}
		case g.gated(v) != nil:
			inside = true
			switch {
			case op.Name == opname.DataflowInvariant && i == 0:
			case op.Name == opname.HandshakeCondBr && i == 0 && op.Result(0).Type == ir.Type(ir.None):
				// A completion, or an order that is carried: its true side goes to its carry. The
				// token of a fence may go to several.
				if len(op.Result(0).Uses()) > 1 {
					return true, false
				}
				for _, u := range op.Result(0).Uses() {
					if u.Op.Name != opname.DataflowCarry || u.Index != 2 || u.Op.Operand(0) != v {
						return true, false
					}
				}
			case op.Name == opname.DataflowCarry && i == 0 && op.Result(0).Type == ir.Type(ir.None):
				if again := op.Operand(2).Def; again == nil || again.Name != opname.HandshakeCondBr || again.Operand(0) != v || op.Operand(2).Index != 0 {
					return true, false
				}
			default:
				return true, false
			}
		}
	}
	return inside, true
}

// completion reports whether v is the last token of a loop's gated condition.
func (g *guard) completion(v *ir.Value) bool {
	if v.Def != nil && v.Def.Name == opname.HandshakeJoin {
		for _, t := range v.Def.Operands() {
			if g.completion(t) {
				return true
			}
		}
		return false
	}
	return v.Def != nil && v.Def.Name == opname.HandshakeCondBr && v.Index == 1 && g.gated(v.Def.Operand(0)) != nil
}

// agrees reports whether a value of the guarded side is other where the loops run zero times.
func (g *guard) agrees(v, other *ir.Value) bool {
	op := v.Def
	if op == nil {
		return false
	}
	switch {
	case op.Name == opname.HandshakeCondBr && op.Operand(0) == g.cond, op.Name == opname.HandshakeConstant:
		return g.equal(v, other)
	case op.Name == opname.HandshakeCondBr && v.Index == 1 && g.streamOf(op.Operand(0)) != nil:
		c := op.Operand(1).Def
		return c != nil && c.Name == opname.DataflowCarry && c.Operand(0) == op.Operand(0) && g.agrees(c.Operand(1), other)
	case op.Name == opname.DataflowAccumulate && g.streamOf(op.Operand(0)) != nil:
		return g.agrees(op.Operand(1), other)
	case op.Name == opname.HandshakeCondBr && v.Index == 1 && g.gated(op.Operand(0)) != nil:
		if c := orderOf(op); c != nil {
			return g.agrees(c.Operand(1), other)
		}
		// The completion of nothing: it can be any token.
		token := g.bare(other)
		if dataflow.IsHeld(other) {
			return true
		}
		if before := g.initial[op]; before != nil && before != token {
			return false
		}
		g.initial[op] = token
		return true
	case op.Name == opname.HandshakeJoin && !isFence(op):
		for _, t := range op.Operands() {
			if t.Type != ir.Type(ir.None) || !g.agrees(t, other) {
				return false
			}
		}
		return true
	}
	return false
}

// orderOf is the carry that a split of the gated condition belongs to, nil for a completion.
func orderOf(split *ir.Operation) *ir.Operation {
	for _, u := range split.Result(0).Uses() {
		if u.Op.Name == opname.DataflowCarry {
			return u.Op
		}
	}
	return nil
}

// remove lets the loops run whether the guard holds or not.
func (g *guard) remove() {
	around := g.activation()
	for _, op := range append([]*ir.Operation(nil), g.body.Ops...) {
		after := (*ir.Value)(nil)
		if n := op.NumOperands(); n > 0 {
			after = op.Operand(0)
		}
		if after == nil || g.gated(after) == nil {
			continue
		}
		raw := g.gated(after).Result(1)
		g.raw(op, raw, func() *ir.Value {
			if first := g.initial[op]; first != nil {
				return first
			}
			return around
		})
	}
	for _, op := range g.splits {
		op.Result(0).ReplaceAllUsesWith(op.Operand(1))
		op.Result(1).ReplaceAllUsesWith(op.Operand(1))
	}
	for _, op := range g.merges {
		op.Result(0).ReplaceAllUsesWith(op.Operand(2))
		op.SetOperands(nil)
	}
	for _, op := range g.splits {
		op.SetOperands(nil)
	}
	s := g.state
	s.erase(func(op *ir.Operation) bool { return op.NumOperands() == 0 && isEmpty(op) })
	clearDead(s, nil)
}

// isEmpty reports whether an operation that needs operands has lost them.
func isEmpty(op *ir.Operation) bool {
	return op.Name == opname.HandshakeCondBr || op.Name == opname.HandshakeMux
}

// erase removes operations without users.
func (s *state) erase(gone func(*ir.Operation) bool) {
	kept := s.body.Ops[:0:0]
	for _, op := range s.body.Ops {
		if !gone(op) {
			kept = append(kept, op)
		}
	}
	s.body.Ops = kept
}

// activation is a control token for each time that the guard decided: the loops start then.
func (g *guard) activation() *ir.Value {
	if g.counts.Once(g.cond) {
		return g.start
	}
	at := g.streams[0]
	for _, v := range at.Operands() {
		if dataflow.IsHeld(v) {
			continue
		}
		for v.Def != nil && (v.Def.Name == opname.HandshakeConstant || v.Def.Name == opname.HandshakeCondBr && v.Def.Operand(0) == g.cond) {
			v = v.Def.Operand(v.Def.NumOperands() - 1)
		}
		if v.Type == ir.Type(ir.None) {
			return v
		}
		j := ir.NewOp(opname.HandshakeJoin, g.cmp.Pos, []*ir.Value{v}, []ir.Type{ir.None})
		g.body.InsertBefore(at, j)
		return j.Result(0)
	}
	panic("a stream without a token")
}

// split inserts a cond_br in front of an operation.
func (s *state) split(at *ir.Operation, cond, v *ir.Value) *ir.Operation {
	br := ir.NewOp(opname.HandshakeCondBr, at.Pos, []*ir.Value{cond, v}, []ir.Type{v.Type, v.Type})
	br.Result(0).Name = v.Name
	s.body.InsertBefore(at, br)
	return br
}
