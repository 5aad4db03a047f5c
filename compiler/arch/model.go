// Package arch is LOOM's model of a fabric: what an ADG in Fabric MLIR means
// once its instances are flattened into components (switches, PEs, FIFOs,
// memories) and the channels between them. Mapper, configuration, simulators
// and the RTL generator all read this one model; text and building are the
// business of compiler/dialect/fabric and of the builder below this package.
//
// Source: design page "The Fabric dialect" and spec-fabric-mem.
package arch

import (
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/units"
)

// Kind tells components apart.
type Kind int

// The component kinds of the fabric dialect.
const (
	SpatialSwitch Kind = iota
	SpatialPE
	FIFO
	Memory    // fabric.memory, on chip
	ExtMemory // fabric.extmemory
	TemporalSwitch
	AddTag
	DelTag
	MapTag
	LoadLane  // fabric.load_lane: one load access at a tagged memory
	StoreLane // fabric.store_lane: one store access at a tagged memory
)

// String is the operation's mnemonic, as slices and reports name it.
func (k Kind) String() string {
	return [...]string{"spatial_sw", "spatial_pe", "fifo", "memory", "extmemory", "temporal_sw",
		"add_tag", "del_tag", "map_tag", "load_lane", "store_lane"}[k]
}

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
	// MemPorts are the memref arguments of the module, bound by ExtMemory
	// components.
	MemPorts []MemPort
	// Inputs and Outputs are the boundary channels in port order.
	Inputs, Outputs []*Boundary
	// Comps are the components in flattened instance order; Comps[i].ID == i.
	Comps []*Component
	// Channels are the point-to-point connections; Channels[i].ID == i.
	Channels []*Channel
}

// HostMemories are the on-chip memories that the host reaches, in component order:
// those that are not private. Drivers and hardware number them by their place here.
func (f *Fabric) HostMemories() []*Component {
	var out []*Component
	for _, c := range f.Comps {
		if c.Kind == Memory && !c.Mem.Private {
			out = append(out, c)
		}
	}
	return out
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
	// X, Y place the component on the drawing, in units of the ADG's choice (in
	// meshes half a cell: switches at even, PEs at odd coordinates); Placed tells
	// whether the ADG gave them (attribute loom.loc = [x, y]).
	X, Y   float64
	Placed bool

	Switch *SwitchSpec // SpatialSwitch
	PE     *PESpec     // SpatialPE
	FIFO   *FIFOSpec   // FIFO
	Mem    *MemorySpec // Memory, ExtMemory

	Temporal *TemporalSpec // TemporalSwitch
	Map      *MapTagSpec   // MapTag
	Lane     *LaneSpec     // LoadLane, StoreLane
}

// SwitchSpec are a spatial switch's hardware parameters.
type SwitchSpec struct {
	// Connect[o][i] tells whether input i can be routed to output o.
	Connect [][]bool
	// DecomposableBits is the sub-lane width, 0 for a whole-word switch.
	DecomposableBits int
}

// TemporalSpec are a temporal switch's hardware parameters. All ports carry tags
// of one width.
type TemporalSpec struct {
	// Connect[o][i] tells whether input i can be routed to output o.
	Connect [][]bool
	// Slots is num_route_table: how many tags the switch can tell apart.
	Slots    int
	TagWidth int
}

// MapTagSpec are the hardware parameters of a map_tag.
type MapTagSpec struct {
	// TableSize is the number of entries, 1…256.
	TableSize int
	// InTag and OutTag are the widths of the tags it reads and writes.
	InTag, OutTag int
}

// LaneSpec are the hardware parameters of a load or store lane: the place where
// one access of a kernel meets a memory with several ports per family. A lane
// sends a request only with places reserved for its answers, so that the ports it
// shares with other lanes always drain (design page "The Fabric dialect",
// "Sharing must not deadlock").
type LaneSpec struct {
	TagWidth int
	// Places is how many answers of each kind the lane can hold (attribute depth).
	Places int
	// LSQDepth is the largest number of stores in flight; 0 on load lanes. It must
	// not exceed that of the memory.
	LSQDepth int
}

// The ports of lanes, by index: those of a load lane among In and Out, then those
// of a store lane.
const (
	LoadAddr, LoadRsp, LoadDoneRsp = 0, 1, 2 // In of a load lane
	LoadReq, LoadData, LoadDone    = 0, 1, 2 // Out of a load lane

	StoreAddr, StoreData, StoreDoneRsp    = 0, 1, 2 // In of a store lane; the memory answers at the third
	StoreReqAddr, StoreReqData, StoreDone = 0, 1, 2 // Out of a store lane
)

// FIFOSpec are a FIFO's hardware parameters. Depth 1 registers the forward path
// only; depth 2 and more register both; a bypassable FIFO counts as neither.
type FIFOSpec struct {
	Depth      int
	Bypassable bool
}

// MemorySpec are the hardware parameters of a memory or extmemory, with the
// index of each port family among In (addresses, store data) and Out (load
// data, dones); -1 where the group is absent.
type MemorySpec struct {
	LdCount, StCount, LSQDepth, NumRegion int
	// TagWidth is the width of the tags that tell several logical ports apart, 0
	// on untagged memories (one load and one store port at most).
	TagWidth               int
	Private                bool
	Type                   *ir.MemRefType
	ElemWidth              int   // bits of one element in memory: 8, 16, 32 or 64
	BusWidth               int   // data bits of an external memory's AXI port, a power of two from ElemWidth on; 0 on chip
	Elements               int64 // capacity of on-chip memories, 0 for external
	MemPort                int   // index into Fabric.MemPorts, -1 on chip
	LdAddr, StAddr, StData int
	LdData, LdDone, StDone int
}

// ElemBytes is the distance between elements in memory.
func (m *MemorySpec) ElemBytes() int { return m.ElemWidth / 8 }

// PESpec is what a spatial PE contains; opcodes number the units in order.
type PESpec struct {
	FUs []*FunctionUnit
}

// MaxInputs is the largest number of inputs of any function unit.
func (p *PESpec) MaxInputs() int {
	n := 0
	for _, f := range p.FUs {
		n = max(n, len(f.In))
	}
	return n
}

// MaxOutputs is the largest number of outputs of any function unit.
func (p *PESpec) MaxOutputs() int {
	n := 0
	for _, f := range p.FUs {
		n = max(n, len(f.Out))
	}
	return n
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
