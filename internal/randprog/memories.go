package randprog

import (
	"fmt"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// remember makes a row-major memory known in s.
func (g *generator) remember(s *scope, v *ir.Value, elem ir.Type, shape []int64) *memory {
	m := &memory{value: v, elem: elem, shape: shape, strides: make([]int64, len(shape)), total: 1}
	for d := len(shape) - 1; d >= 0; d-- {
		m.strides[d] = m.total
		m.total *= shape[d]
	}
	s.memories = append(s.memories, m)
	return m
}

// visibleMemories lists the memories that s can see, its own first.
func (s *scope) visibleMemories() []*memory {
	var out []*memory
	for ; s != nil; s = s.parent {
		out = append(out, s.memories...)
	}
	return out
}

// emitMemory appends an operation that makes a memref, which is no value for
// computations.
func (g *generator) emitMemory(s *scope, name string, operands []*ir.Value, t ir.Type) *ir.Operation {
	op := s.block.Append(ir.NewOp(name, diag.Pos{}, operands, []ir.Type{t}))
	g.ops++
	return op
}

// allocate emits memref.alloc or memref.alloca.
func (g *generator) allocate(s *scope, name string, shape []int64, elem ir.Type) *ir.Value {
	op := g.emitMemory(s, name, nil, ir.MemRef(shape, elem))
	op.SetAttr("operandSegmentSizes", &ir.DenseArrayAttr{Elem: ir.I32, Values: []int64{0, 0}})
	return op.Result(0)
}

// dimensions draws the shape of a memory with small extents, of rank 0 to 3.
func (g *generator) dimensions() []int64 {
	if g.opts.NoDivides {
		return [][]int64{{}, {2, 2}, {2, 4}, {4, 2}, {2, 2, 2}}[g.r.IntN(5)]
	}
	return [][]int64{{}, {2, 2}, {2, 3}, {4, 2}, {3, 3}, {2, 2, 2}, {2, 1, 3}}[g.r.IntN(7)]
}

// buffer allocates a memory in this region and fills it before anything can read
// it: hardware does not clear a memory that a second round of a loop finds.
func (g *generator) buffer(s *scope) {
	shape := g.shape()
	elem := g.elemType()
	name := []string{opname.MemRefAlloc, opname.MemRefAlloca}[g.r.IntN(2)]
	v := g.allocate(s, name, shape, elem)
	if len(shape) == 1 && g.chance(50) {
		g.fillByLoop(s, v, elem, shape[0])
	} else {
		var at func(prefix []*ir.Value)
		at = func(prefix []*ir.Value) {
			if d := len(prefix); d < len(shape) {
				for i := range shape[d] {
					at(append(prefix[:d:d], g.constant(s, ir.Index, i)))
				}
				return
			}
			g.emit(s, opname.MemRefStore, append([]*ir.Value{g.need(s, elem), v}, prefix...))
		}
		at(nil)
	}
	g.remember(s, v, elem, shape)
	if name == opname.MemRefAlloc && g.chance(60) {
		s.frees = append(s.frees, v)
	}
}

// fillByLoop stores to every element of a buffer of one dimension.
func (g *generator) fillByLoop(s *scope, v *ir.Value, elem ir.Type, n int64) {
	bounds := []*ir.Value{g.constant(s, ir.Index, 0), g.constant(s, ir.Index, n), g.constant(s, ir.Index, 1)}
	op := ir.NewOp(opname.SCFFor, diag.Pos{}, bounds, nil)
	inner := g.enter(s, op.AddRegion(), []ir.Type{ir.Index}, int(n))
	i := inner.block.Args[0]
	g.counted(i, bounds[0], bounds[1])
	x := g.convert(inner, i, elem)
	if !ir.IsFloat(elem) && g.chance(60) {
		x = g.binary(inner, opname.ArithXOrI, x, g.need(inner, elem))
	}
	g.emit(inner, opname.MemRefStore, []*ir.Value{x, v, i})
	g.terminate(inner, opname.SCFYield, nil)
	g.add(s, op)
}

// global makes a table, or uses one again. Most are constant; with NoUndefined
// all are, because what runs a program again finds what the first run left.
func (g *generator) global(s *scope) {
	var known []*ir.Operation
	for _, op := range g.symbols {
		if op.Name == opname.MemRefGlobal {
			known = append(known, op)
		}
	}
	var sym *ir.Operation
	if len(known) > 0 && g.chance(50) {
		sym = known[g.r.IntN(len(known))]
	} else {
		shape := []int64{[]int64{2, 4, 8}[g.r.IntN(3)]}
		if g.opts.Use.Has(Shapes) && g.chance(30) {
			shape = []int64{2, 2}
		}
		t := ir.MemRef(shape, g.elemType())
		init := &ir.DenseElementsAttr{Type: ir.Shaped("tensor", shape, t.Elem)}
		n, _ := t.NumElements()
		for range n {
			init.Values = append(init.Values, constantAttr(t.Elem, g.r.Int64N(60)-20))
		}
		sym = ir.NewOp(opname.MemRefGlobal, diag.Pos{}, nil, nil)
		sym.SetAttr("sym_name", ir.StrAttr(fmt.Sprintf("table%d", len(known))))
		sym.SetAttr("sym_visibility", ir.StrAttr("private"))
		sym.SetAttr("type", &ir.TypeAttr{Type: t})
		sym.SetAttr("initial_value", init)
		if g.opts.NoUndefined || g.chance(60) {
			sym.SetAttr("constant", &ir.UnitAttr{})
		}
		g.symbols = append(g.symbols, sym)
	}
	t := sym.Attr("type").(*ir.TypeAttr).Type.(*ir.MemRefType)
	op := g.emitMemory(s, opname.MemRefGetGlobal, nil, t)
	op.SetAttr("name", ir.SymbolRef(sym.SymName()))
	m := g.remember(s, op.Result(0), t.Elem, t.Shape)
	m.readOnly = sym.Attr("constant") != nil
	if g.chance(70) {
		g.touch(s, m)
	}
}

// fence orders all accesses before it with all behind it.
func (g *generator) fence(s *scope) {
	const acquire, orderings = 4, 4
	op := g.emit(s, opname.LLVMFence, nil)
	op.SetAttr("ordering", ir.IntAttr(acquire+g.r.Int64N(orderings), ir.I64))
	if g.chance(20) {
		op.SetAttr("syncscope", ir.StrAttr("agent"))
	}
}
