// Package outdir writes a command's artifacts all or not at all: files are
// collected in a temporary directory beside the target and moved into place by
// Commit. A command that fails calls Discard and leaves nothing behind.
package outdir

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
)

// Dir collects artifacts for a target directory.
type Dir struct {
	target string
	temp   string
	files  map[string]bool
}

// New prepares a collection for target, which need not exist yet. The temporary
// directory lies inside it, so that moving is a rename on one file system.
func New(target string) (*Dir, error) {
	created := firstMissing(target)
	if err := os.MkdirAll(target, 0o755); err != nil {
		return nil, fmt.Errorf("cannot make the output directory: %w", err)
	}
	temp, err := os.MkdirTemp(target, ".loom-partial-")
	if err != nil {
		if created != "" {
			os.RemoveAll(created)
		}
		return nil, fmt.Errorf("cannot write to the output directory: %w", err)
	}
	return &Dir{target: target, temp: temp, files: map[string]bool{}}, nil
}

// firstMissing returns the outermost directory on the way to path that does not
// exist yet, "" when all do.
func firstMissing(path string) string {
	missing := ""
	for p := filepath.Clean(path); ; p = filepath.Dir(p) {
		if _, err := os.Stat(p); err == nil || p == filepath.Dir(p) {
			return missing
		}
		missing = p
	}
}

// Write stores one artifact under its name relative to the target.
func (d *Dir) Write(name string, data []byte) error {
	path := filepath.Join(d.temp, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	d.files[name] = true
	return os.WriteFile(path, data, 0o644)
}

// Path reserves an artifact that another program writes itself and returns
// where to; an artifact that does not exist at Commit is left out.
func (d *Dir) Path(name string) (string, error) {
	path := filepath.Join(d.temp, filepath.FromSlash(name))
	d.files[name] = true
	return path, os.MkdirAll(filepath.Dir(path), 0o755)
}

// Names returns the artifacts' names relative to the target in order.
func (d *Dir) Names() []string {
	var out []string
	for n := range d.files {
		if _, err := os.Stat(filepath.Join(d.temp, filepath.FromSlash(n))); err == nil {
			out = append(out, n)
		}
	}
	sort.Strings(out)
	return out
}

// Commit moves every artifact into the target, replacing older ones, and
// returns their names.
func (d *Dir) Commit() ([]string, error) {
	names := d.Names()
	for _, n := range names {
		to := filepath.Join(d.target, filepath.FromSlash(n))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return nil, err
		}
		if err := os.Rename(filepath.Join(d.temp, filepath.FromSlash(n)), to); err != nil {
			return nil, err
		}
	}
	return names, os.RemoveAll(d.temp)
}

// Discard removes everything collected, and the target where it is empty. After
// Commit it does nothing.
func (d *Dir) Discard() {
	os.RemoveAll(d.temp)
	// Remove only succeeds on an empty directory, which is what New may have made.
	for p := d.target; os.Remove(p) == nil; p = filepath.Dir(p) {
		if firstMissing(filepath.Dir(p)) == "" {
			break
		}
	}
}
