package lift

import (
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// llvmBuilder inserts operations of the llvm dialect in front of one.
type llvmBuilder struct {
	block  *ir.Block
	before *ir.Operation
	pos    diag.Pos
	loc    string
}

var ptrType = ir.Opaque("!llvm.ptr")

func (b *llvmBuilder) op(name string, t ir.Type, operands ...*ir.Value) *ir.Value {
	o := b.plain(name, operands, t)
	return o.Result(0)
}

func (b *llvmBuilder) plain(name string, operands []*ir.Value, types ...ir.Type) *ir.Operation {
	o := ir.NewOp(name, b.pos, operands, types)
	o.Loc = b.loc
	b.block.InsertBefore(b.before, o)
	return o
}

// cast is a conversion, left out where the types are the same.
func (b *llvmBuilder) cast(name string, v *ir.Value, t ir.Type) *ir.Value {
	if v.Type == t {
		return v
	}
	return b.op(name, t, v)
}

func (b *llvmBuilder) constant(n int64, t ir.Type) *ir.Value {
	v := b.op(opname.LLVMMlirConstant, t)
	v.Def.SetAttr("value", ir.IntAttr(n, t))
	return v
}

func (b *llvmBuilder) zero(t ir.Type) *ir.Value { return b.op(opname.LLVMMlirZero, t) }

// alloca is a local variable of so many bytes.
func (b *llvmBuilder) alloca(size int64, name string) *ir.Value {
	v := b.op(opname.LLVMAlloca, ptrType, b.constant(1, ir.I32))
	v.Name = name
	t := ir.Type(ir.Opaque("!llvm.array<" + ir.IntAttr(size, nil).String() + " x i8>"))
	v.Def.SetAttr("elem_type", &ir.TypeAttr{Type: t})
	return v
}

func (b *llvmBuilder) gep(base *ir.Value, offset int64) *ir.Value {
	if offset == 0 {
		return base
	}
	v := b.op(opname.LLVMGetElementPtr, ptrType, base)
	v.Def.SetAttr("elem_type", &ir.TypeAttr{Type: ir.I8})
	v.Def.SetAttr("rawConstantIndices", &ir.DenseArrayAttr{Elem: ir.I32, Values: []int64{offset}})
	return v
}

func (b *llvmBuilder) store(v, addr *ir.Value) { b.plain(opname.LLVMStore, []*ir.Value{v, addr}) }

func (b *llvmBuilder) load(addr *ir.Value, t ir.Type) *ir.Value {
	return b.op(opname.LLVMLoad, t, addr)
}
