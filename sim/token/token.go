// Package token simulates a dataflow graph without time, as a Kahn network
// (design page "Simulation and co-simulation"): level 2 of the verification
// ladder. Every (value, use) pair is a channel of its own; a producer offers
// each use independently (eager fork), and its inputs are released only when
// every use has taken its token. A run that stops early reports which tokens are
// left and what each operation waits for.
//
// The results of a Kahn network do not depend on the order of firings, so the
// order can be chosen at random, and memory can be made slow; a difference is a
// fault of the graph.
//
// The package knows nothing of how the graph was made: it must not share the
// lowering's mistakes.
package token

import (
	"fmt"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/sim/vector"
)

// Options of one run.
type Options struct {
	// Capacity is how many tokens a channel holds; 0 is unbounded.
	Capacity int
	// OwnBuffers gives channels no storage at all: what holds tokens are the graph's
	// handshake.buffer operations, with their slots. Capacity is then without effect. A cycle
	// without a buffer cannot move.
	OwnBuffers bool
	// IndexWidth is the width of index in bits; 0 is 64.
	IndexWidth int
	// MaxSteps bounds the firings; 0 is DefaultMaxSteps.
	MaxSteps int64
	// Seed chooses the order of firings at random; 0 is first come, first served.
	Seed uint64
	// MemDelay makes every memory request wait a random number of firings up to
	// this, each port for itself, so that ports overtake each other.
	MemDelay int

	// hold is the actor that fires only when nothing else can, and 1; 0 for none.
	hold int32
}

// DefaultMaxSteps is the firing budget where Options names none.
const DefaultMaxSteps = 200_000_000

// Hardware error codes that a graph without fabric can raise (design page
// "Error symbols").
const (
	codeZeroStep  = 259 // RT_DATAFLOW_STREAM_ZERO_STEP
	codeMemoryOOB = 512 // RT_MEMORY_ADDR_OOB
	codeExtmemOOB = 513 // RT_EXTMEMORY_BUS
)

// Stats counts what a run did.
type Stats struct {
	Firings int64
	// Loads and Stores are memory accesses performed.
	Loads, Stores int64
}

// Run simulates a handshake.func on inputs, which stay unchanged. The error is
// about the graph or the inputs; how the run itself ended is the outcome's
// status.
func Run(fn *ir.Operation, in *vector.Inputs, opts Options) (*vector.Outcome, error) {
	p, err := Compile(fn, opts.IndexWidth)
	if err != nil {
		return nil, err
	}
	out, _, err := p.Run(in, opts)
	return out, err
}

// Run simulates a compiled graph; a Program can be run any number of times, also
// concurrently.
func (p *Program) Run(in *vector.Inputs, opts Options) (*vector.Outcome, Stats, error) {
	m, err := p.start(in, opts)
	if err != nil {
		return nil, Stats{}, err
	}
	m.loop()
	return m.outcome(), m.stats, nil
}

// start checks the inputs and puts the arguments' tokens on their channels.
func (p *Program) start(in *vector.Inputs, opts Options) (*machine, error) {
	args := p.fn.Regions[0].Entry().Args
	scalars := args[:len(args)-1]
	if len(in.Args) != len(scalars) {
		return nil, diag.New(p.fn.Pos, "the graph has %d parameters, the inputs have %d", len(scalars), len(in.Args))
	}
	in = in.Clone()
	m := newMachine(p, opts)
	m.prime()
	for i, a := range scalars {
		got := in.Args[i]
		if mt, mem := a.Type.(*ir.MemRefType); mem {
			if got.Mem == nil {
				return nil, diag.New(a.Loc, "parameter %s is a memory, the input gives a number", p.argName(i))
			}
			if got.Mem.Elem != nil && got.Mem.Elem != mt.Elem {
				return nil, diag.New(a.Loc, "parameter %s has elements of type %s, the input of type %s", p.argName(i), mt.Elem, got.Mem.Elem)
			}
			m.outMems = append(m.outMems, got.Mem)
			for j := range p.mems {
				if p.mems[j].arg == i {
					m.mems[j] = got.Mem.Data
				}
			}
			continue
		}
		if got.Mem != nil {
			return nil, diag.New(a.Loc, "parameter %s is a number, the input gives a memory", p.argName(i))
		}
		m.preset(p.sources[i], got.Scalar)
	}
	m.preset(p.sources[len(scalars)], 0)
	for j := range p.mems {
		if p.mems[j].arg < 0 {
			m.mems[j] = p.mems[j].contents()
		}
	}
	return m, nil
}

func (p *Program) argName(i int) string {
	if names, ok := p.fn.Attr("argNames").(*ir.ArrayAttr); ok && i < len(names.Elems) {
		if s, ok := names.Elems[i].(*ir.StringAttr); ok {
			return s.Value
		}
	}
	return fmt.Sprintf("arg%d", i)
}
