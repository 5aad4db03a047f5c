// Package extent bounds the elements of arrays that a run of a structured function may touch, by expressions over
// the function's integer parameters: what a program evaluates in front of a run to learn whether two arrays
// overlap. Compilers that make versions of a loop do the same for their checks at run time
// (G. Goff, K. Kennedy, C.-W. Tseng: Practical dependence testing, PLDI 1991, is the static counterpart).
//
// An expression is a list of instructions on intervals (Code). An interval that is not known when the
// program runs, because a value leaves the range in which the arithmetic is exact, stays unknown to the end.
package extent

import (
	"fmt"
	"slices"

	"loom/compiler/analysis/interval"
	"loom/compiler/analysis/loops"
	"loom/compiler/analysis/ranges"
	"loom/compiler/cabi"
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// An Array is a memref parameter of the function.
type Array struct {
	// Read and Write tell whether something loads from it and stores to it.
	Read, Write bool
	// Range is the instruction whose result bounds the numbers of the elements that are touched, counted
	// from the array's first; -1 where that is not known, or nothing touches the array.
	Range int
	// At is the access of which the subscript is not bounded, and Why a predicate about it; nil and ""
	// where Range is set.
	At  *ir.Operation
	Why string
}

// Extents are what Of found.
type Extents struct {
	Code Code
	// Arrays has an entry per parameter; that of one which is no memref is empty.
	Arrays []Array
}

// Fault names a rule of the analysis.
type Fault string

// The rules that tests break.
const (
	FirstOnly   Fault = "of several accesses the first counts"
	LastMissing Fault = "the last iteration is forgotten"
	Always      Fault = "what holds in a branch holds everywhere"
	Exact       Fault = "narrow values never wrap around"
	OneStep     Fault = "a loop adds its step once"
)

// maxCode bounds the length of the code; what needs more is not known.
const maxCode = 400

// Of analyses a function without calls; known are its ranges, for an index of so many bits.
func Of(fn *ir.Operation, known *ranges.Ranges, indexWidth int, broken Fault) *Extents {
	b := &builder{fn: fn, known: known, indexWidth: indexWidth, broken: broken, numbers: map[Inst]int{}, memo: map[place]int{}, busy: map[place]bool{}}
	entry := fn.Regions[0].Entry()
	out := &Extents{Arrays: make([]Array, len(entry.Args))}
	for i, p := range entry.Args {
		out.Arrays[i].Range = unknown
		if t, ok := p.Type.(*ir.MemRefType); ok {
			b.array(p, t, &out.Arrays[i])
		}
	}
	out.Code = b.code
	return out
}

// unknown is the number of an instruction that is not there.
const unknown = -1

// place is a value where an operation of a block uses it.
type place struct {
	v  *ir.Value
	in *ir.Block
}

type builder struct {
	fn         *ir.Operation
	known      *ranges.Ranges
	indexWidth int
	broken     Fault
	code       Code
	numbers    map[Inst]int
	memo       map[place]int
	busy       map[place]bool
}

// array bounds the accesses to a parameter.
func (b *builder) array(p *ir.Value, t *ir.MemRefType, a *Array) {
	strides, plain := rowMajor(t)
	fail := func(op *ir.Operation, why string) {
		if a.At == nil {
			a.At, a.Why = op, why
		}
	}
	all := unknown
	b.fn.Walk(func(op *ir.Operation) bool {
		if !slices.Contains(op.Operands(), p) {
			return true
		}
		first := 1
		switch op.Name {
		case opname.MemRefDim:
			return true
		case opname.MemRefLoad:
			a.Read = true
		case opname.MemRefStore:
			a.Write = true
			first = 2
		default:
			a.Read, a.Write = true, true
			fail(op, "touches elements unknown")
			return true
		}
		if !plain || op.NumOperands() != first+len(strides) {
			fail(op, "is an access to an array whose rows have no constant length")
			return true
		}
		at := b.constant(0, 0)
		for d, s := range strides {
			i := b.of(op.Operand(first+d), op.Block())
			at = b.inst(Inst{Op: Add, A: at, B: b.inst(Inst{Op: Mul, A: i, B: b.constant(s, s)})})
		}
		switch {
		case at == unknown:
			fail(op, "has a subscript without bounds that the function's parameters give")
		case all == unknown:
			all = at
		case b.broken != FirstOnly:
			all = b.inst(Inst{Op: Hull, A: all, B: at})
		}
		return true
	})
	if a.At == nil {
		a.Range = all
	}
}

// rowMajor are the strides of an array's dimensions in elements; not plain where they depend on more than the type.
func rowMajor(t *ir.MemRefType) (strides []int64, plain bool) {
	if t.Layout != nil {
		return nil, false
	}
	strides = make([]int64, len(t.Shape))
	n := int64(1)
	for d := len(t.Shape) - 1; d >= 0; d-- {
		strides[d] = n
		if d > 0 && (t.Shape[d] < 0 || n > Limit) {
			return nil, false
		}
		n *= t.Shape[d]
	}
	return strides, true
}

// inst appends an instruction, unless it is there or a constant; an operand that is unknown makes it unknown.
func (b *builder) inst(i Inst) int {
	n := i.Op.operands()
	if n > 0 && i.A == unknown || n > 1 && i.B == unknown || n > 2 && i.D == unknown {
		return unknown
	}
	if n > 0 {
		folds := true
		for k, at := range []int{i.A, i.B, i.D} {
			folds = folds && (k >= n || b.code[at].Op == Const)
		}
		if folds {
			v := i.eval(nil, func(at int) Interval { return Interval{b.code[at].Lo, b.code[at].Hi} })
			if v.Unknown() {
				return unknown
			}
			i = Inst{Op: Const, Lo: v.Lo, Hi: v.Hi}
		}
	}
	if same := b.same(i); same != unknown {
		return same
	}
	if at, ok := b.numbers[i]; ok {
		return at
	}
	if len(b.code) == maxCode {
		return unknown
	}
	b.code = append(b.code, i)
	b.numbers[i] = len(b.code) - 1
	return len(b.code) - 1
}

// same is the operand that an instruction leaves as it is, unknown where it has none.
func (b *builder) same(i Inst) int {
	is := func(at int, c int64) bool {
		k := b.code[at]
		return k.Op == Const && k.Lo == c && k.Hi == c
	}
	switch {
	case (i.Op == Add || i.Op == Sub) && is(i.B, 0), i.Op == Mul && is(i.B, 1):
		return i.A
	case i.Op == Add && is(i.A, 0), i.Op == Mul && is(i.A, 1):
		return i.B
	case (i.Op == Hull || i.Op == Min || i.Op == Max) && i.A == i.B:
		return i.A
	}
	return unknown
}

// constant is an interval of constants.
func (b *builder) constant(lo, hi int64) int {
	if lo < -Limit || hi > Limit {
		return unknown
	}
	return b.inst(Inst{Op: Const, Lo: lo, Hi: hi})
}

func (b *builder) width(v *ir.Value) int {
	w, ok := ir.BitWidth(v.Type, b.indexWidth)
	if !ok || !ir.IsInt(v.Type) || w < 1 || w > 64 {
		return 0
	}
	return w
}

// within is what an instruction gives as the signed value of so many bits: unknown where it does not fit.
func (b *builder) within(at, w int) int {
	if w >= 32 || b.broken == Exact { // beyond Limit nothing is known anyway
		return at
	}
	return b.inst(Inst{Op: Inside, A: at, Lo: interval.MinSigned(w), Hi: interval.MaxSigned(w)})
}

// of bounds the signed value of v as it is in a block: by what computes it, by the comparisons that hold there,
// and where neither is known by its range for any parameters.
func (b *builder) of(v *ir.Value, in *ir.Block) int {
	key := place{v, in}
	if at, ok := b.memo[key]; ok {
		return at
	}
	if b.width(v) == 0 || b.busy[key] || len(b.busy) > 200 {
		return unknown
	}
	b.busy[key] = true
	at := b.computed(v, in)
	if at == unknown {
		if i := b.known.Of(v); !i.Empty() {
			at = b.constant(i.Lo, i.Hi)
		}
	}
	if at != unknown {
		at = b.refined(v, at, in)
	}
	delete(b.busy, key)
	b.memo[key] = at
	return at
}

// computed bounds a value by the operation that defines it.
func (b *builder) computed(v *ir.Value, in *ir.Block) int {
	if c, ok := v.ConstantInt(); ok {
		return b.constant(c, c)
	}
	if v.Def == nil {
		return b.argument(v)
	}
	op := v.Def
	x := func(i int) int { return b.of(op.Operand(i), in) }
	binary := func(o Op) int { return b.within(b.inst(Inst{Op: o, A: x(0), B: x(1)}), b.width(v)) }
	switch op.Name {
	case opname.ArithAddI:
		return binary(Add)
	case opname.ArithSubI:
		at := binary(Sub)
		if least, ok := b.difference(op.Operand(0), op.Operand(1), in); ok && at != unknown {
			at = b.inst(Inst{Op: Above, A: at, B: b.constant(least, least)})
		}
		return at
	case opname.ArithMulI:
		return binary(Mul)
	case opname.ArithMinSI:
		return b.inst(Inst{Op: Min, A: x(0), B: x(1)})
	case opname.ArithMaxSI:
		return b.inst(Inst{Op: Max, A: x(0), B: x(1)})
	case opname.ArithShLI:
		if n, ok := op.Operand(1).ConstantInt(); ok && n >= 0 && n < 31 && n < int64(b.width(v)) {
			return b.within(b.inst(Inst{Op: Mul, A: x(0), B: b.constant(1<<n, 1<<n)}), b.width(v))
		}
	case opname.ArithShRSI:
		if n, ok := op.Operand(1).ConstantInt(); ok && n >= 0 && n < 31 && n < int64(b.width(v)) {
			return b.inst(Inst{Op: Shift, A: x(0), Lo: n})
		}
	case opname.ArithDivSI:
		if n, ok := op.Operand(1).ConstantInt(); ok && n > 0 && n <= Limit {
			return b.inst(Inst{Op: Div, A: x(0), Lo: n})
		}
	case opname.ArithIndexCast, opname.ArithExtSI, opname.ArithTruncI:
		return b.within(x(0), b.width(v))
	case opname.ArithIndexCastUI, opname.ArithExtUI:
		if w := b.width(op.Operand(0)); w < b.width(v) {
			return b.inst(Inst{Op: Inside, A: x(0), Lo: 0, Hi: Limit}) // a negative one is a large one
		}
		return b.within(x(0), b.width(v))
	case opname.ArithSelect:
		return b.inst(Inst{Op: Hull, A: x(1), B: x(2)})
	case opname.SCFIf:
		side := func(i int) int {
			r := op.Regions[i].Entry()
			return b.of(r.Terminator().Operand(v.Index), r)
		}
		return b.inst(Inst{Op: Hull, A: side(0), B: side(1)}) // one with results has both sides
	case opname.SCFFor:
		return b.carried(op, v.Index, false)
	case opname.SCFWhile:
		if t := op.Regions[0].Entry().Terminator(); t.Name == opname.SCFCondition {
			return b.of(t.Operand(1+v.Index), op.Regions[0].Entry())
		}
	}
	return unknown
}

// argument bounds an argument of a block.
func (b *builder) argument(v *ir.Value) int {
	op := v.Block.ParentOp()
	switch {
	case op == b.fn:
		return b.inst(Inst{Op: Param, Lo: int64(v.Index), Hi: int64(b.width(v))})
	case op.Name == opname.SCFFor && v.Index == 0:
		return b.induction(op)
	case op.Name == opname.SCFFor:
		return b.carried(op, v.Index-1, true)
	case op.Name == opname.SCFWhile && v.Block == op.Regions[0].Entry():
		return b.tested(op, v.Index)
	case op.Name == opname.SCFWhile:
		first := op.Regions[0].Entry()
		if t := first.Terminator(); t.Name == opname.SCFCondition {
			// The comparisons that hold behind the test hold of what it passes on.
			if at := b.of(t.Operand(1+v.Index), first); at != unknown {
				return b.compared(t.Operand(1+v.Index), at, first, t.Operand(0), true, 4)
			}
		}
	}
	return unknown
}

// bounds are those of a counted loop as its parent sees them.
func (b *builder) bounds(loop *ir.Operation) (lb, ub, step int) {
	in := loop.Block()
	return b.of(loop.Operand(0), in), b.of(loop.Operand(1), in), b.of(loop.Operand(2), in)
}

// counts reports how a counted loop counts: upwards or downwards, and by how much its last value may lie beyond
// one below (or above) the bound; not ok for tests and steps that are not looked into.
func (b *builder) counts(loop *ir.Operation) (up bool, slack int64, ok bool) {
	stepOp, cond := loops.Kind(loop)
	if loop.Attr(loops.UnsignedAttr) != nil || loop.Attr(loops.MayWrapAttr) != nil {
		return false, 0, false
	}
	switch {
	case stepOp == "+=" && cond == "<":
		return true, -1, true
	case stepOp == "+=" && cond == "<=":
		return true, 0, true
	case stepOp == "-=" && cond == ">":
		return false, 1, true
	case stepOp == "-=" && cond == ">=":
		return false, 0, true
	}
	return false, 0, false
}

// induction bounds the induction variable of a counted loop.
func (b *builder) induction(loop *ir.Operation) int {
	up, slack, ok := b.counts(loop)
	lb, ub, step := b.bounds(loop)
	if !ok || b.positive(step) == unknown {
		return unknown
	}
	if b.broken == LastMissing {
		slack--
	}
	i := Inst{Op: Upto, A: lb, B: ub, D: b.positive(step), Lo: slack, Hi: interval.MaxSigned(min(32, b.width(loop.Operand(0))))}
	if !up {
		i.Op = Downto
	}
	return b.inst(i)
}

// positive is a step where it is positive.
func (b *builder) positive(step int) int {
	return b.inst(Inst{Op: Inside, A: step, Lo: 1, Hi: Limit})
}

// carried bounds what a counted loop carries: its value within an iteration, or its result.
func (b *builder) carried(loop *ir.Operation, k int, within bool) int {
	body := loop.Regions[0].Entry()
	arg, next := body.Args[1+k], body.Terminator().Operand(k)
	start := b.of(loop.Operand(3+k), loop.Block())
	d := b.added(next, arg, body, 8)
	if start == unknown {
		return unknown
	}
	lb, ub, step := b.bounds(loop)
	up, slack, ok := b.counts(loop)
	if d == unknown && next == body.Args[0] && within && ok && up && b.inst(Inst{Op: Sub, A: lb, B: step}) == start && b.code[start].Op == Const {
		return b.inst(Inst{Op: Sub, A: b.of(next, body), B: step}) // the counter of the iteration before
	}
	if d == unknown { // the first value, or that of an earlier iteration
		return b.inst(Inst{Op: Hull, A: start, B: b.of(next, body)})
	}
	if c := b.code[d]; c.Op == Const && c.Lo == 0 && c.Hi == 0 {
		return start
	}
	if !ok {
		return unknown
	}
	if !up {
		lb, ub, slack = ub, lb, -slack
	}
	times := b.inst(Inst{Op: Trips, A: lb, B: ub, D: b.positive(step), Lo: slack})
	if within { // one fewer has gone before, and at least none
		times = b.inst(Inst{Op: Max, A: b.constant(0, 0), B: b.inst(Inst{Op: Add, A: times, B: b.constant(-1, -1)})})
	}
	if b.broken == OneStep {
		times = b.constant(0, 1)
	}
	return b.within(b.inst(Inst{Op: Add, A: start, B: b.inst(Inst{Op: Mul, A: times, B: d})}), b.width(arg))
}

// tested bounds what an scf.while carries, where the test compares it with a bound that it approaches.
func (b *builder) tested(loop *ir.Operation, k int) int {
	first, second := loop.Regions[0].Entry(), loop.Regions[1].Entry()
	t := first.Terminator()
	if t.Name != opname.SCFCondition {
		return unknown
	}
	arg := first.Args[k]
	start := b.of(loop.Operand(k), loop.Block())
	d := b.added(second.Terminator().Operand(k), arg, second, 8)
	if start == unknown {
		return unknown
	}
	if d == unknown { // the first value, or one from an iteration
		return b.inst(Inst{Op: Hull, A: start, B: b.of(second.Terminator().Operand(k), second)})
	}
	if c := b.code[d]; c.Op == Const && c.Lo == 0 && c.Hi == 0 {
		return start
	}
	at := unknown
	b.conjuncts(t.Operand(0), true, 4, func(p arith.IntPredicate, x, y *ir.Value) {
		if y == arg {
			p, x, y = p.Swapped(), y, x
		}
		if x != arg || at != unknown {
			return
		}
		limit := b.of(y, first)
		up := b.inst(Inst{Op: Inside, A: d, Lo: 0, Hi: Limit})
		down := b.inst(Inst{Op: Inside, A: d, Lo: -Limit, Hi: 0})
		one := int64(0)
		switch p {
		case arith.Slt, arith.Sgt:
			one = 1
		case arith.Sle, arith.Sge:
		default:
			return
		}
		if b.broken == LastMissing {
			one++
		}
		// The last that passes the test is at the limit, and the next a step beyond.
		switch p {
		case arith.Slt, arith.Sle:
			last := b.inst(Inst{Op: Add, A: b.inst(Inst{Op: Add, A: limit, B: up}), B: b.constant(-one, -one)})
			at = b.inst(Inst{Op: Upto, A: start, B: last, D: b.constant(1, 1), Hi: Limit})
		default:
			last := b.inst(Inst{Op: Add, A: b.inst(Inst{Op: Add, A: limit, B: down}), B: b.constant(one, one)})
			at = b.inst(Inst{Op: Downto, A: start, B: last, D: b.constant(1, 1), Hi: Limit})
		}
	})
	// What the first test sees may be beyond the limit.
	return b.within(b.inst(Inst{Op: Hull, A: start, B: at}), b.width(arg))
}

// added bounds next - arg, where next is arg and what operations of a block and of blocks inside add.
func (b *builder) added(next, arg *ir.Value, in *ir.Block, depth int) int {
	if next == arg {
		return b.constant(0, 0)
	}
	if depth == 0 {
		return unknown
	}
	op := next.Def
	if op == nil {
		// What a test passes on to the iteration.
		if w := next.Block.ParentOp(); w != nil && w.Name == opname.SCFWhile && next.Block == w.Regions[1].Entry() && arg.Block == w.Regions[0].Entry() {
			if t := arg.Block.Terminator(); t.Name == opname.SCFCondition {
				return b.added(t.Operand(1+next.Index), arg, arg.Block, depth-1)
			}
		}
		return unknown
	}
	switch op.Name {
	case opname.ArithAddI:
		for i := range 2 {
			if d := b.added(op.Operand(i), arg, in, depth-1); d != unknown {
				return b.inst(Inst{Op: Add, A: d, B: b.of(op.Operand(1-i), op.Block())})
			}
		}
	case opname.ArithSubI:
		return b.inst(Inst{Op: Sub, A: b.added(op.Operand(0), arg, in, depth-1), B: b.of(op.Operand(1), op.Block())})
	case opname.ArithSelect:
		return b.inst(Inst{Op: Hull, A: b.added(op.Operand(1), arg, in, depth-1), B: b.added(op.Operand(2), arg, in, depth-1)})
	case opname.SCFIf:
		side := func(i int) int {
			r := op.Regions[i].Entry()
			return b.added(r.Terminator().Operand(next.Index), arg, r, depth-1)
		}
		return b.inst(Inst{Op: Hull, A: side(0), B: side(1)})
	case opname.SCFFor:
		body := op.Regions[0].Entry()
		before := b.added(op.Operand(3+next.Index), arg, in, depth-1)
		each := b.added(body.Terminator().Operand(next.Index), body.Args[1+next.Index], body, depth-1)
		up, slack, ok := b.counts(op)
		if !ok || before == unknown || each == unknown {
			return unknown
		}
		lb, ub, step := b.bounds(op)
		if !up {
			lb, ub, slack = ub, lb, -slack
		}
		times := b.inst(Inst{Op: Trips, A: lb, B: ub, D: b.positive(step), Lo: slack})
		return b.inst(Inst{Op: Add, A: before, B: b.inst(Inst{Op: Mul, A: times, B: each})})
	}
	return unknown
}

// refined applies to the interval of v the comparisons that hold in a block, with the branches around it.
func (b *builder) refined(v *ir.Value, at int, in *ir.Block) int {
	for q := in; q != nil && q.ParentOp() != nil && q.ParentOp() != b.fn; q = q.ParentOp().Block() {
		op := q.ParentOp()
		switch {
		case op.Name == opname.SCFIf:
			at = b.compared(v, at, op.Block(), op.Operand(0), q == op.Regions[0].Entry() || b.broken == Always, 4)
		case op.Name == opname.SCFWhile && q == op.Regions[1].Entry():
			if t := op.Regions[0].Entry().Terminator(); t.Name == opname.SCFCondition {
				at = b.compared(v, at, op.Regions[0].Entry(), t.Operand(0), true, 4)
			}
		}
	}
	return at
}

// compared applies what a condition, whose operands are known in a block, says of v.
func (b *builder) compared(v *ir.Value, at int, in *ir.Block, cond *ir.Value, holds bool, depth int) int {
	b.conjuncts(cond, holds, depth, func(p arith.IntPredicate, x, y *ir.Value) {
		if y == v {
			p, x, y = p.Swapped(), y, x
		}
		if x != v || y == v {
			return
		}
		if p == arith.Ne {
			// What is at least zero and not zero is at least one.
			if c, ok := y.ConstantInt(); ok {
				at = b.inst(Inst{Op: Except, A: at, Lo: c})
			}
			return
		}
		limit := b.of(y, in)
		if limit == unknown {
			return
		}
		below := func(c int64) int { return b.inst(Inst{Op: Below, A: at, B: limit, Lo: c}) }
		above := func(c int64) int {
			return b.inst(Inst{Op: Above, A: at, B: b.inst(Inst{Op: Add, A: limit, B: b.constant(c, c)})})
		}
		better := unknown
		switch p {
		case arith.Slt:
			better = below(-1)
		case arith.Sle:
			better = below(0)
		case arith.Sgt:
			better = above(1)
		case arith.Sge:
			better = above(0)
		}
		if better != unknown {
			at = better
		}
	})
	return at
}

// difference is the least of x - y that a comparison around a block tells.
func (b *builder) difference(x, y *ir.Value, in *ir.Block) (least int64, ok bool) {
	for q := in; q != nil && q.ParentOp() != nil && q.ParentOp() != b.fn; q = q.ParentOp().Block() {
		op := q.ParentOp()
		if op.Name != opname.SCFIf {
			continue
		}
		b.conjuncts(op.Operand(0), q == op.Regions[0].Entry() || b.broken == Always, 4, func(p arith.IntPredicate, l, r *ir.Value) {
			if l == y && r == x {
				p, l, r = p.Swapped(), r, l
			}
			if l == x && r == y && (p == arith.Sge || p == arith.Sgt) {
				least, ok = 0, true
				if p == arith.Sgt {
					least = 1
				}
			}
		})
	}
	return least, ok
}

// conjuncts calls f for the comparisons that follow from a condition that holds or does not.
func (b *builder) conjuncts(cond *ir.Value, holds bool, depth int, f func(p arith.IntPredicate, x, y *ir.Value)) {
	op := cond.Def
	if op == nil || depth == 0 {
		return
	}
	switch {
	case op.Name == opname.ArithCmpI:
		if p, ok := arith.PredicateOf(op); ok {
			if !holds {
				p = p.Negated()
			}
			f(p, op.Operand(0), op.Operand(1))
		}
	case op.Name == opname.ArithAndI && holds, op.Name == opname.ArithOrI && !holds:
		for i := range 2 {
			b.conjuncts(op.Operand(i), holds, depth-1, f)
		}
	case op.Name == opname.ArithXOrI:
		for i := range 2 {
			if k, ok := op.Operand(1 - i).ConstantInt(); ok {
				b.conjuncts(op.Operand(i), holds != (k != 0), depth-1, f)
			}
		}
	}
}

// Pairs are the parameters of a function that may overlap (loom.may_alias) and must not where nothing keeps their
// accesses in order: one of the two is written.
func (e *Extents) Pairs(fn *ir.Operation) ([][2]int, error) {
	may, err := cabi.ReadOverlaps(fn, fn.Regions[0].Entry().Args)
	if err != nil {
		return nil, err
	}
	var out [][2]int
	for i, a := range e.Arrays {
		for k := i + 1; k < len(e.Arrays); k++ {
			b := e.Arrays[k]
			if may.May(i, k) && (a.Write && (b.Read || b.Write) || b.Write && a.Read) {
				out = append(out, [2]int{i, k})
			}
		}
	}
	return out, nil
}

// Known reports whether the extents of the arrays of all pairs are known for a run with the given parameters.
func (e *Extents) Known(pairs [][2]int, params []int64) bool {
	values := e.Code.Eval(params)
	for _, p := range pairs {
		for _, k := range p {
			if at := e.Arrays[k].Range; at == unknown || values[at].Unknown() {
				return false
			}
		}
	}
	return true
}

// String lists the code, for tests and messages.
func (e *Extents) String() string {
	s := ""
	for n, i := range e.Code {
		s += fmt.Sprintf("%%%d = %s\n", n, i)
	}
	for n, a := range e.Arrays {
		if a.Range != unknown {
			s += fmt.Sprintf("array %d: %%%d\n", n, a.Range)
		}
	}
	return s
}
