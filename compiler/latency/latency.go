// Package latency is the one model of how many clock cycles everything takes. The
// mapper rates placements and states expected intervals with it, the recurrence
// bound and the timed token simulator read it, and the cycle simulator and the
// Verilator testbench play its memory profile; so figures that are printed side by
// side rest on the same memory.
//
// All figures are clock cycles. Those of the hardware are measured from the
// acceptance of a request or operand to the offer of the response, and come from the
// cycle contract rtl/README.md.
package latency

import (
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/units"
)

// The paths through a memory of the fabric, beside the memory itself.
const (
	// OnChip is a memory of the fabric: a cycle for the read, one for the register
	// at the output.
	OnChip = 2
	// Bus is the register of the bus master in front of an external memory.
	Bus = 1
	// Response is the register where a port keeps a response until it is taken.
	Response = 1
	// StoreQueue is the queue in which address and data of a store meet.
	StoreQueue = 1
	// BurstStore is what a store takes longer at a memory with bursts: two cycles in which its burst may
	// grow, one between address and data, one before the response (rtl/loom_axi_coalesce.sv).
	BurstStore = 4
	// BurstFollow is what it waits for the stores that follow it in its burst, one per cycle: the response comes with the last one. Measured:
	// with 0, 1 and 2 of it vecadd is mapped so that it takes 1.16, 1.07 and 1.01 cycles per element.
	BurstFollow = 2
	// Interconnect is the register of an AXI4 master that memories share (rtl/loom_axi_bus.sv). With beats of several elements WideLoad is
	// what a load takes longer, with the register of the master: two cycles in which its transaction may grow and the place of its
	// beat; and WideStore what a store does: two places on its way into a beat and out of it.
	Interconnect = 1
	WideLoad     = Interconnect + 3
	WideStore    = 2
)

// Cache is how a load meets the read cache of its memory (rtl/loom_read_cache.sv).
type Cache int

// A memory without one; a load that is fetched; one of an element that is there.
const (
	NoCache Cache = iota
	Miss
	Hit
)

const (
	// CacheMiss is what a load takes longer at a memory with a read cache: the look-up, the queue behind it, the
	// queue of responses, and the register behind them.
	CacheMiss = 4
	// CacheHit is what one takes from the request to the response that needs no other one: look-up, the two
	// queues, elements, and the register of the port.
	CacheHit = 4 + Response
)

// Of a temporal PE, by the cycle (rtl/README.md, "Temporal PEs").
const (
	// TemporalInstruction is how many cycles after an execution an instruction executes which it gives the last operand, at the
	// least: it is prepared, as it was issued with that operand, and executes.
	TemporalInstruction = 2
	// TemporalCondition is what that takes longer where the operand is the condition of a mux, which says which other one it needs.
	TemporalCondition = 1
	// TemporalPace is the least number of cycles between two executions of an instruction, or two tokens of an
	// input: issue, preparation, execution.
	TemporalPace = 3
	// TemporalInput is the least number of cycles from the one in which an input takes a token to its execution, which
	// gives the token to operands: then it has a place, is issued, prepared and executes.
	TemporalInput = 3
)

// Of an iterative unit that several PEs use in turn (arch.Component.SharedUnits).
const (
	// SharedUnit is what its latency is longer for it: the register in front of the unit, a slot behind it.
	SharedUnit = 2
	// SharedCredits is how many of its operations a PE has under way: with three, one waits while
	// another is computed, and their slots are LUT RAM (two are registers, more area than all else of loom_share).
	SharedCredits = 3
)

// Unit returns the cycles an operation takes inside its function unit, from operands
// to results: none if it is combinational, else those of the table of units. A
// dataflow.stream takes its bounds in a cycle of their own, a dataflow.accumulate combines its parts
// behind the last iteration.
func Unit(op *ir.Operation, indexWidth int) int {
	if op.Name == opname.DataflowStream {
		return 1
	}
	if op.Name == opname.DataflowAccumulate {
		parts, _ := op.IntAttr("parts")
		return units.JoinCycles(int(parts))
	}
	u, _ := units.Lookup(op.Name)
	l, _ := u.Timing(op, indexWidth)
	return max(l, 0)
}

// Access is an access at a port of a memory of a fabric.
type Access struct {
	External, Store bool
	Burst           int // elements that share a transaction at most
	Cache           Cache
	// Shared: the memory shares its AXI4 master with others; Wide: in beats of several elements where they follow each other.
	Shared, Wide bool
	// Alone: it waits for no other one, as where each waits for the result of the one before it. Otherwise others follow, and at a
	// wide port, and in a burst of stores, one waits for those of its transaction.
	Alone bool
}

// Port returns the cycles from a request at a port of a memory of the fabric to its
// data and done tokens, where the memory has no bridge.
func (m Model) Port(a Access) int {
	if !a.External {
		return OnChip
	}
	if a.Cache == Hit && !a.Store {
		return CacheHit
	}
	n := m.Memory.Cycles() + Bus + Response
	if a.Store {
		n += StoreQueue
		if a.Burst > 1 {
			n += BurstStore
			if !a.Alone && !a.Wide {
				n += BurstFollow
			}
		}
	} else if a.Cache == Miss {
		n += CacheMiss
	}
	switch {
	case !a.Shared:
	case a.Wide && a.Store:
		n += WideStore
		if !a.Alone {
			n += 2 * (a.Burst - 1)
		}
	case a.Wide:
		n += WideLoad
		if !a.Alone {
			n += 2 * (a.Burst - 1)
		}
	case !a.Store || a.Burst == 1:
		n += Interconnect
	}
	return n
}

// Model is the latency of everything, for one memory. The zero value assumes
// Default.
type Model struct {
	// Memory is the profile of external memories; the zero value is Default.
	Memory Profile
	// IndexWidth is the width of index values in bits, on which a division of them
	// depends; 0 is 64.
	IndexWidth int
}

// Graph returns the cycles from an operation's operands to its results in a graph
// before any fabric; those of a memory are its ports'. An operation that computes,
// chooses or keeps state takes those of its unit and one for the register on the path
// to the next. A unit counts as if it were pipelined: that a divider takes an operand
// only every so many cycles is no recurrence. No cycle takes
//   - a constant, and a cast that only cuts, extends or renames bits (a conversion
//     between integers and floating point computes, and counts);
//   - wiring, which only brings tokens together and chooses nothing: forks (they
//     are no operations), handshake.join, and handshake.load and
//     handshake.store, which pass their operands on to a memory port and back;
//   - a dataflow.hold of an argument, which is there with the start.
//
// An external memory responds after Memory.Cycles, an on-chip memory after OnChip.
// handshake.cond_br and handshake.mux choose, and count like arith.select; the
// four dataflow operations are state machines, and count.
func (m Model) Graph(op *ir.Operation) int {
	switch op.Name {
	case opname.HandshakeExtmemory:
		return m.Memory.Cycles()
	case opname.HandshakeMemory:
		return OnChip
	case opname.HandshakeConstant, opname.HandshakeJoin, opname.HandshakeLoad, opname.HandshakeStore, opname.HandshakeReturn:
		return 0
	}
	if op.Name == opname.DataflowHold && op.Operand(0).Def == nil {
		return 0 // the caller holds it
	}
	if units.EffortOf(op.Name) == units.Free {
		return 0
	}
	width := m.IndexWidth
	if width == 0 {
		width = 64
	}
	return 1 + Unit(op, width)
}
