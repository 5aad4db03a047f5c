package narrow

import (
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// flow records how values are carried around: which values a result or an argument of a
// structured operation is one of.
type flow struct {
	// into are the operand slots whose values v may have; ofSlot is the reverse.
	into   map[*ir.Value][]ir.Use
	ofSlot map[ir.Use][]*ir.Value
	// order are all operations, outer before inner, in the order of the text.
	order []*ir.Operation
	entry *ir.Block
}

func readFlow(fn *ir.Operation) *flow {
	f := &flow{into: map[*ir.Value][]ir.Use{}, ofSlot: map[ir.Use][]*ir.Value{}, entry: fn.Regions[0].Entry()}
	fn.Walk(func(op *ir.Operation) bool {
		f.order = append(f.order, op)
		switch op.Name {
		case opname.SCFIf, opname.SCFIndexSwitch, opname.SCFExecuteRegion:
			for _, r := range op.Regions {
				if end := terminator(r, opname.SCFYield); end != nil {
					f.pass(end, 0, op.Results())
				}
			}
		case opname.SCFFor:
			end := terminator(op.Regions[0], opname.SCFYield)
			if end == nil || len(op.Regions[0].Entry().Args) == 0 {
				break
			}
			args := op.Regions[0].Entry().Args[1:]
			f.pass(op, 3, args)
			f.pass(op, 3, op.Results())
			f.pass(end, 0, args)
			f.pass(end, 0, op.Results())
		case opname.SCFWhile:
			if len(op.Regions) != 2 {
				break
			}
			cond, end := terminator(op.Regions[0], opname.SCFCondition), terminator(op.Regions[1], opname.SCFYield)
			if cond == nil || end == nil {
				break
			}
			before, after := op.Regions[0].Entry().Args, op.Regions[1].Entry().Args
			f.pass(op, 0, before)
			f.pass(end, 0, before)
			f.pass(cond, 1, after)
			f.pass(cond, 1, op.Results())
		}
		return true
	})
	return f
}

func terminator(r *ir.Region, name string) *ir.Operation {
	if r.Entry() == nil || len(r.Blocks) != 1 {
		return nil
	}
	if t := r.Entry().Terminator(); t != nil && t.Name == name {
		return t
	}
	return nil
}

// pass notes that operands of op, from the one at first on, become the values to.
func (f *flow) pass(op *ir.Operation, first int, to []*ir.Value) {
	for i, v := range to {
		if first+i >= op.NumOperands() {
			return
		}
		slot := ir.Use{Op: op, Index: first + i}
		f.into[v] = append(f.into[v], slot)
		f.ofSlot[slot] = append(f.ofSlot[slot], v)
	}
}

// carried reports whether v is a result or argument that only carries values.
func (f *flow) carried(v *ir.Value) bool { return len(f.into[v]) > 0 }

// inductionOf is the loop whose induction variable v is, nil for none.
func inductionOf(v *ir.Value) *ir.Operation {
	if v.Def != nil || v.Index != 0 || v.Block == nil {
		return nil
	}
	if p := v.Block.ParentOp(); p != nil && p.Name == opname.SCFFor {
		return p
	}
	return nil
}

// home is the block in which v is defined.
func home(v *ir.Value) *ir.Block {
	if v.Def != nil {
		return v.Def.Block()
	}
	return v.Block
}
