package structure

import (
	"math/bits"

	"loom/compiler/ir"
	"loom/compiler/opname"
)

// mergeInductions computes from the counter of an scf.for what counts beside it,
// where that takes one operation instead of a carried value and its step: a value
// that starts where it may and grows by the counter's step, or against it, or by a
// power of two of it from zero.
func mergeInductions(op *ir.Operation) bool {
	body := op.Regions[0].Entry()
	yield := body.Terminator()
	step, ok := op.Operand(2).ConstantInt()
	if !ok || len(body.Args) < 2 {
		return false
	}
	iv, lb := body.Args[0], op.Operand(0)
	low, constant := lb.ConstantInt()
	changed := false
	for i, a := range body.Args[1:] {
		if a.Type != iv.Type || op.Result(i).HasUses() || !a.HasUses() {
			continue
		}
		by, ok := constantStep(yield.Operand(i), func(v *ir.Value) bool { return v == a })
		if !ok {
			continue
		}
		init := op.Operand(3 + i)
		before := maker(op.Pos, func(o *ir.Operation) { op.Block().InsertBefore(op, o) })
		first := body.Ops[0]
		inside := maker(op.Pos, func(o *ir.Operation) { body.InsertBefore(first, o) })
		start, isConstant := init.ConstantInt()
		var v *ir.Value
		switch {
		case by == step && (init.Equals(lb) || deviate == offsetIgnored):
			v = iv
		case by == step:
			from := init
			if !constant || low != 0 {
				from = before.Op(opname.ArithSubI, iv.Type, init, lb)
			}
			v = inside.Op(opname.ArithAddI, iv.Type, iv, from)
		case by == -step:
			from := init
			if !constant || low != 0 {
				from = before.Op(opname.ArithAddI, iv.Type, init, lb)
			}
			v = inside.Op(opname.ArithSubI, iv.Type, from, iv)
		case step > 0 && by > 0 && by%step == 0 && bits.OnesCount64(uint64(by/step)) == 1 && constant && low == 0 && isConstant && start == 0:
			v = inside.Op(opname.ArithShLI, iv.Type, iv, before.Integer(int64(bits.TrailingZeros64(uint64(by/step))), iv.Type))
		default:
			continue
		}
		replaceValue(a, v)
		changed = true
	}
	return changed
}
