package lift

import (
	"strings"

	"loom/compiler/diag"
	"loom/compiler/frontend/llvm"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
)

// checkForm finds the function, reports what is no function of the llvm dialect and
// gives successors their operands.
func (r *lifter) checkForm() {
	for _, op := range r.module.Regions[0].Entry().Ops {
		if op.Name == opname.LLVMFunc && len(op.Regions) == 1 && op.Regions[0].Entry() != nil {
			if r.fn != nil {
				r.errs.Errorf(op.Pos, "the module has several functions").Severity = diag.Internal
				return
			}
			r.fn = op
		}
	}
	if r.fn == nil {
		r.errs.Errorf(r.module.Pos, "there is no function to lift")
		return
	}
	region := r.fn.Regions[0]
	// Missing operands are reported before any pass reads them.
	for _, b := range region.Blocks {
		for _, op := range b.Ops {
			for _, v := range op.Operands() {
				if v == nil {
					r.errorf(op.Pos, "an operand of '%s' is missing", op.Name)
					return
				}
			}
			if n, known := operandCount(op.Name); known && (op.NumOperands() != n || op.NumResults() != map[bool]int{true: 1}[op.Name != opname.LLVMStore]) {
				r.errorf(op.Pos, "'%s' has %d operands and %d results, which it cannot have", op.Name, op.NumOperands(), op.NumResults())
				return
			}
		}
	}
	for _, b := range region.Blocks {
		t := b.Terminator()
		if t == nil || !llvm.IsTerminator(t) {
			r.errorf(r.fn.Pos, "a block of the function has no terminator that is known")
			return
		}
		for i, op := range b.Ops {
			for _, v := range op.Results() {
				if v.Type == ir.Type(ir.Index) && strings.HasPrefix(op.Name, "llvm.") {
					r.errorf(op.Pos, "'%s' has a result of type index, which it cannot have", op.Name)
					return
				}
			}
			if !fitting(op) {
				r.errorf(op.Pos, "'%s' has operands or results of types that it cannot have", op.Name)
				return
			}
			if i < len(b.Ops)-1 && (llvm.IsTerminator(op) || len(op.Succs) > 0) {
				r.errorf(op.Pos, "'%s' does not end its block", op.Name)
				return
			}
		}
		if !countSuccessors(t) {
			r.errorf(t.Pos, "a branch does not fit the blocks it names")
			return
		}
		for i, s := range t.Succs {
			for k, v := range t.Passed(i) {
				if v.Type != s.Block.Args[k].Type || s.Block == region.Blocks[0] {
					r.errorf(t.Pos, "a branch does not fit the blocks it names")
					return
				}
			}
		}
	}
}

// noteVariables notes the names of variables. Where a variable lives is more useful than
// where its address is passed to, as "this" is.
func (r *lifter) noteVariables() {
	for _, name := range []string{opname.LLVMIntrDbgDeclare, opname.LLVMIntrDbgValue} {
		for _, b := range r.order {
			for _, op := range b.Ops {
				if op.Name == name {
					r.noteVariable(op)
				}
			}
		}
	}
}

// inheritPositions gives every operation a source position: where it has none, that of
// the one before it.
func (r *lifter) inheritPositions() {
	if _, ok := mlir.SourcePos(r.fn.Loc); !ok {
		return // there is no source
	}
	for _, b := range r.order {
		pos, loc := r.fn.Pos, mlir.FileLoc(r.fn.Pos)
		for _, op := range b.Ops {
			if _, ok := mlir.SourcePos(op.Loc); ok {
				pos, loc = op.Pos, op.Loc
			} else {
				op.Pos, op.Loc = pos, loc
			}
		}
	}
}

// dropUnused removes the operations whose results nothing reads, first of all the
// values of tables, which are in the function although only the tables use them.
func (r *lifter) dropUnused() {
	for i := len(r.order) - 1; i >= 0; i-- {
		b := r.order[i]
		for k := len(b.Ops) - 1; k >= 0; k-- {
			op := b.Ops[k]
			unused := op.NumResults() > 0 && !strings.Contains(op.Name, "call") && !strings.Contains(op.Name, "invoke") &&
				!strings.Contains(op.Name, "asm") && !strings.Contains(op.Name, "atomic") && !strings.Contains(op.Name, "cmpxchg")
			for _, v := range op.Results() {
				unused = unused && !v.HasUses()
			}
			if unused || op.Name == opname.LLVMIntrDbgValue || op.Name == opname.LLVMIntrDbgDeclare || op.Name == opname.LLVMIntrDbgLabel {
				op.Erase()
			}
		}
	}
}

// countSuccessors sets the operands that each successor receives: as many as its
// block takes, in order.
func countSuccessors(t *ir.Operation) bool {
	at := llvm.Own(t)
	for i := range t.Succs {
		t.Succs[i].First, t.Succs[i].Count = at, len(t.Succs[i].Block.Args)
		at += t.Succs[i].Count
	}
	want := map[string]int{opname.LLVMBr: 1, opname.LLVMCondBr: 2, opname.LLVMReturn: 0, opname.LLVMUnreachable: 0}
	if n, ok := want[t.Name]; ok && n != len(t.Succs) {
		return false
	}
	if t.Name == opname.LLVMSwitch && len(switchValues(t)) != len(t.Succs)-1 {
		return false
	}
	return at == t.NumOperands()
}

// switchValues are the cases of a switch, sign-extended.
func switchValues(t *ir.Operation) []int64 {
	d, ok := t.Attr("case_values").(*ir.DenseElementsAttr)
	if !ok {
		return nil
	}
	out := make([]int64, len(t.Succs)-1)
	for i := range out {
		k := i
		if d.Splat {
			k = 0
		}
		if k >= len(d.Values) {
			return nil
		}
		n, ok := d.Values[k].(*ir.IntegerAttr)
		if !ok {
			return nil
		}
		out[i] = n.Value
	}
	return out
}

// dropDeadEnds removes the branches into blocks from which the program can only go on
// to what it declares unreachable.
func (r *lifter) dropDeadEnds() {
	region := r.fn.Regions[0]
	dead := map[*ir.Block]bool{}
	for changed := true; changed; {
		changed = false
		for _, b := range region.Blocks {
			if dead[b] {
				continue
			}
			t := b.Terminator()
			is := t.Name == opname.LLVMUnreachable
			if len(t.Succs) > 0 {
				is = true
				for _, s := range t.Succs {
					is = is && dead[s.Block]
				}
			}
			if is {
				dead[b], changed = true, true
			}
		}
	}
	for _, b := range region.Blocks {
		t := b.Terminator()
		if dead[b] {
			continue
		}
		var alive []int
		for i, s := range t.Succs {
			if !dead[s.Block] {
				alive = append(alive, i)
			}
		}
		if len(alive) == len(t.Succs) {
			continue
		}
		r.keepSuccessors(b, t, alive)
	}
}

// keepSuccessors replaces a terminator by one with some of its successors.
func (r *lifter) keepSuccessors(b *ir.Block, t *ir.Operation, alive []int) {
	name := opname.LLVMBr
	var operands []*ir.Value
	var cases []int64
	if t.Name == opname.LLVMSwitch && len(alive) > 1 {
		name = opname.LLVMSwitch
		operands = append(operands, t.Operand(0))
		if alive[0] != 0 { // the default was removed: any case may replace it
			last := len(alive) - 1
			alive[0], alive[last] = alive[last], alive[0]
		}
		values := switchValues(t)
		for _, i := range alive[1:] {
			cases = append(cases, values[i-1])
		}
	}
	n := ir.NewOp(name, t.Pos, nil, nil)
	n.Loc = t.Loc
	for _, i := range alive {
		args := t.Passed(i)
		n.Succs = append(n.Succs, ir.Successor{Block: t.Succs[i].Block, First: len(operands), Count: len(args)})
		operands = append(operands, args...)
	}
	n.SetOperands(operands)
	if name == opname.LLVMSwitch {
		n.SetAttr("case_values", caseAttr(cases, t.Operand(0).Type))
	}
	if a := t.Attr("loop_annotation"); a != nil {
		n.SetAttr("loop_annotation", a)
	}
	t.Erase()
	b.Append(n)
}

func caseAttr(values []int64, t ir.Type) ir.Attr {
	d := &ir.DenseElementsAttr{Type: ir.Shaped("vector", []int64{int64(len(values))}, t)}
	same := true
	for _, v := range values {
		d.Values = append(d.Values, ir.IntAttr(v, t))
		same = same && v == values[0]
	}
	if same && len(values) > 0 {
		d.Values, d.Splat = d.Values[:1], true
	}
	return d
}

// reorder brings the blocks into reverse post-order and removes those that are never
// reached.
func (r *lifter) reorder() {
	region := r.fn.Regions[0]
	type visit struct {
		block *ir.Block
		next  int
	}
	entry := region.Entry()
	seen := map[*ir.Block]bool{entry: true}
	var post []*ir.Block
	for stack := []visit{{block: entry}}; len(stack) > 0; {
		v := &stack[len(stack)-1]
		// The last successor first: the first one then follows its branch.
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
	for _, b := range region.Blocks {
		if !seen[b] {
			for _, op := range b.Ops {
				op.SetOperands(nil)
			}
		}
	}
	r.order = r.order[:0]
	for i := len(post) - 1; i >= 0; i-- {
		r.order = append(r.order, post[i])
	}
	region.Blocks = append(region.Blocks[:0], r.order...)
}
