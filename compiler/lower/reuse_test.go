package lower

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"loom/compiler/interp"
	"loom/compiler/opname"
	"loom/internal/randprog"
	"loom/sim/token"
	"loom/sim/vector"
)

// windowProgram is a random loop over windows of an array: loads at and around the counter, or a small loop over them and
// coefficients; of one or two dimensions, in steps up, or down from the end, sometimes with a store to the array, a branch, a row that changes, or
// no iterations at all.
func windowProgram(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 11))
	pick := func(n int) int { return r.IntN(n) }
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, "  "+format+"\n", args...) }
	memory, row := "memref<64xi32>", ""
	two := pick(3) == 0
	if two {
		memory, row = "memref<8x64xi32>", "%row, "
	}
	fmt.Fprintf(&b, "func.func @prog(%%x: %s, %%h: memref<64xi32>, %%y: memref<64xi32>, %%n: index, %%k: index) -> i32 {\n", memory)
	for _, c := range []int{0, 1, 2, 3, 4, 7, 8, 20, 40} {
		line("%%c%d = arith.constant %d : index", c, c)
	}
	line("%%zero = arith.constant 0 : i32")
	line("%%count = arith.remui %%n, %%c20 : index")
	line("%%first = arith.remui %%k, %%c4 : index")
	low := pick(3) == 0 // from zero on, where a counter one less is no subscript
	if low {
		line("%%lb = arith.addi %%first, %%c0 : index")
	} else {
		line("%%lb = arith.addi %%first, %%c8 : index")
	}
	switch pick(4) {
	case 0: // sometimes no iteration, and nothing of the array where the first one would be
		line("%%rest = arith.remui %%n, %%c3 : index")
		line("%%none = arith.cmpi eq, %%rest, %%c0 : index")
		line("%%far = arith.constant 1000 : index")
		line("%%start = arith.select %%none, %%far, %%lb : index")
		line("%%more = arith.addi %%lb, %%count : index")
		line("%%end = arith.select %%none, %%c0, %%more : index")
	default:
		line("%%start = arith.addi %%lb, %%c0 : index")
		line("%%end = arith.addi %%lb, %%count : index")
	}
	line("%%row0 = arith.remui %%k, %%c7 : index")
	around := pick(3) == 0
	start := "%zero"
	if around {
		line("%%all = scf.for %%again = %%c0 to %%c3 step %%c1 iter_args(%%before = %%zero) -> (i32) {")
		start = "%before"
	}
	step := 1 + pick(2)
	counter := []string{"index", "index", "i8", "i16"}[pick(4)]
	if counter == "index" {
		line("%%total = scf.for %%up = %%start to %%end step %%c%d iter_args(%%sum0 = %s) -> (i32) {", step, start)
	} else {
		cast := []string{"index_cast", "index_castui"}[pick(2)]
		for _, v := range []string{"start", "end"} {
			line("%%narrow_%s = arith.index_cast %%%s : index to %s", v, v, counter)
		}
		line("%%step = arith.constant %d : %s", step, counter)
		line("%%total = scf.for %%narrow = %%narrow_start to %%narrow_end step %%step iter_args(%%sum0 = %s) -> (i32) : %s {", start, counter)
		line("%%up = arith.%s %%narrow : %s to index", cast, counter)
	}
	if !low && pick(4) == 0 {
		line("%%i = arith.subi %%c40, %%up : index")
	} else {
		line("%%i = arith.addi %%up, %%c0 : index")
	}
	if two {
		switch {
		case pick(4) == 0:
			line("%%row = arith.remui %%i, %%c8 : index")
		case around:
			line("%%row = arith.addi %%row0, %%again : index")
			line("%%row1 = arith.remui %%row, %%c8 : index")
			row = "%row1, "
		default:
			line("%%row = arith.addi %%row0, %%c0 : index")
		}
	}
	sum := "%sum0"
	for l := range pick(4) {
		back := 2
		if low {
			back = 0
		}
		line("%%off%d = arith.constant %d : index", l, pick(7)-back)
		line("%%at%d = arith.addi %%i, %%off%d : index", l, l)
		line("%%v%d = memref.load %%x[%s%%at%d] : %s", l, row, l, memory)
		line("%%w%d = arith.muli %s, %%v%d : i32", l, sum, l)
		line("%%s%d = arith.addi %%w%d, %%v%d : i32", l, l, l)
		sum = fmt.Sprintf("%%s%d", l)
	}
	if pick(3) == 0 {
		line("%%e = memref.load %%h[%%row0] : memref<64xi32>")
		line("%%se = arith.xori %s, %%e : i32", sum)
		sum = "%se"
	}
	if pick(2) == 0 {
		line("%%inner = scf.for %%q = %%c0 to %%c%d step %%c%d iter_args(%%t0 = %s) -> (i32) {", []int{1, 2, 3, 4, 7}[pick(5)], 1+pick(2), sum)
		way := []string{"addi", "subi"}[pick(2)]
		if low {
			way = "addi"
		}
		line("%%in = arith.%s %%i, %%q : index", way)
		line("%%a = memref.load %%x[%s%%in] : %s", row, memory)
		line("%%b = memref.load %%h[%%q] : memref<64xi32>")
		line("%%p = arith.muli %%a, %%b : i32")
		line("%%t1 = arith.addi %%t0, %%p : i32")
		if pick(6) == 0 {
			line("memref.store %%t1, %%y[%%q] : memref<64xi32>")
		}
		line("scf.yield %%t1 : i32")
		line("}")
		sum = "%inner"
	}
	store := fmt.Sprintf("memref.store %s, %%y[%%i] : memref<64xi32>", sum)
	switch pick(6) {
	case 0: // to what is loaded
		store = fmt.Sprintf("memref.store %s, %%x[%s%%i] : %s", sum, row, memory)
	case 1:
		store = fmt.Sprintf("memref.store %s, %%h[%%c2] : memref<64xi32>", sum)
	}
	if pick(4) == 0 {
		line("%%some = arith.cmpi sgt, %s, %%zero : i32", sum)
		line("scf.if %%some { %s }", store)
	} else {
		line("%s", store)
	}
	line("scf.yield %s : i32", sum)
	line("}")
	result := "%total"
	if around {
		line("scf.yield %%total : i32")
		line("}")
		result = "%all"
	}
	line("return %s : i32", result)
	b.WriteString("}\n")
	return b.String()
}

// reusing runs a program with loops written out and loads kept and returns what differs from the interpreter, and how many
// loads less and how many loops less the graph has than without.
func reusing(t *testing.T, seed uint64, d deviation) (diff string, loads int64, loops int) {
	t.Helper()
	text := windowProgram(seed)
	m := parse(t, text)
	fn := randprog.Function(m)
	in := randprog.Inputs(m, seed)
	want, err := interp.Run(fn, in, interp.Options{})
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, text)
	}
	if want.Status != vector.Done {
		return "", 0, 0 // a row or a counter outside of an array
	}
	for _, on := range []bool{false, true} {
		opts := Options{MemoryOrder: orders[seed%2], deviate: d}
		if on {
			opts.Unroll, opts.Reuse = int(seed/2%3), seed/6%4 > 0
		}
		res, err := Lower(m, opts)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		streams := 0
		for _, op := range res.Func.Regions[0].Entry().Ops {
			if op.Name == opname.DataflowStream {
				streams++
			}
		}
		p, err := token.Compile(res.Func, 64)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range schedules(seed) {
			s.MaxSteps = 400_000
			got, stats, err := p.Run(in, s)
			if err != nil {
				t.Fatal(err)
			}
			if list := vector.Diff(want, got); len(list) > 0 || got.Status != vector.Done {
				return fmt.Sprintf("unroll %d, reuse %v, %+v: %v %v", opts.Unroll, opts.Reuse, s, list, got.Detail), 0, 0
			}
			if on {
				loads -= stats.Loads
			} else {
				loads += stats.Loads
			}
		}
		if on {
			loops -= streams
		} else {
			loops += streams
		}
	}
	return "", loads, loops
}

// TestReuse: loops over windows compute the same with inner loops written out and loads kept; many load less, and many have a loop less.
func TestReuse(t *testing.T) {
	less, fewer := 0, 0
	for seed := range programs(600) {
		diff, loads, loops := reusing(t, seed, "")
		if diff != "" {
			t.Fatalf("seed %d: %s\n%s", seed, diff, windowProgram(seed))
		}
		if loads > 0 {
			less++
		}
		if loops > 0 {
			fewer++
		}
	}
	t.Logf("%d programs load less, %d have a loop less", less, fewer)
	if n := int(programs(600) / 10); less < 2*n || fewer < n {
		t.Errorf("only %d programs load less, %d have a loop less", less, fewer)
	}
}

// TestReuseDeviations breaks each rule of loads that are kept and of loops that are written out.
func TestReuseDeviations(t *testing.T) {
	for _, d := range []deviation{unrollLast, reusePast, reuseStart, reuseUnguarded} {
		caught := false
		for seed := uint64(0); seed < 600 && !caught; seed++ {
			diff, _, _ := reusing(t, seed, d)
			caught = diff != ""
		}
		if !caught {
			t.Errorf("not noticed: %s", d)
		}
	}
}

// convolution is a filter of 3 x 3 coefficients.
const convolution = `func.func @conv(%x: memref<16x16xi32>, %w: memref<3x3xi32>, %y: memref<14x14xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c14 = arith.constant 14 : index
  %zero = arith.constant 0 : i32
  scf.for %r = %c0 to %c14 step %c1 {
    scf.for %c = %c0 to %c14 step %c1 {
      %s = scf.for %i = %c0 to %c3 step %c1 iter_args(%s0 = %zero) -> (i32) {
        %t = scf.for %j = %c0 to %c3 step %c1 iter_args(%t0 = %s0) -> (i32) {
          %ri = arith.addi %r, %i : index
          %cj = arith.addi %c, %j : index
          %a = memref.load %x[%ri, %cj] : memref<16x16xi32>
          %b = memref.load %w[%i, %j] : memref<3x3xi32>
          %p = arith.muli %a, %b : i32
          %t1 = arith.addi %t0, %p : i32
          scf.yield %t1 : i32
        }
        scf.yield %t : i32
      }
      memref.store %s, %y[%r, %c] : memref<14x14xi32>
    }
  }
  return
}
`

// TestReuseLoads counts the loads of a filter: by level, those of the coefficients are made once, and of the window those of a column are new.
func TestReuseLoads(t *testing.T) {
	m := parse(t, convolution)
	for _, c := range []struct {
		unroll int
		reuse  bool
		loads  int64
	}{
		{0, false, 2 * 9 * 196},
		{2, false, 2 * 9 * 196},
		{2, true, 9 + 14*14*3 + 14*2 + 4}, // and those of the first window of a row are kept for the next rows
	} {
		res, err := Lower(m, Options{MemoryOrder: "pipelined", Unroll: c.unroll, Reuse: c.reuse})
		if err != nil {
			t.Fatal(err)
		}
		p, err := token.Compile(res.Func, 64)
		if err != nil {
			t.Fatal(err)
		}
		_, stats, err := p.Run(randprog.Inputs(m, 1), schedules(1)[0])
		if err != nil || stats.Loads != c.loads {
			t.Errorf("unroll %d, reuse %v: %d loads, want %d (%v)", c.unroll, c.reuse, stats.Loads, c.loads, err)
		}
	}
}

// TestUnrollLimits: loops of many iterations, of an unknown number, with arrays of their own, and without a loop around them stay.
func TestUnrollLimits(t *testing.T) {
	loop := func(bound, body string) string {
		return `func.func @k(%x: memref<64xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %few = arith.constant 16 : index
  %many = arith.constant 17 : index
  %v = arith.constant 3 : i32
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to ` + bound + ` step %c1 {
      ` + body + `
    }
  }
  return
}`
	}
	store := "memref.store %v, %x[%j] : memref<64xi32>"
	local := "%l = memref.alloca() : memref<4xi32>\n memref.store %v, %l[%c0] : memref<4xi32>\n %u = memref.load %l[%c0] : memref<4xi32>\n memref.store %u, %x[%j] : memref<64xi32>"
	long := strings.Repeat(store+"\n", 17)
	for name, c := range map[string]struct {
		text  string
		loops int
	}{
		"few":     {loop("%few", store), 1},
		"many":    {loop("%many", store), 2},
		"unknown": {loop("%n", store), 2},
		"local":   {loop("%few", local), 2},
		"long":    {loop("%few", long), 2},
		"alone":   {strings.Replace(loop("%few", store), "scf.for %i = %c0 to %n step %c1 {", "scf.execute_region {", 1), 1},
	} {
		if name == "alone" {
			c.text = strings.Replace(c.text, "    }\n  }\n", "    }\n    scf.yield\n  }\n", 1)
		}
		res, err := Lower(parse(t, c.text), Options{MemoryOrder: "pipelined", Unroll: MaxUnroll})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		streams := 0
		for _, op := range res.Func.Regions[0].Entry().Ops {
			if op.Name == opname.DataflowStream {
				streams++
			}
		}
		if streams != c.loops {
			t.Errorf("%s: %d loops are left, want %d", name, streams, c.loops)
		}
	}
}

// TestMergedLoads: loads whose subscripts are found to be equal behind the analysis of dependences become one, which is in turn with the store as both were.
func TestMergedLoads(t *testing.T) {
	m := parse(t, `func.func @k(%x: memref<64xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %few = arith.constant 20 : index
  %count = arith.remui %n, %few : index
  scf.for %i = %c0 to %count step %c1 {
    %twice = arith.muli %i, %c2 : index
    %double = arith.shli %i, %c1 : index
    %next = arith.addi %twice, %c2 : index
    %other = arith.addi %double, %c2 : index
    %a = memref.load %x[%next] : memref<64xi32>
    %b = memref.load %x[%other] : memref<64xi32>
    %c = arith.addi %a, %b : i32
    memref.store %c, %x[%twice] : memref<64xi32>
  }
  return
}`)
	fn := randprog.Function(m)
	for seed := range uint64(8) {
		if d, err := disagreement(fn, randprog.Inputs(m, seed), seed, Options{MemoryOrder: "pipelined"}); err != nil || d != "" {
			t.Errorf("seed %d: %s %v", seed, d, err)
		}
	}
}
