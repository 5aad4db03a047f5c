package narrow

import (
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// idioms writes the extensions that compilers spell with masks and shifts as what they
// are: x and 2^32-1 is the low half with zeros above it, x shifted left and right by 32
// the low half with its sign; shifted right by less it is that half shifted left by the rest.
func idioms(fn *ir.Operation) {
	fn.Walk(func(op *ir.Operation) bool {
		if op.NumResults() != 1 || widthOf(op.Result(0).Type) != 64 {
			return true
		}
		var from *ir.Value
		left := int64(0)
		name := opname.ArithExtUI
		switch op.Name {
		case opname.ArithAndI:
			for i, v := range op.Operands() {
				if c, ok := v.ConstantInt(); ok && c == 1<<32-1 {
					from = op.Operand(1 - i)
				}
			}
		case opname.ArithShRSI, opname.ArithShRUI:
			if op.Name == opname.ArithShRSI {
				name = opname.ArithExtSI
			}
			if d := op.Operand(0).Def; d != nil && d.Name == opname.ArithShLI && is32(d.Operand(1)) {
				if c, ok := op.Operand(1).ConstantInt(); ok && c > 0 && c <= 32 {
					from, left = d.Operand(0), 32-c
				}
			}
		}
		if from == nil || from.IsConstant() {
			return true
		}
		low := ir.NewOp(opname.ArithTruncI, op.Pos, []*ir.Value{from}, []ir.Type{ir.I32})
		ext := ir.NewOp(name, op.Pos, []*ir.Value{low.Result(0)}, []ir.Type{ir.I64})
		low.Loc, ext.Loc = op.Loc, op.Loc
		ext.Result(0).Name = op.Result(0).Name
		op.Block().InsertBefore(op, low)
		op.Block().InsertBefore(op, ext)
		res := ext.Result(0)
		if left > 0 {
			amount := ir.NewOp(opname.ArithConstant, op.Pos, nil, []ir.Type{ir.I64})
			amount.SetAttr("value", ir.IntAttr(left, ir.I64))
			shift := ir.NewOp(opname.ArithShLI, op.Pos, []*ir.Value{res, amount.Result(0)}, []ir.Type{ir.I64})
			amount.Loc, shift.Loc = op.Loc, op.Loc
			op.Block().InsertBefore(op, amount)
			op.Block().InsertBefore(op, shift)
			res = shift.Result(0)
		}
		op.Result(0).ReplaceAllUsesWith(res)
		return true
	})
}

func is32(v *ir.Value) bool {
	c, ok := v.ConstantInt()
	return ok && c == 32
}
