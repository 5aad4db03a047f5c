package clang_test

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loom/compiler/frontend/clang"
	"loom/internal/tools"
	"loom/internal/tools/toolstest"
)

// TestImport imports what clang makes of a file with other options than ours: records
// and intrinsics that the importer does not know, assembly, computed goto.
func TestImport(t *testing.T) {
	toolstest.Need(t, tools.MLIRTranslate)
	path := toolstest.Path(t, tools.Clang)
	for _, c := range []struct{ name, text, before, after string }{
		{"assignment tracking", "struct p { int a, b; }; void g(struct p *); int k(int x) { struct p v = {x, 1}; g(&v); return v.a; }",
			"#dbg_assign(", "llvm.intr.dbg"},
		{"new intrinsics", "double k(double x) { return __builtin_tanh(x) + __builtin_atan(x); }", "@llvm.tanh.f64", "@loom.intr.tanh.f64"},
		{"assembly", `int k(int x, int y) { __asm__ volatile("" : "+r"(x), "=r"(y) : "r"(x) : "memory"); return x + y; }`, " asm sideeffect", "@loom.asm.1"},
		{"computed goto", "int k(int i) { static void *const t[] = {&&a, &&b}; goto *t[i]; a: return 3; b: return i * 5; }", "indirectbr", "@loom.goto"},
		{"thread-local", "_Thread_local int last; int k(int i) { int l = last; last = i; return l; }", "thread_local", "thread_local"},
		{"constructors.cpp", "struct s { int v; s(int x) : v(x * 2) {} }; static s one = 1; int k(int i) { return i % (one.v + 5); }", "@llvm.global_ctors = appending global [0 x", "llvm.srem"},
		{"vectors", "void k(float *x, int n) { for (int i = 0; i < n; i++) x[i] = x[i] > 1 ? x[i] : 2 * x[i]; }", "x float>", "vector<"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "k"+cmp.Or(filepath.Ext(c.name), ".c"))
			if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			ll, err := tools.Output(context.Background(), path, "-S", "-emit-llvm", "-O2", "-g", "-fno-math-errno", "-o", "-", file)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(ll), c.before) {
				t.Fatalf("clang made no %q", c.before)
			}
			out, err := clang.Import(context.Background(), "k.ll", ll)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(out), c.after) {
				t.Errorf("%q is missing", c.after)
			}
			if _, err := clang.Generic(context.Background(), "k.llvm.mlir", out); err != nil {
				t.Error(err)
			}
		})
	}
}
