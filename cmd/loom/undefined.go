package main

import (
	"fmt"

	"loom/compiler/interp"
	"loom/compiler/ir"
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
	const so = "so what the kernel computes is not defined"
	var found []string
	for _, array := range allocations(fn) {
		alone, err := changes(array)
		if err != nil {
			return nil, err
		}
		if !alone {
			continue
		}
		name := "a local array"
		if n := array.Result(0).Name; n != "" {
			name = "the local array '" + n + "'"
		}
		text := name + " is read before it is written, " + so
		check := opts
		check.CheckUndefined = true
		out, err := interp.Run(fn, in, check)
		if err != nil {
			return nil, err
		}
		if out.Status == vector.Error && len(out.Detail) > 0 {
			if m := placed.FindStringSubmatch(out.Detail[0]); m != nil {
				text = fmt.Sprintf("%s:%s:%s: %s", m[1], m[2], m[3], text)
			}
		}
		found = append(found, text)
	}
	if found == nil {
		found = []string{"local arrays are read before they are written, " + so}
	}
	return found, nil
}

// allocations are the local arrays of a function and of those beside it.
func allocations(fn *ir.Operation) []*ir.Operation {
	top := fn
	for top.ParentOp() != nil {
		top = top.ParentOp()
	}
	var out []*ir.Operation
	top.Walk(func(op *ir.Operation) bool {
		if op.Name == "memref.alloca" || op.Name == "memref.alloc" {
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
