package main

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"loom/compiler/diag"
	"loom/internal/outdir"
	"loom/verilator"
)

func (a *app) cosimCommand() *cobra.Command {
	var sel selectors
	var inf inputFlags
	var env envFlags
	var out string
	var jobs int
	var waves bool
	c := &cobra.Command{
		Use:   "cosim --dfg F --adg F --map F [--inputs IN.json | --random SEED] -o DIR",
		Short: "Prove a mapping under Verilator against the reference simulators",
		Long: `Builds the fabric's RTL with Verilator (cached by content in $LOOM_CACHE, else the
user's cache directory), loads the configuration, runs the kernel and compares
results, memories and every channel in every cycle with the reference simulators.
Writes result, trace, statistics (<dfg>.<adg>.sim.*), the picture that plays the
trace (.viz.html) and with --trace the waveform (.fst).

With --json:
  {"results": [..], "memories": {"y": [..]}, "cycles": N, "status": "done", ..}
status is done, deadlock, error, budget or mismatch; all but done exit with 1.`,
		Example: `  loom cosim --dfg out/dot.dfg.mlir --adg out/mesh6x6.fabric.mlir \
      --map out/dot.mesh6x6.map.json --inputs in.json -o out
  loom cosim … --random 1 --size 100 --latency random:1,40,7 --stall 30 -o out
  loom cosim … --random 1 --trace -o out && gtkwave out/dot.mesh6x6.fst`,
		Args: exactArgs(),
		RunE: func(c *cobra.Command, _ []string) error {
			for _, check := range []func() error{env.check, func() error { return inf.check(c) }, func() error { return checkJobs(&jobs) }, func() error { return outdir.Check(out) }} {
				if err := check(); err != nil {
					return err
				}
			}
			k, m, err := a.load(&sel)
			if err != nil {
				return err
			}
			if m == nil {
				return diag.New(diag.Pos{File: sel.dfg}, "co-simulation of direct circuits is not available yet").
					WithHelp("give --adg and --map: loom map makes the mapping")
			}
			in, err := a.inputs(&inf, k, m.h.fabric.IndexWidth, env.limits(countOps(k.dfg)))
			if err != nil {
				return err
			}
			if err := verilator.CheckTools(waves); err != nil {
				return err
			}
			rtl, err := m.h.generate()
			if err != nil {
				return err
			}
			return a.finishRun(out, nil, &cosimRun{m: m, rtl: rtl, in: in, env: &env, jobs: jobs, waves: waves})
		},
	}
	a.outFlag(c, &out)
	sel.register(c)
	a.need(c, "dfg", "--dfg FILE")
	c.Flags().StringVar(&sel.function, "function", "", "`name` of the graph, where the file holds several")
	inf.register(c)
	env.register(c)
	traceFlag(c, &waves)
	jobsFlag(c, &jobs)
	return c
}

// traceFlag is --trace.
func traceFlag(c *cobra.Command, waves *bool) {
	c.Flags().BoolVar(waves, "trace", false, "write the waveform of the co-simulation (.fst); builds a model of its own")
}

// finishRun climbs the ladder, writes the run's artifacts after those of static,
// and reports. A run that ends in anything but done still leaves its complete
// set: it is what the fault is found with.
func (a *app) finishRun(out string, static []func(*outdir.Dir) error, r *cosimRun) error {
	dir, err := a.collect(out)
	if err != nil {
		return err
	}
	defer dir.Discard()
	for _, write := range static {
		if err := write(dir); err != nil {
			return err
		}
	}
	name := r.m.name()
	wave := ""
	if r.waves {
		if wave, err = dir.Path(name + ".fst"); err != nil {
			return err
		}
	}
	l, err := a.climb(r, wave)
	if err != nil {
		return err
	}
	if l.wave == "" {
		dir.Remove(name + ".fst")
	}
	if err := writeRun(dir, name, l.resultJSON(), l.trace, l.stat); err != nil {
		return err
	}
	if l.trace != nil {
		if err := r.m.writePicture(dir, l.trace); err != nil {
			return err
		}
	}
	names, err := dir.Commit()
	if err != nil {
		return err
	}
	object := l.resultJSON()
	if l.wave != "" {
		l.wave = filepath.Join(out, name+".fst")
		object = withMember(object, "waveform", l.wave)
	}
	if a.json && static == nil {
		a.answerText(a.withWarnings(withMember(object, "artifacts", names)))
	}
	if static != nil {
		status := string(l.final.Status)
		a.done(answer{Status: status, Artifacts: names, Mapping: r.m.summary(), Memory: r.m.k.memoryAnswer(), Domain: r.m.k.domainAnswer(), Cosim: object})
	}
	err = a.verdict(l)
	a.sayArtifacts(out, names)
	if l.wave != "" {
		a.say("waveform: %s", l.wave)
	}
	return err
}
