// Package simplify makes the dataflow graph of a direct circuit (a fixed circuit of the graph,
// without a fabric) smaller. What it gives up is what only a fabric needs: that every operation
// can be configured by itself, and that every value has one token for each activation of its
// region.
//
// The result is still a graph of handshake, dataflow and arith operations, with the attribute
// loom.direct; the verifier of graphs checks it and the token simulator runs it. Five things
// are different:
//
//   - dataflow.hold offers a value for the whole run, so what does not change in a run enters
//     regions without an operation: arguments, constants, and control tokens that say nothing but
//     that their region runs. An access with a held control has no control input in hardware, a
//     held constant is an immediate operand, a held argument one register.
//   - The done token of a load may have no reader: the return waits for what the data becomes.
//   - The addresses of an array that is a stream have no meaning.
//   - Integers have the widths that they need; casts between them are wires.
//   - A loop may run zero times. Values enter it through its raw condition then, and the branch
//     around it is gone.
//
// With Options.Fabric the graph is simplified for a fabric instead: it has the attribute
// loom.simplified, only the start token and constants are held, addresses and widths stay, and
// what takes fewer units counts (passes heads and branches).
package simplify

import (
	"io"
	"slices"

	"loom/compiler/dfg"
	"loom/compiler/diag"
	_ "loom/compiler/dialect/all" // the verifiers that run after each pass
	"loom/compiler/dialect/dataflow"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/pass"
)

// Options of one run.
type Options struct {
	// IndexWidth is the width of index in bits, on which the widths of values depend; 0 leaves
	// all values in their types.
	IndexWidth int
	// Streams are the positions of the arguments that are streams: arrays with one access, which
	// touches their elements in order.
	Streams []int
	// Fabric is set where the graph is mapped onto a fabric; nil makes a direct circuit.
	Fabric *Fabric
	// DumpAfter names the pass after which the graph goes to DumpTo ("all": every pass); Print
	// renders it (mlir.Print, handed in to keep this package free of text).
	DumpAfter string
	DumpTo    io.Writer
	Print     func(*ir.Operation) string
	// deviate breaks one rule, for the tests that prove that the comparison of simulators notices.
	deviate deviation
}

// Fabric is the fabric that a graph is simplified for: a value of a run stays a token there,
// repeated by invariants, and has the width of its type.
type Fabric struct {
	// Executes reports whether the fabric has a unit for an operation, by its name and
	// types; nil takes every operation.
	Executes func(*ir.Operation) bool
	// Units is how many units the fabric has for an operation; nil is enough of all that it executes.
	Units func(*ir.Operation) int
	// MoreUnits is set where the graph may take more units if innermost loops become faster by that: two carries for what accumulators
	// change (splitRecurrences), shifts and products for divisions by constants (divideByConstants), branches of what is computed ahead (speculate).
	MoreUnits bool
	// Accumulates reports whether the fabric has a unit for a loop whose next value an operation computes from the present one, its operand
	// left (0 or 1): one that gives what every iteration computes, or with present what it begins with. nil is none.
	Accumulates func(op *ir.Operation, left int, present bool) bool
	// Temporal is set where operations take turns in temporal PEs, so that what is computed in vain takes time from others.
	Temporal bool
	// TokenControls is set where loads and stores take their control from channels of one bit.
	TokenControls bool
}

// state is what the passes work on.
type state struct {
	opts Options
	mod  *ir.Operation
	fn   *ir.Operation
	body *ir.Block
	// start is the control token of the graph.
	start *ir.Value
	// again: the graph was simplified for a fabric before, so the passes have run that rely on the
	// discipline of the lowering.
	again bool
	// held are the holds made so far, by what they hold.
	held map[root]*ir.Value
}

// Table lists the passes.
func Table() pass.Table { return passes().Table() }

// Run returns the graph of a direct circuit for a valid handshake.func, in a module of its own.
// The graph given is not changed. The error is a *diag.List.
func Run(graph *ir.Operation, opts Options) (*ir.Operation, error) {
	errs := &diag.List{}
	s := &state{opts: opts, held: map[root]*ir.Value{}}
	s.mod = ir.NewOp(opname.BuiltinModule, graph.Pos, nil, nil)
	s.fn = s.mod.AddRegion().AddBlock().Append(graph.Clone(map[*ir.Value]*ir.Value{}))
	s.body = s.fn.Regions[0].Entry()
	s.start = s.body.Args[len(s.body.Args)-1]
	passes().Run(s, pass.Options{DumpAfter: opts.DumpAfter, Out: opts.DumpTo, Print: opts.Print, Verify: true}, errs)
	if errs.HasErrors() {
		return nil, errs
	}
	return s.fn, nil
}

type (
	property = pass.Property[*state]
	needs    = []*property
)

var (
	direct = &property{Name: "direct", Means: "the graph is marked as one of a direct circuit"}
	sound  = &property{Name: "sound direct graph", Means: "the DFG verifier finds no fault under the rules of direct circuits",
		Check: func(s *state, errs *diag.List) {
			if s.opts.deviate != "" {
				return
			}
			ir.Verify(s.mod, errs)
			if !errs.HasErrors() {
				dfg.Verify(s.fn, errs)
			}
		}}
	held = &property{Name: "held", Means: "what does not change in a run enters regions without operations"}
)

// passes is the stage as a table. Every row is a pass that lives in the file of its name.
func passes() *pass.Pipeline[*state] {
	return &pass.Pipeline[*state]{
		Name: "simplify",
		Passes: []pass.Pass[*state]{
			{Name: "mark", Run: mark, Reason: "rules that hold for direct circuits only are asked for by an attribute",
				Guarantees: needs{direct, sound}},
			{Name: "addresses", Run: dropAddresses, Reason: "the elements of a stream need no address",
				Requires: needs{direct}, Guarantees: needs{sound}},
			{Name: "hold", Run: holdValues, Reason: "arguments, constants and activations are the same in the whole run",
				Requires: needs{direct}, Guarantees: needs{held}},
			{Name: "orders", Run: dropOrders, Reason: "accesses that need no order, or keep it by their data, wait for no token",
				Requires: needs{held}},
			{Name: "completions", Run: dropCompletions, Reason: "what waits for a load's data need not wait for its done token",
				Requires: needs{direct}},
			{Name: "unguard", Run: removeGuards, Reason: "a loop that runs zero times gives the same results as the branch around it",
				Requires: needs{held}},
			{Name: "activations", Run: activate, Reason: "a region's values say that it runs; no control token has to be kept for that",
				Requires: needs{held}},
			{Name: "heads", Run: carryRaw, Reason: "a carry and a branch of one condition are one unit of a fabric, a gate is one more",
				Requires: needs{direct}},
			{Name: "gates", Run: openGates, Reason: "a gate whose condition nothing reads is a branch, which has no state",
				Requires: needs{direct}},
			{Name: "choose", Run: choose, Reason: "a select between two cheap values is smaller and quicker than branches and a choice of tokens",
				Requires: needs{held}},
			{Name: "branches", Run: mergeBranches, Reason: "a branch for each operand is more units of a fabric than one for the result",
				Requires: needs{direct}},
			{Name: "speculate", Run: speculate, Reason: "what a loop carries on need not wait for a condition that depends on what it carries",
				Requires: needs{direct}},
			{Name: "divisions", Run: divideByConstants, Reason: "a divider takes a cycle per bit; shifts, or a product with the reciprocal, start in every one",
				Requires: needs{direct}},
			{Name: "narrow", Run: narrowValues, Reason: "a counter to 64 has 7 bits",
				Requires: needs{direct}},
			{Name: "controls", Run: func(s *state, _ *diag.List) { tokenControls(s) }, Reason: "load and store units at memories take their control from channels of one bit",
				Requires: needs{direct}},
			{Name: "recurrences", Run: splitRecurrences, Reason: "an accumulator gives what an iteration computes; what it begins with a copy gives, which nothing waits for",
				Requires: needs{direct}},
			{Name: "clear", Run: clearDead, Reason: "what contributes to no result and no memory is not built",
				Requires: needs{direct}},
		},
		Order: []pass.Constraint{
			{Before: "addresses", After: "hold", Reason: "what computes an address need not be held"},
			{Before: "hold", After: "completions", Reason: "completions of branches join what is held"},
			{Before: "orders", After: "completions", Reason: "done tokens that order nothing any more may go"},
			{Before: "completions", After: "unguard", Reason: "fewer tokens have to leave a loop that may run zero times"},
			{Before: "unguard", After: "activations", Reason: "the regions of guards are gone"},
			{Before: "divisions", After: "narrow", Reason: "products have the widths that they need"},
			{Before: "activations", After: "heads", Reason: "fewer control tokens are repeated"},
			{Before: "heads", After: "gates", Reason: "the condition of a gate may lose its readers"},
			{Before: "gates", After: "choose", Reason: "values of gates come from branches"},
			{Before: "choose", After: "branches", Reason: "a select needs no branches at all"},
			{Before: "choose", After: "narrow", Reason: "what a select needs of its sides is known"},
			{Before: "narrow", After: "controls", Reason: "the widths of values are known"},
			{Before: "heads", After: "recurrences", Reason: "carries and branches have one condition"},
			{Before: "branches", After: "speculate", Reason: "operations are in front of branches already where that is fewer of them"},
			{Before: "speculate", After: "narrow", Reason: "casts that are computed ahead are wires for what they pass on"},
			{Before: "branches", After: "recurrences", Reason: "branches of carried values are merged, or a choice, where that is less"},
			{Before: "activations", After: "gates", Reason: "the gated condition repeated the control tokens"},
		},
		IR:      func(s *state) *ir.Operation { return s.mod },
		Subject: func(s *state) string { return "graph " + ir.SymbolText(s.fn.SymName()) },
	}
}

// mark gives the graph the attribute of its target. One that was simplified before has its holds
// already: they stay.
func mark(s *state, _ *diag.List) {
	s.again = s.fn.Attr(dataflow.SimplifiedAttr) != nil
	s.fn.Attrs = slices.DeleteFunc(slices.Clone(s.fn.Attrs), func(a ir.NamedAttr) bool { return a.Name == dataflow.SimplifiedAttr })
	if s.opts.Fabric == nil {
		s.fn.SetAttr(dataflow.DirectAttr, &ir.UnitAttr{})
	} else {
		s.fn.SetAttr(dataflow.SimplifiedAttr, &ir.UnitAttr{})
	}
	for _, op := range s.body.Ops {
		if op.Name == opname.DataflowHold {
			s.held[root{value: op.Operand(0)}] = op.Result(0)
		}
	}
}

// executes reports whether the target computes an operation.
func (s *state) executes(op *ir.Operation) bool {
	return s.opts.Fabric == nil || s.opts.Fabric.Executes == nil || s.opts.Fabric.Executes(op)
}

// try changes the graph, and takes the change back where the return does not wait for all
// accesses any more.
func (s *state) try(change func()) (done bool, loads []int) {
	m := map[*ir.Value]*ir.Value{}
	was, held := s.fn.Clone(m), map[root]*ir.Value{}
	for r, v := range s.held {
		if r.value != nil {
			r.value = m[r.value]
		}
		held[r] = m[v]
	}
	change()
	loads, stores := s.missing()
	if len(loads)+stores == 0 || s.opts.deviate == completionLost {
		return true, nil
	}
	outer := s.mod.Regions[0].Entry()
	outer.Ops = nil
	s.fn = outer.Append(was)
	s.body, s.held = s.fn.Regions[0].Entry(), held
	s.start = s.body.Args[len(s.body.Args)-1]
	return false, loads
}
