// Package tech is technology mapping: it reads a handshake.func as a netlist of
// nodes (operations that need hardware) and nets (values that travel), decides
// which function units can execute which operations, and reports exactly
// what is missing when the fabric cannot host them all.
//
// Source: design page "Mapper", stage 1.
package tech

import (
	"slices"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/widths"
)

// Kind is the class of site that a node needs.
type Kind int

// The node kinds.
const (
	Unit   Kind = iota // a function unit of a PE
	Access             // one load or store: a lane of a tagged memory, or the ports of an untagged one
	ArgIn              // a boundary input
	ResOut             // a boundary output
)

// Pin is a port of a node: an index into Ins or Outs.
type Pin struct{ Node, Port int }

// OpPort is an operand or result of the operation with index Op in the body.
type OpPort struct{ Op, Port int }

// Node needs one site of the fabric.
type Node struct {
	ID   int
	Kind Kind
	// Ops are the operations executed here: one or several (in the order of the
	// pattern's body) for units, the memory for accesses, none for the boundary.
	Ops []int
	// Index is the argument or result number of a boundary node, and for an access
	// its number among the loads or stores of its array.
	Index int
	// Array is the array of an access, an index into Netlist.Arrays; Store
	// is set for stores.
	Array int
	Store bool
	// Ins and Outs are the external operands and results, in port order: address,
	// then data of an access, data, then done token.
	Ins, Outs []OpPort
	// InNets[k] is the net read by port k, -1 for none; OutNets[k] the net that
	// port k drives, -1 when nothing reads it.
	InNets, OutNets []int
	Pos             diag.Pos
	Name            string
	// pattern is the multi-operation unit shape this node was cut out for, nil
	// for single operations.
	pattern *pattern
	binding []int // pattern body operation -> op index
	// also[k] are further operands inside of the unit that port k feeds.
	also [][]OpPort
}

// Sink is one reader of a net.
type Sink struct {
	Pin
	// Width is the number of bits the reader needs: casts on the path may have
	// narrowed the value.
	Width int
	// Through are the wire operations on the path, source first.
	Through []int
	// Dst is the reading operand; Also are operands of the same unit that read the same value at
	// the same port.
	Dst  OpPort
	Also []OpPort
}

// Net is a value with its readers.
type Net struct {
	ID    int
	Src   Pin
	Value *ir.Value
	// SrcPort is the defining result; Op -1 is argument Port of the function.
	SrcPort OpPort
	Sinks   []Sink
	// Width is the widest need among the sinks, at least 1.
	Width int
}

// Netlist is a DFG as placement and routing see it.
type Netlist struct {
	Fn    *ir.Operation
	Ops   []*ir.Operation
	Index map[*ir.Operation]int
	Wires map[int]bool // operations folded into edges
	// Passes are the loads whose unit, if they have one, leads addresses only: their data goes from the memory to its readers (passing).
	Passes     map[int]bool
	Nodes      []*Node
	Nets       []*Net
	IndexWidth int
	// Arrays are the memories of the kernel in body order, and behind them what was divided.
	Arrays []*Array
	// ArgNode[i] is the boundary node of argument i (start last), -1 for memrefs
	// and unused scalars. ResNode[i] likewise for results (done last).
	ArgNode, ResNode []int
	NodeOf           map[int]int // op index -> unit node
	// Imm are the operands that are immediates. What reads none of a constant with tokens is a
	// sink of the net of its control.
	Imm map[OpPort]*Immediate
	// own marks the constants that have units.
	own map[int]bool
}

// Width is the hardware width of t, at least 1 bit.
func Width(t ir.Type, indexWidth int) int {
	w, _ := ir.BitWidth(t, indexWidth)
	return max(w, 1)
}

// IsWire reports whether op needs no hardware wherever it stands: a cast whose result is the low
// bits of its operand, on hardware with the given index width, or a join of one token, which
// drops the data of a value.
func IsWire(op *ir.Operation, indexWidth int) bool {
	if op.NumOperands() != 1 || op.NumResults() != 1 {
		return false
	}
	if op.Name == opname.HandshakeJoin {
		return true
	}
	from, ok1 := ir.BitWidth(op.Operand(0).Type, indexWidth)
	to, ok2 := ir.BitWidth(op.Result(0).Type, indexWidth)
	if !ok1 || !ok2 {
		return false
	}
	switch op.Name {
	case opname.ArithTruncI, opname.ArithIndexCast, opname.ArithIndexCastUI:
		return to <= from
	case opname.ArithExtSI, opname.ArithExtUI, opname.ArithBitcast:
		return to == from
	}
	return false
}

// Read builds the netlist of fn with one node per operation, for PEs without immediates. What
// does not look like a DFG is reported.
func Read(fn *ir.Operation, indexWidth int) (*Netlist, error) { return read(fn, indexWidth, nil) }

func read(fn *ir.Operation, indexWidth int, f *folding) (*Netlist, error) {
	var errs diag.List
	if fn.Name != opname.HandshakeFunc || len(fn.Regions) != 1 || len(fn.Regions[0].Blocks) != 1 {
		errs.Errorf(fn.Pos, "the mapper needs a handshake.func with one block, found '%s'", fn.Name).
			WithHelp("lower the kernel first: loom compile")
		return nil, errs.Err()
	}
	body := fn.Regions[0].Entry()
	n := &Netlist{Fn: fn, Ops: body.Ops, Index: map[*ir.Operation]int{}, Wires: map[int]bool{},
		IndexWidth: indexWidth, NodeOf: map[int]int{}}
	for i, op := range body.Ops {
		n.Index[op] = i
		for k, v := range op.Operands() {
			if v == nil {
				errs.Errorf(op.Pos, "operand #%d of '%s' is unconnected", k, op.Name)
			}
		}
		if isMemory(op) {
			if _, err := MemPortsOf(op); err != nil {
				errs.Errorf(op.Pos, "'%s' is no memory: %v", op.Name, err)
			}
		}
	}
	ret := body.Terminator()
	switch {
	case ret == nil || ret.Name != opname.HandshakeReturn || ret.NumOperands() == 0:
		errs.Errorf(fn.Pos, "'%s' does not end in a handshake.return with a control token", fn.SymName())
	case len(body.Args) == 0:
		errs.Errorf(fn.Pos, "'%s' has no start token", fn.SymName())
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	free := widths.FreeExtensions(fn, indexWidth)
	for i, op := range n.Ops {
		if IsWire(op, n.IndexWidth) || free[op] {
			n.Wires[i] = true
		}
	}
	if f != nil && f.passes {
		n.passing()
	}
	n.fold(f, &errs)
	if err := errs.Err(); err != nil {
		return nil, err
	}
	n.addNodes(body, ret)
	n.connect(ret, &errs)
	return n, errs.Err()
}

// The operands and results of handshake.load: result r passes on operand 1 - r.
const (
	loadAddress, loadData, loadControl = 0, 1, 2
	loadedData                         = 0
)

// passing finds the loads that are wires. Their data comes from the memory and goes on as it is, so its readers read the memory. Where the
// control is held for the run, nor does the address wait for anything; a constant there keeps the unit, as memories have no immediates.
//
// A store is none: its address would run ahead of its data and wait at the memory, where it takes a place that other stores share
// (rtl/loom_extmemory_tagged.sv).
func (n *Netlist) passing() {
	passes := map[int]bool{}
	for i, op := range n.Ops {
		if op.Name != opname.HandshakeLoad || op.NumOperands() != 3 || op.NumResults() != 2 {
			continue
		}
		passes[i] = true
		at := n.origin(op.Operand(loadAddress)).Def
		n.Wires[i] = n.held(op.Operand(loadControl)) && (at == nil || constant(at) == nil && at.Name != opname.DataflowHold)
	}
	n.Passes = passes
}

// PassesLoads reports whether loads are wires that could have units.
func (n *Netlist) PassesLoads() bool {
	return slices.ContainsFunc(n.Ops, func(op *ir.Operation) bool { return n.Passes[n.Index[op]] })
}

// passesData reports whether operation i is a load whose data passes it by.
func (n *Netlist) passesData(i int) bool { return i >= 0 && n.Passes[i] }

// behind is the value that v is, where its operation only passes it on; nil where it computes it.
func (n *Netlist) behind(v *ir.Value) *ir.Value {
	if v.Def == nil {
		return nil
	}
	i := n.Index[v.Def]
	switch v.Def.Name {
	case opname.HandshakeLoad:
		if n.Wires[i] || n.Passes[i] && v.Index == loadedData {
			return v.Def.Operand(1 - v.Index)
		}
	default:
		if n.Wires[i] {
			return v.Def.Operand(0)
		}
	}
	return nil
}

// onward is the result by which an operation passes on what it reads as operand k; passes is not set where it is no wire for that. A
// wire passes on nothing of a control, and has no result for it.
func (n *Netlist) onward(op *ir.Operation, k int) (result *ir.Value, passes bool) {
	i := n.Index[op]
	switch {
	case op.Name != opname.HandshakeLoad && n.Wires[i]:
		return op.Result(0), true
	case !n.Wires[i] && !(n.Passes[i] && k == loadData):
		return nil, false
	case k == loadControl:
		return nil, true
	}
	return op.Result(1 - k), true
}

func (n *Netlist) newNode(kind Kind, pos diag.Pos, name string) *Node {
	nd := &Node{ID: len(n.Nodes), Kind: kind, Pos: pos, Name: name}
	n.Nodes = append(n.Nodes, nd)
	return nd
}

func (n *Netlist) addNodes(body *ir.Block, ret *ir.Operation) {
	for i, op := range n.Ops {
		if op == ret {
			continue
		}
		if isMemory(op) {
			n.addArray(i, op)
			continue
		}
		if !n.isUnit(i) || constant(op) != nil && !n.own[i] {
			continue
		}
		nd := n.newNode(Unit, op.Pos, OpLabel(op))
		nd.Ops = []int{i}
		for k := range op.Operands() {
			nd.Ins = append(nd.Ins, OpPort{i, k})
		}
		for k := range op.Results() {
			nd.Outs = append(nd.Outs, OpPort{i, k})
		}
		n.NodeOf[i] = nd.ID
	}
	n.listAccesses()
	for i, a := range body.Args {
		n.ArgNode = append(n.ArgNode, -1)
		_, isMem := a.Type.(*ir.MemRefType)
		// The start token is bound even when nothing reads it: the host gives it.
		if isMem || !a.HasUses() && i != len(body.Args)-1 {
			continue
		}
		nd := n.newNode(ArgIn, a.Loc, "argument "+ArgName(n.Fn, i))
		nd.Index = i
		nd.Outs = []OpPort{{-1, i}}
		n.ArgNode[i] = nd.ID
	}
	for i := range ret.Operands() {
		nd := n.newNode(ResOut, ret.Pos, "result "+ResName(n.Fn, i))
		nd.Index = i
		nd.Ins = []OpPort{{n.Index[ret], i}}
		n.ResNode = append(n.ResNode, nd.ID)
	}
}

// connect makes a net of every value that something reads, following wires.
func (n *Netlist) connect(ret *ir.Operation, errs *diag.List) {
	pinOf := map[OpPort]Pin{}
	for _, nd := range n.Nodes {
		for k, p := range nd.Ins {
			pinOf[p] = Pin{nd.ID, k}
		}
		nd.InNets = fill(len(nd.Ins))
		nd.OutNets = fill(len(nd.Outs))
	}
	for _, nd := range n.Nodes {
		for k, out := range nd.Outs {
			if n.passesData(out.Op) && out.Port == loadedData {
				continue // its readers are those of the memory's
			}
			var v *ir.Value
			if out.Op < 0 {
				v = n.Fn.Regions[0].Entry().Args[out.Port]
			} else {
				v = n.Ops[out.Op].Result(out.Port)
			}
			net := &Net{ID: len(n.Nets), Src: Pin{nd.ID, k}, Value: v, SrcPort: out}
			n.follow(net, v, pinOf, errs)
			if len(net.Sinks) == 0 {
				continue
			}
			for _, s := range net.Sinks {
				net.Width = max(net.Width, s.Width)
				n.Nodes[s.Node].InNets[s.Port] = net.ID
			}
			nd.OutNets[k] = net.ID
			n.Nets = append(n.Nets, net)
		}
	}
	// A cycle of wires has no driver: every port must have got a net.
	for _, nd := range n.Nodes {
		for k, net := range nd.InNets {
			op := nd.Ins[k].Op
			if m := n.Imm[nd.Ins[k]]; net < 0 && (m == nil || !m.Held) && !(n.passesData(op) && nd.Ins[k].Port == loadData) {
				errs.Errorf(n.Ops[op].Pos, "operand #%d of '%s' has no driver", nd.Ins[k].Port, n.Ops[op].Name)
			}
		}
	}
}

// follow collects the readers of v, the value of net, in body order. What reads a constant as
// an immediate reads the constant's control in its place, whatever data that has.
func (n *Netlist) follow(net *Net, v *ir.Value, pinOf map[OpPort]Pin, errs *diag.List) {
	for _, r := range n.readers(v, Width(v.Type, n.IndexWidth), nil) {
		op := n.Ops[r.at.Op]
		m := n.Imm[r.at]
		switch {
		case op.Name == opname.DataflowHold || m != nil:
			// A held operand reads nothing; that of a paced one is found through its constant.
			continue
		case constant(op) != nil:
			value := op.Result(0)
			through := append(r.through[:len(r.through):len(r.through)], r.at.Op)
			for _, x := range n.readers(value, Width(value.Type, n.IndexWidth), through) {
				if m := n.Imm[x.at]; m != nil && m.Const == r.at.Op {
					net.Sinks = append(net.Sinks, Sink{Pin: pinOf[x.at], Width: 1, Through: x.through, Dst: x.at})
				}
			}
			if !n.own[r.at.Op] {
				continue
			}
		}
		pin, ok := pinOf[r.at]
		if !ok {
			errs.Errorf(op.Pos, "operand #%d of '%s' cannot be fed by a channel", r.at.Port, op.Name)
			continue
		}
		net.Sinks = append(net.Sinks, Sink{Pin: pin, Width: r.width, Through: r.through, Dst: r.at})
	}
}

func fill(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = -1
	}
	return s
}
