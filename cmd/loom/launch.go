package main

import (
	"loom/compiler/diag"
	"loom/compiler/interp"
	"loom/compiler/lower"
	"loom/sim/inputs"
	"loom/sim/level0"
	"loom/sim/vector"
)

// launchInputs makes the arguments of a loop that is the domain: those of the whole
// function are read or made, the function runs in the interpreter, and of the launches
// of the loop the one that does most work is taken.
func (a *app) launchInputs(f *inputFlags, k *kernel, indexWidth int, l limits) (*vector.Inputs, error) {
	host := k.domain.Host
	sig, err := vector.SignatureOf(host)
	if err != nil {
		return nil, err
	}
	if f.file != "" {
		text, err := a.read(f.file)
		if err != nil {
			return nil, err
		}
		in, err := vector.ParseInputs(f.file, []byte(text), sig, indexWidth)
		if err != nil {
			return nil, err
		}
		launch, out, err := a.launchOn(k, in, indexWidth, l.run)
		if launch == nil && err == nil {
			err = notLaunched(k, out)
		}
		return launch, err
	}
	// Random inputs may pass the loop by; others of the same seed may not.
	const attempts = 16
	var out *vector.Outcome
	for i := range uint64(attempts) {
		in, err := a.hostRandom(f.random+i*1_000_003, f.size, k, sig, indexWidth, l)
		if err != nil {
			return nil, err
		}
		var launch *vector.Inputs
		if launch, out, err = a.launchOn(k, in, indexWidth, l.run); launch != nil || err != nil {
			return launch, err
		}
	}
	return nil, notLaunched(k, out)
}

// launchOn runs the whole function and returns the arguments of the loop's longest run,
// nil where there is none.
func (a *app) launchOn(k *kernel, in *vector.Inputs, indexWidth int, maxSteps int64) (*vector.Inputs, *vector.Outcome, error) {
	var launch *vector.Inputs
	most := int64(-1)
	out, err := interp.Run(k.domain.Host, in, interp.Options{
		IndexWidth: indexWidth, MaxSteps: maxSteps,
		Watch: &interp.Watch{Function: k.domain.Kernel.SymName(), Called: func(in *vector.Inputs, steps int64) {
			if steps > most {
				launch, most = in, steps
			}
		}},
	})
	k.hostInputs = in
	return launch, out, err
}

func notLaunched(k *kernel, out *vector.Outcome) error {
	d := diag.New(k.domain.Kernel.Pos, "loop %d does not run on these inputs", k.domain.Loop).
		WithHelp("choose other --inputs, or another --random seed or --size")
	for _, s := range out.Detail {
		d.WithNote(diag.Pos{}, "%s", s)
	}
	return d
}

// hostRandom makes random arguments of the whole function. Those for C look at its graph.
func (a *app) hostRandom(seed uint64, size int64, k *kernel, sig *vector.Signature, indexWidth int, l limits) (*vector.Inputs, error) {
	if inputs.FromC(k.domain.Host) {
		res, err := lower.Lower(k.whole, lower.Options{Function: k.domain.Host.SymName(), IndexWidth: indexWidth})
		if err == nil {
			a.progress.Set("random inputs")
			defer a.progress.Clear()
			made, err := inputs.Random(res.Func, inputs.Options{Seed: seed, Size: size, IndexWidth: indexWidth, MaxSteps: l.run, SearchSteps: l.search})
			if err != nil {
				return nil, err
			}
			a.warnings.All = append(a.warnings.All, made.Warnings.All...)
			return made.Inputs, nil
		}
	}
	return vector.Random(sig, seed, size, indexWidth)
}

// hostLevels compares the original function with what is left of it and the loop, on the
// inputs of the whole function. What follows is about the loop alone.
func (a *app) hostLevels(l *ladder, k *kernel, native *level0.Program, env *envFlags, indexWidth int) (bool, error) {
	if native != nil {
		ok, err := a.step(l, 0, "host compiler, the whole function", func() (*vector.Outcome, error) { return native.Run(a.ctx, k.hostInputs) })
		if !ok || err != nil {
			return ok, err
		}
		l.tolerance = level0.Tolerance(k.module)
	}
	ok, err := a.interpret(l, "interpreter, the host's part and the loop", k.domain.Host, k.hostInputs, native,
		interp.Options{IndexWidth: indexWidth, MaxSteps: env.steps(countOps(k.module))})
	l.want, l.tolerance = nil, vector.Tolerance{}
	return ok, err
}
