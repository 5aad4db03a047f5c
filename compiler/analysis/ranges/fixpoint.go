package ranges

import (
	"loom/compiler/analysis/interval"
	"loom/compiler/analysis/loops"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/internal/intmath"
)

// fixpoint is the state of the analysis of a function.
type fixpoint struct {
	// grown is how often each loop-carried value has grown; round counts the evaluations of
	// the function, changed is set when the present one changed an interval.
	grown   map[*ir.Value]int
	round   int
	changed bool
	// narrowing rounds evaluate loop-carried values anew instead of letting them grow.
	narrowing bool
}

const (
	// growths is how often a loop-carried value grows step by step before its moving
	// bounds jump, settled how many rounds there are before everything that still moves
	// is given up.
	growths = 3
	settled = 24
)

// Analyse finds the intervals of a function with one block.
func Analyse(fn *ir.Operation, opts Options) *Ranges {
	r := empty(opts)
	r.grown = map[*ir.Value]int{}
	body := fn.Regions[0].Entry()
	for _, a := range body.Args {
		if w, ok := r.Width(a); ok {
			r.set(a, r.all(a.Type, w))
		}
	}
	for r.changed = true; r.changed; r.round++ {
		if r.round > 2*settled {
			return empty(opts) // never seen; knowing nothing is safe
		}
		r.changed = false
		r.block(body)
	}
	// From above: what a round computes from too large intervals still holds all values,
	// and is often smaller than where widening jumped to.
	r.narrowing = true
	for range 2 {
		r.block(body)
	}
	return r
}

// set notes the interval of a value where it is defined.
func (r *Ranges) set(v *ir.Value, i interval.Interval) { r.known[v] = r.assumed(v, i) }

// assumed is i with what is taken for granted of v.
func (r *Ranges) assumed(v *ir.Value, i interval.Interval) interval.Interval {
	b, ok := r.granted(v)
	if !ok {
		return i
	}
	w, _ := r.Width(v)
	if m, ok := i.Meet(b, w); ok {
		return m
	}
	return b // unreachable code
}

func (r *Ranges) granted(v *ir.Value) (interval.Interval, bool) {
	if r.opts.Assume == nil {
		return interval.Interval{}, false
	}
	return r.opts.Assume(r, v)
}

// block evaluates the operations of a block in order.
func (r *Ranges) block(b *ir.Block) {
	for _, op := range b.Ops {
		switch op.Name {
		case opname.SCFFor:
			r.loop(op)
			continue
		case opname.SCFWhile:
			r.while(op)
			continue
		}
		for i, q := range op.Regions {
			for _, inner := range q.Blocks {
				for _, a := range inner.Args {
					if w, ok := r.Width(a); ok {
						r.set(a, r.all(a.Type, w))
					}
				}
				r.Enter(op, i, func() { r.block(inner) })
			}
		}
		switch op.Name {
		case opname.SCFIf, opname.SCFIndexSwitch, opname.SCFExecuteRegion:
			r.branch(op)
		default:
			for _, v := range op.Results() {
				w, ok := r.Width(v)
				switch {
				case ok && op.NumResults() == 1:
					r.set(v, r.compute(op, w, 0))
				case ok:
					r.set(v, r.all(v.Type, w)) // sums with a carry and the like
				}
			}
		}
	}
}

// grow lets a loop-carried value hold one more interval.
func (r *Ranges) grow(v *ir.Value, i interval.Interval) {
	w, ok := r.Width(v)
	if !ok {
		return
	}
	i = r.assumed(v, i)
	old, had := r.known[v]
	if b, ok := r.granted(v); ok && !r.narrowing && (!had || !i.Within(old)) {
		i = i.Join(b) // where it ends is known: no need to get there step by step
	}
	if r.narrowing || !had {
		r.known[v] = i
		r.changed = r.changed || !had
		return
	}
	if i.Within(old) {
		return
	}
	next := old.Join(i)
	r.grown[v]++
	switch n := r.grown[v]; {
	case r.round > settled || n > 2*growths:
		next = r.all(v.Type, w)
	case n > growths:
		next = next.Widened(old, w)
		if m, ok := next.Meet(r.all(v.Type, w), w); ok {
			next = m
		}
	}
	r.set(v, next)
	r.changed = true
}

// start lets a loop-carried value hold what it starts with. That moves only while something
// before the loop does, which does not go on: no reason to jump.
func (r *Ranges) start(v *ir.Value, i interval.Interval) {
	if old, had := r.known[v]; had && !r.narrowing && !r.assumed(v, i).Within(old) {
		r.set(v, old.Join(i))
		r.changed = true
	}
}

// carried sets the loop-carried values args from where they come in. The values of a
// round are those its end had last time.
func (r *Ranges) carried(args, inits, next []*ir.Value, end func(f func())) {
	for i, a := range args {
		if _, ok := r.Width(a); !ok {
			continue
		}
		from := r.Of(inits[i])
		r.start(a, from)
		if _, had := r.known[a]; r.narrowing || had {
			end(func() { from = from.Join(r.Of(next[i])) })
		}
		r.grow(a, from)
	}
}

func (r *Ranges) loop(op *ir.Operation) {
	body := op.Regions[0].Entry()
	yield := body.Terminator()
	r.Enter(op, 0, func() {
		if w, ok := r.Width(body.Args[0]); ok {
			r.set(body.Args[0], r.induction(op, w, r.depth))
		}
	})
	r.carried(body.Args[1:], op.Operands()[3:], yield.Operands(), func(f func()) { r.Enter(op, 0, f) })
	r.Enter(op, 0, func() { r.block(body) })
	for i, v := range op.Results() {
		w, ok := r.Width(v)
		if !ok {
			continue
		}
		// The last round's value, or the first one's.
		out := r.Of(op.Operand(3 + i))
		r.Enter(op, 0, func() {
			next := r.Of(yield.Operand(i))
			out = out.Join(next)
			if !r.narrowing && !r.assumed(body.Args[1+i], next).Within(r.known[body.Args[1+i]]) {
				r.changed = true
			}
		})
		if out.Empty() {
			out = r.all(v.Type, w)
		}
		r.set(v, out)
	}
}

// induction is the interval of the induction variable, under the facts of the body: it
// passed the loop's test, and between its start and there it did not wrap where the test
// leaves room for one more step.
func (r *Ranges) induction(op *ir.Operation, w, depth int) interval.Interval {
	lb, ub, step := r.eval(op.Operand(0), depth), r.eval(op.Operand(1), depth), r.eval(op.Operand(2), depth)
	stepOp, cond := loops.Kind(op)
	all := r.all(op.Operand(0).Type, w)
	v := all
	if op.Attr(loops.UnsignedAttr) != nil {
		if lb.Lo < 0 || ub.Lo < 0 || stepOp != "+=" || cond != "<" {
			return v
		}
	}
	if p, ok := loops.Test(cond); ok {
		if i, ok := interval.Restrict(p, v, ub, w); ok {
			v = i
		}
	}
	low, high := all.Lo, all.Hi
	least, most := r.limits(op.Operand(0).Type, w)
	up, down := stepOp == "+=", stepOp == "-="
	if (up || down) && step.Hi < 0 && step.Lo > interval.MinSigned(w) {
		step.Lo, step.Hi = -step.Hi, -step.Lo
		up, down = down, up
	}
	switch {
	case up && step.Lo > 0 && (cond == "<" || cond == "<="):
		// The last value that passes the test plus one step must fit.
		top, ok := intmath.Add(v.Hi, step.Hi)
		if ok && (top <= most || step.Hi == 1 && cond == "<") || r.opts.IndexFits {
			low = lb.Lo
		}
	case down && step.Lo > 0 && (cond == ">" || cond == ">="):
		bottom, ok := intmath.Sub(v.Lo, step.Hi)
		if ok && (bottom >= least || step.Hi == 1 && cond == ">") {
			high = lb.Hi
		}
	case (stepOp == ">>=" || stepOp == "/=") && lb.Lo >= 0 && step.Lo > 0:
		low, high = 0, lb.Hi
	}
	if r.opts.Broken == ShortInduction && low < v.Hi {
		v.Hi--
	}
	if i, ok := v.Meet(interval.Between(low, high, w), w); ok {
		return i
	}
	return lb // it never runs
}

// limits are the bounds between which nothing of a type wraps.
func (r *Ranges) limits(t ir.Type, w int) (lo, hi int64) {
	if r.open(t) {
		return smallIndex.Lo, smallIndex.Hi
	}
	return interval.MinSigned(w), interval.MaxSigned(w)
}

// climbs reports whether the induction variable of a plain loop never wraps, and so
// never falls below where it began.
func (r *Ranges) climbs(loop *ir.Operation) bool {
	lb := loop.Operand(0)
	w, ok := r.Width(lb)
	if !ok || !loops.Plain(loop) {
		return false
	}
	step := r.Of(loop.Operand(2))
	_, most := r.limits(lb.Type, w)
	top, ok := intmath.Add(r.Of(loop.Operand(1)).Hi-1, step.Hi)
	return step.Lo > 0 && (ok && (top <= most || step.Hi == 1) || r.opts.IndexFits)
}

func (r *Ranges) while(op *ir.Operation) {
	before, after := op.Regions[0].Entry(), op.Regions[1].Entry()
	cond, yield := before.Terminator(), after.Terminator()
	r.carried(before.Args, op.Operands(), yield.Operands(), func(f func()) { r.Enter(op, 1, f) })
	r.Enter(op, 0, func() { r.block(before) })
	passed := cond.Operands()[1:]
	r.Enter(op, 1, func() {
		for i, a := range after.Args {
			if _, ok := r.Width(a); ok {
				r.set(a, r.Of(passed[i]))
			}
		}
		r.block(after)
		for i, a := range before.Args {
			if _, ok := r.Width(a); ok && !r.narrowing && !r.assumed(a, r.Of(yield.Operand(i))).Within(r.known[a]) {
				r.changed = true
			}
		}
	})
	m := r.mark()
	r.assume(cond.Operand(0), false, derivations)
	for i, v := range op.Results() {
		if _, ok := r.Width(v); ok {
			r.set(v, r.Of(passed[i]))
		}
	}
	r.undo(m)
}

// branch sets the results of an operation from what its regions yield.
func (r *Ranges) branch(op *ir.Operation) {
	taken := func(int) bool { return true }
	if op.Name == opname.SCFIf {
		c := r.Of(op.Operand(0))
		taken = func(side int) bool { return (side != 0 || c.UHi != 0) && (side != 1 || c.ULo != 1) }
	}
	for i, v := range op.Results() {
		w, ok := r.Width(v)
		if !ok {
			continue
		}
		var out interval.Interval
		some := false
		for side, q := range op.Regions {
			b := q.Entry()
			if b == nil || !taken(side) {
				continue
			}
			r.Enter(op, side, func() {
				y := r.Of(b.Terminator().Operand(i))
				if some {
					y = y.Join(out)
				}
				out, some = y, true
			})
		}
		if !some {
			out = r.all(v.Type, w)
		}
		r.set(v, out)
	}
}
