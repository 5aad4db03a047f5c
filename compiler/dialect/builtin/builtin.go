// Package builtin registers MLIR's builtin dialect.
package builtin

import (
	"loom/compiler/diag"
	"loom/compiler/dialect/internal/opkit"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
)

func init() {
	opkit.Define(&ir.OpDef{
		Name: opname.BuiltinModule, Summary: "The top of a file: a list of functions, globals and fabric modules.",
		Traits: ir.IsolatedFromAbove | ir.SymbolTable | ir.NoTerminator | ir.GraphRegion | ir.SingleBlock,
		Verify: opkit.Seq(opkit.Shape(0, 0, 1), verifyModule),
	}, mlir.Asm{
		DefaultDialect: "builtin",
		Parse: func(p *mlir.OpParser, st *mlir.OpState) {
			if name, ok := p.ParseOptionalSymbolName(); ok {
				st.Set("sym_name", ir.StrAttr(name))
			}
			p.ParseOptionalAttrDictWithKeyword(st)
			p.ParseRegion(st, mlir.RegionOptions{Entry: true})
		},
		Print: func(p *mlir.OpPrinter, op *ir.Operation) {
			if name := op.SymName(); name != "" {
				p.Text(" ")
				p.Symbol(name)
			}
			p.AttrDictWithKeyword(op.Attrs, "sym_name")
			p.Text(" ")
			p.Region(op.Regions[0], mlir.PrintRegionOptions{Entry: true})
		},
	})
	opkit.Define(&ir.OpDef{
		Name: opname.BuiltinUnrealizedConversionCast, Summary: "A change of type that a later stage has to make real.",
		Traits: ir.Pure, Verify: opkit.Seq(opkit.Shape(opkit.Any, opkit.Any, 0), verifyCast),
	}, mlir.Asm{
		Parse: func(p *mlir.OpParser, st *mlir.OpState) {
			pos := p.Pos()
			us := p.ParseOperandList()
			var from []ir.Type
			if len(us) > 0 {
				from = p.ParseColonTypeList()
			}
			p.ResolveOperands(st, us, from, pos)
			p.ParseKeyword("to")
			st.Types = p.ParseTypeList()
			p.ParseOptionalAttrDict(st)
		},
		Print: func(p *mlir.OpPrinter, op *ir.Operation) {
			if op.NumOperands() > 0 {
				p.Text(" ")
				p.Operands(op.Operands())
				p.Text(" : ")
				p.ValueTypes(op.Operands())
			}
			p.Text(" to ")
			p.ValueTypes(op.Results())
			p.AttrDict(op.Attrs)
		},
	})
}

func verifyModule(op *ir.Operation, errs *diag.List) {
	if b := opkit.OneBlock(op, errs, 0); b != nil && len(b.Args) > 0 {
		opkit.Errorf(op, errs, "has no arguments")
	}
}

func verifyCast(op *ir.Operation, errs *diag.List) {
	if op.NumResults() == 0 {
		opkit.Errorf(op, errs, "needs at least one result")
	}
}
