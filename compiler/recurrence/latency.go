// Package recurrence tells how often a loop of a dataflow graph can start an
// iteration at best: its recurrence-constrained minimum initiation interval.
//
// A recurrence is a cycle of the graph within one loop. The tokens that
// circulate in it are those the loop's own state machines put there: an
// operation of dataflow.carry delivers its first value before it has read its
// condition and its loop operand, dataflow.invariant before its condition
// (spec-dataflow, "Operation: dataflow.carry" and "dataflow.invariant"). An
// iteration cannot follow the one before it sooner than the latencies around a
// cycle divided by its tokens; the largest such ratio is the bound, its cycle
// the limiting cycle.
//
// The package looks at the graph alone. It knows neither how the graph was made
// nor what a fabric does to it; the timed mode of the token simulator measures
// what this package promises, with the same latencies and no other code shared.
package recurrence

import "loom/compiler/ir"

// DefaultMemoryLatency is the cycles from a request at a memory port to its data
// and its done token where a Model names none.
const DefaultMemoryLatency = 8

// Model says how many cycles an operation takes from its operands to its
// results. Every operation takes one, except
//   - constants, and casts that only cut, extend or rename bits (a conversion
//     between integers and floating point computes, and counts);
//   - wiring, which only brings tokens together and chooses nothing: forks (they
//     are no operations), handshake.join, and handshake.load and
//     handshake.store, which pass their operands on to a memory port and back;
//   - memory ports, which take Memory cycles.
//
// handshake.cond_br and handshake.mux choose, and count like arith.select; the
// four dataflow operations are state machines, and count.
type Model struct {
	// Memory is the latency of a memory port; 0 is DefaultMemoryLatency.
	Memory int
}

// Of returns the latency of an operation; a memory's is that of its ports.
func (m Model) Of(op *ir.Operation) int {
	switch op.Name {
	case "handshake.memory", "handshake.extmemory":
		if m.Memory > 0 {
			return m.Memory
		}
		return DefaultMemoryLatency
	case "handshake.constant", "handshake.join", "handshake.load", "handshake.store", "handshake.return",
		"arith.index_cast", "arith.index_castui", "arith.extsi", "arith.extui", "arith.trunci", "arith.bitcast":
		return 0
	}
	return 1
}
