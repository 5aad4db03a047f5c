package rtl

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"loom/internal/recorded"
)

// provenFile lists what has been proven, which planted faults proofs have found, and which long tests have passed (unchanged): a line each
// with a hash of everything that the proof reads, its own text included. What is listed is not proven again every day, but for each provenEvery-th; the soak campaign proves all.
// LOOM_UPDATE=1 go test ./rtl -run 'TestFormal|TestMutations' proves what is not listed and lists it.
const (
	provenFile  = "testdata/proven.txt"
	provenEvery = 12
)

// provenList is the list in provenFile.
var provenList = recorded.In(provenFile)

// record has the tools that proofs are made with.
type record struct{ tools string }

// proven is the record of a test.
func proven(t *testing.T) *record {
	t.Helper()
	return &record{recorded.Version(t, "yosys", "-V") + recorded.Version(t, "yosys-abc", "-c", "version")}
}

// once skips the n-th proof if it is listed with the hash of what it reads, and lists it if it passes. Of the sources one
// may have a textual change.
func (r *record) once(t *testing.T, n int, name string, p proof, file, old, new string) {
	t.Helper()
	hash := r.hash(t, p, file, old, new)
	if n%provenEvery != 0 && provenList.Has(t, name, hash) {
		t.Skipf("proven on these sources (%s); LOOM_SOAK=1 proves it again", provenFile)
	}
	t.Cleanup(func() {
		if !t.Failed() && !t.Skipped() {
			provenList.Add(t, name, hash)
		}
	})
}

// hash is that of all that a proof depends on: the tools, how proofs are made (formal_test.go), its parameters, and the sources that it reads.
func (r *record) hash(t *testing.T, p proof, file, old, new string) string {
	t.Helper()
	h := sha256.New()
	source := func(name string) string {
		text, err := os.ReadFile(name)
		if err != nil {
			if text, err = os.ReadFile(filepath.Join("formal", name)); err != nil {
				t.Fatal(err)
			}
		}
		if filepath.Base(file) == filepath.Base(name) {
			text = []byte(strings.Replace(string(text), old, new, 1))
		}
		fmt.Fprintf(h, "%s %d\n%s", name, len(text), text)
		return string(text)
	}
	fmt.Fprintf(h, "%s%+v\n", r.tools, p)
	source("formal_test.go")
	read := map[string]bool{}
	var visit func(name string)
	visit = func(name string) {
		if read[name] {
			return
		}
		read[name] = true
		for _, m := range includes.FindAllStringSubmatch(source(name), -1) {
			visit(m[1])
		}
	}
	for _, inductive := range []bool{false, true} {
		script := design(t, p, inductive)
		fmt.Fprintln(h, script)
		for _, name := range sourceNames.FindAllString(script, -1) {
			visit(name)
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}

var (
	includes    = regexp.MustCompile("`include \"([^\"]+)\"")
	sourceNames = regexp.MustCompile(`\w+\.sv\b`)
)
