package e2e

import (
	"os"
	"sync"
	"testing"

	"loom/internal/ladder"
	"loom/internal/testkit"
	"loom/internal/tools"
)

var meshes = struct {
	sync.Mutex
	byName map[string]*ladder.Mesh
}{byName: map[string]*ladder.Mesh{}}

// loadMesh is a shipped fabric.
func loadMesh(t testing.TB, name string) *ladder.Mesh {
	t.Helper()
	meshes.Lock()
	defer meshes.Unlock()
	m := meshes.byName[name]
	if m == nil {
		m = ladder.NewMesh(name, testkit.Fabric(t, name))
		meshes.byName[name] = m
	}
	return m
}

// haveVerilator reports whether models can be built; where tools are required, a
// missing one fails the test.
func haveVerilator(t testing.TB) bool {
	t.Helper()
	for _, name := range []string{tools.Verilator, tools.CXX} {
		if _, err := tools.Find(name); err != nil {
			if os.Getenv("LOOM_REQUIRE_TOOLS") != "" {
				t.Fatal(err)
			}
			t.Log(err)
			return false
		}
	}
	return true
}
