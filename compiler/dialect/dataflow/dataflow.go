// Package dataflow registers LOOM's dataflow dialect: the four state machines
// of loops (spec-dataflow.md), sums in parts, the interlock of loads with stores of earlier iterations, and hold, which only graphs of direct circuits have.
package dataflow

import (
	"slices"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/dialect/internal/opkit"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
)

// StepOps are the update operators of dataflow.stream, StepOperations the operations
// behind them.
var (
	StepOps        = []string{"+=", "-=", "*=", "/=", "<<=", ">>="}
	StepOperations = map[string]string{
		"+=": opname.ArithAddI, "-=": opname.ArithSubI, "*=": opname.ArithMulI, "/=": opname.ArithDivSI,
		"<<=": opname.ArithShLI, ">>=": opname.ArithShRSI,
	}
)

// ContConds are the continuation conditions of dataflow.stream, in the order of
// their one-hot configuration bits.
var ContConds = []string{"<", "<=", ">", ">=", "!="}

// IndependentAttr is the attribute of a dataflow.stream that lists the ids of memories, as
// array<i64: …>: no two iterations of its loop touch the same element of these memories with a
// store among them, or where they do, the access of the earlier iteration is one that stands in front of the other
// within each iteration, as in x[i] = x[i + 1]. So their accesses need no order between iterations. The lowering writes
// what it has proved.
const IndependentAttr = "loom.independent"

// CopyAttr is the attribute of an operation that does once more what another one does, on the same
// operands or on copies of them: the number of that operation in the block, from 0 (package decouple).
const CopyAttr = "loom.copy"

// Loop is the raw condition that names the loop of a raw condition: of a copy of a stream it is that
// of the stream, as both count the same iterations.
func Loop(raw *ir.Value) *ir.Value {
	if raw == nil || raw.Def == nil || raw.Def.Name != opname.DataflowStream || raw.Def.Attr(CopyAttr) == nil {
		return raw
	}
	if i, ok := raw.Def.IntAttr(CopyAttr); ok && raw.Def.Block() != nil && i >= 0 && int(i) < len(raw.Def.Block().Ops) {
		if s := raw.Def.Block().Ops[i]; s.Name == opname.DataflowStream && s.Attr(CopyAttr) == nil {
			return s.Result(raw.Index)
		}
	}
	return raw
}

// DirectAttr is the attribute of a handshake.func that is meant for a direct circuit (package
// simplify): it may hold values for a run, a load may be complete by its data alone, and
// tokens of memory may pass loops by their raw condition.
const DirectAttr = "loom.direct"

// SimplifiedAttr is the attribute of a handshake.func that was simplified for fabrics (package
// simplify). It may do what graphs of direct circuits may, but of all values only the start
// token is held, and constants that it fires: a fabric has no register for an argument.
const SimplifiedAttr = "loom.simplified"

// MayHoldValues reports whether a graph is one in which values are held for a run.
func MayHoldValues(fn *ir.Operation) bool {
	return fn.Attr(DirectAttr) != nil || fn.Attr(SimplifiedAttr) != nil
}

// IsHeld reports whether a value is the same in a whole run and there for every firing of its
// readers, so that it says nothing about how often they fire: the result of a hold, or a
// constant that one fires.
func IsHeld(v *ir.Value) bool {
	if v.Def != nil && v.Def.Name == opname.HandshakeConstant && v.Def.NumOperands() == 1 && v.Def.Operand(0) != nil {
		v = v.Def.Operand(0)
	}
	return v.Def != nil && v.Def.Name == opname.DataflowHold
}

// MayHold reports whether operand i of an operation may be a held value, given that another
// of its operands is none.
func MayHold(op *ir.Operation, i int) bool {
	switch op.Name {
	case opname.HandshakeMux:
		return i > 0
	case opname.HandshakeLoad:
		return i != 1
	case opname.HandshakeStore, opname.DataflowStream:
		return true
	case opname.HandshakeConstant: // of which it is the only one
		return true
	}
	return op.Dialect() != "handshake" && op.Dialect() != "dataflow"
}

func init() {
	opkit.Define(&ir.OpDef{
		Name:    opname.DataflowHold,
		Summary: "A value that stays the same in a run: takes one token and offers it from then on, to every firing of its readers. Only simplified graphs have it.",
		Verify: opkit.Seq(opkit.Shape(1, 1, 0), func(op *ir.Operation, errs *diag.List) {
			opkit.Exactly(op, errs, "the result", op.Result(0).Type, op.Operand(0).Type)
		}),
	}, mlir.Asm{
		Parse: func(p *mlir.OpParser, st *mlir.OpState) {
			us := opkit.ParseFixed(p, 1)
			p.ParseOptionalAttrDict(st)
			t := p.ParseColonType()
			p.ResolveAll(st, t, us...)
			st.Types = append(st.Types, t)
		},
		Print: func(p *mlir.OpPrinter, op *ir.Operation) {
			p.Text(" ")
			p.Operands(op.Operands())
			p.AttrDict(op.Attrs)
			p.Text(" : ")
			p.Type(op.Operand(0).Type)
		},
	})
	opkit.Define(&ir.OpDef{
		Name:    opname.DataflowStream,
		Summary: "From start, step and bound: the N+1 values of a loop counter and, with each, whether the loop goes on.",
		Verify:  opkit.Seq(opkit.Shape(3, 2, 0), verifyStream),
	}, mlir.Asm{
		Parse: func(p *mlir.OpParser, st *mlir.OpState) {
			pos := p.Pos()
			us := opkit.ParseFixed(p, 3)
			p.ParseOptionalAttrDict(st)
			p.ParsePunct(":")
			ft := p.ParseFunctionType()
			p.ResolveOperands(st, us, ft.Inputs, pos)
			st.Types = ft.Results
		},
		Print: func(p *mlir.OpPrinter, op *ir.Operation) {
			p.Text(" ")
			p.Operands(op.Operands())
			printStreamAttrs(p, op)
			p.Text(" : ")
			p.FunctionalType(op.Operands(), op.Results())
		},
	})
	opkit.Define(&ir.OpDef{
		Name:    opname.DataflowGate,
		Summary: "Aligns the N+1 values and conditions of a loop's head with its body: N values and the conditions behind the first.",
		Verify: opkit.Seq(opkit.Shape(2, 2, 0), func(op *ir.Operation, errs *diag.List) {
			opkit.Exactly(op, errs, "the condition", op.Operand(1).Type, ir.I1)
			opkit.Exactly(op, errs, "the value result", op.Result(0).Type, op.Operand(0).Type)
			opkit.Exactly(op, errs, "the condition result", op.Result(1).Type, ir.I1)
		}),
	}, arrowAsm(2))
	opkit.Define(&ir.OpDef{
		Name:    opname.DataflowCarry,
		Summary: "A loop-carried value: the initial value, then one from the loop for each true condition.",
		Verify:  opkit.Seq(opkit.Shape(3, 1, 0), verifyReplay),
	}, arrowAsm(3))
	opkit.Define(&ir.OpDef{
		Name:    opname.DataflowInvariant,
		Summary: "A value that stays the same in a loop: once, then again for each true condition.",
		Verify:  opkit.Seq(opkit.Shape(2, 1, 0), verifyReplay),
	}, arrowAsm(2))
	opkit.Define(&ir.OpDef{
		Name:    opname.DataflowAccumulate,
		Summary: "A float that a loop sums up in several parts: the initial value and, of each iteration, an element; behind the loop, the parts combined.",
		Verify:  opkit.Seq(opkit.Shape(3, 1, 0), verifyAccumulate),
	}, arrowAsm(3))
	opkit.Define(&ir.OpDef{
		Name:    opname.DataflowInterlock,
		Summary: "The subscript of a load, held back while a store of an earlier iteration to that subscript is not done; takes the subscript of each iteration's store, negative where it does not store, and its done tokens.",
		Verify: opkit.Seq(opkit.Shape(3, 1, 0), func(op *ir.Operation, errs *diag.List) {
			t := op.Operand(0).Type
			if !opkit.IsSignlessOrIndex(t) {
				opkit.Errorf(op, errs, "compares subscripts of type %s, expected index or a signless integer", t)
			}
			opkit.Exactly(op, errs, "the subscript of the store", op.Operand(1).Type, t)
			opkit.Exactly(op, errs, "the done token", op.Operand(2).Type, ir.None)
			opkit.Exactly(op, errs, "the result", op.Result(0).Type, t)
		}),
	}, arrowAsm(3))
}

// printStreamAttrs writes step_op and cont_cond first, as the specification
// does, then the rest.
func printStreamAttrs(p *mlir.OpPrinter, op *ir.Operation) {
	p.Printf(" {step_op = %s, cont_cond = %s", op.Attr("step_op"), op.Attr("cont_cond"))
	for _, a := range op.Attrs {
		if a.Name != "step_op" && a.Name != "cont_cond" {
			p.Text(", " + entry(a))
		}
	}
	p.Text("}")
}

// arrowAsm is "%a, %b : T, U -> V, W".
func arrowAsm(operands int) mlir.Asm {
	return mlir.Asm{
		Parse: func(p *mlir.OpParser, st *mlir.OpState) {
			pos := p.Pos()
			us := opkit.ParseFixed(p, operands)
			p.ParseOptionalAttrDict(st)
			p.ResolveOperands(st, us, p.ParseColonTypeList(), pos)
			p.ParsePunct("->")
			st.Types = p.ParseTypeList()
		},
		Print: func(p *mlir.OpPrinter, op *ir.Operation) {
			p.Text(" ")
			p.Operands(op.Operands())
			p.AttrDict(op.Attrs)
			p.Text(" : ")
			p.ValueTypes(op.Operands())
			p.Text(" -> ")
			p.ValueTypes(op.Results())
		},
	}
}

func verifyStream(op *ir.Operation, errs *diag.List) {
	t := op.Operand(0).Type
	if !opkit.IsSignlessOrIndex(t) {
		opkit.Errorf(op, errs, "counts in %s, expected index or a signless integer", t)
	}
	opkit.Exactly(op, errs, "the step", op.Operand(1).Type, t)
	opkit.Exactly(op, errs, "the bound", op.Operand(2).Type, t)
	opkit.Exactly(op, errs, "the index result", op.Result(0).Type, t)
	opkit.Exactly(op, errs, "the condition result", op.Result(1).Type, ir.I1)
	oneOf(op, errs, "step_op", StepOps)
	oneOf(op, errs, "cont_cond", ContConds)
}

func oneOf(op *ir.Operation, errs *diag.List, name string, words []string) {
	a, ok := opkit.Attr[*ir.StringAttr](op, errs, name, "a string")
	if ok && !slices.Contains(words, a.Value) {
		opkit.Errorf(op, errs, "attribute '%s' is %s, expected one of %s", name, a, strings.Join(words, " "))
	}
}

// verifyReplay checks carry and invariant: a condition, then values of one type.
func verifyReplay(op *ir.Operation, errs *diag.List) {
	opkit.Exactly(op, errs, "the condition", op.Operand(0).Type, ir.I1)
	t := op.Operand(1).Type
	for _, v := range op.Operands()[2:] {
		opkit.Exactly(op, errs, "the carried value", v.Type, t)
	}
	opkit.Exactly(op, errs, "the result", op.Result(0).Type, t)
}

// entry is one attribute without the braces of the dictionary.
func entry(a ir.NamedAttr) string {
	text := ir.NamedAttrs{a}.String()
	return text[1 : len(text)-1]
}
