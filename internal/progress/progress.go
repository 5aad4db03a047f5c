// Package progress shows the progress of a long step on a terminal and stays silent
// everywhere else.
package progress

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

// Line is a single status line on a terminal. The nil Line is silent.
type Line struct {
	mu    sync.Mutex
	out   *os.File
	start time.Time
	last  time.Time
	width int
}

// New returns a Line on f, or nil where it would not be read: f is no terminal,
// the terminal cannot go back in a line, or the run is one of a CI system.
func New(f *os.File) *Line {
	if f == nil || os.Getenv("TERM") == "dumb" || os.Getenv("CI") != "" || columns(f) == 0 {
		return nil
	}
	return &Line{out: f, start: time.Now()}
}

// IsTerminal reports whether a person may be looking at f.
func IsTerminal(f *os.File) bool { return columns(f) > 0 }

// columns is the width of a terminal, 0 for anything else.
func columns(f *os.File) int {
	var size struct{ rows, cols, x, y uint16 }
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&size)))
	switch {
	case errno != 0:
		return 0
	case size.cols == 0: // a terminal of unknown size
		return 80
	}
	return int(size.cols)
}

// interval keeps a fast step from flooding the terminal.
const interval = 100 * time.Millisecond

// Set shows a status, at most ten times a second.
func (l *Line) Set(status string) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if time.Since(l.last) < interval {
		return
	}
	l.last = time.Now()
	text := fmt.Sprintf("%5.1fs  %s", time.Since(l.start).Seconds(), status)
	// A line that wraps could not be taken back; control characters could do
	// anything.
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, text)
	if r := []rune(text); len(r) > columns(l.out)-1 {
		text = string(r[:max(columns(l.out)-1, 0)])
	}
	fmt.Fprintf(l.out, "\r%-*s", l.width, text)
	l.width = len([]rune(text))
}

// Clear removes the line so that ordinary output can follow.
func (l *Line) Clear() {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.width > 0 {
		fmt.Fprintf(l.out, "\r%-*s\r", l.width, "")
		l.width = 0
	}
}
