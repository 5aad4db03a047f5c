package tech

import (
	"fmt"

	"loom/compiler/dialect/handshake"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// Array is a memory of the kernel: an argument or a local one, with its accesses; or some of
// the accesses of one that several memories serve (divide).
type Array struct {
	ID int
	// Op is the handshake.memory or handshake.extmemory.
	Op   int
	Type *ir.MemRefType
	// Arg is the memref argument, -1 for local memories; Init is set when a local
	// memory has contents before the kernel stores any.
	Arg  int
	Init bool
	// Elements is the number of elements of a local memory.
	Elements int64
	// Loads and Stores are the nodes of its accesses.
	Loads, Stores []int
	// Name identifies the memory in messages.
	Name string
}

// Constant reports whether the array is a table that the kernel only reads. The host can
// keep one in external memory, too, and in elements that are wider than its own.
func (a *Array) Constant() bool { return a.Init && len(a.Stores) == 0 }

// Span is the number of tags that distinguish the accesses of the array on one
// memory: loads and stores may have the same.
func (a *Array) Span() int { return max(len(a.Loads), len(a.Stores)) }

func isMemory(op *ir.Operation) bool {
	return op.Name == opname.HandshakeExtmemory || op.Name == opname.HandshakeMemory
}

// addArray makes the nodes of a memory operation: one per access.
func (n *Netlist) addArray(i int, op *ir.Operation) {
	p, err := MemPortsOf(op)
	if err != nil {
		panic("tech: a memory without ports was accepted: " + err.Error())
	}
	a := &Array{ID: len(n.Arrays), Op: i, Type: p.Type, Arg: -1, Init: op.Attr(handshake.InitAttr) != nil, Name: "the local memory made here"}
	n.Arrays = append(n.Arrays, a)
	if p.First == 1 {
		a.Arg, a.Name = op.Operand(0).Index, fmt.Sprintf("memref argument '%s'", ArgName(n.Fn, op.Operand(0).Index))
	} else {
		a.Elements, _ = p.Type.NumElements() // verified to be static
	}
	node := func(store bool, index int) *Node {
		nd := n.newNode(Access, op.Pos, fmt.Sprintf("%s %d of %s", map[bool]string{false: "load", true: "store"}[store], index, OpLabel(op)))
		nd.Ops, nd.Array, nd.Store, nd.Index = []int{i}, a.ID, store, index
		return nd
	}
	for k := range p.Loads {
		nd := node(false, k)
		nd.Ins = []OpPort{{i, p.First + 2*p.Stores + k}}
		nd.Outs = []OpPort{{i, k}, {i, p.Loads + p.Stores + k}}
	}
	for k := range p.Stores {
		nd := node(true, k)
		nd.Ins = []OpPort{{i, p.First + 2*k + 1}, {i, p.First + 2*k}}
		nd.Outs = []OpPort{{i, p.Loads + k}}
	}
}

// listAccesses sets the nodes of every array.
func (n *Netlist) listAccesses() {
	for _, a := range n.Arrays {
		a.Loads, a.Stores = nil, nil
	}
	for _, nd := range n.Nodes {
		if nd.Kind != Access {
			continue
		}
		a := n.Arrays[nd.Array]
		if nd.Store {
			a.Stores = append(a.Stores, nd.ID)
		} else {
			a.Loads = append(a.Loads, nd.ID)
		}
	}
}

// The ports of access nodes.
const (
	InAddr   = 0 // of loads and stores
	InData   = 1 // of stores
	LoadData = 0 // Outs of a load
	LoadDone = 1
)

// MemPorts is the port arrangement of a DFG memory: per store data then
// address, then the load addresses; results are load data, store dones, load
// dones (design page "Handshake text that CIRCT reads").
type MemPorts struct {
	Loads, Stores int
	// First is the number of operands before the ports: 1 for extmemory.
	First int
	Elem  ir.Type
	Type  *ir.MemRefType
}

// MemPortsOf reads the port counts from the shape of the operation.
func MemPortsOf(op *ir.Operation) (MemPorts, error) {
	p := MemPorts{}
	if op.Name == opname.HandshakeExtmemory {
		p.First = 1
		if op.NumOperands() > 0 {
			p.Type, _ = op.Operand(0).Type.(*ir.MemRefType)
		}
	} else {
		for _, a := range op.Attrs {
			if ta, ok := a.Value.(*ir.TypeAttr); ok {
				if mt, ok := ta.Type.(*ir.MemRefType); ok {
					p.Type = mt
				}
			}
		}
	}
	if p.Type == nil {
		return p, fmt.Errorf("it has no memref type")
	}
	p.Elem = p.Type.Elem
	// operands = 2·stores + loads, results = 2·loads + stores
	o, r := op.NumOperands()-p.First, op.NumResults()
	l3, s3 := 2*r-o, 2*o-r
	if l3 < 0 || s3 < 0 || l3%3 != 0 || s3%3 != 0 {
		return p, fmt.Errorf("%d operands and %d results are no arrangement of load and store ports", o, r)
	}
	p.Loads, p.Stores = l3/3, s3/3
	return p, nil
}
