package main

import (
	"strings"

	"github.com/spf13/cobra"

	"loom"
	"loom/compiler/diag"
	"loom/compiler/lower/explain"
	"loom/internal/outdir"
)

func (a *app) compileCommand() *cobra.Command {
	var out, archFile string
	var lf lowerFlags
	var intervals bool
	var lat latencyFlag
	var memoryLatency *int64
	var form loom.GraphText
	var explainLowering, list bool
	c := &cobra.Command{
		Use:   "compile KERNEL -o DIR [--arch ARCH] | --list-loops",
		Short: "Lower a kernel to a dataflow graph (.dfg.mlir)",
		Long: `Reads a kernel in C, C++ or MLIR (func, arith, math, index, memref, scf, affine, cf)
and writes the structured form (<dfg>.scf.mlir) and the dataflow graph
(<dfg>.dfg.mlir). With --arch the graph is for that fabric: its width of index
values, its widest join, the step operators of its streams. - as KERNEL is MLIR on
standard input; C and C++ are read from files.`,
		Example: `  loom compile fir.c -o out
  loom compile blas.cpp -I include -D N=16 --std c++20 --function 'dot<int>' -o out
  loom compile dot.mlir -o out
  loom compile blas.mlir --function axpy --arch mesh6x6 -o out
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
				a.ineffective(c, "without --intervals", "latency", "memory", "memory-latency")
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
			var fabric *loom.Fabric
			if archFile == "" {
				a.ineffective(c, "without --arch", "more-units")
			} else {
				var err error
				if fabric, err = a.loadFabric(archFile); err != nil {
					return err
				}
			}
			k, err := a.compile(args[0], &lf, fabric)
			if err != nil {
				return err
			}
			artifacts, err := k.Artifacts(form)
			if err != nil {
				return err
			}
			names, err := a.deliver(out, artifacts)
			if err != nil {
				return err
			}
			a.print("%s: %s", args[0], strings.TrimSpace(k.Stats().String()))
			a.printArtifacts(out, names)
			res := result{Artifacts: names, Operations: k.Stats(), Memory: memoryResult(k), Domain: domainResult(k, nil, "")}
			a.printMemory(k)
			if explainLowering && k.Module == nil {
				a.warnings.Warnf(diag.Pos{File: args[0]}, "--explain-lowering has no effect: the input is a dataflow graph already")
			} else if explainLowering {
				list := k.Explain()
				res.Lowering = list
				a.print("%s", strings.TrimRight(explain.Text(list, a.sources.text), "\n"))
			}
			if intervals {
				loops := boundsOf(k, lat.profile)
				res.Loops, res.MemoryLatency = loops, memoryReportOf(lat.profile)
				a.print("%s", intervalTable(loops, lat.profile, false))
			}
			a.done(res)
			return nil
		},
	}
	lf.register(c)
	c.Flags().StringVarP(&out, "output", "o", "", "output `directory`; it is made where it does not exist")
	c.Flags().BoolVar(&list, "list-loops", false, "only list the loops of the kernel, for --domain loop=N")
	c.Flags().BoolVar(&intervals, "intervals", false, "print the initiation interval that the recurrences of each loop allow")
	lat.register(c)
	memoryLatency = memoryLatencyFlag(c)
	c.Flags().BoolVar(&explainLowering, "explain-lowering", false, "list each source operation with the operations it became, their regions and rules")
	c.Flags().StringVar(&archFile, "arch", "", "target `fabric`: a name of loom fabrics, an architecture description or Fabric MLIR")
	lf.indexWidthFlag(c, "--arch, 32 to 64")
	c.Flags().BoolVar(&form.Dot, "dot", false, "also draw the DFG for Graphviz (.dfg.dot)")
	c.Flags().BoolVar(&form.Generic, "generic", false, "print the DFG in MLIR's generic form, for mlir-opt with the definitions of loom irdl")
	return c
}

// printMemory prints the order of memory accesses, with --explain-memory.
func (a *app) printMemory(k *loom.Kernel) {
	if k.Memory != nil {
		a.print("%s", strings.TrimRight(k.Memory.String(), "\n"))
	}
}

// memoryResult is the same for --json, nil without --explain-memory.
func memoryResult(k *loom.Kernel) any {
	if k.Memory == nil {
		return nil
	}
	return k.Memory
}
