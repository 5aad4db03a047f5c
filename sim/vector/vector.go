// Package vector holds the inputs and outcomes of a kernel run: what all
// simulators and the co-simulation read and what they are compared on.
package vector

import "loom/compiler/ir"

// Memory is the contents of one memref argument in row-major order. Elements
// are raw bit patterns in the low bits of a word (floats as IEEE bits, integers
// truncated to their width).
type Memory struct {
	Name  string
	Elem  ir.Type
	Shape []int64 // static: dynamic extents are settled by the input
	Data  []uint64
}

// Arg is the value of one kernel argument: a scalar bit pattern, or a memory.
type Arg struct {
	Name   string
	Type   ir.Type
	Scalar uint64
	Mem    *Memory // nil for scalars
}

// Inputs are the arguments of one run in the order of the kernel's parameters.
type Inputs struct{ Args []Arg }

// Clone copies inputs deeply: runs write to their memories.
func (in *Inputs) Clone() *Inputs {
	out := &Inputs{Args: append([]Arg(nil), in.Args...)}
	for i, a := range out.Args {
		if a.Mem != nil {
			m := *a.Mem
			m.Data = append([]uint64(nil), a.Mem.Data...)
			out.Args[i].Mem = &m
		}
	}
	return out
}

// Status is how a run ended (design page "Simulation").
type Status string

// The ends of a run.
const (
	Done     Status = "done"     // every result delivered, memory complete, nothing left inside
	Deadlock Status = "deadlock" // nothing can move and something is still owed
	Error    Status = "error"    // the hardware raised an error code
	Budget   Status = "budget"   // the limit of steps or cycles was reached
	Mismatch Status = "mismatch" // two levels of the verification ladder disagree
)

// Outcome is what a run yields.
type Outcome struct {
	Status   Status
	Results  []Scalar
	Memories []*Memory // the memref arguments after the run, in argument order
	// OnChip are the on-chip memories that the host can read after the run, in
	// component order; nil at levels without hardware. Diff leaves them out, DiffOnChip
	// compares them.
	OnChip []OnChip
	// Cycles is the number of clock cycles, or 0 where there is no clock.
	Cycles int64
	// ErrorCode is the hardware error code for Status Error.
	ErrorCode int
	// Detail explains any status but Done: one finding per line.
	Detail []string
}

// OnChip is an on-chip memory that is not private, after a run.
type OnChip struct {
	Comp  string   // the component's name
	Elems []uint64 // bit patterns
}

// Scalar is a typed bit pattern.
type Scalar struct {
	Type ir.Type
	Bits uint64
}
