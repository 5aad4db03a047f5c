// Package frontend brings kernels from C, C++, LLVM IR, the llvm dialect or branches
// (cf) to structured control flow (design page "Pipeline"). Each stage's text is kept:
// it is an artifact and an input in its own right.
package frontend

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"loom/compiler/diag"
	"loom/compiler/frontend/clang"
	"loom/compiler/frontend/lift"
	"loom/compiler/frontend/llvm"
	"loom/compiler/frontend/narrow"
	"loom/compiler/frontend/normalise"
	"loom/compiler/frontend/structure"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
	"loom/compiler/pass"
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
	// Apart fills Result.Apart.
	Apart bool
	// DumpAfter names the pass after which the IR goes to DumpTo ("all": every pass).
	// Names of passes of later stages are ignored.
	DumpAfter string
	DumpTo    io.Writer
	// Verify checks after every pass what must hold there, not only at the end of each
	// stage; dumping does so, too. It takes about as long as the passes themselves.
	Verify bool
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
	// Notes are remarks and warnings; Overlaps are those among them on pointers that may
	// overlap.
	Notes    *diag.List
	Overlaps []*diag.Diagnostic
	// Apart structures the function as if no pointers overlapped. It is nil without
	// Options.Apart and where none may overlap.
	Apart func() (*ir.Operation, error)
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
	u, err := Open(ctx, file, text, opts)
	if err != nil {
		return nil, err
	}
	if !opts.Apart || opts.AssumeNoAlias || u.debug == nil {
		return u.structured(u.module, opts.Function)
	}
	res, err := u.Function(opts.Function)
	if err == nil && len(res.Overlaps) > 0 {
		res.Apart = func() (*ir.Operation, error) {
			u.opts.AssumeNoAlias, u.opts.DumpAfter = true, ""
			r, err := u.structured(u.module, opts.Function)
			if err != nil {
				return nil, err
			}
			return r.Module, nil
		}
	}
	return res, err
}

// Unit is a file that was read once and holds any number of kernels.
type Unit struct {
	file   string
	opts   Options
	module *ir.Operation
	debug  *llvm.Debug // of modules of the llvm dialect
	stages []Stage
	// warnings are clang's, of undefined behaviour.
	warnings diag.List
	// Clang, Tools and Passes are the times that reading the file took.
	Clang, Tools, Passes time.Duration
}

// Open reads a file as Run does, up to what its functions have in common.
func Open(ctx context.Context, file, text string, opts Options) (*Unit, error) {
	u := &Unit{file: file, opts: opts}
	data := []byte(text)
	if source, _ := clang.IsSource(file); source {
		var err error
		data, err = timed(&u.Clang, func() ([]byte, error) {
			return clang.Compile(ctx, file, clang.Options{Flags: opts.Flags, Level: opts.Level, Function: opts.Function, Warnings: &u.warnings})
		})
		if err != nil {
			return nil, clang.CompileErrors(file, err)
		}
		u.stages = append(u.stages, Stage{".ll", data})
		file = ".ll"
	}
	if strings.HasSuffix(file, ".ll") {
		out, err := timed(&u.Tools, func() ([]byte, error) { return clang.Import(ctx, u.file, data) })
		if err != nil {
			return nil, clang.ImportErrors(u.file, data, err)
		}
		data = out
		u.stages = append(u.stages, Stage{".llvm.mlir", data})
	}
	if strings.HasSuffix(file, ".cf.mlir") {
		m, err := mlir.ParseAndVerify(file, text)
		if err != nil {
			return nil, err
		}
		mlir.AdoptLocations(m)
		u.module = m
		return u, nil
	}
	generic, err := timed(&u.Tools, func() ([]byte, error) { return clang.Generic(ctx, u.file, data) })
	if err != nil {
		return nil, clang.ImportErrors(u.file, data, err)
	}
	start := time.Now()
	defer func() { u.Passes += time.Since(start) }()
	if u.module, err = mlir.Parse(u.file, string(generic)); err != nil {
		return nil, err
	}
	u.debug = llvm.NewDebug(string(generic))
	errs := &diag.List{}
	importing().Run(u, u.pass(importing().Table()), errs)
	return u, errs.Err()
}

// Structure brings the functions with branches of a module, which it takes over, to
// structured control flow; file names it.
func Structure(file string, module *ir.Operation, opts Options) (*Result, error) {
	u := &Unit{file: file, opts: opts, module: module}
	return u.structured(module, opts.Function)
}

// Functions are the linker's names of the functions that the file defines for others.
func (u *Unit) Functions() []string {
	var out []string
	for _, op := range u.module.Regions[0].Entry().Ops {
		if op.Name != opname.LLVMFunc && op.Name != opname.FuncFunc || len(op.Regions) == 0 || len(op.Regions[0].Blocks) == 0 {
			continue
		}
		if l := op.Attr("linkage"); l != nil && (strings.Contains(l.String(), "internal") || strings.Contains(l.String(), "private")) {
			continue
		}
		out = append(out, op.SymName())
	}
	return out
}

// Function structures one function of the file; the others stay for later calls. The
// times in the result include those that reading the file took.
func (u *Unit) Function(name string) (*Result, error) {
	return u.structured(u.module.Clone(map[*ir.Value]*ir.Value{}), name)
}

// structured brings a function of a module, which it takes over, to structured
// control flow.
func (u *Unit) structured(module *ir.Operation, function string) (*Result, error) {
	res := &Result{Notes: &diag.List{}, Clang: u.Clang, Tools: u.Tools, Passes: u.Passes}
	res.Notes.All = append(res.Notes.All, u.warnings.All...)
	res.Stages = append(res.Stages, u.stages...)
	keep := func(ext string) {
		res.Stages = append(res.Stages, Stage{ext, []byte(mlir.Print(module, mlir.Options{Debuginfo: true}))})
	}
	passes := func(run func() error) error {
		start := time.Now()
		defer func() { res.Passes += time.Since(start) }()
		return run()
	}
	if u.debug != nil {
		err := passes(func() (err error) {
			o := normalise.Options{Function: function, Debug: u.debug, Pass: u.pass(normalise.Table())}
			if err := normalise.Run(module, o, res.Notes); err != nil {
				return err
			}
			r := lift.Options{Debug: u.debug, AssumeNoAlias: u.opts.AssumeNoAlias, Pass: u.pass(lift.Table()),
				Overlap: func(d *diag.Diagnostic) { res.Overlaps = append(res.Overlaps, d) }}
			if source, cxx := clang.IsSource(u.file); source {
				r.Source, r.Flags, r.Cxx = u.file, u.opts.Flags, cxx
			}
			module, err = lift.Run(module, r, res.Notes)
			return err
		})
		if err != nil {
			return nil, err
		}
		keep(".cf.mlir")
	}
	err := passes(func() error {
		if err := structure.Run(module, res.Notes, u.pass(structure.Table())); err != nil {
			return err
		}
		return narrow.Run(module, u.pass(narrow.Table()))
	})
	if err != nil {
		return nil, err
	}
	keep(".scf.mlir")
	res.Module = module
	return res, nil
}

// Tables lists the passes that run for a file, by its name, stage by stage; "" stands for
// all.
func Tables(file string) []pass.Table {
	branches := []pass.Table{structure.Table(), narrow.Table()}
	if strings.HasSuffix(file, ".cf.mlir") {
		return branches
	}
	return append([]pass.Table{importing().Table(), normalise.Table(), lift.Table()}, branches...)
}

// importing is what a module of the llvm dialect goes through once, for all its functions.
func importing() *pass.Pipeline[*Unit] {
	return &pass.Pipeline[*Unit]{
		Name: "import",
		Passes: []pass.Pass[*Unit]{
			{Name: "source-positions", Run: func(u *Unit, _ *diag.List) { setPositions(u.module, u.file) },
				Reason:     "findings point into the source, not into intermediate text",
				Guarantees: []*pass.Property[*Unit]{{Name: "llvm dialect", Means: "the module is what MLIR makes of LLVM IR, every operation with a position"}}},
		},
		IR:      func(u *Unit) *ir.Operation { return llvm.Plain(u.module) },
		Subject: func(u *Unit) string { return u.file },
	}
}

// pass is how the passes of one table run.
func (u *Unit) pass(t pass.Table) pass.Options {
	return pass.Options{
		DumpAfter: t.Dumps(u.opts.DumpAfter), Out: u.opts.DumpTo,
		Print:  func(op *ir.Operation) string { return mlir.Print(op, mlir.Options{}) },
		Verify: u.opts.Verify,
	}
}

// setPositions gives every operation its position in the source. What has none (constants,
// what an optimiser made up) gets that of the operation before it, at the start of a
// block that of the one behind it, else that of its function, so that no finding points
// into intermediate text.
func setPositions(module *ir.Operation, file string) {
	mlir.AdoptLocations(module)
	last := diag.Pos{File: file}
	module.Walk(func(op *ir.Operation) bool {
		if pos, ok := mlir.SourcePos(op.Loc); ok {
			last = pos
			return true
		}
		if op.Name == opname.LLVMFunc || op.Name == opname.LLVMMlirGlobal {
			last = diag.Pos{File: file}
		}
		op.Pos, op.Loc = last, mlir.FileLoc(last)
		if b := op.Block(); b != nil && b.Ops[0] == op && op.ParentOp().Name == opname.LLVMFunc {
			for _, o := range b.Ops {
				if pos, ok := mlir.SourcePos(o.Loc); ok && o != op && len(o.Regions) == 0 {
					last = pos
					op.Pos, op.Loc = last, mlir.FileLoc(last)
					break
				}
			}
		}
		return true
	})
	module.Walk(func(op *ir.Operation) bool {
		for _, r := range op.Regions {
			for _, b := range r.Blocks {
				for _, a := range b.Args {
					a.Loc = op.Pos
				}
			}
		}
		return true
	})
}

func timed[T any](sum *time.Duration, f func() (T, error)) (T, error) {
	start := time.Now()
	defer func() { *sum += time.Since(start) }()
	return f()
}

// Text reads a source file that a diagnostic names.
func Text(file string) (string, bool) {
	data, err := os.ReadFile(filepath.Clean(file))
	return string(data), err == nil
}
