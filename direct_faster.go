package loom

import (
	"fmt"

	"loom/sim/vector"
)

// Faster is how a direct circuit compares with the one that an option makes of the kernel.
type Faster struct {
	// Option is the option, Does what it does.
	Option, Does string
	// Times is how many times as many cycles the circuit takes on random inputs as the other one.
	Times float64
	// Units and Other are the number of units of the circuit and of the other one.
	Units, Other int
}

// String is a line of what the option would change.
func (f *Faster) String() string {
	return fmt.Sprintf("with %s %s: %.2g times as fast on random inputs, %d units instead of %d", f.Option, f.Does, f.Times, f.Other, f.Units)
}

// Faster compares the circuit with those that have one level of loops written out (CompileOptions.Unroll), and four iterations of outer loops side by side
// (CompileOptions.UnrollAndJam), with the same options but for their watch. It leaves out what the kernel's options say a number for,
// what makes no other circuit, and what is not half as fast again: area is what a direct circuit is made for, so the choice is left to the user.
func (d *Direct) Faster(opts DirectOptions) ([]*Faster, error) {
	k := d.Kernel
	if k.Function == nil {
		return nil, nil
	}
	var found []*Faster
	for _, f := range []struct {
		auto         bool
		change       func(v *variant)
		option, does string
		runs         []trialRun
	}{
		{k.opts.Unroll == AutoUnroll, func(v *variant) { v.unroll = 1 }, "--unroll 1", "inner loops of few iterations are written out", writtenRuns},
		{k.opts.UnrollAndJam == AutoUnrollAndJam, func(v *variant) { v.jam = 4 }, "--unroll-and-jam 4", "iterations of outer loops run side by side", writtenRuns[1:]},
	} {
		if !f.auto {
			continue
		}
		v := k.chosen
		f.change(&v)
		next, err := k.with(v)
		if err != nil {
			return nil, err
		}
		if next == nil {
			continue
		}
		opts.Watch, opts.DumpAfter, opts.DumpTo = Watch{}, "", nil
		other, err := BuildDirect(next, opts)
		if err != nil {
			continue // what has no hardware with these ports
		}
		env := Environment{MaxCycles: trialCycles, Latency: d.Memory}
		cycles := func(d *Direct) func(*vector.Inputs) (*vector.Outcome, error) {
			return func(in *vector.Inputs) (*vector.Outcome, error) {
				out, _, err := d.cycles(in, env)
				return out, err
			}
		}
		times, err := k.timesAsFast(f.runs, cycles(other), cycles(d))
		if err != nil {
			return nil, err
		}
		if times >= 1.5 {
			found = append(found, &Faster{f.option, f.does, times, len(d.Circuit.Units), len(other.Circuit.Units)})
		}
	}
	return found, nil
}
