package circt

import (
	"slices"

	"loom/compiler/diag"
	"loom/compiler/dialect/handshake"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// tokens warns of what a graph does whatever its inputs are: a result that never comes, and a
// merge that always has a choice. What depends on the inputs shows when the graph runs.
func tokens(fn *ir.Operation, errs *diag.List) {
	body := fn.Regions[0].Entry()
	some := possible(body)
	ret := body.Ops[len(body.Ops)-1]
	for i, v := range ret.Operands() {
		if !some[v] {
			d := errs.Warnf(ret.Pos, "operand #%d of '%s' never gets a token: every run of the graph ends in a deadlock", i, ret.Name)
			starved(d, v, some)
			break
		}
	}
	every := always(body)
	for _, op := range body.Ops {
		switch {
		case op.Name == opname.HandshakeMerge && op.Result(0).Type != ir.Type(ir.None):
		case op.Name == opname.HandshakeControlMerge && (op.Result(0).Type != ir.Type(ir.None) || observed(op.Result(1))):
		default:
			continue
		}
		var at []int
		for i, v := range op.Operands() {
			if every[v] {
				at = append(at, i)
			}
		}
		if len(at) > 1 {
			errs.Warnf(op.Pos, "operands #%d and #%d of '%s' both get a token in every run, and which comes first is left open: the result is not determined", at[0], at[1], op.Name).
				WithHelp("a handshake.mux takes them in the order that its selector says")
		}
	}
}

// observed reports whether anything but a sink reads a value.
func observed(v *ir.Value) bool {
	return slices.ContainsFunc(v.Uses(), func(u ir.Use) bool { return u.Op.Name != opname.HandshakeSink })
}

// starved explains why no token comes to v: a never, or operations that wait for each other.
func starved(d *diag.Diagnostic, v *ir.Value, some map[*ir.Value]bool) {
	seen := map[*ir.Operation]bool{}
	for v.Def != nil && !seen[v.Def] && len(seen) < 8 {
		op := v.Def
		seen[op] = true
		if op.NumOperands() == 0 {
			d.WithNote(op.Pos, "no token ever comes from this '%s'", op.Name)
			return
		}
		i := slices.IndexFunc(waits(op, v), func(i int) bool { return !some[op.Operand(i)] })
		if i < 0 {
			return
		}
		i = waits(op, v)[i]
		d.WithNote(op.Pos, "'%s' waits for operand #%d", op.Name, i)
		v = op.Operand(i)
	}
	if v.Def != nil && seen[v.Def] {
		d.WithHelp("these operations wait for each other: a buffer with initValues gives such a cycle its first token")
	}
}

// waits are the operands that all must have had a token before one comes at result v. For a
// merge, of which any does, they are all the operands, too.
func waits(op *ir.Operation, v *ir.Value) []int {
	var out []int
	switch op.Name {
	case opname.HandshakeMemory, opname.HandshakeExtmemory:
		p := handshake.PortsOf(op)
		for i := range p.Stores {
			if v.Index == p.StoreDone(i) {
				return []int{p.StoreData(i), p.StoreAddr(i)}
			}
		}
		for i := range p.Loads {
			if v.Index == p.LoadData(i) || v.Index == p.LoadDone(i) {
				return []int{p.LoadAddr(i)}
			}
		}
		return nil
	case opname.HandshakeLoad: // the data is what memory sends, the address goes there with control
		data := op.NumOperands() - 2
		if v.Index == 0 {
			return []int{data}
		}
		for i := range op.NumOperands() {
			if i != data {
				out = append(out, i)
			}
		}
		return out
	case opname.DataflowCarry:
		return []int{1} // the others come with the next iteration
	case opname.DataflowInvariant:
		return []int{1}
	}
	for i := range op.NumOperands() {
		out = append(out, i)
	}
	return out
}

// possible are the values that may get a token in some run: the least set that the rules of the
// operations are closed under. For any other value none comes, whatever the inputs are.
func possible(body *ir.Block) map[*ir.Value]bool {
	some := map[*ir.Value]bool{}
	for _, a := range body.Args {
		some[a] = true
	}
	fires := func(op *ir.Operation, v *ir.Value) bool {
		all, one := true, false
		for _, i := range waits(op, v) {
			all, one = all && some[op.Operand(i)], one || some[op.Operand(i)]
		}
		switch op.Name {
		case opname.HandshakeNever:
			return false
		case opname.HandshakeBuffer:
			return all || len(initial(op)) > 0
		case opname.HandshakeMerge, opname.HandshakeControlMerge:
			return one
		case opname.HandshakeMux: // the selected operand alone
			return some[op.Operand(0)] && slices.ContainsFunc(op.Operands()[1:], func(v *ir.Value) bool { return some[v] })
		}
		return all
	}
	for again := true; again; {
		again = false
		for _, op := range body.Ops {
			for _, r := range op.Results() {
				if !some[r] && fires(op, r) {
					some[r], again = true, true
				}
			}
		}
	}
	return some
}

// always are values that get a token in every run: arguments, and what passes them on.
func always(body *ir.Block) map[*ir.Value]bool {
	every := map[*ir.Value]bool{}
	for _, a := range body.Args {
		_, mem := a.Type.(*ir.MemRefType)
		every[a] = !mem
	}
	for again := true; again; {
		again = false
		for _, op := range body.Ops {
			switch op.Name {
			case opname.HandshakeBuffer:
				if len(initial(op)) > 0 {
					continue
				}
			case opname.HandshakeBr, opname.HandshakeFork, opname.HandshakeLazyFork, opname.HandshakeConstant, opname.HandshakeJoin, opname.HandshakeSync:
			default:
				if op.Dialect() == "handshake" || op.Dialect() == "dataflow" {
					continue
				}
			}
			all, one := true, false
			for _, v := range op.Operands() {
				all, one = all && (every[v] || fromSource(v)), one || every[v]
			}
			for _, r := range op.Results() {
				if !every[r] && all && one {
					every[r], again = true, true
				}
			}
		}
	}
	return every
}
