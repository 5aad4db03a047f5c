package precompiled

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"loom/internal/tools/toolstest"
)

// TestFlags: a program is compiled against the precompiled header, and against a new one after the header changed.
func TestFlags(t *testing.T) {
	toolstest.Need(t, "clang++-19")
	dir := t.TempDir()
	header, program := filepath.Join(dir, "value.h"), filepath.Join(dir, "main.cpp")
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(program, "int main() { return value - VALUE; }\n")
	flags := []string{"-std=gnu++17", "-w"}
	runs := func(value string) []string {
		t.Helper()
		got := Flags(t.Context(), dir, "clang++-19", flags, "-O0", header)
		if len(got) != 2 {
			t.Fatalf("flags %q", got)
		}
		args := append(append(append([]string{}, flags...), "-O0", "-DVALUE="+value), got...)
		if out, err := exec.Command("clang++-19", append(args, program, "-o", filepath.Join(dir, "main"))...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if err := exec.Command(filepath.Join(dir, "main")).Run(); err != nil {
			t.Errorf("value %s: %v", value, err)
		}
		return got
	}
	write(header, "static const int value = 7;\n")
	first := runs("7")
	if again := runs("7"); again[1] != first[1] {
		t.Errorf("%s, then %s", first[1], again[1])
	}
	write(header, "static const int value = 1234;\n")
	if second := runs("1234"); second[1] == first[1] {
		t.Errorf("both are %s", first[1])
	}
	// What it includes may have changed: what is there no longer fits and is made again.
	made.Clear()
	write(first[1], "damaged")
	write(header, "static const int value = 1234;\n")
	runs("1234")
}

// TestPrune: the last headers stay, and what a build under way has.
func TestPrune(t *testing.T) {
	dir := t.TempDir()
	at := func(name string, age time.Duration) {
		t.Helper()
		when := time.Now().Add(-age)
		if err := os.Chtimes(filepath.Join(dir, name), when, when); err != nil {
			t.Fatal(err)
		}
	}
	for i := range keep + 2 {
		name := fmt.Sprintf("%d.pch", i)
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
		at(name, time.Duration(i)*time.Minute)
	}
	for name, age := range map[string]time.Duration{"build-new": time.Minute, "build-old": 2 * time.Hour} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
		at(name, age)
	}
	prune(dir)
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if got, want := strings.Join(left, " "), "0.pch 1.pch 2.pch 3.pch 4.pch 5.pch 6.pch 7.pch build-new"; got != want {
		t.Errorf("%s is left, want %s", got, want)
	}
}

// TestNone: without clang, a header or a cache nothing is precompiled.
func TestNone(t *testing.T) {
	dir := t.TempDir()
	for _, c := range [][2]string{{"g++", dir}, {"no-such-compiler", dir}, {"clang++-19", filepath.Join(dir, "no", "header.h")}} {
		if got := Flags(t.Context(), dir, c[0], nil, "-O0", filepath.Join(c[1], "none.h")); got != nil {
			t.Errorf("%s: %q", c[0], got)
		}
	}
}
