package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"loom"
	"loom/campaign"
	"loom/compiler/diag"
	"loom/internal/outdir"
	"loom/sim/vector"
)

// campaignFlags are the flags of all campaigns.
type campaignFlags struct {
	out, cases, engine string
	jobs, cosim        int
	options, fabrics   []string
	budget             time.Duration
}

func (a *app) campaignCommand() *cobra.Command {
	var f campaignFlags
	kinds := []string{}
	for _, k := range campaign.Kinds {
		kinds = append(kinds, fmt.Sprintf("  %-10s %s", k.Name, k.Text))
	}
	kinds = append(kinds, fmt.Sprintf("  %-10s %s", loom.CampaignTable, "kernels on fabrics: KERNEL… on those of --arch, or on all that are built in"))
	c := &cobra.Command{
		Use:   "campaign KIND [KERNEL...] -o DIR",
		Short: "Check loom on many random programs and fabrics, or kernels on many fabrics",
		Long: `Tries many cases and says on which of them loom is wrong. The kinds of cases:

` + strings.Join(kinds, "\n") + `

A random case follows from its number, so --cases says all: 0:1000 are the first thousand.
With --cosim 10, ten in a hundred cases run under Verilator, too, in lock-step.

DIR keeps every result (campaign.db): a command that was ended, by whatever, goes on where
it stopped, as long as the program is the same. At the end it has summary.txt, a directory
failures/NAME for each case that fails, shrunk, with the command that shows it again, and
table.md and table.csv of kernels on fabrics.

With --engine slurm the cases are tried on a cluster, by job arrays, as loom explore does.`,
		Example: `  loom campaign programs -o out --cases 0:10000 --cosim 5
  loom campaign fabrics -o out --cases 0:1000000 --budget 8h
  loom campaign c -o /shared/out --cases 0:1000000 --engine slurm --slurm=--time=30
  loom campaign table kernels/*.c -o out --arch mesh6x6 --arch mine.yaml`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("'loom campaign' takes a kind of cases: %s, %s", campaign.Names(), loom.CampaignTable)
			}
			if _, ok := campaign.KindOf(args[0]); !ok && args[0] != loom.CampaignTable {
				return usagef("there is no campaign '%s': take one of %s, %s", args[0], campaign.Names(), loom.CampaignTable)
			}
			if args[0] != loom.CampaignTable && len(args) > 1 {
				return usagef("'loom campaign %s' takes no kernels, found %q", args[0], args[1])
			}
			if args[0] == loom.CampaignTable && len(args) == 1 {
				return usagef("'loom campaign %s' takes kernels: files of C, C++ or MLIR", args[0])
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkJobs(f.jobs); err != nil {
				return err
			}
			if f.budget < 0 {
				return usagef("--budget takes a duration such as 15m, found %s", f.budget)
			}
			if f.engine != "local" && f.engine != "slurm" {
				return usagef("--engine takes local or slurm, found %q", f.engine)
			}
			if f.cosim < 0 || f.cosim > 100 {
				return usagef("--cosim takes a share in percent, from 0 to 100, found %d", f.cosim)
			}
			if f.engine != "slurm" {
				a.ineffective(c, "without --engine slurm", "slurm")
			}
			if args[0] == loom.CampaignTable {
				a.ineffective(c, "for a table, which has its own cases", "cases")
			} else {
				a.ineffective(c, "for random cases", "arch")
			}
			if err := outdir.Check(f.out); err != nil {
				return err
			}
			return a.campaign(args[0], args[1:], &f)
		},
	}
	a.outFlag(c, &f.out)
	c.Flags().StringVar(&f.cases, "cases", "0:1000", "`range` of random cases: FIRST:END, without END itself")
	c.Flags().IntVar(&f.cosim, "cosim", 0, "`percent` of the cases that run under Verilator, too")
	c.Flags().StringArrayVar(&f.fabrics, "arch", nil, "`fabric` of a table: a file or a name of loom fabrics; all that are built in without it")
	c.Flags().StringVar(&f.engine, "engine", "local", "where cases are `tried`: local|slurm")
	c.Flags().StringArrayVar(&f.options, "slurm", nil, "further `option` of sbatch, with --engine slurm")
	jobsFlag(c, &f.jobs)
	c.Flags().DurationVar(&f.budget, "budget", 0, "`time` after which no further cases are begun; 0 is none")
	c.AddCommand(&cobra.Command{
		Use: "worker TASK.json", Short: "Try the cases of a task, on a node of a cluster", Hidden: true, Args: exactArgs("TASK.json"),
		RunE: func(_ *cobra.Command, args []string) error { return loom.CampaignTask(a.ctx, args[0]) },
	})
	return c
}

// caseRange reads FIRST:END.
func caseRange(text string) (from, to uint64, err error) {
	first, end, ok := strings.Cut(text, ":")
	if ok {
		if from, err = strconv.ParseUint(first, 10, 64); err == nil {
			to, err = strconv.ParseUint(end, 10, 64)
		}
	}
	if !ok || err != nil || from >= to || to > math.MaxInt64 {
		return 0, 0, usagef("--cases takes FIRST:END, two numbers of which the second is larger, such as 0:1000, found %q", text)
	}
	return from, to, nil
}

func (a *app) campaign(kind string, kernels []string, f *campaignFlags) error {
	opts := loom.CampaignOptions{Watch: a.watch(), Jobs: f.jobs}
	var c *loom.Campaign
	var err error
	if kind == loom.CampaignTable {
		names := f.fabrics
		if len(names) == 0 {
			names = loom.ShippedFabrics()
		}
		c, err = loom.TableCampaign(a.ctx, kernels, names, f.cosim, a.watch())
	} else {
		if opts.From, opts.To, err = caseRange(f.cases); err != nil {
			return err
		}
		c, err = loom.RandomCampaign(kind, f.cosim)
	}
	if err != nil {
		return err
	}
	start := time.Now()
	if f.engine == "slurm" {
		if opts.Engine, err = c.ClusterEngine(f.out, f.jobs, f.options, opts.Progress); err != nil {
			return err
		}
	}
	if f.budget > 0 {
		opts.Stop = func() bool { return time.Since(start) > f.budget }
	}
	s, err := c.Run(a.ctx, f.out, opts)
	if err != nil {
		return err
	}
	if !s.Complete {
		a.warnings.Warnf(diag.Pos{}, "--budget ended the campaign after %d of %s; the same command goes on", s.Done, diag.Plural(s.Shards, "shard"))
	}
	a.print("%s", strings.TrimSuffix(s.String(), "\n"))
	shown := []string{loom.CampaignSummary}
	if kind == loom.CampaignTable {
		shown = append(shown, loom.CampaignMarkdown, loom.CampaignCSV)
	}
	a.printArtifacts(f.out, shown)
	status := "done"
	if len(s.Failures) > 0 {
		status = string(vector.Mismatch)
	}
	a.done(result{Status: status, Artifacts: s.Names, Campaign: s.Summary})
	if n := len(s.Failures); n > 0 {
		return diag.New(diag.Pos{File: f.out}, "loom is wrong on %s", diag.Plural(n, "case")).
			WithHelp("%s/%s has each with the command that shows it again; please report them", f.out, loom.CampaignFailures)
	}
	return nil
}
