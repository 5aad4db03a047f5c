package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"loom": main})
}

// TestScripts runs the command-line cases of testdata/script. $REPO is the root
// of the repository; scripts named cosim_* need Verilator.
func TestScripts(t *testing.T) {
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = t.TempDir()
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		UpdateScripts:       os.Getenv("LOOM_UPDATE") != "",
		Setup: func(e *testscript.Env) error {
			e.Setenv("REPO", repo)
			// Built models are cached by content: sharing the user's cache changes
			// no result and saves minutes.
			e.Setenv("LOOM_CACHE", filepath.Join(cache, "loom"))
			e.Setenv("CI", "true")
			return nil
		},
		Condition: func(cond string) (bool, error) {
			_, err := exec.LookPath(cond)
			if err != nil && os.Getenv("LOOM_REQUIRE_TOOLS") != "" {
				return false, err
			}
			return err == nil, nil
		},
	})
}
