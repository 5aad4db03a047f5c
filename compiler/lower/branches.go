package lower

import (
	"loom/compiler/analysis/interval"
	"loom/compiler/analysis/loops"
	"loom/compiler/dialect/arith"
	"loom/compiler/dialect/dataflow"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
	"loom/internal/intmath"
)

// conditionDepth bounds how deep a condition is taken apart.
const conditionDepth = 4

// known replaces conditions that are settled inside region i of op by constants
// there: in the branches of an scf.if its condition and what that implies.
func (z *simplifier) known(op *ir.Operation, i int, b *ir.Block) {
	if op.Name != opname.SCFIf {
		return
	}
	var settle func(v *ir.Value, holds bool, depth int)
	settle = func(v *ir.Value, holds bool, depth int) {
		if v.IsConstant() || depth == 0 {
			return
		}
		var inside []ir.Use
		for _, u := range v.Uses() {
			if within(u.Op, b) {
				inside = append(inside, u)
			}
		}
		if len(inside) > 0 {
			c := rewrite.Constant(op.Pos, truth(holds), ir.I1)
			b.InsertBefore(b.Ops[0], c)
			for _, u := range inside {
				u.Op.SetOperand(u.Index, c.Result(0))
			}
			z.changed = true
		}
		d := v.Def
		if d == nil {
			return
		}
		switch {
		case d.Name == opname.ArithAndI && holds, d.Name == opname.ArithOrI && !holds:
			settle(d.Operand(0), holds, depth-1)
			settle(d.Operand(1), holds, depth-1)
		case d.Name == opname.ArithXOrI:
			if k, ok := d.Operand(1).ConstantInt(); ok {
				settle(d.Operand(0), holds != (k != 0), depth-1)
			}
		}
	}
	settle(op.Operand(0), i == 0, conditionDepth)
}

// within reports whether op stands in block b or deeper.
func within(op *ir.Operation, b *ir.Block) bool {
	for op != nil {
		if op.Block() == b {
			return true
		}
		op = op.ParentOp()
	}
	return false
}

// mergeBranches joins scf.if operations of one condition that follow each other
// with nothing but arithmetic between them: the branches of the second go to the
// end of those of the first. One branch then serves both: what both use enters
// it once, and the token of a memory splits and merges once. The order of all
// accesses stays. It reports whether it merged any.
func (z *simplifier) mergeBranches(b *ir.Block) bool {
	merged := false
	for i := 0; i < len(b.Ops); i++ {
		first := b.Ops[i]
		if first.Name != opname.SCFIf {
			continue
		}
		for j := i + 1; j < len(b.Ops); j++ {
			second := b.Ops[j]
			if second.Name == opname.SCFIf && second.Operand(0) == first.Operand(0) {
				n := joinBranches(first, second)
				// In between is only arithmetic that needs nothing of the first
				// branch; it goes in front.
				ops := append([]*ir.Operation(nil), b.Ops[:i]...)
				ops = append(ops, b.Ops[i+1:j]...)
				ops = append(ops, n)
				at := len(ops) - 1
				ops = append(ops, b.Ops[j+1:]...)
				b.Ops = ops
				adopt(b, n)
				i = at - 1 // the merged one may merge with the next
				merged = true
				break
			}
			passes := isPure(second) || z.s.opts.deviate == mergeReaders && second.Name == opname.MemRefLoad
			if !passes || reads(second, first) {
				break
			}
		}
	}
	return merged
}

// adopt makes b the block of op, which is already in its list.
func adopt(b *ir.Block, op *ir.Operation) {
	at := -1
	for i, o := range b.Ops {
		if o == op {
			at = i
		}
	}
	rest := append([]*ir.Operation(nil), b.Ops[at+1:]...)
	b.Ops = b.Ops[:at]
	b.Append(op)
	b.Ops = append(b.Ops, rest...)
}

// reads reports whether op has a result of def among its operands.
func reads(op, def *ir.Operation) bool {
	for _, v := range op.Operands() {
		if v.Def == def {
			return true
		}
	}
	return false
}

// joinBranches makes one scf.if of two with the same condition.
func joinBranches(first, second *ir.Operation) *ir.Operation {
	var types []ir.Type
	results := append(append([]*ir.Value(nil), first.Results()...), second.Results()...)
	for _, v := range results {
		types = append(types, v.Type)
	}
	n := ir.NewOp(opname.SCFIf, first.Pos, []*ir.Value{first.Operand(0)}, types)
	n.Attrs, n.Loc = first.Attrs, first.Loc
	for side := range 2 {
		region := n.AddRegion()
		var parts []*ir.Block
		for _, op := range []*ir.Operation{first, second} {
			if side < len(op.Regions) && op.Regions[side].Entry() != nil {
				parts = append(parts, op.Regions[side].Entry())
			}
		}
		if len(parts) == 0 {
			continue
		}
		b := region.AddBlock()
		var yields []*ir.Value
		for _, p := range parts {
			t := p.Terminator()
			for _, o := range p.Ops[:len(p.Ops)-1] {
				b.Append(o)
			}
			if p.ParentOp() == first {
				// What the second branch reads of the first is known here.
				for i, y := range t.Operands() {
					yields = append(yields, y)
					for _, u := range append([]ir.Use(nil), first.Result(i).Uses()...) {
						if len(second.Regions) > side && second.Regions[side].Entry() != nil && within(u.Op, second.Regions[side].Entry()) {
							u.Op.SetOperand(u.Index, y)
						}
					}
				}
			} else {
				yields = append(yields, t.Operands()...)
			}
			t.SetOperands(nil)
		}
		b.Append(ir.NewOp(opname.SCFYield, first.Pos, yields, nil))
	}
	for i, v := range results {
		n.Result(i).Name = v.Name
		v.ReplaceAllUsesWith(n.Result(i))
	}
	first.SetOperands(nil)
	second.SetOperands(nil)
	return n
}

// nested turns a branch that holds nothing but another branch into one under
// both conditions. Before: if %a { if %b { … } }. After: if %a & %b { … }. What
// the inner branch uses is split once instead of twice. Only arithmetic may stand
// beside the inner branch; it is done in any case. It reports whether it did,
// having emitted the replacement.
func nested(op *ir.Operation, emit func(*ir.Operation)) bool {
	if op.NumResults() > 0 || !onlyThen(op) {
		return false
	}
	body := op.Regions[0].Entry()
	if len(body.Ops) < 2 {
		return false
	}
	inner := body.Ops[len(body.Ops)-2]
	if inner.Name != opname.SCFIf || inner.NumResults() > 0 || !onlyThen(inner) || len(body.Ops) > 2+maxConverted {
		return false
	}
	before := body.Ops[:len(body.Ops)-2]
	for _, o := range before {
		if !cheap(o) {
			return false
		}
	}
	for _, o := range append([]*ir.Operation(nil), before...) {
		emit(o)
	}
	m := rewrite.Maker{Pos: op.Pos, Emit: emit}
	both := m.Op(opname.ArithAndI, ir.I1, op.Operand(0), inner.Operand(0))
	inner.SetOperand(0, both)
	emit(inner)
	op.SetOperands(nil)
	return true
}

// onlyThen reports whether an scf.if does nothing where its condition fails.
func onlyThen(op *ir.Operation) bool {
	return len(op.Regions) < 2 || op.Regions[1].Entry() == nil || len(op.Regions[1].Entry().Ops) == 1
}

// unswitched moves a branch that decides for all iterations out of its loop.
// Before: for { if %c { … } } with %c from outside. After: if %c { for { … } }.
// The branch must be all that the loop does besides arithmetic, and where it is
// not taken, the carried values must stay. It reports whether it did, having
// emitted the replacement.
func unswitched(loop *ir.Operation, emit func(*ir.Operation)) bool {
	body := loop.Regions[0].Entry()
	yield := body.Terminator()
	var branch *ir.Operation
	for _, o := range body.Ops[:len(body.Ops)-1] {
		switch {
		case o.Name == opname.SCFIf && branch == nil:
			branch = o
		case !cheap(o):
			return false
		}
	}
	if branch == nil || !rewrite.Outside(branch.Operand(0), loop) || branch.Operand(0).IsConstant() || !onlyThen(branch) && branch.NumResults() == 0 {
		return false
	}
	if branch.NumResults() > 0 && len(branch.Regions[1].Entry().Ops) > 1 {
		return false
	}
	for i, v := range yield.Operands() {
		if v.Def != branch || branch.Regions[1].Entry().Terminator().Operand(v.Index) != body.Args[1+i] {
			return false
		}
	}
	// The contents of the branch replace it; its results become its own yields.
	cond := branch.Operand(0)
	inner := branch.Regions[0].Entry()
	taken := append([]*ir.Value(nil), inner.Terminator().Operands()...)
	rewrite.Rebuild(body, func(o *ir.Operation, keep func(*ir.Operation)) {
		if o != branch {
			keep(o)
			return
		}
		for _, x := range inner.Ops[:len(inner.Ops)-1] {
			keep(x)
		}
	})
	for i, v := range taken {
		branch.Result(i).ReplaceAllUsesWith(v)
	}
	dropUntaken(branch, 0)
	wrap(loop, cond, emit)
	return true
}

// wrap emits if cond { loop } else { inits }.
func wrap(loop *ir.Operation, cond *ir.Value, emit func(*ir.Operation)) {
	var types []ir.Type
	for _, r := range loop.Results() {
		types = append(types, r.Type)
	}
	branch := ir.NewOp(opname.SCFIf, loop.Pos, []*ir.Value{cond}, types)
	then, other := branch.AddRegion(), branch.AddRegion()
	emit(branch)
	for i, r := range loop.Results() {
		branch.Result(i).Name = r.Name
		r.ReplaceAllUsesWith(branch.Result(i))
	}
	b := then.AddBlock()
	b.Append(loop)
	b.Append(ir.NewOp(opname.SCFYield, loop.Pos, loop.Results(), nil))
	if len(types) > 0 {
		other.AddBlock().Append(ir.NewOp(opname.SCFYield, loop.Pos, loop.Operands()[3:], nil))
	}
}

// straight replaces a counted loop of which the number of iterations is proven
// to be none or, once the dependences between iterations are known, one. It
// reports whether it did.
func (z *simplifier) straight(op *ir.Operation, emit func(*ir.Operation)) bool {
	lb, ub, step := op.Operand(0), op.Operand(1), op.Operand(2)
	stepOp, cond := loops.Kind(op)
	p, ok := loops.Test(cond)
	if !ok || op.Attr(loops.UnsignedAttr) != nil {
		return false
	}
	body := op.Regions[0].Entry()
	runs, known := z.ranges.Decide(p, lb, ub)
	switch {
	case known && !runs:
		for i, r := range op.Results() {
			r.ReplaceAllUsesWith(op.Operand(3 + i))
		}
		rewrite.Drop(op)
		return true
	case !z.strength || !known || !z.once(op, lb, ub, step, stepOp, p):
		return false
	}
	body.Args[0].ReplaceAllUsesWith(lb)
	for i, v := range op.Operands()[3:] {
		body.Args[1+i].ReplaceAllUsesWith(v)
	}
	yield := body.Terminator()
	values := append([]*ir.Value(nil), yield.Operands()...)
	for _, o := range body.Ops[:len(body.Ops)-1] {
		emit(o)
	}
	for i, r := range op.Results() {
		r.ReplaceAllUsesWith(values[i])
	}
	yield.SetOperands(nil)
	op.SetOperands(nil)
	return true
}

// once reports whether a loop that runs does so for one iteration only.
func (z *simplifier) once(op *ir.Operation, lb, ub, step *ir.Value, stepOp string, p arith.IntPredicate) bool {
	r := z.ranges
	w, ok := r.Width(lb)
	if !ok {
		return false
	}
	a, aOK := lb.ConstantInt()
	b, bOK := ub.ConstantInt()
	s, sOK := step.ConstantInt()
	if aOK && bOK && sOK && (stepOp == "+=" || stepOp == "-=") {
		next := evaluate(dataflow.StepOperations[stepOp], uint64(a), uint64(s), lb.Type, w)
		again, known := interval.Decide(p, interval.Exactly(int64(next), w), interval.Exactly(b, w))
		return known && !again
	}
	if !loops.Plain(op) {
		return false
	}
	x, y, by := r.Of(lb), r.Of(ub), r.Of(step)
	if by.Lo <= 0 {
		return false
	}
	// ub <= lb + step, without wrapping.
	if top, ok := intmath.Add(x.Hi, by.Hi); !ok || top > interval.MaxSigned(w) {
		return false
	}
	if d, ok := intmath.Sub(y.Hi, x.Lo); ok && d <= by.Lo {
		return true
	}
	if d := ub.Def; d != nil && d.Name == opname.ArithAddI && d.Operand(0) == lb {
		if c, ok := d.Operand(1).ConstantInt(); ok {
			return c > 0 && c <= by.Lo
		}
	}
	return false
}

// forwardLoads reads a value that was just loaded or stored from there: a load of
// the same element, with no store to its memory in between. It reports whether
// it did.
func (s *state) forwardLoads(b *ir.Block) bool {
	type element struct {
		mem *ir.Value
		at  string
		typ ir.Type
	}
	ids := map[*ir.Value]int{}
	key := func(op *ir.Operation, m int) element {
		at := ""
		for _, v := range op.Operands()[m+1:] {
			id, ok := ids[v]
			if !ok {
				id = len(ids)
				ids[v] = id
			}
			at += itoa(id) + " "
		}
		mem := op.Operand(m)
		return element{mem, at, mem.Type}
	}
	values := map[element]*ir.Value{}
	changed := false
	for _, op := range b.Ops {
		switch {
		case op.Name == opname.MemRefLoad:
			k := key(op, 0)
			if v := values[k]; v != nil {
				if op.Result(0).HasUses() {
					op.Result(0).ReplaceAllUsesWith(v)
					changed = true
				}
			} else {
				values[k] = op.Result(0)
			}
		case op.Name == opname.MemRefStore:
			root := rootOf(op.Operand(1))
			for k := range values {
				if r := rootOf(k.mem); r == root || !s.distinctRoots(r, root) {
					delete(values, k)
				}
			}
			values[key(op, 1)] = op.Operand(0)
		case writes(op):
			clear(values)
		}
	}
	return changed
}

// distinctRoots reports whether two roots are certainly different memories: two
// arguments that do not overlap, or memories of the function's own.
func (s *state) distinctRoots(a, b *ir.Value) bool {
	plain := func(v *ir.Value) bool {
		return v.Def == nil || v.Def.Name == opname.MemRefAlloc || v.Def.Name == opname.MemRefAlloca
	}
	return plain(a) && plain(b) && !s.overlap(a, b)
}

// writes reports whether op or anything inside it may change memory.
func writes(op *ir.Operation) bool {
	found := false
	op.Walk(func(o *ir.Operation) bool {
		if !removable(o) {
			found = true
		}
		return !found
	})
	return found
}
