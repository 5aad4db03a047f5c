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
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == nil:
			return func() { f.Close() }, nil
		case errors.Is(err, syscall.EWOULDBLOCK), errors.Is(err, syscall.EINTR):
		default:
			return func() { f.Close() }, nil // a file system without locks
		}
		select {
		case <-ctx.Done():
			f.Close()
			return nil, ctx.Err()
		case <-time.After(lockPoll):
		}
	}
}
