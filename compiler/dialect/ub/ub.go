// Package ub registers the one operation of MLIR's ub dialect, which lifting
// of control flow leaves behind for unused values.
package ub

import (
	"loom/compiler/dialect/internal/opkit"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
)

const defaultValue = "#ub.poison"

func init() {
	opkit.Define(&ir.OpDef{
		Name: opname.UBPoison, Summary: "A value that must not be observed.", Traits: ir.Pure | ir.ConstantLike,
		Verify: opkit.Shape(0, 1, 0),
	}, mlir.Asm{
		Parse: func(p *mlir.OpParser, st *mlir.OpState) {
			p.ParseOptionalAttrDict(st)
			if p.ParseOptionalPunct("<") {
				st.Set("value", p.ParseAttribute(nil))
				p.ParsePunct(">")
			}
			st.Types = append(st.Types, p.ParseColonType())
		},
		Print: func(p *mlir.OpPrinter, op *ir.Operation) {
			p.AttrDict(op.Attrs, "value")
			if a := op.Attr("value"); a != nil {
				p.Text(" <")
				p.Attr(a)
				p.Text(">")
			}
			p.Text(" : ")
			p.Type(op.Result(0).Type)
		},
		Normalize: func(op *ir.Operation) {
			if a, ok := op.Attr("value").(*ir.OpaqueAttr); ok && a.Text == defaultValue {
				op.SetAttr("value", nil)
			}
		},
	})
}
