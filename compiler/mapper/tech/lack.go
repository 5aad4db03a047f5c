package tech

import (
	"slices"

	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/units"
)

// Misfit is the error of Map for a graph that the fabric cannot host.
type Misfit struct {
	// List are the findings for a person.
	List *diag.List
	// Lacks are what the fabric is short of; none if no fabric would do.
	Lacks []Lack
}

// Error returns the text of the findings.
func (m *Misfit) Error() string { return m.List.Error() }

// Unwrap returns the findings.
func (m *Misfit) Unwrap() error { return m.List }

// Lack is one thing that a fabric is short of.
type Lack struct {
	Kind LackKind
	// N is how many are missing: PEs, units, boundary ports; of LackWidth the bits needed.
	N int
	// Op is an operation for which units are missing, Have are the PEs that execute it.
	Op   *ir.Operation
	Have []*arch.Component
	// Arrays are those that no memory can hold, or that cannot be held together.
	Arrays []*Array
}

// LackKind is the kind of a Lack.
type LackKind int

// The kinds.
const (
	LackWidth   LackKind = iota // channels of N bits
	LackUnit                    // PEs that execute Op
	LackPEs                     // PEs of any kind
	LackInputs                  // boundary inputs
	LackOutputs                 // boundary outputs
	LackMemory                  // a memory that can hold the one array
	LackRoom                    // room for all arrays together
)

// channelWidth is the number of data bits of the widest channel of the fabric.
func channelWidth(f *arch.Fabric) int {
	w := 1
	for _, c := range f.Channels {
		w = max(w, c.Width)
	}
	return w
}

// tooWide returns the widest value that nothing in the fabric carries and what needs it;
// 0 if all are carried somewhere.
func (t *Tech) tooWide() (bits int, at diag.Pos, name string) {
	width := channelWidth(t.Fabric)
	wider := func(typ ir.Type, pos diag.Pos, what string) {
		if w := Width(typ, t.IndexWidth); w > width && w > bits {
			bits, at, name = w, pos, what
		}
	}
	for _, a := range t.Arrays {
		wider(a.Type.Elem, t.Ops[a.Op].Pos, "an element of "+a.Name)
	}
	for id, nd := range t.Nodes {
		if len(t.Cand[id]) > 0 || nd.Kind != Unit {
			continue
		}
		op := t.Ops[nd.Ops[0]]
		for _, v := range slices.Concat(op.Operands(), op.Results()) {
			wider(v.Type, nd.Pos, "'"+op.Name+"'")
		}
	}
	return bits, at, name
}

// withoutHardware returns the nodes whose operation the fabric does not offer and the
// hardware library does not have, by operation in the order of the graph.
func (t *Tech) withoutHardware() (ops []string, nodes map[string][]*Node) {
	nodes = map[string][]*Node{}
	for id, nd := range t.Nodes {
		if len(t.Cand[id]) > 0 || nd.Kind != Unit {
			continue
		}
		op := t.Ops[nd.Ops[0]]
		if u, _ := units.Lookup(op.Name); u.Hardware() || len(t.offers(op)) > 0 {
			continue
		}
		if nodes[op.Name] == nil {
			ops = append(ops, op.Name)
		}
		nodes[op.Name] = append(nodes[op.Name], nd)
	}
	return ops, nodes
}
