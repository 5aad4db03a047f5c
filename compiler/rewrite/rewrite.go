// Package rewrite holds the transformations that passes over structured control flow
// share: replacing the operations of blocks, making operations, and dead code elimination.
package rewrite

import "loom/compiler/ir"

// Rebuild replaces each operation of a block by those that f emits for it, in linear
// time. An operation that f does not emit must have no uses and no operands (see Drop).
func Rebuild(b *ir.Block, f func(op *ir.Operation, emit func(*ir.Operation))) {
	old := b.Ops
	b.Ops = make([]*ir.Operation, 0, len(old))
	for _, op := range old {
		f(op, func(o *ir.Operation) { b.Append(o) })
	}
}

// Drop clears the operands of an operation that is removed, and of all operations in it.
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
