package randprog

import (
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// sweep emits a counted loop over index whose body does little but access
// memories by affine subscripts, mostly one memory: what dependence analysis
// looks at, with and without dependences.
func (g *generator) sweep(s *scope) {
	open := s.visibleMemories()
	if len(open) == 0 {
		g.forLoop(s)
		return
	}
	favourite := open[g.r.IntN(len(open))]
	if g.chance(30) && !g.opts.SingleAccess && g.recurrence(s, favourite) {
		return
	}
	lb := g.constant(s, ir.Index, max(0, g.r.Int64N(4)-2))
	ub := g.constant(s, ir.Index, 2+g.r.Int64N(4))
	if g.chance(30) {
		ub = g.binary(s, opname.ArithAndI, g.need(s, ir.Index), g.constant(s, ir.Index, 3))
	}
	step := g.constant(s, ir.Index, 1+g.r.Int64N(5)/4)
	ts := []ir.Type{}
	operands := []*ir.Value{lb, ub, step}
	if g.chance(40) {
		ts = append(ts, favourite.elem)
		operands = append(operands, g.need(s, favourite.elem))
	}
	op := ir.NewOp(opname.SCFFor, diag.Pos{}, operands, ts)
	inner := g.enter(s, op.AddRegion(), append([]ir.Type{ir.Index}, ts...), 5)
	g.counted(inner.block.Args[0], lb, ub)
	if s.depth+1 < g.opts.MaxDepth && inner.trips < 30 && g.chance(25) {
		g.sweep(inner)
	}
	g.accesses(inner, favourite, open)
	g.close(inner, opname.SCFYield, nil, ts)
	g.add(s, op)
}

// recurrence emits a loop that hands values from element to element: it loads
// m[i+a] and stores to m[i+b], so that iterations depend on each other at the
// distance b-a, or not at all where a step passes over it. false where m is too
// short.
func (g *generator) recurrence(s *scope, m *memory) bool {
	if m.readOnly || len(m.shape) != 1 || m.shape[0] < 3 {
		return false
	}
	n := m.shape[0]
	constant := func(in *scope, v int64) *ir.Value { return g.constant(in, ir.Index, v) }
	reach := 1 + g.r.Int64N(2)
	bounds := []*ir.Value{constant(s, 0), constant(s, n-reach), constant(s, 1+g.r.Int64N(4)/3)}
	op := ir.NewOp(opname.SCFFor, diag.Pos{}, bounds, nil)
	inner := g.enter(s, op.AddRegion(), []ir.Type{ir.Index}, int(n))
	i := inner.block.Args[0]
	g.counted(i, bounds[0], bounds[1])
	at := func(c int64) *ir.Value {
		if c == 0 {
			return i
		}
		return g.binary(inner, opname.ArithAddI, i, constant(inner, c))
	}
	if g.chance(30) { // downwards
		at = func(c int64) *ir.Value { return g.binary(inner, opname.ArithSubI, constant(inner, n-1-c), i) }
	}
	from, to := g.r.Int64N(reach+1), g.r.Int64N(reach+1)
	if w := g.opts.IndexWidth; w > 0 && g.chance(30) {
		// Half of all indices times an even number is 0: every iteration meets
		// the same element.
		bounds[2].Def.SetAttr("value", constantAttr(ir.Index, 2))
		from = to
		at = func(c int64) *ir.Value {
			v := g.binary(inner, opname.ArithMulI, i, constant(inner, -1<<(w-1)))
			return g.binary(inner, opname.ArithAddI, v, constant(inner, c))
		}
	}
	load := func() *ir.Value {
		return g.emit(inner, opname.MemRefLoad, []*ir.Value{m.value, at(from)}, m.elem).Result(0)
	}
	if g.chance(70) {
		x := load()
		if ir.IsInt(m.elem) {
			x = g.binary(inner, opname.ArithAddI, x, g.convert(inner, i, m.elem))
		}
		g.emit(inner, opname.MemRefStore, []*ir.Value{x, m.value, at(to)})
	} else {
		g.emit(inner, opname.MemRefStore, []*ir.Value{g.need(inner, m.elem), m.value, at(to)})
		load()
	}
	if g.chance(30) {
		g.statements(inner, 1)
	}
	g.close(inner, opname.SCFYield, nil, nil)
	g.add(s, op)
	return true
}

// accesses emits two to four loads and stores, mostly of one memory.
func (g *generator) accesses(s *scope, favourite *memory, others []*memory) {
	g.affinePercent = 90
	defer func() { g.affinePercent = 60 }()
	var last *ir.Value
	for range 2 + g.r.IntN(3) {
		m := favourite
		if g.chance(30) {
			m = others[g.r.IntN(len(others))]
		}
		load := g.chance(45) || m.readOnly
		if g.opts.SingleAccess && (load && m.loads > 0 || !load && m.stores > 0) {
			continue
		}
		if load {
			last = g.loadFrom(s, m)
			continue
		}
		x := last
		if x == nil || x.Type != m.elem || g.chance(40) {
			x = g.need(s, m.elem)
		}
		if ir.IsInt(m.elem) && g.chance(50) {
			x = g.binary(s, opname.ArithAddI, x, g.need(s, m.elem))
		}
		g.storeTo(s, m, x)
	}
}

// segments is the attribute that divides operands into groups.
func segments(op *ir.Operation, sizes ...int) {
	a := &ir.DenseArrayAttr{Elem: ir.I32}
	for _, n := range sizes {
		a.Values = append(a.Values, int64(n))
	}
	op.SetAttr("operandSegmentSizes", a)
}

// reductions are the operations that scf.parallel combines by. The order of the
// iterations matters to the last: it is row-major, and what is combined so far
// comes first.
var reductions = []string{"addi", "addi", "muli", "xori", "andi", "ori", "minsi", "maxsi", "minui", "maxui", "subi", "subi"}

// parallel emits scf.parallel. Its iterations may touch the same elements; the
// order of MLIR's own lowering, row-major, is what counts then.
func (g *generator) parallel(s *scope) {
	dims := 1 + g.r.IntN(2)
	var lbs, ubs, steps, inits []*ir.Value
	for range dims {
		lbs = append(lbs, g.bound(s, ir.Index, true))
		ubs = append(ubs, g.bound(s, ir.Index, false))
		steps = append(steps, g.constant(s, ir.Index, 1+g.r.Int64N(2)))
	}
	var ts []ir.Type
	for range g.r.IntN(3) {
		t := g.someType()
		for ir.IsFloat(t) {
			t = g.someType()
		}
		ts = append(ts, t)
		inits = append(inits, g.need(s, t))
	}
	operands := append(append(append(append([]*ir.Value(nil), lbs...), ubs...), steps...), inits...)
	op := ir.NewOp(opname.SCFParallel, diag.Pos{}, operands, ts)
	segments(op, dims, dims, dims, len(inits))
	inner := g.enter(s, op.AddRegion(), indices(dims), 4*dims)
	for d, iv := range inner.block.Args {
		g.counted(iv, lbs[d], ubs[d])
	}
	g.statements(inner, g.r.IntN(4))
	if open := s.visibleMemories(); len(open) > 0 && g.chance(50) {
		g.accesses(inner, open[g.r.IntN(len(open))], open)
	}
	reduce := g.terminate(inner, opname.SCFReduce, g.outputs(inner, ts))
	if len(ts) == 0 && g.chance(60) && inner.block.Ops[0] == reduce {
		reduce.Unlink()
		g.store(inner)
		inner.block.Append(reduce)
	}
	for _, t := range ts {
		b := reduce.AddRegion().AddBlock()
		x, y := b.AddArg(t, "", diag.Pos{}), b.AddArg(t, "", diag.Pos{})
		if g.chance(30) {
			x, y = y, x
		}
		r := b.Append(ir.NewOp("arith."+reductions[g.r.IntN(len(reductions))], diag.Pos{}, []*ir.Value{x, y}, []ir.Type{t}))
		g.ops++
		b.Append(ir.NewOp(opname.SCFReduceReturn, diag.Pos{}, r.Results(), nil))
	}
	g.add(s, op)
}

func indices(n int) []ir.Type {
	out := make([]ir.Type, n)
	for i := range out {
		out[i] = ir.Index
	}
	return out
}

// forall emits scf.forall, whose bounds and steps are constants or operands.
func (g *generator) forall(s *scope) {
	dims := 1 + g.r.IntN(2)
	var operands []*ir.Value
	var lists [3][]int64
	var sizes []int
	var lo, hi []int64 // the range of each variable
	for k := range lists {
		before := len(operands)
		for range dims {
			static := []int64{g.r.Int64N(2), 1 + g.r.Int64N(3), 1 + g.r.Int64N(2)}[k]
			limit := static
			if g.chance(40) {
				v := g.binary(s, opname.ArithAndI, g.need(s, ir.Index), g.constant(s, ir.Index, []int64{1, 3, 1}[k]))
				if k == 2 {
					v = g.binary(s, opname.ArithAddI, v, g.constant(s, ir.Index, 1))
				}
				operands = append(operands, v)
				static, limit = ir.Dynamic, []int64{0, 3, 0}[k]
			}
			lists[k] = append(lists[k], static)
			switch k {
			case 0:
				lo = append(lo, limit)
			case 1:
				hi = append(hi, limit-1)
			}
		}
		sizes = append(sizes, len(operands)-before)
	}
	op := ir.NewOp(opname.SCFForall, diag.Pos{}, operands, nil)
	segments(op, append(sizes, 0)...)
	for k, name := range []string{"staticLowerBound", "staticUpperBound", "staticStep"} {
		op.SetAttr(name, &ir.DenseArrayAttr{Elem: ir.I64, Values: lists[k]})
	}
	inner := g.enter(s, op.AddRegion(), indices(dims), 3*dims)
	for d, iv := range inner.block.Args {
		g.spans[iv] = span{lo[d], max(lo[d], hi[d])}
	}
	g.statements(inner, 1+g.r.IntN(3))
	g.store(inner)
	g.terminate(inner, opname.SCFForallInParallel, nil).AddRegion().AddBlock()
	g.add(s, op)
}
