package loom

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"

	"loom/compiler/arch"
	"loom/compiler/circt"
	"loom/compiler/dfg"
	"loom/compiler/diag"
	"loom/compiler/frontend"
	"loom/compiler/frontend/clang"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
)

// Source is a kernel, a fabric or any other input.
type Source struct {
	// Name is a file name, also for a text that was never a file: its extension selects the
	// language, and Stem(Name) names the artifacts.
	Name string
	// Text is the content.
	Text string
}

// maxInput is the largest input file in bytes: a larger one is given by mistake.
const maxInput = 64 << 20

// ReadSource reads a file, pipe or device of at most 64 MiB. The error is a
// *diag.Diagnostic.
func ReadSource(file string) (Source, error) {
	data, err := readLimited(file)
	if err != nil {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		if errors.Is(err, syscall.EISDIR) {
			return Source{}, diag.New(diag.Pos{File: file}, "is a directory, expected a file")
		}
		return Source{}, diag.New(diag.Pos{File: file}, "cannot read the file: %v", err)
	}
	return Source{file, string(data)}, nil
}

func readLimited(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxInput+1))
	if err == nil && len(data) > maxInput {
		err = fmt.Errorf("it is larger than the %d MiB that LOOM reads", maxInput>>20)
	}
	return data, err
}

// FrontEnd reports whether Compile runs the front end on the source whatever it holds, as
// its name says: C, C++, LLVM IR, and
// MLIR before structured control flow (.llvm.mlir, .cf.mlir).
func (s Source) FrontEnd() bool { return frontend.Reads(s.Name) }

// Stem returns the base name of the artifacts made from a file: its name without directory,
// language extension and stage extension (design page "Pipeline": file names).
func Stem(file string) string {
	s := filepath.Base(file)
	for _, ext := range []string{".mlir", ".yaml", ".yml", ".json", ".cpp", ".cc", ".cxx", ".c", ".ll"} {
		if t, ok := strings.CutSuffix(s, ext); ok && t != "" {
			s = t
			break
		}
	}
	for _, ext := range []string{".dfg", ".scf", ".cf", ".llvm", ".fabric"} {
		if t, ok := strings.CutSuffix(s, ext); ok && t != "" {
			s = t
			break
		}
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == '"' || r == '\\' || r == 0x7f {
			return '_' // C cannot include a file of such a name
		}
		return r
	}, s)
}

// isYAML reports whether the text is an architecture description.
func (s Source) isYAML() bool {
	return strings.HasSuffix(s.Name, ".yaml") || strings.HasSuffix(s.Name, ".yml")
}

// Parse parses and verifies MLIR and returns its module: a structured kernel, a graph or a
// fabric.
func Parse(src Source, w Watch) (*ir.Operation, error) {
	module, _, err := parse(src, &w)
	return module, err
}

// parse is Parse; located reports whether the operations carry locations in the source that
// the text was made from.
func parse(src Source, w *Watch) (module *ir.Operation, located bool, err error) {
	switch {
	case src.isYAML():
		return nil, false, diag.New(diag.Pos{File: src.Name}, "is an architecture description, expected MLIR").
			WithHelp("loom adg makes Fabric MLIR of it")
	case strings.HasSuffix(src.Name, ".json"):
		return nil, false, diag.New(diag.Pos{File: src.Name}, "is JSON, expected MLIR")
	}
	if module, err = mlir.Parse(src.Name, src.Text); err != nil {
		return nil, false, err
	}
	var found diag.List
	ir.Verify(module, &found)
	if found.HasErrors() {
		return nil, false, &found
	}
	w.warn(found.All...)
	// From here on findings are about the kernel, not about its text.
	return module, mlir.AdoptLocations(module), nil
}

// Verify parses MLIR and checks what can be proven without running it: for a graph that
// its tokens balance and its accesses are ordered, for a fabric its structure. LLVM IR, the
// llvm dialect (.ll, .llvm.mlir) and dialect definitions (.irdl.mlir) are read by MLIR's own
// tools. It returns a line for each function, graph, fabric and dialect found.
func Verify(ctx context.Context, src Source, w Watch) ([]string, error) {
	switch {
	case strings.HasSuffix(src.Name, ".ll"), strings.HasSuffix(src.Name, ".llvm.mlir"):
		unit, err := frontend.Open(ctx, src.Name, src.Text, frontend.Options{})
		if err != nil {
			return nil, err
		}
		var found []string
		for _, name := range unit.Functions() {
			found = append(found, "function "+ir.SymbolText(name))
		}
		return found, nil
	case strings.HasSuffix(src.Name, ".irdl.mlir"):
		if _, err := clang.Generic(ctx, src.Name, []byte(src.Text)); err != nil {
			return nil, clang.ImportErrors(src.Name, []byte(src.Text), err)
		}
		var found []string
		for _, m := range dialectName.FindAllStringSubmatch(src.Text, -1) {
			found = append(found, "definition of dialect "+m[1])
		}
		return found, nil
	}
	module, err := Parse(src, w)
	if err != nil {
		return nil, err
	}
	var errs diag.List
	var found []string
	for _, o := range opsNamed(module, opname.FuncFunc) {
		found = append(found, "function "+ir.SymbolText(o.SymName()))
	}
	for _, o := range opsNamed(module, opname.HandshakeFunc) {
		if declared(o) {
			continue
		}
		if !circt.Foreign(o) {
			dfg.Verify(o, &errs)
			found = append(found, "dataflow graph "+ir.SymbolText(o.SymName()))
			continue
		}
		k := &Kernel{Graph: o, GraphModule: module}
		if err := k.elsewhere(&w); err != nil {
			errs.All = append(errs.All, diag.FromError(err).All...)
		}
		found = append(found, "handshake graph "+ir.SymbolText(o.SymName()))
	}
	for _, o := range opsNamed(module, opname.FabricModule) {
		if _, err := arch.FromModule(module, o.SymName()); err != nil {
			errs.All = append(errs.All, diag.FromError(err).All...)
		}
		found = append(found, "fabric "+ir.SymbolText(o.SymName()))
	}
	if errs.HasErrors() {
		return nil, &errs
	}
	w.warn(errs.All...)
	return found, nil
}

// dialectName is the head of a dialect's definition in IRDL.
var dialectName = regexp.MustCompile(`(?m)^\s*irdl\.dialect @(\w+)`)

// opsNamed returns the operations of that name at the top level of a module, in order.
func opsNamed(module *ir.Operation, name string) []*ir.Operation {
	var out []*ir.Operation
	for _, r := range module.Regions {
		for _, b := range r.Blocks {
			for _, o := range b.Ops {
				if o.Name == name {
					out = append(out, o)
				}
			}
		}
	}
	return out
}
