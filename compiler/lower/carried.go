package lower

import (
	"loom/compiler/analysis/loops"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

// Loop-carried values cost a carry and a split each. Those that are always
// equal to something else are replaced by it; what is no longer used
// is removed with the other dead values.

// sameInside bounds how deep two computations are compared.
const sameInside = 6

// mergeCarried makes loop-carried values that start equal and stay equal one:
// args with their initial and next values. It reports whether anything changed.
func mergeCarried(args, inits, next []*ir.Value) bool {
	n := len(args)
	if n < 2 || n > 64 {
		return false
	}
	// leader[i] is the first value that i may be equal to; the assumption is
	// withdrawn where one iteration does not keep it.
	leader := make([]int, n)
	for i := range args {
		leader[i] = i
		for j := range i {
			if leader[j] == j && args[i].Type == args[j].Type && inits[i].Equals(inits[j]) {
				leader[i] = j
				break
			}
		}
	}
	class := func(v *ir.Value) *ir.Value {
		for i, a := range args {
			if a == v {
				return args[leader[i]]
			}
		}
		return v
	}
	for again := true; again; {
		again = false
		for i := range args {
			if leader[i] != i && !congruent(next[i], next[leader[i]], class, sameInside) {
				leader[i], again = i, true
			}
		}
	}
	changed := false
	for i, a := range args {
		if leader[i] != i && a.HasUses() {
			a.ReplaceAllUsesWith(args[leader[i]])
			changed = true
		}
	}
	return changed
}

// congruent reports whether two values are computed alike, given which block
// arguments are taken for equal.
func congruent(a, b *ir.Value, class func(*ir.Value) *ir.Value, depth int) bool {
	if a == b || class(a) == class(b) || a.Equals(b) {
		return true
	}
	x, y := a.Def, b.Def
	if depth == 0 || x == nil || y == nil || x.Name != y.Name || !isPure(x) || x.NumOperands() != y.NumOperands() ||
		a.Type != b.Type || a.Index != b.Index || x.Attrs.String() != y.Attrs.String() || x.IsConstant() {
		return false
	}
	for i, v := range x.Operands() {
		if v.Type != y.Operand(i).Type || !congruent(v, y.Operand(i), class, depth-1) {
			return false
		}
	}
	return true
}

// forwardWhile reads the operands and results of an scf.while from where they
// come: a condition argument from outside, one that is passed twice, a carried
// value that never changes. It reports whether anything changed.
func forwardWhile(op *ir.Operation) bool {
	before, after := op.Regions[0].Entry(), op.Regions[1].Entry()
	passed, next := before.Terminator().Operands()[1:], after.Terminator().Operands()
	changed := false
	replace := func(v, w *ir.Value) {
		if v != w && v.HasUses() {
			v.ReplaceAllUsesWith(w)
			changed = true
		}
	}
	for i, v := range passed {
		if rewrite.Outside(v, op) {
			replace(after.Args[i], v)
			replace(op.Result(i), v)
			continue
		}
		for j, w := range passed[:i] {
			if v == w {
				replace(after.Args[i], after.Args[j])
				replace(op.Result(i), op.Result(j))
				break
			}
		}
	}
	for i, v := range next {
		arg, init := before.Args[i], op.Operand(i)
		unchanged := v == init
		for j, a := range after.Args {
			if v == a && passed[j] == arg {
				unchanged = true
			}
		}
		if unchanged {
			replace(arg, init)
		}
	}
	// Two carried values stay equal where the same after-arguments or equal
	// computations come back; the after-arguments that repeat before-arguments
	// are equal when those are.
	return mergeCarried(before.Args, op.Operands(), next) || changed
}

// followInduction reads a carried value that counts like the induction variable
// from there. Its result must be unused: it is one step further.
func followInduction(op *ir.Operation) bool {
	if !loops.Plain(op) {
		return false
	}
	body := op.Regions[0].Entry()
	iv, changed := body.Args[0], false
	for i, v := range body.Terminator().Operands() {
		arg := body.Args[1+i]
		d := v.Def
		if arg.Type != iv.Type || op.Result(i).HasUses() || !op.Operand(3+i).Equals(op.Operand(0)) ||
			d == nil || d.Name != opname.ArithAddI || !arg.HasUses() {
			continue
		}
		x, y := d.Operand(0), d.Operand(1)
		if x != arg {
			x, y = y, x
		}
		if x != arg && x != iv || !y.Equals(op.Operand(2)) || d.Block() != body {
			continue
		}
		arg.ReplaceAllUsesWith(iv)
		changed = true
	}
	return changed
}

// addCarried gives an scf.for or scf.while one more carried value, which begins with init and goes on with next, of its first region.
func addCarried(loop *ir.Operation, init, next *ir.Value) *ir.Value {
	loop.AddOperand(init)
	loop.AddResult(init.Type)
	body := loop.Regions[0].Entry()
	body.Terminator().AddOperand(next)
	if loop.Name == opname.SCFWhile {
		after := loop.Regions[1].Entry()
		after.Terminator().AddOperand(after.AddArg(init.Type, "", loop.Pos))
	}
	return body.AddArg(init.Type, "", loop.Pos)
}
