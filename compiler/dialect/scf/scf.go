// Package scf registers MLIR's scf dialect: structured control flow. Assembly
// and verifiers of each construct share a file.
package scf

import (
	"loom/compiler/diag"
	"loom/compiler/dialect/internal/opkit"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
)

func init() {
	opkit.Define(&ir.OpDef{
		Name: opname.SCFYield, Summary: "Ends the region of a structured operation with its values.", Traits: ir.Terminator,
		Verify: opkit.Seq(opkit.Shape(opkit.Any, 0, 0),
			opkit.ParentIs(opname.SCFFor, opname.SCFIf, opname.SCFWhile, opname.SCFExecuteRegion, opname.SCFIndexSwitch)),
	}, opkit.ReturnAsm())
	opkit.Define(&ir.OpDef{
		Name: opname.SCFIf, Summary: "Executes one of two regions by a condition.", Traits: ir.SingleBlock,
		Verify: opkit.Seq(opkit.Shape(1, opkit.Any, 2), verifyIf),
	}, mlir.Asm{Parse: parseIf, Print: printIf})
	opkit.Define(&ir.OpDef{
		Name: opname.SCFExecuteRegion, Summary: "Executes a region once; it may have several blocks.",
		Verify: opkit.Seq(opkit.Shape(0, opkit.Any, 1), verifyExecuteRegion),
	}, mlir.Asm{Parse: parseExecuteRegion, Print: printExecuteRegion})
	opkit.Define(&ir.OpDef{
		Name: opname.SCFIndexSwitch, Summary: "Executes the region of the matching case, else the default region.",
		Traits: ir.SingleBlock,
		Verify: opkit.Seq(opkit.Shape(1, opkit.Any, opkit.Any), verifyIndexSwitch),
	}, mlir.Asm{Parse: parseIndexSwitch, Print: printIndexSwitch})
}

// verifyYield checks that a region's only block ends in scf.yield with the
// operation's result types.
func verifyYield(op *ir.Operation, errs *diag.List, region int) {
	b := opkit.OneBlock(op, errs, region)
	if b == nil {
		return
	}
	if t := opkit.Terminated(op, errs, b, opname.SCFYield); t != nil {
		checkYield(t, errs, opkit.TypesOf(op.Results()), "the results of the operation around it")
	}
}

// checkYield reports at the terminator, where the mistake most likely is.
func checkYield(t *ir.Operation, errs *diag.List, want []ir.Type, source string) {
	if t.NumOperands() != len(want) {
		opkit.Errorf(t, errs, "yields %s, expected %d: %s", opkit.Plural(t.NumOperands(), "value"), len(want), source)
		return
	}
	for i, v := range t.Operands() {
		if v.Type != want[i] {
			opkit.Errorf(t, errs, "yields %s as value #%d, expected %s: %s", v.Type, i, want[i], source)
		}
	}
}

func verifyIf(op *ir.Operation, errs *diag.List) {
	opkit.Exactly(op, errs, "the condition", op.Operand(0).Type, ir.I1)
	for i, r := range op.Regions {
		if i == 1 && len(r.Blocks) == 0 {
			if op.NumResults() > 0 {
				opkit.Errorf(op, errs, "has results but no else region")
			}
			continue
		}
		if b := r.Entry(); b != nil && len(b.Args) > 0 {
			opkit.Errorf(op, errs, "region #%d has arguments", i)
		}
		verifyYield(op, errs, i)
	}
}

// parseIf reads "%c -> (T) { … } else { … }".
func parseIf(p *mlir.OpParser, st *mlir.OpState) {
	u := p.ParseOperand()
	p.ResolveAll(st, ir.I1, u)
	st.Types = p.ParseOptionalArrowTypes()
	opt := mlir.RegionOptions{Entry: true, Terminator: opname.SCFYield}
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
	p.Operand(op.Operand(0))
	opt := mlir.PrintRegionOptions{Entry: true, ElideTerminator: opname.SCFYield}
	if op.NumResults() > 0 {
		printResultTypes(p, op)
	}
	p.Text(" ")
	p.Region(op.Regions[0], opt)
	if len(op.Regions[1].Blocks) > 0 {
		p.Text(" else ")
		p.Region(op.Regions[1], opt)
	}
	p.AttrDict(op.Attrs)
}

// printResultTypes writes " -> (T, U)", with parentheses in any case.
func printResultTypes(p *mlir.OpPrinter, op *ir.Operation) {
	p.Text(" -> (")
	p.ValueTypes(op.Results())
	p.Text(")")
}

func verifyExecuteRegion(op *ir.Operation, errs *diag.List) {
	r := op.Regions[0]
	if len(r.Blocks) == 0 {
		opkit.Errorf(op, errs, "has an empty region")
		return
	}
	if len(r.Entry().Args) > 0 {
		opkit.Errorf(op, errs, "the region has arguments")
	}
	for _, b := range r.Blocks {
		if t := b.Terminator(); t != nil && t.Name == opname.SCFYield {
			checkYield(t, errs, opkit.TypesOf(op.Results()), "the results of the operation around it")
		}
	}
}

// parseExecuteRegion reads "-> T { … }".
func parseExecuteRegion(p *mlir.OpParser, st *mlir.OpState) {
	st.Types = p.ParseOptionalArrowTypes()
	p.ParseRegion(st, mlir.RegionOptions{})
	p.ParseOptionalAttrDict(st)
}

func printExecuteRegion(p *mlir.OpPrinter, op *ir.Operation) {
	p.OptionalArrowTypes(opkit.TypesOf(op.Results()))
	p.Text(" ")
	p.Region(op.Regions[0], mlir.PrintRegionOptions{})
	p.AttrDict(op.Attrs)
}

func verifyIndexSwitch(op *ir.Operation, errs *diag.List) {
	opkit.Exactly(op, errs, "the operand", op.Operand(0).Type, ir.Index)
	a, ok := opkit.Attr[*ir.DenseArrayAttr](op, errs, "cases", "array<i64: …>")
	if !ok {
		return
	}
	if len(op.Regions) != len(a.Values)+1 {
		opkit.Errorf(op, errs, "has %s for %s and the default", opkit.Plural(len(op.Regions), "region"), opkit.Plural(len(a.Values), "case"))
		return
	}
	seen := map[int64]bool{}
	for _, v := range a.Values {
		if seen[v] {
			opkit.Errorf(op, errs, "has case %d twice", v)
		}
		seen[v] = true
	}
	for i := range op.Regions {
		verifyYield(op, errs, i)
	}
}

// parseIndexSwitch reads "%x -> T case 1 { … } default { … }". The default
// region is the first of the operation.
func parseIndexSwitch(p *mlir.OpParser, st *mlir.OpState) {
	u := p.ParseOperand()
	p.ResolveAll(st, ir.Index, u)
	p.ParseOptionalAttrDict(st)
	if p.ParseOptionalPunct("->") {
		st.Types = p.ParseTypeList()
	}
	opt := mlir.RegionOptions{Entry: true, Terminator: opname.SCFYield}
	cases := []int64{}
	for p.ParseOptionalKeyword("case") {
		cases = append(cases, p.ParseInteger())
		p.ParseRegion(st, opt)
	}
	p.ParseKeyword("default")
	def := p.ParseRegion(st, opt)
	copy(st.Regions[1:], st.Regions[:len(st.Regions)-1])
	st.Regions[0] = def
	st.Set("cases", opkit.I64s(cases))
}

func printIndexSwitch(p *mlir.OpPrinter, op *ir.Operation) {
	p.Text(" ")
	p.Operand(op.Operand(0))
	p.AttrDict(op.Attrs, "cases")
	if op.NumResults() > 0 {
		p.Text(" -> ")
		p.ValueTypes(op.Results())
	}
	opt := mlir.PrintRegionOptions{Entry: true}
	for i, v := range op.Attr("cases").(*ir.DenseArrayAttr).Values {
		p.Newline()
		p.Printf("case %d ", v)
		p.Region(op.Regions[i+1], opt)
	}
	p.Newline()
	p.Text("default ")
	p.Region(op.Regions[0], opt)
}
