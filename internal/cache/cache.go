// Package cache manages the directory where LOOM keeps what takes long to build, models of
// co-simulation and programs of the native run, by content. Its errors report why that
// directory cannot be used, and what to do.
package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"loom/internal/tools"
)

// Variable is the environment variable that names the directory.
const Variable = "LOOM_CACHE"

// Error reports that the cache cannot be used.
type Error struct {
	// Dir is the directory, Err why it cannot be used.
	Dir string
	Err error
}

func (e *Error) Error() string {
	return fmt.Sprintf("cannot write to the cache '%s': %v; set %s to a directory that can be written and has room", e.Dir, e.Err, Variable)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Open creates and returns the directory for one kind of entry: below dir if not
// empty, else below $LOOM_CACHE, else below loom in the user's cache directory. The
// error is an *Error.
func Open(dir, kind string) (string, error) {
	if dir == "" {
		dir = os.Getenv(Variable)
	}
	if dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("there is no directory for a cache: %w; set %s", err, Variable)
		}
		dir = filepath.Join(user, "loom")
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	dir = filepath.Join(dir, kind)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", &Error{dir, cause(err)}
	}
	return dir, nil
}

// noRoom is how little free space counts as none, in bytes: no model fits in it. A compiler that ran out of space may have
// given some back before it gave up, and Verilator 5.006 writes half a file without an error, over which the compiler then
// stumbles.
const noRoom = 1 << 20

// Explain returns err, or an *Error where its cause is that nothing can be
// written below dir: a failure of the file system there, or of a program that wrote
// there until it was full.
func Explain(dir string, err error) error {
	var failed *tools.FailedError
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case err == nil || errors.As(err, new(*Error)):
		return err
	case errors.As(err, &failed):
		for _, no := range []syscall.Errno{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS} {
			// Programs quote the C library's text, which begins with a capital.
			if strings.Contains(strings.ToLower(failed.Output), no.Error()) {
				return &Error{dir, no}
			}
		}
		var disk syscall.Statfs_t
		if syscall.Statfs(dir, &disk) == nil && disk.Bavail*uint64(disk.Bsize) < noRoom {
			return &Error{dir, syscall.ENOSPC}
		}
	case errors.As(err, &path) && below(path.Path, dir), errors.As(err, &link) && below(link.New, dir):
		return &Error{dir, cause(err)}
	}
	return err
}

// below reports whether a path lies in a directory.
func below(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// cause is the system's own error text without the call and the path, which the message names.
func cause(err error) error {
	var no syscall.Errno
	if errors.As(err, &no) {
		return no
	}
	return err
}
