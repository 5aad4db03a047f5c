package lower

import (
	"cmp"
	"slices"

	"loom/compiler/analysis/linear"
	"loom/compiler/analysis/loops"
	"loom/compiler/analysis/ranges"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

// maxReuse is the largest distance in iterations over which a loaded value is carried.
const maxReuse = 16

// reuseLoads keeps what counted loops load in registers where they load it again (scalar replacement, Callahan, Carr and
// Kennedy, PLDI 1990). A load of the same element in every iteration moves in front of the loop,
//
//	for i = lb to ub { y = load c[2]; … }   =>   y = load c[2]; for i = lb to ub { … }
//
// and one that is d iterations behind another one takes its value, through d carried values that start with what memory has:
//
//	for i = lb to ub { y = load x[i]; z = load x[i + 1]; … }
//	=>   before = load x[lb]; for i = lb to ub iter_args(y = before) { z = load x[i + 1]; …; yield z }
//
// Nothing in the loop may store to the memory, all these loads run in each iteration, and in front of a loop that runs in any case
// or in the branch that guards it: memory is read where the first iteration reads it, or between two such elements.
func reuseLoads(s *state, _ *diag.List) {
	if !s.opts.Reuse {
		return
	}
	for changed := true; changed; {
		changed = false
		r := s.ranges()
		x := linear.New(r, s.opts.IndexWidth)
		all := structuredAccesses(s.fn)
		// Inner loops first: what leaves one is a load of the loop around it.
		var nest []*ir.Operation
		s.fn.Walk(func(op *ir.Operation) bool {
			if op.Name == opname.SCFFor && all[op] != nil && !fences(op) {
				nest = append(nest, op)
			}
			return true
		})
		for _, loop := range slices.Backward(nest) {
			if s.hoistLoads(r, loop, all[loop]) || s.carryLoads(r, x, loop, all[loop]) {
				changed = true
				break // what was analysed is no longer so
			}
		}
	}
}

// onlyLoaded are the loads of a loop that run in each iteration, of memories that it does not store to.
func (s *state) onlyLoaded(loop *ir.Operation, accesses []*ir.Operation) []*ir.Operation {
	var out []*ir.Operation
	for _, op := range accesses {
		if op.Name == opname.MemRefLoad && op.Block() == loop.Regions[0].Entry() && rewrite.Outside(op.Operand(0), loop) && s.unchanged(op, accesses) {
			out = append(out, op)
		}
	}
	return out
}

// unchanged reports whether none of the accesses may change what a load reads.
func (s *state) unchanged(load *ir.Operation, accesses []*ir.Operation) bool {
	root := rootOf(load.Operand(0))
	for _, op := range accesses {
		if op.Name == opname.MemRefLoad {
			continue
		}
		for _, m := range memoryOperands(op) {
			if s.overlap(rootOf(m), root) && s.opts.deviate != reusePast {
				return false
			}
		}
	}
	return true
}

// hoistLoads moves loads of elements that are the same in all iterations in front of the loop, and reports whether there are any.
func (s *state) hoistLoads(r *ranges.Ranges, loop *ir.Operation, accesses []*ir.Operation) bool {
	var loads []*ir.Operation
	for _, op := range s.onlyLoaded(loop, accesses) {
		f := forward{loop: loop, subscripts: op.Operands()[1:]}
		if f.movable() && !slices.ContainsFunc(f.subscripts, f.counts) {
			loads = append(loads, op)
		}
	}
	if len(loads) == 0 {
		return false
	}
	if s.opts.deviate != reuseUnguarded {
		(&forward{loop: loop}).guard(r)
	}
	copied := copier(loop, map[*ir.Value]*ir.Value{})
	for _, op := range loads {
		for i, v := range op.Operands() {
			op.SetOperand(i, copied(v))
		}
		op.Unlink()
		loop.Block().InsertBefore(loop, op)
	}
	return true
}

// counts reports whether a subscript, which is movable, depends on the counter.
func (f *forward) counts(v *ir.Value) bool {
	return v == f.counter() || !rewrite.Outside(v, f.loop) && slices.ContainsFunc(v.Def.Operands(), f.counts)
}

// carryLoads lets loads of a loop take the values of one that is ahead of them, or the same, and reports whether there are any.
func (s *state) carryLoads(r *ranges.Ranges, x *linear.Forms, loop *ir.Operation, accesses []*ir.Operation) bool {
	counter := x.Counter(loop)
	if counter.Course == nil || counter.Course.By == 0 || counter.Course.Wraps || loop.Attr(loops.UnsignedAttr) != nil {
		return false
	}
	type place struct {
		op   *ir.Operation
		base *ir.Value
		at   []linear.Form
	}
	var places []place
	for _, op := range s.onlyLoaded(loop, accesses) {
		base, at := locate(x, op.Operand(0), op.Operands()[1:])
		places = append(places, place{op, base, at})
	}
	type follower struct {
		op *ir.Operation
		d  int
	}
	for i, first := range places {
		var behind []follower
		leads := true
		for j, p := range places {
			if i == j || p.base != first.base || p.op.Result(0).Type != first.op.Result(0).Type {
				continue
			}
			d, ok := 0, sameElement(p.at, first.at)
			if !ok {
				d, ok = s.iterationsBehind(p.at, first.at, counter, counter.Course.By, loop)
			}
			if leads = leads && !(ok && (d < 0 || d == 0 && j < i)); ok && d <= maxReuse {
				behind = append(behind, follower{p.op, d})
			}
		}
		if !leads {
			continue
		}
		slices.SortStableFunc(behind, func(a, b follower) int { return cmp.Compare(a.d, b.d) })
		f := &forward{loop: loop, by: counter.Course.By, pos: first.op.Pos, value: first.op.Result(0), base: first.op.Operand(0), subscripts: first.op.Operands()[1:]}
		kept, last := 0, 0
		for _, p := range behind {
			if p.d > last {
				kept++
			}
			if p.d > 2*kept {
				break // more registers than loads
			}
			last = p.d
			f.loads, f.distance = append(f.loads, p.op), append(f.distance, p.d)
		}
		if len(f.loads) == 0 || last > 0 && !(f.movable() && s.steady(f, x, counter)) {
			continue
		}
		if last > 0 && s.opts.deviate != reuseUnguarded {
			f.guard(r)
		}
		nearest := int64(1)
		if s.opts.deviate == reuseStart {
			nearest = 0
		}
		f.rewrite(nearest)
		return true
	}
	return false
}

// sameElement reports whether two accesses of one iteration have equal subscripts.
func sameElement(a, b []linear.Form) bool {
	return slices.EqualFunc(a, b, func(f, g linear.Form) bool {
		gap, ok := f.Plus(g, -1)
		return ok && len(gap.Terms) == 0 && gap.C == 0
	})
}
