// Package rewrite holds what passes over structured control flow have in common: to
// replace the operations of blocks, and to remove what nobody needs.
package rewrite

import "loom/compiler/ir"

// Rebuild replaces the operations of a block by what f emits for each of them, in
// linear time. What f does not emit must have lost its uses and operands, or lose them
// by Drop.
func Rebuild(b *ir.Block, f func(op *ir.Operation, emit func(*ir.Operation))) {
	old := b.Ops
	b.Ops = make([]*ir.Operation, 0, len(old))
	for _, op := range old {
		f(op, func(o *ir.Operation) { b.Append(o) })
	}
}

// Drop releases the operands of an operation that leaves the IR, and of all inside it.
func Drop(op *ir.Operation) {
	op.Walk(func(o *ir.Operation) bool {
		o.SetOperands(nil)
		return true
	})
}

// Blocks calls f for every block below op, inner blocks first.
func Blocks(op *ir.Operation, f func(*ir.Block)) {
	for _, r := range op.Regions {
		for _, b := range r.Blocks {
			for _, o := range b.Ops {
				Blocks(o, f)
			}
			f(b)
		}
	}
}

// Outside reports whether v is defined outside op's regions.
func Outside(v *ir.Value, op *ir.Operation) bool {
	if v.Def != nil {
		return !op.IsAncestorOf(v.Def)
	}
	return v.Block == nil || v.Block.ParentOp() == nil || !op.IsAncestorOf(v.Block.ParentOp())
}
