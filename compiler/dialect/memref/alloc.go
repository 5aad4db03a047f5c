package memref

import (
	"loom/compiler/diag"
	"loom/compiler/dialect/internal/opkit"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
)

func init() {
	for _, o := range []struct{ name, summary string }{
		{opname.MemRefAlloc, "Allocates a buffer."},
		{opname.MemRefAlloca, "Allocates a buffer that lives as long as the function."},
	} {
		opkit.Define(&ir.OpDef{
			Name: o.name, Summary: o.summary,
			Verify: opkit.Seq(opkit.Shape(opkit.Any, 1, 0), opkit.VerifySegments(2), verifyAlloc),
		}, mlir.Asm{Parse: parseAlloc, Print: printAlloc})
	}
	opkit.Define(&ir.OpDef{
		Name: opname.MemRefDealloc, Summary: "Frees a buffer.",
		Verify: opkit.Seq(opkit.Shape(1, 0, 0), func(op *ir.Operation, errs *diag.List) {
			if _, opaque := op.Operand(0).Type.(*ir.OpaqueType); !opaque {
				ranked(op, errs, "the operand", op.Operand(0))
			}
		}),
	}, opkit.SameTypeAsm(1, 0, nil))
	opkit.Define(&ir.OpDef{
		Name: opname.MemRefGlobal, Summary: "A buffer with a name, perhaps constant.",
		Verify: opkit.Seq(opkit.Shape(0, 0, 0), verifyGlobal),
	}, mlir.Asm{Parse: parseGlobal, Print: printGlobal})
	opkit.Define(&ir.OpDef{
		Name: opname.MemRefGetGlobal, Summary: "A named buffer as a value.", Traits: ir.Pure,
		Verify: opkit.Seq(opkit.Shape(0, 1, 0), verifyGetGlobal),
	}, mlir.Asm{
		Parse: func(p *mlir.OpParser, st *mlir.OpState) {
			st.Set("name", p.ParseSymbolRef())
			p.ParseOptionalAttrDict(st)
			st.Types = append(st.Types, p.ParseColonType())
		},
		Print: func(p *mlir.OpPrinter, op *ir.Operation) {
			p.Text(" ")
			p.Attr(op.Attr("name"))
			p.AttrDict(op.Attrs, "name")
			p.Text(" : ")
			p.Type(op.Result(0).Type)
		},
	})
	opkit.Define(&ir.OpDef{
		Name: opname.MemRefAssumeAlignment, Summary: "States the alignment of a buffer in bytes.",
		Verify: opkit.Seq(opkit.Shape(1, 0, 0), verifyAlignment),
	}, mlir.Asm{
		Parse: func(p *mlir.OpParser, st *mlir.OpState) {
			u := p.ParseOperand()
			p.ParseComma()
			st.Set("alignment", ir.IntAttr(p.ParseInteger(), ir.I32))
			p.ParseOptionalAttrDict(st)
			p.ResolveAll(st, p.ParseColonType(), u)
		},
		Print: func(p *mlir.OpPrinter, op *ir.Operation) {
			n, _ := op.IntAttr("alignment")
			p.Text(" ")
			p.Operand(op.Operand(0))
			p.Printf(", %d", n)
			p.AttrDict(op.Attrs, "alignment")
			p.Text(" : ")
			p.Type(op.Operand(0).Type)
		},
	})
}

func verifyAlloc(op *ir.Operation, errs *diag.List) {
	m, ok := op.Result(0).Type.(*ir.MemRefType)
	if !ok {
		opkit.Errorf(op, errs, "the result has type %s, expected a memref", op.Result(0).Type)
		return
	}
	g := opkit.Segments(op, 2)
	n := 0
	for _, d := range m.Shape {
		if d == ir.Dynamic {
			n++
		}
	}
	if n != len(g[0]) {
		opkit.Errorf(op, errs, "has %s for %s, which has %s", opkit.Plural(len(g[0]), "size"), m, opkit.Plural(n, "dynamic dimension"))
	}
	opkit.IndexAll(op, errs, "size", g[0])
	opkit.IndexAll(op, errs, "symbol", g[1])
	if a, ok := opkit.OptionalAttr[*ir.IntegerAttr](op, errs, "alignment", "an i64"); ok && (a.Value < 0 || a.Value&(a.Value-1) != 0) {
		opkit.Errorf(op, errs, "alignment %d is no power of two", a.Value)
	}
}

// parseAlloc reads "(%size)[%symbol] {attrs} : memref type".
func parseAlloc(p *mlir.OpParser, st *mlir.OpState) {
	sizes := p.ParseOperandsIn("(", ")")
	var symbols []mlir.UnresolvedOperand
	if p.PeekPunct("[") {
		symbols = p.ParseOperandsIn("[", "]")
	}
	p.ParseOptionalAttrDict(st)
	opkit.SetSegments(st, len(sizes), len(symbols))
	p.ParsePunct(":")
	st.Types = append(st.Types, parseMemRef(p))
	p.ResolveAll(st, ir.Index, sizes...)
	p.ResolveAll(st, ir.Index, symbols...)
}

func printAlloc(p *mlir.OpPrinter, op *ir.Operation) {
	g := opkit.Segments(op, 2)
	p.Text("(")
	p.Operands(g[0])
	p.Text(")")
	if len(g[1]) > 0 {
		p.Text("[")
		p.Operands(g[1])
		p.Text("]")
	}
	p.AttrDict(op.Attrs, opkit.SegmentsAttr)
	p.Text(" : ")
	p.Type(op.Result(0).Type)
}

// globalType returns the memref type of a memref.global, nil where it has none.
func globalType(op *ir.Operation) *ir.MemRefType {
	a, ok := op.Attr("type").(*ir.TypeAttr)
	if !ok {
		return nil
	}
	m, _ := a.Type.(*ir.MemRefType)
	return m
}

// initialType is the type of the elements that initialise m.
func initialType(m *ir.MemRefType) ir.Type { return ir.Shaped("tensor", m.Shape, m.Elem) }

func verifyGlobal(op *ir.Operation, errs *diag.List) {
	opkit.Attr[*ir.StringAttr](op, errs, "sym_name", "a string")
	m := globalType(op)
	if m == nil {
		opkit.Errorf(op, errs, "needs the attribute 'type' (a memref type)")
		return
	}
	if _, ok := m.NumElements(); !ok {
		opkit.Errorf(op, errs, "has the dynamic type %s, expected a static shape", m)
		return
	}
	switch init := op.Attr("initial_value").(type) {
	case nil, *ir.UnitAttr, *ir.OpaqueAttr:
	case *ir.DenseElementsAttr:
		if init.Type != initialType(m) {
			opkit.Errorf(op, errs, "the initial value has type %s, expected %s", init.Type, initialType(m))
		}
	default:
		opkit.Errorf(op, errs, "the initial value is %s, expected dense elements", init)
	}
	if a := op.Attr("constant"); a != nil {
		if _, ok := a.(*ir.UnitAttr); !ok {
			opkit.Errorf(op, errs, "attribute 'constant' is %s, expected no value", a)
		}
	}
}

// parseGlobal reads `"private" constant @g : memref type = dense<…> {attrs}`.
func parseGlobal(p *mlir.OpParser, st *mlir.OpState) {
	if v, ok := p.ParseOptionalString(); ok {
		st.Set("sym_visibility", ir.StrAttr(v))
	}
	if p.ParseOptionalKeyword("constant") {
		st.Set("constant", &ir.UnitAttr{})
	}
	st.Set("sym_name", ir.StrAttr(p.ParseSymbolName()))
	p.ParsePunct(":")
	m := parseMemRef(p)
	st.Set("type", &ir.TypeAttr{Type: m})
	if p.ParseOptionalPunct("=") {
		if p.ParseOptionalKeyword("uninitialized") {
			st.Set("initial_value", &ir.UnitAttr{})
		} else {
			st.Set("initial_value", p.ParseAttribute(initialType(m)))
		}
	}
	p.ParseOptionalAttrDict(st)
}

func printGlobal(p *mlir.OpPrinter, op *ir.Operation) {
	p.Text(" ")
	if v := op.StrAttr("sym_visibility"); v != "" {
		p.String(v)
		p.Text(" ")
	}
	if op.Attr("constant") != nil {
		p.Text("constant ")
	}
	p.Symbol(op.SymName())
	p.Text(" : ")
	p.Type(globalType(op))
	switch a := op.Attr("initial_value").(type) {
	case nil:
	case *ir.UnitAttr:
		p.Text(" = uninitialized")
	case *ir.DenseElementsAttr:
		p.Text(" = ")
		p.AttrWithoutType(a)
	default:
		panic("kept as text") // printed in the generic form, with its type
	}
	p.AttrDict(op.Attrs, "sym_name", "sym_visibility", "type", "constant", "initial_value")
}

func verifyGetGlobal(op *ir.Operation, errs *diag.List) {
	ref, ok := opkit.Attr[*ir.SymbolRefAttr](op, errs, "name", "a symbol")
	if !ok || op.ParentOp() == nil {
		return
	}
	g := ir.LookupSymbol(op, ref.Root)
	if g == nil || g.Name != opname.MemRefGlobal || len(ref.Nested) > 0 {
		opkit.Errorf(op, errs, "names %s, which is no global of the module", ref)
		return
	}
	if m := globalType(g); m != nil && op.Result(0).Type != ir.Type(m) {
		opkit.Errorf(op, errs, "the result has type %s, expected %s", op.Result(0).Type, m).
			WithNote(g.Pos, "%s is defined here", ref)
	}
}

func verifyAlignment(op *ir.Operation, errs *diag.List) {
	ranked(op, errs, "the operand", op.Operand(0))
	if a, ok := opkit.Attr[*ir.IntegerAttr](op, errs, "alignment", "an i32"); ok && (a.Value <= 0 || a.Value&(a.Value-1) != 0) {
		opkit.Errorf(op, errs, "alignment %d is no power of two", a.Value)
	}
}
