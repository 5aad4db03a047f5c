package loom

import (
	"fmt"

	"loom/sim/vector"
)

// WrittenOut is how a direct circuit compares with the one that has innermost loops of few iterations written out (CompileOptions.Unroll).
type WrittenOut struct {
	// Times is how many times as many cycles the circuit takes on random inputs as the other one.
	Times float64
	// Units and Other are the number of units of the circuit and of the other one.
	Units, Other int
}

// String is a line of what the option would change.
func (w *WrittenOut) String() string {
	return fmt.Sprintf("with --unroll 1 inner loops of few iterations are written out: %.2g times as fast on random inputs, %d units instead of %d", w.Times, w.Other, w.Units)
}

// WrittenOut compares the circuit with the one that has one level of loops written out, with the same options but for their watch; nil where the kernel's options say how many levels are, where
// that makes no other circuit, and where it is not half as fast again: area is what a direct circuit is made for, so the choice is left to the user.
func (d *Direct) WrittenOut(opts DirectOptions) (*WrittenOut, error) {
	k := d.Kernel
	if k.Function == nil || k.opts.Unroll != AutoUnroll {
		return nil, nil
	}
	v := k.chosen
	v.unroll = 1
	next, err := k.with(v)
	if err != nil || next == nil {
		return nil, err
	}
	opts.Watch, opts.DumpAfter, opts.DumpTo = Watch{}, "", nil
	other, err := BuildDirect(next, opts)
	if err != nil {
		return nil, nil // what has no hardware with these ports
	}
	env := Environment{MaxCycles: trialCycles, Latency: d.Memory}
	cycles := func(d *Direct) func(*vector.Inputs) (*vector.Outcome, error) {
		return func(in *vector.Inputs) (*vector.Outcome, error) {
			out, _, err := d.cycles(in, env)
			return out, err
		}
	}
	times, err := k.timesAsFast(writtenRuns, cycles(other), cycles(d))
	if err != nil || times < 1.5 {
		return nil, err
	}
	return &WrittenOut{times, len(d.Circuit.Units), len(other.Circuit.Units)}, nil
}
