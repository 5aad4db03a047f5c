package toolstest

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// Warnings are the warnings under which the C that LOOM generates is clean.
var Warnings = strings.Fields("-Wall -Wextra -Wpedantic -Wconversion -Wcast-qual -Wcast-align -Wshadow -Wstrict-prototypes -Werror")

// CleanC compiles C files in dir, without linking, as C99 and as C++11 with every compiler
// of the tests and all Warnings. args are further arguments, such as -D.
func CleanC(t testing.TB, dir string, files []string, args ...string) {
	t.Helper()
	for _, c := range [][]string{
		{"gcc", "-std=c99"}, {"clang-19", "-std=c99"},
		{"g++", "-std=c++11", "-x", "c++"}, {"clang++-19", "-std=c++11", "-x", "c++"},
	} {
		if _, err := exec.LookPath(c[0]); err != nil && c[0] == "clang++-19" {
			continue // of the same package as clang-19, which Need has looked for
		}
		line := append(append(append(slices.Clone(c[1:]), "-fsyntax-only"), Warnings...), args...)
		if strings.Contains(c[0], "++") {
			line = slices.DeleteFunc(line, func(w string) bool { return w == "-Wstrict-prototypes" })
		}
		cmd := exec.Command(c[0], append(line, files...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s %v: %v\n%s", c[0], files, err, out)
		}
	}
}
