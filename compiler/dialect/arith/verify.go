package arith

import (
	"strings"

	"loom/compiler/diag"
	"loom/compiler/dialect/internal/opkit"
	"loom/compiler/ir"
)

// typeClass is a set of scalar types with a name for messages.
type typeClass struct {
	name string
	ok   func(ir.Type) bool
}

var (
	signless        = typeClass{"a signless integer", opkit.IsSignless}
	signlessOrIndex = typeClass{"a signless integer or index", opkit.IsSignlessOrIndex}
	float           = typeClass{"a floating-point type", ir.IsFloat}
	number          = typeClass{"a signless integer or float", func(t ir.Type) bool { return opkit.IsSignless(t) || ir.IsFloat(t) }}
)

// check checks the type of operand #0; the others are equal to it.
func (c typeClass) check(op *ir.Operation, errs *diag.List) {
	opkit.Typed(op, errs, "operand #0", op.Operand(0).Type, c.ok, c.name)
}

// widthRule relates the widths of the two sides of a cast.
type widthRule int

const (
	anyWidth widthRule = iota
	wider
	narrower
	equal
)

func (r widthRule) check(op *ir.Operation, errs *diag.List, from, to ir.Type) {
	a, okA := width(from)
	b, okB := width(to)
	if !okA || !okB {
		return
	}
	switch {
	case r == wider && a >= b:
		opkit.Errorf(op, errs, "result type %s must be wider than operand type %s", to, from)
	case r == narrower && a <= b:
		opkit.Errorf(op, errs, "result type %s must be narrower than operand type %s", to, from)
	case r == equal && a != b:
		opkit.Errorf(op, errs, "result type %s must have the width of operand type %s", to, from)
	}
}

// width is the width in bits of a number. ir.BitWidth knows the floats that
// hardware has; the others matter only for the direction of a cast.
func width(t ir.Type) (int, bool) {
	f, ok := t.(*ir.FloatType)
	if !ok {
		return ir.BitWidth(t, 64)
	}
	switch f.Name {
	case "tf32":
		return 19, true
	case "f80":
		return 80, true
	case "f128":
		return 128, true
	}
	if strings.HasPrefix(f.Name, "f8") {
		return 8, true
	}
	if w, ok := ir.BitWidth(t, 64); ok {
		return w, true
	}
	return 0, false
}

func verifyIndexCast(op *ir.Operation, errs *diag.List) {
	a, b := castElem(op.Operand(0).Type), castElem(op.Result(0).Type)
	isIndex := func(t ir.Type) bool { return t == ir.Type(ir.Index) }
	if isIndex(a) && opkit.IsSignless(b) || opkit.IsSignless(a) && isIndex(b) {
		sameShape(op, errs, op.Operand(0).Type, op.Result(0).Type)
		return
	}
	opkit.Errorf(op, errs, "converts between index and a signless integer, not from %s to %s", op.Operand(0).Type, op.Result(0).Type)
}

// castElem sees through memrefs as well: index_cast works on them too.
func castElem(t ir.Type) ir.Type {
	if m, ok := t.(*ir.MemRefType); ok {
		return m.Elem
	}
	return opkit.Elem(t)
}

func verifyAddExtended(op *ir.Operation, errs *diag.List) {
	t := op.Operand(0).Type
	if !opkit.Typed(op, errs, "operand #0", t, signlessOrIndex.ok, signlessOrIndex.name) {
		return
	}
	opkit.Exactly(op, errs, "operand #1", op.Operand(1).Type, t)
	opkit.Exactly(op, errs, "the sum", op.Result(0).Type, t)
	opkit.Exactly(op, errs, "the carry", op.Result(1).Type, opkit.WithElem(t, ir.I1))
}

func compareVerifier(class typeClass, names []string) opkit.Verifier {
	return func(op *ir.Operation, errs *diag.List) {
		t := op.Operand(0).Type
		opkit.Typed(op, errs, "operand #0", t, class.ok, class.name)
		opkit.Exactly(op, errs, "operand #1", op.Operand(1).Type, t)
		opkit.Exactly(op, errs, "the result", op.Result(0).Type, opkit.WithElem(t, ir.I1))
		a, ok := opkit.Attr[*ir.IntegerAttr](op, errs, "predicate", "an i64")
		if !ok {
			return
		}
		if a.Type != ir.Type(ir.I64) {
			opkit.Errorf(op, errs, "attribute 'predicate' has type %s, expected i64", a.Type)
		}
		if a.Value < 0 || a.Value >= int64(len(names)) {
			opkit.Errorf(op, errs, "predicate %d is out of range, expected 0 to %d", a.Value, len(names)-1).
				WithHelp("the predicates are %s", strings.Join(names, ", "))
		}
	}
}

func verifySelect(op *ir.Operation, errs *diag.List) {
	t := op.Result(0).Type
	opkit.Exactly(op, errs, "operand #1", op.Operand(1).Type, t)
	opkit.Exactly(op, errs, "operand #2", op.Operand(2).Type, t)
	if c := op.Operand(0).Type; c != ir.Type(ir.I1) {
		opkit.Exactly(op, errs, "the condition", c, opkit.WithElem(t, ir.I1))
	}
}

func verifyConstant(op *ir.Operation, errs *diag.List) {
	a := op.Attr("value")
	t := op.Result(0).Type
	var have ir.Type
	switch a := a.(type) {
	case nil:
		opkit.Errorf(op, errs, "needs the attribute 'value'")
		return
	case *ir.IntegerAttr:
		have = a.Type
		if it, ok := a.Type.(*ir.IntegerType); ok && it.Sign != ir.Signless {
			opkit.Errorf(op, errs, "has the value %s, expected a signless integer", a)
			return
		}
	case *ir.FloatAttr:
		have = a.Type
	case *ir.DenseElementsAttr:
		have = a.Type
	case *ir.OpaqueAttr:
		return // a resource or sparse constant, kept as text
	default:
		opkit.Errorf(op, errs, "has the value %s, expected a number or dense elements", a)
		return
	}
	opkit.Exactly(op, errs, "the result", t, have)
}

var roundingModes = []string{"to_nearest_even", "downward", "upward", "toward_zero", "to_nearest_away"}

// verifyRounding checks truncf's rounding mode, an i32 enumeration.
func verifyRounding(op *ir.Operation, errs *diag.List) {
	a, ok := opkit.OptionalAttr[*ir.IntegerAttr](op, errs, "roundingmode", "an i32")
	if ok && (a.Value < 0 || a.Value >= int64(len(roundingModes))) {
		opkit.Errorf(op, errs, "rounding mode %d is out of range, expected 0 to %d", a.Value, len(roundingModes)-1)
	}
}
