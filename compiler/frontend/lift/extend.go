package lift

import (
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// extensions rewrites an integer that is shifted left and, with its sign, by fewer bits
// right as what it is: a narrower integer, extended and shifted. clang makes such shifts of
// the subscript of an array that comes in half of a register, and only the extension
// shows that the bytes are whole elements.
func (r *lifter) extensions() {
	for _, b := range r.order {
		for _, op := range append([]*ir.Operation(nil), b.Ops...) {
			if op.Name != opname.LLVMAShr || op.Result(0).Type != ir.Type(ir.I64) {
				continue
			}
			up := op.Operand(0).Def
			if up == nil || up.Name != opname.LLVMShl {
				continue
			}
			a, ok1 := constInt(up.Operand(1))
			down, ok2 := constInt(op.Operand(1))
			if !ok1 || !ok2 || down < 0 || down > a || a != 32 && a != 48 && a != 56 {
				continue
			}
			build := &llvmBuilder{block: b, before: op, pos: op.Pos, loc: op.Loc}
			v := build.op(opname.LLVMSExt, ir.I64, build.op(opname.LLVMTrunc, ir.Int(int(64-a)), up.Operand(0)))
			if a > down {
				v = build.op(opname.LLVMShl, ir.I64, v, build.constant(a-down, ir.I64))
			}
			op.Result(0).ReplaceAllUsesWith(v)
			op.Erase()
		}
	}
}
