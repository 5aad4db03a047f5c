// Package clang calls the outside programs of the front end: clang for C and C++,
// mlir-translate and mlir-opt for LLVM IR. Every command line is built here.
package clang

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/internal/tools"
)

// Options of one compilation.
type Options struct {
	// Flags go to the compiler as they are: -I, -D, -std.
	Flags []string
	// Level is clang's optimisation level, "" for DefaultLevel. "0" still yields IR
	// that may be optimised later.
	Level string
	// Function is the kernel that is wanted, "" where it is to be found.
	Function string
	// Warnings receives clang's warnings about undefined behaviour; nil drops them.
	Warnings *diag.List
}

// DefaultLevel inlines and simplifies; the transformations that make loops hard to
// recognise are switched off one by one (see base).
const DefaultLevel = "2"

// base are the options of every compilation, with their reasons.
var base = []string{
	"-S", "-emit-llvm",
	"-g", // names and types of parameters, and the line of everything
	// The importer does not know the records of assignment tracking.
	"-Xclang", "-fexperimental-assignment-tracking=disabled",
	"-ffile-compilation-dir=.", // the same text wherever it is compiled
	"-fno-discard-value-names",
	"-fwrapv",                       // signed arithmetic wraps: in C as in the hardware
	"-ffp-contract=off",             // a*b+c rounds twice: no level may decide otherwise
	"-fno-math-errno",               // sqrt and the like are operations
	"-fcomplex-arithmetic=improved", // products of complex numbers are no calls
	"-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops",
	"-fno-jump-tables",     // switch stays switch
	"-fno-pie", "-fno-pic", // no tables of relative addresses, on which MLIR's importer does not end
	"-fno-builtin-memset", "-fno-builtin-memcpy",
	"-fno-threadsafe-statics", // one thread runs the kernel
	"-Wuninitialized",         // see undefined
	// What older compilers accept is reported later, where it matters.
	"-Wno-error=implicit-function-declaration", "-Wno-error=implicit-int", "-Wno-error=int-conversion", "-Wno-error=return-mismatch",
	"-fno-stack-protector", "-fno-exceptions", "-fno-asynchronous-unwind-tables",
	"-mllvm", "-disable-loop-idiom-all", // loops stay loops
	"-mllvm", "-indvars-widen-indvars=false", // an int that counts stays 32 bits wide
	"-mllvm", "-replexitval=never", // no closed forms in odd widths
	"-mllvm", "-inline-threshold=100000", // a kernel has no calls
}

// Compile compiles a C or C++ file and returns LLVM IR as text, in which the functions
// that may be the kernel are what they are in the source (see expose). clang's
// messages about a wrong source are in the *tools.FailedError.
func Compile(ctx context.Context, file string, opts Options) ([]byte, error) {
	level := opts.Level
	if level == "" {
		level = DefaultLevel
	}
	ll, err := translate(ctx, file, opts)
	if err != nil {
		return nil, err
	}
	out, found := expose(ll, opts.Function, false)
	if !found {
		// The kernel may be a static or inline function that nothing uses.
		ll, err = translate(ctx, file, opts, "-femit-all-decls")
		if err != nil {
			return nil, err
		}
		if out, found = expose(ll, opts.Function, true); !found && opts.Function != "" {
			// No function has that name: choose-kernel reports it and lists the functions.
			out, _ = expose(ll, "", true)
		}
	}
	if level == "0" {
		return out, nil
	}
	args := append([]string{"-O" + level}, base...)
	args = append(args, passing(opts.Flags)...)
	return onFile(ctx, tools.Clang, ".ll", file, out, append(args, "-Wno-override-module", "-x", "ir")...)
}

// translate runs clang's front end alone. Optimisation is announced and not done, so
// that what the optimiser needs is there.
func translate(ctx context.Context, file string, opts Options, more ...string) ([]byte, error) {
	args := append([]string{"-O2", "-Xclang", "-disable-llvm-passes"}, base...)
	args = append(append(args, more...), opts.Flags...)
	if strings.HasPrefix(file, "-") {
		file = "./" + file // no option
	}
	hints, done, err := pragmas(file, opts.Flags)
	defer done()
	if err != nil {
		return nil, err
	}
	path, err := tools.Find(tools.Clang)
	if err != nil {
		return nil, err
	}
	out, messages, err := tools.OutputAndMessages(ctx, path, append(append(args, hints...), "-o", "-", file)...)
	if opts.Warnings != nil {
		opts.Warnings.All = undefined(string(messages))
	}
	var failed *tools.FailedError
	if errors.As(err, &failed) && len(hints) > 0 {
		failed.Output = strings.ReplaceAll(failed.Output, "'#pragma clang loop'", "'#pragma loom'")
		failed.Output = strings.ReplaceAll(failed.Output, "'annotate' attribute cannot be applied to a statement", "'#pragma loom target' stands in front of a parameter")
	}
	if err != nil {
		return nil, err
	}
	return targets(barriers(mergeHints(out)))
}

// passing are the flags that matter to the optimiser.
func passing(flags []string) []string {
	var out []string
	for i := 0; i < len(flags); i++ {
		f := flags[i]
		switch {
		case (f == "-Xclang" || f == "-mllvm") && i+1 < len(flags):
			out = append(out, f, flags[i+1])
			i++
		case strings.HasPrefix(f, "-f") && !strings.HasPrefix(f, "-fsyntax"), strings.HasPrefix(f, "-m"):
			out = append(out, f)
		}
	}
	return out
}

// Import converts LLVM IR, the text of the named file, to MLIR's llvm dialect, with locations.
func Import(ctx context.Context, file string, ll []byte) ([]byte, error) {
	return importAll(ctx, file, ll)
}

// Generic prints a module of the llvm dialect in MLIR's generic form. What has no
// location gets its position in the text, which is that of the named file.
func Generic(ctx context.Context, file string, llvmMLIR []byte) ([]byte, error) {
	return onFile(ctx, tools.MLIROpt, ".mlir", file, llvmMLIR, "--mlir-print-op-generic", "--mlir-print-debuginfo", asNumbers)
}

// asNumbers makes tables of any size readable: larger ones would be printed as bytes.
const asNumbers = "--mlir-print-elementsattrs-with-hex-if-larger=-1"

// onFile runs a tool on a text, which it knows as the named file.
func onFile(ctx context.Context, tool, ext, name string, text []byte, args ...string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "loom-frontend")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	in, out := filepath.Join(dir, "in"+ext), filepath.Join(dir, "out")
	if err := os.WriteFile(in, text, 0o600); err != nil {
		return nil, err
	}
	if _, err := run(ctx, tool, append(args, in, "-o", out)...); err != nil {
		var failed *tools.FailedError
		if errors.As(err, &failed) {
			failed.Output = strings.ReplaceAll(failed.Output, in, name)
		}
		return nil, err
	}
	data, err := os.ReadFile(out)
	data = bytes.ReplaceAll(data, []byte(ir.QuoteString(in)), []byte(ir.QuoteString(name)))
	// LLVM names the module after the file that it read.
	return bytes.ReplaceAll(data, []byte("'"+in+"'"), []byte("'"+name+"'")), err
}

// run runs a tool and returns its standard output; what it warns of is dropped.
func run(ctx context.Context, tool string, args ...string) ([]byte, error) {
	path, err := tools.Find(tool)
	if err != nil {
		return nil, err
	}
	return tools.Output(ctx, path, args...)
}

// IsSource reports whether a file name is that of C or C++ source, and which.
func IsSource(file string) (source, cxx bool) {
	switch strings.ToLower(filepath.Ext(file)) {
	case ".c":
		return filepath.Ext(file) == ".c", false
	case ".cpp", ".cc", ".cxx":
		return true, true
	}
	return false, false
}
