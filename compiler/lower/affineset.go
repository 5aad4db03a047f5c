package lower

import (
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
)

// holds computes a constraint. A sum is compared by its parts where that is the
// same for all integers of which the sum fits an index: x + c >= 0 is x >= -c,
// x - y >= 0 is x >= y, x - y - 1 >= 0 is x > y.
func (x *affineExprs) holds(c ir.AffineConstraint, in affineOperands) *ir.Value {
	left, right, e := c.Expr, ir.AffineConst(0), c.Expr
	at := arith.Sge
	if e.Kind == ir.AffineAdd && e.RHS.Kind == ir.AffineConstant && e.RHS.Value > x.all().Lo {
		left, right = e.LHS, ir.AffineConst(-e.RHS.Value)
	}
	if a, b, ok := asDifference(left); ok && right.IsConst(0) {
		left, right = a, b
	} else if ok && right.IsConst(1) && !c.Equal {
		left, right, at = a, b, arith.Sgt
	} else if negated(left) {
		left, right, at = left.LHS, ir.AffineConst(-right.Value), arith.Sle
	}
	if c.Equal {
		at = arith.Eq
	}
	if x.s.opts.deviate == affineStrict && at == arith.Sge {
		at = arith.Sgt
	}
	a, b := x.expr(left, in), x.expr(right, in)
	return x.compare(at, a.v, b.v)
}

// asDifference divides x - y.
func asDifference(e *ir.AffineExpr) (a, b *ir.AffineExpr, ok bool) {
	switch {
	case e.Kind != ir.AffineAdd || negated(e.LHS) && negated(e.RHS):
		return nil, nil, false
	case negated(e.RHS):
		return e.LHS, e.RHS.LHS, true
	case negated(e.LHS):
		return e.RHS, e.LHS.LHS, true
	}
	return nil, nil, false
}
