package arith

import "loom/compiler/opname"

// Combinations are the functions of two values that memref.atomic_rmw and
// affine.parallel name, by their number in upstream's AtomicRMWKind: the word in the
// assembly, and the operation that combines, "" for assignment.
var Combinations = []struct{ Word, Op string }{
	{"addf", opname.ArithAddF}, {"addi", opname.ArithAddI}, {"assign", ""}, {"maximumf", opname.ArithMaximumF},
	{"maxs", opname.ArithMaxSI}, {"maxu", opname.ArithMaxUI}, {"minimumf", opname.ArithMinimumF}, {"mins", opname.ArithMinSI},
	{"minu", opname.ArithMinUI}, {"mulf", opname.ArithMulF}, {"muli", opname.ArithMulI}, {"ori", opname.ArithOrI},
	{"andi", opname.ArithAndI}, {"maxnumf", opname.ArithMaxNumF}, {"minnumf", opname.ArithMinNumF},
}

// CombinationWords are the words of Combinations.
func CombinationWords() []string {
	var words []string
	for _, c := range Combinations {
		words = append(words, c.Word)
	}
	return words
}
