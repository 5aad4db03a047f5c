package main

import (
	"github.com/spf13/cobra"

	"loom/compiler/diag"
	"loom/internal/outdir"
	"loom/rtlgen"
)

func (a *app) rtlCommand() *cobra.Command {
	var out, adg, dfgFile string
	c := &cobra.Command{
		Use:   "rtl --adg FABRIC -o DIR",
		Short: "Generate the SystemVerilog of a fabric",
		Args:  exactArgs(),
		RunE: func(*cobra.Command, []string) error {
			switch {
			case dfgFile != "" && adg != "":
				return usagef("--adg and --dfg exclude each other")
			case dfgFile != "":
				return diag.New(diag.Pos{File: dfgFile}, "direct circuits are not available yet: LOOM generates the RTL of fabrics").
					WithHelp("use --adg FABRIC; loom map configures a fabric for this graph")
			case adg == "":
				return usagef("'loom rtl' needs --adg FABRIC")
			}
			h, err := a.loadFabric(adg)
			if err != nil {
				return err
			}
			rtl, err := h.generate()
			if err != nil {
				return err
			}
			dir, err := outdir.New(out)
			if err != nil {
				return err
			}
			defer dir.Discard()
			if err := writeRTL(dir, rtl); err != nil {
				return err
			}
			names, err := dir.Commit()
			if err != nil {
				return err
			}
			a.say("%s: top module %s, %s", adg, rtl.Top, plural(len(rtl.Sources), "source file"))
			a.sayArtifacts(out, names)
			if a.json {
				a.answer(map[string]any{"status": "done", "top": rtl.Top, "artifacts": names, "diagnostics": diag.JSON(&a.warnings)})
			}
			return nil
		},
	}
	outFlag(c, &out)
	c.Flags().StringVar(&adg, "adg", "", "fabric: Fabric MLIR or architecture description `file`")
	c.Flags().StringVar(&dfgFile, "dfg", "", "dataflow graph `file`, for a direct circuit")
	return c
}

// writeRTL writes a generated design below rtl/.
func writeRTL(dir *outdir.Dir, rtl *rtlgen.Output) error {
	for _, n := range rtl.Names() {
		if err := dir.Write("rtl/"+n, []byte(rtl.Files[n])); err != nil {
			return err
		}
	}
	return nil
}
