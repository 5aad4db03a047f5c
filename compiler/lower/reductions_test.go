package lower

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"loom/compiler/dialect/arith"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
	"loom/internal/randprog"
	"loom/sim/token"
	"loom/sim/vector"
)

// changingProgram is a random loop, which counts, tests first or tests last, over carried values of several types. It changes them by operations
// of all kinds: in a row, on one side of a branch or on both, in nested branches, and in what a select chooses from. Sometimes a condition, or
// what is added, follows from a carried value, or an operation in a branch has another reader.
func changingProgram(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 17))
	pick := func(n int) int { return r.IntN(n) }
	types := []string{"i32", "i8", "f32", "i1"}
	ops := map[string][]string{
		"i32": {"addi", "addi", "subi", "subi", "andi", "ori", "xori", "maxsi", "minsi", "maxui", "minui", "muli"},
		"f32": {"addf", "subf", "mulf", "maximumf"},
		"i1":  {"andi", "ori", "xori"},
	}
	ops["i8"] = ops["i32"]
	var b strings.Builder
	names := 0
	name := func() string { names++; return fmt.Sprintf("%%v%d", names) }
	line := func(format string, args ...any) { fmt.Fprintf(&b, "  "+format+"\n", args...) }
	k := 1 + pick(2)
	var of, current []string
	for range k {
		of = append(of, types[pick(len(types))])
	}
	list := strings.Join(of, ", ")
	fmt.Fprintf(&b, "func.func @prog(%%i32: memref<16xi32>, %%i8: memref<16xi8>, %%f32: memref<16xf32>, %%i1: memref<16xi1>, %%key: memref<16xi32>, %%n: index")
	for j, t := range of {
		fmt.Fprintf(&b, ", %%init%d: %s", j, t)
	}
	fmt.Fprintf(&b, ") -> (%s) {\n", list)
	for _, c := range []int{0, 1, 7} {
		line("%%c%d = arith.constant %d : index", c, c)
	}
	line("%%zero = arith.constant 0 : i32")
	line("%%count = arith.andi %%n, %%c7 : index")
	var inits, args []string
	for j, t := range of {
		init := fmt.Sprintf("%%init%d", j)
		if t != "f32" && t != "i1" && pick(3) == 0 {
			init = fmt.Sprintf("%%from%d", j)
			line("%s = arith.constant 0 : %s", init, t)
		}
		inits = append(inits, fmt.Sprintf("%%a%d = %s", j, init))
		args = append(args, fmt.Sprintf("%%a%d", j))
	}
	// The loop may stand in a branch, which may be its guard.
	around := []string{"", "", "guard", "other", "none"}[pick(5)]
	line("%%go = arith.cmpi ugt, %%count, %%c1 : index")
	switch around {
	case "guard", "other":
		line("%%out:%d = scf.if %%go -> (%s) {", k, list)
	case "none":
		line("scf.if %%go {")
	}
	kind := pick(3)
	switch kind {
	case 0:
		line("%%r:%d = scf.for %%i = %%c0 to %%count step %%c1 iter_args(%s) -> (%s) {", k, strings.Join(inits, ", "), list)
	default:
		line("%%r:%d = scf.while (%s, %%i = %%c0) : (%s, index) -> (%s, index) {", k+1, strings.Join(inits, ", "), list, list)
		if kind == 1 {
			line("%%more = arith.cmpi ult, %%i, %%count : index")
			line("scf.condition(%%more) %s, %%i : %s, index", strings.Join(args, ", "), list)
			line("} do {")
			args = nil
			var block []string
			for j, t := range of {
				args = append(args, fmt.Sprintf("%%b%d", j))
				block = append(block, fmt.Sprintf("%%b%d: %s", j, t))
			}
			line("^bb0(%s, %%at: index):", strings.Join(block, ", "))
		}
	}
	at := "%i"
	if kind == 1 {
		at = "%at"
	}
	current = args
	line("%%k = memref.load %%key[%s] : memref<16xi32>", at)
	value := func(t string) string {
		v := name()
		switch pick(8) {
		case 0:
			line("%s = arith.constant %s", v, map[string]string{"i32": "-3 : i32", "i8": "5 : i8", "f32": "0.5 : f32", "i1": "true"}[t])
		case 1:
			if j := pick(k); of[j] == t { // of a carried value, of the same or another one
				return current[j]
			}
			fallthrough
		default:
			line("%s = memref.load %%%s[%s] : memref<16x%s>", v, t, at, t)
		}
		return v
	}
	condition := func() string {
		c, x := name(), "%k"
		if j := pick(2 * k); j < k && of[j] == "i32" && pick(3) == 0 {
			x = current[j]
		}
		line("%s = arith.cmpi %s, %s, %%zero : i32", c, []string{"sgt", "slt", "ne"}[pick(3)], x)
		return c
	}
	change := func(t, op, u string) string {
		x, v := value(t), name()
		if pick(4) == 0 {
			u, x = x, u
		}
		line("%s = arith.%s %s, %s : %s", v, op, u, x, t)
		if t == "i32" && pick(5) == 0 { // another reader
			line("memref.store %s, %%key[%%c7] : memref<16xi32>", v)
		}
		return v
	}
	var statement func(t, u string, depth int) string
	statement = func(t, u string, depth int) string {
		op := ops[t][pick(len(ops[t]))]
		if t != "f32" && t != "i1" && pick(5) == 0 { // it is set
			c, k, v := condition(), name(), name()
			line("%s = arith.constant %d : %s", k, []int{0, -1, 1, 1, 7, 5}[pick(6)], t)
			if pick(4) == 0 {
				line("%s = arith.select %s, %s, %s : %s", v, c, k, u, t)
				return v
			}
			line("%s = scf.if %s -> (%s) {", v, c, t)
			line("memref.store %%k, %%key[%%c7] : memref<16xi32>") // so that it stays a branch
			line("scf.yield %s : %s", k, t)
			line("} else {")
			line("scf.yield %s : %s", u, t)
			line("}")
			return v
		}
		switch pick(5) {
		case 0:
			v := change(t, op, u)
			if op == "addi" || op == "subi" {
				op = []string{"addi", "subi"}[pick(2)]
			}
			return change(t, op, v)
		case 1, 2:
			if depth == 2 {
				break
			}
			c, v := condition(), name()
			other := pick(3)
			line("%s = scf.if %s -> (%s) {", v, c, t)
			if other == 0 {
				line("scf.yield %s : %s", u, t)
				line("} else {")
			}
			line("scf.yield %s : %s", statement(t, u, depth+1), t)
			switch other {
			case 1:
				line("} else {")
				line("scf.yield %s : %s", u, t)
			case 2:
				line("} else {")
				line("scf.yield %s : %s", change(t, op, u), t)
			}
			line("}")
			return v
		case 3:
			c, v := condition(), name()
			x, y := change(t, op, u), u
			if pick(3) == 0 {
				y = change(t, op, u)
			}
			if pick(2) == 0 {
				x, y = y, x
			}
			line("%s = arith.select %s, %s, %s : %s", v, c, x, y, t)
			return v
		}
		return change(t, op, u)
	}
	next := append([]string(nil), current...)
	for j := range of {
		for range 1 + pick(2) {
			next[j] = statement(of[j], next[j], 0)
		}
	}
	switch kind {
	case 0:
		line("scf.yield %s : %s", strings.Join(next, ", "), list)
	case 1:
		line("%%next = arith.addi %%at, %%c1 : index")
		line("scf.yield %s, %%next : %s, index", strings.Join(next, ", "), list)
	case 2:
		line("%%next = arith.addi %%i, %%c1 : index")
		line("%%more = arith.cmpi ult, %%next, %%count : index")
		line("scf.condition(%%more) %s, %%next : %s, index", strings.Join(next, ", "), list)
		line("} do {")
		var block, again []string
		for j, t := range of {
			block = append(block, fmt.Sprintf("%%b%d: %s", j, t))
			again = append(again, fmt.Sprintf("%%b%d", j))
		}
		line("^bb0(%s, %%at: index):", strings.Join(block, ", "))
		line("scf.yield %s, %%at : %s, index", strings.Join(again, ", "), list)
	}
	line("}")
	var results, begins []string
	for j, t := range of {
		r := fmt.Sprintf("%%r#%d", j)
		if pick(3) == 0 { // it leaves another branch
			v, e := name(), name()
			line("%%more%d = arith.cmpi eq, %%n, %%c7 : index", j)
			line("%s = scf.if %%more%d -> (%s) {", v, j, t)
			line("scf.yield %s : %s", r, t)
			line("} else {")
			line("%s = memref.load %%%s[%%c7] : memref<16x%s>", e, t, t)
			line("scf.yield %s : %s", e, t)
			line("}")
			r = v
		}
		results = append(results, r)
		_, begin, _ := strings.Cut(inits[j], " = ")
		begins = append(begins, begin)
	}
	switch around {
	case "guard", "other":
		line("scf.yield %s : %s", strings.Join(results, ", "), list)
		line("} else {")
		if around == "other" {
			for j, t := range of {
				begins[j] = name()
				line("%s = memref.load %%%s[%%c1] : memref<16x%s>", begins[j], t, t)
			}
		}
		line("scf.yield %s : %s", strings.Join(begins, ", "), list)
		line("}")
		for j := range of {
			results[j] = fmt.Sprintf("%%out#%d", j)
		}
	case "none":
		for j, t := range of {
			line("memref.store %s, %%%s[%%c7] : memref<16x%s>", results[j], t, t)
		}
		line("}")
		results = begins
	}
	line("return %s : %s", strings.Join(results, ", "), list)
	b.WriteString("}\n")
	return b.String()
}

// rewritten is a program in front of a pass and behind it.
func rewritten(t *testing.T, m *ir.Operation, opts Options, pass string) (before, after string) {
	t.Helper()
	names := passes().Names()
	var texts []string
	for _, name := range []string{names[slices.Index(names, pass)-1], pass} {
		var text bytes.Buffer
		opts.DumpAfter, opts.DumpTo = name, &text
		opts.Print = func(op *ir.Operation) string { return mlir.Print(op, mlir.Options{}) }
		if _, err := Lower(m, opts); err != nil {
			t.Fatalf("%v\n%s", err, mlir.Print(m, mlir.Options{}))
		}
		_, body, _ := strings.Cut(text.String(), "\n")
		texts = append(texts, body)
	}
	return texts[0], texts[1]
}

// changed runs a program and returns what differs from the interpreter, and whether a pass changed it.
func changed(t *testing.T, seed uint64, pass string, opts Options) (diff string, changed bool) {
	t.Helper()
	m := parse(t, changingProgram(seed))
	in := randprog.Inputs(m, seed)
	want, err := interp.Run(randprog.Function(m), in, interp.Options{IndexWidth: 64})
	if err != nil || want.Status != vector.Done {
		t.Fatalf("seed %d: %v %+v\n%s", seed, err, want, changingProgram(seed))
	}
	opts.MemoryOrder, opts.keepBranches = "pipelined", seed%3 == 0
	before, after := rewritten(t, m, opts, pass)
	res, err := Lower(m, opts)
	if err != nil {
		t.Fatal(err)
	}
	p, err := token.Compile(res.Func, 64)
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
			return fmt.Sprintf("%+v: %v %v", s, list, got.Detail), before != after
		}
	}
	return "", before != after
}

// changes: a pass changes at least a share of the random programs, all compute the same, and breaking any of its rules is noticed.
func changes(t *testing.T, pass string, opts Options, share float64, rules []deviation) {
	t.Helper()
	const usual = 600
	n := 0
	for seed := range programs(usual) {
		diff, changes := changed(t, seed, pass, opts)
		if diff != "" {
			t.Fatalf("seed %d: %s\n%s", seed, diff, changingProgram(seed))
		}
		if changes {
			n++
		}
	}
	t.Logf("%d programs are rewritten", n)
	if n < int(share*float64(programs(usual))) {
		t.Errorf("only %d programs are rewritten", n)
	}
	for _, d := range rules {
		caught := false
		for seed := uint64(0); seed < 10*usual && !caught; seed++ {
			opts.deviate = d
			diff, _ := changed(t, seed, pass, opts)
			caught = diff != ""
		}
		if !caught {
			t.Errorf("not noticed: %s", d)
		}
	}
}

// TestReductions: of loops whose carried values are changed in branches and in a row.
func TestReductions(t *testing.T) { changes(t, "reductions", Options{}, 0.5, reductions) }

// onWords is a target without arithmetic on fewer than 32 bits.
func onWords(op *ir.Operation) bool {
	if _, cast := arith.IntCast(op); cast {
		return true
	}
	return !slices.ContainsFunc(op.Operands(), func(v *ir.Value) bool {
		w, ok := ir.BitWidth(v.Type, 64)
		return ok && w > 1 && w < 32 && !ir.IsFloat(v.Type)
	})
}

// TestCarryWide: of loops that carry bytes, on a target that computes with words.
func TestCarryWide(t *testing.T) {
	changes(t, "carry-wide", Options{Executes: onWords}, 0.1, []deviation{carryAny})
}

// TestCarryWideChosen: numbers are carried in the width of what makes them where that fits theirs; a sum of bytes wraps. A guard
// around the loop passes on the wide number, so that it can still be told from the loop's own test.
func TestCarryWideChosen(t *testing.T) {
	for _, c := range []struct {
		name, change string
		wide         bool
	}{
		{"a maximum of what begins with a constant", "%t = arith.maxui %a, %v : i8", true},
		{"bits of what begins with a constant", "%t = arith.xori %a, %v : i8", false},
		{"a maximum with a sign that begins with one", "%t = arith.maxsi %a, %v : i8", true},
		{"a maximum", "%t = arith.maxui %a, %v : i8", true},
		{"a maximum with a sign", "%t = arith.maxsi %a, %v : i8", true},
		{"the last of some", "%c = arith.cmpi ult, %a, %v : i8\n    %t = arith.select %c, %v, %a : i8", true},
		{"a maximum on one side", `%c = arith.cmpi sgt, %v, %zero : i8
    %t = scf.if %c -> (i8) {
      memref.store %a, %x[%i] : memref<8xi8>
      %m = arith.maxui %a, %v : i8
      scf.yield %m : i8
    } else {
      scf.yield %a : i8
    }`, true},
		{"a sum", "%t = arith.addi %a, %v : i8", false},
		{"bits", "%t = arith.xori %a, %v : i8", true},
		{"the element before", "%u = arith.maxui %a, %v : i8\n    memref.store %u, %x[%i] : memref<8xi8>\n    %t = memref.load %x[%n] : memref<8xi8>", true},
	} {
		program := `func.func @f(%x: memref<8xi8>, %n: index, %init: i8) -> i8 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0 : i8
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %init) -> (i8) {
    %v = memref.load %x[%i] : memref<8xi8>
    ` + c.change + `
    scf.yield %t : i8
  }
  return %r : i8
}`
		if strings.Contains(c.name, "begins with") {
			program = strings.Replace(program, "%a = %init", "%a = %zero", 1)
		}
		res, err := Lower(parse(t, program), Options{Executes: onWords})
		if err != nil {
			t.Fatal(err)
		}
		narrow := 0
		for _, op := range res.Func.Regions[0].Entry().Ops {
			if (op.Name == opname.DataflowCarry || op.Name == opname.HandshakeMux) && op.Result(0).Type == ir.Type(ir.I8) {
				narrow++
			}
		}
		if (narrow == 0) != c.wide {
			t.Errorf("%s: %d carries and merges of bytes\n%s", c.name, narrow, mlir.Print(res.Func, mlir.Options{}))
		}
	}
}

// TestReductionsChosen: what is on no recurrence, or would wait for it, stays.
func TestReductionsChosen(t *testing.T) {
	program := func(body, next string) string {
		return `func.func @f(%x: memref<8xi32>, %n: index, %a: i32, %b: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a) -> (i32) {
    %v = memref.load %x[%i] : memref<8xi32>
    %w = arith.muli %s, %b : i32
    %known = arith.cmpi sgt, %v, %b : i32
    %late = arith.cmpi sgt, %s, %v : i32
` + body + `
    scf.yield ` + next + ` : i32
  }
  return %r : i32
}`
	}
	branch := func(c, u, v string) string {
		return fmt.Sprintf(`    %%next = scf.if %s -> (i32) {
      memref.store %%v, %%x[%%i] : memref<8xi32>
      %%sum = arith.addi %s, %s : i32
      scf.yield %%sum : i32
    } else {
      scf.yield %s : i32
    }`, c, u, v, u)
	}
	choice := func(c, u, v string) string {
		return fmt.Sprintf("    %%sum = arith.addi %s, %s : i32\n    %%next = arith.select %s, %%sum, %s : i32", u, v, c, u)
	}
	chain := func(u, v, w string) string {
		return fmt.Sprintf("    %%first = arith.addi %s, %s : i32\n    %%next = arith.addi %%first, %s : i32", u, v, w)
	}
	for _, c := range []struct {
		name, body, next string
		changes          bool
	}{
		{"a sum in a branch", branch("%known", "%s", "%v"), "%next", true},
		{"a sum that is chosen", choice("%known", "%s", "%v"), "%next", true},
		{"two sums", chain("%s", "%v", "%b"), "%next", true},
		{"a branch by the sum", branch("%late", "%s", "%v"), "%next", false},
		{"a choice by the sum", choice("%late", "%s", "%v"), "%next", false},
		{"a branch that adds what follows from the sum", branch("%known", "%s", "%w"), "%next", false},
		{"a choice that adds what follows from the sum", choice("%known", "%s", "%w"), "%next", false},
		{"two sums, the second of which adds what follows from the first", chain("%s", "%v", "%w"), "%next", false},
		{"a sum that is not carried", branch("%known", "%b", "%v"), "%next", false},
		{"a sum that no iteration gets", chain("%s", "%v", "%b") + "\n    memref.store %next, %x[%c0] : memref<8xi32>", "%v", false},
	} {
		before, after := rewritten(t, parse(t, program(c.body, c.next)), Options{}, "reductions")
		if (before != after) != c.changes {
			t.Errorf("%s: changed %v, expected %v\n%s", c.name, before != after, c.changes, after)
		}
	}
}

// TestCarryWideChoices: choices of choices, each of which is read twice, are made once each.
func TestCarryWideChoices(t *testing.T) {
	const depth = 40
	var b strings.Builder
	last := "%t0"
	for k := 1; k <= depth; k++ {
		fmt.Fprintf(&b, `
    %%k%[1]d = arith.constant %[1]d : i8
    %%a%[1]d = arith.cmpi slt, %%v, %%k%[1]d : i8
    %%b%[1]d = arith.cmpi sgt, %[2]s, %%k%[1]d : i8
    %%u%[1]d = arith.select %%b%[1]d, %%k%[1]d, %[2]s : i8
    %%t%[1]d = arith.select %%a%[1]d, %%u%[1]d, %[2]s : i8`, k, last)
		last = fmt.Sprintf("%%t%d", k)
	}
	_, after := rewritten(t, parse(t, `func.func @f(%x: memref<8xi8>, %n: index, %init: i8) -> i8 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %init) -> (i8) {
    %v = memref.load %x[%i] : memref<8xi8>
    %t0 = arith.maxsi %s, %v : i8`+b.String()+`
    scf.yield `+last+` : i8
  }
  return %r : i8
}`), Options{Executes: onWords}, "carry-wide")
	if n := strings.Count(after, "arith.select"); n > 4*depth {
		t.Errorf("%d choices of %d", n, 2*depth)
	}
	if !strings.Contains(after, "-> (i32)") {
		t.Errorf("the loop carries no word\n%s", after)
	}
}
