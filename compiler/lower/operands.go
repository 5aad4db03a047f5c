package lower

import "loom/compiler/ir"

// segments splits the operands of op by its attribute operandSegmentSizes into n
// groups; without it all operands form the first group. The verifier has checked
// the attribute.
func segments(op *ir.Operation, n int) [][]*ir.Value {
	out := make([][]*ir.Value, n)
	a, ok := op.Attr("operandSegmentSizes").(*ir.DenseArrayAttr)
	if !ok {
		out[0] = op.Operands()
		return out
	}
	rest := op.Operands()
	for i := range out {
		size := int(a.Values[i])
		out[i], rest = rest[:size:size], rest[size:]
	}
	return out
}

// static reads one of the static_… lists of integers.
func static(op *ir.Operation, name string) []int64 {
	if a, ok := op.Attr(name).(*ir.DenseArrayAttr); ok {
		return a.Values
	}
	return nil
}
