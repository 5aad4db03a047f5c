package narrow

import (
	"fmt"
	"math"
	"slices"

	"loom/compiler/analysis/interval"
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// What is assumed (RATIONALE.md, "Counts and sizes have 31 bits"): no array
// has 2^31 elements and no loop that counts by small steps runs that often. So
//
//   - an integer that is used as a subscript, by an access that runs whenever the integer is
//     computed, is an index into an array;
//   - a counted loop that starts at an integer known to fit, or that addresses memory, runs
//     up to a size;
//   - a parameter, or what is computed from parameters by adding, multiplying, halving,
//     that is compared with a counter is a size, and so is one at which a counter starts
//     that addresses memory;
//   - a value that a loop carries, that starts at an integer known to fit and moves by at
//     most counterStep per iteration, or is set anew to one that fits, stays fitting.
//
// Nothing else is: in particular an integer from memory that is compared before it
// addresses is compared in full.

// counterStep is the largest step of a counter: the number of iterations that would bring
// it out of its range is beyond what any run does.
const counterStep = 8

// assume adds what follows from the intervals as they are, and reports whether there
// is anything new.
func (r *sizes) assume() bool {
	changed := false
	set := func(v *ir.Value, s interval.Interval) {
		if _, old := r.assumed[v]; !old && wide(v) {
			r.assumed[v] = s
			changed = true
		}
	}
	for _, op := range r.flow.order {
		for _, reg := range op.Regions {
			for _, b := range reg.Blocks {
				for _, a := range b.Args {
					for _, v := range r.starts(a) {
						r.size(v, set)
					}
				}
			}
		}
		switch op.Name {
		case opname.MemRefLoad, opname.MemRefStore:
			for _, v := range r.subscripts(op) {
				set(v, counting)
			}
		case opname.SCFFor:
			iv := op.Regions[0].Entry().Args[0]
			if !wide(iv) || !r.fits(op.Operand(0)) && !r.addresses(iv) {
				continue
			}
			for _, v := range op.Operands()[:3] {
				r.size(v, set)
			}
			if ub := op.Operand(1); r.short(op, iv) && !r.fits(ub) {
				if _, signed, ok := extended(ub); ok && !signed {
					set(ub, positive) // it would run 2^31 times
				}
			}
			lo := int64(math.MinInt32)
			if lb := op.Operand(0); r.fits(lb) {
				lo = r.known.Of(lb).Lo
			}
			set(iv, interval.Between(lo, math.MaxInt32-1, 64))
		case opname.ArithCmpI:
			for i, v := range op.Operands() {
				if wide(v) && r.counts(op.Operand(1-i)) && r.parametric(v) {
					r.size(v, set)
				}
			}
		}
	}
	return changed
}

// subscripts are the wide integers that an access uses, and that are computed only where it
// runs: those that its subscripts are casts of, and those that are the same sums.
func (r *sizes) subscripts(op *ir.Operation) []*ir.Value {
	first := 1
	if op.Name == opname.MemRefStore {
		first = 2
	}
	var out []*ir.Value
	for _, v := range op.Operands()[first:] {
		if v.Def != nil && (v.Def.Name == opname.ArithIndexCast || v.Def.Name == opname.ArithIndexCastUI) {
			if n := v.Def.Operand(0); wide(n) && (home(n) == op.Block() || r.broken[faultGuarded]) {
				out = append(out, n)
			}
		}
		out = append(out, r.sums(op.Block())[r.sum(v)]...)
	}
	return out
}

// sums are the wide integers of a block by what they are sums of.
func (r *sizes) sums(b *ir.Block) map[string][]*ir.Value {
	if m := r.byBlock[b]; m != nil {
		return m
	}
	m := map[string][]*ir.Value{}
	for _, op := range b.Ops {
		if op.NumResults() == 1 && widthOf(op.Result(0).Type) == 64 && (op.Name == opname.ArithAddI || op.Name == opname.ArithSubI) {
			k := r.sum(op.Result(0))
			m[k] = append(m[k], op.Result(0))
		}
	}
	r.byBlock[b] = m
	return m
}

// sum names the sum, modulo 2^64, of which v is: casts between index and 64 bits are
// looked through.
func (r *sizes) sum(v *ir.Value) string {
	terms := map[*ir.Value]int64{}
	constant := int64(0)
	var add func(v *ir.Value, times int64, depth int)
	add = func(v *ir.Value, times int64, depth int) {
		if c, ok := v.ConstantInt(); ok {
			constant += c * times
			return
		}
		if v.Def != nil && depth > 0 {
			switch v.Def.Name {
			case opname.ArithAddI:
				add(v.Def.Operand(0), times, depth-1)
				add(v.Def.Operand(1), times, depth-1)
				return
			case opname.ArithSubI:
				add(v.Def.Operand(0), times, depth-1)
				add(v.Def.Operand(1), -times, depth-1)
				return
			case opname.ArithIndexCast, opname.ArithIndexCastUI:
				if widthOf(v.Def.Operand(0).Type) == 64 || widthOf(v.Type) == 64 {
					add(v.Def.Operand(0), times, depth-1)
					return
				}
			}
		}
		terms[v] += times
	}
	add(v, 1, 8)
	var names []string
	for t, times := range terms {
		if times != 0 {
			id, ok := r.ids[t]
			if !ok {
				id = len(r.ids)
				r.ids[t] = id
			}
			names = append(names, fmt.Sprintf("%d*%d", times, id))
		}
	}
	slices.Sort(names)
	return fmt.Sprint(constant, names)
}

// short reports whether a loop that runs 2^31 times cannot happen in practice: it counts by
// small steps, or addresses memory.
func (r *sizes) short(loop *ir.Operation, iv *ir.Value) bool {
	step, ok := loop.Operand(2).ConstantInt()
	return ok && step > 0 && step <= counterStep || r.addresses(iv)
}

// size takes v for a size, and so what it is computed from.
func (r *sizes) size(v *ir.Value, set func(*ir.Value, interval.Interval)) {
	if !wide(v) || v.IsConstant() {
		return
	}
	if _, _, ok := extended(v); ok {
		return
	}
	if r.fits(v) {
		return
	}
	s := fitting
	if r.withoutSign(v) {
		s = positive
	}
	if _, old := r.assumed[v]; old {
		return
	}
	set(v, s)
	if r.flow.carried(v) {
		for _, u := range r.flow.into[v] {
			r.size(u.Op.Operand(u.Index), set)
		}
		return
	}
	if v.Def == nil {
		return
	}
	if computesSize[v.Def.Name] {
		for _, x := range v.Def.Operands() {
			r.size(x, set)
		}
	}
}

// computesSize are the operations by which programs compute counts and sizes from others.
var computesSize = map[string]bool{
	opname.ArithAddI: true, opname.ArithSubI: true, opname.ArithMulI: true, opname.ArithShLI: true,
	opname.ArithShRSI: true, opname.ArithShRUI: true, opname.ArithDivSI: true, opname.ArithDivUI: true,
	opname.ArithMinSI: true, opname.ArithMaxSI: true, opname.ArithMinUI: true, opname.ArithMaxUI: true,
}

// withoutSign reports whether the program treats an integer as unsigned: then a
// size is not negative.
func (r *sizes) withoutSign(v *ir.Value) bool {
	for _, u := range v.Uses() {
		switch u.Op.Name {
		case opname.ArithShRUI, opname.ArithDivUI, opname.ArithRemUI, opname.ArithMinUI, opname.ArithMaxUI:
			return true
		case opname.ArithCmpI:
			if p, ok := arith.PredicateOf(u.Op); ok && p.Unsigned() {
				return true
			}
		case opname.SCFFor:
			if u.Index < 3 && u.Op.Attr("unsignedCmp") != nil {
				return true
			}
		}
	}
	return false
}

// parametric reports whether v is a parameter or computed like a size from parameters
// and constants alone, or what a loop carries from one of these on, if all else that
// it becomes is known to fit.
func (r *sizes) parametric(v *ir.Value) bool {
	if r.flow.carried(v) {
		some := false
		for _, u := range r.flow.into[v] {
			x := u.Op.Operand(u.Index)
			if x == v || r.fits(x) || r.passes(x, v) {
				continue
			}
			if !r.fromParameters(x) {
				return false
			}
			some = true
		}
		return some
	}
	return r.fromParameters(v)
}

// fromParameters is parametric without what loops carry.
func (r *sizes) fromParameters(v *ir.Value) bool {
	if v.Def == nil {
		return v.Block == r.flow.entry && wide(v)
	}
	switch v.Def.Name {
	case opname.ArithConstant:
		return true
	case opname.ArithExtSI, opname.ArithExtUI:
		// Its range is known, and no assumption makes it smaller.
		return r.fits(v)
	}
	return computesSize[v.Def.Name] && !slices.ContainsFunc(v.Def.Operands(), func(x *ir.Value) bool { return !r.fromParameters(x) })
}

// addresses reports whether v leads to a subscript by computing.
func (r *sizes) addresses(v *ir.Value) bool {
	seen := map[*ir.Value]bool{}
	var leads func(v *ir.Value) bool
	leads = func(v *ir.Value) bool {
		if seen[v] {
			return false
		}
		seen[v] = true
		for _, u := range v.Uses() {
			switch {
			case u.Op.Name == opname.MemRefLoad && u.Index > 0, u.Op.Name == opname.MemRefStore && u.Index > 1:
				return true
			case r.passesOn(u, leads):
				return true
			case u.Op.Dialect() == "arith" && u.Op.NumResults() == 1 && u.Op.Name != opname.ArithCmpI && leads(u.Op.Result(0)):
				return true
			}
		}
		return false
	}
	return leads(v)
}

// passesOn reports whether f holds for what a use carries on.
func (r *sizes) passesOn(u ir.Use, f func(*ir.Value) bool) bool {
	for _, w := range r.flow.ofSlot[u] {
		if f(w) {
			return true
		}
	}
	return false
}

// counts reports whether v is a counter: an induction variable or one that a loop
// carries, or one of them and a constant.
func (r *sizes) counts(v *ir.Value) bool {
	base := v
	for base.Def != nil && (base.Def.Name == opname.ArithAddI || base.Def.Name == opname.ArithSubI) && base.Def.Operand(1).IsConstant() {
		base = base.Def.Operand(0)
	}
	if from, _, ok := extended(base); ok {
		return from.Type == ir.Type(ir.Index) || inductionOf(from) != nil
	}
	v = base
	if inductionOf(v) != nil {
		_, ok := r.assumed[v]
		return ok || r.fits(v)
	}
	if r.flow.carried(v) {
		if _, ok := r.counter(v); ok {
			return true
		}
		return r.fits(v) && r.isIndex(v)
	}
	_, ok := r.assumed[v]
	return ok && r.assumed[v] == counting
}

// passes reports whether x is v, or a selection between v and integers known to fit.
func (r *sizes) passes(x, v *ir.Value) bool {
	var ok func(x *ir.Value, depth int) bool
	ok = func(x *ir.Value, depth int) bool {
		if x == v || r.fits(x) {
			return true
		}
		if depth == 0 {
			return false
		}
		if x.Def != nil && x.Def.Name == opname.ArithSelect {
			return ok(x.Def.Operand(1), depth-1) && ok(x.Def.Operand(2), depth-1)
		}
		for _, u := range r.flow.into[x] {
			if !ok(u.Op.Operand(u.Index), depth-1) {
				return false
			}
		}
		return r.flow.carried(x)
	}
	return ok(x, 8)
}

// isIndex reports whether a loop sets v to an index into an array, or next to one.
func (r *sizes) isIndex(v *ir.Value) bool {
	seen := map[*ir.Value]bool{}
	var from func(x *ir.Value) bool
	from = func(x *ir.Value) bool {
		if seen[x] {
			return false
		}
		seen[x] = true
		if r.assumed[x] == counting {
			return true
		}
		for _, u := range r.flow.into[x] {
			if from(u.Op.Operand(u.Index)) {
				return true
			}
		}
		if x.Def == nil {
			return false
		}
		switch x.Def.Name {
		case opname.ArithSelect:
			return from(x.Def.Operand(1)) || from(x.Def.Operand(2))
		case opname.ArithAddI, opname.ArithSubI:
			return x.Def.Operand(1).IsConstant() && from(x.Def.Operand(0))
		}
		return false
	}
	return from(v)
}

// counter is the interval of a value that a loop carries and that counts.
func (r *sizes) counter(v *ir.Value) (interval.Interval, bool) {
	if !aroundLoop(v) {
		return interval.Interval{}, false
	}
	arg := v
	if v.Def != nil && v.Def.Name == opname.SCFFor {
		arg = v.Def.Regions[0].Entry().Args[1+v.Index]
	}
	m := r.movesOf(arg)
	if !m.moved || m.failed || len(m.unfit) > 0 {
		return interval.Interval{}, false
	}
	if !m.some || !within(m.set, fitting) {
		return interval.Interval{}, false
	}
	lo, hi := m.set.Lo, m.set.Hi
	if m.up {
		hi = max(hi, math.MaxInt32-counterStep)
	}
	if m.down {
		lo = min(lo, math.MinInt32+counterStep)
	}
	return interval.Between(lo, hi, 64), true
}

// aroundLoop reports whether v is what a loop carries from iteration to iteration, and
// not what only passes on a value: an argument of a loop's first region or the result
// of an scf.for.
func aroundLoop(v *ir.Value) bool {
	if v.Def != nil {
		return v.Def.Name == opname.SCFFor
	}
	op := v.Block.ParentOp()
	return op != nil && (op.Name == opname.SCFFor || op.Name == opname.SCFWhile) && op.Regions[0] == v.Block.Parent
}

// moves collects how a carried value changes from iteration to iteration.
type moves struct {
	r        *sizes
	of       *ir.Value
	seen     map[*ir.Value]bool
	set      interval.Interval // what it is set to, if to anything that is known yet
	some     bool
	up, down bool
	moved    bool // it is moved, and not only set
	failed   bool
	unfit    []*ir.Value // what it is set to that is not known to fit
}

func (r *sizes) movesOf(arg *ir.Value) *moves {
	m := &moves{r: r, of: arg, seen: map[*ir.Value]bool{}}
	for _, u := range r.flow.into[arg] {
		m.add(u.Op.Operand(u.Index), 0)
	}
	return m
}

// starts are the sizes that a counter which addresses memory is set to.
func (r *sizes) starts(v *ir.Value) []*ir.Value {
	if !wide(v) || !aroundLoop(v) || v.Def != nil || !r.flow.carried(v) {
		return nil
	}
	m := r.movesOf(v)
	if !m.moved || m.failed || len(m.unfit) == 0 || !r.addresses(v) {
		return nil
	}
	for _, s := range m.unfit {
		if !r.fromParameters(s) {
			return nil
		}
	}
	return m.unfit
}

// add follows what may be the next value: by is how far it has moved from there.
func (m *moves) add(v *ir.Value, by int64) {
	switch {
	case m.failed:
		return
	case v == m.of:
		switch {
		case by > counterStep || by < -counterStep:
			m.failed = true
		case by > 0:
			m.up, m.moved = true, true
		case by < 0:
			m.down, m.moved = true, true
		}
		return
	case v.Def != nil && (v.Def.Name == opname.ArithAddI || v.Def.Name == opname.ArithSubI):
		if c, ok := v.Def.Operand(1).ConstantInt(); ok && c >= -counterStep && c <= counterStep && m.reaches(v) {
			if v.Def.Name == opname.ArithSubI {
				c = -c
			}
			m.add(v.Def.Operand(0), by+c)
			return
		}
	case v.Def != nil && v.Def.Name == opname.ArithSelect && m.reaches(v):
		m.add(v.Def.Operand(1), by)
		m.add(v.Def.Operand(2), by)
		return
	case m.r.flow.carried(v) && !m.loopOwn(v) && m.reaches(v):
		if m.seen[v] {
			m.failed = true // an inner loop may move it any number of times
			return
		}
		m.seen[v] = true
		for _, u := range m.r.flow.into[v] {
			m.add(u.Op.Operand(u.Index), by)
		}
		delete(m.seen, v)
		return
	}
	if !m.r.known.Known(v) {
		return
	}
	s := m.r.known.Of(v)
	if !within(s, fitting) {
		if !m.r.broken[faultCounters] {
			m.unfit = append(m.unfit, v)
			return
		}
		s = fitting
	}
	// What it is set to may move before the iteration ends.
	s = interval.Add(s, interval.Exactly(by, 64), 64)
	if m.some {
		s = s.Join(m.set)
	}
	m.set, m.some = s, true
}

// loopOwn reports whether v is carried by an inner loop, around which it may move.
func (m *moves) loopOwn(v *ir.Value) bool {
	op := v.Def
	if op == nil {
		op = v.Block.ParentOp()
	}
	own := m.of.Block.ParentOp()
	return op != nil && op != own && (op.Name == opname.SCFFor || op.Name == opname.SCFWhile)
}

// reaches reports whether v is computed from the carried value.
func (m *moves) reaches(v *ir.Value) bool {
	seen := map[*ir.Value]bool{}
	var from func(v *ir.Value) bool
	from = func(v *ir.Value) bool {
		if v == m.of {
			return true
		}
		if seen[v] {
			return false
		}
		seen[v] = true
		for _, u := range m.r.flow.into[v] {
			if from(u.Op.Operand(u.Index)) {
				return true
			}
		}
		if v.Def != nil && len(v.Def.Regions) == 0 {
			for _, x := range v.Def.Operands() {
				if from(x) {
					return true
				}
			}
		}
		return false
	}
	return from(v)
}
