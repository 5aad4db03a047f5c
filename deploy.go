package loom

import (
	"bytes"
	"context"

	"loom/compiler/cabi"
	"loom/compiler/config"
	"loom/compiler/config/cheader"
	"loom/compiler/host"
	"loom/compiler/mapping"
	"loom/compiler/report"
	"loom/sim/hostrun"
)

// Artifacts returns the files of the mapping: the mapping itself (.map.json, .map.txt), the
// configuration image (.config.json, .config.bin, .config.h), the host's runtime
// description and C code (.runtime.json, <dfg>_host.h, <dfg>_host.c, loom_accel.h, loom_accel.c), and the
// visualisation (.viz.html), which plays the run back unless it is nil.
//
// Of Disjoint, where it is set, it returns all but the C code, which is for both, and the graph (.dfg.mlir).
func (m *Mapping) Artifacts(run *Run) (*Artifacts, error) {
	a := new(Artifacts)
	if err := m.own(a); err != nil {
		return nil, err
	}
	if m.Disjoint == nil && m.Kernel.Function != nil {
		for _, ext := range []string{".map.json", ".map.txt", ".config.json", ".config.bin", ".config.h", ".runtime.json", ".sim.result.json", ".sim.trace", ".sim.stat", ".viz.html", ".fst"} {
			a.Stale = append(a.Stale, m.Kernel.disjointName()+"."+m.Fabric.Name+ext)
		}
		a.Stale = append(a.Stale, m.Kernel.disjointName()+".dfg.mlir")
	}
	if d := m.Disjoint; d != nil {
		if err := d.own(a); err != nil {
			return nil, err
		}
		files, err := d.deployment().registers()
		if err != nil {
			return nil, err
		}
		a.Files = append(a.Files, files...)
		graph, err := d.Kernel.graphText(GraphText{})
		if err != nil {
			return nil, err
		}
		a.add(d.Kernel.Name+".dfg.mlir", graph)
	}
	files, err := m.deployment().files()
	if err != nil {
		return nil, err
	}
	a.Files = append(a.Files, files...)
	return a, m.picture(a, run)
}

// own adds the mapping and its image.
func (m *Mapping) own(a *Artifacts) error {
	var cfgJSON bytes.Buffer
	if err := m.Image.WriteJSON(&cfgJSON); err != nil {
		return err
	}
	a.add(m.Name()+".map.json", m.Data.JSON())
	a.add(m.Name()+".map.txt", []byte(report.Text(m.Data)))
	a.add(m.Name()+".config.json", cfgJSON.Bytes())
	a.add(m.Name()+".config.bin", config.Bytes(m.Image.Encode()))
	return nil
}

func (m *Mapping) deployment() *deployment {
	return &deployment{
		kernel: m.Kernel, name: m.Name(), hardware: "fabric " + m.Fabric.Name, binding: m.Binding, image: m.Image,
		info: cheader.Info{DFG: m.Kernel.Name, ADG: m.Fabric.Name, Tool: "loom " + Version}, disjoint: m.disjoint(),
	}
}

// hostProgram compiles the host function of a kernel whose domain is a loop.
func (m *Mapping) hostProgram(ctx context.Context, w *Watch) (*hostrun.Program, error) {
	return m.deployment().program(ctx, w)
}

// deployment is what the host's files are made from: a kernel on hardware with a register file.
type deployment struct {
	kernel *Kernel
	// name is the stem of the files that are about both, hardware what the kernel runs on.
	name, hardware string
	binding        *mapping.Binding
	image          *config.Image
	info           cheader.Info
	// apart are the arrays with ports of their own.
	apart map[int]bool
	// disjoint is a second image, nil for none.
	disjoint *host.Disjoint
}

// registers are .config.h and .runtime.json.
func (p *deployment) registers() ([]File, error) {
	layout := p.image.Layout
	runtime, err := host.Runtime(p.binding, layout, layout.Fabric)
	if err != nil {
		return nil, err
	}
	header, err := p.configHeader()
	if err != nil {
		return nil, err
	}
	return []File{{p.name + ".config.h", header}, {p.name + ".runtime.json", runtime}}, nil
}

// files are registers, <dfg>_host.h, <dfg>_host.c and the driver.
func (p *deployment) files() ([]File, error) {
	files, err := p.registers()
	if err != nil {
		return nil, err
	}
	hostH, hostC, err := p.hostCode()
	if err != nil {
		return nil, err
	}
	accelH, accelC, err := host.Driver()
	if err != nil {
		return nil, err
	}
	return append(files,
		File{p.kernel.Name + "_host.h", hostH},
		File{p.kernel.Name + "_host.c", hostC},
		File{"loom_accel.h", accelH},
		File{"loom_accel.c", accelC},
	), nil
}

func (p *deployment) configHeader() ([]byte, error) {
	var b bytes.Buffer
	err := cheader.Write(&b, p.image, p.info, p.binding)
	return b.Bytes(), err
}

// program compiles the host function of a kernel whose domain is a loop.
func (p *deployment) program(ctx context.Context, w *Watch) (*hostrun.Program, error) {
	o, err := p.hostOptions()
	if err != nil {
		return nil, err
	}
	defer w.doing("host function")()
	defer w.external()()
	return hostrun.Build(ctx, *o)
}

func (p *deployment) hostOptions() (*hostrun.Options, error) {
	header, source, err := p.hostCode()
	if err != nil {
		return nil, err
	}
	accel, _, err := host.Driver()
	if err != nil {
		return nil, err
	}
	config, err := p.configHeader()
	if err != nil {
		return nil, err
	}
	k := p.kernel
	o := &hostrun.Options{
		Files: map[string][]byte{k.Name + "_host.h": header, k.Name + "_host.c": source, "loom_accel.h": accel, p.name + ".config.h": config},
		Stem:  k.Name, Name: k.Domain.Host.SymName(), Binding: p.binding, Image: p.image.Encode(), Layout: p.image.Layout.Hash,
		Host: k.Domain.Host, IndexWidth: k.IndexWidth,
	}
	if c, ok := cabi.Of(k.Domain.Host); ok {
		o.C, o.Name = c, c.Name
	}
	return o, nil
}

// hostCode is <dfg>_host.h and <dfg>_host.c: a function with the parameters of the C
// function, or of the kernel where there is none.
func (p *deployment) hostCode() (header, source []byte, err error) {
	k := p.kernel
	h := &host.Program{
		Binding: p.binding, Layout: p.image.Layout, Name: k.Name, Hardware: p.hardware, Apart: p.apart, ConfigHeader: p.name + ".config.h",
		IndexWidth: k.IndexWidth, Graph: k.Graph, Distinct: k.opts.AssumeNoAlias, Disjoint: p.disjoint,
	}
	original := k.Graph
	if d := k.Domain; d != nil && d.Loop >= 0 {
		h.Module, h.Host, h.Kernel = d.Module, d.Host, d.Kernel
		original = d.Host
	}
	if c, ok := cabi.Of(original); ok {
		h.C = c
	}
	return h.Source()
}
