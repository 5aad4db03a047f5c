// Package outdir writes a command's artifacts all or not at all: files are
// collected in a temporary directory inside the target and moved to the target by
// Commit. A command that fails calls Discard, one that is interrupted DiscardAll,
// and nothing is left behind; what else lies in the target stays as it is.
//
// Source: design page "Pipeline": a failed command writes no partial artifact
// set.
package outdir

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"syscall"
)

// Dir collects artifacts for a target directory.
type Dir struct {
	target string
	temp   string
	lock   *os.File // holds the lock on temp, which ends with the process
	made   []string // directories that New made, the innermost first
	files  map[string]bool
	stale  []string // older artifacts that Commit removes
	inputs []os.FileInfo
}

// collections are the directories that are neither committed nor discarded. Its
// lock makes every step on disk whole, seen from DiscardAll.
var collections = struct {
	sync.Mutex
	open   map[*Dir]bool
	closed bool
}{open: map[*Dir]bool{}}

// errInterrupted stops a command that works on after DiscardAll.
var errInterrupted = errors.New("interrupted")

// tempPrefix starts the names of temporary directories.
const tempPrefix = ".loom-partial-"

// reason strips the operation and the path from an error of package os: messages
// here name the path themselves.
func reason(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	var le *os.LinkError
	if errors.As(err, &le) {
		return le.Err
	}
	return err
}

// Check reports early whether New can succeed, so that a command need not work for
// minutes first. It leaves the disk as it was.
func Check(target string) error {
	for p := filepath.Clean(target); ; p = filepath.Dir(p) {
		info, err := os.Stat(p)
		switch {
		case errors.Is(err, fs.ErrNotExist) && p != filepath.Dir(p):
			continue
		case err != nil:
			return fmt.Errorf("cannot use the output directory '%s': %w", target, reason(err))
		case !info.IsDir():
			return fmt.Errorf("cannot use the output directory '%s': '%s' is a file", target, p)
		}
		// Only trying tells: permissions do not say that a file system is read-only, full
		// or not one that holds files.
		probe, err := os.MkdirTemp(p, tempPrefix)
		if err == nil {
			err = os.Remove(probe)
		}
		if err != nil {
			return fmt.Errorf("cannot write to the output directory '%s': %w", target, reason(err))
		}
		return nil
	}
}

// New prepares a collection for target, which need not exist yet. The temporary
// directory lies inside it, so that moving is a rename on one file system.
func New(target string) (*Dir, error) {
	if err := Check(target); err != nil {
		return nil, err
	}
	collections.Lock()
	defer collections.Unlock()
	if collections.closed {
		return nil, errInterrupted
	}
	d := &Dir{target: target, made: missing(target), files: map[string]bool{}}
	err := os.MkdirAll(target, 0o755)
	if err == nil {
		removeStale(target)
		d.temp, d.lock, err = lockedTemp(target)
	}
	if err != nil {
		d.discard()
		return nil, fmt.Errorf("cannot make the output directory '%s': %w", target, reason(err))
	}
	collections.open[d] = true
	return d, nil
}

// lockedTemp makes a temporary directory in target and locks it.
func lockedTemp(target string) (temp string, lock *os.File, err error) {
	for {
		if temp, err = os.MkdirTemp(target, tempPrefix); err != nil {
			return "", nil, err
		}
		// Between the two calls another process may take it for a stale one.
		if lock = tryLock(temp); lock != nil {
			if _, err := os.Stat(temp); err == nil {
				return temp, lock, nil
			}
			lock.Close()
		}
	}
}

// tryLock locks a directory until the file that it returns is closed or the process ends,
// however it ends. It returns nil where another process holds the lock.
func tryLock(path string) *os.File {
	f, err := os.Open(path)
	if err != nil {
		return nil
	}
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		f.Close()
		return nil
	}
	return f
}

// removeStale removes what commands that were killed have left in target. Failures do not
// matter: such a directory is only in a person's way.
func removeStale(target string) {
	entries, _ := os.ReadDir(target)
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), tempPrefix) {
			continue
		}
		path := filepath.Join(target, e.Name())
		if lock := tryLock(path); lock != nil {
			os.RemoveAll(path)
			lock.Close()
		}
	}
}

// missing lists the parent directories of path that do not exist yet, the
// innermost first.
func missing(path string) []string {
	var out []string
	for p := filepath.Clean(path); ; p = filepath.Dir(p) {
		if _, err := os.Stat(p); err == nil || p == filepath.Dir(p) {
			return out
		}
		out = append(out, p)
	}
}

// reserve notes an artifact and makes the directory it lies in.
func (d *Dir) reserve(name string) (string, error) {
	if !collections.open[d] {
		return "", errInterrupted
	}
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return "", fmt.Errorf("artifact '%s' would lie outside of the output directory", name)
	}
	path := filepath.Join(d.temp, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", fmt.Errorf("cannot write '%s': %w", name, reason(err))
	}
	d.files[name] = true
	return path, nil
}

// Write stores one artifact under its name relative to the target. A later
// artifact of the same name replaces an earlier one.
func (d *Dir) Write(name string, data []byte) error {
	collections.Lock()
	defer collections.Unlock()
	path, err := d.reserve(name)
	if err != nil {
		return err
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		return fmt.Errorf("cannot write '%s': %w", name, reason(err))
	}
	return nil
}

// Path reserves an artifact that another program writes itself and returns
// where to; an artifact that does not exist at Commit is left out.
func (d *Dir) Path(name string) (string, error) {
	collections.Lock()
	defer collections.Unlock()
	return d.reserve(name)
}

// Remove makes Commit remove an artifact of that name that an earlier command has
// left: it does not belong to this set.
func (d *Dir) Remove(name string) { d.stale = append(d.stale, filepath.FromSlash(name)) }

// Protect names files that the command has read. An artifact that would replace
// one of them is left out at Commit: a person's file stays as it was written.
func (d *Dir) Protect(file string) {
	if info, err := os.Stat(file); err == nil {
		d.inputs = append(d.inputs, info)
	}
}

// protected reports whether a path is one of the files that the command has read.
func (d *Dir) protected(path string) bool {
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	for _, in := range d.inputs {
		if os.SameFile(info, in) {
			return true
		}
	}
	return false
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

// oldFiles is where Commit keeps what it replaces until all is in the target.
const oldFiles = ".replaced"

// Commit moves every artifact into the target, replacing older ones, and returns
// their names. When one cannot be moved, everything is put back.
func (d *Dir) Commit() ([]string, error) {
	collections.Lock()
	defer collections.Unlock()
	if !collections.open[d] {
		return nil, errInterrupted
	}
	var undo []func()
	takeBack := func() {
		for i := len(undo) - 1; i >= 0; i-- {
			undo[i]()
		}
	}
	names := d.Names()
	for _, n := range d.stale {
		if d.protected(filepath.Join(d.target, n)) {
			continue
		}
		if err := d.setAside(n, &undo); err != nil {
			takeBack()
			return nil, fmt.Errorf("cannot remove '%s': %w", filepath.Join(d.target, n), reason(err))
		}
	}
	for _, n := range names {
		if err := d.move(filepath.FromSlash(n), &undo); err != nil {
			takeBack()
			return nil, fmt.Errorf("cannot write '%s': %w", filepath.Join(d.target, n), reason(err))
		}
	}
	delete(collections.open, d)
	return names, d.removeTemp()
}

// setAside moves what an earlier command left under an artifact's name out of the
// target and notes how to take that back.
func (d *Dir) setAside(name string, undo *[]func()) error {
	at, old := filepath.Join(d.target, name), filepath.Join(d.temp, oldFiles, name)
	info, err := os.Lstat(at)
	if err != nil {
		return nil // nothing there
	}
	if info.IsDir() {
		return errors.New("a directory of this name is in the way")
	}
	if err := os.MkdirAll(filepath.Dir(old), 0o755); err != nil {
		return err
	}
	if err := os.Rename(at, old); err != nil {
		return err
	}
	*undo = append(*undo, func() { os.Rename(old, at) })
	return nil
}

// move puts one artifact into the target and notes how to take that back.
func (d *Dir) move(name string, undo *[]func()) error {
	from, to := filepath.Join(d.temp, name), filepath.Join(d.target, name)
	if d.protected(to) {
		return nil
	}
	dirs := missing(filepath.Dir(to))
	*undo = append(*undo, func() {
		for _, p := range dirs {
			os.Remove(p)
		}
	})
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	if err := d.setAside(name, undo); err != nil {
		return err
	}
	if err := os.Rename(from, to); err != nil {
		return err
	}
	*undo = append(*undo, func() { os.Rename(to, from) })
	return nil
}

// Discard removes everything collected and the directories that New made. After
// Commit it does nothing.
func (d *Dir) Discard() {
	collections.Lock()
	defer collections.Unlock()
	if collections.open[d] {
		d.discard()
	}
}

func (d *Dir) discard() {
	delete(collections.open, d)
	d.removeTemp()
	for _, p := range d.made {
		// Remove fails where another program has put something meanwhile.
		if os.Remove(p) != nil {
			return
		}
	}
}

// removeTemp removes the temporary directory and then its lock.
func (d *Dir) removeTemp() error {
	if d.lock == nil {
		return nil
	}
	defer d.lock.Close()
	return os.RemoveAll(d.temp)
}

// DiscardAll discards every open collection and refuses all later work: the
// process is about to end. A running Commit is finished first.
func DiscardAll() {
	collections.Lock()
	defer collections.Unlock()
	collections.closed = true
	for d := range collections.open {
		d.discard()
	}
}
