package randprog

import (
	"loom/compiler/ir"
)

// maxTries bounds the calls of the failing function in one Shrink.
const maxTries = 20000

// Shrink looks for a smaller module on which failing still returns true: it
// removes operations, replaces values by operands and constants, unwraps loops
// and conditionals, and drops loop values, results and parameters, until no
// single step helps. The module itself stays as it is.
//
// Edits keep the program well-formed, but not its promises: a counter may stop
// counting, a subscript may leave its memory. failing must therefore bound its
// runs and return false for programs that do not run to their end in the
// interpreter. It is given modules that it may keep.
func Shrink(module *ir.Operation, failing func(*ir.Operation) bool) *ir.Operation {
	current := clone(module)
	tries := 0
	attempt := func(at int, e edit, variant int) bool {
		next := clone(current)
		ops := list(next)
		if tries >= maxTries || at >= len(ops) || !e(ops[at], variant) || !wellFormed(next) {
			return false
		}
		tries++
		if !failing(next) {
			return false
		}
		current = next
		return true
	}
	progress := true
	visit := func(at int) {
		for _, e := range edits {
			for variant := 0; variant < e.variants; variant++ {
				for attempt(at, e.apply, variant) {
					progress = true
				}
			}
		}
	}
	// Once from the front, where whole loops go at once, then from the back,
	// where users stand before what they use.
	for at := 0; at < len(list(current)); at++ {
		visit(at)
	}
	for progress && tries < maxTries {
		progress = false
		for at := len(list(current)) - 1; at >= 0; at-- {
			visit(at)
		}
	}
	return current
}

func clone(module *ir.Operation) *ir.Operation { return module.Clone(map[*ir.Value]*ir.Value{}) }

// list returns all operations of a module in a fixed order.
func list(module *ir.Operation) []*ir.Operation {
	var out []*ir.Operation
	module.Walk(func(op *ir.Operation) bool {
		out = append(out, op)
		return true
	})
	return out
}

// edit changes one operation in place and reports whether it did. variant
// selects among the alternatives to apply it.
type edit func(op *ir.Operation, variant int) bool

// maxVariants bounds the positions an edit is tried at.
const maxVariants = 8

// edits in the order of how much they remove.
var edits = []struct {
	apply    edit
	variants int
}{
	{eraseUnused, 1},
	{replaceByConstant, 2},
	{eraseSymbol, 1},
	{inlineCall, 1},
	{unwrapBranch, 4},
	{unwrapFor, 1},
	{unwrapParallel, 1},
	{unwrapAffineFor, 1},
	{unwrapWhile, 2},
	{dropElse, 1},
	{dropCase, 3},
	{dropReduction, maxVariants},
	{bypassView, 1},
	{simplifyMap, 1},
	{dropValue, maxVariants},
	{dropReturn, maxVariants},
	{dropParameter, maxVariants},
	{replaceByOperand, maxVariants},
	{replaceByParameter, maxVariants},
	{operandToConstant, maxVariants},
	{simplifyConstant, 3},
}

// wellFormed guards against edits that leave a use without its definition.
func wellFormed(module *ir.Operation) bool {
	ok := true
	seen := map[*ir.Value]bool{}
	var walk func(op *ir.Operation)
	walk = func(op *ir.Operation) {
		for _, v := range op.Operands() {
			ok = ok && v != nil && seen[v]
		}
		for _, r := range op.Regions {
			for _, b := range r.Blocks {
				for _, a := range b.Args {
					seen[a] = true
				}
				for _, o := range b.Ops {
					walk(o)
				}
				// Values of a region end with it.
				for _, o := range b.Ops {
					for _, v := range o.Results() {
						delete(seen, v)
					}
				}
				for _, a := range b.Args {
					delete(seen, a)
				}
			}
		}
		for _, v := range op.Results() {
			seen[v] = true
		}
	}
	walk(module)
	return ok
}
