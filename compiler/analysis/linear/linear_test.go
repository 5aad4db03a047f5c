package linear_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"loom/compiler/analysis/linear"
	"loom/compiler/analysis/ranges"
	_ "loom/compiler/dialect/all"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/internal/facttest"
	"loom/internal/randprog"
	"loom/internal/soak"
)

// show prints a sum with the names of its values.
func show(f linear.Form) string {
	var parts []string
	for _, t := range f.Terms {
		parts = append(parts, fmt.Sprintf("%d*%s", t.Coef, t.Sym.Value.Name))
	}
	slices.Sort(parts)
	return strings.Join(append(parts, fmt.Sprint(f.C)), " + ")
}

// TestForms: what sums are made of. The comment behind a value is its sum.
func TestForms(t *testing.T) {
	text := `
func.func @f(%n: index, %x: i8, %m: memref<64xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c6 = arith.constant 6 : index
  %c4 = arith.constant 4 : index
  %ones = arith.constant -1 : index
  %few = arith.constant 7 : i8
  %one = arith.constant 1 : i8
  scf.for %i = %c0 to %n step %c1 {
    %a = arith.muli %i, %c3 : index // 3*i + 0
    %b = arith.addi %a, %c6 : index // 3*i + 6
    %c = arith.subi %b, %i : index // 2*i + 6
    %d = arith.shli %c, %c1 : index // 4*i + 12
    %e = arith.ori %d, %c3 : index // 4*i + 15
    %f = arith.ori %a, %c1 : index // 1*f + 0
    %g = arith.xori %i, %ones : index // -1*i + -1
    %h = arith.muli %i, %n : index // 1*h + 0
    %k = arith.subi %h, %h : index // 0
    %y = arith.andi %x, %few : i8 // 1*y + 0
    %z = arith.addi %y, %one : i8 // 1*y + 1
    %w = arith.index_castui %z : i8 to index // 1*y + 1
    %u = arith.addi %x, %one : i8 // 1*x + 1
    %v = arith.index_cast %u : i8 to index // 1*v + 0
    %s = arith.index_cast %x : i8 to index // 1*x + 0
    %r = arith.index_castui %x : i8 to index // 1*r + 0
    %q = arith.trunci %x : i8 to i4 // 1*x + 0
  }
  return
}`
	m, err := mlir.ParseAndVerify("forms.mlir", text)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(text, "\n")
	fn := randprog.Function(m)
	x := linear.New(ranges.Analyse(fn, ranges.Options{IndexWidth: 32}), 32)
	checked := 0
	fn.Walk(func(op *ir.Operation) bool {
		if _, want, ok := strings.Cut(lines[op.Pos.Line-1], "// "); ok {
			checked++
			if got := show(x.Of(op.Result(0))); got != want {
				t.Errorf("%%%s is %s, want %s", op.Result(0).Name, got, want)
			}
		}
		return true
	})
	if checked != 17 {
		t.Errorf("%d sums were checked", checked)
	}
}

// TestSum: sums are right modulo 2^64, and exact where they say so, in any order of their
// symbols.
func TestSum(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	some := func() int64 {
		switch r.IntN(4) {
		case 0:
			return int64(r.Uint64())
		case 1:
			return []int64{math.MinInt64, math.MaxInt64, -1}[r.IntN(3)]
		}
		return r.Int64N(9) - 4
	}
	exact := 0
	for range 20000 {
		make := func() (f linear.Sum[int]) {
			for _, y := range r.Perm(4)[:r.IntN(4)] {
				if k := some(); k != 0 {
					f.Terms = append(f.Terms, linear.Term[int]{Sym: y, Coef: k})
				}
			}
			f.C = some()
			return f
		}
		f, g, k := make(), make(), some()
		sum, ok := f.Plus(g, k)
		fits := func(a, b, got int64) {
			if got != a+k*b {
				t.Fatalf("%v + %d*%v is %v", f, k, g, sum)
			}
			if p := float64(k) * float64(b); ok && (math.Abs(p) > 1<<63 || math.Abs(float64(a)+p) > 1<<63) {
				t.Fatalf("%v + %d*%v is said to be exact", f, k, g)
			}
		}
		fits(f.C, g.C, sum.C)
		for y := range 4 {
			fits(f.Coefficient(y), g.Coefficient(y), sum.Coefficient(y))
		}
		for i, u := range sum.Terms {
			if u.Coef == 0 || slices.ContainsFunc(sum.Terms[:i], func(v linear.Term[int]) bool { return v.Sym == u.Sym }) {
				t.Fatalf("%v + %d*%v is %v", f, k, g, sum)
			}
		}
		if ok {
			exact++
			if back, ok := sum.Plus(g, -k); ok && k != math.MinInt64 && (back.C != f.C || len(back.Terms) != len(f.Terms)) {
				t.Fatalf("%v + %d*%v - the same is %v", f, k, g, back)
			}
		}
	}
	if exact < 5000 {
		t.Errorf("only %d sums are exact", exact)
	}
}

// violated runs a random program with its facts.
func violated(t *testing.T, seed uint64, broken linear.Fault) (string, *facttest.Facts) {
	t.Helper()
	w := []int{64, 32, 16}[seed%3]
	m := randprog.Generate(seed, randprog.Options{MaxOps: 25 + 30*int(seed%4), IndexWidth: w})
	fn := randprog.Function(m)
	text := mlir.Print(m, mlir.Options{})
	f := facttest.Of(fn, facttest.Options{IndexWidth: w, Linear: broken})
	bad, err := f.Run(randprog.Inputs(m, seed), 8_000_000)
	if err != nil {
		t.Logf("seed %d: %v", seed, err)
	}
	if bad != "" {
		bad = fmt.Sprintf("seed %d, index of %d bits: %s\n%s", seed, w, bad, text)
	}
	return bad, f
}

// TestFacts runs random programs: each value is the sum that describes it, within the
// bounds of the sum and of its symbols.
func TestFacts(t *testing.T) {
	usual := 300
	if testing.Short() {
		usual = 30
	}
	n := soak.Scale(usual, 20*usual)
	sums, exact, pairs := 0, 0, 0
	for seed := range uint64(n) {
		bad, f := violated(t, seed, "")
		if bad != "" {
			t.Fatal(bad)
		}
		sums, exact, pairs = sums+f.Sums, exact+f.Exact, pairs+f.Pairs
	}
	t.Logf("%d programs, %d sums, %d of them exact, %d pairs of accesses", n, sums, exact, pairs)
	if sums < 3*n || exact < n {
		t.Errorf("the programs have too few sums: %d, exact %d", sums, exact)
	}
}

// TestFactsNotice: rules that are wrong are found.
func TestFactsNotice(t *testing.T) {
	for _, rule := range []linear.Fault{linear.Wraps, linear.Signs} {
		found := false
		for seed := uint64(0); seed < 500 && !found; seed++ {
			bad, _ := violated(t, seed, rule)
			if found = bad != ""; found {
				t.Logf("program %d notices that %s", seed, rule)
			}
		}
		if !found {
			t.Errorf("no program notices that %s", rule)
		}
	}
}

// TestPlaces: the product within the branch is at most 81, the one behind it is not. Both
// are one symbol, of which the bounds must hold in both places.
func TestPlaces(t *testing.T) {
	for _, rule := range []linear.Fault{"", linear.Places} {
		m, err := mlir.ParseAndVerify("places.mlir", `
func.func @prog(%a: i32) -> i32 {
  %ten = arith.constant 10 : i32
  %small = arith.cmpi ult, %a, %ten : i32
  scf.if %small {
    %x = arith.muli %a, %a : i32
  }
  %y = arith.muli %a, %a : i32
  return %y : i32
}`)
		if err != nil {
			t.Fatal(err)
		}
		in := randprog.Inputs(m, 1)
		in.Args[0].Scalar = 100
		bad, err := facttest.Of(randprog.Function(m), facttest.Options{IndexWidth: 32, Linear: rule}).Run(in, 100)
		if err != nil || (bad == "") != (rule == "") {
			t.Errorf("%q: %v %s", rule, err, bad)
		}
	}
}
