package lower

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/internal/randprog"
	"loom/sim/token"
	"loom/sim/vector"
)

// meetingProgram is a random loop, which counts or tests last, over an array of few elements, at subscripts that are data: loads, a store of a value that may
// come from them, in the body or in branches, sometimes with what recent stores may not take: a second store, a load
// behind the store or in a branch, an array that may be the same.
func meetingProgram(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 11))
	pick := func(n int) int { return r.IntN(n) }
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, "  "+format+"\n", args...) }
	attrs := ""
	if pick(6) == 0 {
		attrs = " attributes {loom.may_alias = [array<i64: 0, 1>]}"
	}
	fmt.Fprintf(&b, "func.func @prog(%%x: memref<64xi32>, %%y: memref<64xi32>, %%key: memref<64xi32>, %%n: index)%s {\n", attrs)
	for _, c := range []int{0, 1, 2, 3, 5, 16} {
		line("%%c%d = arith.constant %d : index", c, c)
	}
	line("%%yes = arith.constant true")
	line("%%no = arith.constant false")
	line("%%zero = arith.constant 0 : i32")
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
	if ifs > 0 && pick(2) == 0 {
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

// overtaken runs a program with n recent stores and returns what differs from the interpreter, and whether a loop keeps some.
func overtaken(t *testing.T, seed uint64, d deviation) (diff string, keeps bool) {
	t.Helper()
	return runMeeting(t, seed, Options{RecentStores: 1 + int(seed%3), deviate: d}, func(op *ir.Operation) bool {
		return slices.ContainsFunc(op.Results(), func(v *ir.Value) bool { return strings.HasPrefix(v.Name, "stored") })
	})
}

// runMeeting runs a program and returns what differs from the interpreter, and whether its graph has an operation of a kind.
func runMeeting(t *testing.T, seed uint64, opts Options, kind func(*ir.Operation) bool) (diff string, has bool) {
	t.Helper()
	m := parse(t, meetingProgram(seed))
	in := randprog.Inputs(m, seed)
	width := []int{64, 32}[seed%2]
	want, err := interp.Run(randprog.Function(m), in, interp.Options{IndexWidth: width})
	if err != nil || want.Status != vector.Done {
		t.Fatalf("seed %d: %v %+v\n%s", seed, err, want, meetingProgram(seed))
	}
	opts.MemoryOrder, opts.IndexWidth, opts.keepBranches = "pipelined", width, seed%5 == 0
	res, err := Lower(m, opts)
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, meetingProgram(seed))
	}
	res.Func.Walk(func(op *ir.Operation) bool {
		has = has || kind(op)
		return true
	})
	p, err := token.Compile(res.Func, width)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range schedules(seed) {
		s.MaxSteps = 200_000
		got, _, err := p.Run(in, s)
		if err != nil {
			t.Fatal(err)
		}
		if list := vector.Diff(want, got); len(list) > 0 || got.Status != vector.Done {
			return fmt.Sprintf("%+v: %v %v", s, list, got.Detail), has
		}
	}
	return "", has
}

// TestRecentStores: loops whose loads overtake stores compute the same, and many loops do so.
func TestRecentStores(t *testing.T) {
	kept := 0
	for seed := range programs(600) {
		diff, keeps := overtaken(t, seed, "")
		if diff != "" {
			t.Fatalf("seed %d: %s\n%s", seed, diff, meetingProgram(seed))
		}
		if keeps {
			kept++
		}
	}
	t.Logf("%d programs keep stores", kept)
	if kept < int(programs(600)/3) {
		t.Errorf("only %d programs keep stores", kept)
	}
}

// TestRecentStoresDeviations breaks each of their rules.
func TestRecentStoresDeviations(t *testing.T) {
	for _, d := range recents {
		caught := false
		for seed := uint64(0); seed < 1200 && !caught; seed++ {
			diff, _ := overtaken(t, seed, d)
			caught = diff != ""
		}
		if !caught {
			t.Errorf("not noticed: %s", d)
		}
	}
}

// TestRecentStoresIntervals: with n recent stores a histogram has n+1 iterations in the time that its recurrence takes, and some more for
// the choice and the tokens.
func TestRecentStoresIntervals(t *testing.T) {
	kernel := kernels(t)["histogram"]
	const memory = 20
	var of [4]float64
	for n := range of {
		of[n] = firstInterval(t, kernel, Options{MemoryOrder: "pipelined", RecentStores: n}, 64, memory)
	}
	t.Log(of)
	for n := 1; n < len(of); n++ {
		if limit := of[0]/float64(n+1) + 3; of[n] > limit {
			t.Errorf("%d recent stores: interval %v, at most %v expected", n, of[n], limit)
		}
	}
}
