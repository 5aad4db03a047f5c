package lower

import (
	"math"
	"slices"

	"loom/compiler/analysis/interval"
	"loom/compiler/analysis/loops"
	"loom/compiler/analysis/ranges"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// latest finds what keeps the place of an extreme: a carried value that a branch sets to a counter, or else keeps,
//
//	at = if x[i] > best { i } else { at }
//
// is the maximum of itself and, where the branch is taken, i, if i grows and at begins with no more than the first i: so it is a change by what the branch
// makes, which an accumulator of the target does in one cycle. Of a counter that falls it is the minimum.
//
// It is done where the target has as many accumulators as it takes, for it and for what the condition follows from, as the largest element so far: else that is what an iteration waits for.
func (s *state) latest(loop *ir.Operation, cond *ir.Value, sides [2]*ir.Value, r *ir.Value, facts func() *ranges.Ranges) (c change, ok bool) {
	if loop.Name != opname.SCFFor || s.opts.Accumulators == nil {
		return change{}, false
	}
	carried, next := carriedValues(loop)
	least, needs := math.MaxInt, 1
	for i, v := range carried {
		if next[i] != r && following(loop, v)[cond] {
			least = min(least, s.accumulated(v, next[i]))
			needs++
		}
	}
	body := loop.Regions[0].Entry()
	for k, w := range sides {
		u := sides[1-k]
		if u.Block != body || u.Index == 0 || body.Terminator().Operand(u.Index-1) != r {
			continue
		}
		first, all := facts().Of(loop.Operand(2+u.Index)), facts().Of(w)
		c = change{u: u}
		c.added[k] = w
		switch d := s.direction(w, loop, facts()); {
		case d > 0 && (first.Hi <= all.Lo || s.opts.deviate == reduceLatest):
			c.name = opname.ArithMaxSI
		case d < 0 && (first.Lo >= all.Hi || s.opts.deviate == reduceLatest):
			c.name = opname.ArithMinSI
		default:
			continue
		}
		alone := len(u.Uses()) == 1
		next := ir.NewOp(c.name, r.Pos(), []*ir.Value{u, w}, []ir.Type{u.Type})
		units := s.opts.Accumulators(next, 0, true)
		if alone { // either kind will do
			units = max(units, s.opts.Accumulators(next, 0, false))
		}
		if next.SetOperands(nil); min(least, units) >= s.accumulators+needs {
			s.accumulators += needs
			return c, true
		}
	}
	return change{}, false
}

// accumulated is how many accumulators the target has that make the next value of a loop of the present one, and give that one.
func (s *state) accumulated(v, next *ir.Value) int {
	op := next.Def
	if op == nil || op.NumOperands() != 2 || op.NumResults() != 1 {
		return 0
	}
	left := slices.Index(op.Operands(), v)
	if left == 1 && op.Is(ir.Commutative) {
		left = 0
	}
	if left < 0 {
		return 0
	}
	return s.opts.Accumulators(op, left, true)
}

// direction is 1 for a value that is larger in each iteration of a loop than in all before, -1 for one that is smaller, and 0 where neither is known.
func (s *state) direction(v *ir.Value, loop *ir.Operation, facts *ranges.Ranges) int {
	if loops.Of(v) == loop {
		step, ok := loop.Operand(2).ConstantInt()
		kind, cond := loops.Kind(loop)
		switch {
		case !ok || kind != "+=" || loop.Attr(loops.MayWrapAttr) != nil || loop.Attr(loops.UnsignedAttr) != nil:
		case step > 0 && (cond == "<" || cond == "<="):
			return 1
		case step < 0 && (cond == ">" || cond == ">="):
			return -1
		}
		return 0
	}
	op := v.Def
	if op == nil || op.Block() == nil {
		return 0
	}
	bits := func(t ir.Type) int { w, _ := ir.BitWidth(t, s.opts.IndexWidth); return w }
	switch op.Name {
	case opname.ArithIndexCast, opname.ArithExtSI, opname.ArithIndexCastUI, opname.ArithExtUI, opname.ArithTruncI:
		// The value stays the same.
		of, w := facts.Of(op.Operand(0)), bits(v.Type)
		unsigned := op.Name == opname.ArithIndexCastUI || op.Name == opname.ArithExtUI
		if !fits(of, w) || unsigned && of.Lo < 0 {
			return 0
		}
		return s.direction(op.Operand(0), loop, facts)
	case opname.ArithAddI, opname.ArithSubI:
		by, ok := op.Operand(1).ConstantInt()
		of, w := facts.Of(op.Operand(0)), bits(v.Type)
		if op.Name == opname.ArithSubI {
			by = -by
		}
		const small = 1 << 40
		if !ok || by < -small || by > small || of.Lo < -small || of.Hi > small {
			return 0
		}
		if of.Lo, of.Hi = of.Lo+by, of.Hi+by; !fits(of, w) {
			return 0
		}
		return s.direction(op.Operand(0), loop, facts)
	}
	return 0
}

// fits reports whether numbers are those of w bits with sign.
func fits(v interval.Interval, w int) bool {
	return w > 0 && v.Lo >= interval.MinSigned(w) && v.Hi <= interval.MaxSigned(w)
}
