package tools

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// script puts an executable shell script into a directory.
func script(t *testing.T, dir, name, body string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFind(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	t.Setenv("CXX", "")
	var missing *MissingError
	_, err := Find(Verilator)
	if !errors.As(err, &missing) || !strings.Contains(err.Error(), "apt-get install verilator") {
		t.Errorf("without Verilator: %v", err)
	}
	if _, err := Find(CXX); !errors.As(err, &missing) || !strings.Contains(err.Error(), "apt-get install g++") {
		t.Errorf("without a compiler: %v", err)
	}
	gcc := script(t, dir, "g++", "")
	if got, err := Find(CXX); err != nil || got != gcc {
		t.Errorf("g++ alone: %q, %v", got, err)
	}
	clang := script(t, dir, "clang++-19", "")
	if got, err := Find(CXX); err != nil || got != clang {
		t.Errorf("g++ and clang++: %q, %v", got, err)
	}
	t.Setenv("CXX", "g++")
	if got, err := Find(CXX); err != nil || got != gcc {
		t.Errorf("CXX=g++: %q, %v", got, err)
	}
	t.Setenv("CXX", "icc")
	if _, err := Find(CXX); !errors.As(err, &missing) || !strings.Contains(err.Error(), "CXX=icc names no program") {
		t.Errorf("CXX=icc: %v", err)
	}
}

// A library that a program loads is there when the program can load it.
func TestCheck(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	script(t, dir, "loads", `test "$1" = there`)
	tool := Tool{Name: "part", Package: "part-dev", Use: "tests", Candidates: []string{"loads"}, Check: []string{"there"}}
	if path, err := tool.find(); err != nil || path != filepath.Join(dir, "loads") {
		t.Errorf("a library that is there: %q, %v", path, err)
	}
	tool.Check = []string{"absent"}
	var missing *MissingError
	if _, err := tool.find(); !errors.As(err, &missing) || !strings.Contains(err.Error(), "apt-get install part-dev") {
		t.Errorf("a library that is absent: %v", err)
	}
}

func TestRun(t *testing.T) {
	dir := t.TempDir()
	ctx := context.Background()
	where := script(t, dir, "where", "pwd")
	if out, err := Run(ctx, dir, where); err != nil || strings.TrimSpace(string(out)) != dir {
		t.Errorf("%q, %v", out, err)
	}
	var failed *FailedError
	_, err := Run(ctx, "", script(t, dir, "fails", "echo its own message >&2; exit 4"), "now")
	if !errors.As(err, &failed) || !strings.Contains(err.Error(), "fails now failed: exit status 4\nits own message") {
		t.Errorf("%v", err)
	}
	_, err = Run(ctx, "", script(t, dir, "chatters", "head -c 100000 /dev/zero | tr '\\0' x; exit 1"))
	if !errors.As(err, &failed) || len(err.Error()) > maxOutput+200 || !strings.HasSuffix(err.Error(), "[…]") {
		t.Errorf("a message of %d bytes", len(err.Error()))
	}
	if _, err = Run(ctx, "", filepath.Join(dir, "absent")); !errors.As(err, &failed) {
		t.Errorf("a program that is not there: %v", err)
	}
}

// TestEnvironment: programs have huge pages, unless the user tunes the allocator.
func TestEnvironment(t *testing.T) {
	print := script(t, t.TempDir(), "print", `echo "$GLIBC_TUNABLES"`)
	tuned := func() string {
		out, err := Run(t.Context(), "", print)
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(out))
	}
	t.Setenv(tunables, "glibc.malloc.check=1")
	if got := tuned(); got != "glibc.malloc.check=1" {
		t.Errorf("the user's setting became %q", got)
	}
	if err := os.Unsetenv(tunables); err != nil {
		t.Fatal(err)
	}
	if got := tuned(); got != "glibc.malloc.hugetlb=1" {
		t.Errorf("without a setting it is %q", got)
	}
}

// A program that is interrupted takes its children along: they would hold its
// output open and go on working.
func TestRunEndsTheWholeGroup(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	parent := script(t, dir, "parent", "sh -c 'echo > ready; sleep 4; echo > survived' & wait")
	go func() {
		for range 400 {
			if _, err := os.Stat(filepath.Join(dir, "ready")); err == nil {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		cancel()
	}()
	start := time.Now()
	_, err := Run(ctx, dir, parent)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	if d := time.Since(start); d > 3900*time.Millisecond {
		t.Errorf("it took %v: it waited for the child", d)
	}
}

func TestVersion(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	script(t, dir, "speaks", "echo; echo 'Speaks by Someone'; echo 'version 7.1'")
	script(t, dir, "breaks", "echo 1.0; exit 1")
	for _, c := range []struct {
		tool    Tool
		version string
		ok      bool
	}{
		{Tool{Name: "speaks", VersionArgs: []string{"--version"}}, "version 7.1", true},
		{Tool{Name: "breaks", VersionArgs: []string{"--version"}}, "", false},
		{Tool{Name: "loom-no-such-program"}, "", false},
	} {
		if v, ok := Version(c.tool); v != c.version || ok != c.ok {
			t.Errorf("%s: %q %v", c.tool.Name, v, ok)
		}
	}
}

func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, tool := range All {
		if tool.Name == "" || tool.Package == "" || tool.Use == "" || seen[tool.Name] {
			t.Errorf("incomplete or double entry %+v", tool)
		}
		seen[tool.Name] = true
		if Lookup(tool.Name).Package != tool.Package {
			t.Errorf("%s is not found", tool.Name)
		}
	}
}

// A header is installed when a line with it can be built, wherever the compiler finds it.
func TestProbe(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	t.Setenv("CXX", filepath.Join(dir, "compiler"))
	script(t, dir, "compiler", `text=$(cat)
case "$text $*" in *stumble.h*) exit 1;; *-lnowhere*) exit 1;; esac`)
	for _, c := range []struct {
		probe Probe
		ok    bool
	}{
		{Probe{Compiler: CXX, Source: "#include <there.h>"}, true},
		{Probe{Compiler: CXX, Source: "#include <stumble.h>"}, false},
		{Probe{Compiler: CXX, Source: "int main() {}", Link: []string{"-lthere"}}, true},
		{Probe{Compiler: CXX, Source: "int main() {}", Link: []string{"-lnowhere"}}, false},
	} {
		tool := Tool{Name: "part", Package: "part-dev", Use: "tests", Probe: &c.probe}
		if _, ok := Version(tool); ok != c.ok {
			t.Errorf("%+v: found %v", c.probe, ok)
		}
	}
	t.Setenv("CXX", "no-such-compiler")
	if _, ok := Version(Tool{Probe: &Probe{Compiler: CXX, Source: "#include <there.h>"}}); ok {
		t.Error("a header is found without a compiler")
	}
	for _, tool := range All {
		if tool.Probe == nil {
			continue
		}
		if len(tool.VersionArgs) > 0 || len(tool.Candidates) > 0 || len(tool.Probe.Missed) == 0 {
			t.Errorf("%s is a program and a header", tool.Name)
		}
	}
}

// What is installed here is found, and nothing that is not.
func TestMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("CXX", "")
	t.Setenv("CC", "")
	run, test := Packages(Missing(ToRun)), Packages(Missing(ToTest))
	for _, p := range []string{"verilator", "g++", "gcc", "libc6-dev", "zlib1g-dev", "clang-19", "mlir-19-tools"} {
		if !slices.Contains(run, p) {
			t.Errorf("a machine with nothing does not miss %s: %v", p, run)
		}
	}
	if slices.Contains(run, "yosys") || !slices.Contains(test, "yosys") || len(slices.Compact(slices.Sorted(slices.Values(test)))) != len(test) {
		t.Errorf("the sets: %v, %v", run, test)
	}
	if _, ok := SetNamed("rum"); ok {
		t.Error("a set of any name")
	}
}

// The original messages of compilers and linkers.
func TestHelp(t *testing.T) {
	for _, c := range []struct{ output, want string }{
		{"fst/fstapi.h:57:10: fatal error: 'zlib.h' file not found\n   57 | #include <zlib.h>", "zlib.h belongs to the package zlib1g-dev"},
		{"fst/fstapi.h:57:10: fatal error: zlib.h: No such file or directory", "zlib.h belongs to the package zlib1g-dev"},
		{"/usr/bin/ld: cannot find -lz: No such file or directory", "-lz belongs to the package zlib1g-dev"},
		{"ld.lld: error: unable to find library -latomic", "-latomic belongs to the package g++"},
		{"k.c:1:10: fatal error: 'stdint.h' file not found", "stdint.h belongs to the package libc6-dev"},
		{"k.cpp:1:10: fatal error: vector: No such file or directory", "vector belongs to the package g++"},
		{"k.c:1:10: fatal error: 'mine.h' file not found", ""},
		{"k.c:2:1: error: unknown type name 'zlib'", ""},
	} {
		if got := Help(c.output); !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s\n  %q", c.output, got)
		}
		err := &FailedError{Name: "c++", Err: errors.New("exit status 1"), Output: c.output}
		if c.want != "" && !strings.Contains(err.Error(), "apt-get install") {
			t.Errorf("%v", err)
		}
	}
}
