package rewrite

import (
	"loom/compiler/diag"
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// Maker emits the operations that replace others, at their position.
type Maker struct {
	Pos diag.Pos
	// Loc makes the location that the operations are printed with; nil makes none.
	Loc  func(diag.Pos) string
	Emit func(*ir.Operation)
}

// Op emits an operation with one result.
func (m Maker) Op(name string, t ir.Type, operands ...*ir.Value) *ir.Value {
	o := ir.NewOp(name, m.Pos, operands, []ir.Type{t})
	m.emit(o)
	return o.Result(0)
}

func (m Maker) emit(o *ir.Operation) {
	if m.Loc != nil {
		o.Loc = m.Loc(m.Pos)
	}
	m.Emit(o)
}

// Integer emits an integer constant; v is the value with sign.
func (m Maker) Integer(v int64, t ir.Type) *ir.Value {
	c := Constant(m.Pos, v, t)
	m.emit(c)
	return c.Result(0)
}

// Float emits a floating-point constant.
func (m Maker) Float(v float64, t ir.Type) *ir.Value {
	c := m.Op(opname.ArithConstant, t)
	c.Def.SetAttr("value", &ir.FloatAttr{Value: v, Type: t})
	return c
}

// CmpI emits an arith.cmpi.
func (m Maker) CmpI(p arith.IntPredicate, a, b *ir.Value) *ir.Value {
	v := m.Op(opname.ArithCmpI, ir.I1, a, b)
	arith.SetPredicate(v.Def, p)
	return v
}

// CmpF emits an arith.cmpf.
func (m Maker) CmpF(p arith.FloatPredicate, a, b *ir.Value) *ir.Value {
	v := m.Op(opname.ArithCmpF, ir.I1, a, b)
	arith.SetPredicate(v.Def, p)
	return v
}

// Bound is one level of a loop nest.
type Bound struct {
	Lower, Upper, Step *ir.Value
	Name               string
}

// Nest emits loops nested in each other, outermost first, that carry the values
// inits through all iterations. body fills the innermost one: it gets the
// induction variables and the carried values and returns the next carried values.
// Nest returns the final values.
func (m Maker) Nest(bounds []Bound, inits []*ir.Value, body func(in Maker, ivs, carried []*ir.Value) []*ir.Value) []*ir.Value {
	var ivs []*ir.Value
	var level func(m Maker, d int, carried []*ir.Value) []*ir.Value
	level = func(m Maker, d int, carried []*ir.Value) []*ir.Value {
		if d == len(bounds) {
			return body(m, ivs, carried)
		}
		b := bounds[d]
		types := make([]ir.Type, len(carried))
		for i, v := range carried {
			types[i] = v.Type
		}
		loop := ir.NewOp(opname.SCFFor, m.Pos, append([]*ir.Value{b.Lower, b.Upper, b.Step}, carried...), types)
		block := loop.AddRegion().AddBlock()
		ivs = append(ivs, block.AddArg(b.Lower.Type, b.Name, m.Pos))
		args := make([]*ir.Value, len(carried))
		for i, v := range carried {
			args[i] = block.AddArg(v.Type, v.Name, m.Pos)
		}
		inside := m
		inside.Emit = func(o *ir.Operation) { block.Append(o) }
		next := level(inside, d+1, args)
		block.Append(ir.NewOp(opname.SCFYield, m.Pos, next, nil))
		m.Emit(loop)
		return loop.Results()
	}
	return level(m, 0, inits)
}

// Constant makes a detached integer constant; of an i1 only the low bit is used.
func Constant(pos diag.Pos, value int64, t ir.Type) *ir.Operation {
	c := ir.NewOp(opname.ArithConstant, pos, nil, []ir.Type{t})
	if t == ir.Type(ir.I1) {
		c.SetAttr("value", ir.BoolAttr(value&1 != 0))
	} else {
		c.SetAttr("value", ir.IntAttr(value, t))
	}
	return c
}

// MoveRegion hands region i of from to the detached operation to.
func MoveRegion(from *ir.Operation, i int, to *ir.Operation) {
	r := from.Regions[i]
	r.Parent = to
	to.Regions = append(to.Regions, r)
	from.Regions[i] = &ir.Region{Parent: from}
}
