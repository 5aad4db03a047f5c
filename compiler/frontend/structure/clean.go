package structure

import (
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

// maxRounds bounds the cleaning: each round makes the function smaller, a few
// reach the end.
const maxRounds = 12

// clean brings structured code to its smallest readable form: flags become the
// conditions they repeat, branches without operations become selections, and
// values that are unused, or that never change, are not carried.
func clean(fn *ir.Operation) {
	c := &cleaner{fn: fn}
	for range maxRounds {
		c.changed, c.truths = false, [2]*ir.Value{} // the last round has dropped what was not used
		gatherConstants(fn)
		c.block(fn.Regions[0].Entry())
		c.changed = shareEqual(fn) || c.changed
		c.changed = rewrite.DropDead(fn, onlyValues) || c.changed
		if !c.changed {
			return
		}
	}
}

// gatherConstants moves constants to the head of the function, where they dominate
// every use.
func gatherConstants(fn *ir.Operation) {
	var head []*ir.Operation
	rewrite.Blocks(fn, func(b *ir.Block) {
		rewrite.Rebuild(b, func(op *ir.Operation, emit func(*ir.Operation)) {
			if op.Is(ir.ConstantLike) {
				head = append(head, op)
				return
			}
			emit(op)
		})
	})
	entry := fn.Regions[0].Entry()
	ops := entry.Ops
	entry.Ops = make([]*ir.Operation, 0, len(head)+len(ops))
	for _, op := range append(head, ops...) {
		entry.Append(op)
	}
}

type cleaner struct {
	fn      *ir.Operation
	changed bool
	truths  [2]*ir.Value
	// behind are operations to insert behind the current one.
	behind []*ir.Operation
}

// truth is the constant false or true at the head of the function.
func (c *cleaner) truth(v bool) *ir.Value {
	i := 0
	if v {
		i = 1
	}
	entry := c.fn.Regions[0].Entry()
	if w := c.truths[i]; w != nil && w.Def.Block() == entry {
		return w
	}
	k := newConstant(c.fn.Pos, int64(i), ir.I1)
	if len(entry.Ops) > 0 {
		entry.InsertBefore(entry.Ops[0], k)
	} else {
		entry.Append(k)
	}
	c.truths[i] = k.Result(0)
	return k.Result(0)
}

// block simplifies one block and those inside.
func (c *cleaner) block(b *ir.Block) {
	old := b.Ops
	b.Ops = make([]*ir.Operation, 0, len(old))
	emit := func(o *ir.Operation) { b.Append(o) }
	for _, op := range old {
		c.known(op)
		for _, r := range op.Regions {
			for _, inner := range r.Blocks {
				c.block(inner)
			}
		}
		done := false
		switch op.Name {
		case opname.SCFIf:
			done = c.branch(op, emit) || c.mergeBranch(op, b)
		case opname.SCFWhile:
			done = c.while(op, emit)
		case opname.SCFIndexSwitch:
			done = c.indexSwitch(op, emit)
		case opname.SCFFor:
			done = c.forLoop(op)
		default:
			done = c.simpler(op, emit)
		}
		if done {
			c.changed = true
			continue
		}
		emit(op)
		for _, o := range c.behind {
			emit(o)
		}
		c.behind = nil
	}
}

// known replaces a condition by its value in the regions that depend on it.
func (c *cleaner) known(op *ir.Operation) {
	switch op.Name {
	case opname.SCFIf:
		for i, r := range op.Regions {
			c.knownIn(op.Operand(0), i == 0, r)
		}
	case opname.SCFWhile:
		cond := op.Regions[0].Entry().Terminator()
		for i, v := range cond.Operands()[1:] {
			if a := op.Regions[1].Entry().Args[i]; v == cond.Operand(0) && a.HasUses() {
				a.ReplaceAllUsesWith(c.truth(true))
				c.changed = true
			}
		}
		if rewrite.Outside(cond.Operand(0), op) {
			c.knownIn(cond.Operand(0), true, op.Regions[1])
		}
	}
}

func (c *cleaner) knownIn(cond *ir.Value, holds bool, r *ir.Region) {
	if _, constant := cond.ConstantInt(); constant || len(cond.Uses()) < 2 {
		return
	}
	for _, u := range append([]ir.Use(nil), cond.Uses()...) {
		for o := u.Op; o != nil; o = o.ParentOp() {
			if o.Block() != nil && o.Block().Parent == r {
				u.Op.SetOperand(u.Index, c.truth(holds))
				c.changed = true
				break
			}
		}
	}
}
