package mlir

import (
	"math"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/ir"
)

// maxAffineTerms bounds one affine map or set, so that what walks over its
// expressions may recurse.
const maxAffineTerms = 4096

// affineParser reads affine expressions (MLIR, "Affine Expressions"), either
// with names that the signature of a map or set declares or, as in the
// subscripts of affine.load, with operands instead.
type affineParser struct {
	p     *parser
	names map[string]*ir.AffineExpr // declared names; nil with operands
	terms int

	operands map[affineOperand]*ir.AffineExpr
	dims     []UnresolvedOperand
	symbols  []UnresolvedOperand
}

// affineOperand distinguishes operands of inline subscripts.
type affineOperand struct {
	name   string
	number int
	symbol bool
}

// affineAttr reads affine_map<…> or affine_set<…>.
func (p *parser) affineAttr() ir.Attr {
	isMap := p.tok.text == "affine_map"
	p.advance()
	p.expect("<")
	if isMap {
		m := p.affineMap()
		p.expect(">")
		return &ir.AffineMapAttr{Map: m}
	}
	a, dims, symbols := p.affineSignature()
	p.expect(":")
	s := &ir.IntegerSet{Dims: dims, Symbols: symbols}
	a.list("(", ")", func() { s.Constraints = append(s.Constraints, a.constraint()) })
	if len(s.Constraints) == 0 {
		// The set of all points, as MLIR spells it.
		s.Constraints = []ir.AffineConstraint{{Expr: ir.AffineConst(0), Equal: true}}
	}
	p.expect(">")
	return &ir.IntegerSetAttr{Set: s}
}

// affineMap reads (d0)[s0] -> (results).
func (p *parser) affineMap() *ir.AffineMap {
	a, dims, symbols := p.affineSignature()
	p.expect("->")
	m := &ir.AffineMap{Dims: dims, Symbols: symbols}
	a.list("(", ")", func() { m.Results = append(m.Results, a.sum()) })
	return m
}

// affineSignature reads (d0, d1)[s0].
func (p *parser) affineSignature() (a *affineParser, dims, symbols int) {
	a = &affineParser{p: p, names: map[string]*ir.AffineExpr{}}
	dims = a.declare("(", ")", ir.AffineDimExpr)
	if p.is("[") {
		symbols = a.declare("[", "]", ir.AffineSymbolExpr)
	}
	return a, dims, symbols
}

// list reads elements separated by commas between two brackets.
func (a *affineParser) list(open, close string, element func()) {
	a.p.expect(open)
	for first := true; !a.p.is(close); first = false {
		if !first {
			a.p.separator(close)
		}
		element()
	}
	a.p.advance()
}

// declare reads the names of dimensions or symbols and returns their number.
func (a *affineParser) declare(open, close string, expr func(int) *ir.AffineExpr) (n int) {
	a.list(open, close, func() {
		p := a.p
		if p.tok.kind != tBare {
			p.expected("the name of a dimension or symbol")
		}
		if a.names[p.tok.text] != nil {
			p.fail(p.pos(), "'%s' is declared twice", p.tok.text)
		}
		a.term()
		a.names[p.tok.text] = expr(n)
		n++
		p.advance()
	})
	return n
}

// term counts one more leaf or operator.
func (a *affineParser) term() {
	if a.terms++; a.terms > maxAffineTerms {
		a.p.fail(a.p.pos(), "the affine expressions have more than %d terms", maxAffineTerms)
	}
}

// constraint reads "sum >= sum", "sum <= sum" or "sum == sum".
func (a *affineParser) constraint() ir.AffineConstraint {
	p := a.p
	left := a.sum()
	relation := p.tok.text
	if p.tok.kind != tPunct || relation != ">" && relation != "<" && relation != "=" || p.peek().text != "=" {
		p.expected("'>=', '<=' or '=='")
	}
	p.advance()
	p.advance()
	right := a.sum()
	if relation == "<" {
		left, right = right, left
	}
	return ir.AffineConstraint{Expr: ir.SubAffine(left, right), Equal: relation == "="}
}

// sum reads products with '+' and '-' between them.
func (a *affineParser) sum() *ir.AffineExpr {
	left := a.product()
	for {
		switch {
		case a.p.accept("+"):
			a.term()
			left = ir.NewAffine(ir.AffineAdd, left, a.product())
		case a.p.accept("-"):
			a.term()
			left = ir.SubAffine(left, a.product())
		default:
			return left
		}
	}
}

// product reads operands with '*', mod, floordiv and ceildiv between them, which
// all bind alike, from the left.
func (a *affineParser) product() *ir.AffineExpr {
	left := a.operand()
	for {
		var kind ir.AffineKind
		pos := a.p.pos()
		switch {
		case a.p.accept("*"):
			kind = ir.AffineMul
		case a.p.acceptWord("mod"):
			kind = ir.AffineMod
		case a.p.acceptWord("floordiv"):
			kind = ir.AffineFloorDiv
		case a.p.acceptWord("ceildiv"):
			kind = ir.AffineCeilDiv
		default:
			return left
		}
		a.term()
		right := a.operand()
		switch {
		case right.IsSymbolic() || kind == ir.AffineMul && left.IsSymbolic():
		case kind == ir.AffineMul:
			a.notAffine(pos, "one factor of a product must be a constant or have only symbols")
		default:
			a.notAffine(pos, "the right side of mod, floordiv and ceildiv must be a constant or have only symbols")
		}
		left = ir.NewAffine(kind, left, right)
	}
}

func (a *affineParser) notAffine(pos diag.Pos, help string) {
	a.p.errorf(pos, "the expression is not affine").WithHelp("%s", help)
	panic(bailout{})
}

// operand reads a name, a number, a negated operand or a sum in parentheses.
func (a *affineParser) operand() *ir.AffineExpr {
	p := a.p
	a.term()
	switch {
	case p.tok.kind == tInt:
		v, err := parseUint(p.tok.text)
		if err != nil || v > math.MaxInt64 {
			p.fail(p.pos(), "%s is out of range for an index", p.tok.text)
		}
		p.advance()
		return ir.AffineConst(int64(v))
	case p.is("("):
		p.enter()
		p.advance()
		e := a.sum()
		p.expect(")")
		p.depth--
		return e
	case p.is("-"):
		return a.negated()
	case a.names == nil && p.tok.kind == tPercent:
		return a.value(false)
	case a.names == nil && p.isWord("symbol"):
		p.advance()
		p.expect("(")
		e := a.value(true)
		p.expect(")")
		return e
	case a.names != nil && p.tok.kind == tBare:
		e := a.names[p.tok.text]
		if e == nil {
			p.fail(p.pos(), "'%s' is neither a dimension nor a symbol of this map or set", p.tok.text)
		}
		p.advance()
		return e
	}
	p.expected("an affine expression")
	return nil
}

// negated reads an operand with any number of minus signs in front of it.
func (a *affineParser) negated() *ir.AffineExpr {
	p := a.p
	minus := false
	for p.accept("-") {
		a.term()
		minus = !minus
	}
	if minus && p.tok.kind == tInt {
		if v, err := parseUint(p.tok.text); err == nil && v == 1<<63 {
			// mlir-opt prints the least integer so, but does not read it.
			p.advance()
			return ir.AffineConst(math.MinInt64)
		}
	}
	e := a.operand()
	if minus {
		e = ir.NewAffine(ir.AffineMul, e, ir.AffineConst(-1))
	}
	return e
}

// value reads an operand in an inline expression; the first use of one makes it
// a dimension, or a symbol within symbol(…).
func (a *affineParser) value(symbol bool) *ir.AffineExpr {
	o := OpParser{p: a.p}
	u := o.ParseOperand()
	key := affineOperand{u.Name, u.Number, symbol}
	if e := a.operands[key]; e != nil {
		return e
	}
	var e *ir.AffineExpr
	if symbol {
		e = ir.AffineSymbolExpr(len(a.symbols))
		a.symbols = append(a.symbols, u)
	} else {
		e = ir.AffineDimExpr(len(a.dims))
		a.dims = append(a.dims, u)
	}
	a.operands[key] = e
	return e
}

// ParseAffineMap reads an affine_map attribute, or the alias of one.
func (o *OpParser) ParseAffineMap() *ir.AffineMap {
	pos := o.p.pos()
	a, ok := o.p.parseAttr(nil).(*ir.AffineMapAttr)
	if !ok {
		o.p.fail(pos, "expected an affine map")
	}
	return a.Map
}

// ParseBareAffineMap reads a map without affine_map<…> around it.
func (o *OpParser) ParseBareAffineMap() *ir.AffineMap { return o.p.affineMap() }

// ParseIntegerSet reads an affine_set attribute, or the alias of one.
func (o *OpParser) ParseIntegerSet() *ir.IntegerSet {
	pos := o.p.pos()
	a, ok := o.p.parseAttr(nil).(*ir.IntegerSetAttr)
	if !ok {
		o.p.fail(pos, "expected an affine set")
	}
	return a.Set
}

// InlineMap collects affine expressions written with operands in them, such as
// %i + symbol(%n) * 2. Several lists may share one, as the bounds of
// affine.parallel do.
type InlineMap struct{ a affineParser }

// NewInlineMap starts a map without results.
func (o *OpParser) NewInlineMap() *InlineMap {
	return &InlineMap{affineParser{p: o.p, operands: map[affineOperand]*ir.AffineExpr{}}}
}

// ParseExpr reads one expression.
func (m *InlineMap) ParseExpr() *ir.AffineExpr { return m.a.sum() }

// Finish returns the map with the given results and its operands, the
// dimensions before the symbols.
func (m *InlineMap) Finish(results []*ir.AffineExpr) (*ir.AffineMap, []UnresolvedOperand) {
	am := &ir.AffineMap{Dims: len(m.a.dims), Symbols: len(m.a.symbols), Results: results}
	return am, append(append([]UnresolvedOperand{}, m.a.dims...), m.a.symbols...)
}

// InlineExprs writes affine expressions over operands, the dimensions of the map
// before its symbols, as InlineMap reads them.
func (p *OpPrinter) InlineExprs(m *ir.AffineMap, results []*ir.AffineExpr, operands []*ir.Value) {
	base := map[string]string{} // name before '#' -> whole name
	for i, e := range results {
		if i > 0 {
			p.Text(", ")
		}
		p.Text(e.Format(func(symbol bool, i int) string {
			if symbol {
				i += m.Dims
			}
			name := p.names[operands[i]]
			group, _, several := strings.Cut(name, "#")
			if several && base[group] != "" {
				// mlir-opt 19 loses track of the result numbers when one group
				// is named twice: leave it the generic form.
				panic("results of one operation in an inline map")
			}
			base[group] = name
			if symbol {
				return "symbol(%" + name + ")"
			}
			return "%" + name
		}))
	}
}
