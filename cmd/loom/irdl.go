package main

import (
	"github.com/spf13/cobra"

	"loom"
	"loom/compiler/dialect/irdl"
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
			artifacts := &loom.Artifacts{Files: []loom.File{{Name: irdl.FileName, Data: []byte(irdl.Text())}}}
			if len(args) == 1 {
				module, err := a.parse(args[0])
				if err != nil {
					return err
				}
				text, err := irdl.Print(module)
				if err != nil {
					return err
				}
				artifacts.Files = append(artifacts.Files, loom.File{Name: loom.Stem(args[0]) + ".generic.mlir", Data: []byte(text)})
			}
			names, err := a.deliver(out, artifacts)
			if err != nil {
				return err
			}
			a.printArtifacts(out, names)
			a.done(result{Artifacts: names})
			return nil
		},
	}
	a.outFlag(c, &out)
	return c
}
