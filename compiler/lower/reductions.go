package lower

import (
	"math"
	"slices"
	"sync"

	"loom/compiler/analysis/ranges"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

// reduce takes out of the recurrences of loops what need not be there. A value that a loop carries from iteration to
// iteration, and changes on one side of a branch,
//
//	next = if c { u + v } else { u }
//
// enters the branch and leaves it again before the next iteration has it: three operations, and the branch has to
// be taken, which may wait for memory. Behind the pass the branch makes what is added, and the
// recurrence is the addition alone, which an accumulator does (docs/architecture.md, "function_units"):
//
//	next = u + if c { v } else { 0 }
//
// So it is where both sides add something, with arith.select for the branch, and for every operation with a neutral element on its right
// side (neutral). Two changes that follow each other become one of the sum of both: (u + a) - b is u + (a - b).
//
// A value that a branch sets, found = if c { 1 } else { found }, is one of these where a mask or bits that are set do the same: found | if c { 1 } else { 0 },
// if it is never above 1.
//
// The place of an extreme is one, too: at = if x > best { i } else { at } (latest.go).
//
// It is done where u lies on a recurrence and neither the condition nor what is added does: elsewhere the addition would
// come later than before.
//
// Guarantees: the values are the same, but for the payload of a NaN (docs/c-kernels.md).
func reduce(s *state, _ *diag.List) {
	facts := sync.OnceValue(s.ranges) // of the function as it is
	rewrite.Blocks(s.fn, func(b *ir.Block) {
		if len(b.Ops) == 0 {
			return
		}
		loop := loopAround(b.Ops[0])
		if loop == nil {
			return
		}
		for _, op := range slices.Clone(b.Ops) {
			switch {
			case op.Block() == nil: // erased
			case op.Name == opname.SCFIf && len(op.Regions) == 2 && op.NumResults() > 0:
				s.reduceBranch(loop, op, facts)
			case op.Name == opname.ArithSelect:
				s.reduceSelect(loop, op, facts)
			case op.NumOperands() == 2 && op.NumResults() == 1:
				s.reduceChain(loop, op)
			}
		}
	})
}

// reduceBranch takes what the results of an scf.if add to carried values out of it.
func (s *state) reduceBranch(loop, op *ir.Operation, facts func() *ranges.Ranges) {
	yields := [2]*ir.Operation{op.Regions[0].Entry().Terminator(), op.Regions[1].Entry().Terminator()}
	own := func(v *ir.Value) bool { return !rewrite.Outside(v, op) }
	for i, r := range op.Results() {
		sides := [2]*ir.Value{yields[0].Operand(i), yields[1].Operand(i)}
		c, ok := s.changes(sides, own, facts)
		if !ok {
			c, ok = s.latest(loop, op.Operand(0), sides, r, facts)
		}
		if !ok || own(c.u) || c.set && convertible(op, s.opts.deviate) || !recurs(loop, c.u, r, append(c.added[:], op.Operand(0))) {
			continue
		}
		for k, y := range yields {
			y.SetOperand(i, s.addedOr(c, k, before(op)))
		}
		c.emit(r, r, behind(op))
		eraseDead(sides[:]...)
	}
}

// reduceSelect does the same to an arith.select.
func (s *state) reduceSelect(loop, op *ir.Operation, facts func() *ranges.Ranges) {
	once := func(v *ir.Value) bool { return len(v.Uses()) == 1 }
	r, sides := op.Result(0), [2]*ir.Value{op.Operand(1), op.Operand(2)}
	c, ok := s.changes(sides, once, facts)
	if !ok || c.set {
		c, ok = s.latest(loop, op.Operand(0), sides, r, facts)
	}
	if !ok || c.set || !recurs(loop, c.u, r, append(c.added[:], op.Operand(0))) {
		return
	}
	if s.opts.deviate == reduceSides {
		slices.Reverse(c.added[:])
	}
	for k := range sides {
		op.SetOperand(1+k, s.addedOr(c, k, before(op)))
	}
	c.emit(r, r, behind(op))
	eraseDead(sides[:]...)
}

// before makes operations in front of another one, behind those that follow it.
func before(op *ir.Operation) rewrite.Maker {
	return rewrite.Maker{Pos: op.Pos, Emit: func(o *ir.Operation) { op.Block().InsertBefore(op, o) }}
}

func behind(op *ir.Operation) rewrite.Maker {
	ops := op.Block().Ops
	m := before(ops[slices.Index(ops, op)+1])
	m.Pos = op.Pos
	return m
}

// eraseDead erases the arithmetic that makes values which nothing reads, so that no branch seems to compute them.
func eraseDead(vs ...*ir.Value) {
	for _, v := range vs {
		if v.Def != nil && v.Def.Block() != nil && !v.HasUses() && isPure(v.Def) {
			v.Def.Erase()
		}
	}
}

// change is how a value follows from another one, u: on each side of a branch by the operation name of u and what is added there,
// nil where nothing is.
type change struct {
	name  string
	u     *ir.Value
	added [2]*ir.Value
	set   bool // a constant is set: worth it where a branch stays, a choice is one operation, too
}

// changes finds how both sides of a branch make a value of another one. own reports whether an operation that makes a
// side is the branch's own.
func (s *state) changes(sides [2]*ir.Value, own func(*ir.Value) bool, facts func() *ranges.Ranges) (c change, ok bool) {
	for k, v := range sides {
		if v.Def == nil || !own(v) || s.neutral(v.Def.Name, v.Type) == nil {
			continue
		}
		for i, u := range v.Def.Operands() {
			if i > 0 && !v.Def.Is(ir.Commutative) {
				break
			}
			c = change{name: v.Def.Name, u: u}
			c.added[k] = v.Def.Operand(1 - i)
			other := sides[1-k]
			if other == u {
				return c, true
			}
			if d := other.Def; d != nil && own(other) && d.Name == c.name {
				for j := range d.Operands() {
					if d.Operand(j) == u && (j == 0 || d.Is(ir.Commutative)) {
						c.added[1-k] = d.Operand(1 - j)
						return c, true
					}
				}
			}
		}
	}
	for k, v := range sides {
		n, constant := v.ConstantInt()
		u := sides[1-k]
		if _, other := u.ConstantInt(); !constant || other {
			continue
		}
		c = change{u: u, set: true}
		c.added[k] = v
		switch {
		case n == 0:
			c.name = opname.ArithAndI
			return c, true
		case n == -1, n&(n+1) == 0 && s.atMost(u, n, facts()):
			c.name = opname.ArithOrI
			return c, true
		}
	}
	return change{}, false
}

// atMost reports whether a value is between 0 and n.
func (s *state) atMost(v *ir.Value, n int64, facts *ranges.Ranges) bool {
	if s.opts.deviate == reduceSets {
		return true
	}
	i := facts.Of(v)
	return i.Lo >= 0 && i.Hi <= n
}

// addedOr is what side k adds: the neutral element where that is nothing.
func (s *state) addedOr(c change, k int, m rewrite.Maker) *ir.Value {
	if v := c.added[k]; v != nil {
		return v
	}
	n := ir.NewOp(opname.ArithConstant, m.Pos, nil, []ir.Type{c.u.Type})
	n.SetAttr("value", s.neutral(c.name, c.u.Type))
	m.Emit(n)
	return n.Result(0)
}

// emit makes the change by v behind the branch, in place of a value.
func (c change) emit(v, instead *ir.Value, m rewrite.Maker) {
	uses := slices.Clone(instead.Uses())
	next := m.Op(c.name, c.u.Type, c.u, v)
	next.Name = instead.Name
	for _, u := range uses {
		u.Op.SetOperand(u.Index, next)
	}
}

// neutral is the constant that changes nothing as the right operand of an operation, nil where there is none. An
// operation that only has one on the left is not in the list, nor one that takes more than a few cycles.
func (s *state) neutral(name string, t ir.Type) ir.Attr {
	w, ok := ir.BitWidth(t, s.opts.IndexWidth)
	if !ok {
		return nil
	}
	least := int64(-1) << (w - 1)
	v := int64(0)
	switch name {
	case opname.ArithAddI, opname.ArithSubI, opname.ArithOrI, opname.ArithXOrI, opname.ArithMaxUI:
	case opname.ArithAndI, opname.ArithMinUI:
		v = -1
	case opname.ArithMaxSI:
		v = least
	case opname.ArithMinSI:
		v = ^least
	case opname.ArithAddF:
		return &ir.FloatAttr{Value: math.Copysign(0, -1), Type: t} // -0 + 0 would be 0
	case opname.ArithSubF:
		return &ir.FloatAttr{Type: t}
	case opname.ArithMulF:
		return &ir.FloatAttr{Value: 1, Type: t}
	default:
		return nil
	}
	if s.opts.deviate == reduceByZero {
		v = 0
	}
	if t == ir.Type(ir.I1) {
		return ir.BoolAttr(v&1 != 0)
	}
	return ir.IntAttr(v, t)
}

// reduceChain makes one change of two that follow each other, by what both add together.
func (s *state) reduceChain(loop, op *ir.Operation) {
	for i, x := range op.Operands() {
		first := x.Def
		if first == nil || first.Block() != op.Block() || first.NumOperands() != 2 || len(x.Uses()) != 1 || i > 0 && !op.Is(ir.Commutative) {
			continue
		}
		outer, inner := together(first.Name, op.Name, s.opts.deviate == reduceSigns)
		if outer == "" {
			continue
		}
		for j, u := range first.Operands() {
			a, b := first.Operand(1-j), op.Operand(1-i)
			if j > 0 && !first.Is(ir.Commutative) || !recurs(loop, u, op.Result(0), []*ir.Value{a, b}) {
				continue
			}
			if first.Name == opname.ArithSubI && outer == opname.ArithAddI {
				a, b = b, a // (u - a) + b
			}
			m := before(op)
			change{name: outer, u: u}.emit(m.Op(inner, u.Type, a, b), op.Result(0), m)
			eraseDead(op.Result(0), x)
			return
		}
	}
}

// together is how two changes of a value are one: by outer of the value and of inner of what both add. For a difference and an
// addition inner takes what is added first. "" where they are not.
func together(first, second string, wrong bool) (outer, inner string) {
	const add, sub = opname.ArithAddI, opname.ArithSubI
	switch {
	case first == sub && second == sub:
		if wrong {
			return sub, sub
		}
		return sub, add
	case first == add && second == sub, first == sub && second == add:
		return add, sub
	case first != second:
		return "", ""
	}
	switch first {
	case add, opname.ArithAndI, opname.ArithOrI, opname.ArithXOrI,
		opname.ArithMaxSI, opname.ArithMinSI, opname.ArithMaxUI, opname.ArithMinUI:
		return first, first
	}
	return "", ""
}

// recurs reports whether a loop carries a value that comes from u and goes through r to the next iteration, and none of the values
// apart, nil ones aside, follows from what is carried so.
func recurs(loop *ir.Operation, u, r *ir.Value, apart []*ir.Value) bool {
	carried, next := carriedValues(loop)
	behind := following(loop, r)
	found := false
	for i, v := range carried {
		if !behind[next[i]] {
			continue
		}
		from := following(loop, v)
		if !from[u] {
			continue
		}
		if slices.ContainsFunc(apart, func(a *ir.Value) bool { return a != nil && from[a] }) {
			return false
		}
		found = true
	}
	return found
}

// carriedValues are the values that a loop carries, as an iteration gets them, and what each becomes for the next one.
func carriedValues(loop *ir.Operation) (carried, next []*ir.Value) {
	if loop.Name == opname.SCFWhile {
		return loop.Regions[0].Entry().Args, loop.Regions[1].Entry().Terminator().Operands()
	}
	body := loop.Regions[0].Entry()
	return body.Args[1:], body.Terminator().Operands()
}

// following are the values that v, and those computed from it in the same iteration of a loop, v among them. What a branch chooses
// by a value follows from it; what is done in a branch does not follow from its condition alone.
func following(loop *ir.Operation, v *ir.Value) map[*ir.Value]bool {
	set := map[*ir.Value]bool{}
	var add func(vs ...*ir.Value)
	add = func(vs ...*ir.Value) {
		for _, v := range vs {
			if set[v] {
				continue
			}
			set[v] = true
			for _, u := range v.Uses() {
				if u.Op != loop && loop.IsAncestorOf(u.Op) {
					add(passed(loop, u)...)
				}
			}
		}
	}
	add(v)
	return set
}

// passed are the values that depend on a use of one.
func passed(loop *ir.Operation, u ir.Use) []*ir.Value {
	op, around := u.Op, u.Op.ParentOp()
	switch op.Name {
	case opname.SCFYield:
		switch {
		case around == loop:
			return nil // the next iteration
		case around.Name == opname.SCFFor:
			return []*ir.Value{around.Result(u.Index), around.Regions[0].Entry().Args[1+u.Index]}
		case around.Name == opname.SCFWhile:
			return []*ir.Value{around.Regions[0].Entry().Args[u.Index]}
		}
		return []*ir.Value{around.Result(u.Index)}
	case opname.SCFCondition:
		if u.Index == 0 {
			if around == loop {
				return nil
			}
			return around.Results()
		}
		after := around.Regions[1].Entry().Args[u.Index-1]
		if around == loop {
			return []*ir.Value{after}
		}
		return []*ir.Value{after, around.Result(u.Index - 1)}
	case opname.SCFFor:
		if u.Index >= 3 {
			return []*ir.Value{op.Result(u.Index - 3), op.Regions[0].Entry().Args[u.Index-2]}
		}
		return append([]*ir.Value{op.Regions[0].Entry().Args[0]}, op.Results()...)
	case opname.SCFWhile:
		return append([]*ir.Value{op.Regions[0].Entry().Args[u.Index]}, op.Results()...)
	}
	return op.Results()
}
