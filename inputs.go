package loom

import (
	"loom/compiler/diag"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/lower"
	"loom/sim/inputs"
	"loom/sim/vector"
)

// DefaultMaxCycles is the length of runs and of searches for inputs where the options do
// not say, MaxMaxCycles the most they may say.
const (
	DefaultMaxCycles = 1_000_000
	MaxMaxCycles     = 1 << 40
)

// DefaultSize is the InputOptions.Size where they do not say; what is larger than MaxSize
// takes hours to simulate.
const (
	DefaultSize = 8
	MaxSize     = 1 << 20
)

// InputOptions choose the arguments of a kernel.
type InputOptions struct {
	Watch
	// Seed is what random arguments are made from.
	Seed uint64
	// Size is the elements in each dynamic dimension of random arguments; of a kernel
	// written in C about what loops count up to. 0 is DefaultSize.
	Size int64
	// MaxCycles bounds runs that find out what inputs suit, 0 is DefaultMaxCycles: in so
	// many cycles hardware could do the work.
	MaxCycles int64
}

// Check refuses sizes that no run could work on.
func (o *InputOptions) Check() error {
	if o.Size < 0 || o.Size > MaxSize {
		return badOption("size", "takes 1 to %d elements, found %d", MaxSize, o.Size)
	}
	return (&Environment{MaxCycles: o.MaxCycles}).Check()
}

// Inputs are the arguments of a run.
type Inputs struct {
	// Kernel are those of the graph.
	Kernel *vector.Inputs
	// Whole are those of the source's function where one loop of it is the domain, nil
	// elsewhere; Kernel are then those of the longest run of that loop.
	Whole *vector.Inputs
	// Random says that they were made, not given.
	Random bool
}

// work bounds the steps of one run and, below that, of runs in the search of random
// inputs, which may well be endless.
type work struct{ run, search int64 }

// workOf is what may be done for a graph in so many cycles. At DefaultMaxCycles a search
// gives up in some seconds.
func workOf(maxCycles int64, ops int) work {
	const quick = int64(200_000_000)
	w := work{steps(maxCycles, ops), steps(maxCycles, ops)}
	if maxCycles == 0 || maxCycles == DefaultMaxCycles {
		w.search = min(w.search, quick)
	}
	return w
}

// steps is how much work a simulator without clock may do for ops operations: as
// much as hardware could in the allowed cycles, where every operation fires once
// per cycle.
func steps(maxCycles int64, ops int) int64 {
	if maxCycles == 0 {
		maxCycles = DefaultMaxCycles
	}
	const most = int64(2_000_000_000)
	return min(maxCycles, most/int64(ops+1)) * int64(ops+1)
}

// oneLoop tells whether a loop of the source's function is the domain.
func (k *Kernel) oneLoop() bool { return k.Domain != nil && k.Domain.Loop >= 0 }

// ReadInputs reads the arguments from JSON: {"args": {"n": 3, "a": [1, 2, 3]}}. Where a
// loop is the domain they are those of the source's function, which runs in the
// interpreter; of the launches of the loop the one that does most work is taken.
func (k *Kernel) ReadInputs(src Source, opts InputOptions) (*Inputs, error) {
	if err := opts.Check(); err != nil {
		return nil, err
	}
	fn := k.Graph
	if k.oneLoop() {
		fn = k.Domain.Host
	}
	sig, err := vector.SignatureOf(fn)
	if err != nil {
		return nil, err
	}
	in, err := vector.ParseInputs(src.Name, []byte(src.Text), sig, k.IndexWidth)
	if err != nil {
		return nil, err
	}
	if !k.oneLoop() {
		return &Inputs{Kernel: in}, nil
	}
	launch, out, err := k.launch(in, workOf(opts.MaxCycles, countOps(k.Graph)).run)
	if launch == nil && err == nil {
		err = k.notLaunched(out)
	}
	return &Inputs{Kernel: launch, Whole: in}, err
}

// RandomInputs makes the arguments; those of a kernel that was written in C suit what it
// does with them.
func (k *Kernel) RandomInputs(opts InputOptions) (*Inputs, error) {
	if err := opts.Check(); err != nil {
		return nil, err
	}
	if opts.Size == 0 {
		opts.Size = DefaultSize
	}
	w := workOf(opts.MaxCycles, countOps(k.Graph))
	if !k.oneLoop() {
		in, err := k.random(opts.Seed, opts.Size, w, &opts.Watch)
		return &Inputs{Kernel: in, Random: true}, err
	}
	sig, err := vector.SignatureOf(k.Domain.Host)
	if err != nil {
		return nil, err
	}
	// Random inputs may pass the loop by; others of the same seed may not.
	const attempts = 16
	var out *vector.Outcome
	for i := range uint64(attempts) {
		in, err := k.wholeRandom(opts.Seed+i*1_000_003, opts.Size, sig, w, &opts.Watch)
		if err != nil {
			return nil, err
		}
		var launch *vector.Inputs
		if launch, out, err = k.launch(in, w.run); launch != nil || err != nil {
			return &Inputs{Kernel: launch, Whole: in, Random: true}, err
		}
	}
	return nil, k.notLaunched(out)
}

// random makes the arguments of the graph.
func (k *Kernel) random(seed uint64, size int64, bound work, w *Watch) (*vector.Inputs, error) {
	if inputs.FromC(k.Graph) {
		return k.suitable(k.Graph, seed, size, bound, w)
	}
	sig, err := vector.SignatureOf(k.Graph)
	if err != nil {
		return nil, err
	}
	return vector.Random(sig, seed, size, k.IndexWidth)
}

// wholeRandom makes arguments of the source's function. Those for C look at its graph.
func (k *Kernel) wholeRandom(seed uint64, size int64, sig *vector.Signature, bound work, w *Watch) (*vector.Inputs, error) {
	if inputs.FromC(k.Domain.Host) {
		res, err := lower.Lower(k.whole, lower.Options{Function: k.Domain.Host.SymName(), IndexWidth: k.IndexWidth})
		if err == nil {
			return k.suitable(res.Func, seed, size, bound, w)
		}
	}
	return vector.Random(sig, seed, size, k.IndexWidth)
}

// suitable makes arguments for a graph that was C.
func (k *Kernel) suitable(graph *ir.Operation, seed uint64, size int64, bound work, w *Watch) (*vector.Inputs, error) {
	defer w.doing("random inputs")()
	res, err := inputs.Random(graph, inputs.Options{
		Seed: seed, Size: size, IndexWidth: k.IndexWidth, MaxSteps: bound.run, SearchSteps: bound.search,
	})
	if err != nil {
		return nil, err
	}
	w.warn(res.Warnings.All...)
	return res.Inputs, nil
}

// launch runs the whole function and returns the arguments of the loop's longest run,
// nil where there is none.
func (k *Kernel) launch(in *vector.Inputs, maxSteps int64) (*vector.Inputs, *vector.Outcome, error) {
	var longest *vector.Inputs
	most := int64(-1)
	out, err := interp.Run(k.Domain.Host, in, interp.Options{
		IndexWidth: k.IndexWidth, MaxSteps: maxSteps,
		Watch: &interp.Watch{Function: k.Domain.Kernel.SymName(), Called: func(in *vector.Inputs, steps int64) {
			if steps > most {
				longest, most = in, steps
			}
		}},
	})
	return longest, out, err
}

func (k *Kernel) notLaunched(out *vector.Outcome) error {
	d := diag.New(k.Domain.Kernel.Pos, "loop %d does not run on these inputs", k.Domain.Loop).
		WithHelp("choose other --inputs, or another --random seed or --size")
	for _, s := range out.Detail {
		d.WithNote(diag.Pos{}, "%s", s)
	}
	return d
}

// randomDoubt is what to say of a run on random inputs that has left an array, before any
// level has shown that these inputs are in order.
const randomDoubt = "the inputs are random, and may be what leads out of the memory: --inputs FILE chooses others"

// Doubt adds to an outcome that random inputs may be to blame, where they may.
func (in *Inputs) Doubt(out *vector.Outcome) *vector.Outcome {
	if !in.Random || out.Status != vector.Error || out.ErrorCode != interp.CodeOutOfBounds {
		return out
	}
	end := *out
	end.Detail = append(append([]string{}, end.Detail...), randomDoubt)
	return &end
}
