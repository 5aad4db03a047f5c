package mapping

import (
	"fmt"
	"strconv"

	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/latency"
)

// Format is the version of the map.json format this package reads and writes.
const Format = 2

// Tool names the producer in the "tool" field of map.json.
const Tool = "loom 0.1"

// Mapping is a finished mapping: where every operation of a kernel runs on a
// fabric, how its values travel, and what that means for configuration and
// time. It is map.json, field by field. Components, function units and boundary
// ports appear by their names in the fabric; operations by their index in the
// body of the handshake.func.
type Mapping struct {
	Format int    `json:"format"`
	Tool   string `json:"tool"`
	// Seed is the seed the mapper ran with, Attempt the placement attempt that
	// succeeded (from 0).
	Seed    uint64 `json:"seed"`
	Attempt int    `json:"attempt"`
	Kernel  string `json:"kernel"`
	Fabric  string `json:"fabric"`
	// LayoutHash is the hash of fabric and configuration layout in hexadecimal,
	// as the hardware holds it.
	LayoutHash string `json:"layout_hash"`
	// Ops lists every operation of the body in order.
	Ops []Op `json:"ops"`
	// Groups is the technology mapping: which operations each used function unit
	// executes.
	Groups []Group `json:"groups"`
	// Memories are the DFG's memories and the components that serve them.
	Memories []Memory `json:"memories"`
	Args     []Arg    `json:"args"`
	Results  []Port   `json:"results"`
	Start    Port     `json:"start"`
	Done     Port     `json:"done"`
	// Edges are the DFG's edges, one per operand that reads a routed value.
	Edges []Edge `json:"edges"`
	// Switches, PEs, FIFOs and Regions are the run-time configuration. Switches
	// that route nothing and unused PEs are left out.
	Switches    []Switch     `json:"switches"`
	PEs         []PE         `json:"pes"`
	TemporalPEs []TemporalPE `json:"temporal_pes,omitempty"`
	FIFOs       []FIFO       `json:"fifos"`
	Regions     []Region     `json:"regions"`
	// TemporalSwitches and Tags configure the bridges of tagged memories: the slots
	// in use, and the tags of the lanes in use.
	TemporalSwitches []TemporalSwitch `json:"temporal_switches"`
	Tags             []Tag            `json:"tags"`
	Timing           Timing           `json:"timing"`
	// Decoupled is set where the graph that was mapped has counters beside those of the kernel, for
	// what waits for memory (package decouple); Ops lists them, too.
	Decoupled   *Decoupled  `json:"decoupled,omitempty"`
	Utilization Utilization `json:"utilization"`
}

// Decoupled says for what the counters of a graph were copied: tokens that wait in front of an operand while
// memory responds are at most Places, or counted apart.
type Decoupled struct {
	// Memory is the profile of external memories.
	Memory string `json:"memory"`
	Places int    `json:"places"`
	// Ports is what an access waits beside at the port of its memory.
	Ports int `json:"ports,omitempty"`
	// Loops are the loops that were too slow, each by the operation that makes its condition and
	// the cycles of an iteration that are aimed at.
	Loops []Pace `json:"loops"`
}

// Pace is the interval that a loop is made for.
type Pace struct {
	Op     int `json:"op"`
	Cycles int `json:"cycles"`
}

// Role is what an operation became.
type Role string

// The roles of operations in a mapping.
const (
	RoleUnit   Role = "unit"   // executed by a function unit
	RoleMemory Role = "memory" // a memory component
	RoleWire   Role = "wire"   // a cast that keeps the low bits: part of the edges through it
	RoleReturn Role = "return" // the boundary outputs
	// RoleImmediate is a constant that only immediates of units stand for, or a held token.
	RoleImmediate Role = "immediate"
)

// Op is one operation of the DFG.
type Op struct {
	Index int      `json:"index"`
	Name  string   `json:"name"`            // the operation, e.g. arith.addi
	Label string   `json:"label,omitempty"` // name of its first named result
	Pos   diag.Pos `json:"position"`        // in the source text
	Role  Role     `json:"role"`            //
	Comp  string   `json:"component"`       // "" for wires and the return
	Unit  string   `json:"unit,omitempty"`  // function unit for RoleUnit
	Group int      `json:"group"`           // index into Groups, -1 without
	X     float64  `json:"x"`               // position of the component on the drawing
	Y     float64  `json:"y"`               //
}

// Group is one function unit at work.
type Group struct {
	ID     int    `json:"id"`
	Comp   string `json:"component"`
	Unit   string `json:"unit"`
	Opcode int    `json:"opcode"`
	// Instruction is the instruction of a temporal PE that executes the group; nil in spatial PEs.
	Instruction *int `json:"instruction,omitempty"`
	// Ops are the DFG operations in the order of the unit's body.
	Ops []int `json:"ops"`
	// Inputs and Outputs bind the unit's ports: one entry per used input, one per
	// output of the unit.
	Inputs  []UnitIn  `json:"inputs"`
	Outputs []UnitOut `json:"outputs"`
	// Fields are the unit's configuration fields in body order.
	Fields []Field `json:"fields"`
}

// UnitIn binds an input: input Unit of a function unit carries operand Operand of
// operation Op and is fed from input Port of the PE.
type UnitIn struct {
	Unit    int `json:"unit_input"`
	Op      int `json:"op"`
	Operand int `json:"operand"`
	// Port is -1 where the operand is held, or comes from another instruction of a temporal PE.
	Port int `json:"pe_input"`
	// Source is where an operand of an instruction comes from, by the number of arch.TemporalPESpec.Sources; nil where it
	// is held, and in spatial PEs.
	Source *int `json:"source,omitempty"`
	// Immediate is set where the operand's data is configuration.
	Immediate *Immediate `json:"immediate,omitempty"`
}

// Immediate is the data of an operand that is configuration. Unless it is held the operand
// has the tokens of the constant's control, which arrive at the port of the PE.
type Immediate struct {
	Constant int  `json:"constant"` // the handshake.constant; -1 for a held control token
	Held     bool `json:"held,omitempty"`
	Value    Hex  `json:"value"`
}

// UnitOut binds an output: output Unit of a function unit carries result Result of
// operation Op and leaves at output Port of the PE; Port -1: discarded.
type UnitOut struct {
	Unit   int `json:"unit_output"`
	Op     int `json:"op"`
	Result int `json:"result"`
	Port   int `json:"pe_output"`
}

// Field is a configuration field's value, written as 0x… so that readers with
// 53-bit numbers lose nothing.
type Field struct {
	Name  string `json:"name"`
	Value Hex    `json:"value"`
}

// Memory places a handshake.extmemory or handshake.memory, or some of the accesses of one that
// several memories serve: it then has one entry for each.
type Memory struct {
	Op     int    `json:"op"`
	Comp   string `json:"component"`
	Region int    `json:"region"`
	// Arg is the memref argument served, -1 for on-chip memories.
	Arg int `json:"arg"`
	// Table is set for a constant table of the kernel in external memory, which the host
	// keeps there.
	Table bool `json:"table,omitempty"`
	// First is the index of its first element in an on-chip memory; 0 for external
	// ones, whose address the host decides.
	First int64 `json:"first_element"`
	// Accesses name the component of every load and store that is served here, loads first.
	Accesses []Access `json:"accesses"`
}

// Access is one load or store of a DFG memory at its site in the fabric: a lane
// of a tagged memory, or the load or store ports of an untagged one.
type Access struct {
	Kind  AccessKind `json:"kind"`
	Index int        `json:"index"`     // among the DFG memory's accesses of this kind
	Comp  string     `json:"component"` // the lane, or the untagged memory itself
	// Tag is the logical port, 0 on untagged memories.
	Tag uint64 `json:"tag"`
}

// AccessKind distinguishes loads and stores.
type AccessKind string

// The kinds of accesses.
const (
	Load  AccessKind = "load"
	Store AccessKind = "store"
)

// Arg binds one argument of the kernel.
type Arg struct {
	Name string `json:"name"`
	Type string `json:"type"`
	// Port is the boundary input of a scalar; Comp the memory of a memref; both
	// are empty when the kernel does not use the argument.
	Port   string `json:"port,omitempty"`
	Comp   string `json:"component,omitempty"`
	Region int    `json:"region"`
	// Also are the further memories that serve accesses to a memref.
	Also []Place `json:"also,omitempty"`
}

// Place is a region of a memory.
type Place struct {
	Comp   string `json:"component"`
	Region int    `json:"region"`
}

// Port binds a result or control token to a boundary port.
type Port struct {
	Name string `json:"name"`
	Type string `json:"type"`
	Port string `json:"port"`
}

// Kind of an edge.
type Kind string

// The edge kinds of the design page "Mapper"; temporal_reg belongs to temporal
// PEs.
const (
	Routed      Kind = "routed"
	IntraFU     Kind = "intra_fu"
	TemporalReg Kind = "temporal_reg"
)

// Terminal is an end of an edge in the DFG: result or operand Port of operation
// Op. Op -1 is the function itself: argument Port.
type Terminal struct {
	Op   int `json:"op"`
	Port int `json:"port"`
}

// Edge is one DFG edge and its path through the fabric.
type Edge struct {
	Src  Terminal `json:"source"`
	Dst  Terminal `json:"sink"`
	Kind Kind     `json:"kind"`
	// Through lists the wire operations between source and sink.
	Through []int `json:"through"`
	// Width is the number of data bits the sink needs.
	Width int `json:"width"`
	// Steps lead from the source's component or boundary port to the sink's.
	Steps []Step `json:"steps"`
	// Latency is the number of registers on the path, Slots the tokens that fit
	// into them.
	Latency int `json:"latency"`
	Slots   int `json:"slots"`
}

// Step is one component an edge passes: in at port In, out at port Out; -1 where
// the edge starts or ends there. A boundary port is a step without component.
type Step struct {
	Comp     string `json:"component,omitempty"`
	Boundary string `json:"boundary,omitempty"`
	In       int    `json:"in"`
	Out      int    `json:"out"`
}

// Switch is the setting of a spatial switch.
type Switch struct {
	Comp string `json:"component"`
	// Routes are {output, input} pairs by output; Discard the inputs whose tokens
	// are dropped.
	Routes  []Route `json:"routes"`
	Discard []int   `json:"discard"`
}

// Route is an {output, input} pair of a switch.
type Route [2]int

// TemporalSwitch is the setting of a temporal switch.
type TemporalSwitch struct {
	Comp string `json:"component"`
	// Slots are the valid slots, from slot 0 on.
	Slots []Slot `json:"slots"`
}

// Slot sends tokens with a tag along its routes.
type Slot struct {
	Tag    uint64  `json:"tag"`
	Routes []Route `json:"routes"` // {output, input} pairs
}

// Tag is the tag that a lane or an add_tag gives.
type Tag struct {
	Comp string `json:"component"`
	Tag  uint64 `json:"tag"`
}

// PE is the setting of a used spatial PE.
type PE struct {
	Comp   string     `json:"component"`
	Opcode int        `json:"opcode"`
	In     []Selector `json:"inputs"`
	Out    []Selector `json:"outputs"`
	Fields []Field    `json:"fields"`
}

// Selector is the setting of a PE selector.
type Selector struct {
	Sel        int  `json:"sel"`
	Discard    bool `json:"discard"`
	Disconnect bool `json:"disconnect"`
	// Immediate is set where the data of an operand is Value; with Disconnect the operand is
	// always there.
	Immediate bool `json:"immediate,omitempty"`
	Value     Hex  `json:"value,omitempty"`
}

// TemporalPE is the setting of a used temporal PE.
type TemporalPE struct {
	Comp         string        `json:"component"`
	Instructions []Instruction `json:"instructions"` // those in use
	Outputs      []Route       `json:"outputs"`      // {output, source} pairs
	Constants    []Hex         `json:"constants"`    // from number 0 on
}

// Instruction is an instruction of a temporal PE.
type Instruction struct {
	Number int     `json:"number"`
	Opcode int     `json:"opcode"`
	Fields []Field `json:"fields"`
	// Operands are condition, a and b; those that the unit does not have are held.
	Operands [arch.InstructionOperands]Operand `json:"operands"`
	Constant int                               `json:"constant"`
}

// Operand is the setting of an operand of an instruction.
type Operand struct {
	Source    int  `json:"source"`
	Held      bool `json:"held,omitempty"`
	Immediate bool `json:"immediate,omitempty"`
}

// FIFO is the setting of a bypassable FIFO.
type FIFO struct {
	Comp     string `json:"component"`
	Bypassed bool   `json:"bypassed"`
}

// Region is a valid entry of a memory's address table.
type Region struct {
	Comp     string `json:"component"`
	Region   int    `json:"region"`
	StartTag uint64 `json:"start_tag"`
	EndTag   uint64 `json:"end_tag"`
	Offset   Hex    `json:"addr_offset"`
	// Cached: loads go through the memory's read cache, and stores keep that up to date.
	Cached bool `json:"cached,omitempty"`
}

// Timing is what the mapping promises about speed.
type Timing struct {
	// ExtMemoryLatency is the assumed number of cycles between a request and the
	// response of an external memory, LatencyProfile the profile that it stands for.
	ExtMemoryLatency int    `json:"extmemory_latency"`
	LatencyProfile   string `json:"latency_profile,omitempty"`
	Loops            []Loop `json:"loops"`
}

// Interval is the sum of the expected intervals of the loops without others inside, in cycles per iteration.
func (t *Timing) Interval() float64 {
	sum := 0.0
	for _, l := range t.Loops {
		if l.Innermost && l.II.Tokens > 0 {
			pace := l.Pace()
			sum += pace.Float()
		}
	}
	return sum
}

// Memory states which external memory the figures assume: "4 cycles".
func (t *Timing) Memory() string {
	p, err := latency.Parse(t.LatencyProfile)
	if err != nil { // written without a profile
		p = latency.Fixed(int64(t.ExtMemoryLatency))
	}
	return p.Range()
}

// Loop is the timing of one loop, named after the operation that makes its
// condition.
type Loop struct {
	Op    int      `json:"op"`
	Label string   `json:"label"`
	Pos   diag.Pos `json:"position"`
	// Innermost reports whether no other loop is inside of it. The figures of other loops
	// count every inner loop at its shortest.
	Innermost bool `json:"innermost"`
	// Recurrence is the largest ratio of cycles to tokens around a cycle of the
	// loop, as a fraction; 0/1 without a recurrence. Cycle names its operations.
	Recurrence Ratio `json:"recurrence_bound"`
	Cycle      []int `json:"recurrence_cycle"`
	// Memory is the bound from memory ports: accesses per iteration and port.
	Memory int `json:"memory_port_bound"`
	// Lane is the largest bound of a lane: the cycles for as many accesses as it can
	// have in flight, and their number; 0/1 without lanes.
	Lane Ratio `json:"lane_bound"`
	// Unit is the largest interval of a function unit in the loop.
	Unit int `json:"unit_bound"`
	// II is the number of cycles per iteration that no run is below, Most the number that a
	// long run reaches whatever its data are; no tokens where none is known. Where both are the
	// same it is the interval of the loop: between two sides of a branch it is not (package
	// throughput).
	II   Ratio `json:"expected_ii"`
	Most Ratio `json:"expected_ii_at_most,omitzero"`
	// Fetched is II if no load of a cached array finds anything in its cache; no tokens where none is cached.
	Fetched Ratio `json:"fetched_ii,omitzero"`
}

// Pace is the interval that a mapping is rated by: with all loads fetched, which some are.
func (l *Loop) Pace() Ratio {
	if l.Fetched.Tokens > 0 {
		return l.Fetched
	}
	return l.II
}

// Ratio is a fraction of cycles per token.
type Ratio struct {
	Cycles int `json:"cycles"`
	Tokens int `json:"tokens"`
}

// Float is the ratio as a number.
func (r Ratio) Float() float64 { return float64(r.Cycles) / float64(r.Tokens) }

// String is the ratio as a number or a fraction: 3, 23/16; "" without tokens.
func (r Ratio) String() string {
	switch r.Tokens {
	case 0:
		return ""
	case 1:
		return strconv.Itoa(r.Cycles)
	}
	return fmt.Sprintf("%d/%d", r.Cycles, r.Tokens)
}

// Expected states II and Most in words: "3", "25 to 51", "at least 2".
func (l *Loop) Expected() string { return Between(l.II.String(), l.Most.String()) }

// Between states what two figures leave open: least is one that is never fallen short of, most
// one that is never exceeded or, if it is empty, not known.
func Between(least, most string) string {
	switch most {
	case "":
		return "at least " + least
	case least:
		return least
	}
	return least + " to " + most
}

// Utilization counts what the mapping uses.
type Utilization struct {
	PEs      Use        `json:"pes"`
	Memories Use        `json:"memories"`
	Lanes    Use        `json:"lanes"`
	Links    Use        `json:"links"`
	Classes  []ClassUse `json:"classes"`
	// RegisterHops is the sum of the edges' latencies, WireLength the number of
	// switch outputs in use.
	RegisterHops int `json:"register_hops"`
	WireLength   int `json:"wire_length"`
}

// Use is so many of so many.
type Use struct {
	Used  int `json:"used"`
	Total int `json:"total"`
}

// ClassUse counts the units that can execute one kind of operation: how many
// DFG operations need it and how many PEs offer it.
type ClassUse struct {
	Class string `json:"class"`
	Use
}

// Inner are the operations of a graph that share a function unit with one before them in its body.
func (m *Mapping) Inner(fn *ir.Operation) map[*ir.Operation]bool {
	inner := map[*ir.Operation]bool{}
	for _, g := range m.Groups {
		for _, i := range g.Ops[min(1, len(g.Ops)):] {
			inner[fn.Regions[0].Entry().Ops[i]] = true
		}
	}
	return inner
}
