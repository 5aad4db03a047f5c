package memref

import (
	"loom/compiler/diag"
	"loom/compiler/dialect/internal/opkit"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
)

func init() {
	opkit.Define(&ir.OpDef{
		Name: opname.MemRefAllocaScope, Summary: "Executes a region once; what memref.alloca allocates in it ends with it.",
		Verify: opkit.Seq(opkit.Shape(0, opkit.Any, 1), verifyScope),
	}, mlir.Asm{Parse: parseScope, Print: printScope})
	opkit.Define(&ir.OpDef{
		Name: opname.MemRefAllocaScopeReturn, Summary: "Ends the region of memref.alloca_scope with its values.", Traits: ir.Terminator,
		Verify: opkit.Seq(opkit.Shape(opkit.Any, 0, 0), opkit.ParentIs(opname.MemRefAllocaScope)),
	}, opkit.ReturnAsm())
}

func verifyScope(op *ir.Operation, errs *diag.List) {
	r := op.Regions[0]
	if len(r.Blocks) == 0 {
		opkit.Errorf(op, errs, "has an empty region")
		return
	}
	if len(r.Entry().Args) > 0 {
		opkit.Errorf(op, errs, "the region has arguments")
	}
	for _, b := range r.Blocks {
		if t := b.Terminator(); t != nil && t.Name == opname.MemRefAllocaScopeReturn {
			opkit.Types(t, errs, "operand", t.Operands(), opkit.TypesOf(op.Results()), "the results of the scope")
		}
	}
}

// parseScope reads "-> (T) { … }"; without results the terminator may be left
// out.
func parseScope(p *mlir.OpParser, st *mlir.OpState) {
	st.Types = p.ParseOptionalArrowTypes()
	opt := mlir.RegionOptions{}
	if len(st.Types) == 0 {
		opt.Terminator = opname.MemRefAllocaScopeReturn
	}
	p.ParseRegion(st, opt)
	p.ParseOptionalAttrDict(st)
}

func printScope(p *mlir.OpPrinter, op *ir.Operation) {
	if op.NumResults() > 0 {
		p.Text(" -> (")
		p.ValueTypes(op.Results())
		p.Text(")")
	}
	p.Text(" ")
	opt := mlir.PrintRegionOptions{}
	if op.NumResults() == 0 {
		opt.ElideTerminator = opname.MemRefAllocaScopeReturn
	}
	p.Region(op.Regions[0], opt)
	p.AttrDict(op.Attrs)
}
