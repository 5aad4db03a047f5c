package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"loom/internal/tools/toolstest"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"loom": main})
}

// TestScripts runs the command-line cases of testdata/script. Beside the usual
// commands there are
//
//	exits N loom ARG...     runs a command that must exit with N
//	json [PATH=VALUE]...    stdout is exactly one JSON object with these values
//	sametree DIR DIR        two directories hold the same files
//	onlyfiles DIR NAME...   a directory holds exactly these entries
//
// $REPO is the root of the repository, $LOOMBIN the directory of the tool alone;
// scripts named cosim_* need Verilator.
func TestScripts(t *testing.T) {
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		UpdateScripts:       os.Getenv("LOOM_UPDATE") != "",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": scriptExits, "json": scriptJSON, "sametree": scriptSameTree, "onlyfiles": scriptOnlyFiles,
		},
		Setup: func(e *testscript.Env) error {
			e.Setenv("REPO", repo)
			// Built models are cached by content: sharing one cache changes
			// no result and saves minutes.
			e.Setenv("LOOM_CACHE", toolstest.Cache(t))
			e.Setenv("CI", "true")
			bin, _, _ := strings.Cut(e.Getenv("PATH"), string(os.PathListSeparator))
			e.Setenv("LOOMBIN", bin)
			return nil
		},
		Condition: func(cond string) (bool, error) {
			if cond == "root" {
				return os.Getuid() == 0, nil
			}
			_, err := exec.LookPath(cond)
			if err != nil && os.Getenv("LOOM_REQUIRE_TOOLS") != "" {
				return false, err
			}
			return err == nil, nil
		},
	})
}

func scriptExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits N command [arg...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
	if strings.Contains(ts.ReadFile("stderr"), "internal error") || strings.Contains(ts.ReadFile("stderr"), "goroutine ") {
		ts.Fatalf("an internal error")
	}
}

func scriptJSON(ts *testscript.TestScript, neg bool, args []string) {
	dec := json.NewDecoder(strings.NewReader(ts.ReadFile("stdout")))
	dec.UseNumber()
	var object map[string]any
	if err := dec.Decode(&object); err != nil {
		ts.Fatalf("stdout is no JSON object: %v", err)
	}
	if dec.More() {
		ts.Fatalf("stdout holds more than one object")
	}
	for _, arg := range args {
		path, want, _ := strings.Cut(arg, "=")
		var at any = object
		for _, key := range strings.Split(path, ".") {
			switch v := at.(type) {
			case map[string]any:
				at = v[key]
			case []any:
				i, err := strconv.Atoi(key)
				if err != nil || i >= len(v) {
					ts.Fatalf("%s: there is no element %s", path, key)
				}
				at = v[i]
			default:
				at = nil
			}
		}
		got := fmt.Sprint(at)
		if _, text := at.(string); !text {
			b, err := json.Marshal(at)
			ts.Check(err)
			got = string(b)
		}
		if (got == want) == neg {
			ts.Fatalf("%s is %s", path, got)
		}
	}
}

// files reads everything below a directory.
func files(ts *testscript.TestScript, dir string) map[string][]byte {
	out := map[string][]byte{}
	root := ts.MkAbs(dir)
	ts.Check(filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		out[name], err = os.ReadFile(path)
		return err
	}))
	return out
}

func scriptSameTree(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: sametree DIR DIR")
	}
	a, b := files(ts, args[0]), files(ts, args[1])
	if len(a) == 0 {
		ts.Fatalf("%s holds no files", args[0])
	}
	for name := range b {
		if _, ok := a[name]; !ok {
			ts.Fatalf("%s has no %s", args[0], name)
		}
	}
	for name, text := range a {
		other, ok := b[name]
		switch {
		case !ok:
			ts.Fatalf("%s has no %s", args[1], name)
		case !bytes.Equal(text, other):
			ts.Fatalf("%s differs", name)
		}
	}
}

func scriptOnlyFiles(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: onlyfiles DIR [NAME...]")
	}
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	want := append([]string(nil), args[1:]...)
	sort.Strings(want)
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		ts.Fatalf("%s holds %q", args[0], got)
	}
}
