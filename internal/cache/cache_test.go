package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"loom/internal/tools"
)

func TestOpen(t *testing.T) {
	base := t.TempDir()
	t.Setenv(Variable, filepath.Join(base, "variable"))
	for _, c := range []struct{ dir, want string }{{"", "variable/models"}, {filepath.Join(base, "given"), "given/models"}} {
		got, err := Open(c.dir, "models")
		if err != nil || got != filepath.Join(base, c.want) {
			t.Errorf("%q: %q, %v", c.dir, got, err)
		}
		if st, err := os.Stat(got); err != nil || !st.IsDir() {
			t.Errorf("%q is not made: %v", got, err)
		}
	}
	file := filepath.Join(base, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv(Variable, file)
	_, err := Open("", "models")
	want := "cannot write to the cache '" + file + "/models': not a directory; set LOOM_CACHE to a directory that can be written and has room"
	if err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
	t.Setenv(Variable, "")
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("HOME", "")
	if _, err := Open("", "models"); err == nil || !strings.Contains(err.Error(), "set LOOM_CACHE") {
		t.Errorf("without a home: %v", err)
	}
}

// Failures of the disk are reported as such; all others stay unchanged.
func TestExplain(t *testing.T) {
	dir := t.TempDir()
	inside, outside := filepath.Join(dir, "x", "file"), filepath.Join(filepath.Dir(dir), "file")
	failed := func(output string) error {
		return &tools.FailedError{Name: "c++", Err: errors.New("exit status 1"), Output: output}
	}
	for _, c := range []struct {
		err  error
		want error // nil: as it is
	}{
		{&fs.PathError{Op: "open", Path: inside, Err: syscall.EROFS}, syscall.EROFS},
		{fmt.Errorf("wrapped: %w", &fs.PathError{Op: "write", Path: inside, Err: syscall.ENOSPC}), syscall.ENOSPC},
		{&os.LinkError{Op: "rename", Old: outside, New: inside, Err: syscall.EACCES}, syscall.EACCES},
		{&fs.PathError{Op: "open", Path: outside, Err: syscall.EROFS}, nil},
		{failed("harness.cpp:1:1: fatal error: error writing to x.o: No space left on device"), syscall.ENOSPC},
		{errors.Join(nil, failed("ld: final link failed: Disk quota exceeded")), syscall.EDQUOT},
		{failed("k.c:1:1: error: unknown type name"), nil},
		{errors.New("something else"), nil},
		{nil, nil},
	} {
		got := Explain(dir, c.err)
		var e *Error
		switch {
		case c.want == nil && got != c.err:
			t.Errorf("%v became %v", c.err, got)
		case c.want != nil && (!errors.As(got, &e) || e.Dir != dir || !errors.Is(got, c.want)):
			t.Errorf("%v: %v", c.err, got)
		}
	}
	once := Explain(dir, &fs.PathError{Op: "open", Path: inside, Err: syscall.EROFS})
	if Explain(filepath.Dir(dir), once) != once {
		t.Error("an explained error is explained again")
	}
}
