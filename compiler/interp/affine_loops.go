package interp

import (
	"math"

	"loom/compiler/diag"
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/num"
	"loom/compiler/opname"
)

func init() {
	handlers[opname.AffineFor] = (*compiler).affineFor
	handlers[opname.AffineIf] = (*compiler).affineIf
	handlers[opname.AffineParallel] = (*compiler).affineParallel
	terminators[opname.AffineYield] = true
}

// counter is one counted loop: from the greatest lower bound to below the least
// upper bound. The bounds are computed once, before the loop.
type counter struct {
	pos    diag.Pos
	lb, ub indexExpr
	step   int64
	iv     int
	width  int
}

// run calls body for every value of the induction variable.
func (l *counter) run(fr *frame, lb, ub int64, body func() *fault) *fault {
	for i := lb; i < ub; {
		fr.v[l.iv] = truncate(uint64(i), ir.Index, l.width)
		if f := body(); f != nil {
			return f
		}
		// The counter passes the bound, so it must hold the next value too.
		if i > math.MaxInt64>>(64-l.width)-l.step {
			return faultf(l.pos, 0, "the loop counts past the largest index of %d bits: %d after %d", l.width, l.step, i)
		}
		i += l.step
	}
	return nil
}

// bounds evaluates both bounds.
func (l *counter) bounds(fr *frame) (lb, ub int64, f *fault) {
	if lb, f = l.lb(fr); f == nil {
		ub, f = l.ub(fr)
	}
	return lb, ub, f
}

// affineFor compiles affine.for: the operands of the lower bound's map, of the
// upper bound's and the initial values.
func (c *compiler) affineFor(op *ir.Operation) instr {
	seg, ok := c.segments(op, 3)
	lower, upper := c.affineMap(op, "lowerBoundMap"), c.affineMap(op, "upperBoundMap")
	step, isInt := op.IntAttr("step")
	n := op.NumResults()
	if !ok || lower == nil || upper == nil || len(op.Regions) != 1 || op.Regions[0].Entry() == nil ||
		!isInt || step <= 0 || len(lower.Results) == 0 || len(upper.Results) == 0 ||
		seg[2][1]-seg[2][0] != n || len(op.Regions[0].Entry().Args) != n+1 {
		c.errorf(op.Pos, "'%s' is malformed", op.Name)
		c.freshResults(op)
		return nil
	}
	l := &counter{pos: op.Pos, step: step, width: c.indexWidth()}
	lin, ok1 := c.affineInputs(op, lower.Dims, lower.Symbols, seg[0][0], seg[0][1])
	uin, ok2 := c.affineInputs(op, upper.Dims, upper.Symbols, seg[1][0], seg[1][1])
	if !ok1 || !ok2 {
		c.freshResults(op)
		return nil
	}
	if !lin.fits(step) {
		c.errorf(op.Pos, "the step %d does not fit an index of %d bits", step, l.width)
	}
	l.lb, l.ub = chosen(c.exprs(lin, lower.Results), greater), chosen(c.exprs(uin, upper.Results), lesser)
	inits := c.useAll(op, seg[2][0], seg[2][1])
	args := c.defineAll(op.Regions[0].Entry().Args, op.Pos)
	l.iv = args[0].index
	iter := args[1:]
	start := c.move(op.Pos, inits, iter)
	body := c.region(op.Regions[0], iter, opname.AffineYield)
	finish := c.move(op.Pos, iter, c.defineAll(op.Results(), op.Pos))
	return func(fr *frame) *fault {
		lb, ub, f := l.bounds(fr)
		if f != nil {
			return f
		}
		start.do(fr)
		if f := l.run(fr, lb, ub, func() *fault { return body.run(fr) }); f != nil {
			return f
		}
		finish.do(fr)
		return nil
	}
}

// affineIf compiles affine.if. All constraints are evaluated.
func (c *compiler) affineIf(op *ir.Operation) instr {
	a, ok := op.Attr("condition").(*ir.IntegerSetAttr)
	if !ok || len(op.Regions) != 2 {
		c.errorf(op.Pos, "'%s' needs an affine set and two regions", op.Name)
		c.freshResults(op)
		return nil
	}
	in, ok := c.affineInputs(op, a.Set.Dims, a.Set.Symbols, 0, op.NumOperands())
	if !ok {
		c.freshResults(op)
		return nil
	}
	var exprs []indexExpr
	var equal []bool
	for _, k := range a.Set.Constraints {
		exprs, equal = append(exprs, c.expr(in, k.Expr)), append(equal, k.Equal)
	}
	results := c.freshAll(op)
	then := c.region(op.Regions[0], results, opname.AffineYield)
	var otherwise *region
	if op.Regions[1].Entry() != nil {
		otherwise = c.region(op.Regions[1], results, opname.AffineYield)
	} else if op.NumResults() > 0 {
		c.errorf(op.Pos, "'%s' with results needs an else region", op.Name)
	}
	c.publish(op, results)
	return func(fr *frame) *fault {
		holds := true
		for i, e := range exprs {
			v, f := e(fr)
			if f != nil {
				return f
			}
			holds = holds && (v == 0 || !equal[i] && v > 0)
		}
		if holds {
			return then.run(fr)
		}
		if otherwise != nil {
			return otherwise.run(fr)
		}
		return nil
	}
}

// affineParallel compiles affine.parallel: row-major order, the values of an
// iteration combined with what came before.
func (c *compiler) affineParallel(op *ir.Operation) instr {
	lower, upper := c.affineMap(op, "lowerBoundsMap"), c.affineMap(op, "upperBoundsMap")
	steps, ok := op.Attr("steps").(*ir.ArrayAttr)
	kinds, ok2 := op.Attr("reductions").(*ir.ArrayAttr)
	if lower == nil || upper == nil || !ok || !ok2 || len(op.Regions) != 1 || op.Regions[0].Entry() == nil ||
		len(op.Regions[0].Entry().Args) != len(steps.Elems) || len(kinds.Elems) != op.NumResults() {
		c.errorf(op.Pos, "'%s' is malformed", op.Name)
		c.freshResults(op)
		return nil
	}
	split := min(lower.Dims+lower.Symbols, op.NumOperands())
	lin, ok := c.affineInputs(op, lower.Dims, lower.Symbols, 0, split)
	uin, ok2 := c.affineInputs(op, upper.Dims, upper.Symbols, split, op.NumOperands())
	lbs, ok3 := c.grouped(op, "lowerBoundsGroups", c.exprs(lin, lower.Results), greater)
	ubs, ok4 := c.grouped(op, "upperBoundsGroups", c.exprs(uin, upper.Results), lesser)
	if !ok || !ok2 || !ok3 || !ok4 || len(lbs) != len(steps.Elems) || len(ubs) != len(lbs) {
		c.errorf(op.Pos, "'%s' has not one pair of bounds per induction variable", op.Name)
		c.freshResults(op)
		return nil
	}
	ivs := c.defineAll(op.Regions[0].Entry().Args, op.Pos)
	loops := make([]*counter, len(lbs))
	for i, s := range steps.Elems {
		step, ok := s.(*ir.IntegerAttr)
		if !ok || step.Value <= 0 || !lin.fits(step.Value) {
			c.errorf(op.Pos, "%s is no step for an index of %d bits", s, c.indexWidth())
			c.freshResults(op)
			return nil
		}
		loops[i] = &counter{pos: op.Pos, lb: lbs[i], ub: ubs[i], step: step.Value, iv: ivs[i].index, width: c.indexWidth()}
	}
	acc, values := c.freshAll(op), c.freshAll(op)
	reductions := make([]reduction, len(acc))
	for i, k := range kinds.Elems {
		if reductions[i], ok = c.reduction(op, k, op.Result(i).Type); !ok {
			c.freshResults(op)
			return nil
		}
	}
	body := c.region(op.Regions[0], values, opname.AffineYield)
	c.publish(op, acc)
	return func(fr *frame) *fault {
		lb, ub := make([]int64, len(loops)), make([]int64, len(loops))
		for i, l := range loops {
			var f *fault
			if lb[i], ub[i], f = l.bounds(fr); f != nil {
				return f
			}
		}
		for i, r := range reductions {
			fr.v[acc[i].index] = r.identity
		}
		for i := range loops {
			if lb[i] >= ub[i] {
				return nil
			}
		}
		var nest func(i int) *fault
		nest = func(i int) *fault {
			if i < len(loops) {
				return loops[i].run(fr, lb[i], ub[i], func() *fault { return nest(i + 1) })
			}
			if f := body.run(fr); f != nil {
				return f
			}
			for i, r := range reductions {
				at := &fr.v[acc[i].index]
				*at = r.combine(*at, fr.v[values[i].index])
			}
			return nil
		}
		return nest(0)
	}
}

// grouped divides bounds by the attribute of that name and takes the least or
// greatest of each group.
func (c *compiler) grouped(op *ir.Operation, name string, exprs []indexExpr, choose func(a, b int64) int64) (out []indexExpr, ok bool) {
	a, ok := op.Attr(name).(*ir.DenseElementsAttr)
	if !ok {
		return nil, false
	}
	t, ok := a.Type.(*ir.ShapedType)
	if !ok || len(t.Shape) != 1 || len(a.Values) == 0 && t.Shape[0] != 0 {
		return nil, false
	}
	for i := range t.Shape[0] {
		if a.Splat {
			i = 0
		}
		if i >= int64(len(a.Values)) {
			return nil, false
		}
		n, ok := a.Values[i].(*ir.IntegerAttr)
		if !ok || n.Value < 1 || n.Value > int64(len(exprs)) {
			return nil, false
		}
		out = append(out, chosen(exprs[:n.Value], choose))
		exprs = exprs[n.Value:]
	}
	return out, len(exprs) == 0
}

// reduction combines values, starting from the neutral element.
type reduction struct {
	identity uint64
	combine  func(a, b uint64) uint64
}

// reduction resolves a kind of affine.parallel, one of upstream's enumeration.
func (c *compiler) reduction(op *ir.Operation, kind ir.Attr, t ir.Type) (r reduction, ok bool) {
	number := func(v float64) ir.Attr { return &ir.FloatAttr{Value: v, Type: t} }
	k, isInt := kind.(*ir.IntegerAttr)
	if !isInt || k.Value < 0 || k.Value >= int64(len(arith.Combinations)) {
		k = ir.IntAttr(2, ir.I64) // assignment is no reduction
	}
	name := arith.Combinations[k.Value].Op
	var identity ir.Attr
	switch name {
	case opname.ArithAddI, opname.ArithOrI:
		identity = ir.IntAttr(0, t)
	case opname.ArithMulI:
		identity = ir.IntAttr(1, t)
	case opname.ArithAndI:
		identity = ir.IntAttr(-1, t)
	case opname.ArithAddF:
		identity = number(0)
	case opname.ArithMulF:
		identity = number(1)
	case opname.ArithMaximumF:
		identity = number(math.Inf(-1))
	case opname.ArithMinimumF:
		identity = number(math.Inf(1))
	default:
		c.errorf(op.Pos, "'%s' with reduction %s cannot be executed", op.Name, kind)
		return r, false
	}
	probe := ir.NewOp(name, op.Pos, []*ir.Value{{Type: t}, {Type: t}}, []ir.Type{t})
	form, err := num.Resolve(probe, c.indexWidth())
	if err == nil {
		r.combine = form.Binary
		r.identity, err = num.ConstantBits(identity, t, c.indexWidth())
	}
	if err != nil || r.combine == nil {
		c.errorf(op.Pos, "'%s' cannot reduce values of type %s by '%s'", op.Name, t, name)
		return r, false
	}
	return r, true
}
