// Package branchgraph lowers functions with branches to handshake graphs block by block, in the
// style of CIRCT's lowering of the cf dialect: for tests of graphs that LOOM's own lowering
// does not make. Every block begins with a control_merge of the blocks before it, which
// selects for a mux per value that the block or a later one needs; every branch is a br or a
// cond_br per such value; every value has one user, behind forks and sinks. The accesses of a
// block to one memory follow each other, and blocks follow each other.
package branchgraph

import (
	"fmt"
	"math/rand/v2"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/num"
	"loom/compiler/opname"
)

// Options of one lowering.
type Options struct {
	// Seed chooses among forms that mean the same: sources or control tokens for constants,
	// forks or trees of forks, the width of a control_merge's index.
	Seed uint64
	// Buffers is where buffers stand: "" nowhere, "cycles" at the head of every loop, "all" on
	// every channel.
	Buffers string
}

// Lower returns a module with the graph of a func.func whose body has branches of cf, arith
// and accesses to memref arguments, of static shape and identity layout.
func Lower(fn *ir.Operation, o Options) (module, graph *ir.Operation, err error) {
	l := &lowering{fn: fn, o: o, r: rand.New(rand.NewPCG(o.Seed, 1)), number: map[*ir.Block]int{}, at: map[*ir.Block]map[*ir.Value]*ir.Value{},
		ports: map[*ir.Value]*ports{}}
	if err := l.run(); err != nil {
		return nil, nil, err
	}
	module = ir.NewOp(opname.BuiltinModule, fn.Pos, nil, nil)
	module.AddRegion().AddBlock().Append(l.graph)
	return module, l.graph, nil
}

// ports are the accesses to a memory.
type ports struct {
	mem           *ir.Operation
	loads, stores int
	// next port of each kind
	load, store int
	operands    []*ir.Value
}

type lowering struct {
	fn, graph *ir.Operation
	o         Options
	r         *rand.Rand
	body      *ir.Block
	start     *ir.Value
	number    map[*ir.Block]int
	live      []map[*ir.Value]bool
	// at are the values of the graph that stand for those of the function in each block.
	at    map[*ir.Block]map[*ir.Value]*ir.Value
	heads []*head
	ports map[*ir.Value]*ports
	args  map[*ir.Value]*ir.Value
}

// head is the beginning of a block: what its merges merge, by value.
type head struct {
	block  *ir.Block
	values []*ir.Value // of the function: arguments of the block, then what lives into it; nil for control
	ops    []*ir.Operation
	edges  [][]*ir.Value // by edge, then by value
	back   bool
}

func (l *lowering) emit(name string, operands []*ir.Value, types ...ir.Type) *ir.Operation {
	return l.body.Append(ir.NewOp(name, l.fn.Pos, operands, types))
}

func isMemory(v *ir.Value) bool { _, ok := v.Type.(*ir.MemRefType); return ok }

func (l *lowering) run() error {
	blocks := l.fn.Regions[0].Blocks
	for i, b := range blocks {
		l.number[b] = i
	}
	l.liveness(blocks)
	l.graph = ir.NewOp(opname.HandshakeFunc, l.fn.Pos, nil, nil)
	l.body = l.graph.AddRegion().AddBlock()
	l.args = map[*ir.Value]*ir.Value{}
	var names []string
	var types []ir.Type
	for i, a := range blocks[0].Args {
		names, types = append(names, fmt.Sprintf("a%d", i)), append(types, a.Type)
		l.args[a] = l.body.AddArg(a.Type, names[i], diag.Pos{})
	}
	l.start = l.body.AddArg(ir.None, "start", diag.Pos{})
	names, types = append(names, "start"), append(types, ir.None)
	l.memories()
	for _, b := range blocks[1:] {
		l.head(b)
	}
	var ret []*ir.Value
	for _, b := range blocks {
		out, err := l.block(b)
		if err != nil {
			return err
		}
		if out != nil {
			ret = out
		}
	}
	for _, h := range l.heads {
		l.merge(h)
	}
	for _, p := range l.ports {
		if p.mem != nil {
			p.mem.SetOperands(p.operands)
		}
	}
	var results []ir.Type
	var outs []string
	for i, v := range ret {
		results, outs = append(results, v.Type), append(outs, fmt.Sprintf("r%d", i))
	}
	l.graph.SetAttr("sym_name", ir.StrAttr(l.fn.SymName()))
	l.graph.SetAttr("function_type", &ir.TypeAttr{Type: ir.Func(types, results)})
	l.graph.SetAttr("argNames", ir.StrArray(names))
	l.graph.SetAttr("resNames", ir.StrArray(outs))
	ops := append([]*ir.Operation(nil), l.body.Ops...)
	l.emit(opname.HandshakeReturn, ret)
	for _, a := range l.body.Args {
		l.materialise(a)
	}
	for _, op := range ops {
		for _, r := range op.Results() {
			l.materialise(r)
		}
	}
	if l.o.Buffers == "all" {
		l.bufferAll()
	}
	// The return ends the block.
	last := l.body.Ops
	for _, op := range last {
		if op.Name == opname.HandshakeReturn {
			op.Unlink()
			l.body.Append(op)
			break
		}
	}
	return nil
}

// liveness finds the values that live into each block.
func (l *lowering) liveness(blocks []*ir.Block) {
	l.live = make([]map[*ir.Value]bool, len(blocks))
	for i := range l.live {
		l.live[i] = map[*ir.Value]bool{}
	}
	for changed := true; changed; {
		changed = false
		for i := len(blocks) - 1; i >= 0; i-- {
			b := blocks[i]
			need := func(v *ir.Value) {
				if !isMemory(v) && !definedIn(v, b) && !l.live[i][v] {
					l.live[i][v], changed = true, true
				}
			}
			for _, op := range b.Ops {
				for _, v := range op.Operands() {
					need(v)
				}
				for _, s := range op.Succs {
					for v := range l.live[l.number[s.Block]] {
						need(v)
					}
				}
			}
		}
	}
}

func definedIn(v *ir.Value, b *ir.Block) bool {
	if v.Def != nil {
		return v.Def.Block() == b
	}
	return v.Block == b
}

// memories makes the interfaces of the memref arguments that are accessed.
func (l *lowering) memories() {
	var order []*ir.Value
	l.fn.Walk(func(op *ir.Operation) bool {
		m := -1
		switch op.Name {
		case opname.MemRefLoad:
			m = 0
		case opname.MemRefStore:
			m = 1
		}
		if m < 0 {
			return true
		}
		v := op.Operand(m)
		if l.ports[v] == nil {
			l.ports[v] = &ports{}
			order = append(order, v)
		}
		if m == 0 {
			l.ports[v].loads++
		} else {
			l.ports[v].stores++
		}
		return true
	})
	for id, v := range order {
		p := l.ports[v]
		elem := v.Type.(*ir.MemRefType).Elem
		var types []ir.Type
		for range p.loads {
			types = append(types, elem)
		}
		for range p.loads + p.stores {
			types = append(types, ir.None)
		}
		p.operands = make([]*ir.Value, 1+2*p.stores+p.loads)
		p.operands[0] = l.args[v]
		p.mem = l.emit(opname.HandshakeExtmemory, nil, types...)
		p.mem.SetAttr("id", ir.IntAttr(int64(id), ir.I32))
		p.mem.SetAttr("ldCount", ir.IntAttr(int64(p.loads), ir.I32))
		p.mem.SetAttr("stCount", ir.IntAttr(int64(p.stores), ir.I32))
	}
}

// head makes the merges of a block; their operands come when every branch is there.
func (l *lowering) head(b *ir.Block) {
	h := &head{block: b, values: append([]*ir.Value{nil}, b.Args...)}
	for _, other := range l.fn.Regions[0].Blocks { // in the order of the function
		for _, a := range other.Args {
			if l.live[l.number[b]][a] {
				h.values = append(h.values, a)
			}
		}
		for _, op := range other.Ops {
			for _, r := range op.Results() {
				if l.live[l.number[b]][r] {
					h.values = append(h.values, r)
				}
			}
		}
	}
	edges := ir.Edges(l.fn.Regions[0].Blocks)[b]
	h.edges = make([][]*ir.Value, 0, len(edges))
	for _, e := range edges {
		h.back = h.back || l.number[e.From.Block()] >= l.number[b]
	}
	l.at[b] = map[*ir.Value]*ir.Value{}
	several := len(edges) > 1
	for i, v := range h.values {
		t := ir.Type(ir.None)
		if v != nil {
			t = v.Type
		}
		var op *ir.Operation
		switch {
		case several && i == 0:
			index := ir.Type(ir.Index)
			if l.r.IntN(2) == 0 {
				index = ir.Int(1 + l.r.IntN(3) + len(edges)/3)
			}
			op = l.emit(opname.HandshakeControlMerge, nil, t, index)
		case several:
			op = l.emit(opname.HandshakeMux, nil, t)
		case l.r.IntN(2) == 0:
			op = l.emit(opname.HandshakeMerge, nil, t)
		default:
			op = l.emit(opname.HandshakeBr, nil, t)
		}
		h.ops = append(h.ops, op)
		result := op.Result(0)
		if h.back && l.o.Buffers == "cycles" {
			result = l.buffer(result)
		}
		l.at[b][v] = result
	}
	l.heads = append(l.heads, h)
}

// buffer puts a buffer behind a value.
func (l *lowering) buffer(v *ir.Value) *ir.Value {
	op := l.emit(opname.HandshakeBuffer, []*ir.Value{v}, v.Type)
	op.SetAttr("slots", ir.IntAttr(1+l.r.Int64N(3), ir.I32))
	op.SetAttr("bufferType", ir.IntAttr(l.r.Int64N(2), ir.I32))
	return op.Result(0)
}

// merge connects the merges of a block.
func (l *lowering) merge(h *head) {
	for i, op := range h.ops {
		var in []*ir.Value
		if op.Name == opname.HandshakeMux {
			in = append(in, h.ops[0].Result(1))
		}
		for _, e := range h.edges {
			in = append(in, e[i])
		}
		op.SetOperands(in)
	}
}

// block emits the operations of a block; it returns the operands of its return.
func (l *lowering) block(b *ir.Block) (ret []*ir.Value, err error) {
	at := l.at[b]
	if at == nil { // the entry
		at = map[*ir.Value]*ir.Value{nil: l.start}
		for _, a := range b.Args {
			at[a] = l.args[a]
		}
		l.at[b] = at
	}
	ctrl := at[nil]
	last := map[*ir.Value]*ir.Value{} // the done token of the last access
	var order []*ir.Value
	of := func(vs []*ir.Value) []*ir.Value {
		var out []*ir.Value
		for _, v := range vs {
			out = append(out, at[v])
		}
		return out
	}
	for _, op := range b.Ops {
		switch op.Name {
		case opname.ArithConstant:
			at[op.Result(0)] = l.constant(op.Attr("value"), op.Result(0).Type, ctrl)
		case opname.MemRefLoad, opname.MemRefStore:
			m := op.Operand(0)
			subscripts := op.Operands()[1:]
			if op.Name == opname.MemRefStore {
				m, subscripts = op.Operand(1), op.Operands()[2:]
			}
			by := last[m]
			if by == nil {
				by = ctrl
				order = append(order, m)
			}
			done := l.access(op, m, l.address(m, of(subscripts), ctrl), by, at)
			last[m] = done
		case opname.FuncReturn:
			return append(of(op.Operands()), l.together(ctrl, order, last)), nil
		case opname.CFBr, opname.CFCondBr:
			at[nil] = l.together(ctrl, order, last)
			l.branch(b, op, at)
		default:
			if !num.Supported(op.Name) {
				return nil, diag.New(op.Pos, "branchgraph: no form for '%s'", op.Name)
			}
			var types []ir.Type
			for _, r := range op.Results() {
				types = append(types, r.Type)
			}
			n := l.emit(op.Name, of(op.Operands()), types...)
			n.Attrs = append(ir.NamedAttrs(nil), op.Attrs...)
			for i, r := range op.Results() {
				at[r] = n.Result(i)
			}
		}
	}
	return nil, nil
}

// constant is fired by the block's control or by a source.
func (l *lowering) constant(value ir.Attr, t ir.Type, ctrl *ir.Value) *ir.Value {
	if l.r.IntN(3) == 0 {
		ctrl = l.emit(opname.HandshakeSource, nil, ir.None).Result(0)
	}
	k := l.emit(opname.HandshakeConstant, []*ir.Value{ctrl}, t)
	k.SetAttr("value", value)
	return k.Result(0)
}

// address is the number of an element.
func (l *lowering) address(m *ir.Value, subscripts []*ir.Value, ctrl *ir.Value) *ir.Value {
	shape := m.Type.(*ir.MemRefType).Shape
	if len(subscripts) == 0 {
		return l.constant(ir.IntAttr(0, ir.Index), ir.Index, ctrl)
	}
	at := subscripts[0]
	for i, s := range subscripts[1:] {
		n := l.constant(ir.IntAttr(shape[i+1], ir.Index), ir.Index, ctrl)
		row := l.emit(opname.ArithMulI, []*ir.Value{at, n}, ir.Index).Result(0)
		at = l.emit(opname.ArithAddI, []*ir.Value{row, s}, ir.Index).Result(0)
	}
	return at
}

// access makes a load or store and returns its done token.
func (l *lowering) access(op *ir.Operation, m, address, ctrl *ir.Value, at map[*ir.Value]*ir.Value) *ir.Value {
	p := l.ports[m]
	if op.Name == opname.MemRefStore {
		data := at[op.Operand(0)]
		st := l.emit(opname.HandshakeStore, []*ir.Value{address, data, ctrl}, data.Type, ir.Index)
		p.operands[1+2*p.store], p.operands[2+2*p.store] = st.Result(0), st.Result(1)
		p.store++
		return p.mem.Result(p.loads + p.store - 1)
	}
	ld := l.emit(opname.HandshakeLoad, []*ir.Value{address, p.mem.Result(p.load), ctrl}, op.Result(0).Type, ir.Index)
	at[op.Result(0)] = ld.Result(0)
	p.operands[1+2*p.stores+p.load] = ld.Result(1)
	p.load++
	return p.mem.Result(p.loads + p.stores + p.load - 1)
}

// together is the control of a block when its accesses are complete.
func (l *lowering) together(ctrl *ir.Value, order []*ir.Value, last map[*ir.Value]*ir.Value) *ir.Value {
	if len(order) == 0 {
		return ctrl
	}
	in := []*ir.Value{ctrl}
	for _, m := range order {
		in = append(in, last[m])
	}
	return l.emit(opname.HandshakeJoin, in, ir.None).Result(0)
}

// branch sends what the next blocks need, by edge.
func (l *lowering) branch(b *ir.Block, op *ir.Operation, at map[*ir.Value]*ir.Value) {
	var cond *ir.Value
	if op.Name == opname.CFCondBr {
		cond = at[op.Operand(0)]
	}
	sides := map[*ir.Value][2]*ir.Value{}
	send := func(v *ir.Value, side int) *ir.Value {
		if cond == nil {
			if l.r.IntN(2) == 0 {
				return l.emit(opname.HandshakeBr, []*ir.Value{at[v]}, at[v].Type).Result(0)
			}
			return at[v]
		}
		s, ok := sides[v]
		if !ok {
			c := l.emit(opname.HandshakeCondBr, []*ir.Value{cond, at[v]}, at[v].Type, at[v].Type)
			s = [2]*ir.Value{c.Result(0), c.Result(1)}
			sides[v] = s
		}
		return s[side]
	}
	for side, s := range op.Succs {
		for _, h := range l.heads {
			if h.block != s.Block {
				continue
			}
			passed := op.Passed(side)
			var values []*ir.Value
			for i, v := range h.values {
				if i >= 1 && i <= len(passed) {
					v = passed[i-1]
				}
				values = append(values, send(v, side))
			}
			h.edges = append(h.edges, values)
		}
	}
}

// materialise gives a value one user.
func (l *lowering) materialise(v *ir.Value) {
	uses := append([]ir.Use(nil), v.Uses()...)
	switch {
	case isMemory(v) || len(uses) == 1:
		return
	case len(uses) == 0:
		l.emit(opname.HandshakeSink, []*ir.Value{v})
		return
	}
	name := opname.HandshakeFork
	if l.r.IntN(4) == 0 {
		name = opname.HandshakeLazyFork
	}
	n := len(uses)
	if n > 3 && l.r.IntN(3) == 0 {
		n = 2 // the rest behind another fork
	}
	types := make([]ir.Type, n)
	for i := range types {
		types[i] = v.Type
	}
	f := l.emit(name, []*ir.Value{v}, types...)
	for i, u := range uses {
		u.Op.SetOperand(u.Index, f.Result(min(i, n-1)))
	}
	for _, r := range f.Results() {
		l.materialise(r)
	}
}

// bufferAll puts a buffer on every channel.
func (l *lowering) bufferAll() {
	for _, op := range append([]*ir.Operation(nil), l.body.Ops...) {
		for _, r := range op.Results() {
			uses := append([]ir.Use(nil), r.Uses()...)
			for _, u := range uses {
				b := l.buffer(r)
				u.Op.SetOperand(u.Index, b)
			}
		}
	}
}
