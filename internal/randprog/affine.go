package randprog

import (
	"slices"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// affineTerms collects the operands of an affine map or set: dimensions first,
// then symbols.
type affineTerms struct{ dims, symbols []*ir.Value }

func (a *affineTerms) operands() []*ir.Value {
	return append(append([]*ir.Value(nil), a.dims...), a.symbols...)
}

func (a *affineTerms) attr(results ...*ir.AffineExpr) *ir.AffineMapAttr {
	return &ir.AffineMapAttr{Map: &ir.AffineMap{Dims: len(a.dims), Symbols: len(a.symbols), Results: results}}
}

// use is v as a term; induction variables are dimensions, other values either.
func (a *affineTerms) use(v *ir.Value, symbol bool) *ir.AffineExpr {
	if i := slices.Index(a.dims, v); i >= 0 {
		return ir.AffineDimExpr(i)
	}
	if i := slices.Index(a.symbols, v); i >= 0 {
		return ir.AffineSymbolExpr(i)
	}
	if symbol {
		a.symbols = append(a.symbols, v)
		return ir.AffineSymbolExpr(len(a.symbols) - 1)
	}
	a.dims = append(a.dims, v)
	return ir.AffineDimExpr(len(a.dims) - 1)
}

// isAffineVariable reports whether v is the induction variable of an affine.for.
func isAffineVariable(v *ir.Value) bool {
	return v.Block != nil && v.Index == 0 && v.Block.ParentOp() != nil && v.Block.ParentOp().Name == opname.AffineFor
}

// affineValue picks a value of known range that MLIR takes in an affine map: an
// induction variable of affine.for, a value of the function's own block, or a
// constant. Where results need not be those of MLIR, any counter will do.
func (g *generator) affineValue(s *scope) *ir.Value {
	var variables, others []*ir.Value
	for _, v := range g.spanned(s) {
		if isAffineVariable(v) || !g.opts.NoUndefined {
			variables = append(variables, v)
		}
	}
	top := s
	for top.parent != nil {
		top = top.parent
	}
	for _, v := range top.values {
		if at, ok := g.spanOf(v); ok && v.Type == ir.Type(ir.Index) && at.lo >= -8 && at.hi <= 8 {
			others = append(others, v)
		}
	}
	switch {
	case len(variables) > 0 && (len(others) == 0 || g.chance(80)):
		return variables[len(variables)-1-g.r.IntN(len(variables))*g.r.IntN(2)]
	case len(others) > 0:
		return others[g.r.IntN(len(others))]
	}
	return g.constant(s, ir.Index, g.r.Int64N(4))
}

// affineTerm is a value as a term, and its range.
func (g *generator) affineTerm(s *scope, a *affineTerms) (*ir.AffineExpr, span) {
	v := g.affineValue(s)
	at, _ := g.spanOf(v)
	return a.use(v, !isAffineVariable(v) && v.Block == nil && g.chance(50)), at
}

// affineExpr draws an expression of one or two terms, and its range.
func (g *generator) affineExpr(s *scope, a *affineTerms) (*ir.AffineExpr, span) {
	e, at := g.affineTerm(s, a)
	c, k := 1+g.r.Int64N(3), 2+g.r.Int64N(3)
	with := func(kind ir.AffineKind, v int64) *ir.AffineExpr { return ir.NewAffine(kind, e, ir.AffineConst(v)) }
	form := g.r.IntN(12)
	if g.opts.NoDivides && form >= 7 && form <= 9 {
		form = 0
	}
	switch form {
	case 0, 1, 2:
		return e, at
	case 3:
		return with(ir.AffineAdd, c), span{at.lo + c, at.hi + c}
	case 4:
		return with(ir.AffineAdd, -c), span{at.lo - c, at.hi - c}
	case 5:
		return with(ir.AffineMul, k), span{k * at.lo, k * at.hi}
	case 6:
		return ir.SubAffine(ir.AffineConst(c), e), span{c - at.hi, c - at.lo}
	case 7:
		return with(ir.AffineFloorDiv, k), span{floorDiv(at.lo, k), floorDiv(at.hi, k)}
	case 8:
		return with(ir.AffineCeilDiv, k), span{-floorDiv(-at.lo, k), -floorDiv(-at.hi, k)}
	case 9:
		return with(ir.AffineMod, k), span{0, k - 1}
	case 10:
		f, b := g.affineTerm(s, a)
		return ir.SubAffine(e, f), span{at.lo - b.hi, at.hi - b.lo}
	}
	f, b := g.affineTerm(s, a)
	return ir.NewAffine(ir.AffineAdd, with(ir.AffineMul, k), f), span{k*at.lo + b.lo, k*at.hi + b.hi}
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// affine emits an affine.for.
func (g *generator) affine(s *scope) {
	a := &affineTerms{}
	low, at := []*ir.AffineExpr{ir.AffineConst(g.r.Int64N(2))}, span{0, 1}
	switch g.r.IntN(5) {
	case 0:
		e, b := g.affineTerm(s, a)
		low, at = []*ir.AffineExpr{e}, b
	case 1: // the greater of two
		e, b := g.affineTerm(s, a)
		low, at = append(low, ir.NewAffine(ir.AffineAdd, e, ir.AffineConst(-1))), span{0, max(1, b.hi-1)}
	}
	lower, lowerMap := a.operands(), a.attr(low...)
	a = &affineTerms{}
	n := 1 + g.r.Int64N(5)
	high, most := []*ir.AffineExpr{ir.AffineConst(n)}, n
	switch g.r.IntN(5) {
	case 0:
		e, b := g.affineTerm(s, a)
		high, most = []*ir.AffineExpr{ir.NewAffine(ir.AffineAdd, e, ir.AffineConst(1))}, b.hi+1
	case 1: // the less of two
		e, _ := g.affineExpr(s, a)
		high = append(high, e)
	}
	if most-at.lo > 12 {
		high, most = append(high, ir.AffineConst(n)), n
	}
	upper, upperMap := a.operands(), a.attr(high...)
	ts := g.someTypes(2)
	operands := append(append([]*ir.Value(nil), lower...), upper...)
	for _, t := range ts {
		operands = append(operands, g.need(s, t))
	}
	op := ir.NewOp(opname.AffineFor, diag.Pos{}, operands, ts)
	segments(op, len(lower), len(upper), len(ts))
	op.SetAttr("lowerBoundMap", lowerMap)
	op.SetAttr("upperBoundMap", upperMap)
	op.SetAttr("step", ir.IntAttr(1+g.r.Int64N(5)/3, ir.Index))
	inner := g.enter(s, op.AddRegion(), append([]ir.Type{ir.Index}, ts...), 5)
	g.spans[inner.block.Args[0]] = span{at.lo, max(at.lo, most-1)}
	g.affineStatements(inner, 1+g.r.IntN(4))
	g.close(inner, opname.AffineYield, nil, ts)
	g.add(s, op)
}

// affineStatements fills a region of the affine dialect: accesses, values,
// branches, loops, and now and then anything else.
func (g *generator) affineStatements(s *scope, n int) {
	for range n {
		nest := s.depth < g.opts.MaxDepth && s.trips < 50 && g.ops < g.goal
		switch p := g.r.IntN(100); {
		case p < 30:
			g.affineLoad(s)
		case p < 60:
			g.affineStore(s)
		case p < 70:
			g.affineApply(s)
		case p < 82 && nest:
			g.affineIf(s)
		case p < 90 && nest:
			g.affine(s)
		default:
			g.statements(s, 1)
		}
	}
}

// affineSubscripts is a map of subscripts inside m.
func (g *generator) affineSubscripts(s *scope, m *memory) (*ir.AffineMapAttr, []*ir.Value) {
	a := &affineTerms{}
	var results []*ir.AffineExpr
	for _, n := range m.shape {
		e, at := g.affineExpr(s, a)
		if at.lo < 0 || at.hi >= n {
			if g.opts.NoDivides {
				e = ir.AffineConst(n - 1)
			} else {
				e = ir.NewAffine(ir.AffineMod, e, ir.AffineConst(n))
			}
		}
		results = append(results, e)
	}
	return a.attr(results...), a.operands()
}

func (g *generator) affineLoad(s *scope) {
	m := g.pickMemory(s, func(m *memory) int { return m.loads })
	if m == nil {
		g.compute(s)
		return
	}
	m.loads++
	at, operands := g.affineSubscripts(s, m)
	g.emit(s, opname.AffineLoad, append([]*ir.Value{m.value}, operands...), m.elem).SetAttr("map", at)
}

func (g *generator) affineStore(s *scope) {
	m := g.pickMemory(s, func(m *memory) int { return m.stores })
	if m == nil || m.readOnly {
		g.compute(s)
		return
	}
	m.stores++
	v := g.need(s, m.elem)
	at, operands := g.affineSubscripts(s, m)
	g.emit(s, opname.AffineStore, append([]*ir.Value{v, m.value}, operands...)).SetAttr("map", at)
}

// affineApply emits affine.apply, min or max.
func (g *generator) affineApply(s *scope) {
	a := &affineTerms{}
	e, at := g.affineExpr(s, a)
	name, results := opname.AffineApply, []*ir.AffineExpr{e}
	if g.chance(40) {
		f, b := g.affineExpr(s, a)
		results = append(results, f)
		if name = opname.AffineMin; g.chance(50) {
			name, at = opname.AffineMax, span{max(at.lo, b.lo), max(at.hi, b.hi)}
		} else {
			at = span{min(at.lo, b.lo), min(at.hi, b.hi)}
		}
	}
	op := g.emit(s, name, a.operands(), ir.Index)
	op.SetAttr("map", a.attr(results...))
	g.spans[op.Result(0)] = at
}

// affineIf emits affine.if on one or two constraints.
func (g *generator) affineIf(s *scope) {
	a := &affineTerms{}
	set := &ir.IntegerSet{}
	for range 1 + g.r.IntN(2) {
		e, at := g.affineExpr(s, a)
		c := ir.AffineConstraint{Expr: e, Equal: g.chance(25)}
		if mid := (at.lo + at.hi + 1) / 2; mid != 0 {
			c.Expr = ir.NewAffine(ir.AffineAdd, e, ir.AffineConst(-mid))
		}
		set.Constraints = append(set.Constraints, c)
	}
	set.Dims, set.Symbols = len(a.dims), len(a.symbols)
	ts := g.someTypes(2)
	op := ir.NewOp(opname.AffineIf, diag.Pos{}, a.operands(), ts)
	op.SetAttr("condition", &ir.IntegerSetAttr{Set: set})
	then, otherwise := op.AddRegion(), op.AddRegion()
	inner := g.enter(s, then, nil, 1)
	g.affineStatements(inner, g.r.IntN(3))
	g.close(inner, opname.AffineYield, nil, ts)
	if len(ts) > 0 || g.chance(60) {
		inner = g.enter(s, otherwise, nil, 1)
		g.affineStatements(inner, g.r.IntN(3))
		g.close(inner, opname.AffineYield, nil, ts)
	}
	g.add(s, op)
}
