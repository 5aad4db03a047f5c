package simplify

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"loom/compiler/dfg"
	"loom/compiler/diag"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/lower"
	"loom/compiler/mlir"
	"loom/internal/randprog"
	"loom/sim/token"
	"loom/sim/vector"
)

// TestDumps: what is printed after each pass is a graph that reads back, keeps the rules and
// computes what the program does.
func TestDumps(t *testing.T) {
	after := regexp.MustCompile(`(?m)^// after (\S+)\n`)
	ran := 0
	for seed := range uint64(12) {
		m, low := program(seed)
		in := randprog.Inputs(m, seed)
		want, err := interp.Run(randprog.Function(m), in, interp.Options{MaxSteps: 200_000, IndexWidth: low.IndexWidth})
		if err != nil || want.Status != vector.Done {
			continue
		}
		res, err := lower.Lower(m, low)
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		if _, err := Run(res.Func, Options{IndexWidth: low.IndexWidth, DumpAfter: "all", DumpTo: &text, Print: func(op *ir.Operation) string { return mlir.Print(op, mlir.Options{}) }}); err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, x := range after.FindAllStringSubmatch(text.String(), -1) {
			names = append(names, x[1])
		}
		if !slices.Equal(names, Table().Names()) {
			t.Fatalf("dumps after %v, the passes are %v", names, Table().Names())
		}
		for i, dump := range after.Split(text.String(), -1)[1:] {
			module, err := mlir.ParseAndVerify(names[i], dump)
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, dump)
			}
			fn := module.Regions[0].Entry().Ops[0]
			var errs diag.List
			if dfg.Verify(fn, &errs); errs.HasErrors() {
				t.Fatalf("seed %d: %v\n%s", seed, errs.Err(), dump)
			}
			got, err := token.Run(fn, in, token.Options{IndexWidth: low.IndexWidth, MaxSteps: 20_000_000})
			if err != nil {
				t.Fatal(err)
			}
			if d := vector.Diff(want, got); len(d) > 0 {
				t.Fatalf("seed %d, after %s: %s\n%s", seed, names[i], strings.Join(d, "\n"), dump)
			}
		}
		ran++
	}
	if ran < 6 {
		t.Errorf("%d programs ran", ran)
	}
}
