package num

import (
	"loom/compiler/dialect/arith"
	"loom/compiler/dialect/index"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

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
	switch arith.IntPredicate(predicate) {
	case arith.Eq:
		return func(a, b uint64) uint64 { return truth(a == b) }
	case arith.Ne:
		return func(a, b uint64) uint64 { return truth(a != b) }
	// Shifting both operands to the most significant bits keeps their signed order.
	case arith.Slt:
		return func(a, b uint64) uint64 { return truth(int64(a<<s) < int64(b<<s)) }
	case arith.Sle:
		return func(a, b uint64) uint64 { return truth(int64(a<<s) <= int64(b<<s)) }
	case arith.Sgt:
		return func(a, b uint64) uint64 { return truth(int64(a<<s) > int64(b<<s)) }
	case arith.Sge:
		return func(a, b uint64) uint64 { return truth(int64(a<<s) >= int64(b<<s)) }
	case arith.Ult:
		return func(a, b uint64) uint64 { return truth(a < b) }
	case arith.Ule:
		return func(a, b uint64) uint64 { return truth(a <= b) }
	case arith.Ugt:
		return func(a, b uint64) uint64 { return truth(a > b) }
	case arith.Uge:
		return func(a, b uint64) uint64 { return truth(a >= b) }
	}
	return nil
}

// compareFloat returns the relation of a cmpf predicate, nil for none. Bit 3 of
// the predicate selects the unordered variant, which is true on NaN.
func compareFloat(predicate int64) func(a, b float64) bool {
	unordered := predicate&8 != 0
	lift := func(f func(a, b float64) bool) func(a, b float64) bool {
		if !unordered {
			return f // Go's relations are false on NaN, except !=
		}
		return func(a, b float64) bool { return a != a || b != b || f(a, b) }
	}
	switch arith.FloatPredicate(predicate) {
	case arith.Never:
		return func(a, b float64) bool { return false }
	case arith.Oeq, arith.Ueq:
		return lift(func(a, b float64) bool { return a == b })
	case arith.Ogt, arith.UnorderedGt:
		return lift(func(a, b float64) bool { return a > b })
	case arith.Oge, arith.UnorderedGe:
		return lift(func(a, b float64) bool { return a >= b })
	case arith.Olt, arith.UnorderedLt:
		return lift(func(a, b float64) bool { return a < b })
	case arith.Ole, arith.UnorderedLe:
		return lift(func(a, b float64) bool { return a <= b })
	case arith.One, arith.Une:
		return lift(func(a, b float64) bool { return a < b || a > b })
	case arith.Ord:
		return func(a, b float64) bool { return a == a && b == b }
	case arith.Uno:
		return func(a, b float64) bool { return a != a || b != b }
	case arith.Always:
		return func(a, b float64) bool { return true }
	}
	return nil
}

// CompareFloat is the comparison of two words of the float type t by a predicate of arith.cmpf; nil
// where there is no such predicate or type.
func CompareFloat(predicate int64, t ir.Type) func(a, b uint64) uint64 {
	f, ok := formatOf(t)
	rel := compareFloat(predicate)
	if !ok || rel == nil {
		return nil
	}
	return func(x, y uint64) uint64 { return truth(rel(f.decode(x), f.decode(y))) }
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
			b.fail("'%s' needs an integer attribute 'predicate' from 0 to %d", b.op.Name, len(arith.IntPredicates)-1)
		}
		return Form{Binary: f}
	}, opname.ArithCmpI)

	define(2, 1, func(b *build) Form {
		w := b.intWidth(b.in(0), "first operand")
		if b.intWidth(b.in(1), "second operand") != w || b.out(0) != ir.Type(ir.I1) {
			b.fail("'%s' compares two indices and yields i1", b.op.Name)
		}
		p, ok := index.Predicate(b.op)
		f := CompareInt(int64(p), int(w))
		if !ok {
			b.fail("'%s' needs an attribute 'pred' like #index<cmp_predicate slt>", b.op.Name)
		}
		return Form{Binary: f}
	}, opname.IndexCmp)

	define(2, 1, func(b *build) Form {
		if b.float(b.in(1), "second operand") != b.float(b.in(0), "first operand") || b.out(0) != ir.Type(ir.I1) {
			b.fail("'%s' compares two floats of one type and yields i1", b.op.Name)
		}
		p, ok := b.op.IntAttr("predicate")
		f := CompareFloat(p, b.in(0))
		if !ok || f == nil {
			b.fail("'%s' needs an integer attribute 'predicate' from 0 to %d", b.op.Name, len(arith.FloatPredicates)-1)
		}
		return Form{Binary: f}
	}, opname.ArithCmpF)

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
	}, opname.ArithSelect)
}

// scalarWidth is the width of an integer, index or float type of 1 to 64 bits.
func (b *build) scalarWidth(t ir.Type) uint {
	if ir.IsFloat(t) {
		return b.float(t, "type").bits
	}
	return b.intWidth(t, "type")
}
