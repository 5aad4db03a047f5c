package randprog

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Shared draws a program whose arrays have several loads and stores: a loop whose body loads and stores one or two arrays
// of four elements several times, at subscripts that depend on the iteration and on
// what was loaded, now and then under a condition.
func Shared(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 41))
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	arrays, n := 1+r.IntN(2), 0
	name := func() string { n++; return fmt.Sprintf("%%v%d", n) }
	line("func.func @shared(%%m0: memref<4xi32>, %%m1: memref<4xi32>, %%n: index, %%x: i32) -> i32 {")
	line("  %%c0 = arith.constant 0 : index\n  %%c1 = arith.constant 1 : index")
	line("  %%three = arith.constant 3 : i32\n  %%odd = arith.constant %d : i32", 5+2*r.IntN(9))
	line("  %%r = scf.for %%i = %%c0 to %%n step %%c1 iter_args(%%s = %%x) -> (i32) {")
	line("  %%k = arith.index_cast %%i : index to i32")
	pool, loaded := []string{"%k", "%s", "%odd"}, []string{"%s"}
	pick := func() string { return pool[r.IntN(len(pool))] }
	element := func() string {
		masked, at := name(), name()
		line("  %s = arith.andi %s, %%three : i32\n  %s = arith.index_castui %s : i32 to index", masked, pick(), at, masked)
		return fmt.Sprintf("%%m%d[%s] : memref<4xi32>", r.IntN(arrays), at)
	}
	for loads, stores := 2+r.IntN(3), r.IntN(3); loads+stores > 0; {
		switch k := r.IntN(4); {
		case k == 0:
			v := name()
			line("  %s = arith.%s %s, %s : i32", v, []string{"addi", "xori", "subi"}[r.IntN(3)], pick(), pick())
			pool = append(pool, v)
		case k == 1 && stores > 0:
			stores--
			if r.IntN(2) == 0 {
				line("  memref.store %s, %s", pick(), element())
				continue
			}
			c, v, at := name(), pick(), element()
			line("  %s = arith.cmpi slt, %s, %s : i32\n  scf.if %s {\n    memref.store %s, %s\n  }", c, pick(), pick(), c, v, at)
		case loads > 0:
			loads--
			v, at := name(), element()
			line("  %s = memref.load %s", v, at)
			pool, loaded = append(pool, v), append(loaded, v)
		}
	}
	sum := "%odd"
	for _, v := range loaded {
		next := name()
		line("  %s = arith.addi %s, %s : i32", next, sum, v)
		sum = next
	}
	line("  scf.yield %s : i32\n  }\n  return %%r : i32\n}", sum)
	return b.String()
}
