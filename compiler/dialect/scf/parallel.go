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
		Name: opname.SCFParallel, Summary: "A loop nest whose iterations may run in any order, with reductions.",
		Traits: ir.SingleBlock,
		Verify: opkit.Seq(opkit.Shape(opkit.Any, opkit.Any, 1), opkit.VerifySegments(4), verifyParallel),
	}, mlir.Asm{Parse: parseParallel, Print: printParallel})
	opkit.Define(&ir.OpDef{
		Name: opname.SCFReduce, Summary: "Ends the body of scf.parallel: how its values are combined, a region each.",
		Traits: ir.Terminator | ir.SingleBlock,
		Verify: opkit.Seq(opkit.Shape(opkit.Any, 0, opkit.Any), opkit.ParentIs(opname.SCFParallel), verifyReduce),
	}, mlir.Asm{Parse: parseReduce, Print: printReduce})
	opkit.Define(&ir.OpDef{
		Name: opname.SCFReduceReturn, Summary: "Ends a region of scf.reduce with the combined value.", Traits: ir.Terminator,
		Verify: opkit.Seq(opkit.Shape(1, 0, 0), opkit.ParentIs(opname.SCFReduce)),
	}, opkit.ReturnAsm())
	opkit.Define(&ir.OpDef{
		Name: opname.SCFForall, Summary: "A loop nest over independent iterations.",
		Traits: ir.SingleBlock,
		Verify: opkit.Seq(opkit.Shape(opkit.Any, opkit.Any, 1), opkit.VerifySegments(4), verifyForall),
	}, mlir.Asm{Parse: parseForall, Print: printForall})
	opkit.Define(&ir.OpDef{
		Name: opname.SCFForallInParallel, Summary: "Ends the body of scf.forall.",
		Traits: ir.Terminator | ir.NoTerminator | ir.SingleBlock,
		Verify: opkit.Seq(opkit.Shape(0, 0, 1), opkit.ParentIs(opname.SCFForall)),
	}, mlir.Asm{
		Parse: func(p *mlir.OpParser, st *mlir.OpState) {
			p.ParseRegion(st, mlir.RegionOptions{Entry: true})
			p.ParseOptionalAttrDict(st)
		},
		Print: func(p *mlir.OpPrinter, op *ir.Operation) {
			p.Text(" ")
			p.Region(op.Regions[0], mlir.PrintRegionOptions{Entry: true})
			p.AttrDict(op.Attrs)
		},
	})
}

func verifyParallel(op *ir.Operation, errs *diag.List) {
	g := opkit.Segments(op, 4)
	n := len(g[0])
	if n == 0 || len(g[1]) != n || len(g[2]) != n {
		opkit.Errorf(op, errs, "has %d lower bounds, %d upper bounds and %d steps, expected the same number and at least one", n, len(g[1]), len(g[2]))
		return
	}
	for i, what := range []string{"lower bound", "upper bound", "step"} {
		opkit.IndexAll(op, errs, what, g[i])
	}
	opkit.Types(op, errs, "result", op.Results(), opkit.TypesOf(g[3]), "the initial values")
	b := opkit.OneBlock(op, errs, 0)
	if b == nil {
		return
	}
	if opkit.Count(op, errs, "body argument", len(b.Args), n) {
		opkit.IndexAll(op, errs, "body argument", b.Args)
	}
	if t := opkit.Terminated(op, errs, b, opname.SCFReduce); t != nil {
		opkit.Types(t, errs, "operand", t.Operands(), opkit.TypesOf(g[3]), "the initial values of the loop")
	}
}

// parseParallel reads "(%i) = (%lb) to (%ub) step (%s) init (%x) -> T { … }".
func parseParallel(p *mlir.OpParser, st *mlir.OpState) {
	args := p.ParseArgumentList(false, false)
	groups := make([][]mlir.UnresolvedOperand, 4)
	p.ParsePunct("=")
	groups[0] = p.ParseOperandsIn("(", ")")
	p.ParseKeyword("to")
	groups[1] = p.ParseOperandsIn("(", ")")
	p.ParseKeyword("step")
	groups[2] = p.ParseOperandsIn("(", ")")
	pos := p.Pos()
	if p.ParseOptionalKeyword("init") {
		groups[3] = p.ParseOperandsIn("(", ")")
	}
	st.Types = p.ParseOptionalArrowTypes()
	for _, g := range groups[:3] {
		if len(g) != len(args) {
			p.Fail(st.Pos, "'scf.parallel' has %s but %d bounds or steps", opkit.Plural(len(args), "induction variable"), len(g))
		}
		p.ResolveAll(st, ir.Index, g...)
	}
	p.ResolveOperands(st, groups[3], st.Types, pos)
	opkit.SetSegments(st, len(groups[0]), len(groups[1]), len(groups[2]), len(groups[3]))
	for i := range args {
		args[i].Type = ir.Index
	}
	opt := mlir.RegionOptions{Args: args, Entry: true}
	if len(groups[3]) == 0 {
		opt.Terminator = opname.SCFReduce
	}
	p.ParseRegion(st, opt)
	p.ParseOptionalAttrDict(st)
}

func printParallel(p *mlir.OpPrinter, op *ir.Operation) {
	g := opkit.Segments(op, 4)
	p.Text(" (")
	p.Operands(op.Regions[0].Entry().Args)
	for i, word := range []string{") = (", ") to (", ") step ("} {
		p.Text(word)
		p.Operands(g[i])
	}
	p.Text(")")
	if len(g[3]) > 0 {
		p.Text(" init (")
		p.Operands(g[3])
		p.Text(")")
	}
	p.OptionalArrowTypes(opkit.TypesOf(op.Results()))
	p.Text(" ")
	p.Region(op.Regions[0], mlir.PrintRegionOptions{Entry: true})
	p.AttrDict(op.Attrs, opkit.SegmentsAttr)
}

func verifyReduce(op *ir.Operation, errs *diag.List) {
	if len(op.Regions) != op.NumOperands() {
		opkit.Errorf(op, errs, "has %s for %s", opkit.Plural(len(op.Regions), "region"), opkit.Plural(op.NumOperands(), "operand"))
		return
	}
	for i, v := range op.Operands() {
		b := opkit.OneBlock(op, errs, i)
		if b == nil {
			return
		}
		opkit.Types(op, errs, "argument of a region", b.Args, []ir.Type{v.Type, v.Type}, "the operand")
		if t := opkit.Terminated(op, errs, b, opname.SCFReduceReturn); t != nil {
			opkit.Types(t, errs, "operand", t.Operands(), []ir.Type{v.Type}, "the operand of the reduction")
		}
	}
}

// parseReduce reads "(%a, %b : T, U) { … }, { … }".
func parseReduce(p *mlir.OpParser, st *mlir.OpState) {
	if p.ParseOptionalPunct("(") {
		pos := p.Pos()
		us := p.ParseOperandList()
		p.ResolveOperands(st, us, p.ParseColonTypeList(), pos)
		p.ParsePunct(")")
	}
	if len(st.Operands) > 0 {
		p.ParseRegion(st, mlir.RegionOptions{})
		for p.ParseOptionalComma() {
			p.ParseRegion(st, mlir.RegionOptions{})
		}
	}
	p.ParseOptionalAttrDict(st)
}

func printReduce(p *mlir.OpPrinter, op *ir.Operation) {
	if op.NumOperands() > 0 {
		p.Text("(")
		p.Operands(op.Operands())
		p.Text(" : ")
		p.ValueTypes(op.Operands())
		p.Text(")")
	}
	for i, r := range op.Regions {
		if i > 0 {
			p.Text(",")
		}
		p.Text(" ")
		p.Region(r, mlir.PrintRegionOptions{})
	}
	p.AttrDict(op.Attrs)
}

var forallLists = []string{"staticLowerBound", "staticUpperBound", "staticStep"}

func verifyForall(op *ir.Operation, errs *diag.List) {
	g := opkit.Segments(op, 4)
	var lists [3][]int64
	for i, name := range forallLists {
		var ok bool
		if lists[i], ok = opkit.StaticList(op, errs, name, g[i]); !ok {
			return
		}
	}
	n := len(lists[0])
	if n == 0 || len(lists[1]) != n || len(lists[2]) != n {
		opkit.Errorf(op, errs, "has %d lower bounds, %d upper bounds and %d steps, expected the same number and at least one", n, len(lists[1]), len(lists[2]))
		return
	}
	opkit.Types(op, errs, "result", op.Results(), opkit.TypesOf(g[3]), "the shared outputs")
	b := opkit.OneBlock(op, errs, 0)
	if b == nil {
		return
	}
	if opkit.Count(op, errs, "body argument", len(b.Args), n+len(g[3])) {
		opkit.IndexAll(op, errs, "body argument", b.Args[:n])
		opkit.Types(op, errs, "output argument", b.Args[n:], opkit.TypesOf(g[3]), "the shared outputs")
	}
	opkit.Terminated(op, errs, b, opname.SCFForallInParallel)
}

// parseForall reads "(%i) in (%n) shared_outs(%o = %x) -> (T) { … }", or with
// "= (0) to (%n) step (2)" for other bounds.
func parseForall(p *mlir.OpParser, st *mlir.OpState) {
	args := p.ParseArgumentList(false, false)
	var dynamic [3][]mlir.UnresolvedOperand
	var static [3][]int64
	if p.ParseOptionalKeyword("in") {
		dynamic[1], static[1] = opkit.ParseIndexList(p, "(", ")")
		static[0] = make([]int64, len(static[1]))
		static[2] = make([]int64, len(static[1]))
		for i := range static[2] {
			static[2][i] = 1
		}
	} else {
		p.ParsePunct("=")
		dynamic[0], static[0] = opkit.ParseIndexList(p, "(", ")")
		p.ParseKeyword("to")
		dynamic[1], static[1] = opkit.ParseIndexList(p, "(", ")")
		p.ParseKeyword("step")
		dynamic[2], static[2] = opkit.ParseIndexList(p, "(", ")")
	}
	for i := range args {
		args[i].Type = ir.Index
	}
	for i, name := range forallLists {
		if len(static[i]) != len(args) {
			p.Fail(st.Pos, "'scf.forall' has %s but %d bounds or steps", opkit.Plural(len(args), "induction variable"), len(static[i]))
		}
		st.Set(name, opkit.I64s(static[i]))
		p.ResolveAll(st, ir.Index, dynamic[i]...)
	}
	var outs []mlir.UnresolvedOperand
	if pos := p.Pos(); p.ParseOptionalKeyword("shared_outs") {
		var shared []mlir.Argument
		shared, outs = p.ParseAssignments()
		st.Types = p.ParseArrowTypes()
		p.ResolveOperands(st, outs, st.Types, pos)
		for i := range shared {
			shared[i].Type = st.Types[i]
		}
		args = append(args, shared...)
	}
	opkit.SetSegments(st, len(dynamic[0]), len(dynamic[1]), len(dynamic[2]), len(outs))
	r := p.ParseRegion(st, mlir.RegionOptions{Args: args, Entry: true, Terminator: opname.SCFForallInParallel})
	if t := r.Blocks[0].Terminator(); t.Name == opname.SCFForallInParallel && len(t.Regions) == 0 {
		t.AddRegion().AddBlock()
	}
	p.ParseOptionalAttrDict(st)
}

func printForall(p *mlir.OpPrinter, op *ir.Operation) {
	g := opkit.Segments(op, 4)
	n := len(op.Attr("staticUpperBound").(*ir.DenseArrayAttr).Values)
	args := op.Regions[0].Entry().Args
	list := func(i int) {
		opkit.PrintIndexList(p, "(", ")", g[i], op.Attr(forallLists[i]).(*ir.DenseArrayAttr).Values)
	}
	p.Text(" (")
	p.Operands(args[:n])
	p.Text(")")
	if normalized(op) {
		p.Text(" in ")
		list(1)
	} else {
		p.Text(" = ")
		list(0)
		p.Text(" to ")
		list(1)
		p.Text(" step ")
		list(2)
	}
	if len(g[3]) > 0 {
		p.Text(" shared_outs")
		p.Assignments(args[n:], g[3])
		printResultTypes(p, op)
	}
	p.Text(" ")
	p.Region(op.Regions[0], mlir.PrintRegionOptions{Entry: true})
	p.AttrDict(op.Attrs, append(forallLists, opkit.SegmentsAttr)...)
}

// normalized reports whether all lower bounds are 0 and all steps 1.
func normalized(op *ir.Operation) bool {
	for _, v := range op.Attr(forallLists[0]).(*ir.DenseArrayAttr).Values {
		if v != 0 {
			return false
		}
	}
	for _, v := range op.Attr(forallLists[2]).(*ir.DenseArrayAttr).Values {
		if v != 1 {
			return false
		}
	}
	return true
}
