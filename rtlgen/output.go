// Package rtlgen turns a fabric and the layout of its configuration image into
// SystemVerilog: the top level, one module per distinct PE, the library modules
// they use, a file list and a signature for testbench and host.
//
// Every decision is made here, in Go, and handed to the templates in loom/templates
// as views of legal names, widths, integers and lists; ports, instances, processes and
// comments stand in the templates. The hand-written blocks are those of loom/rtl,
// copied unchanged.
//
// Source: design pages "RTL" and "Configuration image"; the cycle contract of the
// library is rtl/README.md.
package rtlgen

import (
	"fmt"
	"sort"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/diag"
	"loom/templates"
)

// Meta is what a design is made of beside the fabric: what the header of every generated
// file states about its origin, the reset of <adg>_top, and the ports of a direct circuit.
type Meta struct {
	InputName   string // the file the fabric came from
	InputHash   string // digest of its contents
	ToolVersion string
	Reset       Reset
	Ports       Ports
}

// Output is a generated design: file texts by name. The same inputs give the
// same bytes.
type Output struct {
	// Top is the name of <adg>_fabric, which co-simulation builds.
	Top string
	// HostTop is the name of <adg>_top, "" where the register file has no room for the
	// fabric's boundary.
	HostTop string
	// Files maps a file name to its text; filelist.f and the signature are among
	// them.
	Files map[string]string
	// Sources are the SystemVerilog files in dependency order, as filelist.f
	// lists them.
	Sources   []string
	Signature *Signature
	// Reset is that of <adg>_top.
	Reset Reset
	// Wrapper is the outermost module of a direct circuit whose ports are not those of its core,
	// nil where the core is the outermost.
	Wrapper *Wrapper
	// Direct is the signature of a direct circuit, nil for a fabric.
	Direct *DirectSignature
}

// Names are the names of all files in alphabetical order.
func (o *Output) Names() []string {
	names := make([]string, 0, len(o.Files))
	for n := range o.Files {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// FileList is the name of the generated file list.
const FileList = "filelist.f"

// Generate makes the RTL of a fabric. layout must be that of f. Errors are
// diagnostics that name the component or function unit the generator has no
// hardware for.
func Generate(f *arch.Fabric, layout *config.Layout, meta Meta) (*Output, error) {
	if layout == nil || layout.Fabric != f {
		return nil, fmt.Errorf("rtlgen: the configuration layout does not belong to fabric '%s'", f.Name)
	}
	var errs diag.List
	checkFabric(f, &errs)
	if err := errs.Err(); err != nil {
		return nil, err
	}

	if meta.Reset.Name == "" {
		meta.Reset.Name = DefaultReset
	}
	g := &generator{fabric: f, layout: layout, meta: meta, errs: &errs, files: map[string]string{}, peMods: map[string]*peModule{}}
	g.stem = arch.LegalName(f.Name)
	g.moduleNames = newScope(g.coreName(), g.fabricName(), g.topName())
	g.name()
	signature := g.signature()
	g.core(signature)
	g.shells(signature)
	if err := errs.Err(); err != nil {
		return nil, err
	}
	sources, err := g.addLibrary()
	if err != nil {
		return nil, err
	}
	out := &Output{Top: g.fabricName(), HostTop: g.hostTop, Files: g.files, Sources: sources, Signature: signature, Reset: meta.Reset}
	if out.Files[FileList], err = templates.Render("filelist.f.tmpl", fileListView{g.header(), out.Top, sources}); err != nil {
		return nil, err
	}
	if out.Files[g.stem+".signature.json"], err = out.Signature.JSON(); err != nil {
		return nil, err
	}
	return out, nil
}

// generator holds what the parts of one run share.
type generator struct {
	fabric *arch.Fabric
	layout *config.Layout
	meta   Meta
	stem   string // legal name of the fabric
	errs   *diag.List
	files  map[string]string
	// hostTop is the name of <adg>_top once it has been generated.
	hostTop string
	// generated lists the generated SystemVerilog files, leaves first.
	generated []string
	// inputs and outputs are the names of the boundary ports, comps and chans those of
	// components and channels by ID: legal stems of their signals.
	inputs, outputs, comps, chans []string
	// shared are those of iterative units that several PEs have, by group.
	shared [][]string

	peMods      map[string]*peModule // by component Def
	moduleNames *scope
}

func (g *generator) coreName() string   { return g.stem + "_core" }
func (g *generator) fabricName() string { return g.stem + "_fabric" }
func (g *generator) topName() string    { return g.stem + "_top" }

// emit renders a template into a generated SystemVerilog file.
func (g *generator) emit(file, template string, view any) {
	text, err := templates.Render(template, view)
	if err != nil {
		g.errs.Add(&diag.Diagnostic{Severity: diag.Internal, Message: err.Error()})
		return
	}
	g.files[file] = text
	g.generated = append(g.generated, file)
}

// headerView is the comment at the head of a generated file.
type headerView struct {
	Meta Meta
	Hash string // of the layout
}

func (g *generator) header() headerView {
	return headerView{g.meta, fmt.Sprintf("%016x", g.layout.Hash)}
}

type fileListView struct {
	Header  headerView
	Top     string
	Sources []string
}
