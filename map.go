package loom

import (
	"context"
	"math"
	"path/filepath"
	"runtime"
	"time"

	"loom/compiler/config"
	"loom/compiler/decouple"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/lower"
	"loom/compiler/mapper"
	"loom/compiler/mapper/check"
	"loom/compiler/mapping"
	"loom/compiler/mlir"
	"loom/compiler/opname"
)

// MapOptions are the options of Map.
type MapOptions struct {
	Watch
	// Seed is the seed of the placer's and router's search. The same graph, fabric, latency
	// and seed give the same mapping.
	Seed uint64
	// Budget is the wall-clock time after which Map fails; 0 is no limit.
	Budget time.Duration
	// Jobs is the number of worker goroutines, 0 for one per processor. The result does not
	// depend on it.
	Jobs int
	// Latency is the external-memory latency that the cost of a placement and the reported
	// initiation intervals assume; the zero value is latency.Default.
	Latency latency.Profile

	// effort is the mapper's, the zero value mapper.DefaultEffort.
	effort mapper.Effort
}

// Mapping is a kernel on a fabric.
type Mapping struct {
	// Kernel is a copy of the kernel with the fabric's index width. Make the inputs of runs
	// on the fabric from this copy.
	Kernel *Kernel
	// Fabric is the fabric it was mapped onto.
	Fabric *Fabric
	// Data is the content of map.json: sites of the operations, routes and timing.
	Data *mapping.Mapping
	// Image is the configuration image.
	Image *config.Image
	// Binding assigns arguments and results to boundary ports and memories of the fabric.
	Binding *mapping.Binding
	// Proof is what was proven of the image when it was made, nil for a mapping that was read.
	Proof *Proof
	// Choice is how MapAuto came to the fabric, nil for a mapping that it did not make.
	Choice *Choice
	// Disjoint is the mapping for runs whose arrays do not overlap (MapDisjoint), nil for none.
	Disjoint *Mapping
}

// Name is the prefix of the names of its artifacts: <dfg>.<adg>, the names of kernel and
// fabric.
func (m *Mapping) Name() string { return m.Kernel.Name + "." + m.Fabric.Name }

// onto returns an empty mapping of the kernel onto a fabric. Its graph is the kernel's, with
// trees for joins that are wider than the fabric's.
func (k *Kernel) onto(f *Fabric) (*Mapping, error) {
	if k.Free != nil {
		return nil, k.notOnFabrics()
	}
	here := *k
	limit, tooWide := f.Arch.MaxJoinFanin, 0
	k.Graph.Walk(func(op *ir.Operation) bool {
		if op.Name == opname.HandshakeJoin && op.NumOperands() > limit {
			tooWide++
		}
		return true
	})
	if tooWide > 0 {
		here.GraphModule = k.GraphModule.Clone(map[*ir.Value]*ir.Value{})
		here.Graph = withSymbol(opsNamed(here.GraphModule, opname.HandshakeFunc), k.Graph.SymName())
		var errs diag.List
		if lower.LegalizeJoins(here.Graph, limit, &errs); errs.HasErrors() {
			return nil, &errs
		}
	}
	if here.IndexWidth != f.Arch.IndexWidth {
		here.IndexWidth = f.Arch.IndexWidth
		here.original, here.triedOriginal = nil, false // it is built for one width
	}
	return &Mapping{Kernel: &here, Fabric: f}, nil
}

// Map places and routes a graph on a fabric, checks the result with an independent checker,
// proves that the configuration image makes the fabric carry out the graph (Mapping.Prove),
// and runs it once in the cycle simulator on small random inputs: a routed mapping may
// still deadlock (design page "Mapper"). The error names the resources that the fabric
// lacks and, where there are some, options that help.
func Map(ctx context.Context, k *Kernel, f *Fabric, opts MapOptions) (*Mapping, error) {
	m, err := k.onto(f)
	if err != nil {
		return nil, k.domainHint(err)
	}
	if m.Kernel.Graph != k.Graph {
		var l diag.List
		opts.warn(l.Remarkf(k.Graph.Pos, "joins of %s with more than %d inputs become trees of joins: wider ones are not on %s",
			ir.SymbolText(k.Graph.SymName()), f.Arch.MaxJoinFanin, f.Name))
	}
	if err := m.make(ctx, &opts, nil); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, k.domainHint(k.orderHint(err, f))
	}
	return m.decoupled(ctx, opts)
}

// decoupled is the mapping of the graph with counters of their own for what waits for memory, where the fabric has
// room for it and its loops are then faster; else the mapping itself.
func (m *Mapping) decoupled(ctx context.Context, opts MapOptions) (*Mapping, error) {
	how := &mapping.Decoupled{Memory: opts.Latency.OrDefault().String(), Places: m.Fabric.places(), Ports: m.Fabric.gathering()}
	for _, l := range m.Data.Timing.Loops {
		least := max(l.Recurrence.Float(), l.Lane.Float(), float64(max(l.Memory, l.Unit, 1)))
		if pace := l.Pace(); l.Innermost && pace.Tokens > 0 && pace.Float() > least {
			how.Loops = append(how.Loops, mapping.Pace{Op: l.Op, Cycles: int(math.Ceil(least))})
		}
	}
	if len(how.Loops) == 0 || ctx.Err() != nil {
		return m, nil
	}
	apart := *m
	var err error
	if apart.Kernel, err = m.Kernel.apart(how); err != nil || apart.Kernel == nil {
		return m, err
	}
	if apart.make(ctx, &opts, how) != nil || apart.Data.Timing.Interval() >= m.Data.Timing.Interval() {
		return m, nil
	}
	return &apart, nil
}

// apart returns the kernel with counters beside those of its graph, nil where none are missing.
func (k *Kernel) apart(how *mapping.Decoupled) (*Kernel, error) {
	memory, err := latency.Parse(how.Memory)
	if err != nil {
		return nil, err
	}
	loops := map[int]int{}
	for _, l := range how.Loops {
		loops[l.Op] = l.Cycles
	}
	fn, n := decouple.Run(k.Graph, decouple.Options{
		// The slowest response decides how many tokens wait.
		Latency: latency.Model{Memory: latency.Fixed(memory.Max + int64(how.Ports)), IndexWidth: k.IndexWidth}, Places: how.Places, Loops: loops,
	})
	if n == 0 {
		return nil, nil
	}
	again := fn.Clone(map[*ir.Value]*ir.Value{})
	if ir.NewOp(opname.BuiltinModule, fn.Pos, nil, nil).AddRegion().AddBlock().Append(again); !decouple.Merged(again) || printed(again) != printed(k.Graph) {
		return nil, diag.New(k.Graph.Pos, "the graph of %s with counters for what waits for memory is another one", ir.SymbolText(k.Graph.SymName())).
			WithHelp("this is a fault of LOOM; please report it with the kernel")
	}
	here := *k
	here.Graph, here.GraphModule = fn, fn.ParentOp()
	return &here, nil
}

func printed(fn *ir.Operation) string { return mlir.Print(fn, mlir.Options{}) }

// places is how many tokens may wait in front of an operand of any PE while memory responds: half of its
// queue, as others wait while they pass the fabric.
func (f *Fabric) places() int {
	least := 0
	for _, c := range f.Arch.Comps {
		if c.PE != nil && c.GeneralPE() && (least == 0 || c.PE.OperandFIFO < least) {
			least = c.PE.OperandFIFO
		}
	}
	return max(least/2, 2)
}

// gathering is what an access takes longer at most at the port of an external memory than at one that nothing shares: for those that share
// its transaction, its beats or its master.
func (f *Fabric) gathering() (cycles int) {
	var m latency.Model
	for _, master := range f.Arch.Masters() {
		for _, c := range master.Memories {
			for _, store := range []bool{false, true} {
				x := latency.Access{External: true, Store: store, Burst: c.Mem.Bursts(), Shared: master.Shared, Wide: master.Wide(c)}
				cycles = max(cycles, m.Port(x)-m.Port(latency.Access{External: true, Store: store}))
			}
		}
	}
	return cycles
}

// make is Map without the hints in its errors, of a graph with counters beside those of the kernel
// where decoupled is set.
func (m *Mapping) make(ctx context.Context, opts *MapOptions, decoupled *mapping.Decoupled) error {
	if err := indexFits(m.Kernel.Graph, m.Kernel.IndexWidth); err != nil {
		return err
	}
	if opts.Jobs == 0 {
		opts.Jobs = runtime.NumCPU()
	}
	done := opts.doing("mapping")
	res, err := m.Fabric.target.Map(m.Kernel.Graph, mapper.Options{
		Seed: opts.Seed, Budget: opts.Budget, Jobs: opts.Jobs, Latency: latency.Model{Memory: opts.Latency}, Effort: opts.effort,
		Stop: ctx.Done(), Progress: func(s string) { opts.doing("mapping: " + s) },
	})
	done()
	if err != nil {
		return err
	}
	m.Data, m.Image, m.Binding = res.Mapping, res.Image, res.Binding
	m.Data.Decoupled = decoupled
	withoutFolders(m.Data)
	done = opts.doing("proof of the configuration")
	m.Proof, err = m.Prove()
	done()
	if err != nil {
		return err
	}
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
// artifacts of a kernel must not depend on its directory.
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

// LoadMapping reads a mapping (map.json) of the graph onto the fabric. The file may come
// from anywhere, so the independent checker verifies it. It is an error if the mapping is
// of another kernel or for another fabric or configuration layout.
func LoadMapping(src Source, k *Kernel, f *Fabric) (*Mapping, error) {
	m, err := k.onto(f)
	if err != nil {
		return nil, err
	}
	if m.Data, err = mapping.Read(src.Name, []byte(src.Text)); err != nil {
		return nil, err
	}
	if how := m.Data.Decoupled; how != nil {
		apart, err := m.Kernel.apart(how)
		if err != nil {
			return nil, inFile(src.Name, err)
		}
		if apart != nil {
			m.Kernel = apart
		}
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
	if err := check.Mapping(m.Kernel.Graph, f.Arch, m.Data); err != nil {
		list := diag.FromError(err)
		list.All[0].WithNote(diag.Pos{File: src.Name}, "this is the mapping")
		return nil, list
	}
	if m.Image, err = m.Data.Image(f.Arch); err != nil {
		return nil, inFile(src.Name, err)
	}
	if m.Binding, err = m.Data.Bind(m.Kernel.Graph, f.Arch); err != nil {
		return nil, inFile(src.Name, err)
	}
	return m, nil
}

// inFile adds the file to diagnostics without a position.
func inFile(file string, err error) error {
	list := diag.FromError(err)
	for _, d := range list.All {
		if d.Pos == (diag.Pos{}) {
			d.Pos.File = file
		}
	}
	return list
}
