package affine

import (
	"math"

	"loom/compiler/diag"
	"loom/compiler/dialect/internal/opkit"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
)

func init() {
	opkit.Define(&ir.OpDef{
		Name: opname.AffineFor, Summary: "A counted loop from the greatest of its lower bounds to below the least of its upper bounds; iter_args carry values.",
		Traits: ir.SingleBlock,
		Verify: opkit.Seq(opkit.Shape(opkit.Any, opkit.Any, 1), opkit.VerifySegments(3), verifyFor),
	}, mlir.Asm{Parse: parseFor, Print: printFor})
}

var boundMaps = []string{"lowerBoundMap", "upperBoundMap"}

func verifyFor(op *ir.Operation, errs *diag.List) {
	g := opkit.Segments(op, 3)
	for i, name := range boundMaps {
		m := verifyMap(op, errs, name, g[i])
		if m == nil {
			return
		}
		if len(m.Results) == 0 {
			opkit.Errorf(op, errs, "attribute '%s' has no result to be the bound", name)
		}
	}
	if step, ok := opkit.Attr[*ir.IntegerAttr](op, errs, "step", "an index"); ok {
		opkit.Exactly(op, errs, "the step", step.Type, ir.Index)
		verifyStep(op, errs, step.Value)
	}
	inits := opkit.TypesOf(g[2])
	opkit.Types(op, errs, "result", op.Results(), inits, "the initial values")
	b := opkit.OneBlock(op, errs, 0)
	if b == nil {
		return
	}
	if opkit.Types(op, errs, "body argument", b.Args, append([]ir.Type{ir.Index}, inits...), "the bounds and initial values") {
		verifyYield(op, errs, b)
	}
}

func verifyStep(op *ir.Operation, errs *diag.List, step int64) {
	if step <= 0 {
		opkit.Errorf(op, errs, "the step is %d, it must be positive", step).
			WithHelp("affine loops count upwards; turn the loop around")
	}
}

// parseFor reads "%i = max affine_map<…>(%a) to %n step 2 iter_args(%x = %y) ->
// (T) { … }".
func parseFor(p *mlir.OpParser, st *mlir.OpState) {
	args := []mlir.Argument{p.ParseArgument(false, false)}
	args[0].Type = ir.Index
	p.ParsePunct("=")
	parseBound(p, st, 0)
	lower := len(st.Operands)
	p.ParseKeyword("to")
	parseBound(p, st, 1)
	upper := len(st.Operands) - lower
	step := int64(1)
	if p.ParseOptionalKeyword("step") {
		pos := p.Pos()
		if step = p.ParseInteger(); step <= 0 {
			p.Fail(pos, "the step of an affine loop is a positive number")
		}
	}
	st.Set("step", ir.IntAttr(step, ir.Index))
	var inits []mlir.UnresolvedOperand
	pos := p.Pos()
	if p.ParseOptionalKeyword("iter_args") {
		var carried []mlir.Argument
		carried, inits = p.ParseAssignments()
		st.Types = p.ParseArrowTypes()
		if len(st.Types) != len(carried) {
			p.Fail(pos, "'affine.for' carries %s but has %s", opkit.Plural(len(carried), "value"), opkit.Plural(len(st.Types), "type"))
		}
		for i, t := range st.Types {
			carried[i].Type = t
		}
		args = append(args, carried...)
	}
	p.ResolveOperands(st, inits, st.Types, pos)
	opkit.SetSegments(st, lower, upper, len(inits))
	opt := mlir.RegionOptions{Args: args}
	if len(inits) == 0 {
		opt.Terminator = opname.AffineYield
	}
	p.ParseRegion(st, opt)
	p.ParseOptionalAttrDict(st)
}

// parseBound reads a bound of affine.for: "%n", a number, or a map with its
// operands, which needs max (lower bound) or min (upper bound) in front of it
// where it has several results.
func parseBound(p *mlir.OpParser, st *mlir.OpState, i int) {
	word := []string{"max", "min"}[i]
	chosen := p.ParseOptionalKeyword(word)
	pos := p.Pos()
	m := &ir.AffineMap{}
	if u, ok := p.ParseOptionalOperand(); ok {
		m.Symbols, m.Results = 1, []*ir.AffineExpr{ir.AffineSymbolExpr(0)}
		p.ResolveAll(st, ir.Index, u)
	} else if n, ok := p.ParseOptionalInteger(); ok {
		m.Results = []*ir.AffineExpr{ir.AffineConst(n)}
	} else {
		m = p.ParseAffineMap()
		if len(m.Results) > 1 && !chosen {
			p.Fail(pos, "a bound with %s needs '%s' in front of it", opkit.Plural(len(m.Results), "result"), word)
		}
		parseInputs(p, st, m.Dims, m.Symbols)
	}
	st.Set(boundMaps[i], &ir.AffineMapAttr{Map: m})
}

func printBound(p *mlir.OpPrinter, op *ir.Operation, i int, operands []*ir.Value) {
	m := mapOf(op, boundMaps[i])
	if len(m.Results) == 1 {
		e := m.Results[0]
		switch {
		case len(operands) == 0 && e.Kind == ir.AffineConstant && e.Value != math.MinInt64:
			p.Printf("%d", e.Value)
			return
		case m.Dims == 0 && m.Symbols == 1 && e.Kind == ir.AffineSymbol:
			p.Operand(operands[0])
			return
		}
	} else {
		p.Text([]string{"max ", "min "}[i])
	}
	p.Attr(op.Attr(boundMaps[i]))
	printInputs(p, m.Dims, operands)
}

func printFor(p *mlir.OpPrinter, op *ir.Operation) {
	g := opkit.Segments(op, 3)
	body := op.Regions[0].Entry()
	p.Text(" ")
	p.Operand(body.Args[0])
	p.Text(" = ")
	printBound(p, op, 0, g[0])
	p.Text(" to ")
	printBound(p, op, 1, g[1])
	if step, _ := op.IntAttr("step"); step != 1 {
		p.Printf(" step %d", step)
	}
	opt := mlir.PrintRegionOptions{Entry: true, ElideTerminator: opname.AffineYield}
	if len(g[2]) > 0 {
		p.Text(" iter_args")
		p.Assignments(body.Args[1:], g[2])
		p.Text(" -> (")
		p.ValueTypes(op.Results())
		p.Text(")")
		opt.ElideTerminator = ""
	}
	p.Text(" ")
	p.Region(op.Regions[0], opt)
	p.AttrDict(op.Attrs, "lowerBoundMap", "upperBoundMap", "step", opkit.SegmentsAttr)
}
