package normalise

import (
	"loom/compiler/diag"
	"loom/compiler/frontend/llvm"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// Branches of the llvm dialect keep the operands for all targets in one list, with
// segment sizes as attributes. Here they are seen target by target.

// targets returns the operands that a branch passes to each of its successors.
func targets(br *ir.Operation) [][]*ir.Value {
	out := make([][]*ir.Value, len(br.Succs))
	rest := br.Operands()[min(llvm.Own(br), br.NumOperands()):]
	take := func(i int, n int64) {
		k := min(max(int(n), 0), len(rest))
		out[i], rest = rest[:k:k], rest[k:]
	}
	switch {
	case len(br.Succs) == 0:
	case br.Name == opname.LLVMCondBr:
		s := segments(br, "operandSegmentSizes")
		take(0, at(s, 1))
		take(1, at(s, 2))
	case br.Name == opname.LLVMSwitch:
		s := segments(br, "operandSegmentSizes")
		take(0, at(s, 1))
		cases := segments(br, "case_operand_segments")
		for i := 1; i < len(br.Succs); i++ {
			take(i, at(cases, i-1))
		}
	case len(br.Succs) == 1:
		out[0] = rest
	}
	return out
}

func segments(op *ir.Operation, name string) []int64 {
	if a, ok := op.Attr(name).(*ir.DenseArrayAttr); ok {
		return a.Values
	}
	return nil
}

func at(s []int64, i int) int64 {
	if i < len(s) {
		return s[i]
	}
	return 0
}

// dropUnreachable erases the blocks that no path from the entry reaches.
func dropUnreachable(f *ir.Operation) {
	r := f.Regions[0]
	seen := map[*ir.Block]bool{}
	work := []*ir.Block{r.Entry()}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if seen[b] {
			continue
		}
		seen[b] = true
		if t := b.Terminator(); t != nil {
			for _, s := range t.Succs {
				work = append(work, s.Block)
			}
		}
	}
	var keep, dead []*ir.Block
	for _, b := range r.Blocks {
		if seen[b] {
			keep = append(keep, b)
		} else {
			dead = append(dead, b)
		}
	}
	// Dead blocks may use each other's values: all operands go first.
	for _, b := range dead {
		for _, o := range b.Ops {
			o.SetOperands(nil)
		}
	}
	for _, b := range dead {
		for len(b.Ops) > 0 {
			b.Ops[len(b.Ops)-1].Erase()
		}
	}
	r.Blocks = keep
}

// splitBefore moves op and what follows it in its block into a new block behind it.
func splitBefore(op *ir.Operation) *ir.Block {
	b := op.Block()
	after := &ir.Block{Parent: b.Parent}
	insertBlocks(b, after)
	at := 0
	for b.Ops[at] != op {
		at++
	}
	moved := append([]*ir.Operation(nil), b.Ops[at:]...)
	for i := len(moved) - 1; i >= 0; i-- {
		moved[i].Unlink()
	}
	for _, o := range moved {
		after.Append(o)
	}
	return after
}

// insertBlocks puts blocks behind another in its region.
func insertBlocks(behind *ir.Block, blocks ...*ir.Block) {
	r := behind.Parent
	for i, b := range r.Blocks {
		if b == behind {
			r.Blocks = append(r.Blocks[:i+1:i+1], append(append([]*ir.Block(nil), blocks...), r.Blocks[i+1:]...)...)
			break
		}
	}
	for _, b := range blocks {
		b.Parent = r
	}
}

// branch appends an unconditional branch.
func branch(from, to *ir.Block, pos diag.Pos, loc string, args ...*ir.Value) {
	br := ir.NewOp(opname.LLVMBr, pos, args, nil)
	br.Loc = loc
	br.Succs = []ir.Successor{{Block: to}}
	from.Append(br)
}

// mergeBlocks joins each block with the only one that leads to it, where nothing is
// decided in between: inlining leaves many such pairs.
func mergeBlocks(f *ir.Operation) {
	r := f.Regions[0]
	preds := ir.Edges(r.Blocks)
	gone := map[*ir.Block]bool{}
	for _, b := range r.Blocks {
		for !gone[b] {
			t := b.Terminator()
			if t == nil || t.Name != opname.LLVMBr {
				break
			}
			next := t.Succs[0].Block
			if next == b || next == r.Entry() || len(preds[next]) != 1 {
				break
			}
			args := append([]*ir.Value(nil), t.Operands()...)
			t.Erase()
			for i, a := range next.Args {
				a.ReplaceAllUsesWith(args[i])
			}
			next.Args = nil
			move(b, next.Ops)
			gone[next] = true
		}
	}
	var keep []*ir.Block
	for _, b := range r.Blocks {
		if !gone[b] {
			keep = append(keep, b)
		}
	}
	r.Blocks = keep
}
