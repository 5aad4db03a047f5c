package recorded

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestHeld: a check that held is not made again on the same text, one that did not, or reads another text, is.
func TestHeld(t *testing.T) {
	t.Setenv("LOOM_SOAK", "")
	file := filepath.Join(t.TempDir(), "list.txt")
	made := 0
	check := func(holds bool) func() bool {
		return func() bool { made++; return holds }
	}
	hash := func(text string) string { return "f" + Text(text)[1:] }
	try := func(list *List, text string, holds bool, want int) {
		t.Helper()
		made = 0
		if got := list.Held(t, hash(text), check(holds)); got != holds || made != want {
			t.Errorf("%s: %v after %d checks, want %v after %d", text, got, made, holds, want)
		}
	}
	t.Setenv("LOOM_UPDATE", "")
	try(In(file), "a", true, 1)
	if _, err := os.Stat(file); err == nil {
		t.Error("a list is written without LOOM_UPDATE")
	}
	t.Setenv("LOOM_UPDATE", "1")
	try(In(file), "a", false, 1)
	try(In(file), "a", true, 1)
	t.Setenv("LOOM_UPDATE", "")
	list := In(file)
	try(list, "a", true, 0)
	try(list, "b", true, 1) // the second check of this test is another one
	try(In(file), "c", true, 1)
	t.Setenv("LOOM_SOAK", "1")
	try(In(file), "a", true, 1)
	t.Setenv("LOOM_SOAK", "")

	// A sixteenth is checked every day.
	t.Setenv("LOOM_UPDATE", "1")
	zero := "0" + hash("a")[1:]
	for range 2 {
		made = 0
		if In(file).Held(t, zero, check(true)); made != 1 {
			t.Errorf("%s is checked %d times", zero, made)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil || string(text) != zero+" TestHeld\n" {
		t.Errorf("the list is %q: %v", text, err)
	}
}

// TestVersion: a tool that is not there is no error.
func TestVersion(t *testing.T) {
	if v := Version(t, "go", "version"); !strings.HasPrefix(v, "go version ") {
		t.Errorf("go says %q", v)
	}
	if v := Version(t, "loom-no-such-tool"); v != "absent" {
		t.Errorf("a tool that is not there says %q", v)
	}
}

// TestFiles: a hash of files changes with a name, a text, and where one text ends and the next begins.
func TestFiles(t *testing.T) {
	hashes := map[string]string{}
	for name, files := range map[string]string{"one": "a=1", "another name": "b=1", "another text": "a=2", "two": "a=1 b=2", "two others": "a=1 b=3", "one text": "a=1b2"} {
		dir := t.TempDir()
		for _, f := range strings.Fields(files) {
			file, text, _ := strings.Cut(f, "=")
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		h := Files(t, dir, "tool")
		if h != Files(t, dir, "tool") || h == Files(t, dir, "another tool") {
			t.Errorf("%s: the hash does not follow from the texts", name)
		}
		if hashes[h] != "" {
			t.Errorf("%s has the hash of %s", name, hashes[h])
		}
		hashes[h] = name
	}
}
