package structure

import (
	"loom/compiler/diag"
	"loom/compiler/ir"
)

// splice emits the operations of a block that is executed once, except its
// terminator, whose operands it returns.
func splice(b *ir.Block, emit func(*ir.Operation)) []*ir.Value {
	ops := b.Ops
	last := len(ops) - 1
	values := append([]*ir.Value(nil), ops[last].Operands()...)
	b.Ops = ops[last:]
	for _, o := range ops[:last] {
		emit(o)
	}
	return values
}

// maker emits operations at a position.
type maker struct {
	pos  diag.Pos
	emit func(*ir.Operation)
}

func (m maker) op(name string, t ir.Type, operands ...*ir.Value) *ir.Value {
	o := newOp(name, m.pos, operands, t)
	m.emit(o)
	return o.Result(0)
}

func (m maker) integer(v int64, t ir.Type) *ir.Value {
	c := newConstant(m.pos, v, t)
	m.emit(c)
	return c.Result(0)
}

func (m maker) compare(pred int64, a, b *ir.Value) *ir.Value {
	v := m.op("arith.cmpi", ir.I1, a, b)
	v.Def.SetAttr("predicate", ir.IntAttr(pred, ir.I64))
	return v
}

// not emits the opposite of a condition: of a comparison the opposite one.
func (m maker) not(c *ir.Value) *ir.Value {
	if c.Def != nil {
		p, ok := c.Def.IntAttr("predicate")
		switch {
		case ok && c.Def.Name == "arith.cmpi":
			return m.compare(negatedPred(p), c.Def.Operand(0), c.Def.Operand(1))
		case ok && c.Def.Name == "arith.cmpf":
			v := m.op("arith.cmpf", ir.I1, c.Def.Operands()...)
			v.Def.Attrs = append(ir.NamedAttrs(nil), c.Def.Attrs...)
			v.Def.SetAttr("predicate", ir.IntAttr(negatedFloatPred(p), ir.I64))
			return v
		case c.Def.Name == "arith.xori" && isTrue(c.Def.Operand(1)):
			return c.Def.Operand(0)
		}
	}
	return m.op("arith.xori", ir.I1, c, m.integer(1, ir.I1))
}

// negatedFloatPred is the predicate of arith.cmpf that holds where p does not: the
// ordered ones are numbered upwards from oeq, their opposites downwards from une.
func negatedFloatPred(p int64) int64 {
	const never, ordered, unordered, always = 0, 7, 14, 15
	switch p {
	case never, always:
		return always - p
	case ordered, unordered:
		return ordered + unordered - p
	}
	return 14 - p
}

func isTrue(v *ir.Value) bool {
	c, ok := v.ConstantInt()
	return ok && c != 0 && v.Type == ir.Type(ir.I1)
}

func isFalse(v *ir.Value) bool {
	c, ok := v.ConstantInt()
	return ok && c == 0 && v.Type == ir.Type(ir.I1)
}

func isPoison(v *ir.Value) bool { return v.Def != nil && v.Def.Name == "ub.poison" }

// negatedPred is the predicate that holds where p does not.
func negatedPred(p int64) int64 {
	return [...]int64{predNe, predEq, predSge, predSgt, predSle, predSlt, predUge, predUgt, predUle, predUlt}[p]
}

// swappedPred is the predicate of the exchanged operands.
func swappedPred(p int64) int64 {
	return [...]int64{predEq, predNe, predSgt, predSge, predSlt, predSle, predUgt, predUge, predUlt, predUle}[p]
}

// replaceResults makes the users of op's results read values instead. A value that
// has no name takes that of the result.
func replaceResults(op *ir.Operation, values []*ir.Value) {
	for i, r := range op.Results() {
		replaceValue(r, values[i])
	}
}

func replaceValue(v, by *ir.Value) {
	if by.Name == "" && by.Def != nil && by.Def.Name != "arith.constant" {
		by.Name = v.Name
	}
	v.ReplaceAllUsesWith(by)
}
