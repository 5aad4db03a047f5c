package lift

import (
	"loom/compiler/frontend/llvm"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
)

// emit builds the new function in a module of its own.
func (r *lifter) emit() {
	r.out = ir.NewOp(opname.BuiltinModule, r.module.Pos, nil, nil)
	top := r.out.AddRegion().AddBlock()
	fn := ir.NewOp(opname.FuncFunc, r.fn.Pos, nil, nil)
	fn.Loc = mlir.FileLoc(r.fn.Pos)
	fn.SetAttr("sym_name", ir.StrAttr(r.fn.SymName()))
	e := &emitter{
		r: r, region: fn.AddRegion(),
		vals: map[*ir.Value]*ir.Value{}, sels: map[*ir.Value]*ir.Value{}, diffs: map[*ir.Value]sum{},
		blocks: map[*ir.Block]*ir.Block{}, consts: map[string]*ir.Value{}, casts: map[cast]*ir.Value{}, isOf: map[chosen]*ir.Value{},
		bits: map[*ir.Value][]bits{}, byOp: map[*ir.Operation]*access{},
	}
	r.em = e
	for _, a := range r.accesses {
		e.byOp[a.op] = a
	}
	e.entry = e.region.AddBlock()
	e.parameters(top)
	e.blocks[r.order[0]] = e.entry
	var heads []*ir.Block
	for i, b := range r.order {
		if i > 0 {
			e.blockArgs(b)
		}
		heads = append(heads, e.blocks[b])
	}
	for i, b := range r.order {
		e.start(heads[i])
		if i > 0 {
			e.region.Blocks = append(e.region.Blocks, heads[i])
		}
		for _, op := range b.Ops {
			e.in(op)
			e.operation(op)
		}
	}
	top.Append(fn)
}

// blockArgs makes the block that replaces b, with its arguments.
func (e *emitter) blockArgs(b *ir.Block) {
	n := &ir.Block{Parent: e.region}
	e.blocks[b] = n
	for _, a := range b.Args {
		name, pos := e.r.varNames[a], e.r.position(a.Loc)
		if !isPtr(a) {
			t := a.Type
			if !numberType(t) {
				e.r.errorf(pos, "a value has type %s, which hardware does not have", t)
				t = ir.I32
			}
			e.vals[a] = n.AddArg(t, name, pos)
			continue
		}
		if e.r.units[a] != 0 {
			e.vals[a] = n.AddArg(ir.Index, name, pos)
		} else {
			e.vals[a] = e.index(0)
		}
		if e.r.ptrs[a].sel != nil {
			sel := name
			if sel != "" {
				sel += ".root"
			}
			e.sels[a] = n.AddArg(ir.Index, sel, pos)
		}
	}
}

// value is the scalar that a value of the old function became.
func (e *emitter) value(v *ir.Value) *ir.Value {
	if n := e.vals[v]; n != nil {
		return n
	}
	t := v.Type
	if isPtr(v) || !numberType(t) {
		e.r.errorf(e.pos, "a value of type %s is used as a number", t)
		return e.index(0)
	}
	if v.Def != nil {
		switch v.Def.Name {
		case opname.LLVMMlirConstant, opname.ArithConstant:
			return e.literal(v)
		case opname.LLVMMlirUndef, opname.LLVMMlirPoison, opname.LLVMMlirZero, opname.UBPoison:
			return e.zero(t)
		case opname.LLVMPtrToInt, opname.LLVMAdd, opname.LLVMSub:
			e.r.errorf(e.pos, "the address of memory is used as a number: hardware has no addresses").
				WithHelp("compare or subtract pointers into one array; nothing else can be done with them")
			return e.zero(t)
		}
	}
	return e.zero(t) // its operation has been reported
}

// literal is a constant.
func (e *emitter) literal(v *ir.Value) *ir.Value {
	switch a := v.Def.Attr("value").(type) {
	case *ir.IntegerAttr:
		if ir.IsInt(v.Type) {
			return e.integer(a.Value, v.Type)
		}
	case *ir.FloatAttr:
		if ir.IsFloat(v.Type) {
			return e.constant(&ir.FloatAttr{Value: a.Value, Text: a.Text, Type: v.Type}, v.Type)
		}
	}
	e.r.errorf(e.pos, "a constant of type %s is no number", v.Type)
	return e.zero(v.Type)
}

// operation lifts one operation.
func (e *emitter) operation(op *ir.Operation) {
	switch op.Name {
	case opname.LLVMMlirConstant, opname.LLVMMlirUndef, opname.LLVMMlirPoison, opname.LLVMMlirZero, opname.ArithConstant, opname.UBPoison,
		opname.LLVMMlirAddressOf, opname.LLVMAlloca, opname.LLVMGetElementPtr, opname.LLVMPtrToInt,
		opname.LLVMIntrDbgValue, opname.LLVMIntrDbgDeclare, opname.LLVMIntrDbgLabel,
		opname.LLVMIntrLifetimeStart, opname.LLVMIntrLifetimeEnd, opname.LLVMIntrAssume, opname.LLVMIntrExperimentalNoaliasScopeDecl:
		return
	case opname.LLVMLoad:
		e.load(op)
		return
	case opname.LLVMStore:
		e.store(op)
		return
	case opname.LLVMFence:
		fence := e.raw(opname.LLVMFence, nil)
		fence.SetAttr("ordering", op.Attr("ordering"))
		if scope := op.Attr("syncscope"); scope != nil {
			fence.SetAttr("syncscope", scope)
		}
		return
	}
	if llvm.IsTerminator(op) {
		e.terminator(op)
		return
	}
	if e.address(op) || e.scalar(op) {
		return
	}
	for _, t := range op.Results() {
		if !numberType(t.Type) && !isPtr(t) {
			e.r.errorf(op.Pos, "a value has type %s, which hardware does not have", t.Type).
				WithHelp("use integers of up to 64 bits, float or double")
			return
		}
	}
	e.r.errorf(op.Pos, "the operation '%s' cannot be accelerated", op.Name)
}

// terminator lifts a branch or return.
func (e *emitter) terminator(op *ir.Operation) {
	accel := e.r.opts.Debug.Accel(op.Attr("loop_annotation"))
	var made *ir.Operation
	switch op.Name {
	case opname.LLVMBr:
		made = e.br(e.blocks[op.Succs[0].Block], e.forward(op, 0))
	case opname.LLVMCondBr:
		a, b := e.blocks[op.Succs[0].Block], e.blocks[op.Succs[1].Block]
		made = e.condBr(e.value(op.Operand(0)), a, e.forward(op, 0), b, e.forward(op, 1))
	case opname.LLVMSwitch:
		made = e.switchOp(op)
	case opname.LLVMReturn:
		var out []*ir.Value
		for _, v := range op.Operands() {
			out = append(out, e.value(v))
		}
		made = e.raw(opname.FuncReturn, out)
	default: // unreachable, in the entry: any result will do
		var out []*ir.Value
		if p := e.r.sig.result; p != nil {
			for _, f := range p.fields {
				out = append(out, e.zero(f.typ))
			}
		}
		made = e.raw(opname.FuncReturn, out)
	}
	if accel && made != nil {
		made.SetAttr(Accel, &ir.UnitAttr{})
	}
}

// forward computes what successor i receives.
func (e *emitter) forward(op *ir.Operation, i int) []*ir.Value {
	var out []*ir.Value
	args := op.Succs[i].Block.Args
	for k, v := range op.Passed(i) {
		a := args[k]
		if !isPtr(a) {
			out = append(out, e.value(v))
			continue
		}
		p := e.r.at(v)
		if u := e.r.units[a]; u != 0 {
			l := p.lin
			if onlyNull(p) {
				l = sum{}
			}
			out = append(out, e.sum(l, u))
		}
		if e.r.ptrs[a].sel != nil {
			out = append(out, e.selector(p))
		}
	}
	return out
}

func (e *emitter) br(to *ir.Block, args []*ir.Value) *ir.Operation {
	o := e.raw(opname.CFBr, args)
	o.Succs = []ir.Successor{{Block: to, Count: len(args)}}
	return o
}

func (e *emitter) condBr(c *ir.Value, a *ir.Block, as []*ir.Value, b *ir.Block, bs []*ir.Value) *ir.Operation {
	if n, ok := c.ConstantInt(); ok {
		if n != 0 {
			return e.br(a, as)
		}
		return e.br(b, bs)
	}
	o := e.raw(opname.CFCondBr, append(append([]*ir.Value{c}, as...), bs...))
	o.Succs = []ir.Successor{{Block: a, First: 1, Count: len(as)}, {Block: b, First: 1 + len(as), Count: len(bs)}}
	return o
}

func (e *emitter) switchOp(op *ir.Operation) *ir.Operation {
	values := switchValues(op)
	if len(values) == 0 {
		return e.br(e.blocks[op.Succs[0].Block], e.forward(op, 0))
	}
	operands := []*ir.Value{e.value(op.Operand(0))}
	var succs []ir.Successor
	for i, s := range op.Succs {
		args := e.forward(op, i)
		succs = append(succs, ir.Successor{Block: e.blocks[s.Block], First: len(operands), Count: len(args)})
		operands = append(operands, args...)
	}
	o := e.raw(opname.CFSwitch, operands)
	o.Succs = succs
	o.SetAttr("case_values", caseAttr(values, operands[0].Type))
	return o
}
