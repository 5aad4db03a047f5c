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
		Long: "Checks structured kernels, dataflow graphs (token discipline included) and fabrics\n" +
			"(structure and combinational loops included) and reports every finding.",
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
	for _, r := range module.Regions {
		for _, b := range r.Blocks {
			for _, o := range b.Ops {
				switch o.Name {
				case "handshake.func":
					dfg.Verify(o, &errs)
					found = append(found, "dataflow graph "+ir.SymbolText(o.SymName()))
				case "fabric.module":
					if _, err := arch.FromModule(module, o.SymName()); err != nil {
						errs.All = append(errs.All, diag.FromError(err).All...)
					}
					found = append(found, "fabric "+ir.SymbolText(o.SymName()))
				case "func.func":
					found = append(found, "function "+ir.SymbolText(o.SymName()))
				}
			}
		}
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
	if a.json {
		a.answer(map[string]any{"status": "done", "verified": found, "diagnostics": diag.JSON(&a.warnings)})
	}
	return nil
}
