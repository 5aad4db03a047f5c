// Package recorded keeps lists of checks that have held, so that everyday tests do not run again what depends on nothing that has
// changed: a proof of the same sources by the same tools, a simulation of the same files. A line of a list is the hash of everything
// that a check reads and its name. The soak campaign runs all, and LOOM_UPDATE=1 lists what held.
package recorded

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"loom/internal/soak"
)

// List is a file of checks.
type List struct {
	file  string
	mu    sync.Mutex
	read  bool
	lines map[string]string // hash of a check by its name
	asked map[string]int    // by test, for Held
}

// In is the list in a file, which need not exist.
func In(file string) *List {
	return &List{file: file, asked: map[string]int{}}
}

// load reads the file once.
func (l *List) load(t testing.TB) {
	t.Helper()
	if l.read {
		return
	}
	text, err := os.ReadFile(l.file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	l.read, l.lines = true, map[string]string{}
	for line := range strings.Lines(string(text)) {
		if hash, name, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			l.lines[name] = hash
		}
	}
}

// Has reports whether a check of that name and hash is listed. Nothing is in the soak campaign.
func (l *List) Has(t testing.TB, name, hash string) bool {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.load(t)
	return soak.Factor() == 0 && l.lines[name] == hash
}

// Add lists a check that has held, under LOOM_UPDATE=1.
func (l *List) Add(t testing.TB, name, hash string) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.load(t)
	if os.Getenv("LOOM_UPDATE") == "" || l.lines[name] == hash {
		return
	}
	l.lines[name] = hash
	var lines []string
	for name, hash := range l.lines {
		lines = append(lines, hash+" "+name+"\n")
	}
	slices.SortFunc(lines, func(a, b string) int { return strings.Compare(a[len(hash)+1:], b[len(hash)+1:]) })
	if err := os.WriteFile(l.file, []byte(strings.Join(lines, "")), 0o644); err != nil {
		t.Error(err)
	}
}

// Held reports whether a check of the running test holds: as the list has it, or by running it. A test may have several checks,
// which it makes in the same order each time. One hash of sixteen is checked every day.
func (l *List) Held(t testing.TB, hash string, check func() bool) bool {
	t.Helper()
	l.mu.Lock()
	l.asked[t.Name()]++
	name := t.Name()
	if n := l.asked[name]; n > 1 {
		name = fmt.Sprintf("%s, %d", name, n)
	}
	l.mu.Unlock()
	if hash[0] != '0' && l.Has(t, name, hash) {
		return true
	}
	if !check() {
		return false
	}
	l.Add(t, name, hash)
	return true
}

// Text is the hash of texts.
func Text(texts ...string) string {
	h := sha256.New()
	for _, text := range texts {
		fmt.Fprintf(h, "%d\n%s", len(text), text)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

var comment = regexp.MustCompile(`(?m)^\s+|\s*//.*$`)

// Code is text of SystemVerilog without comments, indentation and empty lines, for hashes of what synthesis reads.
func Code(text string) string {
	return strings.Join(strings.FieldsFunc(comment.ReplaceAllString(text, ""), func(r rune) bool { return r == '\n' }), "\n")
}

// Files is the hash of all files in a folder, with their names, and of further texts.
func Files(t testing.TB, dir string, texts ...string) string {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		texts = append(texts, name, string(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return Text(texts...)
}

var versions sync.Map

// Version is what a tool says of itself, "absent" where it is not installed: what needs it says so itself.
func Version(t testing.TB, tool string, args ...string) string {
	t.Helper()
	key := tool + " " + strings.Join(args, " ")
	if v, ok := versions.Load(key); ok {
		return v.(string)
	}
	if _, err := exec.LookPath(tool); err != nil {
		return "absent"
	}
	out, err := exec.Command(tool, args...).Output()
	if err != nil {
		t.Fatalf("%s: %v", key, err)
	}
	versions.Store(key, string(out))
	return string(out)
}
