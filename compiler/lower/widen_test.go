package lower

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"loom/compiler/diag"
	"loom/compiler/dialect/arith"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/sim/vector"
)

// words32 is a target that computes on 32 bits only.
func words32(op *ir.Operation) bool {
	narrow := func(v *ir.Value) bool {
		t, ok := v.Type.(*ir.IntegerType)
		return ok && t.Width != 32 && t.Width != 1
	}
	switch op.Name {
	case "arith.extui", "arith.extsi", "arith.index_cast", "arith.index_castui":
		return !narrow(op.Result(0)) && (op.Dialect() != "arith" || op.Name[:9] == "arith.ext" || !narrow(op.Operand(0)))
	case "arith.trunci":
		return !narrow(op.Operand(0))
	}
	return op.Dialect() != "arith" || op.Name == "arith.constant" || !slices.ContainsFunc(op.Operands(), narrow)
}

// narrowFunctions are functions of two integers of 4 bits, one per operation that
// widen rewrites.
func narrowFunctions() map[string]string {
	out := map[string]string{}
	for _, d := range ir.Definitions() {
		if d.Reads != nil {
			out[d.Name] = fmt.Sprintf("func.func @f(%%a: i4, %%b: i4) -> i4 {\n  %%r = %s %%a, %%b : i4\n  return %%r : i4\n}\n", d.Name)
		}
	}
	for _, p := range arith.IntPredicates {
		out["arith.cmpi "+p] = fmt.Sprintf("func.func @f(%%a: i4, %%b: i4) -> i1 {\n  %%r = arith.cmpi %s, %%a, %%b : i4\n  return %%r : i1\n}\n", p)
	}
	for _, c := range []struct{ name, from, to string }{
		{"arith.extsi", "i4", "i9"}, {"arith.extui", "i4", "i9"}, {"arith.trunci", "i4", "i3"},
		{"arith.index_cast", "i4", "index"}, {"arith.index_castui", "i4", "index"},
	} {
		out[c.name] = fmt.Sprintf("func.func @f(%%a: i4, %%b: i4) -> %s {\n  %%r = %s %%a : %s to %s\n  return %%r : %s\n}\n", c.to, c.name, c.from, c.to, c.to)
	}
	for _, name := range []string{"arith.index_cast", "arith.index_castui"} {
		out[name+" from index"] = fmt.Sprintf("func.func @f(%%a: i4, %%b: i4) -> i9 {\n  %%c = arith.constant 37 : index\n  %%i = arith.index_castui %%a : i4 to index\n  %%j = arith.muli %%i, %%c : index\n  %%r = %s %%j : index to i9\n  return %%r : i9\n}\n", name)
	}
	return out
}

// widened runs widen alone on the only function of a text.
func widened(t *testing.T, text string, d deviation) (before, after *ir.Operation) {
	t.Helper()
	m, err := mlir.ParseAndVerify("f.mlir", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	before = m.Regions[0].Entry().Ops[0]
	copied := m.Clone(map[*ir.Value]*ir.Value{})
	after = copied.Regions[0].Entry().Ops[0]
	widen(&state{opts: Options{Executes: words32, deviate: d}, fn: after}, &diag.List{})
	var errs diag.List
	ir.Verify(copied, &errs)
	if errs.HasErrors() {
		t.Fatalf("%v\n%s", &errs, mlir.Print(after, mlir.Options{}))
	}
	return before, after
}

// differences counts the pairs of integers on which two functions differ.
func differences(t *testing.T, f, g *ir.Operation) int {
	t.Helper()
	n := 0
	for a := range uint64(16) {
		for b := range uint64(16) {
			in := &vector.Inputs{Args: []vector.Arg{{Name: "a", Type: ir.Int(4), Scalar: a}, {Name: "b", Type: ir.Int(4), Scalar: b}}}
			want, err := interp.Run(f, in, interp.Options{})
			if err != nil {
				t.Fatal(err)
			}
			got, err := interp.Run(g, in, interp.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if len(vector.Diff(want, got)) > 0 {
				n++
			}
		}
	}
	return n
}

// TestWiden: every narrow operation, on all values, computes on 32 bits what it
// computes on 4, also where it wraps, divides by zero or shifts too far.
func TestWiden(t *testing.T) {
	texts := narrowFunctions()
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		before, after := widened(t, texts[name], "")
		if n := differences(t, before, after); n > 0 {
			t.Errorf("%s differs on %d of 256 pairs:\n%s", name, n, mlir.Print(after, mlir.Options{}))
		}
		after.Walk(func(op *ir.Operation) bool {
			if op.Dialect() == "arith" && !words32(op) {
				t.Errorf("%s: the target has no unit for %s:\n%s", name, op.Name, mlir.Print(after, mlir.Options{}))
			}
			return true
		})
	}
}

// TestWidenWithoutSigns: the values differ when a sign is lost.
func TestWidenWithoutSigns(t *testing.T) {
	texts := narrowFunctions()
	for _, name := range []string{"arith.shrsi", "arith.divsi", "arith.remsi", "arith.minsi", "arith.maxsi", "arith.cmpi slt", "arith.cmpi sge", "arith.extsi", "arith.index_cast"} {
		before, after := widened(t, texts[name], widenSigns)
		if differences(t, before, after) == 0 {
			t.Errorf("%s: nothing noticed", name)
		}
	}
}

// TestWidenKeeps: what the target executes, and what it executes at no width, stays.
func TestWidenKeeps(t *testing.T) {
	const text = "func.func @f(%a: i32, %b: i40) -> (i32, i40) {\n  %r = arith.divsi %a, %a : i32\n  %s = arith.divsi %b, %b : i40\n  return %r, %s : i32, i40\n}\n"
	before, after := widened(t, text, "")
	if got, want := mlir.Print(after, mlir.Options{}), mlir.Print(before, mlir.Options{}); got != want {
		t.Errorf("changed to\n%s", got)
	}
}
