package lower

import (
	"sort"
	"strconv"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/dialect/handshake"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// shareOperations makes the graph smaller without changing one token stream:
//
//	equal operations become one (same inputs, same attributes: same tokens)
//	mux(c, no, yes) of both sides of cond_br(c, v) is v
//	mux(c, k, k) of a constant fired on both sides of cond_br(c, t) is the constant fired by t
//	a token carried around a loop that nothing waits for is the token itself
//	join(a, a, b) is join(a, b), join(a) is a, a join read by one join only is part of it,
//	unless it is a fence, which stays for all to see
//
// Streams and gates are never shared between loops: one loop would wait for the
// other to take its indices. Requires: the whole graph is connected. "sweep" removes
// what becomes unused.
func shareOperations(s *state, _ *diag.List) {
	h := &sharer{s: s, ids: map[*ir.Value]int{}}
	for range maxRounds {
		h.changed = false
		h.round()
		if !h.changed {
			break
		}
		sweep(s, nil)
	}
}

type sharer struct {
	s       *state
	changed bool
	ids     map[*ir.Value]int
}

// shareable reports whether two operations with equal inputs may be one.
func shareable(op *ir.Operation) bool {
	switch op.Name {
	case opname.HandshakeConstant, opname.HandshakeCondBr, opname.HandshakeMux, opname.HandshakeJoin,
		opname.DataflowCarry, opname.DataflowInvariant:
		return true
	}
	return isPure(op)
}

func (h *sharer) round() {
	first := map[string]*ir.Operation{}
	for _, op := range h.s.body.Ops {
		if !used(op) {
			continue
		}
		if h.rewrite(op) {
			h.changed = true
			continue
		}
		if !shareable(op) {
			continue
		}
		key := h.key(op)
		f := first[key]
		if f == nil {
			first[key] = op
			continue
		}
		for i, r := range op.Results() {
			r.ReplaceAllUsesWith(f.Result(i))
		}
		h.changed = true
	}
}

func used(op *ir.Operation) bool {
	for _, r := range op.Results() {
		if r.HasUses() {
			return true
		}
	}
	return false
}

func (h *sharer) id(v *ir.Value) int {
	id, ok := h.ids[v]
	if !ok {
		id = len(h.ids)
		h.ids[v] = id
	}
	return id
}

// key identifies the token streams of an operation.
func (h *sharer) key(op *ir.Operation) string {
	ids := make([]int, op.NumOperands())
	for i, v := range op.Operands() {
		ids[i] = h.id(v)
	}
	if op.Name == opname.HandshakeJoin || op.Is(ir.Commutative) {
		sort.Ints(ids)
	}
	if op.Name == opname.HandshakeConstant && h.s.opts.deviate == shareRegions {
		ids = nil
	}
	var b strings.Builder
	b.WriteString(op.Name)
	for _, id := range ids {
		b.WriteByte(' ')
		b.WriteString(strconv.Itoa(id))
	}
	if len(op.Attrs) > 0 {
		b.WriteString(op.Attrs.String())
	}
	for _, r := range op.Results() {
		b.WriteByte(':')
		b.WriteString(r.Type.String())
	}
	return b.String()
}

// rewrite applies the rules that look at an operation and its inputs.
func (h *sharer) rewrite(op *ir.Operation) bool {
	switch op.Name {
	case opname.HandshakeMux:
		return h.mux(op)
	case opname.HandshakeCondBr:
		return h.split(op)
	case opname.HandshakeJoin:
		return h.join(op)
	}
	return false
}

// sidesOf returns the cond_br of which no and yes are the two sides under c.
func (h *sharer) sidesOf(c, no, yes *ir.Value) *ir.Operation {
	br := yes.Def
	if br == nil || br.Name != opname.HandshakeCondBr || no.Def != br || yes.Index != 0 || no.Index != 1 || br.Operand(0) != c {
		return nil
	}
	return br
}

func (h *sharer) mux(op *ir.Operation) bool {
	c, no, yes := op.Operand(0), op.Operand(1), op.Operand(2)
	if br := h.sidesOf(c, no, yes); br != nil {
		op.Result(0).ReplaceAllUsesWith(br.Operand(1))
		return true
	}
	a, b := no.Def, yes.Def
	if a == nil || b == nil || a.Name != opname.HandshakeConstant || b.Name != a.Name || a.Attrs.String() != b.Attrs.String() {
		return false
	}
	// The constant fires more often now, so it must have no other reader.
	if br := h.sidesOf(c, a.Operand(0), b.Operand(0)); br != nil && onlyReader(yes, op) {
		b.SetOperand(0, br.Operand(1))
		op.Result(0).ReplaceAllUsesWith(yes)
		return true
	}
	return false
}

// split drops the cond_br of a token that is only carried around the loop.
//
// cond_br(c, mux(c, a, b)) is not simplified, although the values on its sides are
// those of b and a: that the last token has passed a merge means that all before it
// have, on either side, and completions are collected by that.
func (h *sharer) split(op *ir.Operation) bool {
	c, v := op.Operand(0), op.Operand(1)
	d := v.Def
	if d == nil {
		return false
	}
	if d.Name == opname.DataflowCarry && d.Operand(0) == c && d.Operand(2) == op.Result(0) && onlyReader(op.Result(0), d) &&
		onlyReader(v, op) && v.Type == ir.Type(ir.None) {
		op.Result(1).ReplaceAllUsesWith(d.Operand(1))
		return true
	}
	return false
}

// onlyReader reports whether op alone reads v, once.
func onlyReader(v *ir.Value, op *ir.Operation) bool {
	return len(v.Uses()) == 1 && v.Uses()[0].Op == op
}

func (h *sharer) join(op *ir.Operation) bool {
	var tokens []*ir.Value
	seen := map[*ir.Value]bool{}
	flattened := false
	for _, v := range op.Operands() {
		if d := v.Def; d != nil && d != op && d.Name == opname.HandshakeJoin && d.Attr(handshake.FenceAttr) == nil && onlyReader(v, op) {
			flattened = true
			for _, w := range d.Operands() {
				if !seen[w] {
					seen[w] = true
					tokens = append(tokens, w)
				}
			}
			continue
		}
		if !seen[v] {
			seen[v] = true
			tokens = append(tokens, v)
		}
	}
	switch {
	case len(tokens) == 1 && tokens[0].Type == ir.Type(ir.None) && op.Attr(handshake.FenceAttr) == nil:
		op.Result(0).ReplaceAllUsesWith(tokens[0])
		return true
	case flattened || len(tokens) < op.NumOperands():
		op.SetOperands(tokens)
		return true
	}
	return false
}
