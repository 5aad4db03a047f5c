package main

import (
	"github.com/spf13/cobra"

	"loom/compiler/diag"
)

func (a *app) exploreCommand() *cobra.Command {
	var out, space string
	c := &cobra.Command{
		Use:   "explore KERNEL… --space SPACE.yaml -o DIR",
		Short: "Sweep a design space (not available yet)",
		Long: `Will map kernels onto every fabric of a design space and compare cost and speed.
Until then, run loom build with several architecture files and compare the map.txt
of each.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(*cobra.Command, []string) error {
			return diag.New(diag.Pos{}, "loom explore is not available yet").
				WithHelp("run loom build with several architecture files and compare their map.txt")
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "", "output `directory`")
	c.Flags().StringVar(&space, "space", "", "design space `file`")
	return c
}
