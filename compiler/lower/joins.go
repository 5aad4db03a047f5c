package lower

import (
	"loom/compiler/dfg"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

// faninAttr is the attribute in which an ADG announces its widest join
// (spec-compilation, "hardware join capacity").
const faninAttr = "loom.adg_max_join_fanin"

// maxFanin is the widest join that mapping and configuration can express.
const maxFanin = dfg.MaxJoinFanin

// splitJoins makes the joins legal for the target.
func splitJoins(s *state, errs *diag.List) {
	limit := dfg.JoinLimit(s.fn)
	if s.opts.MaxJoinFanin != nil {
		limit = *s.opts.MaxJoinFanin
	}
	LegalizeJoins(s.dfg, limit, errs)
}

// LegalizeJoins turns the joins of a graph with more than limit inputs into balanced trees
// (spec-compilation: "LOOM must rewrite it into a tree of smaller joins") and returns how many
// there were. With a limit below two no tree is possible: then a join of two or more inputs
// is an error. With none at all, a join of a single input is replaced by this input.
func LegalizeJoins(graph *ir.Operation, limit int, errs *diag.List) (split int) {
	limit = max(min(limit, maxFanin), 0)
	if limit < maxFanin {
		// The graph carries what it was made for, and is verified against it.
		graph.SetAttr(faninAttr, ir.IntAttr(int64(limit), ir.I64))
	}
	if len(graph.Regions) != 1 || len(graph.Regions[0].Blocks) != 1 {
		return 0 // no valid graph, as its verifier says
	}
	rewrite.Rebuild(graph.Regions[0].Entry(), func(op *ir.Operation, emit func(*ir.Operation)) {
		n := op.NumOperands()
		if op.Name == opname.HandshakeJoin && n == 1 && limit == 0 {
			op.Result(0).ReplaceAllUsesWith(op.Operand(0))
			rewrite.Drop(op)
			return
		}
		if op.Name != opname.HandshakeJoin || n <= limit || n < 2 {
			emit(op)
			return
		}
		if limit < 2 {
			lacks := "the hardware's joins take at most 1"
			if limit == 0 {
				lacks = "the hardware has no joins"
			}
			errs.Errorf(op.Pos, "%d tokens must be joined here, but %s", n, lacks).
				WithHelp("choose a fabric whose join units take two inputs or more (%s)", faninAttr)
			emit(op)
			return
		}
		split++
		tokens := append([]*ir.Value(nil), op.Operands()...)
		for len(tokens) > limit {
			// As few joins as the limit allows, filled evenly.
			parts := (len(tokens) + limit - 1) / limit
			next := make([]*ir.Value, 0, parts)
			for i := range parts {
				part := tokens[i*len(tokens)/parts : (i+1)*len(tokens)/parts]
				if len(part) == 1 {
					next = append(next, part[0])
					continue
				}
				j := ir.NewOp(opname.HandshakeJoin, op.Pos, part, []ir.Type{ir.None})
				emit(j)
				next = append(next, j.Result(0))
			}
			tokens = next
		}
		op.SetOperands(tokens)
		emit(op)
	})
	return split
}
