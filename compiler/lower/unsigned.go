package lower

import (
	"math/bits"

	"loom/compiler/analysis/loops"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

// biasedAttr marks a loop that counts unsigned values moved by half their range
// (unsignedLoop): its step is an unsigned value, so that one that looks
// negative is merely large.
const biasedAttr = "loom.biased"

func init() { rewriters[opname.SCFFor] = unsignedLoop }

// unsignedLoop makes a loop that compares without sign compare with sign. If no
// bound and no sum can reach the sign bit, both comparisons are the same.
// Otherwise everything is moved by half the range: flipping the sign bit turns
// the unsigned order into the signed one, and commutes with adding the step.
//
//	for unsigned i = lb to ub step s {…i…}
//	for j = lb^S to ub^S step s { i = j^S; …i… }
func unsignedLoop(s *state, op *ir.Operation, m rewrite.Maker) bool {
	if op.Attr(loops.UnsignedAttr) == nil {
		return false
	}
	op.SetAttr(loops.UnsignedAttr, nil)
	lb, ub, step := op.Operand(0), op.Operand(1), op.Operand(2)
	t := lb.Type
	w, _ := ir.BitWidth(t, s.opts.IndexWidth)
	if s.opts.deviate == signKept {
		op.SetAttr(biasedAttr, &ir.UnitAttr{})
		return false
	}
	if belowSign(lb, w, s.opts.IndexWidth) && belowSign(ub, w, s.opts.IndexWidth) && sumBelowSign(ub, step, w) {
		return false
	}
	sign := int64(-1) << (w - 1)
	half := m.Integer(sign, t)
	op.SetOperand(0, m.Op(opname.ArithXOrI, t, lb, half))
	op.SetOperand(1, m.Op(opname.ArithXOrI, t, ub, half))
	op.SetAttr(biasedAttr, &ir.UnitAttr{})
	body := op.Regions[0].Entry()
	iv := body.Args[0]
	if iv.HasUses() && s.opts.deviate != variableBiased {
		ops := body.Ops
		body.Ops = nil
		in := rewrite.Maker{Pos: op.Pos, Emit: func(o *ir.Operation) { body.Append(o) }}
		c := in.Integer(sign, t)
		plain := in.Op(opname.ArithXOrI, t, c, c)
		iv.ReplaceAllUsesWith(plain)
		plain.Def.SetOperand(0, iv)
		plain.Name, iv.Name = iv.Name, ""
		for _, o := range ops {
			body.Append(o)
		}
	}
	return false
}

// belowSign proves that the sign bit of a value of w bits is clear.
func belowSign(v *ir.Value, w, indexWidth int) bool {
	if c, ok := v.ConstantInt(); ok {
		return c >= 0
	}
	if v.Def != nil && (v.Def.Name == opname.ArithExtUI || v.Def.Name == opname.ArithIndexCastUI) {
		from, ok := ir.BitWidth(v.Def.Operand(0).Type, indexWidth)
		return ok && from < w
	}
	return false
}

// sumBelowSign proves that a counter below ub, plus the step, does not reach the
// sign bit: by a step of one, which stops at ub, or by constants.
func sumBelowSign(ub, step *ir.Value, w int) bool {
	s, ok := step.ConstantInt()
	if !ok || s <= 0 {
		return false
	}
	if s == 1 {
		return true
	}
	u, ok := ub.ConstantInt()
	sum := uint64(u) + uint64(s)
	return ok && u >= 0 && bits.Len64(sum) < w
}
