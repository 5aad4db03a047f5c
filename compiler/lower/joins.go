package lower

import (
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

// faninAttr is the attribute in which an ADG announces its widest join
// (spec-compilation, "hardware join capacity").
const faninAttr = "loom.adg_max_join_fanin"

// maxFanin is the widest join that mapping and configuration can express.
const maxFanin = 64

// splitJoins turns joins that are wider than the hardware's into balanced trees.
// A limit below two with any join that needs it is an error.
func splitJoins(s *state, errs *diag.List) {
	limit := s.opts.MaxJoinFanin
	if limit == 0 {
		limit = maxFanin
		if v, ok := s.fn.IntAttr(faninAttr); ok {
			limit = int(max(min(v, maxFanin), -1))
		}
	}
	limit = min(limit, maxFanin)
	if limit < maxFanin {
		// The graph carries what it was made for, and is verified against it.
		s.dfg.SetAttr(faninAttr, ir.IntAttr(int64(limit), ir.I64))
	}
	rewrite.Rebuild(s.body, func(op *ir.Operation, emit func(*ir.Operation)) {
		n := op.NumOperands()
		if op.Name != opname.HandshakeJoin || n <= limit || n < 2 {
			emit(op)
			return
		}
		if limit < 2 {
			errs.Errorf(op.Pos, "%d tokens must be joined here, but the hardware's joins take at most %d", n, max(limit, 0)).
				WithHelp("choose a fabric whose join units take two inputs or more (%s)", faninAttr)
			emit(op)
			return
		}
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
}
