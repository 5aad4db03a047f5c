package structure

import (
	"slices"

	"loom/compiler/ir"
	"loom/compiler/rewrite"
)

// while simplifies an scf.while; it reports whether op was removed.
func (c *cleaner) while(op *ir.Operation, emit func(*ir.Operation)) bool {
	before, after := op.Regions[0].Entry(), op.Regions[1].Entry()
	cond, yield := before.Terminator(), after.Terminator()
	if isFalse(cond.Operand(0)) {
		// One iteration of the first region, none of the second.
		for i, a := range before.Args {
			a.ReplaceAllUsesWith(op.Operand(i))
		}
		values := splice(before, emit)
		replaceResults(op, values[1:])
		rewrite.Drop(op)
		return true
	}
	// What is passed on unchanged from outside is that value itself.
	for i, v := range cond.Operands()[1:] {
		if !rewrite.Outside(v, op) {
			continue
		}
		for _, w := range []*ir.Value{op.Result(i), after.Args[i]} {
			if w.HasUses() {
				replaceValue(w, v)
				c.changed = true
			}
		}
	}
	// What is passed on twice is needed once.
	for i, v := range cond.Operands()[1:] {
		for k, w := range cond.Operands()[1 : 1+i] {
			if v != w {
				continue
			}
			for _, pair := range [][2]*ir.Value{{op.Result(i), op.Result(k)}, {after.Args[i], after.Args[k]}} {
				if pair[0].HasUses() {
					replaceValue(pair[0], pair[1])
					c.changed = true
				}
			}
			break
		}
	}
	c.takeNext(op)
	c.sinkResults(op)
	passed := func(v *ir.Value) *ir.Value {
		if v.Block == after {
			return cond.Operand(1 + v.Index)
		}
		return v
	}
	for i, a := range before.Args {
		if !a.HasUses() {
			continue
		}
		next := passed(yield.Operand(i))
		init := op.Operand(i)
		switch {
		case next == a || next == init || isPoison(next):
			replaceValue(a, init)
			c.changed = true
			continue
		case isPoison(init) && rewrite.Outside(next, op):
			replaceValue(a, next)
			c.changed = true
			continue
		}
		for k, b := range before.Args[:i] {
			if init == op.Operand(k) && next == passed(yield.Operand(k)) {
				replaceValue(a, b)
				c.changed = true
				break
			}
		}
	}
	return false
}

// takeNext replaces a step that is repeated behind a loop by the result of the
// loop.
func (c *cleaner) takeNext(op *ir.Operation) {
	before := op.Regions[0].Entry()
	values := before.Terminator().Operands()[1:]
	for i, v := range values {
		for _, u := range append([]ir.Use(nil), op.Result(i).Uses()...) {
			step := u.Op
			k, ok := constantStep(stepResult(step), func(w *ir.Value) bool { return w == op.Result(i) })
			if !ok {
				continue
			}
			for j, w := range values {
				if by, ok := constantStep(w, func(x *ir.Value) bool { return x == v }); ok && by == k && w.Def.Block() == before {
					step.Result(0).ReplaceAllUsesWith(op.Result(j))
					c.changed = true
					break
				}
			}
		}
	}
}

// stepResult is the only result of an operation, or a value that nothing defines.
func stepResult(op *ir.Operation) *ir.Value {
	if op.NumResults() == 1 {
		return op.Result(0)
	}
	return &ir.Value{}
}

// sinkResults moves behind a loop what is used only there and is computed from other
// results of the loop.
func (c *cleaner) sinkResults(op *ir.Operation) {
	before, after := op.Regions[0].Entry(), op.Regions[1].Entry()
	cond := before.Terminator()
	at := map[*ir.Value]*ir.Value{}
	for i, v := range cond.Operands()[1:] {
		if at[v] == nil {
			at[v] = op.Result(i)
		}
	}
	var sunk []*ir.Operation
	for i, r := range op.Results() {
		v := cond.Operand(1 + i)
		if !r.HasUses() || after.Args[i].HasUses() || v.Def == nil || v.Def.Block() != before || !cheap(v.Def) {
			continue
		}
		operands := make([]*ir.Value, v.Def.NumOperands())
		ok := true
		for k, w := range v.Def.Operands() {
			switch {
			case rewrite.Outside(w, op):
				operands[k] = w
			case at[w] != nil && at[w] != r:
				operands[k] = at[w]
			default:
				ok = false
			}
		}
		if !ok {
			continue
		}
		n := ir.NewOp(v.Def.Name, v.Def.Pos, operands, []ir.Type{v.Type})
		n.Attrs, n.Loc = v.Def.Attrs, v.Def.Loc
		n.Result(0).Name = v.Name
		r.ReplaceAllUsesWith(n.Result(0))
		sunk = append(sunk, n)
		c.changed = true
	}
	// Each is made of results that a later one may have replaced.
	slices.Reverse(sunk)
	c.behind = append(c.behind, sunk...)
}

// forLoop simplifies an scf.for: what never changes is not carried.
func (c *cleaner) forLoop(op *ir.Operation) bool {
	body := op.Regions[0].Entry()
	yield := body.Terminator()
	for i, a := range body.Args[1:] {
		if init, next := op.Operand(3+i), yield.Operand(i); next == a || next == init {
			for _, v := range []*ir.Value{a, op.Result(i)} {
				if v.HasUses() {
					replaceValue(v, init)
					c.changed = true
				}
			}
		}
	}
	return false
}
