package verilator

import (
	"context"
	"errors"
	"os"
	"syscall"
	"time"
)

// lockPoll is how often a waiting process looks whether a model is finished.
const lockPoll = 200 * time.Millisecond

// lockFile takes the lock of that name, waiting for another process that has it;
// the kernel releases the lock of a process that ends. Two processes that need
// one model so build it once. Where locks are impossible both build it: the
// cache takes either.
func lockFile(ctx context.Context, path string) (unlock func(), err error) {
	for {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
		if err != nil {
			return nil, err
		}
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		waits := errors.Is(err, syscall.EWOULDBLOCK) || errors.Is(err, syscall.EINTR)
		// The last holder removes the file: a lock on a removed one is none.
		if !waits && (err != nil || isFileAt(f, path)) {
			return func() {
				_ = os.Remove(path)
				f.Close()
			}, nil
		}
		f.Close()
		if !waits {
			continue
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(lockPoll):
		}
	}
}

// isFileAt reports whether an open file is the one of that name.
func isFileAt(f *os.File, path string) bool {
	a, errA := f.Stat()
	b, errB := os.Stat(path)
	return errA == nil && errB == nil && os.SameFile(a, b)
}
