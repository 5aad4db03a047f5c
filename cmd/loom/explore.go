package main

import (
	"bytes"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"loom"
	"loom/compiler/diag"
	"loom/explore"
	"loom/internal/outdir"
)

func (a *app) exploreCommand() *cobra.Command {
	var out, engine string
	var jobs int
	var options []string
	var budget time.Duration
	c := &cobra.Command{
		Use:   "explore EXPLORE.yaml -o DIR",
		Short: "Find the fabric that suits some kernels best",
		Long: `Reads a description of kernels, a base architecture, the parameters of it that may
vary, limits and objectives (docs/explore.md), and looks for the best fabric by a
seeded evolutionary search. Points are evaluated in rungs: cost model, technology
mapping, placement and routing with a run in the cycle simulator; the best again with
the full effort of the mapper. A rung drops what it can tell to be worse.

DIR keeps every result (explore.db): a command that was ended, by whatever, goes on
where it stopped when it is run again. At the end it has best.yaml, the winner, and
report.html: area against time, what each parameter does, what limits each kernel.

With --engine slurm points are evaluated on a cluster, by job arrays: DIR has to be on a
file system that all nodes share, and holds all that a node needs. --jobs is the number
of tasks at a time then, 0 for one per processor of the cluster, and --slurm gives sbatch
further options, such as --slurm=--partition=long --slurm=--time=30.`,
		Example: `  loom explore examples/explore/integer.yaml -o out
  loom explore examples/explore/integer.yaml -o out --engine slurm
  loom explore status out
  loom explore report out                 # the page of what there is so far
  loom explore export csv out > points.csv
  loom explore yaml out 17                # the architecture file of a point
  loom build K.c --arch out/best.yaml -o there --cosim --random 1`,
		Args: exactArgs("EXPLORE.yaml"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkJobs(jobs); err != nil {
				return err
			}
			if budget < 0 {
				return usagef("--budget takes a duration such as 15m, found %s", budget)
			}
			if engine != "local" && engine != "slurm" {
				return usagef("--engine takes local or slurm, found %q", engine)
			}
			if engine != "slurm" {
				a.ineffective(c, "without --engine slurm", "slurm")
			}
			if err := outdir.Check(out); err != nil {
				return err
			}
			return a.explore(args[0], out, engine, jobs, options, budget)
		},
	}
	a.outFlag(c, &out)
	c.Flags().StringVar(&engine, "engine", "local", "where points are `evaluated`: local|slurm")
	c.Flags().StringArrayVar(&options, "slurm", nil, "further `option` of sbatch, with --engine slurm")
	jobsFlag(c, &jobs)
	c.Flags().DurationVar(&budget, "budget", 0, "`time` after which the search ends behind the generation under way; 0 is none. The points until then are the same as without")
	c.AddCommand(a.exploreStatusCommand(), a.exploreReportCommand(), a.exploreExportCommand(), a.exploreYAMLCommand(), a.exploreWorkerCommand())
	return c
}

func (a *app) explore(file, out, engine string, jobs int, options []string, budget time.Duration) error {
	src, err := a.read(file)
	if err != nil {
		return err
	}
	x, err := loom.ReadExploration(a.ctx, src, a.watch())
	if err != nil {
		return err
	}
	start := time.Now()
	opts := loom.ExploreOptions{Watch: a.watch(), Jobs: jobs}
	if engine == "slurm" {
		if opts.Engine, err = x.ClusterEngine(out, jobs, options, opts.Progress); err != nil {
			return err
		}
	}
	if budget > 0 {
		opts.Stop = func() bool { return time.Since(start) > budget }
	}
	opts.Generation = func(s explore.Status) { a.print("%s", s) }
	e, err := loom.Explore(a.ctx, x, out, opts)
	if err != nil {
		return err
	}
	if e.Stopped {
		a.warnings.Warnf(diag.Pos{}, "--budget ended the search after %s of %d; the same command goes on", diag.Plural(e.Points, "point"), x.Space.Search.Evaluations)
	}
	a.printExplored(x, e)
	a.printArtifacts(out, finalNames(e.Names))
	a.done(result{Artifacts: e.Names, Exploration: e.Status})
	if e.Winner == nil {
		return diag.New(x.Space.BasePos, "no point runs every kernel; report.html says what they lack").
			WithHelp("widen the ranges of the parameters, or begin with a base that takes all kernels: loom build K --arch auto finds one")
	}
	return nil
}

// finalNames are the files that a person begins with.
func finalNames(names []string) []string {
	var out []string
	for _, n := range names {
		if n == loom.ExploreWinner || n == loom.ExploreReport {
			out = append(out, n)
		}
	}
	return out
}

func (a *app) printExplored(x *loom.Exploration, e *loom.Explored) {
	a.print("%d evaluations were made, %d were known", e.Evaluated, e.Known)
	w := e.Winner
	if w == nil {
		return
	}
	about := "about"
	if w.Area.Synthesised {
		about = "by synthesis"
	}
	a.print("winner: point %d, %d PEs, %s %d LUTs, %.0f MHz, %.4g ns per run, %.4g LUT × ns", w.Number, w.Area.PEs, about, w.Area.LUTs, w.Area.MHz, w.NS, w.LUTNS)
	for _, r := range e.Reference {
		if r.Feasible() {
			first := x.Space.Objectives[0]
			a.print("the best fabric that is built in is %s: the winner has %.2f of its %s", r.Shipped, w.Value(first)/r.Value(first), first)
			break
		}
	}
}

func (a *app) exploreStatusCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "status DIR",
		Short: "Say how far an exploration is",
		Long:  `Prints how far the exploration in a directory is, also while it runs.`,
		Args:  exactArgs("DIR"),
		RunE: func(_ *cobra.Command, args []string) error {
			s, err := loom.StatusOfExploration(args[0])
			if err != nil {
				return err
			}
			state := "under way, or ended before its end"
			if s.Complete {
				state = "complete"
			}
			a.print("%s: %d of %d points, %s", s.Name, s.Points, s.Wanted, state)
			for rung, name := range explore.RungNames {
				a.print("  %-40s %6d points %6d evaluations %9.1f s of a core", name, s.Reached[rung], s.Evaluations[rung], s.Seconds[rung])
			}
			if s.Best != nil {
				a.print("best: point %d, about %d LUTs, %.0f MHz, %.4g ns per run, %.4g LUT × ns", s.Best.Number, s.Best.Area.LUTs, s.Best.Area.MHz, s.Best.NS, s.Best.LUTNS)
			}
			a.done(result{Exploration: s})
			return nil
		},
	}
}

func (a *app) exploreReportCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "report DIR",
		Short: "Write the page of an exploration",
		Long:  `Writes report.html and best.yaml of what an exploration has found so far, also while it runs.`,
		Args:  exactArgs("DIR"),
		RunE: func(_ *cobra.Command, args []string) error {
			names, err := loom.ReportExploration(args[0])
			if err != nil {
				return err
			}
			a.printArtifacts(args[0], names)
			a.done(result{Artifacts: names})
			return nil
		},
	}
}

func (a *app) exploreExportCommand() *cobra.Command {
	return &cobra.Command{
		Use:       "export csv DIR",
		Short:     "Print the points of an exploration as comma-separated values",
		Long:      `Prints a line for each point: verdict, area, clock, time, parameters, and cycles of each kernel.`,
		Args:      exactArgs("csv", "DIR"),
		ValidArgs: []string{"csv"},
		RunE: func(_ *cobra.Command, args []string) error {
			if args[0] != "csv" {
				return usagef("'loom explore export' takes csv, found %q", args[0])
			}
			var b bytes.Buffer
			if err := loom.ExportExploration(args[1], &b); err != nil {
				return err
			}
			if a.json {
				a.done(result{Text: b.String()})
			} else {
				a.write(b.Bytes())
			}
			return nil
		},
	}
}

func (a *app) exploreYAMLCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "yaml DIR POINT",
		Short: "Print the architecture file of a point",
		Long:  `Prints the architecture file of a point, by the number that report and table have.`,
		Args:  exactArgs("DIR", "POINT"),
		RunE: func(_ *cobra.Command, args []string) error {
			n, err := strconv.Atoi(args[1])
			if err != nil || n < 0 {
				return usagef("POINT is a number from 0, found %q", args[1])
			}
			text, err := loom.PointOfExploration(args[0], n)
			if err != nil {
				return err
			}
			if a.json {
				a.done(result{Text: text})
			} else {
				a.write(fmt.Append(nil, text))
			}
			return nil
		},
	}
}

// exploreWorkerCommand is what the tasks of a cluster run.
func (a *app) exploreWorkerCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "worker TASK.json",
		Short:  "Evaluate the points of a task, on a node of a cluster",
		Hidden: true,
		Args:   exactArgs("TASK.json"),
		RunE:   func(_ *cobra.Command, args []string) error { return loom.ExploreTask(a.ctx, args[0]) },
	}
}
