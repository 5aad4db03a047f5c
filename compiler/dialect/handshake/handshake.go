// Package handshake registers CIRCT's handshake dialect with CIRCT's assembly
// (interchange.md). The function is in func.go, memory in memory.go, the units
// on single streams here.
package handshake

import (
	"loom/compiler/diag"
	"loom/compiler/dialect/internal/opkit"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
)

func init() {
	opkit.Define(&ir.OpDef{
		Name: opname.HandshakeCondBr, Summary: "Sends a token to its first result if the condition is true, else to its second.",
		Verify: opkit.Seq(opkit.Shape(2, 2, 0), verifyCondBr),
	}, mlir.Asm{Parse: parseCondBr, Print: printTyped, Normalize: normalizeControl})
	opkit.Define(&ir.OpDef{
		Name: opname.HandshakeMux, Summary: "Takes a token from the input the first operand selects: 0 is the first, false; 1 the second, true.",
		Verify: opkit.Seq(opkit.Shape(opkit.Any, 1, 0), verifyMux),
	}, mlir.Asm{Parse: parseMux, Print: printMux, Normalize: normalizeControl})
	opkit.Define(&ir.OpDef{
		Name: opname.HandshakeJoin, Summary: "Waits for one token on every operand and emits one control token.",
		Verify: opkit.Seq(opkit.Shape(opkit.Any, 1, 0), verifyJoin),
	}, mlir.Asm{Parse: parseJoin, Print: printJoin, Normalize: normalizeControl})
	opkit.Define(&ir.OpDef{
		Name: opname.HandshakeConstant, Summary: "Emits its value for each control token.", Traits: ir.ConstantLike,
		Verify: opkit.Seq(opkit.Shape(1, 1, 0), verifyConstant),
	}, mlir.Asm{
		Parse: func(p *mlir.OpParser, st *mlir.OpState) {
			u := p.ParseOperand()
			p.ParseOptionalAttrDict(st)
			p.ResolveAll(st, ir.None, u)
			st.Types = append(st.Types, p.ParseColonType())
		},
		Print: func(p *mlir.OpPrinter, op *ir.Operation) {
			p.Text(" ")
			p.Operand(op.Operand(0))
			p.AttrDict(op.Attrs)
			p.Text(" : ")
			p.Type(op.Result(0).Type)
		},
	})
	defineBasic()
}

// defineBasic registers operations LOOM reads but does not emit.
func defineBasic() {
	opkit.Define(&ir.OpDef{
		Name: opname.HandshakeBr, Summary: "Passes tokens on.", Verify: opkit.Seq(opkit.Shape(1, 1, 0), opkit.SameTypes),
	}, sized(1, 1))
	opkit.Define(&ir.OpDef{
		Name: opname.HandshakeMerge, Summary: "Passes on a token from any operand; LOOM's lowering never needs it.",
		Verify: opkit.Seq(opkit.Shape(opkit.Any, 1, 0), needOperand, opkit.SameTypes),
	}, sized(-1, 1))
	opkit.Define(&ir.OpDef{
		Name: opname.HandshakeSink, Summary: "Drops tokens.", Verify: opkit.Shape(1, 0, 0),
	}, sized(1, 0))
	opkit.Define(&ir.OpDef{
		Name: opname.HandshakeSource, Summary: "Emits control tokens without end.",
		Verify: opkit.Seq(opkit.Shape(0, 1, 0), func(op *ir.Operation, errs *diag.List) {
			opkit.Exactly(op, errs, "the result", op.Result(0).Type, ir.None)
		}),
	}, mlir.Asm{
		Parse: func(p *mlir.OpParser, st *mlir.OpState) {
			p.ParseOptionalAttrDict(st)
			if p.ParseOptionalPunct(":") {
				p.ParseType()
			}
			st.Types = append(st.Types, ir.None)
		},
		Print:     func(p *mlir.OpPrinter, op *ir.Operation) { p.AttrDict(op.Attrs) },
		Normalize: normalizeControl,
	})
	for _, o := range []struct{ name, summary string }{
		{opname.HandshakeFork, "Copies each token to all results; each is delivered as soon as its consumer is ready."},
		{opname.HandshakeLazyFork, "Copies each token to all results at the same time."},
	} {
		opkit.Define(&ir.OpDef{
			Name: o.name, Summary: o.summary,
			Verify: opkit.Seq(opkit.Shape(1, opkit.Any, 0), opkit.SameTypes),
		}, mlir.Asm{Parse: parseFork, Print: printFork, Normalize: normalizeControl})
	}
	opkit.Define(&ir.OpDef{
		Name: opname.HandshakeBuffer, Summary: "Stores up to a number of tokens.",
		Verify: opkit.Seq(opkit.Shape(1, 1, 0), opkit.SameTypes, verifyBuffer),
	}, mlir.Asm{Parse: parseBuffer, Print: printBuffer, Normalize: normalizeControl})
	opkit.Define(&ir.OpDef{
		Name: opname.HandshakeControlMerge, Summary: "Passes on a token from any operand and reports which.",
		Verify: opkit.Seq(opkit.Shape(opkit.Any, 2, 0), needOperand, verifyControlMerge),
	}, mlir.Asm{Parse: parseControlMerge, Print: printControlMerge, Normalize: normalizeControl})
	opkit.Define(&ir.OpDef{
		Name: opname.HandshakeSync, Summary: "Waits for a token on every operand and passes all on.",
		Verify: opkit.Seq(opkit.Shape(opkit.Any, opkit.Any, 0), needOperand, func(op *ir.Operation, errs *diag.List) {
			opkit.Types(op, errs, "result", op.Results(), opkit.TypesOf(op.Operands()), "the operands")
		}),
	}, mlir.Asm{
		Parse: func(p *mlir.OpParser, st *mlir.OpState) {
			pos := p.Pos()
			us := p.ParseOperandList()
			p.ParseOptionalAttrDict(st)
			st.Types = p.ParseColonTypeList()
			p.ResolveOperands(st, us, st.Types, pos)
		},
		Print: func(p *mlir.OpPrinter, op *ir.Operation) {
			p.Text(" ")
			p.Operands(op.Operands())
			p.AttrDict(op.Attrs)
			p.Text(" : ")
			p.ValueTypes(op.Operands())
		},
	})
	opkit.Define(&ir.OpDef{
		Name: opname.HandshakeInstance, Summary: "Uses another handshake function.",
		Verify: opkit.Seq(opkit.Shape(opkit.Any, opkit.Any, 0), verifyInstance),
	}, mlir.Asm{Parse: parseInstance, Print: printInstance})
}

// normalizeControl drops attributes that older versions of CIRCT stored for
// facts that the operation implies.
func normalizeControl(op *ir.Operation) {
	op.SetAttr("control", nil)
	op.SetAttr("dataType", nil)
	op.SetAttr("size", nil)
}

func needOperand(op *ir.Operation, errs *diag.List) {
	if op.NumOperands() == 0 {
		opkit.Errorf(op, errs, "needs at least one operand")
	}
}

func verifyCondBr(op *ir.Operation, errs *diag.List) {
	opkit.Exactly(op, errs, "the condition", op.Operand(0).Type, ir.I1)
	t := op.Operand(1).Type
	opkit.Exactly(op, errs, "the true result", op.Result(0).Type, t)
	opkit.Exactly(op, errs, "the false result", op.Result(1).Type, t)
}

// parseCondBr reads "%c, %v : T".
func parseCondBr(p *mlir.OpParser, st *mlir.OpState) {
	us := opkit.ParseFixed(p, 2)
	p.ParseOptionalAttrDict(st)
	t := p.ParseColonType()
	p.ResolveAll(st, ir.I1, us[0])
	p.ResolveAll(st, t, us[1])
	st.Types = append(st.Types, t, t)
}

// printTyped writes operands and the type of the last.
func printTyped(p *mlir.OpPrinter, op *ir.Operation) {
	p.Text(" ")
	p.Operands(op.Operands())
	p.AttrDict(op.Attrs)
	p.Text(" : ")
	p.Type(op.Operand(op.NumOperands() - 1).Type)
}

// sized is "%a, %b : T" with any number (-1) or a fixed number of operands.
func sized(operands, results int) mlir.Asm {
	return mlir.Asm{
		Parse: func(p *mlir.OpParser, st *mlir.OpState) {
			pos := p.Pos()
			us := p.ParseOperandList()
			if operands >= 0 && len(us) != operands {
				p.Fail(pos, "'%s' has %s, expected %d", st.Name, opkit.Plural(len(us), "operand"), operands)
			}
			p.ParseOptionalAttrDict(st)
			t := p.ParseColonType()
			p.ResolveAll(st, t, us...)
			for range results {
				st.Types = append(st.Types, t)
			}
		},
		Print:     printTyped,
		Normalize: normalizeControl,
	}
}

func verifyMux(op *ir.Operation, errs *diag.List) {
	if op.NumOperands() < 3 {
		opkit.Errorf(op, errs, "needs a select operand and at least two inputs")
		return
	}
	sel := op.Operand(0).Type
	if !opkit.IsSignlessOrIndex(sel) {
		opkit.Errorf(op, errs, "the select operand has type %s, expected a signless integer or index", sel)
		return
	}
	t := op.Result(0).Type
	for i, v := range op.Operands()[1:] {
		if v.Type != t {
			opkit.Errorf(op, errs, "input #%d has type %s, expected %s as the result", i, v.Type, t)
		}
	}
	inputs := op.NumOperands() - 1
	if w, _ := ir.BitWidth(sel, 64); w < 31 && inputs > 1<<w {
		opkit.Errorf(op, errs, "has %d inputs, %s selects among at most %d", inputs, sel, 1<<w)
	}
}

// parseMux reads "%sel [%a, %b] : i1, T".
func parseMux(p *mlir.OpParser, st *mlir.OpState) {
	sel := p.ParseOperand()
	us := p.ParseOperandsIn("[", "]")
	p.ParseOptionalAttrDict(st)
	p.ResolveAll(st, p.ParseColonType(), sel)
	p.ParseComma()
	t := p.ParseType()
	p.ResolveAll(st, t, us...)
	st.Types = append(st.Types, t)
}

func printMux(p *mlir.OpPrinter, op *ir.Operation) {
	p.Text(" ")
	p.Operand(op.Operand(0))
	p.Text(" [")
	p.Operands(op.Operands()[1:])
	p.Text("]")
	p.AttrDict(op.Attrs)
	p.Text(" : ")
	p.Type(op.Operand(0).Type)
	p.Text(", ")
	p.Type(op.Result(0).Type)
}

func verifyJoin(op *ir.Operation, errs *diag.List) {
	needOperand(op, errs)
	opkit.Exactly(op, errs, "the result", op.Result(0).Type, ir.None)
}

// parseJoin reads "%a, %b : T, U".
func parseJoin(p *mlir.OpParser, st *mlir.OpState) {
	pos := p.Pos()
	us := p.ParseOperandList()
	p.ParseOptionalAttrDict(st)
	p.ResolveOperands(st, us, p.ParseColonTypeList(), pos)
	st.Types = append(st.Types, ir.None)
}

func printJoin(p *mlir.OpPrinter, op *ir.Operation) {
	p.Text(" ")
	p.Operands(op.Operands())
	p.AttrDict(op.Attrs)
	p.Text(" : ")
	p.ValueTypes(op.Operands())
}

func verifyConstant(op *ir.Operation, errs *diag.List) {
	opkit.Exactly(op, errs, "the control operand", op.Operand(0).Type, ir.None)
	var have ir.Type
	switch a := op.Attr("value").(type) {
	case nil:
		opkit.Errorf(op, errs, "needs the attribute 'value'")
		return
	case *ir.IntegerAttr:
		have = a.Type
	case *ir.FloatAttr:
		have = a.Type
	default:
		opkit.Errorf(op, errs, "has the value %s, expected a number", a)
		return
	}
	opkit.Exactly(op, errs, "the result", op.Result(0).Type, have)
}

// parseFork reads "[2] %a : T".
func parseFork(p *mlir.OpParser, st *mlir.OpState) {
	n := parseCount(p)
	u := p.ParseOperand()
	p.ParseOptionalAttrDict(st)
	t := p.ParseColonType()
	p.ResolveAll(st, t, u)
	for range n {
		st.Types = append(st.Types, t)
	}
}

// parseCount reads "[n]".
func parseCount(p *mlir.OpParser) int64 {
	p.ParsePunct("[")
	pos := p.Pos()
	n := p.ParseInteger()
	if n < 1 || n > 1<<16 {
		p.Fail(pos, "the count %d is out of range, expected 1 to %d", n, 1<<16)
	}
	p.ParsePunct("]")
	return n
}

func printFork(p *mlir.OpPrinter, op *ir.Operation) {
	if op.NumResults() == 0 {
		panic("no results") // printed in the generic form
	}
	p.Printf(" [%d]", op.NumResults())
	printTyped(p, op)
}

var bufferTypes = []string{"seq", "fifo"}

func verifyBuffer(op *ir.Operation, errs *diag.List) {
	if n, ok := op.IntAttr("slots"); !ok || n < 1 {
		opkit.Errorf(op, errs, "needs the attribute 'slots', at least 1")
	}
	if n, ok := op.IntAttr("bufferType"); !ok || n < 0 || n >= int64(len(bufferTypes)) {
		opkit.Errorf(op, errs, "needs the attribute 'bufferType', 0 (seq) or 1 (fifo)")
	}
}

// parseBuffer reads "[2] seq %a : T".
func parseBuffer(p *mlir.OpParser, st *mlir.OpState) {
	st.Set("slots", ir.IntAttr(parseCount(p), ir.I32))
	st.Set("bufferType", ir.IntAttr(int64(p.ParseOneOf("a kind of buffer", bufferTypes...)), ir.I32))
	u := p.ParseOperand()
	p.ParseOptionalAttrDict(st)
	t := p.ParseColonType()
	p.ResolveAll(st, t, u)
	st.Types = append(st.Types, t)
}

func printBuffer(p *mlir.OpPrinter, op *ir.Operation) {
	slots, _ := op.IntAttr("slots")
	kind, _ := op.IntAttr("bufferType")
	p.Printf(" [%d] %s ", slots, bufferTypes[kind])
	p.Operand(op.Operand(0))
	p.AttrDict(op.Attrs, "slots", "bufferType")
	p.Text(" : ")
	p.Type(op.Operand(0).Type)
}

func verifyControlMerge(op *ir.Operation, errs *diag.List) {
	t := op.Result(0).Type
	for i, v := range op.Operands() {
		if v.Type != t {
			opkit.Errorf(op, errs, "operand #%d has type %s, expected %s as the result", i, v.Type, t)
		}
	}
	if !opkit.IsSignlessOrIndex(op.Result(1).Type) {
		opkit.Errorf(op, errs, "the index has type %s, expected a signless integer or index", op.Result(1).Type)
	}
}

// parseControlMerge reads "%a, %b : T, index".
func parseControlMerge(p *mlir.OpParser, st *mlir.OpState) {
	us := p.ParseOperandList()
	p.ParseOptionalAttrDict(st)
	t := p.ParseColonType()
	p.ParseComma()
	p.ResolveAll(st, t, us...)
	st.Types = append(st.Types, t, p.ParseType())
}

func printControlMerge(p *mlir.OpPrinter, op *ir.Operation) {
	p.Text(" ")
	p.Operands(op.Operands())
	p.AttrDict(op.Attrs)
	p.Text(" : ")
	p.ValueTypes(op.Results())
}
