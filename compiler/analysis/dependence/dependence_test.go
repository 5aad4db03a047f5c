package dependence_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"loom/compiler/analysis/dependence"
	"loom/compiler/analysis/linear"
	"loom/compiler/analysis/ranges"
	_ "loom/compiler/dialect/all"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/internal/facttest"
	"loom/internal/randprog"
	"loom/internal/soak"
)

// TestClassics: one loop over 8-bit indices with two accesses each, and the verdict of the
// test with its reason.
func TestClassics(t *testing.T) {
	cases := []struct {
		name, body string
		free       bool
		why        string
	}{
		{"own element", `
			%v = memref.load %m[%i] : memref<64xi32>
			memref.store %v, %m[%i] : memref<64xi32>`, true, "each iteration has an element of its own"},
		{"previous element", `
			%p = arith.subi %i, %c1 : index
			%v = memref.load %m[%p] : memref<64xi32>
			memref.store %v, %m[%i] : memref<64xi32>`, false, "distance 1"},
		{"next element", `
			%p = arith.addi %i, %c1 : index
			%v = memref.load %m[%p] : memref<64xi32>
			memref.store %v, %m[%i] : memref<64xi32>`, true, "what an iteration touches first, a later one touches behind it"},
		{"stored before, loaded later", `
			%p = arith.subi %i, %c1 : index
			%v = arith.index_cast %i : index to i32
			memref.store %v, %m[%i] : memref<64xi32>
			%w = memref.load %m[%p] : memref<64xi32>`, true, "what an iteration touches first, a later one touches behind it"},
		{"stored ahead", `
			%p = arith.addi %i, %c1 : index
			%v = arith.index_cast %i : index to i32
			memref.store %v, %m[%i] : memref<64xi32>
			%w = memref.load %m[%p] : memref<64xi32>`, false, "distance 1"},
		{"next element in the other branch", `
			%p = arith.addi %i, %c1 : index
			%odd = arith.cmpi slt, %i, %c2 : index
			scf.if %odd {
				%v = memref.load %m[%p] : memref<64xi32>
			} else {
				memref.store %seven, %m[%i] : memref<64xi32>
			}`, false, "distance 1"},
		{"next element in a branch in front", `
			%p = arith.addi %i, %c1 : index
			%odd = arith.cmpi slt, %i, %c2 : index
			scf.if %odd {
				%v = memref.load %m[%p] : memref<64xi32>
			}
			memref.store %seven, %m[%i] : memref<64xi32>`, true, "what an iteration touches first, a later one touches behind it"},
		{"odd and even (GCD)", `
			%a = arith.muli %i, %c2 : index
			%b = arith.addi %a, %c1 : index
			%v = memref.load %m[%a] : memref<64xi32>
			memref.store %v, %m[%b] : memref<64xi32>`, true, "the distance is no whole number of iterations"},
		{"too far", `
			%b = arith.addi %i, %c20 : index
			%v = memref.load %m[%i] : memref<64xi32>
			memref.store %v, %m[%b] : memref<64xi32>`, true, "the distance of 20 iterations is more than it runs"},
		{"one element", `
			%v = memref.load %m[%c1] : memref<64xi32>
			memref.store %v, %m[%c1] : memref<64xi32>`, false, "every iteration touches the same element"},
		{"halves (Banerjee)", `
			%b = arith.subi %c40, %i : index
			%v = memref.load %m[%i] : memref<64xi32>
			memref.store %v, %m[%b] : memref<64xi32>`, true, "the elements of an iteration lie between those of the others"},
		{"unknown", `
			%j = memref.load %m[%i] : memref<64xi32>
			%b = arith.index_cast %j : i32 to index
			memref.store %j, %m[%b] : memref<64xi32>`, false, "the subscript depends on loaded data"},
		{"bounded by a mask", `
			%j = memref.load %m[%i] : memref<64xi32>
			%b = arith.andi %j, %seven : i32
			%d = arith.index_cast %b : i32 to index
			%e = arith.addi %d, %c40 : index
			memref.store %j, %m[%e] : memref<64xi32>`, true, "the elements of an iteration lie between those of the others"},
	}
	for _, c := range cases {
		m, err := mlir.ParseAndVerify(c.name, `
func.func @f(%m: memref<64xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c10 = arith.constant 10 : index
  %c20 = arith.constant 20 : index
  %c40 = arith.constant 40 : index
  %seven = arith.constant 7 : i32
  scf.for %i = %c1 to %c10 step %c1 {`+c.body+`
  }
  return
}`)
		if err != nil {
			t.Fatal(err)
		}
		fn := randprog.Function(m)
		x := linear.New(ranges.Analyse(fn, ranges.Options{IndexWidth: 32}), 32)
		var loop *ir.Operation
		var touches []dependence.Touch
		fn.Walk(func(op *ir.Operation) bool {
			at := -1
			switch op.Name {
			case "scf.for":
				loop = op
			case "memref.load":
				at = 0
			case "memref.store":
				at = 1
			}
			if at >= 0 {
				memory := op.Operand(at)
				nest, each := dependence.Nest(op, loop)
				touches = append(touches, dependence.Touch{Op: op, Store: at == 1, Root: memory, Base: memory, Distinct: true,
					Subscripts: []dependence.Subscript{{Form: x.Of(op.Operand(at + 1)), Nest: nest, Each: each}}})
			}
			return true
		})
		d := dependence.Independence{Free: true}
		dependence.NewTest(x, loop, dependence.Options{}).Judge(&d, touches)
		if d.Free != c.free || d.Why != c.why {
			t.Errorf("%s: %v (%s), want %v (%s)", c.name, d.Free, d.Why, c.free, c.why)
		}
	}
}

// nest is a random loop nest: two or three loops with bounds that are constants or small
// parameters, and accesses whose subscripts are sums of multiples of the induction
// variables, some masked, some beside each other. In an index of few bits sums wrap.
func nest(seed uint64) (text string, width int) {
	r := rand.New(rand.NewPCG(seed, 5))
	width = []int{8, 10, 32}[r.IntN(3)]
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("func.func @prog(%%n: index, %%x: i32, %%m: memref<256xi32>, %%p: memref<16x16xi32>) {")
	line("%%three = arith.constant 3 : index")
	line("%%few = arith.andi %%n, %%three : index")
	names, next := []string{"%few"}, 0
	// Sizes: a number of any sign, and its half, which loops run to and subscripts lie apart by.
	var sizes []string
	if r.IntN(3) == 0 {
		line("%%mask = arith.constant %d : index", []int{7, 15, 31}[r.IntN(3)])
		line("%%less = arith.constant %d : index", r.IntN(9))
		two := 1 + r.IntN(3)
		line("%%two = arith.constant %d : index", two)
		line("%%one = arith.constant 1 : index")
		line("%%most = arith.andi %%n, %%mask : index")
		line("%%size = arith.subi %%most, %%less : index")
		how := []string{"arith.divsi", "arith.divui", "arith.shrsi", "arith.shrui"}[r.IntN(4)]
		line("%%half = %s %%size, %%two : index", how)
		if strings.HasPrefix(how, "arith.shr") {
			two = 1 << two
		}
		line("%%whole = arith.constant %d : index", two)
		sizes = []string{"%size", "%half"}
		names = append(names, sizes...)
	}
	def := func(format string, args ...any) string {
		next++
		name := fmt.Sprintf("%%v%d", next)
		line("%s = "+format, append([]any{name}, args...)...)
		return name
	}
	constant := func(c int) string { return def("arith.constant %d : index", c) }
	var sums []string
	sum := func() string {
		c := r.IntN(24) - 4
		if r.IntN(4) == 0 {
			c = 16 << r.IntN(3)
		}
		s := constant(c)
		if len(sizes) > 0 && r.IntN(3) == 0 { // beside what it is the half of
			v, by := "%size", "%one"
			if r.IntN(2) == 0 {
				v, by = "%half", "%whole"
			}
			if r.IntN(2) == 0 { // a row of so many columns, or the one beside it
				row := def("arith.addi %s, %s : index", names[r.IntN(len(names))], constant(r.IntN(3)-1))
				s = def("arith.addi %s, %s : index", names[len(names)-1], def("arith.muli %s, %%size : index", row))
				sums = append(sums, s)
				return s
			}
			s = def("arith.addi %s, %s : index", constant(r.IntN(3)-1), def("arith.muli %s, %s : index", v, by))
			sums = append(sums, s)
			return s
		}
		if len(sums) > 0 && r.IntN(2) == 0 { // another access beside an earlier one
			return def("arith.addi %s, %s : index", sums[len(sums)-1], s)
		}
		for _, v := range names {
			if r.IntN(3) > 0 {
				m := def("arith.muli %s, %s : index", v, constant([]int{-2, -1, 1, 1, 2, 3, 16, 64}[r.IntN(8)]))
				s = def("arith.addi %s, %s : index", s, m)
			}
		}
		sums = append(sums, s)
		return s
	}
	masked := func(mask int) string {
		s := sum()
		if r.IntN(2) == 0 {
			return def("arith.andi %s, %s : index", s, constant(mask))
		}
		return s // may leave the memory, which ends the run
	}
	accesses := func() {
		for range r.IntN(3) {
			subs, memory := masked(255), "%m[%s] : memref<256xi32>"
			if last := names[len(names)-1]; seed%4 == 3 { // some elements away from where others are
				subs = def("arith.addi %s, %s : index", last, constant(20+r.IntN(4)))
			} else if r.IntN(3) == 0 {
				subs, memory = masked(15)+", "+masked(15), "%p[%s] : memref<16x16xi32>"
			}
			memory = strings.Replace(memory, "%s", subs, 1)
			if r.IntN(2) == 0 {
				line("memref.store %%x, %s", memory)
			} else {
				next++
				line("%%v%d = memref.load %s", next, memory)
			}
		}
	}
	depth := 2 + r.IntN(2)
	for i := range depth {
		accesses()
		lb, ub := constant(r.IntN(3)), constant(3+r.IntN(6))
		if r.IntN(4) == 0 {
			ub = "%few"
		}
		if len(sizes) > 0 && r.IntN(2) == 0 {
			ub = sizes[r.IntN(2)]
		}
		line("scf.for %%i%d = %s to %s step %s {", i, lb, ub, constant(1+r.IntN(2)))
		names, sums = append(names, fmt.Sprintf("%%i%d", i)), nil
	}
	accesses()
	accesses()
	b.WriteString(strings.Repeat("}\n", depth) + "return\n}\n")
	return b.String(), width
}

// violated runs a random nest with its facts.
func violated(t *testing.T, seed uint64, opts facttest.Options) (bad string, claims *facttest.Facts, done bool) {
	t.Helper()
	text, width := nest(seed)
	m, err := mlir.ParseAndVerify("nest.mlir", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	opts.IndexWidth = width
	f := facttest.Of(randprog.Function(m), opts)
	bad, err = f.Run(randprog.Inputs(m, seed), 1_000_000)
	if bad != "" {
		bad = fmt.Sprintf("seed %d, index of %d bits: %s\n%s", seed, width, bad, text)
	}
	return bad, f, err == nil
}

// TestFacts runs random loop nests: of no two accesses that are called independent do
// different iterations touch one element.
func TestFacts(t *testing.T) {
	usual := 600
	if testing.Short() {
		usual = 60
	}
	n := soak.Scale(usual, 20*usual)
	pairs, inTurn, ended := 0, 0, 0
	for seed := range uint64(n) {
		bad, f, done := violated(t, seed, facttest.Options{})
		if bad != "" {
			t.Fatal(bad)
		}
		pairs += f.Pairs
		inTurn += f.InTurn
		if done {
			ended++
		}
	}
	t.Logf("%d nests, %d without a fault, %d independent pairs, %d of them in turn", n, ended, pairs, inTurn)
	if inTurn < n/40 {
		t.Errorf("the nests show little: %d pairs in turn", inTurn)
	}
	if pairs < n || ended < n/10 {
		t.Errorf("the nests show little: %d pairs, %d of %d without a fault", pairs, ended, n)
	}
}

// halves touches element n + 21 and, in other iterations, twice the half of n and 20 more: these are one where n is -1.
const halves = `
func.func @prog(%n: index, %x: i32, %m: memref<256xi32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %four = arith.constant 4 : index
  %seven = arith.constant 7 : index
  %base = arith.constant 20 : index
  %above = arith.constant 21 : index
  %most = arith.andi %n, %seven : index
  %size = arith.subi %most, %four : index
  %half = arith.divsi %size, %two : index
  %even = arith.muli %half, %two : index
  %a = arith.addi %size, %above : index
  %b = arith.addi %even, %base : index
  scf.for %i = %zero to %four step %one {
    memref.store %x, %m[%a] : memref<256xi32>
    %v = memref.load %m[%b] : memref<256xi32>
  }
  return
}`

// TestRounding: the rest of a quotient is negative where the number is, unless the operation rounds down.
func TestRounding(t *testing.T) {
	for _, c := range []struct {
		op     string
		opts   facttest.Options
		pairs  int
		breaks bool
	}{
		{"arith.divsi", facttest.Options{}, 0, false},
		{"arith.divsi", facttest.Options{Rounding: true}, 1, true},
		{"arith.shrsi", facttest.Options{}, 1, false},
	} {
		text := halves
		if c.op == "arith.shrsi" {
			text = strings.Replace(text, "arith.divsi %size, %two", "arith.shrsi %size, %one", 1)
		}
		found := ""
		for seed := range uint64(40) {
			m, err := mlir.ParseAndVerify("halves.mlir", text)
			if err != nil {
				t.Fatal(err)
			}
			c.opts.IndexWidth = 32
			f := facttest.Of(randprog.Function(m), c.opts)
			bad, err := f.Run(randprog.Inputs(m, seed), 10_000)
			if err != nil {
				t.Fatal(err)
			}
			if f.Pairs != c.pairs {
				t.Errorf("%s, %+v: %d independent pairs, want %d", c.op, c.opts, f.Pairs, c.pairs)
			}
			if bad != "" {
				found = bad
			}
		}
		if c.breaks != (found != "") {
			t.Errorf("%s, %+v: %q", c.op, c.opts, found)
		}
	}
}

// TestFactsNotice: rules that are wrong are found.
func TestFactsNotice(t *testing.T) {
	for name, opts := range map[string]facttest.Options{
		"distances count as independence":  {Careless: true},
		"no subscript wraps":               {Trusting: true},
		"no difference wraps":              {Endless: true},
		"a later iteration is the earlier": {Backwards: true},
		string(linear.Parts):               {Linear: linear.Parts},
		string(ranges.ShortInduction):      {Ranges: ranges.ShortInduction},
	} {
		found := false
		for seed := uint64(0); seed < 6000 && !found; seed++ {
			bad, _, _ := violated(t, seed, opts)
			if found = bad != ""; found {
				t.Logf("nest %d notices that %s", seed, name)
			}
		}
		if !found {
			t.Errorf("no nest notices that %s", name)
		}
	}
}
