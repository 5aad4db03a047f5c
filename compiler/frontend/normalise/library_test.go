package normalise

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"loom/compiler/frontend/clang"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/internal/tools"
	"loom/internal/tools/toolstest"
)

// TestLibraryText makes library.mlir of library.c, or checks that it is made of it.
func TestLibraryText(t *testing.T) {
	toolstest.Need(t, tools.MLIRTranslate, tools.MLIROpt)
	path := toolstest.Path(t, tools.Clang)
	ll, err := tools.Output(context.Background(), path, "-S", "-emit-llvm", "-O2", "-std=c11", "-fwrapv", "-ffp-contract=off",
		"-fno-math-errno", "-fno-strict-aliasing", "-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops", "-fno-jump-tables",
		"-fno-builtin", "-fno-stack-protector", "-fno-asynchronous-unwind-tables",
		"-mllvm", "-disable-loop-idiom-all", "-mllvm", "-indvars-widen-indvars=false", "-mllvm", "-replexitval=never",
		"-mllvm", "-inline-threshold=100000", "-o", "-", "library/library.c")
	if err != nil {
		t.Fatal(err)
	}
	text, err := clang.Import(context.Background(), "library.ll", ll)
	if err != nil {
		t.Fatal(err)
	}
	if text, err = clang.Generic(context.Background(), "library.llvm.mlir", text); err != nil {
		t.Fatal(err)
	}
	m, err := mlir.Parse("library.mlir", string(text))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("// Made of library.c by TestLibraryText: LOOM_UPDATE=1 makes it again.\n")
	for _, o := range append([]*ir.Operation(nil), m.Regions[0].Blocks[0].Ops...) {
		if o.Name != "llvm.func" {
			t.Fatalf("%s: functions of the library need nothing else", o.Name)
		}
		if !hasBody(o) {
			t.Fatalf("%s is called, but not defined in the library", o.SymName())
		}
		o.Walk(func(op *ir.Operation) bool {
			if op.Name == "llvm.call" {
				t.Errorf("%s: a call of %s is left", o.SymName(), callee(op))
			}
			if others[op.Name] != "" {
				t.Errorf("%s: %s is left", o.SymName(), op.Name)
			}
			return true
		})
		for _, a := range append(ir.NamedAttrs(nil), o.Attrs...) {
			if a.Name != "sym_name" && a.Name != "function_type" && a.Name != "linkage" {
				o.SetAttr(a.Name, nil)
			}
		}
		one := ir.NewOp("builtin.module", o.Pos, nil, nil)
		block := one.AddRegion().AddBlock()
		o.Unlink()
		block.Append(o)
		fmt.Fprintf(&b, "%s%s\n%s", libraryMark, o.SymName(), plain(one))
	}
	const file = "library/library.mlir"
	if os.Getenv("LOOM_UPDATE") != "" {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if b.String() != libraryText {
		t.Errorf("%s is not made of library.c: run LOOM_UPDATE=1 go test -run TestLibraryText", file)
	}
}

// TestLibraryComplete reads every function that the tables name.
func TestLibraryComplete(t *testing.T) {
	for op, name := range others {
		for _, suffix := range []string{"", "f"} {
			if f := libraryFunction(name + suffix); f == nil {
				t.Errorf("%s needs %s%s", op, name, suffix)
			}
		}
	}
	for from, to := range synonyms {
		if libraryFunction(to) == nil {
			t.Errorf("%s needs %s", from, to)
		}
	}
}

// TestLibraryValues compares the library with the C library's functions.
func TestLibraryValues(t *testing.T) {
	path := toolstest.Path(t, tools.Clang)
	exe := filepath.Join(t.TempDir(), "values")
	if out, err := exec.Command(path, "-D_GNU_SOURCE", "-O1", "-w", "-ffp-contract=off", "-o", exe, "testdata/values.c", "-lm").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := exec.Command(exe).CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v\n%s", err, out)
	}
}
