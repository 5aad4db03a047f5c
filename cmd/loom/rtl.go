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
	c.Flags().StringVar(&r.text, "reset", loom.DefaultReset, "reset input of <adg>_top, or of a direct circuit with --control axi4lite: `NAME`, active low, or NAME:high")
}

func (r *resetFlag) check() (err error) {
	if r.value, err = loom.ParseReset(r.text); err != nil {
		return usagef("--reset: %v", err)
	}
	return nil
}

func (a *app) rtlCommand() *cobra.Command {
	var out, adg, dfgFile, function string
	var memory latencyFlag
	var reset resetFlag
	var df directFlags
	c := &cobra.Command{
		Use:   "rtl --adg FABRIC | --dfg GRAPH -o DIR",
		Short: "Generate the SystemVerilog of a fabric, or of a graph as a direct circuit",
		Long: `Generates the RTL of a fabric below DIR/rtl: the design, the library modules it
uses, filelist.f in compilation order and <adg>.signature.json, which describes
the top module's ports for test benches; for other tools the register map as
SystemRDL (<adg>.rdl), a FuseSoC core (<adg>.core) and IP-XACT (component.xml).

With --dfg the graph itself becomes a fixed circuit, without a fabric: its module, an
instance to paste, the signature of its ports, and a report on its buffers and loops.`,
		Example: `  loom rtl --adg mesh6x6 -o out
  cd out/rtl && verilator --lint-only -f filelist.f`,
		Args: exactArgs(),
		RunE: func(c *cobra.Command, _ []string) error {
			switch {
			case dfgFile != "" && adg != "":
				return usagef("--adg and --dfg exclude each other")
			case adg == "" && dfgFile == "":
				return usagef("'loom rtl' needs --adg FABRIC or --dfg GRAPH; see 'loom rtl --help'")
			}
			if err := outdir.Check(out); err != nil {
				return err
			}
			if dfgFile != "" {
				if err := reset.check(); err != nil {
					return err
				}
				df.takeReset(a, c, &reset)
				if err := memory.check(); err != nil {
					return err
				}
				if err := df.check(); err != nil {
					return err
				}
				k, err := a.loadGraph(dfgFile, loom.CompileOptions{Function: function, IndexWidth: df.indexWidth, Direct: true})
				if err != nil {
					return err
				}
				return a.finishDirect(out, k, df.DirectOptions, memory.profile, nil, directRun{})
			}
			a.ineffective(c, "without --dfg", "share", "divide", "ports", "control", "clock", "device", "index-width", "latency", "memory", "function", "dump-after")
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
	c.Flags().StringVar(&dfgFile, "dfg", "", "dataflow graph `file`, for a direct circuit")
	c.Flags().StringVar(&function, "function", "", "`name` of the graph, where the file holds several")
	memory.register(c)
	c.Flags().Lookup("latency").Usage = "memory `profile` that a direct circuit is sized for: fixed:N or random:MIN,MAX,SEED, in cycles"
	df.register(c)
	df.registerDump(c)
	return c
}
