package lower

import (
	"loom/compiler/analysis/loops"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/num"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

const (
	// MaxUnroll bounds Options.Unroll.
	MaxUnroll = 4
	// maxIterations is the number of iterations up to which a loop is written out, and maxWritten the number of operations
	// that it may become: the largest shipped fabric has 256 PEs.
	maxIterations = 16
	maxWritten    = 256
)

// unrollLoops writes innermost loops out whose few iterations are known, where another loop is around them, which then is the innermost one:
// what an iteration of that one carries on does not wait for a loop to end.
//
//	for %k = 0 to 3 iter_args(%s = %init) { %t = f(%k, %s); yield %t }   =>   f(2, f(1, f(0, %init)))
//
// Options.Unroll times; what a level has made constant is known in the next one.
func unrollLoops(s *state, _ *diag.List) {
	for range s.opts.Unroll {
		var inner []*ir.Operation
		s.fn.Walk(func(op *ir.Operation) bool {
			if op.Name == opname.SCFFor && innermost(op) && loopAround(op) != nil {
				inner = append(inner, op)
			}
			return true
		})
		changed := false
		for _, loop := range inner {
			if values := fewIterations(loop); values != nil && operations(loop)*len(values) <= maxWritten && !reserves(loop) && !fences(loop) {
				if s.opts.deviate == unrollLast {
					values = values[:len(values)-1]
				}
				writeOut(loop, values)
				changed = true
			}
		}
		if !changed {
			return
		}
		canonicalise(s, nil)
	}
}

func isLoop(op *ir.Operation) bool { return op.Name == opname.SCFFor || op.Name == opname.SCFWhile }

// innermost reports whether a loop has no loop inside.
func innermost(loop *ir.Operation) bool {
	inner := true
	loop.Walk(func(op *ir.Operation) bool {
		inner = inner && (op == loop || !isLoop(op))
		return inner
	})
	return inner
}

// operations is the number of operations in a loop that become units.
func operations(loop *ir.Operation) int {
	n := 0
	loop.Walk(func(op *ir.Operation) bool {
		if op != loop && !op.IsConstant() && op.Name != opname.SCFYield {
			n++
		}
		return true
	})
	return n
}

// reserves reports whether a loop has memories of its own: each iteration would have another one.
func reserves(loop *ir.Operation) (found bool) {
	loop.Walk(func(op *ir.Operation) bool {
		found = found || op.Name == opname.MemRefAlloc || op.Name == opname.MemRefAlloca
		return !found
	})
	return found
}

// fewIterations are the values of a loop's counter if they are known, at least one and at most maxIterations, else nil.
func fewIterations(loop *ir.Operation) []int64 {
	at, ok1 := loop.Operand(0).ConstantInt()
	ub, ok2 := loop.Operand(1).ConstantInt()
	step, ok3 := loop.Operand(2).ConstantInt()
	kind, cond := loops.Kind(loop)
	p, ok4 := loops.Test(cond)
	const small = 1 << 30 // no sum or product wraps
	within := func(v int64) bool { return v > -small && v < small }
	if !ok1 || !ok2 || !ok3 || !ok4 || !within(at) || !within(ub) || !within(step) {
		return nil
	}
	var values []int64
	for holds := num.CompareInt(int64(p), 64); holds(uint64(at), uint64(ub)) != 0; {
		if len(values) == maxIterations || loop.Attr(loops.UnsignedAttr) != nil && (at < 0 || ub < 0) {
			return nil
		}
		values = append(values, at)
		switch kind {
		case "+=":
			at += step
		case "-=":
			at -= step
		case "*=":
			at *= step
		default:
			return nil
		}
		if !within(at) {
			return nil
		}
	}
	return values
}

// writeOut replaces a loop by its body for each value of the counter.
func writeOut(loop *ir.Operation, values []int64) {
	block, body := loop.Block(), loop.Regions[0].Entry()
	carried := loop.Operands()[3:]
	for _, v := range values {
		counter := rewrite.Constant(loop.Pos, v, body.Args[0].Type)
		block.InsertBefore(loop, counter)
		copies := map[*ir.Value]*ir.Value{body.Args[0]: counter.Result(0)}
		for i, w := range carried {
			copies[body.Args[1+i]] = w
		}
		for _, op := range body.Ops[:len(body.Ops)-1] {
			block.InsertBefore(loop, op.Clone(copies))
		}
		next := make([]*ir.Value, len(carried))
		for i, w := range body.Terminator().Operands() {
			next[i] = w
			if c := copies[w]; c != nil {
				next[i] = c
			}
		}
		carried = next
	}
	for i, r := range loop.Results() {
		r.ReplaceAllUsesWith(carried[i])
	}
	rewrite.Drop(loop)
	loop.Unlink()
}
