package lower

import (
	"slices"

	"loom/compiler/analysis/ranges"
	"loom/compiler/diag"
	"loom/compiler/dialect/handshake"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

// interlocked orders the iterations of a loop by their subscripts, where they may meet in a group:
//
//	for i { y = load h[f(i)]; … store z, h[g(i)] }
//
// A load waits for what is before the loop, and its subscript passes a dataflow.interlock, which holds it back while a
// store of an earlier iteration to that element is not done. The store waits for the loads of its own iteration, and as the requests of
// a port are served in order, for those of earlier ones; stores pass their port in order, too. So nothing waits that need not, but where
// f(i) is known only by what another iteration has stored.
//
// The loop has one store to the group, behind all loads in each iteration, to the same memory, and none of them in another branch of one scf.if.
// An interlock takes subscripts of load and store in turns, in the innermost region that holds both. A subscript that is known there counts whether the
// access runs or not; another one leaves the branches that only it is in, and is negative where they are not taken.

// leadSubscripts computes the subscripts of accesses that an interlock may order in front of the branches that the accesses are in: stores
// are known earlier then, whatever decides whether they run.
func leadSubscripts(s *state, _ *diag.List) {
	if !s.opts.Interlocks || s.opts.RecentStores > 0 || s.opts.MemoryOrder != "pipelined" {
		return
	}
	all := accessesInLoops(s.fn, opname.SCFFor, opname.SCFWhile)
	s.fn.Walk(func(loop *ir.Operation) bool {
		for _, st := range all[loop] {
			if st.Name != opname.MemRefStore {
				continue
			}
			root := s.leader(rootOf(st.Operand(1)))
			meet := slices.DeleteFunc(slices.Clone(all[loop]), func(op *ir.Operation) bool {
				return !slices.ContainsFunc(memoryOperands(op), func(m *ir.Value) bool { return s.leader(rootOf(m)) == root })
			})
			stores := slices.DeleteFunc(slices.Clone(meet), func(op *ir.Operation) bool { return op.Name == opname.MemRefLoad })
			if len(meet) < 2 || len(stores) > 1 || s.dependenceFree(loop, st) {
				continue
			}
			for _, op := range meet {
				lead(loop, op.Operand(op.NumOperands()-1))
			}
		}
		return true
	})
}

// dependenceFree reports whether a store needs no order between the iterations of a loop.
func (s *state) dependenceFree(loop, st *ir.Operation) bool {
	return loop.Name == opname.SCFFor && slices.ContainsFunc(s.dependences[loop.Regions[0].Entry().Args[0]], func(d *independence) bool {
		return d.Free && d.covers[st] != nil
	})
}

// lead moves what computes a value in front of the branches of a loop's body, if all of it may stand there.
func lead(loop *ir.Operation, v *ir.Value) {
	var chain []*ir.Operation // operands first
	var add func(v *ir.Value) bool
	add = func(v *ir.Value) bool {
		if v.Def == nil || rewrite.Outside(v, loop) || v.Def.ParentOp() == loop || slices.Contains(chain, v.Def) {
			return v.Def != nil || rewrite.Outside(v, loop) || v.Block.ParentOp() == loop
		}
		for op := v.Def; op != loop; op = op.ParentOp() {
			if op.ParentOp() != loop && op.ParentOp().Name != opname.SCFIf {
				return false
			}
		}
		if !cheap(v.Def) {
			return false
		}
		for _, w := range v.Def.Operands() {
			if !add(w) {
				return false
			}
		}
		chain = append(chain, v.Def)
		return true
	}
	if !add(v) {
		return
	}
	for _, op := range chain {
		at := outermost(loop, op)
		from := op.Block()
		from.Ops = slices.DeleteFunc(from.Ops, func(o *ir.Operation) bool { return o == op })
		at.Block().InsertBefore(at, op)
	}
}

// interlocked lists what a loop does to a group if its loads can be interlocked with its store, the last one; r is the region
// of the loop that holds all of it.
func (o *orderer) interlocked(c *construct, g *group) (as []*access, r *region) {
	if !o.pipelined || !o.s.opts.Interlocks || o.s.opts.RecentStores > 0 || c.fenced() || !o.s.executes(opname.DataflowInterlock, ir.Index, ir.Index, ir.Index, ir.None) {
		return nil, nil
	}
	as = accessesIn(c, g)
	last := len(as) - 1
	if last < 1 || !as[last].store {
		return nil, nil
	}
	r = bodyOf(c, as[last].in)
	for _, a := range as[:last] {
		if a.store || a.mem != as[last].mem || bodyOf(c, a.in) != r || !a.inTurn(as[last]) && o.s.opts.deviate != interlockBranches {
			return nil, nil
		}
	}
	return as, r
}

// bodyOf is the region of loop c that holds a region in branches alone, nil where another loop lies between.
func bodyOf(c *construct, in *region) *region {
	for r := in; r != nil; r = r.parent {
		if slices.Contains(c.regions, r) {
			return r
		}
		if r.at.Name != opname.SCFIf {
			return nil
		}
	}
	return nil
}

// interlock lets the loads of a loop pass interlocks with its store.
func (o *orderer) interlock(as []*access) {
	last := len(as) - 1
	store := as[last]
	store.done.Def.SetAttr(handshake.OvertakenAttr, &ir.UnitAttr{})
	for _, a := range as[:last] {
		r := sharedBy(a.in, store.in)
		at := o.outside(a, r, a.mem.name+"_loaded_at", nil)
		done := store.done
		stored := o.outside(store, r, a.mem.name+"_stored_at", &done)
		lock := o.s.emit(opname.DataflowInterlock, a.op.Pos, []*ir.Value{at, stored, done}, at.Type)
		lock.Result(0).Name = a.mem.name + "_clear"
		if o.s.opts.deviate != interlockNone {
			a.op.SetOperand(0, bringDown(lock.Result(0), r, a.in))
		}
	}
}

// sharedBy is the innermost region that holds two.
func sharedBy(a, b *region) *region {
	around := map[*region]bool{}
	for r := a; r != nil; r = r.parent {
		around[r] = true
	}
	for !around[b] {
		b = b.parent
	}
	return b
}

// bringDown is a value of a region in one inside of it.
func bringDown(v *ir.Value, from, to *region) *ir.Value {
	if to == from {
		return v
	}
	return to.bring(bringDown(v, from, to.parent))
}

// outside is the subscript of an access in a region around it, whether the access runs or not. Where it is not known there,
// it leaves the branches of the access, and is negative where these are not taken. Otherwise a store that does not run is
// done as well: *done becomes a token for each subscript.
func (o *orderer) outside(a *access, r *region, name string, done **ir.Value) *ir.Value {
	src := a.src.Operand(a.src.NumOperands() - 1)
	known := knownIn(r, src)
	// Where a store does not run its subscript may be any number, and a negative one has no done token: without its sign it has.
	signed := a.store && a.in != r && o.known().Of(src).Lo < 0 && o.s.opts.deviate != interlockBelow
	mask := indexConstant(a.op.Pos, int64(1)<<(o.s.opts.IndexWidth-1)-1, "most")
	known = known && (!signed || o.s.executes(opname.ArithAndI, ir.Index, ir.Index, ir.Index))
	at := a.op.Operand(0)
	for in := a.in; in != r; in = in.parent {
		c := constructOf(in)
		k := slices.Index(c.regions, in)
		leave := func(v, other *ir.Value, name string) *ir.Value {
			if k == 1 {
				return o.s.merge(c.op, c.cond.cond, v, other, name)
			}
			return o.s.merge(c.op, c.cond.cond, other, v, name)
		}
		switch other := c.regions[1-k]; {
		case !known:
			at = leave(at, other.constant(never(a.op.Pos, o.s.opts)), name)
		case done != nil && o.s.opts.deviate != interlockSkipped:
			*done = leave(*done, other.control(), name+"_done")
		}
	}
	switch {
	case known && signed:
		and := o.s.emit(opname.ArithAndI, a.op.Pos, []*ir.Value{r.lookup(src), r.constant(mask)}, ir.Index)
		and.Result(0).Name = name
		return and.Result(0)
	case known:
		return r.lookup(src)
	}
	return at
}

// known are the ranges of the structured function.
func (o *orderer) known() *ranges.Ranges {
	if o.ranges == nil {
		o.ranges = o.s.ranges()
	}
	return o.ranges
}

// knownIn reports whether a structured value is computed in a region or around it.
func knownIn(r *region, v *ir.Value) bool {
	for ; r != nil && !v.IsConstant(); r = r.parent {
		if r.vals[v] != nil {
			return true
		}
	}
	return v.IsConstant()
}

// constructOf is the construct that a region belongs to.
func constructOf(r *region) *construct {
	for _, it := range r.parent.items {
		if it.nested != nil && slices.Contains(it.nested.regions, r) {
			return it.nested
		}
	}
	panic("lower: a region of no construct")
}

// never is a constant that no subscript is.
func never(pos diag.Pos, opts Options) *ir.Operation {
	least := int64(-1) << (opts.IndexWidth - 1)
	if opts.deviate == interlockSkipped {
		least = 0
	}
	return indexConstant(pos, least, "never")
}

// indexConstant is a constant in no block.
func indexConstant(pos diag.Pos, value int64, name string) *ir.Operation {
	op := ir.NewOp(opname.ArithConstant, pos, nil, []ir.Type{ir.Index})
	op.SetAttr("value", ir.IntAttr(value, ir.Index))
	op.Result(0).Name = name
	return op
}

// executes reports whether the target has a unit for an operation with these types, of the result first.
func (s *state) executes(name string, result ir.Type, operands ...ir.Type) bool {
	return s.opts.Executes == nil || s.opts.Executes(ir.NewOp(name, diag.Pos{}, ir.NewOp("", diag.Pos{}, nil, operands).Results(), []ir.Type{result}))
}
