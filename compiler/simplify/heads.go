package simplify

import (
	"loom/compiler/dfg"
	"loom/compiler/diag"
	"loom/compiler/dialect/dataflow"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// carryRaw lets what enters a counted loop by its gated condition enter by the raw one, where
// that takes fewer units of a fabric:
//
//	%i, %next = dataflow.gate %i_raw, %more
//	%order = dataflow.carry %next, %t, %stored_0     =>    %o = dataflow.carry %more, %t, %stored
//	%stored_0, %stored_1 = cond_br %next, %stored          %order, %stored_1 = cond_br %more, %o
//
// A carry and the branch behind it by one condition are the head of a loop, which a fabric has as
// one unit, and a stream with the branch that takes the last index away is a counter; a gate and a
// branch whose carry has another condition are units of their own. An invariant needs a branch
// then, so a loop stays that repeats more values than it carries tokens.
func carryRaw(s *state, _ *diag.List) {
	if s.opts.Fabric == nil {
		return
	}
	for kept := 0; ; { // heads that stay
		counts := dfg.CountsOf(s.fn)
		skip := kept
		var found *head
		for _, op := range s.body.Ops {
			if op.Name != opname.DataflowGate || !op.Result(1).HasUses() || op.Operand(1).Def == nil || op.Operand(1).Def.Name != opname.DataflowStream {
				continue
			}
			h := &head{state: s, counts: counts, stream: op.Operand(1).Def, next: op.Result(1)}
			if !h.pays() {
				continue
			}
			if skip == 0 {
				found = h
				break
			}
			skip--
		}
		if found == nil {
			break
		}
		if done, _ := s.try(found.change); !done {
			kept++ // the return waited for what the loop repeats, which runs for sure
		}
	}
	clearDead(s, nil)
}

// head is what a counted loop carries and repeats by its gated condition.
type head struct {
	*state
	counts *dfg.Counts
	stream *ir.Operation
	next   *ir.Value
}

// pays reports whether the raw condition takes fewer units than the gated one and can take its place.
func (h *head) pays() bool {
	invariants, orders, completions := 0, 0, 0
	for _, u := range h.next.Uses() {
		switch op := u.Op; {
		case op.Name == opname.DataflowInvariant && u.Index == 0:
			invariants++
		case op.Name == opname.DataflowCarry && u.Index == 0:
			again := op.Operand(2).Def
			if again == nil || again.Name != opname.HandshakeCondBr || again.Operand(0) != h.next || op.Operand(2).Index != 0 {
				return false
			}
		case op.Name == opname.HandshakeCondBr && u.Index == 0 && op.Result(0).Type == ir.Type(ir.None):
			us := op.Result(0).Uses()
			switch {
			case len(us) == 0:
				completions++
			case len(us) == 1 && us[0].Op.Name == opname.DataflowCarry && us[0].Index == 2 && us[0].Op.Operand(0) == h.next:
				orders++
			default:
				return false // of a fence, to several carries
			}
		default:
			return false
		}
	}
	// A gate, two units for each order, one for the rest; against a head for each order and
	// completion, two units for what is repeated, and one for the token that a completion starts with.
	before, after := 1+2*orders+completions+invariants, orders+completions+2*invariants
	if completions > 0 && !h.hasToken() {
		after++
	}
	return after < before
}

// hasToken reports whether a control token starts the loop, or the start token does.
func (h *head) hasToken() bool {
	return h.token().Type == ir.Type(ir.None)
}

// token is a value with a token for each activation of the loop.
func (h *head) token() *ir.Value {
	if h.counts.Around(h.stream.Result(1)).Kind == dfg.AtStart {
		return h.start
	}
	for _, v := range h.stream.Operands() {
		if dataflow.IsHeld(v) {
			continue
		}
		if v.Def != nil && v.Def.Name == opname.HandshakeConstant {
			v = v.Def.Operand(0)
		}
		return v
	}
	panic("a stream without a token")
}

// change lets everything go by the raw condition.
func (h *head) change() {
	var around *ir.Value
	for _, u := range append([]ir.Use(nil), h.next.Uses()...) {
		if u.Op.Name == opname.DataflowCarry {
			continue // with its branch
		}
		h.raw(u.Op, h.stream.Result(1), func() *ir.Value {
			if around == nil {
				if around = h.token(); around.Type != ir.Type(ir.None) {
					j := ir.NewOp(opname.HandshakeJoin, around.Pos(), []*ir.Value{around}, []ir.Type{ir.None})
					h.body.InsertBefore(h.stream, j)
					around = j.Result(0)
				}
			}
			return around
		})
	}
	h.erase(func(op *ir.Operation) bool { return op.NumOperands() == 0 && isEmpty(op) })
}

// raw changes an invariant, or the branch behind an order or a completion, from the gated
// condition of a loop to the raw one. First is the token with which a completion starts. The
// branch of the gated condition loses its operands.
func (s *state) raw(op *ir.Operation, raw *ir.Value, first func() *ir.Value) {
	switch op.Name {
	case opname.DataflowInvariant:
		op.SetOperand(0, raw)
		split := s.split(op, raw, op.Result(0))
		for _, u := range append([]ir.Use(nil), op.Result(0).Uses()...) {
			if u.Op != split {
				u.Op.SetOperand(u.Index, split.Result(0))
			}
		}
	case opname.HandshakeCondBr:
		carry := orderOf(op)
		if carry == nil {
			carry = ir.NewOp(opname.DataflowCarry, op.Pos, []*ir.Value{raw, first(), op.Operand(1)}, []ir.Type{ir.None})
			s.body.InsertBefore(op, carry)
		} else {
			carry.SetOperands([]*ir.Value{raw, carry.Operand(1), op.Operand(1)})
		}
		split := s.split(op, raw, carry.Result(0))
		op.Result(1).ReplaceAllUsesWith(split.Result(1))
		for _, u := range append([]ir.Use(nil), carry.Result(0).Uses()...) {
			if u.Op != split {
				u.Op.SetOperand(u.Index, split.Result(0))
			}
		}
		op.SetOperands(nil)
	}
}
