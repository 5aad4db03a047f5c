package lower

import "loom/compiler/ir"

// rebuild replaces the operations of a block by what f emits for each of them,
// in linear time. An operation that f does not emit must have lost its uses and
// operands, or lose them by drop.
func rebuild(b *ir.Block, f func(op *ir.Operation, emit func(*ir.Operation))) {
	old := b.Ops
	b.Ops = make([]*ir.Operation, 0, len(old))
	for _, op := range old {
		f(op, func(o *ir.Operation) { b.Append(o) })
	}
}

// drop releases the operands of an operation that leaves the IR, and of all
// inside it.
func drop(op *ir.Operation) {
	op.Walk(func(o *ir.Operation) bool {
		o.SetOperands(nil)
		return true
	})
}

// blocks calls f for every block below op, inner blocks first.
func blocks(op *ir.Operation, f func(*ir.Block)) {
	for _, r := range op.Regions {
		for _, b := range r.Blocks {
			for _, o := range b.Ops {
				blocks(o, f)
			}
			f(b)
		}
	}
}

// constantOf returns the value of an integer constant as a signed number: the i1
// true is -1, as comparisons see it.
func constantOf(v *ir.Value) (int64, bool) {
	if v.Def == nil || v.Def.Name != "arith.constant" {
		return 0, false
	}
	c, ok := v.Def.IntAttr("value")
	if t, isInt := v.Type.(*ir.IntegerType); ok && isInt && t.Width < 64 {
		c = c << (64 - t.Width) >> (64 - t.Width)
	}
	return c, ok
}

// isConstant reports whether v is an arith.constant of any type.
func isConstant(v *ir.Value) bool { return v.Def != nil && v.Def.Name == "arith.constant" }

// newConstant makes an integer constant, detached.
func newConstant(like *ir.Operation, value int64, t ir.Type) *ir.Operation {
	c := ir.NewOp("arith.constant", like.Pos, nil, []ir.Type{t})
	c.SetAttr("value", ir.IntAttr(value, t))
	return c
}

// definedOutside reports whether v is defined outside op's regions.
func definedOutside(v *ir.Value, op *ir.Operation) bool {
	if v.Def != nil {
		return !op.IsAncestorOf(v.Def)
	}
	return v.Block == nil || !op.IsAncestorOf(v.Block.ParentOp())
}

// moveRegion hands region i of from to the detached operation to.
func moveRegion(from *ir.Operation, i int, to *ir.Operation) {
	r := from.Regions[i]
	r.Parent = to
	to.Regions = append(to.Regions, r)
	from.Regions[i] = &ir.Region{Parent: from}
}
