package randprog

import (
	"loom/compiler/diag"
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// enter opens a region's block below s.
func (g *generator) enter(s *scope, r *ir.Region, args []ir.Type, trips int) *scope {
	inner := &scope{block: r.AddBlock(), parent: s, depth: s.depth + 1, trips: s.trips * trips}
	for _, t := range args {
		inner.values = append(inner.values, inner.block.AddArg(t, "", diag.Pos{}))
	}
	return inner
}

// close ends a region: the yielded values have the given types; when one of them
// is an i32, it observes what nothing else has read.
func (g *generator) close(s *scope, terminator string, first []*ir.Value, ts []ir.Type) {
	g.terminate(s, terminator, append(append([]*ir.Value(nil), first...), g.outputs(s, ts)...))
}

// terminate ends a region; its buffers are freed.
func (g *generator) terminate(s *scope, name string, operands []*ir.Value) *ir.Operation {
	for _, m := range s.frees {
		s.block.Append(ir.NewOp(opname.MemRefDealloc, diag.Pos{}, []*ir.Value{m}, nil))
	}
	return s.block.Append(ir.NewOp(name, diag.Pos{}, operands, nil))
}

// outputs are the values that a region passes on: of the given types, one i32
// observing what nothing else has read.
func (g *generator) outputs(s *scope, ts []ir.Type) []*ir.Value {
	folded := -1
	if g.chance(80) {
		for i, t := range ts {
			if t == ir.Type(ir.I32) {
				folded = i
			}
		}
	}
	values := make([]*ir.Value, len(ts))
	for i, t := range ts {
		if i != folded {
			values[i] = g.need(s, t)
		}
	}
	if folded >= 0 {
		values[folded] = g.fold(s)
	} else if len(ts) == 0 && g.ops < g.goal {
		// A region without results shows its effect through memory.
		g.store(s)
	}
	return values
}

// someTypes draws up to n result types, the first mostly i32.
func (g *generator) someTypes(n int) []ir.Type {
	var out []ir.Type
	for i := range g.r.IntN(n + 1) {
		if i == 0 && g.chance(70) {
			out = append(out, ir.I32)
		} else {
			out = append(out, g.someType())
		}
	}
	return out
}

// add puts an operation with regions into its block once it is complete, so
// that what its regions used was defined before it.
func (g *generator) add(s *scope, op *ir.Operation) {
	s.block.Append(op)
	g.ops++
	s.values = append(s.values, op.Results()...)
}

// conditional emits scf.if: with and without results, with a missing, empty or
// full else.
func (g *generator) conditional(s *scope) {
	ts := g.someTypes(2)
	op := ir.NewOp(opname.SCFIf, diag.Pos{}, []*ir.Value{g.need(s, ir.I1)}, ts)
	then, otherwise := op.AddRegion(), op.AddRegion()
	inner := g.enter(s, then, nil, 1)
	g.statements(inner, g.r.IntN(4))
	g.close(inner, opname.SCFYield, nil, ts)
	if len(ts) > 0 || g.chance(60) {
		inner = g.enter(s, otherwise, nil, 1)
		if g.chance(70) {
			g.statements(inner, g.r.IntN(4))
			g.close(inner, opname.SCFYield, nil, ts)
		} else {
			// Only outer values or constants: the branch computes nothing.
			values := make([]*ir.Value, len(ts))
			for i, t := range ts {
				values[i] = g.need(inner, t)
			}
			g.terminate(inner, opname.SCFYield, values)
		}
	}
	g.add(s, op)
}

// bound makes a loop bound of type t: one of a few values around zero.
func (g *generator) bound(s *scope, t ir.Type, low bool) *ir.Value {
	switch p := g.r.IntN(100); {
	case p < 30 && low:
		return g.constant(s, t, 0)
	case p < 35 && !low, p < 50 && low:
		n := g.r.Int64N(4)
		if low {
			n -= 2
		}
		return g.constant(s, t, n)
	}
	limit := int64(3)
	if low {
		limit = 1
	}
	return g.binary(s, opname.ArithAndI, g.need(s, t), g.constant(s, t, limit))
}

// loopTypes are the types that loops count with: narrow, odd and wide.
var loopTypes = []ir.Type{ir.Int(4), ir.Int(5), ir.I8, ir.Int(12), ir.I16, ir.Int(24), ir.I32, ir.Int(48), ir.Int(63), ir.I64}

// forLoop emits scf.for over index, i32 or any integer type with up to six iterations, often none.
func (g *generator) forLoop(s *scope) {
	var t ir.Type = ir.Index
	if g.chance(30) {
		t = ir.I32
	}
	if g.opts.Use.Has(LoopTypes) && !g.opts.SmallTypes && g.chance(60) {
		t = loopTypes[g.r.IntN(len(loopTypes))]
	}
	lb, ub := g.bound(s, t, true), g.bound(s, t, false)
	unsigned := g.opts.Use.Has(UnsignedLoops) && !g.opts.NoUndefined && g.chance(40)
	if w, _ := ir.BitWidth(t, 64); unsigned && t != ir.Type(ir.Index) && g.chance(50) {
		// From where signed values are negative.
		half := g.constant(s, t, -1<<(w-1))
		lb, ub = g.binary(s, opname.ArithXOrI, lb, half), g.binary(s, opname.ArithXOrI, ub, half)
	}
	var step *ir.Value
	if g.chance(70) {
		step = g.constant(s, t, 1+g.r.Int64N(2))
	} else {
		one := g.constant(s, t, 1)
		step = g.binary(s, opname.ArithAddI, g.binary(s, opname.ArithAndI, g.need(s, t), one), one)
	}
	ts := g.someTypes(3)
	operands := []*ir.Value{lb, ub, step}
	for _, it := range ts {
		operands = append(operands, g.need(s, it))
	}
	op := ir.NewOp(opname.SCFFor, diag.Pos{}, operands, ts)
	if unsigned {
		op.SetAttr("unsignedCmp", &ir.UnitAttr{})
	}
	inner := g.enter(s, op.AddRegion(), append([]ir.Type{t}, ts...), 3)
	g.counted(inner.block.Args[0], lb, ub)
	g.statements(inner, g.r.IntN(5))
	if swap := g.swapped(inner.block.Args[1:]); swap != nil && g.chance(35) {
		g.terminate(inner, opname.SCFYield, swap)
	} else {
		g.close(inner, opname.SCFYield, nil, ts)
	}
	g.add(s, op)
}

// swapped permutes loop values of one type; nil where no two share a type.
func (g *generator) swapped(args []*ir.Value) []*ir.Value {
	out := append([]*ir.Value(nil), args...)
	done := false
	for i := range out {
		for j := i + 1; j < len(out); j++ {
			if out[i].Type == out[j].Type && out[i] != out[j] {
				out[i], out[j] = out[j], out[i]
				done = true
				break
			}
		}
	}
	if !done {
		return nil
	}
	return out
}

// whileLoop emits scf.while around a counter that falls from at most 3, beside a
// random condition. The values of the after-region have types of their own.
func (g *generator) whileLoop(s *scope) {
	var t ir.Type = ir.I32
	if g.chance(30) {
		t = ir.Index
	}
	start := g.binary(s, opname.ArithAndI, g.need(s, t), g.constant(s, t, 3))
	before, after := g.someTypes(2), g.someTypes(2)
	operands := []*ir.Value{start}
	for _, bt := range before {
		operands = append(operands, g.need(s, bt))
	}
	results := append([]ir.Type{t}, after...)
	op := ir.NewOp(opname.SCFWhile, diag.Pos{}, operands, results)
	test, body := op.AddRegion(), op.AddRegion()

	inner := g.enter(s, test, append([]ir.Type{t}, before...), 4)
	count := inner.block.Args[0]
	g.statements(inner, g.r.IntN(4))
	early := g.chance(50) // the before-region counts, or the after-region does
	if early {
		count = g.binary(inner, opname.ArithSubI, count, g.constant(inner, t, 1))
	}
	limit := int64(0)
	if early {
		limit = -1
	}
	cond := g.compare(inner, arith.Sgt, count, g.constant(inner, t, limit))
	if g.chance(50) {
		cond = g.binary(inner, opname.ArithAndI, cond, g.need(inner, ir.I1))
	}
	g.close(inner, opname.SCFCondition, []*ir.Value{cond, count}, after)

	inner = g.enter(s, body, results, 3)
	count = inner.block.Args[0]
	g.statements(inner, g.r.IntN(4))
	if !early {
		count = g.binary(inner, opname.ArithSubI, count, g.constant(inner, t, 1))
	}
	g.close(inner, opname.SCFYield, []*ir.Value{count}, before)
	g.add(s, op)
}
