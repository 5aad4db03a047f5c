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

// FenceAttr is the unit attribute of a handshake.join that is a fence of the program: each
// access of the graph, to any memory, is complete before the join has its tokens, or begins
// after it has emitted its own. The lowering marks its fences, and the verifier of the graph
// holds them to it.
const FenceAttr = "loom.fence"

// OvertakenAttr is the unit attribute of a handshake.extmemory or handshake.memory whose loads may overtake stores to the same element: what such
// a load gets is old or new, and the graph does not use it (lower.Options.RecentStores); or loads to other elements of its line (lower.Options.Interlocks),
// of which a read cache would fetch what is old. A read cache must not keep either.
const OvertakenAttr = "loom.overtaken"

// StreamAttr is the unit attribute of a handshake.extmemory that stands for a stream: its one load
// or store takes or gives the elements from the first on, whatever the address is. Only graphs of
// direct circuits have it.
const StreamAttr = "loom.stream"

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
	}, mlir.Asm{Parse: parseBuffer, Print: printBuffer, Normalize: normalizeBuffer})
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
		Name: opname.HandshakeNever, Summary: "Emits no token, ever.", Verify: opkit.Shape(0, 1, 0),
	}, mlir.Asm{
		Parse: func(p *mlir.OpParser, st *mlir.OpState) {
			p.ParseOptionalAttrDict(st)
			st.Types = append(st.Types, p.ParseColonType())
		},
		Print: func(p *mlir.OpPrinter, op *ir.Operation) {
			p.AttrDict(op.Attrs)
			p.Text(" : ")
			p.Type(op.Result(0).Type)
		},
	})
	opkit.Define(&ir.OpDef{
		Name: opname.HandshakePack, Summary: "Waits for a token on every operand and emits them as one tuple.",
		Verify: opkit.Seq(opkit.Shape(opkit.Any, 1, 0), func(op *ir.Operation, errs *diag.List) {
			if t := tupleOf(op, errs, "the result", op.Result(0).Type); t != nil {
				opkit.Types(op, errs, "operand", op.Operands(), t.Elems, "the tuple")
			}
		}),
	}, mlir.Asm{
		Parse: func(p *mlir.OpParser, st *mlir.OpState) {
			us := p.ParseOperandList()
			p.ParseOptionalAttrDict(st)
			t, pos := parseTuple(p, st)
			p.ResolveOperands(st, us, t.Elems, pos)
			st.Types = append(st.Types, t)
		},
		Print: func(p *mlir.OpPrinter, op *ir.Operation) {
			p.Text(" ")
			p.Operands(op.Operands())
			p.AttrDict(op.Attrs)
			p.Text(" : ")
			p.Type(op.Result(0).Type)
		},
	})
	opkit.Define(&ir.OpDef{
		Name: opname.HandshakeUnpack, Summary: "Emits the elements of a tuple; each is delivered as soon as its consumer is ready.",
		Verify: opkit.Seq(opkit.Shape(1, opkit.Any, 0), func(op *ir.Operation, errs *diag.List) {
			if t := tupleOf(op, errs, "the operand", op.Operand(0).Type); t != nil {
				opkit.Types(op, errs, "result", op.Results(), t.Elems, "the tuple")
			}
		}),
	}, mlir.Asm{
		Parse: func(p *mlir.OpParser, st *mlir.OpState) {
			u := p.ParseOperand()
			p.ParseOptionalAttrDict(st)
			t, _ := parseTuple(p, st)
			p.ResolveAll(st, t, u)
			st.Types = append(st.Types, t.Elems...)
		},
		Print: printTyped,
	})
	opkit.Define(&ir.OpDef{
		Name: opname.HandshakeInstance, Summary: "Uses another handshake function; each use has a state of its own.",
		Verify: opkit.Seq(opkit.Shape(opkit.Any, opkit.Any, 0), verifyInstance),
	}, mlir.Asm{Parse: parseInstance, Print: printInstance})
}

// tupleOf returns t as a tuple, nil with an error where it is none.
func tupleOf(op *ir.Operation, errs *diag.List, what string, t ir.Type) *ir.TupleType {
	tuple, ok := t.(*ir.TupleType)
	if !ok {
		opkit.Errorf(op, errs, "%s has type %s, expected a tuple", what, t)
	}
	return tuple
}

// parseTuple reads ": tuple<…>".
func parseTuple(p *mlir.OpParser, st *mlir.OpState) (*ir.TupleType, diag.Pos) {
	p.ParsePunct(":")
	pos := p.Pos()
	t := p.ParseType()
	tuple, ok := t.(*ir.TupleType)
	if !ok {
		p.Fail(pos, "'%s' has type %s, expected a tuple", st.Name, t)
	}
	return tuple, pos
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
	if op.NumOperands() < 2 {
		opkit.Errorf(op, errs, "needs a select operand and at least one input")
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
	kind, ok := op.IntAttr("bufferType")
	if !ok || kind < 0 || kind >= int64(len(bufferTypes)) {
		opkit.Errorf(op, errs, "needs the attribute 'bufferType', 0 (seq) or 1 (fifo)")
		return
	}
	if op.Attr("initValues") == nil {
		return
	}
	values, ok := InitValues(op)
	t := op.Result(0).Type
	switch slots, _ := op.IntAttr("slots"); {
	case !ok:
		opkit.Errorf(op, errs, "attribute 'initValues' is %s, expected a list of integers", op.Attr("initValues"))
	case bufferTypes[kind] != "seq":
		opkit.Errorf(op, errs, "is a fifo, only a seq buffer has initial values")
	case int64(len(values)) != slots:
		opkit.Errorf(op, errs, "has %s for %s, expected one for each", opkit.Plural(len(values), "initial value"), opkit.Plural(int(slots), "slot"))
	case !opkit.IsSignlessOrIndex(t) && t != ir.Type(ir.None):
		opkit.Errorf(op, errs, "has initial values of type %s, expected a signless integer, index or none", t)
	default:
		for _, v := range values {
			if w, _ := ir.BitWidth(t, 64); w > 0 && w < 64 && (v >= 1<<w || v < -1<<(w-1)) {
				opkit.Errorf(op, errs, "has the initial value %d, which %s does not hold", v, t)
			}
		}
	}
}

// InitValues returns the initial values of a handshake.buffer, nil without the
// attribute. The first of them is in the slot at the input, so the last leaves first.
func InitValues(op *ir.Operation) (values []int64, ok bool) {
	switch a := op.Attr("initValues").(type) {
	case nil:
		return nil, true
	case *ir.ArrayAttr:
		for _, e := range a.Elems {
			v, ok := e.(*ir.IntegerAttr)
			if !ok {
				return nil, false
			}
			values = append(values, v.Value)
		}
		return values, true
	}
	return nil, false
}

// BufferTokens is how many tokens a handshake.buffer holds: two per slot of a seq buffer,
// whose slots are a register each for data and for what arrives while ready travels back;
// one more than slots of a fifo, which takes a token while another leaves.
func BufferTokens(op *ir.Operation) int {
	slots, _ := op.IntAttr("slots")
	if kind, _ := op.IntAttr("bufferType"); bufferTypes[kind] == "seq" {
		return 2 * int(slots)
	}
	return int(slots) + 1
}

// normalizeBuffer reads the kind as CIRCT's generic form has it,
// #handshake<buffer_type_enum seq>.
func normalizeBuffer(op *ir.Operation) {
	normalizeControl(op)
	a, ok := op.Attr("bufferType").(*ir.OpaqueAttr)
	if !ok {
		return
	}
	for i, word := range bufferTypes {
		if a.Text == "#handshake<buffer_type_enum "+word+">" || a.Text == "#handshake.buffer_type_enum<"+word+">" {
			op.SetAttr("bufferType", ir.IntAttr(int64(i), ir.I32))
		}
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
	index := op.Result(1).Type
	if !opkit.IsSignlessOrIndex(index) {
		opkit.Errorf(op, errs, "the index has type %s, expected a signless integer or index", index)
	} else if w, _ := ir.BitWidth(index, 64); w < 31 && op.NumOperands() > 1<<w {
		opkit.Errorf(op, errs, "has %s, %s counts at most %d", opkit.Plural(op.NumOperands(), "operand"), index, 1<<w)
	}
}

// parseControlMerge reads "%a, %b : T, index", and "%a, %b : T" of older releases of CIRCT, whose
// index is of type index.
func parseControlMerge(p *mlir.OpParser, st *mlir.OpState) {
	us := p.ParseOperandList()
	p.ParseOptionalAttrDict(st)
	t := p.ParseColonType()
	p.ResolveAll(st, t, us...)
	index := ir.Type(ir.Index)
	if p.ParseOptionalPunct(",") {
		index = p.ParseType()
	}
	st.Types = append(st.Types, t, index)
}

func printControlMerge(p *mlir.OpPrinter, op *ir.Operation) {
	p.Text(" ")
	p.Operands(op.Operands())
	p.AttrDict(op.Attrs)
	p.Text(" : ")
	p.ValueTypes(op.Results())
}
