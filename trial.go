package loom

import (
	"errors"
	"fmt"

	"loom/compiler/diag"
	"loom/compiler/frontend/domain"
	"loom/compiler/interp"
	"loom/compiler/lower"
	"loom/compiler/mapper/tech"
	"loom/sim/token"
	"loom/sim/vector"
)

// The inputs of the trial run after mapping and how long it may take.
const (
	trialSize   = 6
	trialSeed   = 1
	trialCycles = 2_000_000
	trialSteps  = 1_000_000
)

// try runs a fresh mapping on small random inputs. Kernels for which such inputs make no
// sense (an access out of bounds, no end in sight) are left to the user's own inputs;
// anything else that is not done is a fault of the mapping.
func (m *Mapping) try(w *Watch) error {
	in, err := m.Kernel.random(trialSeed, trialSize, work{trialSteps, trialSteps}, &Watch{Progress: w.Progress})
	if err != nil {
		return nil // no random inputs for such parameters
	}
	defer w.doing("trial run of the mapping")()
	want, err := m.Kernel.reference(in, trialSteps)
	if err != nil {
		return err
	}
	if want.Status != vector.Done {
		return nil
	}
	// The memory is the default one whatever the mapping was made for: the run is to
	// end soon.
	got, err := m.cycles(in, Environment{MaxCycles: trialCycles}, nil)
	if err != nil {
		return err
	}
	diffs := vector.Diff(want, got)
	if got.Status == vector.Done && len(diffs) == 0 {
		return nil
	}
	d := &diag.Diagnostic{Severity: diag.Internal, Pos: m.Kernel.Graph.Pos,
		Message: fmt.Sprintf("the mapping of %s onto %s fails its trial run: %s", m.Kernel.Name, m.Fabric.Name, got.Status),
		Help:    "this is a fault of LOOM; another --seed may avoid it; please report it with kernel, fabric and seed"}
	for _, s := range append(got.Detail, diffs...) {
		d.WithNote(diag.Pos{}, "%s", s)
	}
	return d
}

// reference is what a kernel means on these inputs: the interpreter's outcome
// where there is a structured program, else the token simulator's.
func (k *Kernel) reference(in *vector.Inputs, maxSteps int64) (*vector.Outcome, error) {
	if k.Function != nil {
		return interp.Run(k.Function, in, interp.Options{IndexWidth: k.IndexWidth, MaxSteps: maxSteps})
	}
	return token.Run(k.Graph, in, token.Options{IndexWidth: k.IndexWidth, MaxSteps: maxSteps})
}

// orderHint adds to a failure of mapping that the serial memory order would do:
// pipelined accesses need more operations, and a kernel that is short of a few
// units may fit without them.
func (k *Kernel) orderHint(err error, f *Fabric) error {
	if k.Module == nil || k.opts.MemoryOrder != "pipelined" {
		return err
	}
	opts := k.opts
	opts.MemoryOrder, opts.Fabric = "serial", f
	opts = opts.complete()
	serial, lowErr := lower.Lower(k.Module, opts.lowering(opts.Function))
	if lowErr != nil {
		return err
	}
	less, have := operations(serial.Func), operations(k.Graph)
	if less >= have {
		return err
	}
	if _, techErr := tech.Map(serial.Func, f.Arch); techErr != nil {
		return err
	}
	list := diag.FromError(err)
	for _, d := range list.All {
		if d.Severity == diag.Error {
			d.WithNote(diag.Pos{}, "--memory-order serial makes do with %d operations instead of %d, and this fabric has the units for them", less, have)
			return list
		}
	}
	return err
}

// domainHint adds to a failure of mapping that a part of the function may fit where all
// of it does not.
func (k *Kernel) domainHint(err error) error {
	var list *diag.List
	if k.Domain == nil || k.Domain.Loop >= 0 || !errors.As(err, &list) || len(domain.Loops(k.Domain.Host)) == 0 {
		return err
	}
	for _, d := range list.All {
		if d.Severity == diag.Error {
			d.WithNote(diag.Pos{}, "--domain loop=N makes hardware of one loop and leaves the rest to the host; loom compile --list-loops lists them")
			break
		}
	}
	return list
}
