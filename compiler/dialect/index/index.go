// Package index registers MLIR's index dialect: arithmetic on values of type
// index and nothing else, whose operations therefore spell no type.
package index

import (
	"strings"

	"loom/compiler/diag"
	"loom/compiler/dialect/arith"
	"loom/compiler/dialect/internal/opkit"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
)

const (
	sameType    = ir.Pure | ir.SameOperandsAndResult
	commutative = sameType | ir.Commutative
	constant    = ir.Pure | ir.ConstantLike
)

// binary lists the operations "%a, %b".
var binary = []struct {
	name    string
	traits  ir.Trait
	twin    string
	summary string
}{
	{opname.IndexAdd, commutative, opname.ArithAddI, "Index addition, modulo 2^width."},
	{opname.IndexSub, sameType, opname.ArithSubI, "Index subtraction, modulo 2^width."},
	{opname.IndexMul, commutative, opname.ArithMulI, "Index multiplication, modulo 2^width."},
	// Division is not Pure, though it is upstream: a zero divisor is undefined,
	// so it must not be executed where the program would not.
	{opname.IndexDivs, ir.SameOperandsAndResult, opname.ArithDivSI, "Signed index division, rounded towards zero."},
	{opname.IndexDivu, ir.SameOperandsAndResult, opname.ArithDivUI, "Unsigned index division."},
	{opname.IndexCeildivs, ir.SameOperandsAndResult, opname.ArithCeilDivSI, "Signed index division, rounded towards positive infinity."},
	{opname.IndexCeildivu, ir.SameOperandsAndResult, opname.ArithCeilDivUI, "Unsigned index division, rounded up."},
	{opname.IndexFloordivs, ir.SameOperandsAndResult, opname.ArithFloorDivSI, "Signed index division, rounded towards negative infinity."},
	{opname.IndexRems, ir.SameOperandsAndResult, opname.ArithRemSI, "Signed index remainder; the sign is the dividend's."},
	{opname.IndexRemu, ir.SameOperandsAndResult, opname.ArithRemUI, "Unsigned index remainder."},
	{opname.IndexMaxs, commutative, opname.ArithMaxSI, "Signed maximum of indices."},
	{opname.IndexMaxu, commutative, opname.ArithMaxUI, "Unsigned maximum of indices."},
	{opname.IndexMins, commutative, opname.ArithMinSI, "Signed minimum of indices."},
	{opname.IndexMinu, commutative, opname.ArithMinUI, "Unsigned minimum of indices."},
	{opname.IndexShl, sameType, opname.ArithShLI, "Index shift left; an amount of at least the width gives poison."},
	{opname.IndexShrs, sameType, opname.ArithShRSI, "Arithmetic index shift right."},
	{opname.IndexShru, sameType, opname.ArithShRUI, "Logical index shift right."},
	{opname.IndexAnd, commutative, opname.ArithAndI, "Bitwise and of indices."},
	{opname.IndexOr, commutative, opname.ArithOrI, "Bitwise or of indices."},
	{opname.IndexXor, commutative, opname.ArithXOrI, "Bitwise exclusive or of indices."},
}

func init() {
	for _, b := range binary {
		opkit.Define(&ir.OpDef{
			Name: b.name, Summary: b.summary, Traits: b.traits, Twin: b.twin,
			Verify: opkit.Seq(opkit.Shape(2, 1, 0), operandsAreIndices, resultIs(ir.Index)),
		}, binaryAsm)
	}
	opkit.Define(&ir.OpDef{
		Name: opname.IndexCmp, Summary: "Index comparison by a predicate.", Traits: ir.Pure, Twin: opname.ArithCmpI,
		Verify: opkit.Seq(opkit.Shape(2, 1, 0), operandsAreIndices, resultIs(ir.I1), verifyPredicate),
	}, compareAsm)
	for _, c := range []struct{ name, twin, summary string }{
		{opname.IndexCasts, opname.ArithIndexCast, "Conversion between index and an integer, by sign extension or truncation."},
		{opname.IndexCastu, opname.ArithIndexCastUI, "Conversion between index and an integer, by zero extension or truncation."},
	} {
		opkit.Define(&ir.OpDef{
			Name: c.name, Summary: c.summary, Traits: ir.Pure, Twin: c.twin,
			Verify: opkit.Seq(opkit.Shape(1, 1, 0), verifyCast),
		}, opkit.CastAsm(nil))
	}
	opkit.Define(&ir.OpDef{
		Name: opname.IndexConstant, Summary: "A compile-time constant of type index.", Traits: constant, Twin: opname.ArithConstant,
		Verify: opkit.Seq(opkit.Shape(0, 1, 0), resultIs(ir.Index), valueIs(ir.Index)),
	}, constantAsm(ir.Index))
	opkit.Define(&ir.OpDef{
		Name: opname.IndexBoolConstant, Summary: "A compile-time truth value.", Traits: constant, Twin: opname.ArithConstant,
		Verify: opkit.Seq(opkit.Shape(0, 1, 0), resultIs(ir.I1), valueIs(ir.I1)),
	}, constantAsm(ir.I1))
	// Not ConstantLike: the value belongs to the target, not to the program.
	opkit.Define(&ir.OpDef{
		Name: opname.IndexSizeof, Summary: "The width of the type index in bits.", Traits: ir.Pure,
		Verify: opkit.Seq(opkit.Shape(0, 1, 0), resultIs(ir.Index)),
	}, sizeofAsm)
}

// The text of a predicate attribute is "#index<cmp_predicate slt>".
const (
	predicatePrefix = "#index<"
	predicateWord   = "cmp_predicate"
	predicateSuffix = ">"
)

// Predicate returns the predicate of an index.cmp; ok is false where the attribute
// is missing or another.
func Predicate(op *ir.Operation) (p arith.IntPredicate, ok bool) {
	a, ok := op.Attr("pred").(*ir.OpaqueAttr)
	if !ok {
		return 0, false
	}
	text, found := strings.CutPrefix(a.Text, predicatePrefix)
	text, closed := strings.CutSuffix(text, predicateSuffix)
	words := strings.Fields(text)
	if !found || !closed || len(words) != 2 || words[0] != predicateWord {
		return 0, false
	}
	return arith.ParseIntPredicate(words[1])
}

// PredicateAttr makes the predicate attribute of index.cmp.
func PredicateAttr(p arith.IntPredicate) ir.Attr {
	return &ir.OpaqueAttr{Text: predicatePrefix + predicateWord + " " + p.String() + predicateSuffix}
}

func verifyPredicate(op *ir.Operation, errs *diag.List) {
	a := op.Attr("pred")
	_, ok := Predicate(op)
	switch {
	case a == nil:
		opkit.Errorf(op, errs, "needs the attribute 'pred' (a predicate)")
	case !ok:
		opkit.Errorf(op, errs, "attribute 'pred' is %s, expected %s%s …%s", a, predicatePrefix, predicateWord, predicateSuffix).
			WithHelp("the predicates are %s", strings.Join(arith.IntPredicates, ", "))
	}
}

func operandsAreIndices(op *ir.Operation, errs *diag.List) {
	opkit.IndexAll(op, errs, "operand", op.Operands())
}

func resultIs(t ir.Type) opkit.Verifier {
	return func(op *ir.Operation, errs *diag.List) {
		opkit.Exactly(op, errs, "the result", op.Result(0).Type, t)
	}
}

// verifyCast allows integers of any signedness, as upstream does.
func verifyCast(op *ir.Operation, errs *diag.List) {
	a, b := op.Operand(0).Type, op.Result(0).Type
	_, fromInt := a.(*ir.IntegerType)
	_, toInt := b.(*ir.IntegerType)
	if a == ir.Type(ir.Index) && toInt || fromInt && b == ir.Type(ir.Index) {
		return
	}
	opkit.Errorf(op, errs, "converts between index and an integer, not from %s to %s", a, b)
}

func valueIs(t ir.Type) opkit.Verifier {
	return func(op *ir.Operation, errs *diag.List) {
		if a, ok := opkit.Attr[*ir.IntegerAttr](op, errs, "value", "a value of type "+t.String()); ok && a.Type != t {
			opkit.Errorf(op, errs, "has the value %s, expected one of type %s", a, t)
		}
	}
}

// binaryAsm is "%a, %b {attrs}".
var binaryAsm = mlir.Asm{
	Parse: func(p *mlir.OpParser, st *mlir.OpState) {
		us := opkit.ParseFixed(p, 2)
		p.ParseOptionalAttrDict(st)
		p.ResolveAll(st, ir.Index, us...)
		st.Types = append(st.Types, ir.Index)
	},
	Print: func(p *mlir.OpPrinter, op *ir.Operation) {
		p.Text(" ")
		p.Operands(op.Operands())
		p.AttrDict(op.Attrs)
	},
}

// compareAsm is "slt(%a, %b) {attrs}".
var compareAsm = mlir.Asm{
	Parse: func(p *mlir.OpParser, st *mlir.OpState) {
		n := p.ParseOneOf("a predicate", arith.IntPredicates...)
		p.ParsePunct("(")
		us := opkit.ParseFixed(p, 2)
		p.ParsePunct(")")
		p.ParseOptionalAttrDict(st)
		st.Set("pred", PredicateAttr(arith.IntPredicate(n)))
		p.ResolveAll(st, ir.Index, us...)
		st.Types = append(st.Types, ir.I1)
	},
	Print: func(p *mlir.OpPrinter, op *ir.Operation) {
		pred, ok := Predicate(op)
		if !ok {
			panic("no predicate") // the generic form shows what is there
		}
		p.Printf(" %s(", pred)
		p.Operands(op.Operands())
		p.Text(")")
		p.AttrDict(op.Attrs, "pred")
	},
	// Blanks inside the brackets do not count.
	Normalize: func(op *ir.Operation) {
		if p, ok := Predicate(op); ok {
			op.SetAttr("pred", PredicateAttr(p))
		}
	},
}

// constantAsm is "{attrs} 5", or "{attrs} true" for a truth value.
func constantAsm(t ir.Type) mlir.Asm {
	return mlir.Asm{
		Parse: func(p *mlir.OpParser, st *mlir.OpState) {
			p.ParseOptionalAttrDict(st)
			pos := p.Pos()
			a, ok := p.ParseAttribute(t).(*ir.IntegerAttr)
			if !ok || a.Type != t {
				p.Fail(pos, "expected a value of type %s", t)
			}
			st.Set("value", a)
			st.Types = append(st.Types, t)
		},
		Print: func(p *mlir.OpPrinter, op *ir.Operation) {
			p.AttrDict(op.Attrs, "value")
			p.Text(" ")
			p.AttrWithoutType(op.Attr("value"))
		},
	}
}

// sizeofAsm is "{attrs}".
var sizeofAsm = mlir.Asm{
	Parse: func(p *mlir.OpParser, st *mlir.OpState) {
		p.ParseOptionalAttrDict(st)
		st.Types = append(st.Types, ir.Index)
	},
	Print: func(p *mlir.OpPrinter, op *ir.Operation) { p.AttrDict(op.Attrs) },
}
