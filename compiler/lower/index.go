package lower

import (
	"loom/compiler/diag"
	"loom/compiler/dialect/arith"
	"loom/compiler/dialect/index"
	"loom/compiler/ir"
	"loom/compiler/num"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

// lowerIndex writes the operations of the index dialect with those of arith on
// values of type index. Before: any structured function without calls. After: no
// operation of index is left but conversions of integers that have a sign, which
// "check" reports.
//
// Upstream leaves division by zero, shifts by the width or more and quotients
// beyond the width open in both dialects; so the values are those that package
// num gives to arith.
func lowerIndex(s *state, _ *diag.List) {
	rewrite.Blocks(s.fn, func(b *ir.Block) {
		rewrite.Rebuild(b, func(op *ir.Operation, emit func(*ir.Operation)) {
			if op.Dialect() == "index" {
				if v := indexValueOf(s, op, rewrite.Maker{Pos: op.Pos, Emit: emit}); v != nil {
					replace(op, []*ir.Value{v})
					rewrite.Drop(op)
					return
				}
			}
			emit(op)
		})
	})
}

// What the tests of this pass break on purpose.
const (
	indexCastUnsigned   deviation = "index.casts extends with zeros"
	indexCompareSwapped deviation = "index.cmp without sign compares with sign"
)

// indexValueOf emits what stands for an operation of index and returns its value,
// nil where arith has no form of it.
func indexValueOf(s *state, op *ir.Operation, m rewrite.Maker) *ir.Value {
	t := op.Result(0).Type
	switch op.Name {
	case opname.IndexConstant, opname.IndexBoolConstant:
		c := ir.NewOp(opname.ArithConstant, op.Pos, nil, []ir.Type{t})
		c.SetAttr("value", op.Attr("value"))
		m.Emit(c)
		return c.Result(0)
	case opname.IndexSizeof:
		// In an index of two bits the number of bits is negative.
		w := s.opts.IndexWidth
		return m.Integer(num.SignExtend(uint64(w), ir.Index, w), ir.Index)
	case opname.IndexCmp:
		p, _ := index.Predicate(op)
		if s.opts.deviate == indexCompareSwapped {
			p = p.Signed()
		}
		v := m.Op(opname.ArithCmpI, t, op.Operands()...)
		arith.SetPredicate(v.Def, p)
		return v
	case opname.IndexCasts, opname.IndexCastu:
		if !signlessOrIndex(op.Operand(0).Type) || !signlessOrIndex(t) {
			return nil
		}
		if s.opts.deviate == indexCastUnsigned {
			return m.Op(opname.ArithIndexCastUI, t, op.Operands()...)
		}
	}
	// What no function unit has is spelled out later, by "structure".
	if d := op.Def(); d != nil && d.Twin != "" {
		return m.Op(d.Twin, t, op.Operands()...)
	}
	return nil
}

func signlessOrIndex(t ir.Type) bool {
	i, ok := t.(*ir.IntegerType)
	return t == ir.Type(ir.Index) || ok && i.Sign == ir.Signless
}
