package main

import (
	"strings"

	"github.com/spf13/cobra"

	"loom/compiler/arch"
	"loom/compiler/dfg"
	"loom/compiler/diag"
	"loom/compiler/frontend"
	"loom/compiler/frontend/domain"
	"loom/compiler/ir"
	"loom/compiler/lower"
	"loom/compiler/lower/explain"
	"loom/compiler/mapper/tech"
	"loom/compiler/mlir"
	"loom/compiler/pipeline"
	"loom/internal/outdir"
	"loom/sim/vector"

	_ "loom/compiler/dialect/all" // registers every operation
	"loom/compiler/opname"
)

// kernel is a kernel on its way down: the structured module it came from, where
// there was one, and its DFG.
type kernel struct {
	stem string
	// scf is the structured function, nil when the input was a DFG.
	scf    *ir.Operation
	module *ir.Operation // around scf
	// whole is the module as it was before a domain was taken out of it, domain what
	// was taken and candidates what else could have been.
	whole      *ir.Operation
	domain     *domain.Domain
	candidates []*domain.Candidate
	// hostInputs are the arguments of the whole function where the domain is a loop.
	hostInputs *vector.Inputs
	// distinct says that arrays were taken to be distinct (--assume-no-alias).
	distinct bool
	// stages are the artifacts of the front end, nil where the input was
	// structured already.
	stages []frontend.Stage
	// located is set where operations know places in a source behind the input: the
	// graph then names them, too.
	located bool
	dfg     *ir.Operation // handshake.func
	// memory says how memory is ordered, nil unless --explain-memory asks.
	memory explain.Memory
	dfgMod *ir.Operation
}

func (a *app) compileCommand() *cobra.Command {
	var out, archFile string
	var lf lowerFlags
	var intervals bool
	var lat latencyFlag
	var memoryLatency *int64
	var dot, generic, explainLowering, list bool
	c := &cobra.Command{
		Use:   "compile KERNEL -o DIR [--arch ARCH] | --list-loops",
		Short: "Lower a kernel to a dataflow graph (.dfg.mlir)",
		Long: `Reads a kernel in structured MLIR (func, arith, math, index, memref, scf, affine)
and writes the structured form (<dfg>.scf.mlir) and the dataflow graph
(<dfg>.dfg.mlir). With --arch the graph suits that fabric: its width of index
values, its widest join, the step operators of its streams.`,
		Example: `  loom compile fir.c -o out
  loom compile blas.cpp -I include -D N=16 --std c++20 --function 'dot<int>' -o out
  loom compile dot.mlir -o out
  loom compile blas.mlir --function axpy --arch mesh6x6.yaml -o out
  loom compile matvec.c --list-loops
  loom compile matvec.c -o out --domain loop=1
  loom compile dot.mlir -o out --dump-after if-convert 2>passes.mlir
  loom compile matvec.c -o out --dump-after promote 2>passes.mlir`,
		Args: exactArgs("KERNEL"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := lf.check(); err != nil {
				return err
			}
			if archFile != "" && c.Flags().Changed("index-width") {
				return usagef("--arch and --index-width exclude each other: a fabric has an index width")
			}
			if err := lat.check(); err != nil {
				return err
			}
			if intervals {
				if err := lat.fix(c, *memoryLatency); err != nil {
					return err
				}
			} else {
				a.ineffective(c, "without --intervals", "latency", "memory-latency")
			}
			if list {
				return a.listLoops(args[0], &lf)
			}
			if out == "" {
				return usagef("'%s' needs -o DIR; see '%s --help'", c.CommandPath(), c.CommandPath())
			}
			if err := outdir.Check(out); err != nil {
				return err
			}
			width := lf.indexWidth
			var fabric *arch.Fabric
			if archFile != "" {
				h, err := a.loadFabric(archFile)
				if err != nil {
					return err
				}
				fabric, width = h.fabric, h.fabric.IndexWidth
			}
			k, err := a.compile(args[0], &lf, fabric)
			if err != nil {
				return err
			}
			names, err := a.deliver(out, func(dir *outdir.Dir) error {
				if err := k.write(dir, generic); err != nil || !dot {
					return err
				}
				return dir.Write(k.stem+".dfg.dot", []byte(dfg.Dot(k.dfg)))
			})
			if err != nil {
				return err
			}
			a.say("%s: %s", args[0], strings.TrimSpace(dfg.Stats(k.dfg).String()))
			a.sayArtifacts(out, names)
			result := answer{Artifacts: names, Operations: dfg.Stats(k.dfg), Memory: k.memoryAnswer(), Domain: k.domainAnswer()}
			a.sayMemory(k)
			if explainLowering && k.module == nil {
				a.warnings.Warnf(diag.Pos{File: args[0]}, "--explain-lowering has no effect: the input is a dataflow graph already")
			} else if explainLowering {
				list := explain.Lowering(k.module, k.dfg, mlir.ValueNames(k.dfgMod))
				result.Lowering = list
				a.say("%s", strings.TrimRight(explain.Text(list, a.sources.text), "\n"))
			}
			if intervals {
				loops := boundsOf(k.dfg, lat.model(width))
				result.Loops, result.MemoryLatency = loops, memoryReportOf(lat.profile)
				a.say("%s", intervalTable(loops, lat.profile, false))
			}
			a.done(result)
			return nil
		},
	}
	lf.register(c)
	c.Flags().StringVarP(&out, "output", "o", "", "output `directory`; it is made where it does not exist")
	c.Flags().BoolVar(&list, "list-loops", false, "only list the loops of the kernel, for --domain loop=N")
	c.Flags().BoolVar(&intervals, "intervals", false, "tell the initiation interval that the recurrences of each loop allow")
	lat.register(c)
	memoryLatency = memoryLatencyFlag(c)
	c.Flags().BoolVar(&explainLowering, "explain-lowering", false, "list each source operation with the operations it became, their regions and rules")
	c.Flags().StringVar(&archFile, "arch", "", "fabric to suit: architecture description or Fabric MLIR `file`")
	c.Flags().IntVar(&lf.indexWidth, "index-width", defaultIndexWidth, "`bits` of the index type without --arch, 32 to 64")
	c.Flags().BoolVar(&dot, "dot", false, "also draw the DFG for Graphviz (.dfg.dot)")
	c.Flags().BoolVar(&generic, "generic", false, "print the DFG in MLIR's generic form, for mlir-opt with the definitions of loom irdl")
	return c
}

// compile brings a kernel file down to its DFG, for that fabric if one is given.
func (a *app) compile(file string, lf *lowerFlags, fabric *arch.Fabric) (*kernel, error) {
	module, stages, err := a.structured(file, lf)
	if err != nil {
		return nil, err
	}
	if graphs := opsNamed(module, opname.HandshakeFunc); len(graphs) > 0 && withSymbol(opsNamed(module, opname.FuncFunc), lf.function) == nil {
		fn, err := pickGraph(file, module, lf.function)
		if err != nil {
			return nil, err
		}
		if lf.dumpAfter != "" {
			a.warnings.Warnf(diag.Pos{File: file}, "--dump-after has no effect: the input is a dataflow graph already")
		}
		if lf.explainMemory {
			a.warnings.Warnf(diag.Pos{File: file}, "--explain-memory has no effect: the input is a dataflow graph already")
		}
		return a.checkDFG(&kernel{stem: stem(file), dfg: fn, dfgMod: module, located: a.located[file]})
	}
	opts := lower.Options{
		Function: lf.function, MemoryOrder: lf.memoryOrder, IndexWidth: lf.indexWidth, MemoryBytes: lf.memoryBytes,
		DumpAfter: lower.Table().Dumps(lf.dumpAfter), DumpTo: a.stderr,
		Print: func(op *ir.Operation) string { return mlir.Print(op, mlir.Options{}) },
	}
	if fabric != nil {
		opts.IndexWidth, opts.MaxJoinFanin, opts.StreamOps = fabric.IndexWidth, fabric.MaxJoinFanin, fabric.StreamOps
		opts.Executes = tech.Units(fabric)
	}
	fn, err := lower.Function(module, lf.function)
	if err != nil {
		return nil, err
	}
	dom, candidates, err := a.chooseDomain(module, fn, lf, opts, fabric)
	if err != nil {
		return nil, err
	}
	opts.Function = dom.Kernel.SymName()
	lf.function = opts.Function // what follows knows one function: the domain
	a.progress.Clear()
	res, err := lower.Lower(dom.Module, opts)
	if err != nil {
		return nil, err
	}
	a.warnings.All = append(a.warnings.All, res.Notes.All...)
	k := &kernel{
		stem: stem(file), stages: stages, located: stages != nil || a.located[file], module: dom.Module, whole: module,
		scf: dom.Kernel, dfg: res.Func, dfgMod: res.Module, domain: dom, candidates: candidates, distinct: lf.assumeNoAlias,
	}
	if lf.explainMemory {
		k.memory = append(explain.Memory{}, res.Memory...)
	}
	return a.checkDFG(k)
}

// structured reads a kernel and brings it to structured control flow. The stages
// are nil where it was structured already.
func (a *app) structured(file string, lf *lowerFlags) (*ir.Operation, []frontend.Stage, error) {
	if pipeline.DumpsNothing(lf.dumpAfter, file) {
		a.warnings.Warnf(diag.Pos{File: file}, "--dump-after %s has no effect: the input is past that pass", lf.dumpAfter)
	}
	if !frontend.Reads(file) {
		a.ineffectiveFor(file, lf)
		module, err := a.parse(file)
		return module, nil, err
	}
	text, err := a.read(file)
	if err != nil {
		return nil, nil, err
	}
	a.progress.Set("front end")
	res, err := frontend.Run(a.ctx, file, text, frontend.Options{
		Function: lf.function, Flags: lf.compilerFlags(), AssumeNoAlias: lf.assumeNoAlias,
		DumpAfter: lf.dumpAfter, DumpTo: a.stderr,
	})
	a.progress.Clear()
	if err != nil {
		return nil, nil, err
	}
	a.warnings.All = append(a.warnings.All, res.Notes.All...)
	// What follows knows one function: the kernel.
	lf.function = ""
	return res.Module, res.Stages, nil
}

// ineffectiveFor warns of options that only a C compiler understands.
func (a *app) ineffectiveFor(file string, lf *lowerFlags) {
	if len(lf.compilerFlags()) > 0 {
		a.warnings.Warnf(diag.Pos{File: file}, "-I, -D and --std have no effect: the input is no C or C++ source")
	}
}

// sayMemory prints how memory is ordered, if --explain-memory asks.
func (a *app) sayMemory(k *kernel) {
	if k.memory != nil {
		a.say("%s", strings.TrimRight(k.memory.String(), "\n"))
	}
}

// memoryAnswer is the same for --json.
func (k *kernel) memoryAnswer() any {
	if k.memory == nil {
		return nil
	}
	return k.memory
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

// loadDFG reads a .dfg.mlir file.
func (a *app) loadDFG(file, function string) (*kernel, error) {
	module, err := a.parse(file)
	if err != nil {
		return nil, err
	}
	fn, err := pickGraph(file, module, function)
	if err != nil {
		return nil, err
	}
	return a.checkDFG(&kernel{stem: stem(file), dfg: fn, dfgMod: module, located: a.located[file]})
}

// write writes the software artifacts that exist for the kernel's input.
func (k *kernel) write(dir *outdir.Dir, generic bool) error {
	for _, st := range k.stages {
		if err := dir.Write(k.stem+st.Ext, st.Text); err != nil {
			return err
		}
	}
	if k.module != nil && k.stages == nil {
		if err := dir.Write(k.stem+".scf.mlir", []byte(mlir.Print(k.whole, mlir.Options{Debuginfo: k.located}))); err != nil {
			return err
		}
	}
	if k.located {
		mlir.KeepLocations(k.dfgMod)
	}
	text, err := graphText(k.dfgMod, generic, k.located)
	if err != nil {
		return err
	}
	return dir.Write(k.stem+".dfg.mlir", text)
}
