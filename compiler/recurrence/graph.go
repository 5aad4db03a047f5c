package recurrence

import (
	"loom/compiler/dialect/dataflow"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/units"
)

// node is a part of an operation that fires on its own: handshake.load has two,
// the request and the response, and a memory has one per port.
type node struct {
	op   *ir.Operation
	part string // "request", "response", "load port 0", …; "" is the operation
	// mux marks a handshake.mux: it waits for its selector and for one of its
	// data inputs.
	mux bool
}

// arc leads from a node to one that reads its result. In the analysis of loop l
// it carries tokens(l) tokens: firing k of the reader needs firing k - tokens of
// the producer.
type arc struct {
	from, to int
	latency  int
	// loop is the loop whose boundary the arc takes part in, -1 for none.
	loop int
	role role
	// data numbers the data inputs of a mux from 1, 0 for every other operand.
	data int
	// apart are the tokens that a back arc carries, where they are more than one.
	apart int
}

// role is what an arc is to its loop.
type role uint8

const (
	// plain arcs join firings of one count.
	plain role = iota
	// back arcs are read only after the first output: carry's condition and loop
	// operand, invariant's condition, what an interlock knows of stores. They carry one token, or those of apart.
	back
	// ahead arcs leave a gate's condition output, whose k-th token comes with the
	// gate's firing k+1. They carry minus one.
	ahead
	// level arcs lead from a gate's condition to a back operand: one firing ahead
	// and read one firing late, no token.
	level
	// enter arcs start an activation, leave arcs end one: no recurrence of the
	// loop itself passes them.
	enter
	leave
)

// graph is a handshake.func as nodes and arcs.
type graph struct {
	nodes []node
	arcs  []arc
	// crossing is what a loop inside adds to an arc that enters it at the node, or
	// leaves it from there.
	crossing []int
	untaken  map[ir.Use]bool // as in Seen
}

type builder struct {
	g     *graph
	nest  *Nest
	clock Clock
	// from are the node that drives a value, to the nodes that an operand goes to.
	from map[*ir.Value]int
	to   map[ir.Use]int
}

// build makes the graph of a function.
func build(fn *ir.Operation, nest *Nest, clock Clock) *graph {
	b := newBuilder(fn, nest, clock)
	for _, op := range fn.Regions[0].Entry().Ops {
		for i, v := range op.Operands() {
			to, ok := b.to[ir.Use{Op: op, Index: i}]
			if !ok || v == nil {
				continue
			}
			if from, ok := b.from[v]; ok {
				b.g.arcs = append(b.g.arcs, b.arcOf(from, to, op, i))
			}
		}
	}
	return b.g
}

// newBuilder makes the nodes.
func newBuilder(fn *ir.Operation, nest *Nest, clock Clock) *builder {
	b := &builder{g: &graph{}, nest: nest, clock: clock, from: map[*ir.Value]int{}, to: map[ir.Use]int{}}
	for _, op := range fn.Regions[0].Entry().Ops {
		b.parts(op)
	}
	return b
}

// node adds a part of op that reads some operands and drives some results;
// what the operation does not have is skipped.
func (b *builder) node(op *ir.Operation, part string, operands, results []int) {
	id := len(b.g.nodes)
	b.g.nodes = append(b.g.nodes, node{op: op, part: part, mux: op.Name == opname.HandshakeMux})
	for _, i := range operands {
		if i < op.NumOperands() {
			b.to[ir.Use{Op: op, Index: i}] = id
		}
	}
	for _, i := range results {
		if i < op.NumResults() {
			b.from[op.Result(i)] = id
		}
	}
}

// parts makes the nodes of an operation.
func (b *builder) parts(op *ir.Operation) {
	switch op.Name {
	case opname.HandshakeLoad:
		b.node(op, "request", []int{0, 2}, []int{1})
		b.node(op, "response", []int{1}, []int{0})
	case opname.HandshakeMemory, opname.HandshakeExtmemory:
		ld, _ := op.IntAttr("ldCount")
		st, _ := op.IntAttr("stCount")
		first := 0
		if op.Name == opname.HandshakeExtmemory {
			first = 1
		}
		if ld < 0 || st < 0 || int64(op.NumOperands()-first) != 2*st+ld {
			return // no well-formed memory: nothing is known about it
		}
		for i := range int(st) {
			b.node(op, "store", []int{first + 2*i, first + 2*i + 1}, []int{int(ld) + i})
		}
		for i := range int(ld) {
			b.node(op, "load", []int{first + 2*int(st) + i}, []int{i, int(ld+st) + i})
		}
	default:
		b.node(op, "", upTo(op.NumOperands()), upTo(op.NumResults()))
	}
}

func upTo(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i
	}
	return s
}

// arcOf is the arc of operand i of op.
func (b *builder) arcOf(from, to int, op *ir.Operation, i int) arc {
	a := arc{from: from, to: to, latency: b.clock(op, i), loop: -1}
	l, steering := b.nest.loop[rawOf(op)], rawOf(op) != nil
	v := op.Operand(i)
	switch {
	case op.Name == opname.DataflowInterlock && i > 0:
		// The store of the iteration before is known; where no subscripts meet, those are done that have no place any more.
		a.loop, a.role = b.nest.home(op.Result(0)), back
		if i == 2 {
			a.apart = units.InterlockDepth + 1
		}
	case steering && op.Name == opname.DataflowAccumulate && i != 1:
		// Only its result leaves the loop, so that no recurrence passes it.
	case steering && op.Name == opname.DataflowCarry && i != 1,
		steering && op.Name == opname.DataflowInvariant && i == 0:
		a.loop, a.role = l, back
		if isGated(v) {
			a.role = level
		}
	case steering && op.Name != opname.DataflowGate:
		a.loop, a.role = l, enter
	case isGated(v):
		a.loop, a.role = b.nest.loop[dataflow.Loop(ungated(v))], ahead
	}
	if a.role == plain && v.Def.Name == opname.HandshakeCondBr && v.Index == 1 {
		// The false side of a loop's split is its result.
		if l, ok := b.nest.boundary(v.Def); ok {
			a.loop, a.role = l, leave
		}
	}
	if a.role == plain && v.Def.Name == opname.DataflowAccumulate {
		a.loop, a.role = b.nest.loop[rawOf(v.Def)], leave
	}
	if op.Name == opname.HandshakeMux && i > 0 {
		a.data = i
	}
	return a
}

// tokens is how many tokens the arc carries in the analysis of loop l, and
// whether it takes part: the state of the other loops stays where it is.
func (a arc) tokens(l int) (int, bool) {
	if a.loop != l {
		// In a loop around a.loop its activations count. Their first firing is not
		// later than their last, but owes nothing to the operands read later.
		return 0, a.role != back && a.role != level
	}
	switch a.role {
	case back:
		return max(a.apart, 1), true
	case ahead:
		return -1, true
	case enter, leave:
		return 0, false
	}
	return 0, true
}
