// Package linear reads integers of structured programs as sums of multiples of what is
// not looked into: induction variables, parameters, loaded data.
package linear

import (
	"strconv"
	"strings"

	"loom/compiler/analysis/interval"
	"loom/compiler/ir"
	"loom/compiler/rewrite"
	"loom/internal/intmath"
)

// A Form is an integer as a sum of a constant and multiples of symbols. A symbol
// stands for its signed value, so the sum is an ordinary integer; the value it
// describes equals the sum modulo two to the power of the value's width, and
// exactly where the sum cannot leave the signed range of that width.
type Form struct {
	C     int64
	Terms []Term // by symbol number; no coefficient is zero
}

// Term is a multiple of a symbol.
type Term struct {
	Sym  *Symbol
	Coef int64
}

// MaxTerms bounds the length of a sum. What is longer becomes a symbol of its
// own, which keeps the analysis linear in the size of the function.
const MaxTerms = 12

// Symbol is something that a form does not look into: an induction variable, a
// parameter, a loaded value, a product of two unknowns.
type Symbol struct {
	ID int
	// Value is the (or one) value the symbol stands for.
	Value *ir.Value
	// Lo and Hi bound the signed value, unless it is Unbounded: an iteration number
	// that may exceed 63 bits.
	Lo, Hi    int64
	Unbounded bool
	// Leaves are the values it is computed from: it is the same in two iterations
	// of a loop that defines none of them.
	Leaves []*ir.Value
	// Course is how the symbol moves, if it is an induction variable.
	Course *Course
}

// InvariantIn reports whether the symbol has one value during an activation of a
// loop.
func (y *Symbol) InvariantIn(loop *ir.Operation) bool {
	for _, v := range y.Leaves {
		if !rewrite.Outside(v, loop) {
			return false
		}
	}
	return true
}

// Plus is f + k*g; not ok when a coefficient leaves 64 bits.
func (f Form) Plus(g Form, k int64) (Form, bool) {
	g, ok := g.Times(k)
	if !ok {
		return Form{}, false
	}
	var out Form
	if out.C, ok = intmath.Add(f.C, g.C); !ok {
		return Form{}, false
	}
	a, b := f.Terms, g.Terms
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].Sym.ID < b[0].Sym.ID:
			out.Terms = append(out.Terms, a[0])
			a = a[1:]
		case len(a) == 0 || b[0].Sym.ID < a[0].Sym.ID:
			out.Terms = append(out.Terms, b[0])
			b = b[1:]
		default:
			sum, ok := intmath.Add(a[0].Coef, b[0].Coef)
			if !ok {
				return Form{}, false
			}
			if sum != 0 {
				out.Terms = append(out.Terms, Term{a[0].Sym, sum})
			}
			a, b = a[1:], b[1:]
		}
	}
	return out, true
}

// Times is k*f; not ok when a coefficient leaves 64 bits.
func (f Form) Times(k int64) (Form, bool) {
	if k == 0 {
		return Form{}, true
	}
	c, ok := intmath.Mul(f.C, k)
	out := Form{C: c}
	for _, t := range f.Terms {
		coef, fits := intmath.Mul(t.Coef, k)
		ok = ok && fits
		out.Terms = append(out.Terms, Term{t.Sym, coef})
	}
	return out, ok
}

// multiple reports whether a form is a multiple of two to the power of n, whatever its
// symbols are. Cutting the sum to a width of n bits or more keeps that.
func (f Form) multiple(n int) bool {
	low := int64(1)<<min(n, 62) - 1
	if n > 62 || f.C&low != 0 {
		return false
	}
	for _, t := range f.Terms {
		if t.Coef&low != 0 {
			return false
		}
	}
	return true
}

// Coefficient of a symbol, 0 if it does not occur.
func (f Form) Coefficient(y *Symbol) int64 {
	for _, t := range f.Terms {
		if t.Sym == y {
			return t.Coef
		}
	}
	return 0
}

// Bounds of the sum; not ok when they leave 64 bits.
func (f Form) Bounds() (lo, hi int64, ok bool) {
	lo, hi, ok = f.C, f.C, true
	for _, t := range f.Terms {
		a, fitsA := intmath.Mul(t.Coef, t.Sym.Lo)
		b, fitsB := intmath.Mul(t.Coef, t.Sym.Hi)
		l, fitsL := intmath.Add(lo, min(a, b))
		h, fitsH := intmath.Add(hi, max(a, b))
		lo, hi, ok = l, h, ok && fitsA && fitsB && fitsL && fitsH && !t.Sym.Unbounded
	}
	return lo, hi, ok
}

// Within returns the bounds of the sum if it stays in the signed range of a
// width: then a value of that width equals it, without any modulus.
func (f Form) Within(width int) (lo, hi int64, ok bool) {
	lo, hi, ok = f.Bounds()
	return lo, hi, ok && lo >= interval.MinSigned(width) && hi <= interval.MaxSigned(width)
}

// key names a form; forms with one key are equal.
func (f Form) key() string {
	var b strings.Builder
	b.WriteString(strconv.FormatInt(f.C, 10))
	for _, t := range f.Terms {
		b.WriteByte('+')
		b.WriteString(strconv.FormatInt(t.Coef, 10))
		b.WriteByte('*')
		b.WriteString(strconv.Itoa(t.Sym.ID))
	}
	return b.String()
}
