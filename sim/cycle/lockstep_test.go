package cycle_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"loom/compiler/circuit"
	"loom/compiler/interp"
	"loom/compiler/mlir"
	"loom/compiler/simplify"
	"loom/internal/soak"
	"loom/internal/testkit"
	"loom/sim/cycle"
	"loom/sim/vector"
)

// whileProgram is a random kernel with a loop of some values that go round, by themselves or inside of
// a counted one, and a condition that some of them decide.
func whileProgram(r *rand.Rand) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	values, next := 1+r.IntN(4), 0
	list := func(text string) string {
		var out []string
		for i := range values {
			out = append(out, strings.ReplaceAll(text, "#", fmt.Sprint(i)))
		}
		return strings.Join(out, ", ")
	}
	// some computes from what is there, and returns the name of something.
	var there []string
	some := func() string { return there[r.IntN(len(there))] }
	compute := func(n int) {
		for range n {
			next++
			v := fmt.Sprintf("%%v%d", next)
			switch r.IntN(7) {
			case 1: // a choice that the clock may have made later
				line("%%k%d = arith.cmpi ugt, %s, %s : i32", next, some(), some())
				line("%%z%d = arith.select %%k%d, %s : i32", next, next, []string{some() + ", %c0", "%c0, " + some()}[r.IntN(2)])
				line("%s = arith.%s %s, %%z%d : i32", v, []string{"addi", "subi", "xori", "ori"}[r.IntN(4)], some(), next)
			case 0:
				line("%%k%d = arith.cmpi slt, %s, %s : i32", next, some(), some())
				line("%s = arith.select %%k%d, %s, %s : i32", v, next, some(), some())
			default:
				line("%s = arith.%s %s, %s : i32", v, []string{"addi", "subi", "xori", "andi", "ori"}[r.IntN(5)], some(), some())
			}
			there = append(there, v)
		}
	}
	nested := r.IntN(4) == 0
	returned := values
	if !nested && r.IntN(3) > 0 {
		returned = 1 // what nothing reads is dropped
	}
	line("func.func @f(%s, %%m: memref<4xi32>, %%p: i32, %%n: index) -> (%s) {", list("%a#: i32"), strings.Join(slices.Repeat([]string{"i32"}, returned), ", "))
	line("%%zero = arith.constant 0 : index\n%%one = arith.constant 1 : index\n%%c1 = arith.constant 1 : i32\n%%c15 = arith.constant 15 : i32\n%%c0 = arith.constant 0 : i32")
	initial := "%a#"
	if nested {
		line("%%r:%d = scf.for %%i = %%zero to %%n step %%one iter_args(%s) -> (%s) {", values, list("%o# = %a#"), list("i32"))
		initial = "%o#"
	}
	line("%%s = arith.andi %s, %%c15 : i32", strings.ReplaceAll(initial, "#", "0"))
	line("%%w:%d = scf.while (%%fuel = %%s, %s) : (i32, %s) -> (i32, %s) {", values+1, list("%x# = "+initial), list("i32"), list("i32"))
	there = []string{"%c1", "%x0"}
	if r.IntN(3) == 0 {
		there = append(there, "%p")
	}
	for i := 1; i < values; i++ {
		if r.IntN(3) > 0 {
			there = append(there, fmt.Sprintf("%%x%d", i))
		}
	}
	compute(r.IntN(3))
	line("%%same = arith.cmpi ne, %s, %s : i32\n%%left = arith.cmpi sgt, %%fuel, %%c0 : i32\n%%go = arith.andi %%left, %%same : i1", some(), some())
	goes := "%go"
	if r.IntN(2) == 0 { // all values decide
		for i := range values {
			line("%%m%d = arith.cmpi ne, %%x%d, %%c15 : i32\n%%f%d = arith.andi %s, %%m%d : i1", i, i, i, goes, i)
			goes = fmt.Sprintf("%%f%d", i)
		}
	}
	line("scf.condition(%s) %%fuel, %s : i32, %s\n} do {\n^bb0(%%fuel: i32, %s):", goes, list("%x#"), list("i32"), list("%y#: i32"))
	there = []string{"%c1"}
	for i := range values {
		there = append(there, fmt.Sprintf("%%y%d", i))
	}
	if r.IntN(3) == 0 {
		there = append(there, "%p")
	}
	compute(r.IntN(6))
	if r.IntN(4) == 0 { // a request that outside may stall
		line("memref.store %s, %%m[%%one] : memref<4xi32>", some())
	}
	line("%%less = arith.subi %%fuel, %%c1 : i32")
	var yields []string
	for range values {
		yields = append(yields, some())
	}
	line("scf.yield %%less, %s : i32, %s\n}", strings.Join(yields, ", "), list("i32"))
	results := func(of string, from, n int) string {
		var out []string
		for i := range n {
			out = append(out, fmt.Sprintf("%s#%d", of, i+from))
		}
		return strings.Join(out, ", ")
	}
	if nested {
		line("scf.yield %s : %s\n}", results("%w", 1, values), list("i32"))
		line("return %s : %s\n}", results("%r", 0, values), list("i32"))
	} else {
		line("return %s : %s\n}", results("%w", 1, returned), strings.Join(slices.Repeat([]string{"i32"}, returned), ", "))
	}
	return b.String()
}

// TestLockstep: loops of which every carry has a register that always takes a token never offer one
// a second, however late their initial values come and their results go. With forks that are wires they
// take the same cycles as with forks that remember who has taken.
func TestLockstep(t *testing.T) {
	tight, wired, late, drops, ends := 0, 0, 0, 0, 0
	for seed := range uint64(soak.Scale(300, 10000)) {
		r := rand.New(rand.NewPCG(seed, 1))
		src := whileProgram(r)
		mod, err := mlir.ParseAndVerify("while.mlir", src)
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		fn, err := simplify.Run(directGraph(t, mod), simplify.Options{IndexWidth: 32})
		if err != nil {
			t.Fatalf("%v\n%s", err, src)
		}
		o := circuit.Options{IndexWidth: 32, LaterAll: seed%2 == 0}
		if seed%8 < 2 { // out of reach
			o.Clock.MHz = 300
		}
		c, err := circuit.Build(fn, o)
		if err != nil {
			t.Fatal(err)
		}
		registers := 0
		for _, ch := range c.Channels {
			if ch.To.Unit != nil && ch.To.Unit.Kind == circuit.Carry && ch.To.Port == 0 && ch.Buffer.Kind == circuit.Loop {
				registers++
			}
		}
		if registers > 1 {
			tight++
		}
		w := c.Wiring()
		wired += len(w.Forks)
		if len(w.Late) > 0 {
			late++
		}
		if len(w.Drops) > 0 {
			drops++
		}
		if len(w.AtEnd) > 0 {
			ends++
		}
		sig, err := vector.SignatureOf(testkit.Function(mod))
		if err != nil {
			t.Fatal(err)
		}
		var s, eager *cycle.Sim
		for k := range uint64(4) {
			in, err := vector.Random(sig, seed*4+k, 4, 32)
			if err != nil {
				t.Fatal(err)
			}
			in.Args[len(in.Args)-1].Scalar = k
			want, err := interp.Run(testkit.Function(mod), in.Clone(), interp.Options{IndexWidth: 32})
			if err != nil {
				t.Fatal(err)
			}
			run := func(s **cycle.Sim) *vector.Outcome {
				in := in.Clone()
				if *s == nil {
					*s, err = cycle.NewDirect(c, in, cycle.Options{StallPercent: int(seed % 3 * 40), StallSeed: seed})
				} else {
					err = (*s).Again(c, in)
				}
				if err != nil {
					t.Fatal(err)
				}
				got, err := (*s).Run()
				if err != nil {
					t.Fatal(err)
				}
				return got
			}
			got := run(&s)
			cycle.Eager(func() {
				if same := run(&eager); same.Cycles != got.Cycles || same.Status != got.Status {
					t.Fatalf("seed %d, run %d: %s after %d cycles, %s after %d with forks that remember\n%s\n%s", seed, k, got.Status, got.Cycles, same.Status, same.Cycles, src, c)
				}
			})
			if d := vector.Diff(want, got); got.Status != vector.Done || len(d) > 0 {
				t.Fatalf("seed %d, run %d: %s %v %v\n%s\n%s", seed, k, got.Status, d, got.Detail, src, c)
			}
		}
	}
	t.Logf("%d programs with several values that go round in step; %d forks are wires, those of all values in %d programs, in %d of them values are dropped, in %d they leave when the run ends", tight, wired, late, drops, ends)
	if ends < 2 {
		t.Errorf("only in %d programs values leave a loop when the run ends", ends)
	}
	if wired < 200 || late < 8 || drops < 8 {
		t.Errorf("only %d forks are wires, those of all values in %d programs, in %d of them values are dropped", wired, late, drops)
	}
	if tight < 8 {
		t.Errorf("only %d programs have several values that go round in step", tight)
	}
}
