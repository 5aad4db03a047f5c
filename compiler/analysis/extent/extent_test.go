package extent_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"loom/compiler/analysis/extent"
	"loom/compiler/analysis/ranges"
	_ "loom/compiler/dialect/all"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/internal/facttest"
	"loom/internal/soak"
	"loom/internal/testkit"
	"loom/sim/vector"
)

// of analyses a function whose parameters are numbers and then one array.
func of(t *testing.T, text string, fault extent.Fault) (*ir.Operation, *extent.Extents) {
	t.Helper()
	m, err := mlir.ParseAndVerify("t.mlir", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	fn := testkit.Function(m)
	return fn, extent.Of(fn, ranges.Analyse(fn, ranges.Options{IndexWidth: 32}), 32, fault)
}

// TestExtents: the extents of an array that a body accesses, for n = 10 and k = 3.
func TestExtents(t *testing.T) {
	const store = "memref.store %x, %m[%at] : memref<?xi32>\n"
	for _, c := range []struct{ name, body, want string }{
		{"counted", `scf.for %at = %c0 to %n step %c1 {` + store + `}`, "0 9"},
		{"counted with a step", `scf.for %at = %c2 to %n step %c3 {` + store + `}`, "2 9"},
		{"a row of a matrix", `scf.for %i = %c0 to %n step %c1 {
			%row = arith.muli %i, %k : index
			scf.for %j = %c0 to %k step %c1 {
				%at = arith.addi %row, %j : index` + "\n" + store + `}
		}`, "0 29"},
		{"a triangle", `scf.for %i = %c0 to %n step %c1 {
			scf.for %at = %c0 to %i step %c1 {` + store + `}
		}`, "0 8"},
		{"backwards", `%last = arith.subi %n, %c1 : index
		scf.for %i = %c0 to %n step %c1 {
			%at = arith.subi %last, %i : index` + "\n" + store + `}`, "0 9"},
		{"neighbours inside of branches", `%last = arith.subi %n, %c1 : index
		scf.for %i = %c0 to %n step %c1 {
			%first = arith.cmpi ne, %i, %c0 : index
			%more = arith.cmpi slt, %i, %last : index
			%both = arith.andi %first, %more : i1
			scf.if %both {
				%at = arith.addi %i, %c1 : index` + "\n" + store + `
				%before = arith.subi %i, %c1 : index
				memref.store %x, %m[%before] : memref<?xi32>
			}
		}`, "0 9"},
		{"a difference of what is compared", `scf.for %i = %c0 to %n step %c1 {
			%less = arith.cmpi slt, %i, %k : index
			scf.if %less {
			} else {
				%at = arith.subi %i, %k : index` + "\n" + store + `}
		}`, "0 6"},
		{"a counter of its own", `%end = scf.for %i = %c0 to %n step %c1 iter_args(%at = %c2) -> (index) {` + store + `
			%next = arith.addi %at, %k : index
			scf.yield %next : index
		}`, "2 29"},
		{"a counter of some iterations", `%end = scf.for %i = %c0 to %n step %c1 iter_args(%at = %c0) -> (index) {
			%is = arith.cmpi eq, %i, %k : index
			%next = scf.if %is -> (index) {` + store + `
				%more = arith.addi %at, %c1 : index
				scf.yield %more : index
			} else {
				scf.yield %at : index
			}
			scf.yield %next : index
		}`, "0 9"},
		{"the counter of the iteration before", `%end = scf.for %i = %c2 to %n step %c1 iter_args(%at = %c1) -> (index) {` + store + `
			scf.yield %i : index
		}`, "1 8"},
		{"a test", `%end = scf.while (%i = %c0) : (index) -> index {
			%more = arith.cmpi slt, %i, %n : index
			scf.condition(%more) %i : index
		} do {
		^bb0(%at: index):` + "\n" + store + `
			%next = arith.addi %at, %c3 : index
			scf.yield %next : index
		}`, "0 9"},
		{"before a test", `%end = scf.while (%at = %c0) : (index) -> index {` + store + `
			%more = arith.cmpi slt, %at, %n : index
			scf.condition(%more) %at : index
		} do {
		^bb0(%i: index):
			%next = arith.addi %i, %c3 : index
			scf.yield %next : index
		}`, "0 12"},
		{"a mask", `%x0 = memref.load %m[%c0] : memref<?xi32>
		%i = arith.index_cast %x0 : i32 to index
		%at = arith.andi %i, %c3 : index` + "\n" + store, "0 3"},
		{"of two accesses", `memref.store %x, %m[%k] : memref<?xi32>
		memref.store %x, %m[%n] : memref<?xi32>`, "3 10"},
		{"data", `%x0 = memref.load %m[%c0] : memref<?xi32>
		%at = arith.index_cast %x0 : i32 to index` + "\n" + store, "a subscript without bounds"},
		{"something else", `%v = memref.cast %m : memref<?xi32> to memref<12xi32>
		memref.store %x, %v[%k] : memref<12xi32>`, "touches elements unknown"},
		{"a number of few bits", `%i = arith.trunci %x : i32 to i8
		%j = arith.addi %i, %i : i8
		%at = arith.index_cast %j : i8 to index` + "\n" + store, "14 14"},
		{"nothing", ``, "none"},
	} {
		_, e := of(t, function(c.body), "")
		a := e.Arrays[3]
		got := a.Why
		switch {
		case a.Range >= 0:
			v := e.Code.Eval([]int64{10, 3, 7, 0})[a.Range]
			got = fmt.Sprint(v.Lo, " ", v.Hi)
		case !a.Read && !a.Write:
			got = "none"
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q\n%s", c.name, got, c.want, e)
		}
	}
}

func function(body string) string {
	return `func.func @f(%n: index, %k: index, %x: i32, %m: memref<?xi32>) {
		%c0 = arith.constant 0 : index
		%c1 = arith.constant 1 : index
		%c2 = arith.constant 2 : index
		%c3 = arith.constant 3 : index
		` + body + `
		return
	}`
}

// TestUnknownAtRunTime: bounds that leave the range in which arithmetic is exact are unknown, not wrong.
func TestUnknownAtRunTime(t *testing.T) {
	_, e := of(t, function(`scf.for %i = %c0 to %n step %c1 {
		%at = arith.muli %i, %k : index
		memref.store %x, %m[%at] : memref<?xi32>
	}`), "")
	at := e.Arrays[3].Range
	for _, c := range []struct {
		n, k    int64
		unknown bool
	}{{10, 3, false}, {0, 3, false}, {-5, 3, false}, {1 << 16, 1 << 14, false}, {1 << 16, 1 << 16, true}, {1<<31 - 1, 1, false}, {1<<31 - 1, 2, true}, {10, -1 << 31, true}} {
		if got := e.Code.Eval([]int64{c.n, c.k, 0, 0})[at]; got.Unknown() != c.unknown {
			t.Errorf("%d, %d: %v", c.n, c.k, got)
		}
	}
}

// TestPairs: parameters count as a pair where they may overlap and one is written.
func TestPairs(t *testing.T) {
	m, err := mlir.ParseAndVerify("t.mlir", `func.func @f(%a: memref<?xi32>, %b: memref<?xi32>, %c: memref<?xi32>, %n: index)
		attributes {loom.may_alias = [array<i64: 0, 1>, array<i64: 0, 2>]} {
		%c0 = arith.constant 0 : index
		%c1 = arith.constant 1 : index
		scf.for %i = %c0 to %n step %c1 {
			%x = memref.load %a[%i] : memref<?xi32>
			%y = memref.load %c[%c0] : memref<?xi32>
			%z = arith.addi %x, %y : i32
			memref.store %z, %b[%i] : memref<?xi32>
		}
		return
	}`)
	if err != nil {
		t.Fatal(err)
	}
	fn := testkit.Function(m)
	e := extent.Of(fn, ranges.Analyse(fn, ranges.Options{IndexWidth: 32}), 32, "")
	pairs, err := e.Pairs(fn)
	if err != nil || fmt.Sprint(pairs) != "[[0 1]]" {
		t.Errorf("%v %v", pairs, err)
	}
	if !e.Known(pairs, []int64{0, 0, 0, 5}) || e.Known(pairs, []int64{0, 0, 0, 1 << 40}) {
		t.Errorf("what is known depends on n\n%s", e)
	}
}

// violated runs a random program with its facts.
func violated(t *testing.T, seed uint64, broken extent.Fault) (bad string, extents int, done bool) {
	t.Helper()
	text := program(rand.New(rand.NewPCG(seed, 9)))
	m, err := mlir.ParseAndVerify("t.mlir", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	fn := testkit.Function(m)
	args := fn.Regions[0].Entry().Args
	f := facttest.Of(fn, facttest.Options{IndexWidth: 32, Extent: broken, OnlyExtents: true})
	r := rand.New(rand.NewPCG(seed, 10))
	for range 4 {
		in := &vector.Inputs{}
		for i, x := range []int64{r.Int64N(14) - 3, r.Int64N(9) - 3, r.Int64N(400) - 200} {
			in.Args = append(in.Args, vector.Arg{Name: args[i].Name, Type: args[i].Type, Scalar: uint64(uint32(x))})
		}
		in.Args = append(in.Args, vector.Arg{Name: "m", Type: args[3].Type, Mem: &vector.Memory{Name: "m", Elem: ir.I32, Shape: []int64{2 * middle}, Data: make([]uint64, 2*middle)}})
		bad, err := f.Run(in, 10_000)
		if done = done || err == nil; bad != "" {
			return fmt.Sprintf("seed %d: %s\n%s", seed, bad, text), f.Extents, done
		}
	}
	return "", f.Extents, done
}

// TestFacts: whatever random programs touch lies within the extents of their array.
func TestFacts(t *testing.T) {
	n := soak.Scale(300, 20_000)
	known, ended := 0, 0
	for seed := range uint64(n) {
		bad, k, done := violated(t, seed, "")
		if bad != "" {
			t.Fatal(bad)
		}
		if known += k; done {
			ended++
		}
	}
	t.Logf("%d programs, %d end, %d extents known", n, ended, known)
	if known < n/2 || ended < n*3/4 {
		t.Errorf("the programs show little: of %d %d end, %d have a known extent", n, ended, known)
	}
}

// TestFactsNotice: rules that are wrong are found.
func TestFactsNotice(t *testing.T) {
	rules := []extent.Fault{extent.FirstOnly, extent.LastMissing, extent.Always, extent.Exact, extent.OneStep}
	facttest.Notices(t, rules, 3000, func(seed uint64, broken extent.Fault) string {
		bad, _, _ := violated(t, seed, broken)
		return bad
	})
}

// middle is the element that subscript 0 of a random program is.
const middle = 1 << 12

// program is a random nest of loops, branches and counters around accesses.
func program(r *rand.Rand) string {
	g := &writer{r: r}
	g.line("func.func @f(%%n: index, %%k: index, %%x: i32, %%m: memref<?xi32>) {")
	for c := int64(-2); c <= 5; c++ {
		g.line("%%c%d = arith.constant %d : index", c+2, c)
		g.values = append(g.values, fmt.Sprintf("%%c%d", c+2))
	}
	g.line("%%middle = arith.constant %d : index", middle)
	g.line("%%large = arith.index_cast %%x : i32 to index")
	g.values = append(g.values, "%large", "%n", "%k")
	g.block(3)
	g.line("return\n}")
	return g.b.String()
}

type writer struct {
	r      *rand.Rand
	b      strings.Builder
	n      int
	values []string // of type index, that are visible
}

func (g *writer) line(format string, args ...any) { fmt.Fprintf(&g.b, format+"\n", args...) }

func (g *writer) name() string { g.n++; return fmt.Sprintf("%%v%d", g.n) }

func (g *writer) pick() string {
	if g.r.IntN(2) == 0 { // what is new
		return g.values[len(g.values)-1-g.r.IntN(min(4, len(g.values)))]
	}
	return g.values[g.r.IntN(len(g.values))]
}

func (g *writer) compute() string {
	v := g.name()
	switch g.r.IntN(9) {
	case 0, 1:
		g.line("%s = arith.addi %s, %s : index", v, g.pick(), g.pick())
	case 2:
		g.line("%s = arith.subi %s, %s : index", v, g.pick(), g.pick())
	case 3:
		g.line("%s = arith.muli %s, %s : index", v, g.pick(), g.pick())
	case 4:
		g.line("%s = arith.%s %s, %s : index", v, []string{"minsi", "maxsi"}[g.r.IntN(2)], g.pick(), g.pick())
	case 5:
		narrow, twice := g.name(), g.name()
		g.line("%s = arith.index_cast %s : index to i8", narrow, []string{"%large", g.pick()}[g.r.IntN(2)])
		g.line("%s = arith.addi %s, %s : i8", twice, narrow, narrow)
		g.line("%s = arith.%s %s : i8 to index", v, []string{"index_cast", "index_castui"}[g.r.IntN(2)], twice)
	case 6:
		c := g.compare()
		g.line("%s = arith.select %s, %s, %s : index", v, c, g.pick(), g.pick())
	case 7:
		g.line("%s = arith.shrsi %s, %%c%d : index", v, g.pick(), 2+g.r.IntN(3))
	case 8:
		g.line("%s = arith.divsi %s, %%c%d : index", v, g.pick(), 3+g.r.IntN(4))
	}
	g.values = append(g.values, v)
	return v
}

func (g *writer) compare() string {
	c := g.name()
	g.line("%s = arith.cmpi %s, %s, %s : index", c, []string{"slt", "sle", "sgt", "sge", "ne", "eq"}[g.r.IntN(6)], g.pick(), g.pick())
	if g.r.IntN(4) == 0 {
		d, both := g.name(), g.name()
		g.line("%s = arith.cmpi slt, %s, %s : index", d, g.pick(), g.pick())
		g.line("%s = arith.%s %s, %s : i1", both, []string{"andi", "ori"}[g.r.IntN(2)], c, d)
		return both
	}
	return c
}

func (g *writer) store(subscript string) {
	at := g.name()
	g.line("%s = arith.addi %s, %%middle : index\nmemref.store %%x, %%m[%s] : memref<?xi32>", at, subscript, at)
}

// inside writes statements in which values that they define are visible.
func (g *writer) inside(depth int, names ...string) {
	was := len(g.values)
	g.values = append(g.values, names...)
	g.block(depth)
	g.values = g.values[:was:was]
}

func (g *writer) block(depth int) {
	for range 1 + g.r.IntN(3) {
		what := g.r.IntN(8)
		if depth == 0 {
			what = g.r.IntN(3)
		}
		switch what {
		case 0:
			if v := g.compute(); g.r.IntN(2) == 0 {
				g.store(v)
			}
		case 1, 2:
			g.store(g.pick())
		case 3:
			g.line("scf.if %s {", g.compare())
			g.inside(depth - 1)
			g.line("} else {")
			g.inside(depth - 1)
			g.line("}")
		case 4, 5:
			i := g.name()
			g.line("scf.for %s = %s to %s step %%c%d {", i, g.pick(), g.pick(), 3+g.r.IntN(3))
			g.inside(depth-1, i)
			g.line("}")
		case 6: // a counter in a loop
			i, q, next, end := g.name(), g.name(), g.name(), g.name()
			g.line("%s = scf.for %s = %s to %s step %%c%d iter_args(%s = %s) -> (index) {", end, i, g.pick(), g.pick(), 3+g.r.IntN(2), q, g.pick())
			was := len(g.values)
			g.values = append(g.values, i, q)
			g.block(depth - 1)
			g.line("%s = arith.%s %s, %s : index\nscf.yield %[1]s : index\n}", next, []string{"addi", "subi"}[g.r.IntN(2)], q, []string{"%c3", "%c4", i, "%k"}[g.r.IntN(4)])
			g.values = append(g.values[:was:was], end)
		case 7: // a test
			q, p, next, end, more := g.name(), g.name(), g.name(), g.name(), g.name()
			up := g.r.IntN(2) == 0
			g.line("%s = scf.while (%s = %s) : (index) -> index {", end, q, g.pick())
			was := len(g.values)
			g.values = append(g.values, q)
			if g.r.IntN(2) == 0 {
				g.block(0)
			}
			g.line("%s = arith.cmpi %s, %s, %s : index", more, map[bool]string{true: "slt", false: "sge"}[up], q, []string{"%n", "%k", "%c5"}[g.r.IntN(3)])
			g.line("scf.condition(%s) %s : index\n} do {\n^bb0(%s: index):", more, q, p)
			g.values = append(g.values[:was:was], p)
			g.block(depth - 1)
			g.line("%s = arith.%s %s, %%c%d : index\nscf.yield %[1]s : index\n}", next, map[bool]string{true: "addi", false: "subi"}[up], p, 3+g.r.IntN(3))
			g.values = append(g.values[:was:was], end)
		}
	}
}
