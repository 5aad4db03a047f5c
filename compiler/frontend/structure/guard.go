package structure

import (
	"loom/compiler/analysis/ranges"
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

// maxHoisted is how many operations a guarded loop may have in front of it that are
// then computed whether the loop runs or not.
const maxHoisted = 8

// dropGuard removes a branch around loops that would not run anyway when it is not
// taken: the other arm must have what the loops start with. Operations beside the
// loops are computed always then, so they must be cheap and safe. It reports
// whether op was removed.
func dropGuard(op *ir.Operation) bool {
	then, other := op.Regions[0].Entry(), op.Regions[1].Entry()
	holds := true
	arm, rest := then, other
	if other != nil && len(then.Ops) == 1 {
		arm, rest, holds = other, then, false
	}
	if rest != nil && len(rest.Ops) != 1 {
		return false
	}
	p := factsAt(op)
	p.Assume(op.Operand(0), !holds)
	loops, plain := 0, 0
	zero := map[*ir.Value]*ir.Value{}
	atZero := func(v *ir.Value) *ir.Value {
		if w, ok := zero[v]; ok {
			return w
		}
		return v
	}
	for _, o := range arm.Ops[:len(arm.Ops)-1] {
		switch {
		case o.Name == opname.SCFFor || o.Name == opname.SCFWhile:
			if !idleWhen(o, p, zero, atZero) {
				return false
			}
			loops++
		case safe(o):
			if !valueAtZero(o, zero, atZero) {
				return false
			}
			plain++
		default:
			return false
		}
	}
	if loops == 0 || plain > maxHoisted {
		return false
	}
	// What each result is: a value of the arm that is right in both cases, or a
	// selection.
	yield := arm.Terminator()
	choose := make([]bool, op.NumResults())
	starts := map[*ir.Value]*ir.Value{} // for values that had no start
	for i, r := range op.Results() {
		if !r.HasUses() {
			continue
		}
		a, b := yield.Operand(i), rest.Terminator().Operand(i)
		z := atZero(a)
		switch {
		case z.Equals(b):
		case z != a && isPoison(z) && startsFrom(a, z) && (starts[a] == nil || starts[a] == b):
			starts[a] = b
		case z == a:
			choose[i] = true
		default:
			return false
		}
	}
	emitBefore := func(o *ir.Operation) { op.Block().InsertBefore(op, o) }
	values := append([]*ir.Value(nil), yield.Operands()...)
	for _, o := range splicedOps(arm) {
		emitBefore(o)
	}
	m := maker(op.Pos, emitBefore)
	for i, r := range op.Results() {
		if !r.HasUses() {
			continue
		}
		v := values[i]
		if choose[i] {
			a, b := v, rest.Terminator().Operand(i)
			if !holds {
				a, b = b, a
			}
			v = m.Op(opname.ArithSelect, r.Type, op.Operand(0), a, b)
		} else if b := starts[v]; b != nil {
			setStart(v, b)
		}
		replaceValue(r, v)
	}
	rewrite.Drop(op)
	op.Unlink()
	return true
}

// valueAtZero notes what an operation behind loops that do not run computes: what it
// always does if no loop matters to it, else a constant if it is known.
func valueAtZero(o *ir.Operation, zero map[*ir.Value]*ir.Value, atZero func(*ir.Value) *ir.Value) bool {
	operands := make([]*ir.Value, o.NumOperands())
	same := true
	for i, v := range o.Operands() {
		operands[i] = atZero(v)
		same = same && operands[i] == v
	}
	if same {
		return true
	}
	if o.NumResults() != 1 {
		return false
	}
	n := ir.NewOp(o.Name, o.Pos, operands, []ir.Type{o.Result(0).Type})
	n.Attrs = o.Attrs
	v := (&cleaner{}).folded(n, func(*ir.Operation) {})
	n.SetOperands(nil)
	if v == nil {
		return false
	}
	zero[o.Result(0)] = v
	return true
}

// splicedOps takes the operations of a block, without its terminator.
func splicedOps(b *ir.Block) []*ir.Operation {
	ops := b.Ops
	b.Ops = ops[len(ops)-1:]
	return ops[:len(ops)-1]
}

// idleWhen proves that a loop does not run, and notes what its results are then.
func idleWhen(loop *ir.Operation, p *ranges.Ranges, zero map[*ir.Value]*ir.Value, atZero func(*ir.Value) *ir.Value) bool {
	if loop.Name == opname.SCFFor {
		if !p.Proves(arith.Sge, atZero(loop.Operand(0)), atZero(loop.Operand(1))) && deviate != guardAlways {
			return false
		}
		for i, r := range loop.Results() {
			zero[r] = atZero(loop.Operand(3 + i))
		}
		return true
	}
	before := loop.Regions[0].Entry()
	cond := before.Terminator()
	cmp := cond.Operand(0).Def
	if cmp == nil || cmp.Name != opname.ArithCmpI || len(before.Ops) != 2 || cmp.Block() != before {
		return false
	}
	start := func(v *ir.Value) *ir.Value {
		if v.Block == before {
			return atZero(loop.Operand(v.Index))
		}
		return atZero(v)
	}
	pred, _ := arith.PredicateOf(cmp)
	if !p.Proves(pred.Negated(), start(cmp.Operand(0)), start(cmp.Operand(1))) && deviate != guardAlways {
		return false
	}
	for i, r := range loop.Results() {
		v := cond.Operand(1 + i)
		if v.Def == cmp {
			return false
		}
		zero[r] = start(v)
	}
	return true
}

// safe reports whether an operation may be computed when its value is not needed.
func safe(op *ir.Operation) bool {
	if !op.Is(ir.Pure) || len(op.Regions) > 0 {
		return false
	}
	switch op.Name {
	case opname.ArithDivSI, opname.ArithDivUI, opname.ArithRemSI, opname.ArithRemUI,
		opname.ArithCeilDivSI, opname.ArithCeilDivUI, opname.ArithFloorDivSI:
		k, ok := op.Operand(1).ConstantInt()
		return ok && k != 0 && k != -1
	}
	return op.Dialect() == "arith" || op.Dialect() == "index"
}

// startOf finds where the initial value of the loop result v is an operand.
func startOf(v *ir.Value) (loop *ir.Operation, i int) {
	if v.Def == nil {
		return nil, 0
	}
	switch v.Def.Name {
	case opname.SCFFor:
		return v.Def, 3 + v.Index
	case opname.SCFWhile:
		before := v.Def.Regions[0].Entry()
		if w := before.Terminator().Operand(1 + v.Index); w.Block == before {
			return v.Def, w.Index
		}
	}
	return nil, 0
}

// startsFrom reports whether a loop result is the value z when the loop does not
// run, by the loop's own initial value.
func startsFrom(v, z *ir.Value) bool {
	loop, i := startOf(v)
	return loop != nil && loop.Operand(i) == z
}

// setStart gives the carried value behind a loop result its initial value.
func setStart(v, b *ir.Value) {
	if loop, i := startOf(v); loop != nil {
		loop.SetOperand(i, b)
	}
}
