package lower

import (
	"slices"

	"loom/compiler/analysis/linear"
	"loom/compiler/analysis/loops"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

// sinkStores lets a store to the same element in all iterations of a counted loop follow the loop, and carries the element where the loop loads it
// (scalar promotion):
//
//	for j = lb to ub { y[i] = y[i] + f(j) }
//	=>   before = load y[i]; for j = lb to ub iter_args(s = before) { s + f(j) }; y[i] = s
//
// The store must run in each iteration and be the only one in the loop that may touch its memory, and loads that may must be of that element. The loop
// must run where the store is left, or stands in a branch for that. A store without such loads stays unless the loop carries its value anyway. With the
// serial order all accesses stay where the source has them.
func sinkStores(s *state, _ *diag.List) {
	for s.opts.MemoryOrder == "pipelined" && sinkOne(s) {
	}
}

// sinkOne moves one store, of an inner loop first, and reports whether there was one.
func sinkOne(s *state) bool {
	r := s.ranges()
	x := linear.New(r, s.opts.IndexWidth)
	all := structuredAccesses(s.fn)
	var nest []*ir.Operation
	s.fn.Walk(func(op *ir.Operation) bool {
		if op.Name == opname.SCFFor && len(all[op]) > 0 && !fences(op) {
			nest = append(nest, op)
		}
		return true
	})
	for _, loop := range slices.Backward(nest) {
		for _, st := range all[loop] {
			f, ok := s.findSink(x, loop, st, all[loop])
			if !ok {
				continue
			}
			if s.opts.deviate != sinkUnguarded {
				f.guard(r)
			}
			f.sink(st)
			return true
		}
	}
	return false
}

// findSink is a store that may follow its loop, with the loads of its element.
func (s *state) findSink(x *linear.Forms, loop, st *ir.Operation, accesses []*ir.Operation) (*forward, bool) {
	body := loop.Regions[0].Entry()
	if st.Name != opname.MemRefStore || st.Block() != body || loop.Attr(loops.UnsignedAttr) != nil || !rewrite.Outside(st.Operand(1), loop) || !s.onlyStore(st, accesses) {
		return nil, false
	}
	f := &forward{loop: loop, pos: st.Pos, value: st.Operand(0), base: st.Operand(1), subscripts: st.Operands()[2:]}
	if !f.movable() || slices.ContainsFunc(f.subscripts, f.counts) {
		return nil, false
	}
	base, to := locate(x, f.base, f.subscripts)
	if !rewrite.Outside(base, loop) {
		return nil, false
	}
	for _, op := range accesses {
		if op == st || !slices.ContainsFunc(memoryOperands(op), func(m *ir.Value) bool { return s.overlap(rootOf(m), rootOf(f.base)) }) {
			continue
		}
		if op.Name != opname.MemRefLoad || op.Block() != body || op.Result(0).Type != f.value.Type {
			return nil, false
		}
		if b, from := locate(x, op.Operand(0), op.Operands()[1:]); b != base || !sameElement(from, to) {
			if s.opts.deviate != sinkOthers {
				return nil, false
			}
			continue
		}
		f.loads = append(f.loads, op)
	}
	return f, len(f.loads) > 0 || slices.Contains(body.Terminator().Operands(), f.value)
}

// sink moves the store behind the loop.
func (f *forward) sink(st *ir.Operation) {
	block, body := f.loop.Block(), f.loop.Regions[0].Entry()
	copied := copier(f.loop, map[*ir.Value]*ir.Value{})
	at := []*ir.Value{f.base}
	for _, v := range f.subscripts {
		at = append(at, copied(v))
	}
	carried := slices.Index(body.Terminator().Operands(), f.value)
	if len(f.loads) > 0 {
		m := rewrite.Maker{Pos: f.pos, Emit: func(op *ir.Operation) { block.InsertBefore(f.loop, op) }}
		before := f.carry([]*ir.Value{m.Op(opname.MemRefLoad, f.value.Type, at...)})[0]
		carried = len(body.Args) - 2
		if slices.ContainsFunc(f.loads, func(ld *ir.Operation) bool { return ld.Result(0) == f.value }) {
			f.value = before // what is loaded is stored again
		}
		behind := slices.Index(body.Ops, st)
		for _, ld := range f.loads {
			v := before
			if slices.Index(body.Ops, ld) > behind {
				v = f.value
			}
			ld.Result(0).ReplaceAllUsesWith(v)
		}
		for _, ld := range f.loads {
			ld.Erase()
		}
	}
	st.Unlink()
	st.SetOperand(0, f.loop.Result(carried))
	for i, v := range at {
		st.SetOperand(1+i, v)
	}
	next := block.Ops[slices.Index(block.Ops, f.loop)+1]
	block.InsertBefore(next, st)
}
