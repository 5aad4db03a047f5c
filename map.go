package loom

import (
	"context"
	"path/filepath"
	"runtime"
	"time"

	"loom/compiler/config"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/mapper"
	"loom/compiler/mapper/check"
	"loom/compiler/mapping"
	"loom/compiler/opname"
)

// MapOptions steer the mapper.
type MapOptions struct {
	Watch
	// Seed starts the search; same inputs, latency and seed give the same mapping.
	Seed uint64
	// Budget is the time after which mapping gives up; 0 is none.
	Budget time.Duration
	// Jobs is the number of workers, 0 for one per processor; it changes no result.
	Jobs int
	// Latency is the external memory that placements are rated and intervals stated
	// for; the zero value is latency.Default.
	Latency latency.Profile
}

// Mapping is a kernel on a fabric.
type Mapping struct {
	// Kernel is the kernel, with the fabric's index width: inputs of runs on the fabric
	// are made from it.
	Kernel *Kernel
	// Fabric is what it was mapped onto.
	Fabric *Fabric
	// Data is the mapping itself, what map.json holds.
	Data *mapping.Mapping
	// Image is the configuration.
	Image *config.Image
	// Binding says where arguments and results are.
	Binding *mapping.Binding
}

// Name begins the names of artifacts that concern kernel and fabric: <dfg>.<adg>.
func (m *Mapping) Name() string { return m.Kernel.Name + "." + m.Fabric.Name }

// onto is an empty mapping.
func (k *Kernel) onto(f *Fabric) *Mapping {
	here := *k
	if here.IndexWidth != f.Arch.IndexWidth {
		here.IndexWidth = f.Arch.IndexWidth
		here.original, here.triedOriginal = nil, false // it is built for one width
	}
	return &Mapping{Kernel: &here, Fabric: f}
}

// Map places and routes a graph on a fabric, has the result checked independently, and
// runs it once in the cycle simulator: a routed mapping is done only when it also moves
// (design page "Mapper"). The error says what the fabric lacks, and what would help.
func Map(ctx context.Context, k *Kernel, f *Fabric, opts MapOptions) (*Mapping, error) {
	m := k.onto(f)
	if err := m.make(ctx, &opts); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, k.domainHint(k.orderHint(err, f))
	}
	return m, nil
}

// make is Map without what would help.
func (m *Mapping) make(ctx context.Context, opts *MapOptions) error {
	if err := indexFits(m.Kernel.Graph, m.Kernel.IndexWidth); err != nil {
		return err
	}
	if opts.Jobs == 0 {
		opts.Jobs = runtime.NumCPU()
	}
	done := opts.doing("mapping")
	res, err := mapper.Map(m.Kernel.Graph, m.Fabric.Arch, mapper.Options{
		Seed: opts.Seed, Budget: opts.Budget, Jobs: opts.Jobs, Latency: latency.Model{Memory: opts.Latency},
		Stop: ctx.Done(), Progress: func(s string) { opts.doing("mapping: " + s) },
	})
	done()
	if err != nil {
		return err
	}
	m.Data, m.Image, m.Binding = res.Mapping, res.Image, res.Binding
	withoutFolders(m.Data)
	return m.try(&opts.Watch)
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

// LoadMapping reads a mapping (map.json) of the graph onto the fabric. A file is
// anybody's: the independent checker judges it before anything runs on it.
func LoadMapping(src Source, k *Kernel, f *Fabric) (*Mapping, error) {
	m := k.onto(f)
	var err error
	if m.Data, err = mapping.Read(src.Name, []byte(src.Text)); err != nil {
		return nil, err
	}
	refuse := func(format string, args ...any) (*Mapping, error) {
		return nil, diag.New(diag.Pos{File: src.Name}, format, args...).
			WithHelp("loom map makes the mapping of this graph onto this fabric")
	}
	if m.Data.Kernel != k.Graph.SymName() {
		return refuse("is the mapping of kernel %s, but %s holds %s", ir.SymbolText(m.Data.Kernel), k.Graph.Pos.File, ir.SymbolText(k.Graph.SymName()))
	}
	if want := mapping.HashText(f.Layout.Hash); m.Data.Fabric != f.Arch.Name || m.Data.LayoutHash != want {
		return refuse("is a mapping onto fabric %s with layout %s, but the fabric given is %s with layout %s",
			ir.SymbolText(m.Data.Fabric), m.Data.LayoutHash, ir.SymbolText(f.Arch.Name), want)
	}
	if err := check.Mapping(k.Graph, f.Arch, m.Data); err != nil {
		list := diag.FromError(err)
		list.All[0].WithNote(diag.Pos{File: src.Name}, "this is the mapping")
		return nil, list
	}
	if m.Image, err = m.Data.Image(f.Arch); err != nil {
		return nil, inFile(src.Name, err)
	}
	if m.Binding, err = m.Data.Bind(k.Graph, f.Arch); err != nil {
		return nil, inFile(src.Name, err)
	}
	return m, nil
}

// inFile names the file in findings that have no place.
func inFile(file string, err error) error {
	list := diag.FromError(err)
	for _, d := range list.All {
		if d.Pos == (diag.Pos{}) {
			d.Pos.File = file
		}
	}
	return list
}
