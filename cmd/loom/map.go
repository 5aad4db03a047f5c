package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"loom/compiler/cabi"
	"loom/compiler/config"
	"loom/compiler/config/cheader"
	"loom/compiler/diag"
	"loom/compiler/host"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/mapper"
	"loom/compiler/mapping"
	"loom/compiler/opname"
	"loom/compiler/report"
	"loom/internal/outdir"
	"loom/sim/vector"
)

// mapped is a kernel on a fabric.
type mapped struct {
	k       *kernel
	h       *hardware
	m       *mapping.Mapping
	image   *config.Image
	binding *mapping.Binding
}

// name is <dfg>.<adg>, the base name of artifacts that concern both.
func (m *mapped) name() string { return m.k.stem + "." + m.h.stem }

func (a *app) mapCommand() *cobra.Command {
	var out, dfgFile, adg, function string
	var mf mapFlags
	var lat latencyFlag
	c := &cobra.Command{
		Use:   "map --dfg F --adg F -o DIR",
		Short: "Place and route a dataflow graph on a fabric, write the configuration",
		Long: `Maps a dataflow graph onto a fabric and writes everything that concerns the two
together: the mapping (<dfg>.<adg>.map.json, .map.txt for people, .viz.html for
a browser), the configuration (.config.json, .config.bin, .config.h), what a
host has to know (.runtime.json) and its code (<dfg>_host.c, loom_accel.h,
loom_accel.c). A graph that does not fit is told what the fabric lacks.`,
		Example: `  loom map --dfg out/dot.dfg.mlir --adg out/mesh6x6.fabric.mlir -o out
  loom map --dfg out/dot.dfg.mlir --adg mesh6x6.yaml --seed 7 --budget 5m -o out`,
		Args: exactArgs(),
		RunE: func(*cobra.Command, []string) error {
			for _, check := range []func() error{mf.check, lat.check, func() error { return outdir.Check(out) }} {
				if err := check(); err != nil {
					return err
				}
			}
			k, err := a.loadDFG(dfgFile, function)
			if err != nil {
				return err
			}
			h, err := a.loadFabric(adg)
			if err != nil {
				return err
			}
			m, err := a.mapKernel(k, h, &mf, lat.profile)
			if err != nil {
				return err
			}
			names, err := a.deliver(out, func(dir *outdir.Dir) error { return m.write(dir, nil) })
			if err != nil {
				return err
			}
			a.sayMapping(m)
			a.sayArtifacts(out, names)
			a.done(answer{Artifacts: names, Mapping: m.summary()})
			return nil
		},
	}
	a.outFlag(c, &out)
	c.Flags().StringVar(&dfgFile, "dfg", "", "dataflow graph `file` (.dfg.mlir)")
	c.Flags().StringVar(&adg, "adg", "", "fabric: Fabric MLIR or architecture description `file`")
	c.Flags().StringVar(&function, "function", "", "`name` of the graph, where the file holds several")
	a.need(c, "dfg", "--dfg FILE")
	a.need(c, "adg", "--adg FILE")
	mf.register(c)
	lat.register(c)
	return c
}

// mapKernel maps and then runs the result once in the cycle simulator: a routed
// mapping is done only when it also moves (design page "Mapper").
func (a *app) mapKernel(k *kernel, h *hardware, mf *mapFlags, memory latency.Profile) (*mapped, error) {
	if err := indexFits(k.dfg, h.fabric.IndexWidth); err != nil {
		return nil, err
	}
	res, err := mapper.Map(k.dfg, h.fabric, mapper.Options{
		Seed: mf.seed, Budget: mf.budget, Jobs: mf.jobs, Latency: latency.Model{Memory: memory},
		Progress: func(s string) { a.progress.Set("mapping: " + s) },
	})
	a.progress.Clear()
	if err != nil {
		return nil, err
	}
	withoutFolders(res.Mapping)
	m := &mapped{k: k, h: h, m: res.Mapping, image: res.Image, binding: res.Binding}
	return m, a.probe(m)
}

// indexFits refuses a graph with index constants that the fabric's index cannot
// hold: compiled for a wider one, it would compute something else here.
func indexFits(fn *ir.Operation, width int) error {
	var errs diag.List
	fn.Walk(func(op *ir.Operation) bool {
		if op.Name != opname.HandshakeConstant && op.Name != opname.ArithConstant || op.Result(0).Type != ir.Type(ir.Index) {
			return true
		}
		if v, ok := op.IntAttr("value"); ok && v<<(64-width)>>(64-width) != v {
			errs.Errorf(op.Pos, "the constant %d does not fit an index of %d bits", v, width).
				WithHelp("choose a fabric with a larger index_width")
		}
		return true
	})
	return errs.Err()
}

// withoutFolders keeps the file names of positions and drops their folders: the
// artifacts of a kernel must not depend on where it lies.
func withoutFolders(m *mapping.Mapping) {
	for i := range m.Ops {
		m.Ops[i].Pos.File = baseName(m.Ops[i].Pos.File)
	}
	for i := range m.Timing.Loops {
		m.Timing.Loops[i].Pos.File = baseName(m.Timing.Loops[i].Pos.File)
	}
}

func baseName(file string) string {
	if file == "" {
		return ""
	}
	return filepath.Base(file)
}

// The inputs of the trial run after mapping and how long it may take.
const (
	probeSize   = 6
	probeSeed   = 1
	probeCycles = 2_000_000
	probeSteps  = 1_000_000
)

// probe runs a fresh mapping on small random inputs. Kernels for which such
// inputs make no sense (an access out of bounds, no end in sight) are left to the
// user's own inputs; anything else that is not done is a fault of the mapping.
func (a *app) probe(m *mapped) error {
	warnings := a.warnings
	in, err := a.randomInputs(probeSeed, probeSize, m.k, m.h.fabric.IndexWidth, limits{probeSteps, probeSteps})
	a.warnings = warnings // what such inputs do is nobody's concern
	if err != nil {
		return nil // no random inputs for such parameters
	}
	a.progress.Set("trial run of the mapping")
	defer a.progress.Clear()
	want, err := a.reference(m.k, in, m.h.fabric.IndexWidth, probeSteps)
	if err != nil {
		return err
	}
	if want.Status != vector.Done {
		return nil
	}
	got, err := a.cycleRun(m, in, &envFlags{maxCycles: probeCycles}, nil)
	if err != nil {
		return err
	}
	diffs := vector.Diff(want, got)
	if got.Status == vector.Done && len(diffs) == 0 {
		return nil
	}
	d := &diag.Diagnostic{Severity: diag.Internal, Pos: m.k.dfg.Pos,
		Message: fmt.Sprintf("the mapping of %s onto %s fails its trial run: %s", m.k.stem, m.h.stem, got.Status),
		Help:    "this is a fault of LOOM; another --seed may avoid it; please report it with kernel, fabric and seed"}
	for _, s := range append(got.Detail, diffs...) {
		d.WithNote(diag.Pos{}, "%s", s)
	}
	return d
}

// write writes everything that concerns kernel and fabric together, and the
// host's side. trace, when not nil, is the .sim.trace that the picture plays.
func (m *mapped) write(dir *outdir.Dir, trace []byte) error {
	var cfgJSON, cfgHeader bytes.Buffer
	if err := m.image.WriteJSON(&cfgJSON); err != nil {
		return err
	}
	info := cheader.Info{DFG: m.k.stem, ADG: m.h.stem, Tool: "loom " + version}
	if err := cheader.Write(&cfgHeader, m.image, info, m.binding); err != nil {
		return err
	}
	runtime, err := host.Runtime(m.binding, m.h.layout, m.h.fabric)
	if err != nil {
		return err
	}
	hostC, err := m.hostCode()
	if err != nil {
		return err
	}
	accelH, accelC, err := host.Driver()
	if err != nil {
		return err
	}
	for _, f := range []struct {
		name string
		data []byte
	}{
		{m.name() + ".map.json", m.m.JSON()},
		{m.name() + ".map.txt", []byte(report.Text(m.m))},
		{m.name() + ".config.json", cfgJSON.Bytes()},
		{m.name() + ".config.bin", config.Bytes(m.image.Encode())},
		{m.name() + ".config.h", cfgHeader.Bytes()},
		{m.name() + ".runtime.json", runtime},
		{m.k.stem + "_host.c", hostC},
		{"loom_accel.h", accelH},
		{"loom_accel.c", accelC},
	} {
		if err := dir.Write(f.name, f.data); err != nil {
			return err
		}
	}
	return m.writePicture(dir, trace)
}

// hostCode is <dfg>_host.c: a function with the parameters of the C function, or of the
// kernel where there is none.
func (m *mapped) hostCode() ([]byte, error) {
	config := m.name() + ".config.h"
	p := &host.Program{
		Binding: m.binding, Layout: m.h.layout, Fabric: m.h.fabric.Name, ConfigHeader: config, IndexWidth: m.h.fabric.IndexWidth,
		Graph: m.k.dfg, Distinct: m.k.distinct,
	}
	original := m.k.dfg
	if d := m.k.domain; d != nil && d.Loop >= 0 {
		p.Module, p.Host, p.Kernel = d.Module, d.Host, d.Kernel
		original = d.Host
	}
	if c, ok := cabi.Of(original); ok {
		p.C = c
	}
	if p.C == nil && p.Host == nil {
		return host.Function(m.binding, m.h.layout, m.h.fabric.Name, config)
	}
	return p.Source()
}

// writePicture writes viz.html, which plays the trace when there is one.
func (m *mapped) writePicture(dir *outdir.Dir, trace []byte) error {
	viz, err := report.Viz(m.k.dfg, m.h.fabric, m.m, trace)
	if err != nil {
		return err
	}
	return dir.Write(m.name()+".viz.html", viz)
}

// summary is the mapping object of build's and map's answers.
func (m *mapped) summary() json.RawMessage {
	u, err := json.Marshal(map[string]any{
		"kernel": m.m.Kernel, "fabric": m.m.Fabric, "seed": m.m.Seed, "layout_hash": m.m.LayoutHash,
		"operations": len(m.m.Ops), "groups": len(m.m.Groups),
		"utilization": m.m.Utilization, "timing": m.m.Timing,
	})
	if err != nil {
		panic(err) // plain data
	}
	return u
}

// sayMapping tells a person in a few lines what the mapping uses.
func (a *app) sayMapping(m *mapped) {
	u := m.m.Utilization
	a.say("%s on %s: %s on %d of %d PEs, %d of %d memories", m.k.stem, m.h.stem,
		diag.Plural(len(m.m.Groups), "operation"), u.PEs.Used, u.PEs.Total, u.Memories.Used, u.Memories.Total)
	for _, l := range m.m.Timing.Loops {
		if l.II.Tokens > 0 && l.Innermost {
			a.say("  loop %s: about %.1f cycles per iteration, external memory answering after %s",
				l.Label, float64(l.II.Cycles)/float64(l.II.Tokens), m.m.Timing.Memory())
		}
	}
}
