// Command loom turns loop kernels into hardware: it lowers a kernel to an
// elastic dataflow graph, maps it onto a reconfigurable fabric, generates the
// fabric's SystemVerilog and configuration, and proves under Verilator that the
// hardware computes what the kernel means.
//
// The stages are those of package loom. Each subcommand lives in a file of its own;
// stage.go holds the steps that they share, app.go the command line, exit statuses and
// panics, output.go what they print.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"loom/compiler/diag"
	"loom/internal/outdir"
)

// The exit statuses (design page "Pipeline"). A command that a signal ends exits
// with 128 and the signal's number, as a shell reports it: 130 for SIGINT.
const (
	exitOK     = 0
	exitInput  = 1 // the input is at fault, or a run ended in anything but done
	exitUsage  = 2
	exitTool   = 3 // an external tool is missing or failed
	exitSignal = 128
)

// collectAt is how much garbage there may be, in percent of what is live, before it is collected. Live are 20 to 40 MB, and
// with Go's default of 100 collecting is a fifth of the time of an ordinary build. GOGC sets another one.
const collectAt = 400

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectAt)
	}
	ctx, cancel := context.WithCancel(context.Background())
	a := newApp(ctx, os.Stdout, os.Stderr)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	ended := make(chan int, 1)
	go func() { ended <- a.run(os.Args[1:]) }()
	select {
	case code := <-ended:
		os.Exit(code)
	case s := <-signals:
		os.Exit(a.interrupted(s, cancel, ended))
	}
}

// grace is how long an interrupted command may take to end its external programs
// and remove their working directories.
const grace = 10 * time.Second

// interrupted ends a command that got a signal and returns its exit status.
// Files it was about to write are removed.
func (a *app) interrupted(s os.Signal, cancel func(), ended <-chan int) int {
	code := exitSignal
	if n, ok := s.(syscall.Signal); ok {
		code += int(n)
	}
	cancel()
	if a.external.Load() {
		select {
		case <-ended:
		case <-time.After(grace):
		}
	}
	outdir.DiscardAll()
	a.progress.Clear()
	a.last(diag.New(diag.Pos{}, "interrupted (%s)", s))
	return code
}
