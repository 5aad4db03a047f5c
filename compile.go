package loom

import (
	"context"
	"io"
	"slices"
	"strconv"
	"strings"

	"loom/compiler/analysis/sequence"
	"loom/compiler/circt"
	"loom/compiler/circuit"
	"loom/compiler/dfg"
	"loom/compiler/diag"
	"loom/compiler/dialect/dataflow"
	"loom/compiler/dialect/irdl"
	"loom/compiler/frontend"
	"loom/compiler/frontend/domain"
	"loom/compiler/frontend/reassociate"
	structurer "loom/compiler/frontend/structure"
	"loom/compiler/ir"
	"loom/compiler/lower"
	"loom/compiler/lower/explain"
	"loom/compiler/mapper/tech"
	"loom/compiler/mlir"
	"loom/compiler/opname"
	"loom/compiler/pipeline"
	"loom/compiler/simplify"
	"loom/compiler/sizes"
	"loom/sim/level0"
)

// Defaults of CompileOptions for fields left at their zero value.
const (
	DefaultMemoryOrder = "pipelined"
	DefaultIndexWidth  = 64 // bits
	DefaultMemoryBytes = lower.DefaultMemoryBytes
	DefaultSimplify    = "auto"
	// AutoReassociate is --reassociate without a number: as many parts as a unit of the target keeps
	// (dataflow.accumulate), DefaultReassociate where it has none. MaxReassociate is the most.
	AutoReassociate    = -1
	DefaultReassociate = 8
	MaxReassociate     = dataflow.MaxParts
	// AutoRecentStores leaves CompileOptions.RecentStores to KeepFastest; MaxRecentStores is the most.
	AutoRecentStores = -1
	MaxRecentStores  = lower.MaxRecentStores
	// AutoUnroll leaves CompileOptions.Unroll to KeepFastest; MaxUnroll is the most.
	AutoUnroll = -1
	MaxUnroll  = lower.MaxUnroll
	// AutoUnrollAndJam leaves CompileOptions.UnrollAndJam to KeepFastest; MaxUnrollAndJam is the most.
	AutoUnrollAndJam = -1
	MaxUnrollAndJam  = lower.MaxJam
	// MaxMemoryBytes is the largest CompileOptions.MemoryBytes.
	MaxMemoryBytes = 1 << 30
)

// CompileOptions choose which part of a source is lowered, and how.
type CompileOptions struct {
	Watch
	// Function is the symbol of the function; "" selects the only candidate.
	Function string
	// Domain is the part of the function that becomes hardware: "auto" (also for ""),
	// "function", or "loop=N", where N is the Number of one of the Loops.
	Domain string
	// Inputs makes the inputs under which Domain "auto" weighs the loops of a function that
	// does not fit the fabric, by the operations that a run executes: Kernel.ReadInputs or
	// Kernel.RandomInputs of the kernel that it is called with, which is the whole function
	// without a graph. nil, also as its result, weighs them by a static estimate.
	Inputs func(whole *Kernel) (*Inputs, error)
	// Fabric is the target: the graph uses its index width, no wider join than it has, and
	// operations that its units execute. nil compiles for no particular fabric.
	Fabric *Fabric
	// IndexWidth is the width of the index type in bits, 32 to 64; 0 is
	// DefaultIndexWidth. Ignored with Fabric.
	IndexWidth int
	// Direct compiles for a direct circuit (BuildDirect) instead of a fabric.
	Direct bool
	// MemoryOrder is how accesses to the same memory are ordered: "serial", one after the
	// other, or "pipelined" (also for ""), which lets those overlap whose order has no
	// effect on the result.
	MemoryOrder string
	// RecentStores is the number of iterations, 0 to MaxRecentStores, whose stores a loop keeps in registers where its loads would
	// wait for them: they look there first. AutoRecentStores is 0, unless KeepFastest finds another one for a fabric.
	RecentStores int
	// Interlocks is whether loads of a loop wait for those stores of earlier iterations alone that go to their element, in units
	// of Fabric, or of the direct circuit, that compare the subscripts (dataflow.interlock): "on", "off", or "auto" (also for ""), which is off
	// unless KeepFastest finds for a fabric that it pays. It has no effect with RecentStores.
	Interlocks string
	// MoreUnits is whether the graph may take more units of Fabric where innermost loops become faster by that (simplify.Fabric): "on", "off",
	// or "auto" (also for ""), which is off unless KeepFastest finds that it pays. It takes a graph that is simplified for a fabric.
	MoreUnits string
	// Unroll is the number of levels, 0 to MaxUnroll, of innermost loops of few iterations, whose number is known, that are written
	// out, so that the loop around them becomes the innermost one. AutoUnroll is 0, unless KeepFastest finds another one for a fabric.
	Unroll int
	// UnrollAndJam is the number, up to MaxUnrollAndJam, of iterations of an outer loop that run side by side where those of the loop inside
	// wait for each other, as in a sum, and those of the outer one touch no element in common that they store to. 0 and 1 are none,
	// AutoUnrollAndJam is 0, unless KeepFastest finds another one for a fabric.
	UnrollAndJam int
	// Reuse is whether registers keep what a loop loads again, in a later iteration or in all: "on", "off", or "auto" (also for ""), which is off
	// unless KeepFastest finds for a fabric that it pays.
	Reuse string
	// Simplify is whether the graph for fabrics is simplified (package simplify) behind the
	// lowering: "on", "off", or "auto", where Fabric is set and its PEs have immediates; "" is
	// DefaultSimplify. Constants are held for the run then, which takes such PEs. Ignored with
	// Direct: BuildDirect has rules of its own.
	Simplify string
	// MemoryBytes is the size in bytes reserved for a local memory whose extent is known
	// only at run time; 0 is DefaultMemoryBytes.
	MemoryBytes int64
	// Flags go to the C compiler: -I, -D, -std.
	Flags []string
	// AssumeNoAlias assumes that all pointers of a C or C++ kernel point to distinct arrays.
	AssumeNoAlias bool
	// Reassociate splits the sums and products of floats that loops carry into so many partial ones, which
	// rounds in another order (package reassociate); AutoReassociate chooses their number, 0 keeps the order of
	// the source.
	Reassociate int
	// ExplainMemory fills Kernel.Memory.
	ExplainMemory bool
	// DumpAfter names the pass after which the IR is written to DumpTo; "all" selects
	// every pass, "" none.
	DumpAfter string
	// DumpTo receives the dumps; nil discards them.
	DumpTo io.Writer
}

// Check returns an OptionError for the first option with an invalid value.
func (o *CompileOptions) Check() error {
	if o.MemoryBytes < 0 || o.MemoryBytes > MaxMemoryBytes {
		return badOption("memory-bytes", "takes 1 to %d, found %d", MaxMemoryBytes, o.MemoryBytes)
	}
	if !slices.Contains([]string{"", "serial", "pipelined"}, o.MemoryOrder) {
		return badOption("memory-order", "takes serial or pipelined, found %q", o.MemoryOrder)
	}
	if o.RecentStores < AutoRecentStores || o.RecentStores > MaxRecentStores {
		return badOption("recent-stores", "takes 0 to %d or auto, found %d", MaxRecentStores, o.RecentStores)
	}
	if o.Unroll < AutoUnroll || o.Unroll > MaxUnroll {
		return badOption("unroll", "takes 0 to %d or auto, found %d", MaxUnroll, o.Unroll)
	}
	if o.UnrollAndJam < AutoUnrollAndJam || o.UnrollAndJam > MaxUnrollAndJam {
		return badOption("unroll-and-jam", "takes 0 to %d or auto, found %d", MaxUnrollAndJam, o.UnrollAndJam)
	}
	for _, choice := range [][2]string{{"interlocks", o.Interlocks}, {"more-units", o.MoreUnits}, {"reuse", o.Reuse}, {"simplify", o.Simplify}} {
		if !slices.Contains([]string{"", "auto", "on", "off"}, choice[1]) {
			return badOption(choice[0], "takes auto, on or off, found %q", choice[1])
		}
	}
	if o.Reassociate < AutoReassociate || o.Reassociate == 1 || o.Reassociate > MaxReassociate {
		return badOption("reassociate", "takes 2 to %d parts, found %d", MaxReassociate, o.Reassociate)
	}
	n, ok := o.loopNumber()
	if !ok {
		return badOption("domain", "loop=N takes a number as --list-loops prints it, found %q", strings.TrimPrefix(o.Domain, "loop="))
	}
	if n < 0 && !slices.Contains([]string{"", "auto", "function"}, o.Domain) {
		return badOption("domain", "takes auto, function or loop=N, found %q", o.Domain)
	}
	if err := checkDump(o.DumpAfter); err != nil {
		return err
	}
	return checkIndexWidth(o.IndexWidth)
}

// checkDump checks the name of a pass to dump after.
func checkDump(name string) error {
	if known := pipeline.UnknownDump(name); name != "" && known != "" {
		return badOption("dump-after", "takes a pass or all, found %q; %s", name, known)
	}
	return nil
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

// complete returns the options with the defaults filled in.
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
	if o.Simplify == "" {
		o.Simplify = DefaultSimplify
	}
	return o
}

// simplifies reports whether graphs are simplified for fabrics.
func (o *CompileOptions) simplifies() bool {
	return !o.Direct && (o.Simplify == "on" || o.Simplify == "auto" && o.Fabric != nil && o.Fabric.Arch.Holds())
}

// graph lowers a function of a module to the graph that is mapped, with dumps where dump is set.
func (o *CompileOptions) graph(module *ir.Operation, function string, dump bool) (*lower.Result, error) {
	l := o.lowering(function)
	if dump {
		l.DumpAfter, l.DumpTo = lower.Table().Dumps(o.DumpAfter), o.DumpTo
	}
	res, err := lower.Lower(module, l)
	if err != nil || !o.simplifies() {
		return res, err
	}
	s := simplify.Options{IndexWidth: o.IndexWidth, Fabric: &simplify.Fabric{Executes: l.Executes, Units: l.Units, Temporal: o.Fabric != nil && o.Fabric.Arch.Temporal(), TokenControls: o.Fabric != nil && o.Fabric.Arch.TokenControls()}, Print: l.Print}
	if o.MoreUnits == "on" && o.Fabric != nil {
		s.Fabric.MoreUnits, s.Fabric.Accumulates = true, tech.Accumulators(o.Fabric.Arch)
	}
	if dump {
		s.DumpAfter, s.DumpTo = simplify.Table().Dumps(o.DumpAfter), o.DumpTo
	}
	if res.Func, err = simplify.Run(res.Func, s); err != nil {
		return nil, err
	}
	res.Module = res.Func.ParentOp()
	return res, nil
}

// lowering returns the options for lowering a function, for the fabric if there is one,
// without dumps.
func (o *CompileOptions) lowering(function string) lower.Options {
	l := lower.Options{
		Function: function, MemoryOrder: o.MemoryOrder, IndexWidth: o.IndexWidth, MemoryBytes: o.MemoryBytes,
		Print:   func(op *ir.Operation) string { return mlir.Print(op, mlir.Options{}) },
		Forward: o.Direct || o.RecentStores > 0 || o.Interlocks == "on", RecentStores: max(o.RecentStores, 0), Sequences: o.Direct,
		Interlocks: o.Interlocks == "on", Unroll: max(o.Unroll, 0), Jam: max(o.UnrollAndJam, 0), Reuse: o.Reuse == "on",
	}
	if o.Fabric != nil {
		f := o.Fabric.Arch
		l.MaxJoinFanin, l.StreamOps, l.Executes, l.Units = &f.MaxJoinFanin, f.StreamOps, tech.Units(f), tech.Count(f)
		l.Parts, l.Accumulators = l.Executes, tech.CountAccumulators(f)
	} else if o.Direct {
		l.Parts = circuit.Accumulates
	}
	return l
}

// Kernel is a kernel as a dataflow graph, with the function it was lowered from. It is not
// safe for concurrent use.
type Kernel struct {
	// Name is the prefix of the names of its artifacts.
	Name string
	// Graph is the dataflow graph (handshake.func), GraphModule the module around it.
	Graph, GraphModule *ir.Operation
	// Given is a graph from elsewhere as it was given (package circt), flat: with its own
	// buffers, forks and sources, of which Graph has none. nil for a graph of LOOM's.
	Given *ir.Operation
	// Free is why Graph keeps rules of CIRCT's graphs only and not those of LOOM's
	// (dfg.Verify), so that no fabric executes it; nil where it keeps them.
	Free error
	// Function is the structured function that was lowered to the graph, Module the module
	// around it; both are nil if the source was a graph.
	Function, Module *ir.Operation
	// Domain is the part of the source's function that became hardware, nil for a graph.
	Domain *domain.Domain
	// Candidates are the parts of the function that Domain "auto" chose from, nil if
	// CompileOptions.Domain fixed the choice.
	Candidates []*domain.Candidate
	// weighed is set if their work is what a run has executed.
	weighed bool
	// Memory lists the rule that orders the accesses to each memory; filled with
	// CompileOptions.ExplainMemory.
	Memory explain.Memory
	// Sequences says for each argument of Function whether the elements of the array are touched in
	// order, so that it may be a stream; filled with CompileOptions.Direct.
	Sequences []sequence.Verdict
	// IndexWidth is the width of index values in bits.
	IndexWidth int

	// chosen is what the graph was made by, of what KeepFastest chooses.
	chosen variant
	// lowered is the module that the graph was lowered from: Module, or a copy in which less overlaps.
	lowered *ir.Operation
	// whole is the module before the domain was taken out of it; opts are the options the
	// kernel was compiled with, where Function is the domain's.
	whole *ir.Operation
	opts  CompileOptions
	// stages are the artifacts of the front end, nil if the source was structured.
	stages []frontend.Stage
	// located is set if operations carry locations in the source that the text was made
	// from; the graph is then printed with them.
	located bool
	// original is the source's function compiled for this machine, nil if there is none or
	// triedOriginal is false.
	original      *level0.Program
	triedOriginal bool
	// source is the text that the kernel was read from.
	source Source
	// overlaps are the remarks on pointers that may overlap.
	overlaps []*diag.Diagnostic
}

// Compile lowers a kernel to a dataflow graph, for the fabric of the options if there is
// one, and verifies the graph. A source that is a dataflow graph is only read and verified.
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
		opts.warn(s.notes...)
		return graphKernel(src, s.module, s.located, opts)
	}
	fn, err := lower.Function(s.module, opts.Function)
	if err != nil {
		return nil, err
	}
	sizes.Add(s.module, fn)
	if opts.Reassociate != 0 {
		opts.warn(opts.reassociated(fn))
	}
	k := &Kernel{Name: Stem(src.Name), IndexWidth: opts.IndexWidth, whole: s.module, stages: s.stages, located: s.located, source: src, overlaps: s.overlaps}
	if err = k.chooseDomain(fn, &opts, s.notes); err != nil {
		return nil, err
	}
	k.Module, k.Function = k.Domain.Module, k.Domain.Kernel
	opts.Function = k.Function.SymName()
	k.opts, k.lowered, k.chosen = opts, k.Module, opts.variant()
	res, err := opts.graph(k.lowered, opts.Function, true)
	if err != nil {
		return nil, err
	}
	opts.warn(res.Notes.All...)
	k.Graph, k.GraphModule = res.Func, res.Module
	k.Sequences = res.Sequences
	if opts.ExplainMemory {
		k.Memory = append(explain.Memory{}, res.Memory...)
	}
	return k.check(&opts.Watch)
}

// parts is the number of parts of the sums that an operation makes.
func (o *CompileOptions) parts(op string, t ir.Type) int {
	if o.Reassociate != AutoReassociate {
		return o.Reassociate
	}
	units := o.lowering("").Parts
	for n := 2; units != nil && n <= MaxReassociate; n++ {
		if units(lower.Accumulation(op, t, n)) {
			return n
		}
	}
	return DefaultReassociate
}

// reassociated splits the sums of a function and says which.
func (o *CompileOptions) reassociated(fn *ir.Operation) *diag.Diagnostic {
	split := reassociate.Run(fn, o.parts)
	if len(split) == 0 {
		d := diag.New(fn.Pos, "--reassociate changes nothing: no counted loop of '%s' carries a sum or product of floats that nothing else reads", fn.SymName())
		d.Severity = diag.Warning
		return d
	}
	d := diag.New(split[0].Pos, "summed up in %d parts, in another order than the source: rounding differs from a run of the source", split[0].N)
	d.Severity = diag.Remark
	for _, x := range split[1:] {
		if x.N != split[0].N {
			d.WithNote(x.Pos, "and here, in %d parts", x.N)
			continue
		}
		d.WithNote(x.Pos, "and here")
	}
	return d
}

// LoadGraph reads and verifies a dataflow graph (.dfg.mlir); joins wider than the graph's
// limit, or the fabric's, become trees. Of the options it uses Watch, Function, Fabric and
// IndexWidth.
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

// graphKernel returns the kernel of a source that is a graph already.
func graphKernel(src Source, module *ir.Operation, located bool, opts CompileOptions) (*Kernel, error) {
	fn, err := pickGraph(src.Name, module, opts.Function)
	if err != nil {
		return nil, err
	}
	k := &Kernel{Name: Stem(src.Name), Graph: fn, GraphModule: module, IndexWidth: opts.IndexWidth, located: located, source: src}
	var errs diag.List
	if circt.Foreign(fn) {
		if err := k.elsewhere(&opts.Watch); err != nil {
			return nil, err
		}
		fn = k.Graph
	}
	limit := dfg.JoinLimit(fn)
	if opts.Fabric != nil {
		limit = opts.Fabric.Arch.MaxJoinFanin
	}
	if lower.LegalizeJoins(fn, limit, &errs); errs.HasErrors() {
		return nil, &errs
	}
	return k.check(&opts.Watch)
}

// pickGraph chooses the handshake.func of a module: the named one, else the only one that
// no other uses.
func pickGraph(file string, module *ir.Operation, function string) (*ir.Operation, error) {
	all := slices.DeleteFunc(opsNamed(module, opname.HandshakeFunc), declared)
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
		if top := uninstantiated(module, all); len(top) == 1 {
			return top[0], nil
		}
		return nil, diag.New(all[1].Pos, "the file holds %d graphs", len(all)).
			WithHelp("choose one with --function: %s", symbols(all))
	}
	return all[0], nil
}

// declared reports whether a graph has no body: another file has it.
func declared(fn *ir.Operation) bool { return len(fn.Regions) == 1 && len(fn.Regions[0].Blocks) == 0 }

// uninstantiated returns the graphs that no other graph uses.
func uninstantiated(module *ir.Operation, all []*ir.Operation) []*ir.Operation {
	used := map[string]bool{}
	module.Walk(func(op *ir.Operation) bool {
		if ref, ok := op.Attr("module").(*ir.SymbolRefAttr); ok && op.Name == opname.HandshakeInstance {
			used[ref.Root] = true
		}
		return true
	})
	return slices.DeleteFunc(slices.Clone(all), func(fn *ir.Operation) bool { return used[fn.SymName()] })
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

// check verifies the invariants of the graph before later stages rely on them.
func (k *Kernel) check(w *Watch) (*Kernel, error) {
	var errs diag.List
	dfg.Verify(k.Graph, &errs)
	switch {
	case errs.HasErrors() && k.Given != nil:
		k.Free = &errs
		return k, nil
	case errs.HasErrors():
		return nil, &errs
	}
	w.warn(errs.All...)
	return k, nil
}

// structured is a source in structured control flow, with what the front end remarked.
type structured struct {
	module  *ir.Operation
	stages  []frontend.Stage
	located bool
	notes   []*diag.Diagnostic
	// overlaps are those of the notes that are on pointers that may overlap.
	overlaps []*diag.Diagnostic
}

// structure reads a kernel and brings it to structured control flow. The front end leaves
// one function, the kernel, so it clears opts.Function. It reports no remarks: they would
// stand before an error of options that name what the source does not have.
func structure(ctx context.Context, src Source, opts *CompileOptions) (s structured, err error) {
	if why := pipeline.DumpsNothing(opts.DumpAfter, src.Name, opts.Direct || opts.simplifies()); why != "" {
		var l diag.List
		opts.warn(l.Warnf(diag.Pos{File: src.Name}, "--dump-after %s has no effect: %s", opts.DumpAfter, why))
	}
	if !src.FrontEnd() {
		if s.module, s.located, err = parse(src, &opts.Watch); err != nil || !structurer.Needed(s.module) {
			return s, err
		}
		// The content decides: branches are structured, whatever the file is called.
		res, err := frontend.Structure(src.Name, s.module, frontend.Options{DumpAfter: opts.DumpAfter, DumpTo: opts.DumpTo})
		if err != nil {
			return s, err
		}
		s.module, s.notes = res.Module, res.Notes.All
		return s, nil
	}
	done := opts.doing("front end")
	res, err := frontend.Run(ctx, src.Name, src.Text, frontend.Options{
		Function: opts.Function, Flags: opts.Flags, AssumeNoAlias: opts.AssumeNoAlias,
		DumpAfter: opts.DumpAfter, DumpTo: opts.DumpTo, Apart: opts.Warn != nil,
	})
	done()
	if err != nil {
		return s, err
	}
	if res.Apart != nil {
		opts.overlapCost(res)
	}
	if len(opsNamed(res.Module, opname.FuncFunc)) == 1 {
		opts.Function = ""
	}
	return structured{res.Module, res.Stages, true, res.Notes.All, res.Overlaps}, nil
}

// Explain lists each operation of the structured function with the operations it was
// lowered to, their regions and rules. The kernel must not come from a graph.
func (k *Kernel) Explain() []explain.Operation {
	return explain.Lowering(k.Module, k.Graph, mlir.ValueNames(k.GraphModule))
}

// Stats counts the operations of the graph.
func (k *Kernel) Stats() dfg.Statistics { return dfg.Stats(k.Graph) }

// operations counts the operations of a graph without its return.
func operations(graph *ir.Operation) int {
	return len(graph.Regions[0].Entry().Ops) - 1
}

// countOps counts the operations inside of op.
func countOps(op *ir.Operation) int {
	n := 0
	op.Walk(func(*ir.Operation) bool { n++; return true })
	return n
}

// GraphText selects the text forms of the graph in Kernel.Artifacts.
type GraphText struct {
	// Generic prints MLIR's generic form, for mlir-opt with the definitions of loom irdl.
	Generic bool
	// Dot adds a drawing for Graphviz (.dfg.dot).
	Dot bool
}

// Artifacts returns the intermediate files of the front end, or the structured form of
// other sources, and the graph (.dfg.mlir).
func (k *Kernel) Artifacts(form GraphText) (*Artifacts, error) {
	var a Artifacts
	for _, st := range k.stages {
		a.add(k.Name+st.Ext, st.Text)
	}
	if k.Module != nil && k.stages == nil {
		a.add(k.Name+".scf.mlir", []byte(mlir.Print(k.whole, mlir.Options{Debuginfo: k.located})))
	}
	text, err := k.graphText(form)
	if err != nil {
		return nil, err
	}
	a.add(k.Name+".dfg.mlir", text)
	if form.Dot {
		a.add(k.Name+".dfg.dot", []byte(dfg.Dot(k.Graph)))
	}
	return &a, nil
}

// graphText is the graph as text.
func (k *Kernel) graphText(form GraphText) ([]byte, error) {
	if k.located {
		mlir.KeepLocations(k.GraphModule)
	}
	if form.Generic {
		text, err := irdl.Print(k.GraphModule)
		return []byte(text), err
	}
	return []byte(mlir.Print(k.GraphModule, mlir.Options{Debuginfo: k.located})), nil
}
