// Package affine registers MLIR's affine dialect: loops, branches and accesses
// whose bounds, conditions and subscripts are affine maps and sets. Pure
// operations on indices are in this file, accesses in access.go, branches in
// branch.go, loops in for.go and parallel.go.
//
// MLIR restricts which values may be the dimensions and symbols of a map (its
// "Restrictions on Dimensions and Symbols"), for analyses that LOOM
// does by other means. Any index is accepted here: inlining a call may turn a
// parameter, which is a legal symbol, into a value computed in a loop.
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
		Name: opname.AffineApply, Summary: "The value of an affine map with one result.", Traits: ir.Pure,
		Verify: opkit.Seq(opkit.Shape(opkit.Any, 1, 0), verifyIndexMap, func(op *ir.Operation, errs *diag.List) {
			if n := len(mapOf(op, "map").Results); n != 1 {
				opkit.Errorf(op, errs, "the map has %s, expected 1", opkit.Plural(n, "result"))
			}
		}),
	}, mlir.Asm{Parse: parseIndexMap, Print: printIndexMap})
	for _, o := range []struct{ name, summary string }{
		{opname.AffineMin, "The least of the results of an affine map."},
		{opname.AffineMax, "The greatest of the results of an affine map."},
	} {
		opkit.Define(&ir.OpDef{
			Name: o.name, Summary: o.summary, Traits: ir.Pure,
			Verify: opkit.Seq(opkit.Shape(opkit.Any, 1, 0), verifyIndexMap, func(op *ir.Operation, errs *diag.List) {
				if len(mapOf(op, "map").Results) == 0 {
					opkit.Errorf(op, errs, "the map has no result to choose from")
				}
			}),
		}, mlir.Asm{Parse: parseIndexMap, Print: printIndexMap})
	}
	opkit.Define(&ir.OpDef{
		Name: opname.AffineDelinearizeIndex, Summary: "Splits a position in row-major order into one index per dimension.", Traits: ir.Pure,
		Verify: opkit.Seq(opkit.Shape(opkit.Any, opkit.Any, 0), verifyDelinearize),
	}, mlir.Asm{Parse: parseDelinearize, Print: printDelinearize})
}

// mapOf returns a map attribute, nil where it is none.
func mapOf(op *ir.Operation, name string) *ir.AffineMap {
	if a, ok := op.Attr(name).(*ir.AffineMapAttr); ok {
		return a.Map
	}
	return nil
}

// verifyMap checks that an attribute is a map for the operands and returns it,
// nil if not.
func verifyMap(op *ir.Operation, errs *diag.List, name string, operands []*ir.Value) *ir.AffineMap {
	a, ok := opkit.Attr[*ir.AffineMapAttr](op, errs, name, "an affine map")
	if !ok || !verifyInputs(op, errs, "attribute '"+name+"'", a.Map.Dims, a.Map.Symbols, operands) {
		return nil
	}
	for _, e := range a.Map.Results {
		if !verifyExpr(op, errs, e) {
			return nil
		}
	}
	return a.Map
}

// verifyInputs checks the operands of a map or set.
func verifyInputs(op *ir.Operation, errs *diag.List, what string, dims, symbols int, operands []*ir.Value) bool {
	if len(operands) != dims+symbols {
		opkit.Errorf(op, errs, "has %s for %s with %s and %s", opkit.Plural(len(operands), "operand"), what,
			opkit.Plural(dims, "dimension"), opkit.Plural(symbols, "symbol"))
		return false
	}
	return opkit.IndexAll(op, errs, "operand", operands)
}

// verifyExpr refuses divisions by constants for which floordiv, ceildiv and mod
// have no meaning.
func verifyExpr(op *ir.Operation, errs *diag.List, e *ir.AffineExpr) bool {
	ok := true
	e.Walk(func(e *ir.AffineExpr) {
		if e.Kind >= ir.AffineMod && e.RHS.Kind == ir.AffineConstant && e.RHS.Value <= 0 && ok {
			ok = false
			opkit.Errorf(op, errs, "divides by %d in %s", e.RHS.Value, e).
				WithHelp("the right side of mod, floordiv and ceildiv must be positive")
		}
	})
	return ok
}

func verifyIndexMap(op *ir.Operation, errs *diag.List) {
	opkit.Exactly(op, errs, "the result", op.Result(0).Type, ir.Index)
	verifyMap(op, errs, "map", op.Operands())
}

// parseInputs reads "(%dims)[%symbols]" and appends the operands; their numbers
// must be those of the map or set.
func parseInputs(p *mlir.OpParser, st *mlir.OpState, dims, symbols int) {
	pos := p.Pos()
	d := p.ParseOperandsIn("(", ")")
	var s []mlir.UnresolvedOperand
	if p.PeekPunct("[") {
		s = p.ParseOperandsIn("[", "]")
	}
	if len(d) != dims || len(s) != symbols {
		p.Fail(pos, "%s and %s for %s and %s", opkit.Plural(len(d), "dimension operand"), opkit.Plural(len(s), "symbol operand"),
			opkit.Plural(dims, "dimension"), opkit.Plural(symbols, "symbol"))
	}
	p.ResolveAll(st, ir.Index, d...)
	p.ResolveAll(st, ir.Index, s...)
}

// printInputs writes what parseInputs reads.
func printInputs(p *mlir.OpPrinter, dims int, operands []*ir.Value) {
	p.Text("(")
	p.Operands(operands[:dims])
	p.Text(")")
	if len(operands) > dims {
		p.Text("[")
		p.Operands(operands[dims:])
		p.Text("]")
	}
}

// parseIndexMap reads "affine_map<…>(%i)[%n]".
func parseIndexMap(p *mlir.OpParser, st *mlir.OpState) {
	m := p.ParseAffineMap()
	st.Set("map", &ir.AffineMapAttr{Map: m})
	parseInputs(p, st, m.Dims, m.Symbols)
	p.ParseOptionalAttrDict(st)
	st.Types = append(st.Types, ir.Index)
}

func printIndexMap(p *mlir.OpPrinter, op *ir.Operation) {
	p.Text(" ")
	p.Attr(op.Attr("map"))
	printInputs(p, mapOf(op, "map").Dims, op.Operands())
	p.AttrDict(op.Attrs, "map")
}

func verifyDelinearize(op *ir.Operation, errs *diag.List) {
	if op.NumOperands() < 2 || op.NumResults() != op.NumOperands()-1 {
		opkit.Errorf(op, errs, "has %s and %s, expected the position, the extents and as many results", opkit.Plural(op.NumOperands(), "operand"), opkit.Plural(op.NumResults(), "result"))
		return
	}
	opkit.IndexAll(op, errs, "operand", op.Operands())
	opkit.IndexAll(op, errs, "result", op.Results())
}

// parseDelinearize reads "%x into (%a, %b) : index, index".
func parseDelinearize(p *mlir.OpParser, st *mlir.OpState) {
	x := p.ParseOperand()
	p.ParseKeyword("into")
	basis := p.ParseOperandsIn("(", ")")
	p.ParseOptionalAttrDict(st)
	p.ParsePunct(":")
	st.Types = p.ParseTypeList()
	p.ResolveAll(st, ir.Index, x)
	p.ResolveAll(st, ir.Index, basis...)
}

func printDelinearize(p *mlir.OpPrinter, op *ir.Operation) {
	p.Text(" ")
	p.Operand(op.Operand(0))
	p.Text(" into (")
	p.Operands(op.Operands()[1:])
	p.Text(")")
	p.AttrDict(op.Attrs)
	p.Text(" : ")
	p.ValueTypes(op.Results())
}
