package rtlgen_test

import (
	"os"
	"path/filepath"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/rtlgen"
	"loom/rtlgen/fabrictest"
)

var meta = rtlgen.Meta{InputName: "test.fabric.mlir", InputHash: "0123abcd", ToolVersion: "test"}

func generate(t testing.TB, f *arch.Fabric) *rtlgen.Output {
	t.Helper()
	out, err := rtlgen.Generate(f, config.NewLayout(f), meta)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// write puts a design into a directory.
func write(t testing.TB, out *rtlgen.Output, dir string) {
	t.Helper()
	for _, name := range out.Names() {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(out.Files[name]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestDump(t *testing.T) {
	dir := os.Getenv("DUMP")
	if dir == "" {
		t.Skip()
	}
	write(t, generate(t, fabrictest.Everything(32)), dir)
}
