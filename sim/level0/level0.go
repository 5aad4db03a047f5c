// Package level0 runs the original C or C++ function on this machine, on the same inputs
// as every other level: level 0 of the verification ladder (design page "Simulation").
// Nothing of LOOM is on that path but the description of the parameters (package cabi):
// the compiler is the host's, its optimiser another one than that of the front end where
// the machine has one, and the arrays have the layout of the C program.
//
// The function runs in a process of its own, with limits of time and memory. What goes
// wrong there - a division by zero, an access outside of all memory, a write beside an
// array - is the outcome of the run and not a failure of the level.
package level0

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"time"

	"loom/compiler/cabi"
	"loom/compiler/diag"
	"loom/sim/vector"
)

// Options of a build and its runs.
type Options struct {
	// IndexWidth is the width of index values in bits; 0 is 64.
	IndexWidth int
	// CacheDir overrides the cache of built programs: $LOOM_CACHE, else the user's
	// cache directory.
	CacheDir string
	// Sanitize builds with the compiler's checks of undefined behaviour and of
	// addresses; what they find ends a run with status error and the line of the
	// source.
	Sanitize bool
	// Seconds is how long one run may occupy the processor; 0 is DefaultSeconds.
	Seconds int
}

// DefaultSeconds is the time of one run.
const DefaultSeconds = 10

// maxMemory bounds the address space of the process: the inputs of a run, at their
// largest, twice.
const maxMemory = 4 << 30

// Program is a function that has been built. It can be run any number of times, also
// concurrently.
type Program struct {
	path   string // of the executable, in the cache
	fn     *cabi.Function
	sig    *vector.Signature
	layout *layout
	opts   Options
}

// Available reports whether a function has a source to build.
func Available(fn *cabi.Function) bool { return fn != nil && fn.Source != "" && fn.Name != "" }

// Build compiles the function with its harness, or finds it built. The error is a
// *diag.Diagnostic about the function or the source, a *tools.MissingError where there
// is no compiler, or that of ctx.
func Build(ctx context.Context, fn *cabi.Function, sig *vector.Signature, opts Options) (*Program, error) {
	if !Available(fn) {
		return nil, diag.New(sig.Pos, "the kernel was not made from C or C++ source, so there is nothing to run natively")
	}
	if opts.IndexWidth == 0 {
		opts.IndexWidth = 64
	}
	if opts.Seconds <= 0 {
		opts.Seconds = DefaultSeconds
	}
	l, err := newLayout(fn, sig, opts.IndexWidth)
	if err != nil {
		return nil, err
	}
	source, err := filepath.Abs(fn.Source)
	if err != nil {
		return nil, err
	}
	if strings.ContainsAny(source, "\"\\\n\r") {
		return nil, diag.New(diag.Pos{File: fn.Source}, "has a name that C cannot include")
	}
	if _, err := os.Stat(source); err != nil {
		return nil, diag.New(diag.Pos{File: fn.Source}, "cannot be read, so the original function cannot be run")
	}
	p := &Program{fn: fn, sig: sig, layout: l, opts: opts}
	b := &build{ctx: ctx, fn: fn, opts: opts, source: source, layout: l}
	if p.path, err = b.run(); err != nil {
		return nil, err
	}
	return p, nil
}

// Run calls the function once. The error is about the inputs, or that of ctx; how the
// function fared is the outcome.
func (p *Program) Run(ctx context.Context, in *vector.Inputs) (*vector.Outcome, error) {
	buffers, err := p.layout.bytes(in)
	if err != nil {
		return nil, err
	}
	end, err := p.process(ctx, buffers)
	if err != nil {
		return nil, err
	}
	if end.failure != nil {
		return end.failure, nil
	}
	return p.layout.outcome(in, end)
}

// wallTime is how long a run may take where the processor is shared with others: only a
// function that waits for something gets that far.
func (p *Program) wallTime() time.Duration {
	return max(time.Duration(p.opts.Seconds)*6*time.Second, time.Minute)
}
