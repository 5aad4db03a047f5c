package rtl

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

// provenFile lists what has been proven, and which planted faults proofs have found: a line each with a hash of everything that the proof
// reads, its own text included. What is listed is not proven again every day, but for each provenEvery-th; the soak campaign proves all.
// LOOM_UPDATE=1 go test ./rtl -run 'TestFormal|TestMutations' proves what is not listed and lists it.
const (
	provenFile  = "formal/proven.txt"
	provenEvery = 12
)

// provenLines guards provenFile.
var provenLines sync.Mutex

// record is what has been proven so far.
type record struct {
	listed map[string]string // hash of a proof by its name
	done   map[string]string // those that hold now
	tools  string
}

// proven reads the record for a test, which adds to it under LOOM_UPDATE=1.
func proven(t *testing.T) *record {
	t.Helper()
	r := &record{listed: readProven(t), done: map[string]string{}}
	for _, tool := range [][]string{{"yosys", "-V"}, {"yosys-abc", "-c", "version"}} {
		out, err := exec.Command(tool[0], tool[1:]...).Output()
		if err != nil {
			t.Fatalf("%v: %v", tool, err)
		}
		r.tools += string(out)
	}
	if *update {
		t.Cleanup(func() {
			if t.Failed() {
				return
			}
			provenLines.Lock()
			defer provenLines.Unlock()
			all := readProven(t)
			for name, hash := range r.done {
				all[name] = hash
			}
			var lines []string
			for name, hash := range all {
				lines = append(lines, hash+" "+name+"\n")
			}
			slices.SortFunc(lines, func(a, b string) int { return strings.Compare(a[17:], b[17:]) })
			if err := os.WriteFile(provenFile, []byte(strings.Join(lines, "")), 0o644); err != nil {
				t.Error(err)
			}
		})
	}
	return r
}

func readProven(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(provenFile)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	all := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if hash, name, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			all[name] = hash
		}
	}
	return all
}

// once skips the n-th proof if it is listed with the hash of what it reads, and lists it if it passes. Of the sources one
// may have a textual change.
func (r *record) once(t *testing.T, n int, name string, p proof, file, old, new string) {
	t.Helper()
	hash := r.hash(t, p, file, old, new)
	if n%provenEvery != 0 && !soak() && r.listed[name] == hash {
		r.add(name, hash)
		t.Skipf("proven on these sources (%s); LOOM_SOAK=1 proves it again", provenFile)
	}
	t.Cleanup(func() {
		if !t.Failed() && !t.Skipped() {
			r.add(name, hash)
		}
	})
}

func (r *record) add(name, hash string) {
	provenLines.Lock()
	r.done[name] = hash
	provenLines.Unlock()
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
