package simplify

import (
	"loom/compiler/dfg"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// activate fires what needs a control token of its region by a value that the region has
// anyway, so that no control token has to be led there:
//
//	%start_0 = dataflow.invariant %i_next, %start     =>    %runs = join %i
//	%zero = constant %start_0                               %zero = constant %runs
//
// In the body of a counted loop that is the counter, elsewhere the condition that steers the
// region, split by itself.
func activate(s *state, _ *diag.List) {
	a := &activator{state: s, counts: dfg.CountsOf(s.fn), made: map[dfg.Site]*ir.Value{}, gates: map[*ir.Value]*ir.Value{}}
	tokens := activationsOf(s)
	for _, op := range s.body.Ops {
		if op.Name == opname.DataflowGate && op.Operand(0).Def != nil && op.Operand(0).Def.Name == opname.DataflowStream {
			a.gates[op.Operand(1)] = op.Result(0)
		}
	}
	accesses := accessesOf(s.body)
	for _, op := range append([]*ir.Operation(nil), s.body.Ops...) {
		if access(op) >= 0 && !s.implied(op, accesses) {
			continue // a branch on the way of its control may order it
		}
		switch op.Name {
		case opname.HandshakeCondBr, opname.DataflowInvariant, opname.DataflowHold, opname.HandshakeReturn:
			continue // leads a token elsewhere, or has the start token
		}
		for i, t := range op.Operands() {
			if t.Type != ir.Type(ir.None) || !tokens[t] || t == s.start || t.Def.Name == opname.DataflowHold {
				continue
			}
			if w := a.token(t); w != nil {
				op.SetOperand(i, w)
			}
		}
	}
	clearDead(s, nil)
}

type activator struct {
	*state
	counts *dfg.Counts
	made   map[dfg.Site]*ir.Value
	// gates are the counters of loop bodies, by raw condition.
	gates map[*ir.Value]*ir.Value
}

// token returns a control token with as many tokens as t, nil if there is none to be had.
func (a *activator) token(t *ir.Value) *ir.Value {
	at := a.counts.Site(t)
	if w := a.made[at]; w != nil {
		return w
	}
	var v *ir.Value
	side := 0
	switch at.Kind {
	case dfg.AtStart:
		return a.start
	case dfg.AtTest:
		if at.Cond.Def == nil || at.Cond.Def.Name != opname.DataflowStream {
			return nil // the test that the condition comes from
		}
		v = at.Cond
	case dfg.InBody:
		v = a.gates[at.Cond]
	case dfg.IfTrue:
	case dfg.IfFalse:
		side = 1
	default:
		return nil
	}
	if v == nil {
		br := ir.NewOp(opname.HandshakeCondBr, at.Cond.Pos(), []*ir.Value{at.Cond, at.Cond}, []ir.Type{ir.I1, ir.I1})
		a.insert(br)
		v = br.Result(side)
	}
	j := ir.NewOp(opname.HandshakeJoin, v.Pos(), []*ir.Value{v}, []ir.Type{ir.None})
	j.Result(0).Name = "runs"
	a.made[at] = a.insert(j)
	return a.made[at]
}
