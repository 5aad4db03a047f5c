package verilator

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestLock: a lock has one holder, the next gets it when it is free, and waiting
// ends with the context.
func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.lock")
	unlock, err := lockFile(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*lockPoll)
	defer cancel()
	if _, err := lockFile(ctx, path); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("the lock has two holders: %v", err)
	}
	got := make(chan error)
	go func() {
		again, err := lockFile(context.Background(), path)
		if err == nil {
			again()
		}
		got <- err
	}()
	time.Sleep(lockPoll / 2)
	unlock()
	if err := <-got; err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the lock file stays: %v", err)
	}
}

// TestLockOfRemovedFile: what a process has locked may be gone, or another file
// of that name, by the time it has the lock.
func TestLockOfRemovedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.lock")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if !isFileAt(f, path) {
		t.Error("the file just made is not there")
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if isFileAt(f, path) {
		t.Error("a removed file counts as there")
	}
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if isFileAt(f, path) {
		t.Error("another file counts as the one that was locked")
	}
}
