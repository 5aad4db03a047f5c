package token

import (
	"fmt"

	"loom/compiler/ir"
	"loom/sim/vector"
)

// A merge or control_merge takes a token from any operand. Where at most one can have a
// token, whatever the order in which the rest of the graph fires, the graph is a Kahn network
// like any other. Where two can, the result depends on which comes first.

// Race is a merge that could take its token from either of two operands.
type Race struct {
	Op            *ir.Operation
	First, Second int
}

func (r *Race) String() string {
	return fmt.Sprintf("%s takes a token from any of its operands, and operands #%d and #%d can have one at the same time: which comes first is left open",
		describe(r.Op), r.First, r.Second)
}

// FindRace looks for a merge that can find a token at two operands in a run on these inputs;
// nil is the proof that none can, with the channels of the options or smaller ones. For each merge there is a
// run in which it fires only when nothing else can: up to the first race the order of
// firings changes no token, so everything that can arrive at that merge, before it takes
// its next token, has arrived then. Tokens without data are alike and race with nothing.
// The search ends at the first race, and with a run that exceeds the limit of firings.
func (p *Program) FindRace(in *vector.Inputs, opts Options) (*Race, error) {
	opts.Seed, opts.MemDelay = 0, 0
	for _, id := range p.merges {
		opts.hold = id + 1
		m, err := p.start(in, opts)
		if err != nil {
			return nil, err
		}
		m.loop()
		if m.race != nil {
			return m.race, nil
		}
	}
	return nil, nil
}

// OrdersTried is how many orders of firings Orders tries.
const OrdersTried = 16

// Orders runs a graph in several orders of firings, in half of them with a merge that fires
// only when nothing else can, and returns the first outcome that differs
// from want, nil where none does.
func (p *Program) Orders(in *vector.Inputs, opts Options, want *vector.Outcome) (*vector.Outcome, error) {
	for opts.Seed = 1; opts.Seed <= OrdersTried; opts.Seed++ {
		opts.hold = 0
		if n := uint64(len(p.merges)); n > 0 && opts.Seed%2 == 0 {
			opts.hold = p.merges[opts.Seed/2%n] + 1
		}
		got, _, err := p.Run(in, opts)
		if err != nil {
			return nil, err
		}
		if got.Status != want.Status || len(vector.Diff(want, got)) > 0 {
			return got, nil
		}
	}
	return nil, nil
}
