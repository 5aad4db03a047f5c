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
		Name: opname.SCFFor, Summary: "A counted loop: while iv < ub (signed, or unsigned if it is marked so), the body, iv += step; iter_args carry values.",
		Traits: ir.SingleBlock,
		Verify: opkit.Seq(opkit.Shape(opkit.Any, opkit.Any, 1), verifyFor),
	}, mlir.Asm{Parse: parseFor, Print: printFor})
	opkit.Define(&ir.OpDef{
		Name: opname.SCFWhile, Summary: "A loop: the first region decides and passes values on, the second is the body.",
		Traits: ir.SingleBlock,
		Verify: opkit.Seq(opkit.Shape(opkit.Any, opkit.Any, 2), verifyWhile),
	}, mlir.Asm{Parse: parseWhile, Print: printWhile})
	opkit.Define(&ir.OpDef{
		Name: opname.SCFCondition, Summary: "Ends the first region of scf.while: go on or not, and the values passed on.",
		Traits: ir.Terminator,
		Verify: opkit.Seq(opkit.Shape(opkit.Any, 0, 0), opkit.ParentIs(opname.SCFWhile), verifyCondition),
	}, mlir.Asm{Parse: parseCondition, Print: printCondition})
}

func verifyFor(op *ir.Operation, errs *diag.List) {
	if op.NumOperands() < 3 {
		opkit.Errorf(op, errs, "has %s, expected lower bound, upper bound, step and the initial values", opkit.Plural(op.NumOperands(), "operand"))
		return
	}
	iv := op.Operand(0).Type
	if !opkit.IsSignlessOrIndex(iv) {
		opkit.Errorf(op, errs, "the lower bound has type %s, expected a signless integer or index", iv)
	}
	opkit.Exactly(op, errs, "the upper bound", op.Operand(1).Type, iv)
	opkit.Exactly(op, errs, "the step", op.Operand(2).Type, iv)
	if a := op.Attr(unsignedAttr); a != nil {
		if _, ok := a.(*ir.UnitAttr); !ok {
			opkit.Errorf(op, errs, "attribute '%s' is %s, expected no value", unsignedAttr, a)
		}
	}
	inits := op.Operands()[3:]
	opkit.Types(op, errs, "result", op.Results(), opkit.TypesOf(inits), "the initial values")
	b := opkit.OneBlock(op, errs, 0)
	if b == nil {
		return
	}
	if opkit.Types(op, errs, "body argument", b.Args, append([]ir.Type{iv}, opkit.TypesOf(inits)...), "the bounds and initial values") {
		verifyYield(op, errs, 0)
	}
}

// unsignedAttr makes a loop compare its bounds without sign; "unsigned" in the
// text. Older releases of MLIR do not have it.
const unsignedAttr = "unsignedCmp"

// parseFor reads "unsigned %i = %lb to %ub step %s iter_args(%a = %x) -> (T) : i32 { … }".
func parseFor(p *mlir.OpParser, st *mlir.OpState) {
	if p.ParseOptionalKeyword("unsigned") {
		st.Set(unsignedAttr, &ir.UnitAttr{})
	}
	iv := p.ParseArgument(false, false)
	p.ParsePunct("=")
	bounds := []mlir.UnresolvedOperand{p.ParseOperand()}
	for _, word := range []string{"to", "step"} {
		p.ParseKeyword(word)
		bounds = append(bounds, p.ParseOperand())
	}
	args := []mlir.Argument{iv}
	var inits []mlir.UnresolvedOperand
	pos := p.Pos()
	if p.ParseOptionalKeyword("iter_args") {
		var carried []mlir.Argument
		carried, inits = p.ParseAssignments()
		args = append(args, carried...)
		st.Types = p.ParseArrowTypes()
		if len(st.Types) != len(carried) {
			p.Fail(pos, "'scf.for' carries %s but has %s", opkit.Plural(len(carried), "value"), opkit.Plural(len(st.Types), "type"))
		}
		for i, t := range st.Types {
			args[i+1].Type = t
		}
	}
	args[0].Type = ir.Index
	if p.ParseOptionalPunct(":") {
		args[0].Type = p.ParseType()
	}
	p.ResolveAll(st, args[0].Type, bounds...)
	p.ResolveOperands(st, inits, st.Types, pos)
	opt := mlir.RegionOptions{Args: args}
	if len(inits) == 0 {
		opt.Terminator = opname.SCFYield
	}
	p.ParseRegion(st, opt)
	p.ParseOptionalAttrDict(st)
}

func printFor(p *mlir.OpPrinter, op *ir.Operation) {
	body := op.Regions[0].Entry()
	p.Text(" ")
	if op.Attr(unsignedAttr) != nil {
		p.Text("unsigned ")
	}
	p.Operand(body.Args[0])
	p.Text(" = ")
	p.Operand(op.Operand(0))
	p.Text(" to ")
	p.Operand(op.Operand(1))
	p.Text(" step ")
	p.Operand(op.Operand(2))
	opt := mlir.PrintRegionOptions{Entry: true, ElideTerminator: opname.SCFYield}
	if op.NumResults() > 0 {
		p.Text(" iter_args")
		p.Assignments(body.Args[1:], op.Operands()[3:])
		printResultTypes(p, op)
		opt.ElideTerminator = ""
	}
	if t := body.Args[0].Type; t != ir.Type(ir.Index) {
		p.Text(" : ")
		p.Type(t)
	}
	p.Text(" ")
	p.Region(op.Regions[0], opt)
	p.AttrDict(op.Attrs, unsignedAttr)
}

func verifyWhile(op *ir.Operation, errs *diag.List) {
	before, after := opkit.OneBlock(op, errs, 0), opkit.OneBlock(op, errs, 1)
	if before == nil || after == nil {
		return
	}
	ok := opkit.Types(op, errs, "argument of the first region", before.Args, opkit.TypesOf(op.Operands()), "the initial values")
	ok = opkit.Types(op, errs, "argument of the second region", after.Args, opkit.TypesOf(op.Results()), "the results") && ok
	if !ok {
		return
	}
	if t := opkit.Terminated(op, errs, before, opname.SCFCondition); t != nil && t.NumOperands() > 0 {
		passed := opkit.TypesOf(t.Operands()[1:])
		want := opkit.TypesOf(op.Results())
		if len(passed) != len(want) {
			opkit.Errorf(t, errs, "passes on %s, expected %d as the loop has results", opkit.Plural(len(passed), "value"), len(want))
		} else {
			for i := range passed {
				if passed[i] != want[i] {
					opkit.Errorf(t, errs, "passes on %s as value #%d, expected %s as the loop's result", passed[i], i, want[i])
				}
			}
		}
	}
	if t := opkit.Terminated(op, errs, after, opname.SCFYield); t != nil {
		checkYield(t, errs, opkit.TypesOf(op.Operands()), "the initial values of the loop")
	}
}

// parseWhile reads "(%a = %x) : (T) -> U { … } do { ^bb0(%b: U): … }".
func parseWhile(p *mlir.OpParser, st *mlir.OpState) {
	var args []mlir.Argument
	var inits []mlir.UnresolvedOperand
	if p.PeekPunct("(") {
		args, inits = p.ParseAssignments()
	}
	p.ParsePunct(":")
	pos := p.Pos()
	ft := p.ParseFunctionType()
	p.ResolveOperands(st, inits, ft.Inputs, pos)
	st.Types = ft.Results
	for i := range args {
		args[i].Type = ft.Inputs[i]
	}
	p.ParseRegion(st, mlir.RegionOptions{Args: args, Entry: true})
	p.ParseKeyword("do")
	p.ParseRegion(st, mlir.RegionOptions{})
	p.ParseOptionalAttrDictWithKeyword(st)
}

func printWhile(p *mlir.OpPrinter, op *ir.Operation) {
	if op.NumOperands() > 0 {
		p.Text(" ")
		p.Assignments(op.Regions[0].Entry().Args, op.Operands())
	}
	p.Text(" : ")
	p.FunctionalType(op.Operands(), op.Results())
	p.Text(" ")
	p.Region(op.Regions[0], mlir.PrintRegionOptions{Entry: true})
	p.Text(" do ")
	p.Region(op.Regions[1], mlir.PrintRegionOptions{})
	p.AttrDictWithKeyword(op.Attrs)
}

func verifyCondition(op *ir.Operation, errs *diag.List) {
	if op.NumOperands() == 0 {
		opkit.Errorf(op, errs, "needs a condition")
		return
	}
	opkit.Exactly(op, errs, "the condition", op.Operand(0).Type, ir.I1)
}

// parseCondition reads "(%c) %a, %b : T, U".
func parseCondition(p *mlir.OpParser, st *mlir.OpState) {
	p.ParsePunct("(")
	c := p.ParseOperand()
	p.ParsePunct(")")
	p.ParseOptionalAttrDict(st)
	p.ResolveAll(st, ir.I1, c)
	pos := p.Pos()
	if us := p.ParseOperandList(); len(us) > 0 {
		p.ResolveOperands(st, us, p.ParseColonTypeList(), pos)
	}
}

func printCondition(p *mlir.OpPrinter, op *ir.Operation) {
	p.Text("(")
	p.Operand(op.Operand(0))
	p.Text(")")
	p.AttrDict(op.Attrs)
	if passed := op.Operands()[1:]; len(passed) > 0 {
		p.Text(" ")
		p.Operands(passed)
		p.Text(" : ")
		p.ValueTypes(passed)
	}
}
