package rtlgen_test

import (
	"os"
	"path/filepath"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/arch/build"
	_ "loom/compiler/dialect/all"
	"loom/rtlgen/fabrictest"
)

// shipped builds a fabric of testdata/arch.
func shipped(t testing.TB, name string) *arch.Fabric {
	t.Helper()
	path := filepath.Join("..", "testdata", "arch", name+".yaml")
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	m, err := build.Build(path, src)
	if err != nil {
		t.Fatal(err)
	}
	f, err := arch.FromModule(m, "")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestDumpMesh(t *testing.T) {
	dir := os.Getenv("DUMP")
	if dir == "" {
		t.Skip()
	}
	f := shipped(t, os.Getenv("MESH"))
	t.Log(len(f.Comps), len(f.Channels))
	write(t, generate(t, f), dir)
}

func TestDumpLoop(t *testing.T) {
	dir := os.Getenv("DUMP")
	if dir == "" {
		t.Skip()
	}
	write(t, generate(t, fabrictest.Loop().Fabric), dir)
}
