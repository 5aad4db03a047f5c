package ir

import (
	"math"
	"strconv"
	"strings"
)

// AffineKind states what an affine expression is.
type AffineKind uint8

// The kinds of affine expressions (MLIR, "Affine Expressions"). A difference is
// a sum with a product by -1, as in MLIR.
const (
	AffineDim      AffineKind = iota // d0, d1, …: Value is the position
	AffineSymbol                     // s0, s1, …: Value is the position
	AffineConstant                   // Value
	AffineAdd
	AffineMul
	AffineMod      // the remainder in [0, RHS)
	AffineFloorDiv // the quotient rounded down
	AffineCeilDiv  // the quotient rounded up
)

// AffineExpr is an expression over the dimensions and symbols of a map or set.
// Expressions are immutable and may be shared.
type AffineExpr struct {
	Kind     AffineKind
	Value    int64       // of a dimension, symbol or constant
	LHS, RHS *AffineExpr // of the other kinds
}

// AffineDimExpr is dimension i.
func AffineDimExpr(i int) *AffineExpr { return &AffineExpr{Kind: AffineDim, Value: int64(i)} }

// AffineSymbolExpr is symbol i.
func AffineSymbolExpr(i int) *AffineExpr { return &AffineExpr{Kind: AffineSymbol, Value: int64(i)} }

// AffineConst is a constant.
func AffineConst(v int64) *AffineExpr { return &AffineExpr{Kind: AffineConstant, Value: v} }

// IsConst reports whether e is the constant v.
func (e *AffineExpr) IsConst(v int64) bool { return e.Kind == AffineConstant && e.Value == v }

// IsSymbolic reports whether e has no dimension: what MLIR allows as one factor
// of a product and as a divisor.
func (e *AffineExpr) IsSymbolic() bool {
	if e.LHS == nil {
		return e.Kind != AffineDim
	}
	return e.LHS.IsSymbolic() && e.RHS.IsSymbolic()
}

// Walk calls f for e and all below it, outer before inner.
func (e *AffineExpr) Walk(f func(*AffineExpr)) {
	f(e)
	if e.LHS != nil {
		e.LHS.Walk(f)
		e.RHS.Walk(f)
	}
}

// NewAffine combines two expressions. Constants are folded where the result is
// representable, and a constant summand or factor goes to the right; nothing
// else changes, so that printed text reads back as the same expression.
func NewAffine(kind AffineKind, a, b *AffineExpr) *AffineExpr {
	if a.Kind == AffineConstant && b.Kind == AffineConstant {
		if v, ok := foldAffine(kind, a.Value, b.Value); ok {
			return AffineConst(v)
		}
	}
	if (kind == AffineAdd || kind == AffineMul) && a.Kind == AffineConstant && b.Kind != AffineConstant {
		a, b = b, a
	}
	if b.Kind == AffineConstant {
		switch {
		case kind == AffineAdd && b.Value == 0,
			kind == AffineMul && b.Value == 1,
			(kind == AffineFloorDiv || kind == AffineCeilDiv) && b.Value == 1:
			return a
		case kind == AffineMul && b.Value == 0, kind == AffineMod && b.Value == 1:
			return AffineConst(0)
		case (kind == AffineAdd || kind == AffineMul) && a.Kind == kind && a.RHS.Kind == AffineConstant:
			// (x + 1) + 2 is x + 3.
			if v, ok := foldAffine(kind, a.RHS.Value, b.Value); ok {
				return NewAffine(kind, a.LHS, AffineConst(v))
			}
		}
	}
	return &AffineExpr{Kind: kind, LHS: a, RHS: b}
}

// SubAffine is a - b.
func SubAffine(a, b *AffineExpr) *AffineExpr {
	return NewAffine(AffineAdd, a, NewAffine(AffineMul, b, AffineConst(-1)))
}

// foldAffine computes on constants; ok is false where the result is not
// representable or, for want of a meaning, not defined.
func foldAffine(kind AffineKind, a, b int64) (v int64, ok bool) {
	switch kind {
	case AffineAdd:
		v = a + b
		ok = (v > a) == (b > 0)
	case AffineMul:
		if a == 0 || b == 0 {
			return 0, true
		}
		v = a * b
		ok = v/b == a && !(a == -1 && b == math.MinInt64) && !(b == -1 && a == math.MinInt64)
	default:
		if b <= 0 {
			return 0, false
		}
		q, r := a/b, a%b
		switch {
		case kind == AffineMod && r < 0:
			return r + b, true
		case kind == AffineMod:
			return r, true
		case kind == AffineFloorDiv && r < 0:
			q--
		case kind == AffineCeilDiv && r > 0:
			q++
		}
		return q, true
	}
	return v, ok
}

func (e *AffineExpr) String() string {
	return e.Format(func(symbol bool, i int) string {
		if symbol {
			return "s" + strconv.Itoa(i)
		}
		return "d" + strconv.Itoa(i)
	})
}

// Format prints the expression with other names for dimensions and symbols.
func (e *AffineExpr) Format(name func(symbol bool, i int) string) string {
	var b strings.Builder
	e.write(&b, name, 0)
	return b.String()
}

// The contexts of write: anywhere, beside '+' or '-' and on the left of an operator
// that binds more strongly, and on the right of such an operator. Operators are
// read from the left, so that chains need no parentheses.
const (
	anyAffine = iota
	noSum
	noOperator
)

var affineWords = map[AffineKind]string{AffineMul: " * ", AffineMod: " mod ", AffineFloorDiv: " floordiv ", AffineCeilDiv: " ceildiv "}

func (e *AffineExpr) write(b *strings.Builder, name func(bool, int) string, context int) {
	switch {
	case e.Kind == AffineDim || e.Kind == AffineSymbol:
		b.WriteString(name(e.Kind == AffineSymbol, int(e.Value)))
	case e.Kind == AffineConstant && e.Value == math.MinInt64: // mlir-opt 19 does not read it as a number
		b.WriteString("(-9223372036854775807 - 1)")
	case e.Kind == AffineConstant:
		b.WriteString(strconv.FormatInt(e.Value, 10))
	case e.Kind == AffineMul && e.RHS.IsConst(-1) && e.LHS.Kind <= AffineSymbol:
		b.WriteByte('-')
		e.LHS.write(b, name, noOperator)
	case context == noOperator || context == noSum && e.Kind == AffineAdd:
		b.WriteByte('(')
		e.write(b, name, anyAffine)
		b.WriteByte(')')
	case e.Kind == AffineAdd:
		e.LHS.write(b, name, anyAffine)
		e.RHS.writeSummand(b, name)
	case e.Kind == AffineMul && e.RHS.IsConst(-1) && e.LHS.Kind == AffineAdd:
		b.WriteByte('-')
		e.LHS.write(b, name, noOperator)
	default:
		e.LHS.write(b, name, noSum)
		b.WriteString(affineWords[e.Kind])
		e.RHS.write(b, name, noOperator)
	}
}

// writeSummand writes the right side of a sum with its sign.
func (e *AffineExpr) writeSummand(b *strings.Builder, name func(bool, int) string) {
	c := int64(0) // a negative constant or factor
	switch {
	case e.Kind == AffineConstant:
		c = e.Value
	case e.Kind == AffineMul && e.RHS.Kind == AffineConstant && !e.LHS.scaled():
		c = e.RHS.Value
	}
	switch {
	case c >= 0 || c == math.MinInt64:
		b.WriteString(" + ")
		e.write(b, name, noSum)
	case e.Kind == AffineConstant:
		b.WriteString(" - " + strconv.FormatInt(-c, 10))
	default:
		b.WriteString(" - ")
		e.LHS.write(b, name, noSum)
		if c != -1 {
			b.WriteString(" * " + strconv.FormatInt(-c, 10))
		}
	}
}

// scaled reports whether e is a constant or a product with one: a product of it
// was left as it is because it does not fit, which another sign may change.
func (e *AffineExpr) scaled() bool {
	return e.Kind == AffineConstant || e.Kind == AffineMul && e.RHS.Kind == AffineConstant
}

// AffineMap is (d0, …)[s0, …] -> (results).
type AffineMap struct {
	Dims, Symbols int
	Results       []*AffineExpr
}

// IsIdentity reports whether the map is (d0, …) -> (d0, …) of that rank.
func (m *AffineMap) IsIdentity(rank int) bool {
	if m.Dims != rank || m.Symbols != 0 {
		return false
	}
	order, ok := m.Permutation()
	for i, d := range order {
		ok = ok && d == i
	}
	return ok
}

// Permutation returns, for a map that lists each of its dimensions once, the
// dimension of each result.
func (m *AffineMap) Permutation() (order []int, ok bool) {
	if m.Symbols != 0 || len(m.Results) != m.Dims {
		return nil, false
	}
	taken := make([]bool, m.Dims)
	for _, e := range m.Results {
		if e.Kind != AffineDim || e.Value < 0 || e.Value >= int64(m.Dims) || taken[e.Value] {
			return nil, false
		}
		taken[e.Value] = true
		order = append(order, int(e.Value))
	}
	return order, true
}

// signature writes (d0, d1)[s0].
func affineSignature(b *strings.Builder, dims, symbols int) {
	list := func(letter string, n int) {
		for i := range n {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(letter + strconv.Itoa(i))
		}
	}
	b.WriteByte('(')
	list("d", dims)
	b.WriteByte(')')
	if symbols > 0 {
		b.WriteByte('[')
		list("s", symbols)
		b.WriteByte(']')
	}
}

func (m *AffineMap) String() string {
	var b strings.Builder
	affineSignature(&b, m.Dims, m.Symbols)
	b.WriteString(" -> (")
	for i, e := range m.Results {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(e.String())
	}
	b.WriteByte(')')
	return b.String()
}

// AffineConstraint is Expr == 0 or Expr >= 0.
type AffineConstraint struct {
	Expr  *AffineExpr
	Equal bool
}

// IntegerSet is (d0, …)[s0, …] : (constraints), the points that satisfy all of
// them.
type IntegerSet struct {
	Dims, Symbols int
	Constraints   []AffineConstraint
}

func (s *IntegerSet) String() string {
	var b strings.Builder
	affineSignature(&b, s.Dims, s.Symbols)
	b.WriteString(" : (")
	for i, c := range s.Constraints {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(c.Expr.String())
		if c.Equal {
			b.WriteString(" == 0")
		} else {
			b.WriteString(" >= 0")
		}
	}
	b.WriteByte(')')
	return b.String()
}

type (
	// AffineMapAttr is affine_map<(d0) -> (d0 + 1)>.
	AffineMapAttr struct{ Map *AffineMap }
	// IntegerSetAttr is affine_set<(d0) : (d0 >= 0)>.
	IntegerSetAttr struct{ Set *IntegerSet }
)

func (*AffineMapAttr) isAttr()  {}
func (*IntegerSetAttr) isAttr() {}

func (a *AffineMapAttr) String() string  { return "affine_map<" + a.Map.String() + ">" }
func (a *IntegerSetAttr) String() string { return "affine_set<" + a.Set.String() + ">" }
