package randprog

import (
	"loom/compiler/ir"

	"loom/compiler/dialect/arith"
	"loom/compiler/opname"
)

func (g *generator) floatType() ir.Type {
	return []ir.Type{ir.F32, ir.F64}[g.r.IntN(2)]
}

var floatOps = []string{"addf", "addf", "subf", "mulf", "mulf", "divf"}
var floatUnary = []string{opname.ArithNegF, opname.MathAbsF, opname.MathFloor, opname.MathSqrt}

// computeFloat emits one operation on floats of type t.
func (g *generator) computeFloat(s *scope, t ir.Type) {
	switch p := g.r.IntN(100); {
	case p < 15:
		g.compareFloat(s, arith.FloatPredicate(g.r.Int64N(16)), g.need(s, t), g.need(s, t))
	case p < 25:
		c := g.need(s, ir.I1)
		a, b := g.need(s, t), g.need(s, t)
		g.emit(s, opname.ArithSelect, []*ir.Value{c, a, b}, t)
	case p < 40:
		g.emit(s, floatUnary[g.r.IntN(len(floatUnary))], []*ir.Value{g.need(s, t)}, t)
	case p < 55:
		g.convert(s, g.need(s, g.someType()), t)
	default:
		a := g.need(s, t)
		g.binary(s, "arith."+floatOps[g.r.IntN(len(floatOps))], a, g.need(s, t))
	}
}

func (g *generator) compareFloat(s *scope, p arith.FloatPredicate, a, b *ir.Value) *ir.Value {
	op := g.emit(s, opname.ArithCmpF, []*ir.Value{a, b}, ir.I1)
	arith.SetPredicate(op, p)
	return op.Result(0)
}

// convertFloat casts from or to a float.
func (g *generator) convertFloat(s *scope, v *ir.Value, t ir.Type) *ir.Value {
	one := func(name string, v *ir.Value, t ir.Type) *ir.Value {
		return g.emit(s, "arith."+name, []*ir.Value{v}, t).Result(0)
	}
	if ir.IsFloat(v.Type) && ir.IsFloat(t) {
		if v.Type == ir.Type(ir.F32) {
			return one("extf", v, t)
		}
		return one("truncf", v, t)
	}
	if ir.IsFloat(t) {
		if v.Type == ir.Type(ir.Index) {
			v = g.convert(s, v, ir.I32)
		}
		// A single bit with sign is 0 or -1, which is worth having, too.
		return one([]string{"sitofp", "uitofp"}[g.r.IntN(2)], v, t)
	}
	if t == ir.Type(ir.I1) {
		return g.compareFloat(s, arith.Olt, v, g.constant(s, v.Type, 1))
	}
	if g.opts.NoUndefined {
		// The bits of NaN are open, everything else has one form.
		isNaN := g.compareFloat(s, arith.Uno, v, v)
		v = g.emit(s, opname.ArithSelect, []*ir.Value{isNaN, g.constant(s, v.Type, 1), v}, v.Type).Result(0)
	} else if t != ir.Type(ir.Index) && g.chance(50) {
		return one([]string{"fptosi", "fptoui"}[g.r.IntN(2)], v, t)
	}
	bits := ir.Type(ir.I32)
	if v.Type == ir.Type(ir.F64) {
		bits = ir.I64
	}
	return g.convert(s, one("bitcast", v, bits), t)
}
