// Package linear reads integers of structured programs as sums of multiples of what is
// not looked into: induction variables, parameters, loaded data.
package linear

import (
	"slices"
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
type Form = Sum[*Symbol]

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
	// Factors are the two symbols of which it is the product, in the type of Value, whether or not an operation computes
	// that; nil for other symbols.
	Factors []*Symbol
	// Course is how the symbol moves, if it is an induction variable.
	Course *Course
}

// Of is the sum of one symbol.
func Of(y *Symbol) Form { return Form{Terms: []Term[*Symbol]{{y, 1}}} }

// within adds bounds of the symbol. Bounds that leave nothing are those of code that never
// runs.
func (y *Symbol) within(lo, hi int64) {
	if lo, hi = max(lo, y.Lo), min(hi, y.Hi); lo <= hi {
		y.Lo, y.Hi = lo, hi
	}
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

// multiple reports whether a form is a multiple of two to the power of n, whatever its
// symbols are. Cutting the sum to a width of n bits or more keeps that.
func multiple(f Form, n int) bool {
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

// Bounds of the sum; not ok when they leave 64 bits.
func Bounds(f Form) (lo, hi int64, ok bool) {
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
func Within(f Form, width int) (lo, hi int64, ok bool) {
	lo, hi, ok = Bounds(f)
	return lo, hi, ok && lo >= interval.MinSigned(width) && hi <= interval.MaxSigned(width)
}

// keyOf names a form; forms with one key are equal.
func keyOf(f Form) string {
	var b strings.Builder
	b.WriteString(strconv.FormatInt(f.C, 10))
	for _, t := range slices.SortedFunc(slices.Values(f.Terms), func(a, b Term[*Symbol]) int { return a.Sym.ID - b.Sym.ID }) {
		b.WriteByte('+')
		b.WriteString(strconv.FormatInt(t.Coef, 10))
		b.WriteByte('*')
		b.WriteString(strconv.Itoa(t.Sym.ID))
	}
	return b.String()
}
