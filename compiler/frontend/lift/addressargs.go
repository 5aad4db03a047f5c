package lift

import (
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// addressArguments makes pointers of the block arguments that are addresses as integers,
// from every predecessor: clang converts a pointer to an integer outside of a loop that
// takes its distance to others, and only as a pointer can it be followed.
func (r *lifter) addressArguments() {
	edges := ir.Edges(r.order)
	found := map[*ir.Value]bool{}
	for _, b := range r.order[1:] {
		for _, arg := range b.Args {
			if arg.Type == ir.Type(ir.I64) {
				found[arg] = true
			}
		}
	}
	isAddress := func(v *ir.Value) bool {
		return found[v] || v.Def != nil && v.Def.Name == opname.LLVMPtrToInt && v.Type == ir.Type(ir.I64) && v.Def.Operand(0).Type.String() == ptrType.String()
	}
	for changed := true; changed; {
		changed = false
		for _, b := range r.order[1:] {
			for k, arg := range b.Args {
				if !found[arg] {
					continue
				}
				for _, e := range edges[b] {
					if !isAddress(e.Passed()[k]) {
						delete(found, arg)
						changed = true
						break
					}
				}
			}
		}
	}
	for _, b := range r.order[1:] {
		for _, arg := range b.Args {
			if found[arg] {
				build := &llvmBuilder{block: b, before: b.Ops[0], pos: r.position(arg.Loc)}
				uses := append([]ir.Use(nil), arg.Uses()...)
				number := build.op(opname.LLVMPtrToInt, ir.I64, arg)
				for _, u := range uses {
					u.Op.SetOperand(u.Index, number)
				}
			}
		}
	}
	for _, b := range r.order[1:] {
		for k, arg := range b.Args {
			if found[arg] {
				arg.Type = ptrType
				for _, e := range edges[b] {
					e.From.SetOperand(e.From.Succs[e.Succ].First+k, e.Passed()[k].Def.Operand(0))
				}
			}
		}
	}
}
