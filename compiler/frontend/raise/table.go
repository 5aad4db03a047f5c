package raise

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
	property = pass.Property[*raiser]
	needs    = []*property
)

// The properties of the function: of that of the llvm dialect until "emit", then of
// that which takes its place.
var (
	single   = &property{Name: "one function", Means: "the module holds the kernel and the globals it uses, nothing else"}
	onlyOne  = &property{Name: "numbers", Means: "every value is one number of at most 64 bits, or a pointer"}
	noCalls  = &property{Name: "no calls", Means: "the kernel calls no function of the module"}
	noCopies = &property{Name: "no copies", Means: "memory is read and written by loads and stores only"}

	counted    = &property{Name: "counted branches", Means: "operations have the operands and types they need, successors know theirs"}
	inOrder    = &property{Name: "block order", Means: "blocks stand in reverse post-order, each is reached and reaches an end"}
	wellFormed = &property{Name: "well-formed blocks", Means: "branches fit their targets, what is read is defined before",
		Check: func(r *raiser, errs *diag.List) { llvm.Verify(r.fn, errs) }}
	named    = &property{Name: "names", Means: "the variables of the source are known by the values they have"}
	noDebug  = &property{Name: "no debug operations", Means: "every operation is needed for a result or for memory"}
	signed   = &property{Name: "signature", Means: "every argument of the entry is a number or a pointer of the source"}
	promoted = &property{Name: "promoted", Means: "a local variable whose address goes nowhere is a value"}
	factored = &property{Name: "multiples", Means: "it is known what numbers are multiples of"}
	rooted   = &property{Name: "pointers", Means: "every pointer has its roots, and a distance from their starts"}
	accessed = &property{Name: "accesses", Means: "every load and store is known by root, size and type"}
	laidOut  = &property{Name: "layout", Means: "it is decided which memrefs hold each root"}
	raised   = &property{Name: "raised", Means: "the function consists of arith, math, memref and cf"}
	valid    = &property{Name: "valid module", Means: "the module is valid MLIR, and says what became of the parameters of C",
		Check: func(r *raiser, errs *diag.List) { ir.Verify(r.out, errs) }}
)

// method makes a pass of a method, which keeps its errors in r.errs.
func method(f func(*raiser)) func(*raiser, *diag.List) {
	return func(r *raiser, _ *diag.List) { f(r) }
}

// passes is the raising as a table.
func passes() *pass.Pipeline[*raiser] {
	return &pass.Pipeline[*raiser]{
		Name:  "raise",
		Given: needs{single, onlyOne, noCalls, noCopies},
		Passes: []pass.Pass[*raiser]{
			{Name: "call-sites", Run: method(callSites), Reason: "nobody looks for a kernel's line in a header of the system"},
			{Name: "check-form", Run: method((*raiser).checkForm), Reason: "what is looked into must be there, also in a module that somebody else made",
				Requires: needs{single}, Guarantees: needs{counted}},
			{Name: "dead-ends", Run: method((*raiser).dropDeadEnds), Reason: "ways to what the program declares unreachable are never taken",
				Requires: needs{counted}},
			{Name: "block-order", Run: method((*raiser).reorder), Reason: "analyses go forward along branches",
				Requires: needs{counted}, Guarantees: needs{inOrder}},
			{Name: "check-dominance", Run: method((*raiser).checkDominance), Reason: "everything that follows relies on definitions before uses",
				Requires: needs{inOrder}, Guarantees: needs{wellFormed}},
			{Name: "inherit-places", Run: method((*raiser).placeAll), Reason: "findings point into the source: what has no place gets that of what stands before it",
				Requires: needs{inOrder}},
			{Name: "extensions", Run: method((*raiser).extensions), Reason: "only as an extension does a subscript from half of a register tell that it counts elements",
				Requires: needs{wellFormed}},
			{Name: "address-arguments", Run: method((*raiser).addressArguments), Reason: "an address that is carried as a number can be followed as a pointer only",
				Requires: needs{wellFormed}},
			{Name: "variable-names", Run: method((*raiser).noteVariables), Reason: "memrefs, ports and findings are called as in the source",
				Requires: needs{inOrder}, Guarantees: needs{named}},
			{Name: "unused-operations", Run: method((*raiser).dropUnused), Reason: "tables leave their values in the function, and debug information is read",
				Requires: needs{named}, Guarantees: needs{noDebug}},
			{Name: "signature", Run: method((*raiser).readSignature), Reason: "the calling convention of C packs parameters together",
				Requires: needs{wellFormed, onlyOne}, Guarantees: needs{signed}},
			{Name: "promote", Run: method((*raiser).promote), Reason: "a variable in memory costs accesses, and hides pointers",
				Requires: needs{wellFormed, noCopies, noDebug}, Guarantees: needs{promoted}},
			{Name: "no-result", Run: method((*raiser).noResult), Reason: "a result that is never defined is nothing to compare",
				Requires: needs{signed}},
			{Name: "multiples", Run: method((*raiser).findFactors), Reason: "distances in bytes are read as elements",
				Requires: needs{wellFormed}, Guarantees: needs{factored}},
			{Name: "pointers", Run: method((*raiser).findPointers), Reason: "hardware has arrays and subscripts, no addresses",
				Requires: needs{signed, promoted, factored, noCalls}, Guarantees: needs{rooted}},
			{Name: "accesses", Run: method((*raiser).findAccesses), Reason: "what a root is made of shows in its accesses",
				Requires: needs{rooted}, Guarantees: needs{accessed}},
			{Name: "layout", Run: method((*raiser).layOut), Reason: "records become one memref per field, where accesses allow it",
				Requires: needs{accessed}, Guarantees: needs{laidOut}},
			{Name: "count-elements", Run: method((*raiser).countElements), Reason: "pointers that are chosen at run time count elements of what they point into",
				Requires: needs{laidOut}},
			{Name: "emit", Run: method((*raiser).emit), Reason: "arith, math, memref and cf are what other tools and passes know",
				Requires: needs{laidOut, onlyOne}, Guarantees: needs{raised},
				Ends: needs{wellFormed, inOrder, counted, noDebug, promoted, factored, rooted, accessed, laidOut}},
			{Name: "dead-values", Run: method(func(r *raiser) { r.em.clean() }), Reason: "addresses that were computed in bytes are read by nothing any more",
				Requires: needs{raised}},
			{Name: "describe", Run: method(func(r *raiser) { r.em.finish(kernelOf(r.out)) }), Reason: "host code and simulators must find the parameters of C again",
				Requires: needs{raised, signed}, Guarantees: needs{valid}},
			{Name: "source-name", Run: method(sourceName), Reason: "@dot is easier to ask for than a mangled name",
				Requires: needs{valid}},
		},
		Order: []pass.Constraint{
			{Before: "call-sites", After: "inherit-places", Reason: "places are inherited as the user reads them"},
			{Before: "dead-ends", After: "block-order", Reason: "blocks without a way to them go with the order"},
			{Before: "address-arguments", After: "promote", Reason: "a variable may hold such an address"},
			{Before: "extensions", After: "multiples", Reason: "an extension tells what is a multiple"},
			{Before: "count-elements", After: "emit", Reason: "counters are written in their units"},
			{Before: "dead-values", After: "describe", Reason: "parameters that nothing reads are left out"},
		},
		IR: func(r *raiser) *ir.Operation {
			if r.out != nil {
				return r.out
			}
			return llvm.Plain(r.module)
		},
		Subject: func(r *raiser) string { return "function " + ir.SymbolText(r.fn.SymName()) },
	}
}

// Table lists the passes.
func Table() pass.Table { return passes().Table() }

// kernelOf is the function of a raised module.
func kernelOf(module *ir.Operation) *ir.Operation {
	ops := module.Regions[0].Entry().Ops
	return ops[len(ops)-1]
}

// callSites gives operations that were inlined from a header of the system the place of
// the call in the user's source.
func callSites(r *raiser) {
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
func sourceName(r *raiser) {
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
