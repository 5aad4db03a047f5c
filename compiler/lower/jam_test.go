package lower

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"loom/compiler/interp"
	"loom/internal/randprog"
	"loom/sim/token"
	"loom/sim/vector"
)

// jamProgram is a random nest: an outer loop of known or unknown length, sometimes in another one, around one or two loops that carry a value, whose
// bounds are constants, the outer counter or data, or around a while; with loads and stores in front of, in and behind them, to elements of the
// iteration's own or of others, and a value that the outer loop carries.
func jamProgram(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 17))
	pick := func(n int) int { return r.IntN(n) }
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, "  "+format+"\n", args...) }
	fmt.Fprintf(&b, "func.func @prog(%%x: memref<256xi32>, %%y: memref<64xi32>, %%z: memref<16x16xi32>, %%n: index, %%k: index) -> i32 {\n")
	for _, c := range []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 11, 16, 63, 255} {
		line("%%c%d = arith.constant %d : index", c, c)
	}
	line("%%zero = arith.constant 0 : i32")
	line("%%five = arith.constant 5 : i32")
	line("%%count = arith.remui %%n, %%c11 : index")
	line("%%few = arith.remui %%k, %%c4 : index")
	// A bound below zero, for which a loop does not run.
	line("%%less = arith.subi %%count, %%c2 : index")
	around := pick(3) == 0
	start := "%zero"
	if around {
		line("%%all = scf.for %%o = %%c0 to %%c3 step %%c1 iter_args(%%before = %%zero) -> (i32) {")
		start = "%before"
	}
	lower := []string{"%c0", "%c0", "%c1", "%few"}[pick(4)]
	if around && pick(4) == 0 {
		lower = "%o"
	}
	upper := []string{"%count", "%less", "%c7", "%c8", "%c9", "%c11"}[pick(6)]
	step := "%c1"
	if upper[1] == 'c' && upper != "%count" && pick(3) == 0 {
		step = "%c2"
	}
	if pick(3) == 0 {
		line("%%total = scf.for %%i = %s to %s step %s iter_args(%%sum = %s) -> (i32) {", lower, upper, step, start)
	} else {
		line("%%sum = arith.addi %s, %%five : i32", start)
		line("scf.for %%i = %s to %s step %s {", lower, upper, step)
	}
	outer := strings.Contains(b.String(), "%total = ")
	line("%%ic = arith.index_cast %%i : index to i32")
	// An element of y: the iteration's own, one of another, or one of data.
	element := func(name string) string {
		switch pick(6) {
		case 0:
			line("%%%s = arith.addi %%i, %%c%d : index", name, 1+pick(3))
		case 1:
			line("%%%s = arith.remui %%i, %%c3 : index", name)
		case 2:
			line("%%%s = arith.muli %%i, %%c2 : index", name)
		default:
			line("%%%s = arith.addi %%i, %%c0 : index", name)
		}
		return "%" + name
	}
	value := "%ic"
	if pick(2) == 0 {
		line("%%first = memref.load %%y[%s] : memref<64xi32>", element("p"))
		value = "%first"
	}
	if outer && pick(4) == 0 {
		line("memref.store %%sum, %%y[%s] : memref<64xi32>", element("c"))
	}
	if pick(6) == 0 {
		line("memref.store %%ic, %%y[%s] : memref<64xi32>", element("w"))
	}
	for l := range 1 + pick(2) {
		if pick(5) == 0 { // halves a number until it is small
			line("%%start%d = arith.muli %%ic, %%ic : i32", l)
			line("%%r%d:2 = scf.while (%%a%d = %s, %%q%d = %%start%d) : (i32, i32) -> (i32, i32) {", l, l, value, l, l)
			line("%%go%d = arith.cmpi sgt, %%q%d, %%five : i32", l, l)
			line("scf.condition(%%go%d) %%a%d, %%q%d : i32, i32", l, l, l)
			line("} do {")
			line("^bb0(%%b%d: i32, %%h%d: i32):", l, l)
			line("%%m%d = arith.muli %%b%d, %%five : i32", l, l)
			line("%%t%d = arith.addi %%m%d, %%h%d : i32", l, l, l)
			line("%%d%d = arith.divui %%h%d, %%five : i32", l, l)
			line("scf.yield %%t%d, %%d%d : i32, i32", l, l)
			line("}")
			value = fmt.Sprintf("%%r%d#0", l)
			continue
		}
		to := []string{"%c5", "%few", "%i", "%c3", "%count"}[pick(5)]
		line("%%r%d = scf.for %%j%d = %%c0 to %s step %%c1 iter_args(%%a%d = %s) -> (i32) {", l, l, to, l, value)
		line("%%row%d = arith.muli %%i, %%c16 : index", l)
		line("%%flat%d = arith.addi %%row%d, %%j%d : index", l, l, l)
		line("%%at%d = arith.remui %%flat%d, %%c255 : index", l, l)
		line("%%v%d = memref.load %%x[%%at%d] : memref<256xi32>", l, l)
		line("%%u%d = memref.load %%z[%%i, %%j%d] : memref<16x16xi32>", l, l)
		line("%%m%d = arith.muli %%a%d, %%v%d : i32", l, l, l)
		line("%%s%d = arith.addi %%m%d, %%u%d : i32", l, l, l)
		switch pick(12) {
		case 5: // one element in all iterations, loaded before or behind the store, or another one of the same array
			at, other := element(fmt.Sprint("e", l)), fmt.Sprintf("%%e%d", l)
			if pick(3) == 0 {
				other = element(fmt.Sprint("f", l))
			}
			load := func() { line("%%g%d = memref.load %%y[%s] : memref<64xi32>", l, other) }
			if pick(2) == 0 {
				load()
				line("%%k%d = arith.addi %%s%d, %%g%d : i32", l, l, l)
				line("memref.store %%k%d, %%y[%s] : memref<64xi32>", l, at)
				line("scf.yield %%k%d : i32", l)
			} else {
				line("memref.store %%s%d, %%y[%s] : memref<64xi32>", l, at)
				load()
				line("%%k%d = arith.muli %%five, %%g%d : i32", l, l)
				line("scf.yield %%k%d : i32", l)
			}
			line("}")
			value = fmt.Sprintf("%%r%d", l)
			continue
		case 3: // what a later iteration stores
			line("%%f%d = arith.addi %%i, %%c%d : index", l, 1+pick(3))
			line("%%g%d = memref.load %%y[%%f%d] : memref<64xi32>", l, l)
			line("%%k%d = arith.addi %%s%d, %%g%d : i32", l, l, l)
			line("memref.store %%k%d, %%y[%%i] : memref<64xi32>", l)
		case 4:
			line("%%e%d = arith.addi %%i, %%j%d : index", l, l)
			line("memref.store %%s%d, %%y[%%e%d] : memref<64xi32>", l, l)
		case 0:
			line("memref.store %%s%d, %%z[%%i, %%j%d] : memref<16x16xi32>", l, l)
		case 1:
			line("memref.store %%s%d, %%z[%%j%d, %%i] : memref<16x16xi32>", l, l)
		case 2:
			line("memref.store %%s%d, %%y[%s] : memref<64xi32>", l, element(fmt.Sprint("e", l)))
		}
		line("scf.yield %%s%d : i32", l)
		line("}")
		value = fmt.Sprintf("%%r%d", l)
	}
	store := fmt.Sprintf("memref.store %s, %%y[%s] : memref<64xi32>", value, element("last"))
	switch pick(6) {
	case 2, 3:
		if !outer {
			line("%s", store)
		}
	case 0:
		line("%%some = arith.cmpi sgt, %s, %%zero : i32", value)
		line("scf.if %%some { %s }", store)
	case 1:
		line("%%again = memref.load %%y[%s] : memref<64xi32>", element("back"))
		line("%%both = arith.xori %%again, %s : i32", value)
		line("memref.store %%both, %%y[%%back] : memref<64xi32>")
	default:
		line("%s", store)
	}
	if outer {
		line("%%next = arith.muli %%sum, %%five : i32")
		line("%%next1 = arith.addi %%next, %s : i32", value)
		line("scf.yield %%next1 : i32")
	}
	line("}")
	result := "%sum"
	if outer {
		result = "%total"
	}
	if around {
		line("scf.yield %s : i32", result)
		line("}")
		result = "%all"
	}
	line("return %s : i32", result)
	b.WriteString("}\n")
	return b.String()
}

// jamming runs a program with iterations side by side and returns what differs from the interpreter, and whether any were.
func jamming(t *testing.T, seed uint64, d deviation) (diff string, jammed bool) {
	t.Helper()
	text := jamProgram(seed)
	m := parse(t, text)
	in := randprog.Inputs(m, seed)
	want, err := interp.Run(randprog.Function(m), in, interp.Options{})
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, text)
	}
	if want.Status != vector.Done {
		return "", false // a subscript outside of an array
	}
	opts := Options{MemoryOrder: orders[seed%2], deviate: d}
	plain, err := Lower(m, opts)
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, text)
	}
	opts.Jam, opts.Reuse, opts.Unroll = 2+int(seed/2%4), seed/8%2 == 1, int(seed/16%2)
	res, err := Lower(m, opts)
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, text)
	}
	p, err := token.Compile(res.Func, 64)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range schedules(seed) {
		s.MaxSteps = 400_000
		got, _, err := p.Run(in, s)
		if err != nil {
			t.Fatal(err)
		}
		if list := vector.Diff(want, got); len(list) > 0 || got.Status != vector.Done {
			return fmt.Sprintf("%d side by side, %+v: %v %v", opts.Jam, s, list, got.Detail), true
		}
	}
	return "", len(res.Func.Regions[0].Entry().Ops) > 3*len(plain.Func.Regions[0].Entry().Ops)/2
}

// TestJam: nests compute the same with iterations of outer loops side by side.
func TestJam(t *testing.T) {
	wide := 0
	for seed := range programs(600) {
		diff, jammed := jamming(t, seed, "")
		if diff != "" {
			t.Fatalf("seed %d: %s\n%s", seed, diff, jamProgram(seed))
		}
		if jammed {
			wide++
		}
	}
	t.Logf("%d programs have iterations side by side", wide)
	if wide < int(programs(600)/8) {
		t.Errorf("only %d programs have iterations side by side", wide)
	}
}

// TestJamDeviations breaks each rule of iterations side by side, and of stores that follow their loop, which the same programs have.
func TestJamDeviations(t *testing.T) {
	for _, d := range []deviation{jamDependent, jamInTurn, jamItself, jamBehind, jamTwin, jamRest, sinkUnguarded, sinkOthers} {
		caught := false
		for seed := uint64(0); seed < 3000 && !caught; seed++ {
			diff, _ := jamming(t, seed, d)
			caught = diff != ""
		}
		if !caught {
			t.Errorf("not noticed: %s", d)
		}
	}
}

// TestSink: sums in memory are carried values, and their stores and loads are there once per sum; not where another element of the memory is loaded, or
// the value is not carried.
func TestSink(t *testing.T) {
	for _, c := range []struct {
		name, body    string
		loads, stores int64
	}{
		{"a sum in memory", `%a = memref.load %y[%i] : memref<8xi32>
      %b = memref.load %x[%j] : memref<8xi32>
      %s = arith.addi %a, %b : i32
      memref.store %s, %y[%i] : memref<8xi32>`, 8*8 + 8, 8},
		{"loaded behind the store, which is the value stored, not carried", `%b = memref.load %x[%j] : memref<8xi32>
      memref.store %b, %y[%i] : memref<8xi32>
      %a = memref.load %y[%i] : memref<8xi32>
      memref.store %a, %z[%j] : memref<8xi32>`, 8 * 8, 2 * 8 * 8},
		{"stored as it was loaded", `%a = memref.load %y[%i] : memref<8xi32>
      memref.store %a, %y[%i] : memref<8xi32>
      %p = arith.cmpi slt, %i, %j : index
      scf.if %p {
        memref.store %a, %z[%j] : memref<8xi32>
      }
      %b = memref.load %y[%i] : memref<8xi32>
      memref.store %b, %x[%j] : memref<8xi32>`, 8, 8 + 28 + 8*8},
		{"another element", `%a = memref.load %y[%j] : memref<8xi32>
      memref.store %a, %y[%i] : memref<8xi32>`, 8 * 8, 8 * 8},
		{"not carried", `%a = memref.load %x[%j] : memref<8xi32>
      memref.store %a, %y[%i] : memref<8xi32>`, 8 * 8, 8 * 8},
	} {
		m := parse(t, `func.func @prog(%x: memref<8xi32>, %y: memref<8xi32>, %z: memref<8xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    scf.for %j = %c0 to %c8 step %c1 {
      `+c.body+`
    }
  }
  return
}`)
		res, err := Lower(m, Options{MemoryOrder: "pipelined"})
		if err != nil {
			t.Fatal(err)
		}
		p, err := token.Compile(res.Func, 64)
		if err != nil {
			t.Fatal(err)
		}
		in := randprog.Inputs(m, 1)
		want, err := interp.Run(randprog.Function(m), in, interp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got, stats, err := p.Run(in, token.Options{})
		if err != nil || len(vector.Diff(want, got)) > 0 || stats.Loads != c.loads || stats.Stores != c.stores {
			t.Errorf("%s: %d loads and %d stores, want %d and %d: %v", c.name, stats.Loads, stats.Stores, c.loads, c.stores, err)
		}
	}
}

// TestJamNarrow: counters of a few bits do not wrap for iterations that run side by side.
func TestJamNarrow(t *testing.T) {
	for _, c := range []struct{ typ, from, to, step string }{{"i4", "0", "%n", "1"}, {"i4", "0", "7", "1"}, {"i8", "-100", "100", "50"}, {"i8", "0", "120", "40"}} {
		to := "%to"
		text := "func.func @prog(%x: memref<16xi32>, %y: memref<256xi32>, %k: index) {\n  %seven = arith.constant 7 : index\n  %m = arith.remui %k, %seven : index\n  %n = arith.index_cast %m : index to " + c.typ + "\n"
		if c.to == "%n" {
			to = "%n"
		} else {
			text += fmt.Sprintf("  %%to = arith.constant %s : %s\n", c.to, c.typ)
		}
		text += fmt.Sprintf(`  %%from = arith.constant %[2]s : %[1]s
  %%step = arith.constant %[3]s : %[1]s
  %%c0 = arith.constant 0 : index
  %%c1 = arith.constant 1 : index
  %%c9 = arith.constant 9 : index
  %%hundred = arith.constant 100 : index
  %%z = arith.constant 0 : i32
  scf.for %%i = %%from to %[4]s step %%step : %[1]s {
    %%s = scf.for %%j = %%c0 to %%c9 step %%c1 iter_args(%%a = %%z) -> (i32) {
      %%v = memref.load %%x[%%j] : memref<16xi32>
      %%p = arith.muli %%a, %%v : i32
      %%q = arith.addi %%p, %%v : i32
      scf.yield %%q : i32
    }
    %%e = arith.index_cast %%i : %[1]s to index
    %%f = arith.addi %%e, %%hundred : index
    memref.store %%s, %%y[%%f] : memref<256xi32>
  }
  return
}`, c.typ, c.from, c.step, to)
		m := parse(t, text)
		in := randprog.Inputs(m, 3)
		want, err := interp.Run(randprog.Function(m), in, interp.Options{})
		if err != nil || want.Status != vector.Done {
			t.Fatal(want, err)
		}
		for _, jam := range []int{2, 3, 4, 5, 16} {
			res, err := Lower(m, Options{MemoryOrder: "pipelined", Jam: jam})
			if err != nil {
				t.Fatal(err)
			}
			p, err := token.Compile(res.Func, 64)
			if err != nil {
				t.Fatal(err)
			}
			got, _, err := p.Run(in, token.Options{MaxSteps: 100_000})
			if err != nil || got.Status != vector.Done || len(vector.Diff(want, got)) > 0 {
				t.Errorf("%+v, %d side by side: %v %v %v", c, jam, got.Status, vector.Diff(want, got), err)
			}
		}
	}
}
