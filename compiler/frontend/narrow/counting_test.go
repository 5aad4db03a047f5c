package narrow

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/internal/randprog"
	"loom/internal/soak"
	"loom/sim/vector"
)

// counting writes random kernels as C compilers leave them: counters, sizes and
// subscripts of 64 bits among numbers of 64 bits that mean more. Sizes (%n, %m) are
// small; %q is any number and only used modulo a power of two, what memory holds is any
// number and used in every form.
type kernelWriter struct {
	r     *rand.Rand
	b     strings.Builder
	next  int
	depth int
}

const kernelHead = `func.func @k(%n: i64, %m: i64, %q: i64, %w: i32, %a: memref<16xi32>, %b: memref<16xi64>, %f: memref<16xf32>) -> (i64, i32) {
`

func countingKernel(seed uint64) string {
	g := &kernelWriter{r: rand.New(rand.NewPCG(seed, 11))}
	g.b.WriteString(kernelHead)
	pool := g.constants()
	pool = g.statements(pool, 3+g.r.IntN(3))
	low := g.def("arith.trunci %s : i64 to i32", g.any(pool))
	res := pool[g.r.IntN(len(pool))]
	fmt.Fprintf(&g.b, "return %s, %s : i64, i32\n}\n", res, low)
	return g.b.String()
}

func (g *kernelWriter) name() string {
	g.next++
	return fmt.Sprintf("%%v%d", g.next)
}

// def writes an operation with one result.
func (g *kernelWriter) def(format string, args ...any) string {
	v := g.name()
	fmt.Fprintf(&g.b, "%s = "+format+"\n", append([]any{v}, args...)...)
	return v
}

func (g *kernelWriter) do(format string, args ...any) { fmt.Fprintf(&g.b, format+"\n", args...) }

func (g *kernelWriter) constant(c int64) string { return g.def("arith.constant %d : i64", c) }

func (g *kernelWriter) constants() []string {
	return []string{g.constant(int64(g.r.IntN(9))), g.def("arith.extsi %%w : i32 to i64"), g.def("arith.extui %%w : i32 to i64")}
}

func (g *kernelWriter) any(pool []string) string {
	// What came last is the likeliest, so that chains get long.
	for i := len(pool) - 1; i > 0; i-- {
		if g.r.IntN(3) == 0 {
			return pool[i]
		}
	}
	return pool[g.r.IntN(len(pool))]
}

// size is a size or something near to one.
func (g *kernelWriter) size() string {
	s := []string{"%n", "%m"}[g.r.IntN(2)]
	switch g.r.IntN(6) {
	case 0:
		return g.def("arith.shrui %s, %s : i64", s, g.constant(1))
	case 1:
		return g.def("arith.addi %s, %s : i64", s, g.constant(int64(g.r.IntN(3))))
	case 2:
		return g.def("arith.maxui %s, %s : i64", s, g.constant(1))
	}
	return s
}

// below16 is a subscript below 16 made of some value.
func (g *kernelWriter) below16(v string) string {
	return g.def("arith.index_cast %s : i64 to index", g.def("arith.andi %s, %s : i64", v, g.constant(15)))
}

// value computes a number from others.
func (g *kernelWriter) value(pool []string) string {
	x, y := g.any(pool), g.any(pool)
	switch g.r.IntN(16) {
	case 0:
		return g.def("memref.load %%b[%s] : memref<16xi64>", g.below16(x))
	case 1:
		return g.def("arith.extsi %s : i32 to i64", g.def("memref.load %%a[%s] : memref<16xi32>", g.below16(x)))
	case 2:
		return g.def("arith.extui %s : i32 to i64", g.def("memref.load %%a[%s] : memref<16xi32>", g.below16(x)))
	case 3:
		return g.def("arith.%s %s, %s : i64", []string{"shli", "shrui", "shrsi"}[g.r.IntN(3)], x, g.constant(int64([]int{1, 3, 31, 32, 40}[g.r.IntN(5)])))
	case 4, 5:
		// Divisors are odd, so not zero; -1 is among them.
		d := g.def("arith.ori %s, %s : i64", y, g.constant(1))
		if g.r.IntN(2) == 0 {
			d = g.constant(int64([]int{3, 7, 16, -1}[g.r.IntN(4)]))
		}
		return g.def("arith.%s %s, %s : i64", []string{"divsi", "divui", "remsi", "remui"}[g.r.IntN(4)], x, d)
	case 6:
		return g.def("arith.%s %s, %s : i64", []string{"minsi", "maxsi", "minui", "maxui"}[g.r.IntN(4)], x, y)
	case 7, 8:
		return g.def("arith.select %s, %s, %s : i64", g.compare(x, g.any(pool)), y, x)
	case 9:
		return g.def("arith.andi %s, %s : i64", x, g.constant([]int64{15, 255, 1<<32 - 1, 1 << 33}[g.r.IntN(4)]))
	case 10:
		return g.def("arith.xori %s, %s : i64", x, g.def("arith.muli %%q, %s : i64", g.place2()))
	}
	return g.def("arith.%s %s, %s : i64", []string{"addi", "subi", "muli", "andi", "ori", "xori"}[g.r.IntN(6)], x, y)
}

// place2 is a small constant.
func (g *kernelWriter) place2() string { return g.constant(int64(g.r.IntN(5) + 1)) }

func (g *kernelWriter) compare(x, y string) string {
	p := []string{"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"}[g.r.IntN(10)]
	return g.def("arith.cmpi %s, %s, %s : i64", p, x, y)
}

func (g *kernelWriter) statements(pool []string, n int) []string {
	g.depth++
	defer func() { g.depth-- }()
	for range n {
		switch k := g.r.IntN(12); {
		case k < 3:
			pool = append(pool, g.value(pool))
		case k == 3:
			v := g.any(pool)
			g.do("memref.store %s, %%a[%s] : memref<16xi32>", g.def("arith.trunci %s : i64 to i32", v), g.below16(g.any(pool)))
		case k == 4:
			g.do("memref.store %s, %%b[%s] : memref<16xi64>", g.any(pool), g.below16(g.any(pool)))
		case k == 5:
			name := []string{"sitofp", "uitofp"}[g.r.IntN(2)]
			g.do("memref.store %s, %%f[%s] : memref<16xf32>", g.def("arith.%s %s : i64 to f32", name, g.any(pool)), g.below16(g.any(pool)))
		case k == 6 && g.depth < 4:
			v, w := g.name(), g.compare(g.any(pool), g.any(pool))
			g.do("%s = scf.if %s -> (i64) {", v, w)
			g.do("scf.yield %s : i64\n} else {", g.any(g.statements(pool, 1+g.r.IntN(2))))
			g.do("scf.yield %s : i64\n}", g.any(g.statements(pool, 1+g.r.IntN(2))))
			pool = append(pool, v)
		case k == 7 && g.depth < 4:
			g.guarded(pool)
		case k >= 8 && k < 10 && g.depth < 4:
			pool = append(pool, g.loop(pool))
		case k >= 10 && g.depth < 4:
			pool = append(pool, g.while(pool)...)
		}
	}
	return pool
}

// guarded uses a number as a subscript where a comparison proves that it is one.
func (g *kernelWriter) guarded(pool []string) {
	k := g.def("memref.load %%b[%s] : memref<16xi64>", g.below16(g.any(pool)))
	k = g.def("arith.addi %s, %s : i64", k, g.constant(int64(g.r.IntN(3))))
	g.do("scf.if %s {", g.def("arith.cmpi ult, %s, %s : i64", k, g.constant(int64(g.r.IntN(16)+1))))
	at := g.def("arith.index_cast %s : i64 to index", k)
	g.do("memref.store %%w, %%a[%s] : memref<16xi32>\n}", at)
}

// loop counts up to a size and carries a number.
func (g *kernelWriter) loop(pool []string) string {
	from := g.constant(int64(g.r.IntN(3)))
	if g.r.IntN(4) == 0 {
		from = g.def("arith.extui %s : i1 to i64", g.compare(g.any(pool), g.any(pool)))
	}
	to, step := g.size(), g.constant(int64(g.r.IntN(3)+1))
	v, iv, acc := g.name(), g.name(), g.name()
	g.do("%s = scf.for %s = %s to %s step %s iter_args(%s = %s) -> (i64) : i64 {", v, iv, from, to, step, acc, g.any(pool))
	inner := append(append([]string{}, pool...), iv, acc, iv)
	if g.r.IntN(2) == 0 {
		x := g.def("memref.load %%b[%s] : memref<16xi64>", g.def("arith.index_cast %s : i64 to index", g.def("arith.andi %s, %s : i64", iv, g.constant(15))))
		inner = append(inner, x)
	}
	if g.r.IntN(2) == 0 {
		inner = append(inner, g.def("arith.select %s, %s, %s : i64", g.compare(iv, g.size()), g.any(inner), acc))
	}
	inner = g.statements(inner, 1+g.r.IntN(3))
	g.do("scf.yield %s : i64\n}", g.any(inner))
	return v
}

// while counts to a size in one of the forms that are no counted loop, or halves a value.
func (g *kernelWriter) while(pool []string) []string {
	v, i, acc, j, acc2 := g.name(), g.name(), g.name(), g.name(), g.name()
	start := g.constant(int64(g.r.IntN(2)))
	down := g.r.IntN(4) == 0
	if down {
		start = g.any(pool)
	}
	g.do("%s:2 = scf.while (%s = %s, %s = %s) : (i64, i64) -> (i64, i64) {", v, i, start, acc, g.any(pool))
	if down {
		g.do("scf.condition(%s) %s, %s : i64, i64", g.def("arith.cmpi ne, %s, %s : i64", i, g.constant(0)), i, acc)
	} else {
		g.do("scf.condition(%s) %s, %s : i64, i64", g.def("arith.cmpi ult, %s, %s : i64", i, g.size()), i, acc)
	}
	g.do("} do {\n^bb0(%s: i64, %s: i64):", j, acc2)
	inner := g.statements(append(append([]string{}, pool...), j, acc2), 1+g.r.IntN(2))
	if down {
		j = g.def("arith.shrui %s, %s : i64", j, g.constant(int64(1+g.r.IntN(9))))
	} else {
		step := g.def("arith.addi %s, %s : i64", j, g.constant(int64(1+g.r.IntN(2))))
		if g.r.IntN(3) == 0 {
			step = g.def("arith.select %s, %s, %s : i64", g.compare(g.any(inner), acc2), step, g.def("arith.addi %s, %s : i64", j, g.constant(1)))
		}
		if g.r.IntN(3) == 0 {
			// Far away, so that the loop ends.
			far := g.def("arith.ori %s, %s : i64", g.any(inner), g.constant(1<<32))
			step = g.def("arith.select %s, %s, %s : i64", g.compare(acc2, g.any(inner)), step, far)
		}
		j = step
	}
	g.do("scf.yield %s, %s : i64, i64\n}", j, g.any(inner))
	return []string{v + "#0", v + "#1"}
}

// countingInputs are small sizes and numbers of every kind.
func countingInputs(seed uint64) *vector.Inputs {
	r := rand.New(rand.NewPCG(seed, 12))
	number := func() uint64 {
		switch r.IntN(5) {
		case 0:
			return r.Uint64()
		case 1:
			return uint64(r.IntN(16)) + uint64(r.IntN(3))<<32
		case 2:
			return -uint64(r.IntN(5))
		case 3:
			return 1<<31 - 2 + uint64(r.IntN(4))
		}
		return uint64(r.IntN(20))
	}
	in := &vector.Inputs{Args: []vector.Arg{
		{Name: "n", Type: ir.I64, Scalar: uint64(r.IntN(10))}, {Name: "m", Type: ir.I64, Scalar: uint64(r.IntN(7))},
		{Name: "q", Type: ir.I64, Scalar: number()}, {Name: "w", Type: ir.I32, Scalar: number() & (1<<32 - 1)},
	}}
	for _, m := range []struct {
		name string
		elem ir.Type
		mask uint64
	}{{"a", ir.I32, 1<<32 - 1}, {"b", ir.I64, ^uint64(0)}, {"f", ir.F32, 0}} {
		data := make([]uint64, 16)
		for i := range data {
			data[i] = number() & m.mask
		}
		in.Args = append(in.Args, vector.Arg{Name: m.name, Type: ir.MemRef([]int64{16}, m.elem), Mem: &vector.Memory{Name: m.name, Elem: m.elem, Shape: []int64{16}, Data: data}})
	}
	return in
}

// countingDisagreement narrows and runs the kernel of a seed; less is how much narrower
// it became.
func countingDisagreement(t *testing.T, seed uint64, broken faults) (text string, less int) {
	m := parse(t, countingKernel(seed))
	after, err := tryNarrow(m, broken)
	if err != nil {
		return fmt.Sprintf("seed %d: %v\n%s", seed, err, mlir.Print(after, mlir.Options{})), 0
	}
	in := countingInputs(seed)
	slim := in.Clone()
	for i, a := range randprog.Function(after).Regions[0].Entry().Args {
		slim.Args[i].Type = a.Type
	}
	for _, width := range []int{32, 64} {
		if d := run(t, m, after, in, slim, width); d != "" {
			return fmt.Sprintf("seed %d: %s\n%s\n%s", seed, d, mlir.Print(m, mlir.Options{}), mlir.Print(after, mlir.Options{})), 0
		}
	}
	return "", wides(m) - wides(after)
}

// TestCountingKernels: kernels with sizes, counters and numbers of 64 bits mean the same
// after narrowing, at both widths of index.
func TestCountingKernels(t *testing.T) {
	less := 0
	for seed := range uint64(soak.Scale(1000, 100000)) {
		d, n := countingDisagreement(t, seed, nil)
		if d != "" {
			t.Fatal(d)
		}
		if n > 0 {
			less++
		}
	}
	t.Logf("%d kernels became narrower", less)
	if less < 500 {
		t.Errorf("only %d kernels became narrower", less)
	}
}

// TestFaultsAreNoticed breaks each rule.
func TestFaultsAreNoticed(t *testing.T) {
	for _, f := range allFaults {
		t.Run(f, func(t *testing.T) {
			for seed := range uint64(3000) {
				if d, _ := countingDisagreement(t, seed, faults{f: true}); d != "" {
					t.Logf("noticed by kernel %d", seed)
					return
				}
			}
			t.Error("not noticed by 3000 kernels")
		})
	}
}
