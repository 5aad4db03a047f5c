package lower

import (
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// maker emits the operations that replace one operation, at its position.
type maker struct {
	at   *ir.Operation
	emit func(*ir.Operation)
}

// op emits an operation with one result.
func (m maker) op(name string, t ir.Type, operands ...*ir.Value) *ir.Value {
	o := ir.NewOp(name, m.at.Pos, operands, []ir.Type{t})
	m.emit(o)
	return o.Result(0)
}

// integer emits an integer constant; v is the value with sign.
func (m maker) integer(v int64, t ir.Type) *ir.Value {
	c := newConstant(m.at, v, t)
	if t == ir.Type(ir.I1) {
		c.SetAttr("value", ir.BoolAttr(v != 0))
	}
	m.emit(c)
	return c.Result(0)
}

// The predicates of arith.cmpf that rewritings use, by upstream's
// numbers.
const (
	cmpOlt = 4
	cmpUno = 14
)

// cmpi emits an arith.cmpi.
func (m maker) cmpi(p arith.IntPredicate, a, b *ir.Value) *ir.Value {
	return m.compare(opname.ArithCmpI, int64(p), a, b)
}

// cmpf emits an arith.cmpf.
func (m maker) cmpf(predicate int64, a, b *ir.Value) *ir.Value {
	return m.compare(opname.ArithCmpF, predicate, a, b)
}

func (m maker) compare(name string, predicate int64, a, b *ir.Value) *ir.Value {
	v := m.op(name, ir.I1, a, b)
	v.Def.SetAttr("predicate", ir.IntAttr(predicate, ir.I64))
	return v
}

// nest emits loops nested in each other, outermost first, that carry the values
// inits through all iterations. body fills the innermost one: it gets the
// induction variables and the carried values and returns the next ones. Result
// are the final values.
func (m maker) nest(bounds []bound, inits []*ir.Value, body func(in maker, ivs, carried []*ir.Value) []*ir.Value) []*ir.Value {
	var ivs []*ir.Value
	var level func(m maker, d int, carried []*ir.Value) []*ir.Value
	level = func(m maker, d int, carried []*ir.Value) []*ir.Value {
		if d == len(bounds) {
			return body(m, ivs, carried)
		}
		b := bounds[d]
		types := make([]ir.Type, len(carried))
		for i, v := range carried {
			types[i] = v.Type
		}
		loop := ir.NewOp(opname.SCFFor, m.at.Pos, append([]*ir.Value{b.lower, b.upper, b.step}, carried...), types)
		block := loop.AddRegion().AddBlock()
		ivs = append(ivs, block.AddArg(b.lower.Type, b.name, m.at.Pos))
		args := make([]*ir.Value, len(carried))
		for i, v := range carried {
			args[i] = block.AddArg(v.Type, v.Name, m.at.Pos)
		}
		inside := maker{at: m.at, emit: func(o *ir.Operation) { block.Append(o) }}
		next := level(inside, d+1, args)
		block.Append(ir.NewOp(opname.SCFYield, m.at.Pos, next, nil))
		m.emit(loop)
		return loop.Results()
	}
	return level(m, 0, inits)
}

// bound is one level of a loop nest.
type bound struct {
	lower, upper, step *ir.Value
	name               string
}

// segments splits the operands of op by its attribute operandSegmentSizes into n
// groups; without it all operands form the first group. The verifier has checked
// the attribute.
func segments(op *ir.Operation, n int) [][]*ir.Value {
	out := make([][]*ir.Value, n)
	a, ok := op.Attr("operandSegmentSizes").(*ir.DenseArrayAttr)
	if !ok {
		out[0] = op.Operands()
		return out
	}
	rest := op.Operands()
	for i := range out {
		size := int(a.Values[i])
		out[i], rest = rest[:size:size], rest[size:]
	}
	return out
}

// static reads one of the static_… lists of numbers.
func static(op *ir.Operation, name string) []int64 {
	if a, ok := op.Attr(name).(*ir.DenseArrayAttr); ok {
		return a.Values
	}
	return nil
}
