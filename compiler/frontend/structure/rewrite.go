package structure

import (
	"loom/compiler/diag"
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
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

// maker emits operations at a position, with its location.
func maker(pos diag.Pos, emit func(*ir.Operation)) rewrite.Maker {
	return rewrite.Maker{Pos: pos, Loc: mlir.FileLoc, Emit: emit}
}

// not emits the opposite of a condition: of a comparison the opposite one.
func not(m rewrite.Maker, c *ir.Value) *ir.Value {
	if c.Def != nil {
		if p, ok := arith.PredicateOf(c.Def); ok {
			return m.CmpI(p.Negated(), c.Def.Operand(0), c.Def.Operand(1))
		}
		if p, ok := arith.FloatPredicateOf(c.Def); ok {
			v := m.Op(opname.ArithCmpF, ir.I1, c.Def.Operands()...)
			v.Def.Attrs = append(ir.NamedAttrs(nil), c.Def.Attrs...)
			arith.SetPredicate(v.Def, p.Negated())
			return v
		}
		if c.Def.Name == opname.ArithXOrI && isTrue(c.Def.Operand(1)) {
			return c.Def.Operand(0)
		}
	}
	return m.Op(opname.ArithXOrI, ir.I1, c, m.Integer(1, ir.I1))
}

func isTrue(v *ir.Value) bool {
	c, ok := v.ConstantInt()
	return ok && c != 0 && v.Type == ir.Type(ir.I1)
}

func isFalse(v *ir.Value) bool {
	c, ok := v.ConstantInt()
	return ok && c == 0 && v.Type == ir.Type(ir.I1)
}

func isPoison(v *ir.Value) bool { return v.Def != nil && v.Def.Name == opname.UBPoison }

// replaceResults makes the users of op's results read values instead. A value that
// has no name takes that of the result.
func replaceResults(op *ir.Operation, values []*ir.Value) {
	for i, r := range op.Results() {
		replaceValue(r, values[i])
	}
}

func replaceValue(v, by *ir.Value) {
	if by.Name == "" && by.Def != nil && by.Def.Name != opname.ArithConstant {
		by.Name = v.Name
	}
	v.ReplaceAllUsesWith(by)
}
