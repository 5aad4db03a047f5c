package lower

import (
	"math"

	"loom/compiler/diag"
	"loom/compiler/ir"
)

// guardLoops makes every scf.for run at least once (design page "SCF to DFG",
// "Settled: zero-trip scf.for"). A loop whose trip count may be zero becomes
//
//	if (lb < ub) { for … } else { yield inits }
//
// with the signed comparison the loop itself uses. Where a constant range or an
// enclosing guard or loop already proves lb < ub, nothing is added. Requires:
// positive steps. Guarantees: every scf.for that is reached iterates.
func guardLoops(s *state, _ *diag.List) {
	if s.opts.deviate == noGuard {
		return
	}
	// Outer loops first: the guard of an outer loop proves inner ones.
	var visit func(b *ir.Block)
	visit = func(b *ir.Block) {
		rebuild(b, func(op *ir.Operation, emit func(*ir.Operation)) {
			if op.Name == "scf.for" && !runsAtLeastOnce(op, b) {
				guard(op, emit)
			} else {
				emit(op)
			}
			for _, r := range op.Regions {
				for _, inner := range r.Blocks {
					visit(inner)
				}
			}
		})
	}
	visit(s.fn.Regions[0].Entry())
}

// guard emits the comparison and the branch around a loop.
func guard(loop *ir.Operation, emit func(*ir.Operation)) {
	cmp := ir.NewOp("arith.cmpi", loop.Pos, []*ir.Value{loop.Operand(0), loop.Operand(1)}, []ir.Type{ir.I1})
	// The guard asks what the loop's own first test asks.
	_, cond := loopKind(loop)
	predicate := map[string]int64{"!=": 1, "<": 2, "<=": 3, ">": 4, ">=": 5}[cond]
	cmp.SetAttr("predicate", ir.IntAttr(predicate, ir.I64))
	cmp.Result(0).Name = "runs"
	emit(cmp)
	var types []ir.Type
	for _, r := range loop.Results() {
		types = append(types, r.Type)
	}
	branch := ir.NewOp("scf.if", loop.Pos, []*ir.Value{cmp.Result(0)}, types)
	then, other := branch.AddRegion(), branch.AddRegion()
	emit(branch)
	for i, r := range loop.Results() {
		branch.Result(i).Name = r.Name
		r.ReplaceAllUsesWith(branch.Result(i))
	}
	b := then.AddBlock()
	b.Append(loop)
	b.Append(ir.NewOp("scf.yield", loop.Pos, loop.Results(), nil))
	if len(types) > 0 {
		other.AddBlock().Append(ir.NewOp("scf.yield", loop.Pos, loop.Operands()[3:], nil))
	}
}

// runsAtLeastOnce proves lb < ub for a loop in block b.
func runsAtLeastOnce(loop *ir.Operation, b *ir.Block) bool {
	lb, ub := loop.Operand(0), loop.Operand(1)
	if _, cond := loopKind(loop); cond != "<" {
		return false
	}
	if below(lb, ub) {
		return true
	}
	// Facts that hold wherever b runs: conditions of enclosing branches and
	// bounds of enclosing loops.
	for b != nil && b.Parent != nil && b.Parent.Parent != nil {
		op := b.Parent.Parent
		switch op.Name {
		case "scf.if":
			taken := op.Regions[0] == b.Parent
			if implies(op.Operand(0), taken, lb, ub) {
				return true
			}
		case "scf.for":
			if _, cond := loopKind(op); cond != "<" {
				break
			}
			// The loop's first value and each later one passed the test: lb' < ub',
			// iv < ub'.
			if same(op.Operand(0), lb) && same(op.Operand(1), ub) {
				return true
			}
			if iv := op.Regions[0].Entry().Args[0]; lb == iv && same(op.Operand(1), ub) {
				return true
			}
		}
		b = op.Block()
	}
	return false
}

// implies reports whether the condition, known to be taken or not, says lb < ub.
func implies(cond *ir.Value, taken bool, lb, ub *ir.Value) bool {
	c := cond.Def
	if c == nil {
		return false
	}
	if c.Name == "arith.andi" && taken {
		return implies(c.Operand(0), true, lb, ub) || implies(c.Operand(1), true, lb, ub)
	}
	if c.Name != "arith.cmpi" {
		return false
	}
	pred, ok := c.IntAttr("predicate")
	if !ok {
		return false
	}
	x, y := c.Operand(0), c.Operand(1)
	// Signed predicates of arith.cmpi: slt 2, sle 3, sgt 4, sge 5.
	switch {
	case taken && pred == 2, !taken && pred == 5:
	case taken && pred == 4, !taken && pred == 3:
		x, y = y, x
	default:
		return false
	}
	// x < y is known; lb <= x and y <= ub suffices.
	return atMost(lb, x) && atMost(y, ub)
}

// atMost proves a <= b from identity or constants.
func atMost(a, b *ir.Value) bool {
	if same(a, b) {
		return true
	}
	return highest(a) <= lowest(b) && highest(a) != math.MaxInt64
}

// below proves a < b from the ranges of the two values.
func below(a, b *ir.Value) bool {
	ha, lb := highest(a), lowest(b)
	return ha != math.MaxInt64 && lb != math.MinInt64 && ha < lb
}

// same reports whether two values are always equal: identical or equal
// constants of one type.
func same(a, b *ir.Value) bool {
	if a == b {
		return true
	}
	x, okX := constantOf(a)
	y, okY := constantOf(b)
	return okX && okY && x == y && a.Type == b.Type
}

// lowest is a lower bound of a signed value, math.MinInt64 when nothing is
// known. The induction variable of a loop is at least its lower bound.
func lowest(v *ir.Value) int64 {
	if c, ok := constantOf(v); ok {
		return c
	}
	if loop := loopOf(v); loop != nil {
		return lowest(loop.Operand(0))
	}
	return math.MinInt64
}

// highest is an upper bound of a signed value, math.MaxInt64 when nothing is
// known. The induction variable of a loop is below its upper bound.
func highest(v *ir.Value) int64 {
	if c, ok := constantOf(v); ok {
		return c
	}
	if loop := loopOf(v); loop != nil {
		if h := highest(loop.Operand(1)); h != math.MaxInt64 && h != math.MinInt64 {
			return h - 1
		}
	}
	return math.MaxInt64
}

// loopOf returns the scf.for whose induction variable v is, or nil.
func loopOf(v *ir.Value) *ir.Operation {
	if v.Block == nil || v.Index != 0 {
		return nil
	}
	if op := v.Block.ParentOp(); op != nil && op.Name == "scf.for" && isPlain(op) {
		return op
	}
	return nil
}
