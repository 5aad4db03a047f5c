package arith

import (
	"loom/compiler/dialect/internal/opkit"
	"loom/compiler/ir"
	"loom/compiler/mlir"
)

// constantAsm is "{attrs} 1 : i32".
var constantAsm = mlir.Asm{
	Parse: func(p *mlir.OpParser, st *mlir.OpState) {
		p.ParseOptionalAttrDict(st)
		pos := p.Pos()
		a := p.ParseAttribute(nil)
		st.Set("value", a)
		switch a := a.(type) {
		case *ir.IntegerAttr:
			st.Types = append(st.Types, a.Type)
		case *ir.FloatAttr:
			st.Types = append(st.Types, a.Type)
		case *ir.DenseElementsAttr:
			st.Types = append(st.Types, a.Type)
		default:
			p.Fail(pos, "expected a number or dense elements, found %s", a)
		}
	},
	Print: func(p *mlir.OpPrinter, op *ir.Operation) {
		p.AttrDict(op.Attrs, "value")
		if _, opaque := op.Attr("value").(*ir.OpaqueAttr); opaque {
			panic("kept as text") // printed in the generic form, with its type
		}
		p.Text(" ")
		p.Attr(op.Attr("value"))
	},
}

// compareAsm is "slt, %a, %b : i32".
func compareAsm(names []string, flags *opkit.Flags) mlir.Asm {
	return mlir.Asm{
		Parse: func(p *mlir.OpParser, st *mlir.OpState) {
			n := p.ParseOneOf("a predicate", names...)
			st.Set(predicateAttr, ir.IntAttr(int64(n), ir.I64))
			p.ParseComma()
			us := opkit.ParseFixed(p, 2)
			flags.Parse(p, st)
			p.ParseOptionalAttrDict(st)
			t := p.ParseColonType()
			p.ResolveAll(st, t, us...)
			st.Types = append(st.Types, opkit.WithElem(t, ir.I1))
		},
		Print: func(p *mlir.OpPrinter, op *ir.Operation) {
			n, _ := op.IntAttr(predicateAttr)
			p.Printf(" %s, ", names[n])
			p.Operands(op.Operands())
			flags.Print(p, op)
			p.AttrDict(op.Attrs, predicateAttr, flags.Name())
			p.Text(" : ")
			p.Type(op.Operand(0).Type)
		},
		Normalize: flags.Normalizer(),
	}
}

// selectAsm is "%c, %a, %b : T", or "… : condition type, T" for a vector of
// conditions.
var selectAsm = mlir.Asm{
	Parse: func(p *mlir.OpParser, st *mlir.OpState) {
		us := opkit.ParseFixed(p, 3)
		p.ParseOptionalAttrDict(st)
		t := p.ParseColonType()
		var cond ir.Type = ir.I1
		if p.ParseOptionalComma() {
			cond, t = t, p.ParseType()
		}
		p.ResolveAll(st, cond, us[0])
		p.ResolveAll(st, t, us[1:]...)
		st.Types = append(st.Types, t)
	},
	Print: func(p *mlir.OpPrinter, op *ir.Operation) {
		p.Text(" ")
		p.Operands(op.Operands())
		p.AttrDict(op.Attrs)
		p.Text(" : ")
		if c := op.Operand(0).Type; c != ir.Type(ir.I1) {
			p.Type(c)
			p.Text(", ")
		}
		p.Type(op.Result(0).Type)
	},
}

// addExtendedAsm is "%a, %b : T, i1".
var addExtendedAsm = mlir.Asm{
	Parse: func(p *mlir.OpParser, st *mlir.OpState) {
		us := opkit.ParseFixed(p, 2)
		p.ParseOptionalAttrDict(st)
		t := p.ParseColonType()
		p.ParseComma()
		p.ResolveAll(st, t, us...)
		st.Types = append(st.Types, t, p.ParseType())
	},
	Print: func(p *mlir.OpPrinter, op *ir.Operation) {
		p.Text(" ")
		p.Operands(op.Operands())
		p.AttrDict(op.Attrs)
		p.Text(" : ")
		p.ValueTypes(op.Results())
	},
}

// truncfAsm is "%x to_nearest_even fastmath<…> : f64 to f32".
var truncfAsm = mlir.Asm{
	Parse: func(p *mlir.OpParser, st *mlir.OpState) {
		u := p.ParseOperand()
		for i, mode := range roundingModes {
			if p.ParseOptionalKeyword(mode) {
				st.Set("roundingmode", ir.IntAttr(int64(i), ir.I32))
				break
			}
		}
		opkit.FastMath.Parse(p, st)
		p.ParseOptionalAttrDict(st)
		opkit.ParseCastTypes(p, st, u)
	},
	Print: func(p *mlir.OpPrinter, op *ir.Operation) {
		p.Text(" ")
		p.Operand(op.Operand(0))
		if n, ok := op.IntAttr("roundingmode"); ok {
			p.Text(" " + roundingModes[n])
		}
		opkit.FastMath.Print(p, op)
		p.AttrDict(op.Attrs, "roundingmode", "fastmath")
		opkit.PrintCastTypes(p, op)
	},
	Normalize: opkit.FastMath.Normalizer(),
}
