package structure

import (
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

// countLoops recognises loops that count. Compilers rotate a loop: they test its
// condition once before it and then at its end. Such a loop is rotated back, so that
// it tests first, where its first test is known to hold; one that counts upwards to
// a bound becomes an scf.for, all others stay an scf.while that tests first, which
// the lowering makes a stream of all the same. A branch that only repeats the first
// test is removed. It reports whether anything changed.
func countLoops(fn *ir.Operation) bool {
	k := &counter{}
	k.block(fn.Regions[0].Entry())
	return k.changed
}

type counter struct{ changed bool }

func (k *counter) block(b *ir.Block) {
	for i := 0; i < len(b.Ops); i++ {
		op := b.Ops[i]
		if op.Name == opname.SCFWhile {
			// What comes in front of the loop moves it back, also where the loop
			// stays as it is.
			at := len(b.Ops)
			if n := k.convert(op); n != nil {
				k.changed = true
				op = n
			}
			i += len(b.Ops) - at
		}
		for _, r := range op.Regions {
			for _, inner := range r.Blocks {
				k.block(inner)
			}
		}
		if op.Name == opname.SCFFor && mergeInductions(op) {
			k.changed = true
		}
		if op.Name == opname.SCFIf && (k.decided(op) || dropGuard(op)) {
			k.changed = true
			i = max(i-2, -1)
		}
	}
}

// decided takes the arm of a branch whose condition is known from what is around
// it; it reports whether op was removed.
func (k *counter) decided(op *ir.Operation) bool {
	cmp := op.Operand(0).Def
	if cmp == nil || cmp.Name != opname.ArithCmpI {
		return false
	}
	pred, _ := arith.PredicateOf(cmp)
	p := factsAt(op)
	arm := -1
	switch {
	case p.Proves(pred, cmp.Operand(0), cmp.Operand(1)):
		arm = 0
	case p.Proves(pred.Negated(), cmp.Operand(0), cmp.Operand(1)):
		arm = 1
	default:
		return false
	}
	var values []*ir.Value
	if b := op.Regions[arm].Entry(); b != nil {
		values = splice(b, func(o *ir.Operation) { op.Block().InsertBefore(op, o) })
	}
	replaceResults(op, values)
	rewrite.Drop(op)
	op.Unlink()
	return true
}

// convert rotates a loop back to one that tests first and makes it an scf.for if it can;
// it returns the replacement, nil if nothing changed.
func (k *counter) convert(op *ir.Operation) *ir.Operation {
	if n := twice(op); n != nil {
		return n
	}
	var out *ir.Operation
	k.changed = hoistBound(op) || k.changed
	if n := rotateBack(op); n != nil {
		op, out = n, n
	}
	if n := toFor(op); n != nil {
		out = n
	}
	return out
}

// hoistBound computes in front of a loop what its test compares with, where no iteration changes it: LLVM leaves
// the end of an array that it computes from its beginning beside the comparison. It reports whether it did.
func hoistBound(op *ir.Operation) (hoisted bool) {
	before := op.Regions[0].Entry()
	cmp := before.Terminator().Operand(0).Def
	if cmp == nil || cmp.Name != opname.ArithCmpI || cmp.Block() != before {
		return false
	}
	for _, v := range cmp.Operands() {
		d := v.Def
		if d == nil || d.Block() != before || d.Name != opname.ArithAddI && d.Name != opname.ArithSubI {
			continue
		}
		if rewrite.Outside(d.Operand(0), op) && rewrite.Outside(d.Operand(1), op) {
			d.Unlink()
			op.Block().InsertBefore(op, d)
			hoisted = true
		}
	}
	return hoisted
}

// rotateBack makes a loop that is tested at its end test first, if the first test is
// known to hold. It returns the new loop.
func rotateBack(op *ir.Operation) *ir.Operation {
	if !testedLast(op) {
		return nil
	}
	t, ok := testAtEnd(op)
	if !ok {
		return nil
	}
	p := factsAt(op)
	x, y := t.at(op)
	_, starts := t.meets(op)
	if !p.Proves(t.pred, x, y) && !(t.next && starts) && deviate != firstUnproven {
		return nil
	}
	if d := nextOf(op, t.x.Index).Def; !t.next && d != nil && deviate != lastUnseen {
		// The loop has not looked at the sum of its last iteration, which may wrap; the new one does.
		d.SetAttr(arith.OverflowAttr, nil)
	}
	t = t.strengthen(op, p)
	insertBefore(op, t.y)
	before, after := op.Regions[0].Entry(), op.Regions[1].Entry()
	cond := before.Terminator()
	inits := append([]*ir.Value(nil), op.Operands()...)
	var next []*ir.Value
	for i := range before.Args {
		next = append(next, nextOf(op, i))
	}
	// What the last iteration computed, and an operation behind the loop reads, is
	// carried on.
	from := make([]int, op.NumResults())
	for i, r := range op.Results() {
		from[i] = -1
		v := cond.Operand(1 + i)
		if !r.HasUses() {
			continue
		}
		for k, n := range next {
			if n == v && from[i] < 0 {
				from[i] = k
			}
		}
		if from[i] < 0 {
			from[i] = len(next)
			next = append(next, v)
			inits = append(inits, poisonBefore(op, v.Type))
		}
	}
	var types []ir.Type
	for _, v := range inits {
		types = append(types, v.Type)
	}
	n := ir.NewOp(opname.SCFWhile, op.Pos, inits, types)
	n.Attrs, n.Loc = op.Attrs, op.Loc
	head, body := n.AddRegion().AddBlock(), n.AddRegion().AddBlock()
	for i, v := range inits {
		name := ""
		if i < len(before.Args) {
			name = before.Args[i].Name
		} else {
			name = next[i].Name
		}
		head.AddArg(v.Type, name, op.Pos)
		body.AddArg(v.Type, name, op.Pos)
		n.Result(i).Name = name
	}
	inHead := func(v *ir.Value) *ir.Value {
		if v.Block == before {
			return head.Args[v.Index]
		}
		return v
	}
	m := maker(cond.Pos, func(o *ir.Operation) { head.Append(o) })
	c := m.CmpI(t.pred, inHead(t.x), inHead(t.y))
	head.Append(newOp(opname.SCFCondition, cond.Pos, append([]*ir.Value{c}, head.Args...)))
	for i, v := range next {
		if v.Block == before && v.Def == nil {
			next[i] = body.Args[v.Index]
		}
	}
	for i, a := range before.Args {
		a.ReplaceAllUsesWith(body.Args[i])
	}
	yieldPos := after.Terminator().Pos
	ops := before.Ops
	before.Ops = nil
	for _, o := range ops[:len(ops)-1] {
		body.Append(o)
	}
	body.Append(newOp(opname.SCFYield, yieldPos, next))
	for i, r := range op.Results() {
		if from[i] >= 0 {
			if name := r.Name; name != "" {
				n.Result(from[i]).Name = name
			}
			r.ReplaceAllUsesWith(n.Result(from[i]))
		}
	}
	cond.SetOperands(nil)
	replaceOp(op, n)
	return n
}

func poisonBefore(op *ir.Operation, t ir.Type) *ir.Value {
	p := newOp(opname.UBPoison, op.Pos, nil, t)
	op.Block().InsertBefore(op, p)
	return p.Result(0)
}

// replaceOp replaces op by n.
func replaceOp(op, n *ir.Operation) {
	op.Block().InsertBefore(op, n)
	rewrite.Drop(op)
	op.Unlink()
}
