package main

import (
	"github.com/spf13/cobra"

	"loom/compiler/dialect/irdl"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/internal/outdir"
)

func (a *app) irdlCommand() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "irdl [FILE] -o DIR",
		Short: "Write the IRDL definitions of LOOM's dialects for MLIR's own tools",
		Long: `Writes ` + irdl.FileName + `, with which mlir-opt of LLVM 19 reads and checks the
generic form of dataflow graphs and fabrics. With FILE, which is either of them,
its generic form is written as well (<name>.generic.mlir); for a kernel,
loom compile --generic does that. LOOM reads the generic form like its own.`,
		Example: `  loom irdl out/kernel.dfg.mlir -o out
  mlir-opt-19 --irdl-file=out/loom.irdl.mlir out/kernel.generic.mlir`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("irdl takes at most one FILE, found %d", len(args))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if err := outdir.Check(out); err != nil {
				return err
			}
			write := []func(*outdir.Dir) error{func(dir *outdir.Dir) error {
				return dir.Write(irdl.FileName, []byte(irdl.Text()))
			}}
			if len(args) == 1 {
				module, err := a.parse(args[0])
				if err != nil {
					return err
				}
				text, err := irdl.Print(module)
				if err != nil {
					return err
				}
				write = append(write, func(dir *outdir.Dir) error {
					return dir.Write(stem(args[0])+".generic.mlir", []byte(text))
				})
			}
			names, err := a.deliver(out, write...)
			if err != nil {
				return err
			}
			a.sayArtifacts(out, names)
			a.done(answer{Artifacts: names})
			return nil
		},
	}
	a.outFlag(c, &out)
	return c
}

// graphText is the text of a graph's module: LOOM's assembly, or the generic form
// that mlir-opt reads with the IRDL definitions.
func graphText(module *ir.Operation, generic, located bool) ([]byte, error) {
	if !generic {
		return []byte(mlir.Print(module, mlir.Options{Debuginfo: located})), nil
	}
	text, err := irdl.Print(module)
	return []byte(text), err
}
