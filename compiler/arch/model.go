// Package arch is LOOM's model of a fabric: what an ADG in Fabric MLIR means
// once its instances are flattened into components (switches, PEs, FIFOs,
// memories) and the channels between them. Mapper, configuration, simulators
// and the RTL generator all read this one model; text is read and printed
// by compiler/dialect/fabric, and the builder is the package below this one.
//
// Source: design page "The Fabric dialect" and spec-fabric-mem.
package arch

import (
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/units"
)

// Fabric is a flattened fabric.module.
type Fabric struct {
	// Name is the module's symbol.
	Name string
	Pos  diag.Pos
	// IndexWidth is the width of index in bits, 32…64.
	IndexWidth int
	// MaxJoinFanin is loom.adg_max_join_fanin: the widest handshake.join any
	// function unit offers; 0 when there is none.
	MaxJoinFanin int
	// StreamOps are the step operators of the dataflow.streams that function
	// units offer, sorted; empty, not nil, when there is none.
	StreamOps []string
	// MemPorts are the memref arguments of the module, bound by external
	// memories.
	MemPorts []MemPort
	// Inputs and Outputs are the boundary channels in port order.
	Inputs, Outputs []*Boundary
	// Comps are the components in flattened instance order; Comps[i].ID == i.
	Comps []*Component
	// Channels are the point-to-point connections; Channels[i].ID == i.
	Channels []*Channel
}

// HostMemories are the on-chip memories that the host reaches, in component order:
// those that are not private. Drivers and hardware number them by their index here.
func (f *Fabric) HostMemories() []*Component {
	var out []*Component
	for _, c := range f.Comps {
		if c.OnChip() && !c.Mem.Private {
			out = append(out, c)
		}
	}
	return out
}

// ExternalMemories are the interfaces to external memories, in component order.
func (f *Fabric) ExternalMemories() []*Component {
	var out []*Component
	for _, c := range f.Comps {
		if c.External() {
			out = append(out, c)
		}
	}
	return out
}

// Master is an AXI4 master of the generated top level: that of one external memory, or one that several share.
type Master struct {
	Name     string // of the component whose it is, or that they give it
	Shared   bool   // memories name it: it serves them through one interconnect, however many there are
	Memories []*Component
	Width    int // data bits: the widest of its memories
}

// Wide reports whether what a memory asks for at this master may have beats of several elements: where a word has several, and a
// transaction as many.
func (m *Master) Wide(c *Component) bool {
	lanes := m.Width / c.Mem.ElemWidth
	return m.Shared && lanes > 1 && c.Mem.Bursts() >= lanes
}

// Burst is how many elements a transaction has at most.
func (m *Master) Burst() int {
	n := 1
	for _, c := range m.Memories {
		n = max(n, c.Mem.Bursts())
	}
	return n
}

// Outstanding is how many transactions are under way at most, of reads and as many of writes.
func (m *Master) Outstanding() int {
	n := 0
	for _, c := range m.Memories {
		n += c.Mem.InFlight()
	}
	return n
}

// Masters are the AXI4 masters, in the order of the first memory of each. The ports of the generated top level, and the
// testbench, number them by their index here.
func (f *Fabric) Masters() []*Master {
	var out []*Master
	shared := map[string]*Master{}
	for _, c := range f.ExternalMemories() {
		m := shared[c.Mem.Master]
		if c.Mem.Master == "" || m == nil {
			m = &Master{Name: c.Name}
			if c.Mem.Master != "" {
				m.Name, m.Shared = c.Mem.Master, true
				shared[m.Name] = m
			}
			out = append(out, m)
		}
		m.Memories = append(m.Memories, c)
		m.Width = max(m.Width, c.Mem.ElemWidth, c.Mem.BusWidth)
	}
	return out
}

// MasterOf finds the AXI4 master of each external memory.
func (f *Fabric) MasterOf() map[*Component]*Master {
	out := map[*Component]*Master{}
	for _, m := range f.Masters() {
		for _, c := range m.Memories {
			out[c] = m
		}
	}
	return out
}

// BaseRegister is the number of the base address register of a region of an external
// memory, -1 for other components and regions: the regions are counted in component order.
func (f *Fabric) BaseRegister(c *Component, region int) int {
	n := 0
	for _, x := range f.Comps {
		if !x.External() {
			continue
		}
		if x == c && region >= 0 && region < x.Mem.NumRegion {
			return n + region
		}
		n += x.Mem.NumRegion
	}
	return -1
}

// SizeRegister is the number of the register of a region's size, that of its base address, -1 where
// there is none.
func (f *Fabric) SizeRegister(c *Component, region int) int {
	if c.External() && c.Mem.Bounds {
		return f.BaseRegister(c, region)
	}
	return -1
}

// SizeRegisters is how far the numbers of these registers go: one more than the last, 0 without any.
func (f *Fabric) SizeRegisters() int {
	n := 0
	for _, c := range f.Comps {
		if c.External() {
			n = max(n, f.SizeRegister(c, c.Mem.NumRegion-1)+1)
		}
	}
	return n
}

// BaseRegisters is the number of base address registers.
func (f *Fabric) BaseRegisters() int {
	n := 0
	for _, c := range f.Comps {
		if c.External() {
			n += c.Mem.NumRegion
		}
	}
	return n
}

// MemPort is a memref argument of the module.
type MemPort struct {
	Name string
	Type *ir.MemRefType
}

// Boundary is one channel port of the module.
type Boundary struct {
	Name  string
	Type  ir.Type
	Width int      // data bits in hardware, at least 1
	Chan  *Channel // nil when nothing inside is connected
}

// Channel is one valid/ready/data connection from one output port to one input
// port. Fan-out exists only inside switches.
type Channel struct {
	ID   int
	Name string // unique, a legal SystemVerilog identifier
	Src  Endpoint
	Dst  Endpoint // Dst.Comp nil and Dst.Port < 0: unused output, always ready
	// Width is the number of data bits the source drives: at least 1 without a
	// tag (1 for none), the payload's bits with one (0 for none). A wider sink
	// zero-extends, a narrower one takes the low bits.
	Width int
	// TagWidth is the width of the tag, which stands above the data in hardware; 0
	// on untagged channels. Both ends have the same.
	TagWidth int
}

// Bits is the number of data and tag bits of the channel in hardware.
func (c *Channel) Bits() int { return c.Width + c.TagWidth }

// Endpoint is a component port, or with Comp nil a boundary port.
type Endpoint struct {
	Comp *Component
	Port int
}

// Port is a channel port of a component.
type Port struct {
	Name string
	Type ir.Type
	// Width and TagWidth are the data and tag bits in hardware, as those of a
	// channel.
	Width    int
	TagWidth int
	Chan     *Channel
}

// Bits is the number of data and tag bits of the port in hardware.
func (p Port) Bits() int { return p.Width + p.TagWidth }

// Component is one flattened hardware block.
type Component struct {
	ID   int
	Name string // unique hierarchical instance name, a legal identifier
	// Def names the definition it instantiates; components with the same Def are
	// identical hardware. Inline uses have a Def of their own.
	Def  string
	Kind Kind
	Pos  diag.Pos
	In   []Port
	Out  []Port
	// X, Y are the position of the component on the drawing, in units of the ADG's choice (in
	// meshes half a cell: switches at even, PEs at odd coordinates); Placed reports
	// whether the ADG gave them (attribute loom.loc = [x, y]).
	X, Y   float64
	Placed bool

	Switch *SwitchSpec     // SpatialSwitch
	PE     *PESpec         // SpatialPE
	TPE    *TemporalPESpec // TemporalPE
	// SharedUnits names the group of PEs of this definition that have their iterative units together, "" for a PE that
	// has them for itself.
	SharedUnits string
	FIFO        *FIFOSpec   // FIFO
	Mem         *MemorySpec // memories

	Temporal *TemporalSpec // TemporalSwitch
	Map      *MapTagSpec   // MapTag
	Lane     *LaneSpec     // LoadLane, StoreLane
}

// FunctionUnit is a fabric.function_unit: a single-block graph of operations.
type FunctionUnit struct {
	Name string
	// Latency is the number of register stages, Interval the cycles between two
	// firings; both -1 for the dataflow operations.
	Latency, Interval int
	In, Out           []FUPort
	Ops               []*FUOp
	// Yield names the value each output takes.
	Yield []ValueRef
	Pos   diag.Pos
}

// FUPort is an argument or result of a function unit. Width is at least 1.
type FUPort struct {
	Name  string
	Type  ir.Type
	Width int
}

// ValueRef names a value inside a function unit: argument Arg when Op < 0, else
// result Result of Ops[Op].
type ValueRef struct {
	Arg    int
	Op     int
	Result int
}

// FUOp is one operation of a function unit's body.
type FUOp struct {
	Op       *ir.Operation // name, attributes, types, position
	Operands []ValueRef
	// Field is the number of this operation's configuration field in
	// FunctionUnit.Fields(), -1 where it has none.
	Field int
}

// Field is a run-time configuration field of a function unit body.
type Field struct {
	Name  string // as in the table of units: "value", "mask", "predicate", "cont_cond"
	Width int
	Op    int // index into FunctionUnit.Ops
}

// Fields lists the configuration fields in body order, low to high.
func (f *FunctionUnit) Fields(indexWidth int) []Field {
	var out []Field
	for i, op := range f.Ops {
		if u, _ := units.Lookup(op.Op.Name); u.Field.Name != "" {
			out = append(out, Field{u.Field.Name, u.Field.Of(op.Op, indexWidth), i})
		}
	}
	return out
}
