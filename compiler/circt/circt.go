// Package circt takes handshake graphs as CIRCT writes them: it checks them, dissolves
// instances and tuples (Flatten), and rewrites the operations that LOOM's graphs express
// otherwise (Simplify). What is left of CIRCT's operations then, merges above all, has units
// in direct circuits and none on fabrics.
package circt

import (
	"slices"

	"loom/compiler/dfg"
	"loom/compiler/diag"
	"loom/compiler/dialect/handshake"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// Foreign reports whether a graph has operations, or forms of operations, that LOOM's
// lowering does not make: then Verify holds for it in place of dfg.Verify.
func Foreign(fn *ir.Operation) bool {
	if len(fn.Regions) != 1 || len(fn.Regions[0].Blocks) != 1 {
		return false
	}
	return slices.ContainsFunc(fn.Regions[0].Entry().Ops, foreign)
}

func foreign(op *ir.Operation) bool {
	switch op.Name {
	case opname.HandshakeMux:
		return op.NumOperands() != 3 || op.Operand(0).Type != ir.Type(ir.I1)
	case opname.HandshakeLoad, opname.HandshakeStore:
		return op.NumOperands() > 0 && op.Operand(0).Type != ir.Type(ir.Index) && ir.IsInt(op.Operand(0).Type)
	}
	return op.Dialect() == "handshake" && !dfg.Allowed(op.Name) || slices.ContainsFunc(op.Results(), tuple)
}

func tuple(v *ir.Value) bool { _, ok := v.Type.(*ir.TupleType); return ok }

// known are the operations of the dialect that graphs from elsewhere may hold, after Flatten.
var known = map[string]bool{
	opname.HandshakeBr: true, opname.HandshakeBuffer: true, opname.HandshakeControlMerge: true, opname.HandshakeFork: true,
	opname.HandshakeLazyFork: true, opname.HandshakeMerge: true, opname.HandshakeNever: true, opname.HandshakeSink: true,
	opname.HandshakeSource: true, opname.HandshakeSync: true,
}

// Verify checks what a flat graph from elsewhere must keep to be simulated and built. The
// rules of LOOM's own graphs (dfg.Verify) beyond these do not hold for it: whether its tokens
// balance and its accesses are ordered shows when it runs. Warnings tell of cycles without a
// buffer, of results that never come and of merges that have a choice in every run.
func Verify(fn *ir.Operation, errs *diag.List) {
	body := fn.Regions[0].Entry()
	for i, a := range body.Args {
		if _, mem := a.Type.(*ir.MemRefType); !mem && !dfg.Carried(a.Type) {
			errs.Errorf(a.Loc, "parameter #%d has type %s, which no channel carries", i, a.Type).WithHelp("%s", carriedHelp)
		}
	}
	for _, op := range body.Ops {
		switch {
		case op.Dialect() == "handshake" && !known[op.Name] && !dfg.Allowed(op.Name), op.Dialect() != "handshake" && !dfg.Allowed(op.Name):
			d := errs.Errorf(op.Pos, "'%s' must not be left in a dataflow graph", op.Name)
			if op.Name == opname.ArithConstant {
				d.WithHelp("a constant of a graph is a handshake.constant, fired by a control token or a handshake.source")
			}
			continue
		case (op.Name == opname.HandshakeLoad || op.Name == opname.HandshakeStore) && op.NumOperands() != 3:
			errs.Errorf(op.Pos, "'%s' has %d addresses: memories have one dimension here", op.Name, op.NumOperands()-2).
				WithHelp("compute one address; circt-opt's --handshake-legalize-memrefs does before the lowering")
		}
		for i, r := range op.Results() {
			if !dfg.Carried(r.Type) {
				errs.Errorf(op.Pos, "result #%d of '%s' has type %s, which no channel carries", i, op.Name, r.Type).WithHelp("%s", carriedHelp)
			}
		}
	}
	if !errs.HasErrors() {
		tokens(fn, errs)
	}
	if cycle := Unbuffered(fn); cycle != nil {
		d := errs.Warnf(cycle[0].Pos, "a cycle of %s has no buffer: as the graph stands, it would be a combinational loop", diag.Plural(len(cycle), "operation"))
		for _, op := range cycle[1:min(len(cycle), 6)] {
			d.WithNote(op.Pos, "it leads through this '%s'", op.Name)
		}
		d.WithHelp("LOOM simulates the graph with channels that store tokens, and puts buffers of its own into circuits")
	}
}

const carriedHelp = "a channel carries a token without data (none), a signless integer of 1 to 64 bits, index or a float"

// Unbuffered finds a cycle of operations without a buffer or another unit that holds tokens,
// nil where there is none. Memories hold what is on its way from address to data.
func Unbuffered(fn *ir.Operation) []*ir.Operation {
	ops := fn.Regions[0].Entry().Ops
	state := map[*ir.Operation]int{} // 1: on the path, 2: done
	// next are the operations that a token leaves op for, in the same instant.
	next := func(op *ir.Operation) []ir.Use {
		switch op.Name {
		case opname.HandshakeBuffer, opname.HandshakeMemory, opname.HandshakeExtmemory, opname.DataflowStream, opname.DataflowCarry:
			return nil
		case opname.HandshakeLoad: // data from memory goes on as data
			return op.Result(0).Uses()
		}
		var out []ir.Use
		for _, r := range op.Results() {
			out = append(out, r.Uses()...)
		}
		return out
	}
	type frame struct {
		op   *ir.Operation
		uses []ir.Use
	}
	for _, start := range ops {
		if state[start] != 0 {
			continue
		}
		path := []frame{{start, next(start)}}
		state[start] = 1
		for len(path) > 0 {
			top := &path[len(path)-1]
			if len(top.uses) == 0 {
				state[top.op] = 2
				path = path[:len(path)-1]
				continue
			}
			u := top.uses[0]
			top.uses = top.uses[1:]
			if u.Op.Name == opname.HandshakeLoad && u.Index != 1 {
				continue // address and control go to the memory
			}
			switch state[u.Op] {
			case 0:
				state[u.Op] = 1
				path = append(path, frame{u.Op, next(u.Op)})
			case 1:
				var cycle []*ir.Operation
				for i := len(path) - 1; ; i-- {
					cycle = append([]*ir.Operation{path[i].op}, cycle...)
					if path[i].op == u.Op {
						return cycle
					}
				}
			}
		}
	}
	return nil
}

// Buffered reports whether a graph has buffers of its own.
func Buffered(fn *ir.Operation) bool {
	return slices.ContainsFunc(fn.Regions[0].Entry().Ops, func(op *ir.Operation) bool { return op.Name == opname.HandshakeBuffer })
}

// initial are the initial tokens of a buffer.
func initial(op *ir.Operation) []int64 {
	values, _ := handshake.InitValues(op)
	return values
}

// Missing is what fabrics lack to execute an operation of a simplified graph, "" for
// nothing.
func Missing(op *ir.Operation) string {
	switch op.Name {
	case opname.HandshakeMerge, opname.HandshakeControlMerge:
		return "fabrics have no unit that takes the token that comes first"
	case opname.HandshakeMux:
		if op.NumOperands() != 3 {
			return "the muxes of fabrics choose between two inputs"
		}
	case opname.HandshakeBuffer:
		return "the FIFOs of fabrics begin without tokens"
	case opname.HandshakeSource:
		return "nothing beside it says how many of its tokens are wanted, and fabrics have no endless ones"
	}
	return ""
}
