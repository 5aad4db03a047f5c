package loom

import (
	"path/filepath"
	"slices"

	"loom/compiler/report"
)

// picture adds viz.html.
func (m *Mapping) picture(a *Artifacts, run *Run) error {
	p := &report.Picture{Fabric: m.Fabric.Arch, Graph: m.Kernel.Graph, Mapping: m.Data, Sources: m.Kernel.sources()}
	if run != nil {
		p.Trace, p.Stat, p.Loops = run.Trace, run.Stat, m.loops(run.Environment)
	}
	viz, err := p.HTML()
	if err != nil {
		return err
	}
	a.add(m.Name()+".viz.html", viz)
	return nil
}

// sourceFiles are the extensions of what a kernel may be written in or made of.
var sourceFiles = []string{".c", ".h", ".cpp", ".cc", ".cxx", ".hpp", ".mlir", ".ll"}

// sources are the texts that operations of the graph come from: the kernel's own, and files
// that it includes or was made from, where they can be read.
func (k *Kernel) sources() []report.Source {
	out := []report.Source{}
	for _, op := range k.Graph.Regions[0].Entry().Ops {
		file := op.Pos.File
		if file == "" || slices.ContainsFunc(out, func(s report.Source) bool { return s.File == file }) {
			continue
		}
		src := k.source
		if file != src.Name {
			if !slices.Contains(sourceFiles, filepath.Ext(file)) {
				continue
			}
			var err error
			if src, err = ReadSource(file); err != nil {
				continue
			}
		}
		out = append(out, report.Source{File: file, Text: src.Text})
	}
	return out
}
