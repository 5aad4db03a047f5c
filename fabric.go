package loom

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/arch/build"
	"loom/compiler/config"
	"loom/compiler/cost"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/mapper"
	"loom/compiler/mlir"
	"loom/compiler/opname"
	"loom/compiler/report"
	"loom/rtlgen"
	"loom/rtlgen/ip"
)

// Fabric is a reconfigurable fabric: the target of Map and the input of Generate.
type Fabric struct {
	// Name is the prefix of the names of its artifacts.
	Name string
	// Text is the fabric as Fabric MLIR.
	Text string
	// Arch is the flattened fabric: components and the connections between their ports.
	Arch *arch.Fabric
	// Layout is the bit layout of its configuration image.
	Layout *config.Layout

	// Reset is the reset input of <adg>_top: aresetn, active low, where it is not set.
	Reset Reset

	// target is Arch for mapping.
	target *mapper.Target

	// source is the text that the fabric was read from, file its name.
	source, file string
}

// LoadFabric reads an architecture description (.yaml) or Fabric MLIR and verifies the
// fabric.
func LoadFabric(src Source, w Watch) (*Fabric, error) {
	var module *ir.Operation
	var err error
	if src.isYAML() {
		module, err = build.Build(src.Name, []byte(src.Text))
	} else if module, err = Parse(src, w); err == nil && len(opsNamed(module, opname.FabricModule)) == 0 {
		err = diag.New(diag.Pos{File: src.Name}, "holds no fabric.module, so it is no fabric").
			WithHelp("a fabric is an architecture description (.yaml) or Fabric MLIR, which loom adg writes")
	}
	if err != nil {
		return nil, err
	}
	f := &Fabric{Name: Stem(src.Name), Text: mlir.Print(module, mlir.Options{}), source: src.Text, file: src.Name}
	if f.Arch, err = arch.FromModule(module, ""); err != nil {
		return nil, err
	}
	f.flattened()
	return f, nil
}

// flattened sets what follows from Arch alone.
func (f *Fabric) flattened() {
	f.Layout = config.NewLayout(f.Arch)
	f.target = mapper.NewTarget(f.Arch)
}

// String returns a line with the fabric's name, the number of components of each kind, and
// the size of its configuration in words.
func (f *Fabric) String() string {
	count := map[arch.Kind]int{}
	units := 0
	for _, c := range f.Arch.Comps {
		if c.PE != nil && !c.GeneralPE() {
			units++
			continue
		}
		count[c.Kind]++
	}
	var parts []string
	for _, k := range []struct {
		kind arch.Kind
		noun string
	}{{arch.SpatialPE, "PE"}, {arch.TemporalPE, "temporal PE"}, {arch.SpatialSwitch, "switch"}, {arch.ExtMemory, "external memory"}, {arch.Memory, "on-chip memory"}, {arch.FIFO, "FIFO"}} {
		if n := count[k.kind]; n > 0 {
			parts = append(parts, diag.Plural(n, k.noun))
		}
		if k.kind == arch.SpatialPE && units > 0 {
			parts = append(parts, diag.Plural(units, "unit")+" at memories")
		}
	}
	if len(parts) == 0 {
		parts = []string{"no components"}
	}
	return fmt.Sprintf("fabric %s: %s; configuration of %s", ir.SymbolText(f.Arch.Name), strings.Join(parts, ", "), diag.Plural(f.Layout.WordCount, "word"))
}

// Estimate is what a fabric takes on an FPGA, by class of component.
type Estimate = cost.Estimate

// CostClasses lists the classes of an Estimate in the order of reports.
func CostClasses() []cost.Class { return cost.Classes() }

// Cost estimates the look-up tables and flip-flops of <adg>_fabric (package cost).
func (f *Fabric) Cost() *Estimate { return cost.Fabric(f.Arch, f.Layout) }

// Artifacts returns the fabric as MLIR (.fabric.mlir), as a drawing for viewers
// (.fabric.viz.json) and as a page for browsers (.fabric.viz.html).
func (f *Fabric) Artifacts() (*Artifacts, error) {
	viz, err := report.FabricViz(f.Arch)
	if err != nil {
		return nil, err
	}
	page, err := (&report.Picture{Fabric: f.Arch}).HTML()
	if err != nil {
		return nil, err
	}
	var a Artifacts
	a.add(f.Name+".fabric.mlir", []byte(f.Text))
	a.add(f.Name+".fabric.viz.json", viz)
	a.add(f.Name+".fabric.viz.html", page)
	return &a, nil
}

// Reset is the reset input of <adg>_top: its name and whether it is active high.
type Reset = rtlgen.Reset

// DefaultReset is the name of the reset that AXI tools expect.
const DefaultReset = rtlgen.DefaultReset

// ParseReset reads a reset as it stands on a command line: NAME, or NAME:high for an
// active-high one. The error says what is wrong with it.
func ParseReset(text string) (Reset, error) { return rtlgen.ParseReset(text) }

// RTL is the generated SystemVerilog of a fabric.
type RTL struct {
	*rtlgen.Output
	descriptions map[string]string
}

// Generate generates the RTL of a fabric. The output is deterministic: the same fabric
// gives the same bytes. The error names the components and function units that have no
// hardware implementation.
func Generate(f *Fabric) (*RTL, error) {
	out, err := rtlgen.Generate(f.Arch, f.Layout, rtlgen.Meta{
		InputName:   f.Name + ".fabric.mlir",
		InputHash:   fmt.Sprintf("%x", sha256.Sum256([]byte(f.Text)))[:16],
		ToolVersion: Version,
		Reset:       f.Reset,
	})
	if err != nil {
		return nil, err
	}
	descriptions, err := ip.Files(out, Version)
	if err != nil {
		return nil, err
	}
	return &RTL{out, descriptions}, nil
}

// Artifacts returns the files below rtl/: the design, the library modules it uses,
// filelist.f in compilation order, the signature of the top module, and its description
// as SystemRDL, FuseSoC core and IP-XACT component.
func (r *RTL) Artifacts() *Artifacts {
	var a Artifacts
	for _, n := range r.Names() {
		a.add("rtl/"+n, []byte(r.Files[n]))
	}
	for _, n := range slices.Sorted(maps.Keys(r.descriptions)) {
		a.add("rtl/"+n, []byte(r.descriptions[n]))
	}
	return &a
}
