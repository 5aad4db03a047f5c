package widths

import (
	"loom/compiler/analysis/interval"
	"loom/compiler/analysis/loops"
	"loom/compiler/analysis/ranges"
	"loom/compiler/dialect/arith"
	"loom/compiler/dialect/handshake"
	"loom/compiler/ir"
	"loom/compiler/num"
	"loom/compiler/opname"
)

// analysis computes an interval for every integer of a graph: the least that the rules of the
// operations allow, widened where a loop would go on for long, then narrowed again.
type analysis struct {
	body       *ir.Block
	indexWidth int
	known      map[*ir.Value]interval.Interval
	eval       *ranges.Ranges
	// contents are those of the memories on the chip.
	contents map[*ir.Operation]interval.Interval
}

func newAnalysis(fn *ir.Operation, indexWidth int) *analysis {
	if indexWidth == 0 {
		indexWidth = 64
	}
	a := &analysis{
		body: fn.Regions[0].Entry(), indexWidth: indexWidth,
		known: map[*ir.Value]interval.Interval{}, contents: map[*ir.Operation]interval.Interval{},
	}
	a.eval = ranges.Given(a.known, ranges.Options{IndexWidth: indexWidth})
	for _, v := range a.body.Args {
		if w := a.width(v); w > 0 {
			a.known[v] = interval.Any(w)
		}
	}
	for _, op := range a.body.Ops {
		if op.Name == opname.HandshakeMemory {
			a.initial(op)
		}
	}
	return a
}

// width is that of an integer in bits, 0 for other types.
func (a *analysis) width(v *ir.Value) int {
	if !ir.IsInt(v.Type) {
		return 0
	}
	w, ok := ir.BitWidth(v.Type, a.indexWidth)
	if !ok || w < 1 || w > 64 {
		return 0
	}
	return w
}

// patience is how often an interval may grow before it is widened, descents how often all are
// computed again from what was found.
const (
	patience = 3
	descents = 2
)

func (a *analysis) forward() {
	for round := 0; ; round++ {
		changed := false
		for _, op := range a.body.Ops {
			for _, r := range op.Results() {
				w := a.width(r)
				if w == 0 {
					continue
				}
				i, ok := a.value(op, r.Index, w)
				if !ok {
					continue
				}
				old, had := a.known[r]
				if had {
					if i.Within(old) {
						continue
					}
					i = i.Join(old)
					if round >= patience {
						i = i.Widened(old, w)
					}
				}
				a.known[r] = i
				changed = true
			}
			changed = a.stored(op, round) || changed
		}
		if !changed {
			break
		}
	}
	for range descents {
		for _, op := range a.body.Ops {
			for _, r := range op.Results() {
				if w := a.width(r); w > 0 {
					if i, ok := a.value(op, r.Index, w); ok {
						if m, ok := i.Meet(a.known[r], w); ok {
							a.known[r] = m
						}
					}
				}
			}
		}
	}
}

// value is the interval of a result; ok is false where it has no token as far as is known.
func (a *analysis) value(op *ir.Operation, result, w int) (interval.Interval, bool) {
	in := func(i int) (interval.Interval, bool) {
		k, ok := a.known[op.Operand(i)]
		return k, ok
	}
	any := interval.Any(w)
	switch op.Name {
	case opname.HandshakeConstant:
		v, err := num.ConstantBits(op.Attr("value"), op.Result(0).Type, a.indexWidth)
		if err != nil {
			return any, true
		}
		return interval.Exactly(int64(v), w), true
	case opname.DataflowInvariant, opname.DataflowHold:
		return in(op.NumOperands() - 1)
	case opname.DataflowInterlock:
		return in(0)
	case opname.HandshakeCondBr:
		v, ok := in(1)
		if !ok {
			return v, false
		}
		return a.decided(op.Operand(0), op.Operand(1), result == 0, v, w)
	case opname.DataflowGate:
		if result == 1 {
			return any, true
		}
		v, ok := in(0)
		if !ok {
			return v, false
		}
		return a.decided(op.Operand(1), op.Operand(0), true, v, w)
	case opname.HandshakeMux:
		return joined(in(1))(in(2))
	case opname.DataflowCarry:
		return joined(in(1))(in(2))
	case opname.DataflowStream:
		if result == 1 {
			return any, true
		}
		return a.counter(op, w)
	case opname.HandshakeLoad:
		return in(1 - result) // the data from memory, or the address
	case opname.HandshakeStore:
		return in(1 - result)
	case opname.HandshakeExtmemory:
		return any, true
	case opname.HandshakeMemory:
		i, ok := a.contents[op]
		return i, ok
	}
	for _, v := range op.Operands() {
		if a.width(v) == 0 {
			return any, true // of floats
		}
		if _, ok := a.known[v]; !ok {
			return any, false
		}
	}
	if op.NumResults() != 1 {
		return any, true
	}
	return a.eval.Evaluate(op), true
}

// joined is what has tokens of either.
func joined(x interval.Interval, okX bool) func(y interval.Interval, okY bool) (interval.Interval, bool) {
	return func(y interval.Interval, okY bool) (interval.Interval, bool) {
		switch {
		case !okX:
			return y, okY
		case !okY:
			return x, true
		}
		return x.Join(y), true
	}
}

// decided is the interval of v where a condition holds, or does not; ok is false where it is
// never so.
func (a *analysis) decided(cond, v *ir.Value, holds bool, i interval.Interval, w int) (interval.Interval, bool) {
	op := cond.Def
	if op == nil {
		return i, true
	}
	var p arith.IntPredicate
	var x, y *ir.Value
	ok := false
	switch {
	case op.Name == opname.ArithCmpI:
		p, ok = arith.PredicateOf(op)
		x, y = op.Operand(0), op.Operand(1)
	case op.Name == opname.DataflowStream && cond.Index == 1:
		p, ok = loops.Test(op.StrAttr("cont_cond"))
		x, y = op.Result(0), op.Operand(2)
	}
	if !ok {
		return i, true
	}
	if v == y && v != x {
		p, x, y = p.Swapped(), y, x
	}
	other, known := a.known[y]
	if v != x || !known {
		return i, true
	}
	if !holds {
		p = p.Negated()
	}
	return interval.Restrict(p, i, other, w)
}

// counter is the interval of a stream's counter, with the value that ends it.
func (a *analysis) counter(op *ir.Operation, w int) (interval.Interval, bool) {
	start, ok0 := a.known[op.Operand(0)]
	step, ok1 := a.known[op.Operand(1)]
	bound, ok2 := a.known[op.Operand(2)]
	any := interval.Any(w)
	if !ok0 || !ok1 || !ok2 {
		return any, false
	}
	cond := op.StrAttr("cont_cond")
	up, down := op.StrAttr("step_op") == "+=", op.StrAttr("step_op") == "-="
	if op.StrAttr("step_op") == "+=" && step.Hi < 0 && step.Lo > any.Lo {
		step.Lo, step.Hi = -step.Hi, -step.Lo
		up, down = false, true
	}
	switch {
	case up && step.Lo > 0 && (cond == "<" || cond == "<="):
		last := bound.Hi
		if cond == "<" {
			if last == any.Lo {
				return start, true
			}
			last--
		}
		if last > any.Hi-step.Hi {
			return any, true // may pass the largest number
		}
		return interval.Between(start.Lo, max(start.Hi, last+step.Hi), w), true
	case down && step.Lo > 0 && (cond == ">" || cond == ">="):
		last := bound.Lo
		if cond == ">" {
			if last == any.Hi {
				return start, true
			}
			last++
		}
		if last < any.Lo+step.Hi {
			return any, true
		}
		return interval.Between(min(start.Lo, last-step.Hi), start.Hi, w), true
	case up && step.Lo == 1 && step.Hi == 1 && cond == "!=" && start.Hi <= bound.Lo:
		return interval.Between(start.Lo, bound.Hi, w), true
	case down && step.Lo == 1 && step.Hi == 1 && cond == "!=" && start.Lo >= bound.Hi:
		return interval.Between(bound.Lo, start.Hi, w), true
	case op.StrAttr("step_op") == ">>=" && start.Lo >= 0, op.StrAttr("step_op") == "/=" && start.Lo >= 0 && step.Lo > 0:
		return interval.Between(0, start.Hi, w), true
	}
	return any, true
}

// initial is the interval of what a memory on the chip holds at first, and of zero, which a
// load outside of it returns.
func (a *analysis) initial(mem *ir.Operation) {
	t, _ := mem.Attr("memRefType").(*ir.TypeAttr)
	if t == nil {
		return
	}
	mt, _ := t.Type.(*ir.MemRefType)
	if mt == nil || !ir.IsInt(mt.Elem) {
		return
	}
	w, _ := ir.BitWidth(mt.Elem, a.indexWidth)
	i := interval.Exactly(0, w)
	init, err := handshake.Init(mem)
	if err != nil {
		i = interval.Any(w)
	}
	for _, e := range init {
		v, err := num.ConstantBits(e, mt.Elem, a.indexWidth)
		if err != nil {
			i = interval.Any(w)
			break
		}
		i = i.Join(interval.Exactly(int64(v), w))
	}
	a.contents[mem] = i
}

// stored adds to the contents of a memory on the chip what its stores write, and reports
// whether they grew.
func (a *analysis) stored(mem *ir.Operation, round int) bool {
	i, ok := a.contents[mem]
	if !ok {
		return false
	}
	p := handshake.PortsOf(mem)
	now := i
	for k := range p.Stores {
		data := mem.Operand(p.StoreData(k))
		if v, ok := a.known[data]; ok {
			now = now.Join(v)
			if round >= patience && !v.Within(i) {
				now = now.Widened(i, a.width(data))
			}
		}
	}
	a.contents[mem] = now
	return now != i
}
