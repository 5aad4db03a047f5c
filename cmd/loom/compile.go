package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"loom/compiler/dfg"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/lower"
	"loom/compiler/mlir"
	"loom/internal/outdir"

	_ "loom/compiler/dialect/all" // registers every operation
)

// defaultMemoryOrder is the order of memory accesses without --memory-order.
const defaultMemoryOrder = "pipelined"

// kernel is a kernel on its way down: the structured module it came from, where
// there was one, and its DFG.
type kernel struct {
	stem string
	// scf is the structured function, nil when the input was a DFG.
	scf    *ir.Operation
	module *ir.Operation // around scf
	dfg    *ir.Operation // handshake.func
	dfgMod *ir.Operation
}

func (a *app) compileCommand() *cobra.Command {
	var out string
	var lf lowerFlags
	var dot, generic bool
	c := &cobra.Command{
		Use:   "compile KERNEL -o DIR",
		Short: "Lower a kernel to a dataflow graph (.dfg.mlir)",
		Long: "Reads a kernel in structured MLIR (func, arith, memref, scf), writes the structured\n" +
			"form (.scf.mlir) and the dataflow graph (.dfg.mlir) to DIR.",
		Args: exactArgs("KERNEL"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := lf.check(); err != nil {
				return err
			}
			k, err := a.compile(args[0], &lf, 0)
			if err != nil {
				return err
			}
			dir, err := outdir.New(out)
			if err != nil {
				return err
			}
			defer dir.Discard()
			if err := a.writeKernel(dir, k, generic); err != nil {
				return err
			}
			if dot {
				if err := dir.Write(k.stem+".dfg.dot", []byte(dfg.Dot(k.dfg))); err != nil {
					return err
				}
			}
			names, err := dir.Commit()
			if err != nil {
				return err
			}
			a.say("%s: %s", args[0], dfg.Stats(k.dfg))
			a.sayArtifacts(out, names)
			if a.json {
				a.answer(map[string]any{"status": "done", "artifacts": names, "operations": dfg.Stats(k.dfg), "diagnostics": diag.JSON(&a.warnings)})
			}
			return nil
		},
	}
	lf.register(c, true)
	outFlag(c, &out)
	c.Flags().BoolVar(&dot, "dot", false, "also draw the DFG for Graphviz (.dfg.dot)")
	c.Flags().BoolVar(&generic, "generic", false, "print the DFG in MLIR's generic form")
	return c
}

func outFlag(c *cobra.Command, out *string) {
	c.Flags().StringVarP(out, "output", "o", "", "output `directory`")
	if err := c.MarkFlagRequired("output"); err != nil {
		panic(err)
	}
}

// sayArtifacts lists what was written.
func (a *app) sayArtifacts(dir string, names []string) {
	rtl := 0
	for _, n := range names {
		if strings.HasPrefix(n, "rtl/") {
			rtl++
			continue
		}
		a.say("  %s/%s", strings.TrimRight(dir, "/"), n)
	}
	if rtl > 0 {
		a.say("  %s/rtl/ (%d files)", strings.TrimRight(dir, "/"), rtl)
	}
}

// parse reads and verifies an MLIR file.
func (a *app) parse(file string) (*ir.Operation, error) {
	text, err := a.read(file)
	if err != nil {
		return nil, err
	}
	return mlir.ParseAndVerify(file, text)
}

// sourceKinds are inputs that a later version will read, by extension.
var sourceKinds = []struct{ ext, what string }{
	{".llvm.mlir", "LLVM dialect MLIR"}, {".cf.mlir", "unstructured (cf) MLIR"},
	{".c", "C"}, {".cpp", "C++"}, {".cc", "C++"}, {".cxx", "C++"}, {".ll", "LLVM IR"},
}

// compile brings a kernel file down to its DFG. indexWidth 0 takes that of the
// flags.
func (a *app) compile(file string, lf *lowerFlags, indexWidth int) (*kernel, error) {
	for _, k := range sourceKinds {
		if strings.HasSuffix(file, k.ext) {
			return nil, diag.New(diag.Pos{File: file}, "%s input is not supported yet", k.what).
				WithHelp("give the kernel as structured MLIR (func, arith, memref, scf); mlir-opt --lift-cf-to-scf can structure cf")
		}
	}
	module, err := a.parse(file)
	if err != nil {
		return nil, err
	}
	if fn := findFunc(module, "handshake.func", lf.function); fn != nil {
		return a.checkDFG(&kernel{stem: stem(file), dfg: fn, dfgMod: module})
	}
	if indexWidth == 0 {
		indexWidth = lf.indexWidth
	}
	res, err := lower.Lower(module, lower.Options{
		Function: lf.function, MemoryOrder: lf.memoryOrder, IndexWidth: indexWidth,
		DumpAfter: lf.dumpAfter, DumpTo: a.stderr,
		Print: func(op *ir.Operation) string { return mlir.Print(op, mlir.Options{}) },
	})
	if err != nil {
		return nil, err
	}
	a.warnings.All = append(a.warnings.All, res.Notes.All...)
	return a.checkDFG(&kernel{
		stem: stem(file), module: module, scf: findFunc(module, "func.func", res.Func.SymName()),
		dfg: res.Func, dfgMod: res.Module,
	})
}

// checkDFG proves the invariants of a DFG before anything is built on it.
func (a *app) checkDFG(k *kernel) (*kernel, error) {
	var errs diag.List
	dfg.Verify(k.dfg, &errs)
	if errs.HasErrors() {
		return nil, &errs
	}
	a.warnings.All = append(a.warnings.All, errs.All...)
	return k, nil
}

// findFunc returns the function of that kind and symbol in a module; with an
// empty symbol the first. nil when there is none.
func findFunc(module *ir.Operation, kind, symbol string) *ir.Operation {
	for _, r := range module.Regions {
		for _, b := range r.Blocks {
			for _, o := range b.Ops {
				if o.Name == kind && (symbol == "" || o.SymName() == symbol) {
					return o
				}
			}
		}
	}
	return nil
}

// loadDFG reads a .dfg.mlir file.
func (a *app) loadDFG(file, function string) (*kernel, error) {
	module, err := a.parse(file)
	if err != nil {
		return nil, err
	}
	fn := findFunc(module, "handshake.func", function)
	if fn == nil {
		d := diag.New(diag.Pos{File: file}, "holds no handshake.func")
		if function != "" {
			d = diag.New(diag.Pos{File: file}, "holds no handshake.func @%s", function)
		}
		return nil, d.WithHelp("loom compile makes one from a kernel")
	}
	return a.checkDFG(&kernel{stem: stem(file), dfg: fn, dfgMod: module})
}

// writeKernel writes the software artifacts that exist for the kernel's input.
func (a *app) writeKernel(dir *outdir.Dir, k *kernel, generic bool) error {
	if k.module != nil {
		if err := dir.Write(k.stem+".scf.mlir", []byte(mlir.Print(k.module, mlir.Options{}))); err != nil {
			return err
		}
	}
	return dir.Write(k.stem+".dfg.mlir", []byte(mlir.Print(k.dfgMod, mlir.Options{Generic: generic})))
}

// exists tells whether a file can be read, for commands that look for siblings
// of an artifact.
func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// plural is "1 operation", "2 operations".
func plural(n int, noun string) string {
	if n == 1 {
		return fmt.Sprintf("%d %s", n, noun)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
