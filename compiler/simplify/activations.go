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
// region, split by itself. On a fabric, where that branch takes a unit, it is a value that a branch
// leads there anyway, if it neither waits for what it would fire nor longer than the condition.
func activate(s *state, _ *diag.List) {
	if s.again {
		return
	}
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
	if v == nil && a.opts.Fabric != nil {
		v = a.beside(at, side)
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

// beside returns a value that a branch by the condition of a site leads there, nil if there is none
// to fire operations by.
func (a *activator) beside(at dfg.Site, side int) *ir.Value {
	fired := map[*ir.Operation]bool{}
	for _, op := range a.body.Ops {
		for _, t := range op.Operands() {
			if t.Type == ir.Type(ir.None) && a.counts.Site(t) == at {
				fired[op] = true
			}
		}
	}
	if a.opts.deviate == fireByResult {
		fired = nil
	}
	loops := a.around(at)
	waits := map[*ir.Operation]bool{}
	a.behind(at.Cond, loops, waits)
	for _, u := range at.Cond.Uses() {
		br := u.Op
		if br.Name != opname.HandshakeCondBr || u.Index != 0 || br.Operand(1).Type == ir.Type(ir.None) || br.Operand(1) == at.Cond {
			continue
		}
		before := map[*ir.Operation]bool{}
		a.behind(br.Operand(1), loops, before)
		fit := true
		for op := range before {
			fit = fit && !fired[op] && (op.Name != opname.HandshakeLoad || waits[op])
		}
		if fit {
			return br.Result(side)
		}
	}
	return nil
}

// around are the raw conditions of the loops around a site.
func (a *activator) around(at dfg.Site) map[*ir.Value]bool {
	loops := map[*ir.Value]bool{}
	for at.Cond != nil && !loops[at.Cond] {
		switch at.Kind {
		case dfg.AtTest, dfg.InBody, dfg.Again:
			loops[at.Cond] = true
			at = a.counts.Around(at.Cond)
		default:
			at = a.counts.Site(at.Cond)
		}
	}
	return loops
}

// behind collects what a value is computed from in the same iteration of the loops around.
func (a *activator) behind(v *ir.Value, loops map[*ir.Value]bool, into map[*ir.Operation]bool) {
	op := v.Def
	if op == nil || into[op] {
		return
	}
	into[op] = true
	operands := op.Operands()
	if op.Name == opname.DataflowCarry {
		raw := operands[0]
		if raw.Def != nil && raw.Def.Name == opname.DataflowGate {
			raw = raw.Def.Operand(1)
		}
		if loops[raw] {
			operands = operands[:2] // the last is from the iteration before
		}
	}
	for _, w := range operands {
		a.behind(w, loops, into)
	}
}
