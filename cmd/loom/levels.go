package main

import (
	"errors"

	"loom/compiler/cabi"
	"loom/compiler/diag"
	"loom/compiler/interp"
	"loom/internal/cache"
	"loom/internal/tools"
	"loom/sim/inputs"
	"loom/sim/level0"
	"loom/sim/token"
	"loom/sim/vector"
)

// inputs reads or makes the arguments of a kernel.
func (a *app) inputs(f *inputFlags, k *kernel, indexWidth int, l limits) (*vector.Inputs, error) {
	a.random = f.file == ""
	if k.domain != nil && k.domain.Loop >= 0 {
		return a.launchInputs(f, k, indexWidth, l)
	}
	if f.file == "" {
		return a.randomInputs(f.random, f.size, k, indexWidth, l)
	}
	sig, err := vector.SignatureOf(k.dfg)
	if err != nil {
		return nil, err
	}
	text, err := a.read(f.file)
	if err != nil {
		return nil, err
	}
	return vector.ParseInputs(f.file, []byte(text), sig, indexWidth)
}

// randomInputs makes the arguments of a kernel; those of one that was written in C suit
// what it does with them.
func (a *app) randomInputs(seed uint64, size int64, k *kernel, indexWidth int, l limits) (*vector.Inputs, error) {
	if !inputs.FromC(k.dfg) {
		sig, err := vector.SignatureOf(k.dfg)
		if err != nil {
			return nil, err
		}
		return vector.Random(sig, seed, size, indexWidth)
	}
	a.progress.Set("random inputs")
	defer a.progress.Clear()
	res, err := inputs.Random(k.dfg, inputs.Options{Seed: seed, Size: size, IndexWidth: indexWidth, MaxSteps: l.run, SearchSteps: l.search})
	if err != nil {
		return nil, err
	}
	a.warnings.All = append(a.warnings.All, res.Warnings.All...)
	return res.Inputs, nil
}

// native builds the original function of a kernel for the host, nil where there is none.
// A source that the host's compiler does not take leaves the level out, with a warning:
// the others prove as much as for a kernel in MLIR.
func (a *app) native(k *kernel, indexWidth int) (*level0.Program, error) {
	original := k.dfg
	if k.hostInputs != nil {
		original = k.domain.Host
	}
	fn, ok := cabi.Of(original)
	if !ok || k.scf == nil || !level0.Available(fn) {
		return nil, nil
	}
	sig, err := vector.SignatureOf(original)
	if err != nil {
		return nil, err
	}
	a.progress.Set("host compiler")
	defer a.progress.Clear()
	a.outside.Store(true)
	defer a.outside.Store(false)
	p, err := level0.Build(a.ctx, fn, sig, level0.Options{IndexWidth: indexWidth})
	var missing *tools.MissingError
	switch {
	case err == nil:
		return p, nil
	case errors.As(err, &missing) || errors.As(err, new(*cache.Error)) || a.ctx.Err() != nil:
		return nil, err
	}
	for _, d := range diag.FromError(err).All {
		d.Severity = diag.Warning
		a.warnings.Add(d.WithNote(diag.Pos{}, "so the kernel is not compared with the original function (level 0)"))
	}
	return nil, nil
}

// software runs the levels that need no fabric. It reports whether more may follow.
func (a *app) software(l *ladder, k *kernel, native *level0.Program, in *vector.Inputs, env *envFlags, indexWidth int) (bool, error) {
	if k.hostInputs != nil {
		if ok, err := a.hostLevels(l, k, native, env, indexWidth); !ok || err != nil {
			return ok, err
		}
		native = nil
	}
	if native != nil {
		ok, err := a.step(l, 0, "host compiler", func() (*vector.Outcome, error) { return native.Run(a.ctx, in) })
		if !ok || err != nil {
			return ok, err
		}
		// Functions that a library rounds in its own way need room, once: all other
		// levels agree to the last bit.
		l.tolerance = level0.Tolerance(k.dfg)
	}
	if k.scf != nil {
		ok, err := a.interpret(l, "interpreter", k.scf, in, native, interp.Options{IndexWidth: indexWidth, MaxSteps: env.steps(countOps(k.module))})
		if !ok || err != nil {
			return ok, err
		}
		l.tolerance = vector.Tolerance{}
	}
	for _, c := range []struct {
		name     string
		capacity int
	}{{"token simulator, unbounded channels", 0}, {"token simulator, one-token channels", 1}} {
		ok, err := a.step(l, 2, c.name, func() (*vector.Outcome, error) {
			return token.Run(k.dfg, in, token.Options{Capacity: c.capacity, IndexWidth: indexWidth, MaxSteps: env.steps(countOps(k.dfg))})
		})
		if !ok || err != nil {
			return ok, err
		}
	}
	return true, nil
}

// simKernel runs a kernel at every level that needs no fabric.
func (a *app) simKernel(k *kernel, inf *inputFlags, env *envFlags, indexWidth int) error {
	in, err := a.inputs(inf, k, indexWidth, env.limits(countOps(k.dfg)))
	if err != nil {
		return err
	}
	native, err := a.native(k, indexWidth)
	if err != nil {
		return err
	}
	l := &ladder{}
	if _, err := a.software(l, k, native, in, env, indexWidth); err != nil {
		return err
	}
	if a.json {
		a.answerText(a.withWarnings(l.resultJSON()))
	}
	return a.verdict(l)
}
