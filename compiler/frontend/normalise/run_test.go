package normalise

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "loom/compiler/dialect/all"
	"loom/compiler/frontend/clang"
	"loom/compiler/frontend/llvm"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/internal/tools"
	"loom/internal/tools/toolstest"
)

// importSource compiles a source file of the given name and reads the result.
func importSource(t *testing.T, name, source string, opts clang.Options) (*ir.Operation, *llvm.Debug) {
	t.Helper()
	toolstest.Need(t, tools.Clang, tools.MLIRTranslate, tools.MLIROpt)
	t.Chdir(t.TempDir())
	if err := os.WriteFile(name, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	ll := []byte(source)
	if filepath.Ext(name) != ".ll" {
		var err error
		if ll, err = clang.Compile(context.Background(), name, opts); err != nil {
			t.Fatal(err)
		}
	}
	return importIR(t, name, ll)
}

func importIR(t *testing.T, name string, ll []byte) (*ir.Operation, *llvm.Debug) {
	t.Helper()
	text, err := clang.Import(context.Background(), "k.ll", ll)
	if err != nil {
		t.Fatal(err)
	}
	if text, err = clang.Generic(context.Background(), "k.llvm.mlir", text); err != nil {
		t.Fatal(err)
	}
	m, err := mlir.Parse(name, string(text))
	if err != nil {
		t.Fatal(err)
	}
	m.Walk(func(op *ir.Operation) bool {
		if pos, ok := mlir.SourcePos(op.Loc); ok {
			op.Pos = pos
		}
		return true
	})
	return m, llvm.NewDebug(string(text))
}

// plain prints a module without debug information and the like, whose aliases are not
// part of it.
func plain(m *ir.Operation) string {
	c := m.Clone(map[*ir.Value]*ir.Value{})
	c.Attrs = nil
	c.Walk(func(op *ir.Operation) bool {
		if strings.HasPrefix(op.Name, "llvm.intr.dbg.") {
			op.Erase()
			return true
		}
		for _, a := range append(ir.NamedAttrs(nil), op.Attrs...) {
			switch a.Name {
			case "loop_annotation", "tbaa", "dbg_expr", "passthrough", "comdat", "target_cpu", "target_features",
				"alias_scopes", "noalias_scopes", "access_groups", "branch_weights", "llvm.linker_options", "tune_cpu":
				op.SetAttr(a.Name, nil)
			}
		}
		return true
	})
	return mlir.Print(c, mlir.Options{Generic: true})
}
