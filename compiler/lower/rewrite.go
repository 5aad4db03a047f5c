package lower

import (
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// newConstant makes an integer constant, detached.
func newConstant(like *ir.Operation, value int64, t ir.Type) *ir.Operation {
	c := ir.NewOp(opname.ArithConstant, like.Pos, nil, []ir.Type{t})
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
