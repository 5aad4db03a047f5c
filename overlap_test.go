package loom_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loom"
	"loom/compiler/diag"
	"loom/internal/tools/toolstest"
)

// TestOverlapCost: the remark on pointers that may overlap has the cycles of two timed runs,
// which are those of the graphs with and without the order.
func TestOverlapCost(t *testing.T) {
	toolstest.Need(t, "clang-19", "mlir-translate-19", "mlir-opt-19")
	const shift = "void f(int *x, int *y, int n) {\n  for (int i = 0; i < n; i++)\n    y[i] = x[i] * 3;\n}\n"
	compile := func(text string, opts loom.CompileOptions) (*loom.Kernel, string) {
		t.Helper()
		var remark string
		opts.Warn = func(d *diag.Diagnostic) { remark += d.Message }
		src := loom.Source{Name: filepath.Join(t.TempDir(), "f.c"), Text: text}
		if err := os.WriteFile(src.Name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		k, err := loom.Compile(t.Context(), src, opts)
		if err != nil {
			t.Fatal(err)
		}
		return k, remark
	}
	cycles := func(k *loom.Kernel) int64 {
		t.Helper()
		in, err := k.RandomInputs(loom.InputOptions{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		out, _, err := k.RunTimed(in, loom.Environment{})
		if err != nil {
			t.Fatal(err)
		}
		return out.Cycles
	}
	ordered, remark := compile(shift, loom.CompileOptions{})
	apart, none := compile(shift, loom.CompileOptions{AssumeNoAlias: true})
	a, b := cycles(ordered), cycles(apart)
	want := fmt.Sprintf("'x' and 'y' may overlap and 'y' is written: their accesses stay in order; %d cycles in a timed run on small random inputs, %d if no pointers overlap", a, b)
	if remark != want || a < 2*b || none != "" {
		t.Errorf("%q, want %q; without overlap %q", remark, want, none)
	}
	// An order that the kernel has anyway costs nothing.
	_, remark = compile("void f(int *x, int *y) {\n  y[0] = x[1];\n}\n", loom.CompileOptions{})
	if !strings.Contains(remark, "stay in order; that costs no cycles in a timed run") {
		t.Errorf("%q", remark)
	}
	// What cannot be run on random inputs gets no figures.
	_, remark = compile("int f(int *x, int *y) {\n  while (x[0] != 77) y[0]++;\n  return y[0];\n}\n", loom.CompileOptions{})
	if !strings.HasSuffix(remark, "their accesses stay in order") {
		t.Errorf("%q", remark)
	}
}
