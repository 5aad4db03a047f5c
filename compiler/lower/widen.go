package lower

import (
	"loom/compiler/diag"
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

// widen computes what the target has no unit for on wider integers that it has units for:
// arithmetic on 8 bits, say, on 32. Before: any arithmetic. After: each operation on
// integers that Options.Executes refuses, and accepts at a wider type, is that wider
// one, its operands extended and its result truncated. What is refused at every width
// stays: the mapper reports it. Without Options.Executes nothing changes.
//
// Operands are extended as the operation reads them, with or without sign; so the
// wide result has the narrow one in its low bits, also where it wraps, divides by
// zero or shifts by more than the width (package num).
func widen(s *state, _ *diag.List) {
	if s.opts.Executes == nil {
		return
	}
	w := &widener{executes: s.opts.Executes, deviate: s.opts.deviate}
	rewrite.Blocks(s.fn, func(b *ir.Block) {
		rewrite.Rebuild(b, func(op *ir.Operation, emit func(*ir.Operation)) {
			if v := w.value(op, rewrite.Maker{Pos: op.Pos, Emit: emit}); v != nil {
				replace(op, []*ir.Value{v})
				rewrite.Drop(op)
				return
			}
			emit(op)
		})
	})
}

// widenSigns is what the tests of this pass break on purpose.
const widenSigns deviation = "numbers with a sign are extended by zeros"

// words are the widths that are tried.
var words = []*ir.IntegerType{ir.I8, ir.I16, ir.I32, ir.I64}

type widener struct {
	executes func(*ir.Operation) bool
	deviate  deviation
}

// value emits what stands for an operation and returns its value, nil where the
// operation stays.
func (w *widener) value(op *ir.Operation, m rewrite.Maker) *ir.Value {
	if op.NumResults() != 1 || op.NumOperands() == 0 {
		return nil
	}
	how := readings(op)
	from, _ := op.Operand(0).Type.(*ir.IntegerType)
	switch {
	case how != nil && from != nil && !w.executes(op):
		return w.arithmetic(op, m, from, how)
	case op.Name == opname.ArithExtSI || op.Name == opname.ArithExtUI || op.Name == opname.ArithTruncI:
		if !w.executes(op) {
			return w.cast(op, m, from)
		}
	case op.Name == opname.ArithIndexCast || op.Name == opname.ArithIndexCastUI:
		if !w.executes(op) {
			return w.index(op, m, from)
		}
	}
	return nil
}

// readings returns how an operation reads its operands, nil where it has no wide twin.
func readings(op *ir.Operation) []ir.Extension {
	if p, ok := arith.PredicateOf(op); ok {
		if p == arith.Eq || p == arith.Ne || p.Unsigned() {
			return []ir.Extension{ir.Zeros, ir.Zeros}
		}
		return []ir.Extension{ir.Signs, ir.Signs}
	}
	if d := op.Def(); d != nil {
		return d.Reads
	}
	return nil
}

func (w *widener) arithmetic(op *ir.Operation, m rewrite.Maker, from *ir.IntegerType, how []ir.Extension) *ir.Value {
	for _, t := range words {
		if t.Width <= from.Width {
			continue
		}
		result := ir.Type(t)
		if op.Name == opname.ArithCmpI {
			result = ir.I1
		}
		if !w.has(op, []ir.Type{t, t}, result) {
			continue
		}
		operands := make([]*ir.Value, 2)
		for i, v := range op.Operands() {
			operands[i] = w.extend(m, v, t, how[i])
		}
		wide := m.Op(op.Name, result, operands...)
		if p := op.Attr("predicate"); p != nil {
			wide.Def.SetAttr("predicate", p)
			return wide
		}
		return m.Op(opname.ArithTruncI, from, wide)
	}
	return nil
}

// cast goes through a width for which the target has both casts.
func (w *widener) cast(op *ir.Operation, m rewrite.Maker, from *ir.IntegerType) *ir.Value {
	to, _ := op.Result(0).Type.(*ir.IntegerType)
	if from == nil || to == nil {
		return nil
	}
	ext := ir.Zeros
	if op.Name == opname.ArithExtSI {
		ext = ir.Signs
	}
	for _, t := range words {
		if t.Width > max(from.Width, to.Width) && w.casts(extends(ext), from, t) && w.casts(opname.ArithTruncI, t, to) {
			return m.Op(opname.ArithTruncI, to, w.extend(m, op.Operand(0), t, ext))
		}
	}
	return nil
}

// index converts from or to index through a width for which the target does so.
func (w *widener) index(op *ir.Operation, m rewrite.Maker, from *ir.IntegerType) *ir.Value {
	ext := ir.Signs
	if op.Name == opname.ArithIndexCastUI {
		ext = ir.Zeros
	}
	to, _ := op.Result(0).Type.(*ir.IntegerType)
	for _, t := range words {
		switch {
		case from != nil && t.Width > from.Width && w.casts(op.Name, t, ir.Index):
			return m.Op(op.Name, ir.Index, w.extend(m, op.Operand(0), t, ext))
		case to != nil && t.Width > to.Width && w.casts(op.Name, ir.Index, t):
			return m.Op(opname.ArithTruncI, to, m.Op(op.Name, t, op.Operand(0)))
		}
	}
	return nil
}

// extend widens a value; a constant is a wide constant.
func (w *widener) extend(m rewrite.Maker, v *ir.Value, t ir.Type, how ir.Extension) *ir.Value {
	if w.deviate == widenSigns {
		how = ir.Zeros
	}
	return m.Op(extends(how), t, v)
}

// extends is the operation that extends an integer.
func extends(how ir.Extension) string {
	if how == ir.Signs {
		return opname.ArithExtSI
	}
	return opname.ArithExtUI
}

// casts reports whether the target converts.
func (w *widener) casts(name string, from, to ir.Type) bool {
	return w.has(ir.NewOp(name, diag.Pos{}, nil, nil), []ir.Type{from}, to)
}

// has reports whether the target executes an operation like op on other types.
func (w *widener) has(op *ir.Operation, operands []ir.Type, result ir.Type) bool {
	var b ir.Block
	values := make([]*ir.Value, len(operands))
	for i, t := range operands {
		values[i] = b.AddArg(t, "", op.Pos)
	}
	probe := ir.NewOp(op.Name, op.Pos, values, []ir.Type{result})
	probe.Attrs = append(ir.NamedAttrs(nil), op.Attrs...)
	ok := w.executes(probe)
	probe.SetOperands(nil)
	return ok
}
