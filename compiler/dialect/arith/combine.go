package arith

// Combinations are the ways to combine two values that memref.atomic_rmw and
// affine.parallel name, by their number in upstream's AtomicRMWKind: the word in the
// assembly, and the operation that combines, "" for assignment.
var Combinations = []struct{ Word, Op string }{
	{"addf", "arith.addf"}, {"addi", "arith.addi"}, {"assign", ""}, {"maximumf", "arith.maximumf"},
	{"maxs", "arith.maxsi"}, {"maxu", "arith.maxui"}, {"minimumf", "arith.minimumf"}, {"mins", "arith.minsi"},
	{"minu", "arith.minui"}, {"mulf", "arith.mulf"}, {"muli", "arith.muli"}, {"ori", "arith.ori"},
	{"andi", "arith.andi"}, {"maxnumf", "arith.maxnumf"}, {"minnumf", "arith.minnumf"},
}

// CombinationWords are the words of Combinations.
func CombinationWords() []string {
	var words []string
	for _, c := range Combinations {
		words = append(words, c.Word)
	}
	return words
}
