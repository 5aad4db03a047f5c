package lift

import (
	"regexp"
	"strings"

	"loom/compiler/cabi"
	"loom/compiler/diag"
	"loom/compiler/frontend/clang"
	"loom/compiler/frontend/llvm"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/pass"
)

type (
	property = pass.Property[*lifter]
	needs    = []*property
)

// The properties of the function: of that of the llvm dialect until "emit", then of
// that which replaces it.
var (
	single   = &property{Name: "one function", Means: "the module holds the kernel and the globals it uses, nothing else"}
	scalars  = &property{Name: "scalars", Means: "every value is one scalar of at most 64 bits, or a pointer"}
	noCalls  = &property{Name: "no calls", Means: "the kernel calls no function of the module"}
	noCopies = &property{Name: "no copies", Means: "memory is read and written by loads and stores only"}

	counted    = &property{Name: "counted branches", Means: "operations have the operands and types they need, successors know theirs"}
	inOrder    = &property{Name: "block order", Means: "blocks stand in reverse post-order, each is reached and reaches an end"}
	wellFormed = &property{Name: "well-formed blocks", Means: "branches fit their targets, what is read is defined before",
		Check: func(r *lifter, errs *diag.List) { llvm.Verify(r.fn, errs) }}
	named    = &property{Name: "names", Means: "the variables of the source are known by the values they have"}
	noDebug  = &property{Name: "no debug operations", Means: "every operation is needed for a result or for memory"}
	signed   = &property{Name: "signature", Means: "every argument of the entry is a scalar or a pointer of the source"}
	promoted = &property{Name: "promoted", Means: "a local variable whose address does not escape is a value"}
	factored = &property{Name: "multiples", Means: "the known divisors of every integer are recorded"}
	rooted   = &property{Name: "pointers", Means: "every pointer has its roots, and a distance from their starts"}
	accessed = &property{Name: "accesses", Means: "every load and store is known by root, size and type"}
	laidOut  = &property{Name: "layout", Means: "it is decided which memrefs hold each root"}
	lifted   = &property{Name: "lifted", Means: "the function consists of arith, math, memref and cf"}
	valid    = &property{Name: "valid module", Means: "the module is valid MLIR, and states what became of the parameters of C",
		Check: func(r *lifter, errs *diag.List) { ir.Verify(r.out, errs) }}
)

// method makes a pass of a method, which keeps its errors in r.errs.
func method(f func(*lifter)) func(*lifter, *diag.List) {
	return func(r *lifter, _ *diag.List) { f(r) }
}

// passes is the lifting as a table.
func passes() *pass.Pipeline[*lifter] {
	return &pass.Pipeline[*lifter]{
		Name:  "lift",
		Given: needs{single, scalars, noCalls, noCopies},
		Passes: []pass.Pass[*lifter]{
			{Name: "call-sites", Run: method(callSites), Reason: "a finding points to the kernel's own line, not into a header of the system"},
			{Name: "check-form", Run: method((*lifter).checkForm), Reason: "later passes rely on the form, also of a module from another tool",
				Requires: needs{single}, Guarantees: needs{counted}},
			{Name: "dead-ends", Run: method((*lifter).dropDeadEnds), Reason: "paths to what the program declares unreachable are never taken",
				Requires: needs{counted}},
			{Name: "block-order", Run: method((*lifter).reorder), Reason: "analyses go forward along branches",
				Requires: needs{counted}, Guarantees: needs{inOrder}},
			{Name: "check-dominance", Run: method((*lifter).checkDominance), Reason: "everything that follows relies on definitions before uses",
				Requires: needs{inOrder}, Guarantees: needs{wellFormed}},
			{Name: "inherit-positions", Run: method((*lifter).inheritPositions), Reason: "findings point into the source: what has no position gets that of the operation before it",
				Requires: needs{inOrder}},
			{Name: "extensions", Run: method((*lifter).extensions), Reason: "only as an extension does a subscript from half of a register show that it counts elements",
				Requires: needs{wellFormed}},
			{Name: "address-arguments", Run: method((*lifter).addressArguments), Reason: "an address that is carried as an integer is followed after conversion to a pointer only",
				Requires: needs{wellFormed}},
			{Name: "variable-names", Run: method((*lifter).noteVariables), Reason: "memrefs, ports and findings are called as in the source",
				Requires: needs{inOrder}, Guarantees: needs{named}},
			{Name: "unused-operations", Run: method((*lifter).dropUnused), Reason: "tables leave their values in the function, and debug information is read",
				Requires: needs{named}, Guarantees: needs{noDebug}},
			{Name: "signature", Run: method((*lifter).readSignature), Reason: "the calling convention of C packs parameters together",
				Requires: needs{wellFormed, scalars}, Guarantees: needs{signed}},
			{Name: "promote", Run: method((*lifter).promote), Reason: "a variable in memory costs accesses, and hides pointers",
				Requires: needs{wellFormed, noCopies, noDebug}, Guarantees: needs{promoted}},
			{Name: "no-result", Run: method((*lifter).noResult), Reason: "a result that is never defined is nothing to compare",
				Requires: needs{signed}},
			{Name: "multiples", Run: method((*lifter).findFactors), Reason: "distances in bytes are read as elements",
				Requires: needs{wellFormed}, Guarantees: needs{factored}},
			{Name: "pointers", Run: method((*lifter).findPointers), Reason: "hardware has arrays and subscripts, no addresses",
				Requires: needs{signed, promoted, factored, noCalls}, Guarantees: needs{rooted}},
			{Name: "accesses", Run: method((*lifter).findAccesses), Reason: "what a root is made of shows in its accesses",
				Requires: needs{rooted}, Guarantees: needs{accessed}},
			{Name: "layout", Run: method((*lifter).layOut), Reason: "records become one memref per field, where accesses allow it",
				Requires: needs{accessed}, Guarantees: needs{laidOut}},
			{Name: "count-elements", Run: method((*lifter).countElements), Reason: "pointers that are chosen at run time count elements of what they point into",
				Requires: needs{laidOut}},
			{Name: "emit", Run: method((*lifter).emit), Reason: "arith, math, memref and cf are what other tools and passes know",
				Requires: needs{laidOut, scalars}, Guarantees: needs{lifted},
				Ends: needs{wellFormed, inOrder, counted, noDebug, promoted, factored, rooted, accessed, laidOut}},
			{Name: "dead-values", Run: method(func(r *lifter) { r.em.clean() }), Reason: "addresses that were computed in bytes are unused now",
				Requires: needs{lifted}},
			{Name: "describe", Run: method(func(r *lifter) { r.em.finish(kernelOf(r.out)) }), Reason: "host code and simulators must find the parameters of C again",
				Requires: needs{lifted, signed}, Guarantees: needs{valid}},
			{Name: "source-name", Run: method(sourceName), Reason: "@dot is easier to type than a mangled name",
				Requires: needs{valid}},
		},
		Order: []pass.Constraint{
			{Before: "call-sites", After: "inherit-positions", Reason: "positions are inherited as the user reads them"},
			{Before: "dead-ends", After: "block-order", Reason: "unreachable blocks are removed with the order"},
			{Before: "address-arguments", After: "promote", Reason: "a variable may hold such an address"},
			{Before: "extensions", After: "multiples", Reason: "an extension shows what is a multiple"},
			{Before: "count-elements", After: "emit", Reason: "counters are written in their units"},
			{Before: "dead-values", After: "describe", Reason: "parameters that nothing reads are left out"},
		},
		IR: func(r *lifter) *ir.Operation {
			if r.out != nil {
				return r.out
			}
			return llvm.Plain(r.module)
		},
		Subject: func(r *lifter) string { return "function " + ir.SymbolText(r.fn.SymName()) },
	}
}

// Table lists the passes.
func Table() pass.Table { return passes().Table() }

// kernelOf is the function of a lifted module.
func kernelOf(module *ir.Operation) *ir.Operation {
	ops := module.Regions[0].Entry().Ops
	return ops[len(ops)-1]
}

// callSites gives operations that were inlined from a header of the system the position of
// the call in the user's source.
func callSites(r *lifter) {
	r.module.Walk(func(op *ir.Operation) bool {
		if !clang.IsSystem(op.Pos.File) {
			return true
		}
		for pos := range mlir.SourcePositions(op.Loc) {
			if !clang.IsSystem(pos.File) {
				op.Pos = pos
				break
			}
		}
		return true
	})
	mlir.KeepLocations(r.module)
}

// sourceName gives the kernel its name in the source where the linker knows a mangled
// one: @dot for ns::dot<int>.
func sourceName(r *lifter) {
	fn := kernelOf(r.out)
	f, ok := cabi.Of(fn)
	if !ok {
		return
	}
	name, _, _ := strings.Cut(f.Name, "<")
	name = name[strings.LastIndexByte(name, ':')+1:]
	if plain.MatchString(name) && ir.LookupSymbol(fn, name) == nil {
		fn.SetAttr("sym_name", ir.StrAttr(name))
	}
}

var plain = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
