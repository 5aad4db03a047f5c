package main

import (
	"github.com/spf13/cobra"

	"loom/internal/outdir"
)

func (a *app) adgCommand() *cobra.Command {
	var out string
	c := &cobra.Command{
		Use:   "adg ARCH -o DIR",
		Short: "Build a fabric (Fabric MLIR) from an architecture description",
		Long: `Reads an architecture description (.yaml, or a name of loom fabrics) and writes
the fabric it describes as Fabric MLIR (<adg>.fabric.mlir), as a page for
browsers (<adg>.fabric.viz.html) and as a drawing for other viewers
(<adg>.fabric.viz.json). Fabric MLIR is read as well, and written back in the
form that the later stages see.`,
		Example: `  loom adg mesh6x6 -o out
  loom verify out/mesh6x6.fabric.mlir`,
		Args: exactArgs("ARCH"),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := outdir.Check(out); err != nil {
				return err
			}
			f, err := a.loadFabric(args[0])
			if err != nil {
				return err
			}
			artifacts, err := f.Artifacts()
			if err != nil {
				return err
			}
			names, err := a.deliver(out, artifacts)
			if err != nil {
				return err
			}
			a.print("%s: %s", args[0], f)
			a.printArtifacts(out, names)
			a.done(result{Artifacts: names})
			return nil
		},
	}
	a.outFlag(c, &out)
	return c
}
