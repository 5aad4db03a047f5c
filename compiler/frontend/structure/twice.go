package structure

import (
	"loom/compiler/analysis/interval"
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// twice makes an scf.for of a loop that runs twice: LLVM knows that, and makes of the counter a flag, which is set in the first
// iteration and decides whether the loop goes on, and of what counts beside it a choice of two constants:
//
//	scf.while (%first = %true, %i = %c0, %x = %a) { … scf.condition(%first) %y } do { ^bb0(%z): scf.yield %false, %c1, %z }
//
// It returns the new loop, nil for any other one.
func twice(op *ir.Operation) *ir.Operation {
	before := op.Regions[0].Entry()
	cond := before.Terminator()
	flag := cond.Operand(0)
	if flag.Def != nil || flag.Block != before || len(op.Regions[1].Entry().Ops) != 1 {
		return nil
	}
	if first, ok := op.Operand(flag.Index).ConstantInt(); (!ok || first == 0) && deviate != flagIgnored {
		return nil
	}
	if second, ok := nextOf(op, flag.Index).ConstantInt(); !ok || second != 0 {
		return nil
	}
	// The first argument of two constants of which the second is larger counts; what is as far apart follows it.
	counter, lb, step := -1, int64(0), int64(1)
	var t ir.Type = ir.I32
	follows := map[int]int64{} // by how much it is larger than the counter
	for i, a := range before.Args {
		x, ok1 := op.Operand(i).ConstantInt()
		y, ok2 := nextOf(op, i).ConstantInt()
		w, isInt := ir.BitWidth(a.Type, 64)
		const half = 1 << 30
		if i == flag.Index || !ok1 || !ok2 || !isInt || w < 8 || x < -half || y > half {
			continue
		}
		switch {
		case counter < 0 && y > x && (y+(y-x) <= interval.MaxSigned(w) || deviate == wrapIgnored): // where it would go on does not wrap
			counter, lb, step, t = i, x, y-x, a.Type
			follows[i] = 0
		case counter >= 0 && a.Type == t && y-x == step:
			follows[i] = x - lb
		}
	}
	m := maker(op.Pos, func(o *ir.Operation) { op.Block().InsertBefore(op, o) })
	operands := []*ir.Value{m.Integer(lb, t), m.Integer(lb+step+1, t), m.Integer(step, t)}
	const bounds = 3
	var next []*ir.Value
	var carried []*ir.Value // arguments
	for i, a := range before.Args {
		if _, counts := follows[i]; i != flag.Index && !counts {
			operands, next, carried = append(operands, op.Operand(i)), append(next, nextOf(op, i)), append(carried, a)
		}
	}
	// What an operation behind the loop reads of the second iteration.
	behind := make([]*ir.Value, op.NumResults())
	from := make([]int, op.NumResults())
	for i, r := range op.Results() {
		v := cond.Operand(1 + i)
		if !r.HasUses() {
			continue
		}
		if d, counts := follows[v.Index]; counts && v.Def == nil && v.Block == before {
			behind[i] = m.Integer(lb+step+d, t)
			continue
		}
		if v == flag {
			behind[i] = m.Integer(0, flag.Type)
			continue
		}
		from[i] = -1
		for k, n := range next {
			if n == v {
				from[i] = k
			}
		}
		if from[i] < 0 {
			from[i] = len(next)
			operands, next = append(operands, poisonBefore(op, v.Type)), append(next, v)
		}
	}
	var types []ir.Type
	for _, v := range operands[bounds:] {
		types = append(types, v.Type)
	}
	n := ir.NewOp(opname.SCFFor, op.Pos, operands, types)
	n.Attrs, n.Loc = op.Attrs, op.Loc
	body := n.AddRegion().AddBlock()
	iv := body.AddArg(t, "", op.Pos)
	for k, v := range next {
		name := v.Name
		if k < len(carried) {
			name = carried[k].Name
		}
		n.Result(k).Name = name
		body.AddArg(v.Type, name, op.Pos)
	}
	for k, a := range carried {
		for j, v := range next {
			if v == a {
				next[j] = body.Args[1+k]
			}
		}
		a.ReplaceAllUsesWith(body.Args[1+k])
	}
	in := maker(op.Pos, func(o *ir.Operation) { body.Append(o) })
	for i, a := range before.Args {
		d, counts := follows[i]
		if !counts {
			continue
		}
		v := iv
		if iv.Name == "" {
			iv.Name = a.Name
		}
		if d != 0 {
			v = in.Op(opname.ArithAddI, t, v, in.Integer(d, t))
		}
		for j, w := range next {
			if w == a {
				next[j] = v
			}
		}
		a.ReplaceAllUsesWith(v)
	}
	yieldPos := op.Regions[1].Entry().Terminator().Pos
	first := in.CmpI(arith.Eq, iv, in.Integer(lb, t))
	for j, w := range next {
		if w == flag {
			next[j] = first
		}
	}
	flag.ReplaceAllUsesWith(first)
	ops := before.Ops
	before.Ops = nil
	for _, o := range ops[:len(ops)-1] {
		body.Append(o)
	}
	body.Append(newOp(opname.SCFYield, yieldPos, next))
	for i, r := range op.Results() {
		switch {
		case behind[i] != nil:
			r.ReplaceAllUsesWith(behind[i])
		case r.HasUses():
			r.ReplaceAllUsesWith(n.Result(from[i]))
		}
	}
	cond.SetOperands(nil)
	replaceOp(op, n)
	return n
}
