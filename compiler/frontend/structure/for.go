package structure

import (
	"loom/compiler/analysis/interval"
	"loom/compiler/analysis/ranges"
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

// counted is an scf.while that tests first and can be an scf.for.
type counted struct {
	arg   int // which argument counts
	step  int64
	ub    *ir.Value // nil: one more than bound
	bound *ir.Value
	iv    *ir.Value
	facts *ranges.Ranges
}

// toFor makes an scf.for of a loop that tests first and counts upwards, if it is
// the same for all inputs: neither the bound nor a step may pass the largest
// value. It returns the new loop.
func toFor(op *ir.Operation) *ir.Operation {
	before := op.Regions[0].Entry()
	cond := before.Terminator()
	for _, o := range before.Ops[:len(before.Ops)-1] {
		if !o.Is(ir.Pure) || len(o.Regions) > 0 {
			return nil
		}
	}
	c, ok := countsUp(op)
	if !ok {
		return nil
	}
	if len(before.Ops) > 6 {
		return nil // computed twice: in the loop and behind it
	}
	// The counter's value behind the loop is its bound; with larger steps it would
	// take a division.
	for i, r := range op.Results() {
		if r.HasUses() && dependsOn(cond.Operand(1+i), before.Args[c.arg], before) && c.step != 1 {
			return nil
		}
	}
	after := op.Regions[1].Entry()
	yield := after.Terminator()
	m := maker(op.Pos, func(o *ir.Operation) { op.Block().InsertBefore(op, o) })
	t := c.iv.Type
	if c.ub == nil {
		c.ub = m.Op(opname.ArithAddI, t, c.bound, m.Integer(1, t))
	}
	operands := []*ir.Value{op.Operand(c.arg), insertBefore(op, c.ub), m.Integer(c.step, t)}
	var types []ir.Type
	position := map[int]int{}
	for i, v := range op.Operands() {
		if i != c.arg {
			position[i] = len(types)
			operands = append(operands, v)
			types = append(types, v.Type)
		}
	}
	n := ir.NewOp(opname.SCFFor, op.Pos, operands, types)
	n.Attrs, n.Loc = op.Attrs, op.Loc
	body := n.AddRegion().AddBlock()
	iv := body.AddArg(t, c.iv.Name, op.Pos)
	inBody := map[*ir.Value]*ir.Value{c.iv: iv}
	for i, a := range before.Args {
		if i == c.arg {
			continue
		}
		k := position[i]
		inBody[a] = body.AddArg(a.Type, a.Name, op.Pos)
		n.Result(k).Name = a.Name
	}
	// The operations of the first region, for the body and for what is behind.
	emitBody := func(o *ir.Operation) { body.Append(o) }
	usedIn := neededBy(before, func(i int) bool { return after.Args[i].HasUses() })
	for _, o := range before.Ops[:len(before.Ops)-1] {
		if usedIn[o] {
			emitBody(o.Clone(inBody))
		}
	}
	for i, a := range after.Args {
		v := cond.Operand(1 + i)
		if w, ok := inBody[v]; ok {
			v = w
		}
		a.ReplaceAllUsesWith(v)
	}
	next := append([]*ir.Value(nil), yield.Operands()...)
	yield.SetOperands(nil)
	ops := after.Ops
	after.Ops = nil
	for _, o := range ops[:len(ops)-1] {
		body.Append(o)
	}
	var yields []*ir.Value
	for i := range before.Args {
		if i == c.arg {
			continue
		}
		yields = append(yields, next[i])
	}
	body.Append(newOp(opname.SCFYield, yield.Pos, yields))

	op.Block().InsertBefore(op, n)
	behind := map[*ir.Value]*ir.Value{}
	for i, a := range before.Args {
		if i != c.arg {
			behind[a] = n.Result(position[i])
		}
	}
	used := neededBy(before, func(i int) bool { return op.Result(i).HasUses() })
	finalUsed := false
	for i, r := range op.Results() {
		finalUsed = finalUsed || r.HasUses() && dependsOn(cond.Operand(1+i), c.iv, before)
	}
	if finalUsed {
		final := c.ub
		if !c.facts.Proves(arith.Sle, operands[0], c.ub) && deviate != finalBound {
			final = m.Op(opname.ArithMaxSI, t, operands[0], c.ub)
		}
		behind[c.iv] = final
	}
	for _, o := range before.Ops[:len(before.Ops)-1] {
		if used[o] {
			m.Emit(o.Clone(behind))
		}
	}
	for i, r := range op.Results() {
		if !r.HasUses() {
			continue
		}
		v := cond.Operand(1 + i)
		if w, ok := behind[v]; ok {
			v = w
		}
		r.ReplaceAllUsesWith(v)
	}
	rewrite.Drop(op)
	op.Unlink()
	return n
}

// neededBy finds the operations of a first region that the values passed on, of
// those that matter, are made by.
func neededBy(before *ir.Block, matters func(int) bool) map[*ir.Operation]bool {
	needed := map[*ir.Operation]bool{}
	var visit func(v *ir.Value)
	visit = func(v *ir.Value) {
		if v.Def == nil || v.Def.Block() != before || needed[v.Def] {
			return
		}
		needed[v.Def] = true
		for _, w := range v.Def.Operands() {
			visit(w)
		}
	}
	for i, v := range before.Terminator().Operands()[1:] {
		if matters(i) {
			visit(v)
		}
	}
	return needed
}

// dependsOn reports whether a value of a first region is computed from an argument.
func dependsOn(v, arg *ir.Value, before *ir.Block) bool {
	if v == arg {
		return true
	}
	if v.Def == nil || v.Def.Block() != before {
		return false
	}
	for _, w := range v.Def.Operands() {
		if dependsOn(w, arg, before) {
			return true
		}
	}
	return false
}

// countsUp matches a loop that tests first, against a bound that it approaches from
// below.
func countsUp(op *ir.Operation) (c counted, ok bool) {
	before := op.Regions[0].Entry()
	cmp := before.Terminator().Operand(0).Def
	if cmp == nil || cmp.Name != opname.ArithCmpI || cmp.Block() != before {
		return c, false
	}
	t := test{x: cmp.Operand(0), y: cmp.Operand(1)}
	t.pred, _ = arith.PredicateOf(cmp)
	if t, ok = t.ordered(op); !ok || !rewrite.Outside(t.y, op) || t.x.Type == ir.Type(ir.I1) {
		return c, false
	}
	if c.step, ok = stepOf(op, t.x.Index); !ok || c.step < 1 {
		return c, false
	}
	c.arg, c.iv, c.bound, c.facts = t.x.Index, t.x, t.y, factsAt(op)
	init := op.Operand(c.arg)
	bound := c.facts.Of(t.y)
	top := interval.MaxSigned(widthOf(t.y.Type))
	low := c.facts.Of(init)
	if t.pred == arith.Ult || t.pred == arith.Ule {
		// Where both values have no sign bit, the order is the same.
		switch {
		case low.Lo >= 0 && bound.Lo >= 0, deviate == signIgnored:
		case t.pred == arith.Ult && c.step == 1 && startsLow(c.facts, init):
		default:
			return c, false
		}
		t.pred += arith.Slt - arith.Ult
	}
	t = t.strengthen(op, c.facts)
	switch t.pred {
	case arith.Slt:
		c.ub = t.y
		next := nextOf(op, t.x.Index).Def
		exact := next.Name == opname.ArithAddI && arith.IsNoSignedWrap(next)
		return c, c.step == 1 || exact || bound.Hi <= top-(c.step-1) || deviate == wrapIgnored
	case arith.Sle:
		if k, constant := t.y.ConstantInt(); constant && k < top {
			c.ub = newInteger(op, k+1, t.y.Type)
		}
		if deviate == boundExclusive {
			c.ub = t.y
		}
		return c, bound.Hi <= top-c.step || deviate == wrapIgnored
	}
	return c, false
}
