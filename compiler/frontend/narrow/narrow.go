// Package narrow removes needless width from structured kernels: integers of 64 bits
// that only count or address become index, and arithmetic of which only the low bits
// matter is done in 32. C programs count in size_t and long, and compilers widen
// what subscripts are computed from; fabrics are 32 bits wide.
//
// A value of more than 32 bits is retyped when every one of its uses allows it:
//
//   - the low bits are enough (exact for every value): casts to index or to 32
//     bits and less; addition, subtraction, multiplication, and, or, xor and shifts to
//     the left by constants, select and everything that carries values around (results
//     and arguments of if, for and while), where their results are retyped too;
//   - the value itself is needed: comparisons, divisions, remainders, minima, shifts to
//     the right, bounds of loops, conversions to floats. The value must then be known to
//     have 32 bits (package file sizes.go): by what it is computed from, or because it
//     is a count, a bound or a subscript (file assume.go).
//
// Operands that are not retyped are cut where they enter; extensions from 32 bits and
// less, and casts from index, enter as what they extend.
package narrow

import (
	"loom/compiler/cabi"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/pass"
)

// Run narrows every function of a module in place; opts select after which passes a function
// is verified or written. The error is a fault of this package.
func Run(module *ir.Operation, opts pass.Options) error {
	return functions(module, nil, opts)
}

// functions narrows the functions of a module. One that another calls keeps the types of its
// parameters. broken names rules that a test breaks on purpose.
func functions(module *ir.Operation, broken faults, opts pass.Options) error {
	called := map[string]bool{}
	var list []*ir.Operation
	module.Walk(func(op *ir.Operation) bool {
		if ref, ok := op.Attr("callee").(*ir.SymbolRefAttr); ok {
			called[ref.Root] = true
		}
		if op.Name == opname.FuncFunc && len(op.Regions) == 1 && len(op.Regions[0].Blocks) == 1 {
			list = append(list, op)
		}
		return true
	})
	errs := &diag.List{}
	for _, fn := range list {
		found := &diag.List{}
		passes().Run(&narrower{fn: fn, called: called[fn.SymName()], broken: broken, banned: map[*ir.Value]bool{}}, opts, found)
		errs.All = append(errs.All, found.All...)
	}
	return errs.Err()
}

type (
	property = pass.Property[*narrower]
	needs    = []*property
)

// The properties of the function.
var (
	structured = &property{Name: "structured", Means: "the function is one block of scf, valid MLIR, without branches",
		Check: func(n *narrower, errs *diag.List) { ir.Verify(n.fn, errs) }}
	spelled = &property{Name: "spelled extensions", Means: "what extends a number of 32 bits is an extension"}
	flows   = &property{Name: "value flow", Means: "it is known which values results and arguments of loops and branches may have"}
	bounded = &property{Name: "value ranges", Means: "it is known between which bounds a wide number lies"}
	found   = &property{Name: "narrow values", Means: "it is known which wide values are retyped, and to what"}
	slim    = &property{Name: "narrow", Means: "numbers of 64 bits that count or address are index, those of which low bits matter are i32"}
)

// passes is the narrowing as a table.
func passes() *pass.Pipeline[*narrower] {
	return &pass.Pipeline[*narrower]{
		Name:  "narrow",
		Given: needs{structured},
		Passes: []pass.Pass[*narrower]{
			{Name: "extension-idioms", Run: func(n *narrower, _ *diag.List) { idioms(n.fn) }, Reason: "compilers spell extensions as masks and shifts",
				Requires: needs{structured}, Guarantees: needs{spelled}},
			{Name: "value-flow", Run: readValues, Reason: "a value and what carries it are retyped together",
				Requires: needs{structured}, Guarantees: needs{flows}},
			{Name: "value-ranges", Run: findRanges, Reason: "comparisons and divisions need the value itself, not its low bits",
				Requires: needs{spelled, flows}, Guarantees: needs{bounded}},
			{Name: "choose-narrow", Run: chooseNarrow, Reason: "a value is retyped when every one of its uses allows it",
				Requires: needs{bounded}, Guarantees: needs{found}},
			{Name: "retype", Run: func(n *narrower, _ *diag.List) { n.rewrite() }, Reason: "fabrics are 32 bits wide",
				Requires: needs{found}, Guarantees: needs{slim}, Ends: needs{structured, flows, bounded, found}},
			{Name: "unused-casts", Run: func(n *narrower, _ *diag.List) { sweep(n.fn) }, Reason: "casts that retyping replaced are unused, and do not fit their operands",
				Requires: needs{slim}, Guarantees: needs{structured}},
		},
		Order: []pass.Constraint{
			{Before: "extension-idioms", After: "value-flow", Reason: "the order of operations is read with the values"},
		},
		IR:      func(n *narrower) *ir.Operation { return n.fn.ParentOp() },
		Subject: func(n *narrower) string { return "function " + ir.SymbolText(n.fn.SymName()) },
	}
}

// Table lists the passes.
func Table() pass.Table { return passes().Table() }

func readValues(n *narrower, _ *diag.List) {
	n.flow = readFlow(n.fn)
	if c, ok := cabi.Of(n.fn); ok && c.Result != nil && c.Result.Class != cabi.Scalar {
		n.structs = true
	}
}

func findRanges(n *narrower, _ *diag.List) {
	n.sizes = findSizes(n.fn, n.flow, n.broken)
}

func chooseNarrow(n *narrower, _ *diag.List) {
	for again := true; again; again = n.component() {
		n.choose()
	}
}

// faults are rules of this package that a test breaks, to see that it would notice.
type faults map[string]bool

// The rules that tests break.
const (
	faultShifts    = "shifts to the right need low bits only"
	faultCompares  = "comparisons need low bits only"
	faultUnsigned  = "zeros and signs extend alike"
	faultResults   = "results need not be retyped with their uses"
	faultCounters  = "anything that a loop carries counts"
	faultGuarded   = "a subscript bounds what guards it"
	faultDivisions = "quotients of numbers that fit fit"
)

var allFaults = []string{faultShifts, faultCompares, faultUnsigned, faultResults, faultCounters, faultGuarded, faultDivisions}

// narrower works on one function.
type narrower struct {
	fn    *ir.Operation
	flow  *flow
	sizes *sizes
	// called is set for a function that another one calls, structs for one that returns
	// a struct.
	called, structs bool
	broken          faults
	// members are the values to be retyped; banned are those that constants keep from it.
	members, banned map[*ir.Value]bool
	// types are the new types.
	types map[*ir.Value]ir.Type

	casts map[cast]*ir.Value
	// replaced are casts with their replacements, which are substituted at the end: until
	// then operands show what they were.
	replaced [][2]*ir.Value
	after    map[*ir.Operation][]*ir.Operation
	front    map[*ir.Block][]*ir.Operation
}

// wide reports whether a value is an integer of more than 32 bits.
func wide(v *ir.Value) bool { return widthOf(v.Type) > 32 }

// widthOf is the width of a signless integer, 0 for other types.
func widthOf(t ir.Type) int {
	if i, ok := t.(*ir.IntegerType); ok && i.Sign == ir.Signless && i.Width <= 64 {
		return i.Width
	}
	return 0
}

// extended is what a value extends, if it comes from at most 32 bits or from index.
func extended(v *ir.Value) (from *ir.Value, signed, ok bool) {
	if v.Def == nil || !wide(v) {
		return nil, false, false
	}
	switch v.Def.Name {
	case opname.ArithExtSI, opname.ArithIndexCast:
		signed = true
	case opname.ArithExtUI, opname.ArithIndexCastUI:
	default:
		return nil, false, false
	}
	from = v.Def.Operand(0)
	return from, signed, !wide(from)
}
