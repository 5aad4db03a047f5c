package lower

import (
	"loom/compiler/analysis/loops"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

// flagLoops makes loops that run twice end by a flag, where the target has fewer streams than the function has loops that count, the
// outermost first: a flag is a carry, and the counter a choice of two constants.
//
//	scf.for %i = 0 to 2 step 1 { … }   =>   scf.while (%first = true, %i = 0) { … scf.condition(%first) } do { scf.yield false, 1 }
//
// This is what LLVM makes of them; the front end counts again (package structure), since streams and accumulators are faster. Nothing is known of the
// iterations of such a loop for the order of memory, as of every loop that does not count.
func flagLoops(s *state, _ *diag.List) {
	if s.opts.Units == nil {
		return
	}
	var all []*ir.Operation
	s.fn.Walk(func(op *ir.Operation) bool {
		if op.Name == opname.SCFFor {
			all = append(all, op)
		}
		return true
	})
	count := len(all)
	for _, loop := range all {
		if count > s.streamsFor(loop) && s.flagged(loop) {
			count--
		}
	}
}

// streamsFor is how many streams the target has that count as a loop does.
func (s *state) streamsFor(loop *ir.Operation) int {
	step, _ := loops.Kind(loop)
	return s.opts.Units(streamOf(loop.Regions[0].Entry().Args[0].Type, step))
}

// flagged rewrites a loop if it runs twice.
func (s *state) flagged(loop *ir.Operation) bool {
	lb, ok1 := loop.Operand(0).ConstantInt()
	ub, ok2 := loop.Operand(1).ConstantInt()
	step, ok3 := loop.Operand(2).ConstantInt()
	kind, cond := loops.Kind(loop)
	const small = 1 << 30
	if !ok1 || !ok2 || !ok3 || kind != "+=" || cond != "<" || step < 1 || step > small || lb > small || lb < -small || lb+step >= ub || lb+2*step < ub {
		return false
	}
	second := lb + step
	if s.opts.deviate == flagsAgain {
		second = lb
	}
	rewriteTwice(loop, second)
	return true
}

// rewriteTwice makes the while of a loop that runs twice, the second time with second.
func rewriteTwice(loop *ir.Operation, second int64) {
	body := loop.Regions[0].Entry()
	m := rewrite.Maker{Pos: loop.Pos, Emit: func(o *ir.Operation) { loop.Block().InsertBefore(loop, o) }}
	iv := body.Args[0]
	inits := append([]*ir.Value{m.Integer(-1, ir.I1), loop.Operand(0)}, loop.Operands()[3:]...)
	no, next := m.Integer(0, ir.I1), m.Integer(second, iv.Type)
	var types []ir.Type
	for _, r := range loop.Results() {
		types = append(types, r.Type)
	}
	n := ir.NewOp(opname.SCFWhile, loop.Pos, inits, types)
	n.Loc = loop.Loc
	before, after := n.AddRegion().AddBlock(), n.AddRegion().AddBlock()
	first := before.AddArg(ir.I1, "", loop.Pos)
	for _, a := range body.Args {
		a.ReplaceAllUsesWith(before.AddArg(a.Type, a.Name, loop.Pos))
	}
	yield := body.Terminator()
	ops := body.Ops
	body.Ops = nil
	for _, o := range ops[:len(ops)-1] {
		before.Append(o)
	}
	before.Append(ir.NewOp(opname.SCFCondition, yield.Pos, append([]*ir.Value{first}, yield.Operands()...), nil))
	again := []*ir.Value{no, next}
	for i, r := range loop.Results() {
		n.Result(i).Name = r.Name
		again = append(again, after.AddArg(r.Type, r.Name, loop.Pos))
	}
	after.Append(ir.NewOp(opname.SCFYield, yield.Pos, again, nil))
	yield.SetOperands(nil)
	for i, r := range loop.Results() {
		r.ReplaceAllUsesWith(n.Result(i))
	}
	loop.Block().InsertBefore(loop, n)
	rewrite.Drop(loop)
	loop.Unlink()
}
