// Package testkit loads the shipped kernels and fabrics for the tests of every
// stage. It imports no simulator, mapper or lowering: what a test runs on its
// input is the test's own choice.
package testkit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/arch/build"
	"loom/compiler/arch/shipped"
	"loom/compiler/diag"
	_ "loom/compiler/dialect/all" // operations of all dialects
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
)

// Testdata is the path of a file or directory below testdata, found by walking
// up from the test's directory to the module's root.
func Testdata(t testing.TB, elem ...string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(append([]string{dir, "testdata"}, elem...)...)
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("no go.mod above the test's directory")
		}
		dir = parent
	}
}

// Architecture is the description of a shipped fabric, or of one in testdata/arch.
func Architecture(t testing.TB, name string) []byte {
	t.Helper()
	if text, ok := shipped.Text(name); ok {
		return []byte(text)
	}
	text, err := os.ReadFile(Testdata(t, "arch", name+shipped.Extension))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Architectures names the shipped fabrics and those in testdata/arch.
func Architectures(t testing.TB) []string {
	t.Helper()
	paths, err := filepath.Glob(Testdata(t, "arch", "*"+shipped.Extension))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no architectures in testdata: %v", err)
	}
	names := shipped.Names()
	for _, p := range paths {
		names = append(names, strings.TrimSuffix(filepath.Base(p), shipped.Extension))
	}
	return names
}

// Fabric builds and flattens the architecture of that name; messages call it NAME.yaml.
func Fabric(t testing.TB, name string) *arch.Fabric {
	t.Helper()
	return FabricOf(t, name+shipped.Extension, Architecture(t, name))
}

// FabricOf builds and flattens the description of an architecture, which messages call by that file.
func FabricOf(t testing.TB, file string, text []byte) *arch.Fabric {
	t.Helper()
	mod, err := build.Build(file, text)
	if err != nil {
		t.Fatal(diag.Render(diag.FromError(err), nil))
	}
	f, err := arch.FromModule(mod, "")
	if err != nil {
		t.Fatal(diag.Render(diag.FromError(err), nil))
	}
	return f
}

// Kernel parses and verifies testdata/kernels/NAME.mlir.
func Kernel(t testing.TB, name string) *ir.Operation {
	t.Helper()
	path := Testdata(t, "kernels", name+".mlir")
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	mod, err := mlir.ParseAndVerify(path, string(src))
	if err != nil {
		t.Fatal(err)
	}
	return mod
}

// Function is the first func.func of a module, nil when there is none.
func Function(mod *ir.Operation) *ir.Operation {
	var fn *ir.Operation
	mod.Walk(func(o *ir.Operation) bool {
		if o.Name == opname.FuncFunc && fn == nil {
			fn = o
		}
		return fn == nil
	})
	return fn
}
