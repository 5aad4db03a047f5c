package lower

import (
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

// finishReturn makes the function's done token: the join of all groups' tokens,
// or the entry token without memory (spec-dataflow-memory, "function return").
func finishReturn(s *state, _ *diag.List) {
	tokens := s.tokens
	switch {
	case s.opts.deviate == returnEntry:
		tokens = nil
	case s.opts.deviate == returnMissesGroup && len(tokens) > 0:
		tokens = tokens[:len(tokens)-1]
	}
	ret := s.fn.Regions[0].Entry().Terminator()
	done := s.root.control()
	if len(tokens) > 0 {
		done = s.joinMerged(ret, tokens)
	}
	s.emit(opname.HandshakeReturn, ret.Pos, append(append([]*ir.Value(nil), s.results...), done))
	// The merges that joinMerged replaced have lost their operands.
	rewrite.Rebuild(s.body, func(op *ir.Operation, emit func(*ir.Operation)) {
		if op.Name != opname.HandshakeMux || op.NumOperands() > 0 {
			emit(op)
		}
	})
}

// joinMerged joins tokens. Tokens that one condition merged, with the same token
// on one side, are joined before the merge instead of after: one mux then serves
// all groups that a guard branches around.
func (s *state) joinMerged(at *ir.Operation, tokens []*ir.Value) *ir.Value {
	tokens = distinctTokens(s.root, tokens) // behind a fence several groups have one
	if len(tokens) == 0 {
		return s.root.control()
	}
	if len(tokens) == 1 {
		return tokens[0]
	}
	type key struct {
		cond, shared *ir.Value
		side         int
	}
	for side := 1; side <= 2; side++ {
		sets := map[key][]*ir.Value{}
		for _, v := range tokens {
			if v.Def != nil && v.Def.Name == opname.HandshakeMux && !v.HasUses() {
				k := key{v.Def.Operand(0), v.Def.Operand(side), side}
				sets[k] = append(sets[k], v)
			}
		}
		for _, v := range tokens {
			if v.Def == nil || v.Def.Name != opname.HandshakeMux {
				continue
			}
			k := key{v.Def.Operand(0), v.Def.Operand(side), side}
			set := sets[k]
			if len(set) < 2 {
				continue
			}
			var inner []*ir.Value
			merged := map[*ir.Value]bool{}
			for _, m := range set {
				inner = append(inner, m.Def.Operand(3-side))
				merged[m] = true
				m.Def.SetOperands(nil)
			}
			joined := s.joinMerged(at, inner)
			operands := []*ir.Value{k.cond, k.shared, joined}
			if side == 2 {
				operands = []*ir.Value{k.cond, joined, k.shared}
			}
			mux := s.emit(opname.HandshakeMux, set[0].Def.Pos, operands, ir.None)
			mux.Result(0).Name = "order"
			rest := []*ir.Value{mux.Result(0)}
			for _, w := range tokens {
				if !merged[w] {
					rest = append(rest, w)
				}
			}
			return s.joinMerged(at, rest)
		}
	}
	return s.join(at.Pos, tokens, "done")
}
