package normalise

import (
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// inlineAll replaces every call in the kernel by the body of the called function,
// callees first, so that each body is complete when it is copied. There is no
// recursion: check has reported it.
func (m *module) inlineAll(kernel *function) {
	order := m.reachable(kernel)
	for i := len(order) - 1; i >= 0; i-- {
		var calls []*ir.Operation
		order[i].op.Walk(func(o *ir.Operation) bool {
			if m.byName[callee(o)] != nil {
				calls = append(calls, o)
			}
			return true
		})
		for _, c := range calls {
			m.inline(order[i], c, m.byName[callee(c)])
		}
	}
}

// inline splices a copy of g's body into f instead of the call.
func (m *module) inline(f *function, call *ir.Operation, g *function) {
	values := map[*ir.Value]*ir.Value{}
	body := g.op.Clone(values).Regions[0]
	entry := body.Entry()
	before := call.Block()
	after := splitBefore(call)
	for _, r := range call.Results() {
		arg := after.AddArg(r.Type, r.Name, call.Pos)
		r.ReplaceAllUsesWith(arg)
	}
	for i, a := range entry.Args {
		v := call.Operand(i)
		if byVal(g.op, i) {
			v = m.copyOf(f, call, v, g.op, i, before)
		}
		a.ReplaceAllUsesWith(v)
	}
	pos, loc := call.Pos, call.Loc
	if !inSource(g.op) { // a function of the library
		for _, b := range body.Blocks {
			for _, o := range b.Ops {
				o.Pos, o.Loc = pos, loc
			}
		}
	}
	call.Erase()
	rest := append([]*ir.Block(nil), body.Blocks[1:]...)
	insertBlocks(before, rest...)
	move(before, entry.Ops)
	start := f.op.Regions[0].Entry()
	for _, b := range append([]*ir.Block{before}, rest...) {
		t := b.Terminator()
		if t != nil && t.Name == opname.LLVMReturn {
			args := append([]*ir.Value(nil), t.Operands()...)
			t.Erase()
			branch(b, after, pos, loc, args...)
		}
	}
	hoistAllocas(start, append([]*ir.Block{before}, rest...))
}

// move appends operations of another block.
func move(to *ir.Block, ops []*ir.Operation) {
	ops = append([]*ir.Operation(nil), ops...)
	for i := len(ops) - 1; i >= 0; i-- {
		ops[i].Unlink()
	}
	for _, o := range ops {
		to.Append(o)
	}
}

// hoistAllocas moves local variables of constant size to the function's entry: a
// helper's variable exists once, however often the helper runs.
func hoistAllocas(entry *ir.Block, blocks []*ir.Block) {
	for _, b := range blocks {
		if b == entry {
			continue
		}
		for _, o := range append([]*ir.Operation(nil), b.Ops...) {
			if o.Name != opname.LLVMAlloca {
				continue
			}
			size := o.Operand(0).Def
			if size == nil || size.Name != opname.LLVMMlirConstant {
				continue
			}
			c := size.Clone(map[*ir.Value]*ir.Value{})
			o.Unlink()
			entry.InsertBefore(entry.Ops[0], o)
			entry.InsertBefore(o, c)
			o.SetOperand(0, c.Result(0))
		}
	}
}

// byVal reports whether parameter i is a struct passed as a hidden copy.
func byVal(f *ir.Operation, i int) bool { return byValType(f, i) != nil }

// byValType is the struct type of such a parameter, nil for any other.
func byValType(f *ir.Operation, i int) ir.Type {
	attrs, ok := f.Attr("arg_attrs").(*ir.ArrayAttr)
	if !ok || i >= len(attrs.Elems) {
		return nil
	}
	d, ok := attrs.Elems[i].(*ir.DictAttr)
	if !ok {
		return nil
	}
	if t, ok := d.Entries.Get("llvm.byval").(*ir.TypeAttr); ok {
		return t.Type
	}
	return nil
}

// copyOf makes the copy of a struct that a callee may change without
// effect on the caller's.
func (m *module) copyOf(f *function, call *ir.Operation, v *ir.Value, g *ir.Operation, i int, at *ir.Block) *ir.Value {
	entry := f.op.Regions[0].Entry()
	t := byValType(g, i)
	ptr := ir.Opaque("!llvm.ptr")
	b := builder{block: at, pos: call.Pos, loc: call.Loc}
	one := constOp(ir.Int(32), 1, call)
	local := b.make(opname.LLVMAlloca, []*ir.Value{one.Result(0)}, ptr)
	local.SetAttr("elem_type", &ir.TypeAttr{Type: t})
	local.SetAttr("alignment", &ir.IntegerAttr{Value: 8, Type: ir.Int(64)})
	entry.InsertBefore(entry.Ops[0], local)
	entry.InsertBefore(local, one)
	// Loads and stores, or a loop, replace it later.
	copied := b.make(opname.LLVMIntrMemCpy, []*ir.Value{local.Result(0), v, b.constant(ir.Int(64), sizeOf(t))})
	copied.SetAttr("isVolatile", &ir.IntegerAttr{Value: 0, Type: ir.I1})
	b.insert(copied)
	return local.Result(0)
}
