package cgen

import (
	"strings"

	"loom/compiler/ir"
	"loom/compiler/num"
)

// predicate is the number of a comparison's predicate, -1 for none.
func predicate(op *ir.Operation) int64 {
	if p, ok := op.IntAttr("predicate"); ok {
		return p
	}
	if o, ok := op.Attr("pred").(*ir.OpaqueAttr); ok {
		for i, n := range num.IntPredicates {
			if strings.HasSuffix(o.Text, " "+n+">") {
				return int64(i)
			}
		}
	}
	return -1
}

// atLimit tells whether a value is a constant at the end of its type's range, with
// which compilers warn of comparisons that are always true.
func (f *function) atLimit(v *ir.Value) bool {
	c, ok := f.constantOf(v)
	w := f.width(v.Type)
	top := ^uint64(0) >> (64 - w)
	return ok && (c == 0 || c == top || c == top>>1 || c == top>>1+1)
}

func (f *function) compare(p int64, a, b *ir.Value) string {
	sign := [...]string{"==", "!=", "<", "<=", ">", ">=", "<", "<=", ">", ">="}[p]
	if a == b {
		// Nothing is read; what a number compared with itself gives is known.
		if p == 0 || p == 3 || p == 5 || p == 7 || p == 9 {
			return "1u"
		}
		return "0u"
	}
	if p >= 2 && (f.atLimit(a) || f.atLimit(b)) {
		if folded, known := f.known(p, a, b); known {
			return folded
		}
	}
	x, y := f.val(a), f.val(b)
	if p >= 2 && p <= 5 {
		x, y = f.signedOf(a), f.signedOf(b)
	}
	return "(uint8_t)(" + x + " " + sign + " " + y + ")"
}

// known folds comparisons with an end of the range that hold for every number, or for
// none.
func (f *function) known(p int64, a, b *ir.Value) (string, bool) {
	w := f.width(a.Type)
	low, high := uint64(0), ^uint64(0)>>(64-w)
	if p <= 5 {
		low, high = high>>1+1, high>>1
	}
	is := func(v *ir.Value, limit uint64) bool { c, ok := f.constantOf(v); return ok && c == limit }
	switch p {
	case 2, 6: // a < b
		if is(a, high) || is(b, low) {
			return "0u", true
		}
	case 3, 7: // a <= b
		if is(a, low) || is(b, high) {
			return "1u", true
		}
	case 4, 8: // a > b
		if is(a, low) || is(b, high) {
			return "0u", true
		}
	case 5, 9: // a >= b
		if is(a, high) || is(b, low) {
			return "1u", true
		}
	}
	return "", false
}

func (f *function) compareFloat(p int64, a, b string) string {
	var s string
	switch p {
	case 0:
		return "0u"
	case 1:
		s = a + " == " + b
	case 2:
		s = a + " > " + b
	case 3:
		s = a + " >= " + b
	case 4:
		s = a + " < " + b
	case 5:
		s = a + " <= " + b
	case 6:
		s = a + " < " + b + " || " + a + " > " + b
	case 7:
		s = a + " == " + a + " && " + b + " == " + b
	case 8:
		s = "!(" + a + " < " + b + " || " + a + " > " + b + ")"
	case 9:
		s = "!(" + a + " <= " + b + ")"
	case 10:
		s = "!(" + a + " < " + b + ")"
	case 11:
		s = "!(" + a + " >= " + b + ")"
	case 12:
		s = "!(" + a + " > " + b + ")"
	case 13:
		s = a + " != " + b
	case 14:
		s = a + " != " + a + " || " + b + " != " + b
	case 15:
		return "1u"
	default:
		return ""
	}
	return "(uint8_t)(" + s + ")"
}
