package prove

import (
	"fmt"
	"slices"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// graph is a dataflow graph as both sides are written down: the kernel's, and the one that
// the configured fabric carries out.
type graph struct {
	nodes []*node
}

// node is an operation, an access of a memory, an argument or a result.
type node struct {
	id int
	// op is the name of the operation; the other nodes have names without a dot.
	op string
	// fields are what tells it from others of its name: configured or static attributes,
	// spelled name=value, sorted.
	fields []string
	in     []*input
	out    []*value
	// symmetric: the operands may stand in any order.
	symmetric bool
	// mem is the array of an access.
	mem *array
	// ir is the operation with its types, of the kernel or of a function unit's body; nil
	// for what is none.
	ir *ir.Operation
	// word is the value of a constant.
	word uint64
	// free: an extension of the kernel whose operand's channel has what it gives (widths.FreeExtensions).
	free bool
	// operands numbers, for each of in, the operand of ir: a join may use some of its own.
	operands []int
	// addressBits is the width of the address port of an access in the fabric.
	addressBits int
	pos         diag.Pos
	// what and place name the node in messages: "'arith.addi' (%sum)", "unit 'addi' of PE 'pe_1'".
	what, place string
	// order is where the node stands in its source, for the first of several differences.
	order int
	// key is what two nodes must have in common to be compared at all.
	key string
}

// value is a result of a node, width bits wide.
type value struct {
	node    *node
	port    int
	width   int
	readers []*input
}

// input is an operand. Where it has a word, data is that constant and from gives only the
// tokens that pace it. Held operands are always there, and then nothing paces them.
type input struct {
	node *node
	k    int
	// width is the number of bits that the operand needs, in the kernel, or that reach it, in
	// the fabric: the least of all that the value passes. It is 0 for tokens.
	width    int
	from     *value
	constant bool
	word     uint64
	held     bool
	// extended is set in the kernel where the value passes an extension that is a wire: zeros stand above the width.
	extended bool
	// full is the width of the operand itself.
	full int
	// bits is the width of the constant.
	bits int
	// raw is what feeds the operand before normal form.
	raw *value
	// via is the place in the fabric through which it is fed, for messages.
	via string
}

// array is a memory operation of the kernel, or a region of a memory of the fabric.
type array struct {
	id int
	// argument is the number of the argument it is, -1 for the kernel's own.
	argument int
	// data are the initial contents of the kernel's own, nil for none.
	data []uint64
	// elemBits is the width of an element, elements their number, 0 where only the host knows.
	elemBits int
	elements int64
	// external: outside of the chip.
	external bool
	// stores: something writes it.
	stores bool
	// what names it in messages.
	what string
	// component and first are the memory of the fabric and where the elements begin there.
	component int
	first     int64
}

// add appends a node with n operands and results of the given widths.
func (g *graph) add(n *node, operands int, results ...int) *node {
	n.id = len(g.nodes)
	for k := range operands {
		n.in = append(n.in, &input{node: n, k: k})
	}
	for k, w := range results {
		n.out = append(n.out, &value{node: n, port: k, width: w})
	}
	g.nodes = append(g.nodes, n)
	return n
}

// Names of nodes that are no operations.
const (
	argument  = "argument"
	result    = "result"
	loadPort  = "load"
	storePort = "store"
	wire      = "wire" // passes its operand on
)

// width is the number of bits of a type, 0 for tokens and for what has none.
func width(t ir.Type, indexWidth int) int {
	w, _ := ir.BitWidth(t, indexWidth)
	return w
}

// transparent reports whether a node only passes the low bits of its operand on, with what stands
// above them in the channel, or with token set only its tokens.
func (n *node) transparent(indexWidth int) (passes, token bool) {
	name := n.op
	if n.ir != nil {
		name = n.ir.Name
	}
	switch name {
	case wire, address, data:
		return true, false
	case opname.HandshakeJoin:
		return len(n.in) == 1, true
	case opname.ArithTruncI, opname.ArithIndexCast, opname.ArithIndexCastUI, opname.ArithExtSI, opname.ArithExtUI, opname.ArithBitcast:
	default:
		return false, false
	}
	if n.ir == nil || len(n.in) != 1 || len(n.out) != 1 {
		return false, false
	}
	from, ok := ir.BitWidth(n.ir.Operand(0).Type, indexWidth)
	to, ok2 := ir.BitWidth(n.ir.Result(0).Type, indexWidth)
	if !ok || !ok2 {
		return false, false
	}
	switch name {
	case opname.ArithTruncI, opname.ArithIndexCast, opname.ArithIndexCastUI:
		return to <= from || n.free, false
	}
	return to == from || n.free, false
}

// normalise resolves every operand to what feeds it behind wires and constants, and drops
// those: a constant is a word of each of its readers, paced by what fires the constant.
// Constants and joins of one token that nothing reads stay, as units are active for them.
// It returns the wires that nothing reads.
func (g *graph) normalise(indexWidth int) (unread []*node, err error) {
	g.passLoads()
	through := map[*node]bool{}
	for _, n := range g.nodes {
		passes, _ := n.transparent(indexWidth)
		through[n] = passes || n.op == opname.HandshakeConstant || n.op == opname.DataflowHold
	}
	unit := func(n *node) bool { return n.op == opname.HandshakeConstant || n.op == opname.HandshakeJoin }
	used := map[*node]bool{}
	resolve := func(want func(n *node) bool) error {
		for _, n := range g.nodes {
			for _, in := range n.in {
				if !want(n) {
					continue
				}
				if err := in.resolve(g, indexWidth, through, used); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if err := resolve(func(n *node) bool { return !through[n] }); err != nil {
		return nil, err
	}
	if err := resolve(func(n *node) bool { return through[n] && unit(n) && !used[n] }); err != nil {
		return nil, err
	}
	var rest []*node
	for _, n := range g.nodes {
		switch {
		case through[n] && used[n], n.op == opname.DataflowHold:
			continue
		case through[n] && !unit(n):
			unread = append(unread, n)
			continue
		}
		n.id = len(rest)
		rest = append(rest, n)
		for _, in := range n.in {
			if in.from != nil {
				in.from.readers = append(in.from.readers, in)
			}
		}
	}
	for _, n := range rest {
		n.gateAsBranch()
		slices.Sort(n.fields)
		n.key = fmt.Sprintf("%s %d %d %s", n.op, len(n.in), len(n.out), strings.Join(n.fields, " "))
	}
	g.nodes = rest
	return unread, nil
}

// gateAsBranch makes a gate whose condition nothing reads the branch that it is then: what
// passes where the condition is true.
func (n *node) gateAsBranch() {
	if n.op != opname.DataflowGate || len(n.out) != 2 || len(n.out[1].readers) > 0 || n.ir == nil {
		return
	}
	n.op = opname.HandshakeCondBr
	n.in = []*input{n.in[1], n.in[0]}
	for k, in := range n.in {
		in.k = k
	}
	t := n.ir.Operand(0).Type
	like := ir.NewOp(opname.HandshakeCondBr, n.pos, nil, []ir.Type{n.ir.Operand(1).Type, t})
	n.ir = ir.NewOp(opname.HandshakeCondBr, n.pos, like.Results(), []ir.Type{t, t})
}

// resolve follows the operand's value back. A loop of wires has no source.
func (in *input) resolve(g *graph, indexWidth int, through, used map[*node]bool) error {
	v := in.raw
	in.full = in.width
	for steps := 0; v != nil; steps++ {
		if steps > len(g.nodes) {
			return diag.New(in.node.pos, "operand %d of %s has no source: it is fed by a loop of wires", in.k, in.node.what)
		}
		if !in.constant {
			in.width = min(in.width, v.width)
		}
		n := v.node
		if !through[n] {
			break
		}
		used[n] = true
		switch {
		case n.op == opname.HandshakeConstant:
			// Who needs no data reads the tokens that fire the constant.
			if !in.constant && in.width > 0 {
				in.constant, in.word, in.bits = true, n.word, n.out[0].width
			}
		case n.op == opname.DataflowHold:
			if src := n.in[0].raw; src == nil || src.node.op != argument || src.width != 0 || in.width > 0 && !in.constant {
				return diag.New(n.pos, "%s holds a value: a fabric holds the start token alone", n.what).
					WithHelp("repeat the value by dataflow.invariant")
			}
			in.held = true
			v = nil
			continue
		default:
			in.extended = in.extended || n.free
			if _, token := n.transparent(indexWidth); token && !in.constant {
				in.width = 0
			}
		}
		if n.in[0].held {
			in.held = true
			v = nil
			continue
		}
		v = n.in[0].raw
		if !in.constant {
			in.width = min(in.width, n.in[0].width)
		}
	}
	in.from = v
	if in.constant {
		in.word &= mask(in.width)
	}
	return nil
}

func mask(bits int) uint64 {
	if bits >= 64 {
		return ^uint64(0)
	}
	return 1<<bits - 1
}
