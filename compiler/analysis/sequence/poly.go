package sequence

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"loom/compiler/analysis/interval"
	"loom/compiler/analysis/linear"
	"loom/compiler/analysis/loops"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// poly is a polynomial over symbols: monomials by their keys. It is an integer modulo two to the
// power of 64.
type poly map[string]monomial

type monomial struct {
	coef uint64
	syms []*linear.Symbol // by ID, one per factor
}

// maxMonomials and maxDepth bound the work on a value; what is longer or deeper is not proven.
const (
	maxMonomials = 32
	maxDepth     = 8
)

func number(n int64) poly {
	if n == 0 {
		return poly{}
	}
	return poly{"": {coef: uint64(n)}}
}

func symbol(y *linear.Symbol) poly { return poly{}.add(1, []*linear.Symbol{y}) }

// add adds a monomial in place.
func (p poly) add(coef uint64, syms []*linear.Symbol) poly {
	slices.SortFunc(syms, func(a, b *linear.Symbol) int { return a.ID - b.ID })
	ids := make([]string, len(syms))
	for i, y := range syms {
		ids[i] = strconv.Itoa(y.ID)
	}
	key := strings.Join(ids, "*")
	m := monomial{p[key].coef + coef, syms}
	if p[key] = m; m.coef == 0 {
		delete(p, key)
	}
	return p
}

// plus is p + k*q.
func (p poly) plus(q poly, k int64) poly {
	sum := maps.Clone(p)
	for _, m := range q {
		sum.add(m.coef*uint64(k), slices.Clone(m.syms))
	}
	return sum
}

func (p poly) times(q poly) poly {
	product := poly{}
	for _, a := range p {
		for _, b := range q {
			product.add(a.coef*b.coef, slices.Concat(a.syms, b.syms))
		}
	}
	return product
}

// constant is the number that the polynomial is; not ok where it has symbols.
func (p poly) constant() (n uint64, ok bool) {
	return p[""].coef, len(p) == 0 || len(p) == 1 && p[""].coef != 0
}

// equal reports whether two polynomials are equal as indices.
func (p *proof) equal(a, b poly) bool {
	for _, m := range a.plus(b, -1) {
		if m.coef&interval.Mask(p.forms.IndexWidth) != 0 {
			return false
		}
	}
	return true
}

// value is an integer as a polynomial over the iteration numbers of the loops around the access
// and what does not depend on them; it equals the value in all bits of an index.
func (p *proof) value(v *ir.Value) (poly, bool) {
	if w := p.forms.Width(v.Type); w < p.forms.IndexWidth {
		// Fewer bits: the sum has to be the value itself.
		f, ok := p.forms.Exactly(v)
		if !ok {
			return nil, false
		}
		return p.sum(f, 0)
	}
	return p.sum(p.forms.Of(v), 0)
}

func (p *proof) sum(f linear.Form, depth int) (poly, bool) {
	if depth > maxDepth {
		return nil, false
	}
	out := number(f.C)
	for _, t := range f.Terms {
		x, ok := p.factor(t.Sym, depth)
		if !ok || len(out)+len(x) > maxMonomials {
			return nil, false
		}
		out = out.plus(x, t.Coef)
	}
	return out, true
}

// factor looks into a symbol: an induction variable is its iteration number, a product the
// product of its factors.
func (p *proof) factor(y *linear.Symbol, depth int) (poly, bool) {
	if n := y.Course; n != nil && p.on[n.Loop] && n.By != 0 && !n.Wraps {
		base, ok := p.sum(n.Base, depth+1)
		if !ok {
			return nil, false
		}
		return base.plus(symbol(p.forms.Number(y)), n.By), true
	}
	if op := y.Value.Def; y.Course == nil && op != nil && op.Name == opname.ArithMulI && p.forms.Width(y.Value.Type) >= p.forms.IndexWidth {
		a, okA := p.sum(p.forms.Of(op.Operand(0)), depth+1)
		b, okB := p.sum(p.forms.Of(op.Operand(1)), depth+1)
		if okA && okB && len(a)*len(b) <= maxMonomials {
			return a.times(b), true
		}
	}
	return symbol(y), true
}

// iteration is the number of the present iteration of a loop around the access, from 0 on.
func (p *proof) iteration(loop *ir.Operation) (poly, bool) {
	y := p.forms.Counter(loop)
	if y.Course == nil || y.Course.By == 0 || y.Course.Wraps {
		return nil, false
	}
	return symbol(p.forms.Number(y)), true
}

// trips is how often a loop around the access runs whenever it is reached, where that is the same
// each time. Where it is not positive the loop never runs, and there is no access at all.
func (p *proof) trips(loop *ir.Operation) (poly, bool) {
	_, cond := loops.Kind(loop)
	c := p.forms.Counter(loop).Course
	if c == nil || c.By == 0 || c.Wraps {
		return nil, false
	}
	first, okF := p.value(loop.Operand(0))
	end, okE := p.value(loop.Operand(1))
	if !okF || !okE {
		return nil, false
	}
	by := c.By
	n := end.plus(first, -1)
	if by < 0 {
		by, n = -by, first.plus(end, -1)
	}
	switch up := c.By > 0; {
	case up && cond == "<", !up && cond == ">":
	case up && cond == "<=", !up && cond == ">=":
		n = n.plus(number(1), 1)
	default:
		return nil, false
	}
	if by != 1 {
		d, ok := n.constant()
		if !ok || int64(d) <= 0 {
			return nil, false
		}
		n = number((int64(d) + by - 1) / by)
	}
	for _, m := range n {
		for _, y := range m.syms {
			if p.outermost != nil && !y.InvariantIn(p.outermost) {
				return nil, false
			}
		}
	}
	if d, ok := n.constant(); ok && int64(d) < 0 {
		return number(0), true
	}
	if p.broken == Ends {
		n = n.plus(number(1), 1)
	}
	return n, true
}
