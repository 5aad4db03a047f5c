package outdir

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tree lists everything below root: directories with a slash, files with their
// content.
func tree(t *testing.T, root string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || path == root {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if e.IsDir() {
			out[name+"/"] = ""
			return nil
		}
		text, err := os.ReadFile(path)
		out[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// collect opens a collection with three artifacts, one of which was reserved
// and never written.
func collect(t *testing.T, target string) *Dir {
	t.Helper()
	d, err := New(target)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"a": "new a", "rtl/b": "new b"} {
		if err := d.Write(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := d.Path("wave"); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestCommitReplacesAndKeeps(t *testing.T) {
	root := t.TempDir()
	target := filepath.Join(root, "deep", "out")
	put(t, filepath.Join(target, "a"), "old a")
	put(t, filepath.Join(target, "mine"), "keep")
	put(t, filepath.Join(target, "rtl", "stale"), "of an earlier run")
	d := collect(t, target)
	d.Remove("rtl/stale")
	d.Remove("never there")
	names, err := d.Commit()
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"a", "rtl/b"}; !cmp.Equal(names, want) {
		t.Errorf("names %v, want %v", names, want)
	}
	d.Discard()
	want := map[string]string{"a": "new a", "mine": "keep", "rtl/": "", "rtl/b": "new b"}
	if diff := cmp.Diff(want, tree(t, target)); diff != "" {
		t.Error(diff)
	}
}

// A command that fails leaves the disk as it was, whether the target was there,
// was there and empty, or not at all.
func TestDiscardLeavesNothing(t *testing.T) {
	for _, c := range []struct {
		name   string
		target string
		setup  func(root string)
	}{
		{"absent", "x/y/out", func(string) {}},
		{"half absent", "x/y", func(r string) { put(t, filepath.Join(r, "x", "mine"), "keep") }},
		{"empty", "out", func(r string) { os.Mkdir(filepath.Join(r, "out"), 0o755) }},
		{"in use", "out", func(r string) { put(t, filepath.Join(r, "out", "a"), "old a") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := t.TempDir()
			c.setup(root)
			before := tree(t, root)
			collect(t, filepath.Join(root, c.target)).Discard()
			if diff := cmp.Diff(before, tree(t, root)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// When the last artifact cannot be moved, those before it are taken back.
func TestCommitIsAllOrNothing(t *testing.T) {
	root := t.TempDir()
	target := filepath.Join(root, "out")
	put(t, filepath.Join(target, "a"), "old a")
	put(t, filepath.Join(target, "z", "mine"), "a directory named like an artifact")
	put(t, filepath.Join(target, "stale"), "of an earlier run")
	before := tree(t, root)
	d := collect(t, target)
	d.Remove("stale")
	if err := d.Write("z", []byte("new z")); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Commit(); err == nil || !strings.Contains(err.Error(), "in the way") {
		t.Fatalf("Commit: %v", err)
	}
	d.Discard()
	if diff := cmp.Diff(before, tree(t, root)); diff != "" {
		t.Error(diff)
	}
}

// The same when what an earlier run left cannot go.
func TestStaleArtifactsAllOrNothing(t *testing.T) {
	root := t.TempDir()
	put(t, filepath.Join(root, "stale"), "of an earlier run")
	put(t, filepath.Join(root, "folder", "mine"), "keep")
	before := tree(t, root)
	d := collect(t, root)
	d.Remove("stale")
	d.Remove("folder")
	if _, err := d.Commit(); err == nil || !strings.Contains(err.Error(), "cannot remove") {
		t.Fatalf("Commit: %v", err)
	}
	d.Discard()
	if diff := cmp.Diff(before, tree(t, root)); diff != "" {
		t.Error(diff)
	}
}

// Written next to its own input, a command leaves the input alone, by any
// path it was read.
func TestInputsStay(t *testing.T) {
	root := t.TempDir()
	put(t, filepath.Join(root, "a"), "a person's own")
	if err := os.Symlink("a", filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	d := collect(t, root)
	d.Protect(filepath.Join(root, "link"))
	d.Protect(filepath.Join(root, "absent"))
	d.Remove("link")
	names, err := d.Commit()
	if want := []string{"a", "rtl/b"}; err != nil || !cmp.Equal(names, want) {
		t.Errorf("names %v, want %v, %v", names, want, err)
	}
	want := map[string]string{"a": "a person's own", "link": "a person's own", "rtl/": "", "rtl/b": "new b"}
	if diff := cmp.Diff(want, tree(t, root)); diff != "" {
		t.Error(diff)
	}
}

func TestTargetsThatCannotBe(t *testing.T) {
	root := t.TempDir()
	put(t, filepath.Join(root, "file"), "")
	targets := []string{filepath.Join(root, "file"), filepath.Join(root, "file", "below"), "/proc/loom/out"}
	if os.Getuid() != 0 { // root writes everywhere
		readOnly := filepath.Join(root, "ro")
		if err := os.Mkdir(readOnly, 0o555); err != nil {
			t.Fatal(err)
		}
		targets = append(targets, readOnly, filepath.Join(readOnly, "x"))
	}
	before := tree(t, root)
	for _, target := range targets {
		d, err := New(target)
		if err == nil {
			d.Discard()
			t.Errorf("%s is accepted", target)
			continue
		}
		if !strings.Contains(err.Error(), target) {
			t.Errorf("%q does not name %s", err, target)
		}
	}
	if diff := cmp.Diff(before, tree(t, root)); diff != "" {
		t.Error(diff)
	}
}

func TestNamesStayInside(t *testing.T) {
	d := collect(t, t.TempDir())
	defer d.Discard()
	for _, name := range []string{"../x", "/x", ""} {
		if err := d.Write(name, nil); err == nil {
			t.Errorf("%q is accepted", name)
		}
	}
}

func TestDiscardAll(t *testing.T) {
	defer func() { collections.closed = false }()
	root := t.TempDir()
	d := collect(t, filepath.Join(root, "one"))
	e := collect(t, filepath.Join(root, "two"))
	DiscardAll()
	if got := tree(t, root); len(got) > 0 {
		t.Errorf("left behind: %v", got)
	}
	if err := d.Write("late", nil); err == nil {
		t.Error("a collection works on after it was discarded")
	}
	if _, err := e.Commit(); err == nil {
		t.Error("a discarded collection can be committed")
	}
	if _, err := New(root); err == nil {
		t.Error("a collection opens after DiscardAll")
	}
	if got := tree(t, root); len(got) > 0 {
		t.Errorf("left behind: %v", got)
	}
}

// What a killed command has left is removed by the next; the directory of one that runs
// stays.
func TestStaleIsRemoved(t *testing.T) {
	root := filepath.Join(t.TempDir(), "a[b]*c")
	put(t, filepath.Join(root, tempPrefix+"1", "rtl", "half"), "of a killed command")
	put(t, filepath.Join(root, tempPrefix+"note"), "a person's file")
	running := collect(t, root)
	defer running.Discard()
	d := collect(t, root)
	defer d.Discard()
	for path, want := range map[string]bool{
		filepath.Join(root, tempPrefix+"1"): false, filepath.Join(root, tempPrefix+"note"): true, running.temp: true, d.temp: true,
	} {
		if _, err := os.Stat(path); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", path, err == nil, want)
		}
	}
	if _, err := running.Commit(); err != nil {
		t.Error(err)
	}
}
