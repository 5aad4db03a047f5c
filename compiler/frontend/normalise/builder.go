package normalise

import (
	"loom/compiler/diag"
	"loom/compiler/dialect/arith"
	"loom/compiler/frontend/llvm"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// builder inserts operations at one position: in front of an operation or, where there is
// none, at the end of a block. They carry the source position of what they
// replace.
type builder struct {
	block  *ir.Block
	before *ir.Operation
	pos    diag.Pos
	loc    string
}

// instead builds in front of an operation that is about to be removed.
func instead(op *ir.Operation) *builder {
	return &builder{block: op.Block(), before: op, pos: op.Pos, loc: op.Loc}
}

func (b *builder) make(name string, operands []*ir.Value, results ...ir.Type) *ir.Operation {
	op := ir.NewOp(name, b.pos, operands, results)
	op.Loc = b.loc
	return op
}

func (b *builder) insert(op *ir.Operation) *ir.Operation {
	if b.before != nil {
		return b.block.InsertBefore(b.before, op)
	}
	return b.block.Append(op)
}

// op adds an operation with one result.
func (b *builder) op(name string, t ir.Type, operands ...*ir.Value) *ir.Value {
	return b.insert(b.make(name, operands, t)).Result(0)
}

// flagged adds an operation of the llvm dialect that has overflow flags, all off.
func (b *builder) flagged(name string, t ir.Type, operands ...*ir.Value) *ir.Value {
	op := b.make(name, operands, t)
	op.SetAttr("overflowFlags", &ir.OpaqueAttr{Text: "#llvm.overflow<none>"})
	return b.insert(op).Result(0)
}

// constant adds an integer constant.
func (b *builder) constant(t ir.Type, v int64) *ir.Value {
	op := b.make(opname.LLVMMlirConstant, nil, t)
	op.SetAttr("value", &ir.IntegerAttr{Value: v, Type: t})
	return b.insert(op).Result(0)
}

// float adds a floating-point constant.
func (b *builder) float(t ir.Type, v float64) *ir.Value {
	op := b.make(opname.LLVMMlirConstant, nil, t)
	op.SetAttr("value", &ir.FloatAttr{Value: v, Type: t})
	return b.insert(op).Result(0)
}

func (b *builder) icmp(p arith.IntPredicate, x, y *ir.Value) *ir.Value {
	op := b.make(opname.LLVMICmp, []*ir.Value{x, y}, ir.I1)
	arith.SetPredicate(op, p)
	return b.insert(op).Result(0)
}

func (b *builder) fcmp(p arith.FloatPredicate, x, y *ir.Value) *ir.Value {
	op := b.make(opname.LLVMFCmp, []*ir.Value{x, y}, ir.I1)
	arith.SetPredicate(op, p)
	return b.insert(op).Result(0)
}

func (b *builder) selectOf(c, x, y *ir.Value) *ir.Value {
	return b.op(opname.LLVMSelect, x.Type, c, x, y)
}

var ptrType = ir.Opaque("!llvm.ptr")

// offset adds the address some bytes behind another.
func (b *builder) offset(base *ir.Value, bytes int64) *ir.Value {
	if bytes == 0 {
		return base
	}
	op := b.make(opname.LLVMGetElementPtr, []*ir.Value{base}, ptrType)
	op.SetAttr("elem_type", &ir.TypeAttr{Type: ir.Int(8)})
	op.SetAttr("rawConstantIndices", &ir.DenseArrayAttr{Elem: ir.Int(32), Values: []int64{bytes}})
	return b.insert(op).Result(0)
}

// element adds the address of an element of an array, index elements of type t behind
// its start.
func (b *builder) element(base, index *ir.Value, t ir.Type) *ir.Value {
	op := b.make(opname.LLVMGetElementPtr, []*ir.Value{base, index}, ptrType)
	op.SetAttr("elem_type", &ir.TypeAttr{Type: t})
	op.SetAttr("rawConstantIndices", &ir.DenseArrayAttr{Elem: ir.Int(32), Values: []int64{-1 << 31}})
	return b.insert(op).Result(0)
}

func (b *builder) load(t ir.Type, from *ir.Value, align int64) *ir.Value {
	op := b.make(opname.LLVMLoad, []*ir.Value{from}, t)
	memoryAttrs(op, align)
	return b.insert(op).Result(0)
}

func (b *builder) store(v, to *ir.Value, align int64) {
	op := b.make(opname.LLVMStore, []*ir.Value{v, to})
	memoryAttrs(op, align)
	b.insert(op)
}

func memoryAttrs(op *ir.Operation, align int64) {
	op.SetAttr("alignment", &ir.IntegerAttr{Value: max(align, 1), Type: ir.Int(64)})
	op.SetAttr("ordering", &ir.IntegerAttr{Value: 0, Type: ir.Int(64)})
}

// constOp makes a constant that the caller inserts.
func constOp(t ir.Type, v int64, like *ir.Operation) *ir.Operation {
	op := ir.NewOp(opname.LLVMMlirConstant, like.Pos, nil, []ir.Type{t})
	op.Loc = like.Loc
	op.SetAttr("value", &ir.IntegerAttr{Value: v, Type: t})
	return op
}

// constValue is the value of an integer constant.
func constValue(v *ir.Value) (int64, bool) {
	if v == nil || v.Def == nil {
		return 0, false
	}
	switch v.Def.Name {
	case opname.LLVMMlirConstant:
		return v.Def.IntAttr("value")
	case opname.LLVMMlirZero:
		return 0, true
	case opname.LLVMSExt:
		return constValue(v.Def.Operand(0))
	}
	return 0, false
}

func sizeOf(t ir.Type) int64 {
	l, err := llvm.Parse(t)
	if err != nil {
		return 0
	}
	return l.Size()
}
