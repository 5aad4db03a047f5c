// Package lower turns one structured function (func, arith, index, memref, scf,
// affine) into a dataflow graph: a handshake.func of handshake, dataflow and arith
// operations (design page "SCF to DFG"; source documents spec-dataflow-compilation and
// spec-dataflow-memory).
//
// The rule behind everything here is the token discipline: a value that belongs
// to a region carries exactly one token per activation of that region, and it
// enters a region only through an operation that changes its token count to the
// region's. The first passes bring the function into a form in which that rule
// can be applied mechanically (no calls, one-dimensional memories, loops that
// run at least once); "dataflow" applies it; the last passes connect memory,
// order it and tidy up.
package lower

import (
	"io"

	"loom/compiler/cabi"
	"loom/compiler/dfg"
	"loom/compiler/diag"
	_ "loom/compiler/dialect/all" // the verifiers that run after each pass
	"loom/compiler/ir"
	"loom/compiler/pass"
)

// Options of one lowering. The zero value lowers the only function of a module
// with serial memory order for 64-bit indices.
type Options struct {
	// Function names the function; "" takes the only candidate.
	Function string
	// MemoryOrder is "serial" (also for "") or "pipelined" (design page "SCF to
	// DFG", section "Memory ordering").
	MemoryOrder string
	// MaxJoinFanin is the widest handshake.join the hardware has; 0 takes the
	// attribute loom.adg_max_join_fanin of the function or the module, else 64.
	MaxJoinFanin int
	// StreamOps are the step operators that the target has streams for
	// (spec-dataflow, "step_op": structural, so each is a unit of its own); nil
	// allows all. A loop that counts otherwise stays a while.
	StreamOps []string
	// Executes tells whether the target has a unit for an operation, by its name and
	// types; nil says yes to all. Arithmetic on narrow integers for which it has none is
	// done on wider ones.
	Executes func(*ir.Operation) bool
	// IndexWidth is the width of index in bits, used to fold constants; 0 is 64.
	IndexWidth int
	// MemoryBytes is the capacity of a local memory whose size the program computes
	// (spec-fabric-mem, "Static vs Dynamic Shapes"); 0 is DefaultMemoryBytes.
	MemoryBytes int64
	// DumpAfter names the pass after which the IR goes to DumpTo ("all": every
	// pass); Print renders it (mlir.Print, handed in to keep this package free
	// of text).
	DumpAfter string
	DumpTo    io.Writer
	Print     func(*ir.Operation) string
	// deviate breaks one rule of the discipline, for the tests that prove that
	// the verification ladder notices (design page "Simulation").
	deviate deviation
	// keepBranches leaves cheap branches alone, so that tests of the branch
	// rules have branches to test.
	keepBranches bool
}

// DefaultMemoryBytes is the capacity of a local memory whose size is not known at
// compile time: the default policy of spec-fabric-mem.
const DefaultMemoryBytes = 4096

// Result is a lowered function.
type Result struct {
	// Module is a builtin.module that holds Func.
	Module *ir.Operation
	// Func is the handshake.func.
	Func *ir.Operation
	// Notes are remarks and warnings of the lowering.
	Notes *diag.List
	// Memory says how the accesses of each memory are ordered, and why.
	Memory MemoryReport
}

// state is what the passes work on.
type state struct {
	opts Options
	src  *ir.Operation // the module as given; never changed
	mod  *ir.Operation // a module around the working copy
	fn   *ir.Operation // the working copy of the function
	sym  string

	out  *ir.Operation // the module of the result
	dfg  *ir.Operation // the handshake.func
	body *ir.Block     // its block

	root     *region
	memories []*memory
	groups   []*group
	// aliases are the parameters that may overlap.
	aliases *cabi.Overlaps
	// dependences are the verdicts of "dependences", by induction variable.
	dependences map[*ir.Value][]*independence
	// memory is the report of "memory-order".
	memory MemoryReport
	// results are the DFG values the function returns, without the token.
	results []*ir.Value
	// tokens are the final tokens of the groups.
	tokens []*ir.Value
}

// passes is the lowering as a table. Every row is a pass that lives in the file
// of its name; "tidy" is simplify once more.
func passes() *pass.Pipeline[*state] {
	return &pass.Pipeline[*state]{
		Name: "lower",
		Passes: []pass.Pass[*state]{
			{Name: "select", Run: selectFunction, Reason: "one function becomes one dataflow graph; the input stays untouched"},
			{Name: "inline", Run: inlineCalls, Reason: "a dataflow graph has no calls"},
			{Name: "index", Run: lowerIndex, Reason: "what index computes, arith computes at the index width"},
			{Name: "affine", Run: lowerAffine, Reason: "affine loops and accesses are structured code with their arithmetic spelled out"},
			{Name: "structure", Run: structure, Reason: "three constructs are enough: for, while, if"},
			{Name: "check", Run: checkSupported, Reason: "everything that cannot become hardware is reported at once, before any work"},
			{Name: "canonicalise", Run: canonicalise, Reason: "loops and subscripts are recognised in their simplest form"},
			{Name: "streams", Run: recogniseStreams, Reason: "a loop that counts is a dataflow.stream, however it was written"},
			{Name: "dependences", Run: analyseDependences, Reason: "subscripts are compared dimension by dimension, before they become one address"},
			{Name: "linearise", Run: linearise, Reason: "memories have one address; views are folded into it"},
			{Name: "simplify", Run: simplify, Reason: "every operation left costs a hardware unit"},
			{Name: "if-convert", Run: ifConvert, Reason: "a cheap branch costs less as a select than as branch and merge"},
			{Name: "guards", Run: guardLoops, Reason: "a loop body may assume that it runs: zero-trip loops get an explicit branch"},
			{Name: "widen", Run: widen, Reason: "narrow arithmetic without a unit of its own runs on a wider one"},
			{Name: "hoist", Run: hoistInvariant, Reason: "what does not change in a loop is computed once and crosses its boundary once"},
			{Name: "tidy", Run: simplify, Reason: "guards and hoisting leave equal and dead operations behind"},
			{Name: "dataflow", Run: toDataflow, Reason: "the token discipline: every region crossing becomes an explicit operation"},
			{Name: "interfaces", Run: connectMemories, Reason: "one memory interface per root memref, with its ports laid out"},
			{Name: "memory-order", Run: orderMemory, Reason: "control tokens carry the order that memory accesses must keep"},
			{Name: "return", Run: finishReturn, Reason: "the function is done when every memory group is"},
			{Name: "share", Run: shareOperations, Reason: "equal operations, and branches that merge what they split, are one"},
			{Name: "joins", Run: splitJoins, Reason: "no join may be wider than the hardware's"},
			{Name: "sweep", Run: sweep, Reason: "operations nobody needs would still occupy units"},
		},
		Order: []pass.Constraint{
			{Before: "inline", After: "index", Reason: "callees may hold operations of index"},
			{Before: "index", After: "affine", Reason: "subscripts and bounds may be values of index"},
			{Before: "inline", After: "affine", Reason: "callees may be affine"},
			{Before: "affine", After: "structure", Reason: "affine.parallel becomes scf.parallel"},
			{Before: "structure", After: "check", Reason: "what could be rewritten is supported, what is left is not"},
			{Before: "streams", After: "dependences", Reason: "dependences are tested between the iterations of counted loops"},
			{Before: "dependences", After: "linearise", Reason: "one address hides the dimensions"},
			{Before: "streams", After: "guards", Reason: "the guard asks what the loop's own test asks"},
			{Before: "check", After: "linearise", Reason: "linearise relies on the supported ways to make a memref"},
			{Before: "if-convert", After: "guards", Reason: "guards must stay branches: a loop cannot be speculated"},
			{Before: "guards", After: "widen", Reason: "guards compare what their loops count"},
			{Before: "widen", After: "tidy", Reason: "extensions of constants, and of what was truncated, fold"},
			{Before: "guards", After: "hoist", Reason: "hoisting out of a loop relies on the body running at least once"},
			{Before: "guards", After: "dataflow", Reason: "gate and invariant disagree on loops that do not run"},
			{Before: "dataflow", After: "interfaces", Reason: "ports are counted over the accesses of the graph"},
			{Before: "interfaces", After: "memory-order", Reason: "the order is threaded through the done tokens of the interfaces"},
			{Before: "memory-order", After: "return", Reason: "the return token joins what the groups end with"},
			{Before: "return", After: "sweep", Reason: "liveness starts at the return"},
			{Before: "return", After: "share", Reason: "operations are compared by all their inputs"},
			{Before: "share", After: "joins", Reason: "joins of joins become one before they are cut to the hardware's width"},
			{Before: "return", After: "joins", Reason: "the return join is the widest of all"},
		},
		Verify:  verifyAfter,
		Dump:    func(s *state) string { return s.dump() },
		Subject: func(s *state) string { return "function " + ir.SymbolText(s.sym) },
	}
}

// Passes returns the names of the lowering passes in order, for --dump-after.
func Passes() []string { return passes().Names() }

// Lower lowers one function of a module. The module is not changed. The error
// is a *diag.List with the position of every fault found.
func Lower(module *ir.Operation, opts Options) (*Result, error) {
	errs := &diag.List{}
	switch opts.MemoryOrder {
	case "":
		opts.MemoryOrder = "serial"
	case "serial", "pipelined":
	default:
		errs.Errorf(diag.Pos{}, "unknown memory order %q", opts.MemoryOrder).
			WithHelp("the orders are serial and pipelined")
		return nil, errs
	}
	if opts.MemoryBytes == 0 {
		opts.MemoryBytes = DefaultMemoryBytes
	}
	if opts.IndexWidth == 0 {
		opts.IndexWidth = 64
	}
	if opts.IndexWidth < 1 || opts.IndexWidth > 64 {
		errs.Errorf(diag.Pos{}, "an index width of %d bits is not possible; 1 to 64 are", opts.IndexWidth)
		return nil, errs
	}
	s := &state{opts: opts, src: module}
	passes().Run(s, pass.Options{DumpAfter: opts.DumpAfter, Out: opts.DumpTo}, errs)
	if errs.HasErrors() {
		return nil, errs
	}
	return &Result{Module: s.out, Func: s.dfg, Notes: errs, Memory: s.memory}, nil
}

// current is the module a dump shows: the graph once it exists.
func (s *state) current() *ir.Operation {
	if s.out != nil {
		return s.out
	}
	return s.mod
}

func (s *state) dump() string {
	if s.opts.Print == nil {
		return "// no printer was given"
	}
	return s.opts.Print(s.current())
}

// verifyAfter checks the IR after each pass with rules that tighten as it
// falls: the structured function as MLIR, the finished graph by the DFG
// verifier, whose warnings count as well. In between the graph has open control
// operands.
func verifyAfter(s *state, after string, errs *diag.List) {
	switch after {
	case "select":
		// The callees are still in the source module.
	case "dataflow", "interfaces", "memory-order":
	case "return", "share":
		// Joins may still be too wide.
		ir.Verify(s.out, errs)
	case "joins", "sweep":
		ir.Verify(s.out, errs)
		if s.opts.deviate == "" {
			dfg.Verify(s.dfg, errs)
			for _, d := range errs.All {
				d.Severity = diag.Error
			}
		}
	default:
		ir.Verify(s.mod, errs)
	}
}
