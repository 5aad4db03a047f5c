package main

import (
	"encoding/json"
	"path/filepath"

	"github.com/spf13/cobra"

	"loom"
	"loom/internal/outdir"
)

func (a *app) cosimCommand() *cobra.Command {
	var sel selectors
	var inf inputFlags
	var env envFlags
	var out, function string
	var jobs int
	var waves bool
	var df directFlags
	c := &cobra.Command{
		Use:   "cosim --dfg F [--adg F --map F] [--inputs IN.json | --random SEED] -o DIR",
		Short: "Prove a mapping or a direct circuit under Verilator against the reference simulators",
		Long: `Builds the fabric's RTL with Verilator (cached by content in $LOOM_CACHE, else the
user's cache directory), loads the configuration, runs the kernel and compares
results, memories and every channel in every cycle with the reference simulators.
Writes result, trace, statistics (<dfg>.<adg>.sim.*), the page that plays the
run back (.viz.html) and with --trace the waveform (.fst).

Without --adg and --map it makes the direct circuit of the graph, as loom rtl does, and
runs that.

With --json:
  {"results": [..], "memories": {"y": [..]}, "cycles": N, "status": "done", ..}
status is done, deadlock, error, budget or mismatch; all but done exit with 1.
"levels" has number, name, status and cycles of each level.`,
		Example: `  loom cosim --dfg out/dot.dfg.mlir --adg out/mesh6x6.fabric.mlir \
      --map out/dot.mesh6x6.map.json --inputs in.json -o out
  loom cosim … --random 1 --size 100 --latency random:1,40,7 --stall 30 -o out
  loom cosim … --random 1 --trace -o out && gtkwave out/dot.mesh6x6.fst`,
		Args: exactArgs(),
		RunE: func(c *cobra.Command, _ []string) error {
			for _, check := range []func() error{env.check, func() error { return inf.check(c) }, func() error { return checkJobs(jobs) }, func() error { return outdir.Check(out) }} {
				if err := check(); err != nil {
					return err
				}
			}
			if err := df.check(); err != nil {
				return err
			}
			opts := loom.CompileOptions{Function: function}
			if sel.adg == "" && sel.mapFile == "" {
				opts.IndexWidth, opts.Direct = df.indexWidth, true
			} else {
				a.ineffective(c, "with --adg", "share", "divide", "ports", "control", "clock", "device", "index-width", "dump-after")
			}
			k, m, err := a.load(&sel, opts)
			if err != nil {
				return err
			}
			if m == nil {
				return a.finishDirect(out, k, df.DirectOptions, env.Latency, nil, directRun{true, waves, &inf, &env, jobs})
			}
			in, err := a.inputs(m.Kernel, &inf, env.MaxCycles)
			if err != nil {
				return err
			}
			if err := loom.PrepareCosimulation(a.ctx, m.Kernel, waves, a.watch()); err != nil {
				return err
			}
			rtl, err := loom.Generate(m.Fabric)
			if err != nil {
				return err
			}
			return a.finishRun(out, nil, &cosimRun{m: m, rtl: rtl, in: in, env: env.Environment, jobs: jobs, waves: waves})
		},
	}
	a.outFlag(c, &out)
	sel.register(c)
	a.need(c, "dfg", "--dfg FILE")
	c.Flags().StringVar(&function, "function", "", "`name` of the graph, where the file holds several")
	inf.register(c)
	env.register(c)
	df.register(c)
	df.registerDump(c)
	traceFlag(c, &waves)
	jobsFlag(c, &jobs)
	return c
}

// traceFlag is --trace.
func traceFlag(c *cobra.Command, waves *bool) {
	c.Flags().BoolVar(waves, "trace", false, "write the waveform of the co-simulation (.fst); builds a model of its own")
}

// cosimRun is one co-simulation of a mapping.
type cosimRun struct {
	m     *loom.Mapping
	rtl   *loom.RTL
	in    *loom.Inputs
	env   loom.Environment
	jobs  int
	waves bool   // write a waveform
	whole string // the fabric that takes the whole function, "" if it is no part or none is known
}

// finishRun runs every level, writes the artifacts of static and of the run, and prints
// the result. A run with a status other than done also writes all of them, for finding
// the fault.
func (a *app) finishRun(out string, static *loom.Artifacts, r *cosimRun) error {
	dir, err := a.collect(out)
	if err != nil {
		return err
	}
	defer dir.Discard()
	opts := loom.CosimulateOptions{Watch: a.watch(), Environment: r.env, Jobs: r.jobs}
	name := r.m.Name()
	if r.waves {
		if opts.Waveform, err = dir.Path(name + ".fst"); err != nil {
			return err
		}
	}
	run, err := loom.Cosimulate(a.ctx, r.m, r.rtl, r.in, opts)
	if err != nil {
		return err
	}
	artifacts := new(loom.Artifacts)
	if static != nil {
		artifacts.Add(static)
	}
	own, err := run.Artifacts(r.m)
	if err != nil {
		return err
	}
	if r.waves && r.m.Disjoint != nil {
		if opts.Waveform, err = dir.Path(r.m.Disjoint.Name() + ".fst"); err != nil {
			return err
		}
	}
	second, more, err := a.runDisjoint(r, run, opts)
	if err != nil {
		return err
	}
	own.Add(more)
	if err := artifacts.Add(own).Store(dir); err != nil {
		return err
	}
	names, err := dir.Commit()
	if err != nil {
		return err
	}
	object := run.JSON()
	if run.Waveform != "" {
		run.Waveform = filepath.Join(out, name+".fst")
		object = withMember(object, "waveform", run.Waveform)
	}
	if a.json && static == nil {
		a.printObject(a.withWarnings(withMember(object, "artifacts", names)))
	}
	if static != nil {
		k := r.m.Kernel
		status := run.Outcome.Status
		if second != nil {
			status = second.Outcome.Status
		}
		a.done(result{Status: string(status), Artifacts: names, Mapping: summary(r.m), Choice: r.m.Choice, Memory: memoryResult(k), Domain: domainResult(k, r.in, r.whole), Cosim: object, Disjoint: disjointResult(r.m, second.object(out))})
	}
	a.printArtifacts(out, names)
	if run.Waveform != "" {
		a.print("waveform: %s", run.Waveform)
	}
	if second != nil && second.Waveform != "" {
		a.print("waveform: %s", filepath.Join(out, filepath.Base(second.Waveform)))
	}
	if err := a.verdict(r.m.Kernel, r.in, run); err != nil || r.m.Disjoint == nil {
		return err
	}
	if second == nil {
		a.print("arrays overlap in these inputs: the image for those that do not was not run")
		return nil
	}
	a.print("%s, the image for arrays that do not overlap:", r.m.Disjoint.Kernel.Name)
	return a.verdict(r.m.Disjoint.Kernel, r.in, second.Run)
}

// secondRun is that of the image for arrays that do not overlap.
type secondRun struct{ *loom.Run }

// object is the run as --json prints it, nil for none.
func (r *secondRun) object(out string) json.RawMessage {
	switch {
	case r == nil:
		return nil
	case r.Waveform == "":
		return r.JSON()
	}
	return withMember(r.JSON(), "waveform", filepath.Join(out, filepath.Base(r.Waveform)))
}

// runDisjoint runs every level on the second image, if there is one, the first has done and the inputs' arrays do not
// overlap; else the run is nil, and the files of one are stale.
func (a *app) runDisjoint(r *cosimRun, first *loom.Run, opts loom.CosimulateOptions) (*secondRun, *loom.Artifacts, error) {
	d := r.m.Disjoint
	if d == nil {
		return nil, new(loom.Artifacts), nil
	}
	if first.Failed != "" || r.in.Overlap() {
		stale := new(loom.Artifacts)
		for _, ext := range []string{".sim.result.json", ".sim.trace", ".sim.stat", ".fst"} {
			stale.Stale = append(stale.Stale, d.Name()+ext)
		}
		return nil, stale, nil
	}
	run, err := loom.Cosimulate(a.ctx, d, r.rtl, r.in, opts)
	if err != nil {
		return nil, nil, err
	}
	own, err := run.Artifacts(d)
	return &secondRun{run}, own, err
}
