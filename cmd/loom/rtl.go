package main

import (
	"github.com/spf13/cobra"

	"loom"
	"loom/compiler/diag"
	"loom/internal/outdir"
)

// resetFlag is the reset of <adg>_top.
type resetFlag struct {
	text  string
	value loom.Reset
}

func (r *resetFlag) register(c *cobra.Command) {
	c.Flags().StringVar(&r.text, "reset", loom.DefaultReset, "reset input of <adg>_top: `NAME`, active low, or NAME:high")
}

func (r *resetFlag) check() (err error) {
	if r.value, err = loom.ParseReset(r.text); err != nil {
		return usagef("--reset: %v", err)
	}
	return nil
}

func (a *app) rtlCommand() *cobra.Command {
	var out, adg, dfgFile string
	var reset resetFlag
	c := &cobra.Command{
		Use:   "rtl --adg FABRIC -o DIR",
		Short: "Generate the SystemVerilog of a fabric",
		Long: `Generates the RTL of a fabric below DIR/rtl: the design, the library modules it
uses, filelist.f in compilation order and <adg>.signature.json, which describes
the top module's ports for test benches; for other tools the register map as
SystemRDL (<adg>.rdl), a FuseSoC core (<adg>.core) and IP-XACT (component.xml).`,
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
			if err := reset.check(); err != nil {
				return err
			}
			f, err := a.loadFabric(adg)
			if err != nil {
				return err
			}
			f.Reset = reset.value
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
	reset.register(c)
	c.Flags().StringVar(&dfgFile, "dfg", "", "dataflow graph `file`, for a direct circuit (not available yet)")
	return c
}
