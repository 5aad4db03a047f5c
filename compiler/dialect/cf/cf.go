// Package cf registers MLIR's cf dialect: branches between blocks.
package cf

import (
	"loom/compiler/diag"
	"loom/compiler/dialect/internal/opkit"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
)

func init() {
	opkit.Define(&ir.OpDef{
		Name: opname.CFBr, Summary: "Branches to a block.", Traits: ir.Terminator,
		Verify: verifyBranch(0, 1),
	}, mlir.Asm{
		Parse: func(p *mlir.OpParser, st *mlir.OpState) {
			p.ParseSuccessor(st)
			p.ParseOptionalAttrDict(st)
		},
		Print: func(p *mlir.OpPrinter, op *ir.Operation) {
			p.Text(" ")
			p.Successor(op, 0)
			p.AttrDict(op.Attrs)
		},
		Normalize: func(op *ir.Operation) {
			if len(op.Succs) == 1 {
				op.Succs[0].First, op.Succs[0].Count = 0, op.NumOperands()
			}
		},
	})
	opkit.Define(&ir.OpDef{
		Name: opname.CFCondBr, Summary: "Branches to one of two blocks by a condition.", Traits: ir.Terminator,
		Verify: opkit.Seq(verifyBranch(1, 2), verifyCondition),
	}, mlir.Asm{Parse: parseCondBr, Print: printCondBr, Normalize: normalizeCondBr})
	opkit.Define(&ir.OpDef{
		Name: opname.CFSwitch, Summary: "Branches to the block of a matching case.", Traits: ir.Terminator,
		Verify: opkit.Seq(verifyBranch(1, opkit.Any), verifySwitch),
	}, mlir.Asm{Parse: parseSwitch, Print: printSwitch, Normalize: normalizeSwitch})
	opkit.Define(&ir.OpDef{
		Name: opname.CFAssert, Summary: "Stops with a message where the condition is false.",
		Verify: opkit.Seq(opkit.Shape(1, 0, 0), verifyAssert),
	}, mlir.Asm{
		Parse: func(p *mlir.OpParser, st *mlir.OpState) {
			u := p.ParseOperand()
			p.ParseComma()
			st.Set("msg", ir.StrAttr(p.ParseString()))
			p.ParseOptionalAttrDict(st)
			p.ResolveAll(st, ir.I1, u)
		},
		Print: func(p *mlir.OpPrinter, op *ir.Operation) {
			p.Text(" ")
			p.Operand(op.Operand(0))
			p.Text(", ")
			p.Attr(op.Attr("msg"))
			p.AttrDict(op.Attrs, "msg")
		},
	})
}

// verifyBranch checks counts and that each successor's operands have the types
// of its block's arguments. own is the number of operands that go nowhere.
func verifyBranch(own, succs int) opkit.Verifier {
	return func(op *ir.Operation, errs *diag.List) {
		ok := opkit.Count(op, errs, "result", op.NumResults(), 0) &&
			opkit.Count(op, errs, "region", len(op.Regions), 0) &&
			opkit.Count(op, errs, "successor", len(op.Succs), succs)
		if !ok {
			return
		}
		total := own
		for _, s := range op.Succs {
			total += s.Count
		}
		if total != op.NumOperands() {
			opkit.Errorf(op, errs, "has %s but passes on %d", opkit.Plural(op.NumOperands(), "operand"), total-own)
			return
		}
		for i, s := range op.Succs {
			if s.First < own || s.First+s.Count > op.NumOperands() {
				opkit.Errorf(op, errs, "passes on operands it does not have")
				return
			}
			if op.Block() != nil && s.Block.Parent != op.Block().Parent {
				opkit.Errorf(op, errs, "branches out of its region")
				continue
			}
			forwarded := op.Operands()[s.First : s.First+s.Count]
			if len(forwarded) != len(s.Block.Args) {
				opkit.Errorf(op, errs, "passes %s to successor #%d, its block takes %d", opkit.Plural(len(forwarded), "operand"), i, len(s.Block.Args))
				continue
			}
			for k, v := range forwarded {
				if v.Type != s.Block.Args[k].Type {
					opkit.Errorf(op, errs, "passes %s as argument #%d of successor #%d, expected %s", v.Type, k, i, s.Block.Args[k].Type)
				}
			}
		}
	}
}

func verifyCondition(op *ir.Operation, errs *diag.List) {
	opkit.Exactly(op, errs, "the condition", op.Operand(0).Type, ir.I1)
}

func verifyAssert(op *ir.Operation, errs *diag.List) {
	verifyCondition(op, errs)
	opkit.Attr[*ir.StringAttr](op, errs, "msg", "a string")
}

// segments reads an attribute of operand counts.
func segments(op *ir.Operation, name string) []int64 {
	a, ok := op.Attr(name).(*ir.DenseArrayAttr)
	if !ok {
		return nil
	}
	for _, n := range a.Values {
		if n < 0 || n > int64(op.NumOperands()) {
			return nil
		}
	}
	return a.Values
}

// parseCondBr reads "%c, ^a(%x : T), ^b".
func parseCondBr(p *mlir.OpParser, st *mlir.OpState) {
	p.ResolveAll(st, ir.I1, p.ParseOperand())
	p.ParseComma()
	p.ParseSuccessor(st)
	p.ParseComma()
	p.ParseSuccessor(st)
	p.ParseOptionalAttrDict(st)
	st.Set("operandSegmentSizes", &ir.DenseArrayAttr{Elem: ir.I32,
		Values: []int64{1, int64(st.Succs[0].Count), int64(st.Succs[1].Count)}})
}

func printCondBr(p *mlir.OpPrinter, op *ir.Operation) {
	p.Text(" ")
	p.Operand(op.Operand(0))
	for i := range op.Succs {
		p.Text(", ")
		p.Successor(op, i)
	}
	p.AttrDict(op.Attrs, "operandSegmentSizes")
}

func normalizeCondBr(op *ir.Operation) {
	s := segments(op, "operandSegmentSizes")
	if len(s) == 3 && len(op.Succs) == 2 {
		op.Succs[0].First, op.Succs[0].Count = 1, int(s[1])
		op.Succs[1].First, op.Succs[1].Count = 1+int(s[1]), int(s[2])
	}
}

// parseSwitch reads "%x : i32, [default: ^a, 1: ^b(%y : T)]".
func parseSwitch(p *mlir.OpParser, st *mlir.OpState) {
	u := p.ParseOperand()
	pos := p.Pos()
	t := p.ParseColonType()
	if !opkit.IsSignless(t) {
		p.Fail(pos, "the value of a switch is a signless integer, not %s", t)
	}
	p.ResolveAll(st, t, u)
	p.ParseComma()
	p.ParsePunct("[")
	p.ParseKeyword("default")
	p.ParsePunct(":")
	p.ParseSuccessor(st)
	cases := &ir.DenseElementsAttr{}
	var counts []int64
	for p.ParseOptionalComma() {
		v := p.ParseAttribute(t)
		cases.Values = append(cases.Values, v)
		p.ParsePunct(":")
		p.ParseSuccessor(st)
		counts = append(counts, int64(st.Succs[len(st.Succs)-1].Count))
	}
	p.ParsePunct("]")
	p.ParseOptionalAttrDict(st)
	if len(cases.Values) > 0 {
		cases.Type = ir.Shaped("vector", []int64{int64(len(cases.Values))}, t)
		foldSplat(cases)
		st.Set("case_values", cases)
	}
	total := int64(0)
	for _, n := range counts {
		total += n
	}
	st.Set("case_operand_segments", &ir.DenseArrayAttr{Elem: ir.I32, Values: counts})
	st.Set("operandSegmentSizes", &ir.DenseArrayAttr{Elem: ir.I32, Values: []int64{1, int64(st.Succs[0].Count), total}})
}

// foldSplat stores elements that are all alike as a splat, as MLIR prints them.
func foldSplat(d *ir.DenseElementsAttr) {
	for _, v := range d.Values[1:] {
		if v.String() != d.Values[0].String() {
			return
		}
	}
	d.Values, d.Splat = d.Values[:1], true
}

// caseValue returns the value of case i.
func caseValue(op *ir.Operation, i int) ir.Attr {
	d := op.Attr("case_values").(*ir.DenseElementsAttr)
	if d.Splat {
		return d.Values[0]
	}
	return d.Values[i]
}

func printSwitch(p *mlir.OpPrinter, op *ir.Operation) {
	p.Text(" ")
	p.Operand(op.Operand(0))
	p.Text(" : ")
	p.Type(op.Operand(0).Type)
	p.Text(", [")
	p.Indented(func() {
		p.Newline()
		p.Text("default: ")
		p.Successor(op, 0)
		for i := range op.Succs[1:] {
			p.Text(",")
			p.Newline()
			p.Printf("%d: ", caseValue(op, i).(*ir.IntegerAttr).Value)
			p.Successor(op, i+1)
		}
	})
	p.Newline()
	p.Text("]")
	p.AttrDict(op.Attrs, "case_values", "case_operand_segments", "operandSegmentSizes")
}

func normalizeSwitch(op *ir.Operation) {
	s, c := segments(op, "operandSegmentSizes"), segments(op, "case_operand_segments")
	if len(s) != 3 || len(op.Succs) != len(c)+1 {
		return
	}
	op.Succs[0].First, op.Succs[0].Count = 1, int(s[1])
	at := 1 + int(s[1])
	for i, n := range c {
		op.Succs[i+1].First, op.Succs[i+1].Count = at, int(n)
		at += int(n)
	}
}

func verifySwitch(op *ir.Operation, errs *diag.List) {
	t := op.Operand(0).Type
	if !opkit.IsSignless(t) {
		opkit.Errorf(op, errs, "the value has type %s, expected a signless integer", t)
		return
	}
	if len(op.Succs) == 0 {
		opkit.Errorf(op, errs, "needs a default block")
		return
	}
	if op.Attr("case_values") == nil && len(op.Succs) == 1 {
		return
	}
	d, ok := opkit.Attr[*ir.DenseElementsAttr](op, errs, "case_values", "dense integers")
	if !ok {
		return
	}
	n := int64(len(op.Succs) - 1)
	if d.Type != ir.Type(ir.Shaped("vector", []int64{n}, t)) && d.Type != ir.Type(ir.Shaped("tensor", []int64{n}, t)) {
		opkit.Errorf(op, errs, "attribute 'case_values' has type %s for %s of type %s", d.Type, opkit.Plural(int(n), "case"), t)
	}
}
