package loom

import (
	"bytes"
	"context"

	"loom/compiler/cabi"
	"loom/compiler/config"
	"loom/compiler/config/cheader"
	"loom/compiler/host"
	"loom/compiler/report"
	"loom/sim/hostrun"
)

// Artifacts returns the files of the mapping: the mapping itself (.map.json, .map.txt), the
// configuration image (.config.json, .config.bin, .config.h), the host's runtime
// description and C code (.runtime.json, <dfg>_host.h, <dfg>_host.c, loom_accel.h, loom_accel.c), and the
// visualisation (.viz.html), which plays the run back unless it is nil.
func (m *Mapping) Artifacts(run *Run) (*Artifacts, error) {
	var cfgJSON, cfgHeader bytes.Buffer
	if err := m.Image.WriteJSON(&cfgJSON); err != nil {
		return nil, err
	}
	info := cheader.Info{DFG: m.Kernel.Name, ADG: m.Fabric.Name, Tool: "loom " + Version}
	if err := cheader.Write(&cfgHeader, m.Image, info, m.Binding); err != nil {
		return nil, err
	}
	runtime, err := host.Runtime(m.Binding, m.Fabric.Layout, m.Fabric.Arch)
	if err != nil {
		return nil, err
	}
	hostH, hostC, err := m.hostCode()
	if err != nil {
		return nil, err
	}
	accelH, accelC, err := host.Driver()
	if err != nil {
		return nil, err
	}
	a := &Artifacts{Files: []File{
		{m.Name() + ".map.json", m.Data.JSON()},
		{m.Name() + ".map.txt", []byte(report.Text(m.Data))},
		{m.Name() + ".config.json", cfgJSON.Bytes()},
		{m.Name() + ".config.bin", config.Bytes(m.Image.Encode())},
		{m.Name() + ".config.h", cfgHeader.Bytes()},
		{m.Name() + ".runtime.json", runtime},
		{m.Kernel.Name + "_host.h", hostH},
		{m.Kernel.Name + "_host.c", hostC},
		{"loom_accel.h", accelH},
		{"loom_accel.c", accelC},
	}}
	return a, m.picture(a, run)
}

// hostProgram compiles the host function of a kernel whose domain is a loop.
func (m *Mapping) hostProgram(ctx context.Context, w *Watch) (*hostrun.Program, error) {
	o, err := m.hostOptions()
	if err != nil {
		return nil, err
	}
	defer w.doing("host function")()
	defer w.external()()
	return hostrun.Build(ctx, *o)
}

func (m *Mapping) hostOptions() (*hostrun.Options, error) {
	header, source, err := m.hostCode()
	if err != nil {
		return nil, err
	}
	accel, _, err := host.Driver()
	if err != nil {
		return nil, err
	}
	var config bytes.Buffer
	if err := cheader.Write(&config, m.Image, cheader.Info{DFG: m.Kernel.Name, ADG: m.Fabric.Name, Tool: "loom " + Version}, m.Binding); err != nil {
		return nil, err
	}
	k := m.Kernel
	o := &hostrun.Options{
		Files: map[string][]byte{k.Name + "_host.h": header, k.Name + "_host.c": source, "loom_accel.h": accel, m.Name() + ".config.h": config.Bytes()},
		Stem:  k.Name, Name: k.Domain.Host.SymName(), Binding: m.Binding, Image: m.Image.Encode(), Layout: m.Fabric.Layout.Hash,
		Host: k.Domain.Host, IndexWidth: k.IndexWidth,
	}
	if c, ok := cabi.Of(k.Domain.Host); ok {
		o.C, o.Name = c, c.Name
	}
	return o, nil
}

// hostCode is <dfg>_host.h and <dfg>_host.c: a function with the parameters of the C
// function, or of the kernel where there is none.
func (m *Mapping) hostCode() (header, source []byte, err error) {
	k, f := m.Kernel, m.Fabric
	p := &host.Program{
		Binding: m.Binding, Layout: f.Layout, Name: k.Name, Fabric: f.Arch.Name, ConfigHeader: m.Name() + ".config.h",
		IndexWidth: k.IndexWidth, Graph: k.Graph, Distinct: k.opts.AssumeNoAlias,
	}
	original := k.Graph
	if d := k.Domain; d != nil && d.Loop >= 0 {
		p.Module, p.Host, p.Kernel = d.Module, d.Host, d.Kernel
		original = d.Host
	}
	if c, ok := cabi.Of(original); ok {
		p.C = c
	}
	return p.Source()
}
