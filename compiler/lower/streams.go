package lower

import (
	"math"
	"slices"

	"loom/compiler/analysis/loops"
	"loom/compiler/analysis/ranges"
	"loom/compiler/diag"
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
	"loom/internal/intmath"
)

// recogniseStreams turns every scf.while that counts into a counted loop, so
// that one dataflow.stream makes its conditions ahead of the body instead of a
// comparison that waits for the body (spec-dataflow, "dataflow.stream": step
// operators and continuation tests). Two shapes are recognised, i being a value
// of the loop, s its step and n its bound, both unchanged in the loop:
//
//	while (i cond n) { body; i = i op s }            tested before the body
//	do { body; i = i op s } while (i cond n)         where i cond n holds at entry
//
// Compilers turn the first into the second under a guard. Before: scf.while.
// After: scf.for, with loom.step_op and loom.cont_cond where MLIR's own scf.for
// does not count like that. A value of i that is used after the loop becomes an
// iter_arg that repeats the induction variable; "dataflow" takes it from the
// stream.
//
// The conversion keeps the meaning for every input that ends. Where a step makes
// no progress the loop in the source would not end; such loops stay as they are
// unless that depends on data (0 *= 2).
func recogniseStreams(s *state, _ *diag.List) {
	r := &recogniser{s: s, known: s.ranges()}
	rewrite.Blocks(s.fn, func(b *ir.Block) {
		rewrite.Rebuild(b, func(op *ir.Operation, emit func(*ir.Operation)) {
			if op.Name == opname.SCFFor {
				r.widen(op, emit)
			}
			if op.Name != opname.SCFWhile || !r.meet(op, emit) && !r.convert(op, emit) {
				emit(op)
			}
		})
	})
}

type recogniser struct {
	s     *state
	known *ranges.Ranges
}

// count is how a loop counts.
type count struct {
	arg         int       // which value of the loop counts
	bound, step *ir.Value // unchanged in the loop
	stepOp      string
	cond        string
	unsigned    bool // bounds compare as unsigned values: they are biased by the sign bit
	mayWrap     bool // the induction variable may run past the end of its type
	next        *ir.Value
	negate      bool // i - s: step by -s
	// ordered is set where the source compares by an order: one that tests last ends where it is past its bound.
	ordered bool
	// once is set for a loop that tests last, and may have ended by the test of its start: its bound is moved.
	once bool
	// wide is the type that the stream counts in where the target has none of the counter's own, nil else.
	wide ir.Type
}

// convert replaces a counting scf.while; it reports whether it did.
func (r *recogniser) convert(loop *ir.Operation, emit func(*ir.Operation)) bool {
	before, after := loop.Regions[0].Entry(), loop.Regions[1].Entry()
	cond := before.Terminator()
	yield := after.Terminator()
	if c, ok := r.tested(loop, before, after, cond, yield); ok {
		r.fromTop(loop, c, emit)
		return true
	}
	if c, ok := r.testedAtEnd(loop, before, after, cond, yield); ok {
		r.fromBottom(loop, c, emit)
		return true
	}
	return false
}

// tested recognises the loop that tests first: the before-region only computes,
// cheaply, and its condition compares a value of the loop with the bound.
func (r *recogniser) tested(loop *ir.Operation, before, after *ir.Block, cond, yield *ir.Operation) (count, bool) {
	for _, op := range before.Ops {
		if op != cond && !op.IsConstant() && !cheap(op) {
			return count{}, false
		}
	}
	return r.comparison(loop, cond.Operand(0), func(v *ir.Value) (count, bool) {
		if v.Block != before {
			return count{}, false
		}
		next := yield.Operand(v.Index)
		if next.Block == after {
			next = cond.Operand(1 + next.Index) // computed before the test
		}
		c := count{arg: v.Index, next: next}
		ok := r.steps(loop, &c, func(w *ir.Value) bool {
			return w == v || w.Block == after && cond.Operand(1+w.Index) == v
		})
		return c, ok
	})
}

// testedAtEnd recognises the loop that tests last: the after-region only passes
// values on, the condition compares the next value of the counter, and the test
// is known to hold at entry.
func (r *recogniser) testedAtEnd(loop *ir.Operation, before, after *ir.Block, cond, yield *ir.Operation) (count, bool) {
	for _, op := range after.Ops {
		if op != yield && !op.IsConstant() {
			return count{}, false
		}
	}
	forwarded := func(v *ir.Value) *ir.Value {
		if v.Block == after {
			return cond.Operand(1 + v.Index)
		}
		return v
	}
	return r.comparison(loop, cond.Operand(0), func(v *ir.Value) (count, bool) {
		for i := range before.Args {
			if forwarded(yield.Operand(i)) != v || v.Def == nil {
				continue
			}
			c := count{arg: i, next: v}
			arg := before.Args[i]
			if r.steps(loop, &c, func(w *ir.Value) bool { return w == arg }) {
				return c, true
			}
		}
		return count{}, false
	}, func(c *count) bool {
		c.once = !r.holdsAtEntry(loop, c)
		return !c.once || r.movable(loop, c)
	})
}

// comparison matches the condition of a loop. find returns what is known of the
// side that counts; extra conditions are checked last.
func (r *recogniser) comparison(loop *ir.Operation, cond *ir.Value, find func(*ir.Value) (count, bool), more ...func(*count) bool) (count, bool) {
	cmp := cond.Def
	if cmp == nil || !definedInside(cond, loop) {
		return count{}, false
	}
	pred, ok := arith.PredicateOf(cmp)
	if !ok {
		return count{}, false
	}
	for side := range 2 {
		v, bound := cmp.Operand(side), cmp.Operand(1-side)
		if side == 1 {
			pred = pred.Swapped()
		}
		if !r.unchanged(bound, loop) {
			continue
		}
		c, ok := find(v)
		if !ok {
			continue
		}
		c.bound = bound
		if !r.continues(loop, &c, pred) {
			continue
		}
		for _, f := range more {
			ok = ok && f(&c)
		}
		if ok && r.fits(loop, &c) {
			return c, true
		}
	}
	return count{}, false
}

// unchanged reports whether a value is the same in every iteration, and known
// before the loop.
func (r *recogniser) unchanged(v *ir.Value, loop *ir.Operation) bool {
	return v.IsConstant() || rewrite.Outside(v, loop)
}

func definedInside(v *ir.Value, loop *ir.Operation) bool { return !rewrite.Outside(v, loop) }

// steps matches c.next = i op step.
func (r *recogniser) steps(loop *ir.Operation, c *count, counter func(*ir.Value) bool) bool {
	next := c.next.Def
	if next == nil || !definedInside(c.next, loop) || next.NumOperands() != 2 || !ir.IsInt(c.next.Type) || c.next.Type == ir.Type(ir.I1) {
		return false
	}
	a, s := next.Operand(0), next.Operand(1)
	if !counter(a) && (next.Name == opname.ArithAddI || next.Name == opname.ArithMulI) {
		a, s = s, a
	}
	if !counter(a) || !r.unchanged(s, loop) {
		return false
	}
	c.step = s
	k, constant := s.ConstantInt()
	w, _ := ir.BitWidth(c.next.Type, r.s.opts.IndexWidth)
	counts := constant && k >= 2 // multiplied or divided by
	// A step that the program computes may be any: the stream adds it, and wraps, as the loop does.
	adds := !constant || k != 0
	switch next.Name {
	case opname.ArithAddI:
		c.stepOp = "+="
		counts = adds
	case opname.ArithSubI:
		// Subtracting a constant is adding its negative: the stream unit that
		// every fabric has.
		c.stepOp = "-="
		if c.negate = constant || !r.offered("-="); c.negate {
			c.stepOp = "+="
		}
		counts = adds
	case opname.ArithMulI:
		c.stepOp = "*="
	case opname.ArithDivSI, opname.ArithDivUI:
		c.stepOp = "/="
	case opname.ArithShLI:
		c.stepOp = "<<="
		counts = constant && k >= 1 && k < int64(w)
	case opname.ArithShRSI, opname.ArithShRUI:
		c.stepOp = ">>="
		counts = constant && k >= 1 && k < int64(w)
	default:
		return false
	}
	return counts && r.offered(c.stepOp)
}

// offered reports whether the target has streams that step like that.
func (r *recogniser) offered(stepOp string) bool {
	return r.s.opts.StreamOps == nil || slices.Contains(r.s.opts.StreamOps, stepOp)
}

// continues translates the comparison into the stream's continuation test. The
// stream compares and computes signed values: unsigned tests become signed ones
// where both sides are known not to be negative, else through a bias by the sign
// bit, which commutes with addition only.
func (r *recogniser) continues(loop *ir.Operation, c *count, pred arith.IntPredicate) bool {
	init := loop.Operand(c.arg)
	nonNegative := func(v *ir.Value) bool {
		return r.known.At(v, loop).Lo >= 0
	}
	if k, ok := c.bound.ConstantInt(); ok && k == 0 && pred == arith.Ugt {
		pred = arith.Ne // i > 0 unsigned is i != 0
	}
	c.unsigned = pred.Unsigned()
	switch pred = pred.Signed(); pred {
	case arith.Ne:
		c.cond, c.ordered = "!=", false
	case arith.Slt, arith.Sle, arith.Sgt, arith.Sge:
		c.ordered = true
		c.cond = [...]string{"<", "<=", ">", ">="}[pred-arith.Slt]
	default:
		return false // i == n: at most one iteration, no counting
	}
	additive := c.stepOp == "+=" || c.stepOp == "-="
	if c.unsigned && !additive {
		// Shrinking keeps a value that is not negative so; growing may pass the
		// sign bit.
		if (c.stepOp != "/=" && c.stepOp != ">>=" || !nonNegative(init) || !nonNegative(c.bound)) && r.s.opts.deviate != streamAny {
			return false
		}
		c.unsigned = false
	}
	switch c.next.Def.Name {
	case opname.ArithDivUI, opname.ArithShRUI:
		// The stream divides signed values: only those that are not negative
		// are divided, because the test fails for the others.
		positive := (c.cond == ">" || c.cond == ">=") && nonNegative(c.bound)
		if !positive && !nonNegative(init) && r.s.opts.deviate != streamShifts {
			return false
		}
	}
	if r.s.opts.deviate == streamSigned {
		c.unsigned = false
	}
	if c.unsigned && nonNegative(init) && nonNegative(c.bound) && c.stepOp == "+=" && c.cond == "<" && !r.passes(loop, c) {
		c.unsigned = false // counts from init up to bound, both unbiased
	}
	r.order(loop, c, init)
	c.mayWrap = r.mayWrap(loop, c)
	return true
}

// order turns the test "!=" into an order where the counter approaches the bound
// in steps of one and starts on the right side of it: both end at the bound, and
// an order locates the counter.
func (r *recogniser) order(loop *ir.Operation, c *count, init *ir.Value) {
	k, ok := c.step.ConstantInt()
	if c.cond != "!=" || c.stepOp != "+=" || !ok {
		return
	}
	if c.negate {
		k = -k
	}
	switch {
	case k == 1 && r.known.ProvesAt(loop, arith.Sle, init, c.bound):
		c.cond = "<"
	case k == -1 && r.known.ProvesAt(loop, arith.Sge, init, c.bound):
		c.cond = ">"
	}
}

// by are the least and the largest step of a counter that is added to.
func (r *recogniser) by(loop *ir.Operation, c *count) (least, most int64) {
	i := r.known.At(c.step, loop)
	if i.Lo == math.MinInt64 {
		return math.MinInt64, math.MaxInt64 // its opposite is no number
	}
	if c.negate || c.stepOp == "-=" {
		return -i.Hi, -i.Lo
	}
	return i.Lo, i.Hi
}

// movable reports whether a loop that tests last may run once by a bound that it moves: it counts towards its bound, in an
// order, and its first step does not leave the type.
func (r *recogniser) movable(loop *ir.Operation, c *count) bool {
	least, most := r.by(loop, c)
	w, _ := ir.BitWidth(c.next.Type, r.s.opts.IndexWidth)
	init := r.known.At(loop.Operand(c.arg), loop)
	lo, hi := int64(-1)<<(w-1), int64(1)<<(w-1)-1
	from, to := init.Lo, init.Hi
	if c.unsigned {
		if w > 32 {
			return false
		}
		lo, hi, from, to = 0, int64(1)<<w-1, int64(init.ULo), int64(init.UHi)
	}
	switch {
	case !c.ordered || c.stepOp != "+=" && c.stepOp != "-=":
	case c.cond == "<" || c.cond == "<=":
		top, ok := intmath.Add(to, most)
		return least > 0 && ok && top <= hi
	case c.cond == ">" || c.cond == ">=":
		end, ok := intmath.Add(from, least)
		return most < 0 && ok && end >= lo
	}
	return false
}

// fits reports whether the target has a stream for a loop, if need be in a wider type: c.wide. What counts in that leaves no
// value of the narrow type behind.
func (r *recogniser) fits(loop *ir.Operation, c *count) bool {
	if r.counts(c.next.Type, c.stepOp) {
		return true
	}
	from, isInt := c.next.Type.(*ir.IntegerType)
	var wide *ir.IntegerType
	for _, t := range words {
		if isInt && wide == nil && t.Width > from.Width && r.counts(t, c.stepOp) {
			wide = t
		}
	}
	switch {
	case wide == nil:
		return true // a stream of its own may be part of a larger unit, or the mapper reports what is missing
	case c.stepOp != "+=" && c.stepOp != "-=":
		return false
	}
	if c.cond == "!=" {
		r.approach(loop, c)
	}
	least, most := r.by(loop, c)
	bound := r.known.At(c.bound, loop)
	lo, hi := int64(-1)<<(from.Width-1), int64(1)<<(from.Width-1)-1
	low, high := bound.Lo, bound.Hi
	if c.unsigned {
		lo, hi, low, high = 0, int64(1)<<from.Width-1, int64(bound.ULo), int64(bound.UHi)
	}
	stays := false
	switch c.cond {
	case "<":
		stays = least > 0 && high+most-1 <= hi
	case "<=":
		stays = least > 0 && high+most <= hi
	case ">":
		stays = most < 0 && low+least+1 >= lo
	case ">=":
		stays = most < 0 && low+least >= lo
	}
	if stays {
		c.wide = wide
	}
	return stays
}

// approach turns "!=" into an order of unsigned numbers, which lets a narrow counter be a wide one.
func (r *recogniser) approach(loop *ir.Operation, c *count) {
	init := loop.Operand(c.arg)
	switch least, most := r.by(loop, c); {
	case least == 1 && most == 1 && r.known.ProvesAt(loop, arith.Ule, init, c.bound):
		c.cond, c.unsigned = "<", true
	case least == -1 && most == -1 && r.known.ProvesAt(loop, arith.Uge, init, c.bound):
		c.cond, c.unsigned = ">", true
	}
}

// widen makes an scf.for count in a type that the target has a stream for. Its induction variable does not leave the
// narrow type, as no scf.for's does (MLIR, "scf.for").
func (r *recogniser) widen(loop *ir.Operation, emit func(*ir.Operation)) {
	iv := loop.Regions[0].Entry().Args[0]
	if !loops.Plain(loop) || loop.Attr(loops.UnsignedAttr) != nil || r.counts(iv.Type, "+=") {
		return
	}
	from, isInt := iv.Type.(*ir.IntegerType)
	for _, t := range words {
		if !isInt || t.Width <= from.Width || !r.counts(t, "+=") {
			continue
		}
		m := rewrite.Maker{Pos: loop.Pos, Emit: emit}
		for i, v := range loop.Operands()[:3] {
			loop.SetOperand(i, extendTo(m, v, t, ir.Signs))
		}
		narrow := ir.NewOp(opname.ArithTruncI, loop.Pos, []*ir.Value{iv}, []ir.Type{from})
		narrow.Result(0).Name = iv.Name
		iv.ReplaceAllUsesWith(narrow.Result(0))
		narrow.SetOperand(0, iv)
		iv.Type = t
		body := loop.Regions[0].Entry()
		body.InsertBefore(body.Ops[0], narrow)
		return
	}
}

// counts reports whether the target has a stream of a type.
func (r *recogniser) counts(t ir.Type, stepOp string) bool {
	if r.s.opts.Executes == nil {
		return true
	}
	return r.s.opts.Executes(streamOf(t, stepOp))
}

// streamOf is a stream of a type that steps like that, to ask a target about.
func streamOf(t ir.Type, stepOp string) *ir.Operation {
	v := (&ir.Block{}).AddArg(t, "", diag.Pos{})
	stream := ir.NewOp(opname.DataflowStream, diag.Pos{}, []*ir.Value{v, v, v}, []ir.Type{t, ir.I1})
	stream.SetAttr("step_op", ir.StrAttr(stepOp))
	return stream
}

// mayWrap reports whether an upward loop may step past the largest value of its
// type: with a step of one it ends at the bound, with larger steps the bound must
// leave room.
func (r *recogniser) mayWrap(loop *ir.Operation, c *count) bool {
	if c.stepOp != "+=" || c.cond != "<" {
		return false // not plain
	}
	least, most := r.by(loop, c)
	return least < 1 || most > 1 && (c.unsigned || r.passes(loop, c))
}

// passes reports whether the last step of an upward loop may pass the largest signed value of its type, or whether it may
// not go upwards at all.
func (r *recogniser) passes(loop *ir.Operation, c *count) bool {
	least, most := r.by(loop, c)
	w, _ := ir.BitWidth(c.next.Type, r.s.opts.IndexWidth)
	largest := int64(math.MaxInt64) >> (64 - w)
	return least < 1 || r.known.At(c.bound, loop).Hi > largest-(most-1)
}

// holdsAtEntry proves that the first test of a loop, applied to its initial value,
// holds: by ranges, or because a branch around the loop tested it.
func (r *recogniser) holdsAtEntry(loop *ir.Operation, c *count) bool {
	init := loop.Operand(c.arg)
	if r.s.opts.deviate == streamUnproven {
		return true
	}
	p, ok := loops.Test(c.cond)
	if c.unsigned && ok && p != arith.Ne {
		p += arith.Ult - arith.Slt
	}
	return ok && r.known.ProvesAt(loop, p, init, c.bound)
}
