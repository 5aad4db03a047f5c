package randprog

import (
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// span is a range of an index value, both ends included.
type span struct{ lo, hi int64 }

// spanOf is what is known about the range of an index value: of constants, of
// masked values, of induction variables and of what is computed from them for
// subscripts.
func (g *generator) spanOf(v *ir.Value) (span, bool) {
	if s, ok := g.spans[v]; ok {
		return s, true
	}
	if v.Def == nil {
		return span{}, false
	}
	switch v.Def.Name {
	case opname.ArithConstant:
		if c, ok := v.Def.Attr("value").(*ir.IntegerAttr); ok {
			return span{c.Value, c.Value}, true
		}
	case opname.ArithAndI:
		if s, ok := g.spanOf(v.Def.Operand(1)); ok && s.lo == s.hi && s.lo >= 0 {
			return span{0, s.lo}, true
		}
	}
	return span{}, false
}

// counted notes the range of an induction variable that counts from lb up to
// below ub.
func (g *generator) counted(iv, lb, ub *ir.Value) {
	if iv.Type != ir.Type(ir.Index) {
		return
	}
	l, okL := g.spanOf(lb)
	u, okU := g.spanOf(ub)
	if okL && okU {
		g.spans[iv] = span{l.lo, max(l.lo, u.hi-1)}
	}
}

// spanned lists the visible values that count, the innermost last.
func (g *generator) spanned(s *scope) []*ir.Value {
	var out []*ir.Value
	for ; s != nil; s = s.parent {
		for _, a := range s.block.Args {
			if _, ok := g.spans[a]; ok {
				out = append([]*ir.Value{a}, out...)
			}
		}
	}
	return out
}

// affineSubscript computes an index below n from induction variables: i, i+c,
// 2*i, c-i, i*k+j or i plus something unknown to the compiler. Where the range
// does not fit it is masked. nil where nothing counts here.
func (g *generator) affineSubscript(s *scope, n int64) *ir.Value {
	vars := g.spanned(s)
	if len(vars) == 0 {
		return nil
	}
	v := vars[len(vars)-1]
	if g.chance(30) {
		v = vars[g.r.IntN(len(vars))]
	}
	at := g.spans[v]
	constant := func(c int64) *ir.Value { return g.constant(s, ir.Index, c) }
	var x *ir.Value
	switch g.r.IntN(9) {
	case 0, 1, 2:
		x = v
	case 3:
		c := 1 + g.r.Int64N(3)
		x, at = g.binary(s, opname.ArithAddI, v, constant(c)), span{at.lo + c, at.hi + c}
	case 4:
		c := at.lo
		x, at = g.binary(s, opname.ArithSubI, v, constant(c)), span{0, at.hi - c}
	case 5:
		x, at = g.binary(s, opname.ArithMulI, v, constant(2)), span{2 * at.lo, 2 * at.hi}
		if c := g.r.Int64N(2); c > 0 {
			x, at = g.binary(s, opname.ArithAddI, x, constant(c)), span{at.lo + c, at.hi + c}
		}
	case 6:
		c := n - 1
		if g.chance(30) {
			c = at.hi
		}
		x, at = g.binary(s, opname.ArithSubI, constant(c), v), span{c - at.hi, c - at.lo}
	case 7:
		w := vars[g.r.IntN(len(vars))]
		b, k := g.spans[w], 2+g.r.Int64N(3)
		x = g.binary(s, opname.ArithAddI, g.binary(s, opname.ArithMulI, v, constant(k)), w)
		at = span{k*at.lo + b.lo, k*at.hi + b.hi}
	default:
		w := g.binary(s, opname.ArithAndI, g.need(s, ir.Index), constant(1))
		x, at = g.binary(s, opname.ArithAddI, v, w), span{at.lo, at.hi + 1}
	}
	switch {
	case at.lo >= 0 && at.hi < n:
		return x
	case n&(n-1) == 0:
		return g.binary(s, opname.ArithAndI, x, constant(n-1))
	case g.opts.NoDivides:
		return nil
	}
	return g.binary(s, opname.ArithRemUI, x, constant(n))
}
