package lower

import (
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

func init() {
	rewriters[opname.MemRefCopy] = copyLoops
	rewriters[opname.MemRefAtomicRmw] = atomicUpdate
	rewriters[opname.MemRefExtractStridedMetadata] = metadataBase
}

// copyLoops writes memref.copy as loops over loads and stores. Where source and
// target are views of one memory, or of two that may overlap, so may they; then the elements go through
// a local buffer, so that all are read before any is written, as the interpreter
// does.
func copyLoops(s *state, op *ir.Operation, m rewrite.Maker) bool {
	from, to := op.Operand(0), op.Operand(1)
	if from == to {
		return true
	}
	src, ok := from.Type.(*ir.MemRefType)
	dst, ok2 := to.Type.(*ir.MemRefType)
	if !ok || !ok2 {
		return false
	}
	shape := append([]int64(nil), src.Shape...)
	for d := range shape {
		if shape[d] == ir.Dynamic {
			shape[d] = dst.Shape[d]
		}
	}
	if s.overlap(rootOf(from), rootOf(to)) && s.opts.deviate != copyInPlace {
		buffer := ir.MemRef(shape, src.Elem)
		if n, static := buffer.NumElements(); !static || n < 1 {
			return static
		}
		via := m.Op(opname.MemRefAlloc, buffer)
		via.Def.SetAttr("operandSegmentSizes", &ir.DenseArrayAttr{Elem: ir.I32, Values: []int64{0, 0}})
		copyElements(m, from, via, shape, src.Elem)
		copyElements(m, via, to, shape, src.Elem)
		return true
	}
	copyElements(m, from, to, shape, src.Elem)
	return true
}

// copyElements emits the loops of a copy.
func copyElements(m rewrite.Maker, from, to *ir.Value, shape []int64, elem ir.Type) {
	var bounds []rewrite.Bound
	for d, n := range shape {
		var size *ir.Value
		if n != ir.Dynamic {
			size = m.Integer(n, ir.Index)
		} else {
			// One of the two may know its size.
			of := from
			if _, known := sizeOf(from, d); !known {
				of = to
			}
			size = m.Op(opname.MemRefDim, ir.Index, of, m.Integer(int64(d), ir.Index))
		}
		bounds = append(bounds, rewrite.Bound{Lower: m.Integer(0, ir.Index), Upper: size, Step: m.Integer(1, ir.Index)})
	}
	m.Nest(bounds, nil, func(in rewrite.Maker, ivs, _ []*ir.Value) []*ir.Value {
		v := in.Op(opname.MemRefLoad, elem, append([]*ir.Value{from}, ivs...)...)
		in.Emit(ir.NewOp(opname.MemRefStore, m.Pos, append([]*ir.Value{v, to}, ivs...), nil))
		return nil
	})
}

// atomicUpdate writes memref.atomic_rmw as load, operation and store: one
// function runs at a time, and the order of its accesses is kept.
func atomicUpdate(s *state, op *ir.Operation, m rewrite.Maker) bool {
	kind, _ := op.IntAttr("kind")
	name := arith.Combinations[kind].Op
	value, subscripts := op.Operand(0), op.Operands()[1:]
	old := m.Op(opname.MemRefLoad, op.Result(0).Type, subscripts...)
	if name != "" {
		t := op.Result(0).Type
		combined := ir.NewOp(name, op.Pos, []*ir.Value{old, value}, []ir.Type{t})
		if f := rewriters[name]; f == nil {
			m.Emit(combined)
			value = combined.Result(0)
		} else {
			// The rewriting redirects the users of the result: give it one.
			hold := ir.NewOp(opname.FuncReturn, op.Pos, combined.Results(), nil)
			f(s, combined, m)
			value = hold.Operand(0)
			hold.SetOperands(nil)
			combined.SetOperands(nil)
		}
	}
	m.Emit(ir.NewOp(opname.MemRefStore, op.Pos, append([]*ir.Value{value}, subscripts...), nil))
	replace(op, []*ir.Value{old})
	return true
}

// metadataBase takes the base buffer of memref.extract_strided_metadata from a
// view of its own, so that every view has one result. The integers stay; they are
// known once layouts are ("linearise").
func metadataBase(s *state, op *ir.Operation, m rewrite.Maker) bool {
	base := op.Result(0)
	if _, ok := op.Operand(0).Type.(*ir.MemRefType); !ok || !base.HasUses() {
		return false
	}
	whole := m.Op(opname.MemRefReinterpretCast, base.Type, op.Operand(0))
	whole.Def.SetAttr("operandSegmentSizes", &ir.DenseArrayAttr{Elem: ir.I32, Values: []int64{1, 0, 0, 0}})
	whole.Def.SetAttr("static_offsets", &ir.DenseArrayAttr{Elem: ir.I64, Values: []int64{0}})
	whole.Def.SetAttr("static_sizes", &ir.DenseArrayAttr{Elem: ir.I64})
	whole.Def.SetAttr("static_strides", &ir.DenseArrayAttr{Elem: ir.I64})
	base.ReplaceAllUsesWith(whole)
	return false
}
