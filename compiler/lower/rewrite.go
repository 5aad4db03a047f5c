package lower

import "loom/compiler/ir"

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

// moveRegion hands region i of from to the detached operation to.
func moveRegion(from *ir.Operation, i int, to *ir.Operation) {
	r := from.Regions[i]
	r.Parent = to
	to.Regions = append(to.Regions, r)
	from.Regions[i] = &ir.Region{Parent: from}
}
