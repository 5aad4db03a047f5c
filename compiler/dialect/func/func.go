// Package fn registers MLIR's func dialect. (The directory is named after the
// dialect; the package cannot be, func being a keyword.)
package fn

import (
	"loom/compiler/diag"
	"loom/compiler/dialect/internal/opkit"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
)

func init() {
	opkit.Define(&ir.OpDef{
		Name: opname.FuncFunc, Summary: "A function; without a body, its declaration.",
		Traits: ir.IsolatedFromAbove,
		Verify: opkit.Seq(opkit.Shape(0, 0, 1), opkit.VerifyFunction, verifyDeclaration),
	}, mlir.Asm{
		DefaultDialect: "func",
		Parse: func(p *mlir.OpParser, st *mlir.OpState) {
			opkit.ParseFunction(p, st, opkit.FunctionOptions{})
		},
		Print: func(p *mlir.OpPrinter, op *ir.Operation) {
			opkit.PrintFunction(p, op, opkit.FunctionOptions{})
		},
		Normalize: opkit.NormalizeFunction,
	})
	opkit.Define(&ir.OpDef{
		Name: opname.FuncReturn, Summary: "Ends a function with its results.", Traits: ir.Terminator,
		Verify: opkit.Seq(opkit.Shape(opkit.Any, 0, 0), opkit.ParentIs(opname.FuncFunc), verifyReturn),
	}, opkit.ReturnAsm())
	opkit.Define(&ir.OpDef{
		Name: opname.FuncCall, Summary: "Calls a function by its symbol.",
		Verify: opkit.Seq(opkit.Shape(opkit.Any, opkit.Any, 0), verifyCall),
	}, mlir.Asm{Parse: parseCall, Print: printCall})
	opkit.Define(&ir.OpDef{
		Name: opname.FuncCallIndirect, Summary: "Calls a function value.",
		Verify: opkit.Seq(opkit.Shape(opkit.Any, opkit.Any, 0), verifyCallIndirect),
	}, mlir.Asm{Parse: parseCallIndirect, Print: printCallIndirect})
	opkit.Define(&ir.OpDef{
		Name: opname.FuncConstant, Summary: "A function as a value.", Traits: ir.Pure | ir.ConstantLike,
		Verify: opkit.Seq(opkit.Shape(0, 1, 0), verifyFuncConstant),
	}, mlir.Asm{Parse: parseFuncConstant, Print: printFuncConstant})
}

func verifyDeclaration(op *ir.Operation, errs *diag.List) {
	if op.Regions[0].Entry() == nil && op.StrAttr("sym_visibility") != "private" {
		opkit.Errorf(op, errs, "has no body").
			WithHelp("a function that is only declared is private: func.func private %s(…)", ir.SymbolText(op.SymName()))
	}
}

func verifyReturn(op *ir.Operation, errs *diag.List) {
	f := op.ParentOp()
	if f == nil {
		return
	}
	if ft := opkit.FunctionType(f); ft != nil {
		opkit.Types(op, errs, "operand", op.Operands(), ft.Results, "the function's signature")
	}
}

func verifyCall(op *ir.Operation, errs *diag.List) {
	callee, ok := opkit.Attr[*ir.SymbolRefAttr](op, errs, "callee", "a symbol")
	if !ok || op.ParentOp() == nil {
		return
	}
	f := ir.LookupSymbol(op, callee.Root)
	if f == nil || len(callee.Nested) > 0 {
		opkit.Errorf(op, errs, "calls %s, which is not defined", callee)
		return
	}
	ft := opkit.FunctionType(f)
	if f.Name != opname.FuncFunc || ft == nil {
		opkit.Errorf(op, errs, "calls %s, which is no function", callee).WithNote(f.Pos, "defined here")
		return
	}
	before := len(errs.All)
	opkit.Types(op, errs, "operand", op.Operands(), ft.Inputs, "the callee's signature")
	opkit.Types(op, errs, "result", op.Results(), ft.Results, "the callee's signature")
	for _, d := range errs.All[before:] {
		d.WithNote(f.Pos, "%s is defined here", callee)
	}
}

// parseCall reads "@f(%a) : (T) -> U".
func parseCall(p *mlir.OpParser, st *mlir.OpState) {
	st.Set("callee", p.ParseSymbolRef())
	us := p.ParseOperandsIn("(", ")")
	p.ParseOptionalAttrDict(st)
	p.ParsePunct(":")
	pos := p.Pos()
	ft := p.ParseFunctionType()
	p.ResolveOperands(st, us, ft.Inputs, pos)
	st.Types = ft.Results
}

func printCall(p *mlir.OpPrinter, op *ir.Operation) {
	p.Text(" ")
	p.Attr(op.Attr("callee"))
	p.Text("(")
	p.Operands(op.Operands())
	p.Text(")")
	p.AttrDict(op.Attrs, "callee")
	p.Text(" : ")
	p.FunctionalType(op.Operands(), op.Results())
}

func verifyCallIndirect(op *ir.Operation, errs *diag.List) {
	if op.NumOperands() == 0 {
		opkit.Errorf(op, errs, "needs a callee")
		return
	}
	ft, ok := op.Operand(0).Type.(*ir.FunctionType)
	if !ok {
		opkit.Errorf(op, errs, "operand #0 has type %s, expected a function type", op.Operand(0).Type)
		return
	}
	opkit.Types(op, errs, "argument", op.Operands()[1:], ft.Inputs, "the callee's type")
	opkit.Types(op, errs, "result", op.Results(), ft.Results, "the callee's type")
}

// parseCallIndirect reads "%f(%a) : (T) -> U".
func parseCallIndirect(p *mlir.OpParser, st *mlir.OpState) {
	f := p.ParseOperand()
	us := p.ParseOperandsIn("(", ")")
	p.ParseOptionalAttrDict(st)
	p.ParsePunct(":")
	pos := p.Pos()
	ft := p.ParseFunctionType()
	p.ResolveAll(st, ft, f)
	p.ResolveOperands(st, us, ft.Inputs, pos)
	st.Types = ft.Results
}

func printCallIndirect(p *mlir.OpPrinter, op *ir.Operation) {
	p.Text(" ")
	p.Operand(op.Operand(0))
	p.Text("(")
	p.Operands(op.Operands()[1:])
	p.Text(")")
	p.AttrDict(op.Attrs)
	p.Text(" : ")
	p.Type(op.Operand(0).Type)
}

func verifyFuncConstant(op *ir.Operation, errs *diag.List) {
	ref, ok := opkit.Attr[*ir.SymbolRefAttr](op, errs, "value", "a symbol")
	if !ok || op.ParentOp() == nil {
		return
	}
	f := ir.LookupSymbol(op, ref.Root)
	if f == nil || opkit.FunctionType(f) == nil {
		opkit.Errorf(op, errs, "names %s, which is no function", ref)
		return
	}
	opkit.Exactly(op, errs, "the result", op.Result(0).Type, opkit.FunctionType(f))
}

// parseFuncConstant reads "@f : (T) -> U".
func parseFuncConstant(p *mlir.OpParser, st *mlir.OpState) {
	p.ParseOptionalAttrDict(st)
	st.Set("value", p.ParseSymbolRef())
	st.Types = append(st.Types, p.ParseColonType())
}

func printFuncConstant(p *mlir.OpPrinter, op *ir.Operation) {
	p.AttrDict(op.Attrs, "value")
	p.Text(" ")
	p.Attr(op.Attr("value"))
	p.Text(" : ")
	p.Type(op.Result(0).Type)
}
