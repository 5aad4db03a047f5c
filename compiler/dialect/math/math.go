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
	{"absf", 1, false, "Absolute value of a float."},
	{"absi", 1, true, "Absolute value of a signed integer."},
	{"acos", 1, false, "Arc cosine."},
	{"acosh", 1, false, "Inverse hyperbolic cosine."},
	{"asin", 1, false, "Arc sine."},
	{"asinh", 1, false, "Inverse hyperbolic sine."},
	{"atan", 1, false, "Arc tangent."},
	{"atan2", 2, false, "Arc tangent of the quotient, in the right quadrant."},
	{"atanh", 1, false, "Inverse hyperbolic tangent."},
	{"cbrt", 1, false, "Cube root."},
	{"ceil", 1, false, "Rounding up."},
	{"copysign", 2, false, "The first operand's magnitude with the second's sign."},
	{"cos", 1, false, "Cosine."},
	{"cosh", 1, false, "Hyperbolic cosine."},
	{"ctlz", 1, true, "Number of leading zero bits."},
	{"ctpop", 1, true, "Number of one bits."},
	{"cttz", 1, true, "Number of trailing zero bits."},
	{"erf", 1, false, "Error function."},
	{"exp", 1, false, "Exponential."},
	{"exp2", 1, false, "Power of two."},
	{"expm1", 1, false, "Exponential minus one."},
	{"floor", 1, false, "Rounding down."},
	{"fma", 3, false, "Fused multiply-add: a*b + c with one rounding."},
	{"ipowi", 2, true, "Integer power."},
	{"log", 1, false, "Natural logarithm."},
	{"log10", 1, false, "Decimal logarithm."},
	{"log1p", 1, false, "Natural logarithm of one plus the operand."},
	{"log2", 1, false, "Binary logarithm."},
	{"powf", 2, false, "Floating-point power."},
	{"round", 1, false, "Rounding to the nearest integer, ties away from zero."},
	{"roundeven", 1, false, "Rounding to the nearest integer, ties to even."},
	{"rsqrt", 1, false, "Reciprocal square root."},
	{"sin", 1, false, "Sine."},
	{"sinh", 1, false, "Hyperbolic sine."},
	{"sqrt", 1, false, "Square root."},
	{"tan", 1, false, "Tangent."},
	{"tanh", 1, false, "Hyperbolic tangent."},
	{"trunc", 1, false, "Rounding towards zero."},
}

func init() {
	for _, o := range ops {
		flags, class, what := opkit.FastMath, ir.IsFloat, "a floating-point type"
		if o.integer {
			flags, class, what = nil, opkit.IsSignlessOrIndex, "a signless integer or index"
		}
		opkit.Define(&ir.OpDef{
			Name: "math." + o.name, Summary: o.summary, Traits: ir.Pure | ir.SameOperandsAndResult,
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
