package randprog

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Products makes the text of a program for shared multipliers and dividers: one to four loops in a
// row, with loops inside, that multiply and divide what they load, at two widths, signed and
// unsigned, in recurrences, in conditionals, and independent of each other. The function is
// FunctionName, of numbers and three arrays.
func Products(seed uint64) string {
	g := &products{r: rand.New(rand.NewPCG(seed, 11))}
	g.line("func.func @%s(%%x: i32, %%n: i32, %%a: memref<16xi32>, %%b: memref<16xi32>, %%c: memref<16xi32>) -> i32 {", FunctionName)
	g.line("  %%zero = arith.constant 0 : index")
	g.line("  %%one = arith.constant 1 : index")
	g.line("  %%most = arith.constant 7 : i32")
	g.line("  %%some = arith.andi %%n, %%most : i32")
	g.line("  %%bound = arith.index_cast %%some : i32 to index")
	last := "%x"
	for range 1 + g.r.IntN(4) {
		start := last
		if g.r.IntN(3) == 0 {
			start = "%n" // the loop does not wait for the one before
		}
		last = g.loop([]string{start, "%x"}, "%bound", 1)
		if start == "%n" {
			last = g.binary("xori", last, "%x", "  ")
		}
	}
	g.line("  return %s : i32", last)
	g.line("}")
	return g.b.String()
}

type products struct {
	r     *rand.Rand
	b     strings.Builder
	names int
}

func (g *products) line(format string, args ...any) { fmt.Fprintf(&g.b, format+"\n", args...) }

func (g *products) name() string {
	g.names++
	return fmt.Sprintf("%%v%d", g.names)
}

func (g *products) binary(op, a, b, indent string) string {
	v := g.name()
	g.line("%s%s = arith.%s %s, %s : i32", indent, v, op, a, b)
	return v
}

// loop makes a loop that carries the first of some values, and returns its result.
func (g *products) loop(values []string, bound string, depth int) string {
	indent := strings.Repeat("  ", depth)
	index, carried, result := g.name(), g.name(), g.name()
	g.line("%s%s = scf.for %s = %%zero to %s step %%one iter_args(%s = %s) -> (i32) {", indent, result, index, bound, carried, values[0])
	in := indent + "  "
	pool := append([]string{carried}, values[1:]...)
	for _, array := range []string{"%a", "%b"} {
		v := g.name()
		g.line("%s%s = memref.load %s[%s] : memref<16xi32>", in, v, array, index)
		pool = append(pool, v)
	}
	pick := func() string { return pool[g.r.IntN(len(pool))] }
	for range 1 + g.r.IntN(3) {
		pool = append(pool, g.product(pick(), pick(), in))
	}
	if depth < 3 && g.r.IntN(3) == 0 {
		inner := g.name()
		g.line("%s%s = arith.constant %d : index", in, inner, 1+g.r.IntN(4))
		pool = append(pool, g.loop([]string{pick(), pick()}, inner, depth+1))
	}
	if g.r.IntN(3) == 0 {
		condition, chosen := g.name(), g.name()
		g.line("%s%s = arith.cmpi slt, %s, %s : i32", in, condition, pick(), pick())
		g.line("%s%s = scf.if %s -> (i32) {", in, chosen, condition)
		v := g.product(pick(), pick(), in+"  ")
		g.line("%s  scf.yield %s : i32", in, v)
		g.line("%s} else {", in)
		g.line("%s  scf.yield %s : i32", in, pick())
		g.line("%s}", in)
		pool = append(pool, chosen)
	}
	if g.r.IntN(2) == 0 {
		array := []string{"%b", "%c"}[g.r.IntN(2)]
		g.line("%smemref.store %s, %s[%s] : memref<16xi32>", in, pool[len(pool)-1], array, index)
	}
	next := g.binary([]string{"addi", "xori"}[g.r.IntN(2)], carried, pool[len(pool)-1], in)
	if g.r.IntN(4) == 0 {
		next = g.product(next, pick(), in)
	}
	g.line("%sscf.yield %s : i32", in, next)
	g.line("%s}", indent)
	return result
}

// product multiplies or divides two values, one time in three with 12 bits.
func (g *products) product(a, b, indent string) string {
	op, narrow := []string{"muli", "muli", "divsi", "divui", "remsi", "remui"}[g.r.IntN(6)], g.r.IntN(3) == 0
	v, w, extend := g.name(), "i32", "extui"
	if narrow {
		for _, x := range []*string{&a, &b} {
			short := g.name()
			g.line("%s%s = arith.trunci %s : i32 to i12", indent, short, *x)
			*x = short
		}
		w = "i12"
		if g.r.IntN(2) == 0 {
			extend = "extsi"
		}
	}
	if op != "muli" { // by no zero and no -1
		odd, mask, divisor := g.name(), g.name(), g.name()
		one, bits, positive := g.name(), g.name(), g.name()
		g.line("%s%s = arith.constant %d : %s", indent, mask, map[bool]int{true: 1<<10 - 1, false: 1<<20 - 1}[narrow], w)
		g.line("%s%s = arith.constant 1 : %s", indent, one, w)
		g.line("%s%s = arith.andi %s, %s : %s", indent, odd, b, mask, w)
		g.line("%s%s = arith.ori %s, %s : %s", indent, bits, odd, one, w)
		if g.r.IntN(2) == 0 { // some divisors are negative
			g.line("%s%s = arith.constant -2 : %s", indent, positive, w)
			g.line("%s%s = arith.muli %s, %s : %s", indent, divisor, bits, positive, w)
			b = divisor
		} else {
			b = bits
		}
	}
	g.line("%s%s = arith.%s %s, %s : %s", indent, v, op, a, b, w)
	if narrow {
		wide := g.name()
		g.line("%s%s = arith.%s %s : i12 to i32", indent, wide, extend, v)
		return wide
	}
	return v
}
