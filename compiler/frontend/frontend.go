// Package frontend brings kernels from C, C++, LLVM IR, the llvm dialect or branches
// (cf) to structured control flow (design page "Pipeline"). Each stage's text is kept:
// it is an artifact and an input in its own right.
package frontend

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"loom/compiler/diag"
	"loom/compiler/frontend/clang"
	"loom/compiler/frontend/llvm"
	"loom/compiler/frontend/normalise"
	"loom/compiler/frontend/raise"
	"loom/compiler/frontend/structure"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/internal/tools"
)

// Options of one run.
type Options struct {
	// Function names the kernel, "" takes the only candidate.
	Function string
	// Flags go to clang: -I, -D, -std.
	Flags []string
	// Level is clang's optimisation level, "" for clang.DefaultLevel.
	Level string
	// AssumeNoAlias treats all pointers as pointing to distinct arrays.
	AssumeNoAlias bool
}

// Stage is one artifact.
type Stage struct {
	Ext  string // .ll, .llvm.mlir, .cf.mlir, .scf.mlir
	Text []byte
}

// Result is a structured kernel.
type Result struct {
	Stages []Stage
	// Module holds the structured function.
	Module *ir.Operation
	// Notes are remarks and warnings.
	Notes *diag.List
	// Clang, Tools and Passes are the times spent in clang, in MLIR's tools and here.
	Clang, Tools, Passes time.Duration
}

// Exts are the extensions of the inputs this package reads.
var Exts = []string{".c", ".cpp", ".cc", ".cxx", ".ll", ".llvm.mlir", ".cf.mlir"}

// Reads reports whether a file is an input of this package, by its name.
func Reads(file string) bool {
	for _, e := range Exts {
		if strings.HasSuffix(file, e) {
			return true
		}
	}
	return false
}

// Run reads a file, whose text is given. The error is a *diag.List, a
// *diag.Diagnostic, or that of a tool that is missing or failed.
func Run(ctx context.Context, file, text string, opts Options) (*Result, error) {
	r := &run{ctx: ctx, file: file, opts: opts, res: &Result{Notes: &diag.List{}}}
	source, cxx := clang.IsSource(file)
	data := []byte(text)
	if source {
		var err error
		data, err = timed(&r.res.Clang, func() ([]byte, error) {
			return clang.Compile(ctx, file, clang.Options{Flags: opts.Flags, Level: opts.Level})
		})
		if err != nil {
			return nil, compilerErrors(err)
		}
		r.keep(".ll", data)
	}
	if source || strings.HasSuffix(file, ".ll") {
		out, err := timed(&r.res.Tools, func() ([]byte, error) { return clang.Import(ctx, data) })
		if err != nil {
			return nil, r.toolError(err)
		}
		data = out
		r.keep(".llvm.mlir", data)
	}
	var module *ir.Operation
	if strings.HasSuffix(file, ".cf.mlir") {
		m, err := mlir.ParseAndVerify(file, text)
		if err != nil {
			return nil, err
		}
		mlir.AdoptLocations(m)
		module = m
	} else {
		m, err := r.raise(data, source, cxx)
		if err != nil {
			return nil, err
		}
		module = m
		r.keep(".cf.mlir", []byte(mlir.Print(module, mlir.Options{Debuginfo: true})))
	}
	start := time.Now()
	if err := structure.Run(module, r.res.Notes); err != nil {
		return nil, err
	}
	r.res.Passes += time.Since(start)
	r.keep(".scf.mlir", []byte(mlir.Print(module, mlir.Options{Debuginfo: true})))
	r.res.Module = module
	return r.res, nil
}

type run struct {
	ctx  context.Context
	file string
	opts Options
	res  *Result
}

func (r *run) keep(ext string, text []byte) { r.res.Stages = append(r.res.Stages, Stage{ext, text}) }

// raise brings the llvm dialect to cf.
func (r *run) raise(text []byte, source, cxx bool) (*ir.Operation, error) {
	generic, err := timed(&r.res.Tools, func() ([]byte, error) { return clang.Generic(r.ctx, text) })
	if err != nil {
		return nil, r.toolError(err)
	}
	start := time.Now()
	defer func() { r.res.Passes += time.Since(start) }()
	module, err := mlir.Parse(r.file, string(generic))
	if err != nil {
		return nil, err
	}
	mlir.AdoptLocations(module)
	debug := llvm.NewDebug(string(generic))
	if err := normalise.Run(module, normalise.Options{Function: r.opts.Function, Debug: debug}, r.res.Notes); err != nil {
		return nil, err
	}
	o := raise.Options{Debug: debug, AssumeNoAlias: r.opts.AssumeNoAlias}
	if source {
		o.Source, o.Flags, o.Cxx = r.file, r.opts.Flags, cxx
	}
	return raise.Run(module, o, r.res.Notes)
}

func timed[T any](sum *time.Duration, f func() (T, error)) (T, error) {
	start := time.Now()
	defer func() { *sum += time.Since(start) }()
	return f()
}

// compilerError matches a line in which clang reports something.
var compilerError = regexp.MustCompile(`(?m)^(.+?):(\d+):(\d+): (fatal error|error|note): (.*)$`)

// compilerErrors turns what clang says about a wrong source into diagnostics.
func compilerErrors(err error) error {
	var failed *tools.FailedError
	if !errors.As(err, &failed) {
		return err
	}
	list := &diag.List{}
	for _, m := range compilerError.FindAllStringSubmatch(failed.Output, -1) {
		line, _ := strconv.Atoi(m[2])
		col, _ := strconv.Atoi(m[3])
		pos := diag.Pos{File: m[1], Line: line, Col: col}
		switch {
		case m[4] != "note":
			list.Add(diag.New(pos, "%s", m[5]))
		case len(list.All) > 0:
			list.All[len(list.All)-1].WithNote(pos, "%s", m[5])
		}
	}
	if len(list.All) == 0 {
		return err
	}
	return list
}

// toolError says which input a tool of MLIR did not accept.
func (r *run) toolError(err error) error {
	var failed *tools.FailedError
	if !errors.As(err, &failed) {
		return err
	}
	return diag.New(diag.Pos{File: r.file}, "is not accepted: %s", strings.TrimSpace(failed.Output))
}

// Text reads a source file that a diagnostic names.
func Text(file string) (string, bool) {
	data, err := os.ReadFile(filepath.Clean(file))
	return string(data), err == nil
}
