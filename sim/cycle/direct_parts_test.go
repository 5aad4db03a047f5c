package cycle_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"loom/compiler/circuit"
	"loom/compiler/frontend/reassociate"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/lower"
	"loom/compiler/mlir"
	"loom/compiler/units"
	"loom/internal/soak"
	"loom/internal/testkit"
	"loom/sim/vector"
)

// randomSums is a loop, in half of the programs within another one, with up to three sums, differences and products of
// elements, of their products, or of a number; they begin with arguments, numbers or what the loop before left.
func randomSums(r *rand.Rand, t *ir.FloatType) string {
	var b strings.Builder
	n := 1 + r.IntN(3)
	types := strings.TrimSuffix(strings.Repeat(t.String()+", ", n), ", ")
	list := func(stem string) string {
		var names []string
		for k := range n {
			names = append(names, fmt.Sprintf("%s%d", stem, k))
		}
		return strings.Join(names, ", ")
	}
	fmt.Fprintf(&b, "func.func @sums(%%a: memref<?x%[1]s>, %%b: memref<?x%[1]s>, %%n: index, %%m: index, %%init: %[1]s) -> (%[2]s) {\n", t, types)
	fmt.Fprintf(&b, "  %%c0 = arith.constant 0 : index\n  %%c1 = arith.constant 1 : index\n  %%number = arith.constant 1.25 : %s\n", t)
	outer := r.IntN(2) == 0
	inits := make([]string, n)
	for k := range inits {
		inits[k] = []string{"%init", "%number"}[r.IntN(2)]
	}
	args := func(stem string, from func(k int) string) string {
		var pairs []string
		for k := range n {
			pairs = append(pairs, fmt.Sprintf("%s%d = %s", stem, k, from(k)))
		}
		return strings.Join(pairs, ", ")
	}
	start := func(k int) string { return inits[k] }
	if outer {
		fmt.Fprintf(&b, "  %%o:%d = scf.for %%j = %%c0 to %%m step %%c1 iter_args(%s) -> (%s) {\n", n, args("%q", start), types)
		start = func(k int) string { return fmt.Sprintf("%%q%d", k) }
	}
	bound := "%n"
	if outer && r.IntN(2) == 0 {
		bound = "%j"
	}
	fmt.Fprintf(&b, "  %%r:%d = scf.for %%i = %%c0 to %s step %%c1 iter_args(%s) -> (%s) {\n", n, bound, args("%s", start), types)
	fmt.Fprintf(&b, "    %%x = memref.load %%a[%%i] : memref<?x%[1]s>\n    %%y = memref.load %%b[%%i] : memref<?x%[1]s>\n    %%p = arith.mulf %%x, %%y : %[1]s\n", t)
	for k := range n {
		op := units.AccumulateOps[r.IntN(len(units.AccumulateOps))]
		operands := []string{fmt.Sprintf("%%s%d", k), []string{"%x", "%y", "%p", "%number"}[r.IntN(4)]}
		if op != "subf" && r.IntN(2) == 0 {
			operands[0], operands[1] = operands[1], operands[0]
		}
		fmt.Fprintf(&b, "    %%t%d = arith.%s %s : %s\n", k, op, strings.Join(operands, ", "), t)
	}
	fmt.Fprintf(&b, "    scf.yield %s : %s\n  }\n", list("%t"), types)
	result := "%r#"
	if outer {
		fmt.Fprintf(&b, "    scf.yield %s : %s\n  }\n", list("%r#"), types)
		result = "%o#"
	}
	fmt.Fprintf(&b, "  return %s : %s\n}\n", list(result), types)
	return b.String()
}

// TestDirectSums: random sums in parts as direct circuits give what the reassociated program gives, bit for bit, whatever
// stalls and the memory do, and loops of an element per cycle take that.
func TestDirectSums(t *testing.T) {
	sums := 0
	for seed := range uint64(soak.Scale(40, 400)) {
		r := rand.New(rand.NewPCG(seed, 5))
		typ := []*ir.FloatType{ir.F32, ir.F64, ir.Float("f16")}[r.IntN(3)]
		text := randomSums(r, typ)
		mod, err := mlir.ParseAndVerify("sums.mlir", text)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		fn := testkit.Function(mod)
		split := reassociate.Run(fn, func(op string, ty ir.Type) int {
			for { // one that direct circuits have
				if n := 2 + r.IntN(5); circuit.Accumulates(lower.Accumulation(op, ty, n)) {
					return n
				}
			}
		})
		sig, err := vector.SignatureOf(fn)
		if err != nil {
			t.Fatal(err)
		}
		res, err := lower.Lower(mod, lower.Options{MemoryOrder: "pipelined", IndexWidth: 32, Forward: true, Parts: circuit.Accumulates})
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, text)
		}
		if n := strings.Count(mlir.Print(res.Module, mlir.Options{}), "dataflow.accumulate"); n != len(split) {
			t.Errorf("seed %d: %d sums in units of %d\n%s", seed, n, len(split), text)
		}
		sums += len(split)
		for k, o := range directEnvironments(t) {
			in, err := vector.Random(sig, seed*7+uint64(k), 24, 32)
			if err != nil {
				t.Fatal(err)
			}
			in.Args[2].Scalar, in.Args[3].Scalar = uint64(r.IntN(14)), uint64(r.IntN(5))
			want, err := interp.Run(fn, in.Clone(), interp.Options{IndexWidth: 32})
			if err != nil {
				t.Fatal(err)
			}
			got := runDirect(t, res.Func, in, latency.Fixed(4), circuit.DefaultClock, o)
			if d := vector.Diff(want, got); len(d) > 0 {
				t.Fatalf("seed %d, environment %d: %v\n%s\n%s", seed, k, d, text, strings.Join(got.Detail, "\n"))
			}
		}
	}
	if sums < 50 {
		t.Errorf("only %d sums", sums)
	}
}
