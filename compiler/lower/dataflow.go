package lower

import (
	"loom/compiler/analysis/loops"
	"loom/compiler/cabi"
	"loom/compiler/diag"
	"loom/compiler/dialect/dataflow"
	"loom/compiler/dialect/llvm"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/sizes"
)

// toDataflow builds the handshake.func. Before: a structured function without
// calls, with one-dimensional accesses and loops that run. After: the same
// computation as a graph in which every region crossing is an operation of the
// token discipline; loads lack their data and control, stores their control
// (spec-dataflow-memory, "initial replacement").
func toDataflow(s *state, errs *diag.List) {
	entry := s.fn.Regions[0].Entry()
	ret := entry.Terminator()
	var ins, outs []ir.Type
	for _, a := range entry.Args {
		ins = append(ins, a.Type)
	}
	for _, v := range ret.Operands() {
		outs = append(outs, v.Type)
	}
	s.out = ir.NewOp(opname.BuiltinModule, s.src.Pos, nil, nil)
	s.dfg = s.out.AddRegion().AddBlock().Append(ir.NewOp(opname.HandshakeFunc, s.fn.Pos, nil, nil))
	s.dfg.SetAttr("sym_name", ir.StrAttr(s.sym))
	s.dfg.SetAttr("function_type", &ir.TypeAttr{Type: ir.Func(append(ins, ir.None), append(outs, ir.None))})
	s.body = s.dfg.AddRegion().AddBlock()

	for _, name := range []string{cabi.Attribute, cabi.MayAlias, cabi.ROM, sizes.Attribute} {
		// Parameters keep their positions, so their attributes stay valid.
		if a := s.fn.Attr(name); a != nil {
			s.dfg.SetAttr(name, a)
		}
	}

	names := newNames()
	s.root = &region{
		s: s, at: s.fn,
		vals: map[*ir.Value]*ir.Value{}, entered: map[*ir.Value]*ir.Value{}, consts: map[string]*ir.Value{},
		touches: map[*group]bool{},
	}
	var argNames, resNames []string
	for i, a := range entry.Args {
		name := names.unique(paramName(s.fn, i))
		argNames = append(argNames, name)
		v := s.body.AddArg(a.Type, name, a.Loc)
		if _, mem := a.Type.(*ir.MemRefType); mem {
			s.addMemory(&memory{root: a, arg: v, name: name})
			if !a.HasUses() {
				errs.Remarkf(a.Pos(), "memory %s is never accessed", name)
			}
			continue
		}
		s.root.vals[a] = v
	}
	start := names.unique("start")
	s.root.ctrl = s.body.AddArg(ir.None, start, s.fn.Pos)
	results := newNames()
	results.unique("done")
	for i := range outs {
		resNames = append(resNames, results.unique("out"+itoa(i)))
	}
	s.dfg.SetAttr("argNames", ir.StrArray(append(argNames, start)))
	s.dfg.SetAttr("resNames", ir.StrArray(append(resNames, "done")))

	s.root.lowerBlock(entry)
	for _, v := range ret.Operands() {
		s.results = append(s.results, s.root.lookup(v))
	}
}

// lowerBlock lowers the operations of a block in source order, leaving its
// terminator to the caller (spec-dataflow-compilation, "lower_region").
func (r *region) lowerBlock(b *ir.Block) {
	for _, op := range b.Ops {
		switch op.Name {
		case opname.ArithConstant:
			// Fired where it is used, by that region's control.
		case opname.SCFYield, opname.SCFCondition, opname.FuncReturn:
		case opname.SCFIf:
			r.lowerIf(op)
		case opname.SCFFor:
			r.lowerFor(op)
		case opname.SCFWhile:
			r.lowerWhile(op)
		case opname.MemRefLoad, opname.MemRefStore:
			r.lowerAccess(op)
		case opname.LLVMFence:
			if op.StrAttr("syncscope") != llvm.SingleThread {
				r.fence(op)
			}
		case opname.MemRefAlloc, opname.MemRefAlloca, opname.MemRefGetGlobal:
			r.s.addMemory(&memory{root: op.Result(0), name: op.Result(0).Name})
		case opname.MemRefCollapseShape, opname.MemRefExpandShape:
			// Views of a whole memory; accesses find the root through them.
		default:
			if op.Attr(partsAttr) != nil {
				continue // a part of a sum, which lowerFor makes
			}
			operands := make([]*ir.Value, op.NumOperands())
			for i, v := range op.Operands() {
				operands[i] = r.lookup(v)
			}
			types := make([]ir.Type, op.NumResults())
			for i, v := range op.Results() {
				types[i] = v.Type
			}
			n := r.s.emit(op.Name, op.Pos, operands, types...)
			n.Attrs = append(ir.NamedAttrs(nil), op.Attrs...)
			for i, v := range op.Results() {
				n.Result(i).Name = v.Name
				r.vals[v] = n.Result(i)
			}
		}
	}
}

// lowerIf branches what enters by the condition and merges what leaves
// (spec-dataflow-compilation, "lower_if"; design page "SCF to DFG", "Settled:
// live-ins of branches": every outer value a branch uses is gated).
func (r *region) lowerIf(op *ir.Operation) {
	cond := r.s.splitter(op, r.lookup(op.Operand(0)))
	node := &construct{op: op, cond: cond}
	r.items = append(r.items, item{nested: node})
	then := r.child(op, func(v *ir.Value) *ir.Value {
		yes, no := cond.of(v)
		return r.s.gated(v, yes, no)
	})
	other := r.child(op, func(v *ir.Value) *ir.Value {
		yes, no := cond.of(v)
		return r.s.gated(v, no, yes)
	})
	node.regions = []*region{then, other}
	var yields [2][]*ir.Value
	for i, q := range node.regions {
		if i >= len(op.Regions) || op.Regions[i].Entry() == nil {
			continue
		}
		b := op.Regions[i].Entry()
		q.lowerBlock(b)
		for j, v := range b.Terminator().Operands() {
			if op.Result(j).HasUses() {
				yields[i] = append(yields[i], q.lookup(v))
			} else {
				yields[i] = append(yields[i], nil)
			}
		}
	}
	for i, v := range op.Results() {
		if v.HasUses() {
			r.vals[v] = r.s.merge(op, cond.cond, yields[1][i], yields[0][i], v.Name)
		}
	}
}

// gated picks the side of a branch, unless a test breaks that rule.
func (s *state) gated(v, side, other *ir.Value) *ir.Value {
	switch s.opts.deviate {
	case noBranchGating:
		return v
	case branchSwapped:
		return other
	}
	return side
}

// merge is mux(cond, no, yes).
func (s *state) merge(at *ir.Operation, cond, no, yes *ir.Value, name string) *ir.Value {
	if s.opts.deviate == muxSwapped {
		no, yes = yes, no
	}
	m := s.emit(opname.HandshakeMux, at.Pos, []*ir.Value{cond, no, yes}, no.Type)
	m.Result(0).Name = name
	return m.Result(0)
}

// lowerFor lowers a counted loop that runs at least once
// (spec-dataflow-compilation, "lower_for"): stream and gate make the induction
// variable and the two conditions; live-ins are repeated by after_cond;
// iter_args are carried and split by the raw condition. A sum in parts (foldParts) is one
// operation, which has the raw condition and an element per iteration.
func (r *region) lowerFor(op *ir.Operation) {
	s := r.s
	body := op.Regions[0].Entry()
	iv := body.Args[0]
	lb, ub, step := r.lookup(op.Operand(0)), r.lookup(op.Operand(1)), r.lookup(op.Operand(2))
	stream := s.emit(opname.DataflowStream, op.Pos, []*ir.Value{lb, step, ub}, iv.Type, ir.I1)
	stepOp, contCond := loops.Kind(op)
	stream.SetAttr("step_op", ir.StrAttr(stepOp))
	stream.SetAttr("cont_cond", ir.StrAttr(contCond))
	gate := s.emit(opname.DataflowGate, op.Pos, []*ir.Value{stream.Result(0), stream.Result(1)}, iv.Type, ir.I1)
	raw, after := stream.Result(1), gate.Result(1)
	ivName := iv.Name
	if ivName == "" {
		ivName = "i"
	}
	stream.Result(0).Name, raw.Name = ivName+"_raw", ivName+"_more"
	gate.Result(0).Name, after.Name = ivName, ivName+"_next"

	node := &construct{op: op, cond: s.splitter(op, after), raw: s.splitter(op, raw)}
	r.items = append(r.items, item{nested: node})
	inner := r.child(op, func(v *ir.Value) *ir.Value {
		d := after
		switch s.opts.deviate {
		case noLoopGating:
			return v
		case invariantByRaw:
			d = raw
		}
		c := s.emit(opname.DataflowInvariant, op.Pos, []*ir.Value{d, v}, v.Type)
		c.Result(0).Name = v.Name
		return c.Result(0)
	})
	node.regions = []*region{inner}
	inner.vals[iv] = gate.Result(0)
	if s.opts.deviate == inductionRaw {
		inner.vals[iv] = stream.Result(0)
	}

	byRaw, carryCond := node.raw, raw
	switch s.opts.deviate {
	case carryByAfter:
		carryCond = after
	case splitByAfter:
		byRaw = node.cond
	}
	carries := make([]*ir.Operation, op.NumResults())
	for i, v := range op.Results() {
		arg := body.Args[1+i]
		if repeatsInduction(op, i) {
			// The stream emits the value that ends the loop with its last test.
			inner.vals[arg] = inner.vals[iv]
			_, r.vals[v] = byRaw.of(stream.Result(0))
			continue
		}
		if part := body.Terminator().Operand(i).Def; part != nil && part.Attr(partsAttr) != nil {
			n, _ := part.IntAttr(partsAttr)
			sum := s.emit(opname.DataflowAccumulate, part.Pos, []*ir.Value{carryCond, r.lookup(op.Operand(3 + i)), nil}, v.Type)
			setParts(sum, part.Name, int(n))
			sum.Result(0).Name = firstName(v.Name, arg.Name)
			carries[i], r.vals[v] = sum, sum.Result(0)
			continue
		}
		carry := s.emit(opname.DataflowCarry, op.Pos, []*ir.Value{carryCond, r.lookup(op.Operand(3 + i)), nil}, v.Type)
		carries[i] = carry
		carry.Result(0).Name = firstName(arg.Name, v.Name)
		inner.vals[arg], r.vals[v] = byRaw.of(carry.Result(0))
		if s.opts.deviate == resultFromBody {
			r.vals[v] = inner.vals[arg]
		}
	}
	inner.lowerBlock(body)
	for i, v := range body.Terminator().Operands() {
		switch {
		case carries[i] == nil:
		case carries[i].Name == opname.DataflowAccumulate:
			element := v.Def.Operand(0)
			if element == body.Args[1+i] {
				element = v.Def.Operand(1)
			}
			carries[i].SetOperand(2, inner.lookup(element))
		default:
			carries[i].SetOperand(2, inner.lookup(v))
		}
	}
}

// repeatsInduction reports whether iter_arg i of a counted loop always equals
// the induction variable: it starts at the lower bound and steps as the stream
// does.
func repeatsInduction(loop *ir.Operation, i int) bool {
	body := loop.Regions[0].Entry()
	next := body.Terminator().Operand(i).Def
	if !loop.Operand(3+i).Equals(loop.Operand(0)) || next == nil || next.NumOperands() != 2 {
		return false
	}
	stepOp, _ := loops.Kind(loop)
	if next.Name != dataflow.StepOperations[stepOp] {
		return false
	}
	counter := func(v *ir.Value) bool { return v == body.Args[0] || v == body.Args[1+i] }
	a, b := next.Operand(0), next.Operand(1)
	if !counter(a) && (stepOp == "+=" || stepOp == "*=") {
		a, b = b, a
	}
	return counter(a) && b.Equals(loop.Operand(2))
}

// lowerWhile lowers scf.while (spec-dataflow-compilation, "lower_while"): the
// before-region runs N+1 times per activation and is fed by carries and
// invariants under the raw condition; everything that enters the after-region is
// the before-region's stream split by the raw condition (design page "SCF to
// DFG", "Settled: control of the after-region of scf.while").
func (r *region) lowerWhile(op *ir.Operation) {
	s := r.s
	beforeBlock, afterBlock := op.Regions[0].Entry(), op.Regions[1].Entry()
	var raw *ir.Value
	var pending []*ir.Operation // operations that wait for the raw condition
	underRaw := func(name string, operands []*ir.Value, t ir.Type) *ir.Operation {
		o := s.emit(name, op.Pos, operands, t)
		if raw == nil {
			pending = append(pending, o)
		}
		return o
	}
	before := r.child(op, func(v *ir.Value) *ir.Value {
		c := underRaw(opname.DataflowInvariant, []*ir.Value{raw, v}, v.Type)
		c.Result(0).Name = v.Name
		return c.Result(0)
	})
	carries := make([]*ir.Operation, op.NumOperands())
	for i, v := range op.Operands() {
		arg := beforeBlock.Args[i]
		init := r.lookup(v)
		carries[i] = underRaw(opname.DataflowCarry, []*ir.Value{nil, init, nil}, arg.Type)
		carries[i].Result(0).Name = firstName(arg.Name, v.Name)
		before.vals[arg] = carries[i].Result(0)
	}
	before.lowerBlock(beforeBlock)
	cond := beforeBlock.Terminator()
	// Through raw's own lookup an invariant may be made that waits for raw.
	raw = before.lookup(cond.Operand(0))
	if raw.Name == "" {
		raw.Name = "more"
	}
	d := raw
	if s.opts.deviate == whileCarryGated {
		d = s.gateOf(op, raw)
	}
	for _, o := range pending {
		o.SetOperand(0, d)
	}

	split := s.splitter(op, raw)
	var gate *ir.Value
	after := before.child(op, func(v *ir.Value) *ir.Value {
		switch {
		case s.opts.deviate == whileSourceControl && v.Type == ir.Type(ir.None):
			if gate == nil {
				gate = s.gateOf(op, raw)
			}
			return s.emit(opname.DataflowInvariant, op.Pos, []*ir.Value{gate, v}, v.Type).Result(0)
		case s.opts.deviate == whileLiveInUngated:
			return v
		}
		yes, _ := split.of(v)
		return yes
	})
	r.items = append(r.items, item{nested: &construct{op: op, cond: split, regions: []*region{before, after}}})
	for i, v := range cond.Operands()[1:] {
		w := before.lookup(v)
		yes, no := split.of(w)
		after.vals[afterBlock.Args[i]], r.vals[op.Result(i)] = yes, no
		if s.opts.deviate == whileArgUnsplit {
			after.vals[afterBlock.Args[i]] = w
		}
	}
	after.lowerBlock(afterBlock)
	for i, v := range afterBlock.Terminator().Operands() {
		carries[i].SetOperand(2, after.lookup(v))
	}
}

// gateOf is the gated form of a while condition, which the correct lowering
// never needs.
func (s *state) gateOf(at *ir.Operation, raw *ir.Value) *ir.Value {
	return s.emit(opname.DataflowGate, at.Pos, []*ir.Value{raw, raw}, ir.I1, ir.I1).Result(1)
}

func firstName(names ...string) string {
	for _, n := range names {
		if n != "" {
			return n
		}
	}
	return ""
}

// names hands out distinct port names.
type names map[string]bool

func newNames() names { return names{} }

func (n names) unique(want string) string {
	name := want
	for i := 0; n[name]; i++ {
		name = want + "_" + itoa(i)
	}
	n[name] = true
	return name
}
