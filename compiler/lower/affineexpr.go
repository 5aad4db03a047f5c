package lower

import (
	"math"
	"math/bits"
	"strconv"
	"strings"

	"loom/compiler/analysis/interval"
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
	"loom/internal/intmath"
)

// indexValue is an index with what is known about it.
type indexValue struct {
	v *ir.Value
	interval.Interval
}

// affineOperands are the operands of a map or set.
type affineOperands struct{ dims, symbols []*ir.Value }

func operandsOf(dims int, operands []*ir.Value) affineOperands {
	return affineOperands{operands[:dims], operands[dims:]}
}

func (in affineOperands) of(e *ir.AffineExpr) *ir.Value {
	if e.Kind == ir.AffineSymbol {
		return in.symbols[e.Value]
	}
	return in.dims[e.Value]
}

// exprKey identifies an operation on indices or, without a name, a constant.
type exprKey struct {
	name string
	a, b *ir.Value
	c    int64
}

// affineExprs expands the expressions of one operation. Equal parts of a block
// are computed once.
type affineExprs struct {
	*affineLowering
	m      rewrite.Maker
	shared map[exprKey]*ir.Value
	// quotients are the divisions of the block, as text: a remainder beside its
	// quotient needs no division of its own.
	quotients map[string]bool
}

func (x *affineExprs) emitted(k exprKey, make func() *ir.Value) *ir.Value {
	if v := x.shared[k]; v != nil {
		return v
	}
	if x.count++; x.count > x.limit && !x.full {
		x.full = true
		x.errs.Errorf(x.m.Pos, "expanding all affine maps makes the function larger than %d operations", x.limit)
	}
	v := make()
	x.shared[k] = v
	return v
}

// op emits a binary operation on indices.
func (x *affineExprs) op(name string, a, b *ir.Value) *ir.Value {
	return x.emitted(exprKey{name: name, a: a, b: b}, func() *ir.Value { return x.m.Op(name, ir.Index, a, b) })
}

// constant emits an index constant.
func (x *affineExprs) constant(c int64) *ir.Value {
	return x.emitted(exprKey{c: c}, func() *ir.Value {
		if w := x.s.opts.IndexWidth; c<<(64-w)>>(64-w) != c {
			x.errs.Errorf(x.m.Pos, "the constant %d does not fit an index of %d bits", c, w).
				WithHelp("choose a fabric with a larger index_width")
		}
		return x.m.Integer(c, ir.Index)
	})
}

// known is a constant with its interval.
func (x *affineExprs) known(c int64) indexValue { return indexValue{x.constant(c), x.exactly(c)} }

// bit is a condition as the index 0 or 1.
func (x *affineExprs) bit(cond *ir.Value) *ir.Value {
	return x.emitted(exprKey{name: opname.ArithIndexCastUI, a: cond}, func() *ir.Value {
		return x.m.Op(opname.ArithIndexCastUI, ir.Index, cond)
	})
}

// compare emits a comparison of indices.
func (x *affineExprs) compare(predicate arith.IntPredicate, a, b *ir.Value) *ir.Value {
	return x.emitted(exprKey{name: opname.ArithCmpI, a: a, b: b, c: int64(predicate)}, func() *ir.Value {
		return x.m.CmpI(predicate, a, b)
	})
}

// expr computes an affine expression. What is computed is exact where every part
// fits an index.
func (x *affineExprs) expr(e *ir.AffineExpr, in affineOperands) indexValue {
	if x.full {
		return x.known(0)
	}
	switch e.Kind {
	case ir.AffineConstant:
		return x.known(e.Value)
	case ir.AffineDim, ir.AffineSymbol:
		v := in.of(e)
		return indexValue{v, x.rangeOf(v)}
	case ir.AffineAdd:
		return x.sum(e, in)
	case ir.AffineMul:
		return x.product(x.expr(e.LHS, in), e.RHS, in)
	}
	a, b := x.expr(e.LHS, in), x.expr(e.RHS, in)
	switch {
	case b.Lo <= 0 && b.Lo == b.Hi: // an error when it is reached
		return x.known(0)
	case b.Lo == b.Hi && intmath.FloorDiv(a.Lo, b.Lo) == intmath.FloorDiv(a.Hi, b.Lo) && e.Kind == ir.AffineFloorDiv:
		q := intmath.FloorDiv(a.Lo, b.Lo)
		return x.known(q)
	case e.Kind == ir.AffineFloorDiv:
		return x.floorDiv(a, b)
	case e.Kind == ir.AffineCeilDiv:
		return x.ceilDiv(a, b)
	}
	return x.mod(a, b, x.quotients[x.divisionText(e, in)])
}

// sum computes a sum or difference.
func (x *affineExprs) sum(e *ir.AffineExpr, in affineOperands) indexValue {
	if negated(e.LHS) && !negated(e.RHS) {
		b, a := x.expr(e.LHS.LHS, in), x.expr(e.RHS, in)
		return x.difference(a, b)
	}
	a := x.expr(e.LHS, in)
	r := e.RHS
	if r.Kind == ir.AffineMul && r.RHS.Kind == ir.AffineConstant && r.RHS.Value < 0 && r.RHS.Value > math.MinInt64 {
		return x.difference(a, x.product(x.expr(r.LHS, in), ir.AffineConst(-r.RHS.Value), in))
	}
	b := x.expr(r, in)
	return indexValue{x.op(opname.ArithAddI, a.v, b.v), interval.ExactAdd(a.Interval, b.Interval, x.width())}
}

// negated reports whether e is a product by -1.
func negated(e *ir.AffineExpr) bool { return e.Kind == ir.AffineMul && e.RHS.IsConst(-1) }

func (x *affineExprs) difference(a, b indexValue) indexValue {
	return indexValue{x.op(opname.ArithSubI, a.v, b.v), interval.ExactSub(a.Interval, b.Interval, x.width())}
}

func (x *affineExprs) product(a indexValue, by *ir.AffineExpr, in affineOperands) indexValue {
	if by.IsConst(-1) {
		return x.difference(x.known(0), a)
	}
	if by.IsConst(1) {
		return a
	}
	b := x.expr(by, in)
	return indexValue{x.op(opname.ArithMulI, a.v, b.v), interval.ExactMul(a.Interval, b.Interval, x.width())}
}

// sign is 0 for values that are not negative, else -1.
func (x *affineExprs) sign(v *ir.Value) *ir.Value {
	return x.op(opname.ArithShRSI, v, x.constant(int64(x.s.opts.IndexWidth-1)))
}

// power returns k for a divisor that is known to be 2^k.
func power(b indexValue) (k int, ok bool) {
	if b.Lo != b.Hi || b.Lo <= 0 || b.Lo&(b.Lo-1) != 0 {
		return 0, false
	}
	return bits.TrailingZeros64(uint64(b.Lo)), true
}

// floorDiv is a shift for powers of two and the plain division for dividends that
// are not negative. Otherwise the dividend and the quotient of a negative value
// are complemented: -1-x is not negative then, and floor(x/b) is
// -1 - floor((-1-x)/b). Nothing overflows.
func (x *affineExprs) floorDiv(a, b indexValue) indexValue {
	r := interval.FloorDiv(a.Interval, b.Interval, x.width())
	if k, ok := power(b); ok {
		if k == 0 {
			return a
		}
		return indexValue{x.op(opname.ArithShRSI, a.v, x.constant(int64(k))), r}
	}
	if a.Lo >= 0 || x.s.opts.deviate == affineTruncates {
		return indexValue{x.op(opname.ArithDivSI, a.v, b.v), r}
	}
	s := x.sign(a.v)
	q := x.op(opname.ArithDivSI, x.op(opname.ArithXOrI, a.v, s), b.v)
	return indexValue{x.op(opname.ArithXOrI, q, s), r}
}

// mod is a mask for powers of two, the plain remainder for dividends that are not
// negative, and what the quotient leaves where the quotient is needed anyway. A
// negative remainder is one divisor too small.
func (x *affineExprs) mod(a, b indexValue, divided bool) indexValue {
	r := interval.Mod(a.Interval, b.Interval, x.width())
	if k, ok := power(b); ok {
		if k == 0 {
			return x.known(0)
		}
		if a.Lo >= 0 && a.Hi < b.Lo {
			return a
		}
		return indexValue{x.op(opname.ArithAndI, a.v, x.constant(b.Lo-1)), r}
	}
	if a.Lo >= 0 && a.Hi < b.Lo {
		return a
	}
	if divided {
		q := x.floorDiv(a, b)
		return indexValue{x.op(opname.ArithSubI, a.v, x.op(opname.ArithMulI, q.v, b.v)), r}
	}
	rest := x.op(opname.ArithRemSI, a.v, b.v)
	if a.Lo >= 0 || x.s.opts.deviate == affineTruncates {
		return indexValue{rest, r}
	}
	return indexValue{x.op(opname.ArithAddI, rest, x.op(opname.ArithAndI, x.sign(rest), b.v)), r}
}

// ceilDiv adds what makes the division round up, where the range of the dividend
// shows that the sum does not overflow; the other forms are exact for all
// dividends.
func (x *affineExprs) ceilDiv(a, b indexValue) indexValue {
	r := interval.CeilDiv(a.Interval, b.Interval, x.width())
	one := func() *ir.Value { return x.constant(1) }
	if k, ok := power(b); ok {
		if k == 0 {
			return a
		}
		shift, mask := x.constant(int64(k)), x.constant(b.Lo-1)
		switch {
		case x.s.opts.deviate == affineRoundsDown:
			return indexValue{x.op(opname.ArithShRSI, a.v, shift), r}
		case a.Hi <= x.all().Hi-(b.Lo-1):
			return indexValue{x.op(opname.ArithShRSI, x.op(opname.ArithAddI, a.v, mask), shift), r}
		case a.Lo > x.all().Lo:
			q := x.op(opname.ArithShRSI, x.op(opname.ArithAddI, a.v, x.constant(-1)), shift)
			return indexValue{x.op(opname.ArithAddI, q, one()), r}
		}
		up := x.op(opname.ArithAndI, a.v, mask)
		if k > 1 {
			up = x.bit(x.compare(arith.Ne, up, x.constant(0)))
		}
		return indexValue{x.op(opname.ArithAddI, x.op(opname.ArithShRSI, a.v, shift), up), r}
	}
	switch {
	case a.Hi <= 0: // division toward zero rounds up
		return indexValue{x.op(opname.ArithDivSI, a.v, b.v), r}
	case a.Lo >= 0 && b.Lo == b.Hi && a.Hi <= x.all().Hi-(b.Lo-1):
		return indexValue{x.op(opname.ArithDivSI, x.op(opname.ArithAddI, a.v, x.constant(b.Lo-1)), b.v), r}
	case a.Lo > 0:
		q := x.op(opname.ArithDivSI, x.op(opname.ArithAddI, a.v, x.constant(-1)), b.v)
		return indexValue{x.op(opname.ArithAddI, q, one()), r}
	}
	positive := x.bit(x.compare(arith.Slt, x.constant(0), a.v))
	q := x.op(opname.ArithDivSI, x.op(opname.ArithSubI, a.v, positive), b.v)
	return indexValue{x.op(opname.ArithAddI, q, positive), r}
}

// quotients lists the divisions by floordiv in the maps of a block.
func (a *affineLowering) quotients(b *ir.Block) map[string]bool {
	var out map[string]bool
	for _, op := range b.Ops {
		mem := -1
		switch op.Name {
		case opname.AffineApply, opname.AffineMin, opname.AffineMax:
		case opname.AffineLoad:
			mem = 0
		case opname.AffineStore:
			mem = 1
		default:
			continue
		}
		m := mapAttr(op, "map")
		in := operandsOf(m.Dims, op.Operands()[mem+1:])
		for _, e := range m.Results {
			e.Walk(func(e *ir.AffineExpr) {
				if e.Kind == ir.AffineFloorDiv {
					if out == nil {
						out = map[string]bool{}
					}
					out[a.divisionText(e, in)] = true
				}
			})
		}
	}
	return out
}

// divisionText identifies dividend and divisor of a division.
func (a *affineLowering) divisionText(e *ir.AffineExpr, in affineOperands) string {
	name := func(symbol bool, i int) string {
		v := in.dims
		if symbol {
			v = in.symbols
		}
		id, ok := a.ids[v[i]]
		if !ok {
			id = len(a.ids)
			a.ids[v[i]] = id
		}
		return "v" + strconv.Itoa(id)
	}
	return strings.Join([]string{e.LHS.Format(name), e.RHS.Format(name)}, " by ")
}
