// Package llvm registers the operations of MLIR's llvm dialect that a function
// unit may hold (fabric.md, "Function units").
package llvm

import (
	"loom/compiler/diag"
	"loom/compiler/dialect/internal/opkit"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
)

func init() {
	opkit.Define(&ir.OpDef{
		Name: opname.LLVMIntrBitreverse, Summary: "The bits in reverse order.", Traits: ir.Pure | ir.SameOperandsAndResult,
		Verify: opkit.Seq(opkit.Shape(1, 1, 0), opkit.SameTypes, func(op *ir.Operation, errs *diag.List) {
			opkit.Typed(op, errs, "operand #0", op.Operand(0).Type, opkit.IsSignless, "a signless integer")
		}),
	}, mlir.Asm{
		Parse: func(p *mlir.OpParser, st *mlir.OpState) {
			pos := p.Pos()
			us := p.ParseOperandsIn("(", ")")
			p.ParseOptionalAttrDict(st)
			p.ParsePunct(":")
			ft := p.ParseFunctionType()
			p.ResolveOperands(st, us, ft.Inputs, pos)
			st.Types = ft.Results
		},
		Print: func(p *mlir.OpPrinter, op *ir.Operation) {
			p.Text("(")
			p.Operands(op.Operands())
			p.Text(")")
			p.AttrDict(op.Attrs)
			p.Text(" : ")
			p.FunctionalType(op.Operands(), op.Results())
		},
	})
}
