// Package circuit is a dataflow graph as a fixed elastic circuit: the netlist of a direct
// circuit, as plain data. Every operation of the graph is a unit of the RTL library, every
// value with several users a fork, every connection a channel with its buffer. The cycle
// simulator (sim/cycle), the RTL generator (rtlgen) and the reports read it; Build makes it
// from a graph, Place gives its channels their buffers, Check holds it against its rules.
//
// What differs from the same operations on a fabric:
//   - Nothing is configured. Constants are immediate operands of the units that read them.
//   - An array that the caller owns has a request and a response channel per access, so
//     accesses need no arbiter and no tags; a local array is a memory inside the circuit.
//   - A load's done token is its response: one channel, forked where both are wanted.
//   - A value that is held for a run (dataflow.hold) is a channel that other units read without
//     taking its token. A Finish takes it when the run ends: when every result and the done token
//     are there and have been taken. An argument that is held so costs no register: its port is
//     not ready before.
//   - What nothing reads is not built.
//
// The cycle behaviour of every unit is that of rtl/README.md.
package circuit

import (
	"loom/compiler/diag"
	"loom/compiler/ir"
)

// Circuit is the netlist of one kernel.
type Circuit struct {
	// Name is the kernel's, a legal identifier of SystemVerilog.
	Name string
	// IndexWidth is the width of index values in bits.
	IndexWidth int
	// Inputs are the scalar arguments in order, then the start token; Outputs the results in
	// order, then the done token. Memref arguments are Arrays.
	Inputs, Outputs []*Port
	// Arrays are the memories: external ones in the order of the arguments, then local ones.
	Arrays []*Array
	// Units are in the order of the graph, forks behind the unit they belong to.
	Units []*Unit
	// Shares are the multipliers and dividers that several units use.
	Shares []*Share
	// Channels are in the order of their producers: inputs first, then units.
	Channels []*Channel
	// Finish ends a run, one of Units; nil where no value is held and no array restored.
	Finish *Unit
	// Estimate is the longest path where a clock target was given; nil where none was.
	Estimate *Estimate
}

// Port is an external channel: an argument, a result, start or done.
type Port struct {
	// Name is the stem of its signals: <name>_valid, <name>_ready, <name>_data.
	Name  string
	Type  ir.Type
	Width int // bits of data, 0 for a token
	// Arg is the position among the arguments of the kernel, -1 for start and done.
	Arg int
	// Channel leads from the port (an input) or to it. An input that nothing reads has none:
	// its token is taken at once.
	Channel *Channel
}

// Array is a memory: an argument, or local to the kernel.
type Array struct {
	// Name is unique and the stem of the names of its ports.
	Name string
	// Arg is the position among the arguments, -1 for a local array.
	Arg  int
	Elem ir.Type
	// Width is that of an element in bits, AddrWidth that of an element index.
	// A stream has none: AddrWidth is 0.
	Width, AddrWidth int
	// Stream is set where the elements come or go in order, from the first on, through one
	// load or store without an address.
	Stream bool
	// Latency is the cycles from a request to its response of an array outside where they are always
	// the same, 0 where they are up to the memory.
	Latency int
	// Elements is the number of elements, 0 where an argument leaves it open.
	Elements int64
	// Init are the contents of a local array at the start of every run: nil where the kernel
	// writes what it reads, else one per element.
	Init []uint64
	// Loads and Stores are its accesses, in the order of the graph's ports.
	Loads, Stores []*Unit
	Pos           diag.Pos
}

// Restored reports whether the array is a local one with initial contents that the kernel writes:
// after reset and behind every run it is filled again, an element per cycle, and takes no access
// until then.
func (a *Array) Restored() bool { return !a.External() && a.Init != nil && len(a.Stores) > 0 }

// External reports whether the array belongs to the caller.
func (a *Array) External() bool { return a.Arg >= 0 }

// Kind is what a unit does. Operands and results are listed in order.
type Kind string

// The kinds.
const (
	// Compute: operands -> result. A pure operation of arith or math: joins its operands,
	// computes, passes Latency registers.
	Compute Kind = "compute"
	// Divide: a, b -> result, or a -> result. A division that is not pipelined, or another function of an iterative unit, which
	// works on one token at a time: Latency is its interval, too.
	Divide Kind = "divide"
	// Constant: token -> value. Only where the consumer takes no immediate, and then it is
	// wires alone.
	Constant Kind = "constant"
	// Branch: condition, data -> data if true, data if false.
	Branch Kind = "branch"
	// Mux: selector, data 0, data 1… -> data.
	Mux Kind = "mux"
	// Join: tokens -> token.
	Join Kind = "join"
	// Fork: data -> the same data at every result, each offered independently.
	Fork Kind = "fork"
	// Stream: start, step, bound -> index, condition.
	Stream Kind = "stream"
	// Gate: value, condition -> value, condition.
	Gate Kind = "gate"
	// Carry: condition, initial value, loop value -> value.
	Carry Kind = "carry"
	// Invariant: condition, value -> value.
	Invariant Kind = "invariant"
	// Accumulate: condition, initial value, element -> what is summed up behind the loop. Latency is the number of
	// its parts, which is that of the registers inside.
	Accumulate Kind = "accumulate"
	// Interlock: subscript of an iteration's load, of its store, done tokens of stores -> the subscript of the load, once no
	// store of an earlier iteration to it is on its way.
	Interlock Kind = "interlock"
	// Load: element index, tokens… -> data; from a stream without the index. The result is the response, which is the done
	// token as well.
	Load Kind = "load"
	// Finish: results, done, then inputs and held values -> results, done. Waits for all of its
	// operands, then offers each result independently; takes the operands when all are taken.
	Finish Kind = "finish"
	// Store: element index, data, tokens… -> done token; to a stream without the index.
	Store Kind = "store"
	// Merge: data… -> the data of any operand, of the first that has some. Merge,
	// ControlMerge and Primed are units of graphs from elsewhere (package circt).
	Merge Kind = "merge"
	// ControlMerge: data… -> the same, and the number of the operand.
	ControlMerge Kind = "control_merge"
	// Primed: data -> data. Slots slots, after reset with Words in them.
	Primed Kind = "primed"
)

// Unit is one unit.
type Unit struct {
	ID   int
	Name string // unique among units, a legal identifier
	Kind Kind
	// Op is the operation of the graph that the unit stands for; nil for a fork. Its types,
	// predicate, step operator and condition are the unit's.
	Op *ir.Operation
	// In are the operands, Out the results. A result that nothing reads is nil: its tokens
	// are taken at once.
	In  []Operand
	Out []*Channel
	// Value is a Constant's.
	Value uint64
	// Slots is how many tokens a Primed holds, Words those after reset, the first to leave
	// first.
	Slots int
	Words []uint64
	// Latency is the number of registers behind or inside a Compute that has a unit of its own, or inside an
	// Accumulate, and the time from operands to result of a Divide.
	Latency int
	// Lookahead is set for a Stream that computes its condition a cycle ahead, into a register
	// (loom_stream). The tokens and their cycles are the same.
	Lookahead bool
	// Share does the work of the unit with others, Client is what it is there; nil for a unit of
	// its own.
	Share  *Share
	Client *Client
	// Array is the memory of a Load or Store, Access the stem of its request and response
	// channels, <access>_req and <access>_rsp: ports of the module for an external array,
	// between the unit and the memory for a local one. A store's request carries <access>_req_addr
	// and <access>_req_data, its response no data.
	Array  *Array
	Access string
	// Follows: an access to an array outside is to the element behind that of the one before, as far as the loop around it shows.
	Follows bool
	Pos     diag.Pos
}

// Data is the position of the data among the operands of a Store.
func (u *Unit) Data() int {
	if u.Array.Stream {
		return 0
	}
	return 1
}

// Operand is what a unit reads at an operand: a channel, or the same number for every
// firing.
type Operand struct {
	Channel *Channel // nil for an immediate
	// Held is set where the unit reads the channel and leaves its token to Channel.To.
	Held  bool
	Value uint64 // of an immediate
	Width int    // bits the unit reads, 0 for a token
}

// Token is the channel whose tokens the unit takes at the operand, nil for an immediate and
// for a held value.
func (o Operand) Token() *Channel {
	if o.Held {
		return nil
	}
	return o.Channel
}

// Immediate reports whether the operand is a number.
func (o Operand) Immediate() bool { return o.Channel == nil && !o.Held }

// Channel is a connection from one producer to one consumer.
type Channel struct {
	ID int
	// Name is a legal identifier and the stem of its signals, unique among channels and
	// external ports, but that the channel of an input has the input's name: the value's name
	// in the kernel, for a branch of a fork with its consumer's. After is the same behind
	// the buffer.
	Name, After string
	// Type is the value's; the consumer may read fewer bits, a token none.
	Type  ir.Type
	Width int // bits of data, 0 for a token
	From  End
	To    End
	// Least is how many tokens the buffers of the graph hold here, 0 without any.
	Least int
	// Buffer is what stands between producer and consumer.
	Buffer Buffer
}

// End is one end of a channel: result Port of Unit (operand at the consumer), or, where Unit
// is nil, the external port of that number.
type End struct {
	Unit *Unit
	Port int
}

// Buffering is a kind of buffer.
type Buffering string

// The kinds of buffers. Opaque ones put at least a cycle between producer and consumer,
// transparent ones none.
const (
	// None: wires.
	None Buffering = ""
	// Pipe: Slots registers in a row (loom_pipe). Opaque; takes a token per cycle; ready runs
	// through it.
	Pipe Buffering = "pipe"
	// Elastic: two slots (loom_fifo), more with registers in a row behind them (loom_pipe_skid).
	// Opaque; cuts valid and ready.
	Elastic Buffering = "elastic"
	// Loop: one register that always takes a token (loom_loop_register), for a loop that
	// holds one token at a time and takes it in the cycle in which it yields the next. Opaque;
	// cuts valid and ready.
	Loop Buffering = "loop"
	// Transparent: Slots slots behind a bypass (loom_fifo_transparent). Cuts ready.
	Transparent Buffering = "transparent"
	// Queue: Slots slots in distributed RAM (loom_fifo). Opaque; cuts valid and ready.
	Queue Buffering = "queue"
)

// Buffer is the storage of a channel.
type Buffer struct {
	Kind Buffering
	// Slots is how many tokens it holds.
	Slots int
	// Reason states why it is there, "" for none.
	Reason string
}

// CutsValid reports whether no valid or data passes in the same cycle.
func (b Buffer) CutsValid() bool { return b.Kind != None && b.Kind != Transparent }

// CutsReady reports whether no ready passes in the same cycle.
func (b Buffer) CutsReady() bool { return b.Kind != None && b.Kind != Pipe }

// Latency is the number of cycles that a token takes at least.
func (b Buffer) Latency() int {
	switch b.Kind {
	case None, Transparent:
		return 0
	case Pipe:
		return b.Slots
	case Elastic:
		return b.Slots - 1
	}
	return 1
}
