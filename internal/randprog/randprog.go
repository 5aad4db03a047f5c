// Package randprog generates random structured programs for differential tests
// between the levels of the verification ladder (design page "Simulation", "How
// it is tested"), makes inputs for them, and shrinks a failing one.
//
// A program is a builtin.module with one func.func over scalars and a few tiny
// memories, so that accesses collide. It always terminates and stays inside its
// memories, on any inputs: loop bounds and subscripts are masked to a
// few values, steps are positive, and every scf.while counts down. Values that
// nothing else reads are folded into what is yielded, stored or returned, so
// that a wrong one shows, apart from a share that is left unused on purpose.
//
// What goes beyond the common constructs is switched on by Options.Use; without
// it a seed gives the program that it always gave.
package randprog

import (
	"math/rand/v2"

	"loom/compiler/ir"
	"loom/compiler/opname"
)

// Options bounds and directs the generator. The zero value is the usual
// mix.
type Options struct {
	// MaxOps is the largest number of operations of a program, constants
	// included and terminators not; 0 means 60.
	MaxOps int
	// MaxDepth is how deep loops and conditionals nest; 0 means 4, negative
	// means straight-line code.
	MaxDepth int
	// Memories is the number of memref parameters; 0 means two or three,
	// negative means none.
	Memories int
	// Locals adds a memory made by memref.alloca and filled with constants at
	// the top of the function.
	Locals bool
	// SmallTypes restricts values to i1, i32 and index, with any Use.
	SmallTypes bool
	// SingleAccess allows at most one load and one store operation per memory
	// parameter, for fabrics whose memories have one port of each kind.
	SingleAccess bool
	// NoDivides leaves out divisions and remainders, also in subscripts.
	NoDivides bool
	// NoWhile leaves out scf.while.
	NoWhile bool
	// NoUndefined keeps every operation's result defined by MLIR: shifts stay
	// below the width and divisors are positive. Programs without it may do
	// both, with the values package num documents.
	NoUndefined bool
	// Extended adds the operations of arith that no function unit computes
	// (ceildivsi, mulsi_extended and the like).
	Extended bool
	// IndexWidth names the width of index that the program runs with, 0 for any
	// from 32 on. With it Sweeps has subscripts that wrap around and come to lie
	// inside their memory only at that width.
	IndexWidth int
	// Use adds constructs; see Constructs.
	Use Constructs
}

// Small are options for programs that fit small fabrics: few operations, types
// of one datapath, one load and one store per memory, no divisions.
func Small() Options {
	return Options{MaxOps: 20, MaxDepth: 2, Memories: 2, SmallTypes: true, SingleAccess: true, NoDivides: true}
}

func (o Options) withDefaults() Options {
	if o.MaxOps == 0 {
		o.MaxOps = 60
	}
	if o.MaxDepth == 0 {
		o.MaxDepth = 4
	}
	return o
}

// FunctionName is the symbol of the generated function.
const FunctionName = "prog"

// Generate makes the program of a seed: the same seed and options give the same
// program. The result is a builtin.module.
func Generate(seed uint64, opts Options) *ir.Operation {
	opts = opts.withDefaults()
	// The size of a program is known when it is finished; one that came out too
	// large is made again with a smaller goal.
	goal := max(1, opts.MaxOps*3/4)
	for try := uint64(0); ; try++ {
		g := &generator{r: rand.New(rand.NewPCG(seed, try)), opts: opts, goal: goal, spans: map[*ir.Value]span{}}
		m := g.module()
		if Size(m) <= opts.MaxOps || goal == 0 {
			return m
		}
		goal = goal * 4 / 5
	}
}

// Size counts the operations of a module that become hardware or code:
// everything inside functions but terminators.
func Size(module *ir.Operation) int {
	n := 0
	module.Walk(func(op *ir.Operation) bool {
		switch op.Name {
		case opname.BuiltinModule, opname.FuncFunc, opname.MemRefGlobal:
		default:
			if isTerminator(op) {
				return true
			}
			n++
		}
		return true
	})
	return n
}

// Function returns the first func.func of a module, nil for none.
func Function(module *ir.Operation) *ir.Operation {
	var fn *ir.Operation
	module.Walk(func(op *ir.Operation) bool {
		if op.Name == opname.FuncFunc && fn == nil {
			fn = op
		}
		return fn == nil
	})
	return fn
}
