package arith

import (
	"slices"

	"loom/compiler/ir"
	"loom/compiler/opname"
)

// IntPredicate is a predicate of arith.cmpi, by upstream's number. index.cmp and
// llvm.icmp have the same ones.
type IntPredicate int64

// The predicates of arith.cmpi.
const (
	Eq IntPredicate = iota
	Ne
	Slt
	Sle
	Sgt
	Sge
	Ult
	Ule
	Ugt
	Uge
)

// FloatPredicate is a predicate of arith.cmpf, by upstream's number. llvm.fcmp has
// the same ones.
type FloatPredicate int64

// The predicates of arith.cmpf: the ordered ones are false on NaN, the unordered
// ones true.
const (
	Never FloatPredicate = iota
	Oeq
	Ogt
	Oge
	Olt
	Ole
	One
	Ord
	Ueq
	UnorderedGt
	UnorderedGe
	UnorderedLt
	UnorderedLe
	Une
	Uno
	Always
)

// IntPredicates are the names of the predicates of arith.cmpi by their number.
var IntPredicates = []string{"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"}

// FloatPredicates are the names of the predicates of arith.cmpf by their number.
var FloatPredicates = []string{"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
	"ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"}

// predicateAttr is the attribute of comparisons, an i64.
const predicateAttr = "predicate"

// PredicateOf returns the predicate of an arith.cmpi; ok is false for other operations
// and where the attribute is none.
func PredicateOf(op *ir.Operation) (p IntPredicate, ok bool) {
	n, ok := op.IntAttr(predicateAttr)
	return IntPredicate(n), ok && op.Name == opname.ArithCmpI && n >= int64(Eq) && n <= int64(Uge)
}

// FloatPredicateOf returns the predicate of an arith.cmpf; ok is false for other
// operations and where the attribute is none.
func FloatPredicateOf(op *ir.Operation) (p FloatPredicate, ok bool) {
	n, ok := op.IntAttr(predicateAttr)
	return FloatPredicate(n), ok && op.Name == opname.ArithCmpF && n >= int64(Never) && n <= int64(Always)
}

// ParseIntPredicate returns the predicate of that name.
func ParseIntPredicate(name string) (p IntPredicate, ok bool) {
	i := slices.Index(IntPredicates, name)
	return IntPredicate(i), i >= 0
}

// SetPredicate gives a comparison its predicate.
func SetPredicate[P IntPredicate | FloatPredicate](op *ir.Operation, p P) {
	op.SetAttr(predicateAttr, ir.IntAttr(int64(p), ir.I64))
}

func (p IntPredicate) String() string { return IntPredicates[p] }

func (p FloatPredicate) String() string { return FloatPredicates[p] }

// Negated is the predicate that holds exactly where p does not.
func (p IntPredicate) Negated() IntPredicate {
	return [...]IntPredicate{Ne, Eq, Sge, Sgt, Sle, Slt, Uge, Ugt, Ule, Ult}[p]
}

// Swapped is the predicate for exchanged operands.
func (p IntPredicate) Swapped() IntPredicate {
	return [...]IntPredicate{Eq, Ne, Sgt, Sge, Slt, Sle, Ugt, Uge, Ult, Ule}[p]
}

// Reflexive reports whether p holds between a number and itself.
func (p IntPredicate) Reflexive() bool {
	return p == Eq || p == Sle || p == Sge || p == Ule || p == Uge
}

// Unsigned reports whether p orders numbers without sign.
func (p IntPredicate) Unsigned() bool { return p >= Ult }

// Signed is the same comparison of signed values.
func (p IntPredicate) Signed() IntPredicate {
	if p.Unsigned() {
		return p - Ult + Slt
	}
	return p
}

// Negated is the predicate that holds exactly where p does not: the ordered ones are
// numbered upwards from oeq, their opposites downwards from une.
func (p FloatPredicate) Negated() FloatPredicate {
	switch p {
	case Never, Always:
		return Always - p
	case Ord, Uno:
		return Ord + Uno - p
	}
	return Uno - p
}
