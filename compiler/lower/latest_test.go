package lower

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/internal/randprog"
)

// placeProgram is a random loop that looks for an extreme and keeps its place: by a select or in a branch, with the counter, what is computed from it,
// or something else as the place, which begins below, within or above the counters; sometimes with another reader of the place, or a loop around it.
func placeProgram(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 23))
	pick := func(n int) int { return r.IntN(n) }
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, "  "+format+"\n", args...) }
	of := []string{"i32", "i64", "i8", "index"}[pick(4)]
	fmt.Fprintf(&b, "func.func @prog(%%x: memref<16xi32>, %%n: index, %%some: i32) -> (%s, i32) {\n", of)
	for _, c := range []int{0, 1, 2, 7, 9} {
		line("%%c%d = arith.constant %d : index", c, c)
	}
	line("%%count = arith.andi %%n, %%c7 : index")
	line("%%lb = arith.constant %d : index", pick(3))
	line("%%to = arith.addi %%count, %%lb : index")
	best, least := []string{"maxsi", "minsi"}[pick(2)], 0
	line("%%first = arith.constant %d : i32", least)
	line("%%at0 = arith.constant %d : %s", pick(7)-3, of)
	outer := pick(4) == 0
	from, place := "%first", "%at0"
	if outer {
		line("%%all:2 = scf.for %%o = %%c0 to %%c2 step %%c1 iter_args(%%fo = %%first, %%po = %%at0) -> (i32, %s) {", of)
		from, place = "%fo", "%po"
		if pick(2) == 0 {
			place = "%at0"
		}
	}
	line("%%r:2 = scf.for %%i = %%lb to %%to step %%c%d iter_args(%%best = %s, %%at = %s) -> (i32, %s) {", 1+pick(2), from, place, of)
	line("%%v = memref.load %%x[%%i] : memref<16xi32>")
	line("%%c = arith.cmpi %s, %%v, %%best : i32", []string{"sgt", "slt", "sge", "ne"}[pick(4)])
	line("%%next = arith.%s %%v, %%best : i32", best)
	counter := "%i"
	switch pick(4) {
	case 0:
		line("%%off = arith.constant %d : index", pick(7)-3)
		line("%%moved = arith.addi %%i, %%off : index")
		counter = "%moved"
	case 1:
		line("%%back = arith.subi %%c9, %%i : index") // which falls
		counter = "%back"
	}
	value := counter
	if of != "index" {
		line("%%cast = arith.index_cast %s : index to %s", counter, of)
		value = "%cast"
	}
	if pick(8) == 0 && of == "i32" {
		value = "%v"
	}
	sides := []string{value, "%at"}
	if pick(2) == 0 {
		sides[0], sides[1] = sides[1], sides[0]
	}
	if pick(2) == 0 {
		line("%%kept = arith.select %%c, %s, %s : %s", sides[0], sides[1], of)
	} else {
		line("%%kept = scf.if %%c -> (%s) { scf.yield %s : %s } else { scf.yield %s : %s }", of, sides[0], of, sides[1], of)
	}
	if pick(4) == 0 && of == "i32" {
		line("memref.store %%at, %%x[%%i] : memref<16xi32>")
	}
	line("scf.yield %%next, %%kept : i32, %s", of)
	line("}")
	result := "%r"
	if outer {
		line("scf.yield %%r#0, %%r#1 : i32, %s", of)
		line("}")
		result = "%all"
	}
	line("return %s#1, %s#0 : %s, i32", result, result, of)
	b.WriteString("}\n")
	return b.String()
}

// extremes is how many minima and maxima a graph has.
func extremes(fn *ir.Operation) (n int) {
	for _, op := range fn.Regions[0].Entry().Ops {
		if op.Name == opname.ArithMaxSI || op.Name == opname.ArithMinSI {
			n++
		}
	}
	return n
}

// TestLatest: loops that keep the place of an extreme compute the same on a target with accumulators, and many have one more; a place that is
// taken to begin below the counters, though it does not, is noticed.
func TestLatest(t *testing.T) {
	some := func(*ir.Operation, int, bool) int { return 8 }
	changed, noticed := 0, false
	for seed := range programs(600) {
		m := parse(t, placeProgram(seed))
		fn := randprog.Function(m)
		in := randprog.Inputs(m, seed)
		opts := Options{MemoryOrder: orders[seed%2]}
		plain, err := Lower(m, opts)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, placeProgram(seed))
		}
		opts.Accumulators = some
		res, err := Lower(m, opts)
		if err != nil {
			t.Fatal(err)
		}
		if extremes(res.Func) > extremes(plain.Func) {
			changed++
		}
		if d, err := disagreement(fn, in, seed, opts); err != nil || d != "" {
			t.Fatalf("seed %d: %s %v\n%s", seed, d, err, placeProgram(seed))
		}
		opts.deviate = reduceLatest
		if d, err := disagreement(fn, in, seed, opts); err != nil || d != "" {
			noticed = true
		}
	}
	t.Logf("%d programs have another accumulator", changed)
	if changed < int(programs(600)/8) {
		t.Errorf("only %d programs have another accumulator", changed)
	}
	if !noticed {
		t.Errorf("not noticed: %s", reduceLatest)
	}
}

// TestLatestUnits: two accumulators are taken for an extreme and its place, where there are two, and for two pairs where there are four.
func TestLatestUnits(t *testing.T) {
	m := parse(t, `func.func @two(%x: memref<16xi32>, %y: memref<16xi32>, %n: index) -> (index, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i32
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero, %ia = %c0, %b = %zero, %ib = %c0) -> (i32, index, i32, index) {
    %v = memref.load %x[%i] : memref<16xi32>
    %w = memref.load %y[%i] : memref<16xi32>
    %ca = arith.cmpi sgt, %v, %a : i32
    %cb = arith.cmpi slt, %w, %b : i32
    %na = arith.maxsi %v, %a : i32
    %nb = arith.minsi %w, %b : i32
    %ka = arith.select %ca, %i, %ia : index
    %kb = arith.select %cb, %i, %ib : index
    scf.yield %na, %ka, %nb, %kb : i32, index, i32, index
  }
  return %r#1, %r#3 : index, index
}`)
	for units, want := range []int{2, 2, 3, 3, 4, 4} {
		res, err := Lower(m, Options{MemoryOrder: "pipelined", Accumulators: func(*ir.Operation, int, bool) int { return units }})
		if err != nil {
			t.Fatal(err)
		}
		if got := extremes(res.Func); got != want {
			t.Errorf("%d units: %d minima and maxima, want %d", units, got, want)
		}
	}
}
