package lower

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/internal/randprog"
	"loom/sim/token"
	"loom/sim/vector"
)

// recurrenceProgram is a random loop that loads what it stored before, or nearly: sums of some
// elements of an array at or behind the counter, with one or two dimensions, steps up or down,
// sometimes with a second store, a changing row, a branch, or a loop around it.
func recurrenceProgram(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 7))
	pick := func(n int) int { return r.IntN(n) }
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, "  "+format+"\n", args...) }
	two := pick(3) == 0
	memory := "memref<64xi32>"
	if two {
		memory = "memref<8x64xi32>"
	}
	row := ""
	if two {
		row = "%row, "
	}
	fmt.Fprintf(&b, "func.func @prog(%%x: %s, %%y: memref<64xi32>, %%n: index, %%k: index) {\n", memory)
	for _, c := range []int{0, 1, 2, 3, 8, 9, 12} {
		line("%%c%d = arith.constant %d : index", c, c)
	}
	line("%%zero = arith.constant 0 : i32")
	line("%%first = arith.remui %%k, %%c3 : index")
	line("%%room = arith.constant 40 : index")
	line("%%count = arith.remui %%n, %%room : index")
	line("%%start = arith.addi %%first, %%c12 : index")
	line("%%limit = arith.addi %%count, %%c9 : index") // sometimes below the start
	if pick(4) == 0 {
		// Or the loop does not run, and there is nothing in front of its first element.
		line("%%rest = arith.remui %%n, %%c2 : index")
		line("%%off = arith.cmpi eq, %%rest, %%c0 : index")
		line("%%lb = arith.select %%off, %%c0, %%start : index")
		line("%%end = arith.select %%off, %%c0, %%limit : index")
	} else {
		line("%%lb = arith.addi %%start, %%c0 : index")
		line("%%end = arith.addi %%limit, %%c0 : index")
	}
	line("%%row0 = arith.remui %%k, %%c8 : index")
	around := pick(4) == 0
	if around {
		line("scf.for %%again = %%c0 to %%c2 step %%c1 {")
	}
	step := 1 + pick(2)
	line("scf.for %%i = %%lb to %%end step %%c%d {", step)
	if two {
		// The row is the same in all iterations, or that of the counter.
		if pick(4) == 0 {
			line("%%row = arith.remui %%i, %%c8 : index")
		} else {
			line("%%row = arith.addi %%row0, %%c0 : index")
		}
	}
	at := func(name string, back int) {
		line("%%%s_back = arith.constant %d : index", name, back)
		line("%%%s = arith.subi %%i, %%%s_back : index", name, name)
	}
	sum := "%zero"
	for l := range 1 + pick(3) {
		at(fmt.Sprintf("at%d", l), pick(6)*(1+pick(step)))
		line("%%v%d = memref.load %%x[%s%%at%d] : %s", l, row, l, memory)
		line("%%s%d = arith.addi %s, %%v%d : i32", l, sum, l)
		sum = fmt.Sprintf("%%s%d", l)
	}
	line("%%w = memref.load %%y[%%i] : memref<64xi32>")
	line("%%sum = arith.addi %s, %%w : i32", sum)
	second := pick(4)
	if second == 0 {
		at("other", pick(5))
		line("memref.store %%w, %%x[%s%%other] : %s", row, memory)
	}
	at("to", pick(2))
	store := fmt.Sprintf("memref.store %%sum, %%x[%s%%to] : %s", row, memory)
	if pick(5) == 0 {
		line("%%some = arith.cmpi sgt, %%w, %%zero : i32")
		line("scf.if %%some { %s }", store)
	} else {
		line("%s", store)
	}
	line("}")
	if around {
		line("}")
	}
	line("return")
	b.WriteString("}\n")
	return b.String()
}

// forwarding runs a program with values forwarded and returns what differs from the interpreter,
// and how many loads fewer the graph makes than without.
func forwarding(t *testing.T, seed uint64, d deviation) (diff string, saved int64) {
	t.Helper()
	m := parse(t, recurrenceProgram(seed))
	fn := randprog.Function(m)
	in := randprog.Inputs(m, seed)
	want, err := interp.Run(fn, in, interp.Options{})
	if err != nil || want.Status != vector.Done {
		t.Fatalf("seed %d: %v %+v\n%s", seed, err, want, recurrenceProgram(seed))
	}
	loads := map[bool]int64{}
	for _, on := range []bool{false, true} {
		opts := Options{MemoryOrder: orders[seed%2], Forward: on, deviate: d}
		res, err := Lower(m, opts)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		p, err := token.Compile(res.Func, 64)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range schedules(seed) {
			s.MaxSteps = 200_000
			got, stats, err := p.Run(in, s)
			if err != nil {
				t.Fatal(err)
			}
			loads[on] = stats.Loads
			if list := vector.Diff(want, got); len(list) > 0 || got.Status != vector.Done {
				return fmt.Sprintf("forward %v, %+v: %v %v", on, s, list, got.Detail), 0
			}
		}
	}
	return "", loads[false] - loads[true]
}

// TestForward: loops that load what they stored compute the same with the values forwarded, and
// many of them load less.
func TestForward(t *testing.T) {
	less := 0
	for seed := range programs(600) {
		diff, saved := forwarding(t, seed, "")
		if diff != "" {
			t.Fatalf("seed %d: %s\n%s", seed, diff, recurrenceProgram(seed))
		}
		if saved > 0 {
			less++
		}
	}
	t.Logf("%d programs load less", less)
	if less < int(programs(600)/10) {
		t.Errorf("only %d programs load less", less)
	}
}

// TestForwardDeviations breaks each rule of forwarding.
func TestForwardDeviations(t *testing.T) {
	for _, d := range forwardings {
		caught := false
		for seed := uint64(0); seed < 600 && !caught; seed++ {
			diff, _ := forwarding(t, seed, d)
			caught = diff != ""
		}
		if !caught {
			t.Errorf("not noticed: %s", d)
		}
	}
}

// TestForwardIntervals: prefix sums in place, and a sum of the two elements before, take an
// iteration's additions and no memory.
func TestForwardIntervals(t *testing.T) {
	for name, kernel := range map[string]*ir.Operation{
		"scan": kernels(t)["scan"],
		"fibonacci": parse(t, `func.func @fibonacci(%x: memref<?xi32>, %n: index) {
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  scf.for %i = %two to %n step %one {
    %p = arith.subi %i, %one : index
    %q = arith.subi %i, %two : index
    %a = memref.load %x[%p] : memref<?xi32>
    %b = memref.load %x[%q] : memref<?xi32>
    %c = arith.addi %a, %b : i32
    memref.store %c, %x[%i] : memref<?xi32>
  }
  return
}`),
	} {
		for _, cycles := range []int64{1, 20} {
			if got := firstInterval(t, kernel, Options{MemoryOrder: "pipelined", Forward: true}, 40, cycles); got != 3 { // carry, split and addition
				t.Errorf("%s with memory of %d cycles: interval %v", name, cycles, got)
			}
		}
	}
}

// firstInterval is the interval of the first loop of a kernel, in cycles, on arrays of n zeros, with n for all numbers and a memory
// that responds after so many cycles.
func firstInterval(t *testing.T, kernel *ir.Operation, opts Options, n, memory int64) float64 {
	t.Helper()
	return intervalOf(t, kernel, opts, n, memory, func(int) uint64 { return 0 })
}

// intervalOf is firstInterval where arrays begin with the elements given.
func intervalOf(t *testing.T, kernel *ir.Operation, opts Options, n, memory int64, element func(i int) uint64) float64 {
	t.Helper()
	res, err := Lower(kernel, opts)
	if err != nil {
		t.Fatal(err)
	}
	p, err := token.Compile(res.Func, 64)
	if err != nil {
		t.Fatal(err)
	}
	in := randprog.Inputs(kernel, 1)
	for i := range in.Args {
		if in.Args[i].Mem != nil {
			in.Args[i].Mem = &vector.Memory{Elem: ir.I32, Shape: []int64{n}, Data: make([]uint64, n)}
			for k := range in.Args[i].Mem.Data {
				in.Args[i].Mem.Data[k] = element(k)
			}
		} else {
			in.Args[i].Scalar = uint64(n)
		}
	}
	out, timing, err := p.RunTimed(in, token.TimedOptions{Model: latency.Model{Memory: latency.Fixed(memory)}})
	if err != nil || out.Status != vector.Done {
		t.Fatalf("%v %+v", err, out)
	}
	return timing.Loops[0].Interval()
}
