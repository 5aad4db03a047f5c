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

	"loom/compiler/analysis/sequence"
	"loom/compiler/cabi"
	"loom/compiler/diag"
	_ "loom/compiler/dialect/all" // the verifiers that run after each pass
	"loom/compiler/ir"
	"loom/compiler/lower/explain"
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
	// MaxJoinFanin is the widest handshake.join the hardware has, 0 for none; nil takes the
	// attribute loom.adg_max_join_fanin of the function, else 64.
	MaxJoinFanin *int
	// StreamOps are the step operators that the target has streams for
	// (spec-dataflow, "step_op": structural, so each is a unit of its own); nil
	// allows all. A loop that counts otherwise stays a while.
	StreamOps []string
	// Executes reports whether the target has a unit for an operation, by its name and
	// types; nil means every operation. Arithmetic on narrow integers for which it has none is
	// done on wider ones.
	Executes func(*ir.Operation) bool
	// Units is how many units the target has for an operation; nil is enough of all that it executes. Loops that run twice end by a flag where it
	// has fewer streams than there are loops.
	Units func(*ir.Operation) int
	// Accumulators is how many units the target has for a loop whose next value an operation computes from the present one, its operand
	// of the number left; present is whether others get that one, too (tech.CountAccumulators). nil means none.
	Accumulators func(op *ir.Operation, left int, present bool) int
	// Parts reports whether the target has a unit for a sum in parts, a dataflow.accumulate without its place in
	// the graph; nil means none. Without one, a sum that --reassociate split stays a loop that carries its parts.
	Parts func(*ir.Operation) bool
	// IndexWidth is the width of index in bits, used to fold constants; 0 is 64.
	IndexWidth int
	// Forward hands stored values to the iterations of a loop that load them again. Every value
	// costs a carry and a branch where the load had a port, so it is for circuits in which ports
	// are what is dear.
	Forward bool
	// RecentStores is the number of iterations, up to MaxRecentStores, whose stores a loop keeps in registers, so that its loads need not wait for
	// them (recent.go). 0 keeps none. Each costs two carried values, a comparison and a choice. It takes the pipelined order.
	RecentStores int
	// Interlocks lets loads of a loop wait for those stores of earlier iterations alone that go to their element (interlock.go), if
	// the target executes a dataflow.interlock. It takes the pipelined order, and has no effect with RecentStores.
	Interlocks bool
	// Unroll is the number of levels, up to MaxUnroll, of innermost loops of few iterations that are written out (unroll.go).
	Unroll int
	// Jam is how many iterations, up to MaxJam, of an outer loop run side by side where those of the loop inside wait for each other (jam.go);
	// below 2 none do.
	Jam int
	// Reuse keeps what a loop loads again in registers (reuse.go).
	Reuse bool
	// Sequences asks for Result.Sequences.
	Sequences bool
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

// MaxRecentStores bounds Options.RecentStores.
const MaxRecentStores = 8

// Result is a lowered function.
type Result struct {
	// Module is a builtin.module that holds Func.
	Module *ir.Operation
	// Func is the handshake.func.
	Func *ir.Operation
	// Notes are remarks and warnings of the lowering.
	Notes *diag.List
	// Memory reports how the accesses of each memory are ordered, and why.
	Memory explain.Memory
	// Sequences says for each parameter whether its elements are touched in order, where
	// Options.Sequences asks for that: else, and for a scalar, it is the zero value.
	Sequences []sequence.Verdict
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
	// roms are the parameters that nobody writes (cabi.ROM).
	roms []bool
	// dependences are the verdicts of "dependences", by induction variable.
	dependences map[*ir.Value][]*independence
	// recent are the loops whose loads overtake stores.
	recent []recent
	// accumulators are those that places of extremes take (latest).
	accumulators int
	// memory is the report of "memory-order".
	memory explain.Memory
	// sequences are the verdicts of "sequences", by parameter.
	sequences []sequence.Verdict
	// results are the DFG values the function returns, without the token.
	results []*ir.Value
	// tokens are the final tokens of the groups.
	tokens []*ir.Value
}

// Table lists the passes of the lowering.
func Table() pass.Table { return passes().Table() }

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
	passes().Run(s, pass.Options{DumpAfter: opts.DumpAfter, Out: opts.DumpTo, Print: opts.Print, Verify: true}, errs)
	if errs.HasErrors() {
		return nil, errs
	}
	return &Result{Module: s.out, Func: s.dfg, Notes: errs, Memory: s.memory, Sequences: s.sequences}, nil
}

// current is the module a dump shows: the graph once it exists.
func (s *state) current() *ir.Operation {
	if s.out != nil {
		return s.out
	}
	return s.mod
}
