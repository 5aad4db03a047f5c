package main

import (
	"fmt"
	"slices"
	"strings"

	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/sim/level0"
	"loom/sim/vector"
)

// interpret runs level 1. Where it disagrees with the original function, and that is
// because the kernel reads what it has not written, the ladder says so.
func (a *app) interpret(l *ladder, name string, fn *ir.Operation, in *vector.Inputs, native *level0.Program, opts interp.Options) (bool, error) {
	var got *vector.Outcome
	ok, err := a.step(l, 1, name, func() (out *vector.Outcome, err error) {
		out, err = interp.Run(fn, in, opts)
		got = out
		return out, err
	})
	if err != nil || ok || native == nil || l.final.Status == vector.Budget {
		return ok, err
	}
	a.progress.Set("local arrays")
	defer a.progress.Clear()
	found, err := undefinedReads(fn, in, got, opts)
	l.final.Detail = append(l.final.Detail, found...)
	return ok, err
}

// fillPattern is in no local array by chance, and is a large number as an integer and as
// a float, which no sum swallows.
const fillPattern = 0x5a5a5a5a5a5a5a5a

// undefinedReads names the local arrays on whose content before the first write the
// outcome depends: the interpreter begins them with zeros, the host with what is on its
// stack. got is the outcome with zeros.
func undefinedReads(fn *ir.Operation, in *vector.Inputs, got *vector.Outcome, opts interp.Options) ([]string, error) {
	opts.Fill = fillPattern
	changes := func(only *ir.Operation) (bool, error) {
		opts.Only = only
		out, err := interp.Run(fn, in, opts)
		return err == nil && vector.Diff(got, out) != nil, err
	}
	if some, err := changes(nil); !some || err != nil {
		return nil, err
	}
	// An array alone may change nothing, as where its elements are multiplied with those
	// of another: then all that are read too early are named.
	for _, alone := range []bool{true, false} {
		var found []string
		for _, array := range allocations(fn) {
			if changed, err := changes(array); err != nil {
				return nil, err
			} else if alone && !changed {
				continue
			}
			// With zeros again only the check itself can change how the run ends.
			check := opts
			check.Fill, check.CheckUndefined = 0, true
			out, err := interp.Run(fn, in, check)
			if err != nil {
				return nil, err
			}
			if !slices.Equal(out.Detail, got.Detail) {
				found = append(found, readEarly(array, out))
			}
		}
		if found != nil {
			return found, nil
		}
	}
	return nil, nil
}

// readEarly tells of a local array whose check has ended in out.
func readEarly(array *ir.Operation, out *vector.Outcome) string {
	name := "a local array"
	if n := array.Result(0).Name; n != "" {
		name = "the local array '" + n + "'"
	}
	text := name + " is read before it is written, so what the kernel computes is not defined"
	if m := placed.FindStringSubmatch(strings.Join(out.Detail, "\n")); m != nil {
		text = fmt.Sprintf("%s:%s:%s: %s", m[1], m[2], m[3], text)
	}
	return text
}

// allocations are the local arrays of a function and of those beside it.
func allocations(fn *ir.Operation) []*ir.Operation {
	top := fn
	for top.ParentOp() != nil {
		top = top.ParentOp()
	}
	var out []*ir.Operation
	top.Walk(func(op *ir.Operation) bool {
		if op.Name == opname.MemRefAlloca || op.Name == opname.MemRefAlloc {
			out = append(out, op)
		}
		return true
	})
	return out
}

// randomDoubt is what to say of a run on random inputs that has left an array, before any
// level has shown that these inputs are in order.
const randomDoubt = "the inputs are random, and may be what leads out of the memory: --inputs FILE chooses others"

// doubtInputs adds randomDoubt to an outcome where it is due.
func (a *app) doubtInputs(out *vector.Outcome) *vector.Outcome {
	if !a.random || out.Status != vector.Error || out.ErrorCode != interp.CodeOutOfBounds {
		return out
	}
	end := *out
	end.Detail = append(append([]string{}, end.Detail...), randomDoubt)
	return &end
}
