package structure

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/pass"
	"loom/internal/soak"
	"loom/internal/tools"
	"loom/internal/tools/toolstest"
)

// size counts the operations of a function, without constants.
func size(fn *ir.Operation) (n int) {
	fn.Walk(func(op *ir.Operation) bool {
		if !op.Is(ir.ConstantLike) {
			n++
		}
		return true
	})
	return n
}

// TestAgainstMLIR: MLIR's own lifting of the same graphs is a second opinion. It
// must agree with ours, which must not be larger in total; and MLIR reads what we
// print.
func TestAgainstMLIR(t *testing.T) {
	toolstest.Need(t, "mlir-opt-19")
	opt, err := tools.Find("mlir-opt-19")
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	var graphs []*cfg
	for i := uint64(0); len(graphs) < soak.Scale(150, 3000); i++ {
		c := randomCFG(rand.New(rand.NewPCG(i, 2)), 9)
		if c.endless() {
			continue
		}
		text.WriteString(strings.Replace(c.text(), "@f(", fmt.Sprintf("@f%d(", len(graphs)), 1))
		graphs = append(graphs, c)
	}
	run := func(name, text string, args ...string) *ir.Operation {
		file := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		out, err := tools.Output(context.Background(), opt, append(args, file)...)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		m, err := mlir.ParseAndVerify(name, string(out))
		if err != nil {
			t.Fatal(diag.Render(diag.FromError(err), nil))
		}
		return m
	}
	functions := func(m *ir.Operation) (out []*ir.Operation) {
		m.Walk(func(op *ir.Operation) bool {
			if op.Name == "func.func" {
				out = append(out, op)
			}
			return true
		})
		return out
	}
	branches := functions(parse(t, text.String()))
	theirs := functions(run("theirs.mlir", text.String(), "--lift-cf-to-scf", "--canonicalize", "--cse"))
	module := parse(t, text.String())
	if err := Run(module, &diag.List{}, pass.Options{Verify: true}); err != nil {
		t.Fatal(err)
	}
	printed := functions(run("ours.mlir", mlir.Print(module, mlir.Options{})))
	ours := functions(module)
	if len(ours) != len(graphs) || len(theirs) != len(graphs) || len(printed) != len(graphs) {
		t.Fatalf("%d graphs, %d and %d functions", len(graphs), len(ours), len(theirs))
	}
	a, b, smaller, larger := 0, 0, 0, 0
	for i := range graphs {
		for k, arg := range branches[i].Regions[0].Entry().Args {
			// MLIR keeps no names.
			theirs[i].Regions[0].Entry().Args[k].Name = arg.Name
			printed[i].Regions[0].Entry().Args[k].Name = arg.Name
		}
		if f := differs(theirs[i], ours[i], uint64(i)); f != "" {
			t.Errorf("function %d differs from MLIR's: %s", i, f)
		}
		if f := differs(branches[i], printed[i], uint64(i)); f != "" {
			t.Errorf("function %d means something else when MLIR has read it: %s", i, f)
		}
		x, y := size(ours[i]), size(theirs[i])
		a, b = a+x, b+y
		switch {
		case x < y:
			smaller++
		case x > y:
			larger++
		}
	}
	t.Logf("%d operations, MLIR makes %d; %d of %d functions are smaller, %d larger", a, b, smaller, len(graphs), larger)
	if a > b {
		t.Errorf("%d operations are more than the %d that MLIR makes", a, b)
	}
}
