// Package normalise brings a module of MLIR's llvm dialect into the form that lifting
// expects: one function without calls, with nothing in it that hardware cannot do.
package normalise

import (
	"strings"

	"loom/compiler/diag"
	"loom/compiler/frontend/llvm"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/pass"
)

// Options of one run.
type Options struct {
	// Function names the function, as the source or the linker spells it; "" takes
	// the only candidate.
	Function string
	// Debug is the debug information of the module, from which the functions' names
	// in the source come. It may be nil: then only the linker's names are known.
	Debug *llvm.Debug
	// Pass selects after which passes the module is verified or written.
	Pass pass.Options
}

// Run reduces the module to the chosen function and the globals it uses. The error
// is a *diag.List that names everything in the function that cannot be accelerated.
func Run(module *ir.Operation, opts Options, notes *diag.List) error {
	errs := &diag.List{}
	passes().Run(&state{opts: opts, op: module, notes: notes}, opts.Pass, errs)
	return errs.Err()
}

// Table lists the passes.
func Table() pass.Table { return passes().Table() }

// state is what the passes work on.
type state struct {
	*module
	opts   Options
	op     *ir.Operation
	notes  *diag.List
	kernel *function
	// reached are the kernel and what it calls, callers first, before functions of the
	// library join them.
	reached []*function
}

// each makes a pass of what is done to every function that is reached.
func each(f func(s *state, fn *function)) func(*state, *diag.List) {
	return func(s *state, _ *diag.List) {
		for _, fn := range s.reached {
			f(s, fn)
		}
	}
}

// alone makes a pass of what is done to the kernel.
func alone(f func(fn *ir.Operation)) func(*state, *diag.List) {
	return func(s *state, _ *diag.List) { f(s.kernel.op) }
}

type (
	property = pass.Property[*state]
	needs    = []*property
)

// The properties of the module.
var (
	imported = &property{Name: "llvm dialect", Means: "the module is what MLIR makes of LLVM IR, every operation with a position"}
	chosen   = &property{Name: "kernel chosen", Means: "it is known which function is the kernel"}
	reached  = &property{Name: "reached blocks", Means: "every block is reached from the entry of its function"}
	located  = &property{Name: "located", Means: "every operation of the kernel has a source position",
		Check: kernelHas(func(op *ir.Operation) bool { return inSource(op) || strings.HasPrefix(op.Name, "llvm.intr.dbg") }, "has no source position")}
	accelerable = &property{Name: "accelerable", Means: "the kernel and what it calls hold nothing that hardware cannot do"}
	wellFormed  = &property{Name: "well-formed blocks", Means: "branches fit their targets, what is read is defined before",
		Check: func(s *state, errs *diag.List) { llvm.Verify(s.kernel.op, errs) }}
	ownCalls = &property{Name: "own calls", Means: "only functions of the module are called, and what copies or fills memory"}
	noCalls  = &property{Name: "no calls", Means: "the kernel calls no function of the module",
		Check: func(s *state, errs *diag.List) {
			kernelHas(func(op *ir.Operation) bool { return s.byName[callee(op)] == nil }, "is left")(s, errs)
		}}
	noCopies = &property{Name: "no copies", Means: "memory is read and written by loads and stores only",
		Check: kernelHas(func(op *ir.Operation) bool {
			what, _, _, _ := memoryOp(op)
			return what == ""
		}, "is left")}
	scalars = &property{Name: "scalars", Means: "every value is one scalar of at most 64 bits, or a pointer", Check: onlyScalars}
	single  = &property{Name: "one function", Means: "the module holds the kernel and the globals it uses, nothing else",
		Check: func(s *state, errs *diag.List) {
			for _, op := range s.op.Regions[0].Entry().Ops {
				if op != s.kernel.op && op.Name != opname.LLVMMlirGlobal {
					errs.Errorf(op.Pos, "'%s' is left beside the kernel", op.Name)
				}
			}
		}}
)

// kernelHas checks every operation of the kernel.
func kernelHas(ok func(*ir.Operation) bool, what string) func(*state, *diag.List) {
	return func(s *state, errs *diag.List) {
		s.kernel.op.Walk(func(op *ir.Operation) bool {
			if !ok(op) {
				errs.Errorf(op.Pos, "'%s' %s", op.Name, what)
			}
			return true
		})
	}
}

func onlyScalars(s *state, errs *diag.List) {
	sp := &splitter{types: map[ir.Type][]part{}}
	for _, b := range s.kernel.op.Regions[0].Blocks {
		for _, op := range b.Ops {
			for _, v := range op.Results() {
				if sp.isSplit(v) {
					errs.Errorf(op.Pos, "'%s' has a result of type %s", op.Name, v.Type)
				}
			}
		}
	}
}

// passes is the normalisation as a table.
func passes() *pass.Pipeline[*state] {
	return &pass.Pipeline[*state]{
		Name:  "normalise",
		Given: needs{imported},
		Passes: []pass.Pass[*state]{
			{Name: "choose-kernel", Run: chooseKernel, Reason: "a module holds more functions than the one that becomes hardware",
				Requires: needs{imported}, Guarantees: needs{chosen}},
			{Name: "unreachable", Run: each(func(_ *state, f *function) { dropUnreachable(f.op) }), Reason: "unreachable code is no problem of the kernel",
				Requires: needs{chosen}, Guarantees: needs{reached}},
			{Name: "locate", Run: each(func(_ *state, f *function) { locate(f.op) }), Reason: "findings point into the source, also for what an optimiser made up",
				Requires: needs{chosen}, Guarantees: needs{located}},
			{Name: "check-source", Run: func(s *state, errs *diag.List) { s.check(s.kernel, s.notes, errs) }, Reason: "everything that cannot become hardware is reported at once",
				Requires: needs{reached, located}, Guarantees: needs{accelerable, wellFormed}},
			{Name: "markers", Run: each(func(s *state, f *function) { dropMarkers(f.op, s.notes) }), Reason: "hints to optimisers do nothing, and hardware cannot stop the program",
				Requires: needs{accelerable}},
			{Name: "heap", Run: each(func(s *state, f *function) { s.localHeap(f.op) }), Reason: "memory that is allocated and freed in the kernel is a local array",
				Requires: needs{accelerable}},
			{Name: "library-calls", Run: libraryCalls, Reason: "functions of the C library are operations, or bodies that can be inlined",
				Requires: needs{accelerable}},
			{Name: "character-tables", Run: each(func(s *state, f *function) { s.characterTables(f.op) }), Reason: "the macros of <ctype.h> read tables of the running program",
				Requires: needs{accelerable}, Guarantees: needs{ownCalls}},
			{Name: "inline-calls", Run: func(s *state, _ *diag.List) { s.inlineAll(s.kernel) }, Reason: "hardware has no call stack",
				Requires: needs{ownCalls}, Guarantees: needs{noCalls}},
			{Name: "memory-copies", Run: func(s *state, _ *diag.List) { s.expandMemory(s.kernel, s.opts.Debug, s.notes) }, Reason: "hardware loads and stores elements: copies and fills become loops",
				Requires: needs{noCalls}, Guarantees: needs{noCopies}},
			{Name: "merge-inlined", Run: alone(mergeBlocks), Reason: "inlining and loops leave blocks with one predecessor and one successor"},
			{Name: "split-values", Run: func(s *state, errs *diag.List) { split(s.kernel.op, errs) }, Reason: "a channel carries one scalar: vectors, structs and wide integers are taken apart",
				Requires: needs{noCalls, noCopies}, Guarantees: needs{scalars}},
			{Name: "expand-intrinsics", Run: alone(expandScalars), Reason: "arith and math lack some intrinsics on scalars",
				Requires: needs{scalars}},
			{Name: "math-functions", Run: func(s *state, _ *diag.List) { s.expandMath(s.kernel) }, Reason: "functions that no unit computes are inlined from the library",
				Requires: needs{scalars}},
			{Name: "merge-blocks", Run: alone(mergeBlocks), Reason: "functions of the library leave such blocks, too"},
			{Name: "unused-values", Run: alone(dropUnused), Reason: "importing leaves the initial values of globals behind as constants"},
			{Name: "prune", Run: func(s *state, _ *diag.List) { s.prune(s.kernel) }, Reason: "later passes take one function and its globals",
				Requires: needs{noCalls}, Guarantees: needs{single}},
		},
		Order: []pass.Constraint{
			{Before: "unreachable", After: "check-source", Reason: "unreachable code is no problem of the kernel"},
			{Before: "check-source", After: "inline-calls", Reason: "problems are searched while every call still has its position"},
			{Before: "library-calls", After: "inline-calls", Reason: "only calls of defined functions are left for it"},
			{Before: "inline-calls", After: "memory-copies", Reason: "which memory is copied shows where it is allocated"},
			{Before: "split-values", After: "math-functions", Reason: "functions of the library take scalars"},
			{Before: "math-functions", After: "merge-blocks", Reason: "inlining splits blocks"},
		},
		IR:      func(s *state) *ir.Operation { return llvm.Plain(s.op) },
		Subject: func(s *state) string { return "function " + ir.SymbolText(s.kernel.link) },
	}
}

func chooseKernel(s *state, errs *diag.List) {
	s.module = newModule(s.op, s.opts.Debug)
	kernel, err := s.choose(s.opts.Function, s.notes)
	if err != nil {
		errs.All = append(errs.All, diag.FromError(err).All...)
		return
	}
	s.kernel, s.reached = kernel, s.reachable(kernel)
}

// libraryCalls replaces the calls of functions of the C library.
func libraryCalls(s *state, _ *diag.List) {
	for _, f := range s.reached {
		s.libraryCalls(f)
	}
	if s.approximate {
		s.kernel.op.SetAttr(Approximate, &ir.UnitAttr{})
	}
}
