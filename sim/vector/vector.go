// Package vector holds the inputs and outcomes of a kernel run: what all
// simulators and the co-simulation read and what they are compared on.
package vector

import (
	"fmt"

	"loom/compiler/ir"
	"loom/sim/dram"
)

// Memory is the contents of one memref argument in row-major order. Elements
// are raw bit patterns in the low bits of a word (floats as IEEE bits, integers
// truncated to their width).
type Memory struct {
	Name  string
	Elem  ir.Type
	Shape []int64 // static: dynamic extents are settled by the input
	Data  []uint64
	// Unsigned is set where the source's elements have no sign: so they are printed.
	Unsigned bool
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

// Clone copies inputs deeply: runs write to their memories. Arguments whose elements
// are the same storage share it in the copy too: that is how a caller passes one
// array twice, or an array and a part of it.
func (in *Inputs) Clone() *Inputs {
	out := &Inputs{Args: append([]Arg(nil), in.Args...)}
	// Slices of one array have the same last element within their capacity; whole is the
	// longest of them.
	whole := map[*uint64][]uint64{}
	end := func(data []uint64) *uint64 { return &data[:cap(data)][cap(data)-1] }
	for _, a := range in.Args {
		if a.Mem != nil && len(a.Mem.Data) > 0 {
			if e := end(a.Mem.Data); cap(a.Mem.Data) > cap(whole[e]) {
				whole[e] = a.Mem.Data
			}
		}
	}
	copies := map[*uint64][]uint64{}
	for i, a := range out.Args {
		if a.Mem == nil {
			continue
		}
		m := *a.Mem
		if len(m.Data) > 0 {
			e := end(m.Data)
			w := whole[e]
			if copies[e] == nil {
				copies[e] = append(make([]uint64, 0, cap(w)), w[:cap(w)]...)
			}
			from := cap(w) - cap(m.Data)
			m.Data = copies[e][from : from+len(m.Data)]
		}
		out.Args[i].Mem = &m
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
	// Nondeterministic: the result depends on an order that the graph leaves open.
	Nondeterministic Status = "nondeterministic"
	Mismatch         Status = "mismatch" // two levels of the verification ladder disagree
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
	// DRAM is what the external memory did where it is one; Diff leaves it out.
	DRAM *dram.Report
	// Caches are the read caches that were used, in component order; Diff leaves them out.
	Caches []Cache
	// Buses are those of external memories that were used, in component order; Diff leaves them out.
	Buses []Bus
	// Detail explains any status but Done: one finding per line.
	Detail []string
}

// Cache counts the loads of cached regions at a read cache.
type Cache struct {
	// Memory is the name of the external memory.
	Memory string `json:"memory"`
	// Hits made no request to memory, Misses one each.
	Hits   int64 `json:"hits"`
	Misses int64 `json:"misses"`
}

// String is the line of a cache in reports.
func (c Cache) String() string {
	return fmt.Sprintf("%d of %d loads hit its cache", c.Hits, c.Hits+c.Misses)
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
	// Unsigned is set where the source's type has no sign: so the value is printed.
	Unsigned bool
}
