package raise

import (
	"strings"

	"loom/compiler/ir"
	"loom/compiler/mlir"
)

// emit builds the new module.
func (r *raiser) emit() {
	r.out = ir.NewOp("builtin.module", r.module.Pos, nil, nil)
	top := r.out.AddRegion().AddBlock()
	fn := ir.NewOp("func.func", r.fn.Pos, nil, nil)
	fn.Loc = mlir.FileLoc(r.fn.Pos)
	fn.SetAttr("sym_name", ir.StrAttr(r.fn.SymName()))
	e := &emitter{
		r: r, region: fn.AddRegion(),
		vals: map[*ir.Value]*ir.Value{}, sels: map[*ir.Value]*ir.Value{}, diffs: map[*ir.Value]linear{},
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
	if r.errs.HasErrors() {
		return
	}
	e.clean()
	top.Append(fn)
	e.finish(fn)
}

// blockArgs makes the block that takes b's place, with its arguments.
func (e *emitter) blockArgs(b *ir.Block) {
	n := &ir.Block{Parent: e.region}
	e.blocks[b] = n
	for _, a := range b.Args {
		name, pos := e.r.varNames[a], e.r.place(a.Loc)
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

// value is the number that a value of the old function became.
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
		case "llvm.mlir.constant", "arith.constant":
			return e.literal(v)
		case "llvm.mlir.undef", "llvm.mlir.poison", "llvm.mlir.zero", "ub.poison":
			return e.zero(t)
		case "llvm.ptrtoint", "llvm.add", "llvm.sub":
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

// operation raises one operation.
func (e *emitter) operation(op *ir.Operation) {
	switch op.Name {
	case "llvm.mlir.constant", "llvm.mlir.undef", "llvm.mlir.poison", "llvm.mlir.zero", "arith.constant", "ub.poison",
		"llvm.mlir.addressof", "llvm.alloca", "llvm.getelementptr", "llvm.ptrtoint",
		"llvm.intr.dbg.value", "llvm.intr.dbg.declare", "llvm.intr.dbg.label",
		"llvm.intr.lifetime.start", "llvm.intr.lifetime.end", "llvm.intr.assume", "llvm.intr.experimental.noalias.scope.decl":
		return
	case "llvm.load":
		e.load(op)
		return
	case "llvm.store":
		e.store(op)
		return
	}
	if terminators[op.Name] {
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

// address raises the operations on pointers that yield numbers or choose pointers.
func (e *emitter) address(op *ir.Operation) bool {
	if op.NumResults() != 1 {
		return false
	}
	res := op.Result(0)
	switch op.Name {
	case "llvm.select":
		if !isPtr(res) {
			return false
		}
		c := e.value(op.Operand(0))
		a, b := e.r.at(op.Operand(1)), e.r.at(op.Operand(2))
		e.vals[res] = e.index(0)
		if u := e.r.units[res]; u != 0 {
			e.vals[res] = e.choose(c, e.sum(a.lin, u), e.sum(b.lin, u))
		}
		if e.r.ptrs[res].sel != nil {
			e.sels[res] = e.choose(c, e.selector(a), e.selector(b))
		}
		return true
	case "llvm.freeze", "llvm.bitcast", "llvm.addrspacecast", "llvm.inttoptr",
		"llvm.intr.launder.invariant.group", "llvm.intr.strip.invariant.group":
		return isPtr(res)
	case "llvm.icmp":
		p, ok := op.IntAttr("predicate")
		if !ok || op.NumOperands() != 2 {
			return false
		}
		a, b := op.Operand(0), op.Operand(1)
		if isPtr(a) && isPtr(b) {
			e.vals[res] = e.comparePointers(p, e.r.at(a), e.r.at(b))
			return true
		}
		if n, m := e.r.addresses(a), e.r.addresses(b); n == 1 && m == 1 {
			e.vals[res] = e.comparePointers(p, e.r.addressOf(a), e.r.addressOf(b))
			return true
		}
	case "llvm.add", "llvm.sub":
		n := e.r.addresses(res)
		if n == 0 && e.r.addresses(op.Operand(0)) == 0 {
			return false
		}
		if n == 0 {
			e.oneMemory(res)
			e.difference(res, e.r.addressOf(res).lin)
		}
		return true // an address: whoever needs it as a number reports it
	}
	return false
}

// addresses is how often the address of memory is contained in a number.
func (r *raiser) addresses(v *ir.Value) int { return r.addressesIn(v, 0) }

func (r *raiser) addressesIn(v *ir.Value, depth int) int {
	if v.Def == nil || depth > maxDepth {
		return 0
	}
	switch v.Def.Name {
	case "llvm.ptrtoint":
		return 1
	case "llvm.add":
		return r.addressesIn(v.Def.Operand(0), depth+1) + r.addressesIn(v.Def.Operand(1), depth+1)
	case "llvm.sub":
		return r.addressesIn(v.Def.Operand(0), depth+1) - r.addressesIn(v.Def.Operand(1), depth+1)
	}
	return 0
}

// addressOf reads a number that contains addresses as a place. The roots are those of
// the last address; differences are of one root in C.
func (r *raiser) addressOf(v *ir.Value) *pointer {
	if r.addresses(v) == 0 && (v.Def == nil || v.Def.Name != "llvm.add" && v.Def.Name != "llvm.sub") {
		return &pointer{lin: r.factored(linearOf(v))}
	}
	switch v.Def.Name {
	case "llvm.ptrtoint":
		return r.at(v.Def.Operand(0))
	case "llvm.add", "llvm.sub":
		k := int64(1)
		if v.Def.Name == "llvm.sub" {
			k = -1
		}
		a, b := r.addressOf(v.Def.Operand(0)), r.addressOf(v.Def.Operand(1))
		p := &pointer{roots: a.roots, sel: a.sel, lin: a.lin.plus(b.lin, k)}
		if len(p.roots) == 0 {
			p.roots, p.sel = b.roots, b.sel
		}
		return p
	}
	return &pointer{lin: r.factored(linearOf(v))}
}

// oneMemory reports a distance between places in different memories, which hardware
// does not know.
func (e *emitter) oneMemory(v *ir.Value) {
	var first *pointer
	var walk func(v *ir.Value, depth int)
	walk = func(v *ir.Value, depth int) {
		if v.Def == nil || depth > maxDepth {
			return
		}
		switch v.Def.Name {
		case "llvm.ptrtoint":
			p := e.r.at(v.Def.Operand(0))
			if first == nil {
				first = p
			}
			if len(p.roots) == 1 && len(first.roots) == 1 && p.roots[0] != first.roots[0] {
				e.r.errorf(e.pos, "the distance between '%s' and '%s' is not known: they are different arrays in hardware",
					first.roots[0].name, p.roots[0].name).WithHelp("pass the number of elements instead of a pointer to their end")
			}
		case "llvm.add", "llvm.sub":
			walk(v.Def.Operand(0), depth+1)
			walk(v.Def.Operand(1), depth+1)
		}
	}
	walk(v, 0)
}

// unitOf is the largest number of bytes that all terms are multiples of.
func (e *emitter) unitOf(l linear) int64 {
	u := gcd(0, l.c)
	for _, t := range l.terms {
		u = gcd(u, e.r.bytes(t))
	}
	return u
}

// difference makes a number of a distance between pointers.
func (e *emitter) difference(res *ir.Value, l linear) {
	e.diffs[res] = l
	u := e.unitOf(l)
	if u == 0 {
		e.vals[res] = e.integer(0, res.Type)
		return
	}
	v := e.op("arith.index_cast", res.Type, e.sum(l, u))
	e.vals[res] = e.binary("arith.muli", v, e.integer(u, res.Type))
}

// divided is a distance between pointers divided by the size of what they point to.
func (e *emitter) divided(op *ir.Operation, name string, n int64, isConst bool) *ir.Value {
	l, ok := e.diffs[op.Operand(0)]
	if !ok || !isConst || n <= 0 {
		return nil
	}
	switch name {
	case "arith.shrsi", "arith.shrui":
		if n > 30 {
			return nil
		}
		n = 1 << n
	case "arith.divsi", "arith.divui":
	default:
		return nil
	}
	u := e.unitOf(l)
	if u == 0 || u%n != 0 {
		return nil
	}
	t := op.Result(0).Type
	if name == "arith.divui" || name == "arith.shrui" {
		// Without sign the upper bits differ: fine where nobody reads them.
		for _, use := range op.Result(0).Uses() {
			if use.Op.Name != "llvm.trunc" || name == "arith.divui" || width(use.Op.Result(0)) > 32 {
				return nil
			}
		}
	}
	v := e.op("arith.index_cast", t, e.sum(l, u))
	return e.binary("arith.muli", v, e.integer(u/n, t))
}

// comparePointers compares places. Places in different memories are never equal, and
// no memory is at the null pointer.
func (e *emitter) comparePointers(p int64, a, b *pointer) *ir.Value {
	if len(a.roots) == 1 && len(b.roots) == 1 && a.roots[0] != b.roots[0] {
		for _, o := range []*root{a.roots[0], b.roots[0]} {
			if o.kind == paramRoot && len(o.accesses) == 0 && !onlyNull(a) && !onlyNull(b) {
				e.r.errorf(e.pos, "'%s' is compared with '%s', but they are different arrays in hardware", a.roots[0].name, b.roots[0].name).
					WithHelp("pass the number of elements instead of a pointer to their end")
				break
			}
		}
		// ne, ugt and uge hold of anything and null.
		less := a.roots[0].index < b.roots[0].index
		answer := p == 1 || p == 6 && less || p == 7 && less || p == 8 && !less || p == 9 && !less
		return e.integer(map[bool]int64{true: 1}[answer], ir.I1)
	}
	if p >= 6 {
		p -= 4 // distances have a sign
	}
	diff := a.lin.plus(b.lin, -1)
	u := e.unitOf(diff)
	var plus, minus linear
	for _, t := range diff.terms {
		if e.r.bytes(t) < 0 {
			t.scale = -t.scale
			minus.terms = append(minus.terms, t)
		} else {
			plus.terms = append(plus.terms, t)
		}
	}
	if diff.c > 0 && len(plus.terms) > 0 {
		plus.c = diff.c
	} else {
		minus.c = -diff.c
	}
	at := func() *ir.Value { return e.compare(p, e.sum(plus, u), e.sum(minus, u)) }
	if len(a.roots) == 1 && len(b.roots) == 1 {
		return at()
	}
	if p > 1 { // only places in one memory are compared so
		return at()
	}
	same := e.compare(0, e.selector(a), e.selector(b))
	differ := p == 1
	if !onlyNull(a) && !onlyNull(b) {
		p = 0
		same = e.op("arith.andi", ir.I1, same, at())
	}
	if differ {
		same = e.op("arith.xori", ir.I1, same, e.integer(1, ir.I1))
	}
	return same
}

func onlyNull(p *pointer) bool { return len(p.roots) == 1 && p.roots[0].kind == nullRoot }

// terminator raises a branch or return.
func (e *emitter) terminator(op *ir.Operation) {
	accel := e.r.opts.Debug.Accel(op.Attr("loop_annotation"))
	var made *ir.Operation
	switch op.Name {
	case "llvm.br":
		made = e.br(e.blocks[op.Succs[0].Block], e.forward(op, 0))
	case "llvm.cond_br":
		a, b := e.blocks[op.Succs[0].Block], e.blocks[op.Succs[1].Block]
		made = e.condBr(e.value(op.Operand(0)), a, e.forward(op, 0), b, e.forward(op, 1))
	case "llvm.switch":
		made = e.switchOp(op)
	case "llvm.return":
		var out []*ir.Value
		for _, v := range op.Operands() {
			out = append(out, e.value(v))
		}
		made = e.raw("func.return", out)
	default: // unreachable, in the entry: nothing is promised
		var out []*ir.Value
		if p := e.r.sig.result; p != nil {
			for _, f := range p.fields {
				out = append(out, e.zero(f.typ))
			}
		}
		made = e.raw("func.return", out)
	}
	if accel && made != nil {
		made.SetAttr(Accel, &ir.UnitAttr{})
	}
}

// forward computes what successor i receives.
func (e *emitter) forward(op *ir.Operation, i int) []*ir.Value {
	var out []*ir.Value
	args := op.Succs[i].Block.Args
	for k, v := range passed(op, i) {
		a := args[k]
		if !isPtr(a) {
			out = append(out, e.value(v))
			continue
		}
		p := e.r.at(v)
		if u := e.r.units[a]; u != 0 {
			l := p.lin
			if onlyNull(p) {
				l = linear{}
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
	o := e.raw("cf.br", args)
	o.Succs = []ir.Successor{{Block: to, Count: len(args)}}
	return o
}

func (e *emitter) condBr(c *ir.Value, a *ir.Block, as []*ir.Value, b *ir.Block, bs []*ir.Value) *ir.Operation {
	if n, ok := number(c); ok {
		if n != 0 {
			return e.br(a, as)
		}
		return e.br(b, bs)
	}
	o := e.raw("cf.cond_br", append(append([]*ir.Value{c}, as...), bs...))
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
	o := e.raw("cf.switch", operands)
	o.Succs = succs
	o.SetAttr("case_values", caseAttr(values, operands[0].Type))
	return o
}

// segments writes the attributes by which operands belong to successors.
func segments(o *ir.Operation) {
	array := func(n ...int64) ir.Attr { return &ir.DenseArrayAttr{Elem: ir.I32, Values: n} }
	switch o.Name {
	case "cf.cond_br":
		o.SetAttr("operandSegmentSizes", array(1, int64(o.Succs[0].Count), int64(o.Succs[1].Count)))
	case "cf.switch":
		var counts []int64
		total := int64(0)
		for _, s := range o.Succs[1:] {
			counts = append(counts, int64(s.Count))
			total += int64(s.Count)
		}
		o.SetAttr("case_operand_segments", array(counts...))
		o.SetAttr("operandSegmentSizes", array(1, int64(o.Succs[0].Count), total))
	}
}

// parameters makes the parameters of the function, the globals beside it and the local
// arrays.
func (e *emitter) parameters(top *ir.Block) {
	e.cur = e.entry
	e.known = map[string]*ir.Value{}
	e.pos = e.r.fn.Pos
	for _, p := range e.r.sig.params {
		for _, f := range p.fields {
			e.vals[f.value] = e.entry.AddArg(f.typ, f.value.Name, p.pos)
			if !numberType(f.typ) {
				e.r.errorf(p.pos, "parameter %s has type %s, which hardware does not have", ir.QuoteString(p.name), f.typ)
			}
		}
		if p.pointer != nil {
			e.pieceArgs(e.r.rootOf[p.pointer])
		}
	}
	for _, o := range e.r.roots {
		if o.kind == globalRoot && e.r.visible(o) {
			e.pieceArgs(o)
		}
	}
	for _, o := range e.r.roots {
		if o.layout == nil {
			continue
		}
		switch {
		case o.kind == globalRoot && !e.r.visible(o):
			e.table(top, o)
		case o.kind == localRoot:
			for _, p := range o.layout.pieces {
				if p != nil {
					e.pos = e.r.place(o.pos)
					p.value = e.raw("memref.alloca", nil, p.typ).Result(0)
					p.value.Def.SetAttr("operandSegmentSizes", &ir.DenseArrayAttr{Elem: ir.I32, Values: []int64{0, 0}})
					p.value.Name = pieceName(o, p)
				}
			}
		}
	}
}

func pieceName(o *root, p *piece) string {
	if p.path == "" || o.name == "" {
		return o.name
	}
	return o.name + "." + identifier(p.path)
}

func (e *emitter) pieceArgs(o *root) {
	if o == nil || o.layout == nil {
		return
	}
	for _, p := range o.layout.pieces {
		if p != nil {
			p.value = e.entry.AddArg(p.typ, pieceName(o, p), e.r.place(o.pos))
		}
	}
}

// table makes the globals that hold a table or a variable of the function.
func (e *emitter) table(top *ir.Block, o *root) {
	data, ok := initial(o.alloc, o.size())
	if !ok {
		e.r.errorf(o.pos, "the initial value of %s is nothing that a memory can hold", ir.QuoteString(o.name)).
			WithHelp("tables may hold numbers; pointers are not known in hardware")
		return
	}
	for _, p := range o.layout.pieces {
		if p == nil {
			continue
		}
		g := ir.NewOp("memref.global", e.r.fn.Pos, nil, nil)
		g.Loc = mlir.FileLoc(e.r.fn.Pos)
		name := strings.TrimPrefix(o.alloc.SymName(), ".")
		if p.path != "" {
			name += "." + identifier(p.path)
		}
		if name == e.r.fn.SymName() {
			name += ".data"
		}
		g.SetAttr("sym_name", ir.StrAttr(name))
		g.SetAttr("sym_visibility", ir.StrAttr("private"))
		g.SetAttr("type", &ir.TypeAttr{Type: p.typ})
		g.SetAttr("initial_value", tableAttr(data, p))
		if o.alloc.Attr("constant") != nil {
			g.SetAttr("constant", &ir.UnitAttr{})
		}
		top.Append(g)
		e.pos = e.r.place(o.pos)
		get := e.raw("memref.get_global", nil, p.typ)
		get.SetAttr("name", ir.SymbolRef(name))
		p.value = get.Result(0)
		p.value.Name = identifier(o.name)
	}
}
