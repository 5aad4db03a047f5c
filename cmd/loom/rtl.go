package main

import (
	"github.com/spf13/cobra"

	"loom"
	"loom/compiler/diag"
	"loom/internal/outdir"
)

func (a *app) rtlCommand() *cobra.Command {
	var out, adg, dfgFile string
	c := &cobra.Command{
		Use:   "rtl --adg FABRIC -o DIR",
		Short: "Generate the SystemVerilog of a fabric",
		Long: `Generates the RTL of a fabric below DIR/rtl: the design, the library modules it
uses, filelist.f in compilation order and <adg>.signature.json, which describes
the top module's ports for test benches.`,
		Example: `  loom rtl --adg mesh6x6 -o out
  cd out/rtl && verilator --lint-only -f filelist.f`,
		Args: exactArgs(),
		RunE: func(*cobra.Command, []string) error {
			switch {
			case dfgFile != "" && adg != "":
				return usagef("--adg and --dfg exclude each other")
			case dfgFile != "":
				return diag.New(diag.Pos{File: dfgFile}, "direct circuits are not available yet: LOOM generates the RTL of fabrics").
					WithHelp("use --adg FABRIC; loom map configures a fabric for this graph")
			case adg == "":
				return usagef("'loom rtl' needs --adg FABRIC; see 'loom rtl --help'")
			}
			if err := outdir.Check(out); err != nil {
				return err
			}
			f, err := a.loadFabric(adg)
			if err != nil {
				return err
			}
			rtl, err := loom.Generate(f)
			if err != nil {
				return err
			}
			names, err := a.deliver(out, rtl.Artifacts())
			if err != nil {
				return err
			}
			a.print("%s: top module %s, %s", adg, rtl.Top, diag.Plural(len(rtl.Sources), "source file"))
			a.printArtifacts(out, names)
			a.done(result{Top: rtl.Top, Artifacts: names})
			return nil
		},
	}
	a.outFlag(c, &out)
	c.Flags().StringVar(&adg, "adg", "", "fabric: Fabric MLIR or architecture description `file`")
	c.Flags().StringVar(&dfgFile, "dfg", "", "dataflow graph `file`, for a direct circuit (not available yet)")
	return c
}
