// Package memref registers MLIR's memref dialect: buffers, their views and the
// accesses to them. Accesses are in this file, allocations and globals in
// alloc.go, views in view.go.
package memref

import (
	"loom/compiler/diag"
	"loom/compiler/dialect/arith"
	"loom/compiler/dialect/internal/opkit"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
)

func init() {
	opkit.Define(&ir.OpDef{
		Name: opname.MemRefLoad, Summary: "Reads an element.",
		Verify: opkit.Seq(opkit.Shape(opkit.Any, 1, 0), verifyLoad),
	}, mlir.Asm{Parse: parseLoad, Print: printLoad, Normalize: dropFalse("nontemporal")})
	opkit.Define(&ir.OpDef{
		Name: opname.MemRefStore, Summary: "Writes an element.",
		Verify: opkit.Seq(opkit.Shape(opkit.Any, 0, 0), verifyStore),
	}, mlir.Asm{Parse: parseStore, Print: printStore, Normalize: dropFalse("nontemporal")})
	opkit.Define(&ir.OpDef{
		Name: opname.MemRefCopy, Summary: "Copies all elements of one memref to another of the same shape.",
		Verify: opkit.Seq(opkit.Shape(2, 0, 0), verifyCopy),
	}, mlir.Asm{Parse: parseCopy, Print: printCopy})
	opkit.Define(&ir.OpDef{
		Name: opname.MemRefDim, Summary: "The extent of a dimension.", Traits: ir.Pure,
		Verify: opkit.Seq(opkit.Shape(2, 1, 0), verifyDim),
	}, mlir.Asm{
		Parse: func(p *mlir.OpParser, st *mlir.OpState) {
			us := opkit.ParseFixed(p, 2)
			p.ParseOptionalAttrDict(st)
			p.ResolveAll(st, p.ParseColonType(), us[0])
			p.ResolveAll(st, ir.Index, us[1])
			st.Types = append(st.Types, ir.Index)
		},
		Print: func(p *mlir.OpPrinter, op *ir.Operation) {
			p.Text(" ")
			p.Operands(op.Operands())
			p.AttrDict(op.Attrs)
			p.Text(" : ")
			p.Type(op.Operand(0).Type)
		},
	})
	for _, o := range []struct{ name, summary string }{
		{opname.MemRefRank, "The number of dimensions."},
		{opname.MemRefExtractAlignedPointerAsIndex, "The address of the buffer as an index."},
	} {
		opkit.Define(&ir.OpDef{
			Name: o.name, Summary: o.summary, Traits: ir.Pure,
			Verify: opkit.Seq(opkit.Shape(1, 1, 0), verifyToIndex),
		}, toIndexAsm(o.name == opname.MemRefRank))
	}
	opkit.Define(&ir.OpDef{
		Name: opname.MemRefAtomicRmw, Summary: "Combines a value with an element in one step and returns the old element.",
		Verify: opkit.Seq(opkit.Shape(opkit.Any, 1, 0), verifyAtomic),
	}, mlir.Asm{Parse: parseAtomic, Print: printAtomic})
}

// dropFalse removes a boolean attribute that has its default value.
func dropFalse(name string) func(*ir.Operation) {
	return func(op *ir.Operation) {
		if v, ok := op.IntAttr(name); ok && v == 0 {
			op.SetAttr(name, nil)
		}
	}
}

// ranked returns a value's memref type or reports that it has none.
func ranked(op *ir.Operation, errs *diag.List, what string, v *ir.Value) *ir.MemRefType {
	m, ok := v.Type.(*ir.MemRefType)
	if !ok {
		opkit.Errorf(op, errs, "%s has type %s, expected a memref", what, v.Type)
		return nil
	}
	return m
}

// verifyAccess checks the memref operand, as many indices as it has dimensions
// and the element's type.
func verifyAccess(op *ir.Operation, errs *diag.List, mem int, elem ir.Type) {
	m := ranked(op, errs, "the memref operand", op.Operand(mem))
	if m == nil {
		return
	}
	indices := op.Operands()[mem+1:]
	if len(indices) != len(m.Shape) {
		opkit.Errorf(op, errs, "has %d indices for %s, which has %s", len(indices), m, opkit.Plural(len(m.Shape), "dimension"))
	}
	opkit.IndexAll(op, errs, "index", indices)
	if elem != m.Elem {
		opkit.Errorf(op, errs, "accesses an element of type %s as %s", m.Elem, elem)
	}
}

func verifyLoad(op *ir.Operation, errs *diag.List) {
	if op.NumOperands() == 0 {
		opkit.Errorf(op, errs, "needs a memref")
		return
	}
	verifyAccess(op, errs, 0, op.Result(0).Type)
}

func verifyStore(op *ir.Operation, errs *diag.List) {
	if op.NumOperands() < 2 {
		opkit.Errorf(op, errs, "needs a value and a memref")
		return
	}
	verifyAccess(op, errs, 1, op.Operand(0).Type)
}

// parseAccess reads "%m[%i, %j] {attrs} : memref type".
func parseAccess(p *mlir.OpParser, st *mlir.OpState) (m mlir.UnresolvedOperand, indices []mlir.UnresolvedOperand, t *ir.MemRefType) {
	m = p.ParseOperand()
	indices = p.ParseOperandsIn("[", "]")
	p.ParseOptionalAttrDict(st)
	p.ParsePunct(":")
	return m, indices, parseMemRef(p)
}

// parseMemRef reads a memref type.
func parseMemRef(p *mlir.OpParser) *ir.MemRefType {
	pos := p.Pos()
	t := p.ParseType()
	m, ok := t.(*ir.MemRefType)
	if !ok {
		p.Fail(pos, "expected a memref type, found %s", t)
	}
	return m
}

func parseLoad(p *mlir.OpParser, st *mlir.OpState) {
	m, indices, t := parseAccess(p, st)
	p.ResolveAll(st, t, m)
	p.ResolveAll(st, ir.Index, indices...)
	st.Types = append(st.Types, t.Elem)
}

func parseStore(p *mlir.OpParser, st *mlir.OpState) {
	v := p.ParseOperand()
	p.ParseComma()
	m, indices, t := parseAccess(p, st)
	p.ResolveAll(st, t.Elem, v)
	p.ResolveAll(st, t, m)
	p.ResolveAll(st, ir.Index, indices...)
}

// printAccess writes what parseAccess reads.
func printAccess(p *mlir.OpPrinter, op *ir.Operation, mem int, elided ...string) {
	p.Operand(op.Operand(mem))
	p.Text("[")
	p.Operands(op.Operands()[mem+1:])
	p.Text("]")
	p.AttrDict(op.Attrs, elided...)
}

func printLoad(p *mlir.OpPrinter, op *ir.Operation) {
	p.Text(" ")
	printAccess(p, op, 0)
	p.Text(" : ")
	p.Type(op.Operand(0).Type)
}

func printStore(p *mlir.OpPrinter, op *ir.Operation) {
	p.Text(" ")
	p.Operand(op.Operand(0))
	p.Text(", ")
	printAccess(p, op, 1)
	p.Text(" : ")
	p.Type(op.Operand(1).Type)
}

func verifyCopy(op *ir.Operation, errs *diag.List) {
	a, b := ranked(op, errs, "the source", op.Operand(0)), ranked(op, errs, "the target", op.Operand(1))
	if a == nil || b == nil {
		return
	}
	if a.Elem != b.Elem || !compatible(a.Shape, b.Shape) {
		opkit.Errorf(op, errs, "copies %s to %s, expected the same shape and element type", a, b)
	}
}

// compatible reports whether two shapes may be equal at run time.
func compatible(a, b []int64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] && a[i] != ir.Dynamic && b[i] != ir.Dynamic {
			return false
		}
	}
	return true
}

// parseCopy reads "%a, %b : T to U".
func parseCopy(p *mlir.OpParser, st *mlir.OpState) {
	us := opkit.ParseFixed(p, 2)
	p.ParseOptionalAttrDict(st)
	p.ResolveAll(st, p.ParseColonType(), us[0])
	p.ParseKeyword("to")
	p.ResolveAll(st, p.ParseType(), us[1])
}

func printCopy(p *mlir.OpPrinter, op *ir.Operation) {
	p.Text(" ")
	p.Operands(op.Operands())
	p.AttrDict(op.Attrs)
	p.Text(" : ")
	p.Type(op.Operand(0).Type)
	p.Text(" to ")
	p.Type(op.Operand(1).Type)
}

func verifyDim(op *ir.Operation, errs *diag.List) {
	opkit.Exactly(op, errs, "the dimension", op.Operand(1).Type, ir.Index)
	verifyToIndex(op, errs)
}

func verifyToIndex(op *ir.Operation, errs *diag.List) {
	if _, opaque := op.Operand(0).Type.(*ir.OpaqueType); !opaque { // an unranked memref is fine
		ranked(op, errs, "the operand", op.Operand(0))
	}
	opkit.Exactly(op, errs, "the result", op.Result(0).Type, ir.Index)
}

// toIndexAsm is "%m : memref type", with "-> index" behind where it is not
// short.
func toIndexAsm(short bool) mlir.Asm {
	return mlir.Asm{
		Parse: func(p *mlir.OpParser, st *mlir.OpState) {
			u := p.ParseOperand()
			p.ParseOptionalAttrDict(st)
			p.ResolveAll(st, p.ParseColonType(), u)
			if short {
				st.Types = append(st.Types, ir.Index)
			} else {
				st.Types = p.ParseArrowTypes()
			}
		},
		Print: func(p *mlir.OpPrinter, op *ir.Operation) {
			p.Text(" ")
			p.Operand(op.Operand(0))
			p.AttrDict(op.Attrs)
			p.Text(" : ")
			p.Type(op.Operand(0).Type)
			if !short {
				p.Text(" -> index")
			}
		},
	}
}

func verifyAtomic(op *ir.Operation, errs *diag.List) {
	if op.NumOperands() < 2 {
		opkit.Errorf(op, errs, "needs a value and a memref")
		return
	}
	verifyAccess(op, errs, 1, op.Operand(0).Type)
	opkit.Exactly(op, errs, "the result", op.Result(0).Type, op.Operand(0).Type)
	if a, ok := opkit.Attr[*ir.IntegerAttr](op, errs, "kind", "an i64"); ok && (a.Value < 0 || a.Value >= int64(len(arith.Combinations))) {
		opkit.Errorf(op, errs, "kind %d is out of range, expected 0 to %d", a.Value, len(arith.Combinations)-1)
	}
}

// parseAtomic reads "addi %v, %m[%i] : (T, memref type) -> T".
func parseAtomic(p *mlir.OpParser, st *mlir.OpState) {
	st.Set("kind", ir.IntAttr(int64(p.ParseOneOf("a kind", arith.CombinationWords()...)), ir.I64))
	v := p.ParseOperand()
	p.ParseComma()
	m := p.ParseOperand()
	indices := p.ParseOperandsIn("[", "]")
	p.ParseOptionalAttrDict(st)
	p.ParsePunct(":")
	pos := p.Pos()
	ft := p.ParseFunctionType()
	p.ResolveOperands(st, []mlir.UnresolvedOperand{v, m}, ft.Inputs, pos)
	p.ResolveAll(st, ir.Index, indices...)
	st.Types = ft.Results
}

func printAtomic(p *mlir.OpPrinter, op *ir.Operation) {
	kind, _ := op.IntAttr("kind")
	p.Printf(" %s ", arith.Combinations[kind].Word)
	p.Operand(op.Operand(0))
	p.Text(", ")
	printAccess(p, op, 1, "kind")
	p.Text(" : ")
	p.FunctionalType(op.Operands()[:2], op.Results())
}
