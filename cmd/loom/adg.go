package main

import (
	"strconv"

	"github.com/spf13/cobra"

	"loom"
	"loom/internal/outdir"
)

func (a *app) adgCommand() *cobra.Command {
	var out string
	var cost bool
	c := &cobra.Command{
		Use:   "adg ARCH -o DIR | --cost",
		Short: "Build a fabric (Fabric MLIR) from an architecture description",
		Long: `Reads an architecture description (.yaml, or a name of loom fabrics) and writes
the fabric it describes as Fabric MLIR (<adg>.fabric.mlir), as a page for
browsers (<adg>.fabric.viz.html) and as a drawing for other viewers
(<adg>.fabric.viz.json). Fabric MLIR is read as well, and written back in the
form that the later stages see.

With --cost it prints what the fabric takes on an FPGA, by kind of component: an
estimate without synthesis (docs/architecture.md), within 10 % of what Yosys makes of it.`,
		Example: `  loom adg mesh6x6 -o out
  loom verify out/mesh6x6.fabric.mlir
  loom adg mine.yaml --cost`,
		Args: exactArgs("ARCH"),
		RunE: func(_ *cobra.Command, args []string) error {
			if !cost && out == "" {
				return usagef("'loom adg' needs -o DIR or --cost; see 'loom adg --help'")
			}
			if out != "" {
				if err := outdir.Check(out); err != nil {
					return err
				}
			}
			f, err := a.loadFabric(args[0])
			if err != nil {
				return err
			}
			var estimate *loom.Estimate
			if cost {
				estimate = f.Cost()
				a.printCost(args[0], estimate)
				if out == "" {
					a.done(result{Cost: estimate})
					return nil
				}
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
			a.done(result{Artifacts: names, Cost: estimate})
			return nil
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "", "output `directory`; it is made where it does not exist")
	c.Flags().BoolVar(&cost, "cost", false, "print an estimate of LUTs and flip-flops by kind of component; -o is not needed then")
	return c
}

// printCost prints an estimate as a table.
func (a *app) printCost(name string, e *loom.Estimate) {
	a.print("%-14s %6s %9s %11s", name, "number", "LUTs", "flip-flops")
	for _, class := range loom.CostClasses() {
		c, ok := e.By[class]
		if !ok {
			continue
		}
		number := ""
		if n := e.Count[class]; n > 0 {
			number = strconv.Itoa(n)
		}
		a.print("%-14s %6s %9d %11d", class, number, c.LUTs, c.FFs)
	}
	a.print("%-14s %6s %9d %11d", "total", "", e.Total.LUTs, e.Total.FFs)
	if e.PEs > 0 {
		a.print("%-14s %6s %9d %11d", "per PE", "", e.PerPE(), e.Total.FFs/e.PEs)
	}
}
