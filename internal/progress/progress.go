// Package progress tells a person at a terminal what a long step is doing and
// stays silent everywhere else.
package progress

import (
	"fmt"
	"os"
	"sync"
	"time"
)

// Line is a single status line on a terminal. The nil Line is silent.
type Line struct {
	mu    sync.Mutex
	out   *os.File
	start time.Time
	last  time.Time
	width int
}

// New returns a Line on f, or nil when f is no terminal.
func New(f *os.File) *Line {
	if f == nil {
		return nil
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 || os.Getenv("TERM") == "dumb" || os.Getenv("CI") != "" {
		return nil
	}
	return &Line{out: f, start: time.Now()}
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
	if r := []rune(text); len(r) > 100 {
		text = string(r[:100])
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
