package loom

import (
	"loom/compiler/diag"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/lower"
	"loom/sim/inputs"
	"loom/sim/vector"
)

// DefaultMaxCycles is the limit of a run, and of a search for random inputs, whose options
// leave MaxCycles at 0. MaxMaxCycles is the largest MaxCycles.
const (
	DefaultMaxCycles = 1_000_000
	MaxMaxCycles     = 1 << 40
)

// DefaultSize is used where InputOptions.Size is 0. MaxSize is the largest Size: larger
// inputs take hours to simulate.
const (
	DefaultSize = 8
	MaxSize     = 1 << 20
)

// InputOptions are the options of Kernel.ReadInputs and Kernel.RandomInputs.
type InputOptions struct {
	Watch
	// Seed is the seed of the random arguments.
	Seed uint64
	// Size is the number of elements in each dynamic dimension of random arguments; for a
	// kernel written in C, roughly the trip count of its loops. 0 is DefaultSize.
	Size int64
	// MaxCycles limits each run made to find suitable inputs, to the work that hardware
	// could do in that many cycles; 0 is DefaultMaxCycles.
	MaxCycles int64
}

// Check returns an OptionError if Size or MaxCycles is out of range.
func (o *InputOptions) Check() error {
	if o.Size < 0 || o.Size > MaxSize {
		return badOption("size", "takes 1 to %d elements, found %d", MaxSize, o.Size)
	}
	return (&Environment{MaxCycles: o.MaxCycles}).Check()
}

// Inputs are the arguments of a run.
type Inputs struct {
	// Kernel holds the arguments of the graph.
	Kernel *vector.Inputs
	// Whole holds the arguments of the source's function if the domain is one of its loops,
	// else nil. Kernel then holds the arguments of that loop's longest launch: the one that
	// executes most operations.
	Whole *vector.Inputs
	// Launches is how often the host launches the loop on them, 0 without Whole.
	Launches int
	// Random is set for arguments from RandomInputs.
	Random bool

	// longest is the number of the longest launch, from 1; work is that of all launches, total
	// that of the whole function.
	longest     int
	work, total int64
}

// Overlap reports whether two arrays of the kernel's share elements.
func (in *Inputs) Overlap() bool { return in.Kernel.Overlap() }

// work limits the steps of one run and of each run in the search for random inputs, which
// may not terminate.
type work struct{ run, search int64 }

// workOf returns the limits for a graph of ops operations and maxCycles cycles. At
// DefaultMaxCycles a search gives up after some seconds.
func workOf(maxCycles int64, ops int) work {
	const quick = int64(200_000_000)
	w := work{steps(maxCycles, ops), steps(maxCycles, ops)}
	if maxCycles == 0 || maxCycles == DefaultMaxCycles {
		w.search = min(w.search, quick)
	}
	return w
}

// steps is the number of steps a simulator without clock may take for ops operations:
// as many as hardware could in the allowed cycles, with every operation firing once
// per cycle.
func steps(maxCycles int64, ops int) int64 {
	if maxCycles == 0 {
		maxCycles = DefaultMaxCycles
	}
	const most = int64(2_000_000_000)
	return min(maxCycles, most/int64(ops+1)) * int64(ops+1)
}

// oneLoop reports whether the domain is a loop of the source's function.
func (k *Kernel) oneLoop() bool { return k.Domain != nil && k.Domain.Loop >= 0 }

// ReadInputs reads the arguments from JSON: {"args": {"n": 3, "a": [1, 2, 3]}}. If the
// domain is a loop, they are the arguments of the source's function: the interpreter runs
// that function, and the arguments of the loop's longest launch (most operations executed)
// become the graph's. It is an error if the loop is not launched.
func (k *Kernel) ReadInputs(src Source, opts InputOptions) (*Inputs, error) {
	if err := opts.Check(); err != nil {
		return nil, err
	}
	fn := k.Graph
	if k.oneLoop() || fn == nil {
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
	all, out, err := k.launch(in, workOf(opts.MaxCycles, countOps(k.Graph)).run)
	if err == nil && all.Launches == 0 {
		err = k.notLaunched(out)
	}
	return all, err
}

// RandomInputs makes random arguments. For a kernel written in C it searches for array
// extents and values with which subscripts stay inside the arrays; Warn gets what C leaves
// undefined on them. If the domain is a loop, it tries 16 seeds for inputs that launch it.
func (k *Kernel) RandomInputs(opts InputOptions) (*Inputs, error) {
	if err := opts.Check(); err != nil {
		return nil, err
	}
	if opts.Size == 0 {
		opts.Size = DefaultSize
	}
	if k.Graph == nil { // the whole function, of CompileOptions.Inputs
		sig, err := vector.SignatureOf(k.Function)
		if err != nil {
			return nil, err
		}
		in, err := k.wholeRandom(opts.Seed, opts.Size, sig, workOf(opts.MaxCycles, countOps(k.Function)), &opts.Watch)
		return &Inputs{Kernel: in, Random: true}, err
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
	// A run on random inputs may never reach the loop; another seed may.
	const attempts = 16
	var out *vector.Outcome
	for i := range uint64(attempts) {
		in, err := k.wholeRandom(opts.Seed+i*1_000_003, opts.Size, sig, w, &opts.Watch)
		if err != nil {
			return nil, err
		}
		var all *Inputs
		if all, out, err = k.launch(in, w.run); err != nil || all.Launches > 0 {
			all.Random = true
			return all, err
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

// wholeRandom makes arguments of the source's function; for C with the help of its graph.
func (k *Kernel) wholeRandom(seed uint64, size int64, sig *vector.Signature, bound work, w *Watch) (*vector.Inputs, error) {
	if inputs.FromC(k.Domain.Host) {
		res, err := lower.Lower(k.whole, lower.Options{Function: k.Domain.Host.SymName(), IndexWidth: k.IndexWidth})
		if err == nil {
			return k.suitable(res.Func, seed, size, bound, w)
		}
	}
	return vector.Random(sig, seed, size, k.IndexWidth)
}

// suitable makes arguments for the graph of a kernel written in C.
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

// launch runs the whole function in the interpreter, counts the launches of the loop and
// keeps the arguments of the longest; it also returns the function's outcome.
func (k *Kernel) launch(in *vector.Inputs, maxSteps int64) (*Inputs, *vector.Outcome, error) {
	all := &Inputs{Whole: in}
	most := int64(-1)
	var p interp.Profile
	out, err := interp.Run(k.Domain.Host, in, interp.Options{
		IndexWidth: k.IndexWidth, MaxSteps: maxSteps, Profile: &p,
		Watch: &interp.Watch{Function: k.Domain.Kernel.SymName(), Called: func(in *vector.Inputs, work int64) {
			all.Launches++
			all.work += work
			if work > most {
				all.Kernel, all.longest, most = in, all.Launches, work
			}
		}},
	})
	all.total = p.Work
	return all, out, err
}

func (k *Kernel) notLaunched(out *vector.Outcome) error {
	d := diag.New(k.Domain.Kernel.Pos, "loop %d does not run on these inputs", k.Domain.Loop).
		WithHelp("choose other --inputs, or another --random seed or --size")
	for _, s := range out.Detail {
		d.WithNote(diag.Pos{}, "%s", s)
	}
	return d
}

// randomDoubt is the note for a run on random inputs with an access out of bounds, before
// a level has shown that the inputs suit the kernel.
const randomDoubt = "the inputs are random, and may be the cause of the access out of bounds: --inputs FILE chooses others"

// Doubt returns the outcome; if it is an access out of bounds on random inputs, with a note
// that the inputs may be the cause.
func (in *Inputs) Doubt(out *vector.Outcome) *vector.Outcome {
	if !in.Random || out.Status != vector.Error || out.ErrorCode != interp.CodeOutOfBounds {
		return out
	}
	end := *out
	end.Detail = append(append([]string{}, end.Detail...), randomDoubt)
	return &end
}
