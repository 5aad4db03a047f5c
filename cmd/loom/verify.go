package main

import (
	"github.com/spf13/cobra"

	"loom/compiler/arch"
	"loom/compiler/dfg"
	"loom/compiler/diag"
	"loom/compiler/ir"
)

func (a *app) verifyCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "verify FILE",
		Short: "Parse and verify any supported MLIR file",
		Long: `Checks structured kernels, dataflow graphs (token discipline included) and fabrics
(structure and combinational loops included) and reports every finding with its
position.`,
		Example: `  loom verify kernel.mlir
  loom verify out/mesh6x6.fabric.mlir --json`,
		Args: exactArgs("FILE"),
		RunE: func(_ *cobra.Command, args []string) error { return a.verify(args[0]) },
	}
}

func (a *app) verify(file string) error {
	module, err := a.parse(file)
	if err != nil {
		return err
	}
	var errs diag.List
	var found []string
	for _, o := range opsNamed(module, "func.func") {
		found = append(found, "function "+ir.SymbolText(o.SymName()))
	}
	for _, o := range opsNamed(module, "handshake.func") {
		dfg.Verify(o, &errs)
		found = append(found, "dataflow graph "+ir.SymbolText(o.SymName()))
	}
	for _, o := range opsNamed(module, "fabric.module") {
		if _, err := arch.FromModule(module, o.SymName()); err != nil {
			errs.All = append(errs.All, diag.FromError(err).All...)
		}
		found = append(found, "fabric "+ir.SymbolText(o.SymName()))
	}
	if errs.HasErrors() {
		return &errs
	}
	a.warnings.All = append(a.warnings.All, errs.All...)
	for _, f := range found {
		a.say("%s: %s is well formed", file, f)
	}
	if len(found) == 0 {
		a.say("%s: well formed", file)
	}
	a.done(answer{Verified: found})
	return nil
}
