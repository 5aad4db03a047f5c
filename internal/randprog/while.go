package randprog

import (
	"slices"

	"loom/compiler/diag"
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// masked is a value from 0 to limit, which is one less than a power of two.
func (g *generator) masked(s *scope, t ir.Type, limit int64) *ir.Value {
	if g.chance(25) {
		return g.constant(s, t, g.r.Int64N(limit+1))
	}
	return g.binary(s, opname.ArithAndI, g.need(s, t), g.constant(s, t, limit))
}

// counting describes an induction variable that ends: it starts at start, a step
// makes op(i, step) of it, and it goes on while i pred bound.
type counting struct {
	t                  ir.Type
	start, bound, step *ir.Value
	op                 string
	pred               arith.IntPredicate
	// runsOnce: the loop also ends when its first test comes after the
	// first step.
	runsOnce bool
	span     span
	known    bool
}

// counting draws an induction variable. Ranges are small enough for i8, so that nothing
// runs away by wrapping around; only != may wrap, before it meets an exact bound.
func (g *generator) counting(s *scope) counting {
	c := counting{t: []ir.Type{ir.Index, ir.Index, ir.I32, ir.I32, ir.I8, ir.I16, ir.I64}[g.r.IntN(7)], runsOnce: true}
	if g.opts.SmallTypes {
		c.t = []ir.Type{ir.Index, ir.I32}[g.r.IntN(2)]
	}
	constant := func(v int64) *ir.Value { return g.constant(s, c.t, v) }
	do := func(name string, a, b *ir.Value) *ir.Value { return g.binary(s, "arith."+name, a, b) }
	small := func() *ir.Value { // a step of 1 or 2
		if g.chance(70) {
			return constant(1 + g.r.Int64N(2))
		}
		return do("addi", g.masked(s, c.t, 1), constant(1))
	}
	below, above := []arith.IntPredicate{arith.Slt, arith.Sle, arith.Ult, arith.Ule}, []arith.IntPredicate{arith.Sgt, arith.Sge, arith.Ugt, arith.Uge}
	signed := func() bool { return c.pred >= arith.Slt && c.pred <= arith.Sge }
	exact := g.chance(20)
	kind := g.r.IntN(8)
	if g.opts.NoDivides && (kind == 6 || kind == 7) {
		kind = 5
	}
	switch kind {
	case 0, 1: // i += step
		c.op, c.step = "addi", small()
		if exact {
			c.pred, c.runsOnce = arith.Ne, false
			c.bound = g.need(s, c.t)
			c.start = do("subi", c.bound, do("muli", g.masked(s, c.t, 3), c.step))
			break
		}
		if g.chance(10) {
			// The wrong direction: it does not start.
			c.pred, c.runsOnce = above[g.r.IntN(4)], false
			c.start, c.bound = g.masked(s, c.t, 3), do("addi", g.masked(s, c.t, 3), constant(4))
			break
		}
		c.pred = below[g.r.IntN(4)]
		c.start, c.bound = g.masked(s, c.t, 3), g.masked(s, c.t, 7)
		c.span, c.known = span{0, 7}, true
		if signed() && g.chance(40) {
			c.start, c.known = do("subi", c.start, constant(2)), false
		}
	case 2, 3: // i -= step
		c.op, c.step = "subi", small()
		if exact {
			c.pred, c.runsOnce = arith.Ne, false
			c.bound = g.need(s, c.t)
			c.start = do("addi", c.bound, do("muli", g.masked(s, c.t, 3), c.step))
			break
		}
		c.pred = above[g.r.IntN(4)]
		c.start, c.bound = g.masked(s, c.t, 7), g.masked(s, c.t, 3)
		if signed() {
			c.bound = do("subi", c.bound, constant(2))
		} else {
			// Below 0 everything is large: the bound is at least a step.
			c.bound, c.runsOnce = do("addi", c.bound, c.step), false
			c.span, c.known = span{0, 7}, true
		}
	case 4: // i *= step
		c.op, c.step = "muli", constant(2+g.r.Int64N(2))
		c.growing(g, s, exact, below)
		if exact {
			c.step = constant(2)
		}
	case 5: // i <<= step
		c.op, c.step = "shli", constant(1+g.r.Int64N(2))
		c.growing(g, s, exact, below)
		if exact {
			c.step = constant(1)
		}
	default: // i /= step, i >>= step
		switch g.r.IntN(4) {
		case 0:
			c.op, c.step = "divsi", constant(2+g.r.Int64N(2))
		case 1:
			c.op, c.step = "divui", constant(2+g.r.Int64N(2))
		case 2:
			c.op, c.step = "shrsi", constant(1+g.r.Int64N(2))
		default:
			c.op, c.step = "shrui", constant(1+g.r.Int64N(2))
		}
		c.start = g.masked(s, c.t, 63)
		if exact {
			c.pred, c.bound = arith.Ne, constant(0)
			break
		}
		c.pred = above[g.r.IntN(4)]
		c.bound = g.masked(s, c.t, 3)
		if c.pred == arith.Sge || c.pred == arith.Uge {
			c.bound = do("ori", c.bound, constant(1))
		}
	}
	return c
}

// growing sets start and bound of a variable that is multiplied or shifted.
func (c *counting) growing(g *generator, s *scope, exact bool, below []arith.IntPredicate) {
	one := g.constant(s, c.t, 1)
	if exact {
		c.pred, c.runsOnce = arith.Ne, false
		c.start = g.binary(s, opname.ArithShLI, one, g.masked(s, c.t, 1))
		c.bound = g.binary(s, opname.ArithShLI, c.start, g.masked(s, c.t, 3))
		return
	}
	c.pred = below[g.r.IntN(4)]
	c.start = g.binary(s, opname.ArithOrI, g.masked(s, c.t, 3), one)
	c.bound = g.masked(s, c.t, 31)
}

// test compares the induction variable with its bound, in either order.
func (c *counting) test(g *generator, s *scope, i *ir.Value) *ir.Value {
	if g.chance(20) {
		return g.compare(s, c.pred.Swapped(), c.bound, i)
	}
	return g.compare(s, c.pred, i, c.bound)
}

func (c *counting) next(g *generator, s *scope, i *ir.Value) *ir.Value {
	if (c.op == "addi" || c.op == "muli") && g.chance(20) {
		return g.binary(s, "arith."+c.op, c.step, i)
	}
	return g.binary(s, "arith."+c.op, i, c.step)
}

// countedWhile emits scf.while around a counting variable: plain enough for a
// dataflow.stream, or with work before the test, a second reason to end, the
// step before the test is passed on, or the test at the end.
func (g *generator) countedWhile(s *scope) {
	c := g.counting(s)
	carried := g.someTypes(2)
	operands := []*ir.Value{c.start}
	for _, t := range carried {
		operands = append(operands, g.need(s, t))
	}
	args := append([]ir.Type{c.t}, carried...)
	form := g.r.IntN(6)
	if form == 5 && c.runsOnce {
		g.doWhile(s, operands, func(inner *scope, i *ir.Value) (next, cond *ir.Value) {
			next = c.next(g, inner, i)
			return next, c.test(g, inner, next)
		})
		return
	}
	results := args
	if form == 3 {
		results = append([]ir.Type{c.t}, g.someTypes(2)...)
	}
	op := ir.NewOp(opname.SCFWhile, diag.Pos{}, operands, results)
	test, body := op.AddRegion(), op.AddRegion()

	inner := g.enter(s, test, args, 8)
	i := inner.block.Args[0]
	if form >= 2 {
		g.statements(inner, g.r.IntN(3))
	}
	cond := c.test(g, inner, i)
	early := form == 4
	if early {
		i = c.next(g, inner, i)
	}
	if form >= 3 && g.chance(40) {
		cond = g.binary(inner, opname.ArithAndI, cond, g.need(inner, ir.I1))
	}
	if form == 3 || form == 4 {
		g.close(inner, opname.SCFCondition, []*ir.Value{cond, i}, results[1:])
	} else {
		g.terminate(inner, opname.SCFCondition, append([]*ir.Value{cond, i}, inner.block.Args[1:]...))
	}

	inner = g.enter(s, body, results, 7)
	i = inner.block.Args[0]
	if c.known && c.t == ir.Type(ir.Index) && !early {
		g.spans[i] = c.span
	}
	g.statements(inner, g.r.IntN(4))
	if !early {
		i = c.next(g, inner, i)
	}
	g.close(inner, opname.SCFYield, []*ir.Value{i}, carried)
	g.add(s, op)
}

// shapedWhile emits the less usual forms of scf.while.
func (g *generator) shapedWhile(s *scope) {
	if g.chance(35) {
		g.memoryWhile(s)
		return
	}
	t := []ir.Type{ir.I32, ir.Index}[g.r.IntN(2)]
	operands := []*ir.Value{g.masked(s, t, 3)}
	for _, it := range g.someTypes(3) {
		operands = append(operands, g.need(s, it))
	}
	g.doWhile(s, operands, func(inner *scope, i *ir.Value) (next, cond *ir.Value) {
		next = g.binary(inner, opname.ArithSubI, i, g.constant(inner, t, 1))
		return next, g.compare(inner, arith.Sgt, next, g.constant(inner, t, 0))
	})
}

// doWhile emits scf.while with all its work in the before-region: the
// after-region only forwards, in an order of its own, perhaps an outer value
// instead. step counts and tests.
func (g *generator) doWhile(s *scope, operands []*ir.Value, step func(*scope, *ir.Value) (next, cond *ir.Value)) {
	args := typesOf(operands)
	order := g.r.Perm(len(args)) // result k carries operand order[k]
	var results []ir.Type
	for _, k := range order {
		results = append(results, args[k])
	}
	extra := g.someTypes(1)
	op := ir.NewOp(opname.SCFWhile, diag.Pos{}, operands, append(results, extra...))
	test, body := op.AddRegion(), op.AddRegion()

	inner := g.enter(s, test, args, 8)
	g.statements(inner, 1+g.r.IntN(4))
	next, cond := step(inner, inner.block.Args[0])
	if g.chance(30) {
		cond = g.binary(inner, opname.ArithAndI, cond, g.need(inner, ir.I1))
	}
	work := g.outputs(inner, append(append([]ir.Type(nil), args[1:]...), extra...))
	pass := []*ir.Value{cond}
	for _, k := range order {
		if k == 0 {
			pass = append(pass, next)
		} else {
			pass = append(pass, work[k-1])
		}
	}
	g.terminate(inner, opname.SCFCondition, append(pass, work[len(args)-1:]...))

	inner = g.enter(s, body, typesOf(op.Results()), 7)
	var back []*ir.Value
	for k := range args {
		v := inner.block.Args[slices.Index(order, k)]
		if k > 0 && g.chance(15) {
			if w := g.find(s, args[k]); w != nil {
				v = w
			}
		}
		back = append(back, v)
	}
	g.terminate(inner, opname.SCFYield, back)
	g.add(s, op)
}

// memoryWhile emits scf.while without operands: it counts down in a memory of
// its own.
func (g *generator) memoryWhile(s *scope) {
	elem := []ir.Type{ir.I32, ir.I8}[g.r.IntN(2)]
	if g.opts.SmallTypes {
		elem = ir.I32
	}
	shape := []int64{1}
	if g.opts.Use.Has(Shapes) && g.chance(50) {
		shape = nil
	}
	counter := g.allocate(s, opname.MemRefAlloca, shape, elem)
	at := func(in *scope) []*ir.Value {
		if shape == nil {
			return []*ir.Value{counter}
		}
		return []*ir.Value{counter, g.constant(in, ir.Index, 0)}
	}
	start := g.masked(s, elem, 3)
	g.emit(s, opname.MemRefStore, append([]*ir.Value{start}, at(s)...))
	results := g.someTypes(2)
	op := ir.NewOp(opname.SCFWhile, diag.Pos{}, nil, results)
	test, body := op.AddRegion(), op.AddRegion()

	inner := g.enter(s, test, nil, 4)
	left := g.emit(inner, opname.MemRefLoad, at(inner), elem).Result(0)
	g.statements(inner, g.r.IntN(3))
	less := g.binary(inner, opname.ArithSubI, left, g.constant(inner, elem, 1))
	early := g.chance(50)
	if early {
		g.emit(inner, opname.MemRefStore, append([]*ir.Value{less}, at(inner)...))
	}
	cond := g.compare(inner, arith.Sgt, left, g.constant(inner, elem, 0))
	g.close(inner, opname.SCFCondition, []*ir.Value{cond}, results)

	inner = g.enter(s, body, results, 3)
	g.statements(inner, g.r.IntN(3))
	if !early {
		left := g.emit(inner, opname.MemRefLoad, at(inner), elem).Result(0)
		less := g.binary(inner, opname.ArithSubI, left, g.constant(inner, elem, 1))
		g.emit(inner, opname.MemRefStore, append([]*ir.Value{less}, at(inner)...))
	}
	g.terminate(inner, opname.SCFYield, nil)
	g.add(s, op)
}
