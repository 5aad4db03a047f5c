package arch

import (
	"fmt"

	"loom/compiler/ir"
)

// Memory is on chip, ExtMemory the interface to an external memory.
const (
	Memory    Kind = "memory"
	ExtMemory Kind = "extmemory"
)

// MemorySpec are the hardware parameters of a memory or extmemory, with the
// index of each port family among In (addresses, store data) and Out (load
// data, dones); -1 where the group is absent.
type MemorySpec struct {
	LdCount, StCount, LSQDepth, NumRegion int
	// TagWidth is the width of the tags that distinguish several logical ports, 0
	// on untagged memories (one load and one store port at most).
	TagWidth               int
	Private                bool
	Type                   *ir.MemRefType
	ElemWidth              int    // bits of one element in memory: 8, 16, 32 or 64
	BusWidth               int    // data bits of an external memory's AXI port, a power of two from ElemWidth on; 0 on chip
	Outstanding            int    // loads, and as many stores, that an external memory has in flight; 0 on chip or for the default
	Burst                  int    // elements that share a transaction of an external memory at most, a power of two; 0 or 1: none do
	Master                 string // name of the AXI4 master that an external memory shares with others of the name; "" for one of its own
	Cache                  int    // elements of an external memory's read cache, a power of two; 0 for none
	Bounds                 bool   // whether each region of an external memory has a size, outside of which accesses are errors
	Elements               int64  // capacity of on-chip memories, 0 for external
	MemPort                int    // index into Fabric.MemPorts, -1 on chip
	DeadlockTimeout        int    // cycles for which a store address or its data may wait alone; 0 is the default
	LdAddr, StAddr, StData int
	LdData, LdDone, StDone int
}

// ElemBytes is the distance between elements in memory.
func (m *MemorySpec) ElemBytes() int { return m.ElemWidth / 8 }

func init() {
	register(Memory, onChipMemory{})
	register(ExtMemory, externalMemory{})
}

// Timeout is DeadlockTimeout with the default filled in.
func (m *MemorySpec) Timeout() int {
	if m.DeadlockTimeout == 0 {
		return DefaultDeadlockTimeout
	}
	return m.DeadlockTimeout
}

// InFlight is Outstanding with the default filled in, for fabrics made by hand.
func (m *MemorySpec) InFlight() int {
	if m.Outstanding == 0 {
		return DefaultOutstanding
	}
	return m.Outstanding
}

// Bursts is Burst with the default filled in.
func (m *MemorySpec) Bursts() int { return max(m.Burst, 1) }

// memory is what both kinds have in common. They register both directions, so no
// output depends on an input within a cycle.
type memory struct{ component }

func (memory) Configure(c *Component, img ConfigBuilder) { img.Regions(c) }

func (memory) Shape(c *Component) string {
	m := c.Mem
	s := fmt.Sprintf("mem %d %d %d %d %d %t %s %d", m.LdCount, m.StCount, m.LSQDepth, m.NumRegion, m.TagWidth, m.Private, m.Type, m.MemPort)
	if c.External() && m.InFlight() != DefaultOutstanding { // without it the hash of the layout is that of fabrics from before
		s += fmt.Sprintf(" %d", m.InFlight())
	}
	if c.External() && m.Bursts() > 1 {
		s += fmt.Sprintf(" burst %d", m.Bursts())
	}
	if c.External() && m.Bounds {
		s += " bounds"
	}
	if c.External() && m.Cache > 0 {
		s += fmt.Sprintf(" cache %d", m.Cache)
	}
	if c.External() && m.Master != "" {
		s += fmt.Sprintf(" master %s", m.Master)
	}
	return s
}

// spec reads the parameters and names the ports, which stand in the order of
// spec-fabric-mem.md.
func (memory) spec(f *flattener, def *ir.Operation) (m *MemorySpec, in, out portName) {
	m = &MemorySpec{
		LdCount: int(IntParam(def, AttrLdCount, 0)), StCount: int(IntParam(def, AttrStCount, 0)),
		LSQDepth: int(IntParam(def, AttrLSQDepth, 0)), NumRegion: int(IntParam(def, AttrNumRegion, 1)),
		TagWidth: TagWidth(Signature(def).Inputs[0]), DeadlockTimeout: f.deadlock,
		Type: MemRefType(def), MemPort: -1, LdAddr: -1, StAddr: -1, StData: -1, LdData: -1, LdDone: -1, StDone: -1,
	}
	m.ElemWidth, _ = ElementBits(m.Type.Elem)
	var ins, outs []string
	if m.LdCount > 0 {
		m.LdAddr, m.LdData, m.LdDone = 0, 0, 1
		ins, outs = append(ins, "ldaddr"), append(outs, "lddata", "lddone")
	}
	if m.StCount > 0 {
		m.StAddr, m.StData, m.StDone = len(ins), len(ins)+1, len(outs)
		ins, outs = append(ins, "staddr", "stdata"), append(outs, "stdone")
	}
	return m, named(ins...), named(outs...)
}

type onChipMemory struct{ memory }

func (onChipMemory) Symbols() []Symbol {
	return []Symbol{
		{Name: "CPL_MEMORY_PORTS_EMPTY", Rule: "A memory has at least one load or store port."},
		{Name: "CPL_MEMORY_PORT_COUNT", Rule: "A memory has the ports of its groups: ldaddr, staddr, stdata; lddata, lddone, stdone."},
		{Name: "CPL_MEMORY_LSQ_WITHOUT_STORE", Rule: "lsqDepth is 0 without store ports."},
		{Name: "CPL_MEMORY_LSQ_MIN", Rule: "lsqDepth is at least 1 with store ports."},
		{Name: "CPL_MEMORY_ADDR_TYPE", Rule: "Address ports are index or tagged index."},
		{Name: "CPL_MEMORY_DATA_TYPE", Rule: "Data ports carry the element type of the memref."},
		{Name: "CPL_MEMORY_DONE_TYPE", Rule: "Done ports are none or tagged none."},
		{Name: "CPL_MEMORY_ELEM_TYPE", Rule: "Elements are powers of two of 8 to 64 bits, or i1."},
		{Name: "CPL_MEMORY_TAG_REQUIRED", Rule: "When either count exceeds 1 every port is tagged."},
		{Name: "CPL_MEMORY_TAG_FOR_SINGLE", Rule: "With one load and one store port at most no port is tagged."},
		{Name: "CPL_MEMORY_TAG_WIDTH", Rule: "The tags of a memory have one width, at least clog2(max(ldCount, stCount))."},
		{Name: "CPL_MEMORY_TAG_RANGE", Rule: "A half-open region can cover the last logical port only when the tags are wide enough for the count itself.", Warning: true},
		{Name: "CPL_MEMORY_STATIC_REQUIRED", Rule: "On-chip memory has a static shape."},
		{Name: "CPL_MEMORY_INVALID_REGION", Rule: "numRegion is 1 to 65536."},
		{Name: "CPL_MEMORY_REGION_TABLE", Rule: "addr_offset_table has at most numRegion regions, [valid, start_tag, end_tag, addr_offset] or without tags [valid, addr_offset]; of the valid ones tags fit, ends lie behind starts, no two overlap, and offsets are those of elements."},
		{Name: "CPL_MEMORY_BARE_BRIDGE", Rule: "Accesses that share a port of a memory have lanes: with bare fabric.add_tag and fabric.del_tag one can block the others.", Warning: true},
		{Name: "CPL_MEMORY_AXI_WIDTH", Rule: "The AXI data width of an external memory is a power of two from the width of its element to 1024; on-chip memory has none."},
		{Name: "CPL_MEMORY_OUTSTANDING", Rule: "The loads, and as many stores, that an external memory has in flight are 2 to 1024; on-chip memory has no such number."},
		{Name: "CPL_MEMORY_BURST", Rule: "The elements that share a transaction of an external memory are a power of two from 1 to 32; on-chip memory has no such number."},
		{Name: "CPL_MEMORY_BOUNDS", Rule: "Whether the regions of an external memory have sizes is true or false; on-chip memory has its capacity instead."},
		{Name: "CPL_MEMORY_CACHE", Rule: "The elements of an external memory's read cache are 0, for none, or a power of two from 64 to 4096; it is for loads, and on-chip memory has none."},
		{Name: "CPL_MEMORY_AXI_MASTER", Rule: "The AXI4 master that external memories share has a name that can be one in SystemVerilog; on-chip memory has none."},
		{Name: "CPL_MEMORY_EXTMEM_BINDING", Rule: "The first operand of an external memory is a memref input of the module, of its own memref type."},
		{Name: "CPL_MEMORY_EXTMEM_PRIVATE", Rule: "fabric.extmemory has no is_private."},
		{Name: "CPL_MEMORY_EXPORT", Rule: "A memory with is_private = false has its memref as the first result, and the module yields it; other memories give no memref."},
		{Name: "CPL_MEMORY_PRIVATE_OUTPUT", Rule: "A module yields only memrefs of memories with is_private = false."},
	}
}

func (onChipMemory) Errors() []HardwareError {
	return []HardwareError{
		{12, "CFG_MEMORY_OVERLAP_TAG_REGION", "two valid regions of an on-chip memory overlap"},
		{13, "CFG_MEMORY_EMPTY_TAG_RANGE", "a valid region of an on-chip memory ends at or before its start"},
		{260, "RT_MEMORY_TAG_OOB", "a tag is at or above the port count"},
		{261, "RT_MEMORY_STORE_DEADLOCK", "a store address or store data stays unpaired for the timeout"},
		{264, "RT_MEMORY_NO_MATCH", "an on-chip access matches no valid region"},
		{512, "RT_MEMORY_ADDR_OOB", "our extension: an on-chip access lies beyond the capacity"},
	}
}

func (onChipMemory) Storage() Storage { return OnChip }

func (k onChipMemory) read(f *flattener, c *Component, def *ir.Operation) (in, out portName) {
	c.Mem, in, out = k.spec(f, def)
	c.Mem.Private = BoolParam(def, AttrPrivate, true)
	c.Mem.Elements, _ = c.Mem.Type.NumElements()
	return in, out
}

type externalMemory struct{ memory }

func (externalMemory) Errors() []HardwareError {
	return []HardwareError{
		{14, "CFG_EXTMEMORY_OVERLAP_TAG_REGION", "two valid regions of an external memory overlap"},
		{15, "CFG_EXTMEMORY_EMPTY_TAG_RANGE", "a valid region of an external memory ends at or before its start"},
		{265, "RT_EXTMEMORY_NO_MATCH", "an external access matches no valid region"},
		{513, "RT_EXTMEMORY_BUS", "our extension: the bus responded with an error"},
		{515, "RT_EXTMEMORY_ADDR_OOB", "our extension: an external access lies outside of its array, where the memory has bounds; it does not reach the bus"},
	}
}

func (externalMemory) Storage() Storage { return External }

func (k externalMemory) read(f *flattener, c *Component, def *ir.Operation) (in, out portName) {
	c.Mem, in, out = k.spec(f, def)
	c.Mem.BusWidth = int(IntParam(def, AttrAXIDataWidth, int64(c.Mem.ElemWidth)))
	c.Mem.Outstanding = int(IntParam(def, AttrOutstanding, DefaultOutstanding))
	c.Mem.Burst = int(IntParam(def, AttrBurst, 1))
	c.Mem.Bounds = BoolParam(def, AttrBounds, false)
	c.Mem.Cache = int(IntParam(def, AttrCache, 0))
	c.Mem.Master = def.StrAttr(AttrAXIMaster)
	return in, out
}
