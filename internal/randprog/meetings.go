package randprog

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Meetings makes the text of a program with a random loop, which counts or tests last, over an array of few elements, at subscripts that are data, or a fixed number of
// iterations apart: loads, a store of a value that may
// come from them, in the body or in branches, sometimes with what recent stores may not take: a second store, a load
// behind the store or in a branch, an array that may be the same.
func Meetings(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 11))
	pick := func(n int) int { return r.IntN(n) }
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, "  "+format+"\n", args...) }
	steady := rand.New(rand.NewPCG(seed, 12)) // a stream of its own, so that these loops are among the others
	move := 0                                 // of subscripts that are apart by a constant, in an iteration
	if steady.IntN(3) == 0 {
		move = []int{-1, 1, 1, 2}[steady.IntN(4)]
	}
	attrs := ""
	if pick(6) == 0 {
		attrs = " attributes {loom.may_alias = [array<i64: 0, 1>]}"
	}
	fmt.Fprintf(&b, "func.func @%s(%%x: memref<64xi32>, %%y: memref<64xi32>, %%key: memref<64xi32>, %%n: index)%s {\n", FunctionName, attrs)
	for _, c := range []int{0, 1, 2, 3, 5, 16} {
		line("%%c%d = arith.constant %d : index", c, c)
	}
	line("%%yes = arith.constant true")
	line("%%no = arith.constant false")
	line("%%zero = arith.constant 0 : i32")
	line("%%c1_i32 = arith.constant 1 : i32")
	line("%%few = arith.constant %d : i32", []int{0, 1, 3, 7}[pick(4)])
	line("%%count = arith.remui %%n, %%c16 : index")
	around := pick(4) == 0
	if around {
		line("scf.for %%again = %%c0 to %%c3 step %%c1 {")
	}
	step, while := 1+pick(2), pick(3) == 0
	if while {
		line("%%end = scf.while (%%i = %%c0) : (index) -> index {")
	} else {
		line("scf.for %%i = %%c0 to %%count step %%c%d {", step)
	}
	line("%%k = memref.load %%key[%%i] : memref<64xi32>")
	sum := "%k"
	names := 0
	subscript := func() string {
		names++
		if move != 0 {
			line("%%c_at%d = arith.constant %d : index", names, 18+steady.IntN(9))
			line("%%c_move%d = arith.constant %d : index", names, move)
			line("%%moved%d = arith.muli %%i, %%c_move%d : index", names, names)
			line("%%s%d = arith.addi %%moved%d, %%c_at%d : index", names, names, names)
			line("%%a%d = arith.index_cast %%s%d : index to i32", names, names)
			return fmt.Sprintf("%%s%d", names)
		}
		line("%%d%d = arith.constant %d : i32", names, pick(3))
		line("%%m%d = arith.%s %%k, %%d%d : i32", names, []string{"addi", "shrsi", "muli"}[pick(3)], names)
		line("%%a%d = arith.andi %%m%d, %%few : i32", names, names)
		line("%%s%d = arith.index_cast %%a%d : i32 to index", names, names)
		return fmt.Sprintf("%%s%d", names)
	}
	load := func(from string) {
		at := subscript()
		line("%%v%d = memref.load %%%s[%s] : memref<64xi32>", names, from, at)
		line("%%t%d = arith.addi %s, %%v%d : i32", names, sum, names)
		if pick(4) > 0 { // else the store does not wait for what was loaded
			sum = fmt.Sprintf("%%t%d", names)
		} else {
			line("memref.store %%t%d, %%key[%%i] : memref<64xi32>", names)
		}
	}
	to := "" // the store may be where the first load was
	for range 1 + pick(2) {
		load("x")
		if pick(2) == 0 {
			to = fmt.Sprintf("%%s%d", names)
		}
	}
	odd, stored := pick(10), false
	if odd == 0 {
		load("y")
	}
	if to == "" {
		to = subscript()
	}
	ifs := []int{0, 0, 1, 2}[pick(4)]
	if odd == 1 || odd == 2 {
		line("%%maybe = arith.cmpi %s, %%k, %%zero : i32", []string{"sgt", "sle"}[pick(2)])
		line("scf.if %%maybe {")
		at := subscript()
		line("%%in = memref.load %%x[%s] : memref<64xi32>", at)
		line("memref.store %%in, %%key[%%i] : memref<64xi32>")
		// The store is in the other branch, or in that of an scf.if that becomes one with this when branches are selects.
		other := pick(3)
		if other == 1 {
			line("}")
			line("%%same = scf.if %%maybe -> i1 {")
			line("scf.yield %%yes : i1")
			line("} else {")
			line("scf.yield %%no : i1")
			line("}")
			line("scf.if %%same {")
		}
		if other > 0 {
			line("} else {")
			line("memref.store %s, %%x[%s] : memref<64xi32>", sum, to)
			ifs, stored = 0, true
		}
		line("}")
	}
	for d := range ifs {
		line("%%p%d = arith.cmpi %s, %s, %%zero : i32", d, []string{"sgt", "ne", "sle"}[pick(3)], []string{sum, "%k"}[pick(2)])
		line("scf.if %%p%d {", d)
	}
	switch {
	case stored:
	case pick(5) == 0:
		// A subscript that is below the array where the store does not run.
		subscript()
		line("%%lower = arith.subi %%a%d, %%c1_i32 : i32", names)
		line("%%element = arith.cmpi sge, %%lower, %%zero : i32")
		line("%%below = arith.index_cast %%lower : i32 to index")
		line("scf.if %%element {")
		ifs++
		to = "%below"
	case ifs > 0 && pick(2) == 0:
		to = subscript()
		line("%%in_branch = arith.addi %s, %%k : i32", sum)
		sum = "%in_branch"
	}
	if !stored {
		line("memref.store %s, %%x[%s] : memref<64xi32>", sum, to)
	}
	for range ifs {
		line("}")
	}
	if odd == 5 {
		line("memref.store %%k, %%x[%s] : memref<64xi32>", subscript())
	}
	if odd == 3 || odd == 4 {
		at := subscript()
		line("%%behind = memref.load %%x[%s] : memref<64xi32>", at)
		line("memref.store %%behind, %%key[%%i] : memref<64xi32>")
	}
	if while {
		line("%%next = arith.addi %%i, %%c%d : index", step)
		line("%%left = arith.cmpi ult, %%next, %%count : index")
		line("%%goes = arith.cmpi ne, %%k, %%few : i32")
		line("%%more = arith.andi %%left, %%goes : i1")
		line("scf.condition(%%more) %%next : index")
		line("} do {")
		line("^bb0(%%j: index):")
		line("scf.yield %%j : index")
	}
	line("}")
	if around {
		line("}")
	}
	line("return")
	b.WriteString("}\n")
	return b.String()
}
