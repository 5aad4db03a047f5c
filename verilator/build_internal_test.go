package verilator

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"loom/compiler/arch"
	"loom/compiler/arch/build"
	"loom/compiler/config"
	_ "loom/compiler/dialect/all"
	"loom/rtlgen"
)

func TestBuildMesh(t *testing.T) {
	mesh := os.Getenv("MESH")
	if mesh == "" {
		t.Skip()
	}
	path := filepath.Join("..", "testdata", "arch", mesh+".yaml")
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
	out, err := rtlgen.Generate(f, config.NewLayout(f), rtlgen.Meta{})
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	last := ""
	o := Options{RTL: out, CacheDir: os.Getenv("CACHE"), Progress: func(p Progress) {
		if p.Stage != last {
			last = p.Stage
			t.Logf("%6.1fs %s %d", time.Since(start).Seconds(), p.Stage, p.Total)
		}
	}}
	md, err := buildModel(context.Background(), &o)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%6.1fs done %s hit=%v", time.Since(start).Seconds(), md.dir, md.hit)
}
