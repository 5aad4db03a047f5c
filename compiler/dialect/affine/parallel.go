package affine

import (
	"slices"

	"loom/compiler/diag"
	"loom/compiler/dialect/arith"
	"loom/compiler/dialect/internal/opkit"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
)

func init() {
	opkit.Define(&ir.OpDef{
		Name: opname.AffineParallel, Summary: "A nest of affine loops whose iterations may run in any order, with reductions.",
		Traits: ir.SingleBlock,
		Verify: opkit.Seq(opkit.Shape(opkit.Any, opkit.Any, 1), verifyParallel),
	}, mlir.Asm{Parse: parseParallel, Print: printParallel})
}

// reduces reports whether MLIR combines values of type t by a kind.
func reduces(kind string, t ir.Type) bool {
	i, isInt := t.(*ir.IntegerType)
	switch kind {
	case "assign":
		return true
	case "addf", "mulf", "maximumf", "minimumf":
		return ir.IsFloat(t)
	case "addi", "muli", "ori", "andi":
		return isInt
	case "maxs", "mins":
		return isInt && i.Sign == ir.Signed
	case "maxu", "minu":
		return isInt && i.Sign == ir.Unsigned
	}
	return false
}

// parallelParts are the attributes of affine.parallel: the bounds of all
// dimensions are results of two maps, divided by groups.
type parallelParts struct {
	maps   [2]*ir.AffineMap
	groups [2][]int
	inputs [2][]*ir.Value
	steps  []int64
	kinds  []string
}

var parallelBounds = []string{"lowerBounds", "upperBounds"}

// numbers reads an array of integers.
func numbers(op *ir.Operation, errs *diag.List, name string) ([]int64, bool) {
	a, ok := opkit.Attr[*ir.ArrayAttr](op, errs, name, "an array of i64")
	if !ok {
		return nil, false
	}
	var out []int64
	for _, e := range a.Elems {
		i, ok := e.(*ir.IntegerAttr)
		if !ok || i.Type != ir.Type(ir.I64) {
			opkit.Errorf(op, errs, "attribute '%s' holds %s, expected an i64", name, e)
			return nil, false
		}
		out = append(out, i.Value)
	}
	return out, true
}

// groupsOf reads how many results of a map belong to each dimension.
func groupsOf(op *ir.Operation, errs *diag.List, name string, results int) ([]int, bool) {
	a, ok := opkit.Attr[*ir.DenseElementsAttr](op, errs, name, "dense<…> of i32")
	if !ok {
		return nil, false
	}
	t, ok := a.Type.(*ir.ShapedType)
	if !ok || len(t.Shape) != 1 || t.Elem != ir.Type(ir.I32) || len(a.Values) != int(t.Shape[0]) && !a.Splat || t.Shape[0] > 1<<16 {
		opkit.Errorf(op, errs, "attribute '%s' is %s, expected dense<…> of i32 in one dimension", name, a)
		return nil, false
	}
	var out []int
	sum := int64(0)
	for i := range int(t.Shape[0]) {
		if a.Splat {
			i = 0
		}
		n, ok := a.Values[i].(*ir.IntegerAttr)
		if !ok || n.Value < 1 || n.Value > int64(results) {
			opkit.Errorf(op, errs, "attribute '%s' is %s, expected how many results of the map each dimension has, at least one", name, a)
			return nil, false
		}
		out = append(out, int(n.Value))
		sum += n.Value
	}
	if sum != int64(results) {
		opkit.Errorf(op, errs, "attribute '%s' divides %d bounds where the map has %s", name, sum, opkit.Plural(results, "result"))
		return nil, false
	}
	return out, true
}

// partsOf reads and checks the attributes.
func partsOf(op *ir.Operation, errs *diag.List) (parts parallelParts, ok bool) {
	at := 0
	for i, name := range parallelBounds {
		a, ok := opkit.Attr[*ir.AffineMapAttr](op, errs, name+"Map", "an affine map")
		if !ok {
			return parts, false
		}
		next := at + a.Map.Dims + a.Map.Symbols
		if i == 1 {
			next = op.NumOperands()
		}
		parts.inputs[i] = op.Operands()[at:min(next, op.NumOperands())]
		at = min(next, op.NumOperands())
		if parts.maps[i] = verifyMap(op, errs, name+"Map", parts.inputs[i]); parts.maps[i] == nil {
			return parts, false
		}
		if parts.groups[i], ok = groupsOf(op, errs, name+"Groups", len(a.Map.Results)); !ok {
			return parts, false
		}
	}
	if parts.steps, ok = numbers(op, errs, "steps"); !ok {
		return parts, false
	}
	kinds, ok := numbers(op, errs, "reductions")
	if !ok {
		return parts, false
	}
	for _, k := range kinds {
		if k < 0 || k >= int64(len(arith.Combinations)) {
			opkit.Errorf(op, errs, "%d is no kind of reduction", k)
			return parts, false
		}
		parts.kinds = append(parts.kinds, arith.Combinations[k].Word)
	}
	if n := len(parts.steps); len(parts.groups[0]) != n || len(parts.groups[1]) != n {
		opkit.Errorf(op, errs, "has %d lower bounds, %d upper bounds and %d steps, expected the same number", len(parts.groups[0]), len(parts.groups[1]), n)
		return parts, false
	}
	return parts, true
}

func verifyParallel(op *ir.Operation, errs *diag.List) {
	parts, ok := partsOf(op, errs)
	if !ok {
		return
	}
	for _, s := range parts.steps {
		verifyStep(op, errs, s)
	}
	if !opkit.Count(op, errs, "result", op.NumResults(), len(parts.kinds)) {
		return
	}
	for i, k := range parts.kinds {
		if t := op.Result(i).Type; !reduces(k, t) {
			opkit.Errorf(op, errs, "values of type %s are not reduced by %q", t, k)
		}
	}
	b := opkit.OneBlock(op, errs, 0)
	if b != nil && opkit.Count(op, errs, "body argument", len(b.Args), len(parts.steps)) {
		opkit.IndexAll(op, errs, "body argument", b.Args)
		verifyYield(op, errs, b)
	}
}

// parseParallel reads "(%i) = (max(0, %a)) to (%n) step (2) reduce ("addf") ->
// T { … }".
func parseParallel(p *mlir.OpParser, st *mlir.OpState) {
	args := p.ParseArgumentList(false, false)
	for i := range args {
		args[i].Type = ir.Index
	}
	p.ParsePunct("=")
	parseParallelBounds(p, st, 0, len(args))
	p.ParseKeyword("to")
	parseParallelBounds(p, st, 1, len(args))
	steps := slices.Repeat([]int64{1}, len(args))
	if pos := p.Pos(); p.ParseOptionalKeyword("step") {
		steps = nil
		p.ParsePunct("(")
		for !p.PeekPunct(")") {
			if steps != nil {
				p.ParseSeparator(")")
			}
			steps = append(steps, p.ParseInteger())
		}
		p.ParsePunct(")")
		if len(steps) != len(args) {
			p.Fail(pos, "'affine.parallel' has %s but %s", opkit.Plural(len(args), "induction variable"), opkit.Plural(len(steps), "step"))
		}
	}
	st.Set("steps", integers(steps))
	kinds := []int64{}
	if p.ParseOptionalKeyword("reduce") {
		p.ParsePunct("(")
		for first := true; first || p.ParseOptionalComma(); first = false {
			pos := p.Pos()
			name := p.ParseString()
			k := slices.Index(arith.CombinationWords(), name)
			if k < 0 {
				p.Fail(pos, "%q is no kind of reduction", name)
			}
			kinds = append(kinds, int64(k))
		}
		p.ParsePunct(")")
	}
	st.Set("reductions", integers(kinds))
	st.Types = p.ParseOptionalArrowTypes()
	p.ParseRegion(st, mlir.RegionOptions{Args: args, Entry: true, Terminator: opname.AffineYield})
	p.ParseOptionalAttrDict(st)
}

// integers is an array of i64.
func integers(vs []int64) *ir.ArrayAttr {
	a := &ir.ArrayAttr{}
	for _, v := range vs {
		a.Elems = append(a.Elems, ir.IntAttr(v, ir.I64))
	}
	return a
}

// parseParallelBounds reads "(max(0, %a), %b + 1)", one bound per dimension.
func parseParallelBounds(p *mlir.OpParser, st *mlir.OpState, i, dims int) {
	word := []string{"max", "min"}[i]
	pos := p.Pos()
	in := p.NewInlineMap()
	var exprs []*ir.AffineExpr
	groups := &ir.DenseElementsAttr{Type: ir.Shaped("tensor", []int64{int64(dims)}, ir.I32)}
	p.ParsePunct("(")
	for !p.PeekPunct(")") {
		if exprs != nil {
			p.ParseSeparator(")")
		}
		before := len(exprs)
		if p.ParseOptionalKeyword(word) {
			p.ParsePunct("(")
			for first := true; first || p.ParseOptionalComma(); first = false {
				exprs = append(exprs, in.ParseExpr())
			}
			p.ParsePunct(")")
		} else {
			exprs = append(exprs, in.ParseExpr())
		}
		groups.Values = append(groups.Values, ir.IntAttr(int64(len(exprs)-before), ir.I32))
	}
	p.ParsePunct(")")
	if len(groups.Values) != dims {
		p.Fail(pos, "'affine.parallel' has %s but %s", opkit.Plural(dims, "induction variable"), opkit.Plural(len(groups.Values), "bound"))
	}
	m, operands := in.Finish(exprs)
	st.Set(parallelBounds[i]+"Map", &ir.AffineMapAttr{Map: m})
	st.Set(parallelBounds[i]+"Groups", groups)
	p.ResolveAll(st, ir.Index, operands...)
}

func printParallel(p *mlir.OpPrinter, op *ir.Operation) {
	var errs diag.List
	parts, ok := partsOf(op, &errs)
	if !ok {
		panic("not verified")
	}
	p.Text(" (")
	p.Operands(op.Regions[0].Entry().Args)
	for i, word := range []string{") = (", ") to ("} {
		p.Text(word)
		at := 0
		for k, n := range parts.groups[i] {
			if k > 0 {
				p.Text(", ")
			}
			if n > 1 {
				p.Text([]string{"max(", "min("}[i])
			}
			p.InlineExprs(parts.maps[i], parts.maps[i].Results[at:at+n], parts.inputs[i])
			if n > 1 {
				p.Text(")")
			}
			at += n
		}
	}
	p.Text(")")
	if slices.ContainsFunc(parts.steps, func(s int64) bool { return s != 1 }) {
		p.Text(" step (")
		for i, s := range parts.steps {
			if i > 0 {
				p.Text(", ")
			}
			p.Printf("%d", s)
		}
		p.Text(")")
	}
	for i, k := range parts.kinds {
		if i == 0 {
			p.Text(" reduce (")
		} else {
			p.Text(", ")
		}
		p.String(k)
	}
	opt := mlir.PrintRegionOptions{Entry: true, ElideTerminator: opname.AffineYield}
	if len(parts.kinds) > 0 {
		p.Text(") -> (")
		p.ValueTypes(op.Results())
		p.Text(")")
		opt.ElideTerminator = ""
	}
	p.Text(" ")
	p.Region(op.Regions[0], opt)
	p.AttrDict(op.Attrs, "lowerBoundsMap", "lowerBoundsGroups", "upperBoundsMap", "upperBoundsGroups", "steps", "reductions")
}
