package opkit

import (
	"loom/compiler/ir"
	"loom/compiler/mlir"
)

// Define registers an operation together with its assembly.
func Define(d *ir.OpDef, a mlir.Asm) {
	ir.Register(d)
	mlir.RegisterAsm(d.Name, a)
}

// SameTypeAsm is "%a, %b {attrs} : T": operands operands and results results
// that all have one type. flags may be nil.
func SameTypeAsm(operands, results int, flags *Flags) mlir.Asm {
	return mlir.Asm{
		Parse: func(p *mlir.OpParser, st *mlir.OpState) {
			us := ParseFixed(p, operands)
			flags.Parse(p, st)
			p.ParseOptionalAttrDict(st)
			t := p.ParseColonType()
			p.ResolveAll(st, t, us...)
			for range results {
				st.Types = append(st.Types, t)
			}
		},
		Print: func(p *mlir.OpPrinter, op *ir.Operation) {
			p.Text(" ")
			p.Operands(op.Operands())
			flags.Print(p, op)
			p.AttrDict(op.Attrs, flags.Name())
			p.Text(" : ")
			p.Type(op.Operand(0).Type)
		},
		Normalize: flags.Normalizer(),
	}
}

// CastAsm is "%x {attrs} : T to U".
func CastAsm(flags *Flags) mlir.Asm {
	return mlir.Asm{
		Parse: func(p *mlir.OpParser, st *mlir.OpState) {
			u := p.ParseOperand()
			flags.Parse(p, st)
			p.ParseOptionalAttrDict(st)
			ParseCastTypes(p, st, u)
		},
		Print: func(p *mlir.OpPrinter, op *ir.Operation) {
			p.Text(" ")
			p.Operand(op.Operand(0))
			flags.Print(p, op)
			p.AttrDict(op.Attrs, flags.Name())
			PrintCastTypes(p, op)
		},
		Normalize: flags.Normalizer(),
	}
}

// ParseCastTypes reads ": T to U" and resolves the only operand.
func ParseCastTypes(p *mlir.OpParser, st *mlir.OpState, u mlir.UnresolvedOperand) {
	from := p.ParseColonType()
	p.ParseKeyword("to")
	p.ResolveAll(st, from, u)
	st.Types = append(st.Types, p.ParseType())
}

// PrintCastTypes writes " : T to U".
func PrintCastTypes(p *mlir.OpPrinter, op *ir.Operation) {
	p.Text(" : ")
	p.Type(op.Operand(0).Type)
	p.Text(" to ")
	p.Type(op.Result(0).Type)
}

// ParseFixed reads a fixed number of operands separated by commas.
func ParseFixed(p *mlir.OpParser, n int) []mlir.UnresolvedOperand {
	us := make([]mlir.UnresolvedOperand, n)
	for i := range us {
		if i > 0 {
			p.ParseComma()
		}
		us[i] = p.ParseOperand()
	}
	return us
}

// ReturnAsm is "{attrs} %a, %b : T, U", nothing at all for no operands: the form of
// most terminators.
func ReturnAsm() mlir.Asm {
	return mlir.Asm{
		Parse: func(p *mlir.OpParser, st *mlir.OpState) {
			pos := p.Pos()
			if p.PeekPunct("{") {
				p.ParseAttrDict(st)
			}
			us := p.ParseOperandList()
			if len(us) > 0 {
				p.ResolveOperands(st, us, p.ParseColonTypeList(), pos)
			}
		},
		Print: func(p *mlir.OpPrinter, op *ir.Operation) {
			p.AttrDict(op.Attrs)
			if op.NumOperands() == 0 {
				return
			}
			p.Text(" ")
			p.Operands(op.Operands())
			p.Text(" : ")
			p.ValueTypes(op.Operands())
		},
	}
}
