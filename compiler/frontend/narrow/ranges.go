package narrow

import (
	"math"
	"math/bits"

	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// span is an interval of signed numbers; the zero span is empty.
type span struct {
	lo, hi int64
	some   bool
}

var (
	// fitting are the numbers of 32 bits with sign: those that an index and an i32 have
	// alike. counting are the ones below them that a count or subscript may have, so
	// that the next one is fitting too.
	fitting  = span{math.MinInt32, math.MaxInt32, true}
	counting = span{0, math.MaxInt32 - 1, true}
	unsigned = span{0, math.MaxUint32, true}
)

func (s span) within(t span) bool { return !s.some || s.lo >= t.lo && s.hi <= t.hi }

func (s span) join(t span) span {
	switch {
	case !s.some:
		return t
	case !t.some:
		return s
	}
	return span{min(s.lo, t.lo), max(s.hi, t.hi), true}
}

// meet is what is in both, t where nothing is: then the place is never reached.
func (s span) meet(t span) span {
	if !s.some {
		return s
	}
	if m := (span{max(s.lo, t.lo), min(s.hi, t.hi), true}); m.lo <= m.hi {
		return m
	}
	return t
}

// ranges are intervals of the numbers of more than 32 bits and of index. What an
// operation computes is bounded by its operands; what loops carry grows from round to
// round until it stays, or is given up.
type ranges struct {
	flow   *flow
	broken faults
	of     map[*ir.Value]span
	// assumed are counts, bounds and subscripts with what they are taken to be.
	assumed map[*ir.Value]span
	grown   map[*ir.Value]int
	// ids number the terms of sums, byBlock are the sums of a block.
	ids     map[*ir.Value]int
	byBlock map[*ir.Block]map[string][]*ir.Value
}

func newRanges(f *flow, broken faults) *ranges {
	return &ranges{flow: f, broken: broken, assumed: map[*ir.Value]span{}, ids: map[*ir.Value]int{},
		byBlock: map[*ir.Block]map[string][]*ir.Value{}}
}

// settle finds assumptions and intervals, which depend on each other.
func (r *ranges) settle() {
	for {
		r.compute()
		if !r.assume() {
			return
		}
	}
}

// growths is how often what a loop carries may grow before it is given up.
const growths = 4

// compute makes the intervals for the assumptions as they are.
func (r *ranges) compute() {
	r.of, r.grown = map[*ir.Value]span{}, map[*ir.Value]int{}
	for changed := true; changed; {
		changed = false
		update := func(v *ir.Value) {
			if _, idx := v.Type.(*ir.IndexType); !idx && !wide(v) {
				return
			}
			old := r.of[v]
			s := old.join(r.value(v))
			if s == old {
				return
			}
			changed = true
			if r.flow.carried(v) {
				if r.grown[v]++; r.grown[v] > growths {
					s = r.bounded(v, r.full(v))
				}
			}
			r.of[v] = s
		}
		for _, a := range r.flow.entry.Args {
			update(a)
		}
		for _, op := range r.flow.order {
			for _, reg := range op.Regions {
				for _, b := range reg.Blocks {
					for _, a := range b.Args {
						update(a)
					}
				}
			}
			for _, v := range op.Results() {
				update(v)
			}
		}
		// Results of structured operations are seen before what is inside.
		for i := len(r.flow.order) - 1; i >= 0; i-- {
			for _, v := range r.flow.order[i].Results() {
				update(v)
			}
		}
	}
}

// full are all numbers of a type; an index is a count or subscript.
func (r *ranges) full(v *ir.Value) span {
	w := widthOf(v.Type)
	if w == 0 {
		return fitting
	}
	return span{math.MinInt64 >> (64 - w), math.MaxInt64 >> (64 - w), true}
}

// bounded is s with what is assumed of v.
func (r *ranges) bounded(v *ir.Value, s span) span {
	if a, ok := r.assumed[v]; ok {
		s = s.meet(a)
	}
	return s
}

// value computes the interval of v from those it depends on.
func (r *ranges) value(v *ir.Value) span {
	if r.flow.carried(v) {
		if s, ok := r.counter(v); ok {
			return r.bounded(v, s)
		}
		var s span
		for _, u := range r.flow.into[v] {
			s = s.join(r.get(u.Op.Operand(u.Index)))
		}
		return r.bounded(v, s)
	}
	if loop := inductionOf(v); loop != nil {
		return r.bounded(v, r.induction(loop, v))
	}
	if v.Def == nil {
		return r.bounded(v, r.full(v))
	}
	s, known := r.operation(v.Def)
	if known && !s.some {
		return s
	}
	full := r.full(v)
	if !known || !s.within(full) {
		s = full
	}
	return r.bounded(v, s)
}

// get is the interval of any integer.
func (r *ranges) get(v *ir.Value) span {
	if c, ok := v.ConstantInt(); ok {
		return span{c, c, true}
	}
	if _, idx := v.Type.(*ir.IndexType); idx || wide(v) {
		return r.of[v]
	}
	return r.full(v)
}

// induction is the interval of a loop's induction variable: below the bound, from the
// start on. One whose bounds fit is stepped by at most what still fits.
func (r *ranges) induction(loop *ir.Operation, v *ir.Value) span {
	lb, ub := r.get(loop.Operand(0)), r.get(loop.Operand(1))
	if !lb.some || !ub.some {
		return span{}
	}
	if loop.Attr("unsignedCmp") != nil && (lb.lo < 0 || ub.lo < 0) {
		return r.full(v)
	}
	if ub.hi <= lb.lo {
		return lb // never runs
	}
	return span{lb.lo, ub.hi - 1, true}
}

// operation is the interval of an operation's result; known is false where nothing is
// known of it, and where it may wrap around.
func (r *ranges) operation(op *ir.Operation) (s span, known bool) {
	in := make([]span, op.NumOperands())
	for i, v := range op.Operands() {
		if widthOf(v.Type) == 0 && v.Type != ir.Type(ir.Index) {
			return span{}, false
		}
		in[i] = r.at(op, v)
		if !in[i].some {
			return span{}, true
		}
	}
	switch op.Name {
	case opname.ArithConstant:
		c, ok := op.Result(0).ConstantInt()
		return span{c, c, true}, ok
	case opname.ArithExtSI:
		return in[0], true
	case opname.ArithIndexCast:
		// An index becomes itself; an integer that does not fit is cut.
		return in[0], in[0].within(fitting)
	case opname.ArithExtUI, opname.ArithIndexCastUI:
		w := widthOf(op.Operand(0).Type)
		switch {
		case in[0].lo >= 0:
			return in[0], true
		case w > 0 && w < 63:
			return span{0, 1<<w - 1, true}, true
		}
		return span{}, false
	case opname.ArithTruncI:
		return in[0], in[0].within(r.full(op.Result(0)))
	case opname.ArithSelect:
		return in[1].join(in[2]), true
	}
	if len(in) != 2 {
		return span{}, false
	}
	a, b := in[0], in[1]
	w := widthOf(op.Result(0).Type)
	if w == 0 {
		w = 32
	}
	amount := int64(-1) // of a shift by a constant
	if b.lo == b.hi && b.lo >= 0 && b.lo < int64(w) {
		amount = b.lo
	}
	switch op.Name {
	case opname.ArithAddI:
		if k, ok := halved(op.Operand(0), op.Operand(1)); ok && a.lo >= 0 {
			// x + ~(x >> k) is one less than what is left of x.
			return span{a.lo - a.lo>>k - 1, a.hi - a.hi>>k - 1, true}, true
		}
		return hull(plus, a, b)
	case opname.ArithSubI:
		s, ok := hull(minus, a, b)
		if ok && s.lo < 0 && s.hi >= 0 && r.ordered(op) {
			s.lo = 0
		}
		return s, ok
	case opname.ArithMulI:
		return hull(times, a, b)
	case opname.ArithShLI:
		if amount < 0 || amount > 62 {
			return span{}, false
		}
		return hull(times, a, span{1 << amount, 1 << amount, true})
	case opname.ArithAndI:
		switch {
		case a.lo >= 0 && b.lo >= 0:
			return span{0, min(a.hi, b.hi), true}, true
		case a.lo >= 0:
			return span{0, a.hi, true}, true
		case b.lo >= 0:
			return span{0, b.hi, true}, true
		}
	case opname.ArithOrI, opname.ArithXOrI:
		if b.lo == -1 && b.hi == -1 && op.Name == opname.ArithXOrI {
			return span{-1 - a.hi, -1 - a.lo, true}, true
		}
		if a.lo >= 0 && b.lo >= 0 {
			return span{0, int64(uint64(1)<<bits.Len64(uint64(a.hi|b.hi)) - 1), true}, true
		}
	case opname.ArithShRSI:
		if amount >= 0 {
			return span{a.lo >> amount, a.hi >> amount, true}, true
		}
	case opname.ArithShRUI:
		if amount >= 0 && a.lo >= 0 {
			return span{a.lo >> amount, a.hi >> amount, true}, true
		}
		if amount > 0 && w == 64 {
			return span{0, int64(uint64(math.MaxUint64) >> amount), true}, true
		}
	case opname.ArithDivSI:
		if b.lo >= 1 {
			return span{min(a.lo, 0), max(a.hi, 0), true}, true
		}
	case opname.ArithDivUI:
		if a.lo >= 0 && b.lo >= 0 {
			return span{0, a.hi, true}, true
		}
	case opname.ArithRemSI:
		if b.lo >= 0 && b.hi > 0 {
			return span{max(min(a.lo, 0), 1-b.hi), min(max(a.hi, 0), b.hi-1), true}, true
		}
	case opname.ArithRemUI:
		if a.lo >= 0 && b.lo >= 0 && b.hi > 0 {
			return span{0, min(a.hi, b.hi-1), true}, true
		}
	case opname.ArithMinSI:
		return span{min(a.lo, b.lo), min(a.hi, b.hi), true}, true
	case opname.ArithMaxSI:
		return span{max(a.lo, b.lo), max(a.hi, b.hi), true}, true
	case opname.ArithMinUI, opname.ArithMaxUI:
		if a.lo >= 0 && b.lo >= 0 {
			if op.Name == opname.ArithMinUI {
				return span{min(a.lo, b.lo), min(a.hi, b.hi), true}, true
			}
			return span{max(a.lo, b.lo), max(a.hi, b.hi), true}, true
		}
	}
	return span{}, false
}

// halved reports whether y is the complement of x shifted to the right by k.
func halved(x, y *ir.Value) (k int64, ok bool) {
	if y.Def == nil || y.Def.Name != opname.ArithXOrI {
		return 0, false
	}
	shift := y.Def.Operand(0).Def
	if c, ok := y.Def.Operand(1).ConstantInt(); !ok || c != -1 || shift == nil || shift.Name != opname.ArithShRUI && shift.Name != opname.ArithShRSI || shift.Operand(0) != x {
		return 0, false
	}
	k, ok = shift.Operand(1).ConstantInt()
	return k, ok && k >= 0 && k < 63
}

// ordered reports whether a difference is taken where a condition says that it is not
// negative: in the branch, or in the body of a loop, behind a comparison of the two.
func (r *ranges) ordered(op *ir.Operation) bool {
	found := false
	conditions(op, op.Operands(), func(cmp *ir.Operation, holds bool, now []*ir.Value) {
		found = found || r.notLess(cmp, holds, now[0], now[1])
	})
	return found
}

// at is the interval of v where op stands, behind the comparisons with constants that
// lead there.
func (r *ranges) at(op *ir.Operation, v *ir.Value) span {
	s := r.get(v)
	if !s.some {
		return s
	}
	conditions(op, []*ir.Value{v}, func(cmp *ir.Operation, holds bool, now []*ir.Value) {
		if now[0] == cmp.Operand(0) {
			if c, ok := cmp.Operand(1).ConstantInt(); ok {
				p, _ := arith.PredicateOf(cmp)
				s = s.meet(behind(p, holds, c, s))
			}
		}
	})
	return s
}

// behind are the numbers of s that a comparison with a constant leaves.
func behind(p arith.IntPredicate, holds bool, c int64, s span) span {
	if !holds {
		p = p.Negated()
	}
	if p.Unsigned() {
		if s.lo < 0 || c < 0 {
			return s
		}
		p = p.Signed()
	}
	switch {
	case p == arith.Slt && c > math.MinInt64:
		return span{math.MinInt64, c - 1, true}
	case p == arith.Sle:
		return span{math.MinInt64, c, true}
	case p == arith.Sgt && c < math.MaxInt64:
		return span{c + 1, math.MaxInt64, true}
	case p == arith.Sge:
		return span{c, math.MaxInt64, true}
	case p == arith.Eq:
		return span{c, c, true}
	case p == arith.Ne && s.lo == c && c < s.hi:
		return span{c + 1, s.hi, true}
	}
	return s
}

// conditions calls f for the comparisons that decide whether op is reached, inner ones
// first, with what the values vs are called there: the body of a while has other names
// for what its condition passes on.
func conditions(op *ir.Operation, vs []*ir.Value, f func(cmp *ir.Operation, holds bool, now []*ir.Value)) {
	now := append([]*ir.Value(nil), vs...)
	for in := op; ; {
		b, p := in.Block(), in.ParentOp()
		if p == nil || p.Name == opname.FuncFunc {
			return
		}
		holds := true
		var cond *ir.Value
		switch {
		case p.Name == opname.SCFIf:
			cond, holds = p.Operand(0), p.Regions[0] == b.Parent
		case p.Name == opname.SCFWhile && p.Regions[1] == b.Parent:
			if end := terminator(p.Regions[0], opname.SCFCondition); end != nil {
				cond = end.Operand(0)
				for i, a := range b.Args {
					for j, v := range now {
						if v == a && i+1 < end.NumOperands() {
							now[j] = end.Operand(i + 1)
						}
					}
				}
			}
		}
		all(cond, holds, func(cmp *ir.Operation) { f(cmp, holds, now) })
		in = p
	}
}

// all calls f for each comparison that a condition, if it is as given, says the same of:
// both sides of an and that holds, of an or that does not.
func all(cond *ir.Value, holds bool, f func(cmp *ir.Operation)) {
	if cond == nil || cond.Def == nil {
		return
	}
	switch d := cond.Def; {
	case d.Name == opname.ArithCmpI:
		f(d)
	case d.Name == opname.ArithAndI && holds, d.Name == opname.ArithOrI && !holds:
		all(d.Operand(0), holds, f)
		all(d.Operand(1), holds, f)
	}
}

// notLess reports whether a comparison that holds, or does not, says that x is not less
// than y.
func (r *ranges) notLess(cmp *ir.Operation, holds bool, x, y *ir.Value) bool {
	p, _ := arith.PredicateOf(cmp)
	a, b := cmp.Operand(0), cmp.Operand(1)
	if a == y && b == x {
		p = p.Swapped()
	} else if a != x || b != y {
		return false
	}
	if !holds {
		p = p.Negated()
	}
	switch p {
	case arith.Sgt, arith.Sge:
		return true
	case arith.Ugt, arith.Uge:
		return r.get(x).lo >= 0 && r.get(y).lo >= 0
	}
	return false
}

// hull is the interval of an operation that is monotonic in each operand, unknown where
// it overflows 64 bits.
func hull(f func(a, b int64) (int64, bool), a, b span) (span, bool) {
	var s span
	for _, x := range []int64{a.lo, a.hi} {
		for _, y := range []int64{b.lo, b.hi} {
			v, ok := f(x, y)
			if !ok {
				return span{}, false
			}
			s = s.join(span{v, v, true})
		}
	}
	return s, true
}

func plus(a, b int64) (int64, bool) {
	c := a + b
	return c, (c > a) == (b > 0)
}

func minus(a, b int64) (int64, bool) {
	c := a - b
	return c, (c < a) == (b > 0)
}

func times(a, b int64) (int64, bool) {
	if a == 0 || b == 0 {
		return 0, true
	}
	c := a * b
	return c, c/b == a && !(a == -1 && b == math.MinInt64) && !(b == -1 && a == math.MinInt64)
}
