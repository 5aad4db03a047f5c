package structure

import (
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

// node is a node of the control-flow graph: a block of the function, a
// multiplexer that this package adds, or a whole loop once it is found.
type node struct {
	num   int // order of creation, for output that does not depend on maps
	block *ir.Block
	loop  *loop
	pos   diag.Pos
	// on chooses among several successors, see choose.
	on     *ir.Value
	values [][]int64 // of succs[1:], for a switch; nil for a condition
	dense  bool      // on is the index of the successor
	succs  []*edge
	preds  []*edge

	// Dominator tree of the region that the node belongs to.
	idom     *node
	children []*node
	order    int // position in reverse post-order
	low      int // for strongly connected components
	visited  visit
}

// visit is the state of a node in a depth-first search.
type visit uint8

const (
	unseen visit = iota
	active
	finished
)

// edge leads from one node to another, with the copies that are made on it.
type edge struct {
	from, to *node
	// copies are made one group after the other; those of a group at once.
	copies [][]move
	pos    diag.Pos
	accel  bool
}

// move gives a variable a value, or leaves it undefined (from is nil).
type move struct{ to, from *ir.Value }

// loop is a strongly connected part of the graph with one entry and one exit. Its
// nodes are entered at region.entry; region.exit is behind one iteration, where
// again is true if another follows.
type loop struct {
	region region
	again  *ir.Value
	accel  bool
	// heads are the copies at the beginning of an iteration: from what the
	// iteration before, or the loop's entry edge, has assigned.
	heads []move
}

// region is a part of the graph that is entered at entry and left to exit.
type region struct {
	entry, exit *node
	nodes       []*node // without exit
}

// graph is the control flow of one function. Every value that a block takes as an
// argument, or reads from another block, is a variable here: copies on edges and
// operations assign it. SSA form is made again when the structure is known.
type graph struct {
	fn       *ir.Operation
	top      region
	count    int
	results  []*ir.Value // variables of the function's results
	head     []*ir.Operation
	integers map[constantKey]*ir.Value
	errs     *diag.List
}

// constantKey identifies an integer constant.
type constantKey struct {
	value int64
	typ   ir.Type
}

func (g *graph) newNode(pos diag.Pos) *node {
	g.count++
	return &node{num: g.count, pos: pos}
}

// connect adds an edge.
func connect(from, to *node, pos diag.Pos) *edge {
	e := &edge{from: from, to: to, pos: pos}
	from.succs = append(from.succs, e)
	to.preds = append(to.preds, e)
	return e
}

// retarget makes an edge lead elsewhere.
func (e *edge) retarget(to *node) {
	e.to.dropPred(e)
	e.to = to
	to.preds = append(to.preds, e)
}

func (n *node) dropPred(e *edge) {
	for i, p := range n.preds {
		if p == e {
			n.preds = append(n.preds[:i:i], n.preds[i+1:]...)
			return
		}
	}
}

// assign adds a copy that is made after those on the edge.
func (e *edge) assign(to, from *ir.Value) { e.copies = append(e.copies, []move{{to, from}}) }

// integer returns a constant, one operation at the head of the function for each.
func (g *graph) integer(value int64, t ir.Type) *ir.Value {
	k := constantKey{value, t}
	if v := g.integers[k]; v != nil {
		return v
	}
	c := newConstant(g.fn.Pos, value, t)
	g.head = append(g.head, c)
	g.integers[k] = c.Result(0)
	return c.Result(0)
}

// newConstant makes an integer constant, detached.
func newConstant(pos diag.Pos, value int64, t ir.Type) *ir.Operation {
	c := rewrite.Constant(pos, value, t)
	setLoc(c)
	return c
}

// variable makes a new one; it is no result of any operation.
func variable(t ir.Type, name string) *ir.Value { return &ir.Value{Type: t, Name: name} }

// build reads the blocks of a function that can be reached.
func build(fn *ir.Operation, errs *diag.List) *graph {
	g := &graph{fn: fn, integers: map[constantKey]*ir.Value{}, errs: errs}
	r := fn.Regions[0]
	nodes := map[*ir.Block]*node{}
	exit := g.newNode(fn.Pos)
	start := g.newNode(fn.Pos)
	for _, t := range resultTypes(fn) {
		g.results = append(g.results, variable(t, ""))
	}
	var order []*node
	reach := func(b *ir.Block) *node {
		n := nodes[b]
		if n == nil {
			n = g.newNode(blockPos(b, fn))
			n.block = b
			nodes[b] = n
			order = append(order, n)
		}
		return n
	}
	connect(start, reach(r.Entry()), fn.Pos)
	for i := 0; i < len(order); i++ {
		g.leave(order[i], exit, reach)
	}
	for _, n := range order {
		g.hoistConstants(n.block)
	}
	g.top = region{entry: start, exit: exit, nodes: append([]*node{start}, order...)}
	return g
}

// hoistConstants moves what needs no operands to the head of the function, where
// it dominates every use.
func (g *graph) hoistConstants(b *ir.Block) {
	ops := b.Ops
	b.Ops = nil
	for _, op := range ops {
		if op.Name == opname.ArithConstant || op.Name == opname.MemRefGetGlobal || op.Name == opname.UBPoison {
			g.head = append(g.head, op)
			continue
		}
		b.Append(op)
	}
}

func resultTypes(fn *ir.Operation) []ir.Type {
	if a, ok := fn.Attr("function_type").(*ir.TypeAttr); ok {
		if t, ok := a.Type.(*ir.FunctionType); ok {
			return t.Results
		}
	}
	return nil
}

func blockPos(b *ir.Block, fn *ir.Operation) diag.Pos {
	for _, op := range b.Ops {
		if op.Pos.IsValid() && op.Name != opname.ArithConstant {
			return op.Pos
		}
	}
	return fn.Pos
}

// leave makes the edges of a block's terminator.
func (g *graph) leave(n *node, exit *node, reach func(*ir.Block) *node) {
	t := n.block.Terminator()
	n.pos = t.Pos
	follow := func(i int) {
		s := t.Succs[i]
		e := connect(n, reach(s.Block), t.Pos)
		e.accel = t.Attr(accelAttr) != nil
		var copies []move
		for k, a := range s.Block.Args {
			copies = append(copies, move{a, t.Operand(s.First + k)})
		}
		if len(copies) > 0 {
			e.copies = [][]move{copies}
		}
	}
	switch t.Name {
	case opname.FuncReturn:
		e := connect(n, exit, t.Pos)
		var copies []move
		for i, v := range t.Operands() {
			copies = append(copies, move{g.results[i], v})
		}
		if len(copies) > 0 {
			e.copies = [][]move{copies}
		}
	case opname.CFBr:
		follow(0)
	case opname.CFCondBr:
		if taken, ok := t.Operand(0).ConstantInt(); ok {
			follow(map[bool]int{true: 0, false: 1}[taken != 0])
			return
		}
		follow(0)
		follow(1)
		n.on = t.Operand(0)
	case opname.CFSwitch:
		g.leaveSwitch(n, t, follow)
	case opname.UBUnreachable, opname.LLVMUnreachable:
		// No edge: what leads here is never taken.
	default:
		g.errs.Errorf(t.Pos, "'%s' cannot end a block here", t.Name).
			WithHelp("blocks end in cf.br, cf.cond_br, cf.switch or func.return")
	}
}

// leaveSwitch makes one edge for each successor of a switch, for any number
// of cases that lead there with the same copies.
func (g *graph) leaveSwitch(n *node, t *ir.Operation, follow func(int)) {
	var cases []int64
	if d, ok := t.Attr("case_values").(*ir.DenseElementsAttr); ok {
		for i := range t.Succs[1:] {
			a := d.Values[0]
			if !d.Splat {
				a = d.Values[i]
			}
			cases = append(cases, a.(*ir.IntegerAttr).Value)
		}
	}
	if v, ok := t.Operand(0).ConstantInt(); ok {
		for i, c := range cases {
			if c == v {
				follow(i + 1)
				return
			}
		}
		follow(0)
		return
	}
	follow(0)
	n.on = t.Operand(0)
	n.values = [][]int64{}
	for i, c := range cases {
		follow(i + 1)
		last := len(n.succs) - 1
		e := n.succs[last]
		for k, f := range n.succs[:last] {
			if f.to != e.to || !sameCopies(f.copies, e.copies) {
				continue
			}
			n.succs = n.succs[:last]
			e.to.dropPred(e)
			if k > 0 {
				n.values[k-1] = append(n.values[k-1], c)
			}
			e = nil
			break
		}
		if e != nil {
			n.values = append(n.values, []int64{c})
		}
	}
	if len(n.succs) == 1 {
		n.on, n.values = nil, nil
	}
}

func sameCopies(a, b [][]move) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if len(a[i]) != len(b[i]) {
			return false
		}
		for k := range a[i] {
			if a[i][k] != b[i][k] {
				return false
			}
		}
	}
	return true
}

// heads are the nodes that a back edge leads to.
func (g *graph) heads() map[*node]bool {
	out := map[*node]bool{}
	state := map[*node]visit{}
	type frame struct {
		n    *node
		next int
	}
	stack := []frame{{n: g.top.entry}}
	state[g.top.entry] = active
	for len(stack) > 0 {
		f := &stack[len(stack)-1]
		if f.next == len(f.n.succs) {
			state[f.n] = finished
			stack = stack[:len(stack)-1]
			continue
		}
		to := f.n.succs[f.next].to
		f.next++
		switch state[to] {
		case active:
			out[to] = true
		case unseen:
			state[to] = active
			stack = append(stack, frame{n: to})
		}
	}
	return out
}
