package randprog

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Sequences is the text of a random loop nest that goes through two arrays, loading from one and
// storing to the other: the subscript is the number of accesses before, or nearly so, computed from
// the loop counters or carried. width is that of index in bits, with which it ends.
//
// Not every program stays inside its arrays.
func Sequences(seed uint64) (text string, width int) {
	r := rand.New(rand.NewPCG(seed, 11))
	width = []int{8, 32, 32}[r.IntN(3)]
	var b strings.Builder
	next := 0
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	def := func(format string, args ...any) string {
		next++
		name := fmt.Sprintf("%%v%d", next)
		line("%s = "+format, append([]any{name}, args...)...)
		return name
	}
	constant := func(c int) string { return def("arith.constant %d : index", c) }
	// wrong is a small number that is mostly zero.
	wrong := func() int {
		if r.IntN(5) == 0 {
			return 1 + r.IntN(2)
		}
		return 0
	}
	line("func.func @prog(%%n: index, %%k: index, %%x: i32, %%m: memref<400xi32>, %%o: memref<400xi32>) {")
	six := constant(6)
	bounds := []string{def("arith.remui %%n, %s : index", six), def("arith.remui %%k, %s : index", six)}
	zero, one := constant(0), constant(1)
	depth, carried := 1+r.IntN(3), r.IntN(3) == 0
	// sum is the number of iterations before, row by row.
	sum, at, ends := constant(wrong()), constant(wrong()), []string{}
	conditions := 0
	branch := func(counter string) {
		if r.IntN(4) > 0 {
			return
		}
		on := bounds[r.IntN(2)]
		if counter != "" && r.IntN(2) == 0 {
			on = counter
		}
		is := def("arith.cmpi %s, %s, %s : index", []string{"sgt", "ne", "sle"}[r.IntN(3)], on, []string{zero, one}[r.IntN(2)])
		if !carried {
			line("scf.if %s {", is)
			ends = append(ends, "}")
			return
		}
		conditions++
		line("%%w%d = scf.if %s -> (index) {", conditions, is)
		other := at
		if wrong() > 0 {
			other = one
		}
		ends = append(ends, fmt.Sprintf("scf.yield %%%%s : index\n} else {\nscf.yield %s : index\n}|%%w%d", other, conditions))
	}
	for i := range depth {
		first, end, step := constant(0), bounds[r.IntN(2)], 1
		trips := end
		switch r.IntN(4) {
		case 0:
			n := 1 + r.IntN(6)
			end, step = constant(n), 1+r.IntN(5)/3
			trips = constant((n+step-1)/step + wrong())
		case 1:
			f := r.IntN(3)
			first = constant(f)
			trips = def("arith.subi %s, %s : index", end, constant(f+wrong()))
		}
		if i == 0 {
			branch("")
		} else if r.IntN(3) == 0 {
			branch(fmt.Sprintf("%%i%d", i-1))
		}
		sum = def("arith.muli %s, %s : index", sum, trips)
		by := constant(step)
		if carried {
			line("%%r%d = scf.for %%i%d = %s to %s step %s iter_args(%%a%d = %s) -> (index) {", i, i, first, end, by, i, at)
			at = fmt.Sprintf("%%a%d", i)
			ends = append(ends, fmt.Sprintf("scf.yield %%s : index\n}|%%r%d", i))
		} else {
			line("scf.for %%i%d = %s to %s step %s {", i, first, end, by)
			ends = append(ends, "}")
		}
		past := def("arith.subi %%i%d, %s : index", i, first)
		if step > 1 {
			past = def("arith.divui %s, %s : index", past, by)
		}
		sum = def("arith.addi %s, %s : index", sum, past)
		if w := wrong(); w > 0 && i > 0 {
			sum = def("arith.addi %s, %s : index", sum, constant(w))
		}
	}
	if r.IntN(2) == 0 {
		branch(fmt.Sprintf("%%i%d", depth-1))
	}
	subscript := sum
	if carried {
		subscript = at
	}
	line("%%read = memref.load %%m[%s] : memref<400xi32>", subscript)
	line("%%here = arith.index_cast %s : index to i32", def("arith.addi %%i%d, %s : index", depth-1, bounds[0]))
	line("%%sum = arith.addi %%read, %%here : i32")
	line("%%mixed = arith.xori %%sum, %%x : i32")
	line("memref.store %%mixed, %%o[%s] : memref<400xi32>", subscript)
	value := def("arith.addi %s, %s : index", at, constant(1+wrong()))
	for i := len(ends) - 1; i >= 0; i-- {
		text, result, _ := strings.Cut(ends[i], "|")
		if carried {
			text = strings.Replace(strings.Replace(text, "%%s", value, 1), "%s", value, 1)
			value = result
		}
		b.WriteString(text + "\n")
	}
	b.WriteString("return\n}\n")
	return b.String(), width
}
