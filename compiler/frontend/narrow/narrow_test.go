package narrow

import (
	"fmt"
	"strings"
	"testing"

	"loom/compiler/diag"
	_ "loom/compiler/dialect/all"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/pass"
	"loom/internal/randprog"
	"loom/internal/soak"
	"loom/sim/vector"
)

func parse(t *testing.T, text string) *ir.Operation {
	t.Helper()
	m, err := mlir.ParseAndVerify("k.mlir", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return m
}

// tryNarrow is a copy of a module with its functions narrowed, and the verifier's
// error.
func tryNarrow(m *ir.Operation, broken faults) (*ir.Operation, error) {
	c := m.Clone(map[*ir.Value]*ir.Value{})
	if err := functions(c, broken, pass.Options{Verify: true}); err != nil {
		return c, err
	}
	errs := &diag.List{}
	ir.Verify(c, errs)
	return c, errs.Err()
}

func narrowed(t *testing.T, m *ir.Operation) *ir.Operation {
	t.Helper()
	c, err := tryNarrow(m, nil)
	if err != nil {
		t.Fatalf("%v\n%s\nfrom\n%s", err, mlir.Print(c, mlir.Options{}), mlir.Print(m, mlir.Options{}))
	}
	return c
}

// fitted are inputs for a module and for its narrowed form: what became an index is a
// size.
func fitted(before, after *ir.Operation, in *vector.Inputs) (*vector.Inputs, *vector.Inputs) {
	wide, slim := in.Clone(), in.Clone()
	args := randprog.Function(before).Regions[0].Entry().Args
	for i, a := range randprog.Function(after).Regions[0].Entry().Args {
		if a.Type != args[i].Type {
			v := wide.Args[i].Scalar & 15
			wide.Args[i].Scalar, slim.Args[i].Scalar, slim.Args[i].Type = v, v, a.Type
		}
	}
	return wide, slim
}

// disagreement runs a module before and after at an index width.
func disagreement(t *testing.T, before, after *ir.Operation, in *vector.Inputs, width int) string {
	t.Helper()
	wide, slim := fitted(before, after, in)
	return run(t, before, after, wide, slim, width)
}

// run compares two modules on inputs of their own.
func run(t *testing.T, before, after *ir.Operation, wide, slim *vector.Inputs, width int) string {
	t.Helper()
	opts := interp.Options{IndexWidth: width, MaxSteps: 2_000_000}
	want, err := interp.Run(randprog.Function(before), wide, opts)
	if err != nil {
		t.Fatal(err)
	}
	if want.Status != vector.Done {
		return ""
	}
	got, err := interp.Run(randprog.Function(after), slim, opts)
	if err != nil {
		t.Fatalf("%v\n%s", err, mlir.Print(after, mlir.Options{}))
	}
	for i := range got.Results {
		// A caller extends a result with its sign.
		if r := &got.Results[i]; r.Type == ir.Type(ir.Index) && want.Results[i].Type != r.Type {
			r.Type, r.Bits = want.Results[i].Type, uint64(int64(r.Bits)<<(64-width)>>(64-width))
		}
	}
	diff := vector.Diff(want, got)
	if got.Status != vector.Done {
		diff = append(diff, got.Detail...)
	}
	if len(diff) > 0 {
		return fmt.Sprintf("%d bits: %s", width, strings.Join(diff, "\n"))
	}
	return ""
}

// wides counts the wide numbers that are computed or carried.
func wides(m *ir.Operation) int {
	n := 0
	m.Walk(func(op *ir.Operation) bool {
		for _, v := range op.Results() {
			if wide(v) && !v.IsConstant() {
				n++
			}
		}
		for _, r := range op.Regions {
			for _, b := range r.Blocks {
				for _, a := range b.Args {
					if wide(a) {
						n++
					}
				}
			}
		}
		return true
	})
	return n
}

// TestRandomPrograms: programs of every construct and type mean the same after
// narrowing, at both widths of index.
func TestRandomPrograms(t *testing.T) {
	less := 0
	for seed := range uint64(soak.Scale(1000, 20000)) {
		o := randprog.Options{NoUndefined: true, MaxOps: 40 + int(seed%3)*40}
		if seed%2 == 0 {
			o.Use = randprog.Everything
		}
		m := randprog.Generate(seed, o)
		after := narrowed(t, m)
		if wides(after) < wides(m) {
			less++
		}
		for _, width := range []int{32, 64} {
			if d := disagreement(t, m, after, randprog.Inputs(m, seed), width); d != "" {
				t.Fatalf("seed %d: %s\n%s\n%s", seed, d, mlir.Print(m, mlir.Options{}), mlir.Print(after, mlir.Options{}))
			}
		}
	}
	t.Logf("%d programs became narrower", less)
	if less == 0 {
		t.Error("no program became narrower")
	}
}
