package main

import (
	"github.com/spf13/cobra"

	"loom"
)

func (a *app) verifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "verify FILE",
		Short: "Parse and verify any supported MLIR file",
		Long: `Checks structured kernels, dataflow graphs and fabrics, in LOOM's, CIRCT's or the
generic assembly, and every other MLIR file that LOOM writes (.llvm.mlir, .cf.mlir,
.scf.mlir, loom.irdl.mlir), and reports every finding with its position.

Of a dataflow graph it proves, without running it: that each value carries as many
tokens as its region is activated (raw conditions where loops begin and end, gated
ones in their bodies); that each access has one memory port, one done token and one
control; that accesses of one memory do not race; that the return waits for every
access on every path; that no operation waits for itself. Of a fabric: its structure, and that it has no combinational loop.
Operations of CIRCT that LOOM's graphs do not have are reported with their
replacement.`,
		Example: `  loom verify kernel.mlir
  loom verify out/kernel.dfg.mlir
  loom verify out/mesh6x6.fabric.mlir --json`,
		Args: exactArgs("FILE"),
		RunE: func(_ *cobra.Command, args []string) error { return a.verify(args[0]) },
	}
}

func (a *app) verify(file string) error {
	src, err := a.read(file)
	if err != nil {
		return err
	}
	found, err := loom.Verify(a.ctx, src, a.watch())
	if err != nil {
		return err
	}
	for _, f := range found {
		a.print("%s: %s is well formed", file, f)
	}
	if len(found) == 0 {
		a.print("%s: well formed", file)
	}
	a.done(result{Verified: found})
	return nil
}
