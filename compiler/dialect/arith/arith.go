// Package arith registers MLIR's arith dialect: integer and floating-point
// arithmetic on signless integers, index and floats, and on vectors and tensors
// of them.
package arith

import (
	"loom/compiler/diag"
	"loom/compiler/dialect/internal/opkit"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

const (
	pure        = ir.Pure
	sameType    = ir.Pure | ir.SameOperandsAndResult
	commutative = sameType | ir.Commutative
)

// facts are what holds of all values of an operation.
type facts struct {
	reads    []ir.Extension
	identity *int64
}

var (
	zero, one, ones int64 = 0, 1, -1

	anyBits      = []ir.Extension{ir.AnyBits, ir.AnyBits}
	bothUnsigned = []ir.Extension{ir.Zeros, ir.Zeros}
	bothSigned   = []ir.Extension{ir.Signs, ir.Signs}
)

// binary lists the operations "%a, %b : T" on integers or floats.
var binary = []struct {
	name    string
	traits  ir.Trait
	flags   *opkit.Flags
	facts   facts
	summary string
}{
	{opname.ArithAddI, commutative, opkit.Overflow, facts{anyBits, &zero}, "Integer addition, modulo 2^width."},
	{opname.ArithSubI, sameType, opkit.Overflow, facts{anyBits, &zero}, "Integer subtraction, modulo 2^width."},
	{opname.ArithMulI, commutative, opkit.Overflow, facts{anyBits, &one}, "Integer multiplication, modulo 2^width."},
	// Division is not Pure: a zero divisor is undefined, so it must not be
	// executed where the program would not.
	{opname.ArithDivSI, ir.SameOperandsAndResult, nil, facts{bothSigned, &one}, "Signed integer division, rounded towards zero."},
	{opname.ArithDivUI, ir.SameOperandsAndResult, nil, facts{bothUnsigned, &one}, "Unsigned integer division."},
	{opname.ArithCeilDivSI, ir.SameOperandsAndResult, nil, facts{bothSigned, &one}, "Signed integer division, rounded towards positive infinity."},
	{opname.ArithCeilDivUI, ir.SameOperandsAndResult, nil, facts{bothUnsigned, &one}, "Unsigned integer division, rounded up."},
	{opname.ArithFloorDivSI, ir.SameOperandsAndResult, nil, facts{bothSigned, &one}, "Signed integer division, rounded towards negative infinity."},
	{opname.ArithRemSI, ir.SameOperandsAndResult, nil, facts{reads: bothSigned}, "Signed integer remainder; the sign is the dividend's."},
	{opname.ArithRemUI, ir.SameOperandsAndResult, nil, facts{reads: bothUnsigned}, "Unsigned integer remainder."},
	{opname.ArithAndI, commutative, nil, facts{anyBits, &ones}, "Bitwise and."},
	{opname.ArithOrI, commutative, nil, facts{anyBits, &zero}, "Bitwise or."},
	{opname.ArithXOrI, commutative, nil, facts{anyBits, &zero}, "Bitwise exclusive or."},
	{opname.ArithShLI, sameType, opkit.Overflow, facts{[]ir.Extension{ir.AnyBits, ir.Zeros}, &zero}, "Shift left; an amount of at least the width gives poison."},
	{opname.ArithShRSI, sameType, nil, facts{[]ir.Extension{ir.Signs, ir.Zeros}, &zero}, "Arithmetic shift right."},
	{opname.ArithShRUI, sameType, nil, facts{bothUnsigned, &zero}, "Logical shift right."},
	{opname.ArithMaxSI, commutative, nil, facts{reads: bothSigned}, "Signed maximum."},
	{opname.ArithMaxUI, commutative, nil, facts{reads: bothUnsigned}, "Unsigned maximum."},
	{opname.ArithMinSI, commutative, nil, facts{reads: bothSigned}, "Signed minimum."},
	{opname.ArithMinUI, commutative, nil, facts{reads: bothUnsigned}, "Unsigned minimum."},
	{opname.ArithAddF, commutative, opkit.FastMath, facts{}, "Floating-point addition."},
	{opname.ArithSubF, sameType, opkit.FastMath, facts{}, "Floating-point subtraction."},
	{opname.ArithMulF, commutative, opkit.FastMath, facts{}, "Floating-point multiplication."},
	{opname.ArithDivF, sameType, opkit.FastMath, facts{}, "Floating-point division."},
	{opname.ArithRemF, sameType, opkit.FastMath, facts{}, "Floating-point remainder; the sign is the dividend's."},
	{opname.ArithMaximumF, commutative, opkit.FastMath, facts{}, "Floating-point maximum; NaN if an operand is NaN."},
	{opname.ArithMaxNumF, commutative, opkit.FastMath, facts{}, "Floating-point maximum; the other operand if one is NaN."},
	{opname.ArithMinimumF, commutative, opkit.FastMath, facts{}, "Floating-point minimum; NaN if an operand is NaN."},
	{opname.ArithMinNumF, commutative, opkit.FastMath, facts{}, "Floating-point minimum; the other operand if one is NaN."},
}

// casts lists the operations "%x : T to U".
var casts = []struct {
	name    string
	flags   *opkit.Flags
	from    typeClass
	to      typeClass
	width   widthRule
	summary string
}{
	{opname.ArithExtSI, nil, signless, signless, wider, "Sign extension to a wider integer."},
	{opname.ArithExtUI, nil, signless, signless, wider, "Zero extension to a wider integer."},
	{opname.ArithTruncI, opkit.Overflow, signless, signless, narrower, "Truncation to a narrower integer."},
	{opname.ArithExtF, opkit.FastMath, float, float, wider, "Conversion to a wider float."},
	{opname.ArithSIToFP, nil, signless, float, anyWidth, "Conversion of a signed integer to a float."},
	{opname.ArithUIToFP, nil, signless, float, anyWidth, "Conversion of an unsigned integer to a float."},
	{opname.ArithFPToSI, nil, float, signless, anyWidth, "Conversion of a float to a signed integer, towards zero."},
	{opname.ArithFPToUI, nil, float, signless, anyWidth, "Conversion of a float to an unsigned integer, towards zero."},
	{opname.ArithBitcast, nil, number, number, equal, "The same bits as another type of the same width."},
}

func init() {
	for _, b := range binary {
		class := signlessOrIndex
		if b.flags == opkit.FastMath {
			class = float
		}
		opkit.Define(&ir.OpDef{
			Name: b.name, Summary: b.summary, Traits: b.traits, Reads: b.facts.reads, Identity: b.facts.identity,
			Verify: opkit.Seq(opkit.Shape(2, 1, 0), opkit.SameTypes, class.check, b.flags.Verify),
		}, opkit.SameTypeAsm(2, 1, b.flags))
	}
	opkit.Define(&ir.OpDef{
		Name: opname.ArithNegF, Summary: "Floating-point negation.", Traits: sameType,
		Verify: opkit.Seq(opkit.Shape(1, 1, 0), opkit.SameTypes, float.check, opkit.FastMath.Verify),
	}, opkit.SameTypeAsm(1, 1, opkit.FastMath))
	for _, m := range []struct{ name, summary string }{
		{opname.ArithMulSIExtended, "Signed multiplication: low and high half of the product."},
		{opname.ArithMulUIExtended, "Unsigned multiplication: low and high half of the product."},
	} {
		opkit.Define(&ir.OpDef{
			Name: m.name, Summary: m.summary, Traits: commutative,
			Verify: opkit.Seq(opkit.Shape(2, 2, 0), opkit.SameTypes, signlessOrIndex.check),
		}, opkit.SameTypeAsm(2, 2, nil))
	}
	for _, c := range casts {
		opkit.Define(&ir.OpDef{
			Name: c.name, Summary: c.summary, Traits: pure,
			Verify: opkit.Seq(opkit.Shape(1, 1, 0), castVerifier(c.from, c.to, c.width), c.flags.Verify),
		}, opkit.CastAsm(c.flags))
	}
	for _, c := range []struct{ name, summary string }{
		{opname.ArithIndexCast, "Conversion between index and a signed integer."},
		{opname.ArithIndexCastUI, "Conversion between index and an unsigned integer."},
	} {
		opkit.Define(&ir.OpDef{
			Name: c.name, Summary: c.summary, Traits: pure,
			Verify: opkit.Seq(opkit.Shape(1, 1, 0), verifyIndexCast),
		}, opkit.CastAsm(nil))
	}
	opkit.Define(&ir.OpDef{
		Name: opname.ArithTruncF, Summary: "Conversion to a narrower float.", Traits: pure,
		Verify: opkit.Seq(opkit.Shape(1, 1, 0), castVerifier(float, float, narrower), opkit.FastMath.Verify, verifyRounding),
	}, truncfAsm)
	opkit.Define(&ir.OpDef{
		Name: opname.ArithAddUIExtended, Summary: "Unsigned addition: sum and carry.", Traits: pure | ir.Commutative,
		Verify: opkit.Seq(opkit.Shape(2, 2, 0), verifyAddExtended),
	}, addExtendedAsm)
	opkit.Define(&ir.OpDef{
		Name: opname.ArithCmpI, Summary: "Integer comparison by a predicate.", Traits: pure,
		Verify: opkit.Seq(opkit.Shape(2, 1, 0), compareVerifier(signlessOrIndex, IntPredicates)),
	}, compareAsm(IntPredicates, nil))
	opkit.Define(&ir.OpDef{
		Name: opname.ArithCmpF, Summary: "Floating-point comparison by a predicate.", Traits: pure,
		Verify: opkit.Seq(opkit.Shape(2, 1, 0), compareVerifier(float, FloatPredicates), opkit.FastMath.Verify),
	}, compareAsm(FloatPredicates, opkit.FastMath))
	opkit.Define(&ir.OpDef{
		Name: opname.ArithSelect, Summary: "The second operand if the first is true, else the third; all are consumed.", Traits: pure,
		Verify: opkit.Seq(opkit.Shape(3, 1, 0), verifySelect),
	}, selectAsm)
	opkit.Define(&ir.OpDef{
		Name: opname.ArithConstant, Summary: "A compile-time constant.", Traits: pure | ir.ConstantLike,
		Verify: opkit.Seq(opkit.Shape(0, 1, 0), verifyConstant),
	}, constantAsm)
}

func castVerifier(from, to typeClass, rule widthRule) opkit.Verifier {
	return func(op *ir.Operation, errs *diag.List) {
		a, b := op.Operand(0).Type, op.Result(0).Type
		if !opkit.Typed(op, errs, "the operand", a, from.ok, from.name) ||
			!opkit.Typed(op, errs, "the result", b, to.ok, to.name) || !sameShape(op, errs, a, b) {
			return
		}
		rule.check(op, errs, opkit.Elem(a), opkit.Elem(b))
	}
}

func sameShape(op *ir.Operation, errs *diag.List, a, b ir.Type) bool {
	if opkit.SameShape(a, b) {
		return true
	}
	opkit.Errorf(op, errs, "%s and %s have different shapes", a, b)
	return false
}
