// Package math registers MLIR's math dialect.
package math

import (
	"loom/compiler/diag"
	"loom/compiler/dialect/internal/opkit"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
)

// ops lists the operations whose operands and result have one type.
var ops = []struct {
	name     string
	operands int
	integer  bool
	summary  string
}{
	{opname.MathAbsF, 1, false, "Absolute value of a float."},
	{opname.MathAbsI, 1, true, "Absolute value of a signed integer."},
	{opname.MathAcos, 1, false, "Arc cosine."},
	{opname.MathAcosh, 1, false, "Inverse hyperbolic cosine."},
	{opname.MathAsin, 1, false, "Arc sine."},
	{opname.MathAsinh, 1, false, "Inverse hyperbolic sine."},
	{opname.MathAtan, 1, false, "Arc tangent."},
	{opname.MathAtan2, 2, false, "Arc tangent of the quotient, in the right quadrant."},
	{opname.MathAtanh, 1, false, "Inverse hyperbolic tangent."},
	{opname.MathCbrt, 1, false, "Cube root."},
	{opname.MathCeil, 1, false, "Rounding up."},
	{opname.MathCopysign, 2, false, "The first operand's magnitude with the second's sign."},
	{opname.MathCos, 1, false, "Cosine."},
	{opname.MathCosh, 1, false, "Hyperbolic cosine."},
	{opname.MathCtLZ, 1, true, "Number of leading zero bits."},
	{opname.MathCtPop, 1, true, "Number of one bits."},
	{opname.MathCtTZ, 1, true, "Number of trailing zero bits."},
	{opname.MathErf, 1, false, "Error function."},
	{opname.MathExp, 1, false, "Exponential."},
	{opname.MathExp2, 1, false, "Power of two."},
	{opname.MathExpm1, 1, false, "Exponential minus one."},
	{opname.MathFloor, 1, false, "Rounding down."},
	{opname.MathFMA, 3, false, "Fused multiply-add: a*b + c with one rounding."},
	{opname.MathIPowI, 2, true, "Integer power."},
	{opname.MathLog, 1, false, "Natural logarithm."},
	{opname.MathLog10, 1, false, "Decimal logarithm."},
	{opname.MathLog1p, 1, false, "Natural logarithm of one plus the operand."},
	{opname.MathLog2, 1, false, "Binary logarithm."},
	{opname.MathPowF, 2, false, "Floating-point power."},
	{opname.MathRound, 1, false, "Rounding to the nearest integer, ties away from zero."},
	{opname.MathRoundeven, 1, false, "Rounding to the nearest integer, ties to even."},
	{opname.MathRsqrt, 1, false, "Reciprocal square root."},
	{opname.MathSin, 1, false, "Sine."},
	{opname.MathSinh, 1, false, "Hyperbolic sine."},
	{opname.MathSqrt, 1, false, "Square root."},
	{opname.MathTan, 1, false, "Tangent."},
	{opname.MathTanh, 1, false, "Hyperbolic tangent."},
	{opname.MathTrunc, 1, false, "Rounding towards zero."},
}

func init() {
	for _, o := range ops {
		flags, class, what := opkit.FastMath, ir.IsFloat, "a floating-point type"
		if o.integer {
			flags, class, what = nil, opkit.IsSignlessOrIndex, "a signless integer or index"
		}
		opkit.Define(&ir.OpDef{
			Name: o.name, Summary: o.summary, Traits: ir.Pure | ir.SameOperandsAndResult,
			Verify: opkit.Seq(opkit.Shape(o.operands, 1, 0), opkit.SameTypes,
				func(op *ir.Operation, errs *diag.List) {
					opkit.Typed(op, errs, "operand #0", op.Operand(0).Type, class, what)
				}, flags.Verify),
		}, opkit.SameTypeAsm(o.operands, 1, flags))
	}
	opkit.Define(&ir.OpDef{
		Name: opname.MathFPowI, Summary: "Floating-point base to an integer power.", Traits: ir.Pure,
		Verify: opkit.Seq(opkit.Shape(2, 1, 0), verifyFpowi, opkit.FastMath.Verify),
	}, mlir.Asm{
		Parse: func(p *mlir.OpParser, st *mlir.OpState) {
			us := opkit.ParseFixed(p, 2)
			opkit.FastMath.Parse(p, st)
			p.ParseOptionalAttrDict(st)
			t := p.ParseColonType()
			p.ParseComma()
			p.ResolveAll(st, t, us[0])
			p.ResolveAll(st, p.ParseType(), us[1])
			st.Types = append(st.Types, t)
		},
		Print: func(p *mlir.OpPrinter, op *ir.Operation) {
			p.Text(" ")
			p.Operands(op.Operands())
			opkit.FastMath.Print(p, op)
			p.AttrDict(op.Attrs, "fastmath")
			p.Text(" : ")
			p.ValueTypes(op.Operands())
		},
		Normalize: opkit.FastMath.Normalizer(),
	})
}

func verifyFpowi(op *ir.Operation, errs *diag.List) {
	t := op.Operand(0).Type
	opkit.Typed(op, errs, "operand #0", t, ir.IsFloat, "a floating-point type")
	opkit.Typed(op, errs, "operand #1", op.Operand(1).Type, opkit.IsSignless, "a signless integer")
	opkit.Exactly(op, errs, "the result", op.Result(0).Type, t)
	if !opkit.SameShape(t, op.Operand(1).Type) {
		opkit.Errorf(op, errs, "%s and %s have different shapes", t, op.Operand(1).Type)
	}
}
