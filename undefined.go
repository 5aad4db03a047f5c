package loom

import (
	"slices"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/sim/level0"
	"loom/sim/vector"
)

// interpret runs level 1. If it disagrees with the original function because the kernel
// reads local arrays before it writes them, the outcome's details name these arrays.
func (l *ladder) interpret(name string, fn *ir.Operation, in *vector.Inputs, native *level0.Program) (bool, error) {
	opts := l.interpretOptions()
	var got *vector.Outcome
	ok, err := l.step(1, name, func() (out *vector.Outcome, err error) {
		out, err = interp.Run(fn, in, opts)
		got = out
		return out, err
	})
	if err != nil || ok || native == nil || l.Outcome.Status == vector.Budget {
		return ok, err
	}
	defer l.w.doing("local arrays")()
	found, err := undefinedReads(fn, in, got, opts)
	l.Outcome.Detail = append(l.Outcome.Detail, found...)
	return ok, err
}

// locate finds the access behind a fault of the original function, which ends somewhere else:
// behind an array, at an address that is not there. The interpreter stops at the first access
// outside of its array; its position comes first then, and what the original function did
// behind it, without the position of the function.
func (l *ladder) locate(fn *ir.Operation, in *vector.Inputs) error {
	if fn == nil || l.Outcome.Status != vector.Error {
		return nil
	}
	defer l.w.doing("the access")()
	out, err := interp.Run(fn, in, l.interpretOptions())
	if err != nil || out.Status != vector.Error || out.ErrorCode != interp.CodeOutOfBounds {
		return err
	}
	detail := l.Outcome.Detail[:1:1] // whose fault it is
	detail = append(detail, out.Detail...)
	for _, d := range l.Outcome.Detail[1:] {
		_, text, _ := diag.SplitPos(d)
		detail = append(detail, "on this machine, "+text)
	}
	l.Outcome.Detail = detail
	return nil
}

// fillPattern is unlikely in a local array, and large both as an integer and as a float, so
// that adding it changes a sum.
const fillPattern = 0x5a5a5a5a5a5a5a5a

// undefinedReads returns a message for each local array on whose content before the first
// write the outcome depends: in the interpreter they start as zeros, on the host with the
// content of the stack. got is the outcome with zeros.
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
	// Filling one array may change nothing, as when its elements are multiplied with those
	// of another that holds zeros: then all arrays that are read too early are named.
	for _, alone := range []bool{true, false} {
		var found []string
		for _, array := range allocations(fn) {
			if changed, err := changes(array); err != nil {
				return nil, err
			} else if alone && !changed {
				continue
			}
			// Zeros again, so that only the check can change the outcome.
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

// readEarly returns the message for a local array whose check has ended in out.
func readEarly(array *ir.Operation, out *vector.Outcome) string {
	name := "a local array"
	if n := array.Result(0).Name; n != "" {
		name = "the local array '" + n + "'"
	}
	text := name + " is read before it is written, so what the kernel computes is not defined"
	if pos, _, ok := diag.SplitPos(strings.Join(out.Detail, "\n")); ok {
		text = pos.String() + ": " + text
	}
	return text
}

// allocations returns the local arrays of all functions in fn's module.
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
