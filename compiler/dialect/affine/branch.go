package affine

import (
	"loom/compiler/diag"
	"loom/compiler/dialect/internal/opkit"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
)

func init() {
	opkit.Define(&ir.OpDef{
		Name: opname.AffineIf, Summary: "Executes one of two regions, the first if the operands lie in an affine set.",
		Traits: ir.SingleBlock,
		Verify: opkit.Seq(opkit.Shape(opkit.Any, opkit.Any, 2), verifyIf),
	}, mlir.Asm{Parse: parseIf, Print: printIf})
	opkit.Define(&ir.OpDef{
		Name: opname.AffineYield, Summary: "Ends the region of an affine operation with its values.", Traits: ir.Terminator,
		Verify: opkit.Seq(opkit.Shape(opkit.Any, 0, 0), opkit.ParentIs(opname.AffineFor, opname.AffineIf, opname.AffineParallel)),
	}, opkit.ReturnAsm())
}

// verifyYield checks that a block ends in affine.yield with the operation's
// result types.
func verifyYield(op *ir.Operation, errs *diag.List, b *ir.Block) {
	t := opkit.Terminated(op, errs, b, opname.AffineYield)
	if t == nil {
		return
	}
	want := opkit.TypesOf(op.Results())
	if t.NumOperands() != len(want) {
		opkit.Errorf(t, errs, "yields %s, expected %d: the results of the operation around it", opkit.Plural(t.NumOperands(), "value"), len(want))
		return
	}
	for i, v := range t.Operands() {
		if v.Type != want[i] {
			opkit.Errorf(t, errs, "yields %s as value #%d, expected %s: the results of the operation around it", v.Type, i, want[i])
		}
	}
}

func verifyIf(op *ir.Operation, errs *diag.List) {
	a, ok := opkit.Attr[*ir.IntegerSetAttr](op, errs, "condition", "an affine set")
	if !ok || !verifyInputs(op, errs, "attribute 'condition'", a.Set.Dims, a.Set.Symbols, op.Operands()) {
		return
	}
	for _, c := range a.Set.Constraints {
		if !verifyExpr(op, errs, c.Expr) {
			return
		}
	}
	for i, r := range op.Regions {
		if i == 1 && len(r.Blocks) == 0 {
			if op.NumResults() > 0 {
				opkit.Errorf(op, errs, "has results but no else region")
			}
			continue
		}
		b := opkit.OneBlock(op, errs, i)
		if b == nil {
			return
		}
		if len(b.Args) > 0 {
			opkit.Errorf(op, errs, "region #%d has arguments", i)
		}
		verifyYield(op, errs, b)
	}
}

// parseIf reads "affine_set<…>(%i)[%n] -> T { … } else { … }".
func parseIf(p *mlir.OpParser, st *mlir.OpState) {
	s := p.ParseIntegerSet()
	st.Set("condition", &ir.IntegerSetAttr{Set: s})
	parseInputs(p, st, s.Dims, s.Symbols)
	st.Types = p.ParseOptionalArrowTypes()
	opt := mlir.RegionOptions{Entry: true, Terminator: opname.AffineYield}
	p.ParseRegion(st, opt)
	if p.ParseOptionalKeyword("else") {
		p.ParseRegion(st, opt)
	} else {
		p.AddEmptyRegion(st)
	}
	p.ParseOptionalAttrDict(st)
}

func printIf(p *mlir.OpPrinter, op *ir.Operation) {
	p.Text(" ")
	p.Attr(op.Attr("condition"))
	printInputs(p, op.Attr("condition").(*ir.IntegerSetAttr).Set.Dims, op.Operands())
	p.OptionalArrowTypes(opkit.TypesOf(op.Results()))
	opt := mlir.PrintRegionOptions{Entry: true, ElideTerminator: opname.AffineYield}
	p.Text(" ")
	p.Region(op.Regions[0], opt)
	if len(op.Regions[1].Blocks) > 0 {
		p.Text(" else ")
		p.Region(op.Regions[1], opt)
	}
	p.AttrDict(op.Attrs, "condition")
}
