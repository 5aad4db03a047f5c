package circt

import (
	"slices"

	"loom/compiler/diag"
	"loom/compiler/dialect/handshake"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

// Simplify rewrites a flat graph with the operations of LOOM's graphs. The streams of tokens
// stay the same:
//
//	br, fork, lazy_fork         the operand: a value has any number of users, and each takes
//	                            its token when it can
//	buffer without init         the operand, where nothing of CIRCT's own stays: channels store
//	                            what the target needs
//	sink                        nothing: a value without users is dropped
//	merge, mux of one operand   the operand, of a mux behind the selector's token
//	control_merge, index unused merge
//	sync                        each operand behind a join of all: cond_br on a constant true
//	                            that the join fires
//	source                      a constant it fires becomes one that an operand beside it fires
//	load, store of an iN        index_castui around the address
//	mux of two operands         its selector, and the index of a control_merge of two, is i1
//	cond_br, mux on a constant  what they always do, where a source fires the constant (decide)
//	never                       the side of a branch that is not taken
//
// What has no such form stays: merge, control_merge, mux of other than two operands or with
// another selector, buffers with initial tokens, and a source of which no operand beside it
// says how often it is wanted. indexWidth is the width of index in bits.
func Simplify(fn *ir.Operation, indexWidth int) error {
	var errs diag.List
	body := fn.Regions[0].Entry()
	wires(body)
	decide(body, indexWidth)
	bits := map[*ir.Value]*ir.Value{}
	each := func(f func(op *ir.Operation), names ...string) {
		for _, op := range append([]*ir.Operation(nil), body.Ops...) {
			if slices.Contains(names, op.Name) {
				f(op)
			}
		}
	}
	each(func(op *ir.Operation) { merges(op, bits) }, opname.HandshakeControlMerge)
	each(func(op *ir.Operation) { muxes(op, bits) }, opname.HandshakeMux)
	each(func(op *ir.Operation) { addresses(op, &errs) }, opname.HandshakeLoad, opname.HandshakeStore)
	each(sources, opname.HandshakeSource)
	each(syncs, opname.HandshakeSync)
	nevers(body)
	rewrite.DropDead(fn, func(op *ir.Operation) bool {
		return op.Name != opname.HandshakeReturn && op.Name != opname.HandshakeMemory && op.Name != opname.HandshakeExtmemory &&
			op.Name != opname.HandshakeStore
	})
	if !slices.ContainsFunc(body.Ops, stays) {
		buffers(body, func(*ir.Operation) bool { return true })
	}
	wired(body, &errs)
	return errs.Err()
}

// stays reports whether a simplified operation has no form in LOOM's graphs.
func stays(op *ir.Operation) bool {
	return (op.Name != opname.HandshakeBuffer || len(initial(op)) > 0) && Missing(op) != ""
}

// buffers takes out the buffers without initial tokens for which drop holds.
func buffers(body *ir.Block, drop func(op *ir.Operation) bool) (found bool) {
	for _, op := range append([]*ir.Operation(nil), body.Ops...) {
		if op.Name == opname.HandshakeBuffer && len(initial(op)) == 0 && op.Operand(0).Def != op && drop(op) {
			replace(op, op.Operand(0))
			found = true
		}
	}
	return found
}

// passSources takes out the buffers that hold nothing: of tokens without end, and between a memory
// and its accesses.
func passSources(body *ir.Block) {
	access := func(op *ir.Operation) bool {
		return op != nil && (op.Name == opname.HandshakeMemory || op.Name == opname.HandshakeExtmemory)
	}
	for buffers(body, func(op *ir.Operation) bool {
		return fromSource(op.Operand(0)) || memory(op.Operand(0)) ||
			slices.ContainsFunc(op.Result(0).Uses(), func(u ir.Use) bool { return access(u.Op) })
	}) {
	}
}

// wired checks that every port of a memory belongs to an access.
func wired(body *ir.Block, errs *diag.List) {
	for _, mem := range body.Ops {
		if mem.Name != opname.HandshakeMemory && mem.Name != opname.HandshakeExtmemory {
			continue
		}
		p := handshake.PortsOf(mem)
		check := func(i int, name string, result int) {
			if v := mem.Operand(i); v.Def == nil || v.Def.Name != name || v.Index != result || len(v.Uses()) > 1 {
				errs.Errorf(mem.Pos, "operand #%d of '%s' does not come from a '%s' of its own", i, mem.Name, name).
					WithHelp("every port of a memory belongs to one access")
			}
		}
		for i := range p.Stores {
			check(p.StoreData(i), opname.HandshakeStore, 0)
			check(p.StoreAddr(i), opname.HandshakeStore, 1)
		}
		for i := range p.Loads {
			check(p.LoadAddr(i), opname.HandshakeLoad, 1)
		}
	}
}

// replace puts values in place of an operation's results.
func replace(op *ir.Operation, by ...*ir.Value) {
	for i, v := range by {
		if r := op.Result(i); r.Name != "" && v.Name == "" {
			v.Name = r.Name
		}
		op.Result(i).ReplaceAllUsesWith(v)
	}
	op.Erase()
}

// wires takes out what only passes tokens on. An operation that passes its own result on
// stays: nothing ever arrives there.
func wires(body *ir.Block) {
	for _, op := range append([]*ir.Operation(nil), body.Ops...) {
		switch op.Name {
		case opname.HandshakeBr, opname.HandshakeFork, opname.HandshakeLazyFork:
		case opname.HandshakeMerge:
			if op.NumOperands() != 1 {
				continue
			}
		case opname.HandshakeSink:
			op.Erase()
			continue
		default:
			continue
		}
		v := op.Operand(0)
		if v.Def == op {
			continue
		}
		for _, r := range op.Results() {
			r.ReplaceAllUsesWith(v)
		}
		op.Erase()
	}
}

// sources fires what a source fires, and what is computed of that alone, by the operands
// beside it.
func sources(op *ir.Operation) {
	work := append([]ir.Use(nil), op.Result(0).Uses()...)
	seen := map[*ir.Operation]bool{}
	for len(work) > 0 {
		u := work[0]
		work = work[1:]
		if u.Op.NumResults() == 0 || !fromSource(u.Op.Result(0)) {
			pace(u)
		} else if !seen[u.Op] {
			seen[u.Op] = true
			for _, r := range u.Op.Results() {
				work = append(work, r.Uses()...)
			}
		}
	}
}

// pace replaces an operand that comes from a source, alone or through a constant, by one that
// an operand beside it fires, where the operation takes both together.
func pace(u ir.Use) {
	op, v := u.Op, u.Op.Operand(u.Index)
	var by *ir.Value // fires exactly when the operand is taken
	beside := func(from int) {
		for i := from; i < op.NumOperands() && by == nil; i++ {
			if w := op.Operand(i); i != u.Index && !fromSource(w) && !memory(w) {
				by = emit(op, opname.HandshakeJoin, []*ir.Value{w}, ir.None).Result(0)
			}
		}
	}
	switch {
	case op.Name == opname.HandshakeMux && u.Index == 0, op.Name == opname.HandshakeMerge, op.Name == opname.HandshakeControlMerge:
		return
	case op.Name == opname.HandshakeMux:
		// Taken with the selector, when it selects this input.
		sel := op.Operand(0)
		if sel.Type != ir.Type(ir.I1) || op.NumOperands() != 3 || fromSource(sel) {
			return
		}
		fire := emit(op, opname.HandshakeJoin, []*ir.Value{sel}, ir.None).Result(0)
		by = emit(op, opname.HandshakeCondBr, []*ir.Value{sel, fire}, ir.None, ir.None).Result(2 - u.Index)
	case op.Name == opname.HandshakeJoin, op.Name == opname.HandshakeSync, op.Name == opname.HandshakeReturn,
		op.Name == opname.HandshakeCondBr, op.Name == opname.HandshakeLoad, op.Name == opname.HandshakeStore,
		op.Dialect() != "handshake" && op.Dialect() != "dataflow":
		beside(0)
	}
	if by == nil {
		return
	}
	op.SetOperand(u.Index, under(op, v, by))
}

// under computes again what is computed from sources, by a token in place of theirs.
func under(at *ir.Operation, v, by *ir.Value) *ir.Value {
	if v.Def.Name == opname.HandshakeSource {
		return by
	}
	var in []*ir.Value
	for _, w := range v.Def.Operands() {
		in = append(in, under(at, w, by))
	}
	n := emit(at, v.Def.Name, in, typesOf(v.Def.Results())...)
	n.Attrs = append(ir.NamedAttrs(nil), v.Def.Attrs...)
	return n.Result(v.Index)
}

// fromSource reports whether a value comes from sources alone: it is one, or a constant or a
// computation of such values.
func fromSource(v *ir.Value) bool { return endless(v, 0) }

// deep is how many computations of constants fromSource follows.
const deep = 16

func endless(v *ir.Value, depth int) bool {
	if v.Def == nil || depth == deep {
		return false
	}
	if v.Def.Name == opname.HandshakeSource {
		return true
	}
	if v.Def.Name != opname.HandshakeConstant && (v.Def.Dialect() == "handshake" || v.Def.Dialect() == "dataflow") {
		return false
	}
	for _, w := range v.Def.Operands() {
		if !endless(w, depth+1) {
			return false
		}
	}
	return v.Def.NumOperands() > 0
}

// memory reports whether a value is data that a memory sends to a load.
func memory(v *ir.Value) bool {
	return v.Def != nil && (v.Def.Name == opname.HandshakeMemory || v.Def.Name == opname.HandshakeExtmemory) && v.Type != ir.Type(ir.None)
}

// syncs lets every operand pass with the token of a join of all.
func syncs(op *ir.Operation) {
	join := emit(op, opname.HandshakeJoin, op.Operands(), ir.None).Result(0)
	var out []*ir.Value
	var yes *ir.Value
	for _, v := range op.Operands() {
		if v.Type == ir.Type(ir.None) {
			out = append(out, join)
			continue
		}
		if yes == nil {
			k := emit(op, opname.HandshakeConstant, []*ir.Value{join}, ir.I1)
			k.SetAttr("value", ir.BoolAttr(true))
			yes = k.Result(0)
		}
		out = append(out, emit(op, opname.HandshakeCondBr, []*ir.Value{yes, v}, v.Type, v.Type).Result(0))
	}
	replace(op, out...)
}

// merges gives a control_merge of two operands an index of one bit, noted in bits for the
// muxes that the old index selects, and takes out an index that is not used.
func merges(op *ir.Operation, bits map[*ir.Value]*ir.Value) {
	data, index := op.Result(0), op.Result(1)
	switch {
	case op.NumOperands() == 1:
		fire := emit(op, opname.HandshakeJoin, op.Operands(), ir.None).Result(0)
		zero := emit(op, opname.HandshakeConstant, []*ir.Value{fire}, index.Type)
		zero.SetAttr("value", ir.IntAttr(0, index.Type))
		replace(op, op.Operand(0), zero.Result(0))
	case !index.HasUses():
		replace(op, emit(op, opname.HandshakeMerge, op.Operands(), data.Type).Result(0))
	case op.NumOperands() == 2 && index.Type != ir.Type(ir.I1):
		n := emit(op, opname.HandshakeControlMerge, op.Operands(), data.Type, ir.I1)
		cast := opname.ArithExtUI
		if index.Type == ir.Type(ir.Index) {
			cast = opname.ArithIndexCastUI
		}
		wide := emit(op, cast, []*ir.Value{n.Result(1)}, index.Type).Result(0)
		bits[wide] = n.Result(1)
		bits[wide].Name, index.Name = index.Name, ""
		replace(op, n.Result(0), wide)
	}
}

// muxes gives a mux of two operands a selector of one bit, and takes out a mux of one. bits
// are the selectors that have one.
func muxes(op *ir.Operation, bits map[*ir.Value]*ir.Value) {
	sel := op.Operand(0)
	switch {
	case op.NumOperands() == 2: // the selector's token is taken with each of the input
		s := emit(op, opname.HandshakeSync, []*ir.Value{sel, op.Operand(1)}, sel.Type, op.Operand(1).Type)
		replace(op, s.Result(1))
	case op.NumOperands() == 3 && sel.Type != ir.Type(ir.I1):
		if bits[sel] == nil { // a selector of 1 or more selects the second input
			fire := emit(op, opname.HandshakeJoin, []*ir.Value{sel}, ir.None).Result(0)
			zero := emit(op, opname.HandshakeConstant, []*ir.Value{fire}, sel.Type)
			zero.SetAttr("value", ir.IntAttr(0, sel.Type))
			cmp := emit(op, opname.ArithCmpI, []*ir.Value{sel, zero.Result(0)}, ir.I1)
			cmp.SetAttr("predicate", ir.IntAttr(1, ir.I64)) // ne
			bits[sel] = cmp.Result(0)
		}
		op.SetOperand(0, bits[sel])
	}
}

// addresses gives an access an address of type index.
func addresses(op *ir.Operation, errs *diag.List) {
	a := op.Operand(0)
	if a.Type == ir.Type(ir.Index) || op.NumOperands() != 3 || op.NumResults() != 2 {
		return
	}
	if it, ok := a.Type.(*ir.IntegerType); !ok || it.Width > 32 {
		errs.Errorf(op.Pos, "'%s' has an address of type %s", op.Name, a.Type).WithHelp("addresses have up to 32 bits, or are of type index")
		return
	}
	cast := emit(op, opname.ArithIndexCastUI, []*ir.Value{a}, ir.Index).Result(0)
	var types []ir.Type
	for _, r := range op.Results() {
		types = append(types, r.Type)
	}
	types[1] = ir.Index
	n := emit(op, op.Name, []*ir.Value{cast, op.Operand(1), op.Operand(2)}, types...)
	n.Attrs = append(ir.NamedAttrs(nil), op.Attrs...)
	replace(op, n.Results()...)
}
