package structure

import (
	"slices"

	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
	"loom/compiler/units"
)

// branch simplifies an scf.if; it reports whether op was removed.
func (c *cleaner) branch(op *ir.Operation, emit func(*ir.Operation)) bool {
	cond := op.Operand(0)
	if k, ok := cond.ConstantInt(); ok {
		arm := op.Regions[0].Entry()
		if k == 0 {
			arm = op.Regions[1].Entry()
		}
		var values []*ir.Value
		if arm != nil {
			values = splice(arm, emit)
		}
		replaceResults(op, values)
		rewrite.Drop(op)
		return true
	}
	then, other := op.Regions[0].Entry(), op.Regions[1].Entry()
	m := maker(op.Pos, emit)
	if other == nil {
		if len(then.Ops) == 1 {
			rewrite.Drop(op)
			return true
		}
		return false
	}
	for i, r := range op.Results() {
		if !r.HasUses() {
			continue
		}
		if v := c.branchResult(op, i, m); v != nil {
			replaceValue(r, v)
			c.changed = true
		}
	}
	if speculates(then, other) {
		emitAll(then, emit)
		emitAll(other, emit)
	} else {
		c.hoistForUndefined(op, emit)
		c.hoistCommon(then, other, op, emit)
	}
	if len(then.Ops) == 1 && len(other.Ops) == 1 {
		for i, r := range op.Results() {
			if r.HasUses() {
				replaceValue(r, m.Op(opname.ArithSelect, r.Type, cond, then.Terminator().Operand(i), other.Terminator().Operand(i)))
			}
		}
		rewrite.Drop(op)
		return true
	}
	if op.NumResults() > 0 {
		return false
	}
	switch {
	case len(other.Ops) == 1:
		rewrite.Drop(other.Ops[0])
		op.Regions[1].Blocks = nil
		c.changed = true
	case len(then.Ops) == 1:
		op.SetOperand(0, not(m, cond))
		rewrite.Drop(then.Ops[0])
		op.Regions[0], op.Regions[1] = op.Regions[1], op.Regions[0]
		op.Regions[1].Blocks = nil
		c.changed = true
	}
	return false
}

// maxSpeculated is how many operations of both arms together are computed in any
// case, to select between what they yield.
const maxSpeculated = 4

// speculates reports whether the arms of a branch hold so little that computing both
// is cheaper.
func speculates(then, other *ir.Block) bool {
	n := len(then.Ops) + len(other.Ops) - 2
	if n == 0 || n > maxSpeculated {
		return false
	}
	for _, b := range []*ir.Block{then, other} {
		for _, o := range b.Ops[:len(b.Ops)-1] {
			if !cheap(o) {
				return false
			}
		}
	}
	return true
}

// cheap reports whether an operation costs about as much as a selection, and does
// no harm when its result is not needed.
func cheap(op *ir.Operation) bool {
	if _, ok := units.Lookup(op.Name); !ok || op.Dialect() != "arith" || units.EffortOf(op.Name) > units.Light {
		return false
	}
	switch op.Name {
	case opname.ArithSelect:
		return true
	case opname.ArithShLI, opname.ArithShRSI, opname.ArithShRUI:
		return op.Operand(1).IsConstant()
	}
	return !slices.ContainsFunc(op.Operands(), func(v *ir.Value) bool { return !ir.IsInt(v.Type) }) // floating point takes longer
}

// emitAll emits the operations of a block except its terminator.
func emitAll(b *ir.Block, emit func(*ir.Operation)) {
	for _, o := range splicedOps(b) {
		emit(o)
	}
}

// hoistForUndefined takes a cheap operation out of one arm of a branch where the
// other arm leaves the result undefined: no selection is needed then.
func (c *cleaner) hoistForUndefined(op *ir.Operation, emit func(*ir.Operation)) {
	for i, r := range op.Results() {
		if !r.HasUses() {
			continue
		}
		for side := range 2 {
			arm := op.Regions[side].Entry()
			v := arm.Terminator().Operand(i)
			if !isPoison(op.Regions[1-side].Entry().Terminator().Operand(i)) || v.Def == nil || v.Def.Block() != arm || !cheap(v.Def) {
				continue
			}
			free := true
			for _, w := range v.Def.Operands() {
				free = free && rewrite.Outside(w, op)
			}
			if free {
				v.Def.Unlink()
				emit(v.Def)
				replaceValue(r, v)
				c.changed = true
			}
		}
	}
}

// hoistCommon takes pure operations that both arms compute in front of the branch.
func (c *cleaner) hoistCommon(then, other *ir.Block, op *ir.Operation, emit func(*ir.Operation)) {
	s := &share{ids: map[*ir.Value]int{}}
	free := func(o *ir.Operation) bool {
		if !o.Is(ir.Pure) || len(o.Regions) > 0 || o.NumResults() == 0 {
			return false
		}
		for _, v := range o.Operands() {
			if !rewrite.Outside(v, op) {
				return false
			}
		}
		return true
	}
	keys := map[string]*ir.Operation{}
	for _, o := range then.Ops {
		if free(o) {
			keys[s.key(o)] = o
		}
	}
	if len(keys) == 0 {
		return
	}
	rewrite.Rebuild(other, func(o *ir.Operation, keep func(*ir.Operation)) {
		if free(o) {
			k := s.key(o)
			if first := keys[k]; first != nil {
				delete(keys, k)
				first.Unlink()
				emit(first)
				replaceResults(o, first.Results())
				rewrite.Drop(o)
				c.changed = true
				return
			}
		}
		keep(o)
	})
}

// branchResult finds a value outside a branch that its result i repeats.
func (c *cleaner) branchResult(op *ir.Operation, i int, m rewrite.Maker) *ir.Value {
	a := op.Regions[0].Entry().Terminator().Operand(i)
	b := op.Regions[1].Entry().Terminator().Operand(i)
	for side, v := range []*ir.Value{a, b} {
		// Undefined in the other arm: any result that is v in this one will do.
		if other := []*ir.Value{b, a}[side]; !isPoison(other) || isPoison(v) {
			continue
		}
		for k, w := range op.Regions[side].Entry().Terminator().Operands() {
			if k != i && w == v && !isPoison(op.Regions[1-side].Entry().Terminator().Operand(k)) {
				return op.Result(k)
			}
		}
	}
	switch {
	case a == b:
		return a
	case isPoison(a) && rewrite.Outside(b, op):
		return b
	case isPoison(b) && rewrite.Outside(a, op):
		return a
	}
	if a.Type == ir.Type(ir.I1) && rewrite.Outside(a, op) && rewrite.Outside(b, op) {
		return c.logic(op.Operand(0), a, b, m)
	}
	return nil
}

// mergeBranch joins a branch with the one in front of it that has the same
// condition, or its opposite.
func (c *cleaner) mergeBranch(op *ir.Operation, b *ir.Block) bool {
	// Between the two only operations that could as well stand before both.
	at := len(b.Ops) - 1
	for at >= 0 && b.Ops[at].Name != opname.SCFIf && b.Ops[at].Is(ir.Pure) && len(b.Ops[at].Regions) == 0 {
		at--
	}
	if at < 0 || b.Ops[at].Name != opname.SCFIf || b.Ops[at].Operand(0) != op.Operand(0) {
		return false
	}
	first := b.Ops[at]
	for _, o := range b.Ops[at+1:] {
		for _, v := range o.Operands() {
			if v.Def == first {
				return false // needs what the first branch makes
			}
		}
	}
	if len(first.Regions[1].Blocks) == 0 {
		e := first.Regions[1].AddBlock()
		e.Append(newOp(opname.SCFYield, first.Pos, nil))
	}
	types := []ir.Type{}
	for _, r := range append(append([]*ir.Value(nil), first.Results()...), op.Results()...) {
		types = append(types, r.Type)
	}
	merged := ir.NewOp(opname.SCFIf, first.Pos, []*ir.Value{op.Operand(0)}, types)
	merged.Attrs, merged.Loc = first.Attrs, first.Loc
	for i := range 2 {
		arm := first.Regions[i].Entry()
		yield := arm.Terminator()
		values := append([]*ir.Value(nil), yield.Operands()...)
		arm.Ops = arm.Ops[:len(arm.Ops)-1]
		if more := op.Regions[i].Entry(); more != nil {
			// In this arm the first branch's results are what it yields.
			for k, r := range first.Results() {
				for _, u := range append([]ir.Use(nil), r.Uses()...) {
					if within(u.Op, op.Regions[i]) {
						u.Op.SetOperand(u.Index, values[k])
					}
				}
			}
			values = append(values, splice(more, func(o *ir.Operation) { arm.Append(o) })...)
			rewrite.Drop(more.Ops[0])
		}
		yield.SetOperands(nil)
		arm.Append(newOp(opname.SCFYield, yield.Pos, values))
		r := merged.AddRegion()
		r.Blocks = first.Regions[i].Blocks
		r.Blocks[0].Parent = r
		first.Regions[i].Blocks = nil
	}
	for k, r := range first.Results() {
		merged.Result(k).Name = r.Name
		r.ReplaceAllUsesWith(merged.Result(k))
	}
	for k, r := range op.Results() {
		n := merged.Result(first.NumResults() + k)
		n.Name = r.Name
		r.ReplaceAllUsesWith(n)
	}
	first.SetOperands(nil)
	op.SetOperands(nil)
	b.Ops = append(b.Ops[:at:at], b.Ops[at+1:]...)
	b.Append(merged)
	return true
}

// within reports whether op is in a region.
func within(op *ir.Operation, r *ir.Region) bool {
	for o := op; o != nil; o = o.ParentOp() {
		if o.Block() != nil && o.Block().Parent == r {
			return true
		}
	}
	return false
}

// indexSwitch simplifies an scf.index_switch; it reports whether op was removed.
func (c *cleaner) indexSwitch(op *ir.Operation, emit func(*ir.Operation)) bool {
	cases := op.Attr("cases").(*ir.DenseArrayAttr).Values
	if k, ok := op.Operand(0).ConstantInt(); ok {
		arm := op.Regions[0]
		for i, v := range cases {
			if v == k {
				arm = op.Regions[i+1]
			}
		}
		replaceResults(op, splice(arm.Entry(), emit))
		rewrite.Drop(op)
		return true
	}
	for i, r := range op.Results() {
		if !r.HasUses() {
			continue
		}
		first := op.Regions[0].Entry().Terminator().Operand(i)
		same := rewrite.Outside(first, op)
		for _, q := range op.Regions[1:] {
			same = same && q.Entry().Terminator().Operand(i) == first
		}
		if same {
			replaceValue(r, first)
			c.changed = true
		}
	}
	for _, r := range op.Regions {
		if len(r.Entry().Ops) > 1 {
			return false
		}
	}
	m := maker(op.Pos, emit)
	values := append([]*ir.Value(nil), op.Regions[0].Entry().Terminator().Operands()...)
	if len(values)*len(cases) > 8 {
		return false // a table of selections is no better
	}
	for k, v := range cases {
		var is *ir.Value
		for i, r := range op.Results() {
			w := op.Regions[k+1].Entry().Terminator().Operand(i)
			if w == values[i] || !r.HasUses() {
				continue
			}
			if is == nil {
				is = m.CmpI(arith.Eq, op.Operand(0), m.Integer(v, ir.Index))
			}
			values[i] = m.Op(opname.ArithSelect, w.Type, is, w, values[i])
		}
	}
	replaceResults(op, values)
	rewrite.Drop(op)
	return true
}
