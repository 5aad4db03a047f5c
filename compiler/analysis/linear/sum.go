package linear

import (
	"slices"

	"loom/internal/intmath"
)

// A Sum is a constant plus multiples of different symbols, in the order in which they
// first occurred. What a symbol is, and whether the sum is an integer or an integer modulo
// two to the power of 64, is up to the user: an operation also returns whether all its
// coefficients are exact, and they are right modulo 2^64 in any case.
type Sum[S comparable] struct {
	C     int64
	Terms []Term[S] // no coefficient is zero
}

// Term is a multiple of a symbol.
type Term[S comparable] struct {
	Sym  S
	Coef int64
}

// Plus is f + k*g.
func (f Sum[S]) Plus(g Sum[S], k int64) (sum Sum[S], exact bool) {
	exact = true
	add := func(to, n int64) int64 {
		p, fits := intmath.Mul(k, n)
		s, held := intmath.Add(to, p)
		exact = exact && fits && held
		return s
	}
	sum = Sum[S]{add(f.C, g.C), slices.Clone(f.Terms)}
	for _, t := range g.Terms {
		i := slices.IndexFunc(sum.Terms, func(u Term[S]) bool { return u.Sym == t.Sym })
		if i < 0 {
			i = len(sum.Terms)
			sum.Terms = append(sum.Terms, Term[S]{Sym: t.Sym})
		}
		u := &sum.Terms[i]
		if u.Coef = add(u.Coef, t.Coef); u.Coef == 0 {
			sum.Terms = slices.Delete(sum.Terms, i, i+1)
		}
	}
	return sum, exact
}

// Times is k*f.
func (f Sum[S]) Times(k int64) (sum Sum[S], exact bool) { return Sum[S]{}.Plus(f, k) }

// Coefficient of a symbol, 0 if it does not occur.
func (f Sum[S]) Coefficient(s S) int64 {
	for _, t := range f.Terms {
		if t.Sym == s {
			return t.Coef
		}
	}
	return 0
}

// IsConst reports whether the sum has no symbols.
func (f Sum[S]) IsConst() bool { return len(f.Terms) == 0 }
