package randctest

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"loom/compiler/cabi"
	"loom/compiler/frontend"
	"loom/compiler/interp"
	"loom/compiler/lower"
	suit "loom/sim/inputs"
	"loom/sim/level0"
	"loom/sim/token"
	"loom/sim/vector"
)

// replaySize is the size of arrays where a kept program has no inputs.
const replaySize = 8

// Replay runs a C file at levels 0 to 2, and as a direct circuit, and reports where they differ. inputs is the
// text of an input file; where it is empty or fits the kernel no longer, since another
// level of optimisation leaves other parameters over, inputs are random.
func Replay(ctx context.Context, file, text, inputs string, s Setting) error {
	res, err := frontend.Run(ctx, file, text, frontend.Options{Level: s.Level, Verify: true})
	if err != nil {
		return errors.New(messages(err))
	}
	return compare(ctx, file, res, inputs, s)
}

// compare runs a structured kernel, its graph and the original function.
func compare(ctx context.Context, file string, res *frontend.Result, inputs string, s Setting) error {
	fn := function(res.Module)
	c, _ := cabi.Of(fn)
	if !level0.Available(c) {
		return errors.New("the function has no description of its parameters")
	}
	sig, err := vector.SignatureOf(fn)
	if err != nil {
		return err
	}
	low, err := lower.Lower(res.Module, s.lowering(""))
	if err != nil {
		return errors.New(messages(err))
	}
	direct, err := circuitOf(low.Func, s)
	if err != nil {
		return fmt.Errorf("direct circuit: %s", messages(err))
	}
	var runs []*vector.Inputs
	if in, err := vector.ParseInputs(file, []byte(inputs), sig, s.IndexWidth); err == nil && inputs != "" {
		runs = append(runs, in)
	} else {
		for seed := range uint64(2) {
			r, err := suit.Random(low.Func, suit.Options{Seed: seed, Size: replaySize, IndexWidth: s.IndexWidth, MaxSteps: 50_000_000})
			if err != nil {
				return err
			}
			runs = append(runs, r.Inputs)
		}
	}
	native, err := level0.Build(ctx, c, sig, level0.Options{IndexWidth: s.IndexWidth})
	if err != nil {
		return errors.New(messages(err))
	}
	tolerance := level0.Tolerance(res.Module)
	for i, in := range runs {
		want, err := native.Run(ctx, in)
		if err != nil {
			return err
		}
		got, err := interp.Run(fn, in, interp.Options{IndexWidth: s.IndexWidth, MaxSteps: 50_000_000})
		if err != nil {
			return err
		}
		if d := vector.DiffTolerance(want, got, tolerance); d != nil {
			return fmt.Errorf("level 1: %s", strings.Join(append(d, got.Detail...), "\n"))
		}
		for _, o := range []token.Options{{IndexWidth: s.IndexWidth}, {IndexWidth: s.IndexWidth, Capacity: 1}} {
			got, err := token.Run(low.Func, in, o)
			if err != nil {
				return err
			}
			if d := vector.DiffTolerance(want, got, tolerance); d != nil {
				return fmt.Errorf("level 2, capacity %d: %s", o.Capacity, strings.Join(append(d, got.Detail...), "\n"))
			}
		}
		if direct == nil {
			continue
		}
		if got, err = runDirect(direct, in, uint64(i)); err != nil {
			return err
		}
		if d := vector.DiffTolerance(want, got, tolerance); d != nil {
			return fmt.Errorf("level 3, direct circuit: %s", strings.Join(append(d, got.Detail...), "\n"))
		}
	}
	return nil
}
