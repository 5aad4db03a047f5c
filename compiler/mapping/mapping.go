// Package mapping holds the finished mapping of a DFG onto a fabric as plain
// data: what the mapper produces and what reports, configuration, simulators
// and co-simulation read. It knows nothing of how a mapping is found.
package mapping

import "loom/compiler/ir"

// Binding is where a kernel's arguments, results and control tokens meet the
// fabric's boundary.
type Binding struct {
	Kernel  string
	Args    []ArgBinding    // in the kernel's argument order, control excluded
	Results []ResultBinding // in the kernel's result order, control excluded
	Start   int             // boundary input that takes the start token
	Done    int             // boundary output that delivers the done token
	// Contents are what the host writes into on-chip memories before every run:
	// the initial contents of the kernel's own memories there.
	Contents []Contents
	// Tables are the kernel's own arrays in external memory, all of them constant: the
	// host keeps their contents in memory and sets their addresses before a run.
	Tables []Table
}

// Table is a constant array of the kernel in external memory.
type Table struct {
	// Name identifies the memory of the kernel, for people and for constants in
	// headers; Op is its operation, by index in the body.
	Name string
	Op   int
	Elem ir.Type
	Data []uint64 // bit patterns
	// ElemBytes is the distance between elements in memory: that of the memories that
	// read the table, which may have wider elements than it.
	ElemBytes int
	// Mem is the component ID of the extmemory that reads it, Region its entry in that
	// memory's address table; Also are the further memories that serve accesses to it.
	Mem, Region int
	Also        []At
}

// At is the entry Region of the address table of the extmemory with the component ID Mem.
type At struct{ Mem, Region int }

// Places are all memories through which a memref is accessed, none for scalars and for
// memrefs that are not.
func (a *ArgBinding) Places() []At {
	if a.Mem < 0 {
		return nil
	}
	return append([]At{{a.Mem, a.Region}}, a.Also...)
}

// Places are all memories through which the table is read.
func (t *Table) Places() []At { return append([]At{{t.Mem, t.Region}}, t.Also...) }

// Contents are the initial elements of one memory of the kernel.
type Contents struct {
	// Name identifies the memory of the kernel, for people and for constants in
	// headers; Op is its operation, by index in the body.
	Name string
	Op   int
	// Mem is the component ID of the memory, which is not private; First the index
	// of the first element there.
	Mem   int
	First int64
	Elem  ir.Type
	Data  []uint64 // bit patterns
}

// ArgBinding places one argument: scalars at a boundary input, memrefs at the
// memory component that serves them.
type ArgBinding struct {
	Name string
	Type ir.Type
	// Input is the boundary input of a scalar, -1 for memrefs and for scalars
	// that the kernel does not read.
	Input int
	// Mem is the component ID of the extmemory that serves a memref, -1 for
	// scalars and for memrefs that the kernel does not access; Region its entry
	// in that memory's address table.
	Mem    int
	Region int
	// Also are the further memories that serve accesses to a memref.
	Also []At
	// ROM is set for a memref that nobody writes during a run.
	ROM bool
}

// ResultBinding places one result at a boundary output.
type ResultBinding struct {
	Name   string
	Type   ir.Type
	Output int
}
