package frontend

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loom/compiler/ir"
	"loom/internal/tools/toolstest"
)

const everyConstruct = `#include <algorithm>
template <class T>
static T twice(T x) {
  return x + x;
}
namespace ns {
int total(const int *a, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += twice(std::max(a[i], n));
  return sum;
}
}
`

// TestPositions: every operation of every stage names a line of the source, also where
// the compiler made it up or it comes from a header of the system, and the kernel has its name in the source.
func TestPositions(t *testing.T) {
	toolstest.Need(t, "clang-19", "mlir-opt-19", "mlir-translate-19")
	file := filepath.Join(t.TempDir(), "k.cpp")
	if err := os.WriteFile(file, []byte(everyConstruct), 0o644); err != nil {
		t.Fatal(err)
	}
	res, err := Run(context.Background(), file, everyConstruct, Options{})
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Count(everyConstruct, "\n")
	found := map[int]string{}
	res.Module.Walk(func(op *ir.Operation) bool {
		if op != res.Module && (op.Pos.File != file || op.Pos.Line < 1 || op.Pos.Line > lines) {
			t.Errorf("%s is at %s", op.Name, op.Pos)
		}
		found[op.Pos.Line] += op.Name + " "
		if op.Name == "func.func" && op.SymName() != "total" {
			t.Errorf("the kernel is called %s", op.SymName())
		}
		return true
	})
	if !strings.Contains(found[4], "arith.") || !strings.Contains(found[10], "memref.load") ||
		!strings.Contains(found[10], "arith.maxsi") || !strings.Contains(found[9], "scf.") {
		t.Errorf("operations by line: %v", found)
	}
	var exts []string
	for _, s := range res.Stages {
		exts = append(exts, s.Ext)
	}
	if got := strings.Join(exts, " "); got != ".ll .llvm.mlir .cf.mlir .scf.mlir" {
		t.Errorf("stages %s", got)
	}
}

// TestToolFindings: what clang and MLIR's tools refuse is reported at its position.
func TestToolFindings(t *testing.T) {
	toolstest.Need(t, "clang-19", "mlir-opt-19", "mlir-translate-19")
	for _, c := range []struct{ file, text, want string }{
		{"a.c", "int f(int a) {\n  return a + b;\n}\n", "a.c:2:14: error: use of undeclared identifier 'b'"},
		{"a.ll", "define i32 @f() {\n  ret i32 %x\n}\n", "a.ll:2:11: error: use of undefined value '%x'"},
		{"a.llvm.mlir", "llvm.func @f() {\n  llvm.retur\n}\n", "a.llvm.mlir:2:3: error: custom op 'llvm.retur' is unknown"},
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, c.file)
		if err := os.WriteFile(file, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := Run(context.Background(), file, c.text, Options{})
		if err == nil || !strings.Contains(strings.ReplaceAll(err.Error(), dir+"/", ""), c.want) {
			t.Errorf("%s: %v, want %s", c.file, err, c.want)
		}
	}
}
