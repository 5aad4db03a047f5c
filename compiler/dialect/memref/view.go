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
		{opname.MemRefCast, "The same buffer with another static knowledge of shape and layout."},
		{opname.MemRefMemorySpaceCast, "The same buffer in another memory space."},
	} {
		opkit.Define(&ir.OpDef{
			Name: o.name, Summary: o.summary, Traits: ir.Pure,
			Verify: opkit.Seq(opkit.Shape(1, 1, 0), verifyCast),
		}, opkit.CastAsm(nil))
	}
	opkit.Define(&ir.OpDef{
		Name: opname.MemRefSubview, Summary: "A part of a buffer by offsets, sizes and strides.", Traits: ir.Pure,
		Verify: opkit.Seq(opkit.Shape(opkit.Any, 1, 0), opkit.VerifySegments(4), verifySubview),
	}, mlir.Asm{Parse: parseSubview, Print: printSubview})
	opkit.Define(&ir.OpDef{
		Name: opname.MemRefReinterpretCast, Summary: "The same buffer with offset, sizes and strides of its own.", Traits: ir.Pure,
		Verify: opkit.Seq(opkit.Shape(opkit.Any, 1, 0), opkit.VerifySegments(4), verifyReinterpret),
	}, mlir.Asm{Parse: parseReinterpret, Print: printReinterpret})
	opkit.Define(&ir.OpDef{
		Name: opname.MemRefCollapseShape, Summary: "Adjacent dimensions merged into one.", Traits: ir.Pure,
		Verify: opkit.Seq(opkit.Shape(1, 1, 0), verifyCollapse),
	}, mlir.Asm{Parse: parseCollapse, Print: printCollapse})
	opkit.Define(&ir.OpDef{
		Name: opname.MemRefExpandShape, Summary: "Dimensions split into several.", Traits: ir.Pure,
		Verify: opkit.Seq(opkit.Shape(opkit.Any, 1, 0), verifyExpand),
	}, mlir.Asm{Parse: parseExpand, Print: printExpand})
	opkit.Define(&ir.OpDef{
		Name: opname.MemRefTranspose, Summary: "The dimensions in another order.", Traits: ir.Pure,
		Verify: opkit.Seq(opkit.Shape(1, 1, 0), verifyTranspose),
	}, mlir.Asm{Parse: parseTranspose, Print: printTranspose})
	opkit.Define(&ir.OpDef{
		Name: opname.MemRefView, Summary: "A buffer of bytes seen as another type.", Traits: ir.Pure,
		Verify: opkit.Seq(opkit.Shape(opkit.Any, 1, 0), verifyView),
	}, mlir.Asm{Parse: parseView, Print: printView})
	opkit.Define(&ir.OpDef{
		Name: opname.MemRefExtractStridedMetadata, Summary: "Base buffer, offset, sizes and strides of a memref.", Traits: ir.Pure,
		Verify: opkit.Seq(opkit.Shape(1, opkit.Any, 0), verifyMetadata),
	}, mlir.Asm{
		Parse: func(p *mlir.OpParser, st *mlir.OpState) {
			u := p.ParseOperand()
			p.ParseOptionalAttrDict(st)
			p.ResolveAll(st, p.ParseColonType(), u)
			p.ParsePunct("->")
			st.Types = p.ParseTypeList()
		},
		Print: func(p *mlir.OpPrinter, op *ir.Operation) {
			p.Text(" ")
			p.Operand(op.Operand(0))
			p.AttrDict(op.Attrs)
			p.Text(" : ")
			p.Type(op.Operand(0).Type)
			p.Text(" -> ")
			p.ValueTypes(op.Results())
		},
	})
}

func verifyCast(op *ir.Operation, errs *diag.List) {
	a, okA := op.Operand(0).Type.(*ir.MemRefType)
	b, okB := op.Result(0).Type.(*ir.MemRefType)
	for _, t := range []ir.Type{op.Operand(0).Type, op.Result(0).Type} {
		switch t.(type) {
		case *ir.MemRefType, *ir.OpaqueType:
		default:
			opkit.Errorf(op, errs, "converts between memrefs, not %s", t)
			return
		}
	}
	if okA && okB && (a.Elem != b.Elem || !compatible(a.Shape, b.Shape)) {
		opkit.Errorf(op, errs, "%s and %s cannot be the same buffer", a, b)
	}
}

// lists of subview and reinterpret_cast, in the order of the operand groups.
var viewLists = []string{"static_offsets", "static_sizes", "static_strides"}

// verifyLists checks the three lists against the operand groups behind the
// source and returns them.
func verifyLists(op *ir.Operation, errs *diag.List) (lists [3][]int64, ok bool) {
	g := opkit.Segments(op, 4)
	if len(g[0]) != 1 {
		opkit.Errorf(op, errs, "has %s, expected 1", opkit.Plural(len(g[0]), "source"))
		return lists, false
	}
	for i, name := range viewLists {
		if lists[i], ok = opkit.StaticList(op, errs, name, g[i+1]); !ok {
			return lists, false
		}
	}
	return lists, true
}

func verifySubview(op *ir.Operation, errs *diag.List) {
	l, ok := verifyLists(op, errs)
	if !ok {
		return
	}
	from, to := ranked(op, errs, "the source", op.Operand(0)), ranked(op, errs, "the result", op.Result(0))
	if from == nil || to == nil {
		return
	}
	rank := len(from.Shape)
	for i, name := range viewLists {
		if len(l[i]) != rank {
			opkit.Errorf(op, errs, "attribute '%s' has %s for %s", name, opkit.Plural(len(l[i]), "element"), from)
			return
		}
	}
	if from.Elem != to.Elem {
		opkit.Errorf(op, errs, "changes the element type from %s to %s", from.Elem, to.Elem)
	}
	if !reduces(l[1], to.Shape) {
		opkit.Errorf(op, errs, "the result type %s does not have the sizes of the view", to)
	}
}

// reduces reports whether shape is sizes without some of its ones.
func reduces(sizes, shape []int64) bool {
	k := 0
	for _, s := range sizes {
		if k < len(shape) && shape[k] == s {
			k++
		} else if s != 1 {
			return false
		}
	}
	return k == len(shape)
}

// parseSubview reads "%m[offsets] [sizes] [strides] {attrs} : T to U".
func parseSubview(p *mlir.OpParser, st *mlir.OpState) {
	u := p.ParseOperand()
	var dynamic [3][]mlir.UnresolvedOperand
	for i, name := range viewLists {
		var static []int64
		dynamic[i], static = opkit.ParseIndexList(p, "[", "]")
		st.Set(name, opkit.I64s(static))
	}
	p.ParseOptionalAttrDict(st)
	opkit.SetSegments(st, 1, len(dynamic[0]), len(dynamic[1]), len(dynamic[2]))
	opkit.ParseCastTypes(p, st, u)
	for _, d := range dynamic {
		p.ResolveAll(st, ir.Index, d...)
	}
}

func staticList(op *ir.Operation, name string) []int64 {
	return op.Attr(name).(*ir.DenseArrayAttr).Values
}

func printSubview(p *mlir.OpPrinter, op *ir.Operation) {
	g := opkit.Segments(op, 4)
	p.Text(" ")
	p.Operand(op.Operand(0))
	for i, name := range viewLists {
		if i > 0 {
			p.Text(" ")
		}
		opkit.PrintIndexList(p, "[", "]", g[i+1], staticList(op, name))
	}
	p.AttrDict(op.Attrs, append([]string{opkit.SegmentsAttr}, viewLists...)...)
	opkit.PrintCastTypes(p, op)
}

func verifyReinterpret(op *ir.Operation, errs *diag.List) {
	l, ok := verifyLists(op, errs)
	if !ok {
		return
	}
	to := ranked(op, errs, "the result", op.Result(0))
	if to == nil {
		return
	}
	if len(l[0]) != 1 || len(l[1]) != len(to.Shape) || len(l[2]) != len(to.Shape) {
		opkit.Errorf(op, errs, "has %d offsets, %d sizes and %d strides for %s", len(l[0]), len(l[1]), len(l[2]), to)
		return
	}
	for i, s := range l[1] {
		if s != to.Shape[i] {
			opkit.Errorf(op, errs, "size #%d does not agree with %s", i, to)
		}
	}
	if from, ok := op.Operand(0).Type.(*ir.MemRefType); ok && from.Elem != to.Elem {
		opkit.Errorf(op, errs, "changes the element type from %s to %s", from.Elem, to.Elem)
	}
}

var reinterpretWords = []string{"offset", "sizes", "strides"}

// parseReinterpret reads "%m to offset: [0], sizes: [4], strides: [1] : T to U".
func parseReinterpret(p *mlir.OpParser, st *mlir.OpState) {
	u := p.ParseOperand()
	p.ParseKeyword("to")
	var dynamic [3][]mlir.UnresolvedOperand
	for i, word := range reinterpretWords {
		if i > 0 {
			p.ParseComma()
		}
		p.ParseKeyword(word)
		p.ParsePunct(":")
		var static []int64
		dynamic[i], static = opkit.ParseIndexList(p, "[", "]")
		st.Set(viewLists[i], opkit.I64s(static))
	}
	p.ParseOptionalAttrDict(st)
	opkit.SetSegments(st, 1, len(dynamic[0]), len(dynamic[1]), len(dynamic[2]))
	opkit.ParseCastTypes(p, st, u)
	for _, d := range dynamic {
		p.ResolveAll(st, ir.Index, d...)
	}
}

func printReinterpret(p *mlir.OpPrinter, op *ir.Operation) {
	g := opkit.Segments(op, 4)
	p.Text(" ")
	p.Operand(op.Operand(0))
	for i, word := range reinterpretWords {
		p.Text([]string{" to ", ", ", ", "}[i] + word + ": ")
		opkit.PrintIndexList(p, "[", "]", g[i+1], staticList(op, viewLists[i]))
	}
	p.AttrDict(op.Attrs, append([]string{opkit.SegmentsAttr}, viewLists...)...)
	opkit.PrintCastTypes(p, op)
}

// groups reads the reassociation attribute: for each dimension of the
// collapsed side those of the expanded side, which must be 0, 1, 2, … in order.
func groups(op *ir.Operation, errs *diag.List, expanded, collapsed int) [][]int {
	a, ok := opkit.Attr[*ir.ArrayAttr](op, errs, "reassociation", "an array of arrays")
	if !ok {
		return nil
	}
	var out [][]int
	next := 0
	for _, e := range a.Elems {
		g, ok := e.(*ir.ArrayAttr)
		if !ok {
			opkit.Errorf(op, errs, "attribute 'reassociation' holds %s, expected an array", e)
			return nil
		}
		var dims []int
		for _, d := range g.Elems {
			i, ok := d.(*ir.IntegerAttr)
			if !ok || i.Value != int64(next) {
				opkit.Errorf(op, errs, "attribute 'reassociation' has %s where dimension %d is due", d, next)
				return nil
			}
			dims = append(dims, next)
			next++
		}
		out = append(out, dims)
	}
	if next != expanded || len(out) != collapsed {
		opkit.Errorf(op, errs, "attribute 'reassociation' groups %d into %d dimensions, expected %d into %d", next, len(out), expanded, collapsed)
		return nil
	}
	return out
}

// verifyReshape checks that each group of dimensions has the product of the
// dimension it becomes. Both sides of rank 0 have no groups.
func verifyReshape(op *ir.Operation, errs *diag.List, expanded, collapsed *ir.MemRefType) {
	if expanded.Elem != collapsed.Elem {
		opkit.Errorf(op, errs, "changes the element type")
	}
	if len(collapsed.Shape) == 0 {
		for _, d := range expanded.Shape {
			if d != 1 {
				opkit.Errorf(op, errs, "only ones collapse into rank 0, not %s", expanded)
				return
			}
		}
		return
	}
	for i, g := range groups(op, errs, len(expanded.Shape), len(collapsed.Shape)) {
		product := int64(1)
		for _, d := range g {
			if expanded.Shape[d] == ir.Dynamic || product == ir.Dynamic {
				product = ir.Dynamic
				continue
			}
			product *= expanded.Shape[d]
		}
		if product != collapsed.Shape[i] {
			opkit.Errorf(op, errs, "dimension %d of %s does not have the elements of its group in %s", i, collapsed, expanded)
		}
	}
}

func verifyCollapse(op *ir.Operation, errs *diag.List) {
	from, to := ranked(op, errs, "the source", op.Operand(0)), ranked(op, errs, "the result", op.Result(0))
	if from != nil && to != nil {
		verifyReshape(op, errs, from, to)
	}
}

// parseInto reads ": T into U".
func parseInto(p *mlir.OpParser, st *mlir.OpState, u mlir.UnresolvedOperand) {
	p.ResolveAll(st, p.ParseColonType(), u)
	p.ParseKeyword("into")
	st.Types = append(st.Types, p.ParseType())
}

func printInto(p *mlir.OpPrinter, op *ir.Operation) {
	p.Text(" : ")
	p.Type(op.Operand(0).Type)
	p.Text(" into ")
	p.Type(op.Result(0).Type)
}

// printGroups writes [[0, 1], [2]] without the types of the numbers.
func printGroups(p *mlir.OpPrinter, op *ir.Operation) {
	p.Text(" [")
	for i, g := range op.Attr("reassociation").(*ir.ArrayAttr).Elems {
		if i > 0 {
			p.Text(", ")
		}
		p.Text("[")
		for k, d := range g.(*ir.ArrayAttr).Elems {
			if k > 0 {
				p.Text(", ")
			}
			p.AttrWithoutType(d)
		}
		p.Text("]")
	}
	p.Text("]")
}

// parseCollapse reads "%m [[0, 1], [2]] : T into U".
func parseCollapse(p *mlir.OpParser, st *mlir.OpState) {
	u := p.ParseOperand()
	st.Set("reassociation", p.ParseAttribute(nil))
	p.ParseOptionalAttrDict(st)
	parseInto(p, st, u)
}

func printCollapse(p *mlir.OpPrinter, op *ir.Operation) {
	p.Text(" ")
	p.Operand(op.Operand(0))
	printGroups(p, op)
	p.AttrDict(op.Attrs, "reassociation")
	printInto(p, op)
}

func verifyExpand(op *ir.Operation, errs *diag.List) {
	if op.NumOperands() == 0 {
		opkit.Errorf(op, errs, "needs a source")
		return
	}
	from, to := ranked(op, errs, "the source", op.Operand(0)), ranked(op, errs, "the result", op.Result(0))
	if from == nil || to == nil {
		return
	}
	shape, ok := opkit.StaticList(op, errs, "static_output_shape", op.Operands()[1:])
	if !ok {
		return
	}
	if len(shape) != len(to.Shape) {
		opkit.Errorf(op, errs, "attribute 'static_output_shape' has %s for %s", opkit.Plural(len(shape), "element"), to)
		return
	}
	for i, s := range shape {
		if s != to.Shape[i] {
			opkit.Errorf(op, errs, "output size #%d does not agree with %s", i, to)
		}
	}
	verifyReshape(op, errs, to, from)
}

// parseExpand reads "%m [[0, 1]] output_shape [2, %n] : T into U".
func parseExpand(p *mlir.OpParser, st *mlir.OpState) {
	u := p.ParseOperand()
	st.Set("reassociation", p.ParseAttribute(nil))
	p.ParseKeyword("output_shape")
	dynamic, static := opkit.ParseIndexList(p, "[", "]")
	st.Set("static_output_shape", opkit.I64s(static))
	p.ParseOptionalAttrDict(st)
	parseInto(p, st, u)
	p.ResolveAll(st, ir.Index, dynamic...)
}

func printExpand(p *mlir.OpPrinter, op *ir.Operation) {
	p.Text(" ")
	p.Operand(op.Operand(0))
	printGroups(p, op)
	p.Text(" output_shape ")
	opkit.PrintIndexList(p, "[", "]", op.Operands()[1:], staticList(op, "static_output_shape"))
	p.AttrDict(op.Attrs, "reassociation", "static_output_shape")
	printInto(p, op)
}

func verifyTranspose(op *ir.Operation, errs *diag.List) {
	from, to := ranked(op, errs, "the source", op.Operand(0)), ranked(op, errs, "the result", op.Result(0))
	a, ok := opkit.Attr[*ir.AffineMapAttr](op, errs, "permutation", "an affine map")
	if ok && from != nil {
		if order, ok := a.Map.Permutation(); !ok || len(order) != len(from.Shape) {
			opkit.Errorf(op, errs, "attribute 'permutation' is %s, expected a permutation of %s", a, opkit.Plural(len(from.Shape), "dimension"))
		}
	}
	if from != nil && to != nil && (from.Elem != to.Elem || len(from.Shape) != len(to.Shape)) {
		opkit.Errorf(op, errs, "%s is no permutation of %s", to, from)
	}
}

// parseTranspose reads "%m (i, j) -> (j, i) : T to U".
func parseTranspose(p *mlir.OpParser, st *mlir.OpState) {
	u := p.ParseOperand()
	st.Set("permutation", &ir.AffineMapAttr{Map: p.ParseBareAffineMap()})
	p.ParseOptionalAttrDict(st)
	opkit.ParseCastTypes(p, st, u)
}

func printTranspose(p *mlir.OpPrinter, op *ir.Operation) {
	p.Text(" ")
	p.Operand(op.Operand(0))
	p.Text(" " + op.Attr("permutation").(*ir.AffineMapAttr).Map.String())
	p.AttrDict(op.Attrs, "permutation")
	opkit.PrintCastTypes(p, op)
}

func verifyView(op *ir.Operation, errs *diag.List) {
	if op.NumOperands() < 2 {
		opkit.Errorf(op, errs, "needs a source and a byte offset")
		return
	}
	from, to := ranked(op, errs, "the source", op.Operand(0)), ranked(op, errs, "the result", op.Result(0))
	opkit.IndexAll(op, errs, "operand", op.Operands()[1:])
	if from == nil || to == nil {
		return
	}
	if from.Elem != ir.Type(ir.I8) || len(from.Shape) != 1 {
		opkit.Errorf(op, errs, "the source has type %s, expected bytes in one dimension", from)
	}
	n := 0
	for _, d := range to.Shape {
		if d == ir.Dynamic {
			n++
		}
	}
	opkit.Count(op, errs, "size", op.NumOperands()-2, n)
}

// parseView reads "%m[%offset][%sizes] : T to U".
func parseView(p *mlir.OpParser, st *mlir.OpState) {
	u := p.ParseOperand()
	p.ParsePunct("[")
	offset := p.ParseOperand()
	p.ParsePunct("]")
	sizes := p.ParseOperandsIn("[", "]")
	p.ParseOptionalAttrDict(st)
	opkit.ParseCastTypes(p, st, u)
	p.ResolveAll(st, ir.Index, offset)
	p.ResolveAll(st, ir.Index, sizes...)
}

func printView(p *mlir.OpPrinter, op *ir.Operation) {
	p.Text(" ")
	p.Operand(op.Operand(0))
	p.Text("[")
	p.Operand(op.Operand(1))
	p.Text("][")
	p.Operands(op.Operands()[2:])
	p.Text("]")
	p.AttrDict(op.Attrs)
	opkit.PrintCastTypes(p, op)
}

func verifyMetadata(op *ir.Operation, errs *diag.List) {
	m := ranked(op, errs, "the operand", op.Operand(0))
	if m == nil || !opkit.Count(op, errs, "result", op.NumResults(), 2+2*len(m.Shape)) {
		return
	}
	ranked(op, errs, "the base", op.Result(0))
	opkit.IndexAll(op, errs, "result", op.Results()[1:])
}
