package loom

import (
	"errors"
	"fmt"

	"loom/compiler/diag"
	"loom/compiler/frontend/domain"
	"loom/compiler/interp"
	"loom/compiler/mapper/tech"
	"loom/sim/token"
	"loom/sim/vector"
)

// The inputs and limits of the trial run after mapping.
const (
	trialSize   = 6
	trialSeed   = 1
	trialCycles = 2_000_000
	trialSteps  = 1_000_000
)

// try runs a new mapping on small random inputs. Kernels that fail on such inputs in the
// reference (an access out of bounds, no end within the limits) are skipped; for all others
// a status other than done is a fault of the mapping.
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
	// The default memory latency, whatever the mapping was made for, keeps the run short.
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

// reference returns the outcome that the mapping has to match: the interpreter's if there
// is a structured function, else the token simulator's.
func (k *Kernel) reference(in *vector.Inputs, maxSteps int64) (*vector.Outcome, error) {
	if k.Function != nil {
		return interp.Run(k.Function, in, interp.Options{IndexWidth: k.IndexWidth, MaxSteps: maxSteps})
	}
	return token.Run(k.Graph, in, token.Options{IndexWidth: k.IndexWidth, MaxSteps: maxSteps})
}

// orderHint adds a note to a mapping error if the kernel would fit with the serial memory
// order: pipelined accesses need more operations.
func (k *Kernel) orderHint(err error, f *Fabric) error {
	if k.Module == nil || k.opts.MemoryOrder != "pipelined" || NoHardware(err) {
		return err
	}
	opts := k.opts
	opts.MemoryOrder, opts.Fabric = "serial", f
	opts = opts.complete()
	serial, lowErr := opts.graph(k.Module, opts.Function, false)
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
			break
		}
	}
	return err
}

// domainHint adds a note to a mapping error of a whole function that one of its loops may
// fit.
func (k *Kernel) domainHint(err error) error {
	var list *diag.List
	if NoHardware(err) || k.Domain == nil || k.Domain.Loop >= 0 || !errors.As(err, &list) || len(domain.Loops(k.Domain.Host)) == 0 {
		return err
	}
	for _, d := range list.All {
		if d.Severity == diag.Error {
			d.WithNote(diag.Pos{}, "--domain loop=N makes hardware of one loop and leaves the rest to the host; loom compile --list-loops lists them")
			break
		}
	}
	return err
}
