package structure

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"loom/compiler/analysis/interval"
	"loom/compiler/diag"
	"loom/compiler/dialect/arith"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/pass"
	"loom/internal/soak"
	"loom/sim/vector"
)

// countedLoop is a random loop that counts, as compilers write it.
type countedLoop struct {
	width            int
	last             bool // tested at its end
	guarded          bool
	init, bound      string // an argument or a constant
	guardPred, pred  string
	guardX, guardY   string
	step             int64
	old              bool // the test at the end takes the value before its step
	swapped, flipped bool // operands, and arms, exchanged
	final            int  // what is returned of the counter: 0 next, 1 the value, 2 nothing
	elseInit         bool
	beside           int64 // the step of a counter beside, 0 for none
	exact            bool  // the step says that it does not wrap
}

func randomLoop(rng *rand.Rand, width int) countedLoop {
	operand := func(arg string) string {
		switch rng.IntN(6) {
		case 0, 1, 2:
			return arg
		case 3:
			return "%zero"
		case 4:
			return "%one"
		}
		return fmt.Sprintf("%%k%d", rng.IntN(16)-8)
	}
	l := countedLoop{width: width, last: rng.IntN(3) > 0, guarded: rng.IntN(4) > 0,
		init: operand("%a"), bound: operand("%b"), old: rng.IntN(4) == 0,
		swapped: rng.IntN(2) == 0, flipped: rng.IntN(2) == 0, final: rng.IntN(3), elseInit: rng.IntN(4) > 0}
	l.step = []int64{1, 1, 1, 1, -1, -1, 2, -2, 3}[rng.IntN(9)]
	if rng.IntN(3) == 0 {
		l.beside = l.step * []int64{1, -1, 2, 4}[rng.IntN(4)]
	}
	l.pred = arith.IntPredicates[rng.IntN(len(arith.IntPredicates))]
	switch rng.IntN(3) {
	case 0:
		l.pred = "ne"
	case 1:
		l.pred = map[bool]string{true: "slt", false: "sgt"}[l.step > 0]
	}
	l.exact = rng.IntN(3) == 0
	l.guardPred, l.guardX, l.guardY = l.pred, l.init, l.bound
	switch rng.IntN(4) {
	case 0:
		l.guardPred = arith.IntPredicates[rng.IntN(len(arith.IntPredicates))]
	case 1:
		l.guardPred = map[bool]string{true: "slt", false: "sgt"}[l.step > 0]
	case 2:
		if rng.IntN(3) == 0 {
			l.guardX = operand("%a")
		}
	}
	return l
}

func swappedName(name string) string {
	p, _ := arith.ParseIntPredicate(name)
	return p.Swapped().String()
}

// text prints the loop as a function: it returns a hash of the counter's values,
// and the counter.
func (l countedLoop) text() string {
	var b strings.Builder
	t := fmt.Sprintf("i%d", l.width)
	fmt.Fprintf(&b, "func.func @f(%%a: %s, %%b: %s) -> (i32, %s) {\n", t, t, t)
	fmt.Fprintf(&b, "  %%h0 = arith.constant 7 : i32\n  %%seven = arith.constant 31 : i32\n  %%step = arith.constant %d : %s\n", l.step, t)
	fmt.Fprintf(&b, "  %%zero = arith.constant 0 : %s\n  %%one = arith.constant 1 : %s\n", t, t)
	for k := int64(-8); k < 8; k++ {
		fmt.Fprintf(&b, "  %%k%d = arith.constant %d : %s\n", k, k, t)
	}
	text := strings.ReplaceAll
	widen := func(v string) string {
		switch {
		case l.width < 32:
			return fmt.Sprintf("  %%w = arith.extsi %s : %s to i32\n", v, t)
		case l.width > 32:
			return fmt.Sprintf("  %%w = arith.trunci %s : %s to i32\n", v, t)
		}
		return fmt.Sprintf("  %%w = arith.addi %s, %%zero : i32\n", v)
	}
	compare := func(name, pred, x, y string) {
		if l.swapped {
			pred, x, y = swappedName(pred), y, x
		}
		fmt.Fprintf(&b, "  %s = arith.cmpi %s, %s, %s : %s\n", name, pred, x, y, t)
	}
	branch := func(c, yes, no string) {
		if l.flipped {
			fmt.Fprintf(&b, "  %%not%s = arith.xori %s, %%true : i1\n", c[1:], c)
			fmt.Fprintf(&b, "  cf.cond_br %%not%s, %s, %s\n", c[1:], no, yes)
			return
		}
		fmt.Fprintf(&b, "  cf.cond_br %s, %s, %s\n", c, yes, no)
	}
	b.WriteString("  %true = arith.constant true\n")
	fmt.Fprintf(&b, "  %%by = arith.constant %d : %s\n", l.beside, t)
	besideInit := []string{"%a", l.init, "%zero", "%k3"}[(l.beside+l.step)&3]
	enter := fmt.Sprintf("^head(%s, %%h0, %s : %s, i32, %s)", l.init, besideInit, t, t)
	other := l.init
	if !l.elseInit {
		other = "%k5"
	}
	skip := fmt.Sprintf("^exit(%%h0, %s : i32, %s)", other, t)
	if l.guarded {
		compare("%g", l.guardPred, l.guardX, l.guardY)
		branch("%g", enter, skip)
	} else {
		fmt.Fprintf(&b, "  cf.br %s\n", enter)
	}
	fmt.Fprintf(&b, "^head(%%i: %s, %%h: i32, %%j: %s):\n", t, t)
	work := fmt.Sprintf("  %%ij = arith.xori %%i, %%j : %s\n  %%j1 = arith.addi %%j, %%by : %s\n", t, t) + widen("%ij") + text("  %m = arith.muli %h, %seven : i32\n  %h1 = arith.addi %m, %w : i32\n  %next = arith.addi %i, %step F: T\n", "T", t)
	flags := ""
	if l.exact {
		flags = "overflow<nsw> "
	}
	work = text(work, " F: ", " "+flags+": ")
	final := []string{"%next", "%i", "%zero"}[l.final]
	back := fmt.Sprintf("^head(%%next, %%h1, %%j1 : %s, i32, %s)", t, t)
	if l.last {
		b.WriteString(work)
		x := "%next"
		if l.old {
			x = "%i"
		}
		compare("%c", l.pred, x, l.bound)
		branch("%c", back, fmt.Sprintf("^exit(%%h1, %s : i32, %s)", final, t))
	} else {
		compare("%c", l.pred, "%i", l.bound)
		if l.final == 0 {
			final = "%i"
		}
		branch("%c", "^body", fmt.Sprintf("^exit(%%h, %s : i32, %s)", final, t))
		b.WriteString("^body:\n" + work)
		fmt.Fprintf(&b, "  cf.br %s\n", back)
	}
	fmt.Fprintf(&b, "^exit(%%r: i32, %%f: %s):\n  return %%r, %%f : i32, %s\n}\n", t, t)
	return b.String()
}

// defined reports whether no step of the loop wraps that says it does not.
func (l countedLoop) defined(a, b uint64) bool {
	signed := func(v int64) int64 { return v << (64 - l.width) >> (64 - l.width) }
	value := func(name string) int64 {
		var k int64
		switch name {
		case "%a":
			k = int64(a)
		case "%b":
			k = int64(b)
		case "%one":
			k = 1
		case "%zero":
		default:
			fmt.Sscanf(name, "%%k%d", &k)
		}
		return signed(k)
	}
	holds := func(pred string, x, y int64) bool {
		p, _ := arith.ParseIntPredicate(pred)
		result, _ := interval.Decide(p, interval.Exactly(x, l.width), interval.Exactly(y, l.width))
		return result
	}
	i, bound := value(l.init), value(l.bound)
	if !l.exact || l.guarded && !holds(l.guardPred, value(l.guardX), value(l.guardY)) || !l.last && !holds(l.pred, i, bound) {
		return true
	}
	for range 600 {
		next := signed(i + l.step)
		wraps := (next > i) != (l.step > 0)
		if l.last && l.old {
			if !holds(l.pred, i, bound) {
				return !wraps || l.final != 0 // the last sum is not looked at
			}
		} else if !wraps && !holds(l.pred, next, bound) {
			return true
		}
		if wraps {
			return false
		}
		i = next
	}
	return true
}

// formOf names what a function's loop has become.
func formOf(fn *ir.Operation) string {
	form := "none"
	guard := false
	fn.Walk(func(op *ir.Operation) bool {
		switch op.Name {
		case "scf.for":
			form = "for"
		case "scf.while":
			form = "while"
			if testedLast(op) {
				form = "do"
			}
		case "scf.if":
			guard = true
		}
		return true
	})
	if guard {
		form += " in if"
	}
	return form
}

// compareLoop runs a loop before and after on the given pairs of arguments.
func compareLoop(t testing.TB, l countedLoop, inputs [][2]uint64) (form, fault string) {
	text := l.text()
	want, got := parse(t, text), parse(t, text)
	if err := Run(got, &diag.List{}, pass.Options{Verify: true}); err != nil {
		if strings.Contains(err.Error(), "never") {
			return "endless", ""
		}
		return "", err.Error()
	}
	errs := &diag.List{}
	ir.Verify(got, errs)
	printed := mlir.Print(got, mlir.Options{})
	if errs.Err() != nil {
		return "", errs.Error() + "\n" + printed
	}
	opts := interp.Options{MaxSteps: 500}
	p, err := interp.Compile(theFunction(want), opts)
	if err != nil {
		return "", err.Error()
	}
	opts.MaxSteps *= 3
	q, err := interp.Compile(theFunction(got), opts)
	if err != nil {
		return "", err.Error() + printed
	}
	for _, in := range inputs {
		if !l.defined(in[0], in[1]) {
			continue
		}
		v := &vector.Inputs{Args: []vector.Arg{{Scalar: in[0]}, {Scalar: in[1]}}}
		a, err := p.Run(v)
		if err != nil {
			return "", err.Error()
		}
		if a.Status == vector.Budget {
			continue
		}
		b, err := q.Run(v)
		if err != nil {
			return "", err.Error()
		}
		if d := vector.Diff(a, b); len(d) > 0 {
			return "", fmt.Sprintf("a=%#x b=%#x: %s\n%s", in[0], in[1], strings.Join(d, "\n"), printed)
		}
	}
	return formOf(theFunction(got)), ""
}

// inputsOf are all pairs of small numbers, else extreme ones and random ones.
func inputsOf(rng *rand.Rand, width int) (out [][2]uint64) {
	if width <= 4 {
		for a := range uint64(1) << width {
			for b := range uint64(1) << width {
				out = append(out, [2]uint64{a, b})
			}
		}
		return out
	}
	mask := ^uint64(0) >> (64 - width)
	top := uint64(1) << (width - 1)
	var marks []uint64
	for d := range uint64(5) {
		marks = append(marks, d, mask&-d, top+d, mask&(top-d))
	}
	for range 60 {
		a := marks[rng.IntN(len(marks))]
		b := marks[rng.IntN(len(marks))]
		if rng.IntN(2) == 0 {
			b = mask & (a + uint64(rng.IntN(9)) - 4)
		}
		out = append(out, [2]uint64{a, b})
	}
	return out
}

// TestCountedLoops: for every test, step and guard of a loop that counts, the
// structured loop computes the same; and most loops that count are
// recognised.
func TestCountedLoops(t *testing.T) {
	forms := map[string]int{}
	rng := rand.New(rand.NewPCG(5, 5))
	for i := range soak.Scale(1000, 100000) {
		width := []int{4, 4, 5, 8, 16, 32, 64}[rng.IntN(7)]
		l := randomLoop(rng, width)
		form, fault := compareLoop(t, l, inputsOf(rng, width))
		if fault != "" {
			t.Fatalf("loop %d: %s\n%s", i, fault, l.text())
		}
		forms[form]++
	}
	t.Log(forms)
	for _, f := range []string{"for", "for in if", "while", "while in if", "do"} {
		if forms[f] < 10 {
			t.Errorf("%d loops became %q: %v", forms[f], f, forms)
		}
	}
}

// TestRulesMatter: when a rule is broken, the random campaigns notice.
func TestRulesMatter(t *testing.T) {
	defer func() { deviate = "" }()
	loops := func(i uint64) bool {
		rng := rand.New(rand.NewPCG(i, 9))
		width := []int{4, 4, 5}[rng.IntN(3)]
		_, fault := compareLoop(t, randomLoop(rng, width), inputsOf(rng, width))
		return fault != ""
	}
	graphs := func(i uint64) bool {
		return compareCFG(t, randomCFG(rand.New(rand.NewPCG(i, 4)), 10)) != ""
	}
	for _, d := range []deviation{guardAlways, firstUnproven, boundExclusive, signIgnored, wrapIgnored, orderUnproven,
		stepIgnored, lastUnseen, offsetIgnored, finalBound, entryForgotten, headsForgotten, copiesInOrder} {
		fails := loops
		if d == entryForgotten || d == headsForgotten || d == copiesInOrder {
			fails = graphs
		}
		deviate = d
		found, limit := uint64(0), uint64(3000)
		for found < limit && !fails(found) {
			found++
		}
		deviate = ""
		if found == limit {
			t.Errorf("nothing notices that %s", d)
		} else {
			t.Logf("case %d notices that %s", found, d)
		}
	}
}

// TestStepsThatDoNotWrap: a loop that runs until its counter is at a bound counts from whatever it starts with where its step
// is said not to wrap; one sum that may wrap makes an equal one such a sum, too.
func TestStepsThatDoNotWrap(t *testing.T) {
	const text = `func.func @f(%%a: i32, %%b: i32, %%c: i1) -> i32 {
  %%zero = arith.constant 0 : i32
  %%one = arith.constant %s : i32
  cf.br ^head(%%a, %%zero : i32, i32)
^head(%%i: i32, %%h: i32):
  %%x = arith.addi %%i, %%one %s: i32
  %%next = arith.addi %%i, %%one %s: i32
  %%h1 = arith.muli %%h, %%x : i32
  %%h2 = arith.addi %%h1, %%i : i32
  %%more = arith.cmpi ne, %s, %%b : i32
  cf.cond_br %%more, ^head(%%next, %%h2 : i32, i32), ^exit
^exit:
  return %%h2 : i32
}
`
	const nsw = "overflow<nsw> "
	for _, c := range []struct{ step, x, next, tested, want string }{
		{"1", nsw, nsw, "%next", "for"},
		{"1", "", "", "%next", "do"},
		{"1", "", nsw, "%next", "do"},
		{"1", nsw, "", "%next", "do"},
		{"1", nsw, nsw, "%i", "for"},
		{"1", nsw, "", "%i", "do"},
		{"3", nsw, nsw, "%next", "for"},
	} {
		m := parse(t, fmt.Sprintf(text, c.step, c.x, c.next, c.tested))
		if err := Run(m, &diag.List{}, pass.Options{Verify: true}); err != nil {
			t.Fatal(err)
		}
		if got := formOf(theFunction(m)); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
		if printed := mlir.Print(m, mlir.Options{}); strings.Contains(printed, "nsw") {
			t.Errorf("%+v: later passes see the flag:\n%s", c, printed)
		}
	}
}
