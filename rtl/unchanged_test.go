package rtl

import (
	"crypto/sha256"
	"fmt"
	"go/parser"
	gotoken "go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"loom/internal/recorded"
	"loom/internal/tools/toolstest"
)

// unchanged skips a long test of modules that has passed on the same text: of the Go files of this package that match patterns, of the
// packages of the project that these import, of all modules that they name with the modules inside, and of the tools' versions. What
// has passed is in provenFile. Tests of this kind draw their vectors from fixed seeds, so a second run would say the same. The
// short tests beside them run every day, the soak campaign runs all.
// LOOM_UPDATE=1 go test ./rtl -skip TestArea runs what is not listed and lists it.
func unchanged(t *testing.T, patterns ...string) {
	t.Helper()
	name := "test " + t.Name()
	hash := textOf(t, os.ReadFile, append(patterns, "modules.go", "tools_test.go", "formal_test.go", "unchanged_test.go")...)
	if provenList.Has(t, name, hash) {
		t.Skipf("passed on these sources (%s); LOOM_SOAK=1 runs it again", provenFile)
	}
	t.Cleanup(func() {
		if !t.Failed() && !t.Skipped() {
			provenList.Add(t, name, hash)
		}
	})
}

var moduleNames = regexp.MustCompile(`\bloom_\w+`)

// textOf is a hash of all that tests in Go files of this package depend on.
func textOf(t *testing.T, read func(file string) ([]byte, error), patterns ...string) string {
	t.Helper()
	h := sha256.New()
	seen := map[string]bool{}
	var queue []string
	match := func(pattern string) {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no files %s: %v", pattern, err)
		}
		queue = append(queue, files...)
	}
	for _, p := range patterns {
		match(p)
	}
	for len(queue) > 0 {
		file := queue[0]
		if queue = queue[1:]; seen[file] {
			continue
		}
		seen[file] = true
		text, err := read(file)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(h, "%s %d\n%s", file, len(text), text)
		if filepath.Ext(file) != ".go" || filepath.Dir(file) == "." {
			for _, m := range moduleNames.FindAllString(string(text), -1) {
				if _, err := os.Stat(m + ".sv"); err == nil {
					queue = append(queue, m+".sv")
				}
			}
			for _, m := range includes.FindAllStringSubmatch(string(text), -1) {
				queue = append(queue, filepath.Join("formal", m[1]))
			}
		}
		if filepath.Ext(file) != ".go" {
			continue
		}
		parsed, err := parser.ParseFile(gotoken.NewFileSet(), file, text, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, imported := range parsed.Imports {
			path, err := strconv.Unquote(imported.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			dir, ours := strings.CutPrefix(path, "loom/")
			if !ours {
				continue
			}
			files, err := filepath.Glob(filepath.Join("..", dir, "*.go"))
			if err != nil {
				t.Fatal(err)
			}
			queue = append(queue, slices.DeleteFunc(files, func(f string) bool { return strings.HasSuffix(f, "_test.go") })...)
		}
	}
	fmt.Fprint(h, recorded.Version(t, "verilator", "--version"), recorded.Version(t, "iverilog", "-V"))
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}

// TestUnchangedReadsAll: the hash of a test changes with each kind of text that it depends on.
func TestUnchangedReadsAll(t *testing.T) {
	toolstest.Need(t, "verilator", "iverilog")
	const tests = "temporal_pe_test.go"
	before := textOf(t, os.ReadFile, tests)
	if textOf(t, os.ReadFile, tests) != before {
		t.Fatal("the same text has another hash")
	}
	read := []string{
		tests,
		"loom_temporal_pe.sv", // named by the test
		"loom_pkg.sv",         // used by that
		"../internal/tools/toolstest/toolstest.go", // imported
		"../internal/tools/tools.go",               // by that
	}
	for _, changed := range read {
		met := false
		hash := textOf(t, func(name string) ([]byte, error) {
			text, err := os.ReadFile(name)
			if name == changed {
				met = true
				text = append(text, "\n// changed\n"...)
			}
			return text, err
		}, tests)
		if !met || hash == before {
			t.Errorf("%s is not read, or a change of it is not noticed", changed)
		}
	}
}
