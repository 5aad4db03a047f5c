// Package llvm registers the operations of MLIR's llvm dialect that structured programs may
// hold: what a function unit computes (fabric.md, "Function units"), and the fence, which no
// other dialect of MLIR has.
package llvm

import (
	"loom/compiler/diag"
	"loom/compiler/dialect/internal/opkit"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
)

func init() {
	opkit.Define(&ir.OpDef{
		Name: opname.LLVMIntrBitreverse, Summary: "The bits in reverse order.", Traits: ir.Pure | ir.SameOperandsAndResult,
		Verify: opkit.Seq(opkit.Shape(1, 1, 0), opkit.SameTypes, func(op *ir.Operation, errs *diag.List) {
			opkit.Typed(op, errs, "operand #0", op.Operand(0).Type, opkit.IsSignless, "a signless integer")
		}),
	}, mlir.Asm{
		Parse: func(p *mlir.OpParser, st *mlir.OpState) {
			pos := p.Pos()
			us := p.ParseOperandsIn("(", ")")
			p.ParseOptionalAttrDict(st)
			p.ParsePunct(":")
			ft := p.ParseFunctionType()
			p.ResolveOperands(st, us, ft.Inputs, pos)
			st.Types = ft.Results
		},
		Print: func(p *mlir.OpPrinter, op *ir.Operation) {
			p.Text("(")
			p.Operands(op.Operands())
			p.Text(")")
			p.AttrDict(op.Attrs)
			p.Text(" : ")
			p.FunctionalType(op.Operands(), op.Results())
		},
	})
	opkit.Define(&ir.OpDef{
		Name:    opname.LLVMFence,
		Summary: "Every access before it, to any memory, is complete before any access after it begins.",
		Verify:  opkit.Seq(opkit.Shape(0, 0, 0), verifyFence),
	}, mlir.Asm{Parse: parseFence, Print: printFence})
}

// orderings are the memory orderings of a fence; MLIR counts them from firstOrdering on, behind
// those of single accesses.
var orderings = []string{"acquire", "release", "acq_rel", "seq_cst"}

const firstOrdering = 4

// SingleThread is the scope of a fence that orders accesses for the compiler alone.
const SingleThread = "singlethread"

func parseFence(p *mlir.OpParser, st *mlir.OpState) {
	if p.ParseOptionalKeyword("syncscope") {
		p.ParsePunct("(")
		st.Set("syncscope", ir.StrAttr(p.ParseString()))
		p.ParsePunct(")")
	}
	n := p.ParseOneOf("a memory ordering", orderings...)
	st.Set("ordering", ir.IntAttr(int64(n+firstOrdering), ir.I64))
	p.ParseOptionalAttrDict(st)
}

func printFence(p *mlir.OpPrinter, op *ir.Operation) {
	if s := op.Attr("syncscope"); s != nil {
		p.Text(" syncscope(")
		p.Attr(s)
		p.Text(")")
	}
	n, _ := op.IntAttr("ordering")
	p.Text(" " + orderings[n-firstOrdering])
	p.AttrDict(op.Attrs, "syncscope", "ordering")
}

func verifyFence(op *ir.Operation, errs *diag.List) {
	if n, ok := op.IntAttr("ordering"); !ok || n < firstOrdering || n >= int64(firstOrdering+len(orderings)) {
		opkit.Errorf(op, errs, "has no ordering of a fence").WithHelp("one of acquire, release, acq_rel and seq_cst")
	}
	if op.Attr("syncscope") != nil {
		opkit.Attr[*ir.StringAttr](op, errs, "syncscope", "a string")
	}
}
