package randprog

import (
	"fmt"

	"loom/compiler/diag"
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// module builds the whole program.
func (g *generator) module() *ir.Operation {
	m := ir.NewOp(opname.BuiltinModule, diag.Pos{}, nil, nil)
	fn := m.AddRegion().AddBlock().Append(ir.NewOp(opname.FuncFunc, diag.Pos{}, nil, nil))
	s := &scope{block: fn.AddRegion().AddBlock(), trips: 1}
	var inputs []ir.Type
	for i := range 1 + g.r.IntN(3) {
		t := g.someType()
		if i == 0 {
			t = ir.I32
		}
		inputs = append(inputs, t)
		s.values = append(s.values, s.block.AddArg(t, fmt.Sprintf("a%d", i), diag.Pos{}))
	}
	count := g.opts.Memories
	if count == 0 {
		count = 2 + g.r.IntN(2)
	}
	for i := range max(0, count) {
		shape := g.shape()
		elem := g.elemType()
		declared := append([]int64(nil), shape...)
		for d := range declared {
			if declared[d] == dynamicExtent && g.chance(25) && (len(shape) == 1 || d == 0 && g.opts.Use.Has(Shapes)) {
				declared[d] = ir.Dynamic
			}
		}
		name := fmt.Sprintf("m%d", i)
		if g.opts.Use.Has(Views) && !g.opts.NoUndefined && g.chance(15) && len(shape) > 0 {
			inputs = append(inputs, g.stridedParameter(s, name, elem, shape))
			continue
		}
		t := ir.MemRef(declared, elem)
		inputs = append(inputs, t)
		g.remember(s, s.block.AddArg(t, name, diag.Pos{}), elem, shape)
	}
	if g.opts.Locals {
		g.local(s)
	}
	g.affinePercent = 60
	n := 3 + g.r.IntN(10)
	if g.opts.Use != 0 {
		n += 3
	}
	g.statements(s, n)
	// Close: everything unused goes into results.
	results := []*ir.Value{g.fold(s)}
	for range g.r.IntN(3) {
		if v := g.find(s, g.someType()); v != nil {
			results = append(results, v)
		}
	}
	g.terminate(s, opname.FuncReturn, results)
	fn.SetAttr("sym_name", ir.StrAttr(FunctionName))
	fn.SetAttr("function_type", &ir.TypeAttr{Type: ir.Func(inputs, typesOf(results))})
	for _, op := range g.symbols {
		fn.Block().Append(op)
	}
	return m
}

// shape draws two to four elements, now and then in two dimensions.
func (g *generator) shape() []int64 {
	if g.opts.Use.Has(Shapes) && g.chance(30) {
		return g.dimensions()
	}
	if g.opts.Use.Has(Sweeps) && g.chance(60) {
		return []int64{4 + 4*g.r.Int64N(2)}
	}
	if !g.opts.SmallTypes && g.chance(12) {
		return []int64{2, 2}
	}
	if g.opts.NoDivides {
		return []int64{[]int64{2, 4}[g.r.IntN(2)]}
	}
	return []int64{2 + g.r.Int64N(3)}
}

// local makes a memory of the function's own and fills it.
func (g *generator) local(s *scope) {
	elem, shape := g.elemType(), []int64{[]int64{2, 4}[g.r.IntN(2)]}
	mem := g.allocate(s, opname.MemRefAlloca, shape, elem)
	for i := range shape[0] {
		g.emit(s, opname.MemRefStore, []*ir.Value{g.someConstant(s, elem), mem, g.constant(s, ir.Index, i)})
	}
	g.remember(s, mem, elem, shape)
}

func typesOf(vs []*ir.Value) []ir.Type {
	out := make([]ir.Type, len(vs))
	for i, v := range vs {
		out[i] = v.Type
	}
	return out
}

// statements fills a region with up to n statements.
func (g *generator) statements(s *scope, n int) {
	for range n {
		if g.ops >= g.goal {
			return
		}
		g.statement(s)
	}
}

func (g *generator) statement(s *scope) {
	if g.opts.Use != 0 && g.chance(50) && g.construct(s) {
		return
	}
	nest := s.depth < g.opts.MaxDepth
	switch p := g.r.IntN(100); {
	case p < 14:
		if !g.load(s) {
			g.compute(s)
		}
	case p < 28:
		if !g.store(s) {
			g.compute(s)
		}
	case p < 40 && nest:
		g.conditional(s)
	case p < 54 && nest && s.trips < 50:
		g.forLoop(s)
	case p < 64 && nest && s.trips < 50 && !g.opts.NoWhile:
		g.whileLoop(s)
	default:
		g.compute(s)
	}
}

var cheapOps = []string{"addi", "addi", "subi", "muli", "muli", "andi", "ori", "xori", "xori", "shli", "shrsi", "shrui", "minsi", "maxsi", "minui", "maxui"}
var divideOps = []string{"divsi", "divui", "remsi", "remui"}
var extendedOps = []string{"ceildivsi", "ceildivui", "floordivsi", "addui_extended", "mulsi_extended", "mului_extended"}
var bitOps = []string{opname.MathAbsI, opname.MathCtPop, opname.MathCtLZ, opname.MathCtTZ, opname.LLVMIntrBitreverse}

// compute emits one arithmetic operation.
func (g *generator) compute(s *scope) {
	t := g.someType()
	if ir.IsFloat(t) {
		g.computeFloat(s, t)
		return
	}
	switch p := g.r.IntN(100); {
	case p < 10:
		for t == ir.Type(ir.I1) || ir.IsFloat(t) {
			t = g.someType()
		}
		a := g.need(s, t)
		g.compare(s, arith.IntPredicate(g.r.Int64N(10)), a, g.need(s, t))
	case p < 18:
		c := g.need(s, ir.I1)
		a, b := g.need(s, t), g.need(s, t)
		g.emit(s, opname.ArithSelect, []*ir.Value{c, a, b}, t)
	case p < 25:
		g.convert(s, g.need(s, g.someType()), t)
	case p < 35 && t != ir.Type(ir.Index):
		g.emit(s, bitOps[g.r.IntN(len(bitOps))], []*ir.Value{g.need(s, t)}, t)
	case p < 45 && !g.opts.NoDivides && t != ir.Type(ir.I1):
		a := g.need(s, t)
		g.binary(s, "arith."+divideOps[g.r.IntN(len(divideOps))], a, g.divisor(s, t))
	case p < 55 && g.opts.Extended && t != ir.Type(ir.I1):
		g.extended(s, t)
	default:
		name := cheapOps[g.r.IntN(len(cheapOps))]
		a, b := g.need(s, t), g.need(s, t)
		if name[:2] == "sh" && g.opts.NoUndefined {
			b = g.amount(s, b)
		}
		g.binary(s, "arith."+name, a, b)
	}
}

func (g *generator) extended(s *scope, t ir.Type) {
	name := extendedOps[g.r.IntN(len(extendedOps))]
	if t == ir.Type(ir.Index) {
		t = ir.I32 // mlir-opt-19 cannot lower the pairs of results for index
	}
	a := g.need(s, t)
	switch name {
	case "addui_extended":
		g.emit(s, "arith."+name, []*ir.Value{a, g.need(s, t)}, t, ir.I1)
	case "mulsi_extended", "mului_extended":
		g.emit(s, "arith."+name, []*ir.Value{a, g.need(s, t)}, t, t)
	default:
		if g.opts.NoUndefined && name == "ceildivsi" {
			// mlir-opt-19 negates the dividend, which leaves the smallest value negative.
			a = g.binary(s, opname.ArithShRSI, a, g.constant(s, t, 1))
		}
		g.binary(s, "arith."+name, a, g.divisor(s, t))
	}
}

// divisor is any value, or a positive one where results must be defined:
// neither 0 nor the -1 that overflows.
func (g *generator) divisor(s *scope, t ir.Type) *ir.Value {
	v := g.need(s, t)
	if !g.opts.NoUndefined {
		return v
	}
	w, _ := ir.BitWidth(t, 64)
	v = g.binary(s, opname.ArithAndI, v, g.constant(s, t, int64(1)<<(w-2)-1))
	return g.binary(s, opname.ArithOrI, v, g.constant(s, t, 1))
}

// amount cuts a shift amount below the width.
func (g *generator) amount(s *scope, v *ir.Value) *ir.Value {
	w, _ := ir.BitWidth(v.Type, 64)
	return g.binary(s, opname.ArithAndI, v, g.constant(s, v.Type, int64(w-1)))
}

// pickMemory draws a memory that may still be accessed.
func (g *generator) pickMemory(s *scope, used func(m *memory) int) *memory {
	var open []*memory
	for _, m := range s.visibleMemories() {
		if !g.opts.SingleAccess || used(m) == 0 {
			open = append(open, m)
		}
	}
	if len(open) == 0 {
		return nil
	}
	return open[g.r.IntN(len(open))]
}

func (g *generator) subscripts(s *scope, m *memory) []*ir.Value {
	var out []*ir.Value
	for _, d := range m.shape {
		var v *ir.Value
		if g.opts.Use.Has(Sweeps) && g.chance(g.affinePercent) {
			v = g.affineSubscript(s, d)
		}
		if v == nil {
			v = g.below(s, d)
		}
		out = append(out, v)
	}
	return out
}

func (g *generator) load(s *scope) bool {
	m := g.pickMemory(s, func(m *memory) int { return m.loads })
	if m == nil {
		return false
	}
	g.loadFrom(s, m)
	return true
}

func (g *generator) loadFrom(s *scope, m *memory) *ir.Value {
	m.loads++
	g.emit(s, opname.MemRefLoad, append([]*ir.Value{m.value}, g.subscripts(s, m)...), m.elem)
	return s.values[len(s.values)-1]
}

func (g *generator) store(s *scope) bool {
	m := g.pickMemory(s, func(m *memory) int {
		if m.readOnly {
			return 1
		}
		return m.stores
	})
	if m == nil || m.readOnly {
		return false
	}
	g.storeTo(s, m, g.need(s, m.elem))
	return true
}

// atomicKinds are addi, assign, maxs, maxu, mins, minu, ori and andi of
// memref.atomic_rmw.
var atomicKinds = []int64{1, 2, 4, 5, 7, 8, 11, 12}

func (g *generator) storeTo(s *scope, m *memory, v *ir.Value) {
	m.stores++
	if g.opts.Use.Has(Shapes) && !g.opts.SingleAccess && (m.elem == ir.Type(ir.I32) || m.elem == ir.Type(ir.I64)) && g.chance(10) {
		op := g.emit(s, opname.MemRefAtomicRmw, append([]*ir.Value{v, m.value}, g.subscripts(s, m)...), m.elem)
		op.SetAttr("kind", ir.IntAttr(atomicKinds[g.r.IntN(len(atomicKinds))], ir.I64))
		return
	}
	g.emit(s, opname.MemRefStore, append([]*ir.Value{v, m.value}, g.subscripts(s, m)...))
}

// fold combines the unused values of a region into one i32: by addition and
// exclusive or, so that swapped values show. A tenth stays unused.
func (g *generator) fold(s *scope) *ir.Value {
	var acc *ir.Value
	for _, v := range append([]*ir.Value(nil), s.values...) {
		if v.HasUses() || v.Def != nil && v.Def.Name == opname.ArithConstant || g.chance(10) {
			continue
		}
		x := g.convert(s, v, ir.I32)
		switch {
		case acc == nil:
			acc = x
		case g.chance(50):
			acc = g.binary(s, opname.ArithAddI, acc, x)
		default:
			acc = g.binary(s, opname.ArithXOrI, acc, x)
		}
	}
	if acc == nil {
		acc = g.need(s, ir.I32)
	}
	return acc
}
