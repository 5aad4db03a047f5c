package main

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"loom"
	"loom/compiler/circuit"
	"loom/compiler/latency"
)

// directFlags choose a direct circuit and its ports.
type directFlags struct {
	loom.DirectOptions
	indexWidth int
}

func (f *directFlags) register(c *cobra.Command) {
	c.Flags().StringVar(&f.Ports, "ports", loom.DirectPorts[0], "`style` of the ports of a direct circuit's arrays: memory, axi4, axi4-each, bram (bram:CYCLES), stream, or auto, a stream where the elements are proven to be touched in order; for single arrays ARRAY=STYLE, as in memory,a=stream; for AXI4 ,outstanding=N, accesses of each load and store on their way (as many as --latency or --memory needs), and ,burst=N, elements that share a transaction where they follow each other (16 with --memory, else 1), ,width=N, bits of data of a bus whose beats have several elements then, ,cache=N, a read cache of N elements for each array that is only loaded from, and ,bounds, sizes of arrays in registers of --control axi4lite, outside of which an access is an error that no bus sees")
	c.Flags().StringVar(&f.Control, "control", loom.DirectControls[0], "`protocol` of a direct circuit's arguments, results, start and done: channels, ap_ctrl_hs or axi4lite")
	c.Flags().StringVar(&f.Clock, "clock", circuit.DefaultClock.String(), "`target` that a direct circuit is buffered for: MHz after routing on --device, logic levels (8levels), or none")
	c.Flags().StringVar(&f.Device, "device", loom.DirectDevices[0], "device `family` of --clock: "+strings.Join(loom.DirectDevices, ", "))
	c.Flags().StringVar(&f.Share, "share", loom.DirectShares[0], "multipliers and dividers of a direct circuit that several operations use: auto, those that slow no loop down and save area, or `none`")
	c.Flags().StringVar(&f.Divide, "divide", loom.DirectDivides[0], "divisions and square roots of floats in a direct circuit that start in every cycle, for three times the area: auto, those that would slow their loop down, all (`pipelined`) or none (iterative)")
	c.Flags().IntVar(&f.indexWidth, "index-width", loom.DefaultDirectIndexWidth, "`bits` of the index type of a direct circuit")
}

// registerDump is --dump-after, for a command that starts from a graph.
func (f *directFlags) registerDump(c *cobra.Command) {
	c.Flags().StringVar(&f.DumpAfter, "dump-after", "", "print the graph after `pass` of a direct circuit's simplification to stderr (all: after every pass)")
}

// takeReset chooses the reset of a circuit behind a register file; others have one of their own.
func (f *directFlags) takeReset(a *app, c *cobra.Command, reset *resetFlag) {
	if f.TakesReset() {
		f.Reset = reset.value
	} else {
		a.ineffective(c, "without --control axi4lite", "reset")
	}
}

func (f *directFlags) check() error { return usage(f.Check()) }

// directRun is a direct circuit to write, and to co-simulate if cosim is set.
type directRun struct {
	cosim, waves bool
	in           *inputFlags
	env          *envFlags
	jobs         int
}

// printDirect prints what a circuit is made of, and what would make it faster.
func (a *app) printDirect(d *loom.Direct, opts loom.DirectOptions) error {
	a.print("%s", d)
	faster, err := d.Faster(opts)
	for _, f := range faster {
		a.print("  %s", f)
	}
	return err
}

// finishDirect makes the circuit of a kernel, runs it if that is wanted, and writes what there
// is. static are further artifacts.
func (a *app) finishDirect(out string, k *loom.Kernel, opts loom.DirectOptions, memory latency.Profile, static *loom.Artifacts, r directRun) error {
	opts.Watch, opts.Memory, opts.DumpTo = a.watch(), memory, a.stderr
	d, err := loom.BuildDirect(k, opts)
	if err != nil {
		return usage(err)
	}
	artifacts := d.Artifacts()
	if static != nil {
		artifacts.Add(static)
	}
	if !r.cosim {
		names, err := a.deliver(out, artifacts)
		if err != nil {
			return err
		}
		if err := a.printDirect(d, opts); err != nil {
			return err
		}
		a.printArtifacts(out, names)
		a.done(result{Top: d.RTL.Top, Artifacts: names})
		return nil
	}
	in, err := a.inputs(k, r.in, r.env.MaxCycles)
	if err != nil {
		return err
	}
	if err := loom.PrepareCosimulation(a.ctx, k, r.waves, a.watch()); err != nil {
		return err
	}
	dir, err := a.collect(out)
	if err != nil {
		return err
	}
	defer dir.Discard()
	co := loom.CosimulateOptions{Watch: a.watch(), Environment: r.env.Environment, Jobs: r.jobs}
	name := k.Name + ".direct"
	if r.waves {
		if co.Waveform, err = dir.Path(name + ".fst"); err != nil {
			return err
		}
	}
	if err := a.printDirect(d, opts); err != nil {
		return err
	}
	run, err := loom.CosimulateDirect(a.ctx, d, in, co)
	if err != nil {
		return err
	}
	artifacts.Files = append(artifacts.Files, loom.File{Name: name + ".sim.result.json", Data: append(run.JSON(), '\n')})
	if err := artifacts.Store(dir); err != nil {
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
	a.done(result{Status: string(run.Outcome.Status), Top: d.RTL.Top, Artifacts: names, Cosim: object})
	a.printArtifacts(out, names)
	if run.Waveform != "" {
		a.print("waveform: %s", run.Waveform)
	}
	return a.verdict(k, in, run)
}
