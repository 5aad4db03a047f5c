package lower

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/diag"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/num"
	"loom/internal/randprog"
	"loom/sim/vector"
)

// withoutAffine runs the passes up to "affine" and returns the module.
func withoutAffine(t testing.TB, m *ir.Operation, opts Options) *ir.Operation {
	t.Helper()
	if opts.IndexWidth == 0 {
		opts.IndexWidth = 64
	}
	s := &state{opts: opts, src: m}
	errs := &diag.List{}
	selectFunction(s, errs)
	inlineCalls(s, errs)
	lowerAffine(s, errs)
	if errs.HasErrors() {
		t.Fatal(errs)
	}
	if ir.Verify(s.mod, errs); errs.HasErrors() {
		t.Fatalf("%v\n%s", errs, mlir.Print(s.mod, mlir.Options{}))
	}
	s.mod.Walk(func(op *ir.Operation) bool {
		if op.Dialect() == "affine" {
			t.Fatalf("'%s' is left", op.Name)
		}
		return true
	})
	return s.mod
}

// meaning runs the interpreter.
func meaning(t testing.TB, m *ir.Operation, in *vector.Inputs, width int) *vector.Outcome {
	t.Helper()
	out, err := interp.Run(randprog.Function(m), in, interp.Options{IndexWidth: width, MaxSteps: 1_000_000})
	if err != nil {
		t.Fatalf("%v\n%s", err, mlir.Print(m, mlir.Options{}))
	}
	return out
}

// loweredByMLIR hands modules to mlir-opt --lower-affine, nil where it is not
// installed.
func loweredByMLIR(t *testing.T, sources []string) []*ir.Operation {
	t.Helper()
	path, err := exec.LookPath("mlir-opt-19")
	if err != nil {
		if os.Getenv("LOOM_REQUIRE_TOOLS") == "1" {
			t.Fatal(err)
		}
		t.Log("mlir-opt-19 is not installed (Debian package mlir-19-tools): not compared with it")
		return nil
	}
	const sep = "// -----"
	cmd := exec.Command(path, "-split-input-file", "-mlir-print-local-scope", "--lower-affine")
	cmd.Stdin = strings.NewReader(strings.Join(sources, "\n"+sep+"\n"))
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("mlir-opt-19: %v\n%.3000s", err, stderr.String())
	}
	out := strings.Split(stdout.String(), "\n"+sep+"\n")
	if len(out) != len(sources) {
		t.Fatalf("mlir-opt-19 returned %d modules for %d", len(out), len(sources))
	}
	var ms []*ir.Operation
	for _, text := range out {
		ms = append(ms, parse(t, text))
	}
	return ms
}

// TestAffineDialectPrograms: random affine programs mean the same to the interpreter,
// to the interpreter after mlir-opt's lowering and after ours, and as dataflow
// graphs.
func TestAffineDialectPrograms(t *testing.T) {
	n := programs(400)
	var texts []string
	var modules []*ir.Operation
	for seed := range n {
		texts = append(texts, affineDialectProgram(seed, seed%4 == 3))
		modules = append(modules, parse(t, texts[seed]))
	}
	var plain []string
	for seed, text := range texts {
		if seed%4 != 3 {
			// What mlir-opt reads is what we print.
			if seed%2 == 0 {
				text = mlir.Print(modules[seed], mlir.Options{Generic: seed%3 == 0})
			}
			plain = append(plain, text)
		}
	}
	upstream := loweredByMLIR(t, plain)
	done, asGraph := 0, 0
	for seed := range n {
		m := modules[seed]
		width := []int{64, 32, 48}[seed%3]
		in := affineInputs(randprog.Function(m), seed, width)
		want := meaning(t, m, in, width)
		if want.Status != vector.Done {
			if len(want.Detail) == 0 || !strings.Contains(want.Detail[0], "does not fit an index") && !strings.Contains(want.Detail[0], "counts past") {
				t.Errorf("seed %d: %s %v\n%s", seed, want.Status, want.Detail, texts[seed])
			}
			continue
		}
		done++
		// mlir-opt computes ceildiv of the least index through its negative, which
		// does not exist.
		atEnd := slices.ContainsFunc(in.Args, func(a vector.Arg) bool {
			return a.Type == ir.Type(ir.Index) && num.SignExtend(a.Scalar, ir.Index, width) < -1000
		})
		if upstream != nil && seed%4 != 3 && !(atEnd && strings.Contains(texts[seed], "ceildiv")) {
			got := meaning(t, upstream[seed-(seed+1)/4], in, width)
			for i, m := range got.Memories { // mlir-opt keeps no names
				m.Name = want.Memories[i].Name
			}
			if diff := vector.Diff(want, got); len(diff) > 0 {
				t.Fatalf("seed %d: mlir-opt's lowering: %v\n%s", seed, diff, texts[seed])
			}
		}
		if diff := vector.Diff(want, meaning(t, withoutAffine(t, m, Options{IndexWidth: width}), in, width)); len(diff) > 0 {
			t.Fatalf("seed %d: the lowered program: %v\n%s", seed, diff, texts[seed])
		}
		if seed%8 >= 4 && !testing.Short() {
			continue // graphs take most of the time
		}
		asGraph++
		opts := Options{MemoryOrder: []string{"serial", "pipelined"}[seed/8%2], keepBranches: seed%3 == 0, IndexWidth: width}
		if d, err := disagreement(randprog.Function(m), in, seed, opts); err != nil || d != "" {
			t.Fatalf("seed %d, %+v: %v %s\n%s", seed, opts, err, d, texts[seed])
		}
	}
	t.Logf("%d of %d programs have a meaning, %d were run as graphs", done, n, asGraph)
	if done < int(n)*3/5 {
		t.Errorf("only %d of %d programs have a meaning", done, n)
	}
}

// TestAffineDialectDivision: every form of a division computes what it should, for all
// kinds of dividends and divisors, at the ends of their range too, with and
// without knowledge of the range.
func TestAffineDialectDivision(t *testing.T) {
	for _, width := range []int{8, 32, 64} {
		lo, hi := int64(math.MinInt64)>>(64-width), int64(math.MaxInt64)>>(64-width)
		var xs []int64
		for _, base := range []int64{lo, 0, hi} {
			for d := int64(-20); d <= 20; d++ {
				if x := base + d; x >= lo && x <= hi && (d == 0 || (x > base) == (d > 0)) {
					xs = append(xs, x)
				}
			}
		}
		xs = append(xs, 100, -100, 97, -97)
		for _, n := range []int64{1, 2, 3, 4, 5, 7, 8, 16, 63, 64, 100, hi - 1, hi} {
			for _, op := range []string{"floordiv", "ceildiv", "mod"} {
				for _, form := range []string{
					"d0 %s " + fmt.Sprint(n), // a constant divisor
					"d0 %s s0",               // one of run time
				} {
					src := fmt.Sprintf(`func.func @f(%%x: index, %%n: index) -> index {
  %%r = affine.apply affine_map<(d0)[s0] -> (%s)>(%%x)[%%n]
  return %%r : index
}`, fmt.Sprintf(form, op))
					m := parse(t, src)
					program, err := interp.Compile(randprog.Function(withoutAffine(t, m, Options{IndexWidth: width})), interp.Options{IndexWidth: width})
					if err != nil {
						t.Fatal(err)
					}
					direct, err := interp.Compile(randprog.Function(m), interp.Options{IndexWidth: width})
					if err != nil {
						t.Fatal(err)
					}
					for _, x := range xs {
						in := &vector.Inputs{Args: []vector.Arg{
							{Name: "x", Type: ir.Index, Scalar: num.Truncate(uint64(x), ir.Index, width)},
							{Name: "n", Type: ir.Index, Scalar: uint64(n)},
						}}
						// The definition, by the remainder in [0, n).
						r := x % n
						if r < 0 {
							r += n
						}
						want := r
						switch q := (x - x%n) / n; {
						case op == "floordiv" && x%n < 0:
							want = q - 1
						case op == "floordiv":
							want = q
						case op == "ceildiv" && x%n > 0:
							want = q + 1
						case op == "ceildiv":
							want = q
						}
						for what, p := range map[string]*interp.Program{"interpreter": direct, "lowering": program} {
							got, err := p.Run(in)
							if err != nil || got.Status != vector.Done {
								t.Fatalf("%s: %v %v", what, err, got)
							}
							if v := num.SignExtend(got.Results[0].Bits, ir.Index, width); v != want {
								t.Fatalf("%s, %d bits: %d %s %d = %d, want %d (%s)", what, width, x, op, n, v, want, form)
							}
						}
					}
				}
			}
		}
	}
}

// arithmetic lists the operations of the arith dialect that are left of a
// function body after the pass, without constants.
func arithmetic(m *ir.Operation) string {
	var names []string
	m.Walk(func(op *ir.Operation) bool {
		if op.Dialect() == "arith" && op.Name != "arith.constant" {
			name := strings.TrimPrefix(op.Name, "arith.")
			if p, ok := op.IntAttr("predicate"); ok {
				name += fmt.Sprintf(" %s", []string{"eq", "ne", "slt", "sle", "sgt", "sge"}[p])
			}
			names = append(names, name)
		}
		return true
	})
	return strings.Join(names, ", ")
}

// TestAffineDialectCost: what the forms expand to.
func TestAffineDialectCost(t *testing.T) {
	apply := func(e string) string {
		return `func.func @f(%x: index, %y: index, %n: index) -> index {
  %r = affine.apply affine_map<(d0, d1)[s0] -> (` + e + `)>(%x, %y)[%n]
  return %r : index
}`
	}
	// within stands in a loop whose induction variable has a known range.
	within := func(lb, ub, e string) string {
		return `func.func @f(%m: memref<?xindex>, %n: index) {
  affine.for %i = ` + lb + ` to ` + ub + ` {
    %r = affine.apply affine_map<(d0)[s0] -> (` + e + `)>(%i)[%n]
    affine.store %r, %m[0] : memref<?xindex>
  }
  return
}`
	}
	set := func(s string) string {
		return `func.func @f(%m: memref<?xindex>, %x: index, %y: index, %n: index) {
  affine.if affine_set<(d0, d1)[s0] : (` + s + `)>(%x, %y)[%n] {
    affine.store %x, %m[0] : memref<?xindex>
  }
  return
}`
	}
	for _, c := range []struct{ name, src, want string }{
		{"sum", apply("d0 + d1 * 4 + 3"), "muli, addi, addi"},
		{"difference", apply("d0 - d1"), "subi"},
		{"negated first", apply("-d0 + d1"), "subi"},
		{"negative factor", apply("d0 - d1 * 3"), "muli, subi"},
		{"power of two", apply("d0 floordiv 8"), "shrsi"},
		{"remainder by a power of two", apply("d0 mod 8"), "andi"},
		{"floordiv", apply("d0 floordiv 3"), "shrsi, xori, divsi, xori"},
		{"mod", apply("d0 mod 3"), "remsi, shrsi, andi, addi"},
		{"both", apply("d0 floordiv 3 + d0 mod 3"), "shrsi, xori, divsi, xori, muli, subi, addi"},
		{"mod, then floordiv", apply("d0 mod 3 + d0 floordiv 3"), "shrsi, xori, divsi, xori, muli, subi, addi"},
		{"ceildiv by two", apply("d0 ceildiv 2"), "andi, shrsi, addi"},
		{"ceildiv by a power of two", apply("d0 ceildiv 8"), "andi, cmpi ne, index_castui, shrsi, addi"},
		{"ceildiv", apply("d0 ceildiv 3"), "cmpi slt, index_castui, subi, divsi, addi"},
		{"shared parts", apply("(d0 + d1) * 3 + (d0 + d1) floordiv 4"), "addi, muli, shrsi, addi"},
		{"not negative", within("0", "%n", "d0 floordiv 3 + d0 mod 5"), "divsi, remsi, addi"},
		{"not negative, rounded up", within("0", "100", "d0 ceildiv 8"), "addi, shrsi"},
		{"not negative, rounded up by another", within("0", "100", "d0 ceildiv 3"), "addi, divsi"},
		{"never zero", within("1", "%n", "d0 ceildiv 3"), "addi, divsi, addi"},
		{"in range", within("0", "8", "d0 mod 8 + d0 floordiv 16"), "addi"},
		{"maybe negative", within("-1", "8", "d0 mod 8"), "andi"},
		{"outer bound", within("max affine_map<(d0) -> (d0, 2)>(%n)", "min affine_map<()[s0] -> (s0, 20)>()[%n]", "d0 floordiv 3"), "maxsi, minsi, divsi"},
		{"compared with a constant", set("d0 - 10 >= 0"), "cmpi sge"},
		{"at most a constant", set("-d0 + 10 >= 0"), "cmpi sle"},
		{"compared with each other", set("d0 - d1 >= 0"), "cmpi sge"},
		{"at most", set("d1 - d0 >= 0"), "cmpi sge"},
		{"less than", set("s0 - d0 - 1 >= 0"), "cmpi sgt"},
		{"equal", set("d0 == d1"), "cmpi eq"},
		{"equal to a constant", set("3 == d0"), "cmpi eq"},
		{"sum", set("d0 + d1 - 4 >= 0"), "addi, cmpi sge"},
		{"distance", set("d0 - d1 - 4 >= 0"), "subi, cmpi sge"},
		{"both constraints", set("d0 >= 0, s0 - d0 - 1 >= 0"), "cmpi sge, cmpi sgt, andi"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, arithmetic(withoutAffine(t, parse(t, c.src), Options{}))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestAffineDialectDeviations breaks the rules of the pass on purpose; random programs
// notice.
func TestAffineDialectDeviations(t *testing.T) {
	for _, d := range []deviation{affineTruncates, affineRoundsDown, affineStrict, affineWrongBound} {
		t.Run(string(d), func(t *testing.T) {
			for seed := range uint64(1000) {
				m := parse(t, affineDialectProgram(seed, false))
				in := affineInputs(randprog.Function(m), seed, 64)
				want := meaning(t, m, in, 64)
				if want.Status != vector.Done {
					continue
				}
				if len(vector.Diff(want, meaning(t, withoutAffine(t, m, Options{deviate: d}), in, 64))) > 0 {
					t.Logf("noticed by program %d", seed)
					return
				}
			}
			t.Errorf("1000 programs ran without noticing that %s", d)
		})
	}
}

// TestAffineDialectErrors: what cannot be lowered is reported at the operation.
func TestAffineDialectErrors(t *testing.T) {
	for _, c := range []struct {
		name, src, want string
		width           int
	}{
		{"large constant", `func.func @f(%x: index) -> index {
  %r = affine.apply affine_map<(d0) -> (d0 + 4294967296)>(%x)
  return %r : index
}`, "2:8: error: the constant 4294967296 does not fit an index of 32 bits", 32},
		{"large step", `func.func @f(%x: index) {
  affine.for %i = 0 to 10 step 4294967296 {
  }
  return
}`, "2:3: error: the constant 4294967296 does not fit an index of 32 bits", 32},
		{"assign", `func.func @f(%x: i32) -> i32 {
  %r = affine.parallel (%i) = (0) to (4) reduce ("assign") -> i32 {
    affine.yield %x : i32
  }
  return %r : i32
}`, "2:8: error: result #0 of 'affine.parallel' has a reduction that cannot be lowered to a dataflow graph", 64},
	} {
		_, err := Lower(parse(t, c.src), Options{IndexWidth: c.width})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	// A map behind an alias is short in every operation that names it.
	var b strings.Builder
	b.WriteString("#map = affine_map<(d0) -> (d0")
	for range 500 {
		b.WriteString(" mod 7 * 3 + d0")
	}
	b.WriteString(")>\nfunc.func @f(%x: index) -> index {\n  %x0 = affine.apply #map(%x)\n")
	for i := range 1000 {
		fmt.Fprintf(&b, "  %%x%d = affine.apply #map(%%x%d)\n", i+1, i)
	}
	b.WriteString("  return %x1000 : index\n}\n")
	s := &state{opts: Options{IndexWidth: 64}, src: parse(t, b.String())}
	errs := &diag.List{}
	selectFunction(s, errs)
	newAffineLowering(s, errs, 5000).block(s.fn.Regions[0].Entry())
	if n := randprog.Size(s.mod); n > 20_000 || !strings.Contains(errs.Error(), "expanding all affine maps makes the function larger than 5000 operations") {
		t.Errorf("%d operations, %v", n, errs)
	}
	before := len(errs.All)
	if ir.Verify(s.mod, errs); len(errs.All) > before {
		t.Error(errs)
	}
}
