// Package toolstest skips or fails tests whose external programs are not installed.
package toolstest

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"loom/internal/cache"
	"loom/internal/tools"
)

// Cache is where tests keep what takes long to build: $LOOM_CACHE, else a directory
// beside the user's own cache. What lies there saves time and changes no result.
func Cache(t testing.TB) string {
	t.Helper()
	if dir := os.Getenv(cache.Variable); dir != "" {
		return dir
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return t.TempDir()
	}
	return filepath.Join(dir, "loom-test")
}

// Need skips a test whose external programs are not all installed; with
// LOOM_REQUIRE_TOOLS set, as in make test, it fails the test instead. A name is one
// of package tools, or that of a program.
func Need(t testing.TB, names ...string) {
	t.Helper()
	for _, n := range names {
		Path(t, n)
	}
}

// Python returns the path of a program of the virtual environment that the Makefile sets
// up from scripts/python.txt: $LOOM_VENV, else .venv at the top of the tree. A test
// without it is skipped, and fails with LOOM_REQUIRE_PYTHON set, as in make soak.
func Python(t testing.TB, name string) string {
	t.Helper()
	dir := os.Getenv("LOOM_VENV")
	if dir == "" {
		root, err := filepath.Abs(".")
		for err == nil {
			if _, missing := os.Stat(filepath.Join(root, "go.mod")); missing == nil || root == filepath.Dir(root) {
				break
			}
			root = filepath.Dir(root)
		}
		dir = filepath.Join(root, ".venv")
	}
	path := filepath.Join(dir, "bin", name)
	if _, err := os.Stat(path); err != nil {
		if os.Getenv("LOOM_REQUIRE_PYTHON") != "" {
			t.Fatalf("%s is not installed; run: make .venv/ready", path)
		}
		t.Skipf("%s is not installed; run: make .venv/ready", path)
	}
	return path
}

// Path returns the path of a program that the test needs.
func Path(t testing.TB, name string) string {
	t.Helper()
	find := exec.LookPath
	if slices.ContainsFunc(tools.All, func(a tools.Tool) bool { return a.Name == name }) {
		find = tools.Find
	}
	path, err := find(name)
	switch {
	case err == nil:
	case os.Getenv("LOOM_REQUIRE_TOOLS") != "":
		t.Fatal(err)
	default:
		t.Skip(err)
	}
	return path
}
