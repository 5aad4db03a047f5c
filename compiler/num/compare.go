package num

import (
	"slices"
	"strings"

	"loom/compiler/ir"
)

// IntPredicates are the names of arith.cmpi's predicates by their number.
var IntPredicates = [...]string{"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"}

// FloatPredicates are the names of arith.cmpf's predicates by their number.
var FloatPredicates = [...]string{"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
	"ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"}

func truth(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// CompareInt returns arith.cmpi for a predicate number and a width of 1 to 64,
// nil for a number that is no predicate.
func CompareInt(predicate int64, width int) func(a, b uint64) uint64 {
	s := uint(64 - width)
	switch predicate {
	case 0:
		return func(a, b uint64) uint64 { return truth(a == b) }
	case 1:
		return func(a, b uint64) uint64 { return truth(a != b) }
	// Shifting both numbers to the top keeps their signed order.
	case 2:
		return func(a, b uint64) uint64 { return truth(int64(a<<s) < int64(b<<s)) }
	case 3:
		return func(a, b uint64) uint64 { return truth(int64(a<<s) <= int64(b<<s)) }
	case 4:
		return func(a, b uint64) uint64 { return truth(int64(a<<s) > int64(b<<s)) }
	case 5:
		return func(a, b uint64) uint64 { return truth(int64(a<<s) >= int64(b<<s)) }
	case 6:
		return func(a, b uint64) uint64 { return truth(a < b) }
	case 7:
		return func(a, b uint64) uint64 { return truth(a <= b) }
	case 8:
		return func(a, b uint64) uint64 { return truth(a > b) }
	case 9:
		return func(a, b uint64) uint64 { return truth(a >= b) }
	}
	return nil
}

// compareFloat returns the relation of a cmpf predicate, nil for none. Bit 3 of
// the number asks for the unordered variant, which is true on NaN.
func compareFloat(predicate int64) func(a, b float64) bool {
	unordered := predicate&8 != 0
	lift := func(f func(a, b float64) bool) func(a, b float64) bool {
		if !unordered {
			return f // Go's relations are false on NaN, except !=
		}
		return func(a, b float64) bool { return a != a || b != b || f(a, b) }
	}
	switch predicate {
	case 0:
		return func(a, b float64) bool { return false }
	case 1, 8:
		return lift(func(a, b float64) bool { return a == b })
	case 2, 9:
		return lift(func(a, b float64) bool { return a > b })
	case 3, 10:
		return lift(func(a, b float64) bool { return a >= b })
	case 4, 11:
		return lift(func(a, b float64) bool { return a < b })
	case 5, 12:
		return lift(func(a, b float64) bool { return a <= b })
	case 6, 13:
		return lift(func(a, b float64) bool { return a < b || a > b })
	case 7:
		return func(a, b float64) bool { return a == a && b == b }
	case 14:
		return func(a, b float64) bool { return a != a || b != b }
	case 15:
		return func(a, b float64) bool { return true }
	}
	return nil
}

// indexPredicate is the number of the predicate #index<cmp_predicate NAME>, -1
// for any other attribute.
func indexPredicate(a ir.Attr) int64 {
	o, ok := a.(*ir.OpaqueAttr)
	if !ok {
		return -1
	}
	text, found := strings.CutPrefix(o.Text, "#index<")
	text, closed := strings.CutSuffix(text, ">")
	if words := strings.Fields(text); found && closed && len(words) == 2 && words[0] == "cmp_predicate" {
		return int64(slices.Index(IntPredicates[:], words[1]))
	}
	return -1
}

func init() {
	define(2, 1, func(b *build) Form {
		w := b.intWidth(b.in(0), "first operand")
		if b.intWidth(b.in(1), "second operand") != w || b.out(0) != ir.Type(ir.I1) {
			b.fail("'%s' compares two numbers of one type and yields i1", b.op.Name)
		}
		p, ok := b.op.IntAttr("predicate")
		f := CompareInt(p, int(w))
		if !ok || f == nil {
			b.fail("'%s' needs an integer attribute 'predicate' from 0 to %d", b.op.Name, len(IntPredicates)-1)
		}
		return Form{Binary: f}
	}, "arith.cmpi")

	define(2, 1, func(b *build) Form {
		w := b.intWidth(b.in(0), "first operand")
		if b.intWidth(b.in(1), "second operand") != w || b.out(0) != ir.Type(ir.I1) {
			b.fail("'%s' compares two indices and yields i1", b.op.Name)
		}
		f := CompareInt(indexPredicate(b.op.Attr("pred")), int(w))
		if f == nil {
			b.fail("'%s' needs an attribute 'pred' like #index<cmp_predicate slt>", b.op.Name)
		}
		return Form{Binary: f}
	}, "index.cmp")

	define(2, 1, func(b *build) Form {
		f := b.float(b.in(0), "first operand")
		if b.float(b.in(1), "second operand") != f || b.out(0) != ir.Type(ir.I1) {
			b.fail("'%s' compares two floats of one type and yields i1", b.op.Name)
		}
		p, ok := b.op.IntAttr("predicate")
		rel := compareFloat(p)
		if !ok || rel == nil {
			b.fail("'%s' needs an integer attribute 'predicate' from 0 to %d", b.op.Name, len(FloatPredicates)-1)
		}
		return Form{Binary: func(x, y uint64) uint64 { return truth(rel(f.decode(x), f.decode(y))) }}
	}, "arith.cmpf")

	define(3, 1, func(b *build) Form {
		if b.in(0) != ir.Type(ir.I1) || b.in(1) != b.out(0) || b.in(2) != b.out(0) {
			b.fail("'%s' needs an i1 condition and two values of the result's type", b.op.Name)
		}
		b.scalarWidth(b.out(0))
		return Form{Ternary: func(c, x, y uint64) uint64 {
			if c != 0 {
				return x
			}
			return y
		}}
	}, "arith.select")
}

// scalarWidth is the width of an integer, index or float type of 1 to 64 bits.
func (b *build) scalarWidth(t ir.Type) uint {
	if ir.IsFloat(t) {
		return b.float(t, "type").bits
	}
	return b.intWidth(t, "type")
}
