package dependence

import (
	"slices"

	"loom/compiler/analysis/interval"
	"loom/compiler/analysis/linear"
	"loom/compiler/opname"
	"loom/internal/intmath"
)

// Sizes that are parameters: row i of a matrix with n columns begins at i*n, the
// second half of an array of 2n at n. Here the coefficients of the equation are forms
// in values that the loop does not change, and the question whether one exceeds
// another is answered by the bounds of their difference, in which the parameters
// cancel:
//
//	rows    a = b = i*n + j         n > the reach of j
//	shift   a = i + j, b = i + j + d   |d| > the reach of i + j
//	mirror  a = i, b = n - 1 - i       n - 1 > twice the reach of i
//
// The first two are about the integers, so subscripts must not wrap around; see centred
// for the argument that one which is used in each iteration does not. Otherwise the difference of the subscripts must be
// known to be less than the range of an index.

// apartBySize proves that two subscripts, given as iteration numbers, differ.
func (t *Test) apartBySize(a, b Subscript, fa, fb linear.Form) bool {
	diff, ok := fa.Plus(fb, -1)
	if !ok {
		return false
	}
	for _, m := range diff.Terms {
		if !m.Sym.InvariantIn(t.loop) {
			return false // they move differently
		}
	}
	// What moves: the tested loop, loops within it, rows of unknown length.
	reach := linear.Form{}
	var row linear.Form
	own := t.x.Number(t.iv)
	for _, m := range fa.Terms {
		switch {
		case m.Sym.InvariantIn(t.loop):
		case m.Sym == own || t.nested(a, m.Sym):
			r, ok := t.x.ReachOf(m)
			if !ok {
				return false
			}
			if reach, ok = reach.Plus(r, 1); !ok {
				return false
			}
		default:
			if len(row.Terms) > 0 {
				return false
			}
			if row, ok = t.rowLength(m); !ok || len(row.Terms) == 0 {
				return false
			}
		}
	}
	if len(row.Terms) > 0 {
		return len(diff.Terms) == 0 && fa.Coefficient(own) == 0 && t.rowsApart(a, b, fa, diff.C, row, reach)
	}
	// Without rows both must be their sums.
	if !t.isItsSum(a, fa) || !t.isItsSum(b, fb) {
		return false
	}
	for _, sign := range []int64{1, -1} {
		d, ok := diff.Times(sign)
		if ok && positive(d, reach) {
			return true
		}
	}
	return false
}

// apartByReach proves that the difference of two subscripts, whatever the iterations of both are, is above zero and below
// the range of an index, or the opposite.
func (t *Test) apartByReach(a, b Subscript, fa, fb linear.Form) bool {
	w := t.x.IndexWidth
	diff, ok := fa.Plus(fb, -1)
	if !ok || w > 62 {
		return false
	}
	// What both sides have of values that the loop does not change, and how far below and above it moves.
	fixed, below, above := linear.Form{C: diff.C}, linear.Form{}, linear.Form{}
	for _, m := range diff.Terms {
		if m.Sym.InvariantIn(t.loop) && ok {
			fixed, ok = fixed.Plus(linear.Of(m.Sym), m.Coef)
		}
	}
	own := t.x.Number(t.iv)
	for i, f := range []linear.Form{fa, fb} {
		for _, m := range f.Terms {
			if m.Sym.InvariantIn(t.loop) || !ok {
				continue
			}
			reach, known := t.x.ReachOf(m)
			if !known || m.Sym != own && !t.nested([]Subscript{a, b}[i], m.Sym) {
				return false
			}
			to := &above
			if m.Coef < 0 != (i == 1) {
				to = &below
			}
			*to, ok = to.Plus(reach, 1)
		}
	}
	if !ok {
		return false
	}
	fixed = t.quotients(fixed, slices.Concat(fixed.Terms, below.Terms, above.Terms))
	least, ok1 := fixed.Plus(below, -1)
	most, ok2 := fixed.Plus(above, 1)
	lo, _, ok3 := linear.Bounds(least)
	_, hi, ok4 := linear.Bounds(most)
	near := func(d int64) bool { return d < 1<<w || t.opts.Endless }
	return ok1 && ok2 && ok3 && ok4 && (lo > 0 && near(hi) || hi < 0 && near(-lo))
}

// quotients writes a number of which the sum or the tested loop's bounds have a quotient by a constant as that quotient times the
// constant, and a rest: of n / 2 and n, n is 2*(n/2) + r. The sum stays the same modulo two to the power of the index width.
func (t *Test) quotients(f linear.Form, among []linear.Term[*linear.Symbol]) linear.Form {
	for _, m := range among {
		op := m.Sym.Value.Def
		if op == nil || op.NumOperands() != 2 || m.Sym.Course != nil || t.x.Width(m.Sym.Value.Type) < t.x.IndexWidth {
			continue
		}
		by, constant := op.Operand(1).ConstantInt()
		// The rest is what rounding down leaves of the operand, read with sign or without: both are one modulo the width.
		switch op.Name {
		case opname.ArithShRSI, opname.ArithShRUI:
			if by < 0 || by > 30 {
				continue
			}
			by = 1 << by
		case opname.ArithDivSI:
			if t.least(m.Sym) <= 0 && !t.opts.Rounding {
				continue
			}
		case opname.ArithDivUI:
		default:
			continue
		}
		if !constant || by < 2 {
			continue
		}
		n := t.x.Of(op.Operand(0))
		rest := linear.Of(&linear.Symbol{Value: m.Sym.Value, Hi: by - 1})
		for _, z := range n.Terms {
			if coef := f.Coefficient(z.Sym); z.Coef == 1 && coef != 0 {
				// f + coef*(by*quotient + rest - n)
				whole, ok1 := rest.Plus(linear.Of(m.Sym), by)
				whole, ok2 := whole.Plus(n, -1)
				g, ok3 := f.Plus(whole, coef)
				if ok1 && ok2 && ok3 {
					return g
				}
			}
		}
	}
	return f
}

// least is the least value of a symbol in the tested loop.
func (t *Test) least(y *linear.Symbol) int64 {
	for op := t.loop; op != nil; op = op.ParentOp() {
		if b := op.Block(); b != nil && (y.Value.Block == b || y.Value.Def != nil && y.Value.Def.Block() == b) {
			lo, _ := t.x.Range(y.Value, t.loop.Regions[0].Entry().Ops[0])
			return max(lo, y.Lo)
		}
	}
	return y.Lo // what it stands for is computed elsewhere, where other conditions hold
}

// nested reports whether a symbol is the iteration number of a loop between the
// tested one and the access.
func (t *Test) nested(s Subscript, y *linear.Symbol) bool {
	for _, loop := range s.Nest {
		if t.x.Number(t.x.Counter(loop)) == y {
			return true
		}
	}
	return false
}

// rowLength recognises a product that grows by the same amount in each iteration
// of the tested loop, an amount that the loop does not change, and returns the
// amount (or its negative: what counts is the distance).
func (t *Test) rowLength(m linear.Term[*linear.Symbol]) (linear.Form, bool) {
	op := m.Sym.Value.Def
	if op == nil || op.Name != opname.ArithMulI || t.x.Width(m.Sym.Value.Type) < t.x.IndexWidth {
		return linear.Form{}, false // a narrower product wraps on its own
	}
	for i := range 2 {
		length, ok := t.x.Exactly(op.Operand(1 - i))
		if !ok || !t.constantIn(length) {
			continue
		}
		f, ok := t.x.Counted(t.x.Of(op.Operand(i)), t.inside)
		if !ok {
			continue
		}
		own := t.x.Number(t.iv)
		by := f.Coefficient(own)
		if f, ok = f.Plus(linear.Of(own), -by); !ok || !t.constantIn(f) || by == 0 {
			continue
		}
		scale, ok := intmath.Mul(by, m.Coef)
		if !ok || scale == interval.MinSigned(64) {
			continue
		}
		return length.Times(max(scale, -scale))
	}
	return linear.Form{}, false
}

// constantIn reports whether the tested loop does not change a form.
func (t *Test) constantIn(f linear.Form) bool {
	for _, m := range f.Terms {
		if !m.Sym.InvariantIn(t.loop) {
			return false
		}
	}
	return true
}

// rowsApart: the rows are longer than what is used of each. Then the length is
// positive, and as a number of the index width it is less than half the range, so
// that walking from row to row does not wrap.
func (t *Test) rowsApart(a, b Subscript, f linear.Form, c int64, row, reach linear.Form) bool {
	w := t.x.IndexWidth
	if _, hi, ok := linear.Bounds(row); !ok || hi > interval.MaxSigned(w) {
		return false
	}
	c = c << (64 - w) >> (64 - w)
	if c == interval.MinSigned(w) {
		return false
	}
	reach, ok := reach.Plus(linear.Form{C: max(c, -c)}, 1)
	if !ok || !positive(row, reach) {
		return false
	}
	return t.walksBut(a, f, true) || t.walksBut(b, f, true)
}

// isItsSum reports whether a Subscript equals its form without any modulus: the
// sum cannot leave the range, or it does not at first and then walks on.
func (t *Test) isItsSum(s Subscript, counted linear.Form) bool {
	w := t.x.IndexWidth
	if _, _, ok := linear.Within(s.Form, w); ok {
		return true
	}
	first := linear.Form{C: counted.C}
	for _, m := range counted.Terms {
		if m.Sym.InvariantIn(t.loop) {
			first.Terms = append(first.Terms, m)
		}
	}
	_, _, ok := linear.Within(first, w)
	return ok && t.walks(s, counted)
}

// positive proves f > g.
func positive(f, g linear.Form) bool {
	d, ok := f.Plus(g, -1)
	if !ok {
		return false
	}
	lo, _, ok := linear.Bounds(d)
	return ok && lo > 0
}
