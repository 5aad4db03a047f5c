package lift

import (
	"slices"

	"loom/compiler/frontend/llvm"
	"loom/compiler/ir"
)

// clean removes what nothing reads, and the blocks that are never reached.
func (e *emitter) clean() {
	e.reorder()
	live := map[*ir.Value]bool{}
	var work []*ir.Value
	need := func(v *ir.Value) {
		if v != nil && !live[v] {
			live[v] = true
			work = append(work, v)
		}
	}
	edges := ir.Edges(e.region.Blocks)
	needed := map[*ir.Operation]bool{}
	for _, b := range e.region.Blocks {
		for _, op := range b.Ops {
			if pure(op) {
				continue
			}
			needed[op] = true
			n := op.NumOperands()
			if len(op.Succs) > 0 {
				n = op.Succs[0].First
			}
			for _, v := range op.Operands()[:n] {
				need(v)
			}
		}
	}
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		if v.Def == nil {
			for _, in := range edges[v.Block] {
				need(in.Passed()[v.Index])
			}
			continue
		}
		if !needed[v.Def] {
			needed[v.Def] = true
			for _, w := range v.Def.Operands() {
				need(w)
			}
		}
	}
	for i, b := range e.region.Blocks {
		if i == 0 {
			continue
		}
		for k := len(b.Args) - 1; k >= 0; k-- {
			if !live[b.Args[k]] {
				cutArg(b, k, edges[b])
			}
		}
	}
	for _, b := range e.region.Blocks {
		kept := b.Ops[:0]
		for _, op := range b.Ops {
			if needed[op] {
				kept = append(kept, op)
			} else {
				op.SetOperands(nil)
			}
		}
		b.Ops = kept
	}
	for _, b := range e.region.Blocks {
		t := b.Terminator()
		if len(t.Succs) == 0 {
			continue
		}
		counts := make([]int64, len(t.Succs))
		for i, x := range t.Succs {
			counts[i] = int64(x.Count)
		}
		llvm.SetSegments(t, counts)
	}
}

// pure reports whether an operation may be removed when it is unused. A division by zero
// whose result is unused has no meaning to keep.
func pure(op *ir.Operation) bool {
	if len(op.Succs) > 0 || op.NumResults() == 0 {
		return false
	}
	return true
}

// cutArg removes an argument of a block and what is passed for it.
func cutArg(b *ir.Block, k int, in []ir.Edge) {
	for _, x := range in {
		at := x.From.Succs[x.Succ].First + k
		operands := slices.Delete(slices.Clone(x.From.Operands()), at, at+1)
		x.From.SetOperands(operands)
		x.From.Succs[x.Succ].Count--
		for i := range x.From.Succs {
			if i != x.Succ && x.From.Succs[i].First > at {
				x.From.Succs[i].First--
			}
		}
	}
	b.Args = slices.Delete(b.Args, k, k+1)
	for i, a := range b.Args {
		a.Index = i
	}
}

// reorder brings the blocks into reverse post-order.
func (e *emitter) reorder() {
	type visit struct {
		block *ir.Block
		next  int
	}
	seen := map[*ir.Block]bool{e.entry: true}
	var post []*ir.Block
	for stack := []visit{{block: e.entry}}; len(stack) > 0; {
		v := &stack[len(stack)-1]
		if succs := v.block.Terminator().Succs; v.next < len(succs) {
			s := succs[len(succs)-1-v.next].Block
			v.next++
			if !seen[s] {
				seen[s] = true
				stack = append(stack, visit{block: s})
			}
			continue
		}
		post = append(post, v.block)
		stack = stack[:len(stack)-1]
	}
	for _, b := range e.region.Blocks {
		if !seen[b] {
			for _, op := range b.Ops {
				op.SetOperands(nil)
			}
		}
	}
	slices.Reverse(post)
	e.region.Blocks = post
}
