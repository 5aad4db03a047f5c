package fabric

import (
	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// This file looks at the memory bridges of a module: what stands between a tagged
// memory and the accesses that share it. It follows values through what passes
// tagged streams on (switches, FIFOs, map_tag) within one module; what other
// modules hold is not visible to it.

// bridges is what the checks of one module share.
type bridges struct {
	syms *arch.Symbols
	errs *diag.List
}

// verifyBridges checks the store lanes and the tagged memories of a module.
func verifyBridges(b *ir.Block, syms *arch.Symbols, errs *diag.List) {
	v := bridges{syms, errs}
	for _, op := range b.Ops {
		switch def := v.hardware(op); {
		case def == nil:
		case def.Name == opname.FabricStoreLane:
			v.storeLane(op, def)
		case def.Name == opname.FabricMemory || def.Name == opname.FabricExtmemory:
			v.memory(op, def)
		}
	}
}

// hardware is what a use on the spot or an instance stands for, nil for anything
// else.
func (v bridges) hardware(op *ir.Operation) *ir.Operation {
	switch {
	case op.Name == opname.FabricInstance:
		return v.syms.Target(op)
	case isHardware(op.Name) && !arch.IsDefinition(op):
		return op
	}
	return nil
}

// passes reports whether an operation passes tagged streams on.
func passes(def *ir.Operation) bool {
	switch def.Name {
	case opname.FabricTemporalSw, opname.FabricSpatialSw, opname.FabricFifo, opname.FabricMapTag:
		return true
	}
	return false
}

// follow calls visit for what stands at the other end of a value: the operations
// that take it (forward), or the one that gives it.
func (v bridges) follow(from *ir.Value, forward bool, visit func(op, def *ir.Operation)) {
	seen := map[*ir.Operation]bool{}
	var walk func(*ir.Value)
	walk = func(val *ir.Value) {
		if val == nil || arch.TagWidth(val.Type) == 0 {
			return
		}
		ends := []*ir.Operation{val.Def}
		if forward {
			ends = nil
			for _, u := range val.Uses() {
				ends = append(ends, u.Op)
			}
		}
		for _, op := range ends {
			if op == nil || seen[op] {
				continue
			}
			seen[op] = true
			def := v.hardware(op)
			switch {
			case def == nil:
			case !passes(def):
				visit(op, def)
			case forward:
				for _, r := range op.Results() {
					walk(r)
				}
			default:
				for _, o := range op.Operands() {
					walk(o)
				}
			}
		}
	}
	walk(from)
}

// storeLane compares a lane with the memories it sends its addresses and data to, where a FIFO
// stands on the way. Without one a lane begins a store when the memory has both halves of
// the last: so a queue that is full holds a complete store, which leaves whatever the other lanes do.
// Behind a FIFO an address may find its queue full of addresses whose data wait behind the data
// of another lane, whose addresses wait behind this one; there a lane must have no more stores
// in flight than the queue has places.
func (v bridges) storeLane(op, def *ir.Operation) {
	if op.NumResults() == 0 {
		return // reported with its ports
	}
	depth := arch.IntParam(def, arch.AttrLSQDepth, arch.StoreLaneDepth)
	if !v.queued(op.Result(arch.StoreReqAddr)) && !v.queued(op.Result(arch.StoreReqData)) {
		return
	}
	v.follow(op.Result(arch.StoreReqAddr), true, func(_, mem *ir.Operation) {
		if mem.Name != opname.FabricMemory && mem.Name != opname.FabricExtmemory {
			return
		}
		if have := arch.IntParam(mem, arch.AttrLSQDepth, 0); depth > have {
			fail(v.errs, op.Pos, "CPL_STORE_LANE_LSQ_DEPTH", "the lane lets %d stores fly, the queue of its memory holds %d", depth, have).
				WithNote(mem.Pos, "the memory").WithHelp("lsqDepth of the lane must not exceed that of the memory")
		}
	})
}

// queued reports whether a FIFO stands between a value and what it is for in the end.
func (v bridges) queued(val *ir.Value) bool {
	seen := map[*ir.Value]bool{}
	var walk func(*ir.Value) bool
	walk = func(val *ir.Value) bool {
		if val == nil || arch.TagWidth(val.Type) == 0 || seen[val] {
			return false
		}
		seen[val] = true
		for _, u := range val.Uses() {
			def := v.hardware(u.Op)
			if def == nil || !passes(def) {
				continue
			}
			if def.Name == opname.FabricFifo {
				return true
			}
			for _, r := range u.Op.Results() {
				if walk(r) {
					return true
				}
			}
		}
		return false
	}
	return walk(val)
}

// memory warns of accesses that share a port of the memory without lanes.
func (v bridges) memory(op, def *ir.Operation) {
	ld, st := arch.IntParam(def, arch.AttrLdCount, 0), arch.IntParam(def, arch.AttrStCount, 0)
	ins, outs := op.Operands(), op.Results()
	// The memrefs stand in front of the ports.
	for len(ins) > 0 && isMemRef(ins[0].Type) {
		ins = ins[1:]
	}
	for len(outs) > 0 && isMemRef(outs[0].Type) {
		outs = outs[1:]
	}
	var sends, responses []*ir.Value
	family := func(shared bool, in, out int) {
		in, out = min(in, len(ins)), min(out, len(outs)) // a wrong number is reported elsewhere
		if shared {
			sends, responses = append(sends, ins[:in]...), append(responses, outs[:out]...)
		}
		ins, outs = ins[in:], outs[out:]
	}
	if ld > 0 {
		family(ld > 1, 1, 2)
	}
	if st > 0 {
		family(st > 1, 2, 1)
	}
	var bare *ir.Operation
	find := func(name string) func(op, def *ir.Operation) {
		return func(op, def *ir.Operation) {
			if def.Name == name && bare == nil {
				bare = op
			}
		}
	}
	for _, s := range sends {
		v.follow(s, false, find(opname.FabricAddTag))
	}
	for _, a := range responses {
		v.follow(a, true, find(opname.FabricDelTag))
	}
	if bare != nil {
		v.errs.Warnf(op.Pos, "accesses share a port of this memory without lanes: one that does not take its responses blocks the others").
			WithSymbol("CPL_MEMORY_BARE_BRIDGE").WithNote(bare.Pos, "a tag is added or taken off here").
			WithHelp("put a fabric.load_lane or fabric.store_lane per access instead of fabric.add_tag and fabric.del_tag")
	}
}
