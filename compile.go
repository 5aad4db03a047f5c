package loom

import (
	"context"
	"io"
	"slices"
	"strconv"
	"strings"

	"loom/compiler/dfg"
	"loom/compiler/diag"
	"loom/compiler/dialect/irdl"
	"loom/compiler/frontend"
	"loom/compiler/frontend/domain"
	"loom/compiler/ir"
	"loom/compiler/lower"
	"loom/compiler/lower/explain"
	"loom/compiler/mapper/tech"
	"loom/compiler/mlir"
	"loom/compiler/opname"
	"loom/compiler/pipeline"
	"loom/sim/level0"
)

// What holds where CompileOptions do not say.
const (
	DefaultMemoryOrder = "pipelined"
	DefaultIndexWidth  = 64
	DefaultMemoryBytes = lower.DefaultMemoryBytes
	// MaxMemoryBytes bounds CompileOptions.MemoryBytes.
	MaxMemoryBytes = 1 << 30
)

// CompileOptions choose what of a source is lowered, and how.
type CompileOptions struct {
	Watch
	// Function names the function, "" takes the only candidate.
	Function string
	// Domain is the part of it that becomes hardware: auto (also for ""), function, or
	// loop=N with a number of Loops.
	Domain string
	// Fabric is what the graph has to suit: its index width, its widest join, its
	// units. nil is none.
	Fabric *Fabric
	// IndexWidth is the bits of the index type without Fabric, 32 to 64; 0 is
	// DefaultIndexWidth.
	IndexWidth int
	// MemoryOrder is how accesses to one memory wait for each other: pipelined (also
	// for "") as far as that has no effect, or serial.
	MemoryOrder string
	// MemoryBytes is the room for a local memory whose size the program computes; 0 is
	// DefaultMemoryBytes.
	MemoryBytes int64
	// Flags go to the C compiler: -I, -D, -std.
	Flags []string
	// AssumeNoAlias takes all pointers of C and C++ to point to distinct arrays.
	AssumeNoAlias bool
	// ExplainMemory asks for Kernel.Memory.
	ExplainMemory bool
	// DumpAfter names the pass after which the IR goes to DumpTo, all for every pass.
	DumpAfter string
	// DumpTo receives what DumpAfter asks for; nil drops it.
	DumpTo io.Writer
}

// Check refuses values that no stage could make sense of.
func (o *CompileOptions) Check() error {
	if o.MemoryBytes < 0 || o.MemoryBytes > MaxMemoryBytes {
		return badOption("memory-bytes", "takes 1 to %d, found %d", MaxMemoryBytes, o.MemoryBytes)
	}
	if !slices.Contains([]string{"", "serial", "pipelined"}, o.MemoryOrder) {
		return badOption("memory-order", "takes serial or pipelined, found %q", o.MemoryOrder)
	}
	n, ok := o.loopNumber()
	if !ok {
		return badOption("domain", "loop=N takes a number as --list-loops prints it, found %q", strings.TrimPrefix(o.Domain, "loop="))
	}
	if n < 0 && !slices.Contains([]string{"", "auto", "function"}, o.Domain) {
		return badOption("domain", "takes auto, function or loop=N, found %q", o.Domain)
	}
	if known := pipeline.UnknownDump(o.DumpAfter); o.DumpAfter != "" && known != "" {
		return badOption("dump-after", "takes a pass or all, found %q; %s", o.DumpAfter, known)
	}
	return checkIndexWidth(o.IndexWidth)
}

func checkIndexWidth(bits int) error {
	if bits != 0 && (bits < 32 || bits > 64) {
		return badOption("index-width", "takes 32 to 64 bits, found %d", bits)
	}
	return nil
}

// loopNumber is N of loop=N, -1 for other domains; ok is false where there is no number.
func (o *CompileOptions) loopNumber() (n int, ok bool) {
	text, isLoop := strings.CutPrefix(o.Domain, "loop=")
	if !isLoop {
		return -1, true
	}
	v, err := strconv.ParseUint(text, 10, 31)
	return int(v), err == nil
}

// complete puts in what holds where the options do not say.
func (o CompileOptions) complete() CompileOptions {
	if o.Fabric != nil {
		o.IndexWidth = o.Fabric.Arch.IndexWidth
	}
	if o.IndexWidth == 0 {
		o.IndexWidth = DefaultIndexWidth
	}
	if o.DumpTo == nil {
		o.DumpTo = io.Discard
	}
	if o.MemoryOrder == "" {
		o.MemoryOrder = DefaultMemoryOrder
	}
	if o.MemoryBytes == 0 {
		o.MemoryBytes = DefaultMemoryBytes
	}
	return o
}

// lowering are the options of the lowering of a function, for the fabric if there is
// one; it dumps nothing.
func (o *CompileOptions) lowering(function string) lower.Options {
	l := lower.Options{
		Function: function, MemoryOrder: o.MemoryOrder, IndexWidth: o.IndexWidth, MemoryBytes: o.MemoryBytes,
		Print: func(op *ir.Operation) string { return mlir.Print(op, mlir.Options{}) },
	}
	if o.Fabric != nil {
		f := o.Fabric.Arch
		l.MaxJoinFanin, l.StreamOps, l.Executes = f.MaxJoinFanin, f.StreamOps, tech.Units(f)
	}
	return l
}

// Kernel is a kernel as a dataflow graph, with what it was made from. It is not for
// concurrent use.
type Kernel struct {
	// Name begins the names of its artifacts.
	Name string
	// Graph is the dataflow graph (handshake.func), GraphModule the module around it.
	Graph, GraphModule *ir.Operation
	// Function is the structured function that became the graph, Module the module
	// around it; both are nil where the source was a graph.
	Function, Module *ir.Operation
	// Domain is the part of the source's function that became hardware, nil for a graph.
	Domain *domain.Domain
	// Candidates are the parts that the choice was made among, nil where the options
	// made it.
	Candidates []*domain.Candidate
	// Memory says which rule orders the accesses to each memory, where
	// CompileOptions.ExplainMemory asks.
	Memory explain.Memory
	// IndexWidth is the bits of index values.
	IndexWidth int

	// whole is the module as it was before a domain was taken out of it, opts what the
	// kernel was compiled with; its Function is the domain's.
	whole *ir.Operation
	opts  CompileOptions
	// stages are the artifacts of the front end, nil where the source was structured.
	stages []frontend.Stage
	// located says that operations know places in a source behind the text: the
	// graph's text then names them, too.
	located bool
	// original is the source's function for this machine, nil where there is none or
	// triedOriginal is false.
	original      *level0.Program
	triedOriginal bool
}

// Compile lowers a kernel to a dataflow graph, for a fabric if one is given. A graph is
// taken as it is.
func Compile(ctx context.Context, src Source, opts CompileOptions) (*Kernel, error) {
	if err := opts.Check(); err != nil {
		return nil, err
	}
	opts = opts.complete()
	s, err := structure(ctx, src, &opts)
	if err != nil {
		return nil, err
	}
	if graphs := opsNamed(s.module, opname.HandshakeFunc); len(graphs) > 0 && withSymbol(opsNamed(s.module, opname.FuncFunc), opts.Function) == nil {
		return graphKernel(src, s.module, s.located, opts)
	}
	fn, err := lower.Function(s.module, opts.Function)
	if err != nil {
		return nil, err
	}
	k := &Kernel{Name: Stem(src.Name), IndexWidth: opts.IndexWidth, whole: s.module, stages: s.stages, located: s.located}
	if k.Domain, k.Candidates, err = chooseDomain(s.module, fn, &opts); err != nil {
		return nil, err
	}
	k.Module, k.Function = k.Domain.Module, k.Domain.Kernel
	opts.Function = k.Function.SymName()
	k.opts = opts
	l := opts.lowering(opts.Function)
	l.DumpAfter, l.DumpTo = lower.Table().Dumps(opts.DumpAfter), opts.DumpTo
	res, err := lower.Lower(k.Module, l)
	if err != nil {
		return nil, err
	}
	opts.warn(res.Notes.All...)
	k.Graph, k.GraphModule = res.Func, res.Module
	if opts.ExplainMemory {
		k.Memory = append(explain.Memory{}, res.Memory...)
	}
	return k.check(&opts.Watch)
}

// LoadGraph reads a dataflow graph (.dfg.mlir). Of the options Function and IndexWidth
// count.
func LoadGraph(src Source, opts CompileOptions) (*Kernel, error) {
	if err := checkIndexWidth(opts.IndexWidth); err != nil {
		return nil, err
	}
	module, located, err := parse(src, &opts.Watch)
	if err != nil {
		return nil, err
	}
	return graphKernel(src, module, located, opts.complete())
}

// graphKernel is a kernel that is a graph already.
func graphKernel(src Source, module *ir.Operation, located bool, opts CompileOptions) (*Kernel, error) {
	fn, err := pickGraph(src.Name, module, opts.Function)
	if err != nil {
		return nil, err
	}
	k := &Kernel{Name: Stem(src.Name), Graph: fn, GraphModule: module, IndexWidth: opts.IndexWidth, located: located}
	return k.check(&opts.Watch)
}

// pickGraph chooses the handshake.func of a module: the named one, else the only
// one.
func pickGraph(file string, module *ir.Operation, function string) (*ir.Operation, error) {
	all := opsNamed(module, opname.HandshakeFunc)
	switch {
	case len(all) == 0:
		return nil, diag.New(diag.Pos{File: file}, "holds no handshake.func, so it is no dataflow graph").
			WithHelp("loom compile makes one from a kernel")
	case function != "":
		if fn := withSymbol(all, function); fn != nil {
			return fn, nil
		}
		return nil, diag.New(diag.Pos{File: file}, "holds no handshake.func %s", ir.SymbolText(function)).
			WithHelp("it holds %s", symbols(all))
	case len(all) > 1:
		return nil, diag.New(all[1].Pos, "the file holds %d graphs", len(all)).
			WithHelp("choose one with --function: %s", symbols(all))
	}
	return all[0], nil
}

// withSymbol returns the operation of that symbol, nil where there is none.
func withSymbol(ops []*ir.Operation, symbol string) *ir.Operation {
	for _, o := range ops {
		if o.SymName() == symbol {
			return o
		}
	}
	return nil
}

// symbols lists operations for messages: "@f, @g".
func symbols(ops []*ir.Operation) string {
	names := make([]string, len(ops))
	for i, o := range ops {
		names[i] = ir.SymbolText(o.SymName())
	}
	return strings.Join(names, ", ")
}

// check proves the invariants of the graph before anything is built on it.
func (k *Kernel) check(w *Watch) (*Kernel, error) {
	var errs diag.List
	dfg.Verify(k.Graph, &errs)
	if errs.HasErrors() {
		return nil, &errs
	}
	w.warn(errs.All...)
	return k, nil
}

// structured is a source on its way to structured control flow.
type structured struct {
	module  *ir.Operation
	stages  []frontend.Stage
	located bool
}

// structure reads a kernel and brings it to structured control flow. After the front end
// there is one function, the kernel: opts name it no longer.
func structure(ctx context.Context, src Source, opts *CompileOptions) (s structured, err error) {
	if pipeline.DumpsNothing(opts.DumpAfter, src.Name) {
		var l diag.List
		opts.warn(l.Warnf(diag.Pos{File: src.Name}, "--dump-after %s has no effect: the input is past that pass", opts.DumpAfter))
	}
	if !src.FrontEnd() {
		s.module, s.located, err = parse(src, &opts.Watch)
		return s, err
	}
	done := opts.doing("front end")
	res, err := frontend.Run(ctx, src.Name, src.Text, frontend.Options{
		Function: opts.Function, Flags: opts.Flags, AssumeNoAlias: opts.AssumeNoAlias,
		DumpAfter: opts.DumpAfter, DumpTo: opts.DumpTo,
	})
	done()
	if err != nil {
		return s, err
	}
	opts.warn(res.Notes.All...)
	opts.Function = ""
	return structured{res.Module, res.Stages, true}, nil
}

// Explain lists each operation of the structured function with the operations it became,
// their regions and rules. There must be a function.
func (k *Kernel) Explain() []explain.Operation {
	return explain.Lowering(k.Module, k.Graph, mlir.ValueNames(k.GraphModule))
}

// Stats counts the operations of the graph.
func (k *Kernel) Stats() dfg.Statistics { return dfg.Stats(k.Graph) }

// operations counts what a graph consists of, its return aside.
func operations(graph *ir.Operation) int {
	return len(graph.Regions[0].Entry().Ops) - 1
}

// countOps counts the operations inside of op.
func countOps(op *ir.Operation) int {
	n := 0
	op.Walk(func(*ir.Operation) bool { n++; return true })
	return n
}

// GraphText chooses how Kernel.Artifacts spell the graph.
type GraphText struct {
	// Generic is MLIR's generic form, for mlir-opt with the definitions of loom irdl.
	Generic bool
	// Dot draws the graph for Graphviz as well.
	Dot bool
}

// Artifacts are the stages of the front end or the structured form, and the graph.
func (k *Kernel) Artifacts(form GraphText) (*Artifacts, error) {
	var a Artifacts
	for _, st := range k.stages {
		a.add(k.Name+st.Ext, st.Text)
	}
	if k.Module != nil && k.stages == nil {
		a.add(k.Name+".scf.mlir", []byte(mlir.Print(k.whole, mlir.Options{Debuginfo: k.located})))
	}
	if k.located {
		mlir.KeepLocations(k.GraphModule)
	}
	var text string
	var err error
	if form.Generic {
		text, err = irdl.Print(k.GraphModule)
	} else {
		text = mlir.Print(k.GraphModule, mlir.Options{Debuginfo: k.located})
	}
	if err != nil {
		return nil, err
	}
	a.add(k.Name+".dfg.mlir", []byte(text))
	if form.Dot {
		a.add(k.Name+".dfg.dot", []byte(dfg.Dot(k.Graph)))
	}
	return &a, nil
}
