package cgen

import (
	"loom/compiler/dialect/arith"
	"loom/compiler/dialect/index"
	"loom/compiler/ir"
)

// predicate is the predicate of an arith.cmpi or index.cmp.
func predicate(op *ir.Operation) (p arith.IntPredicate, ok bool) {
	if p, ok = arith.PredicateOf(op); ok {
		return p, true
	}
	return index.Predicate(op)
}

// atLimit reports whether a value is a constant at the end of its type's range, with
// which compilers warn of comparisons that are always true.
func (f *function) atLimit(v *ir.Value) bool {
	c, ok := f.constantOf(v)
	w := f.width(v.Type)
	top := ^uint64(0) >> (64 - w)
	return ok && (c == 0 || c == top || c == top>>1 || c == top>>1+1)
}

func (f *function) compare(p arith.IntPredicate, a, b *ir.Value) string {
	sign := [...]string{"==", "!=", "<", "<=", ">", ">=", "<", "<=", ">", ">="}[p]
	if a == b {
		// Nothing is read; what a number compared with itself gives is known.
		if p.Reflexive() {
			return "1u"
		}
		return "0u"
	}
	if p > arith.Ne && (f.atLimit(a) || f.atLimit(b)) {
		if folded, known := f.known(p, a, b); known {
			return folded
		}
	}
	x, y := f.val(a), f.val(b)
	if p > arith.Ne && !p.Unsigned() {
		x, y = f.signedOf(a), f.signedOf(b)
	}
	return "(uint8_t)(" + x + " " + sign + " " + y + ")"
}

// known folds comparisons with an end of the range that hold for every number, or for
// none.
func (f *function) known(p arith.IntPredicate, a, b *ir.Value) (string, bool) {
	w := f.width(a.Type)
	low, high := uint64(0), ^uint64(0)>>(64-w)
	if !p.Unsigned() {
		low, high = high>>1+1, high>>1
	}
	is := func(v *ir.Value, limit uint64) bool { c, ok := f.constantOf(v); return ok && c == limit }
	switch p {
	case arith.Slt, arith.Ult: // a < b
		if is(a, high) || is(b, low) {
			return "0u", true
		}
	case arith.Sle, arith.Ule: // a <= b
		if is(a, low) || is(b, high) {
			return "1u", true
		}
	case arith.Sgt, arith.Ugt: // a > b
		if is(a, low) || is(b, high) {
			return "0u", true
		}
	case arith.Sge, arith.Uge: // a >= b
		if is(a, high) || is(b, low) {
			return "1u", true
		}
	}
	return "", false
}

func (f *function) compareFloat(p arith.FloatPredicate, a, b string) string {
	var s string
	switch p {
	case arith.Never:
		return "0u"
	case arith.Oeq:
		s = a + " == " + b
	case arith.Ogt:
		s = a + " > " + b
	case arith.Oge:
		s = a + " >= " + b
	case arith.Olt:
		s = a + " < " + b
	case arith.Ole:
		s = a + " <= " + b
	case arith.One:
		s = a + " < " + b + " || " + a + " > " + b
	case arith.Ord:
		s = a + " == " + a + " && " + b + " == " + b
	case arith.Ueq:
		s = "!(" + a + " < " + b + " || " + a + " > " + b + ")"
	case arith.UnorderedGt:
		s = "!(" + a + " <= " + b + ")"
	case arith.UnorderedGe:
		s = "!(" + a + " < " + b + ")"
	case arith.UnorderedLt:
		s = "!(" + a + " >= " + b + ")"
	case arith.UnorderedLe:
		s = "!(" + a + " > " + b + ")"
	case arith.Une:
		s = a + " != " + b
	case arith.Uno:
		s = a + " != " + a + " || " + b + " != " + b
	case arith.Always:
		return "1u"
	default:
		return ""
	}
	return "(uint8_t)(" + s + ")"
}
