package prove

import (
	"slices"

	"loom/compiler/ir"
	"loom/compiler/opname"
)

// passLoads takes loads apart, on both sides, as a fabric may lead what they pass on past their units. The data comes from the memory and goes
// on as it is: a wire. The address waits for the control alone, and where that is held for the run it is a wire, too.
func (g *graph) passLoads() {
	for _, n := range append([]*node(nil), g.nodes...) {
		if n.op != opname.HandshakeLoad || n.ir == nil || len(n.in) != 3 || len(n.out) != 2 {
			continue
		}
		g.pass(n.in[1], n.out[0], data)
		if n.in[2].isHeld(len(g.nodes)) {
			g.pass(n.in[0], n.out[1], address)
			n.op = gone
			continue
		}
		n.in, n.out = []*input{n.in[0], n.in[2]}, n.out[1:]
		n.in[1].k, n.out[0].port = 1, 0
		like := ir.NewOp(n.op, n.pos, nil, []ir.Type{n.ir.Operand(0).Type, n.ir.Operand(2).Type})
		n.ir = ir.NewOp(n.op, n.pos, like.Results(), []ir.Type{n.ir.Result(1).Type})
	}
	// The word of a control that is held is nobody's then.
	read := map[*node]bool{}
	for _, n := range g.nodes {
		for _, in := range n.in {
			if n.op != gone && in.raw != nil {
				read[in.raw.node] = true
			}
		}
	}
	for _, n := range g.nodes {
		if n.op != gone || len(n.in) != 3 {
			continue
		}
		if v := n.in[2].raw; v != nil && v.node.op == opname.HandshakeConstant && !read[v.node] {
			v.node.op = gone
		}
	}
	g.nodes = slices.DeleteFunc(g.nodes, func(n *node) bool { return n.op == gone })
}

// Nodes that loads become.
const (
	address = "address" // a wire that something must read
	data    = "data"    // the wire of a load, whose data need not be read
	gone    = "gone"
)

// pass makes a wire of an operand and the result that passes it on.
func (g *graph) pass(in *input, out *value, op string) {
	of := in.node
	n := &node{id: len(g.nodes), op: op, in: []*input{in}, out: []*value{out}, pos: of.pos, what: of.what, place: of.place, order: of.order}
	in.node, in.k, out.node, out.port = n, 0, n, 0
	g.nodes = append(g.nodes, n)
}

// isHeld reports whether an operand is the start token, held for the run.
func (in *input) isHeld(steps int) bool {
	for range steps {
		if in.held {
			return true
		}
		if in.raw == nil {
			return false
		}
		switch n := in.raw.node; n.op {
		case opname.DataflowHold:
			start := n.in[0].raw
			return start != nil && start.node.op == argument && start.width == 0
		case opname.HandshakeConstant, wire, address, data:
			in = n.in[0]
		default:
			return false
		}
	}
	return false
}
