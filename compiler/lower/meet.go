package lower

import (
	"math"

	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

// Two counters that approach each other by one, as in a reversal or a search for a palindrome,
//
//	while (i < j) { … i = i + 1; j = j - 1; }
//
// meet in the middle: i counts up to it, and j is what is left of the sum of both, which stays the same,
//
//	end = i0 + (j0 - i0 + 1) / 2
//	while (i < end) { j = i0 + j0 - i; … i = i + 1; }
//
// so that the loop is a stream like others. Compilers test last, of i + 2 and j or of i + 1 and j - 1.

// closing is a loop whose counters approach each other.
type closing struct {
	up, down int // which values of the loop
	// next is i + 1 where the loop tests last, nil where it tests first.
	next *ir.Value
}

// meets recognises such a loop. Counters do not wrap in it: the lower one stays below the other. Their distance must be a number
// of their type, so the lower one starts at zero or above.
func (r *recogniser) meets(loop *ir.Operation) (closing, bool) {
	before, after := loop.Regions[0].Entry(), loop.Regions[1].Entry()
	cond, yield := before.Terminator(), after.Terminator()
	forwarded := func(v *ir.Value) *ir.Value {
		if v.Block == after && v.Def == nil {
			return cond.Operand(1 + v.Index)
		}
		return v
	}
	cmp := cond.Operand(0).Def
	if cmp == nil || cmp.Name != opname.ArithCmpI || !definedInside(cond.Operand(0), loop) {
		return closing{}, false
	}
	x, y := cmp.Operand(0), cmp.Operand(1)
	switch p, _ := arith.PredicateOf(cmp); p {
	case arith.Slt:
	case arith.Sgt:
		x, y = y, x
	default:
		return closing{}, false
	}
	// plus is a value of the loop and what is added to it.
	plus := func(v *ir.Value) (arg int, by int64, ok bool) {
		v = forwarded(v)
		if d := v.Def; d != nil && d.Name == opname.ArithAddI {
			if by, ok = d.Operand(1).ConstantInt(); ok {
				v = forwarded(d.Operand(0))
			}
		}
		return v.Index, by, v.Def == nil && v.Block == before
	}
	up, a, ok1 := plus(x)
	down, b, ok2 := plus(y)
	if !ok1 || !ok2 || up == down {
		return closing{}, false
	}
	p, byUp, ok1 := plus(yield.Operand(up))
	q, byDown, ok2 := plus(yield.Operand(down))
	if !ok1 || !ok2 || p != up || q != down || byUp != 1 || byDown != -1 {
		return closing{}, false
	}
	i, j := r.known.At(loop.Operand(up), loop), r.known.At(loop.Operand(down), loop)
	if i.Lo < 0 {
		return closing{}, false
	}
	m := closing{up: up, down: down}
	if a == 0 && b == 0 {
		for _, op := range before.Ops {
			if op != cond && !op.IsConstant() && !cheap(op) {
				return m, false
			}
		}
		return m, true
	}
	w, _ := ir.BitWidth(loop.Operand(up).Type, r.s.opts.IndexWidth)
	m.next = forwarded(yield.Operand(up))
	switch {
	case len(after.Ops) > 1 || m.next.Def.Block() != before:
		return m, false
	case a == 1 && b == -1:
	case a == 2 && b == 0 && j.Hi < int64(math.MaxInt64)>>(64-w): // i + 2 is at most j + 1
	default:
		return m, false
	}
	return m, r.known.ProvesAt(loop, arith.Slt, loop.Operand(up), loop.Operand(down))
}

// meet makes such a loop one that counts, and converts that; it reports whether it did.
func (r *recogniser) meet(loop *ir.Operation, emit func(*ir.Operation)) bool {
	m, ok := r.meets(loop)
	if !ok {
		return false
	}
	i, j := loop.Operand(m.up), loop.Operand(m.down)
	if m.next != nil {
		r.towards(loop, m, emit)
		if !r.convert(loop, emit) {
			emit(loop)
		}
		return true
	}
	// What the loop begins with, if it does not run.
	before := loop.Regions[0].Entry()
	cond := before.Terminator()
	first := make([]*ir.Value, loop.NumResults())
	for k, v := range cond.Operands()[1:] {
		switch {
		case rewrite.Outside(v, loop):
			first[k] = v
		case v.Def == nil && v.Block == before:
			first[k] = loop.Operand(v.Index)
		default:
			return false
		}
	}
	outside := rewrite.Maker{Pos: loop.Pos, Emit: emit}
	runs := outside.CmpI(arith.Slt, i, j)
	runs.Name = "runs"
	var types []ir.Type
	for _, v := range loop.Results() {
		types = append(types, v.Type)
	}
	branch := ir.NewOp(opname.SCFIf, loop.Pos, []*ir.Value{runs}, types)
	then, otherwise := branch.AddRegion().AddBlock(), branch.AddRegion().AddBlock()
	for k, v := range loop.Results() {
		branch.Result(k).Name = v.Name
		v.ReplaceAllUsesWith(branch.Result(k))
	}
	yield := ir.NewOp(opname.SCFYield, loop.Pos, loop.Results(), nil)
	inside := func(op *ir.Operation) { then.Append(op) }
	r.towards(loop, m, inside)
	if !r.convert(loop, inside) {
		loop.Unlink()
		inside(loop)
	}
	inside(yield)
	otherwise.Append(ir.NewOp(opname.SCFYield, loop.Pos, first, nil))
	emit(branch)
	return true
}

// towards makes the counter that goes up run to where both meet, and the other one what is left of their sum.
func (r *recogniser) towards(loop *ir.Operation, m closing, emit func(*ir.Operation)) {
	before := loop.Regions[0].Entry()
	cond := before.Terminator()
	i, j := loop.Operand(m.up), loop.Operand(m.down)
	outside := rewrite.Maker{Pos: loop.Pos, Emit: emit}
	sum, end := j, j
	if from, ok := i.ConstantInt(); !ok || from != 0 {
		sum = outside.Op(opname.ArithAddI, i.Type, i, j)
		end = outside.Op(opname.ArithSubI, i.Type, j, i)
	}
	one := outside.Integer(1, i.Type)
	end = outside.Op(opname.ArithAddI, i.Type, end, one)
	if r.s.opts.deviate == meetBelow {
		end = outside.Op(opname.ArithSubI, i.Type, end, one)
	}
	end = outside.Op(opname.ArithShRUI, i.Type, end, one)
	if sum != j {
		end = outside.Op(opname.ArithAddI, i.Type, i, end)
	}
	left := ir.NewOp(opname.ArithSubI, loop.Pos, []*ir.Value{sum, before.Args[m.up]}, []ir.Type{i.Type})
	left.Result(0).Name = before.Args[m.down].Name
	before.Args[m.down].ReplaceAllUsesWith(left.Result(0))
	before.InsertBefore(before.Ops[0], left)
	x := before.Args[m.up]
	if m.next != nil {
		x = m.next
	}
	test := rewrite.Maker{Pos: loop.Pos, Emit: func(op *ir.Operation) { before.InsertBefore(cond, op) }}
	cond.SetOperand(0, test.CmpI(arith.Slt, x, end))
}
