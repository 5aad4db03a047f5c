package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"loom"
	"loom/compiler/diag"
)

func (a *app) fabricsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "fabrics [ARCH]",
		Short: "List the fabrics that are built in, or print the description of one",
		Long: `Lists the fabrics that --arch and --adg take by name, the smallest first: PEs, LUTs
and flip-flops after synthesis for Xilinx 7-series (docs/architecture.md says how they are
measured), memories with their lanes, and the PEs that execute each class of operations.

With the name of one it prints its architecture description, as a start for your own.`,
		Example: `  loom fabrics
  loom fabrics --json
  loom fabrics mesh6x6 > mine.yaml`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 1 {
				return exactArgs("ARCH")(c, args)
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 {
				src, err := loom.ReadFabric(args[0])
				if err != nil {
					return err
				}
				a.print("%s", strings.TrimSuffix(src.Text, "\n"))
				a.done(result{Text: src.Text})
				return nil
			}
			return a.fabrics()
		},
	}
}

// fabrics describes every shipped fabric.
func (a *app) fabrics() error {
	var all []loom.FabricFacts
	for i, name := range loom.ShippedFabrics() {
		f, err := a.loadFabric(name)
		if err != nil {
			return err
		}
		facts := f.Facts()
		all = append(all, facts)
		if i > 0 {
			a.print("")
		}
		about := ""
		if facts.Estimated {
			about = "about "
		}
		a.print("%s: %s, %s%d LUTs, %d flip-flops", name, diag.Plural(facts.PEs, "PE"), about, facts.LUTs, facts.FFs)
		a.print("  %-22s %s, %s", "boundary", diag.Plural(facts.Inputs, "input"), diag.Plural(facts.Outputs, "output"))
		for k, m := range facts.Memories {
			title := ""
			if k == 0 {
				title = "memories"
			}
			a.print("  %-22s %s", title, m)
		}
		for _, o := range facts.Operations {
			where := diag.Plural(o.PEs, "PE")
			if o.PEs == 0 {
				where = diag.Plural(o.Units, "port") + " of memories"
			}
			a.print("  %-22s %s: %s", o.Class, where, strings.Join(mnemonics(o.Operations), " "))
		}
	}
	a.done(result{Fabrics: all})
	return nil
}

// mnemonics are the names of operations without their types, each once.
func mnemonics(operations []string) []string {
	var names []string
	for _, o := range operations {
		name, _, _ := strings.Cut(o, " ")
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
