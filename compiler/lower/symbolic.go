package lower

import (
	"loom/compiler/analysis/loops"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/internal/intmath"
)

// Sizes that are parameters: row i of a matrix with n columns begins at i*n, the
// second half of an array of 2n at n. Here the numbers of the equation are forms
// in values that the loop does not change, and the question whether one exceeds
// another is answered by the bounds of their difference, in which the parameters
// cancel:
//
//	rows    a = b = i*n + j         n > the reach of j
//	shift   a = i + j, b = i + j + d   |d| > the reach of i + j
//
// Both are about the integers, so subscripts must not wrap around; see centred
// for the argument that one which is used in each iteration does not.

// apartBySize proves that two subscripts, given as iteration numbers, differ.
func (t *collision) apartBySize(a, b subscript, fa, fb form) bool {
	diff, ok := fa.plus(fb, -1)
	if !ok {
		return false
	}
	for _, m := range diff.terms {
		if !m.sym.invariantIn(t.loop) {
			return false // they move differently
		}
	}
	// What moves: the tested loop, loops within it, rows of unknown length.
	reach := form{}
	var row form
	own := t.x.number(t.iv)
	for _, m := range fa.terms {
		switch {
		case m.sym.invariantIn(t.loop):
		case m.sym == own || t.nested(a, m.sym):
			r, ok := t.x.reachOf(m)
			if !ok {
				return false
			}
			if reach, ok = reach.plus(r, 1); !ok {
				return false
			}
		default:
			if len(row.terms) > 0 {
				return false
			}
			if row, ok = t.rowLength(m); !ok || len(row.terms) == 0 {
				return false
			}
		}
	}
	if len(row.terms) > 0 {
		return len(diff.terms) == 0 && fa.coefficient(own) == 0 && t.rowsApart(a, b, fa, diff.c, row, reach)
	}
	// Without rows both must be their sums.
	if !t.isItsSum(a, fa) || !t.isItsSum(b, fb) {
		return false
	}
	for _, sign := range []int64{1, -1} {
		d, ok := diff.times(sign)
		if ok && positive(d, reach) {
			return true
		}
	}
	return false
}

// nested reports whether a symbol is the iteration number of a loop between the
// tested one and the access.
func (t *collision) nested(s subscript, y *symbol) bool {
	for _, loop := range s.nest {
		if iv := t.x.counter(loop); iv.count.number == y {
			return true
		}
	}
	return false
}

// counter is the symbol of a loop's induction variable.
func (x *subscripts) counter(loop *ir.Operation) *symbol {
	return x.of(loop.Regions[0].Entry().Args[0]).terms[0].sym
}

// reachOf is how far coefficient times iteration number gets: for a plain loop
// from lb below ub, |coefficient|*(ub-1-lb)/step.
func (x *subscripts) reachOf(m term) (form, bool) {
	loop := loops.Of(m.sym.value)
	if loop == nil || !loops.Plain(loop) {
		return form{}, false
	}
	lb, okL := x.exactly(loop.Operand(0))
	ub, okU := x.exactly(loop.Operand(1))
	n := x.counter(loop).count
	if !okL || !okU || n.by <= 0 || n.wraps {
		return form{}, false
	}
	span, ok := ub.plus(lb, -1)
	if !ok {
		return form{}, false
	}
	if span, ok = span.plus(form{c: 1}, -1); !ok || m.coef%n.by != 0 || m.coef == lowestOf(64) {
		return form{}, false
	}
	return span.times(max(m.coef, -m.coef) / n.by)
}

// exactly is the form of a value that equals it, without any modulus.
func (x *subscripts) exactly(v *ir.Value) (form, bool) {
	f := x.of(v)
	if _, _, ok := f.within(x.width(v.Type)); ok {
		return f, true
	}
	return form{}, false
}

// rowLength recognises a product that grows by the same amount in each iteration
// of the tested loop, an amount that the loop does not change, and returns the
// amount (or its negative: what counts is the distance).
func (t *collision) rowLength(m term) (form, bool) {
	op := m.sym.value.Def
	if op == nil || op.Name != opname.ArithMulI || t.x.width(m.sym.value.Type) < t.x.indexWidth {
		return form{}, false // a narrower product wraps on its own
	}
	for i := range 2 {
		length, ok := t.x.exactly(op.Operand(1 - i))
		if !ok || !t.constantIn(length) {
			continue
		}
		f, ok := t.x.counted(t.x.of(op.Operand(i)), t.inside)
		if !ok {
			continue
		}
		own := t.x.number(t.iv)
		by := f.coefficient(own)
		if f, ok = f.plus(form{terms: []term{{own, 1}}}, -by); !ok || !t.constantIn(f) || by == 0 {
			continue
		}
		scale, ok := intmath.Mul(by, m.coef)
		if !ok || scale == lowestOf(64) {
			continue
		}
		return length.times(max(scale, -scale))
	}
	return form{}, false
}

// constantIn reports whether the tested loop does not change a form.
func (t *collision) constantIn(f form) bool {
	for _, m := range f.terms {
		if !m.sym.invariantIn(t.loop) {
			return false
		}
	}
	return true
}

// rowsApart: the rows are longer than what is used of each. Then the length is
// positive, and as a number of the index width it is less than half the range, so
// that walking from row to row does not wrap.
func (t *collision) rowsApart(a, b subscript, f form, c int64, row, reach form) bool {
	w := t.x.indexWidth
	if _, hi, ok := row.bounds(); !ok || hi > highestOf(w) {
		return false
	}
	c = c << (64 - w) >> (64 - w)
	if c == lowestOf(w) {
		return false
	}
	reach, ok := reach.plus(form{c: max(c, -c)}, 1)
	if !ok || !positive(row, reach) {
		return false
	}
	return t.walksBut(a, f, true) || t.walksBut(b, f, true)
}

// isItsSum reports whether a subscript equals its form without any modulus: the
// sum cannot leave the range, or it does not at first and then walks on.
func (t *collision) isItsSum(s subscript, counted form) bool {
	w := t.x.indexWidth
	if _, _, ok := s.f.within(w); ok {
		return true
	}
	first := form{c: counted.c}
	for _, m := range counted.terms {
		if m.sym.invariantIn(t.loop) {
			first.terms = append(first.terms, m)
		}
	}
	_, _, ok := first.within(w)
	return ok && t.walks(s, counted)
}

// positive proves f > g.
func positive(f, g form) bool {
	d, ok := f.plus(g, -1)
	if !ok {
		return false
	}
	lo, _, ok := d.bounds()
	return ok && lo > 0
}
