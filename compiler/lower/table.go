package lower

import (
	"strings"

	"loom/compiler/dfg"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/pass"
)

type (
	property = pass.Property[*state]
	needs    = []*property
)

// The properties of the lowering. Those of the structured function are checked until
// it becomes a graph; in between, until "return", the graph has open control operands.
var (
	chosen = &property{Name: "one function", Means: "one function is lowered, as a copy: its callees are still in the source"}
	valid  = &property{Name: "valid function", Means: "the function is valid MLIR",
		Check: func(s *state, errs *diag.List) { ir.Verify(s.mod, errs) }}
	noCalls       = without("no calls", "nothing is called", opname.FuncCall)
	noIndex       = &property{Name: "index in arith", Means: "index values that can be are computed by arith"}
	noAffine      = &property{Name: "affine in scf", Means: "affine loops and accesses that can be are scf and memref"}
	fewConstructs = &property{Name: "three constructs", Means: "what can be is a for, a while or an if"}
	checked       = without("supported", "every operation and type has a rule",
		opname.FuncCall, "index.", "affine.", opname.SCFParallel, opname.SCFForall, opname.SCFIndexSwitch, opname.SCFExecuteRegion)
	canonical    = &property{Name: "canonical", Means: "loops and subscripts are in their simplest form"}
	countedLoops = &property{Name: "counted loops", Means: "a loop that counts is known as one, with start, bound and step"}
	compared     = &property{Name: "dependences", Means: "for each loop it is known which accesses are independent between iterations"}
	oneSubscript = &property{Name: "flat memory", Means: "every access has one subscript into its root memref",
		Check: checkSubscripts}
	entered    = &property{Name: "entered loops", Means: "a loop that is reached runs at least once"}
	executable = &property{Name: "executable", Means: "arithmetic has a width for which the target has a unit"}
	balanced   = &property{Name: "token discipline", Means: "every value carries one token per activation of its region"}
	connected  = &property{Name: "memory interfaces", Means: "each root memref has one interface to which all its accesses are connected"}
	ordered    = &property{Name: "memory order", Means: "accesses that must keep an order are chained by tokens"}
	validGraph = &property{Name: "valid graph", Means: "the graph is valid MLIR",
		Check: func(s *state, errs *diag.List) { ir.Verify(s.out, errs) }}
	soundGraph = &property{Name: "sound graph", Means: "the DFG verifier, its warnings included, finds nothing: tokens, conditions, completions and joins are right",
		Check: checkGraph}
)

// without is the absence of operations whose names begin so.
func without(name, means string, prefixes ...string) *property {
	return &property{Name: name, Means: means, Check: func(s *state, errs *diag.List) {
		s.fn.Walk(func(op *ir.Operation) bool {
			for _, p := range prefixes {
				if strings.HasPrefix(op.Name, p) {
					errs.Errorf(op.Pos, "'%s' is left: %s", op.Name, means)
				}
			}
			return true
		})
	}}
}

func checkSubscripts(s *state, errs *diag.List) {
	s.fn.Walk(func(op *ir.Operation) bool {
		var subscripts int
		switch op.Name {
		case opname.MemRefLoad:
			subscripts = op.NumOperands() - 1
		case opname.MemRefStore:
			subscripts = op.NumOperands() - 2
		default:
			return true
		}
		if subscripts != 1 {
			errs.Errorf(op.Pos, "'%s' has %d subscripts", op.Name, subscripts)
		}
		return true
	})
}

func checkGraph(s *state, errs *diag.List) {
	if s.opts.deviate != "" {
		return
	}
	dfg.Verify(s.dfg, errs)
	for _, d := range errs.All {
		d.Severity = diag.Error
	}
}

// passes is the lowering as a table. Every row is a pass that lives in the file
// of its name; "tidy" is simplify once more.
func passes() *pass.Pipeline[*state] {
	return &pass.Pipeline[*state]{
		Name: "lower",
		Passes: []pass.Pass[*state]{
			{Name: "select", Run: selectFunction, Reason: "one function becomes one dataflow graph; the input stays untouched",
				Guarantees: needs{chosen}},
			{Name: "inline", Run: inlineCalls, Reason: "a dataflow graph has no calls",
				Requires: needs{chosen}, Guarantees: needs{valid, noCalls}},
			{Name: "index", Run: lowerIndex, Reason: "what index computes, arith computes at the index width",
				Requires: needs{noCalls}, Guarantees: needs{noIndex}},
			{Name: "affine", Run: lowerAffine, Reason: "affine loops and accesses are structured code with their arithmetic spelled out",
				Requires: needs{noIndex}, Guarantees: needs{noAffine}},
			{Name: "structure", Run: structure, Reason: "three constructs are enough: for, while, if",
				Requires: needs{noAffine}, Guarantees: needs{fewConstructs}},
			{Name: "check", Run: checkSupported, Reason: "everything that cannot become hardware is reported at once, before any work",
				Requires: needs{fewConstructs}, Guarantees: needs{checked}},
			{Name: "canonicalise", Run: canonicalise, Reason: "loops and subscripts are recognised in their simplest form",
				Requires: needs{checked}, Guarantees: needs{canonical}},
			{Name: "streams", Run: recogniseStreams, Reason: "a loop that counts is a dataflow.stream, however it was written",
				Requires: needs{canonical}, Guarantees: needs{countedLoops}},
			{Name: "sink", Run: sinkStores, Reason: "of stores to one element only the last one counts; what a loop loads again of it is a carried value",
				Requires: needs{countedLoops}},
			{Name: "unroll", Run: unrollLoops, Reason: "a loop of few iterations that is written out lets the one around it begin in every cycle",
				Requires: needs{countedLoops}},
			{Name: "jam", Run: jamLoops, Reason: "iterations that wait for each other leave units idle, which others of the loop around them may use",
				Requires: needs{countedLoops}},
			{Name: "reuse", Run: reuseLoads, Reason: "an element that a loop loads again stays in a register: a port of a memory gives one per cycle",
				Requires: needs{countedLoops}},
			{Name: "forward", Run: forwardStores, Reason: "a stored value is handed to the iteration that loads it again; memory would make it wait",
				Requires: needs{countedLoops}},
			{Name: "dependences", Run: analyseDependences, Reason: "subscripts are compared dimension by dimension, before they become one address",
				Requires: needs{countedLoops}, Guarantees: needs{compared}},
			{Name: "linearise", Run: linearise, Reason: "memories have one address; views are folded into it",
				Requires: needs{checked, countedLoops}, Guarantees: needs{oneSubscript}},
			{Name: "simplify", Run: simplify, Reason: "every operation left costs a hardware unit",
				Requires: needs{oneSubscript}},
			{Name: "recent", Run: recentStores, Reason: "a load that looks at what was stored last need not wait until memory has it",
				Requires: needs{compared, oneSubscript}},
			{Name: "reductions", Run: reduce, Reason: "what a loop adds to a carried value in a branch is chosen beside the recurrence, not within it",
				Requires: needs{oneSubscript}},
			{Name: "if-convert", Run: ifConvert, Reason: "a cheap branch costs less as a select than as branch and merge",
				Requires: needs{oneSubscript}},
			{Name: "interlock", Run: leadSubscripts, Reason: "a load that may meet stores of earlier iterations passes as soon as their subscripts are known",
				Requires: needs{compared, oneSubscript}},
			{Name: "flags", Run: flagLoops, Reason: "a loop that runs twice takes no stream where the target has too few",
				Requires: needs{countedLoops}},
			{Name: "parts", Run: foldParts, Reason: "parts of a sum that a loop carries in turn are one value where the target has a unit for them",
				Requires: needs{countedLoops}},
			{Name: "guards", Run: guardLoops, Reason: "a loop body may assume that it runs: zero-trip loops get an explicit branch",
				Requires: needs{countedLoops}, Guarantees: needs{entered}},
			{Name: "widen", Run: widen, Reason: "narrow arithmetic without a unit of its own runs on a wider one",
				Requires: needs{oneSubscript}, Guarantees: needs{executable}},
			{Name: "carry-wide", Run: carryWide, Reason: "a number is carried in the width that the loop computes with: extensions are on no recurrence",
				Requires: needs{oneSubscript}},
			{Name: "hoist", Run: hoistInvariant, Reason: "what does not change in a loop is computed once and crosses its boundary once",
				Requires: needs{entered}},
			{Name: "tidy", Run: simplify, Reason: "guards and hoisting leave equal and dead operations behind",
				Requires: needs{oneSubscript}},
			{Name: "sequences", Run: findSequences, Reason: "an array whose elements are touched one after the other may be a stream",
				Requires: needs{countedLoops, oneSubscript}},
			{Name: "dataflow", Run: toDataflow, Reason: "the token discipline: every region crossing becomes an explicit operation",
				Requires: needs{countedLoops, oneSubscript, entered, executable}, Guarantees: needs{balanced}, Ends: needs{valid, noCalls, noIndex, noAffine, fewConstructs, checked, canonical, oneSubscript, entered, countedLoops}},
			{Name: "interfaces", Run: connectMemories, Reason: "one memory interface per root memref, with its ports laid out",
				Requires: needs{balanced}, Guarantees: needs{connected}},
			{Name: "memory-order", Run: orderMemory, Reason: "control tokens carry the order that memory accesses must keep",
				Requires: needs{connected, compared}, Guarantees: needs{ordered}},
			{Name: "return", Run: finishReturn, Reason: "the function is done when every memory group is",
				Requires: needs{ordered}, Guarantees: needs{validGraph}},
			{Name: "share", Run: shareOperations, Reason: "equal operations, and branches that merge what they split, are one",
				Requires: needs{validGraph}},
			{Name: "joins", Run: splitJoins, Reason: "no join may be wider than the hardware's",
				Requires: needs{validGraph}, Guarantees: needs{soundGraph}},
			{Name: "sweep", Run: sweep, Reason: "unused operations would still occupy units",
				Requires: needs{soundGraph}},
		},
		Order: []pass.Constraint{
			{Before: "inline", After: "index", Reason: "callees may hold operations of index"},
			{Before: "index", After: "affine", Reason: "subscripts and bounds may be values of index"},
			{Before: "inline", After: "affine", Reason: "callees may be affine"},
			{Before: "affine", After: "structure", Reason: "affine.parallel becomes scf.parallel"},
			{Before: "structure", After: "check", Reason: "what could be rewritten is supported, what is left is not"},
			{Before: "streams", After: "dependences", Reason: "dependences are tested between the iterations of counted loops"},
			{Before: "unroll", After: "reuse", Reason: "loads of several iterations of an inner loop are several loads of one iteration"},
			{Before: "sink", After: "unroll", Reason: "a store behind the loop is one store, however often that is written out"},
			{Before: "sink", After: "dependences", Reason: "accesses that are gone need no order"},
			{Before: "unroll", After: "jam", Reason: "what is written out has no iterations that wait"},
			{Before: "jam", After: "reuse", Reason: "loads of several iterations are several loads of one"},
			{Before: "jam", After: "dependences", Reason: "iterations are those of the loops that there are"},
			{Before: "unroll", After: "forward", Reason: "a store is behind several loads then"},
			{Before: "reuse", After: "dependences", Reason: "loads that are gone need no order"},
			{Before: "forward", After: "dependences", Reason: "iterations whose loads are gone may be independent"},
			{Before: "dependences", After: "linearise", Reason: "one address hides the dimensions"},
			{Before: "streams", After: "guards", Reason: "the guard makes the same comparison as the loop's own test"},
			{Before: "linearise", After: "recent", Reason: "one subscript is compared, not several"},
			{Before: "recent", After: "if-convert", Reason: "what a branch has stored may be a choice among outer values"},
			{Before: "reductions", After: "if-convert", Reason: "a branch that changes carried values is recognised as one; what it adds may become a select"},
			{Before: "recent", After: "reductions", Reason: "subscripts and values that loops keep are carried values, too"},
			{Before: "check", After: "linearise", Reason: "linearise relies on the supported operations that make a memref"},
			{Before: "if-convert", After: "interlock", Reason: "what stands in no branch need not leave one"},
			{Before: "interlock", After: "hoist", Reason: "a subscript that a branch computed may not change in the loop"},
			{Before: "if-convert", After: "guards", Reason: "guards must stay branches: a loop cannot be speculated"},
			{Before: "guards", After: "widen", Reason: "guards compare what their loops count"},
			{Before: "widen", After: "carry-wide", Reason: "arithmetic on wider integers extends and truncates"},
			{Before: "carry-wide", After: "tidy", Reason: "extensions of constants fold"},
			{Before: "widen", After: "tidy", Reason: "extensions of constants, and of what was truncated, fold"},
			{Before: "guards", After: "hoist", Reason: "hoisting out of a loop relies on the body running at least once"},
			{Before: "tidy", After: "sequences", Reason: "what is judged are the accesses that become hardware"},
			{Before: "sequences", After: "dataflow", Reason: "loops are structure before they are tokens"},
			{Before: "guards", After: "dataflow", Reason: "gate and invariant disagree on loops that do not run"},
			{Before: "dataflow", After: "interfaces", Reason: "ports are counted over the accesses of the graph"},
			{Before: "interfaces", After: "memory-order", Reason: "the order is threaded through the done tokens of the interfaces"},
			{Before: "memory-order", After: "return", Reason: "the return token joins what the groups end with"},
			{Before: "return", After: "sweep", Reason: "liveness starts at the return"},
			{Before: "return", After: "share", Reason: "operations are compared by all their inputs"},
			{Before: "share", After: "joins", Reason: "joins of joins become one before they are cut to the hardware's width"},
			{Before: "return", After: "joins", Reason: "the return join is the widest of all"},
		},
		IR:      (*state).current,
		Subject: func(s *state) string { return "function " + ir.SymbolText(s.sym) },
	}
}
