package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"loom"
	"loom/compiler/diag"
	"loom/compiler/latency"
	"loom/internal/outdir"
)

func (a *app) mapCommand() *cobra.Command {
	var out, dfgFile, adg, function string
	var mf mapFlags
	var lat latencyFlag
	var showProof bool
	c := &cobra.Command{
		Use:   "map --dfg F --adg F -o DIR",
		Short: "Place and route a dataflow graph on a fabric, write the configuration",
		Long: `Maps a dataflow graph onto a fabric and writes everything that concerns the two
together: the mapping (<dfg>.<adg>.map.json, .map.txt for people, .viz.html for
a browser), the configuration (.config.json, .config.bin, .config.h), the
host's description of the kernel (.runtime.json) and its code (<dfg>_host.h,
<dfg>_host.c, loom_accel.h, loom_accel.c). If the graph does not fit, the error names what the
fabric lacks.

Every mapping is proven: the configuration image alone is decoded, the dataflow graph that
the configured fabric carries out is rebuilt from it, and shown to be the graph given, with
arguments, results and arrays where .runtime.json has them. --prove says so and states the size.`,
		Example: `  loom map --dfg out/dot.dfg.mlir --adg out/mesh6x6.fabric.mlir -o out
  loom map --dfg out/dot.dfg.mlir --adg mesh6x6 --prove -o out
  loom map --dfg out/dot.dfg.mlir --adg mesh6x6 --seed 7 --budget 5m -o out`,
		Args: exactArgs(),
		RunE: func(*cobra.Command, []string) error {
			for _, check := range []func() error{mf.check, lat.check, func() error { return outdir.Check(out) }} {
				if err := check(); err != nil {
					return err
				}
			}
			k, err := a.loadGraph(dfgFile, loom.CompileOptions{Function: function})
			if err != nil {
				return err
			}
			f, err := a.loadFabric(adg)
			if err != nil {
				return err
			}
			m, err := a.mapKernel(k, f, &mf, lat.profile)
			if err != nil {
				return err
			}
			artifacts, err := m.Artifacts(nil)
			if err != nil {
				return err
			}
			names, err := a.deliver(out, artifacts)
			if err != nil {
				return err
			}
			a.printMapping(m, nil, false)
			if showProof {
				a.print("proven: by %s.config.bin alone, %s carries out the %s of %s, each of %s at its operand",
					m.Name(), m.Fabric.Name, diag.Plural(m.Proof.Operations, "operation"), m.Kernel.Name, diag.Plural(m.Proof.Values, "value"))
			}
			a.printArtifacts(out, names)
			a.done(result{Artifacts: names, Mapping: summary(m)})
			return nil
		},
	}
	a.outFlag(c, &out)
	c.Flags().StringVar(&dfgFile, "dfg", "", "dataflow graph `file` (.dfg.mlir)")
	c.Flags().StringVar(&adg, "adg", "", "`fabric`: a name of loom fabrics, Fabric MLIR or an architecture description")
	c.Flags().StringVar(&function, "function", "", "`name` of the graph, where the file holds several")
	c.Flags().BoolVar(&showProof, "prove", false, "say what is proven of the configuration image; a mapping that cannot be proven is an error in any case")
	a.need(c, "dfg", "--dfg FILE")
	a.need(c, "adg", "--adg FILE")
	mf.register(c)
	lat.register(c)
	return c
}

// mapKernel maps with the flags of the mapper.
func (a *app) mapKernel(k *loom.Kernel, f *loom.Fabric, mf *mapFlags, memory latency.Profile) (*loom.Mapping, error) {
	mf.Watch, mf.Latency = a.watch(), memory
	m, err := loom.Map(a.ctx, k, f, mf.MapOptions)
	return m, a.misfit(err, k, f, mf)
}

// misfit adds to the error of a mapping what the kernel would fit.
func (a *app) misfit(err error, k *loom.Kernel, f *loom.Fabric, mf *mapFlags) error {
	switch {
	case loom.NoHardware(err):
		return &misfitError{err: err}
	case !loom.Misfit(err):
		return err
	}
	fit := k.FindFit(a.ctx, f, mf.MapOptions)
	if a.ctx.Err() != nil {
		return a.ctx.Err()
	}
	return &misfitError{err, &fit}
}

// mapAuto maps onto the shipped fabric with the least area × time.
func (a *app) mapAuto(k *loom.Kernel, mf *mapFlags, memory latency.Profile) (*loom.Kernel, *loom.Mapping, error) {
	mf.Watch, mf.Latency = a.watch(), memory
	here, m, err := loom.MapAuto(a.ctx, k, mf.MapOptions)
	return here, m, a.misfit(err, k, nil, mf)
}

// misfitError is the error of a kernel that does not fit its fabric, and what it fits; fit is
// nil for a kernel that no fabric can execute.
type misfitError struct {
	err error
	fit *loom.Fit
}

func (e *misfitError) Error() string { return e.err.Error() }
func (e *misfitError) Unwrap() error { return e.err }

// brief are the first errors without their notes, and how to see the rest.
func (e *misfitError) brief() (list *diag.List, rest string) {
	const most = 3
	all := diag.FromError(e.err).All
	list = &diag.List{}
	notes := false
	for _, d := range all[:min(most, len(all))] {
		one := *d
		notes = notes || len(d.Notes) > 0
		if one.Notes = nil; e.fit != nil {
			one.Help = ""
		}
		list.All = append(list.All, &one)
	}
	switch {
	case len(all) > most:
		return list, fmt.Sprintf("-v explains, with %s", diag.Plural(len(all)-most, "further reason"))
	case notes && e.fit != nil:
		return list, "-v explains"
	}
	return list, ""
}

// summary is the mapping object that build and map print with --json.
func summary(m *loom.Mapping) json.RawMessage {
	u, err := json.Marshal(map[string]any{
		"kernel": m.Data.Kernel, "fabric": m.Data.Fabric, "seed": m.Data.Seed, "layout_hash": m.Data.LayoutHash,
		"operations": len(m.Data.Ops), "groups": len(m.Data.Groups), "proof": m.Proof,
		"recent_stores": m.Kernel.RecentStores(), "interlocks": m.Kernel.Interlocks(), "more_units": m.Kernel.MoreUnits(), "unroll": m.Kernel.Unroll(), "unroll_and_jam": m.Kernel.UnrollAndJam(), "reuse": m.Kernel.Reuse(), "utilization": m.Data.Utilization, "timing": m.Data.Timing,
	})
	if err != nil {
		panic(err) // plain data
	}
	return u
}

// disjointResult is the second image in the object that build prints with --json, with its co-simulation if
// there was one; nil without such an image.
func disjointResult(m *loom.Mapping, cosim json.RawMessage) any {
	if m.Disjoint == nil {
		return nil
	}
	return struct {
		Mapping json.RawMessage `json:"mapping"`
		Cosim   json.RawMessage `json:"cosim,omitempty"`
	}{summary(m.Disjoint), cosim}
}

// printMapping prints in a few lines the part of the function that became hardware, where
// it is not the whole, the resources that the mapping uses and, where it is not going to
// run on inputs, the predicted intervals.
func (a *app) printMapping(m *loom.Mapping, in *loom.Inputs, runs bool) {
	u := m.Data.Utilization
	if p := m.Kernel.Part(in); p != nil {
		a.print("%s: %s", m.Kernel.Name, p)
	}
	a.print("%s on %s: %s on %d of %d PEs, %d of %d memories", m.Kernel.Name, m.Fabric.Name,
		diag.Plural(len(m.Data.Groups), "operation"), u.PEs.Used, u.PEs.Total, u.Memories.Used, u.Memories.Total)
	if c := m.Choice; c != nil {
		if why := c.String(); why != "" {
			a.print("  %s", why)
		}
		if c.Stopped {
			a.print("  --budget ended before all larger fabrics that might be better had been tried")
		}
	}
	if m.Kernel.MoreUnits() {
		a.print("  the graph takes more units for faster loops (--more-units)")
	}
	if m.Kernel.Interlocks() {
		a.print("  loads wait for stores to their element alone (--interlocks)")
	}
	if n := m.Kernel.RecentStores(); n > 0 {
		a.print("  loads do not wait for the stores of the last %s, which registers keep (--recent-stores)", diag.Plural(n, "iteration"))
	}
	if n := m.Kernel.Unroll(); n > 0 {
		a.print("  inner loops of few iterations are written out (--unroll %d)", n)
	}
	if n := m.Kernel.UnrollAndJam(); n > 0 {
		a.print("  up to %d iterations of outer loops run side by side (--unroll-and-jam %[1]d)", n)
	}
	if m.Kernel.Reuse() {
		a.print("  registers keep what loops load again (--reuse)")
	}
	if runs {
		return // a co-simulation prints the measured intervals, too
	}
	for _, l := range m.Data.Timing.Loops {
		if l.II.Tokens > 0 && l.Innermost {
			a.print("  loop %s: %s cycles per iteration predicted, external memory responding after %s", l.Label, l.Expected(), m.Data.Timing.Memory())
		}
	}
}
