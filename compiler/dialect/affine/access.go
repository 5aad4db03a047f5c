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
		Name: opname.AffineLoad, Summary: "Reads an element; the subscripts are an affine map of the operands.",
		Verify: opkit.Seq(opkit.Shape(opkit.Any, 1, 0), func(op *ir.Operation, errs *diag.List) { verifyAccess(op, errs, 0) }),
	}, mlir.Asm{
		Parse: func(p *mlir.OpParser, st *mlir.OpState) {
			st.Types = append(st.Types, parseAccess(p, st, nil))
		},
		Print: func(p *mlir.OpPrinter, op *ir.Operation) {
			p.Text(" ")
			printAccess(p, op, 0)
		},
	})
	opkit.Define(&ir.OpDef{
		Name: opname.AffineStore, Summary: "Writes an element; the subscripts are an affine map of the operands.",
		Verify: opkit.Seq(opkit.Shape(opkit.Any, 0, 0), func(op *ir.Operation, errs *diag.List) { verifyAccess(op, errs, 1) }),
	}, mlir.Asm{
		Parse: func(p *mlir.OpParser, st *mlir.OpState) {
			v := p.ParseOperand()
			p.ParseComma()
			parseAccess(p, st, &v)
		},
		Print: func(p *mlir.OpPrinter, op *ir.Operation) {
			p.Text(" ")
			p.Operand(op.Operand(0))
			p.Text(", ")
			printAccess(p, op, 1)
		},
	})
}

// verifyAccess checks an access whose memref is operand mem: a map of the
// operands behind it with one result per dimension.
func verifyAccess(op *ir.Operation, errs *diag.List, mem int) {
	if op.NumOperands() <= mem {
		opkit.Errorf(op, errs, "needs a memref")
		return
	}
	m, ok := op.Operand(mem).Type.(*ir.MemRefType)
	if !ok {
		opkit.Errorf(op, errs, "the memref operand has type %s, expected a memref", op.Operand(mem).Type)
		return
	}
	elem := op.Operand(0).Type
	if mem == 0 {
		elem = op.Result(0).Type
	}
	if elem != m.Elem {
		opkit.Errorf(op, errs, "accesses an element of type %s as %s", m.Elem, elem)
	}
	if am := verifyMap(op, errs, "map", op.Operands()[mem+1:]); am != nil && len(am.Results) != len(m.Shape) {
		opkit.Errorf(op, errs, "has %s for %s, which has %s", opkit.Plural(len(am.Results), "subscript"), m, opkit.Plural(len(m.Shape), "dimension"))
	}
}

// parseAccess reads "%m[%i + 1, symbol(%n)] {attrs} : memref type", appends the
// operands, a stored value first, and returns the element type.
func parseAccess(p *mlir.OpParser, st *mlir.OpState, value *mlir.UnresolvedOperand) ir.Type {
	mem := p.ParseOperand()
	in := p.NewInlineMap()
	var exprs []*ir.AffineExpr
	p.ParsePunct("[")
	for !p.PeekPunct("]") {
		if exprs != nil {
			p.ParseSeparator("]")
		}
		exprs = append(exprs, in.ParseExpr())
	}
	p.ParsePunct("]")
	am, operands := in.Finish(exprs)
	st.Set("map", &ir.AffineMapAttr{Map: am})
	p.ParseOptionalAttrDict(st)
	p.ParsePunct(":")
	pos := p.Pos()
	t := p.ParseType()
	m, ok := t.(*ir.MemRefType)
	if !ok {
		p.Fail(pos, "expected a memref type, found %s", t)
	}
	if value != nil {
		p.ResolveAll(st, m.Elem, *value)
	}
	p.ResolveAll(st, m, mem)
	p.ResolveAll(st, ir.Index, operands...)
	return m.Elem
}

func printAccess(p *mlir.OpPrinter, op *ir.Operation, mem int) {
	m := mapOf(op, "map")
	p.Operand(op.Operand(mem))
	p.Text("[")
	p.InlineExprs(m, m.Results, op.Operands()[mem+1:])
	p.Text("]")
	p.AttrDict(op.Attrs, "map")
	p.Text(" : ")
	p.Type(op.Operand(mem).Type)
}
